"""The ``VecEnv`` of Stable-Baselines3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from carnival_envs.envs.sb3 import SB3VecEnv
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.registry import load_game
from tests.envs.common import EVERY_GAME, equal, random_row_actions


def vec_env(name: str, num_games: int = 4, **arguments: Any) -> SB3VecEnv:
    return SB3VecEnv(SeatBatch(load_game(name), num_games, "greedy", seed=1, **arguments))


@EVERY_GAME
def test_masks(name: str) -> None:
    """Found by sb3-contrib, fresh at every step, never empty."""
    env = vec_env(name)
    env.reset()
    assert is_masking_supported(env)
    assert not env.has_attr("masks_of_actions")
    rng = np.random.default_rng(0)
    for _ in range(100):
        masks = get_action_masks(env)
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, env.seats.action_masks == 1)
        assert masks.any(axis=1).all()
        env.step(random_row_actions(masks, rng))
    assert equal(env.env_method("action_masks", indices=[2, 0]), env.action_masks()[[2, 0]])
    assert equal(env.env_method("action_masks", indices=1), env.action_masks()[1:2])


@EVERY_GAME
def test_ends(name: str) -> None:
    """A normal end has no bootstrap, the observation of the end, and the report of a Monitor."""
    env = vec_env(name)
    env.reset()
    rng = np.random.default_rng(0)
    lengths = np.zeros(4, dtype=int)
    ends = 0
    while ends < 5:
        observations, rewards, dones, infos = env.step(random_row_actions(env.action_masks(), rng))
        lengths += 1
        for row in np.flatnonzero(dones).tolist():
            ends += 1
            info = infos[row]
            assert info["TimeLimit.truncated"] is bool(env.seats.truncated[row])
            assert equal(info["terminal_observation"], env.seats.final_observations[row])
            assert (info["episode"]["r"], info["episode"]["l"]) == (rewards[row], lengths[row])
            assert info["episode"]["t"] >= 0
            lengths[row] = 0
        assert all(infos[row] == {} for row in np.flatnonzero(~dones).tolist())
        assert env.observation_space.contains(observations[0])
        assert rewards.dtype == np.float32


def test_a_bound_asks_for_bootstrap() -> None:
    env = vec_env("carnavalo", max_episode_steps=2)
    env.reset()
    env.step(env.action_masks().argmax(axis=1))
    _, rewards, dones, infos = env.step(env.action_masks().argmax(axis=1))
    assert dones.all()
    assert not rewards.any()
    assert all(info["TimeLimit.truncated"] is True for info in infos)


def test_seeds() -> None:
    """They hold for the next reset, and only for that."""
    env, twin = vec_env("carnavalesco"), vec_env("carnavalesco")
    assert list(env.seed(30)) == [30, 31, 32, 33]
    twin.seed(31)
    first, second = env.reset(), twin.reset()
    assert equal(first[1:], second[:-1])
    assert env.seats.seeds.tolist() == [30, 31, 32, 33]
    env.reset()
    assert not set(env.seats.seeds.tolist()) & {30, 31, 32, 33}


def test_observations_are_kept() -> None:
    env = vec_env("carnavalo")
    observations = env.reset()
    kept = observations.copy()
    env.step(env.action_masks().argmax(axis=1))
    assert equal(kept, observations)


def test_learns_and_is_evaluated() -> None:
    """Through sb3-contrib itself; statistics arrive without a Monitor around, and with one."""
    env = vec_env("carnavalo", 8)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=0)
    model.learn(512)
    assert len(model.ep_info_buffer) > 0
    assert env.env_is_wrapped(Monitor) == [True] * 8
    assert env.env_is_wrapped(VecMonitor) == [False] * 8
    mean, _ = evaluate_policy(model, env, n_eval_episodes=10)
    assert -1 <= mean <= 1


def test_what_it_does_not_have() -> None:
    env = vec_env("carnavalo")
    with pytest.raises(AttributeError, match="render_all"):
        env.env_method("render_all")
    with pytest.raises(AttributeError, match="speed"):
        env.set_attr("speed", 3)
    with pytest.raises(ValueError, match="autoreset of SB3VecEnv"):
        vec_env("carnavalo", autoreset="NextStep")
    assert env.get_attr("render_mode", indices=[0, 1]) == [None, None]
    assert env.get_images() == [None] * 4
    env.close()
