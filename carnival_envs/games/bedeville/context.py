"""What a turn has to remember: the fields ``turn`` and ``ctx`` of the state."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville.components import MAX_PLAYERS
from carnival_envs.games.bedeville.state import NONE


@kernel
def pick(s: Record, choice: int) -> None:
    """Note a partial choice in ``ctx.picked``."""
    s.ctx.picked[s.ctx.num_picked] = choice
    s.ctx.num_picked += 1


@kernel
def clear_picked(s: Record) -> None:
    """Forget the partial choices."""
    while s.ctx.num_picked > 0:
        s.ctx.num_picked -= 1
        s.ctx.picked[s.ctx.num_picked] = 0


@kernel
def clear_pending(s: Record) -> None:
    """Forget the secret choices."""
    for seat in range(MAX_PLAYERS):
        s.ctx.pending[seat] = NONE


@kernel
def clear_token(s: Record) -> None:
    """No token is being resolved any more."""
    s.ctx.token = NONE
    s.ctx.token_source = NONE


@kernel
def reset_turn(s: Record) -> None:
    """Give every field of ``turn`` and ``ctx`` its default."""
    s.turn.exchanged = 0
    s.turn.bought = 0
    s.turn.pass_used = 0
    s.turn.tough_used = 0
    s.ctx.used_card = NONE
    s.ctx.drawn = 0
    s.ctx.draws_left = 0
    s.ctx.gain_left = 0
    s.ctx.gain_source = NONE
    s.ctx.buy_space = NONE
    s.ctx.pay_left = 0
    s.ctx.return_phase = NONE
    clear_token(s)
    clear_picked(s)
    clear_pending(s)
