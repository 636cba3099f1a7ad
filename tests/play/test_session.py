"""A person's seat: what he is offered, what may be taken back, and that nothing is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.views import Views
from carnival_envs.play.hints import masked_softmax, move_shares
from carnival_envs.play.moves import told
from carnival_envs.play.session import PERSON, Session, StaleMoveError
from carnival_envs.policies.base import choose
from carnival_envs.policies.network import Network, network_policy, num_parameters
from carnival_envs.registry import GAMES
from carnival_envs.replay import Replay, load_replay
from tests.variants import all_games, load, random_game

ALL_GAMES = pytest.mark.parametrize(("name", "options"), all_games())


def act(session: Session, string: str) -> None:
    session.play(string, session.num_moves)


@ALL_GAMES
def test_moves_are_named_apart(name: str, options: dict[str, Any]) -> None:
    """Every legal action is offered once, in words that no other one has, and without the marks of its string."""
    for state in random_game(load(name, options), 41):
        for player in range(state.game.num_players):
            groups = groups_of(state, player)
            offered = [move.action for _, moves in groups for move in moves]
            legal = state.legal_actions() if player == state.current_player() else []
            assert sorted(offered) == legal
            words = [(heading, move.choice) for heading, moves in groups for move in moves]
            assert len(set(words)) == len(words)
            assert not any("_" in heading or "?" in heading for heading, _ in words)
            assert all(move.choice for _, moves in groups for move in moves if len(moves) > 1)


def groups_of(state: Any, player: int) -> list[tuple[str, Any]]:
    from carnival_envs.play.moves import grouped_moves

    return [(group.heading, group.moves) for group in grouped_moves(state.view(player))]


@ALL_GAMES
def test_others_are_told_the_public_form(name: str, options: dict[str, Any]) -> None:
    """What a player is told of another's move is the same whatever is hidden from him before the move."""
    for number, state in enumerate(random_game(load(name, options), 42)):
        actor = state.current_player()
        for viewer in range(state.game.num_players):
            if actor in (-1, viewer):
                continue
            action = state.legal_actions()[number % len(state.legal_actions())]
            sample = state.resample(viewer, number)
            assert told(state, action, viewer) == told(sample, action, viewer)
            public = state.public_action_to_string(action)
            if "?" in public:
                twins = [one for one in state.legal_actions() if public == state.public_action_to_string(one)]
                assert len({told(state, twin, viewer).words for twin in twins}) == 1
                assert len({told(state, twin, None).words for twin in twins}) == len(twins)


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("name", GAMES)
def test_a_game_to_its_end(name: str, seat: int, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session = Session.new(load_game(name, num_players=3), "greedy,random", seat, seed=3, path=path)
    assert session.players[seat] == PERSON
    assert session.players[(seat + 1) % 3] == "greedy"
    assert session.players[(seat + 2) % 3] == "random"
    rng = np.random.default_rng(seat)
    while not session.is_over:
        assert session.result() == []
        assert session.view().current_player() == seat
        moves = [move for group in session.groups() for move in group.moves]
        session.play(moves[int(rng.integers(len(moves)))].action, session.num_moves)
        assert len(load_replay(path).actions) == session.num_moves
    assert session.groups() == []
    assert not session.can_undo()
    assert len(session.log()) == session.num_moves
    assert [one["rank"] for one in session.result()] == load_replay(path).final_state().ranks()


def test_a_game_alone() -> None:
    session = Session.new(load_game("carnavalesco", num_players=1), seed=1)
    while not session.is_over:
        session.play(session.groups()[0].moves[0].action, session.num_moves)
    assert session.players == (PERSON,)


# Undo ----------------------------------------------------------------------------------------------------------------


def test_undo_of_a_choice_that_shows_nothing() -> None:
    """Taking a die from the open pool, and placing it while it is still the person's turn."""
    session = Session.new(load_game("carnavalesco", num_players=2, first_player=0), seed=2)
    before = session.view().text()
    session.play(session.groups()[0].moves[0].action, 0)
    assert session.can_undo()
    session.undo(1)
    assert (session.num_moves, session.view().text()) == (0, before)
    assert not session.can_undo()


def test_no_undo_of_what_was_drawn_or_seen() -> None:
    """Dice that were rolled, and a card that was drawn from the deck without a new draw of chance, can't be unseen."""
    session = Session.new(load_game("carnival", num_players=2), "random", seed=11)
    drawn = rolled = 0
    while not (drawn and rolled) and not session.is_over:
        strings = [move.string for group in session.groups() for move in group.moves]
        first = next((one for one in ("roll", "do:deck_draw") if one in strings), strings[0])
        act(session, first)
        if first == "roll":
            rolled += 1
            assert not session.can_undo()
        if first == "do:deck_draw" and session.log()[-1].seat == session.seat:
            drawn += 1
            assert not session.can_undo()
    assert rolled


def test_a_card_that_was_drawn_is_seen() -> None:
    """Deck Draw takes the top card of a deck that was shuffled before: nothing is drawn by chance, yet it shows."""
    from carnival_envs.play.session import shows_nothing_new

    for seed in range(40):
        for state in random_game(load_game("carnival", num_players=2), seed):
            if "do:deck_draw" not in map(state.game.action_to_string, state.legal_actions()):
                continue
            after = state.__copy__()
            after.apply_action("do:deck_draw")
            hand = int(after._record[0].players[state.current_player()].hand_size)
            if hand == int(state._record[0].players[state.current_player()].hand_size):
                continue  # the others are asked first whether they block
            assert not after.has_drawn_since(state)
            assert not shows_nothing_new(state, after, state.game.string_to_action("do:deck_draw"))
            return
    raise AssertionError("no card was drawn")


@pytest.mark.parametrize("name", GAMES)
def test_undo_restores_the_moment(name: str, tmp_path: Path) -> None:
    """Wherever undo is offered, it gives back the very state, and the game goes on as it would have."""
    path = tmp_path / "game.json"
    session = Session.new(load_game(name), "greedy", 0, seed=7, path=path)
    rng = np.random.default_rng(7)
    undone = undrawn = 0
    while not session.is_over and session.num_moves < 150:
        moves = [move.action for group in session.groups() for move in group.moves]
        words = session._states[-1]._words.copy()
        before = session._states[-1].to_bytes(), session.num_moves
        action = moves[int(rng.integers(len(moves)))]
        session.play(action, session.num_moves)
        after = [state.to_bytes() for state in session._states]
        undrawn += np.array_equal(session._states[-1]._words, words)
        if session.can_undo():
            undone += 1
            session.undo(session.num_moves)
            assert (session._states[-1].to_bytes(), session.num_moves) == before
            assert len(load_replay(path).actions) == session.num_moves
            session.play(action, session.num_moves)
            assert [state.to_bytes() for state in session._states] == after
    assert (undone > 0) == (undrawn > 0)


# Refusals ------------------------------------------------------------------------------------------------------------


def test_stale_and_illegal_moves_change_nothing() -> None:
    session = Session.new(load_game("carnavalo"), seed=1)
    bytes_before = session._states[-1].to_bytes()
    for moment in (-1, 1, True, "0", None):
        with pytest.raises(StaleMoveError, match="it has gone on to 0"):
            session.play("setup:1", moment)  # type: ignore[arg-type]
    for action in ("setup:9", "pass", 10**9, -1, True):
        with pytest.raises(IllegalActionError, match="setup:1"):
            session.play(action, 0)
    with pytest.raises(ValueError, match="undo"):
        session.undo(0)
    assert (session.num_moves, session._states[-1].to_bytes()) == (0, bytes_before)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, "seat: 2 is not allowed; allowed: a seat in 0..1"),
        ({"opponents": "gredy"}, "did you mean 'greedy'"),
        ({"opponents": "greedy,greedy"}, "one for each of the 1 other seats, not 2"),
        ({"seed": -1}, "seed: -1"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Session.new(load_game("carnival"), **arguments)


def test_only_games_with_a_person_can_go_on(tmp_path: Path) -> None:
    game = load_game("carnival")
    path = Replay(game, (), ("greedy", "greedy"), seed=1).save(tmp_path / "game.json")
    with pytest.raises(ValueError, match="'person' and the specs of policies"):
        Session.resume(path)


def test_mixed_opponents_stay_the_same(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session = Session.new(load_game("carnavalo"), "mix(greedy,random)", seed=1, path=path)
    assert repr(Session.resume(path)._policies) == repr(session._policies)


# Hints ---------------------------------------------------------------------------------------------------------------


def test_hints_of_a_search() -> None:
    session = Session.new(load_game("carnavalesco"), seed=1)
    hints = session.hint("mcts:64")
    assert hints == session.hint("mcts:64")
    shares = [one.share for one in hints]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1.001
    legal = {move.action for group in session.groups() for move in group.moves}
    assert {one.action for one in hints} <= legal
    assert session.num_moves == 0


def test_probabilities_of_legal_actions() -> None:
    """By hand: the weights 1 and 3 of the two legal actions, the largest of all being illegal."""
    logits = np.array([0.0, np.log(3.0), 50.0], dtype=np.float32)
    mask = np.array([1, 1, 0], dtype=np.int8)
    assert masked_softmax(logits, mask).tolist() == pytest.approx([0.25, 0.75, 0.0])


@pytest.mark.parametrize("advice", [0.0, 2.0])
@pytest.mark.parametrize("name", GAMES)
def test_hints_of_a_network(name: str, advice: float) -> None:
    """Probabilities over the legal actions, the largest for what the policy would play."""
    game = load_game(name)
    sizes = (game.observation_size + (game.num_actions if advice else 0), 8, game.num_actions)
    weights = np.random.default_rng(3).normal(size=num_parameters(sizes)).astype(np.float32)
    policy = network_policy(Network(sizes, "tanh", weights), advice)
    state = game.new_initial_state(seed=3)
    shares = move_shares(state.view(state.current_player()), policy)
    assert shares.sum() == pytest.approx(1)
    assert set(np.flatnonzero(shares)) == set(state.legal_actions())
    assert shares.argmax() == choose(policy, Views.of_states([state]), np.random.default_rng(0))[0]
