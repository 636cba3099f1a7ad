"""The end of a day: counting the tents and the parade, and the new day."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import (
    ALL_VALUES,
    NO_CARD,
    NOBODY,
    NUM_TENTS,
    NUM_VALUES,
    WON,
)
from carnival_envs.games.carnavalo.tents import owner_of, value_of
from carnival_envs.games.carnavalo.tokens import open_parade_token, open_tent_token
from carnival_envs.games.carnavalo.totals import parade_totals, single_highest, tent_totals


@kernel
def day_is_over(rules: Record, s: Record) -> bool:
    """Whether the parade is full or enough hands are empty."""  # O-46
    return bool(s.parade_size >= rules.parade_to_end_day or empty_hands(rules, s) >= rules.empty_hands_to_end_day)


@kernel
def empty_hands(rules: Record, s: Record) -> int:
    """How many players hold no card, wherever theirs are."""  # O-R24
    count = 0
    for player in range(rules.num_players):
        count += s.players[player].hand_size == 0
    return count


@kernel
def count_day(rules: Record, s: Record) -> None:
    """Show all cards, then count the tents one by one and the parade."""  # O-50
    for t in range(NUM_TENTS):
        s.tents[t].face_down = 0
        count_tent(rules, s, t)
    count_parade(rules, s)
    s.floats_left -= 1  # bought or removed, O-66


@kernel
def count_tent(rules: Record, s: Record, t: int) -> None:
    """The first wins his disc, and the second the open token; or the first takes the token."""
    totals = tent_totals(rules, s, t)
    first = single_highest(rules, totals, NOBODY)
    if first == NOBODY:
        return
    if s.players[first].discs[t] == WON:
        take_tent_token(s, t, first)  # O-53
        return
    s.players[first].discs[t] = WON  # O-52
    second = single_highest(rules, totals, first)
    if second != NOBODY:
        take_tent_token(s, t, second)  # O-54


@kernel
def take_tent_token(s: Record, t: int, player: int) -> None:
    """Take the open token beside a tent."""  # O-56
    tent = s.tents[t]
    s.players[player].won_tent_tokens[open_tent_token(tent)] += 1
    tent.tokens_left -= 1
    tent.tokens[tent.tokens_left] = 0


@kernel
def count_parade(rules: Record, s: Record) -> None:
    """The first must buy a float, and the second takes the open token; or the first takes the token."""
    totals = parade_totals(s)
    first = single_highest(rules, totals, NOBODY)
    if first == NOBODY:
        return
    if s.players[first].owns_float:
        take_parade_token(s, first)  # O-59
        return
    s.players[first].owns_float = 1  # O-58
    second = single_highest(rules, totals, first)
    if second != NOBODY:
        take_parade_token(s, second)  # O-60


@kernel
def take_parade_token(s: Record, player: int) -> None:
    """Take the open token of the parade."""  # O-56
    s.players[player].won_parade_tokens[open_parade_token(s)] += 1
    s.parade_tokens_left -= 1
    s.parade_tokens[s.parade_tokens_left] = 0


@kernel
def take_cards_back(rules: Record, s: Record) -> None:
    """All cards return to their owners' hands, but for the one in the middle."""  # O-62, O-63
    for t in range(NUM_TENTS):
        tent = s.tents[t]
        tent.cards[: tent.height] = NO_CARD
        tent.height = 0
    s.parade[:] = NO_CARD
    s.parade_size = 0
    for player in range(rules.num_players):
        s.players[player].hand = ALL_VALUES
        s.players[player].hand_size = NUM_VALUES
    if s.middle != NO_CARD:
        me = s.players[owner_of(s.middle)]
        me.hand -= 1 << value_of(s.middle)
        me.hand_size -= 1


@kernel
def somebody_has_enough_discs(rules: Record, s: Record) -> bool:
    """Whether some player has won as many discs as end the game."""  # O-68
    most = 0
    for player in range(rules.num_players):
        most = max(most, num_won_discs(s.players[player]))
    return bool(most >= rules.discs_to_end)


@kernel
def num_won_discs(me: Record) -> int:
    """How many of his discs a player has won."""
    count = 0
    for t in range(NUM_TENTS):
        count += me.discs[t] == WON
    return count
