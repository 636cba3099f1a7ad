"""The course of a run, whatever does the learning: learn, and now and then a snapshot, an evaluation, a checkpoint."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict
from statistics import mean
from time import perf_counter
from typing import Any, ClassVar

from carnival_envs.evaluation import evaluate
from carnival_envs.policies.network import AdvisedPolicy, Network, NetworkPolicy, ValueNetwork, network_policy
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from training.config import TrainConfig
from training.metrics import Metrics
from training.progress import Outcome, ProgressBar
from training.run_directory import RunDirectory, RunError
from training.stopwatch import EVALUATION, Stopwatch

ALONE = "alone"
"""Names the result of a player who has no opponents."""


class Course(ABC):
    """A run, from its beginning or its last checkpoint to its end.

    Attributes:
        algorithm: what policy files say of how they were trained.
        config: of the run.
        game: what is played.
        steps: decisions learnt from so far.
        results: of the last evaluation by this process, by opponent.
        best: mean win share and mean score of the learner in ``best.npz``; empty before the first evaluation.
        stopwatch: where the time of this process went.
    """

    algorithm: ClassVar[str]

    def __init__(self, config: TrainConfig, run: RunDirectory) -> None:
        """
        Args:
            config: of the run.
            run: where its files are; what its checkpoint holds is taken up.

        Raises:
            RunError: a checkpoint or snapshot that is damaged, missing or not of this run.
        """
        self.config = config
        self.game = config.load_game()
        self.steps = 0
        self.results: dict[str, Outcome] = {}
        self.best: tuple[float, ...] = ()
        self.stopwatch = Stopwatch()
        self._run = run
        checkpoint = run.load_checkpoint()
        try:
            self._set_up(checkpoint)
        except BaseException:
            self.close()
            raise

    def _set_up(self, checkpoint: Mapping[str, Any] | None) -> None:
        """Make everything, as the checkpoint has it if there is one."""
        if checkpoint is None:
            self._prepare()
            self._start()
            return
        try:
            self.steps, self.best = checkpoint["steps"], tuple(checkpoint["best"])
            self._prepare()
            self._restore(checkpoint)
            self._write_last()
        except (KeyError, RuntimeError, TypeError) as error:
            file, reason = self._run.checkpoint_file, " ".join(str(error).split())
            raise RunError(f"{file}: of another version of the game or of training: {reason}") from None

    def run(self, metrics: Metrics, progress: ProgressBar, stop: Callable[[], bool]) -> None:
        """Train to the end.

        Args:
            metrics: takes the numbers.
            progress: shows how far it is.
            stop: asked after every update; when it says so, the run is left with a checkpoint.
        """
        config, stopping = self.config, False
        if self.steps == 0 and config.network.start is not None:
            self._evaluate(metrics, progress)  # what it begins as may stay the best
        self._begin()
        while not self.finished and not stopping:
            before = self.steps
            self._learn(metrics, progress)
            stopping = stop()
            if due(before, self.steps, config.opponents.snapshot_every):
                self._take_snapshot()
            if self.finished or due(before, self.steps, config.evaluation.every):
                self._evaluate(metrics, progress)
            if self.finished or stopping or due(before, self.steps, config.checkpoint_every):
                self._save_checkpoint()
                self._begin()

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end."""
        return self.steps >= self.config.total_steps

    def close(self) -> None:  # noqa: B027 # most have nothing to give back
        """Give back what the run holds beside memory."""

    # What the algorithm does -----------------------------------------------------------------------------------------

    @abstractmethod
    def _prepare(self) -> None:
        """Make the learner and all that it plays with."""

    def _start(self) -> None:  # noqa: B027 # not every kind of run can begin with a policy
        """Begin with what the configuration names."""

    @abstractmethod
    def _update(self) -> Mapping[str, float]:
        """Play and learn once; count the steps; tell how it went."""

    @abstractmethod
    def _network(self) -> Network:
        """A copy of the learner's policy network as it is now."""

    @abstractmethod
    def _value_network(self) -> Network:
        """A copy of the learner's value network as it is now."""

    @abstractmethod
    def _take_snapshot(self) -> None:
        """Take the learner as it is into the pool of opponents."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What a checkpoint holds beside steps and best: tensors and what JSON knows, nothing that runs code."""

    @abstractmethod
    def _restore(self, checkpoint: Mapping[str, Any]) -> None:
        """Take up what ``_state`` gave."""

    def _begin(self) -> None:  # noqa: B027 # not every kind of run begins anew
        """Called at the beginning and after every checkpoint."""

    # What is the same for all ----------------------------------------------------------------------------------------

    def _learn(self, metrics: Metrics, progress: ProgressBar) -> None:
        """One update, and its numbers."""
        start, before = perf_counter(), self.steps
        statistics = self._update()
        speed = (self.steps - before) / (perf_counter() - start)
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
        return network_policy(self._network(), self.config.network.advice, sample=sample)

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
        training = {"algorithm": self.algorithm, "steps": self.steps, "config": asdict(self.config)}
        advice = self.config.network.advice
        return PolicyFile.of(self.game, self._network(), training, advice=advice, value=self._value())

    def _value(self) -> ValueNetwork | None:
        """What the learner's value network foretells; with a discount that is something else than returns."""
        return ValueNetwork(self._value_network(), self.config.reward) if self.config.ppo.gamma == 1 else None

    def _save_checkpoint(self) -> None:
        self._run.save_checkpoint({"steps": self.steps, "best": list(self.best), **self._state()})
        self._write_last()

    def _write_last(self) -> None:
        """The learner of the checkpoint as a policy file; after the checkpoint, whose loss it gives away."""
        write_policy_file(self._run.last_file, self._policy_file())


def due(before: int, now: int, every: int) -> bool:
    """Whether a multiple of ``every`` was reached or passed since ``before``."""
    return now // every > before // every
