"""The page's server, with a test client: what it answers, what it refuses, and that it leaks nothing."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="the extra test is not installed")

from starlette.testclient import TestClient

from carnival_envs import load_game
from carnival_envs.core.state import State
from carnival_envs.play.session import Session
from carnival_envs.play.watching import Watching
from carnival_envs.play.web import HEADERS, LONGEST_REQUEST, make_app, serve
from carnival_envs.registry import GAMES
from carnival_envs.replay import Replay, load_replay

TOKEN = "token"
GREEDY_HINTS = "greedy"


@contextmanager
def client_of(table: Session | Watching) -> Iterator[TestClient]:
    app = make_app(table, TOKEN, hints=GREEDY_HINTS)
    with TestClient(app, base_url="http://127.0.0.1/", raise_server_exceptions=True) as client:
        yield client


def get(client: TestClient, path: str) -> Any:
    return client.get(f"/{TOKEN}/{path}")


def post(client: TestClient, path: str, **content: Any) -> Any:
    return client.post(f"/{TOKEN}/{path}", json=content)


def actions_of(state: dict[str, Any]) -> list[str]:
    return [move["action"] for group in state["groups"] for move in group["moves"]]


def new_session(name: str = "carnival", path: Path | None = None, **options: Any) -> Session:
    return Session.new(load_game(name, **options), "greedy", 0, seed=5, path=path)


# Playing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game(name: str, tmp_path: Path) -> None:
    """Played through requests alone, the game is the one that its file tells of."""
    session = new_session(name, tmp_path / "game.json")
    rng = np.random.default_rng(6)
    with client_of(session) as client:
        state = get(client, "state").json()
        while actions := actions_of(state):
            assert state["result"] == []
            action = actions[int(rng.integers(len(actions)))]
            answer = post(client, "move", action=action, moment=state["moment"])
            assert answer.status_code == 200
            state = answer.json()
        assert len(state["result"]) == session.game.num_players
        assert len(state["log"]) == state["moment"]
        refused = post(client, "move", action=action, moment=state["moment"])
        assert (refused.status_code, refused.json()["legal"]) == (422, [])
        assert get(client, "hint").status_code == 400
    last = load_replay(tmp_path / "game.json").final_state()
    assert [one["score"] for one in state["result"]] == last.scores()


def test_an_illegal_move_gets_the_legal_ones() -> None:
    session = new_session()
    with client_of(session) as client:
        state = get(client, "state").json()
        for action in ("end_build", "no such action", "roll:1", ""):
            answer = post(client, "move", action=action, moment=state["moment"])
            assert answer.status_code == 422
            assert answer.json()["legal"] == actions_of(state)
        assert get(client, "state").json() == state


def test_two_tabs() -> None:
    """The slower tab is told where the game is; its move is not made."""
    session = new_session()
    with client_of(session) as client:
        state = get(client, "state").json()
        first = post(client, "move", action=actions_of(state)[0], moment=state["moment"]).json()
        late = post(client, "move", action=actions_of(state)[-1], moment=state["moment"])
        assert late.status_code == 409
        assert late.json()["state"] == first == get(client, "state").json()
        assert post(client, "undo", moment=state["moment"]).status_code == 409


def test_a_restarted_server_goes_on(tmp_path: Path) -> None:
    """At every moment the file alone gives the same page again, and the same future."""
    path = tmp_path / "game.json"
    session = new_session("carnavalo", path, num_players=3)
    for _ in range(6):
        with client_of(session) as client, client_of(Session.resume(path)) as restarted:
            state = get(client, "state").json()
            assert get(restarted, "state").json() == state
            assert get(restarted, "picture").content == get(client, "picture").content
            move = {"action": actions_of(state)[0], "moment": state["moment"]}
            copy = Session(load_replay(path))
            with client_of(copy) as other:
                assert post(other, "move", **move).json() == post(client, "move", **move).json()
        session = Session.resume(path)


def test_hints_and_undo() -> None:
    session = new_session("carnavalesco")
    with client_of(session) as client:
        state = get(client, "state").json()
        hint = get(client, "hint").json()
        assert hint["policy"] == GREEDY_HINTS
        assert [one["share"] for one in hint["hints"]] == [1.0]
        taken = post(client, "move", action=actions_of(state)[0], moment=state["moment"]).json()
        assert taken["can_undo"]
        assert post(client, "undo", moment=taken["moment"]).json() == state
        refused = post(client, "undo", moment=state["moment"])
        assert refused.status_code == 400
        assert "can't be taken back" in refused.json()["error"]


# Requests that are not meant ---------------------------------------------------------------------------------------


def test_nothing_without_the_token() -> None:
    with client_of(new_session()) as client:
        for path in ("/", "/state", "/tokens/state", "/token2/", "/state/token", "/TOKEN/state"):
            assert client.get(path).status_code == 404
        assert client.post("/move", json={"action": "roll", "moment": 0}).status_code == 404


def test_only_this_machine() -> None:
    """A page elsewhere whose name leads here (DNS rebinding) is refused by its name, one that posts by its type."""
    with client_of(new_session()) as client:
        assert client.get(f"/{TOKEN}/state", headers={"host": "evil.example"}).status_code == 400
        assert client.get(f"/{TOKEN}/state", headers={"host": "localhost:8000"}).status_code == 200
        simple = {"content-type": "text/plain"}
        body = json.dumps({"action": "roll", "moment": 0})
        assert client.post(f"/{TOKEN}/move", content=body, headers=simple).status_code == 415


JSON_TYPE = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 3000, b'{"moment": 0}', b'{"action": 3, "moment": 0}']
)
def test_malformed_moves(body: bytes) -> None:
    session = new_session()
    with client_of(session) as client:
        answer = client.post(f"/{TOKEN}/move", content=body, headers=JSON_TYPE)
        assert answer.status_code == 400
        assert answer.json()["error"]
    assert session.num_moves == 0


@pytest.mark.parametrize("moment", [None, "x", "1e3", 1.5, True, [], "9" * 20])
def test_malformed_moments(moment: Any) -> None:
    session = new_session()
    with client_of(session) as client:
        action = actions_of(get(client, "state").json())[0]
        assert post(client, "move", action=action, moment=moment).status_code == 400
    assert session.num_moves == 0


def test_bodies_that_are_too_long() -> None:
    with client_of(new_session()) as client:
        answer = client.post(f"/{TOKEN}/move", content=b" " * (LONGEST_REQUEST + 1), headers=JSON_TYPE)
        assert answer.status_code == 413


@pytest.mark.parametrize("query", ["moment=-1", "moment=1", "moment=x", "theme=sepia", "moment=0&theme="])
def test_malformed_pictures(query: str) -> None:
    with client_of(new_session()) as client:
        assert get(client, f"picture?{query}").status_code == 400


def test_other_methods_and_paths() -> None:
    with client_of(new_session()) as client:
        assert client.post(f"/{TOKEN}/state", json={}).status_code == 405
        assert get(client, "move").status_code == 405
        for path in ("session.py", "page/index.html", "..%2fsession.py", "hands", "picture/1"):
            assert get(client, path).status_code == 404


def test_the_page_needs_nothing_from_elsewhere() -> None:
    with client_of(new_session()) as client:
        for path, start in (("", "<!doctype html>"), ("style.css", "/*"), ("page.js", "//")):
            answer = get(client, path)
            assert answer.text.startswith(start)
            assert not re.search(r"https?://", answer.text)
            assert HEADERS.items() <= {key.title(): value for key, value in answer.headers.items()}.items() | {
                (key, answer.headers[key]) for key in HEADERS
            }


# Nothing hidden ----------------------------------------------------------------------------------------------------


def all_answers(client: TestClient, moments: int) -> list[bytes]:
    """Everything that can be asked without a move; and of what has to be refused."""
    paths = ["state", "hint", *(f"picture?moment={moment}" for moment in range(moments + 1))]
    answers = [get(client, path).content for path in paths]
    refused = [post(client, "move", action="?", moment=moments), post(client, "move", action="?", moment=moments - 1)]
    hand = [get(client, f"picture?seat={seat}&player={seat}&viewer={seat}").content for seat in range(3)]
    return [*answers, *(answer.content for answer in refused), *hand]


class Redrawn(Session):
    """A session whose states are redrawn wherever the person can't see."""

    def redraw(self, seed: int) -> None:
        self._states = [
            state if state.is_terminal() else state.resample(self.seat, seed + number)
            for number, state in enumerate(self._states)
        ]


@pytest.mark.parametrize("name", GAMES)
def test_no_answer_depends_on_what_is_hidden(name: str) -> None:
    """At every decision, and for every moment before it, all answers stay the same, to the last byte, whatever the
    hidden cards are.
    """
    game = load_game(name, num_players=3)
    session = Session.new(game, "greedy", 0, seed=8)
    rng = np.random.default_rng(9)
    differed = False
    for round_ in range(12):
        if session.is_over:
            break
        redrawn = Redrawn(session._replay)
        redrawn.redraw(seed=100 * round_)
        differed |= hidden_parts(redrawn._states) != hidden_parts(session._states)
        with client_of(session) as client, client_of(redrawn) as other:
            assert all_answers(client, session.num_moves) == all_answers(other, session.num_moves)
            actions = actions_of(get(client, "state").json())
            for action in actions[:: max(1, len(actions) // 3)][:1]:
                assert action
        moves = [move for group in session.groups() for move in group.moves]
        session.play(moves[int(rng.integers(len(moves)))].action, session.num_moves)
    assert differed != game.definition.perfect_information  # where nothing is hidden nothing can differ


def hidden_parts(states: list[State]) -> list[bytes]:
    return [state.to_bytes() for state in states]


def test_another_hand_is_not_to_be_had() -> None:
    """Whoever asks for another seat's cards gets the own view, or nothing."""
    session = new_session("carnival", num_players=3)
    with client_of(session) as client:
        own = get(client, "picture").content
        for query in ("seat=1", "player=1", "viewer=None", "seat=referee"):
            assert get(client, f"picture?{query}").content == own
        for path in ("hand/1", "state/1", "seat/1/picture", "replay", "game.json"):
            assert get(client, path).status_code == 404
        state = get(client, "state").json()
        assert get(client, "state?seat=1").json() == state
        assert {"seed", "draws", "position"}.isdisjoint(state)


# Watching ----------------------------------------------------------------------------------------------------------


def test_watching() -> None:
    game = load_game("carnival")
    replay = Replay(game, (), ("a", "b"), seed=1)
    first = replay.final_state().legal_actions()[0]
    replay = Replay(game, (first,), ("a", "b"), seed=1)
    states = list(replay.states())
    for seat in (None, 1):
        with client_of(Watching(replay, seat)) as client:
            state = get(client, "state").json()
            assert (state["moment"], state["groups"], state["can_play"]) == (1, [], False)
            for moment in (0, 1):
                assert get(client, f"picture?moment={moment}&theme=dark").text == states[moment].draw(seat, "dark")
            for path in ("move", "undo", "hint"):
                assert post(client, path, moment=0, action="roll").status_code == 404


@pytest.mark.parametrize("port", [-1, 65536, 80.5])
def test_a_port_that_there_is_not(port: Any) -> None:
    with pytest.raises(ValueError, match=r"port: .* allowed: an integer in 0\.\.65535"):
        serve(new_session(), port=port)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"in use.*{port}"):
            serve(new_session(), port=port)
