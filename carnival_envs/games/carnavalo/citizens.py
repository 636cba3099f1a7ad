"""The special citizens: Prince Carnival, Miss Carnavalo and Barricadol."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import (
    LAST_DISC_SPACE,
    MISS,
    NO_CARD,
    NO_TENT,
    NUM_SPACES,
    PRINCE,
    WON,
)
from carnival_envs.games.carnavalo.tents import (
    is_blocked,
    lay_on_top,
    owner_of,
    take_bottom_card,
    take_podium_card,
)


@kernel
def walk(rules: Record, s: Record, citizen: int, distance: int) -> None:
    """Move a citizen clockwise by a number of spaces."""  # O-17, O-22
    space = s.citizens[citizen] + distance
    arrive(rules, s, citizen, space if space < NUM_SPACES else space - NUM_SPACES)


@kernel
def arrive(rules: Record, s: Record, citizen: int, space: int) -> None:
    """End a citizen's movement on a space; in a tent he acts, at once."""  # O-23
    s.citizens[citizen] = space
    tent = rules.tent_at[space]
    if tent == NO_TENT or is_blocked(rules, s, tent):  # O-45; Barricadol does nothing but stand there, O-43
        return
    if citizen == PRINCE:
        send_podium_card_to_parade(s, tent)
    elif citizen == MISS:
        exchange_middle_card(s, tent)


@kernel
def send_podium_card_to_parade(s: Record, t: int) -> None:
    """Prince Carnival: the podium card joins the parade, and its owner's disc goes forward."""  # O-37..O-39
    tent = s.tents[t]
    if tent.height == 0:  # O-R11
        return
    sent = take_podium_card(tent)
    s.parade[s.parade_size] = sent
    s.parade_size += 1
    advance_disc(s, owner_of(sent), t)


@kernel
def exchange_middle_card(s: Record, t: int) -> None:
    """Miss Carnavalo: the middle card is laid on top, then the bottom card goes to the middle."""  # O-40
    tent = s.tents[t]
    if s.middle != NO_CARD:
        lay_on_top(tent, s.middle)
        s.middle = NO_CARD
    if tent.height > 0:  # O-R12
        s.middle = take_bottom_card(tent)


@kernel
def advance_disc(s: Record, player: int, tent: int) -> None:
    """Move a disc 1 space forward, if it is still there and not on the last space."""  # O-31, O-38, O-R10
    me = s.players[player]
    if me.discs[tent] != WON and me.discs[tent] < LAST_DISC_SPACE:
        me.discs[tent] += 1
