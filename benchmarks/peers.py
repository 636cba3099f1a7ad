"""The speed of this package beside that of its peers, in one run on one machine: ``python -m benchmarks.peers``.

The same work everywhere: uniformly random legal play with an observation and the legal actions at every decision, and
the next game where one is over; decisions per second of CPU time. Each peer is set against our path with the comparable
interface. A second table has simulations per second of information-set tree searches.

Peers are optional, and what is not installed is skipped with a message. To have them all::

    pip install open-spiel "pettingzoo[classic]" rlcard pgx envpool catanatron
    pip install --no-deps catanatron-gym

(The last asks for an old Gymnasium, and works with a new one.)
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from rich.console import Console
from rich.progress import Progress

from benchmarks import peer_loops, peer_searches
from benchmarks.peer_loops import Loop
from carnival_envs import load_game
from carnival_envs.bench import paths, runner
from carnival_envs.bench.paths import Lap
from carnival_envs.bench.report import amount, machine, versions
from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.files import replacing
from carnival_envs.core.game import Game
from carnival_envs.registry import GAMES

RATE = paths.PATHS["state"]
"""What a value is: work per second of as many laps as a repeat takes."""

OWN = "carnival_envs"
SEARCH = "search"
REPEATS = 5
QUICK_REPEATS = 1
QUICK_SECONDS = 0.05

PATH_NAMES = {
    "batch": "batch of 256",
    "state": "`State` from Python",
    "aec": "PettingZoo AEC",
    "gymnasium": "Gymnasium, one seat",
    SEARCH: "information-set tree search",
}
"""The paths that have peers, by name."""


@dataclass(frozen=True)
class Peer:
    """A library to compare with.

    Attributes:
        package: its name in the package index.
        path: our path with the comparable interface, a key of ``PATH_NAMES``.
        games: of its own.
        prepare: ``prepare(game)`` gives its lap. Raises ``ImportError`` where something is not installed.
    """

    package: str
    path: str
    games: tuple[str, ...]
    prepare: Callable[[str], Lap]


@dataclass(frozen=True)
class Speed:
    """A row of the result.

    Attributes:
        library: the package, ``carnival_envs`` for our own.
        version: of it.
        path: a key of ``PATH_NAMES``.
        game: what was played.
        value: decisions, or simulations, per second of CPU time: the median of ``repeats``.
        repeats: each repeat's value.
    """

    library: str
    version: str
    path: str
    game: str
    value: float
    repeats: tuple[float, ...]


def timed_loop(prepare: Callable[[str], Loop]) -> Callable[[str], Lap]:
    """The laps of a peer's loops: its decisions, and the time they took."""

    def prepared(name: str) -> Lap:
        loop = prepare(name)

        def lap() -> tuple[float, float]:
            start = process_time()
            tally = loop()
            return tally.decisions, process_time() - start

        return lap

    return prepared


PEERS = (
    Peer("open-spiel", "state", ("leduc_poker", "backgammon", "gin_rummy"), timed_loop(peer_loops.open_spiel)),
    Peer(
        "pettingzoo",
        "aec",
        ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4"),
        timed_loop(peer_loops.pettingzoo),
    ),
    Peer("rlcard", "state", ("leduc-holdem", "uno", "gin-rummy"), timed_loop(peer_loops.rlcard)),
    Peer("pgx", "batch", ("connect_four", "leduc_holdem", "backgammon"), timed_loop(peer_loops.pgx)),
    Peer("envpool", "batch", ("ConnectFour-v1", "LeducHoldem-v1", "Backgammon-v1"), timed_loop(peer_loops.envpool)),
    Peer("catanatron", "gymnasium", ("catanatron-v1",), timed_loop(peer_loops.catanatron)),
    Peer("open-spiel", SEARCH, ("leduc_poker", "gin_rummy"), peer_searches.open_spiel_search),
)
"""Who is measured."""


# Measuring --------------------------------------------------------------------------------------------------------


def run(
    peers: Sequence[Peer],
    repeats: int,
    seconds: float,
    tell: Callable[[str], None],
    advance: Callable[[], None] = lambda: None,
) -> list[Speed]:
    """Measure peers, and our own games on the paths that these are set against.

    Args:
        peers: of ``PEERS``.
        repeats: of which the median is taken.
        seconds: of CPU time that a repeat takes at least.
        tell: is given a line on everything that is skipped.
        advance: is called when a row is done.
    """
    speeds = []
    for library, path, game, prepare in rows(peers):
        try:
            lap = prepare(game)
            values = runner.sample(RATE, lap, repeats, seconds)
            speeds.append(Speed(library, version_of(library), path, game, median(values), tuple(values)))
        except ImportError as error:
            if library == OWN:
                raise
            tell(f"{library}, {game}: skipped, {error}; pip install {library}")
        advance()
    return speeds


def rows(peers: Sequence[Peer]) -> Iterator[tuple[str, str, str, Callable[[str], Lap]]]:
    """Library, path, game and how to prepare it: the peers' and ours in turn, so that the same hour is theirs."""
    for path in PATH_NAMES:
        rivals = [peer for peer in peers if peer.path == path]
        for peer in rivals:
            yield from ((peer.package, path, game, peer.prepare) for game in peer.games)
        if rivals:
            yield from ((OWN, path, game, own_lap(path)) for game in GAMES)


def own_lap(path: str) -> Callable[[str], Lap]:
    """How to prepare a path of our own for the name of a game."""
    prepare: Callable[[Game], Lap] = peer_searches.own_search if path == SEARCH else paths.PATHS[path].prepare
    return lambda name: prepare(load_game(name, **runner.players_of(name, runner.read_settings())))


def version_of(package: str) -> str:
    """The version of an installed package; empty if it is not known by that name."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


# Reporting --------------------------------------------------------------------------------------------------------


def markdown(speeds: Sequence[Speed]) -> str:
    """A table: each peer's game beside our games on the comparable path, slowest to fastest, and their ratio."""
    lines = ["| peer | its game | its speed | our path | ours, by game | ratio |", "|---|---|---|---|---|---|"]
    for one in speeds:
        if one.library == OWN:
            continue
        ours = sorted(other.value for other in speeds if (other.library, other.path) == (OWN, one.path))
        low, high = ours[0], ours[-1]
        lines.append(
            f"| {one.library} {one.version} | {one.game} | {amount(one.value)} | {PATH_NAMES[one.path]} "
            f"| {amount(low)} to {amount(high)} | {ratio(low / one.value)} to {ratio(high / one.value)} |"
        )
    return "\n".join(lines) + "\n"


def ratio(value: float) -> str:
    """``0.62``, ``3.1``, ``26``."""
    if value < 1:
        return f"{value:.2f}"
    return f"{value:.1f}" if value < 9.95 else f"{value:.0f}"


def document(speeds: Sequence[Speed], repeats: int) -> dict[str, Any]:
    """The results with when, where and with what they were measured, JSON-ready."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "repeats": repeats,
        "results": [asdict(one) for one in speeds],
    }


def write(path: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


# The command ------------------------------------------------------------------------------------------------------


def chosen(names: str | None) -> list[Peer]:
    """The peers of some packages, given with commas; all for ``None``.

    Raises:
        ValueError: not a peer.
    """
    known = sorted({peer.package for peer in PEERS})
    wanted = known if names is None else names.split(",")
    for name in wanted:
        if name not in known:
            raise ValueError(f"peers: {name!r} is not allowed; allowed: {', '.join(known)}{did_you_mean(name, known)}")
    return [peer for peer in PEERS if peer.package in wanted]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", metavar="NAME,NAME", help="packages to compare with; all by default")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="of which the median is taken")
    parser.add_argument("--quick", action="store_true", help="one short repeat")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    given = parser.parse_args(arguments)
    try:
        peers = chosen(given.peers)
    except ValueError as error:
        parser.error(str(error))
    if given.repeats < 1:
        parser.error(f"--repeats: {given.repeats} is not allowed; allowed: an integer of at least 1")
    repeats = QUICK_REPEATS if given.quick else given.repeats
    seconds = QUICK_SECONDS if given.quick else runner.SECONDS_PER_REPEAT
    console = Console(highlight=False, soft_wrap=True)
    with Progress(console=console) as progress:
        task = progress.add_task("measuring", total=len(list(rows(peers))))
        speeds = run(peers, repeats, seconds, progress.console.print, lambda: progress.advance(task))
    console.print(markdown(speeds), markup=False)
    if given.json:
        write(given.json, json.dumps(document(speeds, repeats), indent=2) + "\n")
    if given.markdown:
        write(given.markdown, markdown(speeds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
