"""The six Characters, two abilities each (sections 7.2, 7.3 and 7.6 of the specification).

The second ability of a Character costs a Joy token of one colour.
"""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases, steps
from carnival_envs.games.bedeville.actions import offer
from carnival_envs.games.bedeville.board import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    first_among,
    movement_targets,
    neighbours,
    unoccupied,
)
from carnival_envs.games.bedeville.components import (
    ALBERT,
    CHARLES,
    CINDY,
    CLAY,
    HEIDI,
    MONDAY,
    NUM_COLOURS,
    NUM_SPACES,
    TOKENS_IN_BAG,
)
from carnival_envs.games.bedeville.context import clear_picked, pick
from carnival_envs.games.bedeville.furball import chase_from
from carnival_envs.games.bedeville.piles import top
from carnival_envs.games.bedeville.sets import count, has, lowest, only
from carnival_envs.games.bedeville.stalls import move_prize, pay_coloured_cost
from carnival_envs.games.bedeville.state import (
    ADRENALINE_ACTIVE,
    ADRENALINE_NONE,
    FROM_DRAW,
    NONE,
)
from carnival_envs.games.bedeville.supplies import add_noise, given, return_joy, taken
from carnival_envs.games.bedeville.tokens import draw_from_bag, set_token


@kernel
def plays(s: Record, character: int) -> bool:
    """Whether the active player plays a Character."""
    return bool(s.players[s.active].character == character)


@kernel
def can_pay_ability(rules: Record, s: Record) -> bool:
    """Whether the active player holds the Joy token that the ability costs."""
    me = s.players[s.active]
    return bool(me.joy[rules.ability_cost[me.character]] > 0)


@kernel
def pay_ability(rules: Record, s: Record) -> None:
    """The active player pays for the ability."""
    return_joy(s, s.active, rules.ability_cost[s.players[s.active].character])


# Johnny: Pass, Sprint -----------------------------------------------------------------------------------------------


@kernel
def pass_options(rules: Record, s: Record, mask: Mask) -> None:
    """B-12: once per turn, before moving, the Prize of his Stall to a neighbouring one."""
    here = s.players[s.active].space
    if not s.turn.pass_used and s.stalls[here].height > 0:
        offer(mask, actions.PASS_PRIZE, neighbours(rules, here))


@kernel
def pass_prize(s: Record, space: int) -> int:
    """Johnny passes the visible Prize on."""
    move_prize(s, s.players[s.active].space, space)
    s.turn.pass_used = 1
    return phases.TURN


@kernel
def sprint_options(rules: Record, s: Record, free: int, mask: Mask) -> None:
    """B-16: for one Joy, two legs; the second may neither end on the start space nor jump over it."""
    if not can_pay_ability(rules, s):
        return
    start = s.players[s.active].space
    first_leg = movement_targets(rules, start, free)
    ends = 0
    for middle in range(NUM_SPACES):
        if has(first_leg, middle):
            ends |= movement_targets(rules, middle, free | only(start))
    offer(mask, actions.SPRINT, ends & ~only(start))


@kernel
def sprint(rules: Record, s: Record, space: int) -> int:
    """Johnny runs; only the final space matters (B-R13)."""
    pay_ability(rules, s)
    s.players[s.active].space = space
    return steps.VISIT


# Albert: Creative Accounting, Eureka! -------------------------------------------------------------------------------


@kernel
def accounting_options(rules: Record, s: Record, mask: Mask) -> None:
    """B-11: he pays the coloured cost in full, or treats one token of it as any colour."""
    me = s.players[s.active]
    card = rules.prizes[top(s.stalls[s.ctx.buy_space])]
    lacking, lacked = 0, NONE
    for colour in range(NUM_COLOURS):
        if me.joy[colour] < card.cost[colour]:
            lacking += card.cost[colour] - me.joy[colour]
            lacked = colour
    for colour in range(NUM_COLOURS):
        if card.cost[colour] > 0 and (lacking == 0 or (lacking == 1 and colour == lacked)):
            mask[actions.ACCOUNT + colour] = 1
    if lacking == 0:
        mask[actions.ACCOUNT_NONE] = 1


@kernel
def creative_accounting(rules: Record, s: Record, action: int) -> int:
    """Albert pays the coloured part; the freed token, if any, is paid in any colour."""
    return pay_coloured_cost(rules, s, action - actions.ACCOUNT if action != actions.ACCOUNT_NONE else NONE)


@kernel
def can_eureka(rules: Record, s: Record) -> bool:
    """B-30: for one Joy; needs two tokens in the Bag."""
    return plays(s, ALBERT) and can_pay_ability(rules, s) and tokens_in_bag(s) >= 2


@kernel
def tokens_in_bag(s: Record) -> int:
    """How many tokens the Bag holds; public, also where its content is not."""
    outside = count(s.token_board) + count(s.ctx.drawn) + (s.ctx.token != NONE)
    return int(TOKENS_IN_BAG - outside)


@kernel
def eureka(rules: Record, s: Record, chance: Words) -> int:
    """Albert draws two tokens, which all may see (B-R35)."""
    pay_ability(rules, s)
    s.ctx.drawn = only(draw_from_bag(s, chance))
    s.ctx.drawn |= only(draw_from_bag(s, chance))
    return phases.CHOOSE_TOKEN


@kernel
def eureka_choice(s: Record, token: int) -> int:
    """He resolves one of them, after the other has returned to the Bag."""
    s.bag |= s.ctx.drawn & ~only(token)
    return set_token(s, token, FROM_DRAW)


# Cindy: Star Whim, Pinkaholic ---------------------------------------------------------------------------------------


@kernel
def whims(rules: Record, s: Record) -> int:
    """B-20: the ways to take one coloured token of this gain in another colour, as a set of colour pairs."""
    here = s.ring[s.players[s.active].space]
    card = rules.attractions[here.card]
    pairs = 0
    for pair in range(NUM_COLOURS * (NUM_COLOURS - 1)):
        replaced, wanted = given(pair), taken(pair)
        is_gained = card.joy[replaced] > 0 or here.joy[replaced] > 0
        if is_gained and s.joy_supply[wanted] > card.joy[wanted]:
            pairs |= only(pair)
    return pairs


@kernel
def can_whim(rules: Record, s: Record) -> bool:
    """Whether Cindy has a choice at this gain."""
    return plays(s, CINDY) and whims(rules, s) != 0


@kernel
def can_pinkaholic(rules: Record, s: Record) -> bool:
    """B-29: before the draw, once, for one Joy, with her figure on the board."""
    return plays(s, CINDY) and can_pay_ability(rules, s) and s.players[s.active].space != NONE


@kernel
def pinkaholic_options(rules: Record, s: Record, mask: Mask) -> None:
    """The first unoccupied space in both directions."""
    here, free = s.players[s.active].space, unoccupied(rules, s)
    for direction in (CLOCKWISE, COUNTERCLOCKWISE):
        mask[actions.PINKAHOLIC + first_among(rules, here, direction, free)] = 1


@kernel
def pinkaholic(rules: Record, s: Record, space: int) -> int:
    """Cindy moves on: no Joy, Noise or action, but Furball is chased (B-R61)."""
    pay_ability(rules, s)
    s.players[s.active].space = space
    chase_from(rules, s, space)
    return steps.DRAW


# Monday: No Way, #Boredom -------------------------------------------------------------------------------------------


@kernel
def can_say_no_way(s: Record, token: int) -> bool:
    """B-52: in step 6, for any token but Mr. Charles."""
    return plays(s, MONDAY) and token != CHARLES


@kernel
def no_way_options(s: Record, mask: Mask) -> None:
    """Monday keeps the token drawn, or takes one of her pool."""
    mask[actions.KEEP] = 1
    offer(mask, actions.TOKEN, s.token_unused)


@kernel
def no_way(s: Record, action: int) -> int:
    """The drawn token is resolved, or trades places with one of the pool."""
    if action == actions.KEEP:
        return set_token(s, lowest(s.ctx.drawn), FROM_DRAW)
    token = action - actions.TOKEN
    s.token_unused = (s.token_unused | s.ctx.drawn) & ~only(token)
    return set_token(s, token, FROM_DRAW)


@kernel
def can_boredom(rules: Record, s: Record) -> bool:
    """B-13: for one Joy, in four windows of her turn, while there are tokens on the board."""
    return plays(s, MONDAY) and s.token_board != 0 and can_pay_ability(rules, s)


@kernel
def boredom(rules: Record, s: Record) -> int:
    """Monday pays, then chooses tokens."""
    pay_ability(rules, s)
    s.ctx.return_phase = s.phase
    return phases.BOREDOM


@kernel
def boredom_options(s: Record, mask: Mask) -> None:
    """Any number of tokens, at least one (B-R33)."""
    offer(mask, actions.TOKEN, s.token_board)
    if s.ctx.num_picked > 0:
        mask[actions.SKIP] = 1


@kernel
def boredom_token(s: Record, token: int) -> int:
    """A token goes from the board to the Bag."""
    s.token_board &= ~only(token)
    s.bag |= only(token)
    if s.token_board == 0:
        return end_boredom(s)
    pick(s, token)
    return phases.BOREDOM


@kernel
def end_boredom(s: Record) -> int:
    """Back to where it came from; a window opens again only if she can pay again."""
    came_from = s.ctx.return_phase
    s.ctx.return_phase = NONE
    clear_picked(s)
    if came_from == phases.TURN:
        return phases.TURN
    if came_from == phases.WINDOW:
        return steps.WINDOW
    if came_from == phases.PRE_DRAW:
        return steps.PRE_DRAW
    return steps.AFTER_STEP6


# Clay: It's Mine, Adrenaline ----------------------------------------------------------------------------------------


@kernel
def its_mine_options(s: Record, targets: int, mask: Mask) -> None:
    """B-17: with the move he may take the visible Prize along to the Stall where he arrives."""
    if s.stalls[s.players[s.active].space].height > 0:
        offer(mask, actions.CARRY, targets)


@kernel
def its_mine(s: Record, space: int) -> int:
    """Clay moves with the Prize."""
    move_prize(s, s.players[s.active].space, space)
    s.players[s.active].space = space
    return steps.VISIT


@kernel
def can_adrenaline(rules: Record, s: Record) -> bool:
    """B-28: after step 5, for one Joy; not in the turn with the two draws (B-R38)."""
    return plays(s, CLAY) and s.adrenaline == ADRENALINE_NONE and can_pay_ability(rules, s)


@kernel
def adrenaline(rules: Record, s: Record) -> int:
    """Nobody draws until Clay's next turn."""
    pay_ability(rules, s)
    s.adrenaline = ADRENALINE_ACTIVE
    s.ctx.draws_left = 0
    return steps.AFTER_STEP6


# Heidi: Golden Hand, Tough Girl -------------------------------------------------------------------------------------


@kernel
def noise_made(rules: Record, s: Record, card: int) -> int:
    """B-24: the printed Noise; B-27, Golden Hand: Heidi makes one less, but at least one."""
    printed = int(rules.attractions[card].noise)
    if not plays(s, HEIDI):
        return printed
    return int(max(rules.golden_hand_minimum, printed - rules.golden_hand_reduction))


@kernel
def tough_girl_options(rules: Record, s: Record, mask: Mask) -> None:
    """B-18: once per turn, before moving, for one Joy; needs Noise in the supply (B-R12)."""
    if not s.turn.tough_used and s.noise_supply > 0 and can_pay_ability(rules, s):
        mask[actions.TOUGH] = 1


@kernel
def tough_girl(rules: Record, s: Record) -> int:
    """Heidi leaves Noise behind."""
    pay_ability(rules, s)
    add_noise(s, s.players[s.active].space, rules.tough_girl_noise)
    s.turn.tough_used = 1
    return phases.TURN
