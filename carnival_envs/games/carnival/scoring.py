"""The score of a seat and the order of the seats (C-70)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.midway import num_complete


@kernel
def score(rules: Record, s: Record, player: int) -> int:
    """C-70: the number of complete attractions."""
    return num_complete(s.players[player].midway)


@kernel
def rank_key(rules: Record, s: Record, player: int) -> int:
    """C-70, C-R46: by score alone; equal scores share a rank."""
    return num_complete(s.players[player].midway)
