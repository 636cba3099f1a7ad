"""A replay to look at, move by move, from a player's seat or as a referee."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.options import is_integer, refuse
from carnival_envs.core.state import State
from carnival_envs.play.moves import Told, told
from carnival_envs.replay import Replay


class Watching:
    """A whole game and who looks at it."""

    def __init__(self, replay: Replay, seat: int | None = None) -> None:
        """
        Args:
            replay: the game.
            seat: the player through whose eyes it is seen; ``None`` for a referee who sees everything.

        Raises:
            ValueError: not a seat.
        """
        n = replay.game.num_players
        if seat is not None and (not is_integer(seat) or not 0 <= seat < n):
            refuse("seat", seat, f"a seat in 0..{n - 1}, or None")
        self.game = replay.game
        self.seat = seat
        self.players = replay.players
        self.replay = replay
        self._states = list(replay.states())

    @property
    def num_moves(self) -> int:
        """How many moves the game has."""
        return len(self.replay.actions)

    def text(self, moment: int) -> str:
        """The table in plain text after so many moves.

        Raises:
            ValueError: there is no such moment.
        """
        state = self._state(moment)
        return str(state) if self.seat is None else state.text(self.seat)

    def draw(self, moment: int, theme: str = "light") -> str:
        """The table as an SVG picture after so many moves.

        Raises:
            ValueError: no such moment, or no such theme.
        """
        return self._state(moment).draw(self.seat, theme)

    def pixels(self, moment: int, theme: str = "light") -> npt.NDArray[np.uint8]:
        """The same picture in red, green and blue: uint8, ``(height, width, 3)``.

        Raises:
            ImportError: the extra ``render`` is not installed.
            ValueError: no such moment, or no such theme.
        """
        return self._state(moment).pixels(self.seat, theme)

    def _state(self, moment: int) -> State:
        if not is_integer(moment) or not 0 <= moment <= self.num_moves:
            refuse("moment", moment, f"an integer in 0..{self.num_moves}")
        return self._states[moment]

    def log(self) -> list[Told]:
        """What was done, as far as it may be read."""
        return [told(*move, self.seat) for move in zip(self._states, self.replay.actions, strict=False)]

    def result(self) -> list[dict[str, Any]]:
        """How every seat stood at the end; nothing of a game that was not played to its end."""
        last = self._states[-1]
        return [last.standing(seat) for seat in range(self.game.num_players)] if last.is_terminal() else []
