"""The nine elements: which step of its ladder each one reaches (E-19 to E-31).

A ladder has five steps: the main condition (perfect, worth 10), or a bonus of 3, 2, 1 or 0 to the base score.
"""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalesco.dice import (
    color_histogram,
    color_of,
    colors_and_values_except,
    common_dice,
    different,
    elements_with,
    kinds_on,
    largest,
    largest_kind,
    set_size,
    stands_out,
    value_histogram,
    value_of,
    value_set,
)
from carnival_envs.games.carnavalesco.state import (
    COSTUMES,
    DRUMS,
    FLAG_BEARER,
    FLOATS,
    HARMONY,
    PROGRESSION,
    SAMBA,
    SPACES,
    STORYLINE,
    VANGUARD,
)

PERFECT = 4
"""The step of the main condition. The other steps are the bonus itself: 3, 2, 1, 0."""

NO_BONUS = 0

# Runs of values as sets, bit v - 1 for value v (E-28).
RUNS_OF_4 = (0b001111, 0b011110, 0b111100)
WRAPPED_RUNS_OF_4 = (0b111001, 0b110011, 0b100111)
RUNS_OF_3 = (0b000111, 0b001110, 0b011100, 0b111000)
WRAPPED_RUNS_OF_3 = (0b110001, 0b100011)


@kernel
def element_step(rules: Record, me: Record, element: int) -> int:
    """The step that a complete element reaches: ``PERFECT``, or its bonus."""
    if element == VANGUARD:
        return vanguard_step(rules, me)
    if element == FLAG_BEARER:
        return flag_bearer_step(rules, me)
    if element == STORYLINE:
        return storyline_step(me)
    if element == FLOATS:
        return floats_step(me)
    if element == COSTUMES:
        return costumes_step(me)
    if element == PROGRESSION:
        return progression_step(me)
    if element == HARMONY:
        return harmony_step(me)
    if element == DRUMS:
        return drums_step(me)
    return samba_step(me)


@kernel
def vanguard_step(rules: Record, me: Record) -> int:
    """Vanguard Commission: one color, and a sum in bounds (E-23)."""
    top = largest(color_histogram(me, VANGUARD))
    in_bounds = rules.vanguard_sum_min <= me.sums[VANGUARD] <= rules.vanguard_sum_max
    if top == 4:
        return PERFECT if in_bounds else 2
    if top == 3:
        return 3 if in_bounds else 1
    return NO_BONUS


@kernel
def flag_bearer_step(rules: Record, me: Record) -> int:
    """Master-of-Room & Flag-Bearer: two pairs of one color each (E-24, E-51).

    Sorted by kind, the dice of a 2-2 pattern are the lower color's pair and then the other's.
    """
    a, b, c, d = me.dice[FLAG_BEARER, 0], me.dice[FLAG_BEARER, 1], me.dice[FLAG_BEARER, 2], me.dice[FLAG_BEARER, 3]
    low_color, high_color = color_of(a), color_of(d)
    if color_of(b) != low_color or color_of(c) != high_color or low_color == high_color:
        return NO_BONUS
    if rules.num_players == 1 and not (me.school_colors[low_color] and me.school_colors[high_color]):
        return NO_BONUS
    identical = int(a == b) + int(c == d)
    if identical == 2 and is_even(a) != is_even(c):
        return PERFECT
    if a == b and is_even(c) == is_even(d) != is_even(a):
        return 3
    if c == d and is_even(a) == is_even(b) != is_even(c):
        return 3
    return 2 if identical else 1


@kernel
def is_even(die: int) -> bool:
    """Whether the value of a die is even."""
    return value_of(die) % 2 == 0


@kernel
def storyline_step(me: Record) -> int:
    """Storyline: dice that the other elements tell, each in a different one (E-25)."""
    kinds = kinds_on(me, STORYLINE)
    if kinds < 3:
        return NO_BONUS
    told_in = told_elements(me)
    if told_in == 4:
        return PERFECT if kinds == 4 else 3
    if told_in == 3:
        return 2 if kinds == 4 else 1
    return NO_BONUS


@kernel
def told_elements(me: Record) -> int:
    """How many different elements the Storyline's dice can be assigned to (E-R14); 0 if a die is present nowhere.

    The size of a largest assignment is the smallest, over all sets of dice, of the elements that tell a die of the
    set plus the dice outside of it (Koenig 1931).
    """
    told = (
        elements_with(me, me.dice[STORYLINE, 0], STORYLINE),
        elements_with(me, me.dice[STORYLINE, 1], STORYLINE),
        elements_with(me, me.dice[STORYLINE, 2], STORYLINE),
        elements_with(me, me.dice[STORYLINE, 3], STORYLINE),
    )
    if 0 in told:
        return 0
    smallest = SPACES
    for chosen in range(1, 1 << SPACES):
        telling = 0
        for die in range(SPACES):
            if chosen >> die & 1:
                telling |= told[die]
        smallest = min(smallest, set_size(telling) + SPACES - set_size(chosen))
    return smallest


@kernel
def floats_step(me: Record) -> int:
    """Parade Floats & Props: different colors and different values (E-26)."""
    colors, values = different(color_histogram(me, FLOATS)), different(value_histogram(me, FLOATS))
    if colors < 3 or values < 3:
        return NO_BONUS
    if colors == 4:
        return PERFECT if values == 4 else 3
    return 2 if values == 4 else 1


@kernel
def costumes_step(me: Record) -> int:
    """Costumes: the dice of Parade Floats & Props once more (E-27)."""
    return common_dice(me, COSTUMES, FLOATS)


@kernel
def progression_step(me: Record) -> int:
    """Progression: runs of values (E-28)."""
    values = value_set(me, PROGRESSION)
    for run in RUNS_OF_4:
        if values == run:
            return PERFECT
    for run in WRAPPED_RUNS_OF_4:
        if values == run:
            return 3
    for run in RUNS_OF_3:
        if values & run == run:
            return 2
    for run in WRAPPED_RUNS_OF_3:
        if values & run == run:
            return 1
    return NO_BONUS


@kernel
def harmony_step(me: Record) -> int:
    """Harmony: identical dice (E-29)."""
    return alike_step(largest_kind(me, HARMONY), kinds_on(me, HARMONY))


@kernel
def drums_step(me: Record) -> int:
    """Drums: equal values, none of which is in Harmony (E-30)."""
    values = value_histogram(me, DRUMS)
    if value_set(me, DRUMS) & value_set(me, HARMONY):
        return NO_BONUS
    return alike_step(largest(values), different(values))


@kernel
def alike_step(most: int, kinds: int) -> int:
    """The step of a pattern of four: 4, 3-1, 2-2, 2-1-1, or all different."""
    if most == 4:
        return PERFECT
    if most == 3:
        return 3
    if most == 2:
        return 2 if kinds == 2 else 1
    return NO_BONUS


@kernel
def samba_step(me: Record) -> int:
    """Samba Theme Song: dice of a color or a value that no other element has (E-31)."""
    seen = colors_and_values_except(me, SAMBA)
    own = 0
    for i in range(me.count[SAMBA]):
        own += stands_out(me.dice[SAMBA, i], seen)
    return own
