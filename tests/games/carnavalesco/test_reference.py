"""The engine against an independent reading of the specification, move by move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carnival_envs.core.chance import Chance
from carnival_envs.registry import definition, load_game
from tests.games.carnavalesco.reference import ReferenceGame
from tests.variants import greedy_action, label

GAME = "carnavalesco"
SEEDS = range(3)


@pytest.mark.parametrize("options", definition(GAME).option_sets(), ids=label)
def test_engine_and_reference_agree(options: dict[str, Any]) -> None:
    """Random games, and games of the baseline bot, in which high steps of the ladders are reached."""
    game = load_game(GAME, **options)
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        state = game.new_initial_state(seed=seed)
        reference = ReferenceGame(dict(game.options), Chance(seed).below)
        while True:
            assert state.to_position() == reference.doc
            legal = [game.action_to_string(action) for action in state.legal_actions()]
            assert set(legal) == reference.legal()
            if state.is_terminal():
                break
            greedy = seed % 2 and rng.random() < 0.9
            action = game.action_to_string(greedy_action(state, 0)) if greedy else str(rng.choice(legal))
            state.apply_action(action)
            reference.apply(action)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_number_of_decisions(num_players: int) -> None:
    """E-I13: two decisions for each of a player's 36 dice, and one for a chosen division."""
    for divisions, choices in (("D", 0), ("choose", num_players)):
        state = load_game(GAME, num_players=num_players, divisions=divisions).new_initial_state(seed=1)
        decisions = 0
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
            decisions += 1
        assert decisions == 72 * num_players + choices


def count_lines(pool: dict[str, int], free: dict[str, int], dice: int) -> int:
    """The ways to take and place some dice one by one: a hand count over pool and free spaces, without an engine."""
    if dice == 0:
        return 1
    lines = 0
    for kind in [kind for kind, number in pool.items() if number]:
        pool[kind] -= 1
        for element in [element for element, number in free.items() if number]:
            free[element] -= 1
            lines += count_lines(pool, free, dice - 1)
            free[element] += 1
        pool[kind] += 1
    return lines


def perft(state: Any, depth: int) -> int:
    """The number of lines of play of a length."""
    if depth == 0 or state.is_terminal():
        return 1
    lines = 0
    for action in state.legal_actions():
        child = state.clone(seed=0)
        child.apply_action(action)
        lines += perft(child, depth - 1)
    return lines


def test_full_tree_of_the_last_two_turns() -> None:
    """The number of lines to the end of the game, two dice for each of two players, counted by hand of the pool."""
    state = load_game(GAME, first_player=0).new_initial_state(seed=9)
    rng = np.random.default_rng(9)
    while not (state.to_position()["round"] == 9 and state.to_position()["turn"] == 3):
        state.apply_action(int(rng.choice(state.legal_actions())))
    document = state.to_position()
    pool: dict[str, int] = {}
    for die in document["pool"]:
        pool[die] = pool.get(die, 0) + 1
    free = {name: 4 - len(dice) for name, dice in document["players"][document["actor"]]["board"].items()}
    assert sum(free.values()) == 2
    assert perft(state, 4) == count_lines(pool, free, 2)


def test_first_turn_has_as_many_lines_as_dice_and_elements_allow() -> None:
    """Twelve dice of which a, b are equal: lines of the first turn from a fresh board, counted independently."""
    state = load_game(GAME).new_initial_state(seed=4)
    pool: dict[str, int] = {}
    for die in state.to_position()["pool"]:
        pool[die] = pool.get(die, 0) + 1
    free = dict.fromkeys(state.to_position()["players"][0]["board"], 4)
    assert perft(state, 4) == count_lines(pool, free, 2)
