"""Measure rows and compare them with their bars."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from statistics import median
from typing import Any

from carnival_envs.bench.paths import PATHS, Lap, NotAvailableError, Path
from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.game import Game
from carnival_envs.core.options import need_at_least_one
from carnival_envs.registry import load_game

SECONDS_PER_REPEAT = 0.3
ANY = "any"


@dataclass(frozen=True)
class Measured:
    """A row of the result.

    Attributes:
        row: its name in ``PATHS``.
        unit: of its values and its bar.
        game: the id of the game; ``None`` where it makes no difference.
        num_players: likewise.
        value: the median of ``repeats``; ``None`` where the path is not available.
        repeats: each repeat's value.
        bar: what it must reach; ``None`` if nothing is asked.
        passed: whether it does; ``None`` without value or bar.
    """

    row: str
    unit: str
    game: str | None
    num_players: int | None
    value: float | None
    repeats: tuple[float, ...]
    bar: float | None
    passed: bool | None


def run(
    games: Sequence[str],
    rows: Sequence[str] | None = None,
    repeats: int = 5,
    *,
    seconds: float = SECONDS_PER_REPEAT,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Measured]:
    """Measure rows for games.

    Args:
        games: ids.
        rows: names in ``PATHS``; all by default.
        repeats: of which the median is taken.
        seconds: of CPU time that a repeat takes at least.
        on_progress: is told how many rows are done, and how many there are.

    Raises:
        ValueError: an argument that is not allowed.
    """
    need_at_least_one(repeats=repeats)
    for row in rows or []:
        if row not in PATHS:
            raise ValueError(f"unknown row {row!r}; rows: {', '.join(PATHS)}{did_you_mean(row, list(PATHS))}")
    settings = read_settings()
    loaded = [load_game(name, **players_of(name, settings)) for name in games]
    work = list(_work(rows or list(PATHS), loaded))
    results = []
    for row, game in work:
        results.append(measure(row, game, repeats, seconds, settings["bars"]))
        if on_progress is not None:
            on_progress(len(results), len(work))
    return results


def read_settings() -> dict[str, Any]:
    """The bars, and the numbers of players that games are measured with."""
    return tomllib.loads(files("carnival_envs.bench").joinpath("bars.toml").read_text(encoding="utf-8"))


def players_of(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a game is measured with."""
    return {"num_players": settings["num_players"][name]} if name in settings["num_players"] else {}


def _work(rows: Sequence[str], games: Sequence[Game]) -> Iterator[tuple[str, Game]]:
    """Row by row; a row in which the game makes no difference once."""
    for row in rows:
        yield from ((row, game) for game in (games if PATHS[row].per_game else games[:1]))


def measure(row: str, game: Game, repeats: int, seconds: float, bars: Mapping[str, Mapping[str, float]]) -> Measured:
    """One row for one game."""
    path = PATHS[row]
    values = _repeat(path, game, 1 if path.once else repeats, seconds)
    value = median(values) if values else None
    bar = bars.get(row, {}).get(game.name, bars.get(row, {}).get(ANY))
    passed = None if value is None or bar is None else (value >= bar if path.is_rate else value <= bar)
    name, players = (game.name, game.num_players) if path.per_game else (None, None)
    return Measured(row, path.unit, name, players, value, tuple(values), bar, passed)


def _repeat(path: Path, game: Game, repeats: int, seconds: float) -> list[float]:
    try:
        return sample(path, path.prepare(game), repeats, seconds)
    except NotAvailableError:
        return []


def sample(path: Path, lap: Lap, repeats: int, seconds: float) -> list[float]:
    """The value of each repeat of a path whose lap is prepared."""
    if path.laps is None:
        lap()  # compiles, and warms the caches
    return [path.value(*_laps(lap, path.laps, seconds)) for _ in range(repeats)]


def _laps(lap: Lap, laps: int | None, seconds: float) -> tuple[float, float]:
    """The sum of so many laps, or of as many as take the given time."""
    work, spent, done = 0.0, 0.0, 0
    while spent < seconds if laps is None else done < laps:
        more, took = lap()
        work, spent, done = work + more, spent + took, done + 1
    return work, spent
