"""What a position of Carnavalo holds, and the component data that its rules read."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.data import load_data
from carnival_envs.core.interface import HEADER, RULES_HEADER, Record
from carnival_envs.core.jit import int8, int16, record
from carnival_envs.core.options import refuse
from carnival_envs.core.position import Field, differences

# Names by index -----------------------------------------------------------------------------------------------------

PHASES = ("setup_card", "before_action", "after_action", "return_tokens", "over")
SETUP_CARD, BEFORE_ACTION, AFTER_ACTION, RETURN_TOKENS, GAME_OVER = range(len(PHASES))

END_REASONS = ("discs", "days", "max_turns")
DISCS, DAYS, MAX_TURNS = range(len(END_REASONS))

RETURN_REASONS = ("none", "turn_end", "day_end")
NO_RETURN, TURN_END, DAY_END = range(len(RETURN_REASONS))

CITIZENS = ("prince", "miss", "barricadol")
PRINCE, MISS, BARRICADOL = range(len(CITIZENS))

SIDES = ("up", "down")
UP, DOWN = range(len(SIDES))

TENT_TOKENS = (1, 2, 3, 4, 20, 30)
"""The codes of the tent tokens; the last two are the "2x" and the "3x". States hold indices into this table."""

PARADE_TOKENS = (3, 4, 5)
"""The codes of the parade tokens. States hold indices into this table."""

# Sizes (section 2 of the specification) -----------------------------------------------------------------------------

MAX_PLAYERS = 6
NUM_TENTS = 6
NUM_SPACES = 18
NUM_CITIZENS = len(CITIZENS)
NUM_VALUES = 5  # card values 1..5
NUM_TENT_TOKENS = len(TENT_TOKENS)
NUM_PARADE_TOKENS = len(PARADE_TOKENS)
MAX_RING = 5
MAX_CARDS = MAX_PLAYERS * NUM_VALUES
MAX_PARADE = 5
STACK_HEIGHT = 4  # tent tokens beside a tent, parade tokens beside the parade
DECK_SIZE = 26  # all tent tokens: the largest thing that is ever shuffled

# Values of fields ---------------------------------------------------------------------------------------------------

NO_TENT = -1
"""In ``rules.tent_at``: a space without a tent."""

NOBODY = -1
"""No seat: nobody holds the podium card, nobody is first."""

WON = -1
"""In ``discs``: the player has won this disc."""

LAST_DISC_SPACE = 4

NO_CARD = 0
"""An empty place for a card; see ``tents.py`` for the codes of cards."""

NO_SETUP_CARD = 0

NO_TOKEN = -1
"""No tent or parade token: the stack is empty."""

NOT_MULTIPLIED = -1
"""In ``rules.multiplied_token``: a tent token that multiplies no other."""

ALL_VALUES = sum(1 << value for value in range(1, NUM_VALUES + 1))
"""A full hand: the set of the values 1..5."""

ALL_TENTS = (1 << NUM_TENTS) - 1
"""The set of the movement tokens 0..5."""

# The state ----------------------------------------------------------------------------------------------------------

# Sets of values or movement tokens are bit sets: bit k stands for k. Piles lie from the bottom up. Whatever lies
# beyond the height of a pile is 0, so that equal positions are equal bytes.

TENT = record(
    ("cards", int8, MAX_CARDS),
    ("height", int8),
    ("face_down", int8),  # how many; they lie below all face-up cards
    ("tokens", int8, STACK_HEIGHT),  # the last one is open
    ("tokens_left", int8),
)

PLAYER = record(
    ("hand", int8),  # set of values
    ("hand_size", int8),
    ("setup_card", int8),
    ("discs", int8, NUM_TENTS),
    ("movement_tokens", int8),  # set of tents
    ("num_movement_tokens", int8),
    ("won_tent_tokens", int8, NUM_TENT_TOKENS),  # how many of each kind
    ("won_parade_tokens", int8, NUM_PARADE_TOKENS),
    ("owns_float", int8),
)

STATE = record(
    *HEADER,
    ("turns", np.int64),
    ("day", int8),
    ("ring", int8),
    ("citizens", int8, NUM_CITIZENS),
    ("middle", int8),
    ("parade", int8, MAX_PARADE),
    ("parade_size", int8),
    ("movement_stack", int8, NUM_TENTS),
    ("movement_stack_height", int8),
    ("tent_box", int8, NUM_TENT_TOKENS),  # how many of each kind are out of the game
    ("parade_tokens", int8, STACK_HEIGHT),
    ("parade_tokens_left", int8),
    ("parade_box", int8, NUM_PARADE_TOKENS),
    ("floats_left", int8),
    ("return_reason", int8),
    ("tents", TENT, NUM_TENTS),
    ("players", PLAYER, MAX_PLAYERS),
    ("deck", int8, DECK_SIZE),  # room to shuffle in; all 0 between decisions
)

RULES = record(
    *RULES_HEADER,
    ("advanced", int8),
    ("max_turns", np.int64),
    ("days", int8),
    ("discs_to_end", int8),
    ("empty_hands_to_end_day", int8),
    ("parade_to_end_day", int8),
    ("ring_start", int8),
    ("tent_at", int8, NUM_SPACES),
    ("tent_spaces", int8, NUM_TENTS),
    ("citizen_starts", int8, NUM_CITIZENS),
    ("won_disc_points", int16),
    ("float_points", int16),
    ("tent_token_counts", int8, NUM_TENT_TOKENS),  # shuffled and dealt
    ("tent_box", int8, NUM_TENT_TOKENS),  # put back in the box unshuffled
    ("tent_token_points", int16, NUM_TENT_TOKENS),
    ("multiplied_token", int8, NUM_TENT_TOKENS),
    ("factor", int16, NUM_TENT_TOKENS),
    ("parade_token_counts", int8, NUM_PARADE_TOKENS),
    ("parade_token_points", int16, NUM_PARADE_TOKENS),
)

# The component data -------------------------------------------------------------------------------------------------

DATA_FILE = Path(__file__).parent / "data.toml"

CHANGEABLE = (
    "*source",
    "score_scale",
    "game.days",
    "game.discs_to_end",
    "board.tent_spaces*",
    "board.space.*",
    "citizens.start_spaces*",
    "movement_track.start",
    "disc_track.won_disc_points",
    "tent_tokens.kind.*.points",
    "tent_tokens.kind.*.factor",
    "tent_tokens.kind.*.multiplies_value",
    "parade_tokens.kind.*.points",
    "parade.cards_to_end_day",
    "parade.floats",
    "parade.float_points",
    "day_end.*",
)
"""The entries that a user's own data may change; the others are bound to actions, observations and positions."""

MAX_POINTS = 99
MAX_FACTOR = 9
MAX_SCORE_SCALE = 1000
LAST_TURN = np.iinfo(np.int64).max  # a larger ``max_turns`` bounds nothing that could ever be played


def build_rules(data: Mapping[str, Any], options: Mapping[str, Any]) -> Record:
    """The component data and the options as the rules read them.

    Returns:
        an array of shape ``(1,)`` and dtype ``RULES``.

    Raises:
        ValueError: an entry of the data that can't be played with; names it and what is allowed.
    """
    refuse_fixed_changes(data)
    rules = np.zeros(1, dtype=RULES)
    entries = Field(dict(data), "data")
    entries["score_scale"].integer(1, MAX_SCORE_SCALE)
    read_options(options, rules[0])
    read_course_of_play(entries, rules[0])
    read_board(entries, rules[0])
    read_tent_tokens(entries["tent_tokens"]["kind"], rules[0])
    read_parade_tokens(entries["parade_tokens"]["kind"], rules[0])
    return rules


def refuse_fixed_changes(data: Mapping[str, Any]) -> None:
    """Refuse another value for an entry that the game is built around."""
    for path, own, default in differences(dict(data), default_data(), ""):
        if not any(fnmatch(path, pattern) for pattern in CHANGEABLE):
            refuse(f"data.{path}", own, f"{default!r}, which is fixed")


@cache
def default_data() -> dict[str, Any]:
    """The component data as it ships."""
    return load_data(DATA_FILE, None)


def read_options(options: Mapping[str, Any], rules: Record) -> None:
    """The options that the rules ask for."""
    rules["num_players"] = options["num_players"]
    rules["advanced"] = options["advanced"]
    rules["max_turns"] = min(options["max_turns"], LAST_TURN)


def read_course_of_play(data: Field, rules: Record) -> None:
    """When days and games end, and what discs and floats are worth."""
    num_players = int(rules["num_players"])
    rules["days"] = data["game"]["days"].integer(1, STACK_HEIGHT)
    rules["discs_to_end"] = data["game"]["discs_to_end"].integer(1, NUM_TENTS)
    empty_hands = data["day_end"]["empty_hands_2_players" if num_players == 2 else "empty_hands_3_plus_players"]
    rules["empty_hands_to_end_day"] = empty_hands.integer(1, num_players)
    rules["parade_to_end_day"] = data["parade"]["cards_to_end_day"].integer(1, MAX_PARADE)
    rules["ring_start"] = data["movement_track"]["start"].integer(0, MAX_RING)
    rules["won_disc_points"] = data["disc_track"]["won_disc_points"].integer(-MAX_POINTS, MAX_POINTS)
    rules["float_points"] = data["parade"]["float_points"].integer(-MAX_POINTS, MAX_POINTS)
    floats = data["parade"]["floats"]
    if floats.value != rules["days"]:
        refuse(floats.path, floats.value, f"{int(rules['days'])}, one for each of game.days")


def read_board(data: Field, rules: Record) -> None:
    """Where the tents are and where the citizens start."""
    tent_spaces = data["board"]["tent_spaces"]
    rules["tent_spaces"] = tent_spaces.integers(0, NUM_SPACES - 1, NUM_TENTS)
    if len(set(tent_spaces.value)) < NUM_TENTS:
        refuse(tent_spaces.path, tent_spaces.value, "a space of its own for every tent")
    rules["citizen_starts"] = data["citizens"]["start_spaces"].integers(0, NUM_SPACES - 1, NUM_CITIZENS)
    rules["tent_at"] = NO_TENT
    rules["tent_at"][rules["tent_spaces"]] = range(NUM_TENTS)
    for index, space in enumerate(data["board"]["space"].items(NUM_SPACES, NUM_SPACES)):
        space["index"].integer(index, index)
        tent = space["tent"]
        if tent.value != rules["tent_at"][index]:
            refuse(tent.path, tent.value, f"{rules['tent_at'][index]}, as board.tent_spaces has it")
        starts = [name for name, start in zip(CITIZENS, rules["citizen_starts"], strict=True) if start == index]
        if space.value.get("start_of", "") not in ("", *starts):
            start_of = space["start_of"]
            refuse(start_of.path, start_of.value, "the citizen whose citizens.start_spaces is this space, or ''")


def read_tent_tokens(kinds: Field, rules: Record) -> None:
    """The tent tokens, in the order of ``TENT_TOKENS``."""
    for kind, token in enumerate(kinds.items(NUM_TENT_TOKENS, NUM_TENT_TOKENS)):
        dealt = rules["advanced"] or "advanced_only" not in token.value
        rules["tent_token_counts" if dealt else "tent_box"][kind] = token["count"].value
        rules["tent_token_points"][kind] = token["points"].integer(-MAX_POINTS, MAX_POINTS)
        rules["multiplied_token"][kind] = NOT_MULTIPLIED
        if "factor" in token.value:
            multiplied = token["multiplies_value"].integer(TENT_TOKENS[0], TENT_TOKENS[-3])
            rules["multiplied_token"][kind] = TENT_TOKENS.index(multiplied)
            rules["factor"][kind] = token["factor"].integer(0, MAX_FACTOR)


def read_parade_tokens(kinds: Field, rules: Record) -> None:
    """The parade tokens, in the order of ``PARADE_TOKENS``."""
    for kind, token in enumerate(kinds.items(NUM_PARADE_TOKENS, NUM_PARADE_TOKENS)):
        rules["parade_token_counts"][kind] = token["count"].value
        rules["parade_token_points"][kind] = token["points"].integer(-MAX_POINTS, MAX_POINTS)
