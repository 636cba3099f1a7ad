"""Positions that break one invariant are refused; each is one change away from a sound one (section 14)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carnival_envs.registry import load_game
from tests.games.carnival.tables import NATURAL, Document, cards_left, load, midway, table

TRIPLE = {"dice": [3, 3, 3]}
STEAL = {"kind": "midway_steal", "target": 1, "attraction": "swings", "slot": "banners", "placed": None}
TRADE = {**STEAL, "kind": "midway_trade"}
BUILT = [midway(carousel="banners", swings="lights wild"), midway(swings="banners seats", ferris_wheel="lights")]
CARDS = [f"{attraction}:banners" for attraction in ("bumper_cars", "carousel", "ferris_wheel", "roller_coaster")] * 2


def block(**fields: Any) -> Document:
    """A block question of two opponents."""
    sound = {"tickets": [3, 1, 2], "dice": [6, 1, 2], "action": STEAL, "block_queue": [1, 2]}
    sound["midways"] = [*BUILT, midway()]
    return table("block", options={"num_players": 3}, actor=1, **{**sound, **fields})


def place(reason: str = "lone_target", seat: int = 1, count: int = 1, **fields: Any) -> Document:
    """A Wild in the air, with two homes."""
    sound = {
        "actor": seat,
        "dice": [6, 1, 2],
        "midways": [midway(carousel="banners", swings="banners lights"), midway(swings="seats", ferris_wheel="lights")],
        "action": STEAL,
        "place": {"reason": reason, "seat": seat, "count": count},
    }
    return table("place", **{**sound, **fields})


def midway_give(**fields: Any) -> Document:
    """A card is due in return."""
    return table("midway_give", **{"dice": [5, 1, 2], "midways": BUILT, "action": TRADE, **fields})


def action(**fields: Any) -> Document:
    """Dice to be declared."""
    return table("action", **{"dice": [1, 2, 3], "remaining": [1, 2], **fields})


def over(**fields: Any) -> Document:
    """A game that is won."""
    own = midway(bumper_cars=NATURAL, carousel=NATURAL, ferris_wheel=NATURAL, swings=NATURAL)
    won = {"actor": -1, "end_reason": "goal", "midways": [own, midway()], "discard": ["wild"]}
    return table("over", **{**won, **fields})


SOUND = [block(), place(), midway_give(), action(), over(), table("main"), table("build")]

BROKEN: list[tuple[str, Document]] = [
    ("C-I1", table("main", deck=["wild"] * 6)),
    ("C-I1", table("main", discard=["swings:seats"] * 4)),
    ("C-I2", {**table("main"), "discard": ["swings:seats", "wild"]}),
    ("tickets", table("main", tickets=[4, 0])),
    ("C-I4", table("build", midways=[midway(swings="banners lights wild wild wild"), midway()])),
    ("C-I4", table("build", midways=[midway(swings="wild"), midway()])),
    ("midways", table("build", midways=[midway(swings="banners banners"), midway()])),
    ("C-I5", table("main", hands=[CARDS[:7], []])),
    ("C-I5", table("discard", hands=[CARDS[:6], []])),
    ("C-I5", table("swap", hands=[CARDS[:6], []], swap_count=2, discard=["wild"] * 2)),
    ("C-I5", table("action", **TRIPLE, remaining=[3, 3, 3], hands=[CARDS[:7], ["wild"]])),
    (
        "C-I5",
        table(
            "hand_give",
            dice=[4, 1, 2],
            hands=[["wild"], [*sorted(CARDS), "swings:lights"]],
            action={"kind": "hand_trade", "target": 1, "attraction": None, "slot": None, "placed": None},
        ),
    ),
    ("C-I7", table("main", midways=over()["midways"], discard=["wild"])),
    ("C-I7", over(midways=BUILT)),
    ("C-I8", over(end_reason=None)),
    ("C-I8", over(actor=0)),
    ("C-I8", table("main", end_reason="goal")),
    ("C-I8", table("main", actor=1)),
    ("C-I8", table("main", truncated=True)),
    ("C-I8", table("main", turn=200)),
    ("C-I9", table("main", dice=[1, 2, 3])),
    ("C-I9", table("build", dice=[1, 2])),
    ("C-I9", table("assign")),
    ("C-I9", table("assign", **TRIPLE)),
    ("C-I9", action(remaining=[])),
    ("C-I9", action(remaining=[1, 4])),
    ("C-I9", action(remaining=[1, 2, 3])),
    ("C-I9", table("build", dice=[1, 2, 3], remaining=[1])),
    ("C-I9", block(remaining=[6])),
    ("C-I10", table("main", reassigns=1)),
    ("C-I10", table("swap")),
    ("C-I10", table("build", swap_count=1)),
    ("reassigns", action(reassigns=7)),
    ("C-I11", action(ticket_used=[True, False])),
    ("C-I11", table("main", ticket_used=[False, True])),
    ("C-I12", block(block_queue=[1])),
    ("C-I12", block(block_queue=[])),
    ("C-I12", block(tickets=[3, 1, 0])),
    ("C-I12", block(ticket_used=[False, True, False])),
    ("block_queue", block(block_queue=[2, 1])),
    ("C-I12", table("main", tickets=[1, 1], block_queue=[1])),
    ("C-I13", place(count=0)),
    ("C-I13", place(seat=0)),
    ("C-I13", place(reason="received")),
    ("C-I13", place(reason="taken", seat=0)),
    ("C-I13", place(reason="received", count=2, action=TRADE, dice=[5, 1, 2])),
    ("C-I13", place(action={**STEAL, "slot": "wild"})),
    ("C-I13", place(midways=[midway(swings="banners"), midway(swings="lights")])),
    ("C-I13", table("main", place={"reason": "taken", "seat": 0, "count": 0})),
    ("C-I14", table("build", dice=[6, 1, 2], midways=BUILT, action=STEAL)),
    ("C-I14", midway_give(action=None)),
    ("C-I14", midway_give(action=STEAL, dice=[6, 1, 2])),
    ("C-I14", midway_give(action={**TRADE, "target": 0})),
    ("C-I14", midway_give(action={**TRADE, "slot": None})),
    ("C-I14", midway_give(action={**TRADE, "placed": "swings"})),
    ("C-I14", block(action={**STEAL, "slot": "lights"})),
    ("C-I14", block(action={**STEAL, "slot": "wild", "placed": "carousel"})),
    ("C-I14", block(action={**STEAL, "kind": "hand_draw", "attraction": None, "slot": None}, dice=[3, 1, 2])),
    ("C-I15", action(dice=[2, 4, 5], remaining=[4], hands=[["wild"], []])),
    ("C-I15", midway_give(midways=[midway(swings="banners"), BUILT[1]])),
    ("C-I15", table("steal_discard", dice=[6, 1, 2], midways=BUILT, action=STEAL)),
    ("C-I15", over(truncated=True, end_reason="max_turns", turn=200, midways=BUILT, action=STEAL, dice=[6, 1, 2])),
]


@pytest.mark.parametrize("document", SOUND, ids=lambda document: str(document["phase"]))
def test_sound_position(document: Document) -> None:
    """The positions that the broken ones are made from can be loaded."""
    assert load(document).to_position() == document


@pytest.mark.parametrize(("named", "document"), BROKEN, ids=[f"{i}-{named}" for i, (named, _) in enumerate(BROKEN)])
def test_broken_position(named: str, document: Document) -> None:
    """The error names the invariant, or the field where it holds by the field's own range."""
    with pytest.raises(ValueError, match=f"{named}\\b"):
        load(document)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("turn", -1),
        ("turn", 201),
        ("deck", "wild"),
        ("discard", ["wild", "wildcard"]),
        ("hands", [[]]),
        ("hands", [["wild"] * 10, []]),
        ("midways", [midway(), {**midway(), "tunnel": []}]),
        ("tickets", [True, 0]),
        ("ticket_used", [0, 0]),
        ("dice", [1, 2, 7]),
        ("remaining", [1, 1, 1, 1]),
        ("reassigns", 2.0),
        ("swap_count", None),
        ("action", {"kind": "midway_steal"}),
        ("action", {**STEAL, "target": 2}),
        ("place", {"reason": "taken", "seat": 0, "count": 4}),
        ("block_queue", [2]),
    ],
)
def test_malformed_field(field: str, value: Any) -> None:
    """Values out of range, of the wrong type or shape are refused by the name of the field."""
    with pytest.raises(ValueError, match=rf"^{field}"):
        load({**table("main"), field: value})


@pytest.mark.parametrize("field", ["turn", "hands", "midways", "action", "place", "block_queue"])
def test_missing_field(field: str) -> None:
    document = table("main")
    del document[field]
    with pytest.raises(ValueError, match=f"^{field}: this field is missing"):
        load(document)


def test_hand_must_be_sorted() -> None:
    """Section 11: hands are in ascending kind order."""
    with pytest.raises(ValueError, match=r"^hands\.0\.0"):
        load(table("main", hands=[["wild", "swings:lights"], []]))


def test_natural_sets_never_lose_a_card() -> None:
    """C-6, C-I6: in random games with many steals, a natural set stays for good."""
    game = load_game("carnival", num_players=4)
    choose = np.random.default_rng(11)
    locked_seen = 0
    for seed in range(3):
        state = game.new_initial_state(seed=seed)
        locked: set[tuple[int, str]] = set()
        while not state.is_terminal():
            state.apply_action(int(choose.choice(state.legal_actions())))
            now = {
                (seat, attraction)
                for seat, own in enumerate(state.to_position()["midways"])
                for attraction, stack in own.items()
                if stack == NATURAL.split()
            }
            assert locked <= now
            locked = now
        locked_seen += len(locked)
    assert locked_seen > 0


def test_tables_are_whole() -> None:
    """C-I1, C-I2: the tables of these tests hold every card once."""
    document = table("main")
    assert len(document["deck"]) + len(document["discard"]) == 66
    assert cards_left({**document, "hands": [["wild"], []]}).count("wild") == 5
