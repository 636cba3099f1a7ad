"""The demonstration: its whole path with a tiny budget, and its verdict."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.evaluation import play_matches
from carnival_envs.policies.network import Network, NetworkPolicy, num_parameters
from carnival_envs.policies.random import RandomPolicy
from training import demo
from training.command import FAILED, FINISHED

SMALL = ["total_steps=96", "threads=1", "network.hidden_layers=[8]", "ppo.num_games=8", "ppo.rollout_steps=12"]
SMALL += ["ppo.batch_size=48", "opponents.snapshot_every=50", "evaluation.games=6"]


@pytest.mark.parametrize(("wanted", "status"), [(0.0, FINISHED), (1.01, FAILED)])
def test_it_trains_saves_loads_and_judges(
    wanted: float, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "GAMES", 8)
    monkeypatch.setattr(demo, "WANTED", wanted)
    assert demo.main([part for field in SMALL for part in ("--set", field)]) == status
    shown = " ".join(capsys.readouterr().out.split())
    assert "% of 8 games in the AEC environment against random play (95% interval" in shown
    assert len(list((tmp_path / "runs").glob("demo-*/best.npz"))) == 1


def test_a_mistake_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--set", "total_step=1"]) == FAILED
    assert "did you mean 'total_steps'" in capsys.readouterr().err


def test_the_win_share_is_that_of_the_policys_seats() -> None:
    """A network that plays its best action wins as often as in matches of the same games, but for what random does."""
    game = load_game("carnavalesco")
    sizes = (game.observation_size, game.num_actions)
    parameters = np.random.default_rng(1).standard_normal(num_parameters(sizes)).astype(np.float32)
    policy = NetworkPolicy(Network(sizes, "tanh", parameters))
    share = demo.win_share(policy, deals=60)
    deals = np.repeat(np.arange(60), 2)
    won = play_matches(game, [policy, RandomPolicy()], [[0, 1], [1, 0]] * 60, deals).win_shares
    assert share.mean == pytest.approx((won[0::2, 0].mean() + won[1::2, 1].mean()) / 2, abs=0.15)


@pytest.mark.parametrize(("payment", "share"), [(1.0, 1.0), (0.0, 0.5), (-1.0, 0.0)])
def test_won(payment: float, share: float) -> None:
    assert demo.won(payment) == share


def test_random_play_against_itself_wins_half() -> None:
    share = demo.win_share("random", deals=60)
    assert share.games == 120
    assert share.low < 0.5 < share.high
