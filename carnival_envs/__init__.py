"""Four carnival table-top games as reinforcement-learning environments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carnival_envs.registry import load_game, make_batch

if TYPE_CHECKING:
    from carnival_envs.core.chance import Chance

__version__ = "0.1.0"

__all__ = ["__version__", "chance", "load_game", "make_batch"]


def chance(seed: int | None = None) -> Chance:
    """The stream of chance that ``new_initial_state(seed)``, ``clone(seed)`` and ``resample(player, seed)`` draw from.

    Raises:
        ValueError: the seed is not an integer in ``0 .. 2**63 - 1``.
    """
    from carnival_envs.core.chance import Chance

    return Chance(seed)
