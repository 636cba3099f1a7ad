"""A toy in place of a ``SeatBatch``: each decision has one right answer, paid for at the next decision or the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from carnival_envs.core.observation import Block, scales

CHOICES = 4
BLOCKS = [Block("question", (CHOICES,), 0, 1, "one-hot")]


class ToyGames:
    """Games of three questions each; a right answer earns 1, a wrong one -1. The last choice is never legal.

    The questions are independent of each other: a learner that is given the reward of another decision, of another
    game or of the other seat learns nothing.
    """

    def __init__(self, num_games: int, seed: int = 0) -> None:
        self.game: Any = SimpleNamespace(
            observation_blocks=BLOCKS,
            observation_scales=scales(BLOCKS),
            observation_size=CHOICES,
            num_actions=CHOICES,
            num_players=2,
        )
        self.num_games = num_games
        self.rng = np.random.default_rng(seed)
        self.observations = np.zeros((num_games, CHOICES), dtype=np.float32)
        self.action_masks = np.ones((num_games, CHOICES), dtype=np.int8)
        self.action_masks[:, -1] = 0
        self.rewards = np.zeros(num_games, dtype=np.float32)
        self.terminated = np.zeros(num_games, dtype=np.bool_)
        self.truncated = np.zeros(num_games, dtype=np.bool_)
        self.ages = self.rng.integers(3, size=num_games)
        self.ask()

    def need_same_step(self, user: str) -> None:
        """It is the only mode."""

    def ask(self) -> None:
        self.questions = self.rng.integers(CHOICES - 1, size=self.num_games)
        self.observations[:] = np.eye(CHOICES)[self.questions]

    def step(self, actions: np.ndarray[Any, Any]) -> None:
        assert (actions < CHOICES - 1).all(), "an illegal choice"
        self.rewards[:] = np.where(actions == self.questions, 1, -1)
        self.ages += 1
        self.terminated[:] = self.ages == 3
        self.ages[self.terminated] = 0
        self.ask()
