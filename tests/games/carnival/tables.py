"""Positions of Carnival for the tests, from the few fields that matter."""

from __future__ import annotations

from typing import Any

from carnival_envs.core.state import State
from carnival_envs.registry import load_game

Document = dict[str, Any]

ATTRACTIONS = ("bumper_cars", "carousel", "ferris_wheel", "roller_coaster", "swings")
PARTS = ("banners", "lights", "materials", "seats")
CARDS = [*(f"{attraction}:{part}" for attraction in ATTRACTIONS for part in PARTS), "wild"]
NATURAL = "banners lights materials seats"
OPTIONS = {"num_players": 2, "attractions_to_win": 4, "natural_ticket": True, "max_turns": 200, "first_player": 0}


def midway(**stacks: str) -> dict[str, list[str]]:
    """A Midway from the slots of its attractions: ``midway(swings="lights wild")``."""
    return {attraction: stacks.get(attraction, "").split() for attraction in ATTRACTIONS}


def table(phase: str, *, options: Document | None = None, **fields: Any) -> Document:
    """A position document with seat 0 to move; cards that are nowhere else make the deck, in ascending order."""
    options = {**OPTIONS, **(options or {})}
    n = options["num_players"]
    document: Document = {
        "game": "carnival",
        "version": 1,
        "options": options,
        "phase": phase,
        "active": 0,
        "actor": 0,
        "truncated": False,
        "end_reason": None,
        "turn": 0,
        "deck": None,
        "discard": ["swings:seats"],
        "hands": [[] for _ in range(n)],
        "midways": [midway() for _ in range(n)],
        "tickets": [0] * n,
        "ticket_used": [False] * n,
        "dice": [],
        "remaining": [],
        "reassigns": 0,
        "swap_count": 0,
        "action": None,
        "place": None,
        "block_queue": [],
    }
    assert set(fields) <= set(document)
    document.update(fields)
    if document["deck"] is None:
        document["deck"] = cards_left(document)
    return document


def cards_left(document: Document) -> list[str]:
    """The cards that no other pile, hand or Midway holds, in ascending order."""
    left = dict.fromkeys(CARDS, 4 if document["options"]["num_players"] == 4 else 3) | {"wild": 6}
    for pile in (document["discard"], *document["hands"]):
        for card in pile:
            left[card] -= 1
    for own in document["midways"]:
        for attraction, stack in own.items():
            for slot in stack:
                left["wild" if slot == "wild" else f"{attraction}:{slot}"] -= 1
    left["wild"] -= document["place"]["count"] if document["place"] else 0
    return [card for card in CARDS for _ in range(left[card])]


def load(document: Document, chance: list[int] | None = None) -> State:
    """The state of a document, with scripted draws."""
    game = load_game("carnival", **document["options"])
    return game.state_from_position(document, chance=chance or [])


def play(document: Document, *actions: str, chance: list[int] | None = None) -> State:
    """The state after some actions; all scripted draws must be used."""
    state = load(document, chance)
    for action in actions:
        state.apply_action(action)
    assert state.chance_left == 0
    return state


def legal(state: State) -> list[str]:
    """The legal actions, as strings."""
    return [state.game.action_to_string(action) for action in state.legal_actions()]


def after(document: Document, *actions: str, chance: list[int] | None = None) -> Document:
    """The position after some actions."""
    return play(document, *actions, chance=chance).to_position()
