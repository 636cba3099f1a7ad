"""The options of Bedeville Carnival (section 3 of the specification)."""

from __future__ import annotations

from typing import Any

from carnival_envs.core.options import Checked, Option, integer, one_of, refuse, seat_or
from carnival_envs.games.bedeville.components import CHARACTERS, MAX_PLAYERS, MIN_PLAYERS


def characters(name: str, value: Any, options: Checked) -> Any:
    """``"draft"``, ``"random"``, or a list of different Characters, one for each seat."""
    if isinstance(value, str) and value in ("draft", "random"):
        return value
    seats = options["num_players"]
    listed = list(value) if isinstance(value, list | tuple) else []
    known = all(isinstance(key, str) and key in CHARACTERS for key in listed)
    if len(listed) != seats or not known or len(set(listed)) != seats:
        refuse(name, value, f"'draft', 'random', or {seats} different ones of {', '.join(CHARACTERS)}")
    return listed


OPTIONS = (
    Option("num_players", MAX_PLAYERS, integer(MIN_PLAYERS, MAX_PLAYERS), "How many seats there are."),
    Option("variant", "basic", one_of("basic", "beginner"), "The whole game, or the one without Furball."),
    Option(
        "characters",
        "draft",
        characters,
        "Chosen by the players in turn order, dealt at random, or given by seat.",
    ),
    Option("first_player", "random", seat_or("random"), "Who holds the First Player's Ticket."),
    Option("max_rounds", 50, integer(1, 1000), "After so many rounds the game is cut off."),
)

VARIANTS: tuple[dict[str, Any], ...] = (
    {"num_players": 2, "variant": "beginner", "characters": "random"},
    {"num_players": 3, "characters": ["monday", "albert", "clay"], "first_player": 2},
    {"num_players": 4, "variant": "beginner", "characters": ["cindy", "heidi", "johnny", "monday"], "max_rounds": 3},
)
"""Option sets that, beside the defaults, show all that the options change."""
