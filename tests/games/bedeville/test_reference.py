"""The engine, side by side with an independent reading of the specification (``reference.py``)."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from carnival_envs.core.chance import Chance
from carnival_envs.registry import load_game
from tests.games.bedeville.reference import Reference
from tests.variants import greedy_action

CAST = ["monday", "clay", "albert", "heidi", "cindy", "johnny"]
OPTION_SETS = [
    {"num_players": n, "variant": variant, "characters": characters, "first_player": first, "max_rounds": rounds}
    for n, variant, (characters, first, rounds) in product(
        (2, 3, 4), ("basic", "beginner"), (("draft", "random", 50), ("random", 1, 50), ("given", "random", 4))
    )
]
GAMES_PER_OPTION_SET = 4


def name(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values())


@pytest.mark.parametrize("options", OPTION_SETS, ids=name)
def test_same_game(options: dict[str, Any]) -> None:
    """Same draws and actions: the same position, legal actions, observation and resampling after every move."""
    for seed in range(GAMES_PER_OPTION_SET):
        choose = random.Random(seed)
        given = options["characters"] == "given"
        cast = choose.sample(CAST, options["num_players"]) if given else options["characters"]
        game = load_game("bedeville", **{**options, "characters": cast})
        state = game.new_initial_state(seed=seed)
        reference = Reference(game.options, Chance(seed).below)
        while True:
            assert state.to_position() == reference.d
            legal = [game.action_to_string(action) for action in state.legal_actions()]
            assert sorted(legal) == sorted(reference.legal())
            seen = choose.randrange(game.num_players)
            observed = {block: values.tolist() for block, values in state.observation(seen).items()}
            assert observed == reference.observation(seen)
            draws = choose.randrange(1 << 30)
            resampled = state.resample(seen, seed=draws).to_position()
            assert resampled == reference.resampled(seen, Chance(draws).below)
            if state.is_terminal():
                break
            is_greedy = seed % 2 and choose.random() < 0.7
            action = (
                greedy_action(state, choose.randrange(1 << 30)) if is_greedy else choose.choice(state.legal_actions())
            )
            state.apply_action(action)
            reference.apply(game.action_to_string(action))
        assert state.scores() == reference.scores()
        assert state.ranks() == reference.ranks()
