"""Results of measurements on the screen (with ``rich``, of the ``cli`` extra) and as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carnival_envs.bench.runner import Measured
from carnival_envs.core.files import replacing

if TYPE_CHECKING:
    from rich.table import Table

LIBRARIES = ("numpy", "numba", "gymnasium", "pettingzoo")
CPU_INFO = Path("/proc/cpuinfo")


VERDICTS = {True: "[green]pass[/]", False: "[red]FAIL[/]", None: ""}


def table(results: Sequence[Measured]) -> Table:
    """A line for each row and game: the median, the bar, and whether it is reached."""
    from rich.table import Table

    lines = Table("row", "game", "seats", title="medians, per second of CPU time; the bar is what must be reached")
    lines.add_column("measured", justify="right")
    lines.add_column("bar", justify="right")
    lines.add_column("unit")
    lines.add_column("")
    for one in results:
        seats = "" if one.num_players is None else str(one.num_players)
        lines.add_row(one.row, one.game, seats, amount(one.value), amount(one.bar), one.unit, VERDICTS[one.passed])
    return lines


def amount(value: float | None) -> str:
    """``3.21 M``, ``0.82``; nothing for ``None``."""
    if value is None:
        return ""
    for scale, letter in ((1e6, " M"), (1e3, " k")):
        if value >= scale:
            return f"{value / scale:.3g}{letter}"
    return f"{value:.3g}"


def write_json(results: Sequence[Measured], path: str | Path, repeats: int) -> None:
    """Write results with when, where and with what they were measured."""
    document = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "repeats": repeats,
        "results": [asdict(one) for one in results],
    }
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def machine() -> dict[str, Any]:
    """What the measurements ran on."""
    return {"system": platform.platform(), "processor": processor(), "cores": os.cpu_count()}


def processor() -> str:
    """The model of the processor, as well as the system tells it."""
    if CPU_INFO.is_file():
        for line in CPU_INFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Of Python, this package, and the libraries that it stands on."""
    from carnival_envs import __version__

    own = {"python": platform.python_version(), "carnival_envs": __version__}
    return own | {library: version(library) for library in LIBRARIES}
