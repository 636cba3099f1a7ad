"""The directory of a run: its files, each of them whole or not there, and the lock that keeps a second process out."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

import carnival_envs
from carnival_envs.core.files import LOCK_FILE, locked, remove_leftovers, replacing
from training.config import Config, TrainConfig, dump_config, read_config

VERSIONED_PACKAGES = ("numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib", "ray")


class RunError(Exception):
    """A run directory that can't be used. The message names it and says why."""


class RunDirectory:
    """The files of a run.

    ================= ======================================================================================
    ``config.yaml``   the whole configuration, every field with its value
    ``run.json``      the same, with the seed, the versions of everything that takes part, and the start
    ``checkpoint.pt`` all that is needed to go on
    ``pool/``         the snapshots: policy files, and ``manifest.json``, which lists them
    ``best.npz``      the policy file of the learner that did best in an evaluation
    ``last.npz``      the policy file of the learner at the last checkpoint
    ``metrics.jsonl`` a line for every update and every evaluation
    ``tensorboard/``  the same for TensorBoard
    ``lock``          held by the process that works on the run
    ================= ======================================================================================
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config_file = path / "config.yaml"
        self.description_file = path / "run.json"
        self.checkpoint_file = path / "checkpoint.pt"
        self.pool_folder = path / "pool"
        self.best_file = path / "best.npz"
        self.last_file = path / "last.npz"
        self.metrics_file = path / "metrics.jsonl"
        self.tensorboard_folder = path / "tensorboard"

    def create(self, config: TrainConfig) -> None:
        """Begin a run. ``config.yaml`` is written last: where it is, there is a run.

        Raises:
            RunError: the directory holds something already.
        """
        if self.config_file.exists():
            raise RunError(f"{self.path}: there is a run already; to go on with it: --resume {self.path}")
        found = sorted(entry.name for entry in self.path.iterdir() if entry.name != LOCK_FILE)
        if found:
            raise RunError(f"{self.path}: a new run needs a directory of its own; found {', '.join(found)}")
        write_text(self.description_file, json.dumps(describe(config), indent=2) + "\n")
        write_text(self.config_file, dump_config(config))

    def config(
        self,
        kind: type[Config] = TrainConfig,  # type: ignore[assignment] # mypy knows no defaults of type variables
    ) -> Config:
        """The configuration of the run, of the class that it was begun with.

        Raises:
            ConfigError: it can't be read.
            RunError: there is no run.
        """
        if not self.config_file.is_file():
            raise RunError(f"{self.path}: no run is there; {self.config_file.name} is missing")
        return read_config(self.config_file, kind=kind)

    def save_checkpoint(self, checkpoint: Mapping[str, Any]) -> None:
        """Replace the checkpoint."""
        with replacing(self.checkpoint_file) as temporary:
            torch.save(dict(checkpoint), temporary)

    def load_checkpoint(self) -> dict[str, Any] | None:
        """The checkpoint; ``None`` if the run was stopped before its first. Loading it runs no code of the file.

        Raises:
            RunError: it is damaged, or missing where there was one.
        """
        if not self.checkpoint_file.is_file():
            if self.last_file.exists():  # written after the checkpoint
                raise RunError(f"{self.checkpoint_file}: missing; without it the run can't go on; begin a new one")
            return None
        try:
            checkpoint: dict[str, Any] = torch.load(self.checkpoint_file, weights_only=True)
        except (RuntimeError, UnpicklingError, EOFError, KeyError) as error:
            raise RunError(f"{self.checkpoint_file}: damaged, or not a checkpoint ({error})") from None
        return checkpoint

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes away from the run, and clear away what a killed one left half-written.

        Raises:
            FolderInUseError: another process works on the run.
        """
        with locked(self.path):
            if self.config_file.exists():  # no run, no business here
                remove_leftovers(self.path)
            yield


def describe(config: TrainConfig) -> dict[str, Any]:
    """What there is to know about a run that begins now."""
    return {
        "config": asdict(config),
        "seed": config.seed,
        "versions": {
            "carnival_envs": carnival_envs.__version__,
            **{package: version_of(package) for package in VERSIONED_PACKAGES},
            "python": platform.python_version(),
        },
        "machine": {"platform": platform.platform(), "cpus": os.cpu_count()},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def version_of(package: str) -> str | None:
    """The version of an installed package; ``None`` of one that is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
