"""The paths that are measured. Each is prepared once, then gives *laps*: some work, and the CPU seconds it took.

Play is uniformly random, with the next game where one is over. Actions are drawn beforehand and played again, so that
drawing them costs nothing here. CPU seconds are those of the whole process: hidden threads count, other processes
don't.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.game import Game
from carnival_envs.registry import GAMES

Lap = Callable[[], tuple[float, float]]
"""Does some work; returns how much, and the CPU seconds it took."""

Mask = npt.NDArray[np.int8]
Choose = Callable[[Mask], int]
"""Gives the next action."""

BATCH_SIZE = 256
STEPS_PER_LAP = 200
GAMES_PER_LAP = 20
LAYERS = (64, 64)
SEED = 0


class NotAvailableError(Exception):
    """This game, or this installation, does not have a path."""


@dataclass(frozen=True)
class Path:
    """A path that is measured.

    Attributes:
        unit: of its value: a rate, whose unit ends in ``/s``, or a time.
        prepare: ``prepare(game)`` gives its laps. Raises ``NotAvailableError``.
        per_game: whether the game makes a difference.
        laps: how many make one repeat; ``None``: as many as fill the time of a repeat.
        once: whether it is too slow to be repeated.
    """

    unit: str
    prepare: Callable[[Game], Lap]
    per_game: bool = True
    laps: int | None = None
    once: bool = False

    @property
    def is_rate(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")

    def value(self, work: float, seconds: float) -> float:
        """What some work in some time comes to, in ``unit``."""
        if self.is_rate:
            return work / seconds
        return seconds / work * (1e6 if self.unit == "us" else 1.0)


def timed(work: float, run: Callable[[], Any]) -> Lap:
    """The lap that calls ``run``, which does ``work``."""

    def lap() -> tuple[float, float]:
        start = process_time()
        run()
        return work, process_time() - start

    return lap


def batch(game: Game) -> Lap:
    """Decisions of a batch; the time inside ``step`` only."""
    from carnival_envs.core.batch import Batch
    from carnival_envs.policies.random import RandomSampler

    games, sampler = Batch(game, BATCH_SIZE, SEED), RandomSampler(SEED)
    games.reset()

    def lap() -> tuple[float, float]:
        seconds = 0.0
        for _ in range(STEPS_PER_LAP):
            actions = sampler.sample_batch(games.action_masks)
            start = process_time()
            games.step(actions)
            seconds += process_time() - start
        return BATCH_SIZE * STEPS_PER_LAP, seconds

    return lap


def replayed(play: Callable[[Choose], None]) -> Lap:
    """The lap in which ``play``, which plays some games, gets the actions again that it has drawn once."""
    from carnival_envs.policies.random import RandomSampler

    sampler = RandomSampler(SEED)
    actions: list[int] = []

    def draw(mask: Mask) -> int:
        actions.append(sampler.sample(mask))
        return actions[-1]

    play(draw)

    def lap() -> tuple[float, float]:
        following = iter(actions)
        start = process_time()
        play(lambda _mask: next(following))
        return len(actions), process_time() - start

    return lap


def state(game: Game) -> Lap:
    """Decisions of single states: ``observation_tensor``, ``legal_actions_mask``, ``apply_action``."""

    def play(choose: Choose) -> None:
        for seed in range(GAMES_PER_LAP):
            current = game.new_initial_state(seed)
            while not current.is_terminal():
                current.observation_tensor(current.current_player())
                current.apply_action(choose(current.legal_actions_mask()))

    return replayed(play)


def aec(game: Game) -> Lap:
    """Decisions of the PettingZoo environment: ``last()`` and ``step()``."""
    try:
        module: Any = import_module(f"carnival_envs.{game.name}_v0")
    except ImportError:
        raise NotAvailableError from None
    env = module.env(**game.keywords)

    def play(choose: Choose) -> None:
        env.reset(seed=SEED)
        for _ in range(GAMES_PER_LAP):
            observation, _, terminated, truncated, _ = env.last()
            while not (terminated or truncated):
                env.step(choose(observation["action_mask"]))
                observation, _, terminated, truncated, _ = env.last()
            env.reset()

    return replayed(play)


def gymnasium(game: Game) -> Lap:
    """The agent's decisions in the Gymnasium environment of one seat, against random opponents."""
    import gymnasium as gym

    try:
        env = gym.make(f"carnival_envs:carnival_envs/{game.name.title()}-v0", opponents="random", **game.keywords)
    except gym.error.UnregisteredEnv:
        raise NotAvailableError from None

    def play(choose: Choose) -> None:
        _, info = env.reset(seed=SEED)
        for _ in range(GAMES_PER_LAP):
            over = False
            while not over:
                _, _, terminated, truncated, info = env.step(choose(info["action_mask"]))
                over = terminated or truncated
            _, info = env.reset()

    return replayed(play)


def playouts(game: Game) -> Lap:
    """Whole games of random play from the start, without observations."""
    from carnival_envs.core.loops import RANDOM

    play = compiled_play(game, RANDOM)
    return timed(GAMES_PER_LAP, lambda: [play() for _ in range(GAMES_PER_LAP)])


def greedy(game: Game) -> Lap:
    """Decisions of the ``greedy`` policy at every seat, applied."""
    from carnival_envs.core.loops import GREEDY

    play = compiled_play(game, GREEDY)

    def lap() -> tuple[float, float]:
        start = process_time()
        decisions = sum(play() for _ in range(GAMES_PER_LAP))
        return decisions, process_time() - start

    return lap


def compiled_play(game: Game, pilot: int) -> Callable[[], int]:
    """Plays a new game to its end with a compiled policy at every seat; returns how many decisions it had."""
    from carnival_envs.core.chance import seeded_words
    from carnival_envs.core.state import blank_record

    record, view = blank_record(game.definition.state), blank_record(game.definition.state)
    words = seeded_words(SEED)
    pilots = np.full(game.num_players, pilot, dtype=np.int8)
    mask = np.zeros(game.num_actions, dtype=np.int8)
    no_limit = np.iinfo(np.int64).max

    def play() -> int:
        game.engine.start(game.rules, record, words)
        decisions: int = game.engine.play_out(game.rules, record, words, pilots, view, mask, no_limit)
        return decisions

    return play


def clone(game: Game) -> Lap:
    """Copies of a state with a stream of their own."""
    original = game.new_initial_state(SEED)
    copies = 1000

    def copy() -> None:
        for seed in range(copies):
            original.clone(seed)

    return timed(copies, copy)


def network(game: Game) -> Lap:
    """Decisions of a network with two layers of 64, asked one by one."""
    from carnival_envs.policies.network import Network, NetworkPolicy, num_parameters

    sizes = (game.observation_size, *LAYERS, game.num_actions)
    rng = np.random.default_rng(SEED)
    parameters = rng.standard_normal(num_parameters(sizes), dtype=np.float32)
    policy = NetworkPolicy(Network(sizes, "tanh", parameters))
    first = game.new_initial_state(SEED)
    observation, mask = first.observation_tensor(first.current_player())[None], first.legal_actions_mask()[None]
    decisions = 1000

    def decide() -> None:
        for _ in range(decisions):
            policy.act(observation, mask, rng)

    return timed(decisions, decide)


# Fresh processes --------------------------------------------------------------------------------------------------

IMPORT = "import time; begin = time.process_time(); import carnival_envs; print(time.process_time() - begin)"

FIRST_USE = """
import json, sys, time
from carnival_envs.bench.paths import first_use
from carnival_envs.registry import load_game, register_game
name, module, options = json.loads(sys.argv[1])
register_game(name, module)
first_use(load_game(name, **options))
print(time.process_time())
"""


def first_use(game: Game) -> None:
    """Plays through a state, a batch, and matches against ``greedy``: what a first session compiles."""
    from carnival_envs.evaluation.matches import play_matches
    from carnival_envs.policies.greedy import GreedyPolicy
    from carnival_envs.policies.random import RandomPolicy

    for path in (state, batch):
        path(game)()
    play_matches(game, [RandomPolicy(), GreedyPolicy()], [[0] + [1] * (game.num_players - 1)], [SEED])


def in_fresh_process(code: str, *arguments: str, cache: str | None = None) -> float:
    """What a fresh interpreter prints: CPU seconds."""
    environment = os.environ | ({} if cache is None else {"NUMBA_CACHE_DIR": cache})
    command = [sys.executable, "-c", code, *arguments]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(run.stdout)


def importing(game: Game) -> Lap:
    """``import carnival_envs`` in a fresh process."""
    return lambda: (1, in_fresh_process(IMPORT))


def cold(game: Game) -> Lap:
    """A first session of a fresh process, imports included, with nothing compiled before."""

    def lap() -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as empty:
            return 1, in_fresh_process(FIRST_USE, description(game), cache=empty)

    return lap


def warm(game: Game) -> Lap:
    """The same with all compiled code on disk."""
    in_fresh_process(FIRST_USE, description(game))
    return lambda: (1, in_fresh_process(FIRST_USE, description(game)))


def description(game: Game) -> str:
    """A game for another process: its name, the module that defines it, and its options, as JSON."""
    return json.dumps([game.name, GAMES[game.name], game.keywords])


PATHS: dict[str, Path] = {
    "batch": Path("decisions/s", batch),
    "state": Path("decisions/s", state),
    "aec": Path("decisions/s", aec),
    "gymnasium": Path("decisions/s", gymnasium),
    "playouts": Path("games/s", playouts),
    "greedy": Path("decisions/s", greedy),
    "clone": Path("us", clone),
    "network": Path("us", network),
    "import": Path("s", importing, per_game=False, laps=1),
    "cold": Path("s", cold, laps=1, once=True),
    "warm": Path("s", warm, laps=1),
}
"""The rows, by name."""
