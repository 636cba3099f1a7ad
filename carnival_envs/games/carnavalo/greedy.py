"""The baseline bot: the best action by how the table looks right after it (section 15 of the specification).

An estimate of every player's final score is made tent by tent, as if the day were counted now. An action is worth
what it adds to the own estimate less the mean of the others'. It changes at most one tent, the parade and the own
hand, so that only these are estimated, before and after.
"""

from __future__ import annotations

import numpy as np

from carnival_envs.core.chance import Words, below
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel, record
from carnival_envs.games.carnavalo.actions import DIRECT, MOVE, PLAY, RETURN, SETUP, TOKEN
from carnival_envs.games.carnavalo.rules import carry_out
from carnival_envs.games.carnavalo.scoring import disc_points
from carnival_envs.games.carnavalo.state import (
    BARRICADOL,
    MAX_RING,
    NO_TENT,
    NO_TOKEN,
    NOBODY,
    NOT_MULTIPLIED,
    NUM_CITIZENS,
    NUM_SPACES,
    NUM_TENTS,
    NUM_VALUES,
    RETURN_TOKENS,
    SETUP_CARD,
    SIDES,
    STATE,
    WON,
)
from carnival_envs.games.carnavalo.tents import UNKNOWN_VALUE, card, owner_of, value_of
from carnival_envs.games.carnavalo.tokens import open_parade_token, open_tent_token
from carnival_envs.games.carnavalo.totals import parade_totals, single_highest, tent_totals, total_of

SETUP_VALUE = 3
ASSUMED_VALUE = 3  # of a face-down card of an opponent
MULTIPLIER_WORTH = 2.5  # of a "2x" or "3x" token
CLOSENESS_WORTH = 0.3  # of a total as high as the highest in a tent
LEAST_PARADE_WEIGHT = 0.5
CARD_WORTH = 0.02  # of each point of a card kept in hand
TIE = 1e-9

NOW, NEXT = 0, 1
"""The tables to compare: before an action and after it."""

COMPARISON = record(("tables", STATE, 2), ("outlooks", np.float64, NUM_TENTS))
"""Both tables, and the outlooks of the tents before an action, ``nan`` until they are needed."""


@kernel
def greedy(rules: Record, view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The legal action that makes the table look best for ``player``; ties are broken at random."""
    if view.phase == SETUP_CARD:
        return SETUP + SETUP_VALUE - 1
    if view.phase == RETURN_TOKENS:
        return first_legal(mask)
    comparison = np.empty(1, COMPARISON)[0]
    comparison.tables[NOW] = view
    assume_values(comparison.tables[NOW])
    comparison.outlooks[:] = np.nan
    best, best_gain, ties = -1, -np.inf, 0
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        gain = gain_of(rules, comparison, player, action)
        if gain > best_gain + TIE:
            best, best_gain, ties = action, gain, 1
        elif gain > best_gain - TIE:
            ties += 1
            best = action if below(chance, ties) == 0 else best
    return best


@kernel
def first_legal(mask: Mask) -> int:
    """The legal action with the lowest index."""
    action = 0
    while mask[action] == 0:
        action += 1
    return action


@kernel
def assume_values(s: Record) -> None:
    """Give the cards whose value the player does not know a middling one."""
    for t in range(NUM_TENTS):
        tent = s.tents[t]
        for place in range(tent.face_down):
            if value_of(tent.cards[place]) == UNKNOWN_VALUE:
                tent.cards[place] = card(owner_of(tent.cards[place]), ASSUMED_VALUE)


@kernel
def gain_of(rules: Record, comparison: Record, player: int, action: int) -> float:
    """How much better the table looks for a player after an action."""
    tables = comparison.tables
    tent = changed_tent(rules, tables[NOW], action)
    if tent == NO_TENT:
        return 0.0
    before, after = tables[NOW], tables[NEXT]
    tables[NEXT] = tables[NOW]
    carry_out(rules, after, action)
    gain = tent_outlook(rules, after, player, tent) - outlook_now(rules, comparison, player, tent)
    if after.parade_size != before.parade_size:
        gain += parade_outlook(rules, after, player) - parade_outlook(rules, before, player)
    if after.players[player].hand_size != before.players[player].hand_size:
        gain += hand_outlook(after.players[player]) - hand_outlook(before.players[player])
    return gain


@kernel
def outlook_now(rules: Record, comparison: Record, player: int, tent: int) -> float:
    """The outlook of a tent before any action, worked out when it is first needed."""
    if np.isnan(comparison.outlooks[tent]):
        comparison.outlooks[tent] = tent_outlook(rules, comparison.tables[NOW], player, tent)
    outlook: float = comparison.outlooks[tent]
    return outlook


@kernel
def changed_tent(rules: Record, s: Record, action: int) -> int:
    """The tent that an action may change: where the card is played or the citizen ends; else ``NO_TENT``.

    Barricadol changes none: nothing that is rated depends on where he stands.
    """
    if action >= RETURN:
        return NO_TENT
    if action >= DIRECT:
        tent, citizen = divmod(action - DIRECT, NUM_CITIZENS)
        return NO_TENT if citizen == BARRICADOL else tent
    if PLAY <= action < TOKEN:
        return (action - PLAY) // len(SIDES) % NUM_TENTS
    citizen_and_steps = (action - (MOVE if action < PLAY else TOKEN)) % (NUM_CITIZENS * MAX_RING)
    citizen, steps = divmod(citizen_and_steps, MAX_RING)
    if citizen == BARRICADOL:
        return NO_TENT
    return rules.tent_at[(s.citizens[citizen] + steps + 1) % NUM_SPACES]


@kernel
def weight(rules: Record, player: int, other: int) -> float:
    """What a point of a player counts for ``player``: his own lead over the mean of the others."""
    return 1.0 if other == player else -1.0 / (rules.num_players - 1)


@kernel
def tent_outlook(rules: Record, s: Record, player: int, t: int) -> float:
    """The discs as they are, what the tent would bring now, and a share for being close."""
    totals = tent_totals(rules, s, t)
    first = single_highest(rules, totals, NOBODY)
    closeness = 0.0 if first == NOBODY else CLOSENESS_WORTH / total_of(totals, first)
    worth = 0.0
    for other in range(rules.num_players):
        points = disc_points(rules, s.players[other].discs[t]) + closeness * total_of(totals, other)
        worth += weight(rules, player, other) * points
    if first == NOBODY:
        return worth
    disc = s.players[first].discs[t]
    token = tent_token_worth(rules, s.tents[t])
    if disc == WON:
        return worth + weight(rules, player, first) * token
    rise: int = rules.won_disc_points - disc
    return worth + weight(rules, player, first) * rise + second_prize(rules, totals, player, first, token)


@kernel
def second_prize(rules: Record, totals: int, player: int, first: int, token: float) -> float:
    """The token of a single second, if there is one."""
    second = single_highest(rules, totals, first)
    return weight(rules, player, second) * token if second != NOBODY else 0.0


@kernel
def tent_token_worth(rules: Record, tent: Record) -> float:
    """The number of the open token beside a tent, or what a multiplying one may bring."""
    kind = open_tent_token(tent)
    if kind == NO_TOKEN:
        return 0.0
    return MULTIPLIER_WORTH if rules.multiplied_token[kind] != NOT_MULTIPLIED else float(rules.tent_token_points[kind])


@kernel
def parade_outlook(rules: Record, s: Record, player: int) -> float:
    """What the parade would bring now; the more it is worth, the fuller it is."""
    totals = parade_totals(s)
    first = single_highest(rules, totals, NOBODY)
    if first == NOBODY:
        return 0.0
    token = parade_token_worth(rules, s)
    if s.players[first].owns_float:
        prizes = weight(rules, player, first) * token
    else:
        prizes = weight(rules, player, first) * rules.float_points
        prizes += second_prize(rules, totals, player, first, token)
    fullness: float = s.parade_size / rules.parade_to_end_day
    return prizes * max(LEAST_PARADE_WEIGHT, fullness)


@kernel
def parade_token_worth(rules: Record, s: Record) -> float:
    """The number of the open token of the parade."""
    kind = open_parade_token(s)
    return float(rules.parade_token_points[kind]) if kind != NO_TOKEN else 0.0


@kernel
def hand_outlook(me: Record) -> float:
    """A little for every card that is kept."""
    points = 0
    for value in range(1, NUM_VALUES + 1):
        points += value * (me.hand >> value & 1)
    return CARD_WORTH * points
