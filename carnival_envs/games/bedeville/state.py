"""The state of a game, and the record of component data that it is played with.

The fields are those of the position document (section 4 of the specification), in the same words. Sets are bits of
an integer (``sets.py``), piles are arrays with a height (``piles.py``). ``NONE`` stands for the document's ``null``
and for a figure that is not on the board; what a view does not show is ``HIDDEN``.
"""

from __future__ import annotations

from carnival_envs.core.interface import HEADER, RULES_HEADER
from carnival_envs.core.jit import int8, int16, int32, record
from carnival_envs.games.bedeville import components
from carnival_envs.games.bedeville.components import (
    MAX_DRAWS,
    MAX_JOY,
    MAX_NOISE,
    MAX_PLAYERS,
    NUM_COLOURS,
    NUM_PRIZES,
    NUM_SPACES,
)

NONE = -1
HIDDEN = -2

END_REASONS = ("last_stack", "joy_exhausted", "max_rounds")
LAST_STACK, JOY_EXHAUSTED, MAX_ROUNDS = range(3)

ADRENALINE = ("none", "active", "debt")
ADRENALINE_NONE, ADRENALINE_ACTIVE, ADRENALINE_DEBT = range(3)

TOKEN_SOURCES = ("draw", "fortune")
FROM_DRAW, FROM_FORTUNE = range(2)

GAIN_SOURCES = ("visit", "joy_wheel", "token")
FROM_VISIT, FROM_JOY_WHEEL, FROM_TOKEN = range(3)

MAX_PICKED = 4
"""Most entries of ``ctx.picked``: the tokens that #Boredom may return."""

# State --------------------------------------------------------------------------------------------------------------

SET = int32

PILE = record(("height", int8), ("items", int8, NUM_PRIZES))
PLAYER = record(("character", int8), ("space", int8), ("joy", int8, NUM_COLOURS), ("prizes", SET))
ATTRACTION = record(("card", int8), ("noise", int8), ("joy", int8, NUM_COLOURS))
FIGURE = record(("space", int8), ("dir", int8))
TURN = record(("exchanged", int8), ("bought", int8), ("pass_used", int8), ("tough_used", int8))
CONTEXT = record(
    ("used_card", int8),
    ("token", int8),
    ("token_source", int8),
    ("drawn", SET),
    ("draws_left", int8),
    ("picked", int8, MAX_PICKED),
    ("num_picked", int8),
    ("gain_left", int8),
    ("gain_source", int8),
    ("buy_space", int8),
    ("pay_left", int8),
    ("pending", int8, MAX_PLAYERS),
    ("return_phase", int8),
)
STATE = record(
    *HEADER,
    ("first_player", int8),
    ("round_number", int16),
    ("final_round", int8),
    ("players", PLAYER, MAX_PLAYERS),
    ("ring", ATTRACTION, NUM_SPACES),
    ("stalls", PILE, NUM_SPACES),
    ("attraction_deck", PILE),
    ("attraction_discard", SET),
    ("prize_supply", PILE),
    ("prize_discard", SET),
    ("joy_supply", int8, NUM_COLOURS),
    ("noise_supply", int8),
    ("charles", FIGURE),
    ("furball", int8),
    ("bag", SET),
    ("token_board", SET),
    ("token_unused", SET),
    ("adrenaline", int8),
    ("turn", TURN),
    ("ctx", CONTEXT),
    ("scratch", PILE),  # holds what is being shuffled; empty between moves
)

# Rules --------------------------------------------------------------------------------------------------------------

DRAFTED, DEALT, GIVEN = range(3)
"""How Characters come to seats: option ``characters``."""

ATTRACTION_CARD = record(("joy", int8, NUM_COLOURS), ("skulls", int8), ("noise", int8))
PRIZE_CARD = record(("cost", int8, NUM_COLOURS), ("skulls", int8), ("total", int8), ("vp", int16))

LIMITS = {
    ("counts", "joy_per_colour"): (3, MAX_JOY),
    ("counts", "noise"): (10, MAX_NOISE),
    ("scoring", "majority_vp_per_colour"): (0, 100),
    ("scoring", "joy_set_size"): (1, 60),
    ("scoring", "joy_set_vp"): (0, 100),
    ("rules", "neighbour_stall_surcharge"): (0, 1),
    ("rules", "furball_extra_steps"): (0, MAX_NOISE),
    ("rules", "castle_extra_steps"): (0, MAX_NOISE),
    ("rules", "tough_girl_noise"): (1, MAX_NOISE),
    ("rules", "slimy_noise_each"): (0, MAX_NOISE),
    ("rules", "deep_sea_max"): (1, 2),
    ("rules", "flow_max"): (1, 2),
    ("rules", "dragon_loop_max"): (1, 2),
    ("rules", "furball_noise_discard"): (0, MAX_NOISE),
    ("rules", "golden_hand_reduction"): (0, MAX_NOISE),
    ("rules", "golden_hand_minimum"): (0, MAX_NOISE),
    ("rules", "caught_joy_discard"): (1, 1),
    ("rules", "clay_debt_draws"): (1, MAX_DRAWS),
}
"""Numbers of the component data that the rules use as they are: section and name, least and greatest value."""

RULES = record(
    *RULES_HEADER,
    ("beginner", int8),
    ("characters", int8),
    ("given_characters", int8, MAX_PLAYERS),
    ("first_player", int8),
    ("max_rounds", int16),
    ("num_spaces", int8),
    ("spaces", SET),
    ("clockwise", int8, NUM_SPACES),
    ("counterclockwise", int8, NUM_SPACES),
    ("opposite", int8, NUM_SPACES),
    ("booth_space", int8),
    ("start_spaces", SET),
    ("furball_dir", int8),
    ("charles_start_dir", int8),
    ("attractions", ATTRACTION_CARD, len(components.ATTRACTIONS)),
    ("cards", SET),
    ("opening_cards", SET),
    ("prizes", PRIZE_CARD, NUM_PRIZES),
    ("tokens", SET),
    ("fixed_tokens", SET),
    ("ability_cost", int8, len(components.CHARACTERS)),
    *((name, int8) for _, name in LIMITS),
)
