"""Deck, discard pile and hands: where cards lie that are on no Midway."""

from __future__ import annotations

from carnival_envs.core.chance import Words, below, shuffle
from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.state import EMPTY, NONE


@kernel
def discard(s: Record, kind: int) -> None:
    """Put a card face up on the discard pile."""
    s.discard[s.discard_size] = kind
    s.discard_size += 1


@kernel
def take_top_discard(s: Record) -> int:
    """Take the top card of the discard pile, which has one."""
    s.discard_size -= 1
    kind = int(s.discard[s.discard_size])
    s.discard[s.discard_size] = EMPTY
    return kind


@kernel
def can_draw(s: Record) -> bool:
    """Whether a card can be drawn from the deck, after a reshuffle if need be (C-R15)."""
    return bool(s.deck_size > 0 or s.discard_size > 0)


@kernel
def draw(s: Record, chance: Words) -> int:
    """C-61: the top card of the deck, after a reshuffle if the deck is empty; a card can be drawn."""
    if s.deck_size == 0:
        reshuffle(s, chance)
    return take_from_deck(s)


@kernel
def take_from_deck(s: Record) -> int:
    """Take the top card of the deck, which has one."""
    s.deck_size -= 1
    kind = int(s.deck[s.deck_size])
    s.deck[s.deck_size] = EMPTY
    return kind


@kernel
def reshuffle(s: Record, chance: Words) -> None:
    """C-61: the whole discard pile, in its order, becomes the deck and is shuffled."""
    size = int(s.discard_size)
    for i in range(size):
        s.deck[i] = s.discard[i]
        s.discard[i] = EMPTY
    s.deck_size = size
    s.discard_size = 0
    shuffle(chance, s.deck, size)


@kernel
def top_discard(s: Record) -> int:
    """The kind on top of the discard pile, or ``NONE``."""
    return int(s.discard[s.discard_size - 1]) if s.discard_size > 0 else NONE


@kernel
def add_to_hand(me: Record, kind: int) -> None:
    """A card comes into a hand."""
    me.hand[kind] += 1
    me.hand_size += 1


@kernel
def remove_from_hand(me: Record, kind: int) -> None:
    """A card leaves a hand."""
    me.hand[kind] -= 1
    me.hand_size -= 1


@kernel
def discard_from_hand(s: Record, me: Record, kind: int) -> None:
    """A card of a hand goes face up on the discard pile."""
    remove_from_hand(me, kind)
    discard(s, kind)


@kernel
def random_card(me: Record, chance: Words) -> int:
    """C-63: the kind of a random card of a hand that has one."""
    index = below(chance, int(me.hand_size))
    kind = 0
    while index >= me.hand[kind]:
        index -= me.hand[kind]
        kind += 1
    return kind
