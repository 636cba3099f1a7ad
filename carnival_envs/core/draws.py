"""The loops that need no game: drawing from Python, seeding a batch, uniformly random actions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import ONE, Words, below, next_seed, next_word
from carnival_envs.core.jit import kernel

__all__ = ["draw", "draw_seeds", "random_actions", "seed_of_next_game"]


def draw(chance: Words, k: int) -> int:
    """``below`` for Python code."""
    return below(chance, k)


def draw_seeds(chance: Words, seeds: npt.NDArray[np.int64]) -> None:
    """Fill ``seeds`` with seeds in ``0 .. 2**63 - 1``."""
    for i in range(len(seeds)):
        seeds[i] = np.int64(next_word(chance) >> ONE)


def seed_of_next_game(seed: int) -> int:
    """``next_seed`` for Python code."""
    return next_seed(seed)


@kernel
def random_action(mask: npt.NDArray[np.int8], chance: Words) -> int:
    """A uniformly random action among those that are 1 in ``mask``; -1 if there is none."""
    count = 0
    for action in range(len(mask)):
        count += mask[action]
    if count == 0:
        return -1
    skip = below(chance, count)
    action = 0
    while mask[action] == 0 or skip > 0:
        skip -= mask[action]
        action += 1
    return action


def random_actions(masks: npt.NDArray[np.int8], chance: Words, actions: npt.NDArray[Any]) -> None:
    """Fill ``actions`` with a uniformly random legal action for each row of ``masks``."""
    for i in range(len(masks)):
        actions[i] = random_action(masks[i], chance)
