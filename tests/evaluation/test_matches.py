"""Matches against games played one by one through ``State``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.game import Game
from carnival_envs.core.views import Views
from carnival_envs.evaluation.matches import GAMES_AT_ONCE, play_matches
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.random import RandomPolicy
from carnival_envs.registry import GAMES, definition


class First:
    """Plays the first legal action."""

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        return masks.argmax(axis=1)


class Last:
    """Plays the last legal action, and asks for views."""

    def act_on_views(self, views: Views, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
        return np.array([views[i].legal_actions_mask().nonzero()[0][-1] for i in range(len(views))])


def by_hand(game: Game, seating: list[int], seed: int) -> tuple[list[int], list[float], bool]:
    """Scores, win shares and truncation of a game of ``First`` (0) and ``Last`` (1)."""
    state = game.new_initial_state(seed=seed)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[-seating[state.current_player()]])
    winners = state.winners()
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(game.num_players)]
    return state.scores(), shares, state.is_truncated()


def all_counts() -> list[Any]:
    return [(name, count) for name in GAMES for count in definition(name).player_counts()]


@pytest.mark.parametrize(("name", "num_players"), all_counts())
def test_results_are_those_of_single_games(name: str, num_players: int) -> None:
    game = load_game(name, num_players=num_players)
    seatings = np.random.default_rng(0).integers(2, size=(6, num_players))
    seeds = [3, 3, 4, 5, 6, 7]
    results = play_matches(game, [First(), Last()], seatings, seeds)
    for i, (seating, seed) in enumerate(zip(seatings.tolist(), seeds, strict=True)):
        scores, shares, truncated = by_hand(game, seating, seed)
        assert results.scores[i].tolist() == scores
        assert results.win_shares[i].tolist() == shares
        assert results.truncated[i] == truncated


def test_compiled_policies_follow_from_the_seed_alone() -> None:
    """A game is the same alone and among others."""
    game = load_game("carnavalesco")
    policies = [RandomPolicy(), GreedyPolicy()]
    seeds = np.arange(10)
    together = play_matches(game, policies, [[0, 1]] * 10, seeds)
    alone = [play_matches(game, policies, [[0, 1]], [seed]).scores[0].tolist() for seed in seeds]
    assert together.scores.tolist() == alone
    assert len({tuple(scores) for scores in alone}) > 1


def test_progress_is_told() -> None:
    told: list[int] = []
    count = GAMES_AT_ONCE + 10
    game = load_game("carnival")
    play_matches(game, [RandomPolicy()], [[0, 0]] * count, np.arange(count), on_finished=told.append)
    assert told == [GAMES_AT_ONCE, count]


def test_an_illegal_choice_names_the_policy() -> None:
    class Wrong:
        def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
            return masks.argmin(axis=1)

        def __repr__(self) -> str:
            return "Wrong()"

    with pytest.raises(IllegalActionError, match=r"by the policy Wrong\(\); legal actions: "):
        play_matches(load_game("carnavalesco"), [Wrong()], [[0, 0]], [0])
