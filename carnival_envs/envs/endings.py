"""How a game ends in an environment other than by its own rules: by an illegal action, or cut off from outside."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from carnival_envs.core.game import Game
from carnival_envs.core.options import is_integer, refuse

FORFEIT: Final = "forfeit"
RAISE: Final = "raise"
ILLEGAL_ACTION: Final = "illegal_action"
"""The ``end_reason`` of a forfeited game, and the key of the action in its ``info``."""

CUT_OFF: Final = "max_steps"
"""The ``end_reason`` of a game that was cut off by the environment's bound on its length."""


def checked_illegal_action(illegal_action: object) -> str:
    """What an environment does with an illegal action: ``"forfeit"`` or ``"raise"``.

    Raises:
        ValueError: anything else.
    """
    if illegal_action not in (FORFEIT, RAISE):
        refuse("illegal_action", illegal_action, f"{FORFEIT!r} or {RAISE!r}")
    return str(illegal_action)


def checked_bound(name: str, steps: object) -> int | None:
    """A bound on the length of an episode.

    Raises:
        ValueError: neither ``None`` nor an integer of at least 1.
    """
    if steps is None:
        return None
    if not is_integer(steps) or steps < 1:  # type: ignore[operator]
        refuse(name, steps, "an integer of at least 1, or None")
    return int(steps)  # type: ignore[call-overload,no-any-return]


def checked_action(game: Game, action: object) -> int:
    """An action as a Python int; whether it is legal is another matter.

    Raises:
        ValueError: not an integer, NumPy's and arrays without dimensions included.
    """
    if isinstance(action, np.ndarray) and action.ndim == 0:
        action = action[()]
    if not is_integer(action):
        refuse("action", action, f"an integer in 0..{game.num_actions - 1}")
    return int(action)  # type: ignore[call-overload,no-any-return]


def forfeit_returns(game: Game, offender: int) -> list[float]:
    """-1 for the seat that acted illegally, ``1 / (n - 1)`` for each other seat."""
    others = game.num_players - 1
    return [-1.0 if seat == offender else 1 / others for seat in range(game.num_players)]


def forfeit_info(game: Game, offender: int, player: int, action: int) -> dict[str, Any]:
    """The final ``info`` of a player in a forfeited game: there is no score, all others win."""
    return {
        "rank": game.num_players if player == offender else 1,
        "winners": [seat for seat in range(game.num_players) if seat != offender],
        "end_reason": ILLEGAL_ACTION,
        ILLEGAL_ACTION: action,
    }


def forfeit_words(game: Game, offender: int, action: int) -> str:
    """Why a game was stopped, for its replay."""
    return f"player_{offender} forfeited by the illegal action {game.shown_action(action)}"


def cut_off_info() -> dict[str, Any]:
    """The final ``info`` of a player in a game that was cut off: no score, no rank, no winners.

    What there isn't has no entry: Gymnasium's vectors can't put a ``None`` beside numbers.
    """
    return {"winners": [], "end_reason": CUT_OFF}
