"""The options of Carnavalesco (section 3 of its specification)."""

from __future__ import annotations

from typing import Any

from carnival_envs.core.options import Checked, Option, boolean, integer, refuse, seat_or
from carnival_envs.games.carnavalesco.state import COLORS, DIVISIONS, MAX_PARADES_LIMIT, MAX_PLAYERS


def divisions(name: str, value: Any, options: Checked) -> Any:
    """One letter for all, a list of one letter a seat, or ``"choose"`` with two players or more."""
    n = options["num_players"]
    letters = ", ".join(DIVISIONS)
    if isinstance(value, str) and (value in DIVISIONS or (value == "choose" and n > 1)):
        return value
    if isinstance(value, list | tuple) and len(value) == n and all(letter in DIVISIONS for letter in value):
        return list(value)
    choose = ', or "choose"' if n > 1 else ""
    refuse(name, value, f"one of {letters}, a list of {n} of them by seat{choose}, with num_players={n}")


def school_colors(name: str, value: Any, options: Checked) -> list[str] | None:
    """Two different color letters, for a single player."""
    if value is None:
        return None
    solo = options["num_players"] == 1
    pair = isinstance(value, list | tuple) and len(value) == 2 and all(letter in COLORS for letter in value)
    if not solo or not pair or value[0] == value[1]:
        colors = f"a list of two different letters of {', '.join(COLORS)}, or None"
        refuse(name, value, colors if solo else f"None, with num_players={options['num_players']}")
    return list(value)


def campaign(name: str, value: Any, options: Checked) -> bool:
    """A campaign is for a single player."""
    wanted = boolean(name, value, options)
    if wanted and options["num_players"] != 1:
        refuse(name, value, f"False, with num_players={options['num_players']}")
    return wanted


def school_names(name: str, value: Any, options: Checked) -> list[str] | None:
    """A name a seat."""
    if value is None:
        return None
    n = options["num_players"]
    if (
        not isinstance(value, list | tuple)
        or len(value) != n
        or not all(isinstance(word, str) and word for word in value)
    ):
        refuse(name, value, f"a list of {n} non-empty strings, or None")
    return list(value)


OPTIONS = (
    Option("num_players", 2, integer(1, MAX_PLAYERS), "number of directors; 1 = solo rules"),
    Option("divisions", "D", divisions, 'scoring tables: a letter for all, a list by seat, or "choose" in the game'),
    Option("first_player", None, seat_or(None), "seat that starts round 1; None = drawn"),
    Option("school_colors", None, school_colors, "solo: the two school colors; None = chosen in the game"),
    Option("campaign", False, campaign, "solo: play parades until the championship of division S"),
    Option("max_parades", 20, integer(1, MAX_PARADES_LIMIT), "campaign: the bound on its length"),
    Option("school_names", None, school_names, "names of the schools, shown by the text view"),
)
