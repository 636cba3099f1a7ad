"""Piles of cards, Prizes or tokens: the last item is the top, the next one taken."""

from __future__ import annotations

from carnival_envs.core.chance import Words, shuffle
from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel


@kernel
def push(pile: Record, item: int) -> None:
    """Put an item on top."""
    pile.items[pile.height] = item
    pile.height += 1


@kernel
def pop(pile: Record) -> int:
    """Take the top item."""
    pile.height -= 1
    item = int(pile.items[pile.height])
    pile.items[pile.height] = 0
    return item


@kernel
def top(pile: Record) -> int:
    """The top item, which stays."""
    return int(pile.items[pile.height - 1])


@kernel
def clear(pile: Record) -> None:
    """Remove everything."""
    while pile.height > 0:
        pop(pile)


@kernel
def shuffle_into(chance: Words, members: int, pile: Record) -> None:
    """Make an empty pile of a set: in ascending order, then shuffled."""
    item = 0
    while members:
        if members & 1:
            push(pile, item)
        members >>= 1
        item += 1
    shuffle(chance, pile.items, pile.height)
