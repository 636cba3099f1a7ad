"""Questions about the dice of one element.

Counts per color or value are packed, four bits each, into one integer: a histogram. The pattern of four things is
given by how many are different and by how often the most frequent one occurs: 2-1-1 is three different, two alike.
"""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalesco.state import NUM_ELEMENTS, NUM_KINDS, NUM_VALUES, SPACES

BITS = 4  # of a count in a histogram
COUNT = 15  # mask of a count


@kernel
def color_of(die: int) -> int:
    """The color index of a die."""
    return die // NUM_VALUES


@kernel
def value_of(die: int) -> int:
    """The value of a die, 1 to 6."""
    return die % NUM_VALUES + 1


@kernel
def color_histogram(me: Record, element: int) -> int:
    """How many dice of each color index the element holds, packed."""
    histogram = 0
    for i in range(me.count[element]):
        histogram += 1 << (BITS * color_of(me.dice[element, i]))
    return histogram


@kernel
def value_histogram(me: Record, element: int) -> int:
    """How many dice of each value the element holds, packed; value 1 first."""
    histogram = 0
    for i in range(me.count[element]):
        histogram += 1 << (BITS * (value_of(me.dice[element, i]) - 1))
    return histogram


@kernel
def largest(histogram: int) -> int:
    """The largest count of a histogram."""
    best = 0
    while histogram:
        best = max(best, histogram & COUNT)
        histogram >>= BITS
    return best


@kernel
def different(histogram: int) -> int:
    """How many counts of a histogram are not 0."""
    number = 0
    while histogram:
        number += (histogram & COUNT) > 0
        histogram >>= BITS
    return number


@kernel
def value_set(me: Record, element: int) -> int:
    """The values on an element as a set: bit ``v - 1`` for value ``v``."""
    values = 0
    for i in range(me.count[element]):
        values |= 1 << (value_of(me.dice[element, i]) - 1)
    return values


@kernel
def color_set(me: Record, element: int) -> int:
    """The colors on an element as a set of color indices."""
    colors = 0
    for i in range(me.count[element]):
        colors |= 1 << color_of(me.dice[element, i])
    return colors


@kernel
def set_size(members: int) -> int:
    """How many members a set has."""
    size = 0
    while members:
        members &= members - 1
        size += 1
    return size


@kernel
def kinds_on(me: Record, element: int) -> int:
    """How many different kinds of dice the element holds."""
    kinds = 0
    for i in range(me.count[element]):
        kinds += i == 0 or me.dice[element, i] != me.dice[element, i - 1]
    return kinds


@kernel
def largest_kind(me: Record, element: int) -> int:
    """How often the most frequent kind of die lies on the element."""
    best, run = 0, 0
    for i in range(me.count[element]):
        run = run + 1 if i > 0 and me.dice[element, i] == me.dice[element, i - 1] else 1
        best = max(best, run)
    return best


@kernel
def common_dice(me: Record, one: int, other: int) -> int:
    """The size of the multiset intersection of two elements' dice, which are sorted."""
    common, i, j = 0, 0, 0
    while i < me.count[one] and j < me.count[other]:
        a, b = me.dice[one, i], me.dice[other, j]
        common += a == b
        i += a <= b
        j += b <= a
    return common


@kernel
def elements_with(me: Record, die: int, except_element: int) -> int:
    """The elements, but one, that hold a die identical to this, as a set."""
    elements = 0
    for element in range(NUM_ELEMENTS):
        if element != except_element and is_on(me, element, die):
            elements |= 1 << element
    return elements


@kernel
def colors_and_values_except(me: Record, except_element: int) -> int:
    """What lies on all elements but one: a set of values, and above it one of colors."""
    seen = 0
    for element in range(NUM_ELEMENTS):
        if element == except_element:
            continue
        for i in range(me.count[element]):
            die = me.dice[element, i]
            seen |= (1 << (value_of(die) - 1)) | (1 << (NUM_VALUES + color_of(die)))
    return seen


@kernel
def stands_out(die: int, seen: int) -> bool:
    """Whether the color or the value of a die is not among those seen (``colors_and_values_except``)."""
    value, color = 1 << (value_of(die) - 1), 1 << (NUM_VALUES + color_of(die))
    return (seen & value) == 0 or (seen & color) == 0


@kernel
def insert_die(me: Record, element: int, die: int) -> None:
    """Put a die on an element with a free space, in its place by kind."""
    i = me.count[element]
    while i > 0 and me.dice[element, i - 1] > die:
        me.dice[element, i] = me.dice[element, i - 1]
        i -= 1
    me.dice[element, i] = die
    me.kinds[element * NUM_KINDS + die] += 1
    me.count[element] += 1
    me.sums[element] += value_of(die)
    me.placed += 1


@kernel
def remove_die(me: Record, element: int, die: int) -> None:
    """Take a die off an element again: for bots that try out a placement."""
    me.kinds[element * NUM_KINDS + die] -= 1
    me.count[element] -= 1
    me.sums[element] -= value_of(die)
    me.placed -= 1
    i = 0
    while me.dice[element, i] != die:
        i += 1
    while i < me.count[element]:
        me.dice[element, i] = me.dice[element, i + 1]
        i += 1
    me.dice[element, i] = 0


@kernel
def is_complete(me: Record, element: int) -> bool:
    """Whether all four spaces of an element are taken."""
    return bool(me.count[element] == SPACES)


@kernel
def is_on(me: Record, element: int, die: int) -> bool:
    """Whether an identical die lies on an element."""
    return bool(me.kinds[element * NUM_KINDS + die] > 0)


@kernel
def dice_in_colors(me: Record, colors: int) -> int:
    """How many dice on the whole board are of one of the colors, a set of color indices."""
    number = 0
    for element in range(NUM_ELEMENTS):
        for i in range(me.count[element]):
            number += (colors >> color_of(me.dice[element, i])) & 1
    return number
