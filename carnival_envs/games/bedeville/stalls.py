"""The Stalls: visible Prizes, buying (step 2 of a turn), and the trigger of the end."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import phases
from carnival_envs.games.bedeville.board import neighbours
from carnival_envs.games.bedeville.components import ALBERT, NUM_COLOURS, NUM_SPACES
from carnival_envs.games.bedeville.piles import pop, push, top
from carnival_envs.games.bedeville.sets import count, has, only
from carnival_envs.games.bedeville.state import NONE
from carnival_envs.games.bedeville.supplies import joy_of, return_joy


@kernel
def stocked(s: Record) -> int:
    """The Stalls with a Prize."""
    spaces = 0
    for space in range(NUM_SPACES):
        if s.stalls[space].height > 0:
            spaces |= only(space)
    return spaces


@kernel
def check_end(s: Record) -> None:
    """B-65: as soon as at most one Stall holds a Prize, the end is triggered for good."""
    if count(stocked(s)) <= 1:
        s.final_round = 1


@kernel
def move_prize(s: Record, start: int, end: int) -> None:
    """The visible Prize of a Stall goes on top of another Stall."""
    push(s.stalls[end], pop(s.stalls[start]))
    check_end(s)


@kernel
def discard_prize(s: Record, space: int) -> None:
    """The visible Prize of a Stall, if any, goes to the discard pile."""
    if s.stalls[space].height > 0:
        s.prize_discard |= only(pop(s.stalls[space]))
    check_end(s)


# Buying -------------------------------------------------------------------------------------------------------------


@kernel
def affordable_stalls(rules: Record, s: Record, seat: int) -> int:
    """B-7: the Stalls of the own Attraction and its neighbours whose visible Prize the player can pay for."""
    here = s.players[seat].space
    within_reach = (only(here) | neighbours(rules, here)) & stocked(s)
    affordable = 0
    for space in range(NUM_SPACES):
        if has(within_reach, space) and can_afford(rules, s, seat, space):
            affordable |= only(space)
    return affordable


@kernel
def can_afford(rules: Record, s: Record, seat: int, space: int) -> bool:
    """B-9: all coloured costs held, of which Albert may lack one token, and enough Joy in total."""
    me = s.players[seat]
    card = rules.prizes[top(s.stalls[space])]
    lacking = 0
    for colour in range(NUM_COLOURS):
        lacking += max(0, card.cost[colour] - me.joy[colour])
    return bool(lacking <= may_lack(me) and joy_of(s, seat) >= card.total + surcharge(rules, me, space))


@kernel
def may_lack(me: Record) -> int:
    """B-11: how many tokens of a coloured cost a player may pay in any colour: Albert one."""
    return 1 if me.character == ALBERT else 0


@kernel
def surcharge(rules: Record, me: Record, space: int) -> int:
    """B-7: what a Prize of a neighbouring Stall costs more, in Joy of any colour."""
    return int(rules.neighbour_stall_surcharge) if space != me.space else 0


@kernel
def buy(rules: Record, s: Record, space: int) -> int:
    """Begin a purchase; Albert first says how he accounts for it (B-11)."""
    s.ctx.buy_space = space
    card = rules.prizes[top(s.stalls[space])]
    if s.players[s.active].character == ALBERT and card.total > card.skulls:
        return phases.ACCOUNT
    return pay_coloured_cost(rules, s, NONE)


@kernel
def pay_coloured_cost(rules: Record, s: Record, freed: int) -> int:
    """B-10: the coloured cost is paid at once, but for one token of the colour ``freed`` that becomes any colour."""
    me = s.players[s.active]
    card = rules.prizes[top(s.stalls[s.ctx.buy_space])]
    for colour in range(NUM_COLOURS):
        for _ in range(card.cost[colour] - (colour == freed)):
            return_joy(s, s.active, colour)
    s.ctx.pay_left = card.skulls + surcharge(rules, me, s.ctx.buy_space) + (freed != NONE)
    return phases.PAY if s.ctx.pay_left > 0 else finish_purchase(s)


@kernel
def pay(s: Record, colour: int) -> int:
    """B-10: one token of the buyer's choice."""
    return_joy(s, s.active, colour)
    s.ctx.pay_left -= 1
    return phases.PAY if s.ctx.pay_left > 0 else finish_purchase(s)


@kernel
def finish_purchase(s: Record) -> int:
    """The Prize goes behind the Screen."""
    s.players[s.active].prizes |= only(pop(s.stalls[s.ctx.buy_space]))
    s.turn.bought = 1
    s.ctx.buy_space = NONE
    check_end(s)
    return phases.TURN
