"""Positions that break one invariant are refused; each is one change away from a sound one (section 13)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.games.bedeville.tables import BAGS, RING, Document, load, play, table

CLAY = "clay albert cindy heidi"
MONDAY = "monday albert cindy heidi"


def changed(document: Document, path: str, value: Any) -> Document:
    """A copy with another value at a dotted path."""
    result = copy.deepcopy(document)
    *parents, last = path.split(".")
    place: Any = result
    for key in parents:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[int(last) if isinstance(place, list) else last] = value
    return result


def setup(phase: str, **changes: Any) -> Document:
    """Two players before their first Joy; seat 0 decides."""
    joy = {0: [0, 0, 0], 1: [0, 0, 0]}
    noise = dict.fromkeys(range(10), 0)
    return table("johnny albert", phase=phase, spaces=(-1, -1), noise=noise, **{"joy": joy, **changes})


def asked(phase: str, card: str, ctx: Document | None = None, **changes: Any) -> Document:
    """A choice of the action of a card on 3, where Johnny stands; it trades places with the usual one."""
    cards = {RING.index(card): RING[3]} if card in RING else {}
    context = {"used_card": card, **(ctx or {})}
    return table(phase=phase, cards={**cards, 3: card}, ctx=context, **{"spaces": (3, 4, 6, 8), **changes})


def drawn(phase: str, token: str, ctx: Document | None = None, **changes: Any) -> Document:
    """A choice that a token drawn in step 6 asks for."""
    bag = BAGS["basic"] if token in BAGS["basic"] else f"charles prank joy {token} furball"
    context = {"token": token, "token_source": "draw", "draws_left": 1, **(ctx or {})}
    return table(phase=phase, bag=bag, ctx=context, **changes)


def buying(**ctx: Any) -> Document:
    """Johnny owes one token for the Prize of his Stall."""
    return table(phase="pay", ctx={"buy_space": 2, "pay_left": 1, **ctx})


def ended() -> Document:
    """A game that is over."""
    return play(table(active=3, options={"max_rounds": 1}), "move:7", "pick:1", "pick:2", chance=[4]).to_position()


BOARD: Document = {"board": "prank", "bag": "charles joy quiet furball"}

SOUND = {
    "turn": table(),
    "draft": changed(changed(setup("draft"), "players.0.character", None), "players.1.character", None),
    "first_joy": setup("first_joy"),
    "start_space": setup("start_space", joy={0: [1, 0, 0], 1: [1, 0, 0]}),
    "pay": buying(),
    "account": table(phase="account", active=1, joy={1: [0, 1, 2]}, ctx={"buy_space": 4}),
    "gain": table(phase="gain", ctx={"gain_left": 1, "gain_source": "visit"}),
    "gain of the Joy Wheel": asked("gain", "joy_wheel", ctx={"gain_left": 2, "gain_source": "joy_wheel"}),
    "gain of the token": drawn("gain", "joy", ctx={"gain_left": 1, "gain_source": "token"}),
    "boredom": table(MONDAY, phase="boredom", ctx={"return_phase": "turn", "picked": [3]}, **BOARD),
    "window": table(MONDAY, phase="window", **BOARD),
    "whim": table(phase="whim", active=2, spaces=(2, 4, 5, 8)),
    "love": asked("love", "eternal_love", actor=1, ctx={"pending": [2, None, None, None]}),
    "blind": asked("blind", "blind_shot", actor=2, ctx={"pending": [None, 5, None, None]}),
    "two_spaces": asked("two_spaces", "memory_carousel", ctx={"picked": [4]}),
    "glutton": asked("glutton", "glutton", ctx={"picked": [7]}),
    "freaks": asked("freaks", "freaks"),
    "noise_source": asked("noise_source", "flow_of_the_undead"),
    "noise_count": asked("noise_count", "deep_sea_ride", ctx={"picked": [5]}),
    "noise_dest": asked("noise_dest", "deep_sea_ride", ctx={"picked": [5, 2]}),
    "dragon": asked("dragon", "dragon_loop", ctx={"picked": [1]}),
    "figure": asked("figure", "kraken_tentacles"),
    "figure_dest": asked("figure_dest", "devils_rodeo", ctx={"picked": [6]}),
    "prize_discard": drawn("prize_discard", "prank"),
    "lucky_trap": asked("prize_discard", "lucky_trap"),
    "caught": drawn("caught", "charles", actor=1, spaces=(3, -1, 6, 8)),
    "castle": asked("caught", "castle_of_horror", spaces=(-1, 4, 6, 8)),
    "pre_draw": table(phase="pre_draw", active=1, ctx={"draws_left": 1}),
    "choose_token": table(phase="choose_token", active=1, ctx={"draws_left": 1, "drawn": ["charles", "joy"]}),
    "noway": table(MONDAY, phase="noway", ctx={"draws_left": 1, "drawn": ["joy"]}),
    "tempt_colour": drawn("tempt_colour", "temptation"),
    "tempt_space": drawn("tempt_space", "temptation", ctx={"picked": [1]}),
    "quiet": drawn("quiet", "quiet"),
    "crack": drawn("crack", "crack"),
    "fortune": asked("quiet", "fortune_teller", ctx={"token": "quiet", "token_source": "fortune"}),
    "debt": table(CLAY, adrenaline="debt"),
    "adrenaline": table(CLAY, active=1, adrenaline="active"),
    "over": ended(),
}

BROKEN: list[tuple[str, str, str, Any]] = [
    ("B-I1", "turn", "joy_supply.0", 17),
    ("B-I1", "turn", "players.2.joy.0", 1),
    ("B-I2", "turn", "noise_supply", 40),
    ("B-I2", "turn", "ring.1.noise", 3),
    ("B-I3", "turn", "ring.1.card", "glutton"),
    ("B-I3", "turn", "attraction_discard", ["freaks"]),
    ("B-I3", "turn", "ring.0", None),
    ("B-I3", "first_joy", "ring.3", {"card": "freaks", "noise": 0, "joy": [0, 0, 0]}),
    ("B-I4", "turn", "stalls.1", ["bone_popcorn"]),
    ("B-I4", "turn", "players.1.prizes", ["bone_popcorn"]),
    ("B-I4", "first_joy", "stalls.3", ["puppet"]),
    ("B-I5", "turn", "bag", ["charles", "prank", "joy", "quiet"]),
    ("B-I5", "turn", "token_board", ["joy"]),
    ("B-I5", "turn", "token_unused", ["pirouette", "temptation"]),
    ("B-I6", "turn", "players.1.space", 2),
    ("B-I6", "turn", "players.1.space", 0),
    ("B-I6", "turn", "charles.dir", 0),
    ("B-I6", "turn", "furball", -1),
    ("B-I6", "first_joy", "furball", 3),
    ("B-I6", "first_joy", "charles.space", 7),
    ("B-I7", "turn", "players.1.character", "johnny"),
    ("B-I7", "turn", "players.1.character", None),
    ("B-I7", "draft", "players.1.character", "johnny"),
    ("B-I7", "draft", "players.0.character", "johnny"),
    ("B-I7", "first_joy", "round", 2),
    ("B-I7", "first_joy", "active", 1),
    ("B-I7", "first_joy", "actor", 1),
    ("B-I7", "start_space", "players.0.space", 4),
    ("B-I7", "start_space", "actor", 1),
    ("B-I9", "turn", "actor", 1),
    ("B-I9", "turn", "actor", -1),
    ("B-I9", "turn", "end_reason", "last_stack"),
    ("B-I9", "turn", "truncated", True),
    ("B-I9", "over", "end_reason", None),
    ("B-I9", "over", "truncated", False),
    ("B-I9", "over", "actor", 0),
    ("B-I10", "turn", "adrenaline", "active"),
    ("B-I10", "adrenaline", "adrenaline", "debt"),
    ("B-I11", "turn", "ctx.used_card", "glutton"),
    ("B-I11", "turn", "ctx.draws_left", 1),
    ("B-I11", "turn", "ctx.picked", [1]),
    ("B-I11", "pay", "ctx.pay_left", 2),
    ("B-I11", "pay", "ctx.pay_left", 0),
    ("B-I11", "pay", "ctx.buy_space", 5),
    ("B-I11", "pay", "players.0.space", -1),
    ("B-I11", "account", "players.1.character", "johnny"),
    ("B-I11", "gain", "ctx.gain_source", None),
    ("B-I11", "gain", "ctx.gain_left", 0),
    ("B-I11", "gain", "players.0.space", -1),
    ("B-I11", "gain of the Joy Wheel", "ctx.used_card", "freaks"),
    ("B-I11", "boredom", "ctx.picked", [3, 3]),
    ("B-I11", "boredom", "ctx.picked", [1]),
    ("B-I11", "boredom", "ctx.return_phase", None),
    ("B-I11", "boredom", "ctx.return_phase", "pre_draw"),
    ("B-I11", "whim", "players.2.character", "clay"),
    ("B-I11", "love", "ctx.pending", [None, None, None, None]),
    ("B-I11", "love", "ctx.pending", [2, 1, None, None]),
    ("B-I11", "love", "ctx.pending", [7, None, None, None]),
    ("B-I11", "love", "ctx.used_card", "glutton"),
    ("B-I11", "blind", "ctx.pending", [None, 3, None, None]),
    ("B-I11", "blind", "actor", 0),
    ("B-I11", "two_spaces", "ctx.used_card", "glutton"),
    ("B-I11", "two_spaces", "ctx.picked", [4, 5]),
    ("B-I11", "noise_count", "ctx.picked", [4]),
    ("B-I11", "noise_count", "ctx.picked", []),
    ("B-I11", "noise_dest", "ctx.picked", [5, 3]),
    ("B-I11", "noise_source", "ctx.used_card", "castle_of_horror"),
    ("B-I11", "figure_dest", "ctx.picked", [0]),
    ("B-I11", "prize_discard", "ctx.token_source", None),
    ("B-I11", "lucky_trap", "ctx.used_card", "freaks"),
    ("B-I11", "caught", "ctx.token_source", None),
    ("B-I11", "pre_draw", "ctx.draws_left", 2),
    ("B-I11", "pre_draw", "ctx.draws_left", 0),
    ("B-I11", "choose_token", "ctx.draws_left", 0),
    ("B-I11", "noway", "players.0.character", "clay"),
    ("B-I11", "tempt_space", "ctx.picked", [5]),
    ("B-I11", "quiet", "ctx.draws_left", 0),
    ("B-I11", "fortune", "ctx.used_card", "lucky_trap"),
    ("B-I12", "turn", "turn", {"exchanged": True, "bought": True, "pass_used": False, "tough_used": False}),
    ("B-I12", "turn", "turn", {"exchanged": False, "bought": False, "pass_used": False, "tough_used": True}),
    ("B-I13", "turn", "round", 51),
    ("B-I13", "turn", "round", 0),
]
"""Invariant, sound position, field, wrong value."""


@pytest.mark.parametrize("name", SOUND)
def test_sound_position(name: str) -> None:
    """Each phase can be loaded, dumped and shown."""
    state = load(SOUND[name])
    assert state.to_position() == SOUND[name]
    assert str(state)


@pytest.mark.parametrize(("invariant", "name", "path", "value"), BROKEN)
def test_broken_position(invariant: str, name: str, path: str, value: Any) -> None:
    """The error names the invariant, or the field whose range it limits."""
    document = changed(SOUND[name], path, value)
    with pytest.raises(ValueError, match=r"position breaks|not allowed") as caught:
        load(document)
    message = str(caught.value)
    assert invariant in message or message.startswith(path.split(".")[0]), message


def test_last_stack_means_final_round() -> None:
    """B-I8: one stocked Stall, and the final round has not begun."""
    stalls = {space: "" for space in range(10) if space != 2}
    sound = table(stalls=stalls)
    assert load(sound).to_position()["final_round"] is True
    with pytest.raises(ValueError, match="B-I8"):
        load(changed(sound, "final_round", False))


def test_a_skipped_phase_is_no_position() -> None:
    """B-I9: phases that are skipped without a choice have one; Albert holds no yellow Joy."""
    document = table(phase="pre_draw", active=1, joy={1: [1, 0, 0]}, ctx={"draws_left": 1})
    with pytest.raises(ValueError, match="B-I9"):
        load(document)


def test_given_options_are_kept() -> None:
    """B-I7: Characters and first player as the options say; without Monday no fixed token outside the Bag (B-I5)."""
    cast = ["johnny", "albert", "cindy", "heidi"]
    load(table(options={"characters": cast, "first_player": 0}))
    with pytest.raises(ValueError, match="B-I7"):
        load(table("albert johnny cindy heidi", options={"characters": cast}))
    with pytest.raises(ValueError, match="B-I7"):
        load(table(options={"first_player": 1}))
    bag = "charles prank pirouette joy quiet"
    load(table(MONDAY, bag=bag))
    with pytest.raises(ValueError, match="B-I5"):
        load(table(bag=bag))
    with pytest.raises(ValueError, match="B-I5"):
        load(table(MONDAY, bag="prank pirouette joy quiet furball"))


@pytest.mark.parametrize("path", ["players", "ctx", "ctx.pending", "stalls", "turn", "charles", "ring.0", "players.0"])
def test_malformed_parts(path: str) -> None:
    """A part of the wrong type, or one that is missing, is named."""
    for wrong in (None, 7, "x", [], {}, [None]):
        if path == "ring.0" and wrong is None:
            continue
        with pytest.raises(ValueError, match=path.split(".")[0]):
            load(changed(table(), path, wrong))
    for field in table():
        document = table()
        del document[field]
        if field != "options":
            with pytest.raises(ValueError, match=field):
                load(document)
