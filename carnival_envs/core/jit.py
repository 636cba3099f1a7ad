"""Plain Python functions that numba compiles, once per machine.

A rule is a Python function over a NumPy record, marked ``@kernel``. Kernels are compiled as part of the
*loops* (``core/loops.py``) that Python calls, and only those are written to disk. Loops are generic: ``bind``
gives each game its own copy, whose names resolve to the rules of that game.

With ``NUMBA_DISABLE_JIT=1`` everything runs as plain Python and gives the same results, bit for bit.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, types
from numba.core.registry import CPUDispatcher

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: bool = not config.DISABLE_JIT

OPTIONS = {"nogil": True, "error_model": "numpy"}
"""What all compiled code has in common."""

# Fields of state records are kept small, so that many games fit into the processor's cache. Plain Python needs
# wide ones: NumPy keeps ``int8 + 1`` an int8, where compiled code computes in int64.
int8: type[np.signedinteger[Any]] = np.int8 if COMPILED else np.int64
int16: type[np.signedinteger[Any]] = np.int16 if COMPILED else np.int64
int32: type[np.signedinteger[Any]] = np.int32 if COMPILED else np.int64

if not COMPILED:
    np.seterr(over="ignore")  # the generator's 64-bit words wrap around by design


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The dtype of a record whose fields are attributes: ``record(("turn", int8), ("pool", int8, 36))``.

    Raises:
        ValueError: a field is called like an attribute that NumPy's records have, which would hide it.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"record field {name!r}: NumPy's records have an attribute of this name")
    return np.dtype((np.record, list(fields)))


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that is inlined into, or called from, compiled loops.

    It is compiled once for all integers, and without the code that lets Python call it. numba alone would compile it
    anew for every width and every constant that it is called with, and each time with that code: two thirds of the
    time of a first start. The few calls from Python, of texts and drawings, get a copy that has it.
    """

    def get_call_template(self, args: tuple[types.Type, ...], kws: dict[str, types.Type]) -> Any:
        """What a call in compiled code is compiled to."""
        return super().get_call_template(tuple(_widened(argument) for argument in args), kws)

    def _insert(self, *_: Any, **__: Any) -> None:
        """Keep what Python can't call out of the table in which numba looks up Python's calls."""

    def _compile_for_args(self, *_: Any, **__: Any) -> Any:
        """What a call from Python calls in place of what it did not find."""
        return self._for_python

    @cached_property
    def _for_python(self) -> Any:
        return numba.njit(**OPTIONS)(self.py_func)


def kernel(function: Function) -> Function:
    """Mark a function as compiled code; see ``Kernel``."""
    if not COMPILED:
        return function
    options = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **OPTIONS}
    marked: Any = Kernel(function, targetoptions=options)
    return cast(Function, marked)


def _widened(argument: types.Type) -> types.Type:
    """The type that a kernel gets for an argument: any signed integer as int64."""
    argument = types.unliteral(argument)
    if isinstance(argument, types.Integer) and argument.signed:
        return types.int64
    return argument


def bind(loops: ModuleType, kernels: Mapping[str, Callable[..., Any]], owner: str, sources: str) -> dict[str, Any]:
    """Compile every loop of a module against the kernels of one game.

    Args:
        loops: a module of generic loops. Those in its ``__all__`` are cached on disk, as Python calls them; the others
            are inlined into them.
        kernels: the functions of one game, by the names that the loops use.
        owner: the name of the game; it keeps the games' cache entries apart.
        sources: a hash of all source files that the compiled code comes from.

    Returns:
        the compiled loops by name. Each is compiled, or loaded from disk, at its first call.
    """
    namespace: dict[str, Any] = {**vars(loops), **kernels}
    entry_points = set(loops.__all__)
    bound: dict[str, Any] = {}
    with _cache_directory(cache_path(owner, sources)):
        for name, function in vars(loops).items():
            if not isinstance(function, FunctionType) or function.__module__ != loops.__name__:
                continue
            own = FunctionType(function.__code__, namespace, name, function.__defaults__)
            own.__qualname__ = f"{owner}.{name}"
            own.__module__ = loops.__name__
            own.__doc__ = function.__doc__
            how = {"cache": True, "no_cfunc_wrapper": True} if name in entry_points else {"inline": "always"}
            bound[name] = namespace[name] = numba.njit(**OPTIONS, **how)(own)
    return bound


def source_hash(files: Iterable[Path]) -> str:
    """A short hash over the names and texts of source files, and over compiler settings."""
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK} {config.OPT}".encode())
    for path in sorted(files):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_path(owner: str, sources: str) -> Path:
    """The folder of one game's compiled code; made if missing.

    numba notices a change in the file of a loop, but not in the files of the kernels that it calls: the sources'
    hash in the name keeps stale code out. ``NUMBA_CACHE_DIR`` is respected. Without a writable place of the
    user's own a fresh temporary folder is used, since compiled code is loaded by pickle and must be nobody else's.
    """
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or _user_cache())
    path = root / "carnival_envs" / f"{owner}-{sources}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
        if not _belongs_to_me(path):
            raise PermissionError(path)
    except OSError:
        return Path(_temporary_cache()) / f"{owner}-{sources}"
    return path


def announce_compilation(owner: str, sources: str) -> None:
    """Say on standard error that a game is about to be compiled, if nothing of it lies in the cache yet."""
    if COMPILED and not any(cache_path(owner, sources).rglob("*.nbi")):
        print(f"carnival_envs: compiling {owner}, once", file=sys.stderr, flush=True)


def _user_cache() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return str(Path.home() / "Library" / "Caches")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


def _belongs_to_me(path: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & stat.S_IWOTH


_temporary_caches: list[tempfile.TemporaryDirectory[str]] = []


def _temporary_cache() -> str:
    """One temporary folder per process, removed at its end."""
    if not _temporary_caches:
        _temporary_caches.append(tempfile.TemporaryDirectory(prefix="carnival_envs-"))
    return _temporary_caches[0].name


@contextmanager
def _cache_directory(path: Path) -> Any:
    """Numba reads its cache folder while it decorates; other packages' functions keep theirs."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(path)
    try:
        yield
    finally:
        config.CACHE_DIR = before
