"""Cards, and the piles of cards in the tents.

A card is a number: owner and value together. Its value may be unknown, which is how an opponent's face-down card
looks to a player.
"""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import BARRICADOL, NO_CARD

VALUE_BITS = 3
UNKNOWN_VALUE = 0


@kernel
def card(owner: int, value: int) -> int:
    """The code of a card; never ``NO_CARD``."""
    return (owner + 1) << VALUE_BITS | value


@kernel
def owner_of(card: int) -> int:
    """The seat that a card belongs to; ``NOBODY`` for ``NO_CARD``."""
    return (card >> VALUE_BITS) - 1


@kernel
def value_of(card: int) -> int:
    """The value of a card: 1..5, or ``UNKNOWN_VALUE``."""
    return card & ((1 << VALUE_BITS) - 1)


@kernel
def podium_card(tent: Record) -> int:
    """The top card of a tent, which is face up; ``NO_CARD`` in an empty tent."""
    return tent.cards[tent.height - 1] if tent.height > 0 else NO_CARD


@kernel
def podium_holder(tent: Record) -> int:
    """The owner of the podium card; ``NOBODY`` in an empty tent."""
    return owner_of(podium_card(tent))


@kernel
def is_blocked(rules: Record, s: Record, tent: int) -> bool:
    """Whether Barricadol stands on a tent: no card enters or leaves it."""  # O-43
    return bool(s.citizens[BARRICADOL] == rules.tent_spaces[tent])


@kernel
def is_face_up(tent: Record, place: int) -> bool:
    """Whether the card at a place of the pile, counted from the bottom, lies face up."""
    return bool(place >= tent.face_down)


@kernel
def lay_on_top(tent: Record, card: int) -> None:
    """Lay a card face up on a tent's pile: it is the podium card."""
    tent.cards[tent.height] = card
    tent.height += 1


@kernel
def slide_under(tent: Record, card: int) -> None:
    """Slide a card face down under a tent's pile."""
    for place in range(tent.height, 0, -1):
        tent.cards[place] = tent.cards[place - 1]
    tent.cards[0] = card
    tent.height += 1
    tent.face_down += 1


@kernel
def take_podium_card(tent: Record) -> int:
    """Take the top card off a tent's pile; the next one is turned face up."""
    taken = podium_card(tent)
    tent.height -= 1
    tent.cards[tent.height] = NO_CARD
    tent.face_down = min(tent.face_down, max(tent.height - 1, 0))
    return taken


@kernel
def take_bottom_card(tent: Record) -> int:
    """Pull out the bottom card of a tent's pile."""
    taken: int = tent.cards[0]
    tent.height -= 1
    for place in range(tent.height):
        tent.cards[place] = tent.cards[place + 1]
    tent.cards[tent.height] = NO_CARD
    tent.face_down = max(tent.face_down - 1, 0)
    return taken
