"""Who is ahead in a tent or in the parade.

The totals of all players are packed into one number, a byte for each seat, so that the cards are gone through once.
"""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import NOBODY
from carnival_envs.games.carnavalo.tents import owner_of, value_of

TOTAL_BITS = 8
TOTAL_MASK = (1 << TOTAL_BITS) - 1


@kernel
def as_total(player: int, value: int) -> int:
    """A value that counts for one player; add it to packed totals."""
    return value << (TOTAL_BITS * player)


@kernel
def total_of(totals: int, player: int) -> int:
    """The total of one player."""
    return totals >> (TOTAL_BITS * player) & TOTAL_MASK


@kernel
def card_total(card: int) -> int:
    """The value of a card, for its owner."""
    return as_total(owner_of(card), value_of(card))


@kernel
def tent_totals(rules: Record, s: Record, t: int) -> int:
    """The totals in a tent: values of the cards, face up or down, and spaces of the discs."""  # O-51
    tent = s.tents[t]
    totals = 0
    for place in range(tent.height):
        totals += card_total(tent.cards[place])
    for player in range(rules.num_players):
        totals += as_total(player, max(s.players[player].discs[t], 0))
    return totals


@kernel
def parade_totals(s: Record) -> int:
    """The totals in the parade: values of the cards."""  # O-57
    totals = 0
    for place in range(s.parade_size):
        totals += card_total(s.parade[place])
    return totals


@kernel
def single_highest(rules: Record, totals: int, left_out: int) -> int:
    """The one player with the highest total among all but ``left_out``; ``NOBODY`` if tied or 0."""  # O-55, O-61
    leader = NOBODY
    highest = 0  # O-R26
    for player in range(rules.num_players):
        total = total_of(totals, player) if player != left_out else NOBODY
        leader = player if total > highest else (NOBODY if total == highest else leader)
        highest = max(highest, total)
    return leader
