"""Uniformly random legal play in other libraries, each through its own interface, as its documentation plays it.

At every decision a loop gets an observation and the legal actions in the form that the library gives them, and a
finished game is followed by the next one. Where there was a choice it fell in favour of the library: drawing actions
costs next to nothing, and OpenSpiel need not even draw its chance outcomes.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

BATCH_SIZE = 256
STEPS = 100
"""Of a batch in one loop."""

GAMES = 5
"""That one loop plays where there is no batch."""

DRAWS = 1 << 14
SEED = 0


@dataclass(frozen=True)
class Tally:
    """What a loop has done.

    Attributes:
        decisions: how many actions were chosen.
        games: how many games came to their end.
    """

    decisions: int
    games: int


Loop = Callable[[], Tally]


class Picker:
    """Random choices whose numbers are drawn beforehand."""

    def __init__(self, seed: int = SEED) -> None:
        self._numbers = itertools.cycle(np.random.default_rng(seed).random(DRAWS).tolist())

    def __call__(self, legal: Sequence[Any]) -> Any:
        """One of some actions."""
        return legal[int(next(self._numbers) * len(legal))]


# OpenSpiel --------------------------------------------------------------------------------------------------------


def open_spiel(name: str) -> Loop:
    """OpenSpiel's states, from Python: games that were drawn beforehand are played again."""
    import pyspiel

    game = pyspiel.load_game(name)
    pick = Picker()
    histories = [open_spiel_history(game, pick) for _ in range(GAMES)]
    return lambda: Tally(sum(open_spiel_replay(game, history) for history in histories), len(histories))


def open_spiel_history(game: Any, pick: Picker) -> list[int]:
    """The actions and outcomes of a random game."""
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(pick(state.legal_actions()))
    actions: list[int] = state.history()
    return actions


def open_spiel_replay(game: Any, history: Sequence[int]) -> int:
    """Play a game again, with a look at every decision; returns how many there were."""
    state = game.new_initial_state()
    decisions = 0
    for action in history:
        player = state.current_player()
        if player >= 0:
            state.observation_tensor(player)
            state.legal_actions()
            decisions += 1
        state.apply_action(action)
    return decisions


# PettingZoo, RLCard, Catanatron -----------------------------------------------------------------------------------


def pettingzoo(name: str) -> Loop:
    """PettingZoo's classic environments: ``last()`` and ``step()``."""
    env = import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=SEED)
    pick = Picker()

    def loop() -> Tally:
        decisions = 0
        for _ in range(GAMES):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
                env.step(None if over else int(pick(observation["action_mask"].nonzero()[0])))
                decisions += not over
        return Tally(decisions, GAMES)

    return loop


def rlcard(name: str) -> Loop:
    """RLCard's environments: ``step()``."""
    env = import_module("rlcard").make(name, config={"seed": SEED})
    pick = Picker()

    def loop() -> Tally:
        decisions = 0
        for _ in range(GAMES):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(pick(list(state["legal_actions"])))
                decisions += 1
        return Tally(decisions, GAMES)

    return loop


def catanatron(name: str) -> Loop:
    """Catanatron's Gymnasium environment, against its random player: the agent's decisions."""
    import gymnasium as gym

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it was made for an older Gymnasium
        env = gym.make(f"catanatron_gym:{name}", disable_env_checker=True)
    pick = Picker()

    def loop() -> Tally:
        _, info = env.reset()
        decisions, over = 0, False
        while not over:
            _, _, terminated, truncated, info = env.step(pick(info["valid_actions"]))
            over = terminated or truncated
            decisions += 1
        return Tally(decisions, 1)

    return loop


# Batches: PGX, EnvPool --------------------------------------------------------------------------------------------


def pgx(name: str) -> Loop:
    """PGX: a batch that plays inside compiled code, without a return to Python between its steps."""
    jax = import_module("jax")
    env = import_module("pgx").make(name)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        choose, play = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        after = step(state, jax.random.categorical(choose, logits), jax.random.split(play, BATCH_SIZE))
        return after, (after.terminated | after.truncated).sum()

    run = jax.jit(lambda state, key: jax.lax.scan(advance, state, jax.random.split(key, STEPS)))
    key = jax.random.PRNGKey(SEED)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH_SIZE))

    def loop() -> Tally:
        nonlocal state, key
        key, own = jax.random.split(key)
        state, ended = run(state, own)
        return Tally(BATCH_SIZE * STEPS, int(ended.sum()))

    return loop


def envpool(name: str) -> Loop:
    """EnvPool: a batch on one thread. The step that begins a new game is no decision."""
    pool = import_module("envpool").make(name, env_type="gymnasium", num_envs=BATCH_SIZE, num_threads=1, seed=SEED)
    _, info = pool.reset()
    rng = np.random.default_rng(SEED)

    def loop() -> Tally:
        nonlocal info
        decisions, games = 0, 0
        for _ in range(STEPS):
            masks = info["legal_action_mask"]
            actions = (masks * rng.random(masks.shape, dtype=np.float32)).argmax(axis=1).astype(np.int32)
            _, _, terminated, truncated, info = pool.step(actions)
            decisions += int(np.count_nonzero(info["elapsed_step"]))
            games += int(np.count_nonzero(terminated | truncated))
        return Tally(decisions, games)

    return loop
