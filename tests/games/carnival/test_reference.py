"""The engine, side by side with an independent reading of the specification (``reference.py``)."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from carnival_envs.core.chance import Chance
from carnival_envs.registry import load_game
from tests.games.carnival.reference import Reference

OPTION_SETS = [
    {
        "num_players": n,
        "attractions_to_win": goal,
        "natural_ticket": ticket,
        "max_turns": max_turns,
        "first_player": first,
    }
    for n, goal, ticket, max_turns, first in product((2, 3, 4), (3, 4), (True, False), (9, 200), (1, "random"))
]
GAMES_PER_OPTION_SET = 2


def name(options: dict[str, Any]) -> str:
    return "-".join(str(value) for value in options.values())


@pytest.mark.parametrize("options", OPTION_SETS, ids=name)
def test_same_game(options: dict[str, Any]) -> None:
    """Same draws and actions: the same position, legal actions and observations after every move."""
    game = load_game("carnival", **options)
    for seed in range(GAMES_PER_OPTION_SET):
        choose = random.Random(seed)
        state = game.new_initial_state(seed=seed)
        reference = Reference(options, Chance(seed).below)
        while True:
            assert state.to_position() == reference.document
            legal = [game.action_to_string(action) for action in state.legal_actions()]
            assert sorted(legal) == sorted(reference.legal())
            seen = choose.randrange(game.num_players)
            observed = {block: values.tolist() for block, values in state.observation(seen).items()}
            assert observed == reference.observation(seen)
            if state.is_terminal():
                break
            action = choose.choice(legal)
            state.apply_action(action)
            reference.apply(action)
