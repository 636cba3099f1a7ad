"""The ``VecEnv`` of Stable-Baselines3 over a native batch; needs the ``train`` extra."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.envs import spaces
from carnival_envs.envs.seats import SeatBatch

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices
except ImportError as error:
    raise ImportError("SB3VecEnv needs Stable-Baselines3: pip install 'carnival-envs[train]'") from error

ACTION_MASKS = "action_masks"

Transition = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]


class SB3VecEnv(VecEnv):
    """One learner per game, for MaskablePPO and the like.

    Observations are the flat ones; masks come from ``env_method("action_masks")``, all in one bool array. Where a
    game is over, ``infos[i]`` holds what ``SeatBatch.final_infos`` says of it, ``terminal_observation``,
    ``TimeLimit.truncated`` (only then may an algorithm bootstrap), and ``episode`` with ``r``, ``l`` and ``t`` as
    ``Monitor`` would write them.
    """

    def __init__(self, seats: SeatBatch) -> None:
        """
        Args:
            seats: the batch to play on, with ``AutoresetMode.SAME_STEP``.

        Raises:
            ValueError: a batch with another autoreset mode.
        """
        seats.need_same_step("SB3VecEnv")
        self.seats = seats
        self._started = time.time()
        self._actions: npt.NDArray[np.int64] = np.zeros(seats.num_games, dtype=np.int64)
        super().__init__(seats.num_games, spaces.observation_box(seats.game), spaces.actions(seats.game))

    def reset(self) -> npt.NDArray[np.float32]:
        """Begin all games anew, from the seeds given to ``seed`` if there are any: float32, ``(num_envs, size)``."""
        self.seats.reset(None if self._seeds[0] is None else self._seeds)
        self._reset_seeds()
        self._reset_options()
        return self.seats.observations.copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Take the actions of the next ``step_wait``."""
        self._actions = actions

    def step_wait(self) -> Transition:
        """One decision of every learner: observations, rewards, dones, infos.

        Raises:
            IllegalActionError: see ``SeatBatch.step``.
        """
        seats = self.seats
        seats.step(self._actions)
        dones = seats.terminated | seats.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if seats.final_infos:
            self._report_ends(dones, infos)
        return seats.observations.copy(), seats.rewards.copy(), dones, infos

    def _report_ends(self, dones: npt.NDArray[np.bool_], infos: list[dict[str, Any]]) -> None:
        seats = self.seats
        elapsed = round(time.time() - self._started, 6)
        for row, final in zip(np.flatnonzero(dones).tolist(), seats.final_infos, strict=True):
            infos[row] = {
                **final,
                "terminal_observation": seats.final_observations[row].copy(),
                "TimeLimit.truncated": bool(seats.truncated[row]),
                "episode": {"r": float(seats.rewards[row]), "l": final["length"], "t": elapsed},
            }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every learner: bool, ``(num_envs, num_actions)``, at least one in every row."""
        return self.seats.action_masks.astype(np.bool_)

    def close(self) -> None:
        """Nothing to close."""

    # What SB3 asks of its environments by name -----------------------------------------------------------------------

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute of every environment: ``action_masks``, ``render_mode``, or one of the batch.

        Raises:
            AttributeError: there is none.
        """
        value = None if attr_name == "render_mode" else getattr(self._owner(attr_name), attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:  # noqa: ARG002
        """Not supported: the games are no objects of their own.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"{attr_name!r} can't be set: the games of a SeatBatch have no attributes of their own")

    def env_method(
        self,
        method_name: str,
        *method_args: Any,  # noqa: ARG002
        indices: VecEnvIndices = None,
        **method_kwargs: Any,  # noqa: ARG002
    ) -> Any:
        """``action_masks``, the one method that the games have: bool, ``(len(indices), num_actions)``.

        Raises:
            AttributeError: another method.
        """
        if method_name != ACTION_MASKS:
            raise AttributeError(f"no method {method_name!r}; the games have {ACTION_MASKS!r}")
        masks = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """True for ``Monitor``, whose report is in the infos; False for every other wrapper."""
        return [issubclass(wrapper_class, Monitor) for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """No images."""
        return [None] * self.num_envs

    def _owner(self, attr_name: str) -> object:
        return self if attr_name == ACTION_MASKS else self.seats
