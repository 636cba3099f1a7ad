"""What the tests of the environments share: games, simple players, comparisons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions, Masks, Observations
from carnival_envs.registry import GAMES
from tests.variants import all_games

EVERY_GAME = pytest.mark.parametrize("name", list(GAMES))
EVERY_OPTION_SET = pytest.mark.parametrize(("name", "options"), all_games())

REWARDS = ("win", "rank", "score")


class Last:
    """A policy that needs no randomness: the last legal action. It counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:  # noqa: ARG002
        self.asked += 1
        return np.array([last_legal(mask) for mask in masks], dtype=np.int64)


class Dice:
    """A policy that needs randomness: a random legal action, drawn in Python from what it is given."""

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:  # noqa: ARG002
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks], dtype=np.int64)


class Witness:
    """A policy that looks at views and notes the seats that it plays."""

    def __init__(self) -> None:
        self.seats: set[int] = set()

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:  # noqa: ARG002
        self.seats.update(views.players.tolist())
        return np.array([last_legal(mask) for mask in views.masks], dtype=np.int64)


class Cheat:
    """A policy that chooses an action that is not legal."""

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:  # noqa: ARG002
        return masks.argmin(axis=1).astype(np.int64)

    def __repr__(self) -> str:
        return "Cheat()"


def last_legal(mask: npt.NDArray[Any]) -> int:
    return int(np.flatnonzero(mask)[-1])


def random_legal(mask: npt.NDArray[Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def random_row_actions(masks: npt.NDArray[Any], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random legal action for each row."""
    return np.array([random_legal(mask, rng) for mask in masks], dtype=np.int64)


def equal(a: Any, b: Any) -> bool:
    """Whether two observations, infos or trajectories are the same, to the bit."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return a.shape == b.shape and all(equal(x, y) for x, y in zip(a.flat, b.flat, strict=True))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return type(a) is type(b) and a == b


def all_equal(things: Iterable[Any]) -> bool:
    first, *others = things
    return all(equal(first, other) for other in others)
