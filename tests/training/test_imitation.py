"""Imitation of a player of recorded games."""

from __future__ import annotations

from pathlib import Path

import pytest

from carnival_envs import load_game
from carnival_envs.evaluation import evaluate
from carnival_envs.policies.policy_file import read_policy_file
from training import imitation
from training.command import FAILED, FINISHED

GAME = load_game("carnavalesco", num_players=2)


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replays")
    evaluate(GAME, ["greedy", "random"], 24, seed=1, record=folder)
    return folder


def test_it_learns_what_the_player_does(replays: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The baseline bot's choice is in what the network sees; that it is the player's, too, has to be learnt."""
    out = tmp_path / "bot.npz"
    line = [str(replays), "--of", "greedy", "--out", str(out), "--advice", "0.01", "--caution", "0", "--passes", "100"]
    assert imitation.main([*line, "--hidden-layers", "64"]) == FINISHED
    assert "the baseline bot 100.0%" in capsys.readouterr().out
    made = read_policy_file(out)
    assert made.advice == 0.01
    assert made.network.sizes[1:-1] == (64,)
    assert made.training["algorithm"] == "imitation"
    assert made.training["command"].startswith(f"python -m training.imitation {replays} --of greedy")
    agreement = made.training["agreement"]
    assert agreement["greedy"] == 1.0, "the bot foretells itself"
    assert agreement["network"] > 0.9


def test_with_advice_and_caution_it_plays_as_the_bot_does(replays: Path, tmp_path: Path) -> None:
    out = tmp_path / "bot.npz"
    line = [str(replays), "--of", "greedy", "--out", str(out), "--advice", "20", "--caution", "5", "--passes", "1"]
    assert imitation.main(line) == FINISHED
    made = read_policy_file(out)
    assert made.advice == 25
    share = evaluate(GAME, [made.policy(), "greedy"], 40, seed=3).pairings[0].win_share
    assert share.mean == 0.5, "both play every deal alike"


def test_equal_seeds_give_equal_networks(replays: Path, tmp_path: Path) -> None:
    parameters = []
    for name in ("a.npz", "b.npz"):
        line = [str(replays), "--of", "greedy", "--out", str(tmp_path / name), "--passes", "1"]
        assert imitation.main(line) == FINISHED
        parameters.append(read_policy_file(tmp_path / name).network.parameters.tolist())
    assert parameters[0] == parameters[1]


@pytest.mark.parametrize(
    ("folder", "more", "message"),
    [
        ("nowhere", ["--of", "greedy"], "nowhere: no such folder"),
        (None, ["--of", "zoo"], "--of zoo: takes part in none of 24 replays; greedy, random does"),
        (None, ["--of", "greedy", "--passes", "0"], "passes: 0 is not allowed"),
        (None, ["--of", "greedy", "--seed", "-1"], "seed: -1 is not allowed; allowed: an integer in 0..4294967295"),
        (None, ["--of", "greedy", "--caution", "nan"], "caution: nan is not allowed"),
        (None, ["--of", "greedy", "--advice", "0"], "advice: 0.0 is not allowed; allowed: a number above 0"),
        (None, ["--of", "greedy", "--hidden-layers", "0"], "hidden_layers: (0,) is not allowed"),
    ],
)
def test_what_can_not_be_imitated_is_told(
    replays: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    folder: str | None,
    more: list[str],
    message: str,
) -> None:
    out = tmp_path / "never.npz"
    assert imitation.main([folder or str(replays), *more, "--out", str(out)]) == FAILED
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_without_games_of_the_player_alone_is_too_little(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate(GAME, ["greedy", "random"], 6, seed=1, record=tmp_path / "few")
    line = [str(tmp_path / "few"), "--of", "greedy", "--out", str(tmp_path / "never.npz")]
    assert imitation.main(line) == FAILED
    assert "6 games are too few; allowed: at least 10" in capsys.readouterr().err


def test_a_place_that_can_not_be_written_to_is_told_first(
    replays: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    line = [str(replays), "--of", "greedy", "--out", str(tmp_path / "file" / "never.npz")]
    assert imitation.main(line) == FAILED
    told = capsys.readouterr()
    assert "--out: " in told.err
    assert "imitating" not in told.out
