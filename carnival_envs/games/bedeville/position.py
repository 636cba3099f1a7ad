"""Position documents of Bedeville Carnival (section 4 of the specification)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carnival_envs.core.interface import Record
from carnival_envs.core.position import Document, Field
from carnival_envs.games.bedeville.components import (
    ATTRACTIONS,
    CHARACTERS,
    MAX_DRAWS,
    MAX_GAIN,
    MAX_JOY,
    MAX_NOISE,
    MAX_PAY,
    NUM_COLOURS,
    NUM_PRIZES,
    NUM_SPACES,
    PRIZES,
    TOKENS,
)
from carnival_envs.games.bedeville.phases import PHASES, RETURN_PHASES
from carnival_envs.games.bedeville.sets import members_of
from carnival_envs.games.bedeville.state import ADRENALINE, GAIN_SOURCES, MAX_PICKED, NONE, TOKEN_SOURCES

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

LAST_SPACE = NUM_SPACES - 1
RETURN_NAMES = tuple(PHASES[phase] for phase in RETURN_PHASES)
TURN_FLAGS = ("exchanged", "bought", "pass_used", "tough_used")

# To a document ------------------------------------------------------------------------------------------------------


def to_position(game: Game, s: Record) -> Document:
    """The fields after the common header."""
    return {
        "first_player": int(s.first_player),
        "round": int(s.round_number),
        "final_round": bool(s.final_round),
        "players": [_player(s.players[seat]) for seat in range(game.num_players)],
        "ring": [_attraction(s.ring[space]) for space in range(NUM_SPACES)],
        "stalls": [_pile(s.stalls[space], PRIZES) for space in range(NUM_SPACES)],
        "attraction_deck": _pile(s.attraction_deck, ATTRACTIONS),
        "attraction_discard": _names(s.attraction_discard, ATTRACTIONS),
        "prize_supply": _pile(s.prize_supply, PRIZES),
        "prize_discard": _names(s.prize_discard, PRIZES),
        "joy_supply": s.joy_supply.tolist(),
        "noise_supply": int(s.noise_supply),
        "charles": {"space": int(s.charles.space), "dir": int(s.charles.dir)},
        "furball": int(s.furball),
        "bag": _names(s.bag, TOKENS),
        "token_board": _names(s.token_board, TOKENS),
        "token_unused": _names(s.token_unused, TOKENS),
        "adrenaline": ADRENALINE[s.adrenaline],
        "turn": {name: bool(s.turn[name]) for name in TURN_FLAGS},
        "ctx": _context(s.ctx, game.num_players),
    }


def _player(player: Record) -> Document:
    return {
        "character": _name(player.character, CHARACTERS),
        "space": int(player.space),
        "joy": player.joy.tolist(),
        "prizes": _names(player.prizes, PRIZES),
    }


def _attraction(here: Record) -> Document | None:
    if here.card == NONE:
        return None
    return {"card": ATTRACTIONS[here.card], "noise": int(here.noise), "joy": here.joy.tolist()}


def _context(ctx: Record, num_players: int) -> Document:
    return {
        "used_card": _name(ctx.used_card, ATTRACTIONS),
        "token": _name(ctx.token, TOKENS),
        "token_source": _name(ctx.token_source, TOKEN_SOURCES),
        "drawn": _names(ctx.drawn, TOKENS),
        "draws_left": int(ctx.draws_left),
        "picked": ctx.picked[: ctx.num_picked].tolist(),
        "gain_left": int(ctx.gain_left),
        "gain_source": _name(ctx.gain_source, GAIN_SOURCES),
        "buy_space": _number(ctx.buy_space),
        "pay_left": int(ctx.pay_left),
        "pending": [_number(choice) for choice in ctx.pending[:num_players]],
        "return_phase": _name(ctx.return_phase, PHASES),
    }


def _name(index: int, names: Sequence[str]) -> str | None:
    return None if index == NONE else names[index]


def _number(value: int) -> int | None:
    return None if value == NONE else int(value)


def _names(members: int, names: Sequence[str]) -> list[str]:
    return [names[member] for member in members_of(members)]


def _pile(pile: Record, names: Sequence[str]) -> list[str]:
    return [names[item] for item in pile["items"][: pile.height]]


# From a document ----------------------------------------------------------------------------------------------------


def from_position(game: Game, document: Field, s: Record) -> None:
    """Fill ``s``, whose header is filled and whose other fields are 0.

    Raises:
        ValueError: a field that is missing, of the wrong type or out of range; names it.
    """
    n = game.num_players
    s.first_player = document["first_player"].integer(0, n - 1)
    s.round_number = document["round"].integer(1, game.options["max_rounds"])
    s.final_round = document["final_round"].boolean()
    for seat in range(len(s.players)):
        s.players[seat].character = s.players[seat].space = NONE
    for seat, field in enumerate(document["players"].items(n, n)):
        _read_player(field.only("character", "space", "joy", "prizes"), s.players[seat])
    for space, field in enumerate(document["ring"].items(NUM_SPACES, NUM_SPACES)):
        _read_attraction(field, s.ring[space])
    for space, field in enumerate(document["stalls"].items(NUM_SPACES, NUM_SPACES)):
        _read_pile(field, PRIZES, s.stalls[space])
    _read_pile(document["attraction_deck"], ATTRACTIONS, s.attraction_deck)
    _read_pile(document["prize_supply"], PRIZES, s.prize_supply)
    s.attraction_discard = _read_set(document["attraction_discard"], ATTRACTIONS)
    s.prize_discard = _read_set(document["prize_discard"], PRIZES)
    s.joy_supply[:] = document["joy_supply"].integers(0, MAX_JOY, NUM_COLOURS)
    s.noise_supply = document["noise_supply"].integer(0, MAX_NOISE)
    charles = document["charles"].only("space", "dir")
    s.charles.space = charles["space"].integer(0, LAST_SPACE)
    s.charles.dir = charles["dir"].integer(-1, 1)
    s.furball = document["furball"].integer(NONE, LAST_SPACE)
    for name in ("bag", "token_board", "token_unused"):
        s[name] = _read_set(document[name], TOKENS)
    s.adrenaline = document["adrenaline"].index(ADRENALINE)
    turn = document["turn"].only(*TURN_FLAGS)
    for name in TURN_FLAGS:
        s.turn[name] = turn[name].boolean()
    _read_context(document["ctx"], s.ctx, n)


def _read_player(field: Field, player: Record) -> None:
    player.character = field["character"].index_or_null(CHARACTERS)
    player.space = field["space"].integer(NONE, LAST_SPACE)
    player.joy[:] = field["joy"].integers(0, MAX_JOY, NUM_COLOURS)
    player.prizes = _read_set(field["prizes"], PRIZES)


def _read_attraction(field: Field, here: Record) -> None:
    if field.value is None:
        here.card = NONE
        return
    field.only("card", "noise", "joy")
    here.card = field["card"].index(ATTRACTIONS)
    here.noise = field["noise"].integer(0, MAX_NOISE)
    here.joy[:] = field["joy"].integers(0, MAX_JOY, NUM_COLOURS)


def _read_context(field: Field, ctx: Record, num_players: int) -> None:
    ctx.used_card = field["used_card"].index_or_null(ATTRACTIONS)
    ctx.token = field["token"].index_or_null(TOKENS)
    ctx.token_source = field["token_source"].index_or_null(TOKEN_SOURCES)
    ctx.drawn = _read_set(field["drawn"], TOKENS)
    ctx.draws_left = field["draws_left"].integer(0, MAX_DRAWS)
    for place, choice in enumerate(field["picked"].items(0, MAX_PICKED)):
        ctx.picked[place] = choice.integer(0, LAST_SPACE)
        ctx.num_picked += 1
    ctx.gain_left = field["gain_left"].integer(0, MAX_GAIN)
    ctx.gain_source = field["gain_source"].index_or_null(GAIN_SOURCES)
    ctx.buy_space = _read_number(field["buy_space"])
    ctx.pay_left = field["pay_left"].integer(0, MAX_PAY)
    ctx.pending[:] = NONE
    for seat, choice in enumerate(field["pending"].items(num_players, num_players)):
        ctx.pending[seat] = _read_number(choice)
    ctx.return_phase = NONE
    if field["return_phase"].value is not None:
        ctx.return_phase = PHASES.index(RETURN_NAMES[field["return_phase"].index(RETURN_NAMES)])


def _read_number(field: Field) -> int:
    value = field.integer_or_null(0, LAST_SPACE)
    return NONE if value is None else value


def _read_pile(field: Field, names: Sequence[str], pile: Record) -> None:
    items = field.indices(names, 0, NUM_PRIZES)
    pile["items"][: len(items)] = items
    pile.height = len(items)


def _read_set(field: Field, names: Sequence[str]) -> int:
    members = 0
    for member in field.indices(names):
        members |= 1 << member
    return members
