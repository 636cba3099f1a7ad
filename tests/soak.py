"""Thousands of games with the laws checked after every move: ``python -m tests.soak [--games N] [--greedy-games N]``.

The games are spread over all option sets. Prints what was played, and which actions and phases never occurred.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from carnival_envs.core.chance import seeded_words
from carnival_envs.core.engine import engine, sources_of
from carnival_envs.core.game import Game
from carnival_envs.core.jit import bind
from carnival_envs.registry import GAMES, definition, load_game
from tests import soak_loops

GREEDY_OF_TEN = 8


@dataclass
class Soak:
    """What many games of one kind showed."""

    games: int = 0
    decisions: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)


def soak(name: str, games: int, greedy_games: int, first_seed: int = 0) -> Soak:
    """Play games of uniformly random moves, then games with most moves by the baseline bot.

    Raises:
        AssertionError: a law is broken; names the options, the seed and the decision.
    """
    result = Soak()
    own = definition(name)
    names = {**own.kernels.by_name(), **vars(engine(own))}
    play = bind(soak_loops, names, f"{name}-soak", sources_of(own))["soak"]
    sets = own.option_sets()
    for kind, number in ((0, games), (GREEDY_OF_TEN, greedy_games)):
        for index, options in enumerate(sets):
            share = number // len(sets) + (index < number % len(sets))
            play_games(play, load_game(name, **options), range(first_seed, first_seed + share), kind, result)
    return result


def play_games(play: object, game: Game, seeds: range, greedy_of_ten: int, result: Soak) -> None:
    """Play the games of some seeds and add them to the result."""
    states = np.zeros(4, dtype=game.definition.state)
    content = states.view(np.uint8).reshape(4, -1)
    masks = np.zeros((2, game.num_actions), dtype=np.int8)
    observations = np.zeros((2, game.observation_size), dtype=np.float32)
    blocks = game.observation_blocks
    low = np.concatenate([np.full(block.size, block.low / block.scale, np.float32) for block in blocks])
    high = np.concatenate([np.full(block.size, block.high / block.scale, np.float32) for block in blocks])
    counts = np.zeros(game.num_actions, dtype=np.int64)
    phases = np.zeros(len(game.definition.phases), dtype=np.int64)
    found = np.zeros(2, dtype=np.int64)
    chance, other = seeded_words(0), seeded_words(0)
    scratch = (masks, observations, low, high, counts, phases, found)
    for seed in seeds:
        law = play(game.rules, states, content, chance, other, seed, greedy_of_ten, *scratch)  # type: ignore[operator]
        broken = game.definition.invariants.get(int(found[1]), "")
        assert law == soak_loops.GOOD, f"{game!r} seed {seed} decision {found[0]}: {soak_loops.LAWS[law]} {broken}"
    result.games += len(seeds)
    result.decisions += int(counts.sum())
    result.actions.update(dict(zip(game.definition.actions, counts.tolist(), strict=True)))
    result.phases.update(dict(zip(game.definition.phases, phases.tolist(), strict=True)))


def main() -> int:
    """Soak the named games, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[], metavar="GAME", help="games; all if none is named")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--greedy-games", type=int, default=2_000)
    parser.add_argument("--counts", action="store_true", help="print how often each action and phase occurred")
    options = parser.parse_args()
    for name in options.names or GAMES:
        result = soak(name, options.games, options.greedy_games)
        never = [action for action, number in result.actions.items() if not number]
        never += [phase for phase, number in result.phases.items() if not number]
        print(f"{name}: {result.games} games, {result.decisions} decisions, every law held after every move")
        print(f"  never occurred: {', '.join(never) or 'none'}")
        if options.counts:
            for counter in (result.phases, result.actions):
                print("  " + ", ".join(f"{word} {number}" for word, number in counter.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
