"""Uniformly random legal play."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import checked_seed, seeded_words
from carnival_envs.core.engine import chance_loops
from carnival_envs.core.loops import RANDOM
from carnival_envs.policies.base import Actions, Masks, Observations, stream_from


class RandomPolicy:
    """Every legal action is equally likely."""

    compiled_pilot = RANDOM

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:  # noqa: ARG002
        """See ``Policy.act``."""
        actions = np.empty(len(masks), dtype=np.int64)
        chance_loops()["random_actions"](masks, stream_from(rng), actions)
        return actions

    def __repr__(self) -> str:
        return "RandomPolicy()"


class RandomSampler:
    """Random legal actions from a stream of its own: what ``action_space.sample(mask)`` gives, many times faster."""

    def __init__(self, seed: int | None = None) -> None:
        """
        Raises:
            ValueError: the seed is not an integer in ``0 .. 2**63 - 1``.
        """
        self._words = seeded_words(checked_seed(seed))
        self._random_actions = chance_loops()["random_actions"]
        self._one = np.empty(1, dtype=np.int64)

    def sample(self, mask: npt.NDArray[np.int8]) -> int:
        """A random legal action.

        Args:
            mask: int8, ``(num_actions,)``.

        Returns:
            its index, or -1 if no action is legal.
        """
        self._random_actions(mask[None], self._words, self._one)
        return int(self._one[0])

    def sample_batch(self, masks: Masks) -> Actions:
        """A random legal action for each row.

        Args:
            masks: int8, ``(batch, num_actions)``.

        Returns:
            int64, ``(batch,)``; -1 where no action is legal.
        """
        actions = np.empty(len(masks), dtype=np.int64)
        self._random_actions(masks, self._words, actions)
        return actions
