"""The league, and best responses: runs of ``training.train`` in a row, and against one policy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.policies.policy_file import read_policy_file
from training import best_response, league
from training.command import FAILED, FINISHED
from training.config import ConfigError, read_config
from training.run_directory import RunDirectory

TINY = """
game: carnavalesco
total_steps: 200
threads: 1
network: {hidden_layers: [8], advice: 2.0}
ppo: {num_games: 8, rollout_steps: 12, batch_size: 48, epochs: 1}
opponents: {snapshot_every: 100, prioritised: true}
evaluation: {every: 200, games: 12, opponents: [random]}
"""


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY)
    return path


def test_a_league_trains_and_publishes_a_policy_for_each_number_of_players(config_file: Path, tmp_path: Path) -> None:
    line = [str(config_file), "--run-dir", str(tmp_path / "league"), "--publish", str(tmp_path / "zoo")]
    assert league.main([*line, "--players", "2", "3"]) == FINISHED
    for count in (2, 3):
        published = read_policy_file(tmp_path / "zoo" / f"carnavalesco-{count}.npz")
        published.check(load_game("carnavalesco", num_players=count))
        assert published.training["steps"] == 200
        assert published.training["config"]["options"] == {"num_players": count}
        assert published.training["command"].endswith(f"tiny.yaml --players {count}")
        assert published.advice == 2.0
        assert published.value is not None
        assert published.value.reward == "score"


def test_a_league_goes_on_where_it_is(config_file: Path, tmp_path: Path) -> None:
    line = [str(config_file), "--run-dir", str(tmp_path / "league"), "--players", "2"]
    assert league.main(line) == FINISHED
    checkpoint = RunDirectory(tmp_path / "league" / "2-players").checkpoint_file
    before = checkpoint.stat().st_mtime_ns
    assert league.main(line) == FINISHED
    assert checkpoint.stat().st_mtime_ns == before, "a finished run is left alone"


def test_a_league_refuses_what_it_can_not_play(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert league.main([str(config_file), "--players", "5"]) == FAILED
    assert "--players 5: carnavalesco is a league of 2, 3, 4 players" in capsys.readouterr().err
    line = [str(config_file), "--run-dir", str(tmp_path / "league"), "--players", "2"]
    assert league.main(line) == FINISHED
    assert league.main([*line, "--set", "seed=9"]) == FAILED
    assert "another configuration" in capsys.readouterr().err


def test_a_best_response_meets_the_policy_alone(config_file: Path) -> None:
    config = best_response.against(config_file, [], "greedy")
    assert config.opponents.shares == {"greedy": 1.0}
    assert config.evaluation.opponents == ("greedy",)
    with pytest.raises(ConfigError, match=r"^--against: .*'gredy'.*did you mean 'greedy'\?$"):
        best_response.against(config_file, [], "gredy")
    with pytest.raises(ConfigError, match=r"^--against: .*'past'"):
        best_response.against(config_file, [], "past")


def test_a_best_response_is_measured_on_deals_of_its_own(config_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "response"
    line = [str(config_file), "--against", "random", "--games", "40", "--run-dir", str(folder)]
    assert best_response.main(line) == FINISHED
    result = json.loads((folder / best_response.RESULT_FILE).read_text())
    assert result["against"] == "random"
    assert result["games"] == 40
    assert result["steps"] == 200
    assert result["low"] > 0.5, "it begins with the baseline bot's play, which beats random play"
    assert read_config(config_file).seed != best_response.TEST_SEED


def test_a_best_response_may_begin_as_the_policy_itself(config_file: Path, tmp_path: Path) -> None:
    """With steps for the value network alone it ends as what it began as."""
    assert league.main([str(config_file), "--run-dir", str(tmp_path / "league"), "--players", "2"]) == FINISHED
    own = tmp_path / "league" / "2-players" / "last.npz"
    line = [str(config_file), "--against", f"policy:{own}", "--run-dir", str(tmp_path / "response"), "--games", "12"]
    more = ["--set", "options.num_players=2", "--set", f"network.start=policy:{own}", "--set", "ppo.value_steps=200"]
    assert best_response.main([*line, *more]) == FINISHED
    began, ended = read_policy_file(own), read_policy_file(tmp_path / "response" / "last.npz")
    np.testing.assert_array_equal(ended.network.parameters, began.network.parameters)
    best = read_policy_file(tmp_path / "response" / "best.npz")
    assert best.training["steps"] == 0, "it was measured before it learnt, and never did better"
    assert ended.training["config"]["network"]["start"] == f"policy:{own}"


@pytest.mark.parametrize(
    ("more", "message"),
    [(("--games", "1"), "games: 1"), (("--set", "options.num_players=1"), "options.num_players: 1")],
)
def test_what_could_not_be_measured_is_not_trained(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, str], message: str
) -> None:
    folder = tmp_path / "response"
    assert best_response.main([str(config_file), "--against", "random", "--run-dir", str(folder), *more]) == FAILED
    assert message in capsys.readouterr().err
    assert not folder.exists()


def test_a_place_to_publish_is_looked_at_first(
    config_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "league"
    assert league.main([str(config_file), "--run-dir", str(folder), "--publish", str(config_file)]) == FAILED
    assert "--publish: " in capsys.readouterr().err
    assert not folder.exists()
