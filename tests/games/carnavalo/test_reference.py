"""The engine, side by side with an independent reading of the specification (``reference.py``)."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from carnival_envs.core.chance import Chance
from carnival_envs.registry import load_game
from tests.games.carnavalo.reference import Reference

OPTION_SETS = [
    {"num_players": n, "advanced": advanced, "max_turns": max_turns}
    for n, advanced, max_turns in product(range(2, 7), (False, True), (25, 400))
]
GAMES_PER_OPTION_SET = 3


def name(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values())


@pytest.mark.parametrize("options", OPTION_SETS, ids=name)
def test_same_game(options: dict[str, Any]) -> None:
    """Same draws and actions: the same position, legal actions, scores, observations and samples after every move."""
    game = load_game("carnavalo", **options)
    for seed in range(GAMES_PER_OPTION_SET):
        choose = random.Random(seed)
        state = game.new_initial_state(seed=seed)
        reference = Reference(options, Chance(seed).below)
        while True:
            assert state.to_position() == reference.document
            legal = [game.action_to_string(action) for action in state.legal_actions()]
            assert sorted(legal) == sorted(reference.legal())
            assert state.scores() == reference.scores()
            observer = choose.randrange(game.num_players)
            observed = {block: values.tolist() for block, values in state.observation(observer).items()}
            assert observed == reference.observation(observer)
            sample = state.resample(observer, seed=seed)
            assert sample.to_position() == reference.resampled(observer, Chance(seed).below)
            if state.is_terminal():
                break
            action = choose.choice(legal)
            state.apply_action(action)
            reference.apply(action)
