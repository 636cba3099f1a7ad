"""What a player sees, as named blocks of numbers (section 10 of the specification)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carnival_envs.core.interface import OVER, Record
from carnival_envs.core.jit import kernel
from carnival_envs.core.observation import Block, Floats, put, put_all, put_one_hot, relative, seat_at
from carnival_envs.games.bedeville.abilities import tokens_in_bag
from carnival_envs.games.bedeville.components import (
    ATTRACTIONS,
    CHARACTERS,
    MAX_DRAWS,
    MAX_GAIN,
    MAX_JOY,
    MAX_NOISE,
    MAX_PAY,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MONDAY,
    NUM_COLOURS,
    NUM_PRIZES,
    NUM_SPACES,
    TOKENS,
    TOKENS_IN_BAG,
)
from carnival_envs.games.bedeville.phases import PHASES, RETURN_PHASES
from carnival_envs.games.bedeville.piles import top
from carnival_envs.games.bedeville.state import ADRENALINE, FROM_FORTUNE, GAIN_SOURCES, NONE

NUM_ATTRACTIONS = len(ATTRACTIONS)
NUM_CHARACTERS = len(CHARACTERS)
NUM_PHASES = len(PHASES)
NUM_TOKENS = len(TOKENS)
MAX_ROUND = 50
MAX_DECK = 11
MAX_INDEX = NUM_SPACES - 1
PICKED_SHOWN = 2


def blocks(options: Mapping[str, Any]) -> list[Block]:
    """The blocks in order; the same for all options. Rows of seats begin with the observer, then clockwise."""
    return [
        Block("phase", (NUM_PHASES,), 0, 1, "one-hot: what has to be decided"),
        Block("actor", (MAX_PLAYERS,), 0, 1, "one-hot over seats: who decides; all 0 when the game is over"),
        Block("active", (MAX_PLAYERS,), 0, 1, "one-hot over seats: whose turn it is"),
        Block("first_player", (MAX_PLAYERS,), 0, 1, "one-hot over seats: who holds the First Player's Ticket"),
        Block("num_players", (MAX_PLAYERS - MIN_PLAYERS + 1,), 0, 1, "one-hot: 2, 3 or 4 players"),
        Block("beginner", (1,), 0, 1, "1 in the beginner's variant"),
        Block("round", (1,), 0, MAX_ROUND, "the round, clipped"),
        Block("max_rounds", (1,), 0, MAX_ROUND, "the round after which the game is cut off, clipped"),
        Block("final_round", (1,), 0, 1, "1 once the end of the game has been triggered"),
        Block("own_joy", (NUM_COLOURS,), 0, MAX_JOY, "own Joy by colour"),
        Block("own_prizes", (NUM_PRIZES,), 0, 1, "own Prizes"),
        Block("own_pool", (NUM_TOKENS,), 0, 1, "Monday's player only: the tokens behind the Screen"),
        Block("own_pending", (1,), -1, MAX_INDEX, "own secret choice: a colour or a space; -1 = none"),
        Block("present", (MAX_PLAYERS,), 0, 1, "by seat: 1 = there is such a player"),
        Block("character", (MAX_PLAYERS, NUM_CHARACTERS), 0, 1, "by seat, one-hot: Character"),
        Block("screened", (MAX_PLAYERS,), 0, 1, "by seat: 1 = the figure is not on the board"),
        Block("space", (MAX_PLAYERS, NUM_SPACES), 0, 1, "by seat, one-hot: space of the figure"),
        Block("chosen", (MAX_PLAYERS,), 0, 1, "by seat: 1 = a secret choice has been made"),
        Block("in_play", (NUM_SPACES,), 0, 1, "by space: 1 = in play"),
        Block("attraction", (NUM_SPACES, NUM_ATTRACTIONS), 0, 1, "by space, one-hot: Attraction"),
        Block("noise", (NUM_SPACES,), 0, MAX_NOISE, "by space: Noise"),
        Block("lying_joy", (NUM_SPACES, NUM_COLOURS), 0, MAX_JOY, "by space and colour: Joy lying there"),
        Block("stall_top", (NUM_SPACES, NUM_PRIZES), 0, 1, "by Stall, one-hot: visible Prize"),
        Block("stall_size", (NUM_SPACES,), 0, NUM_PRIZES, "by Stall: how many Prizes"),
        Block("charles_space", (NUM_SPACES,), 0, 1, "one-hot: space of Mr. Charles"),
        Block("charles_clockwise", (1,), 0, 1, "1 if Mr. Charles faces clockwise"),
        Block("furball_space", (NUM_SPACES,), 0, 1, "one-hot: space of Furball; all 0 if not in the game"),
        Block("joy_supply", (NUM_COLOURS,), 0, MAX_JOY, "Joy in the supply by colour"),
        Block("noise_supply", (1,), 0, MAX_NOISE, "Noise in the supply"),
        Block("attraction_deck_size", (1,), 0, MAX_DECK, "Attractions in the deck"),
        Block("attraction_discard", (NUM_ATTRACTIONS,), 0, 1, "discarded Attractions"),
        Block("prize_supply_size", (1,), 0, NUM_PRIZES, "Prizes in the supply"),
        Block("prize_discard", (NUM_PRIZES,), 0, 1, "discarded Prizes"),
        Block("token_board", (NUM_TOKENS,), 0, 1, "tokens face up on the board"),
        Block("bag_size", (1,), 0, TOKENS_IN_BAG, "tokens in the Bag"),
        Block("token", (NUM_TOKENS,), 0, 1, "one-hot: the token being resolved"),
        Block("fortune", (1,), 0, 1, "1 if that token was drawn by the Fortune Teller"),
        Block("drawn", (NUM_TOKENS,), 0, 1, "tokens drawn and not yet decided on"),
        Block("adrenaline", (len(ADRENALINE),), 0, 1, "one-hot: none, active, debt"),
        Block("turn", (4,), 0, 1, "this turn: exchanged, bought, Pass used, Tough Girl used"),
        Block("used_card", (NUM_ATTRACTIONS,), 0, 1, "one-hot: the Attraction whose action is performed"),
        Block("picked", (PICKED_SHOWN,), -1, MAX_INDEX, "the first two partial choices; -1 = none"),
        Block("gain_left", (1,), 0, MAX_GAIN, "Joy of any colour still to take"),
        Block("gain_source", (len(GAIN_SOURCES),), 0, 1, "one-hot: visit, Joy Wheel, token"),
        Block("buy_space", (NUM_SPACES,), 0, 1, "one-hot: the Stall being bought from"),
        Block("pay_left", (1,), 0, MAX_PAY, "Joy of any colour still to pay"),
        Block("draws_left", (1,), 0, MAX_DRAWS, "draws of step 6 still to resolve"),
        Block("return_phase", (len(RETURN_PHASES),), 0, 1, "one-hot: where #Boredom goes back to"),
    ]


@kernel
def observe(rules: Record, s: Record, player: int, out: Floats) -> int:
    """Write what ``player`` sees, in the order of ``blocks``."""
    at = put_game(rules, s, player, out, 0)
    at = put_own(s, player, out, at)
    at = put_seats(rules, s, player, out, at)
    at = put_board(rules, s, out, at)
    at = put_supplies(s, out, at)
    return put_resolution(s, out, at)


@kernel
def put_game(rules: Record, s: Record, player: int, out: Floats, at: int) -> int:
    """``phase`` to ``final_round``."""
    at = put_one_hot(out, at, s.phase, NUM_PHASES)
    for seat in (s.actor, s.active, s.first_player):
        row = relative(seat, player, rules.num_players) if seat != OVER else OVER
        at = put_one_hot(out, at, row, MAX_PLAYERS)
    at = put_one_hot(out, at, rules.num_players - MIN_PLAYERS, MAX_PLAYERS - MIN_PLAYERS + 1)
    at = put(out, at, rules.beginner, 1)
    at = put(out, at, min(s.round_number, MAX_ROUND), MAX_ROUND)
    at = put(out, at, min(rules.max_rounds, MAX_ROUND), MAX_ROUND)
    return put(out, at, s.final_round, 1)


@kernel
def put_own(s: Record, player: int, out: Floats, at: int) -> int:
    """``own_joy`` to ``own_pending``."""
    me = s.players[player]
    at = put_all(out, at, me.joy, NUM_COLOURS, MAX_JOY)
    at = put_set(out, at, me.prizes, NUM_PRIZES)
    at = put_set(out, at, s.token_unused if me.character == MONDAY else 0, NUM_TOKENS)
    return put(out, at, s.ctx.pending[player], MAX_INDEX)


@kernel
def put_seats(rules: Record, s: Record, player: int, out: Floats, at: int) -> int:
    """``present`` to ``chosen``, seat by seat."""
    character = at + MAX_PLAYERS
    screened = character + MAX_PLAYERS * NUM_CHARACTERS
    space = screened + MAX_PLAYERS
    chosen = space + MAX_PLAYERS * NUM_SPACES
    for row in range(rules.num_players):
        seat = seat_at(row, player, rules.num_players)
        other = s.players[seat]
        out[at + row] = 1.0
        put_one_hot(out, character + row * NUM_CHARACTERS, other.character, NUM_CHARACTERS)
        put_one_hot(out, space + row * NUM_SPACES, other.space, NUM_SPACES)
        if other.space == NONE:
            out[screened + row] = 1.0
        if s.ctx.pending[seat] != NONE:
            out[chosen + row] = 1.0
    return chosen + MAX_PLAYERS


@kernel
def put_board(rules: Record, s: Record, out: Floats, at: int) -> int:
    """``in_play`` to ``furball_space``, space by space."""
    attraction = at + NUM_SPACES
    noise = attraction + NUM_SPACES * NUM_ATTRACTIONS
    joy = noise + NUM_SPACES
    stall_top = joy + NUM_SPACES * NUM_COLOURS
    stall_size = stall_top + NUM_SPACES * NUM_PRIZES
    for space in range(NUM_SPACES):
        here, stall = s.ring[space], s.stalls[space]
        if here.card == NONE:
            continue
        out[at + space] = 1.0
        put_one_hot(out, attraction + space * NUM_ATTRACTIONS, here.card, NUM_ATTRACTIONS)
        put(out, noise + space, here.noise, MAX_NOISE)
        put_all(out, joy + space * NUM_COLOURS, here.joy, NUM_COLOURS, MAX_JOY)
        if stall.height > 0:
            put_one_hot(out, stall_top + space * NUM_PRIZES, top(stall), NUM_PRIZES)
            put(out, stall_size + space, stall.height, NUM_PRIZES)
    at = put_one_hot(out, stall_size + NUM_SPACES, s.charles.space, NUM_SPACES)
    at = put(out, at, s.charles.dir > 0, 1)
    return put_one_hot(out, at, s.furball, NUM_SPACES)


@kernel
def put_supplies(s: Record, out: Floats, at: int) -> int:
    """``joy_supply`` to ``bag_size``."""
    at = put_all(out, at, s.joy_supply, NUM_COLOURS, MAX_JOY)
    at = put(out, at, s.noise_supply, MAX_NOISE)
    at = put(out, at, s.attraction_deck.height, MAX_DECK)
    at = put_set(out, at, s.attraction_discard, NUM_ATTRACTIONS)
    at = put(out, at, s.prize_supply.height, NUM_PRIZES)
    at = put_set(out, at, s.prize_discard, NUM_PRIZES)
    at = put_set(out, at, s.token_board, NUM_TOKENS)
    return put(out, at, tokens_in_bag(s), TOKENS_IN_BAG)


@kernel
def put_resolution(s: Record, out: Floats, at: int) -> int:
    """``token`` to ``return_phase``."""
    at = put_one_hot(out, at, s.ctx.token, NUM_TOKENS)
    at = put(out, at, s.ctx.token_source == FROM_FORTUNE, 1)
    at = put_set(out, at, s.ctx.drawn, NUM_TOKENS)
    at = put_one_hot(out, at, s.adrenaline, len(ADRENALINE))
    for used in (s.turn.exchanged, s.turn.bought, s.turn.pass_used, s.turn.tough_used):
        at = put(out, at, used, 1)
    at = put_one_hot(out, at, s.ctx.used_card, NUM_ATTRACTIONS)
    for index in range(PICKED_SHOWN):
        at = put(out, at, s.ctx.picked[index] if index < s.ctx.num_picked else NONE, MAX_INDEX)
    at = put(out, at, s.ctx.gain_left, MAX_GAIN)
    at = put_one_hot(out, at, s.ctx.gain_source, len(GAIN_SOURCES))
    at = put_one_hot(out, at, s.ctx.buy_space, NUM_SPACES)
    at = put(out, at, s.ctx.pay_left, MAX_PAY)
    at = put(out, at, s.ctx.draws_left, MAX_DRAWS)
    for phase in RETURN_PHASES:
        at = put(out, at, s.ctx.return_phase == phase, 1)
    return at


@kernel
def put_set(out: Floats, at: int, members: int, size: int) -> int:
    """Write a multi-hot of a set over ``size`` places; returns the next place."""
    place = at
    while members:
        if members & 1:
            out[place] = 1.0
        members >>= 1
        place += 1
    return at + size
