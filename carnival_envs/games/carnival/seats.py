"""The seats around the table (section 2.6)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel


@kernel
def clockwise(rules: Record, seat: int, steps: int) -> int:
    """The seat that sits ``steps`` places, less than a round, to the left of another."""
    found = seat + steps
    return int(found if found < rules.num_players else found - rules.num_players)
