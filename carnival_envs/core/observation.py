"""Observations: named blocks over one flat float32 array.

A game declares its blocks once, in order (``list[Block]``); spaces, documentation and the views by name come from
that declaration. The game's ``observe`` kernel fills the flat array in the same order with the writers below, which
return the place where the next block starts. Everything not written is 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.jit import kernel

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Block:
    """One named part of an observation: integers of a shape, each in ``low..high``."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int
    description: str

    @property
    def size(self) -> int:
        """How many numbers the block holds."""
        return prod(self.shape)

    @property
    def scale(self) -> int:
        """What a number of the block is divided by in the flat observation."""
        return max(abs(self.low), abs(self.high))


def size_of(blocks: list[Block]) -> int:
    """How many numbers some blocks hold."""
    return sum(block.size for block in blocks)


def scales(blocks: list[Block]) -> Floats:
    """The divisor of every number of the flat observation: float32, shape ``(observation_size,)``."""
    return np.concatenate([np.full(block.size, block.scale, dtype=np.float32) for block in blocks])


def by_name(blocks: list[Block], flat: Floats, divisors: Floats) -> dict[str, npt.NDArray[np.int64]]:
    """The raw integers of a flat observation, by block name."""
    raw = np.rint(flat * divisors).astype(np.int64)
    views: dict[str, npt.NDArray[np.int64]] = {}
    start = 0
    for block in blocks:
        views[block.name] = raw[start : start + block.size].reshape(block.shape)
        start += block.size
    return views


@kernel
def put(out: Floats, at: int, value: int, high: int) -> int:
    """Write one number, scaled by the block's range; returns the next place."""
    out[at] = np.float32(value) / np.float32(high)
    return at + 1


@kernel
def put_all(out: Floats, at: int, values: npt.NDArray[Any], count: int, high: int) -> int:
    """Write ``values[:count]``, scaled by the block's range; returns the next place."""
    part = out[at : at + count]  # without an offset in the index the loop becomes vector code
    for i in range(len(part)):
        part[i] = np.float32(values[i]) / np.float32(high)
    return at + count


@kernel
def put_one_hot(out: Floats, at: int, index: int, count: int) -> int:
    """Write a one-hot of ``count`` places, all 0 for a negative index; returns the next place."""
    if index >= 0:
        out[at + index] = 1.0
    return at + count


@kernel
def put_seat(out: Floats, at: int, seat: int, player: int, num_players: int) -> int:
    """Write a one-hot over seats as ``player`` counts them, all 0 for seat -1; returns the next place."""
    if seat >= 0:
        out[at + relative(seat, player, num_players)] = 1.0
    return at + num_players


@kernel
def seat_at(steps: int, player: int, num_players: int) -> int:
    """The seat that is some steps, less than a round, clockwise of ``player``; without a slow division."""
    seat = player + steps
    return seat if seat < num_players else seat - num_players


@kernel
def relative(seat: int, player: int, num_players: int) -> int:
    """The seat as ``player`` counts it: himself 0, then clockwise."""
    steps = seat - player
    return steps if steps >= 0 else steps + num_players
