"""How a game ends (section 12 of the specification); the trigger B-65 is ``stalls.check_end``."""

from __future__ import annotations

from carnival_envs.core.interface import OVER, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import phases
from carnival_envs.games.bedeville.context import reset_turn
from carnival_envs.games.bedeville.sets import only
from carnival_envs.games.bedeville.state import MAX_ROUNDS, NONE


@kernel
def game_over(s: Record, reason: int) -> int:
    """The game ends here and now; tokens drawn or being resolved return to the Bag."""
    s.end_reason = reason
    s.truncated = reason == MAX_ROUNDS
    s.bag |= s.ctx.drawn
    if s.ctx.token != NONE:
        s.bag |= only(s.ctx.token)
    reset_turn(s)
    s.actor = OVER
    return phases.OVER
