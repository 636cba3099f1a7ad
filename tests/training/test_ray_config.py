"""Configurations of runs on a cluster; Ray itself is not needed to read them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from carnival_envs.registry import GAMES
from training.config import ConfigError, config_of, read_config
from training.rllib.config import RayTrainConfig
from training.yaml_file import parse_yaml

CONFIGS = Path(__file__).parents[2] / "configs" / "ray"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_one(game: str) -> None:
    config = read_config(CONFIGS / f"{game}.yaml", kind=RayTrainConfig)
    assert config.game == game
    assert config.cluster.address is None, "it runs where there is no cluster"
    assert {"current", "past", "random", "greedy"} <= config.opponents.shares.keys()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cluster: {env_runner: 2}", r"cluster\.env_runner: unknown key.*did you mean 'env_runners'"),
        ("cluster: {env_runners: 0}", r"cluster\.env_runners: 0: .*greater than or equal to 1"),
        ("cluster: {address: 7}", r"cluster\.address: 7: .*valid string"),
        ("ppo: {epoch: 2}", r"ppo\.epoch: unknown key.*did you mean 'epochs'"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config_of(parse_yaml(f"game: carnavalesco\n{text}\n", "run"), kind=RayTrainConfig)


def test_a_run_on_one_machine_knows_no_cluster() -> None:
    with pytest.raises(ConfigError, match="cluster: unknown key"):
        read_config(CONFIGS / "carnavalesco.yaml")


def test_the_command_says_that_it_needs_ray() -> None:
    code = "import sys; sys.modules['ray'] = None; import training.train_ray"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=CONFIGS.parents[1])
    assert run.returncode == 1
    assert run.stderr.startswith('error: a cluster needs the extra "ray": pip install')
    assert run.stderr.count("\n") == 1
