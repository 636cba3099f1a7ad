"""What the commands of this folder have in common: their options, where they write, and how they end."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from carnival_envs.core.files import need_folder
from carnival_envs.core.options import refuse
from training.run_directory import RunError

FINISHED, FAILED, INTERRUPTED = 0, 2, 130
"""Exit statuses; the last is a shell's for a program that was stopped by Ctrl-C."""

Arguments = ParamSpec("Arguments")
Options = TypeVar("Options")


def tells_errors(main: Callable[Arguments, int]) -> Callable[Arguments, int]:
    """A command that tells what its user did wrong in one line, and returns its exit status."""

    @wraps(main)
    def told(*args: Arguments.args, **kwargs: Arguments.kwargs) -> int:
        try:
            return main(*args, **kwargs)
        except (RunError, ValueError, OSError) as error:
            print(f"error: {error}", file=sys.stderr)
            return FAILED
        except KeyboardInterrupt:
            return INTERRUPTED

    return told


def chosen_options(kind: type[Options], given: argparse.Namespace) -> Options:
    """The options of a dataclass, as a command line gives them under the names of its fields.

    Raises:
        ValueError: one that is not allowed; names it.
    """
    named: Any = kind
    values = {field.name: getattr(given, field.name) for field in fields(named)}
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})


def need_file(out: Path) -> None:
    """Refuse a place where no policy file can be written, before the work.

    Raises:
        ValueError: names it.
    """
    need_folder("--out", out.parent)
    if out.is_dir():
        refuse("--out", str(out), "the name of a file, not of a folder")


def command_line(module: str, arguments: Sequence[str] | None) -> str:
    """What made a policy file: the arguments of a command, or those of the process."""
    return " ".join([f"python -m {module}", *(sys.argv[1:] if arguments is None else arguments)])
