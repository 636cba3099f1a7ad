"""Train a policy by self-play: ``python -m training.train CONFIG [--set key=value ...] [--resume RUN_DIR]``.

What surrounds a run, from the command line to the lock, is the same for every kind of run; see ``Command``.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from time import perf_counter
from types import FrameType

from rich.console import Console

from carnival_envs.core.position import differences
from training.command import FAILED, FINISHED, INTERRUPTED
from training.config import ConfigError, TrainConfig, read_config
from training.course import Course
from training.metrics import Metrics
from training.progress import ProgressBar
from training.run_directory import RunDirectory, RunError
from training.trainer import Trainer

DEFAULT_FOLDER = Path("runs")


@dataclass(frozen=True)
class Command:
    """A kind of run.

    Attributes:
        module: what starts it: ``python -m MODULE``.
        summary: what it does, in a line.
        config: its configuration.
        course: the class of its run.
    """

    module: str
    summary: str
    config: type[TrainConfig]
    course: type[Course]


LOCAL = Command("training.train", "Train a policy by self-play.", TrainConfig, Trainer)


def main(arguments: Sequence[str] | None = None, command: Command = LOCAL) -> int:
    """The command; returns its exit status."""
    given = parser(command).parse_args(arguments)
    console = Console()
    try:
        if given.resume is not None:
            course = resume(given.resume, console, given.config, given.set, command)
        elif given.config is not None:
            config = read_config(given.config, given.set, command.config)
            course = train(config, given.run_dir or new_folder(given.config), console, command)
        else:
            raise ConfigError("give a configuration file, or --resume with the directory of a run")
    except (ConfigError, RunError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    return FINISHED if course.finished else INTERRUPTED


def parser(command: Command) -> argparse.ArgumentParser:
    """The command line."""
    line = argparse.ArgumentParser(prog=f"python -m {command.module}", description=command.summary)
    line.add_argument("config", nargs="?", type=Path, help=f"a YAML file: fields of {command.config.__name__}")
    line.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change a field, as in ppo.epochs=3; repeatable"
    )
    where = line.add_mutually_exclusive_group()
    where.add_argument("--run-dir", type=Path, help="where a new run goes (default: a new directory in runs/)")
    where.add_argument("--resume", type=Path, metavar="RUN_DIR", help="go on with a run that was stopped")
    return line


def new_folder(config_file: Path) -> Path:
    """A name for the directory of a run that begins now."""
    return DEFAULT_FOLDER / f"{config_file.stem}-{datetime.now():%Y%m%d-%H%M%S}"


def train(config: TrainConfig, folder: Path, console: Console, command: Command = LOCAL) -> Course:
    """A new run.

    Args:
        config: what to do.
        folder: its directory; missing or empty.
        console: shows how far it is.
        command: the kind of run, which the configuration is for.

    Returns:
        the run at its end, or where Ctrl-C stopped it.

    Raises:
        FolderInUseError: another process works on it.
        RunError: the directory holds something already.
    """
    run = RunDirectory(folder)
    with run.locked():
        run.create(config)
        return _work(config, run, console, command)


def resume(
    folder: Path,
    console: Console,
    config_file: Path | None = None,
    overrides: Sequence[str] = (),
    command: Command = LOCAL,
) -> Course:
    """Go on with a run from its last checkpoint.

    Args:
        folder: its directory.
        console: shows how far it is.
        config_file: the configuration again, if it is to be checked that it is that of the run.
        overrides: likewise.
        command: the kind of run that it is.

    Raises:
        ConfigError: another configuration than the run's.
        FolderInUseError: another process works on it.
        RunError: no run is there, or a file of it is damaged or missing.
    """
    run = RunDirectory(folder)
    config = run.config(command.config)
    if config_file is not None or overrides:
        asked = read_config(config_file or run.config_file, overrides, command.config)
        for path, given, own in differences(asdict(asked), asdict(config)):
            raise ConfigError(f"{folder}: the configuration of a run can't change: {path} is {own!r}, not {given!r}")
    with run.locked():
        return _work(config, run, console, command)


def _work(config: TrainConfig, run: RunDirectory, console: Console, command: Command) -> Course:
    """Train, with all that surrounds it; the lock is held."""
    console.print(f"run directory: {run.path}", highlight=False, soft_wrap=True)
    with closing(command.course(config, run)) as course:
        if course.finished:
            console.print(f"nothing is left to do: all {course.steps:,} steps are done", highlight=False)
        else:
            _run(course, run, console)
    if not course.finished:
        advice = f"stopped; to go on: python -m {command.module} --resume {run.path}"
        console.print(advice, highlight=False, soft_wrap=True)
    return course


def _run(course: Course, run: RunDirectory, console: Console) -> None:
    """Train from where the run stands, and tell how fast that was."""
    start, first = perf_counter(), course.steps
    with (
        Metrics(run, course.steps) as metrics,
        ProgressBar(console, course.config.total_steps, course.steps) as progress,
        stopped_by_signal(console) as stop,
    ):
        course.run(metrics, progress, stop)
    seconds = perf_counter() - start
    shares = ", ".join(f"{activity} {share:.0%}" for activity, share in course.stopwatch.shares().items())
    speed = (course.steps - first) / seconds
    summary = f"{course.steps - first:,} steps in {seconds:.0f} s, {speed:,.0f} a second: {shares}"
    console.print(summary, highlight=False, soft_wrap=True)


@contextmanager
def stopped_by_signal(console: Console) -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C or SIGTERM into the answer to "stop?"; the second raises ``KeyboardInterrupt``."""
    received: list[int] = []

    def receive(number: int, frame: FrameType | None) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)
        console.print("stopping after this update; once more to stop at once", highlight=False)

    if threading.current_thread() is not threading.main_thread():  # only the main thread may handle signals
        yield lambda: False
        return
    before = {number: signal.signal(number, receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
