"""The actions of Carnavalo: their strings, their indices, and what others may read of them (section 9)."""

from __future__ import annotations

from itertools import accumulate

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import (
    CITIZENS,
    DOWN,
    MAX_RING,
    NUM_CITIZENS,
    NUM_TENTS,
    NUM_VALUES,
    SIDES,
)

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

HIDDEN_BLOCKS = (
    ["setup:?"],
    [f"play:?:{tent}:down" for tent in TENTS],
    [f"token:?:{citizen}:{distance}" for citizen in CITIZENS for distance in DISTANCES],
    ["return:?"],
)

HIDDEN_FORMS: tuple[str, ...] = tuple(string for block in HIDDEN_BLOCKS for string in block)
"""What others see of actions that they can't know in full."""

HIDDEN_SETUP, HIDDEN_PLAY, HIDDEN_TOKEN, HIDDEN_RETURN = accumulate(
    (len(block) for block in HIDDEN_BLOCKS[:-1]), initial=len(ACTIONS)
)
"""The first form of each block."""


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


@kernel
def public_action(rules: Record, s: Record, action: int) -> int:
    """An action as the other players see it: without values of hidden cards and without hidden tokens."""
    if action < MOVE:
        return HIDDEN_SETUP
    if PLAY <= action < TOKEN and (action - PLAY) % len(SIDES) == DOWN:
        return HIDDEN_PLAY + (action - PLAY) // len(SIDES) % NUM_TENTS
    if TOKEN <= action < DIRECT:
        return HIDDEN_TOKEN + (action - TOKEN) % (NUM_CITIZENS * MAX_RING)
    if RETURN <= action < END:
        return HIDDEN_RETURN
    return action
