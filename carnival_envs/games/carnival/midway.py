"""What a Midway tells: counts, complete attractions, and which cards may go from one Midway to another."""

from __future__ import annotations

import numpy as np

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.state import (
    ALL_PARTS,
    CARDS_TO_COMPLETE,
    NUM_ATTRACTIONS,
    NUM_PARTS,
    NUM_SLOTS,
    WILD_BIT,
    WILD_SLOT,
)

_ALL_SLOTS = (1 << NUM_SLOTS) - 1
_PARTS_IN_SET = np.array([parts.bit_count() for parts in range(1 << NUM_PARTS)], dtype=np.int64)


@kernel
def count(midway: Record, attraction: int) -> int:
    """The cards on an attraction, parts and Wilds."""
    return int(_PARTS_IN_SET[midway.parts[attraction]] + midway.wilds[attraction])


@kernel
def established(midway: Record, attraction: int) -> bool:
    """Whether a part card lies on the attraction (C-R36)."""
    return bool(midway.parts[attraction] != 0)


@kernel
def complete(midway: Record, attraction: int) -> bool:
    """Whether the attraction is complete; of four cards at most three are Wilds, so it is established."""
    return count(midway, attraction) == CARDS_TO_COMPLETE


@kernel
def natural(midway: Record, attraction: int) -> bool:
    """Whether the attraction is a natural set, which is locked (C-6)."""
    return bool(midway.parts[attraction] == ALL_PARTS)


@kernel
def eligible(midway: Record, attraction: int) -> bool:
    """Whether a Wild may be put on the attraction."""
    return established(midway, attraction) and not complete(midway, attraction)


@kernel
def num_eligible(midway: Record) -> int:
    """How many attractions a Wild may be put on."""
    number = 0
    for attraction in range(NUM_ATTRACTIONS):
        if eligible(midway, attraction):
            number += 1
    return number


@kernel
def first_eligible(midway: Record) -> int:
    """The first attraction that a Wild may be put on; there must be one."""
    attraction = 0
    while not eligible(midway, attraction):
        attraction += 1
    return attraction


@kernel
def num_complete(midway: Record) -> int:
    """How many attractions are complete."""
    number = 0
    for attraction in range(NUM_ATTRACTIONS):
        if complete(midway, attraction):
            number += 1
    return number


@kernel
def lone_wilds(midway: Record, attraction: int) -> int:
    """How many Wilds lie on an attraction without a part card (C-9)."""
    return 0 if established(midway, attraction) else int(midway.wilds[attraction])


@kernel
def card_bit(attraction: int, slot: int) -> int:
    """The bit of a card in a set of a Midway's cards."""
    return 1 << (NUM_SLOTS * attraction + slot)


@kernel
def movable_parts(giver: Record, receiver: Record, attraction: int) -> int:
    """The parts of an attraction that may go from one Midway to another, as a set: C-4, C-6, C-R26."""
    if natural(giver, attraction) or complete(receiver, attraction):
        return 0
    return int(giver.parts[attraction] & ~receiver.parts[attraction])


@kernel
def movable_cards(giver: Record, receiver: Record) -> int:
    """C-27, and C-28 but for the card just taken: what may go from one Midway to another, as a set of cards."""
    cards = 0
    for attraction in range(NUM_ATTRACTIONS):
        slots = movable_parts(giver, receiver, attraction)
        if giver.wilds[attraction] > 0:
            slots |= WILD_BIT
        cards |= slots << (NUM_SLOTS * attraction)
    return cards


@kernel
def tradeable_cards(taker: Record, target: Record, goal: int) -> int:
    """C-29: what may be taken in a Midway Trade, as a set of cards.

    A card may be taken if it wins, or if a return card exists afterwards. The take changes one attraction only, so
    every other one is as returnable as before.
    """
    movable = movable_cards(target, taker)
    returnable = movable_cards(taker, target)
    done = num_complete(taker)
    cards = 0
    for attraction in range(NUM_ATTRACTIONS):
        elsewhere = returnable & ~(_ALL_SLOTS << (NUM_SLOTS * attraction))
        for slot in range(NUM_SLOTS):
            card = card_bit(attraction, slot)
            if movable & card and (
                elsewhere
                or returnable_after_take(taker, target, attraction, slot)
                or (done == goal - 1 and completes(taker, attraction, slot))
            ):
                cards |= card
    return cards


@kernel
def returnable_after_take(taker: Record, target: Record, attraction: int, slot: int) -> bool:
    """C-28: whether the attraction of the card taken would have a return card; the target's is not full any more."""
    if taker.wilds[attraction] > 0:
        return True
    taken = 0 if slot == WILD_SLOT else 1 << slot
    locked = taker.parts[attraction] | taken == ALL_PARTS
    return not locked and taker.parts[attraction] & ~target.parts[attraction] != 0


@kernel
def completes(taker: Record, attraction: int, slot: int) -> bool:
    """Whether a taken card can complete an attraction: a part its own, a Wild any eligible one."""
    if slot != WILD_SLOT:
        return count(taker, attraction) == CARDS_TO_COMPLETE - 1
    for home in range(NUM_ATTRACTIONS):
        if established(taker, home) and count(taker, home) == CARDS_TO_COMPLETE - 1:
            return True
    return False
