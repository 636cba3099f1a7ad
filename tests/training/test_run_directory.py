"""The directory of a run: who may use it, and what its files hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

import carnival_envs
from carnival_envs.core.errors import FolderInUseError
from training.config import config_of
from training.metrics import keep_lines
from training.run_directory import RunDirectory, RunError
from training.yaml_file import parse_yaml

CONFIG = config_of(parse_yaml("{game: carnavalesco, seed: 41}", "test"))


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    made = RunDirectory(tmp_path / "run")
    with made.locked():
        made.create(CONFIG)
    return made


def test_a_run_tells_its_configuration_seed_and_versions(run: RunDirectory) -> None:
    assert run.config() == CONFIG
    told = json.loads(run.description_file.read_text())
    assert told["seed"] == 41
    assert told["config"]["ppo"]["gamma"] == 1.0
    assert told["versions"]["carnival_envs"] == carnival_envs.__version__
    assert told["versions"]["torch"] == torch.__version__
    assert {"numpy", "numba", "sb3-contrib", "python"} <= told["versions"].keys()


def test_a_run_is_not_begun_twice_or_among_other_files(run: RunDirectory, tmp_path: Path) -> None:
    with run.locked(), pytest.raises(RunError, match=r"a run already; .*--resume .*run"):
        run.create(CONFIG)
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(RunError, match=r"a directory of its own; found run, thesis\.txt"):
        RunDirectory(tmp_path).create(CONFIG)


def test_a_second_process_is_kept_out(run: RunDirectory) -> None:
    other = RunDirectory(run.path)
    with (
        run.locked(),
        pytest.raises(FolderInUseError, match=r"run: another process is working in this folder \(id \d+\)"),
        other.locked(),
    ):
        pass
    with other.locked():
        pass


def test_there_is_no_run_without_a_configuration(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"no run is there; config\.yaml is missing"):
        RunDirectory(tmp_path).config()


def test_a_checkpoint_comes_back(run: RunDirectory) -> None:
    assert run.load_checkpoint() is None
    run.save_checkpoint({"steps": 3, "weights": torch.arange(4)})
    loaded = run.load_checkpoint()
    assert loaded is not None
    assert loaded["steps"] == 3
    assert loaded["weights"].tolist() == [0, 1, 2, 3]


def test_a_run_whose_checkpoint_is_gone_is_refused(run: RunDirectory) -> None:
    """The policy file of a checkpoint tells that there was one."""
    run.last_file.write_bytes(b"weights")
    with pytest.raises(RunError, match=r"checkpoint\.pt: missing; .* begin a new one"):
        run.load_checkpoint()


@pytest.mark.parametrize("left", [0, 4, 1000])
def test_a_damaged_checkpoint_is_named(run: RunDirectory, left: int) -> None:
    run.save_checkpoint({"weights": torch.zeros(1000)})
    run.checkpoint_file.write_bytes(run.checkpoint_file.read_bytes()[:left])
    with pytest.raises(RunError, match=r"checkpoint\.pt: damaged"):
        run.load_checkpoint()


def test_a_failed_checkpoint_leaves_the_last_one(run: RunDirectory) -> None:
    run.save_checkpoint({"steps": 1})
    with pytest.raises(AttributeError, match=r"lambda|local"):
        run.save_checkpoint({"steps": lambda: 2})
    assert run.load_checkpoint() == {"steps": 1}
    assert not list(run.path.glob(".*"))


def test_metrics_after_the_checkpoint_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    keep_lines(path, 5)
    assert not path.exists()
    path.write_text('{"steps": 2}\n{"steps": 5, "a": 1}\n{"steps": 6}\n{"ste')
    keep_lines(path, 5)
    assert path.read_text() == '{"steps": 2}\n{"steps": 5, "a": 1}\n'


def test_what_a_killed_process_left_half_written_is_removed(run: RunDirectory) -> None:
    run.pool_folder.mkdir()
    leftover = run.pool_folder / ".000000000100.npz.0a1b2c3d.tmp"
    leftover.write_bytes(b"half")
    with run.locked():
        assert not leftover.exists()
        assert run.config_file.exists()


def test_a_folder_without_a_run_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / ".thesis.tmp"
    mine.write_text("mine")
    with RunDirectory(tmp_path).locked():
        assert mine.read_text() == "mine"
