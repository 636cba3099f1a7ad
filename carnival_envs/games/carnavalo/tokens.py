"""Movement tokens, in hands and in the stack beside the board; and the open tokens of tents and parade."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import NO_TOKEN, NUM_TENTS


@kernel
def holds_token(me: Record, token: int) -> bool:
    """Whether a player holds the movement token of a tent."""
    return bool(me.movement_tokens >> token & 1)


@kernel
def put_token_under_stack(s: Record, me: Record, token: int) -> None:
    """A player's movement token goes face down under the stack."""  # O-20, O-36
    me.movement_tokens -= 1 << token
    me.num_movement_tokens -= 1
    for place in range(s.movement_stack_height, 0, -1):
        s.movement_stack[place] = s.movement_stack[place - 1]
    s.movement_stack[0] = token
    s.movement_stack_height += 1


@kernel
def take_top_token(s: Record, me: Record) -> None:
    """A player takes the top movement token of the stack, unseen by the others."""  # O-32
    if s.movement_stack_height == 0:  # O-R7
        return
    s.movement_stack_height -= 1
    token = s.movement_stack[s.movement_stack_height]
    s.movement_stack[s.movement_stack_height] = 0
    me.movement_tokens += 1 << token
    me.num_movement_tokens += 1


@kernel
def lowest_token(me: Record) -> int:
    """The first movement token that a player holds, in tent order."""
    token = 0
    while token < NUM_TENTS - 1 and not holds_token(me, token):
        token += 1
    return token


@kernel
def open_tent_token(tent: Record) -> int:
    """The kind of the open token beside a tent, or ``NO_TOKEN``."""  # O-12, O-65
    return tent.tokens[tent.tokens_left - 1] if tent.tokens_left > 0 else NO_TOKEN


@kernel
def open_parade_token(s: Record) -> int:
    """The kind of the open token of the parade, or ``NO_TOKEN``."""
    return s.parade_tokens[s.parade_tokens_left - 1] if s.parade_tokens_left > 0 else NO_TOKEN
