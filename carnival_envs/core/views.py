"""``Views``: what one player knows in each of many games, for policies that look further than an observation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.game import Game
from carnival_envs.core.state import State, View, record_from_bytes


class Views:
    """The views of the current players of some games. Hidden fields are overwritten when it is made.

    Attributes:
        game: the game.
        records: concealed state records, shape ``(len(views),)``.
        players: int64, the observer of each.
        masks: int8, ``(len(views), num_actions)``: their legal actions.
    """

    def __init__(self, game: Game, records: npt.NDArray[Any], players: npt.NDArray[np.int64]) -> None:
        """
        Args:
            game: the game.
            records: copies of state records, in each of which the player of ``players`` is to decide.
            players: int64, the observer of each.
        """
        self.game = game
        self.records = records
        self.players = players
        self.masks = np.empty((len(records), game.num_actions), dtype=np.int8)
        game.engine.conceal_rows(game.rules, records, players, self.masks)

    @classmethod
    def of_states(cls, states: Sequence[State]) -> Views:
        """The views of the current players of some states, which are all of one game and not over."""
        game = states[0].game
        records = np.empty(len(states), dtype=game.definition.state)
        content = records.view(np.uint8).reshape(len(states), -1)
        for row, state in enumerate(states):
            content[row] = np.frombuffer(state.to_bytes(), dtype=np.uint8)
        return cls(game, records, np.array([state.current_player() for state in states], dtype=np.int64))

    @classmethod
    def of_view(cls, view: View) -> Views:
        """A view of a player who is to decide, alone."""
        return cls(view.game, view.record.copy(), np.array([view.player], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, index: int) -> View:
        """The view of one game.

        Raises:
            IndexError: not the index of a view.
        """
        if not 0 <= index < len(self):
            raise IndexError(f"view {index} of {len(self)}")
        record = record_from_bytes(self.records[index : index + 1].tobytes(), self.records.dtype)
        player = int(self.players[index])
        return View(self.game, record, player, player)

    def observations(self) -> npt.NDArray[np.float32]:
        """float32, ``(len(views), observation_size)``."""
        out = np.empty((len(self), self.game.observation_size), dtype=np.float32)
        self.game.engine.observe_rows(self.game.rules, self.records, self.players, out)
        return out
