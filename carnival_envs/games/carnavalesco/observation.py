"""What the players of Carnavalesco see (section 10): everything, turned to the own seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.core.observation import Block, Floats, put, put_all, put_one_hot, put_seat, seat_at
from carnival_envs.games.carnavalesco.dice import color_of, value_of
from carnival_envs.games.carnavalesco.state import (
    ELEMENTS,
    MAX_POOL,
    NUM_COLORS,
    NUM_DIVISIONS,
    NUM_ELEMENTS,
    NUM_KINDS,
    NUM_VALUES,
    PHASES,
    ROUNDS,
    SOLO_DICE,
    SPACES,
)

MAX_PARADE_SEEN = 20
MAX_TURN = 3
MAX_TURN_DICE = SOLO_DICE - 1
DICE_PER_COLOR = 25
MAX_SUM = SPACES * NUM_VALUES
MAX_COUNTERS = 27
NUM_PHASES = len(PHASES)


def blocks(options: Mapping[str, Any]) -> list[Block]:
    """The observation's blocks; seats are relative, the observer is 0."""
    n = options["num_players"]
    rounds = ROUNDS[n][-1]
    elements = len(ELEMENTS)
    return [
        Block("phase", (NUM_PHASES,), 0, 1, f"one-hot: {', '.join(PHASES)}"),
        Block("actor", (n,), 0, 1, "one-hot, relative; all 0 when over"),
        Block("first_player", (n,), 0, 1, "one-hot, relative; all 0 before there is one"),
        Block("parade", (1,), 0, MAX_PARADE_SEEN, "clipped"),
        Block("round", (1,), 0, rounds, "number of the round"),
        Block("turn", (1,), 0, MAX_TURN, "finished turns of this round"),
        Block("turn_dice", (1,), 0, MAX_TURN_DICE, "dice placed in this turn"),
        Block("pool", (NUM_KINDS,), 0, MAX_POOL, "dice of each kind"),
        Block("hand", (NUM_KINDS,), 0, 1, "one-hot; all 0 when empty"),
        Block("bag", (NUM_COLORS,), 0, DICE_PER_COLOR, "dice of each color"),
        Block("boards", (n, elements, NUM_KINDS), 0, SPACES, "dice of each kind on each element"),
        Block("free", (n, elements), 0, SPACES, "free spaces"),
        Block("sums", (n, elements), 0, MAX_SUM, "sum of the values on each element"),
        Block("tokens", (n, elements), 0, 1, "10-point tokens"),
        Block("division", (n, NUM_DIVISIONS), 0, 1, "one-hot: D, C, B, A, S; all 0 before the choice"),
        Block("school_colors", (NUM_COLORS,), 0, 1, "solo; else 0"),
        Block("counters", (1,), 0, MAX_COUNTERS, "solo: -1 counters; else 0"),
        Block("round_values", (NUM_VALUES,), 0, SOLO_DICE, "solo: this round's dice by value; else 0"),
        Block("round_colors", (NUM_COLORS,), 0, SOLO_DICE, "solo: by color; else 0"),
        Block("round_elements", (elements,), 0, SOLO_DICE, "solo: by element; else 0"),
    ]


@kernel
def observe(rules: Record, s: Record, player: int, out: Floats) -> int:
    """The blocks in their order."""
    n = rules.num_players
    at = put_one_hot(out, 0, s.phase, NUM_PHASES)
    at = put_seat(out, at, s.actor, player, n)
    at = put_seat(out, at, s.first_player, player, n)
    at = put(out, at, min(s.parade, MAX_PARADE_SEEN), MAX_PARADE_SEEN)
    at = put(out, at, s.round_number, rules.rounds)
    at = put(out, at, s.turn, MAX_TURN)
    at = put(out, at, s.turn_dice, MAX_TURN_DICE)
    at = put_all(out, at, s.pool, NUM_KINDS, MAX_POOL)
    at = put_one_hot(out, at, s.hand, NUM_KINDS)
    at = put_all(out, at, s.bag, NUM_COLORS, DICE_PER_COLOR)
    for k in range(n):
        at = put_all(out, at, s.players[seat_at(k, player, n)].kinds, NUM_ELEMENTS * NUM_KINDS, SPACES)
    for k in range(n):
        me = s.players[seat_at(k, player, n)]
        for element in range(NUM_ELEMENTS):
            at = put(out, at, SPACES - me.count[element], SPACES)
    for k in range(n):
        at = put_all(out, at, s.players[seat_at(k, player, n)].sums, NUM_ELEMENTS, MAX_SUM)
    for k in range(n):
        at = put_all(out, at, s.players[seat_at(k, player, n)].tokens, NUM_ELEMENTS, 1)
    for k in range(n):
        at = put_one_hot(out, at, s.players[seat_at(k, player, n)].division, NUM_DIVISIONS)
    return put_solo(out, at, rules, s)


@kernel
def put_solo(out: Floats, at: int, rules: Record, s: Record) -> int:
    """What only a player alone has."""
    me = s.players[0]
    if rules.num_players > 1:
        return at + NUM_COLORS + 1 + NUM_VALUES + NUM_COLORS + NUM_ELEMENTS
    at = put_all(out, at, me.school_colors, NUM_COLORS, 1)
    at = put(out, at, me.counters, MAX_COUNTERS)
    values, colors, elements = at, at + NUM_VALUES, at + NUM_VALUES + NUM_COLORS
    for i in range(s.picks):
        out[values + value_of(s.pick_die[i]) - 1] += 1.0 / SOLO_DICE
        out[colors + color_of(s.pick_die[i])] += 1.0 / SOLO_DICE
        out[elements + s.pick_element[i]] += 1.0 / SOLO_DICE
    return elements + NUM_ELEMENTS
