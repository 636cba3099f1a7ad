"""Positions of Carnavalo for the tests, from the few fields that matter."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from carnival_envs.core.state import State
from carnival_envs.registry import load_game

Document = dict[str, Any]

FULL_HAND = [1, 2, 3, 4, 5]
TENT_TOKENS = [[1, 1, 1, 1], [2, 2, 2, 1], [3, 2, 2, 2], [3, 3, 3, 3], [4, 4, 4, 3], [1, 4, 4, 4]]
CITIZENS = {"prince": 17, "miss": 5, "barricadol": 11}
UP, DOWN = 1, 0


def table(num_players: int = 3, *, advanced: bool = False, max_turns: int = 400, **fields: Any) -> Document:
    """A position document with seat 0 before its action.

    Cards that lie nowhere else are in the hands, movement tokens that nobody holds in the stack, in ascending order;
    ``citizens`` may name some of the three.
    """
    n = num_players
    document: Document = {
        "game": "carnavalo",
        "version": 1,
        "options": {"num_players": n, "advanced": advanced, "max_turns": max_turns},
        "phase": "before_action",
        "active": 0,
        "actor": 0,
        "truncated": False,
        "end_reason": None,
        "day": 1,
        "turns": 0,
        "ring": 1,
        "citizens": {},
        "setup_cards": [0] * n,
        "hands": None,
        "tents": [[] for _ in range(6)],
        "middle": None,
        "parade": [],
        "discs": [[0] * 6 for _ in range(n)],
        "movement_tokens": [[] for _ in range(n)],
        "movement_stack": None,
        "tent_tokens": deepcopy(TENT_TOKENS),
        "tent_box": [20, 30],
        "parade_tokens": [5, 4, 4, 3],
        "parade_box": [3, 5],
        "won_tent_tokens": [[] for _ in range(n)],
        "won_parade_tokens": [[] for _ in range(n)],
        "floats_left": None,
        "float_owned": [False] * n,
        "return_reason": "none",
    }
    assert set(fields) <= set(document)
    document.update(fields)
    document["citizens"] = {**CITIZENS, **document["citizens"]}
    if document["hands"] is None:
        document["hands"] = hands(document)
    if document["movement_stack"] is None:
        held = [token for tokens in document["movement_tokens"] for token in tokens]
        document["movement_stack"] = [token for token in range(6) if token not in held]
    if document["floats_left"] is None:
        document["floats_left"] = 5 - document["day"]
    return document


def tents(**piles: list[list[int]]) -> list[list[list[int]]]:
    """The cards of the six tents from those of some: ``tents(t2=[[0, 3, UP]])``."""
    return [piles.get(f"t{tent}", []) for tent in range(6)]


def hands(document: Document) -> list[list[int]]:
    """Every player's cards that lie neither in a tent nor in the parade nor in the middle."""
    shown = [card[:2] for pile in document["tents"] for card in pile] + document["parade"] + [document["middle"]]
    n = document["options"]["num_players"]
    return [[value for value in FULL_HAND if [player, value] not in shown] for player in range(n)]


def load(document: Document) -> State:
    """The state of a position document; a draw from it would be an error, since only the deal draws."""
    return load_game("carnavalo", **document["options"]).state_from_position(document, chance=[])


def play(document: Document, *actions: str) -> State:
    """The state after some actions."""
    state = load(document)
    for action in actions:
        state.apply_action(action)
    return state


def after(document: Document, *actions: str) -> Document:
    """The position document after some actions."""
    return play(document, *actions).to_position()


def legal(document: Document, *actions: str) -> list[str]:
    """The legal actions after some actions."""
    state = play(document, *actions)
    return [state.game.action_to_string(action) for action in state.legal_actions()]
