"""Positions that break one invariant are refused; each is one change away from a sound one (section 13)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.carnavalo.tables import DOWN, FULL_HAND, TENT_TOKENS, UP, Document, load, table, tents

WON = -1
NO_TOKENS: list[list[int]] = [[] for _ in range(6)]
FIVE_CARDS = [[0, 2], [1, 5], [1, 3], [2, 4], [2, 1]]


def change(document: Document, **fields: Any) -> Document:
    """A document with some fields replaced, unknown ones too; ``hands`` stay as they were."""
    return {**document, **fields}


def setup(**fields: Any) -> Document:
    """Seat 0 has laid a 3 aside, seat 1 is to choose; nothing is dealt."""
    sound = {
        "phase": "setup_card",
        "actor": 1,
        "setup_cards": [3, 0, 0],
        "hands": [[1, 2, 4, 5], FULL_HAND, FULL_HAND],
        "movement_stack": [],
        "tent_tokens": NO_TOKENS,
        "tent_box": [],
        "parade_tokens": [],
        "parade_box": [],
    }
    return table(3, **{**sound, **fields})


def before(**fields: Any) -> Document:
    """Cards in two tents and one in the middle."""
    piles = tents(t1=[[0, 2, DOWN], [1, 3, UP]], t2=[[2, 5, UP]])
    return table(3, **{"tents": piles, "middle": [0, 1], "movement_tokens": [[1], [2], [3]], **fields})


def after_action(**fields: Any) -> Document:
    """Player 0 may play his token or end his turn."""
    return before(**{"phase": "after_action", **fields})


def returning(reason: str, **fields: Any) -> Document:
    """Player 0 has two tokens to give back."""
    sound = {"phase": "return_tokens", "return_reason": reason, "ring": 0, "movement_tokens": [[1, 4], [2], [3]]}
    return table(3, **{**sound, **fields})


def over(**fields: Any) -> Document:
    """The count of day 4 is done; the parade was full."""
    sound = {"phase": "over", "actor": -1, "end_reason": "days", "day": 4, "floats_left": 0, "parade": FIVE_CARDS}
    piles = tents(t1=[[0, 1, UP], [1, 2, UP]])
    return table(3, **{**sound, "tents": piles, **fields})


def truncated(**fields: Any) -> Document:
    """The bound is reached."""
    sound = {"phase": "over", "actor": -1, "end_reason": "max_turns", "truncated": True, "turns": 40, "max_turns": 40}
    return table(3, **{**sound, **fields})


SOUND = {
    "setup": setup(),
    "before": before(),
    "after_action": after_action(),
    "turn_end": returning("turn_end"),
    "day_end": returning("day_end", parade=FIVE_CARDS),
    "over": over(),
    "truncated": truncated(),
}

FIVE_WON = [[WON] * 5 + [0], [0] * 6, [0] * 6]

BROKEN: list[tuple[str, Document]] = [
    ("hands: .* O-I1", change(before(), hands=[[3, 4, 5], [1, 2, 4, 5], [1, 2, 3, 4, 5]])),
    ("hands: .* O-I1", change(before(), hands=[[3, 4], [1, 2, 4, 5], [1, 2, 3, 4]])),
    ("hands: .* O-I1", change(before(), middle=[1, 3])),
    ("hands: .* O-I1", change(setup(), setup_cards=[2, 0, 0])),
    ("hands: .* O-I1", change(before(), parade=[[0, 3]])),
    ("tents: .* O-I2", before(tents=tents(t1=[[1, 3, DOWN]]))),
    ("tents: .* O-I2", over(tents=tents(t1=[[0, 1, DOWN], [1, 2, UP]]))),
    (r"tents\.1\.1\.2: 0", before(tents=tents(t1=[[0, 2, UP], [1, 3, DOWN], [2, 4, UP]]))),
    ("end_reason: .* O-I3", before(discs=FIVE_WON)),
    ("end_reason: .* O-I3", over(end_reason="discs")),
    ("end_reason: .* O-I3", over(discs=FIVE_WON)),
    ("movement_tokens: .* O-I4", change(before(), movement_stack=[0, 1, 4, 5])),
    ("movement_tokens: .* O-I4", change(before(), movement_stack=[0, 4])),
    ("movement_tokens: .* O-I4", change(before(), movement_tokens=[[1], [1], [3]], movement_stack=[0, 2, 4, 5])),
    ("tent_tokens: .* O-I5", before(tent_tokens=[[1, 1, 1, 4], *TENT_TOKENS[1:]])),
    ("tent_tokens: .* O-I5", before(tent_box=[20])),
    ("tent_tokens: .* O-I5", before(tent_box=[1, 20], tent_tokens=[[1, 1, 1, 30], *TENT_TOKENS[1:]])),
    ("parade_tokens: .* O-I6", before(parade_tokens=[5, 5, 4, 3])),
    ("parade_tokens: .* O-I6", before(parade_tokens=[4, 4, 3], parade_box=[3, 5, 5])),
    ("parade: .* O-I8", before(parade=FIVE_CARDS, tents=tents(), middle=None)),
    ("floats_left: .* O-I9", before(floats_left=3)),
    ("floats_left: .* O-I9", over(floats_left=1)),
    ("float_owned: .* O-I9", before(float_owned=[True, False, False])),
    ("tent_tokens: .* O-I10", before(tent_tokens=[[1, 1, 1], *TENT_TOKENS[1:]], won_tent_tokens=[[1], [], []])),
    ("parade_tokens: .* O-I10", before(parade_tokens=[5, 4, 4], won_parade_tokens=[[3], [], []])),
    ("actor: .* O-I11", before(actor=1)),
    ("actor: .* O-I11", over(actor=0)),
    ("phase: .* O-I11", returning("day_end")),
    ("phase: .* O-I11", over(parade=[])),
    ("phase: .* O-I11", table(2, tents=tents(t1=[[0, 1, DOWN], [0, 2, DOWN], [0, 3, UP]]), parade=[[0, 4], [0, 5]])),
    ("movement_tokens: .* O-I11", after_action(movement_tokens=[[], [2], [3]])),
    ("movement_tokens: .* O-I11", returning("turn_end", movement_tokens=[[1], [2], [3]])),
    ("movement_tokens: .* O-I11", over(movement_tokens=[[1], [], []])),
    ("return_reason: .* O-I11", returning("none")),
    ("return_reason: .* O-I11", before(return_reason="turn_end")),
    ("ring: .* O-I11", returning("turn_end", ring=2)),
    ("turns: .* O-I12", before(turns=400)),
    ("turns: .* O-I12", truncated(turns=39)),
    ("setup_cards: .* O-I13", change(before(), setup_cards=[3, 0, 0], hands=[[4, 5], [1, 2, 4, 5], [1, 2, 3, 4]])),
    (r"hands\.0", change(before(), hands=[[5, 4, 3], [1, 2, 4, 5], [1, 2, 3, 4]])),
    (r"movement_tokens\.0", before(movement_tokens=[[4, 1], [], []])),
    (r"tent_box\.0", before(tent_box=[30, 20])),
    (r"parade_box\.0", before(parade_box=[5, 3])),
    ("setup_cards: .* O-I16", setup(actor=0)),
    ("setup_cards: .* O-I16", setup(actor=2)),
    ("actor: .* O-I11", setup(actor=-1)),
    ("phase: .* O-I16", setup(ring=2)),
    ("phase: .* O-I16", setup(active=1)),
    ("phase: .* O-I16", setup(turns=1)),
    ("phase: .* O-I16", setup(floats_left=3)),
    ("phase: .* O-I16", setup(citizens={"prince": 0})),
    ("phase: .* O-I16", setup(discs=[[1, 0, 0, 0, 0, 0], [0] * 6, [0] * 6])),
    ("phase: .* O-I16", setup(tent_box=[20, 30])),
    ("phase: .* O-I16", setup(tent_tokens=[[1], *NO_TOKENS[1:]])),
    ("phase: .* O-I16", setup(movement_stack=[1])),
    ("phase: .* O-I16", setup(movement_tokens=[[1], [], []], movement_stack=[])),
    ("phase: .* O-I16", setup(won_parade_tokens=[[3], [], []])),
    ("phase: .* O-I16", setup(float_owned=[True, False, False])),
    ("phase: .* O-I16", setup(return_reason="day_end")),
    ("phase: .* O-I16", setup(tents=tents(t1=[[1, 3, UP]]), hands=[[1, 2, 4, 5], [1, 2, 4, 5], FULL_HAND])),
    ("end_reason: .* O-I17", before(end_reason="days")),
    ("end_reason: .* O-I17", over(end_reason=None)),
    ("truncated: .* O-I17", over(truncated=True)),
    ("truncated: .* O-I17", truncated(truncated=False)),
    ("day: .* O-I17", over(day=3, floats_left=1)),
]


@pytest.mark.parametrize("document", SOUND.values(), ids=SOUND)
def test_sound_position(document: Document) -> None:
    """The positions that the broken ones are made from can be loaded."""
    assert load(document).to_position() == document


@pytest.mark.parametrize(("named", "document"), BROKEN, ids=[f"{i}-{named}" for i, (named, _) in enumerate(BROKEN)])
def test_broken_position(named: str, document: Document) -> None:
    """The error names the field and the invariant, or the place in the field where it holds by itself."""
    with pytest.raises(ValueError, match=f"^{named}"):
        load(document)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("day", 0),
        ("day", 5),
        ("turns", -1),
        ("turns", 401),
        ("ring", 6),
        ("ring", True),
        ("citizens", {"prince": 17, "miss": 5}),
        ("citizens", {"prince": 18, "miss": 5, "barricadol": 11}),
        ("citizens", {"prince": 17, "miss": 5, "barricadol": 11, "mayor": 0}),
        ("setup_cards", [0, 0]),
        ("setup_cards", [0, 0, 6]),
        ("hands", [[1], [2], [3], [4]]),
        ("hands", [[1, 1], [2], [3]]),
        ("hands", [[0], [2], [3]]),
        ("tents", []),
        ("tents", tents(t1=[[0, 1]])),
        ("tents", tents(t1=[[3, 1, UP]])),
        ("tents", tents(t1=[[0, 1, 2]])),
        ("tents", tents(t1=[[0, 1, UP]] * 31)),
        ("middle", [0, 6]),
        ("middle", 3),
        ("parade", [[0, 1]] * 6),
        ("discs", [[0] * 6, [0] * 6, [0] * 5]),
        ("discs", [[0] * 6, [0] * 6, [5] * 6]),
        ("movement_tokens", [[6], [], []]),
        ("movement_stack", [0] * 7),
        ("tent_tokens", [[1] * 5, *TENT_TOKENS[1:]]),
        ("tent_tokens", [[5], *TENT_TOKENS[1:]]),
        ("tent_box", [1] * 300),
        ("parade_tokens", [20]),
        ("won_tent_tokens", [[1.0], [], []]),
        ("won_parade_tokens", None),
        ("floats_left", "4"),
        ("float_owned", [0, 0, 0]),
        ("return_reason", None),
    ],
)
def test_malformed_field(field: str, value: Any) -> None:
    """Values out of range, of the wrong type or shape are refused by the name of the field."""
    with pytest.raises(ValueError, match=f"^{field}"):
        load(change(before(), **{field: value}))


@pytest.mark.parametrize("field", [name for name in table(3) if name != "options"])
def test_missing_field(field: str) -> None:
    """Every field is needed."""
    document = before()
    del document[field]
    with pytest.raises(ValueError, match=f"^{field}: this field is missing"):
        load(document)


def test_unknown_field() -> None:
    """An unknown field is refused like a missing one."""
    with pytest.raises(ValueError, match=r"^rings"):
        load(change(before(), rings=1))
