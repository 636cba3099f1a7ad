"""Where the time of a run goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

ENVIRONMENT, OPPONENTS, NETWORK, LEARNING, EVALUATION = "environment", "opponents", "network", "learning", "evaluation"
"""The activities of a run. Opponents with compiled policies (random, greedy) are played inside the environment."""


class Stopwatch:
    """Wall time by activity. An activity inside another one counts for itself alone.

    Attributes:
        seconds: time spent so far, by activity.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._inside = [0.0]

    @contextmanager
    def measure(self, activity: str) -> Iterator[None]:
        """Add the time of the block to an activity, less what is measured inside it."""
        start = perf_counter()
        self._inside.append(0.0)
        try:
            yield
        finally:
            elapsed = perf_counter() - start
            self.seconds[activity] += elapsed - self._inside.pop()
            self._inside[-1] += elapsed

    def shares(self) -> dict[str, float]:
        """The part of the measured time that each activity took."""
        total = sum(self.seconds.values())
        return {activity: seconds / total for activity, seconds in self.seconds.items()}
