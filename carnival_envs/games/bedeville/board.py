"""The ring of Attractions: neighbours, occupied spaces, movement (sections 2.2, 7.1 and 7.3 of the specification)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville.sets import has, only
from carnival_envs.games.bedeville.state import NONE

CLOCKWISE, COUNTERCLOCKWISE = 1, -1


@kernel
def next_space(rules: Record, space: int, direction: int) -> int:
    """The neighbour of a space in a direction: ``CLOCKWISE`` or ``COUNTERCLOCKWISE``."""
    return int(rules.clockwise[space]) if direction > 0 else int(rules.counterclockwise[space])


@kernel
def neighbours(rules: Record, space: int) -> int:
    """The set of the two neighbouring spaces; Attractions and Stalls alike."""
    return only(rules.clockwise[space]) | only(rules.counterclockwise[space])


@kernel
def walk(rules: Record, space: int, places: int, direction: int) -> int:
    """The space so many places on around the ring in play."""
    for _ in range(places % rules.num_spaces):
        space = next_space(rules, space, direction)
    return space


@kernel
def first_among(rules: Record, space: int, direction: int, wanted: int) -> int:
    """The first space of a set beyond ``space`` in a direction; the set must hold another space."""
    space = next_space(rules, space, direction)
    while not has(wanted, space):
        space = next_space(rules, space, direction)
    return space


@kernel
def character_spaces(rules: Record, s: Record) -> int:
    """The spaces on which a Character stands."""
    spaces = 0
    for seat in range(rules.num_players):
        if s.players[seat].space != NONE:
            spaces |= only(s.players[seat].space)
    return spaces


@kernel
def unoccupied(rules: Record, s: Record) -> int:
    """B-1: the spaces without a Character and without Mr. Charles; Furball never occupies."""
    return int(rules.spaces & ~(character_spaces(rules, s) | only(s.charles.space)))


@kernel
def movement_targets(rules: Record, space: int, free: int) -> int:
    """B-14: the first unoccupied space in both directions, and the opposite one if unoccupied."""
    targets = only(first_among(rules, space, CLOCKWISE, free))
    targets |= only(first_among(rules, space, COUNTERCLOCKWISE, free))
    if rules.opposite[space] != NONE:
        targets |= free & only(rules.opposite[space])
    return targets


@kernel
def nearest(rules: Record, space: int, free: int) -> int:
    """B-R56: the one or two unoccupied spaces at the smallest distance of another space."""
    ahead = next_space(rules, space, CLOCKWISE)
    behind = next_space(rules, space, COUNTERCLOCKWISE)
    while not (has(free, ahead) or has(free, behind)):
        ahead = next_space(rules, ahead, CLOCKWISE)
        behind = next_space(rules, behind, COUNTERCLOCKWISE)
    return free & (only(ahead) | only(behind))


@kernel
def character_on(rules: Record, s: Record, space: int) -> int:
    """The seat whose Character stands on a space, or ``NONE``."""
    for seat in range(rules.num_players):
        if s.players[seat].space == space:
            return seat
    return NONE


@kernel
def seat_of(rules: Record, s: Record, character: int) -> int:
    """The seat that plays a Character, or ``NONE``."""
    for seat in range(rules.num_players):
        if s.players[seat].character == character:
            return seat
    return NONE


@kernel
def space_of(s: Record, card: int) -> int:
    """Where an Attraction lies; it must be in play."""
    space = 0
    while s.ring[space].card != card:
        space += 1
    return space
