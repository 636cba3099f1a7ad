"""The actions of Carnavalesco: Discrete(56) (section 9 of its specification)."""

from __future__ import annotations

from carnival_envs.games.carnavalesco.state import COLORS, DIVISIONS, ELEMENTS, KINDS

ACTIONS = (
    *(f"take:{kind}" for kind in KINDS),
    *(f"place:{element}" for element in ELEMENTS),
    *(f"color:{color}" for color in COLORS),
    *(f"division:{division}" for division in DIVISIONS),
)

# The first action of each group.
TAKE_DIE = 0
PLACE_DIE = TAKE_DIE + len(KINDS)
COLOR = PLACE_DIE + len(ELEMENTS)
DIVISION = COLOR + len(COLORS)
