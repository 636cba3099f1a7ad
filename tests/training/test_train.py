"""Whole runs: exact numbers of steps, files, interruptions, resuming."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from carnival_envs.policies.policy_file import read_policy_file
from carnival_envs.registry import GAMES
from training import train as command
from training.command import FAILED, FINISHED, INTERRUPTED
from training.config import ConfigError, TrainConfig, config_of
from training.course import due
from training.ppo import SelfPlayPPO
from training.run_directory import RunDirectory, RunError
from training.train import main, resume, train
from training.trainer import Trainer
from training.yaml_file import parse_yaml

TINY = """
game: carnavalesco
total_steps: 500
threads: 1
checkpoint_every: 150
network: {hidden_layers: [8]}
ppo: {num_games: 8, rollout_steps: 12, batch_size: 48, epochs: 2}
opponents: {snapshot_every: 100}
evaluation: {every: 200, games: 12, opponents: [random]}
"""
ROLLOUTS_TO_THE_END = 6
"""5 of 96 decisions, and one of 20."""


def tiny(*overrides: str) -> TrainConfig:
    return config_of(parse_yaml(TINY, "tiny"), overrides)


def quiet() -> Console:
    return Console(quiet=True)


def metrics(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def learnt(folder: Path) -> np.ndarray[Any, Any]:
    return read_policy_file(folder / "last.npz").network.parameters


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert train(tiny(), folder, quiet()).finished
    return folder


def test_a_run_takes_exactly_its_steps(whole_run: Path) -> None:
    lines = metrics(whole_run)
    assert [line["steps"] for line in lines if "train/policy_loss" in line] == [96, 192, 288, 384, 480, 500]
    assert [line["steps"] for line in lines if "evaluation/wins/random" in line] == [288, 480, 500]
    assert read_policy_file(whole_run / "last.npz").training["steps"] == 500


def test_a_run_leaves_its_files_and_no_others(whole_run: Path) -> None:
    names = {"config.yaml", "run.json", "checkpoint.pt", "best.npz", "last.npz", "metrics.jsonl", "lock"}
    assert {path.name for path in whole_run.iterdir()} == names | {"pool", "tensorboard"}
    snapshots = [f"{steps:012}.npz" for steps in (192, 288, 384, 480, 500)]
    assert sorted(path.name for path in (whole_run / "pool").iterdir()) == [*snapshots, "manifest.json"]
    manifest = json.loads((whole_run / "pool" / "manifest.json").read_text())
    assert [snapshot["file"] for snapshot in manifest] == snapshots
    assert list((whole_run / "tensorboard").iterdir())


def test_policy_files_tell_how_they_came_to_be(whole_run: Path) -> None:
    training = read_policy_file(whole_run / "best.npz").training
    assert training["config"]["ppo"]["epochs"] == 2
    assert training["steps"] in (288, 480, 500)


def test_the_logs_tell_where_the_time_went(whole_run: Path) -> None:
    last = [line for line in metrics(whole_run) if "time/learning" in line][-1]
    shares = [last[f"time/{part}"] for part in ("environment", "opponents", "network", "learning", "evaluation")]
    assert all(share > 0 for share in shares)
    assert sum(shares) == pytest.approx(1)
    assert last["time/steps_per_second"] > 0


def test_equal_seeds_give_equal_runs_and_others_do_not(whole_run: Path, tmp_path: Path) -> None:
    train(tiny(), tmp_path / "same", quiet())
    train(tiny("seed=1"), tmp_path / "other", quiet())
    np.testing.assert_array_equal(learnt(tmp_path / "same"), learnt(whole_run))
    assert not np.array_equal(learnt(tmp_path / "other"), learnt(whole_run))


@pytest.mark.parametrize("survived", range(ROLLOUTS_TO_THE_END))
def test_a_run_that_broke_off_goes_on_as_if_it_had_not(
    whole_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survived: int
) -> None:
    """Wherever it breaks off: the resumed run ends with the very same policy, snapshots, best and metrics."""
    updates = []

    def update(self: SelfPlayPPO, decisions: int, progress: float) -> dict[str, float]:
        updates.append(decisions)
        if len(updates) > survived:
            raise MemoryError
        return SelfPlayPPO.update(self, decisions, progress)

    class Breaking(SelfPlayPPO):
        pass

    Breaking.update = update  # type: ignore[method-assign]
    monkeypatch.setattr("training.trainer.SelfPlayPPO", Breaking)
    with pytest.raises(MemoryError):
        train(tiny(), tmp_path / "run", quiet())
    monkeypatch.undo()
    trainer = resume(tmp_path / "run", quiet())
    assert trainer.finished
    np.testing.assert_array_equal(learnt(tmp_path / "run"), learnt(whole_run))
    assert len(trainer.pool.snapshots) == 5
    for name in ("best.npz", *(f"pool/{snapshot.file}" for snapshot in trainer.pool.snapshots)):
        assert (tmp_path / "run" / name).read_bytes() == (whole_run / name).read_bytes()
    without_times = [
        [{name: value for name, value in line.items() if "time" not in name} for line in metrics(folder)]
        for folder in (tmp_path / "run", whole_run)
    ]
    assert without_times[0] == without_times[1]


KILLED = """
import os, signal, sys
from pathlib import Path
from rich.console import Console
from tests.training.test_train import tiny
from training.ppo import SelfPlayPPO
from training.train import train

update, updates = SelfPlayPPO.update, []

def dying(self, decisions, progress):
    updates.append(decisions)
    if len(updates) == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    return update(self, decisions, progress)

SelfPlayPPO.update = dying
train(tiny(), Path(sys.argv[1]), Console(quiet=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_run_that_was_killed_goes_on(whole_run: Path, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "run")], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert resume(tmp_path / "run", quiet()).finished
    np.testing.assert_array_equal(learnt(tmp_path / "run"), learnt(whole_run))


def test_ctrl_c_leaves_a_checkpoint_and_resuming_ends_with_the_configured_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn, calls = Trainer._learn, []

    def interrupted(self: Trainer, *arguments: Any) -> None:
        calls.append(1)
        learn(self, *arguments)
        if len(calls) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Trainer, "_learn", interrupted)
    (tmp_path / "tiny.yaml").write_text(TINY)
    folder = tmp_path / "run"
    assert main([str(tmp_path / "tiny.yaml"), "--run-dir", str(folder)]) == INTERRUPTED
    assert f"--resume {folder}" in capsys.readouterr().out.replace("\n", "")
    checkpoint = RunDirectory(folder).load_checkpoint()
    assert checkpoint is not None
    assert checkpoint["steps"] == 288
    assert main(["--resume", str(folder)]) == FINISHED
    assert read_policy_file(folder / "last.npz").training["steps"] == 500
    assert [line["steps"] for line in metrics(folder) if "train/entropy" in line] == [96, 192, 288, 384, 480, 500]


def test_a_second_ctrl_c_stops_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with command.stopped_by_signal(quiet()) as stop:
        assert not stop()
        os.kill(os.getpid(), signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_finished_run_is_left_as_it_is(whole_run: Path) -> None:
    before = (whole_run / "last.npz").read_bytes(), (whole_run / "metrics.jsonl").read_text()
    assert resume(whole_run, quiet()).finished
    assert ((whole_run / "last.npz").read_bytes(), (whole_run / "metrics.jsonl").read_text()) == before


def test_a_second_process_on_a_run_is_refused(whole_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RunDirectory(whole_run).locked():
        assert main(["--resume", str(whole_run)]) == FAILED
    assert "another process is working in this folder" in capsys.readouterr().err


def test_resuming_takes_no_other_configuration(whole_run: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(TINY)
    assert resume(whole_run, quiet(), tmp_path / "tiny.yaml").finished
    with pytest.raises(ConfigError, match=r"can't change: seed is 0, not 9"):
        resume(whole_run, quiet(), tmp_path / "tiny.yaml", ["seed=9"])
    with pytest.raises(ConfigError, match=r"can't change: ppo\.gamma is 1\.0, not 0\.5"):
        resume(whole_run, quiet(), overrides=["ppo.gamma=0.5"])


def test_a_run_without_its_checkpoint_is_not_begun_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    train(tiny("total_steps=200", "checkpoint_every=100"), folder, quiet())
    (folder / "checkpoint.pt").unlink()
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "lock"}
    assert main(["--resume", str(folder)]) == FAILED
    assert "checkpoint.pt: missing" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


def test_a_run_killed_between_a_checkpoint_and_its_policy_file_goes_on(whole_run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(whole_run, folder)
    (folder / "last.npz").unlink()
    assert resume(folder, quiet()).finished
    assert (folder / "last.npz").read_bytes() == (whole_run / "last.npz").read_bytes()


def test_a_checkpoint_of_another_version_is_refused(tmp_path: Path) -> None:
    train(tiny("total_steps=100"), tmp_path, quiet())
    run = RunDirectory(tmp_path)
    checkpoint = run.load_checkpoint()
    assert checkpoint is not None
    policy = checkpoint["parameters"]["policy"]
    policy["action_net.bias"] = policy["action_net.bias"][1:]
    run.save_checkpoint(checkpoint)
    with pytest.raises(RunError, match=r"checkpoint\.pt: of another version .*size mismatch"):
        resume(tmp_path, quiet())
    run.save_checkpoint({"steps": 3})
    with pytest.raises(RunError, match=r"checkpoint\.pt: of another version .*'best'"):
        resume(tmp_path, quiet())


def test_a_file_in_the_place_of_the_directory_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "tiny.yaml"
    config.write_text(TINY)
    assert main([str(config), "--run-dir", str(config)]) == FAILED
    assert "tiny.yaml" in capsys.readouterr().err


def test_resuming_needs_a_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run is there"):
        resume(tmp_path / "nowhere", quiet())
    assert not (tmp_path / "nowhere").exists()


def test_a_changed_snapshot_is_refused(tmp_path: Path) -> None:
    train(tiny("total_steps=200", "checkpoint_every=100"), tmp_path, quiet())
    next((tmp_path / "pool").glob("*.npz")).write_bytes(b"")
    with pytest.raises(RunError, match="missing or has changed"):
        resume(tmp_path, quiet())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give a configuration file, or --resume"),
        (["none.yaml"], "none.yaml: no such file"),
        (["--resume", "nowhere"], "nowhere: no run is there"),
    ],
)
def test_mistakes_end_with_a_message_and_a_status(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == FAILED
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("game", GAMES)
def test_every_game_trains(game: str, tmp_path: Path) -> None:
    """Another game is another line of YAML."""
    assert train(tiny(f"game={game}", "total_steps=100", "evaluation.opponents=[greedy]"), tmp_path, quiet()).finished


def test_a_player_alone_trains(tmp_path: Path) -> None:
    trainer = train(tiny("options.num_players=1", "total_steps=100"), tmp_path, quiet())
    assert list(trainer.results) == ["alone"]


@pytest.mark.parametrize(
    ("before", "now", "answer"), [(0, 99, False), (0, 100, True), (100, 199, False), (99, 301, True)]
)
def test_due(before: int, now: int, answer: bool) -> None:
    assert due(before, now, 100) is answer


def test_the_pool_goes_on_with_its_snapshots(whole_run: Path) -> None:
    """The first opponents after resuming are those of before, not the learner of a new run."""
    trainer = Trainer(tiny(), RunDirectory(whole_run))
    assert [snapshot.steps for snapshot in trainer.pool.snapshots] == [192, 288, 384, 480, 500]
    np.testing.assert_array_equal(trainer.learner.network().parameters, learnt(whole_run))
