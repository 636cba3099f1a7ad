"""Positions that must be refused, each for the invariant that it breaks (section 13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from carnival_envs.registry import load_game

Document = dict[str, Any]


def played(moves: int, **options: Any) -> Document:
    """The position after some random moves of a seeded game."""
    state = load_game("carnavalesco", **options).new_initial_state(seed=5)
    rng = np.random.default_rng(5)
    for _ in range(moves):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state.to_position()


def load(document: Document) -> None:
    load_game("carnavalesco", **document["options"]).state_from_position(document)


def swap_dice(document: Document) -> None:
    """Move a die from the board of one player to the other's."""
    boards = [player["board"] for player in document["players"]]
    giver = next(name for name, dice in boards[0].items() if dice)
    taker = next(name for name, dice in boards[1].items() if len(dice) < 4)
    boards[1][taker] = [boards[0][giver].pop()] + boards[1][taker]


TWO = {"first_player": 0}
SOLO = {"num_players": 1, "school_colors": ["R", "B"]}
CHOOSE = {"divisions": "choose"}


@pytest.mark.parametrize(
    ("number", "options", "moves", "change"),
    [
        ("E-I1", TWO, 20, lambda d: d["bag"].update(R=d["bag"]["R"] + 1)),
        ("E-I2", TWO, 20, lambda d: d.update(turn=(d["turn"] + 1) % 4)),
        ("E-I3", TWO, 20, lambda d: d.update(phase="place")),
        ("E-I4", TWO, 24, swap_dice),
        ("E-I6", TWO, 20, lambda d: d["players"][0].update(tokens=["harmony"])),
        ("E-I7", TWO, 20, lambda d: d["players"][0].update(counters=1)),
        ("E-I7", SOLO, 4, lambda d: d["round_picks"].pop()),
        ("E-I8", TWO, 20, lambda d: d.update(active=1 - d["active"], actor=1 - d["actor"])),
        ("E-I10", CHOOSE, 1, lambda d: d["players"][0].update(division=None)),
        ("E-I12", SOLO, 4, lambda d: d["history"].append(
            {"division": "D", "final": 80, "place": "mid", "next_division": "D"})),
        ("E-I14", TWO, 20, lambda d: d["players"][1].update(division="C")),
        ("E-I14", {}, 288 // 2, lambda d: d.update(truncated=True)),
        ("E-I15", SOLO, 8 * 5, lambda d: d["players"][0].update(counters=27)),
    ],
)  # fmt: skip
def test_broken_invariants_are_named(
    number: str, options: dict[str, Any], moves: int, change: Callable[[Document], object]
) -> None:
    """The error names the field and the invariant; some changes break an earlier one too, which is named then."""
    document = played(moves, **options)
    load(document)
    change(document)
    with pytest.raises(ValueError, match="breaks invariant E-I"):
        load(document)


def test_150_dice_and_no_more() -> None:
    """E-I1: a position with 151 dice."""
    document = played(20)
    document["bag"]["W"] += 1
    with pytest.raises(ValueError, match=r"^bag, pool, hand, players\.board: the position breaks invariant E-I1"):
        load(document)


@pytest.mark.parametrize(
    ("field", "value"),
    [("pool", []), ("hand", "R1"), ("turn", 1), ("turn_dice", 1), ("first_player", 1), ("parade", 2)],
)
def test_the_field_that_does_not_fit_is_named(field: str, value: object) -> None:
    """E-I1 to E-I14: whichever field of an invariant is changed, the error names it, among those it must agree with."""
    document = played(0, first_player=0)
    document[field] = value
    with pytest.raises(ValueError, match=rf"^[^:]*\b{field}\b[^:]*: the position breaks invariant"):
        load(document)


def test_unsorted_dice_are_refused() -> None:
    """E-I5: what loading would put in order is not taken as it is."""
    document = played(0)
    document["pool"] = document["pool"][::-1]
    with pytest.raises(ValueError, match=r"^pool\.0: "):
        load(document)


def test_a_tally_that_does_not_follow_is_refused() -> None:
    """E-I11: the result is exactly the tally of the board."""
    document = played(144)
    assert document["phase"] == "over"
    document["players"][0]["result"]["total"] += 1
    with pytest.raises(ValueError, match=r"^players\.0\.result\.total: "):
        load(document)
    document = played(20)
    document["players"][0]["result"] = {}
    with pytest.raises(ValueError, match=r"^players\.0\.result"):
        load(document)
