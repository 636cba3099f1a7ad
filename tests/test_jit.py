"""Kernels: compiled once for all integers, and callable from Python."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from carnival_envs.core.jit import COMPILED, OPTIONS, kernel


@kernel
def double(number: int) -> int:
    """A kernel of one argument."""
    return number + number


@numba.njit(**OPTIONS)
def doubles_of(narrow: int, wide: int) -> int:
    """Compiled code that calls it with integers of different widths, and with a constant."""
    return double(narrow) + double(wide) + double(3)


def test_kernels_are_called_by_compiled_code_and_by_python() -> None:
    assert double(4) == 8
    assert doubles_of(np.int8(50), 2) == 100 + 4 + 6
    assert double(4) == 8


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_kernel_is_compiled_once_for_all_integers() -> None:
    doubles_of(np.int8(1), 2)
    assert double.signatures == [(numba.types.int64,)]  # type: ignore[attr-defined]
