"""The baseline bot: greedy, without search, from what the player sees (section 15 of the specification)."""

from __future__ import annotations

from carnival_envs.core.chance import Words, below
from carnival_envs.core.draws import random_action
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases
from carnival_envs.games.bedeville.abilities import noise_made
from carnival_envs.games.bedeville.board import neighbours
from carnival_envs.games.bedeville.components import NUM_COLOURS, NUM_SPACES
from carnival_envs.games.bedeville.piles import top
from carnival_envs.games.bedeville.sets import count, has, nth, only
from carnival_envs.games.bedeville.stalls import may_lack, stocked, surcharge
from carnival_envs.games.bedeville.state import NONE
from carnival_envs.games.bedeville.supplies import given, joy_of, taken

VP_PER_JOY = 2 / 3
VP_WEIGHT = 0.8
NOISE_RISK = 1.0
RISK_PER_JOY = 0.3
JOY_AT_RISK = 3
SPRINT_COST = 1.0
OWN_STOCK_WEIGHT = 0.5
UNREACHED = -1e9


@kernel
def greedy(rules: Record, view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The action of the bot for ``player``."""
    phase = view.phase
    if phase == phases.TURN:
        return best_purchase_or_move(rules, view, player, mask)
    if phase in (phases.GAIN, phases.FIRST_JOY, phases.LOVE):
        return best_colour(rules, view, player, mask, actions.GAIN, 1)
    if phase == phases.PAY:
        return best_colour(rules, view, player, mask, actions.PAY, -1)
    if phase == phases.CAUGHT:
        return best_colour(rules, view, player, mask, actions.DISCARD, -1)
    if phase == phases.ACCOUNT and mask[actions.ACCOUNT_NONE]:
        return actions.ACCOUNT_NONE
    if phase == phases.WHIM:
        return best_whim(rules, view, player, mask)
    if phase in (phases.CRACK, phases.NOISE_DEST, phases.BLIND):
        return loudest_opponent(rules, view, player, mask, chance)
    if phase in (phases.QUIET, phases.NOISE_SOURCE):
        return own_space(view, player, mask, chance)
    if phase == phases.NOISE_COUNT and mask[actions.COUNT + 1]:
        return actions.COUNT + 1
    if phase in (phases.WINDOW, phases.END_WINDOW):
        return actions.SKIP
    if phase == phases.PRE_DRAW:
        return actions.DRAW
    return random_action(mask, chance)


# Colours ------------------------------------------------------------------------------------------------------------


@kernel
def wish(rules: Record, view: Record, player: int, colour: int) -> float:
    """How much the player wants a colour: what visible Prizes lack of it, by their worth, less half the own stock."""
    own = view.players[player].joy[colour]
    wanted = -OWN_STOCK_WEIGHT * own
    for space in range(NUM_SPACES):
        if view.stalls[space].height > 0:
            card = rules.prizes[top(view.stalls[space])]
            wanted += max(0, card.cost[colour] - own) * card.vp / max(1, card.total)
    return float(wanted)


@kernel
def best_colour(rules: Record, view: Record, player: int, mask: Mask, first: int, sign: int) -> int:
    """Among three actions, one a colour, the one most wished for, or least for ``sign`` -1."""
    best, best_wish = first, UNREACHED
    for colour in range(NUM_COLOURS):
        value = sign * wish(rules, view, player, colour)
        if mask[first + colour] and value > best_wish:
            best, best_wish = first + colour, value
    return best


@kernel
def best_whim(rules: Record, view: Record, player: int, mask: Mask) -> int:
    """The replacement with the best gain, or none."""
    best, best_gain = actions.SKIP, 0.0
    for pair in range(NUM_COLOURS * (NUM_COLOURS - 1)):
        gain = wish(rules, view, player, taken(pair)) - wish(rules, view, player, given(pair))
        if mask[actions.WHIM + pair] and gain > best_gain:
            best, best_gain = actions.WHIM + pair, gain
    return best


# Spaces -------------------------------------------------------------------------------------------------------------


@kernel
def loudest_opponent(rules: Record, view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The space of an opponent with the most Noise; without one a random space, never the own one."""
    best, most = NONE, -1
    for seat in range(rules.num_players):
        space = view.players[seat].space
        if seat != player and space != NONE and mask[actions.PICK + space] and view.ring[space].noise > most:
            best, most = space, view.ring[space].noise
    if best != NONE:
        return actions.PICK + best
    others = 0
    for space in range(NUM_SPACES):
        if mask[actions.PICK + space] and space != view.players[player].space:
            others |= only(space)
    return actions.PICK + nth(others, below(chance, count(others))) if others else random_action(mask, chance)


@kernel
def own_space(view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The own space if it may be chosen."""
    here = view.players[player].space
    if here != NONE and mask[actions.PICK + here]:
        return int(actions.PICK + here)
    return random_action(mask, chance)


# The turn -----------------------------------------------------------------------------------------------------------


@kernel
def best_purchase_or_move(rules: Record, view: Record, player: int, mask: Mask) -> int:
    """A Prize that is worth more than the Joy paid, or else the best visit."""
    me = view.players[player]
    best, best_value = NONE, 0.0
    for space in range(NUM_SPACES):
        if not mask[actions.BUY + space]:
            continue
        card = rules.prizes[top(view.stalls[space])]
        value = card.vp - VP_PER_JOY * (card.total + surcharge(rules, me, space))
        if value > best_value:
            best, best_value = actions.BUY + space, value
    return best if best != NONE else best_move(rules, view, player, mask)


@kernel
def best_move(rules: Record, view: Record, player: int, mask: Mask) -> int:
    """The move or Sprint to the best Attraction."""
    best, best_value = NONE, UNREACHED
    stalls, loudest = stocked(view), highest_noise(view)
    for action in range(actions.MOVE, actions.CARRY):
        if not mask[action]:
            continue
        is_sprint = action >= actions.SPRINT
        space = action - (actions.SPRINT if is_sprint else actions.MOVE)
        value = visit_value(rules, view, player, space, int(is_sprint), stalls, loudest)
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def highest_noise(view: Record) -> int:
    """The highest Noise of the Attractions without Mr. Charles."""
    highest = 0
    for space in range(NUM_SPACES):
        if space != view.charles.space:
            highest = max(highest, view.ring[space].noise)
    return highest


@kernel
def visit_value(rules: Record, view: Record, player: int, space: int, paid: int, stalls: int, loudest: int) -> float:
    """Joy gained, Prizes come within reach, the danger to be caught, and the cost of a Sprint (``paid`` 1)."""
    here = view.ring[space]
    card = rules.attractions[here.card]
    gained = card.skulls
    for colour in range(NUM_COLOURS):
        gained += card.joy[colour] + here.joy[colour]
    held = joy_of(view, player) + gained - paid
    value = gained + VP_WEIGHT * best_prize(rules, view, player, space, paid, stalls, held) - SPRINT_COST * paid
    if here.noise + noise_made(rules, view, here.card) >= loudest:
        value -= NOISE_RISK + RISK_PER_JOY * min(JOY_AT_RISK, held)
    return float(value)


@kernel
def best_prize(rules: Record, view: Record, player: int, space: int, paid: int, stalls: int, held: int) -> int:
    """The most VP of a Prize that could be bought from a space with the Joy held after its gain."""
    within_reach = stalls & (only(space) | neighbours(rules, space))
    best = 0
    for stall in range(NUM_SPACES):
        if not has(within_reach, stall):
            continue
        card = rules.prizes[top(view.stalls[stall])]
        price = card.total + rules.neighbour_stall_surcharge * (stall != space)
        if card.vp > best and price <= held and colours_suffice(rules, view, player, space, paid, stall):
            best = card.vp
    return best


@kernel
def colours_suffice(rules: Record, view: Record, player: int, space: int, paid: int, stall: int) -> bool:
    """B-9: whether the Joy held after the gain covers a coloured cost, of which Albert may lack one token.

    Skulls are taken in the colours that lack.
    """
    me, here = view.players[player], view.ring[space]
    gain = rules.attractions[here.card]
    prize = rules.prizes[top(view.stalls[stall])]
    lacking = 0
    for colour in range(NUM_COLOURS):
        held = me.joy[colour] + gain.joy[colour] + here.joy[colour]
        held -= paid * (colour == rules.ability_cost[me.character])
        lacking += max(0, prize.cost[colour] - held)
    return bool(lacking <= gain.skulls + may_lack(me))
