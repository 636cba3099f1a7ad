"""What the commands of this folder exit with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from training.run_directory import RunError

FINISHED, FAILED, INTERRUPTED = 0, 2, 130
"""Exit statuses; the last is a shell's for a program that was stopped by Ctrl-C."""

Arguments = ParamSpec("Arguments")


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
