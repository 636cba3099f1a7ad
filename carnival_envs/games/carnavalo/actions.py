"""The actions of Carnavalo: their strings, their indices, and what others may read of them (section 9)."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import (
    CITIZENS,
    MAX_RING,
    NUM_CITIZENS,
    NUM_TENTS,
    NUM_VALUES,
    SIDES,
)

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

VALUES = range(1, NUM_VALUES + 1)
TENTS = range(NUM_TENTS)
DISTANCES = range(1, MAX_RING + 1)

BLOCKS = (
    [f"setup:{value}" for value in VALUES],
    [f"move:{citizen}:{distance}" for citizen in CITIZENS for distance in DISTANCES],
    [f"play:{value}:{tent}:{side}" for value in VALUES for tent in TENTS for side in SIDES],
    [f"token:{token}:{citizen}:{distance}" for token in TENTS for citizen in CITIZENS for distance in DISTANCES],
    [f"token:{token}:{citizen}:direct" for token in TENTS for citizen in CITIZENS],
    [f"return:{token}" for token in TENTS],
    ["end"],
    ["pass"],
)

ACTIONS: tuple[str, ...] = tuple(string for block in BLOCKS for string in block)

SETUP, MOVE, PLAY, TOKEN, DIRECT, RETURN, END, PASS = accumulate((len(block) for block in BLOCKS[:-1]), initial=0)
"""The first action of each block."""


@kernel
def move_action(citizen: int, distance: int) -> int:
    """``move:citizen:distance``."""
    return MOVE + citizen * MAX_RING + distance - 1


@kernel
def play_action(value: int, tent: int, side: int) -> int:
    """``play:value:tent:side``."""
    return PLAY + ((value - 1) * NUM_TENTS + tent) * len(SIDES) + side


@kernel
def token_action(token: int, citizen: int, distance: int) -> int:
    """``token:token:citizen:distance``."""
    return TOKEN + (token * NUM_CITIZENS + citizen) * MAX_RING + distance - 1


@kernel
def direct_action(token: int, citizen: int) -> int:
    """``token:token:citizen:direct``."""
    return DIRECT + token * NUM_CITIZENS + citizen


def public_action(game: Game, s: Record, action: int) -> str:
    """An action as the other players see it: without values of hidden cards and without hidden tokens."""
    string = ACTIONS[action]
    if action < MOVE:
        return "setup:?"
    if PLAY <= action < TOKEN and string.endswith("down"):
        _, _, tent, side = string.split(":")
        return f"play:?:{tent}:{side}"
    if TOKEN <= action < DIRECT:
        _, _, citizen, distance = string.split(":")
        return f"token:?:{citizen}:{distance}"
    if RETURN <= action < END:
        return "return:?"
    return string
