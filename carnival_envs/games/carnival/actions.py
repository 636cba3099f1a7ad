"""The actions of Carnival: one canonical string per index, and the indices by name (section 9)."""

from __future__ import annotations

from itertools import accumulate, combinations, combinations_with_replacement, permutations

import numpy as np

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.state import (
    ATTRACTIONS,
    CARDS,
    FACES,
    MAX_PLAYERS,
    NUM_FACES,
    PARTS,
    SLOTS,
    TABLEAU,
    TARGETED,
    WILD_SLOT,
)

ASSIGNMENTS = tuple(combinations_with_replacement(FACES, 2))
DECLARATIONS = tuple(
    (action, offset)
    for action in range(len(TABLEAU))
    for offset in (range(1, MAX_PLAYERS) if action in TARGETED else range(1))
)
OPENINGS = (*combinations(range(len(PARTS)), 2), *((part, WILD_SLOT) for part in range(len(PARTS))))
MOVES = tuple(permutations(range(len(ATTRACTIONS)), 2))


def _declaration(action: int, offset: int) -> str:
    return f"do:{TABLEAU[action]}" + (f":+{offset}" if offset else "")


_MIDWAY_CARDS = [f"{attraction}:{slot}" for attraction in ATTRACTIONS for slot in SLOTS]

LAYOUT: dict[str, list[str]] = {
    "discard": [f"discard:{card}" for card in CARDS],
    "give": [f"give:{card}" for card in CARDS],
    "roll": ["roll"],
    "swap_hand": ["swap:hand"],
    "swap": [f"swap:{attraction}" for attraction in ATTRACTIONS],
    "swap_done": ["swap_done"],
    "assign": [f"assign:{low}+{high}" for low, high in ASSIGNMENTS],
    "do": [_declaration(action, offset) for action, offset in DECLARATIONS],
    "forfeit": ["forfeit"],
    "take": [f"take:{card}" for card in _MIDWAY_CARDS],
    "allow": ["allow"],
    "block": ["block"],
    "place": [f"place:{attraction}" for attraction in ATTRACTIONS],
    "hand_over": [f"hand_over:{card}" for card in _MIDWAY_CARDS],
    "start": [f"start:{attraction}:{SLOTS[p]}+{SLOTS[q]}" for attraction in ATTRACTIONS for p, q in OPENINGS],
    "play": [f"play:{attraction}:{part}" for attraction in ATTRACTIONS for part in PARTS],
    "wild": [f"wild:{attraction}" for attraction in ATTRACTIONS],
    "reassign": [f"reassign:{ATTRACTIONS[a]}:{ATTRACTIONS[b]}" for a, b in MOVES],
    "end_build": ["end_build"],
}
"""Every block of actions, in index order."""

ACTIONS: tuple[str, ...] = tuple(action for block in LAYOUT.values() for action in block)
"""The canonical string of every action, by index."""

HIDDEN_FORMS = ("give:?",)
"""What others see of actions that they can't know in full."""

_FIRST = dict(zip(LAYOUT, accumulate((len(block) for block in LAYOUT.values()), initial=0), strict=False))

# The first index of every block. Within a block the order is that of the tables above.
DISCARD = _FIRST["discard"]
GIVE = _FIRST["give"]
ROLL = _FIRST["roll"]
SWAP_HAND = _FIRST["swap_hand"]
SWAP = _FIRST["swap"]
SWAP_DONE = _FIRST["swap_done"]
ASSIGN = _FIRST["assign"]
DO = _FIRST["do"]
FORFEIT = _FIRST["forfeit"]
TAKE = _FIRST["take"]
ALLOW = _FIRST["allow"]
BLOCK = _FIRST["block"]
PLACE = _FIRST["place"]
HAND_OVER = _FIRST["hand_over"]
START = _FIRST["start"]
PLAY = _FIRST["play"]
PLAY_WILD = _FIRST["wild"]
REASSIGN = _FIRST["reassign"]
END_BUILD = _FIRST["end_build"]

HIDDEN_GIVE = len(ACTIONS)

NUM_DECLARATIONS = len(DECLARATIONS)
NUM_OPENINGS = len(OPENINGS)
NUM_MOVES = len(MOVES)

# The tables as arrays, for compiled code.
ASSIGNED_LOW, ASSIGNED_HIGH = np.array(ASSIGNMENTS, dtype=np.int64).T.copy()
DECLARED_ACTION, DECLARED_OFFSET = np.array(DECLARATIONS, dtype=np.int64).T.copy()
OPENING_FIRST, OPENING_SECOND = np.array(OPENINGS, dtype=np.int64).T.copy()
MOVE_FROM, MOVE_TO = np.array(MOVES, dtype=np.int64).T.copy()

_ASSIGN_OF_PAIR = np.zeros((NUM_FACES + 1, NUM_FACES + 1), dtype=np.int64)
for _index, (_low, _high) in enumerate(ASSIGNMENTS):
    _ASSIGN_OF_PAIR[_low, _high] = _ASSIGN_OF_PAIR[_high, _low] = ASSIGN + _index


@kernel
def assign_action(face: int, other: int) -> int:
    """The action that assigns two dice."""
    return int(_ASSIGN_OF_PAIR[face, other])


@kernel
def public_action(rules: Record, s: Record, action: int) -> int:
    """An action as the others see it: a card given from hand to hand stays face down (section 10)."""
    return HIDDEN_GIVE if GIVE <= action < ROLL else action
