"""Files that are whole or not there, and folders that one process works in at a time."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from carnival_envs.core.errors import FolderInUseError
from carnival_envs.core.options import refuse

LOCK_FILE: Final = "lock"
"""In a folder that is worked in: held by the process that does, and names its id."""


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A temporary path beside ``path``: what the block writes there takes the place of ``path`` when it ends.

    Missing folders are made. After an error, Ctrl-C included, ``path`` is as it was and nothing is left behind.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def need_folder(name: str, folder: str | Path) -> None:
    """Refuse a folder that nothing can be written to, before the work whose results go there; none is made yet.

    Raises:
        ValueError: it is no folder, can't be written to or can't be made; names it.
    """
    folder = Path(folder)
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        refuse(name, str(folder), "a folder that can be written to, or made")


def remove_leftovers(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder and below it. Nobody else may be writing there."""
    for temporary in folder.rglob(".*.tmp"):
        temporary.unlink(missing_ok=True)


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Keep other processes out of a folder, which is made if it is missing.

    The lock ends with the block, or with the process, however that ends.

    Raises:
        FolderInUseError: another process works there.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK_FILE).open("a+") as file:
        try:
            _take_lock(file)
        except OSError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise FolderInUseError(f"{folder}: another process is working in this folder (id {holder})") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _take_lock(file: IO[str]) -> None:
    """Lock a file for this process.

    Raises:
        OSError: another holds it.
    """
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
