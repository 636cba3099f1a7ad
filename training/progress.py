"""What a person sees of a run: a progress bar with its speed and strength."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from carnival_envs.evaluation import Pairing, Standing

Outcome = Pairing | Standing
"""How a policy does against an opponent, or on its own: both hold its share of the wins and its score."""


class ProgressBar:
    """A bar on a terminal; elsewhere only a line for every evaluation."""

    def __init__(self, console: Console, total_steps: int, steps: int) -> None:
        """
        Args:
            console: where to write.
            total_steps: of the run.
            steps: how many of them have been done already.
        """
        self._progress = Progress(
            TextColumn("training"),
            BarColumn(),
            TaskProgressColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]:,.0f} steps/s"),
            TextColumn("{task.fields[strength]}"),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._progress.add_task("", total=total_steps, completed=steps, speed=0.0, strength="")

    def advance(self, steps: int, speed: float) -> None:
        """Show how many steps are done, and how many are done in a second."""
        self._progress.update(self._task, completed=steps, speed=speed)

    def show(self, steps: int, results: Mapping[str, Outcome]) -> None:
        """Show the outcome of an evaluation, by opponent."""
        strength = ", ".join(
            f"{opponent} {result.win_share.mean:.0%} ({result.score.mean:.1f})" for opponent, result in results.items()
        )
        self._progress.update(self._task, strength=f"won (score): {strength}")
        line = f"{steps:>12,} steps: {'; '.join(in_words(*result) for result in results.items())}"
        self._progress.console.print(line, highlight=False, soft_wrap=True)

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()


def in_words(opponent: str, result: Outcome) -> str:
    """A line on the games against one opponent."""
    wins, score = result.win_share, result.score
    return f"{opponent} {wins.mean:.1%} won ({wins.low:.1%} to {wins.high:.1%}), mean score {score.mean:.1f}"
