"""Carnival's components, its state and its read-only rules record (sections 2 to 4)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.data import load_data
from carnival_envs.core.interface import HEADER, RULES_HEADER, Record
from carnival_envs.core.jit import int8, int32, record
from carnival_envs.core.options import refuse
from carnival_envs.core.position import differences

DATA_FILE = Path(__file__).with_name("data.toml")

# Components, by index.
ATTRACTIONS = ("bumper_cars", "carousel", "ferris_wheel", "roller_coaster", "swings")
PARTS = ("banners", "lights", "materials", "seats")
SLOTS = (*PARTS, "wild")
CARDS = (*(f"{attraction}:{part}" for attraction in ATTRACTIONS for part in PARTS), "wild")
FACES = (1, 2, 3, 4, 5, 6)
TABLEAU = ("deck_draw", "discard_draw", "hand_draw", "hand_trade", "midway_trade", "midway_steal")

PHASES = (
    "discard",
    "main",
    "swap",
    "assign",
    "action",
    "take",
    "block",
    "place",
    "hand_give",
    "steal_discard",
    "midway_give",
    "build",
    "over",
)
END_REASONS = ("goal", "max_turns")
PLACE_REASONS = ("taken", "lone_target", "received", "lone_self")

(
    PHASE_DISCARD,
    PHASE_MAIN,
    PHASE_SWAP,
    PHASE_ASSIGN,
    PHASE_ACTION,
    PHASE_TAKE,
    PHASE_BLOCK,
    PHASE_PLACE,
    PHASE_HAND_GIVE,
    PHASE_STEAL_DISCARD,
    PHASE_MIDWAY_GIVE,
    PHASE_BUILD,
    PHASE_OVER,
) = range(len(PHASES))
GOAL_REACHED, MAX_TURNS_REACHED = range(len(END_REASONS))
TAKEN, LONE_TARGET, RECEIVED, LONE_SELF = range(len(PLACE_REASONS))
DECK_DRAW, DISCARD_DRAW, HAND_DRAW, HAND_TRADE, MIDWAY_TRADE, MIDWAY_STEAL = range(len(TABLEAU))
TARGETED = (HAND_DRAW, HAND_TRADE, MIDWAY_TRADE, MIDWAY_STEAL)

NUM_ATTRACTIONS = len(ATTRACTIONS)
NUM_PARTS = len(PARTS)
NUM_SLOTS = len(SLOTS)
NUM_PART_KINDS = NUM_ATTRACTIONS * NUM_PARTS
NUM_KINDS = len(CARDS)
NUM_FACES = len(FACES)
NUM_PHASES = len(PHASES)
WILD = NUM_PART_KINDS
WILD_SLOT = NUM_PARTS
NONE = -1
"""No action, target, attraction, slot or reason."""

# Sets of parts, and of a Midway's cards, are bit masks: bit ``part``, and bit ``NUM_SLOTS * attraction + slot``.
ALL_PARTS = (1 << NUM_PARTS) - 1
WILD_BIT = 1 << WILD_SLOT

CARDS_TO_COMPLETE = 4
MAX_WILDS_IN_ATTRACTION = 3
NUM_DICE = 3
DICE_CHOSEN = 2

# The largest table: what the records and the declared observation can hold.
MAX_PLAYERS = 4
MAX_CARDS = 86
MAX_COPIES = 4
MAX_WILDS = 6
MAX_HAND = 9
MAX_HAND_LIMIT = MAX_HAND - NUM_DICE
MAX_TICKETS = 3
MAX_REASSIGNS = 6
EMPTY = 0
"""What lies in the unused places of a pile."""

MIDWAY = record(
    ("parts", int8, NUM_ATTRACTIONS),  # the set of part cards
    ("wilds", int8, NUM_ATTRACTIONS),
)

PLAYER = record(
    ("hand", int8, NUM_KINDS),  # cards of each kind
    ("hand_size", int8),
    ("midway", MIDWAY),
    ("tickets", int8),
    ("ticket_used", int8),
    ("queued", int8),  # 1 = still to be asked about the declared action
)

STATE = record(
    *HEADER,
    ("turn", int32),
    ("deck_size", int8),
    ("deck", int8, MAX_CARDS),
    ("discard_size", int8),
    ("discard", int8, MAX_CARDS),
    ("players", PLAYER, MAX_PLAYERS),
    ("dice", int8, NUM_DICE),  # faces in roll order; all 0 before the roll
    ("remaining", int8, NUM_FACES),  # assigned dice not yet declared, by the action of their face
    ("reassigns", int8),
    ("swap_count", int8),
    ("action", int8),
    ("action_target", int8),
    ("action_attraction", int8),
    ("action_slot", int8),
    ("action_placed", int8),
    ("place_reason", int8),
    ("place_seat", int8),
    ("place_count", int8),
)

RULES = record(
    *RULES_HEADER,
    ("goal", int8),
    ("natural_ticket", int8),
    ("max_turns", int32),
    ("first_player", int8),  # -1: random
    ("copies", int8),  # of each part kind
    ("wilds", int8),
    ("starting_wilds", int8),  # of each player
    ("starting_hand", int8),
    ("starting_tickets", int8),
    ("max_tickets", int8),
    ("hand_limit", int8),
    ("hand_refill", int8),
    ("reassign_limit", int8),
)

RANDOM_FIRST_PLAYER = -1


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
    r["goal"] = options["attractions_to_win"]
    r["natural_ticket"] = options["natural_ticket"]
    r["max_turns"] = options["max_turns"]
    random = options["first_player"] == "random"
    r["first_player"] = RANDOM_FIRST_PLAYER if random else options["first_player"]
    cards = next(table for table in data["in_play"] if table["players"] == n)
    r["copies"] = cards["copies_per_part_kind"]
    r["wilds"] = cards["wilds"]
    constants = data["constants"]["rulebook"]
    r["starting_wilds"] = constants["starting_wilds_each"]
    r["starting_hand"] = constants["starting_hand_dealt"]
    r["starting_tickets"] = constants["starting_tickets"]
    r["max_tickets"] = constants["max_tickets"]
    r["hand_limit"] = constants["hand_limit_before_action"]
    r["hand_refill"] = constants["hand_refill"]
    r["reassign_limit"] = data["constants"]["reconstructed"]["reassign_limit_per_turn"]
    return rules


FREE = (
    "meta.score_scale",
    "provenance",
    "attractions.names",
    "in_play",
    "constants.rulebook.starting_hand_dealt",
    "constants.rulebook.starting_wilds_each",
    "constants.rulebook.starting_tickets",
    "constants.rulebook.max_tickets",
    "constants.rulebook.hand_limit_before_action",
    "constants.rulebook.hand_refill",
    "constants.reconstructed.reassign_limit_per_turn",
)
"""Entries that a user's own file may change; the game's rules, actions and observation rest on the others."""


def check_data(data: Mapping[str, Any]) -> None:
    """Refuse component data that the game can't be played with.

    Raises:
        ValueError: names the entry, its value and what is allowed.
    """
    for path, own, default in differences(dict(data), load_data(DATA_FILE, None)):
        if not path.startswith(FREE):
            refuse(f"data {path}", own, f"{default!r}, which the game rests on")
    names = data["attractions"]["names"]
    if len(names) != NUM_ATTRACTIONS:
        refuse("data attractions.names", names, f"{NUM_ATTRACTIONS} names")
    constants = data["constants"]["rulebook"]
    for name, low, high in (
        ("starting_wilds_each", 0, 1),
        ("starting_hand_dealt", 0, MAX_HAND - constants["starting_wilds_each"]),
        ("max_tickets", 0, MAX_TICKETS),
        ("starting_tickets", 0, constants["max_tickets"]),
        ("hand_limit_before_action", 1, MAX_HAND_LIMIT),
        ("hand_refill", 0, MAX_HAND_LIMIT),
    ):
        check_entry(constants, name, low, high, "constants.rulebook")
    reconstructed = data["constants"]["reconstructed"]
    check_entry(reconstructed, "reassign_limit_per_turn", 0, MAX_REASSIGNS, "constants.reconstructed")
    for cards in data["in_play"]:
        check_cards(cards, constants)


def check_entry(table: Mapping[str, Any], name: str, low: int, high: int, path: str) -> None:
    """Refuse an integer entry out of ``low..high``."""
    if not low <= table[name] <= high:
        refuse(f"data {path}.{name}", table[name], f"an integer in {low}..{high}")


def check_cards(cards: Mapping[str, Any], constants: Mapping[str, Any]) -> None:
    """Refuse a deck that does not go round, or entries that do not follow from its two counts (C-60)."""
    n = cards["players"]
    path = f"in_play[{n}]"
    dealt_wilds = n * constants["starting_wilds_each"]
    check_entry(cards, "copies_per_part_kind", 1, MAX_COPIES, path)
    check_entry(cards, "wilds", dealt_wilds, MAX_WILDS, path)
    parts = NUM_PART_KINDS * cards["copies_per_part_kind"]
    total = parts + cards["wilds"]
    dealt = n * constants["starting_hand_dealt"]
    derived = {
        "parts": parts,
        "total": total,
        "dealt_wilds": dealt_wilds,
        "shuffled": total - dealt_wilds,
        "dealt": dealt,
        "start_discard": n,
        "start_deck": total - dealt_wilds - dealt - n,
        "tickets": n * constants["starting_tickets"],
    }
    for name, value in derived.items():
        if cards[name] != value:
            refuse(f"data {path}.{name}", cards[name], f"{value}, which follows from the other entries")
    if derived["start_deck"] < 0:
        refuse(f"data {path}.copies_per_part_kind", cards["copies_per_part_kind"], "enough cards to deal")
