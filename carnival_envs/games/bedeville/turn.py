"""A turn, step by step (sections 6.2, 6.3 and 7.2 to 7.6 of the specification).

1 exchange, or 2 buy; 3 visit an Attraction; 4 gain Joy; 5 perform the action and add Noise; 6 draw a token.
"""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases, steps
from carnival_envs.games.bedeville.abilities import (
    adrenaline,
    boredom,
    can_adrenaline,
    can_boredom,
    can_eureka,
    can_pinkaholic,
    can_say_no_way,
    can_whim,
    eureka,
    its_mine,
    its_mine_options,
    noise_made,
    pass_options,
    pass_prize,
    pinkaholic,
    pinkaholic_options,
    plays,
    sprint,
    sprint_options,
    tough_girl,
    tough_girl_options,
    whims,
)
from carnival_envs.games.bedeville.actions import offer
from carnival_envs.games.bedeville.attractions import perform
from carnival_envs.games.bedeville.board import movement_targets, space_of, unoccupied
from carnival_envs.games.bedeville.components import CLAY, HEIDI, JOHNNY, NUM_COLOURS
from carnival_envs.games.bedeville.context import clear_pending, clear_picked, reset_turn
from carnival_envs.games.bedeville.ending import game_over
from carnival_envs.games.bedeville.furball import chase
from carnival_envs.games.bedeville.sets import only
from carnival_envs.games.bedeville.stalls import affordable_stalls, buy
from carnival_envs.games.bedeville.state import (
    ADRENALINE_ACTIVE,
    ADRENALINE_DEBT,
    ADRENALINE_NONE,
    FROM_DRAW,
    FROM_JOY_WHEEL,
    FROM_VISIT,
    JOY_EXHAUSTED,
    LAST_STACK,
    MAX_ROUNDS,
    NONE,
)
from carnival_envs.games.bedeville.supplies import (
    add_noise,
    colours_in_supply,
    exchange_joy,
    exchanges,
    given,
    take_joy,
    taken,
)
from carnival_envs.games.bedeville.tokens import draw_from_bag, set_token

# Beginning and end --------------------------------------------------------------------------------------------------


@kernel
def begin_turn(s: Record) -> int:
    """B-28: in Clay's next turn after Adrenaline he owes two draws."""
    reset_turn(s)
    s.actor = s.active
    if plays(s, CLAY) and s.adrenaline == ADRENALINE_ACTIVE:
        s.adrenaline = ADRENALINE_DEBT
    return phases.TURN


@kernel
def end_turn(rules: Record, s: Record) -> int:
    """The next player's turn; after the last player of a round the game may be over (B-65, B-R40)."""
    if plays(s, CLAY) and s.adrenaline == ADRENALINE_DEBT:
        s.adrenaline = ADRENALINE_NONE
    following = (s.active + 1) % rules.num_players
    if following == s.first_player:
        if s.final_round:
            return game_over(s, LAST_STACK)
        if s.round_number >= rules.max_rounds:
            return game_over(s, MAX_ROUNDS)
        s.round_number += 1
    s.active = following
    return steps.BEGIN_TURN


# Steps 1 to 3: the phase ``turn`` -----------------------------------------------------------------------------------


@kernel
def turn_options(rules: Record, s: Record, mask: Mask) -> None:
    """Exchange or buy, neither after the other (B-6, B-R9) or after Tough Girl (B-R10); abilities; move."""
    me = s.players[s.active]
    may_exchange = not (s.turn.exchanged or s.turn.bought or s.turn.tough_used)
    may_buy = not (s.turn.exchanged or s.turn.tough_used)
    free = unoccupied(rules, s)
    if may_exchange:
        offer(mask, actions.EXCHANGE, exchanges(s, s.active))
    if can_boredom(rules, s):
        mask[actions.BOREDOM] = 1
    if me.space == NONE:
        offer(mask, actions.MOVE, free)  # B-15
        return
    if may_buy:
        offer(mask, actions.BUY, affordable_stalls(rules, s, s.active))
    targets = movement_targets(rules, me.space, free)
    offer(mask, actions.MOVE, targets)
    if me.character == JOHNNY:
        pass_options(rules, s, mask)
        sprint_options(rules, s, free, mask)
    elif me.character == CLAY:
        its_mine_options(s, targets, mask)
    elif me.character == HEIDI:
        tough_girl_options(rules, s, mask)


@kernel
def turn_choice(rules: Record, s: Record, action: int) -> int:
    """A choice in the phase ``turn``."""
    if action < actions.BUY:
        return exchange(s, action - actions.EXCHANGE)
    if action < actions.MOVE:
        return buy(rules, s, action - actions.BUY)
    if action < actions.SPRINT:
        return move(s, action - actions.MOVE)
    if action < actions.CARRY:
        return sprint(rules, s, action - actions.SPRINT)
    if action < actions.PASS_PRIZE:
        return its_mine(s, action - actions.CARRY)
    if action < actions.PINKAHOLIC:
        return pass_prize(s, action - actions.PASS_PRIZE)
    return boredom(rules, s) if action == actions.BOREDOM else tough_girl(rules, s)


@kernel
def exchange(s: Record, pair: int) -> int:
    """B-6: once, also from behind the Screen."""
    exchange_joy(s, s.active, pair)
    s.turn.exchanged = 1
    return phases.TURN


@kernel
def move(s: Record, space: int) -> int:
    """B-14: the player's own move."""
    s.players[s.active].space = space
    return steps.VISIT


# Step 4: Joy --------------------------------------------------------------------------------------------------------


@kernel
def visit(rules: Record, s: Record) -> int:
    """Cindy first has her Whim."""
    return phases.WHIM if can_whim(rules, s) else steps.VISIT_GAIN


@kernel
def whim_options(rules: Record, s: Record, mask: Mask) -> None:
    """B-20: a whim, or none."""
    offer(mask, actions.WHIM, whims(rules, s))
    mask[actions.SKIP] = 1


@kernel
def visit_gain(rules: Record, s: Record, whim: int) -> int:
    """B-19: the visitor takes the Joy lying there and the printed Joy; ``whim`` is a colour pair, or ``NONE``.

    B-20: the token that Cindy replaces is a printed one if there is, otherwise one lying there, which goes back.
    """
    me, here = s.players[s.active], s.ring[s.players[s.active].space]
    card = rules.attractions[here.card]
    replaced, wanted = NONE, NONE
    if whim != NONE:
        replaced, wanted = given(whim), taken(whim)
    if replaced != NONE and card.joy[replaced] == 0:
        here.joy[replaced] -= 1
        s.joy_supply[replaced] += 1
        replaced = NONE
    is_short = False
    for colour in range(NUM_COLOURS):
        due = card.joy[colour] - (colour == replaced) + (colour == wanted)
        gained = min(due, s.joy_supply[colour])
        s.joy_supply[colour] -= gained
        me.joy[colour] += here.joy[colour] + gained
        here.joy[colour] = 0
        is_short |= gained < due
    if is_short:
        return game_over(s, JOY_EXHAUSTED)  # B-21, after what there was has been taken (B-R30)
    s.ctx.gain_left = card.skulls
    s.ctx.gain_source = FROM_VISIT
    return steps.GAIN_NEXT


@kernel
def gain_next(s: Record) -> int:
    """The next Joy of any colour, or what follows after the last one."""
    if s.ctx.gain_left > 0:
        return phases.GAIN if colours_in_supply(s) else game_over(s, JOY_EXHAUSTED)  # B-21
    source = s.ctx.gain_source
    s.ctx.gain_source = NONE
    if source == FROM_VISIT:
        return steps.WINDOW
    return steps.FINISH_ACTION if source == FROM_JOY_WHEEL else steps.FINISH_TOKEN


@kernel
def gain(s: Record, colour: int) -> int:
    """One Joy of the player's choice."""
    take_joy(s, s.active, colour)
    s.ctx.gain_left -= 1
    return steps.GAIN_NEXT


# Step 5: action and Noise -------------------------------------------------------------------------------------------


@kernel
def window(rules: Record, s: Record) -> int:
    """Before the action Monday may use #Boredom."""
    return phases.WINDOW if can_boredom(rules, s) else steps.ACTION


@kernel
def window_options(rules: Record, s: Record, mask: Mask) -> None:
    """#Boredom, before the action or at the end of the turn, or not."""
    mask[actions.SKIP] = 1
    if can_boredom(rules, s):
        mask[actions.BOREDOM] = 1


@kernel
def use_attraction(rules: Record, s: Record, chance: Words) -> int:
    """B-22: the action of the Attraction is mandatory; B-23: where Furball is it is chased instead."""
    here = s.players[s.active].space
    s.ctx.used_card = s.ring[here].card
    if s.furball != here:
        return perform(rules, s, chance)
    chase(rules, s)
    return steps.FINISH_ACTION


@kernel
def finish_action(rules: Record, s: Record) -> int:
    """B-24, B-25: the card that was used receives its Noise, wherever it lies by now; then step 6, if it is due."""
    clear_picked(s)
    clear_pending(s)
    if s.ctx.used_card != NONE:
        add_noise(s, space_of(s, s.ctx.used_card), noise_made(rules, s, s.ctx.used_card))
        s.ctx.used_card = NONE
    if s.adrenaline == ADRENALINE_ACTIVE:
        return steps.AFTER_STEP6
    s.ctx.draws_left = rules.clay_debt_draws if s.adrenaline == ADRENALINE_DEBT else 1
    return steps.PRE_DRAW


# Step 6: a Trickster token ------------------------------------------------------------------------------------------


@kernel
def pre_draw(rules: Record, s: Record) -> int:
    """A player without an ability to use before the draw just draws."""
    if can_boredom(rules, s) or can_eureka(rules, s) or can_pinkaholic(rules, s) or can_adrenaline(rules, s):
        return phases.PRE_DRAW
    return steps.DRAW


@kernel
def pre_draw_options(rules: Record, s: Record, mask: Mask) -> None:
    """The draw, or an ability before it."""
    mask[actions.DRAW] = 1
    if can_boredom(rules, s):
        mask[actions.BOREDOM] = 1
    if can_eureka(rules, s):
        mask[actions.EUREKA] = 1
    if can_pinkaholic(rules, s):
        pinkaholic_options(rules, s, mask)
    if can_adrenaline(rules, s):
        mask[actions.ADRENALINE] = 1


@kernel
def pre_draw_choice(rules: Record, s: Record, chance: Words, chosen: int) -> int:
    """A choice before the draw."""
    if chosen == actions.DRAW:
        return steps.DRAW
    if chosen == actions.BOREDOM:
        return boredom(rules, s)
    if chosen == actions.EUREKA:
        return eureka(rules, s, chance)
    if chosen == actions.ADRENALINE:
        return adrenaline(rules, s)
    return pinkaholic(rules, s, chosen - actions.PINKAHOLIC)


@kernel
def draw(s: Record, chance: Words) -> int:
    """B-51: one token from the Bag; Monday may say No Way."""
    token = draw_from_bag(s, chance)
    if not can_say_no_way(s, token):
        return set_token(s, token, FROM_DRAW)
    s.ctx.drawn = only(token)
    return phases.NOWAY


@kernel
def after_step6(rules: Record, s: Record) -> int:
    """At the end of her turn Monday may use #Boredom."""
    return phases.END_WINDOW if can_boredom(rules, s) else steps.END_TURN
