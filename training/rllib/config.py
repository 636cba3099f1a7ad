"""The configuration of a run on a Ray cluster: that of a run on one machine, and what the cluster is to give."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass

from training.config import STRICT, TrainConfig


@dataclass(config=STRICT, frozen=True, kw_only=True)
class ClusterConfig:
    """What a run takes of a Ray cluster."""

    address: str | None = None
    """Of the cluster: ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; without one a local Ray is started, and stopped
    at the end."""

    env_runners: int = Field(default=2, ge=1, le=4096)
    """Processes that play; ``ppo.num_games`` are dealt out evenly to them. One that dies is replaced."""

    cpus_per_env_runner: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    """Processors that Ray reserves for each of them."""

    learners: int = Field(default=0, ge=0, le=1024)
    """Processes that learn, each from its part of a rollout; 0 learns in the process of the command."""

    gpus_per_learner: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Graphics processors of each learner."""


@dataclass(config=STRICT, frozen=True, kw_only=True)
class RayTrainConfig(TrainConfig):
    """A training run on a Ray cluster.

    The fields of ``TrainConfig`` mean the same, except that steps count the decisions of snapshots too, that an
    update waits for whole rounds of all games, and that equal seeds do not give equal policies: processes that run
    side by side finish in any order. ``opponents.active_snapshots`` are the latest, each played by a module of RLlib;
    until they are there, the untrained learner takes their places.
    """

    cluster: ClusterConfig = Field(default_factory=ClusterConfig)
    """What the run takes of a cluster."""

    @model_validator(mode="after")
    def _refuse_what_rllib_does_not_do(self) -> Self:
        for name, is_set in {
            "network.advice": self.network.advice,
            "network.start": self.network.start,
            "ppo.value_steps": self.ppo.value_steps,
            "opponents.prioritised": self.opponents.prioritised,
        }.items():
            if is_set:
                raise ValueError(f"{name}: not on a Ray cluster; leave it away")
        return self
