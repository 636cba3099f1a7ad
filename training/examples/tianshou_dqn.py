"""Tianshou: masked DQN by self-play through its ``PettingZooEnv``. ``pip install tianshou``; about a minute.

``python -m training.examples.tianshou_dqn [--decisions N]``
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from carnival_envs import carnavalesco_v0
from training.examples.measure import tell_strength

NUM_ENVS, BUFFER_SIZE, BATCH_SIZE, LEARNING_RATE = 8, 50_000, 128, 1e-3
DECISIONS_PER_ROUND, GRADIENT_STEPS_PER_DECISION = 800, 0.05
EXPLORATION = 0.2
WHOLE_GAME = 160
"""Steps of the return, more than a game of two takes: only its end pays, and what is seen next is another player's."""


class NumbersAlone(PettingZooEnv):
    """Tianshou's wrapper, which finds the mask by itself, without infos: its buffer refuses the words in the last."""

    def reset(self, *arguments: Any, **keywords: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """See ``PettingZooEnv.reset``."""
        observation, _ = super().reset(*arguments, **keywords)
        return observation, {}

    def step(self, action: int) -> tuple[dict[str, Any], list[float], bool, bool, dict[str, Any]]:
        """See ``PettingZooEnv.step``."""
        observation, rewards, termination, truncation, _ = super().step(action)
        return observation, rewards, termination, truncation, {}


def wrapped() -> PettingZooEnv:
    """The environment as Tianshou takes it."""
    return NumbersAlone(carnavalesco_v0.env(num_players=2, reward="score"))


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure; returns the share of games won against random play before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=16_000)
    given = parser.parse_args(arguments)
    torch.manual_seed(0)
    env = wrapped()
    game = env.env.game
    net = Net(state_shape=game.observation_size, action_shape=game.num_actions, hidden_sizes=[64, 64])
    learner = DQN(
        policy=DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=EXPLORATION),
        optim=AdamOptimizerFactory(lr=LEARNING_RATE),
        gamma=1.0,
        n_step_return_horizon=WHOLE_GAME,
        target_update_freq=100,
    )
    both_seats = MultiAgentOffPolicyAlgorithm(algorithms=[learner, learner], env=env)
    envs = DummyVectorEnv([wrapped] * NUM_ENVS)
    collector = Collector(both_seats, envs, VectorReplayBuffer(BUFFER_SIZE, NUM_ENVS), exploration_noise=True)

    def logits(observations: torch.Tensor) -> torch.Tensor:
        return net(observations)[0]

    before = tell_strength("before", logits, game)
    both_seats.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=given.decisions,
            collection_step_num_env_steps=DECISIONS_PER_ROUND,
            update_step_num_gradient_steps_per_sample=GRADIENT_STEPS_PER_DECISION,
            batch_size=BATCH_SIZE,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            verbose=False,
            show_progress=False,
        )
    )
    return before, tell_strength(f"after {given.decisions} decisions", logits, game)


if __name__ == "__main__":
    main()
