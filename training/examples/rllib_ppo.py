"""RLlib: masked PPO by self-play through its ``PettingZooEnv``. ``pip install carnival-envs[ray]``; about a minute.

``python -m training.examples.rllib_ppo [--updates N]``. Plain RLlib, all seats one module; ``training.train_ray`` adds
opponents, snapshots, evaluation and checkpoints.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

from carnival_envs import carnavalesco_v0, load_game
from carnival_envs.evaluation.cluster import connected
from training.examples.measure import tell_strength
from training.rllib.module import MaskedActorCritic

ENV, SHARED = "carnavalesco", "shared"
OPTIONS: dict[str, Any] = {"num_players": 2}


def make_env(_: Any) -> PettingZooEnv:
    """The environment as RLlib takes it: whoever acts sees ``{"observation", "action_mask"}``."""
    return PettingZooEnv(carnavalesco_v0.env(**OPTIONS, reward="score"))


def make_algorithm() -> PPO:
    """PPO with one masked module for all seats, played and trained in this process."""
    register_env(ENV, make_env)
    module = RLModuleSpec(
        module_class=MaskedActorCritic, model_config={"hidden_layers": [64, 64], "activation": "tanh"}
    )
    config = (
        PPOConfig()
        .environment(ENV, disable_env_checking=True)  # the checker knows no masks
        .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda *_, **__: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: module}))
        .training(lr=1e-3, gamma=1.0, train_batch_size_per_learner=2048, minibatch_size=256, num_epochs=4)
        .debugging(seed=0, log_level="ERROR")
    )
    return config.build_algo()


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure; returns the share of games won against random play before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=12)
    given = parser.parse_args(arguments)
    game = load_game(ENV, **OPTIONS)
    with connected(None):
        algorithm = make_algorithm()

        def logits(observations: torch.Tensor) -> torch.Tensor:
            seen = {"observation": observations, "action_mask": torch.ones(len(observations), game.num_actions)}
            answer = algorithm.get_module(SHARED).forward_inference({Columns.OBS: seen})
            return answer[Columns.ACTION_DIST_INPUTS]

        before = tell_strength("before", logits, game)
        for _ in range(given.updates):
            algorithm.train()
        after = tell_strength(f"after {given.updates} updates", logits, game)
        algorithm.stop()
    return before, after


if __name__ == "__main__":
    main()
