"""Learning from valued decisions which actions earn more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carnival_envs.evaluation import evaluate
from carnival_envs.policies.policy_file import read_policy_file
from training import improvement as module
from training import rollouts
from training.command import FAILED, FINISHED
from training.improvement import Improvement, ImprovementOptions, decisions_from
from training.rollouts import ValuedDecisions, read_decisions, save_part

LINE = ["--game", "carnival", "--num-players", "2", "--rollouts", "1", "--option", "max_turns=12"]


@pytest.fixture(scope="module")
def valued(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rollouts")
    assert rollouts.main([*LINE, "--out", str(folder)]) == FINISHED
    return folder


def highest(masks: np.ndarray) -> np.ndarray:
    """The legal action of the highest index in each row."""
    return np.where(masks, np.arange(masks.shape[1]), -1).argmax(axis=1)


@pytest.fixture(scope="module")
def liking_high_numbers(valued: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same decisions, but it is the legal action of the highest index that earns 1, and all others nothing."""
    folder = tmp_path_factory.mktemp("high")
    (folder / rollouts.DESCRIPTION_FILE).write_bytes((valued / rollouts.DESCRIPTION_FILE).read_bytes())
    part = read_decisions([valued])[1][0]
    values = np.zeros_like(part.values)
    values[np.arange(len(values)), highest(part.masks)] = 1
    save_part(folder / "part-0000.npz", part._replace(values=values))
    return folder


def test_it_learns_what_earns_more(liking_high_numbers: Path, tmp_path: Path) -> None:
    out = tmp_path / "high.npz"
    line = [str(liking_high_numbers), "--out", str(out), "--caution", "0", "--hidden-layers", "64"]
    assert module.main(line) == FINISHED
    made = read_policy_file(out)
    assert made.network.sizes[1:-1] == (64,)
    assert made.training["algorithm"] == "improvement"
    assert made.training["command"].startswith(f"python -m training.improvement {liking_high_numbers} --out")
    (made_of,) = made.training["rollouts"]
    assert (made_of["game"], made_of["rollouts"], made_of["policy"], made_of["seed"]) == ("carnival", 1, "greedy", 0)
    game, (part,) = read_decisions([liking_high_numbers])
    bot = part.observations[:, game.observation_size :].argmax(axis=1)
    missed = float(np.mean(bot != highest(part.masks)))
    assert made.training["gain"] == pytest.approx(missed, abs=0.1), "all of what the bot misses is to be had"


def test_the_likelier_the_more_an_action_earns(liking_high_numbers: Path) -> None:
    """By e at a difference of one temperature; what is not legal is out of the question."""
    game, (part,) = read_decisions([liking_high_numbers])
    decisions = decisions_from(game, part, temperature=0.5)
    likely = decisions.targets.numpy()
    rows = np.arange(len(likely))
    best = likely[rows, highest(part.masks)]
    legal = part.masks.sum(axis=1)
    assert best == pytest.approx(np.exp(2) / (np.exp(2) + legal - 1))
    assert not likely[~part.masks].any()
    assert likely.sum(axis=1) == pytest.approx(1)


def test_so_much_caution_plays_as_the_bot_does(valued: Path, tmp_path: Path) -> None:
    out = tmp_path / "bot.npz"
    assert module.main([str(valued), "--out", str(out), "--caution", "90", "--passes", "1"]) == FINISHED
    made = read_policy_file(out)
    assert made.advice == 91
    assert made.training["gain"] == 0
    game = read_decisions([valued])[0]
    share = evaluate(game, [made.policy(), "greedy"], 40, seed=3).pairings[0].win_share
    assert share.mean == 0.5, "both play every deal alike"


def test_equal_seeds_give_equal_networks(valued: Path, tmp_path: Path) -> None:
    parameters = []
    for name, seed in (("a.npz", "1"), ("b.npz", "1"), ("c.npz", "2")):
        out = tmp_path / name
        assert module.main([str(valued), "--out", str(out), "--passes", "1", "--seed", seed]) == FINISHED
        parameters.append(read_policy_file(out).network.parameters.tolist())
    assert parameters[0] == parameters[1] != parameters[2]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--temperature", "0"], "temperature: 0.0 is not allowed; allowed: a number of at least 1e-06"),
        (["--temperature", "nan"], "temperature: nan is not allowed"),
        (["--passes", "0"], "passes: 0 is not allowed"),
        (["--caution", "-1"], "caution: -1.0 is not allowed"),
        (["--weight-decay", "1e30"], "options too extreme to learn"),
        (["--seed", "4294967296"], "seed: 4294967296 is not allowed; allowed: an integer in 0..4294967295"),
        (
            ["--hidden-layers", "99999999999"],
            "hidden_layers: (99999999999,) is not allowed; allowed: widths in 1..40",
        ),
        (["nowhere"], "nowhere: no folder of valued decisions"),
    ],
)
def test_wrong_options_are_told(
    valued: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    out = tmp_path / "never.npz"
    folders = more if len(more) == 1 else [str(valued), *more]
    assert module.main([*folders, "--out", str(out)]) == FAILED
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_is_no_place_for_a_policy_file(valued: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main([str(valued), "--out", str(valued)]) == FAILED
    told = capsys.readouterr()
    assert "allowed: the name of a file, not of a folder" in told.err
    assert "improving" not in told.out


def test_too_few_decisions_are_refused(valued: Path) -> None:
    game, (part,) = read_decisions([valued])
    few = ValuedDecisions(part.observations[:19], part.masks[:19], part.values[:19])
    with pytest.raises(ValueError, match="decisions: 19 are too few; allowed: at least 20"):
        Improvement(game, [few], ImprovementOptions())
