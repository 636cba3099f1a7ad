"""Joy tokens and Noise markers on their way between supply, players and Attractions."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville.components import NUM_COLOURS, NUM_SPACES
from carnival_envs.games.bedeville.sets import has, only

# Joy ----------------------------------------------------------------------------------------------------------------


@kernel
def take_joy(s: Record, seat: int, colour: int) -> None:
    """One Joy token from the supply to a player."""
    s.joy_supply[colour] -= 1
    s.players[seat].joy[colour] += 1


@kernel
def return_joy(s: Record, seat: int, colour: int) -> None:
    """One Joy token of a player to the supply."""
    s.players[seat].joy[colour] -= 1
    s.joy_supply[colour] += 1


@kernel
def joy_of(s: Record, seat: int) -> int:
    """How many Joy tokens a player holds."""
    held = 0
    for colour in range(NUM_COLOURS):
        held += s.players[seat].joy[colour]
    return held


@kernel
def colours_held(s: Record, seat: int) -> int:
    """The colours of which a player holds a Joy token."""
    colours = 0
    for colour in range(NUM_COLOURS):
        if s.players[seat].joy[colour] > 0:
            colours |= only(colour)
    return colours


@kernel
def colours_in_supply(s: Record) -> int:
    """The colours of which the supply has a Joy token."""
    colours = 0
    for colour in range(NUM_COLOURS):
        if s.joy_supply[colour] > 0:
            colours |= only(colour)
    return colours


@kernel
def exchanges(s: Record, seat: int) -> int:
    """The exchanges open to a player, as a set of colour pairs: one held for another one in the supply (B-R8)."""
    held, supply = colours_held(s, seat), colours_in_supply(s)
    pairs = 0
    for pair in range(NUM_COLOURS * (NUM_COLOURS - 1)):
        if has(held, given(pair)) and has(supply, taken(pair)):
            pairs |= only(pair)
    return pairs


@kernel
def given(pair: int) -> int:
    """The colour that a colour pair gives away."""
    return pair // (NUM_COLOURS - 1)


@kernel
def taken(pair: int) -> int:
    """The colour that a colour pair takes: the two others, ascending."""
    other = pair % (NUM_COLOURS - 1)
    return other + (other >= given(pair))


@kernel
def exchange_joy(s: Record, seat: int, pair: int) -> None:
    """One Joy token of a player for one of another colour."""
    return_joy(s, seat, given(pair))
    take_joy(s, seat, taken(pair))


# Noise --------------------------------------------------------------------------------------------------------------


@kernel
def add_noise(s: Record, space: int, markers: int) -> None:
    """Noise from the supply onto an Attraction, as far as the supply goes (B-26)."""
    added = min(markers, s.noise_supply)
    s.noise_supply -= added
    s.ring[space].noise += added


@kernel
def remove_noise(s: Record, space: int, markers: int) -> None:
    """Noise of an Attraction to the supply, as much as lies there."""
    removed = min(markers, s.ring[space].noise)
    s.ring[space].noise -= removed
    s.noise_supply += removed


@kernel
def noisy(s: Record) -> int:
    """The spaces with Noise."""
    spaces = 0
    for space in range(NUM_SPACES):
        if s.ring[space].noise > 0:
            spaces |= only(space)
    return spaces
