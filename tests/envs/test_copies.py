"""Copies of environments in the middle of a game: deepcopy, pickle, save and load are exact, streams included."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.envs.single import SeatEnv
from carnival_envs.envs.vector import SeatVectorEnv
from carnival_envs.registry import GAMES, load_game
from tests.envs.common import Dice, Witness, all_equal, equal, random_legal, random_row_actions

STEPS_BEFORE, STEPS_AFTER = 15, 120
PYTHON_AND_COMPILED = ["mix(random,greedy)", "in Python"]


def opponents(kind: str) -> Any:
    return Dice() if kind == "in Python" else kind


class AEC:
    """The AEC environment, driven for the tests below."""

    @staticmethod
    def make(name: str, kind: str) -> AECGameEnv:  # noqa: ARG004
        env = AECGameEnv(name)
        env.reset(seed=3)
        return env

    @staticmethod
    def run(env: AECGameEnv, steps: int, seed: int) -> list[Any]:
        rng = np.random.default_rng(seed)
        reports: list[Any] = []
        for _ in range(steps):
            if not env.agents:
                env.reset()
            seen, *rest = env.last()
            reports.append((env.agent_selection, seen, *rest))
            env.step(None if env.is_over else random_legal(seen["action_mask"], rng))
        return reports


class Single:
    """The single-seat environment, likewise."""

    @staticmethod
    def make(name: str, kind: str) -> SeatEnv:
        env = SeatEnv(name, opponents=opponents(kind))
        env.reset(seed=3)
        return env

    @staticmethod
    def run(env: SeatEnv, steps: int, seed: int) -> list[Any]:
        rng = np.random.default_rng(seed)
        reports: list[Any] = []
        for _ in range(steps):
            report = env.step(random_legal(env.action_masks(), rng))
            reports.append(report)
            if report[2] or report[3]:
                reports.append(env.reset())
        return reports


class Vector:
    """The vector environment, likewise."""

    @staticmethod
    def make(name: str, kind: str) -> SeatVectorEnv:
        env = SeatVectorEnv(name, 3, opponents=opponents(kind), autoreset_mode="NextStep")
        env.reset(seed=3)
        return env

    @staticmethod
    def run(env: SeatVectorEnv, steps: int, seed: int) -> list[Any]:
        rng = np.random.default_rng(seed)
        return [env.step(random_row_actions(env.action_masks(), rng)) for _ in range(steps)]


class Batch:
    """The batch of seats, with threads, likewise."""

    @staticmethod
    def make(name: str, kind: str) -> SeatBatch:
        seats = SeatBatch(load_game(name), 3, opponents(kind), seed=3, num_threads=2)
        seats.reset()
        return seats

    @staticmethod
    def run(seats: SeatBatch, steps: int, seed: int) -> list[Any]:
        rng = np.random.default_rng(seed)
        reports: list[Any] = []
        for _ in range(steps):
            seats.step(random_row_actions(seats.action_masks, rng))
            reports.append((seats.observations.copy(), seats.rewards.copy(), seats.seats.copy(), seats.final_infos))
        return reports


COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
EVERY_KIND = pytest.mark.parametrize("driver", [AEC, Single, Vector, Batch])
EVERY_OPPONENT = pytest.mark.parametrize("kind", PYTHON_AND_COMPILED)


@pytest.mark.parametrize("name", list(GAMES))
@EVERY_KIND
@EVERY_OPPONENT
@pytest.mark.parametrize("how", list(COPIES))
def test_copy_has_the_same_future(name: str, driver: Any, kind: str, how: str) -> None:
    """And a life of its own: what the original does next does not touch it."""
    env = driver.make(name, kind)
    driver.run(env, STEPS_BEFORE, seed=0)
    twin = COPIES[how](env)
    future = driver.run(env, STEPS_AFTER, seed=1)
    assert equal(future, driver.run(twin, STEPS_AFTER, seed=1))


@pytest.mark.parametrize("name", list(GAMES))
@EVERY_KIND
@EVERY_OPPONENT
def test_saved_state_brings_the_future_back(name: str, driver: Any, kind: str) -> None:
    """In the same environment, as often as wanted, and in another one."""
    env = driver.make(name, kind)
    driver.run(env, STEPS_BEFORE, seed=0)
    saved = env.save_state()
    futures = [driver.run(env, STEPS_AFTER, seed=1)]
    env.load_state(saved)
    futures.append(driver.run(env, STEPS_AFTER, seed=1))
    other = driver.make(name, kind)
    driver.run(other, 4, seed=9)
    other.load_state(pickle.loads(pickle.dumps(saved)))
    futures.append(driver.run(other, STEPS_AFTER, seed=1))
    assert all_equal(futures)


@EVERY_KIND
def test_a_state_of_another_game_is_refused(driver: Any) -> None:
    saved = driver.make("carnival", "random").save_state()
    with pytest.raises(ValueError, match="saved"):
        driver.make("carnavalo", "random").load_state(saved)


def test_a_state_of_another_number_of_games_is_refused() -> None:
    saved = SeatVectorEnv("carnavalo", 2).save_state()
    with pytest.raises(ValueError, match="saved"):
        SeatVectorEnv("carnavalo", 3).load_state(saved)


def test_a_copy_of_an_environment_with_view_policies() -> None:
    env = SeatEnv("carnavalo", opponents=Witness())
    env.reset(seed=0)
    assert equal(Single.run(copy.deepcopy(env), 30, 2), Single.run(env, 30, 2))


CHILD = """
import pickle, sys
env = pickle.load(open(sys.argv[1], "rb"))
while not env.is_over:
    env.step(int(env.last()[0]["action_mask"].argmax()))
print(list(env.rewards.values()))
"""


def test_pickle_goes_on_in_a_fresh_process(tmp_path: Path) -> None:
    env = AEC.make("carnavalesco", "")
    AEC.run(env, STEPS_BEFORE, seed=0)
    file = tmp_path / "env.pickle"
    file.write_bytes(pickle.dumps(env))
    child = subprocess.run([sys.executable, "-c", CHILD, str(file)], capture_output=True, text=True, check=True)
    while not env.is_over:
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert child.stdout.strip() == str(list(env.rewards.values()))
