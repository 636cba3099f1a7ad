"""Nothing is hidden in Carnavalesco: views and sampled states are the state itself (section 11)."""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel


@kernel
def conceal(rules: Record, s: Record, player: int) -> None:
    """Every player sees everything."""


@kernel
def resample(rules: Record, s: Record, player: int, chance: Words) -> None:
    """There is one possibility, and no draw."""
