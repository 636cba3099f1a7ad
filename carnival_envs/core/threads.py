"""Threads for compiled code, which lets go of the interpreter's lock."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np


def chunks(count: int, threads: int) -> list[slice]:
    """So many rows divided among threads: a piece for each, none of them empty."""
    pieces = min(threads, count)
    return [slice(count * piece // pieces, count * (piece + 1) // pieces) for piece in range(pieces)]


def thread_pool(count: int) -> ThreadPoolExecutor:
    """A pool whose threads take the generator's wrapping 64-bit words for granted, as the main thread does."""
    return ThreadPoolExecutor(count, initializer=allow_wraparound)


def allow_wraparound() -> None:
    """NumPy keeps its error settings per thread; see ``core/jit.py``."""
    np.seterr(over="ignore")
