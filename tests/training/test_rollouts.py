"""Valuing decisions by rollouts: folders that go on where they stopped, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.files import locked
from carnival_envs.policies.network import Network, input_size, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from training import rollouts as module
from training.command import FAILED, FINISHED
from training.rollouts import load_part, read_decisions

LINE = ["--game", "carnival", "--num-players", "2", "--rollouts", "1", "--option", "max_turns=12"]
PART = "part-0000.npz"
GAME = load_game("carnival", num_players=2, max_turns=12)


@pytest.fixture(scope="module")
def valued(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two parts."""
    folder = tmp_path_factory.mktemp("rollouts")
    assert module.main([*LINE, "--games", "65", "--out", str(folder)]) == FINISHED
    return folder


def copy_of(folder: Path, place: Path) -> Path:
    place.mkdir()
    for path in folder.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    return place


def test_decisions_are_those_of_one_seat_with_a_choice(valued: Path) -> None:
    game, parts = read_decisions([valued])
    assert game == GAME
    assert len(parts) == 2
    for part in parts:
        assert part.observations.shape == (len(part.values), input_size(game, advised=True))
        assert part.observations.dtype == part.values.dtype == np.float32
        assert (part.masks.sum(axis=1) > 1).all()
        assert not part.values[~part.masks].any()
        advice = part.observations[:, game.observation_size :] == 1
        assert (advice.sum(axis=1) == 1).all()
        assert part.masks[advice].all()


def test_an_interrupted_run_goes_on_to_the_same_decisions(valued: Path, tmp_path: Path) -> None:
    """With any number of threads."""
    folder = copy_of(valued, tmp_path / "interrupted")
    (folder / PART).unlink()
    kept = (folder / "part-0001.npz").stat().st_mtime_ns
    assert module.main([*LINE, "--games", "128", "--out", str(folder), "--threads", "2"]) == FINISHED
    assert (folder / "part-0001.npz").stat().st_mtime_ns == kept
    for again, before in zip(load_part(folder / PART, GAME), load_part(valued / PART, GAME), strict=True):
        assert np.array_equal(again, before)


def test_the_seat_follows_the_policy(tmp_path: Path) -> None:
    """Other policies and explorations lead to other decisions, after the first of each game."""
    parts = {}
    for name, more in {"bot": ["--exploration", "0"], "best": ["--exploration", "1"], "random": []}.items():
        folder = tmp_path / name
        policy = "random" if name == "random" else "greedy"
        assert module.main([*LINE, "--out", str(folder), "--policy", policy, *more]) == FINISHED
        parts[name] = load_part(folder / PART, GAME)
    bot, best, random = (parts[name].observations for name in ("bot", "best", "random"))
    first = 64 // 2  # the seat is the first to decide in half the games
    assert np.array_equal(bot[:first], best[:first])
    assert np.array_equal(bot[:first], random[:first])
    assert not np.array_equal(bot[: 4 * first], best[: 4 * first])
    assert not np.array_equal(bot[: 4 * first], random[: 4 * first])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--rollouts", "0"], "rollouts: 0 is not allowed"),
        (["--rollouts", "99999999999999999999"], "is not allowed; allowed: an integer in 1..1073741824"),
        (["--games", "0"], "games: 0 is not allowed"),
        (["--games", "99999999999999999999"], "is not allowed; allowed: an integer in 1..100000000"),
        (["--threads", "0"], "threads: 0 is not allowed"),
        (["--threads", "100000"], "threads: 100000 is not allowed"),
        (["--exploration", "1.5"], "exploration: 1.5 is not allowed; allowed: a number in 0..1"),
        (["--seed", "-1"], "seed: -1 is not allowed; allowed: an integer in 0..4294967295"),
        (["--policy", "clever"], "policy: 'clever' is not allowed"),
        (["--game", "chess"], "unknown game 'chess'; games: bedeville, "),
        (["--num-players", "9"], "num_players: 9 is not allowed"),
        (["--option", "max_turns"], "--option: 'max_turns' is not allowed; allowed: KEY=VALUE"),
        (["--option", "max_turn=3"], "carnival has no option 'max_turn'; options: num_players"),
        (["--option", "data=my.toml"], "--option: 'data' is not an option of the game"),
    ],
)
def test_wrong_options_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert module.main([*LINE, "--out", str(tmp_path / "never"), *more]) == FAILED
    assert message in capsys.readouterr().err
    assert not list(tmp_path.rglob("part-*"))


def test_a_folder_holds_decisions_of_one_kind(valued: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main([*LINE, "--out", str(valued), "--seed", "3", "--reward", "win"]) == FAILED
    assert f"{valued}: holds decisions that were valued with other reward, seed" in capsys.readouterr().err


def test_a_policy_that_changed_under_its_name_is_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong policy leaves an empty folder open to others; a policy file is known by what it holds."""
    path, folder = tmp_path / "policy.npz", tmp_path / "rollouts"
    line = [*LINE, "--out", str(folder), "--policy", f"policy:{path}"]
    assert module.main(line) == FAILED
    assert "no such file" in capsys.readouterr().err
    sizes = (input_size(GAME, advised=True), GAME.num_actions)
    parameters = np.zeros(num_parameters(sizes), np.float32)
    for value in (0, 1):
        parameters[0] = value
        write_policy_file(path, PolicyFile.of(GAME, Network(sizes, "tanh", parameters), {}, advice=1.0))
        assert module.main(line) == (FAILED if value else FINISHED)
    assert "holds decisions that were valued with other policy_file" in capsys.readouterr().err


def test_two_processes_do_not_share_a_folder(valued: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locked(valued):
        assert module.main([*LINE, "--out", str(valued)]) == FAILED
    assert "another process is working in this folder" in capsys.readouterr().err


def test_damaged_folders_are_named(valued: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no folder of valued decisions; rollouts.json is missing"):
        read_decisions([tmp_path])
    folder = copy_of(valued, tmp_path / "damaged")
    whole = (folder / PART).read_bytes()
    (folder / PART).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=f"{PART}: not a file of valued decisions, or damaged"):
        read_decisions([folder])
    numbers, masks = np.zeros((3, 4), np.float32), np.zeros((3, 4), np.bool_)
    np.savez(folder / PART, observations=numbers, masks=masks, values=numbers)
    with pytest.raises(ValueError, match=r"decisions of shapes .* are not of load_game"):
        read_decisions([folder])
    np.savez(folder / PART, observations=numbers + np.nan, masks=masks, values=numbers)
    with pytest.raises(ValueError, match=f"{PART}: some numbers are not finite"):
        read_decisions([folder])
    np.savez(folder / PART, observations=numbers, masks=numbers, values=numbers)
    with pytest.raises(ValueError, match=f"{PART}: holds float32, float32, float32; valued decisions are"):
        read_decisions([folder])
    np.save(folder / "array.npy", numbers)
    (folder / "array.npy").rename(folder / PART)
    with pytest.raises(ValueError, match=f"{PART}: not a file of valued decisions"):
        read_decisions([folder])
    np.savez(folder / PART, observations=np.array([{}], dtype=object), masks=0, values=0)
    with pytest.raises(ValueError, match=f"{PART}: not a file of valued decisions"):
        read_decisions([folder])
    (folder / "rollouts.json").unlink()
    assert module.main([*LINE, "--out", str(folder)]) == FAILED
    (folder / "rollouts.json").write_bytes((valued / "rollouts.json").read_bytes())
    for path in folder.glob("part-*"):
        path.unlink()
    with pytest.raises(ValueError, match="no valued decisions yet"):
        read_decisions([folder])
    for content in ("[]", '{"game": "carnival", "options": [1]}'):
        (folder / "rollouts.json").write_text(content)
        with pytest.raises(ValueError, match="'game' or 'options' is missing, or no object"):
            read_decisions([folder])


@pytest.mark.parametrize("change", [{"reward": "win"}, {"options": {"num_players": 2, "max_turns": 13}}], ids=str)
def test_games_and_returns_are_not_mixed(valued: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    other = copy_of(valued, tmp_path / "other")
    description = json.loads((other / "rollouts.json").read_text())
    (other / "rollouts.json").write_text(json.dumps({**description, **change}))
    with pytest.raises(ValueError, match="can't be learnt from together"):
        read_decisions([valued, other])
    with pytest.raises(ValueError, match="a folder is named twice"):
        read_decisions([other, other])
