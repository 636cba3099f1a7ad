"""The colors of the dice are all alike: under other names they make the same game."""

from __future__ import annotations

import numpy as np

from carnival_envs.core.symmetry import Renaming
from carnival_envs.games.carnavalesco.actions import ACTIONS, COLOR, TAKE_DIE
from carnival_envs.games.carnavalesco.state import NUM_COLORS, NUM_KINDS, NUM_VALUES


def rename_colors(rng: np.random.Generator) -> Renaming:
    """Draw new names for the colors."""
    colors = rng.permutation(NUM_COLORS)
    kinds = (NUM_VALUES * colors[:, None] + np.arange(NUM_VALUES)).ravel()
    actions = np.arange(len(ACTIONS))
    actions[TAKE_DIE : TAKE_DIE + NUM_KINDS] = TAKE_DIE + kinds
    actions[COLOR : COLOR + NUM_COLORS] = COLOR + colors
    by_kind = dict.fromkeys(("pool", "hand", "boards"), kinds)
    by_color = dict.fromkeys(("bag", "school_colors", "round_colors"), colors)
    return Renaming({**by_kind, **by_color}, actions)
