"""OpenSpiel's information-set tree search plays Carnavalo, and OpenSpiel rates it.

Three bots meet in pairs, with the seats rotated: random play, and searches with few and with more simulations.
OpenSpiel plays the games and computes the Elo ratings from their results. Needs the extra ``openspiel``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel
from open_spiel.python.algorithms.elo import compute_ratings_from_matrices
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.bots.uniform_random import UniformRandomBot

from carnival_envs.interop.openspiel import RolloutEvaluator, register

GAME = "python_carnival_envs_carnavalo(num_players=2)"
SIMULATIONS = (0, 20, 80)
"""A move, of each bot; the one without plays at random."""

EXPLORATION = 1.0


class Searcher(ISMCTSBot):
    """The search as a bot that can be started over: it keeps nothing from move to move."""

    def restart_at(self, state: Any) -> None:  # noqa: ARG002
        """See ``pyspiel.Bot``."""
        self.reset()


def make_bot(game: Any, seat: int, simulations: int, rng: np.random.RandomState) -> Any:
    """A bot of OpenSpiel's."""
    if simulations == 0:
        return UniformRandomBot(seat, rng)
    evaluator = RolloutEvaluator(seed=int(rng.randint(1 << 31)))
    return Searcher(game, evaluator, EXPLORATION, simulations, random_state=rng)


def play(game: Any, pairings: int, seed: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How often each bot beats each other, and how often they draw: int64, ``(bots, bots)``."""
    rng = np.random.RandomState(seed)
    wins = np.zeros((len(SIMULATIONS),) * 2, dtype=np.int64)
    draws = np.zeros_like(wins)
    for pair in combinations(range(len(SIMULATIONS)), 2):
        for seats in list(permutations(pair)) * pairings:
            bots = [make_bot(game, seat, SIMULATIONS[bot], rng) for seat, bot in enumerate(seats)]
            returns = evaluate_bots(game.new_initial_state(), bots, rng)
            best = int(np.argmax(returns))
            (draws if returns[0] == returns[1] else wins)[seats[best], seats[1 - best]] += 1
        left, right = pair
        print(f"{name(left)} against {name(right)}: {wins[left, right]} won, {wins[right, left]} lost", flush=True)
    return wins, draws + draws.T


def name(bot: int) -> str:
    """What a bot is called."""
    return f"IS-MCTS {SIMULATIONS[bot]}" if SIMULATIONS[bot] else "random"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.examples.openspiel_ismcts", description=__doc__)
    parser.add_argument("--pairings", type=int, default=10, help="games of each pair of bots from each seat")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    register()
    wins, draws = play(pyspiel.load_game(GAME), given.pairings, given.seed)
    ratings = compute_ratings_from_matrices(wins, draws)
    for bot, rating in enumerate(ratings - ratings[0]):
        print(f"{name(bot):12} Elo {rating:+.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
