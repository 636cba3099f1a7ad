"""The components of Carnavalesco, and a game of it as one record.

A die is its *kind*, ``6 * color + value - 1``; dice of an element are sorted by kind. Unused places are 0, so that
equal positions are equal records.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from carnival_envs.core.interface import HEADER, RULES_HEADER, Record
from carnival_envs.core.jit import int8, int16, record
from carnival_envs.core.options import refuse

PHASES = ("choose_division", "choose_colors", "take", "place", "over")
CHOOSE_DIVISION, CHOOSE_COLORS, TAKE, PLACE, FINISHED = range(len(PHASES))

END_REASONS = ("boards_full", "championship", "max_parades")
BOARDS_FULL, CHAMPIONSHIP, MAX_PARADES = range(len(END_REASONS))

ELEMENTS = (
    "vanguard",
    "flag_bearer",
    "storyline",
    "floats",
    "costumes",
    "progression",
    "harmony",
    "drums",
    "samba",
)
VANGUARD, FLAG_BEARER, STORYLINE, FLOATS, COSTUMES, PROGRESSION, HARMONY, DRUMS, SAMBA = range(len(ELEMENTS))

COLORS = ("R", "Y", "G", "B", "P", "W")
DIVISIONS = ("D", "C", "B", "A", "S")
EASIEST, HARDEST = 0, len(DIVISIONS) - 1

MAX_PLAYERS = 4
NUM_ELEMENTS = len(ELEMENTS)
SPACES = 4  # of an element
BOARD_SPACES = NUM_ELEMENTS * SPACES
NUM_COLORS = len(COLORS)
NUM_VALUES = 6
NUM_KINDS = NUM_COLORS * NUM_VALUES
NUM_DIVISIONS = len(DIVISIONS)
LOWEST_SUM = SPACES
NUM_SUMS = SPACES * NUM_VALUES - LOWEST_SUM + 1
MAX_POOL = 12
MAX_TURNS = 4  # of a round
MAX_PARADES_LIMIT = 100
SOLO_DICE = 4  # taken in a solo round

KINDS = tuple(f"{color}{value}" for color in COLORS for value in range(1, NUM_VALUES + 1))

NO_DIE = -1
NO_DIVISION = -1
NO_SEAT = -1

# Places of a finished solo parade (E-54).
PLACES = ("first", "second", "mid", "relegated")
FIRST, SECOND, MID, RELEGATED = range(len(PLACES))

PLAYER = record(
    ("division", int8),
    ("school_colors", int8, NUM_COLORS),  # 1 = chosen
    ("dice", int8, (NUM_ELEMENTS, SPACES)),  # kinds, ascending
    ("kinds", int8, NUM_ELEMENTS * NUM_KINDS),  # the same dice, counted by element and kind
    ("count", int8, NUM_ELEMENTS),  # dice on each element
    ("sums", int8, NUM_ELEMENTS),  # of their values
    ("tokens", int8, NUM_ELEMENTS),  # 1 = 10-point token
    ("placed", int8),  # dice on the board
    ("counters", int8),
    ("bases", int8, NUM_ELEMENTS),  # the tally; all 0 before the end
    ("bonuses", int8, NUM_ELEMENTS),
    ("scores", int8, NUM_ELEMENTS),
)

STATE = record(
    *HEADER,
    ("parade", int8),
    ("round_number", int8),
    ("turn", int8),
    ("turn_dice", int8),
    ("first_player", int8),
    ("hand", int8),
    ("bag", int8, NUM_COLORS),
    ("pool", int8, NUM_KINDS),  # dice of each kind
    ("pool_size", int8),
    ("pick_die", int8, SOLO_DICE),  # solo: this round's dice, in order of placement
    ("pick_element", int8, SOLO_DICE),
    ("picks", int8),
    ("players", PLAYER, MAX_PLAYERS),
    ("history_division", int8, MAX_PARADES_LIMIT),  # solo: every finished parade
    ("history_final", int8, MAX_PARADES_LIMIT),
    ("history_place", int8, MAX_PARADES_LIMIT),
    ("history_next", int8, MAX_PARADES_LIMIT),  # next division
    ("parades_finished", int8),
)

RULES = record(
    *RULES_HEADER,
    # options
    ("division", int8, MAX_PLAYERS),  # NO_DIVISION = chosen in the game
    ("first_player", int8),  # NO_SEAT = drawn
    ("school_colors", int8, NUM_COLORS),
    ("colors_given", int8),
    ("campaign", int8),
    ("max_parades", int8),
    # component data
    ("per_color", int8),
    ("dice_drawn", int8),
    ("turns_per_round", int8),
    ("dice_per_turn", int8),
    ("rounds", int8),
    ("base_scores", int8, (NUM_DIVISIONS, NUM_SUMS)),
    ("perfect_score", int8),
    ("max_element_score", int8),
    ("vanguard_sum_min", int8),
    ("vanguard_sum_max", int8),
    ("num_school_colors", int8),
    ("max_same_value", int8),
    ("max_same_color", int8),
    ("max_same_element", int8),
    ("first_min", int16),
    ("second_min", int16),
    ("relegated_max", int16),
)


def build_rules(data: Mapping[str, Any], options: Mapping[str, Any]) -> Record:
    """The rules record, shape ``(1,)``, of some component data and options.

    Raises:
        ValueError: data that the game can't be played with; names the entry.
    """
    check_data(data)
    rules = np.zeros(1, dtype=RULES)
    r = rules[0]
    n = options["num_players"]
    r["num_players"] = n
    r["division"] = NO_DIVISION
    if options["divisions"] != "choose":
        letters = options["divisions"] if isinstance(options["divisions"], list) else [options["divisions"]] * n
        r["division"][:n] = [DIVISIONS.index(letter) for letter in letters]
    r["first_player"] = NO_SEAT if options["first_player"] is None else options["first_player"]
    for letter in options["school_colors"] or ():
        r["school_colors"][COLORS.index(letter)] = 1
    r["colors_given"] = options["school_colors"] is not None
    r["campaign"] = options["campaign"]
    r["max_parades"] = options["max_parades"]
    r["per_color"] = data["dice"]["per_color"]
    rounds = data["rounds"][n - 1]
    r["dice_drawn"] = rounds["draw"]
    r["turns_per_round"] = rounds["turns_per_round"]
    r["dice_per_turn"] = rounds["dice_per_turn"]
    r["rounds"] = rounds["rounds"]
    for index, letter in enumerate(DIVISIONS):
        r["base_scores"][index] = data["division_table"][letter]["base"]
    for name in ("perfect_score", "max_element_score", "vanguard_sum_min", "vanguard_sum_max"):
        r[name] = data["scoring"][name]
    solo = data["solo"]
    r["num_school_colors"] = solo["school_colors"]
    for name in ("max_same_value", "max_same_color", "max_same_element", "first_min", "second_min", "relegated_max"):
        r[name] = solo[name]
    return rules


FIXED = (
    ("dice", "colors", NUM_COLORS),
    ("dice", "kinds", NUM_KINDS),
    ("dice", "faces", list(range(1, NUM_VALUES + 1))),
    ("dice", "per_color", 25),
    ("dice", "total", 150),
    ("board", "elements", NUM_ELEMENTS),
    ("board", "spaces_per_element", SPACES),
    ("board", "dice_per_player", BOARD_SPACES),
    ("division_table", "sum_min", LOWEST_SUM),
    ("division_table", "sum_max", LOWEST_SUM + NUM_SUMS - 1),
    ("divisions", "order", list(DIVISIONS)),
    ("scoring", "perfect_score", 10),
    ("scoring", "max_element_score", 10),
    ("solo", "school_colors", 2),
    ("solo", "max_same_value", 2),
    ("solo", "max_same_color", 2),
    ("solo", "max_same_element", 2),
)
"""Entries that the shape of the game, its actions and its observation rest on."""

ROUNDS = {1: (8, 1, 4, 9), 2: (12, 4, 2, 9), 3: (10, 3, 2, 18), 4: (12, 4, 2, 18)}
"""Players to dice drawn, turns per round, dice per turn, rounds (2.3)."""


def check_data(data: Mapping[str, Any]) -> None:
    """Refuse component data that the game can't be played with.

    Free to change: the division tables, the bounds of the Vanguard's sum, the limits of the solo places, and
    ``score_scale``.

    Raises:
        ValueError: names the entry, its value and what is allowed.
    """
    for table, name, value in FIXED:
        if data[table][name] != value:
            refuse(f"data {table}.{name}", data[table][name], f"{value}, which the game rests on")
    for players, (draw, turns, dice, rounds) in ROUNDS.items():
        given = data["rounds"][players - 1]
        for name, value in (
            ("players", players),
            ("draw", draw),
            ("turns_per_round", turns),
            ("dice_per_turn", dice),
            ("rounds", rounds),
        ):
            if given[name] != value:
                refuse(f"data rounds[{players}].{name}", given[name], f"{value}, which the game rests on")
    for letter in DIVISIONS:
        base = data["division_table"][letter]["base"]
        if len(base) != NUM_SUMS or not all(0 <= points <= 10 for points in base):
            refuse(f"data division_table.{letter}.base", base, f"{NUM_SUMS} integers in 0..10")
    scoring, solo = data["scoring"], data["solo"]
    low, high = scoring["vanguard_sum_min"], scoring["vanguard_sum_max"]
    if not LOWEST_SUM <= low <= high < LOWEST_SUM + NUM_SUMS:
        refuse("data scoring.vanguard_sum_min, vanguard_sum_max", (low, high), "4 <= min <= max <= 24")
    bounds = solo["relegated_max"], solo["second_min"], solo["first_min"]
    if not 0 <= bounds[0] < bounds[1] <= bounds[2] <= 90:
        refuse(
            "data solo.relegated_max, second_min, first_min",
            bounds,
            "0 <= relegated_max < second_min <= first_min <= 90",
        )
