"""The options of Carnavalo (section 3 of the specification)."""

from __future__ import annotations

from carnival_envs.core.options import Option, boolean, integer

OPTIONS = (
    Option("num_players", 4, integer(2, 6), "How many players sit at the table."),
    Option("advanced", False, boolean, 'Whether the "2x" and "3x" tokens are in the game.'),
    Option("max_turns", 400, integer(1), "The game is cut off after so many turns; a safety bound, no rule."),
)

VARIANTS = (
    {"num_players": 2, "advanced": True},
    {"num_players": 4, "advanced": True},
    {"num_players": 6, "advanced": True},
    {"num_players": 3, "max_turns": 20},
)
"""Option sets that show what the options change; the basic game at every number of players comes on top."""
