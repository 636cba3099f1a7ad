"""The baseline bot: one ply ahead on a potential of the own board (section 15).

Potentials are in hundredths of a point. Each element counts its *defects*, in tenths of a die: how far its dice are
from the main condition.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalesco.actions import COLOR, DIVISION, PLACE_DIE, TAKE_DIE
from carnival_envs.games.carnavalesco.dice import (
    BITS,
    COUNT,
    color_histogram,
    color_of,
    color_set,
    colors_and_values_except,
    common_dice,
    different,
    elements_with,
    insert_die,
    kinds_on,
    largest,
    largest_kind,
    remove_die,
    set_size,
    stands_out,
    value_histogram,
    value_of,
    value_set,
)
from carnival_envs.games.carnavalesco.elements import RUNS_OF_4, samba_step
from carnival_envs.games.carnavalesco.rules import restrictions_broken_by
from carnival_envs.games.carnavalesco.state import (
    BOARD_SPACES,
    CHOOSE_COLORS,
    CHOOSE_DIVISION,
    COSTUMES,
    DRUMS,
    EASIEST,
    FLAG_BEARER,
    FLOATS,
    HARMONY,
    NUM_COLORS,
    NUM_ELEMENTS,
    NUM_KINDS,
    NUM_VALUES,
    PROGRESSION,
    SAMBA,
    SPACES,
    STORYLINE,
    TAKE,
    VANGUARD,
)

PER_DIE = 150
PER_DEFECT = 20
MAX_DEFECTS = 40
PER_SUM = 6
PERFECT_BONUS = 200
COUNTER_COST = 100

DIE = 10  # defects of a die that does not fit
HALF_DIE = 5
LOST_FLOAT = 4  # a Costumes die that Parade Floats & Props can still match
COLOR_OF_SAMBA = 2  # each color of the Samba Theme Song beyond the first

WORST = -(1 << 30)

Potentials = npt.NDArray[np.int64]
"""The potentials of the nine elements."""


@kernel
def greedy(rules: Record, view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The action of the baseline bot; ties go to the lowest kind, then the lowest element."""
    if view.phase == CHOOSE_DIVISION:
        return DIVISION + EASIEST
    if view.phase == CHOOSE_COLORS:
        return lowest_color(mask)
    me = view.players[player]
    before = np.empty(NUM_ELEMENTS, np.int64)
    for element in range(NUM_ELEMENTS):
        before[element] = potential(rules, me, element)
    if view.phase == TAKE:
        return TAKE_DIE + best_kind(rules, view, me, before)
    element, _ = best_element(rules, view, me, before, view.hand, colors_and_values_except(me, SAMBA))
    return PLACE_DIE + element


@kernel
def lowest_color(mask: Mask) -> int:
    """The first color that is not chosen yet."""
    action = COLOR
    while mask[action] == 0:
        action += 1
    return action


@kernel
def best_kind(rules: Record, view: Record, me: Record, before: Potentials) -> int:
    """The kind of the pair of a kind in the pool and a free element with the greatest gain."""
    seen = colors_and_values_except(me, SAMBA)
    best, best_gain = 0, WORST
    for kind in range(NUM_KINDS):
        if view.pool[kind] == 0:
            continue
        _, gain = best_element(rules, view, me, before, kind, seen)
        if gain > best_gain:
            best, best_gain = kind, gain
    return best


@kernel
def best_element(rules: Record, view: Record, me: Record, before: Potentials, die: int, seen: int) -> tuple[int, int]:
    """The free element on which a die gains most, and how much."""
    best, best_gain = 0, WORST
    for element in range(NUM_ELEMENTS):
        if me.count[element] == SPACES:
            continue
        gain = gain_of(rules, view, me, before, die, element, seen)
        if gain > best_gain:
            best, best_gain = element, gain
    return best, best_gain


@kernel
def gain_of(rules: Record, view: Record, me: Record, before: Potentials, die: int, element: int, seen: int) -> int:
    """What a die on an element changes in the sum of the nine potentials; solo less its counters.

    Only the potentials that can change are looked at. ``seen`` is what lies outside the Samba Theme Song.
    """
    samba = element != SAMBA and me.count[SAMBA] > 0 and stands_out(die, seen)
    storyline = element != STORYLINE and me.count[STORYLINE] > 0 and touches_storyline(me, die, element)
    insert_die(me, element, die)
    gain = rise(rules, me, before, element)
    if storyline:
        gain += rise(rules, me, before, STORYLINE)
    if samba:
        gain += rise(rules, me, before, SAMBA)
    if element == FLOATS:
        gain += rise(rules, me, before, COSTUMES)
    if element == HARMONY:
        gain += rise(rules, me, before, DRUMS)
    remove_die(me, element, die)
    if rules.num_players == 1:
        gain -= COUNTER_COST * counters_of(rules, view, die, element)
    return gain


@kernel
def rise(rules: Record, me: Record, before: Potentials, element: int) -> int:
    """What the potential of an element has gained."""
    return potential(rules, me, element) - before[element]


@kernel
def touches_storyline(me: Record, die: int, element: int) -> bool:
    """Whether a die elsewhere tells a new kind of the Storyline, or completes the last of the other elements."""
    if completes_others(me, element):
        return True
    for i in range(me.count[STORYLINE]):
        if me.dice[STORYLINE, i] == die:
            return elements_with(me, die, STORYLINE) == 0
    return False


@kernel
def completes_others(me: Record, element: int) -> bool:
    """Whether one more die on an element completes all elements but the Storyline."""
    return bool(me.placed - me.count[STORYLINE] + 1 == BOARD_SPACES - SPACES and element != STORYLINE)


@kernel
def counters_of(rules: Record, view: Record, die: int, element: int) -> int:
    """How many counters a die on an element would cost in this solo round (E-52)."""
    view.pick_die[view.picks] = die
    view.pick_element[view.picks] = element
    broken = restrictions_broken_by(rules, view, die, element, view.picks + 1)
    view.pick_die[view.picks] = 0
    view.pick_element[view.picks] = 0
    return broken


@kernel
def potential(rules: Record, me: Record, element: int) -> int:
    """The worth of an element as it stands."""
    count = me.count[element]
    missing = defects(rules, me, element) if count else 0
    points = PER_DIE * count - PER_DEFECT * min(MAX_DEFECTS, missing) + PER_SUM * me.sums[element]
    return points + PERFECT_BONUS if count == SPACES and missing == 0 else points


@kernel
def defects(rules: Record, me: Record, element: int) -> int:
    """How far the dice of an element are from its main condition."""
    count = me.count[element]
    if element == VANGUARD:
        return vanguard_defects(rules, me, count)
    if element == FLAG_BEARER:
        return flag_bearer_defects(rules, me, count)
    if element == STORYLINE:
        return storyline_defects(me, count)
    if element == FLOATS:
        return floats_defects(me, count)
    if element == COSTUMES:
        unmatched = count - common_dice(me, COSTUMES, FLOATS)
        free = SPACES - me.count[FLOATS]
        return DIE * max(0, unmatched - free) + LOST_FLOAT * min(unmatched, free)
    if element == PROGRESSION:
        return DIE * (count - longest_start_of_run(value_set(me, PROGRESSION)))
    if element == HARMONY:
        return DIE * (count - largest_kind(me, HARMONY))
    if element == DRUMS:
        clash = value_set(me, DRUMS) & value_set(me, HARMONY) != 0
        return DIE * (count - largest(value_histogram(me, DRUMS))) + DIE * clash
    return samba_defects(me, count)


@kernel
def vanguard_defects(rules: Record, me: Record, count: int) -> int:
    """Dice off the main color; a sum that can no longer be in bounds."""
    missing = SPACES - count
    lowest, highest = me.sums[VANGUARD] + missing, me.sums[VANGUARD] + missing * NUM_VALUES
    out_of_reach = lowest > rules.vanguard_sum_max or highest < rules.vanguard_sum_min
    return DIE * (count - largest(color_histogram(me, VANGUARD))) + HALF_DIE * out_of_reach


@kernel
def flag_bearer_defects(rules: Record, me: Record, count: int) -> int:
    """Dice beyond two pairs of one color each, pairs of unequal values, pairs of one parity; solo also wrong colors."""
    histogram = color_histogram(me, FLAG_BEARER)
    first = most_frequent(histogram)
    in_first = (histogram >> (BITS * first)) & COUNT
    rest = histogram - (in_first << (BITS * first))
    missing = DIE * (count - min(2, in_first)) + HALF_DIE * has_two_values(me, first)
    if rest:
        second = most_frequent(rest)
        in_second = (rest >> (BITS * second)) & COUNT
        same_parity = lowest_value(me, first) % 2 == lowest_value(me, second) % 2
        missing += HALF_DIE * (int(has_two_values(me, second)) + int(same_parity)) - DIE * min(2, in_second)
    if rules.num_players == 1:
        for i in range(count):
            missing += DIE * (1 - me.school_colors[color_of(me.dice[FLAG_BEARER, i])])
    return missing


@kernel
def most_frequent(histogram: int) -> int:
    """The index of the largest count, the lower one of equals."""
    best = 0
    for color in range(1, NUM_COLORS):
        if (histogram >> (BITS * color)) & COUNT > (histogram >> (BITS * best)) & COUNT:
            best = color
    return best


@kernel
def lowest_value(me: Record, color: int) -> int:
    """The lowest value of a color on the Flag-Bearer's element, whose dice are sorted."""
    i = 0
    while color_of(me.dice[FLAG_BEARER, i]) != color:
        i += 1
    return value_of(me.dice[FLAG_BEARER, i])


@kernel
def has_two_values(me: Record, color: int) -> bool:
    """Whether the Flag-Bearer's dice of a color differ in value."""
    for i in range(1, me.count[FLAG_BEARER]):
        die, before = me.dice[FLAG_BEARER, i], me.dice[FLAG_BEARER, i - 1]
        if die != before and color_of(die) == color and color_of(before) == color:
            return True
    return False


@kernel
def storyline_defects(me: Record, count: int) -> int:
    """Doubled dice, and kinds that no other element tells: twice as bad when none can any more."""
    others_complete = me.placed - count == BOARD_SPACES - SPACES
    untold = 0
    for i in range(count):
        die = me.dice[STORYLINE, i]
        new = i == 0 or me.dice[STORYLINE, i - 1] != die
        untold += new and elements_with(me, die, STORYLINE) == 0
    return DIE * (count - kinds_on(me, STORYLINE)) + (DIE if others_complete else HALF_DIE) * untold


@kernel
def floats_defects(me: Record, count: int) -> int:
    """Doubled colors and doubled values; the lesser of the two counts half."""
    colors = count - different(color_histogram(me, FLOATS))
    values = count - different(value_histogram(me, FLOATS))
    return DIE * max(colors, values) + HALF_DIE * min(colors, values)


@kernel
def longest_start_of_run(values: int) -> int:
    """The largest number of different values inside one run of four."""
    best = 0
    for run in RUNS_OF_4:
        best = max(best, set_size(values & run))
    return best


@kernel
def samba_defects(me: Record, count: int) -> int:
    """Dice that do not stand out from the other elements, and colors beyond the first."""
    colors = set_size(color_set(me, SAMBA))
    return DIE * (count - samba_step(me)) + COLOR_OF_SAMBA * (colors - 1)
