"""What a player sees, as named blocks (section 10 of the specification)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.core.observation import Block, Floats, put, put_one_hot, put_seat, relative
from carnival_envs.games.carnavalo.state import (
    LAST_DISC_SPACE,
    MAX_RING,
    NO_CARD,
    NOBODY,
    NUM_CITIZENS,
    NUM_PARADE_TOKENS,
    NUM_SPACES,
    NUM_TENT_TOKENS,
    NUM_TENTS,
    NUM_VALUES,
    PHASES,
    SETUP_CARD,
    STACK_HEIGHT,
    WON,
)
from carnival_envs.games.carnavalo.tents import owner_of, value_of
from carnival_envs.games.carnavalo.tokens import open_parade_token, open_tent_token

NUM_PHASES = len(PHASES)
MOST_TURNS = 400  # the turn counter is cut there
MOST_DAYS = STACK_HEIGHT
NUM_RINGS = MAX_RING + 1
NUM_DISC_PLACES = LAST_DISC_SPACE + 2  # spaces 0..4, won
MOST_OF_A_TENT_TOKEN = 6
MOST_OF_A_PARADE_TOKEN = 2
MOST_IN_A_TENT = sum(range(1, NUM_VALUES + 1)) + LAST_DISC_SPACE


def blocks(options: Mapping[str, Any]) -> list[Block]:
    """The blocks of an observation, in order. The first index over players is relative: 0 is the observer."""
    n = options["num_players"]
    slots = NUM_VALUES * n
    codes = "1, 2, 3, 4, 20 (2x), 30 (3x)"
    return [
        Block("phase", (NUM_PHASES,), 0, 1, f"one-hot: {', '.join(PHASES)}"),
        Block("actor", (n,), 0, 1, "one-hot: who decides; all 0 when over"),
        Block("active", (n,), 0, 1, "one-hot: whose turn it is; all 0 in setup_card"),
        Block("day", (MOST_DAYS,), 0, 1, "one-hot: day 1..4"),
        Block("ring", (NUM_RINGS,), 0, 1, "one-hot: movement ring on 0..5"),
        Block("turns", (1,), 0, MOST_TURNS, "completed turns, cut at 400"),
        Block("advanced", (1,), 0, 1, "whether the game is played with the 2x and 3x tokens"),
        Block("citizens", (NUM_CITIZENS, NUM_SPACES), 0, 1, "one-hot: space of prince, miss, barricadol"),
        Block("hand", (NUM_VALUES,), 0, 1, "own hand, by value"),
        Block("hand_sizes", (n,), 0, NUM_VALUES, "cards in hand"),
        Block("setup_chosen", (n,), 0, 1, "whether a setup card is laid aside"),
        Block("setup_own", (NUM_VALUES,), 0, 1, "one-hot: own laid-aside card, by value"),
        Block("tent_owner", (NUM_TENTS, slots), 0, n, "per place from the podium card down: relative owner + 1"),
        Block("tent_value", (NUM_TENTS, slots), 0, NUM_VALUES, "same places: value; 0 for others' face-down cards"),
        Block("tent_up", (NUM_TENTS, slots), 0, 1, "same places: whether the card lies face up"),
        Block("middle_owner", (n,), 0, 1, "one-hot: owner of the card that follows Miss Carnavalo"),
        Block("middle_value", (NUM_VALUES,), 0, 1, "one-hot: its value"),
        Block("parade", (n, NUM_VALUES), 0, 1, "whether the card, by owner and value, lies in the parade"),
        Block("discs", (n, NUM_TENTS, NUM_DISC_PLACES), 0, 1, "one-hot: disc on space 0, 1, 2, 3, 4, won"),
        Block("tokens_own", (NUM_TENTS,), 0, 1, "own movement tokens"),
        Block("token_counts", (n,), 0, NUM_TENTS, "movement tokens held"),
        Block("token_stack_size", (1,), 0, NUM_TENTS, "height of the movement stack"),
        Block("tent_open", (NUM_TENTS, NUM_TENT_TOKENS), 0, 1, f"one-hot: open token of each tent: {codes}"),
        Block("tent_left", (NUM_TENTS,), 0, STACK_HEIGHT, "tokens beside each tent"),
        Block("parade_open", (NUM_PARADE_TOKENS,), 0, 1, "one-hot: open token of the parade: 3, 4, 5"),
        Block("parade_left", (1,), 0, STACK_HEIGHT, "tokens beside the parade"),
        Block("won_tent", (n, NUM_TENT_TOKENS), 0, MOST_OF_A_TENT_TOKEN, f"won tent tokens: {codes}"),
        Block("won_parade", (n, NUM_PARADE_TOKENS), 0, MOST_OF_A_PARADE_TOKEN, "won parade tokens: 3, 4, 5"),
        Block("floats_left", (1,), 0, MOST_DAYS, "days that can still be played, this one included"),
        Block("float_owned", (n,), 0, 1, "who owns a float"),
        Block("unseen", (n, NUM_VALUES), 0, 1, "whether the card, by owner and value, lies face up nowhere"),
        Block("tent_visible_total", (NUM_TENTS, n), 0, MOST_IN_A_TENT, "per tent and player: values seen + disc"),
        Block("tent_facedown", (NUM_TENTS, n), 0, NUM_VALUES, "per tent and player: face-down cards"),
    ]


@kernel
def observe(rules: Record, s: Record, player: int, out: Floats) -> int:
    """Write the observation of a player; returns its length."""
    n = rules.num_players
    sums = len(out) - n * (NUM_VALUES + 2 * NUM_TENTS)  # where the last three blocks start
    at = put_course_of_play(rules, s, player, n, out)
    at = put_hands(s, player, n, out, at)
    begin_sums(n, out, sums)
    at = put_tents(s, player, n, out, at, sums)
    at = put_middle(s, player, n, out, at, sums)
    at = put_parade(s, player, n, out, at, sums)
    at = put_discs(s, player, n, out, at, sums)
    at = put_movement_tokens(s, player, n, out, at)
    at = put_open_tokens(s, out, at)
    put_winnings(s, player, n, out, at)
    return finish_sums(n, out, sums)


@kernel
def put_course_of_play(rules: Record, s: Record, player: int, n: int, out: Floats) -> int:
    """Blocks phase to citizens: what is public about the game as a whole."""
    at = put_one_hot(out, 0, s.phase, NUM_PHASES)
    at = put_seat(out, at, s.actor, player, n)
    at = put_seat(out, at, NOBODY if s.phase == SETUP_CARD else s.active, player, n)
    at = put_one_hot(out, at, s.day - 1, MOST_DAYS)
    at = put_one_hot(out, at, s.ring, NUM_RINGS)
    at = put(out, at, min(s.turns, MOST_TURNS), MOST_TURNS)
    at = put(out, at, rules.advanced, 1)
    for citizen in range(NUM_CITIZENS):
        at = put_one_hot(out, at, s.citizens[citizen], NUM_SPACES)
    return at


@kernel
def put_hands(s: Record, player: int, n: int, out: Floats, at: int) -> int:
    """Blocks hand to setup_own."""
    me = s.players[player]
    at = put_set(out, at, me.hand >> 1, NUM_VALUES)
    for k in range(n):
        at = put(out, at, s.players[seat_at(player, k, n)].hand_size, NUM_VALUES)
    if s.phase == SETUP_CARD:
        for seat in range(s.actor):
            out[at + relative(seat, player, n)] = 1.0
    return put_one_hot(out, at + n, me.setup_card - 1, NUM_VALUES)


@kernel
def begin_sums(n: int, out: Floats, sums: int) -> None:
    """Begin the blocks unseen, tent_visible_total and tent_facedown: what is met later is taken off or added."""
    out[sums : sums + n * NUM_VALUES] = 1.0


@kernel
def finish_sums(n: int, out: Floats, sums: int) -> int:
    """Scale the raw sums of the blocks tent_visible_total and tent_facedown; returns where they end."""
    totals = sums + n * NUM_VALUES
    face_down = totals + n * NUM_TENTS
    end = face_down + n * NUM_TENTS
    for place in range(totals, face_down):
        out[place] /= np.float32(MOST_IN_A_TENT)
    for place in range(face_down, end):
        out[place] /= np.float32(NUM_VALUES)
    return end


@kernel
def put_tents(s: Record, player: int, n: int, out: Floats, at: int, sums: int) -> int:
    """Blocks tent_owner, tent_value and tent_up, and the cards' part in the last three blocks."""
    slots = NUM_VALUES * n
    totals = sums + n * NUM_VALUES
    for t in range(NUM_TENTS):
        put_tent(s.tents[t], player, n, out, at + t * slots, sums, totals + t * n)
    return at + 3 * NUM_TENTS * slots


@kernel
def put_tent(tent: Record, player: int, n: int, out: Floats, slot: int, unseen: int, totals: int) -> None:
    """The cards of one tent, from the podium card down."""
    block = NUM_TENTS * NUM_VALUES * n
    for place in range(tent.height - 1, tent.face_down - 1, -1):
        k = relative(owner_of(tent.cards[place]), player, n)
        value = value_of(tent.cards[place])
        put(out, slot, k + 1, n)
        put(out, slot + block, value, NUM_VALUES)
        out[slot + 2 * block] = 1.0
        out[unseen + k * NUM_VALUES + value - 1] = 0.0
        out[totals + k] += value
        slot += 1
    for place in range(tent.face_down - 1, -1, -1):
        k = relative(owner_of(tent.cards[place]), player, n)
        value = value_of(tent.cards[place]) if k == 0 else 0
        put(out, slot, k + 1, n)
        put(out, slot + block, value, NUM_VALUES)
        out[totals + k] += value
        out[totals + NUM_TENTS * n + k] += 1
        slot += 1


@kernel
def put_middle(s: Record, player: int, n: int, out: Floats, at: int, unseen: int) -> int:
    """Blocks middle_owner and middle_value."""
    if s.middle != NO_CARD:
        k = relative(owner_of(s.middle), player, n)
        out[at + k] = 1.0
        out[at + n + value_of(s.middle) - 1] = 1.0
        out[unseen + k * NUM_VALUES + value_of(s.middle) - 1] = 0.0
    return at + n + NUM_VALUES


@kernel
def put_parade(s: Record, player: int, n: int, out: Floats, at: int, unseen: int) -> int:
    """Block parade."""
    for place in range(s.parade_size):
        card = s.parade[place]
        index = relative(owner_of(card), player, n) * NUM_VALUES + value_of(card) - 1
        out[at + index] = 1.0
        out[unseen + index] = 0.0
    return at + n * NUM_VALUES


@kernel
def put_discs(s: Record, player: int, n: int, out: Floats, at: int, sums: int) -> int:
    """Block discs, and the discs' part in tent_visible_total."""
    totals = sums + n * NUM_VALUES
    for k in range(n):
        other = s.players[seat_at(player, k, n)]
        for t in range(NUM_TENTS):
            disc = other.discs[t]
            out[at + (NUM_DISC_PLACES - 1 if disc == WON else disc)] = 1.0
            out[totals + t * n + k] += max(disc, 0)
            at += NUM_DISC_PLACES
    return at


@kernel
def put_movement_tokens(s: Record, player: int, n: int, out: Floats, at: int) -> int:
    """Blocks tokens_own, token_counts and token_stack_size."""
    at = put_set(out, at, s.players[player].movement_tokens, NUM_TENTS)
    for k in range(n):
        at = put(out, at, s.players[seat_at(player, k, n)].num_movement_tokens, NUM_TENTS)
    return put(out, at, s.movement_stack_height, NUM_TENTS)


@kernel
def put_open_tokens(s: Record, out: Floats, at: int) -> int:
    """Blocks tent_open to parade_left."""
    for t in range(NUM_TENTS):
        at = put_one_hot(out, at, open_tent_token(s.tents[t]), NUM_TENT_TOKENS)
    for t in range(NUM_TENTS):
        at = put(out, at, s.tents[t].tokens_left, STACK_HEIGHT)
    at = put_one_hot(out, at, open_parade_token(s), NUM_PARADE_TOKENS)
    return put(out, at, s.parade_tokens_left, STACK_HEIGHT)


@kernel
def put_winnings(s: Record, player: int, n: int, out: Floats, at: int) -> int:
    """Blocks won_tent to float_owned."""
    parade = at + n * NUM_TENT_TOKENS
    floats = parade + n * NUM_PARADE_TOKENS
    put(out, floats, s.floats_left, MOST_DAYS)
    for k in range(n):
        other = s.players[seat_at(player, k, n)]
        for kind in range(NUM_TENT_TOKENS):
            at = put(out, at, other.won_tent_tokens[kind], MOST_OF_A_TENT_TOKEN)
        for kind in range(NUM_PARADE_TOKENS):
            parade = put(out, parade, other.won_parade_tokens[kind], MOST_OF_A_PARADE_TOKEN)
        out[floats + 1 + k] = other.owns_float
    return floats + 1 + n


@kernel
def put_set(out: Floats, at: int, members: int, count: int) -> int:
    """Write a bit set over ``0..count-1``; returns the next place."""
    for k in range(count):
        out[at + k] = members >> k & 1
    return at + count


@kernel
def seat_at(player: int, k: int, n: int) -> int:
    """The ``k``-th seat clockwise from a player."""
    seat = player + k
    return seat if seat < n else seat - n
