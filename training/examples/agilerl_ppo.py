"""AgileRL: masked PPO on the native vector environment, against random play. ``pip install agilerl``; about a minute.

``python -m training.examples.agilerl_ppo [--updates N]``. AgileRL's own multi-agent algorithms want environments in
which all agents act at once; here one seat learns, and the masks come with the infos, where AgileRL looks for them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

from carnival_envs import load_game
from training.examples.measure import tell_strength

NUM_ENVS, STEPS_PER_UPDATE = 16, 128


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure; returns the share of games won against random play before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=12)
    given = parser.parse_args(arguments)
    torch.manual_seed(0)
    game = load_game("carnavalesco", num_players=2)
    env = gym.make_vec("carnival_envs/Carnavalesco-v0", NUM_ENVS, num_players=2, opponents="random", reward="score")
    env.reset(seed=0)
    agent = PPO(
        env.single_observation_space,
        env.single_action_space,
        num_envs=NUM_ENVS,
        learn_step=NUM_ENVS * STEPS_PER_UPDATE,
        batch_size=256,
        lr=1e-3,
        gamma=1.0,
        share_encoders=False,
    )

    def logits(observations: torch.Tensor) -> torch.Tensor:
        return agent.actor.head_net.wrapped(agent.actor.extract_features(observations))

    before = tell_strength("before", logits, game)
    progress: dict[str, Any] = {}
    for _ in range(given.updates):
        _, *now = collect_rollouts(agent, env, **progress)
        progress = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), now, strict=True))
        agent.learn()
    env.close()
    return before, tell_strength(f"after {given.updates} updates", logits, game)


if __name__ == "__main__":
    main()
