"""The Gymnasium environment of one seat: what ``gym.make("carnival_envs/Bedeville-v0")`` gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from carnival_envs.core.files import need_folder
from carnival_envs.core.game import Game
from carnival_envs.core.state import State
from carnival_envs.envs import endings, rendering, spaces
from carnival_envs.envs.seating import RANDOM_SEAT
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.policies.specs import Opponents, OpponentSampler
from carnival_envs.registry import load_game
from carnival_envs.replay import Replay

LEARNER = "learner"
"""The player's name in a replay."""

Info = dict[str, Any]


class SeatEnv(gym.Env[Any, int]):
    """A learner at one seat of a game, against opponents.

    A step is the learner's decision, with everything that the others do until his next one; its reward is all that
    his seat earned meanwhile. Observations are what he sees at his decisions and at the end.

    ``info["action_mask"]`` (int8) and ``action_masks()`` (bool) are his legal actions, never none: after the end all
    are. An illegal action forfeits the game, so that algorithms and checkers without masks run; ``info`` tells of it.
    ``info["seat"]`` is his seat. At the end ``info`` also holds ``score``, ``rank``, ``winners``, ``end_reason``, the
    game's own additions, ``length`` (his decisions), ``returns`` of all seats, ``opponents`` (indices of those who
    played, clockwise from his left); after a forfeit ``illegal_action`` and no score.
    """

    metadata = rendering.METADATA

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: Opponents | OpponentSampler = "random",
        seat: int | str = RANDOM_SEAT,
        reward: str = "win",
        illegal_action: str = endings.FORFEIT,
        dict_observation: bool = False,
        render_mode: str | None = None,
        record: str | Path | None = None,
        trust: bool = False,
        data: str | Path | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """
        Args:
            game: the id of a game, or a game.
            opponents: who plays the other seats: a spec, one for each of them, or a sampler.
            seat: the learner's; ``"random"`` draws it for every game.
            reward: the kind of returns, ``"win"``, ``"rank"`` or ``"score"``.
            illegal_action: ``"forfeit"``: the game ends, -1 for the learner, ``1 / (n - 1)`` for the others;
                ``"raise"``: ``IllegalActionError``.
            dict_observation: observations are ``{"observation": ..., "action_mask": ...}``.
            render_mode: one of ``rendering.RENDER_MODES``, to see the table as the learner does.
            record: a folder in which every game that ends leaves a replay; see ``carnival_envs.replay``.
            trust: whether opponents may be loaded from files that can run code.
            data: see ``load_game``.
            options: of the game; and ``history``, see ``load_game``.

        Raises:
            TypeError: an option that the game does not have.
            ValueError: an argument that is not allowed.
        """
        self.game = game if isinstance(game, Game) else load_game(game, data=data, **options)
        self.seats = SeatBatch(
            self.game,
            1,
            opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            autoreset=AutoresetMode.DISABLED,
            trust=trust,
            keeps_journal=record is not None,
        )
        self._record = None if record is None else Path(record)
        if self._record is not None:
            need_folder("record", self._record)
        self._take_rows()
        self.render_mode = rendering.checked_render_mode(render_mode)
        self._screen = rendering.Screen()
        self._shows = self.render_mode == rendering.HUMAN
        self.dict_observation = dict_observation
        self.observation_space = spaces.observation_space(self.game, dict_observation)
        self.action_space: gym.Space[Any] = spaces.actions(self.game)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Info]:  # noqa: ARG002
        """Begin a new game.

        Args:
            seed: of the game, the learner's seat and the opponents; ``None`` goes on with the game that follows the
                last one, the first time with any.
            options: not used.

        Raises:
            ValueError: the seed is not allowed.
        """
        super().reset(seed=seed)
        if seed is None:
            self.seats.reset()
        else:
            self.seats.reset([seed], rng=self.np_random)
        if self._shows:
            self.render()
        return self._look()

    def step(self, action: int) -> tuple[Any, float, bool, bool, Info]:
        """The learner's decision.

        Raises:
            IllegalActionError: an illegal action, with ``illegal_action="raise"``; the game is unchanged.
            ResetNeeded: before the first ``reset``, or when the game is over.
            ValueError: not an integer.
        """
        seats = self.seats
        if type(action) is not int:
            action = endings.checked_action(self.game, action)
        try:
            seats.moves[0] = action
        except OverflowError:  # larger than the integers of compiled code
            seats.moves[0] = -1
        ended = seats.advance()
        observation, info = self._look()
        if self._shows:
            self.render()
        if not ended:
            return observation, 0.0, False, False, info
        info.update(self._final_info())
        if self._record is not None:
            self._replay().save_in(self._record)
        return observation, float(seats.rewards[0]), bool(seats.terminated[0]), bool(seats.truncated[0]), info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's legal actions: bool, ``(num_actions,)``, never none; what MaskablePPO asks for."""
        mask: npt.NDArray[np.bool_] = self._row_of_masks.astype(np.bool_)
        return mask

    def render(self) -> rendering.Frame | None:
        """The table as the learner sees it; ``None`` in mode ``"human"``, where it is shown.

        Raises:
            ImportError: pixels without the extra ``render``.
            ResetNeeded: before the first ``reset``.
        """
        return rendering.frame(self.game_state, self.seats.seats.item(), self.render_mode, self._screen)

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        self._screen.close()

    @property
    def game_state(self) -> State:
        """An independent exact copy of the game, everything hidden included; for tools, never for a policy.

        Raises:
            ResetNeeded: before the first ``reset``.
        """
        return self.seats.state(0)

    def save_state(self) -> dict[str, Any]:
        """Everything that the future depends on, the streams of chance and of the opponents included."""
        return self.seats.save_state()

    def load_state(self, saved: dict[str, Any]) -> None:
        """Go back to a saved state.

        Raises:
            ValueError: it was saved by another game.
        """
        self.seats.load_state(saved)
        self._np_random = self.seats.rng

    def _look(self) -> tuple[Any, Info]:
        mask = self._row_of_masks.copy()
        info = {"action_mask": mask, "seat": self.seats.seats.item()}
        if self.dict_observation:
            return {"observation": self._row_of_observations.copy(), "action_mask": mask.copy()}, info
        return self._row_of_observations.copy(), info

    def _take_rows(self) -> None:
        """Keep the rows of the batch's arrays at hand; they are views, which copies of the environment make anew."""
        self._row_of_observations = self.seats.observations[0]
        self._row_of_masks = self.seats.action_masks[0]

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content)
        self._take_rows()

    def _replay(self) -> Replay:
        """The game that is over."""
        seats, learner = self.seats, self.seats.seats.item()
        names = [repr(seats.opponents.policies[index]) for index in seats.opponent_indices[0]]
        n = self.game.num_players
        players = [LEARNER, *names]
        forfeit = seats.final_infos[0].get(endings.ILLEGAL_ACTION)
        return Replay(
            self.game,
            tuple(seats.played_actions(0)),
            tuple(players[(seat - learner) % n] for seat in range(n)),
            seed=int(seats.seeds[0]),
            stopped=None if forfeit is None else endings.forfeit_words(self.game, learner, forfeit),
        )

    def _final_info(self) -> Info:
        final = self.seats.final_infos[0]
        state = self.seats.final_states[0]
        return {**state.end_info(self.seats.seats.item()), **final} if state.is_terminal() else final
