"""A run on this machine: native games, and the learner of ``training.ppo``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import torch

from carnival_envs.envs.seats import SeatBatch
from carnival_envs.policies.network import Network
from training.course import Course
from training.pool import OpponentPool, Snapshot
from training.ppo import SelfPlayPPO

GAMES, POOL = 0, 1
"""What a seed is for that is derived from the run's."""


class Trainer(Course):
    """A run on this machine.

    What is random between two checkpoints follows from the run's seed, the number of steps and the generator of the
    learner, which is saved: a run that was killed goes on exactly as if it never had been.

    Attributes:
        pool: the opponents.
        games: the games under way.
        learner: the algorithm and its networks.
    """

    algorithm = "MaskablePPO"

    def _prepare(self) -> None:
        config = self.config
        torch.set_num_threads(config.threads)
        self.pool = OpponentPool(
            config.opponents,
            self.game,
            self._run.pool_folder,
            self.stopwatch,
            advised=config.network.advice > 0,
        )
        self.games = SeatBatch(
            self.game,
            config.ppo.num_games,
            self.pool.sampler,
            reward=config.reward,
            illegal_action="raise",
            num_threads=config.threads,
        )
        self.learner = SelfPlayPPO(config, self.games, self.stopwatch, self.pool.record)

    def _start(self) -> None:
        start = self.config.starting_policy(self.game)
        if start is not None:
            self.learner.begin_as(start.network)

    def _begin(self) -> None:
        """Begin all games anew, as they begin at this step whether or not the run was stopped here."""
        self._begin_rollout()
        self.games.reset(seed=self._seed(GAMES))

    def _begin_rollout(self) -> None:
        self.pool.begin_rollout(self._policy(sample=True), np.random.default_rng(self._seed(POOL)))

    def _update(self) -> Mapping[str, float]:
        """One rollout and the update from it."""
        self._begin_rollout()
        decisions = self.learner.collect(self.config.total_steps - self.steps)
        statistics = self.learner.update(decisions, self.steps / self.config.total_steps)
        self.steps += decisions
        return statistics

    def _network(self) -> Network:
        return self.learner.network()

    def _value_network(self) -> Network:
        return self.learner.value_network()

    def _take_snapshot(self) -> None:
        self.pool.add_snapshot(self._policy_file(), self.steps)

    def _seed(self, purpose: int) -> int:
        """A seed that follows from the run's seed, the step and what it is for."""
        words = np.random.SeedSequence([self.config.seed, self.steps, purpose]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))

    def _state(self) -> dict[str, Any]:
        return {
            "parameters": self.learner.get_parameters(),
            "generator": self.learner.generator.get_state(),
            "snapshots": [asdict(snapshot) for snapshot in self.pool.snapshots],
            "losses": self.pool.losses,
        }

    def _restore(self, checkpoint: Mapping[str, Any]) -> None:
        self.learner.set_parameters(checkpoint["parameters"])
        self.learner.generator.set_state(checkpoint["generator"])
        self.pool.restore([Snapshot(**snapshot) for snapshot in checkpoint["snapshots"]], checkpoint["losses"])
