"""Rollouts: exact where the game is nearly over, right on average elsewhere, and blind to what is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carnival_envs.core.rollouts import rollout_values
from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.registry import GAMES, definition, load_game
from tests.variants import random_game

LARGEST = [pytest.param(name, definition(name).player_counts()[-1], id=name) for name in GAMES]


def middle(name: str, num_players: int, moves: int = 25) -> State:
    """A state after some random moves."""
    states = random_game(load_game(name, num_players=num_players), seed=3)
    for _ in range(moves):
        next(states)
    return next(states)


def values_of(state: State, rollouts: int, seed: int = 1, **options: Any) -> np.ndarray[Any, Any]:
    return rollout_values(Views.of_states([state]), rollouts, np.random.default_rng(seed), **options)[0]


def play_on(state: State, action: int, seed: int) -> float:
    """What the player who decides earns after an action, if the bot plays on in a redrawn game: the slow way."""
    player = state.current_player()
    game = state.resample(player, seed=seed).clone(seed=seed)
    game.apply_action(action)
    rng = np.random.default_rng(seed)
    while not game.is_terminal():
        game.apply_action(int(GreedyPolicy().act_on_views(Views.of_states([game]), rng)[0]))
    return float(game.returns("score")[player])


@pytest.mark.parametrize(("name", "num_players"), LARGEST)
def test_an_action_is_worth_what_it_earns_on_average(name: str, num_players: int) -> None:
    """Against games that are played on one by one, of which half a dozen standard errors are allowed."""
    state = middle(name, num_players)
    values = values_of(state, 400)
    legal = state.legal_actions()
    assert set(np.flatnonzero(values)) <= set(legal)
    for action in (legal[0], legal[-1]):
        earned = [play_on(state, action, seed) for seed in range(100)]
        error = np.std(earned) * np.sqrt(1 / 100 + 1 / 400)
        assert abs(values[action] - np.mean(earned)) <= 6 * error + 1e-9


def test_the_last_decision_is_worth_its_returns() -> None:
    """Nothing is left to chance after the last decision of Carnavalesco: one rollout tells all."""
    game = load_game("carnavalesco", num_players=2)
    state = [state.clone(seed=0) for state in random_game(game, seed=5) if not state.is_terminal()][-1]
    player = state.current_player()
    values = values_of(state, 1)
    for action in state.legal_actions():
        after = state.clone(seed=0)
        after.apply_action(action)
        assert after.is_terminal()
        assert values[action] == after.returns("score")[player]
    wins = values_of(state, 1, reward="win")
    assert set(wins[state.legal_actions()]) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize(("name", "num_players"), LARGEST)
def test_hidden_things_do_not_change_the_values(name: str, num_players: int) -> None:
    state = middle(name, num_players)
    values = values_of(state, 3)
    for seed in range(3):
        assert np.array_equal(values_of(state.resample(state.current_player(), seed=seed), 3), values)


def test_threads_change_nothing() -> None:
    states = [middle("carnival", 3, moves) for moves in range(20, 27)]
    alone, shared = (
        rollout_values(Views.of_states(states), 2, np.random.default_rng(4), threads=threads) for threads in (1, 3)
    )
    assert np.array_equal(alone, shared)
    assert not np.array_equal(alone[0], values_of(states[0], 2, seed=5))


def test_actions_meet_the_same_luck() -> None:
    """The differences between actions vary less than what they earn, as they would not if each had luck of its own."""
    state = middle("carnavalesco", 2, moves=60)
    first, second = state.legal_actions()[:2]
    tries = np.array([values_of(state, 1, seed)[[first, second]] for seed in range(300)])
    assert np.var(tries[:, 0] - tries[:, 1]) < 0.8 * (np.var(tries[:, 0]) + np.var(tries[:, 1]))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rollouts": 0}, "rollouts: 0 is not allowed"),
        ({"rollouts": 1, "threads": 0}, "threads: 0 is not allowed"),
        ({"rollouts": 1, "reward": "fame"}, "reward: 'fame' is not allowed"),
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        values_of(middle("carnival", 2), **wrong)
