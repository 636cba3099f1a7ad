"""Replays: every game plays again as it was recorded; whatever is not a replay is refused in one clear error."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from carnival_envs import replay as replays
from carnival_envs.core.state import State
from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.envs.episodes import play_episode
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.envs.single import SeatEnv
from carnival_envs.evaluation.tournament import evaluate
from carnival_envs.registry import GAMES, load_game
from carnival_envs.replay import Replay, Result, load_replay
from tests.variants import all_games, load, random_game

CASES = Path(__file__).parent / "cases"
ALL_GAMES = pytest.mark.parametrize(("name", "options"), all_games())


def recorded(name: str, options: dict[str, Any], seed: int) -> tuple[Replay, State]:
    """A random game with what was recorded of it."""
    game, actions = load(name, options), []
    states = [state.__copy__() for state in random_game(game, seed)]
    for before, after in pairwise(states):
        actions.append(next(action for action in before.legal_actions() if leads_to(before, action, after)))
    return Replay(game, tuple(actions), ("random",) * game.num_players, seed=seed), states[-1]


def leads_to(before: State, action: int, after: State) -> bool:
    """Whether an action makes one state of another, found by trying: independent of how the game was recorded."""
    tried = before.__copy__()
    tried.apply_action(action)
    return tried.to_bytes() == after.to_bytes()


@ALL_GAMES
def test_a_replay_plays_the_same_game(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    replay, last = recorded(name, options, seed=21)
    path = replay.save(tmp_path / "game.json")
    loaded = load_replay(path)
    assert loaded.final_state().to_position() == last.to_position()
    assert loaded.game == replay.game
    assert (loaded.actions, loaded.players, loaded.seed) == (replay.actions, replay.players, 21)
    document = json.loads(path.read_text())
    assert document["result"]["scores"] == last.scores()
    assert document["result"]["returns"] == last.returns()
    assert path.read_bytes() == loaded.save(tmp_path / "again.json").read_bytes()


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    """The content of the file of an unfinished game of Carnival."""
    replay, _ = recorded("carnival", {"num_players": 3}, seed=4)
    cut = Replay(replay.game, replay.actions[:20], ("a", "b", "c"), seed=4, stopped="out of time")
    content: dict[str, Any] = json.loads(cut.save(tmp_path / "game.json").read_text())
    return content


def load_document(document: Any, folder: Path) -> Replay:
    path = folder / "changed.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return load_replay(path)


def test_an_unfinished_game(document: dict[str, Any], tmp_path: Path) -> None:
    replay = load_document(document, tmp_path)
    assert document["result"] is None
    assert replay.stopped == "out of time"
    assert len(list(replay.states())) == 21
    assert not replay.final_state().is_terminal()


def test_states_are_independent(document: dict[str, Any], tmp_path: Path) -> None:
    states = list(load_document(document, tmp_path).states())
    assert len({state.to_bytes() for state in states}) > 10
    states[3].apply_action(states[3].legal_actions()[0])
    assert states[4].to_bytes() == list(load_document(document, tmp_path).states())[4].to_bytes()


def test_scripted_games(tmp_path: Path) -> None:
    """A worked case of the specification, whose draws are scripted from the set-up on."""
    cases = json.loads((CASES / "carnavalo.json").read_text())
    case = next(case for case in cases if case["start"] == "new" and case.get("actions"))
    game = load_game("carnavalo", **case["options"])
    actions = tuple(map(game.string_to_action, case["actions"]))
    replay = Replay(game, actions, ("a",) * game.num_players, draws=tuple(case["chance"]))
    loaded = load_replay(replay.save(tmp_path / "game.json"))
    assert loaded.seed is None
    assert loaded.draws == tuple(case["chance"])
    assert loaded.final_state().chance_left == 0
    short = Replay(game, actions, replay.players, draws=replay.draws[:-1])  # type: ignore[index]
    with pytest.raises(ValueError, match="scripted draws are consumed"):
        short.save(tmp_path / "short.json")


CHANGES: dict[str, tuple[Any, str]] = {
    "format": ("another", "not a replay"),
    "version": (2, "version: 2 is not allowed; allowed: an integer in 1..1"),
    "package": (7, "package: 7 is not allowed"),
    "game": ("chess", "unknown game 'chess'"),
    "options": ({"colour": "red"}, "carnival has no option 'colour'"),
    "data": ("0" * 64, "other ones, which have to be given as data"),
    "seed": (-1, "seed: -1 is not allowed"),
    "draws": ([1, 2], "a seed or draws, one of them"),
    "players": (["a"], "a list of 3 entries"),
    "actions": (["roll", "frobnicate"], "carnival has no action 'frobnicate'"),
    "stopped": ("x" * 2000, "a text of at most 1000 characters"),
    "result": ({"end_reason": "won"}, "result: the game ends otherwise"),
    "position": ("0" * 64, "position: the game ends otherwise"),
}


def test_every_entry_is_tried() -> None:
    assert set(CHANGES) == set(replays.FIELDS)


@pytest.mark.parametrize("entry", CHANGES)
def test_changed_entries_are_refused(entry: str, document: dict[str, Any], tmp_path: Path) -> None:
    value, message = CHANGES[entry]
    with pytest.raises(ValueError, match=r"changed\.json") as caught:
        load_document({**document, entry: value}, tmp_path)
    assert message in str(caught.value)
    del document[entry]
    with pytest.raises(ValueError, match=f"{entry}|not a replay"):
        load_document(document, tmp_path)


JUNK = (None, True, -3, 1.5, "junk", [], {}, [[]], {"a": []}, 10**30)


@pytest.mark.parametrize("entry", CHANGES)
def test_junk_is_a_value_error(entry: str, document: dict[str, Any], tmp_path: Path) -> None:
    for junk in JUNK:
        if junk != document[entry] and (entry, junk) not in (
            ("package", "junk"),
            ("stopped", "junk"),
            ("stopped", None),
        ):
            with pytest.raises(ValueError, match="replay"):
                load_document({**document, entry: junk}, tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "\x00\x01", '{"format": 1}', "[" * 100_000, "{}" * 2])
def test_foreign_files_are_refused(content: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not a replay"):
        load_document(content, tmp_path)


def test_every_cut_is_refused(document: dict[str, Any], tmp_path: Path) -> None:
    text = json.dumps(document)
    for length in range(0, len(text), 97):
        with pytest.raises(ValueError, match="not a replay"):
            load_document(text[:length], tmp_path)


def test_an_illegal_action_is_named(document: dict[str, Any], tmp_path: Path) -> None:
    document["actions"][0] = "end_build"
    with pytest.raises(ValueError, match=r"actions\.0: illegal action 'end_build'; legal actions: "):
        load_document(document, tmp_path)


def test_files_that_are_too_large_or_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        load_replay(tmp_path / "none.json")
    monkeypatch.setattr(replays, "LARGEST_FILE", 10)
    with pytest.raises(ValueError, match="a file of 11 bytes is not allowed; allowed: at most 10"):
        load_document(" " * 11, tmp_path)


def test_own_component_data(tmp_path: Path) -> None:
    own = {"score_scale": 17}
    game = load_game("carnavalo", num_players=2, data=own)
    path = Replay(game, (0,), ("a", "b"), seed=3).save_in(tmp_path)
    with pytest.raises(ValueError, match="the component data differ"):
        load_replay(path)
    assert load_replay(path, data=own).game == game


def test_names_follow_from_the_game(tmp_path: Path) -> None:
    """The same game gives the same file, another one another."""
    game = load_game("carnavalo", num_players=2)
    first = Replay(game, (0,), ("a", "b"), seed=3)
    assert first.save_in(tmp_path) == first.save_in(tmp_path)
    assert Replay(game, (1,), ("a", "b"), seed=3).save_in(tmp_path) != first.save_in(tmp_path)
    assert all(path.name.startswith("carnavalo-3-") for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", GAMES)
def test_the_result_of_a_game(name: str) -> None:
    state = load_game(name).new_initial_state(seed=1)
    assert Result.of(state) is None
    *_, last = random_game(load_game(name), 2)
    result = Result.of(last)
    assert result is not None
    assert result.winners == [seat for seat, rank in enumerate(result.ranks) if rank == 1]
    assert sum(result.returns) == pytest.approx(0)


# Who writes them ----------------------------------------------------------------------------------------------------


def only_replay(folder: Path) -> Replay:
    (path,) = folder.iterdir()
    return load_replay(path)


@ALL_GAMES
def test_the_aec_environment_leaves_a_replay(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    env = AECGameEnv(name, record=tmp_path, **options)
    play_episode(env, ["random"] * env.game.num_players, seed=31)
    replay = only_replay(tmp_path)
    assert replay.final_state().to_bytes() == env.game_state.to_bytes()
    assert replay.players == tuple(env.possible_agents)
    assert replay.stopped is None


@pytest.mark.parametrize("opponents", ["random", "greedy", "mix(random,mcts:5:1,greedy)"])
@pytest.mark.parametrize("seat", [1, "random"])
@pytest.mark.parametrize("name", GAMES)
def test_the_gymnasium_environment_leaves_a_replay(name: str, seat: int | str, opponents: str, tmp_path: Path) -> None:
    """With opponents that are compiled, that Python asks, and both; the recorded game is the one without a record."""
    ends = []
    for record in (tmp_path, None):
        env = SeatEnv(name, opponents=opponents, seat=seat, record=record)
        _, info = env.reset(seed=32)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            over = terminated or truncated
        ends.append(env.game_state.to_bytes())
    replay = only_replay(tmp_path)
    assert ends == [replay.final_state().to_bytes()] * 2
    assert replay.players[info["seat"]] == "learner"


@ALL_GAMES
def test_a_record_over_every_option(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    env = SeatEnv(name, opponents="greedy", record=tmp_path, **options)
    for seed in (33, None):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
            over = terminated or truncated
        assert any(
            load_replay(path).final_state().to_bytes() == env.game_state.to_bytes() for path in tmp_path.iterdir()
        )
    assert len(list(tmp_path.iterdir())) == 2


def test_games_that_are_stopped_say_so(tmp_path: Path) -> None:
    env = AECGameEnv("carnival", record=tmp_path / "cut", max_cycles=9)
    play_episode(env, ["random"] * 2, seed=1)
    assert only_replay(tmp_path / "cut").stopped == "max_steps"
    assert len(only_replay(tmp_path / "cut").actions) == 9
    env = AECGameEnv("carnival", record=tmp_path / "forfeit")
    env.reset(seed=1)
    illegal = int(env.observe("player_0")["action_mask"].argmin())
    with pytest.warns(UserWarning, match="forfeits"):
        env.step(illegal)
    forfeit = only_replay(tmp_path / "forfeit")
    assert forfeit.stopped == f"player_0 forfeited by the illegal action {env.game.action_to_string(illegal)}"
    assert forfeit.actions == ()
    seat_env = SeatEnv("carnival", seat=0, record=tmp_path / "seat")
    _, info = seat_env.reset(seed=1)
    _, _, _, _, info = seat_env.step(int(info["action_mask"].argmax()))
    seat_env.step(int(info["action_mask"].argmin()))
    assert "player_0 forfeited" in str(only_replay(tmp_path / "seat").stopped)


def test_saved_states_keep_what_was_played(tmp_path: Path) -> None:
    """Going back to a saved state, the replay tells of what was played in the end."""
    env = SeatEnv("carnavalo", seat=0, record=tmp_path)
    _, info = env.reset(seed=5)
    saved = env.save_state()
    for choice in ("argmax", "argmin"):
        mask = info["action_mask"]
        over = False
        while not over:
            legal = mask.nonzero()[0]
            action = int(legal[0] if choice == "argmax" else legal[-1])
            _, _, terminated, truncated, step_info = env.step(action)
            mask, over = step_info["action_mask"], terminated or truncated
        assert any(
            load_replay(path).final_state().to_bytes() == env.game_state.to_bytes() for path in tmp_path.iterdir()
        )
        env.load_state(saved)


def test_a_batch_without_a_journal_says_so() -> None:
    batch = SeatBatch(load_game("carnavalo"), 2)
    batch.reset(1)
    with pytest.raises(ValueError, match="keeps_journal: False is not allowed"):
        batch.played_actions(0)


@pytest.mark.parametrize("policies", ["random,greedy", "greedy,mcts:5"])
def test_evaluations_leave_replays(policies: str, tmp_path: Path) -> None:
    game = load_game("carnavalo", num_players=3)
    evaluation = evaluate(game, policies, 9, seed=3, record=tmp_path)
    replays_ = [load_replay(path) for path in tmp_path.iterdir()]
    assert len(replays_) == 2 * evaluation.games
    assert {player for replay in replays_ for player in replay.players} == set(policies.split(","))
    first = policies.split(",")[0]
    alone = [replay for replay in replays_ if replay.players.count(first) == 1]
    scores = [replay.final_state().scores()[replay.players.index(first)] for replay in alone]
    standing = next(pairing for pairing in evaluation.pairings if pairing.policy == first)
    assert sum(scores) / len(scores) == pytest.approx(standing.score.mean)
