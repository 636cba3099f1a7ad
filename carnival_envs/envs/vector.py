"""The native Gymnasium ``VectorEnv``: what ``gym.make_vec("carnival_envs/Bedeville-v0", num_envs=256)`` gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from carnival_envs.core.chance import checked_seed
from carnival_envs.core.game import Game
from carnival_envs.core.options import need_at_least_one, refuse
from carnival_envs.envs import endings, rendering, spaces
from carnival_envs.envs.seating import RANDOM_SEAT
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.policies.specs import Opponents, OpponentSampler
from carnival_envs.registry import load_game

Infos = dict[str, Any]
Observations = Any
Step = tuple[Observations, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos]

RESET_MASK = "reset_mask"


class SeatVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """One learner per game against opponents, all games stepped together by compiled code.

    ``infos`` follow Gymnasium 1: arrays over the environments, each with its ``_key`` of validity. ``action_mask``
    (int8) and ``seat`` are in every one and belong to the returned observation; a mask is never empty. At the end of
    a game what ``SeatBatch.final_infos`` tells joins them: in ``final_info``, beside ``final_obs``, with
    ``SAME_STEP``, else in ``infos`` itself.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponents: Opponents | OpponentSampler = "random",
        seat: int | str = RANDOM_SEAT,
        reward: str = "win",
        illegal_action: str = endings.FORFEIT,
        dict_observation: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        max_episode_steps: int | None = None,
        num_threads: int = 1,
        render_mode: str | None = None,
        trust: bool = False,
        data: str | Path | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """
        Args:
            game: the id of a game, or a game.
            num_envs: how many games.
            opponents: who plays the other seats: a spec, one for each of them, or a sampler.
            seat: the learner's; ``"random"`` draws it for every game.
            reward: the kind of returns, ``"win"``, ``"rank"`` or ``"score"``.
            illegal_action: ``"forfeit"`` or ``"raise"``; see ``SeatBatch``.
            dict_observation: observations are ``{"observation": ..., "action_mask": ...}``.
            autoreset_mode: ``SAME_STEP``, ``NEXT_STEP`` or ``DISABLED``; also in ``metadata``.
            max_episode_steps: a bound on the learner's decisions in a game; then it is truncated.
            num_threads: threads that share the work; results do not depend on it.
            render_mode: one of ``rendering.RENDER_MODES``, to see every table as its learner does.
            trust: whether opponents may be loaded from files that can run code.
            data: see ``load_game``.
            options: of the game; and ``history``, see ``load_game``.

        Raises:
            TypeError: an option that the game does not have.
            ValueError: an argument that is not allowed.
        """
        need_at_least_one(num_envs=num_envs)
        self.game = game if isinstance(game, Game) else load_game(game, data=data, **options)
        self.seats = SeatBatch(
            self.game,
            num_envs,
            opponents,
            seat=seat,
            reward=reward,
            illegal_action=illegal_action,
            autoreset=autoreset_mode,
            max_episode_steps=max_episode_steps,
            num_threads=num_threads,
            trust=trust,
        )
        self.num_envs = self.seats.num_games
        self.render_mode = rendering.checked_render_mode(render_mode)
        self.metadata = {**rendering.METADATA, "autoreset_mode": self.seats.autoreset}
        self.dict_observation = dict_observation
        self.single_observation_space = spaces.observation_space(self.game, dict_observation)
        self.single_action_space = spaces.actions(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Begin games anew.

        Args:
            seed: environment ``i`` gets ``seed + i``, or ``seed[i]``; ``None`` goes on with the games that follow.
            options: ``{"reset_mask": bool array}`` begins only the games where it is true.

        Raises:
            ValueError: a seed or a mask that is not allowed.
        """
        rows = None if options is None or RESET_MASK not in options else self._rows(options[RESET_MASK])
        if isinstance(seed, int | np.integer):
            first = checked_seed(seed)
            super().reset(seed=first)
            seed = [first + index for index in range(self.num_envs)]
            self.seats.reset(_of_rows(seed, rows), rows=rows, rng=self._np_random)
        else:
            self.seats.reset(_of_rows(seed, rows), rows=rows)
        return self._observations(self.seats.observations), self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """One decision in every game.

        Args:
            actions: integers, ``(num_envs,)``.

        Returns:
            observations, rewards (float64), terminations, truncations (bool) and infos.

        Raises:
            IllegalActionError, ResetNeeded, ValueError: see ``SeatBatch.step``.
        """
        seats = self.seats
        seats.step(actions)
        infos = self._infos()
        if seats.final_infos:
            self._report_ends(infos)
        rewards = seats.rewards.astype(np.float64)
        return self._observations(seats.observations), rewards, seats.terminated.copy(), seats.truncated.copy(), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every learner: bool, ``(num_envs, num_actions)``, at least one in every row."""
        return self.seats.action_masks.astype(np.bool_)

    def render(self) -> tuple[rendering.Frame | None, ...] | None:  # type: ignore[override]
        """The table of every game, as its learner sees it; each ``None`` in mode ``"human"``, where it is printed."""
        states = map(self.seats.state, range(self.num_envs))
        views = zip(states, self.seats.seats.tolist(), strict=True)
        return tuple(rendering.frame(state, seat, self.render_mode) for state, seat in views)

    def save_state(self) -> dict[str, Any]:
        """Everything that the future depends on; see ``SeatBatch.save_state``."""
        return self.seats.save_state()

    def load_state(self, saved: dict[str, Any]) -> None:
        """Go back to a saved state; see ``SeatBatch.load_state``."""
        self.seats.load_state(saved)

    def _rows(self, reset_mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        mask = np.asarray(reset_mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            refuse(f"options[{RESET_MASK!r}]", reset_mask, f"bools of shape ({self.num_envs},), at least one true")
        return np.flatnonzero(mask)

    def _observations(self, observations: npt.NDArray[np.float32]) -> Observations:
        if self.dict_observation:
            return {"observation": observations.copy(), "action_mask": self.seats.action_masks.copy()}
        return observations.copy()

    def _infos(self) -> Infos:
        every = np.ones(self.num_envs, dtype=np.bool_)
        return {
            "action_mask": self.seats.action_masks.copy(),
            "_action_mask": every,
            "seat": self.seats.seats.copy(),
            "_seat": every.copy(),
        }

    def _report_ends(self, infos: Infos) -> None:
        seats = self.seats
        ended = np.flatnonzero(seats.terminated | seats.truncated).tolist()
        for row, final in zip(ended, seats.final_infos, strict=True):
            known = {**final, "returns": np.array(final["returns"]), "opponents": np.array(final["opponents"])}
            if seats.autoreset is AutoresetMode.SAME_STEP:
                mask = np.ones(self.game.num_actions, dtype=np.int8)
                observation = seats.final_observations[row].copy()
                final_obs = {"observation": observation, "action_mask": mask} if self.dict_observation else observation
                known = {"final_obs": final_obs, "final_info": {**known, "action_mask": mask.copy()}}
            self._add_info(infos, known, row)


def _of_rows(seeds: Sequence[int | None] | None, rows: npt.NDArray[np.int64] | None) -> Sequence[int | None] | None:
    """The seeds of some environments, out of those of all."""
    return seeds if seeds is None or rows is None else [seeds[row] for row in rows.tolist()]
