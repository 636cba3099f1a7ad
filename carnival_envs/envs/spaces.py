"""The spaces of a game, for Gymnasium and PettingZoo alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from carnival_envs.core.game import Game


def observation_box(game: Game) -> spaces.Box:
    """The space of the flat observation: float32, ``(observation_size,)``, every number within its block's range."""
    blocks = game.observation_blocks
    low = np.concatenate([np.full(block.size, block.low, dtype=np.float32) for block in blocks])
    high = np.concatenate([np.full(block.size, block.high, dtype=np.float32) for block in blocks])
    return spaces.Box(low / game.observation_scales, high / game.observation_scales, dtype=np.float32)


def masked_observations(game: Game) -> spaces.Dict:
    """The space of ``{"observation": float32, "action_mask": int8}``."""
    mask = spaces.Box(0, 1, (game.num_actions,), dtype=np.int8)
    return spaces.Dict({"observation": observation_box(game), "action_mask": mask})


def actions(game: Game) -> spaces.Discrete:
    """The space of action indices, the same in every state."""
    return spaces.Discrete(game.num_actions)


def observation_space(game: Game, dict_observation: bool) -> spaces.Space[Any]:
    """The space of a learner's observations, with the mask inside or without."""
    return masked_observations(game) if dict_observation else observation_box(game)
