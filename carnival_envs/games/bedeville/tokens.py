"""The Bag and the eight Trickster tokens (sections 7.8 and 7.9 of the specification), one function a token.

The active player decides about the token that was drawn (B-R60). A token whose effect is impossible does nothing
(B-R52).
"""

from __future__ import annotations

from carnival_envs.core.chance import Words, below
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases, steps
from carnival_envs.games.bedeville.actions import offer
from carnival_envs.games.bedeville.components import CHARLES, CRACK, JOY, PIROUETTE, PRANK, QUIET, TEMPTATION
from carnival_envs.games.bedeville.context import clear_picked, clear_token, pick
from carnival_envs.games.bedeville.furball import chase
from carnival_envs.games.bedeville.mr_charles import loudest_space, move_charles
from carnival_envs.games.bedeville.sets import count, nth, only
from carnival_envs.games.bedeville.stalls import discard_prize, stocked
from carnival_envs.games.bedeville.state import FROM_FORTUNE, FROM_TOKEN
from carnival_envs.games.bedeville.supplies import add_noise, colours_in_supply, noisy, remove_noise

# The Bag ------------------------------------------------------------------------------------------------------------


@kernel
def look_into_bag(s: Record, chance: Words) -> int:
    """A random token of the Bag, which stays there."""
    return nth(s.bag, below(chance, count(s.bag)))


@kernel
def draw_from_bag(s: Record, chance: Words) -> int:
    """A random token of the Bag, taken out."""
    token = look_into_bag(s, chance)
    s.bag &= ~only(token)
    return token


@kernel
def set_token(s: Record, token: int, source: int) -> int:
    """B-R53: while it is resolved a token is neither in the Bag nor on the board."""
    s.ctx.drawn = 0
    s.ctx.token = token
    s.ctx.token_source = source
    return steps.RESOLVE


@kernel
def finish_token(s: Record) -> int:
    """B-42, B-51, B-57: where the token goes after it was resolved."""
    token = only(s.ctx.token)
    source = s.ctx.token_source
    was_charles = s.ctx.token == CHARLES
    clear_token(s)
    clear_picked(s)
    if source == FROM_FORTUNE:
        s.bag |= token
        return steps.FINISH_ACTION
    s.token_board |= token
    if was_charles:
        s.bag |= s.token_board
        s.token_board = 0
    s.ctx.draws_left -= 1
    return steps.DRAW if s.ctx.draws_left > 0 else steps.AFTER_STEP6


# Resolving ----------------------------------------------------------------------------------------------------------


@kernel
def resolve(rules: Record, s: Record) -> int:
    """The effect of the token."""
    token = s.ctx.token
    if token == CHARLES:
        return charles(rules, s)
    if token == PRANK:
        return prank(s)
    if token == PIROUETTE:
        return pirouette(s)
    if token == JOY:
        return joy(s)
    if token == TEMPTATION:
        return temptation(s)
    if token == QUIET:
        return quiet(s)
    if token == CRACK:
        return crack(s)
    return furball(rules, s)


@kernel
def token_options(rules: Record, s: Record, mask: Mask) -> None:
    """What the active player may choose for Temptation, Quiet! and Crack!."""
    if s.phase == phases.TEMPT_COLOUR:
        offer(mask, actions.LAY, colours_in_supply(s))
    elif s.phase == phases.QUIET:
        offer(mask, actions.PICK, noisy(s))
    else:
        offer(mask, actions.PICK, rules.spaces)


@kernel
def token_choice(s: Record, action: int) -> int:
    """What the active player has chosen for Temptation, Quiet! or Crack!."""
    if s.phase == phases.TEMPT_COLOUR:
        return temptation_colour(s, action - actions.LAY)
    if s.phase == phases.TEMPT_SPACE:
        return temptation_space(s, action - actions.PICK)
    if s.phase == phases.QUIET:
        return quiet_space(s, action - actions.PICK)
    return crack_space(s, action - actions.PICK)


# Mr. Charles


@kernel
def charles(rules: Record, s: Record) -> int:
    """B-53: he goes to the highest Noise in facing direction."""
    return move_charles(rules, s, loudest_space(rules, s))


# Prank


@kernel
def prank(s: Record) -> int:
    """B-55: one visible Prize of any Stall is discarded."""
    return phases.PRIZE_DISCARD if stocked(s) else steps.FINISH_TOKEN


@kernel
def prank_stall(s: Record, space: int) -> int:
    """The Stall chosen for Prank."""
    discard_prize(s, space)
    return steps.FINISH_TOKEN


# Pirouette


@kernel
def pirouette(s: Record) -> int:
    """B-54: Mr. Charles turns round."""
    s.charles.dir = -s.charles.dir
    return steps.FINISH_TOKEN


# Joy


@kernel
def joy(s: Record) -> int:
    """B-56: one Joy of any colour behind the Screen."""
    s.ctx.gain_left = 1
    s.ctx.gain_source = FROM_TOKEN
    return steps.GAIN_NEXT


# Temptation


@kernel
def temptation(s: Record) -> int:
    """B-56: one Joy of any colour from the supply onto any Attraction; nothing without one (B-R28)."""
    return phases.TEMPT_COLOUR if colours_in_supply(s) else steps.FINISH_TOKEN


@kernel
def temptation_colour(s: Record, colour: int) -> int:
    """The colour chosen for Temptation."""
    pick(s, colour)
    return phases.TEMPT_SPACE


@kernel
def temptation_space(s: Record, space: int) -> int:
    """The Attraction chosen for Temptation, where the Joy waits for a visitor (B-R57)."""
    colour = s.ctx.picked[0]
    s.joy_supply[colour] -= 1
    s.ring[space].joy[colour] += 1
    return steps.FINISH_TOKEN


# Quiet!


@kernel
def quiet(s: Record) -> int:
    """B-56: one Noise of any Attraction to the supply."""
    return phases.QUIET if noisy(s) else steps.FINISH_TOKEN


@kernel
def quiet_space(s: Record, space: int) -> int:
    """The Attraction chosen for Quiet!."""
    remove_noise(s, space, 1)
    return steps.FINISH_TOKEN


# Crack!


@kernel
def crack(s: Record) -> int:
    """B-56: one Noise from the supply onto any Attraction."""
    return phases.CRACK if s.noise_supply > 0 else steps.FINISH_TOKEN


@kernel
def crack_space(s: Record, space: int) -> int:
    """The Attraction chosen for Crack!."""
    add_noise(s, space, 1)
    return steps.FINISH_TOKEN


# Furball


@kernel
def furball(rules: Record, s: Record) -> int:
    """B-56: Furball runs as if chased, from wherever it stands."""
    chase(rules, s)
    return steps.FINISH_TOKEN
