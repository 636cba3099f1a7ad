"""A run on a Ray cluster: RLlib's multi-agent PPO, with the learner, its snapshots and others at the tables."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from math import inf
from typing import Any, cast

import numpy as np
import torch
import tree
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.env.env_runner import EnvRunner

from carnival_envs.evaluation.cluster import connected
from carnival_envs.policies.network import Network
from training.config import CURRENT, TrainConfig
from training.course import Course
from training.rllib.config import RayTrainConfig
from training.rllib.module import POLICY, VALUE, MaskedActorCritic, network_of
from training.rllib.table import OPPONENTS, RUN, Table, module_of, modules, opponents_of, place_of_snapshot
from training.run_directory import RunDirectory, RunError
from training.stopwatch import ENVIRONMENT, LEARNING

LEARNER = "learner"
LEARNT = (f"{LEARNER}/rl_module", f"{LEARNER}/optimizer")
"""What RLlib calls the parts of a learner's state that a checkpoint holds."""

STATISTICS = {"policy_loss": "policy_loss", "vf_loss": "value_loss", "entropy": "entropy"}
"""What RLlib measures in an update, and what the metrics call it."""

TIMERS = {"env_runner_sampling_timer": ENVIRONMENT, "learner_update_timer": LEARNING}

LEARNERS = "learners"
MAX_ATTEMPTS = 10
"""Rounds in a row without anything played, after which the run is given up."""


class RayTrainer(Course):
    """A run on a Ray cluster.

    Env runners that die are started again by RLlib, with the modules as they are; the update goes on with what the
    others have played. When the process of the command dies, the run goes on from its checkpoint.
    """

    algorithm = "RLlib PPO"

    def __init__(self, config: TrainConfig, run: RunDirectory) -> None:
        self._resources = ExitStack()
        super().__init__(config, run)

    def _prepare(self) -> None:
        self._steps_before = self.steps
        self._snapshots = 0
        torch.set_num_threads(self.config.threads)
        config = cast(RayTrainConfig, self.config)
        cluster = config.cluster
        self._resources.enter_context(
            connected(cluster.address, cluster.env_runners * cluster.cpus_per_env_runner + cluster.learners)
        )
        self.ppo: PPO = algorithm_config(config, self.steps).build_algo()
        self._resources.callback(self.ppo.stop)

    def close(self) -> None:
        """Stop what runs on the cluster, and Ray if it was started for this run."""
        self._resources.close()

    def _update(self) -> Mapping[str, float]:
        """One round of play by all env runners, and the update from it."""
        for _ in range(MAX_ATTEMPTS):
            result = self.ppo.train()
            if LEARNERS in result:
                break
        else:
            raise RunError(f"no env runner has played anything in {MAX_ATTEMPTS} attempts; see the logs of Ray")
        self.steps = self._steps_before + int(result["env_runners"]["num_env_steps_sampled_lifetime"])
        for timer, activity in TIMERS.items():
            self.stopwatch.seconds[activity] += result["timers"][timer]
        learnt = result[LEARNERS][CURRENT]
        return {ours: float(learnt[theirs]) for theirs, ours in STATISTICS.items() if theirs in learnt}

    def _network(self) -> Network:
        return network_of(self._weights(), POLICY, self.config.network.activation)

    def _value_network(self) -> Network:
        return network_of(self._weights(), VALUE, self.config.network.activation)

    def _weights(self) -> Any:
        """The parameters of the learner: arrays by name."""
        return self.ppo.learner_group.get_weights([CURRENT])[CURRENT]

    def _take_snapshot(self) -> None:
        """Put a frozen copy of the learner in the place of the oldest snapshot."""
        place = place_of_snapshot(self._snapshots % self.config.opponents.active_snapshots)
        self._snapshots += 1
        if place not in modules(cast(RayTrainConfig, self.config)):  # nobody plays against snapshots
            return
        weights = {place: self._weights()}
        self.ppo.learner_group.set_weights(weights)  # from where env runners get them that are started later

        def take_in(runner: EnvRunner) -> None:
            runner.set_state({"rl_module": weights})

        self.ppo.env_runner_group.foreach_env_runner(take_in)

    def _state(self) -> dict[str, Any]:
        state = self.ppo.learner_group.get_state(components=LEARNT)[LEARNER]
        parts = {name: state[name] for name in ("rl_module", "optimizer")}
        return {"snapshots": self._snapshots, "learner": tree.map_structure(to_tensor, parts)}

    def _restore(self, checkpoint: Mapping[str, Any]) -> None:
        self._snapshots = checkpoint["snapshots"]
        self.ppo.learner_group.set_state({LEARNER: checkpoint["learner"]})
        self.ppo.env_runner_group.sync_weights(from_worker_or_learner_group=self.ppo.learner_group, inference_only=True)


def to_tensor(leaf: Any) -> Any:
    """An array as a tensor, which a checkpoint may hold; anything else as it is."""
    return torch.tensor(leaf) if isinstance(leaf, np.ndarray | np.generic) else leaf


def algorithm_config(run: RayTrainConfig, steps: int) -> PPOConfig:
    """What RLlib is to do.

    Args:
        run: the configuration of the run.
        steps: how many are done already: learning rate and entropy bonus go on from there.
    """
    ppo, cluster = run.ppo, run.cluster
    left = max(1, run.total_steps - steps)
    done = steps / run.total_steps
    spec = RLModuleSpec(
        module_class=MaskedActorCritic,
        model_config={"hidden_layers": list(run.network.hidden_layers), "activation": run.network.activation},
    )
    names = modules(run)
    return (
        PPOConfig()
        .environment(
            Table, env_config={RUN: run, OPPONENTS: opponents_of(run)}, disable_env_checking=True
        )  # the checker knows no masks
        .env_runners(
            num_env_runners=cluster.env_runners,
            num_envs_per_env_runner=-(-ppo.num_games // cluster.env_runners),
            num_cpus_per_env_runner=cluster.cpus_per_env_runner,
            rollout_fragment_length=ppo.rollout_steps,
        )
        .learners(num_learners=cluster.learners, num_gpus_per_learner=cluster.gpus_per_learner)
        .training(
            train_batch_size_per_learner=ppo.num_games * ppo.rollout_steps // max(1, cluster.learners),
            minibatch_size=ppo.batch_size,
            num_epochs=ppo.epochs,
            lr=schedule(ppo.learning_rate, ppo.final_learning_rate, done, left),
            entropy_coeff=schedule(ppo.entropy_coefficient, ppo.final_entropy_coefficient, done, left),
            gamma=ppo.gamma,
            lambda_=ppo.gae_lambda,
            clip_param=ppo.clip_range,
            vf_loss_coeff=ppo.value_coefficient,
            vf_clip_param=inf,
            use_kl_loss=False,
            grad_clip=ppo.max_gradient_norm,
            grad_clip_by="global_norm",
        )
        .multi_agent(policies=set(names), policy_mapping_fn=module_of, policies_to_train=[CURRENT])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(names, spec)))
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=(run.seed + steps) % 2**31, log_level="ERROR")
    )


def schedule(start: float, end: float, done: float, left: int) -> list[list[float]]:
    """What is left of a straight line: RLlib's pairs of steps and values."""
    return [[0, start + done * (end - start)], [left, end]]
