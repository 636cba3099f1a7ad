"""Four carnival table-top games as reinforcement-learning environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carnival_envs.envs.registration import register_envs
from carnival_envs.registry import load_game, make_batch, register_installed_games

if TYPE_CHECKING:
    from carnival_envs.core.chance import Chance

__version__ = "0.1.0"

__all__ = ["__version__", "chance", "load_game", "make_batch", "register_envs"]


def chance(seed: int | None = None) -> Chance:
    """The stream of chance that ``new_initial_state(seed)``, ``clone(seed)`` and ``resample(player, seed)`` draw from.

    Raises:
        ValueError: the seed is not an integer in ``0 .. 2**63 - 1``.
    """
    from carnival_envs.core.chance import Chance

    return Chance(seed)


def __getattr__(name: str) -> Any:
    """Called for what the package does not have; the modules of the games, ``bedeville_v0``, are there already."""
    from carnival_envs.core.errors import did_you_mean

    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{did_you_mean(name, list(globals()))}")


register_installed_games()
register_envs()
