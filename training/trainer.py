"""The course of a run: play, learn, and now and then a snapshot, an evaluation and a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from statistics import mean
from time import perf_counter
from typing import Any

import numpy as np
import torch

from carnival_envs.envs.seats import SeatBatch
from carnival_envs.evaluation import evaluate
from carnival_envs.policies.network import AdvisedPolicy, NetworkPolicy, network_policy
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from training.config import TrainConfig
from training.metrics import Metrics
from training.pool import OpponentPool, Snapshot
from training.ppo import SelfPlayPPO
from training.progress import Outcome, ProgressBar
from training.run_directory import RunDirectory, RunError
from training.stopwatch import EVALUATION, Stopwatch

GAMES, POOL = 0, 1
"""What a seed is for that is derived from the run's."""

ALONE = "alone"
"""Names the result of a player who has no opponents."""


class Trainer:
    """A run, from its beginning or its last checkpoint to its end.

    What is random between two checkpoints follows from the run's seed, the number of steps and the generator of the
    learner, which is saved: a run that was killed goes on exactly as if it never had been.

    Attributes:
        config: of the run.
        game: what is played.
        steps: decisions learnt from so far.
        results: of the last evaluation by this process, by opponent.
        best: mean win share and mean score of the learner in ``best.npz``; empty before the first evaluation.
        stopwatch: where the time of this process went.
        pool: the opponents.
        games: the games under way.
        learner: the algorithm and its networks.
    """

    def __init__(self, config: TrainConfig, run: RunDirectory) -> None:
        """
        Args:
            config: of the run.
            run: where its files are; what its checkpoint holds is taken up.

        Raises:
            RunError: a checkpoint that is damaged or does not fit, or a snapshot that is missing or has changed.
        """
        torch.set_num_threads(config.threads)
        self.config = config
        self.game = config.load_game()
        self.steps = 0
        self.results: dict[str, Outcome] = {}
        self.best: tuple[float, ...] = ()
        self.stopwatch = Stopwatch()
        self.pool = OpponentPool(
            config.opponents, self.game, run.pool_folder, self.stopwatch, advised=config.network.advice > 0
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
        self._run = run
        checkpoint = run.load_checkpoint()
        if checkpoint is not None:
            try:
                self._restore(checkpoint)
            except (KeyError, RuntimeError, TypeError) as error:
                reason = " ".join(str(error).split())
                raise RunError(
                    f"{run.checkpoint_file}: of another version of the game or of training: {reason}"
                ) from None

    def run(self, metrics: Metrics, progress: ProgressBar, stop: Callable[[], bool]) -> None:
        """Train to the end.

        Args:
            metrics: takes the numbers.
            progress: shows how far it is.
            stop: asked after every update; when it says so, the run is left with a checkpoint.
        """
        config, stopping = self.config, False
        self._begin_games()
        while not self.finished and not stopping:
            before = self.steps
            self._learn(metrics, progress)
            stopping = stop()
            if due(before, self.steps, config.opponents.snapshot_every):
                self.pool.add_snapshot(self._policy_file(), self.steps)
            if self.finished or due(before, self.steps, config.evaluation.every):
                self._evaluate(metrics, progress)
            if self.finished or stopping or due(before, self.steps, config.checkpoint_every):
                self._save_checkpoint()
                self._begin_games()

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end."""
        return self.steps == self.config.total_steps

    # Between two checkpoints -----------------------------------------------------------------------------------------

    def _begin_games(self) -> None:
        """Begin all games anew, as they begin at this step whether or not the run was stopped here."""
        self._begin_rollout()
        self.games.reset(seed=self._seed(GAMES))

    def _begin_rollout(self) -> None:
        self.pool.begin_rollout(self._policy(sample=True), np.random.default_rng(self._seed(POOL)))

    def _learn(self, metrics: Metrics, progress: ProgressBar) -> None:
        """One rollout and the update from it."""
        start = perf_counter()
        self._begin_rollout()
        decisions = self.learner.collect(self.config.total_steps - self.steps)
        statistics = self.learner.update(decisions, self.steps / self.config.total_steps)
        self.steps += decisions
        speed = decisions / (perf_counter() - start)
        progress.advance(self.steps, speed)
        numbers = {f"train/{name}": value for name, value in statistics.items()}
        times = {f"time/{activity}": share for activity, share in self.stopwatch.shares().items()}
        metrics.write(self.steps, {**numbers, **times, "time/steps_per_second": speed})

    def _evaluate(self, metrics: Metrics, progress: ProgressBar) -> None:
        """Measure the learner, and keep it if it is the best so far."""
        with self.stopwatch.measure(EVALUATION):
            self.results = self._matches(self._policy())
        progress.show(self.steps, self.results)
        wins = {opponent: result.win_share.mean for opponent, result in self.results.items()}
        scores = {opponent: result.score.mean for opponent, result in self.results.items()}
        metrics.write(
            self.steps,
            {f"evaluation/wins/{opponent}": share for opponent, share in wins.items()}
            | {f"evaluation/score/{opponent}": score for opponent, score in scores.items()},
        )
        strength = mean(wins.values()), mean(scores.values())
        if strength > self.best:
            self.best = strength
            write_policy_file(self._run.best_file, self._policy_file())

    def _policy(self, *, sample: bool = False) -> NetworkPolicy | AdvisedPolicy:
        """The learner as it is; later training leaves it alone."""
        return network_policy(self.learner.network(), self.config.network.advice, sample=sample)

    def _matches(self, policy: NetworkPolicy | AdvisedPolicy) -> dict[str, Outcome]:
        """How a policy does against each opponent of the evaluation, always on the same deals; or on its own."""
        config, seed = self.config.evaluation, self.config.seed
        if self.game.num_players == 1:
            return {ALONE: evaluate(self.game, [policy], config.games, seed=seed).standings[0]}
        return {
            opponent: evaluate(self.game, [policy, opponent], config.games, seed=seed).pairings[0]
            for opponent in config.opponents
        }

    def _policy_file(self) -> PolicyFile:
        """The learner as it is, with how it came to be."""
        training = {"algorithm": "MaskablePPO", "steps": self.steps, "config": asdict(self.config)}
        return PolicyFile.of(self.game, self.learner.network(), training, advice=self.config.network.advice)

    def _seed(self, purpose: int) -> int:
        """A seed that follows from the run's seed, the step and what it is for."""
        words = np.random.SeedSequence([self.config.seed, self.steps, purpose]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))

    # Checkpoints -----------------------------------------------------------------------------------------------------

    def _save_checkpoint(self) -> None:
        write_policy_file(self._run.last_file, self._policy_file())
        self._run.save_checkpoint(
            {
                "steps": self.steps,
                "best": list(self.best),
                "parameters": self.learner.get_parameters(),
                "generator": self.learner.generator.get_state(),
                "snapshots": [asdict(snapshot) for snapshot in self.pool.snapshots],
                "losses": self.pool.losses,
            }
        )

    def _restore(self, checkpoint: dict[str, Any]) -> None:
        self.steps = checkpoint["steps"]
        self.best = tuple(checkpoint["best"])
        self.learner.set_parameters(checkpoint["parameters"])
        self.learner.generator.set_state(checkpoint["generator"])
        self.pool.restore([Snapshot(**snapshot) for snapshot in checkpoint["snapshots"]], checkpoint["losses"])


def due(before: int, now: int, every: int) -> bool:
    """Whether a multiple of ``every`` was reached or passed since ``before``."""
    return now // every > before // every
