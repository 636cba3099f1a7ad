"""The options of Carnival (section 3 of the specification)."""

from __future__ import annotations

from carnival_envs.core.options import Option, boolean, integer, seat_or

LONGEST_GAME = 100_000
"""The largest ``max_turns``."""

OPTIONS = (
    Option("num_players", 2, integer(2, 4), "number of players; with 4 the white-tip cards are in play too"),
    Option("attractions_to_win", 4, integer(3, 4), "complete attractions that win; 3 is the Quick Play variant"),
    Option("natural_ticket", True, boolean, "a natural set pays a Ticket; False is the Classic variant"),
    Option("max_turns", 200, integer(1, LONGEST_GAME), "the game is truncated when this many turns have ended"),
    Option("first_player", 0, seat_or("random"), 'the seat that has the first turn, or "random"'),
)
