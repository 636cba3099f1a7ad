"""Tally, tie-breaks, solo places (E-40 to E-46, E-53 to E-56)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalesco.dice import color_set, dice_in_colors, is_complete, is_on
from carnival_envs.games.carnavalesco.elements import PERFECT, element_step
from carnival_envs.games.carnavalesco.state import (
    BOARD_SPACES,
    CHAMPIONSHIP,
    COSTUMES,
    DRUMS,
    EASIEST,
    FIRST,
    FLAG_BEARER,
    FLOATS,
    HARDEST,
    HARMONY,
    LOWEST_SUM,
    MID,
    NUM_ELEMENTS,
    RELEGATED,
    SAMBA,
    SECOND,
    STORYLINE,
)

# Room of each tie-break in the rank key: more than its largest value.
TOKENS_ROOM = 16
FLAG_BEARER_ROOM = 16
COLOR_DICE_ROOM = 64

MAX_TOTAL = 90
"""Nine elements of 10."""


@kernel
def earns_token(rules: Record, me: Record, element: int) -> bool:
    """Whether an element is certain to be perfect at the end (E-40 to E-43)."""
    if not is_complete(me, element):
        return False
    if element == DRUMS and not is_complete(me, HARMONY):
        return False
    if element == SAMBA and me.placed < BOARD_SPACES:
        return False
    return element_step(rules, me, element) == PERFECT


@kernel
def update_tokens(rules: Record, me: Record, changed: int, die: int) -> None:
    """Give the tokens that a die placed on an element has made certain (E-40).

    Only that element and those that look at others can have become perfect.
    """
    update_token(rules, me, changed)
    if is_on(me, STORYLINE, die):
        update_token(rules, me, STORYLINE)
    if changed == FLOATS:
        update_token(rules, me, COSTUMES)
    if changed == HARMONY:
        update_token(rules, me, DRUMS)
    if me.placed == BOARD_SPACES:
        update_token(rules, me, SAMBA)


@kernel
def update_token(rules: Record, me: Record, element: int) -> None:
    """A token once earned is never lost (E-44)."""
    if not me.tokens[element] and earns_token(rules, me, element):
        me.tokens[element] = 1


@kernel
def tally(rules: Record, me: Record) -> None:
    """Score the nine elements of a full board, in order (E-45)."""
    for element in range(NUM_ELEMENTS):
        step = element_step(rules, me, element)
        me.bases[element] = rules.base_scores[me.division, me.sums[element] - LOWEST_SUM]
        me.bonuses[element] = 0 if step == PERFECT else step
        me.scores[element] = element_score(rules, me.bases[element], step)


@kernel
def element_score(rules: Record, base: int, step: int) -> int:
    """10 for a perfect element, else base and bonus, at most 10 (E-19, E-20)."""
    if step == PERFECT:
        return int(rules.perfect_score)
    return min(int(rules.max_element_score), base + step)


@kernel
def total(me: Record) -> int:
    """The sum of the nine scores of a tallied board (E-45)."""
    points = 0
    for element in range(NUM_ELEMENTS):
        points += me.scores[element]
    return points


@kernel
def final_score(me: Record) -> int:
    """Total less counters (E-53)."""
    return total(me) - me.counters


@kernel
def number_of_tokens(me: Record) -> int:
    """First tie-break (E-46)."""
    number = 0
    for element in range(NUM_ELEMENTS):
        number += me.tokens[element]
    return number


@kernel
def color_dice(me: Record) -> int:
    """Third tie-break: dice of the whole board in a color of the Flag-Bearer's dice (E-46, E-R33)."""
    return dice_in_colors(me, color_set(me, FLAG_BEARER))


@kernel
def score(rules: Record, s: Record, player: int) -> int:
    """The final score of a seat whose board is tallied."""
    return final_score(s.players[player])


@kernel
def rank_key(rules: Record, s: Record, player: int) -> int:
    """Final score, tokens, Flag-Bearer score, color dice, in this order (E-46, E-R47)."""
    me = s.players[player]
    key = final_score(me) * TOKENS_ROOM + number_of_tokens(me)
    key = key * FLAG_BEARER_ROOM + me.scores[FLAG_BEARER]
    return key * COLOR_DICE_ROOM + color_dice(me)


@kernel
def solo_place(rules: Record, final: int) -> int:
    """The place of a solo parade (E-54)."""
    if final >= rules.first_min:
        return FIRST
    if final >= rules.second_min:
        return SECOND
    if final <= rules.relegated_max:
        return RELEGATED
    return MID


@kernel
def next_division(division: int, place: int) -> int:
    """Up for a first or second place, down when relegated, within D and S (E-55)."""
    if place in (FIRST, SECOND):
        return min(division + 1, HARDEST)
    if place == RELEGATED:
        return max(division - 1, EASIEST)
    return division


@kernel
def single_player_won(rules: Record, s: Record) -> bool:
    """A first place; in a campaign the championship (section 12)."""
    if rules.campaign:
        return bool(s.end_reason == CHAMPIONSHIP)
    return solo_place(rules, final_score(s.players[0])) == FIRST


@kernel
def single_player_return(rules: Record, s: Record) -> float:
    """The share of 90 points; in a campaign the share of parades saved by the championship (section 12)."""
    if not rules.campaign:
        return final_score(s.players[0]) / MAX_TOTAL
    if s.end_reason != CHAMPIONSHIP:
        return 0.0
    return (rules.max_parades - s.parade + 1) / rules.max_parades
