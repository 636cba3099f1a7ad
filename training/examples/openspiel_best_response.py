"""OpenSpiel's DQN approximates a best response to random play, in a game of Carnavalo that ends after a turn.

``python -m training.examples.openspiel_best_response [--games N]``; under a minute. One seat learns against a fixed
policy in the other: what it earns in the end is a lower bound on how much that policy can be exploited. The whole game
takes DQN far longer; the last decisions of any game can be responded to exactly, see the guide. Needs the extras
``openspiel`` and ``train``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.pytorch.dqn import DQN
from open_spiel.python.rl_environment import ChanceEventSampler, Environment

from carnival_envs.interop.openspiel import register

GAME = "python_carnival_envs_carnavalo(num_players=2,max_turns=1)"
LEARNER = 0
MEASURED_GAMES = 400


def make_learner(game: Any, games: int, seed: int) -> DQN:
    """An agent that explores less and less. Its default optimiser, plain gradient descent, learns next to nothing."""
    return DQN(
        LEARNER,
        game.observation_tensor_size(),
        game.num_distinct_actions(),
        hidden_layers_sizes=[64, 64],
        batch_size=64,
        learning_rate=1e-3,
        optimizer_str="adam",
        learn_every=4,
        update_target_network_every=200,
        min_buffer_size_to_learn=500,
        discount_factor=1.0,
        epsilon_end=0.05,
        epsilon_decay_duration=games,
        seed=seed,
    )


def play(env: Environment, learner: DQN, rng: np.random.Generator, *, learns: bool) -> float:
    """A game of the learner against random play; returns what the learner earns."""
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        if seat == LEARNER:
            action = learner.step(step, is_evaluation=not learns).action
        else:
            action = rng.choice(step.observations["legal_actions"][seat])
        step = env.step([action])
    if learns:
        learner.step(step)
    return float(step.rewards[LEARNER])


def tell_return(when: str, env: Environment, learner: DQN, seed: int) -> float:
    """Print and return the mean return of the learner at its best; always on the same games."""
    env.seed(seed)
    rng = np.random.default_rng(seed)
    mean = float(np.mean([play(env, learner, rng, learns=False) for _ in range(MEASURED_GAMES)]))
    print(f"{when}: mean return {mean:+.2f} against random play", flush=True)
    return mean


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Learn and measure; returns the mean return before and after."""
    parser = argparse.ArgumentParser(
        prog="python -m training.examples.openspiel_best_response", description="A best response to random play."
    )
    parser.add_argument("--games", type=int, default=3000, help="games to learn from")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    register()
    game = pyspiel.load_game(GAME)
    env = Environment(game, chance_event_sampler=ChanceEventSampler(given.seed))
    learner = make_learner(game, given.games, given.seed)
    before = tell_return("before", env, learner, given.seed + 1)
    env.seed(given.seed)
    rng = np.random.default_rng(given.seed)
    for _ in range(given.games):
        play(env, learner, rng, learns=True)
    return before, tell_return(f"after {given.games} games", env, learner, given.seed + 1)


if __name__ == "__main__":
    main()
