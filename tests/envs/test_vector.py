"""The native vector environment, against Gymnasium's own ``SyncVectorEnv`` of single ones."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.envs.registration import env_id
from carnival_envs.envs.single import SeatEnv
from carnival_envs.envs.vector import SeatVectorEnv
from tests.envs.common import EVERY_GAME, EVERY_OPTION_SET, equal, random_row_actions

NUM_ENVS = 3


def make_vec(name: str, num_envs: int = NUM_ENVS, **arguments: Any) -> SeatVectorEnv:
    env = gym.make_vec(env_id(name), num_envs=num_envs, **arguments)
    assert isinstance(env, SeatVectorEnv)
    return env


def one_by_one(name: str, mode: AutoresetMode, **arguments: Any) -> Any:
    """Gymnasium's vector of single environments."""
    return SyncVectorEnv([lambda: SeatEnv(name, **arguments) for _ in range(NUM_ENVS)], autoreset_mode=mode)


def check_infos(native: dict[str, Any], reference: dict[str, Any]) -> None:
    """All that the native infos hold is what Gymnasium makes of the single ones, validity arrays included."""
    for key, value in native.items():
        if isinstance(value, dict):
            check_infos(value, reference[key])
        elif key.startswith("_"):
            assert equal(value, reference[key]), key
        else:
            valid = native[f"_{key}"]
            assert equal(as_lists(value[valid]), as_lists(reference[key][valid])), key


def as_lists(values: Any) -> list[Any]:
    """Rows as plain lists: the returns are one array natively, and lists in Gymnasium's array of objects."""
    rows = values.tolist()
    return [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]


@EVERY_OPTION_SET
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("dict_observation", [False, True])
def test_same_as_single_environments(
    name: str, options: dict[str, Any], mode: AutoresetMode, dict_observation: bool
) -> None:
    arguments = {"opponents": "mix(greedy,random)", "dict_observation": dict_observation, **options}
    native, reference = make_vec(name, autoreset_mode=mode, **arguments), one_by_one(name, mode, **arguments)
    assert native.observation_space == reference.observation_space
    assert native.action_space == reference.action_space
    observations, infos = native.reset(seed=17)
    expected, expected_infos = reference.reset(seed=17)
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert equal(observations, expected)
        check_infos(infos, expected_infos)
        actions = random_row_actions(infos["action_mask"], rng)
        actions[rng.random(NUM_ENVS) < 0.02] = -1
        observations, *flags, infos = native.step(actions)
        expected, *expected_flags, expected_infos = reference.step(actions)
        assert equal(flags, expected_flags)


@EVERY_GAME
def test_made_by_gymnasium(name: str) -> None:
    env = make_vec(name, 5, opponents="greedy", seat=1, max_episode_steps=2)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.spec is not None
    assert env.spec.id == env_id(name)
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert observations.dtype == np.float32
    assert infos["action_mask"].dtype == np.int8
    assert infos["seat"].tolist() == [1] * 5
    for truncated in (False, True):
        observations, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert truncations.tolist() == [truncated] * 5
        assert not terminations.any()
        assert rewards.dtype == np.float64
    assert infos["_final_obs"].all()
    assert infos["final_info"]["end_reason"].tolist() == ["max_steps"] * 5
    assert "score" not in infos["final_info"]
    assert "rank" not in infos["final_info"]
    assert env.action_masks().dtype == np.bool_
    env.close()


def test_mode_is_stated_and_takes_gymnasium_s_words() -> None:
    for mode in AutoresetMode:
        assert make_vec("carnavalo", autoreset_mode=mode.value).metadata["autoreset_mode"] is mode
    with pytest.raises(ValueError, match="Same"):
        make_vec("carnavalo", autoreset_mode="Same")


@EVERY_GAME
def test_masks_are_never_empty_and_belong_to_the_observation(name: str) -> None:
    for mode in AutoresetMode:
        env = make_vec(name, autoreset_mode=mode)
        _, infos = env.reset(seed=3)
        rng = np.random.default_rng(1)
        for _ in range(150):
            assert infos["action_mask"].any(axis=1).all()
            assert np.array_equal(env.action_masks(), infos["action_mask"])
            _, _, terminations, truncations, infos = env.step(random_row_actions(infos["action_mask"], rng))
            over = terminations | truncations
            if mode is AutoresetMode.DISABLED and over.any():
                _, infos = env.reset(options={"reset_mask": over})


def test_reset_of_some_environments() -> None:
    env = make_vec("carnavalo", autoreset_mode="Disabled")
    before, infos = env.reset(seed=0)
    after, _ = env.reset(seed=50, options={"reset_mask": np.array([False, True, False])})
    assert equal(before[[0, 2]], after[[0, 2]])
    assert env.seats.seeds.tolist() == [0, 51, 2]
    for mask in (np.zeros(3, dtype=bool), np.array([True]), np.array([1, 0, 0])):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="seed"):
        env.reset(seed=[1, 2])
    assert infos["action_mask"].shape == (3, env.game.num_actions)


def test_wrappers_of_gymnasium_work() -> None:
    env = DictInfoToList(RecordEpisodeStatistics(make_vec("carnavalo", 4)))
    env.reset(seed=0)
    for _ in range(200):
        masks = env.unwrapped.action_masks()
        _, _, terminations, _, infos = env.step(masks.argmax(axis=1))
        if terminations.any():
            row = int(terminations.argmax())
            length = infos[row]["final_info"]["length"]
            assert infos[row]["episode"]["l"] == length
            return
    pytest.fail("no game ended")


def test_returned_arrays_are_kept() -> None:
    env = make_vec("carnavalo")
    observations, infos = env.reset(seed=0)
    kept = observations.copy(), infos["action_mask"].copy()
    env.step(infos["action_mask"].argmax(axis=1))
    assert equal(kept, (observations, infos["action_mask"]))


def test_illegal_action_raises_if_so_wished() -> None:
    env = make_vec("carnavalo", illegal_action="raise")
    _, infos = env.reset(seed=0)
    with pytest.raises(IllegalActionError, match="in game 0"):
        env.step(infos["action_mask"].argmin(axis=1))


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    env = make_vec("carnival", 2, render_mode="ansi")
    env.reset(seed=0)
    texts = tuple(env.seats.state(row).text(int(env.seats.seats[row])) for row in range(2))
    assert env.render() == texts
    human = make_vec("carnival", 2, render_mode="human")
    human.reset(seed=0)
    assert human.render() == (None, None)
    assert capsys.readouterr().out == "".join(f"{text}\n" for text in texts)
