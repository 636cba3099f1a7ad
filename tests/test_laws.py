"""Laws that hold for every game, option set and seed. A new game is tried on all of them by being registered.

``--law-games N`` sets how many random games each law is tried on.
"""

from __future__ import annotations

import copy
import pickle
import re
from itertools import islice
from typing import Any

import numpy as np
import pytest

from carnival_envs import make_batch
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.game import Game
from carnival_envs.core.interface import VALID
from carnival_envs.core.state import State
from tests.variants import all_games, greedy_action, load, random_game

ALL_GAMES = pytest.mark.parametrize(("name", "options"), all_games())
GREEDY_SHARE = 0.4
ROUND_TRIP_EVERY = 7
BATCH, GAMES_ENDED, MOST_STEPS = 3, 2, 5000


@ALL_GAMES
def test_every_move_keeps_the_laws(name: str, options: dict[str, Any], law_games: int) -> None:
    game = load(name, options)
    for seed in range(law_games):
        share = GREEDY_SHARE * (seed % 2)
        for number, state in enumerate(random_game(game, seed, greedy_share=share)):
            check_invariants(state)
            check_mask(state)
            check_observations(state)
            check_hidden(state, number % game.num_players, seed=number)
            check_refusals(state, number)
            if number % ROUND_TRIP_EVERY == 0 or state.is_terminal():
                check_round_trip(state)
        check_end(state)


def check_invariants(state: State) -> None:
    game = state.game
    broken = game.engine.invariant_one(game.rules, state._record)
    assert broken == VALID, game.definition.invariants[int(broken)]


def check_mask(state: State) -> None:
    """The mask is the list of legal actions; nobody is ever stuck."""
    mask = state.legal_actions_mask()
    assert mask.dtype == np.int8
    assert set(np.unique(mask)) <= {0, 1}
    assert mask.nonzero()[0].tolist() == state.legal_actions()
    assert state.is_terminal() == (not mask.any())
    assert state.is_terminal() == (state.current_player() == -1)
    if state.is_terminal():
        return
    for player in range(state.game.num_players):
        expected = mask if player == state.current_player() else np.zeros_like(mask)
        assert np.array_equal(state.view(player).legal_actions_mask(), expected)


def check_observations(state: State) -> None:
    """Every block holds integers in its range, and the flat form is those, scaled."""
    game = state.game
    for player in range(game.num_players):
        flat = state.observation_tensor(player)
        assert flat.shape == (game.observation_size,)
        assert flat.dtype == np.float32
        out = np.empty_like(flat)
        assert game.engine.observe_one(game.rules, state._record, player, out) == game.observation_size
        blocks = state.observation(player)
        parts = []
        for block in game.observation_blocks:
            raw = blocks[block.name]
            assert raw.shape == block.shape
            assert raw.min(initial=0) >= block.low, block.name
            assert raw.max(initial=0) <= block.high, block.name
            parts.append(raw.ravel().astype(np.float64) / block.scale)
        assert np.allclose(np.concatenate(parts), flat, atol=1e-6)


def check_hidden(state: State, player: int, seed: int) -> None:
    """A resampled state is one that the player can't tell from the true one, in any channel."""
    view = state.view(player)
    sample = state.resample(player, seed=seed)
    check_invariants(sample)
    assert sample.view(player)._record.tobytes() == view._record.tobytes()
    assert view.resample(seed=seed).to_bytes() == sample.to_bytes()
    assert np.array_equal(sample.observation_tensor(player), state.observation_tensor(player))
    assert np.array_equal(view.observation_tensor(), state.observation_tensor(player))
    assert sample.text(player) == state.text(player) == view.text()
    assert sample.current_player() == state.current_player()
    if state.current_player() == player:
        assert sample.legal_actions() == state.legal_actions()
        assert greedy_action(sample, seed) == greedy_action(state, seed)


def check_refusals(state: State, seed: int) -> None:
    """What is not legal is refused, names what is, and changes nothing."""
    before = state.to_bytes()
    illegal = np.flatnonzero(state.legal_actions_mask() == 0)
    wrong: list[Any] = [int(np.random.default_rng(seed).choice(illegal))] if len(illegal) else []
    wrong += [-1, state.game.num_actions, 1 << 63, -(1 << 70), "no such action", True, None, 1.0]
    for action in wrong:
        with pytest.raises(IllegalActionError) as caught:
            state.apply_action(action)
        assert len(caught.value.legal) == len(state.legal_actions())
    assert state.to_bytes() == before


def check_round_trip(state: State) -> None:
    """Loading a dumped position gives the same record, without the history, and the same game from there."""
    game = state.game
    document = state.to_position()
    loaded = game.state_from_position(copy.deepcopy(document), seed=5)
    assert loaded.to_position() == document
    if game.history:
        return
    assert loaded.to_bytes() == state.to_bytes()
    play_alike(state.clone(seed=5), loaded, moves=5)


def play_alike(one: State, other: State, moves: int) -> None:
    """Two equal states with equal streams stay equal."""
    rng = np.random.default_rng(0)
    for _ in range(moves):
        assert one.legal_actions() == other.legal_actions()
        if one.is_terminal():
            return
        action = int(rng.choice(one.legal_actions()))
        one.apply_action(action)
        other.apply_action(action)
        assert one.to_bytes() == other.to_bytes()


def check_end(state: State) -> None:
    """Scores, ranks, winners and returns of a finished game fit together."""
    game = state.game
    assert state.is_terminal()
    assert state.end_reason() in game.definition.end_reasons
    n = game.num_players
    ranks, winners = state.ranks(), state.winners()
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
    for player in range(n):
        info = state.info(player)
        assert (info["score"], info["rank"]) == (state.scores()[player], ranks[player])
        assert (info["winners"], info["end_reason"]) == (winners, state.end_reason())
    if n == 1:
        return
    assert winners == [seat for seat in range(n) if ranks[seat] == 1]
    for reward in ("win", "rank", "score"):
        assert sum(state.returns(reward)) == pytest.approx(0, abs=1e-9)
    k = len(winners)
    win = [(1 / k - 1 / n) * n / (n - 1) if seat in winners else -1 / (n - 1) for seat in range(n)]
    assert state.returns("win") == pytest.approx(win)


@ALL_GAMES
def test_strings_name_actions(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    strings = [game.action_to_string(action) for action in range(game.num_actions)]
    assert len(set(strings)) == game.num_actions
    assert [game.string_to_action(string) for string in strings] == list(range(game.num_actions))
    for wrong in (-1, game.num_actions, True, "0"):
        with pytest.raises(ValueError, match="not allowed"):
            game.action_to_string(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such"):
        game.string_to_action("no such action")


@ALL_GAMES
def test_equal_seeds_give_equal_games(name: str, options: dict[str, Any]) -> None:
    one, other = load(name, options), load(name, options)
    assert one == other
    for left, right in zip(random_game(one, 3), random_game(other, 3), strict=True):
        assert left.to_bytes() == right.to_bytes()


@ALL_GAMES
def test_copies_are_independent_and_exact(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    state = game.new_initial_state(seed=2)
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        before = state.to_bytes()
        copies = [copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
        planning = state.clone(seed=1)
        action = int(rng.choice(state.legal_actions()))
        planning.apply_action(action)
        assert state.to_bytes() == before
        state.apply_action(action)
        for other in copies:
            assert other.to_bytes() == before
            other.apply_action(action)
            assert other.to_bytes() == state.to_bytes()
            assert np.array_equal(other._words, state._words)


@ALL_GAMES
def test_a_planning_copy_does_not_see_the_games_draws(name: str, options: dict[str, Any]) -> None:
    """Equal clones are equal whatever the stream of the game is."""
    game = load(name, options)
    state = game.new_initial_state(seed=4)
    position = state.to_position()
    other = game.state_from_position(position, seed=99)
    play_alike(state.clone(seed=8), other.clone(seed=8), moves=30)


@ALL_GAMES
def test_perfect_information_leaves_nothing_to_sample(name: str, options: dict[str, Any]) -> None:
    game = load(name, options)
    sampled = [
        state.resample(player, seed=seed).to_bytes() == state.to_bytes()
        for seed, state in enumerate(random_game(game, 6))
        for player in range(game.num_players)
    ]
    assert all(sampled) == game.definition.perfect_information


@ALL_GAMES
def test_a_batch_plays_its_single_games(name: str, options: dict[str, Any]) -> None:
    """Game i is the game of seed ``seeds[i]``, reset for reset, whatever the number of threads."""
    game = load(name, options)
    batch = make_batch(name, BATCH, seed=3, **options)
    threaded = make_batch(name, BATCH, seed=3, num_threads=2, **options)
    batch.reset()
    threaded.reset()
    singles = [game.new_initial_state(seed=int(seed)) for seed in batch.seeds]
    rng = np.random.default_rng(3)
    ended = 0
    for _ in range(MOST_STEPS):
        for index, single in enumerate(singles):
            assert batch.current_players[index] == single.current_player()
            assert np.array_equal(batch.action_masks[index], single.legal_actions_mask())
            seen = single.observation_tensor(single.current_player())
            assert np.array_equal(batch.observations[index], seen)
        actions = np.array([rng.choice(mask.nonzero()[0]) for mask in batch.action_masks])
        batch.step(actions)
        threaded.step(actions)
        for array in ("observations", "action_masks", "current_players", "rewards", "terminated", "truncated", "seeds"):
            assert np.array_equal(getattr(batch, array), getattr(threaded, array)), array
        for index, single in enumerate(singles):
            single.apply_action(int(actions[index]))
            over = bool(batch.terminated[index] or batch.truncated[index])
            assert over == single.is_terminal()
            assert bool(batch.truncated[index]) == (over and single.is_truncated())
            expected = single.returns() if over else [0.0] * game.num_players
            assert batch.rewards[index].tolist() == pytest.approx(expected)
            if over:
                ended += 1
                singles[index] = game.new_initial_state(seed=int(batch.seeds[index]))
            assert batch.state(index).to_bytes() == singles[index].to_bytes()
        if ended >= GAMES_ENDED:
            return
    raise AssertionError(f"fewer than {GAMES_ENDED} games ended")


@ALL_GAMES
def test_a_batch_refuses_illegal_actions_and_changes_nothing(name: str, options: dict[str, Any]) -> None:
    for threads in (1, 2):
        batch = make_batch(name, 3, seed=1, num_threads=threads, **options)
        with pytest.raises(RuntimeError, match="reset"):
            batch.step([0, 0, 0])
        batch.reset()
        legal = batch.action_masks.argmax(axis=1)
        for wrong in (-1, batch.game.num_actions, int(batch.action_masks[1].argmin())):
            before = [batch.state(index).to_bytes() for index in range(3)]
            actions = legal.copy()
            actions[1] = wrong
            with pytest.raises(IllegalActionError, match="in game 1"):
                batch.step(actions)
            assert [batch.state(index).to_bytes() for index in range(3)] == before
        for shape in ([0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0]):
            with pytest.raises(ValueError, match="actions"):
                batch.step(shape)


JUNK = [None, -1, 10**30, 1.5, "x", [], {}, [None], True, "R9", [["R1"]], float("nan")]


@ALL_GAMES
@pytest.mark.parametrize("moves", [0, 30])
def test_junk_in_a_position_is_a_value_error(name: str, options: dict[str, Any], moves: int) -> None:
    """Any field, at any depth, replaced by anything or left out, is refused by name, and by no other error.

    A change that happens to make another sound position is loaded as it stands.
    """
    game = load(name, options)
    document = list(islice(random_game(game, 7), moves + 1))[-1].to_position()
    for path in all_paths(document):
        for junk in JUNK:
            broken = copy.deepcopy(document)
            follow(broken, path[:-1])[path[-1]] = junk
            load_or_refuse(game, broken)
        if isinstance(path[-1], str):
            broken = copy.deepcopy(document)
            del follow(broken, path[:-1])[path[-1]]
            with pytest.raises(ValueError, match=re.escape(path[-1])):
                game.state_from_position(broken)
    with pytest.raises(ValueError, match="surplus"):
        game.state_from_position({**document, "surplus": None})


def load_or_refuse(game: Game, document: Any) -> None:
    """Load a document that is sound after all, or see it refused with a word on where it is wrong."""
    try:
        state = game.state_from_position(document)
    except ValueError as error:
        message = str(error)
    else:
        assert state.to_position() == document
        return
    assert re.match(r"[\w.,\[\] ]+: ", message), message


def all_paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values inside a document; of long lists the first two entries."""
    paths = [path] if path else []
    if isinstance(value, dict):
        for key, entry in value.items():
            paths += all_paths(entry, (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value[:2]):
            paths += all_paths(entry, (*path, index))
    return paths


def follow(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value
