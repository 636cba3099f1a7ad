"""The registries of Gymnasium and PettingZoo, and the modules of the games; also in processes that start fresh."""

from __future__ import annotations

import importlib
import json
import pickle
import subprocess
import sys
import warnings
from dataclasses import replace
from types import ModuleType

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AsyncVectorEnv
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

import carnival_envs
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.envs.registration import env_id, module_name, register_envs
from carnival_envs.registry import GAMES, definition
from tests.envs.common import EVERY_GAME


def fresh(code: str) -> str:
    """What a new Python process prints that runs some code with all warnings as errors."""
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@EVERY_GAME
def test_ids(name: str) -> None:
    identifier, words = env_id(name), name.title().replace("_", "")
    assert identifier == f"carnival_envs/{words}-v0"
    assert definition(name).title.replace(" ", "").lower().startswith(words.lower())
    assert gym.spec(identifier).kwargs == {"game": name}
    assert pettingzoo.spec("aec", identifier).id == identifier
    env = pettingzoo.make("aec", identifier, max_cycles=3, reward="rank")
    assert (env.game.name, env.max_cycles, env.reward) == (name, 3, "rank")
    assert pettingzoo.make("aec", f"carnival_envs/{words}").game.name == name


@EVERY_GAME
def test_spec_is_json(name: str) -> None:
    spec = gym.make(env_id(name), opponents="greedy", seat=0).unwrapped.spec
    again = EnvSpec.from_json(spec.to_json())
    assert again.make().unwrapped.game.name == name
    assert json.loads(spec.to_json())["kwargs"]["opponents"] == "greedy"


def test_registering_again_changes_nothing() -> None:
    before = dict(gym.registry), dict(pettingzoo.aec_registry)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_envs()
        carnival_envs.register_envs()
    assert (dict(gym.registry), dict(pettingzoo.aec_registry)) == before


def test_a_new_line_in_the_table_is_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that joins the table has its ids and its module at the next call."""
    fair = ModuleType("street_fair")
    vars(fair).update(GAME=replace(definition("carnavalo"), name="street_fair"))
    monkeypatch.setitem(sys.modules, "street_fair", fair)
    monkeypatch.setitem(GAMES, "street_fair", "street_fair")
    register_envs()
    try:
        assert gym.make("carnival_envs/StreetFair-v0").game.name == "street_fair"
        assert pettingzoo.make("aec", "carnival_envs/StreetFair-v0").game.name == "street_fair"
        module = importlib.import_module("carnival_envs.street_fair_v0")
        assert module.env().game.name == "street_fair"
    finally:
        del gym.registry["carnival_envs/StreetFair-v0"], pettingzoo.aec_registry["carnival_envs/StreetFair-v0"]
        del sys.modules["carnival_envs.street_fair_v0"], carnival_envs.street_fair_v0


@EVERY_GAME
def test_module_of_a_game(name: str) -> None:
    module = importlib.import_module(f"carnival_envs.{module_name(name)}")
    assert isinstance(module, ModuleType)
    assert getattr(carnival_envs, module_name(name)) is module
    assert str(module.env(render_mode="ansi", reward="score", illegal_action="raise")) == module_name(name)
    assert module.raw_env is module.env
    assert pickle.loads(pickle.dumps(module.env)) is module.env
    assert name in (module.__doc__ or "")


def test_why_there_is_no_parallel_env() -> None:
    from carnival_envs import carnival_v0

    assert not hasattr(carnival_v0, "parallel_env")
    with pytest.raises(AttributeError, match=r"act in turn.*turn_based_aec_to_parallel"):
        carnival_v0.parallel_env()
    with pytest.raises(AttributeError, match="has no attribute 'envs'"):
        _ = carnival_v0.envs
    with pytest.raises(AttributeError, match="did you mean 'carnival_v0'"):
        _ = carnival_envs.carnivale_v0


def test_every_way_to_import_in_a_fresh_process() -> None:
    code = "; ".join(
        [
            "import carnival_envs.carnavalo_v0 as a",
            "from carnival_envs.carnavalo_v0 import env",
            "from carnival_envs import carnavalo_v0 as b",
            "import importlib.util",
            "assert a is b and env is a.env and importlib.util.find_spec('carnival_envs.carnavalo_v0') is a.__spec__",
            "print(a.__name__)",
        ]
    )
    assert fresh(code) == "carnival_envs.carnavalo_v0"


def test_import_is_light() -> None:
    """What takes long to import waits until it is used."""
    loaded = fresh("import carnival_envs, sys; print(*sys.modules)").split()
    assert not {"numba", "torch", "stable_baselines3", "typer", "rich", "pydantic", "PIL"} & set(loaded)


def test_id_with_the_module_in_front_needs_no_import() -> None:
    code = "import gymnasium as gym; print(gym.make('carnival_envs:carnival_envs/Carnavalo-v0').reset(seed=1)[0].sum())"
    expected = gym.make("carnival_envs/Carnavalo-v0").reset(seed=1)[0].sum()
    assert fresh(code) == str(expected)


def test_gymnasium_workers_that_start_fresh() -> None:
    """``AsyncVectorEnv`` with spawned processes plays what an environment in this process plays."""
    env = gym.make("carnival_envs/Carnavalo-v0")
    observation, info = env.reset(seed=4)
    workers = AsyncVectorEnv([make_prefixed] * 2, context="spawn")
    try:
        observations, infos = workers.reset(seed=[9, 4])
        for _ in range(5):
            assert np.array_equal(observations[1], observation)
            actions = infos["action_mask"].argmax(axis=1)
            observation, *_ = env.step(int(actions[1]))
            observations, *_, infos = workers.step(actions)
    finally:
        workers.close()
    assert info["seat"] == infos["seat"][1]


def make_prefixed() -> gym.Env:
    return gym.make("carnival_envs:carnival_envs/Carnavalo-v0")


@pytest.mark.parametrize("start_method", ["spawn", "forkserver"])
def test_sb3_workers_that_start_fresh(start_method: str) -> None:
    """Masks are found through the wrappers of the workers."""
    workers = make_vec_env(
        "carnival_envs:carnival_envs/Carnavalo-v0",
        n_envs=2,
        vec_env_cls=SubprocVecEnv,
        vec_env_kwargs={"start_method": start_method},
    )
    try:
        workers.reset()
        assert workers.has_attr("action_masks")
        masks = np.stack(workers.env_method("action_masks"))
        assert masks.dtype == np.bool_
        workers.step(masks.argmax(axis=1))
        assert np.stack(workers.env_method("action_masks")).any(axis=1).all()
    finally:
        workers.close()


def test_illegal_action_error_crosses_processes() -> None:
    error = IllegalActionError("buy", ["pass"], " by player_1")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.action, again.legal) == (str(error), "buy", ("pass",))
