"""Value networks that are fitted to frozen policies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.policies.network import Network, input_size, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, read_policy_file, write_policy_file
from training import value as module
from training.command import FAILED, FINISHED
from training.value import returns_of

GAME = load_game("carnival", num_players=2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A policy that plays as the baseline bot does: it takes its advice and has no opinion of its own."""
    path = tmp_path / "policy.npz"
    sizes = (input_size(GAME, advised=True), GAME.num_actions)
    network = Network(sizes, "tanh", np.zeros(num_parameters(sizes), np.float32))
    write_policy_file(path, PolicyFile.of(GAME, network, {"note": "bot"}, advice=6.0))
    return path


def test_every_decision_is_worth_what_its_player_earns_in_the_end() -> None:
    """Two games of three steps: in the first, one ends after step 0 and one goes on; the second ends after step 1."""
    rewards = np.zeros((3, 2, 2), dtype=np.float32)
    rewards[0, 0] = [1, -1]
    rewards[1, 1] = [-0.5, 0.5]
    ended = np.array([[True, False], [False, True], [False, False]])
    players = np.array([[1, 0], [0, 1], [0, 1]])
    returns, known = returns_of(rewards, ended, players)
    assert known.tolist() == [[True, True], [False, True], [False, False]]
    assert returns[known].tolist() == [-1, -0.5, 0.5]


def test_the_policy_stays_and_the_value_foretells(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few games are enough to see who is ahead near the end."""
    monkeypatch.setattr(module, "MEASURED_ROLLOUTS", 1)
    before = read_policy_file(path)
    out = path.with_name("out.npz")
    assert module.main([str(path), "--out", str(out), "--decisions", "40000", "--hidden-layers", "16"]) == FINISHED
    after = read_policy_file(out)
    assert after.network.parameters.tobytes() == before.network.parameters.tobytes()
    assert (after.advice, after.training["note"]) == (6.0, "bot")
    assert after.value is not None
    assert after.value.network.sizes == (input_size(GAME, advised=True), 16, 1)
    made = after.training["value"]
    assert (made["reward"], made["decisions"], made["seed"]) == (after.value.reward, 40000, 0) == ("win", 40000, 0)
    assert made["explained_variance"] > 0.05
    assert read_policy_file(path).value is None


def test_games_of_more_decisions_than_a_rollout_are_played_to_their_end(tmp_path: Path) -> None:
    """Each of the 4 players of Carnavalesco decides 72 times: no game is over after 256 decisions."""
    game = load_game("carnavalesco", num_players=4)
    sizes = (input_size(game, advised=True), game.num_actions)
    network = Network(sizes, "tanh", np.zeros(num_parameters(sizes), np.float32))
    write_policy_file(tmp_path / "long.npz", PolicyFile.of(game, network, {}, advice=6.0))
    assert module.main([str(tmp_path / "long.npz"), "--decisions", "1", "--hidden-layers", "4"]) == FINISHED
    assert np.isfinite(read_policy_file(tmp_path / "long.npz").training["value"]["explained_variance"])


def test_equal_seeds_fit_equal_networks(path: Path) -> None:
    parameters = []
    for seed in ("3", "3", "4"):
        module.main([str(path), "--decisions", "100", "--hidden-layers", "4", "--seed", seed])
        value = read_policy_file(path).value
        assert value is not None
        parameters.append(value.network.parameters.tobytes())
    assert parameters[0] == parameters[1] != parameters[2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("--decisions", "0"), "decisions: 0 is not allowed"),
        (("--exploration", "2"), "exploration: 2.0 is not allowed; allowed: a number in 0..1"),
        (("--hidden-layers", "0"), "hidden_layers: (0,) is not allowed"),
    ],
)
def test_what_can_not_be_fitted(
    path: Path, capsys: pytest.CaptureFixture[str], line: tuple[str, ...], message: str
) -> None:
    before = path.read_bytes()
    assert module.main([str(path), *line]) == FAILED
    assert message in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_missing_policy_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main([str(tmp_path / "none.npz")]) == FAILED
    assert "none.npz: no such file" in capsys.readouterr().err
