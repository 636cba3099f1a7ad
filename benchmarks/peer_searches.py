"""Information-set tree searches: that of this package on its games, and OpenSpiel's compiled one on games of its own.

Both search from the same number of positions, spread evenly over a random game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from benchmarks.peer_loops import SEED, Picker
from carnival_envs.bench.paths import Lap, timed
from carnival_envs.core.game import Game
from carnival_envs.core.search import SearchOptions, root_visits

SIMULATIONS = 200
"""A position."""

POSITIONS = 8
EXPLORATION = 0.7

Position = TypeVar("Position")


def own_search(game: Game) -> Lap:
    """Simulations of ``mcts``, with random rollouts to the end."""
    views = spread([state.view(state.current_player()) for state in own_decisions(game)])
    options = SearchOptions(simulations=SIMULATIONS, exploration=EXPLORATION, rollout="random")
    rng = np.random.default_rng(SEED)
    return timed(SIMULATIONS * len(views), lambda: [root_visits(view, options, rng) for view in views])


def own_decisions(game: Game) -> list[Any]:
    """The positions of a random game in which there is a choice."""
    pick = Picker()
    state, found = game.new_initial_state(SEED), []
    while not state.is_terminal():
        actions = state.legal_actions()
        if len(actions) > 1:
            found.append(state.clone(SEED))
        state.apply_action(pick(actions))
    return found


def open_spiel_search(name: str) -> Lap:
    """Simulations of OpenSpiel's ``ISMCTSBot``, in C++, with one random rollout each."""
    import pyspiel

    states = spread(open_spiel_decisions(pyspiel.load_game(name)))
    evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
    most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(SEED, evaluator, EXPLORATION, SIMULATIONS, -1, most_visited, False, False)
    return timed(SIMULATIONS * len(states), lambda: [bot.step(state) for state in states])


def open_spiel_decisions(game: Any) -> list[Any]:
    """The positions of a random game in which there is a choice."""
    pick = Picker()
    state, found = game.new_initial_state(), []
    while not state.is_terminal():
        actions = state.legal_actions()
        if not state.is_chance_node() and len(actions) > 1:
            found.append(state.clone())
        state.apply_action(pick(actions))
    return found


def spread(positions: Sequence[Position]) -> list[Position]:
    """Some of the positions, at even distances from the first on."""
    count = min(POSITIONS, len(positions))
    return [positions[index * len(positions) // count] for index in range(count)]
