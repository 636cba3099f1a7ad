"""The rules of Bedeville Carnival, brought together: who may do what, and what follows.

    setup.py        the set-up                              B-S1 to B-S9
    turn.py         the six steps of a turn                 B-5 to B-7, B-14 to B-19, B-21 to B-26, B-51
    stalls.py       visible Prizes, buying, end trigger     B-3, B-7 to B-10, B-65
    abilities.py    the twelve abilities of the Characters  B-11 to B-13, B-16 to B-18, B-20, B-27 to B-30, B-52
    attractions.py  the actions of the 19 Attractions       B-31 to B-50
    tokens.py       the Bag and the eight Trickster tokens  B-51 to B-57
    mr_charles.py   Mr. Charles                             B-53, B-58
    furball.py      Furball                                 B-60 to B-62
    ending.py       how a game ends                         section 12
    scoring.py      victory points                          B-66

Every rule returns what comes next, a phase or a step (``steps.py``); steps are taken until a decision is due.
"""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases, steps
from carnival_envs.games.bedeville.abilities import (
    accounting_options,
    boredom,
    boredom_options,
    boredom_token,
    creative_accounting,
    end_boredom,
    eureka_choice,
    no_way,
    no_way_options,
)
from carnival_envs.games.bedeville.actions import offer
from carnival_envs.games.bedeville.attractions import attraction_choice, attraction_options
from carnival_envs.games.bedeville.mr_charles import charles_rest, discard_caught_joy
from carnival_envs.games.bedeville.setup import setup_choice, setup_options
from carnival_envs.games.bedeville.stalls import pay
from carnival_envs.games.bedeville.state import NONE
from carnival_envs.games.bedeville.supplies import colours_held, colours_in_supply
from carnival_envs.games.bedeville.tokens import finish_token, resolve, token_choice, token_options
from carnival_envs.games.bedeville.turn import (
    after_step6,
    begin_turn,
    draw,
    end_turn,
    finish_action,
    gain,
    gain_next,
    pre_draw,
    pre_draw_choice,
    pre_draw_options,
    turn_choice,
    turn_options,
    use_attraction,
    visit,
    visit_gain,
    whim_options,
    window,
    window_options,
)

# What the actor may do ----------------------------------------------------------------------------------------------


@kernel
def legal_actions(rules: Record, s: Record, mask: Mask) -> None:
    """Set ``mask[a] = 1`` for every legal action of the actor."""
    if s.phase <= phases.START_SPACE:
        setup_options(rules, s, mask)
    elif s.phase == phases.TURN:
        turn_options(rules, s, mask)
    elif s.phase < phases.LOVE:
        early_options(rules, s, mask)
    elif s.phase <= phases.PRIZE_DISCARD:
        attraction_options(rules, s, mask)
    else:
        late_options(rules, s, mask)


@kernel
def early_options(rules: Record, s: Record, mask: Mask) -> None:
    """The choices from ``account`` to ``boredom``: in steps 2 and 4, and before the action."""
    if s.phase == phases.ACCOUNT:
        accounting_options(rules, s, mask)
    elif s.phase == phases.PAY:
        offer(mask, actions.PAY, colours_held(s, s.active))
    elif s.phase == phases.WHIM:
        whim_options(rules, s, mask)
    elif s.phase == phases.GAIN:
        offer(mask, actions.GAIN, colours_in_supply(s))
    elif s.phase == phases.WINDOW:
        window_options(rules, s, mask)
    else:
        boredom_options(s, mask)


@kernel
def late_options(rules: Record, s: Record, mask: Mask) -> None:
    """The choices from ``caught`` to ``end_window``: Mr. Charles and step 6."""
    if s.phase == phases.CAUGHT:
        offer(mask, actions.DISCARD, colours_held(s, s.actor))
    elif s.phase == phases.PRE_DRAW:
        pre_draw_options(rules, s, mask)
    elif s.phase == phases.CHOOSE_TOKEN:
        offer(mask, actions.TOKEN, s.ctx.drawn)
    elif s.phase == phases.NOWAY:
        no_way_options(s, mask)
    elif s.phase == phases.END_WINDOW:
        window_options(rules, s, mask)
    else:
        token_options(rules, s, mask)


# What follows from it -----------------------------------------------------------------------------------------------


@kernel
def apply_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Apply a legal action and go on to the next decision or the end."""
    following = choose(rules, s, chance, action)
    while following >= steps.FIRST:
        following = take_step(rules, s, chance, following)
    s.phase = following


@kernel
def choose(rules: Record, s: Record, chance: Words, action: int) -> int:
    """The effect of an action; returns what comes next."""
    if s.phase <= phases.START_SPACE:
        return setup_choice(rules, s, action)
    if s.phase == phases.TURN:
        return turn_choice(rules, s, action)
    if s.phase < phases.LOVE:
        return early_choice(rules, s, action)
    if s.phase <= phases.PRIZE_DISCARD:
        return attraction_choice(rules, s, chance, action)
    return late_choice(rules, s, chance, action)


@kernel
def early_choice(rules: Record, s: Record, action: int) -> int:
    """A choice from ``account`` to ``boredom``."""
    if s.phase == phases.ACCOUNT:
        return creative_accounting(rules, s, action)
    if s.phase == phases.PAY:
        return pay(s, action - actions.PAY)
    if s.phase == phases.WHIM:
        return visit_gain(rules, s, action - actions.WHIM if action != actions.SKIP else NONE)
    if s.phase == phases.GAIN:
        return gain(s, action - actions.GAIN)
    if s.phase == phases.WINDOW:
        return boredom(rules, s) if action == actions.BOREDOM else steps.ACTION
    return boredom_token(s, action - actions.TOKEN) if action != actions.SKIP else end_boredom(s)


@kernel
def late_choice(rules: Record, s: Record, chance: Words, action: int) -> int:
    """A choice from ``caught`` to ``end_window``."""
    if s.phase == phases.CAUGHT:
        return discard_caught_joy(s, action - actions.DISCARD)
    if s.phase == phases.PRE_DRAW:
        return pre_draw_choice(rules, s, chance, action)
    if s.phase == phases.CHOOSE_TOKEN:
        return eureka_choice(s, action - actions.TOKEN)
    if s.phase == phases.NOWAY:
        return no_way(s, action)
    if s.phase == phases.END_WINDOW:
        return boredom(rules, s) if action == actions.BOREDOM else steps.END_TURN
    return token_choice(s, action)


@kernel
def take_step(rules: Record, s: Record, chance: Words, step: int) -> int:
    """One step of the flow (section 6.3 of the specification); returns what comes next."""
    if step == steps.BEGIN_TURN:
        return begin_turn(s)
    if step == steps.VISIT:
        return visit(rules, s)
    if step == steps.VISIT_GAIN:
        return visit_gain(rules, s, NONE)
    if step == steps.GAIN_NEXT:
        return gain_next(s)
    if step == steps.WINDOW:
        return window(rules, s)
    if step == steps.ACTION:
        return use_attraction(rules, s, chance)
    if step == steps.FINISH_ACTION:
        return finish_action(rules, s)
    if step == steps.PRE_DRAW:
        return pre_draw(rules, s)
    if step == steps.DRAW:
        return draw(s, chance)
    if step == steps.RESOLVE:
        return resolve(rules, s)
    if step == steps.FINISH_TOKEN:
        return finish_token(s)
    if step == steps.AFTER_STEP6:
        return after_step6(rules, s)
    if step == steps.CHARLES_REST:
        return charles_rest(rules, s, chance)
    return end_turn(rules, s)
