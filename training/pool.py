"""The pool of opponents: fixed policies, the learner as it is, and frozen snapshots of it.

A snapshot is a policy file and nothing else: the pool knows it by its name and the hash of its bytes, and loads it
when it is played against. Training can't change it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from carnival_envs.core.game import Game
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions, AnyPolicy, Masks, Observations, Policy, ViewPolicy, compiled_pilot
from carnival_envs.policies.network import Network, NetworkPolicy
from carnival_envs.policies.policy_file import PolicyFile, read_policy_file, write_policy_file
from carnival_envs.policies.specs import OpponentSampler, make_policy
from training.config import CURRENT, PAST, OpponentsConfig
from training.run_directory import RunError, write_text
from training.stopwatch import OPPONENTS, Stopwatch

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Snapshot:
    """A frozen copy of the learner.

    Attributes:
        file: the name of its policy file in the pool's folder.
        steps: how many steps the learner had done.
        sha256: of the file's bytes.
    """

    file: str
    steps: int
    sha256: str


class OpponentPool:
    """Seats opponents by the shares of a configuration.

    Attributes:
        sampler: what a ``SeatBatch`` takes as its opponents.
        snapshots: from the oldest on.
    """

    def __init__(self, config: OpponentsConfig, game: Game, folder: Path, stopwatch: Stopwatch) -> None:
        """
        Args:
            config: the shares and their details.
            game: what is played.
            folder: where the policy files of the snapshots lie.
            stopwatch: for the time that opponents take which Python has to ask.
        """
        self.snapshots: list[Snapshot] = []
        self._config = config
        self._game = game
        self._folder = folder
        self._stopwatch = stopwatch
        self._load = lru_cache(maxsize=2 * config.active_snapshots)(self._read)
        self._current = _Current()
        fixed = [spec for spec in config.shares if spec not in (CURRENT, PAST)]
        policies = [self._current, *(make_policy(spec, game) for spec in fixed)]
        self._fixed_weights = [config.shares[spec] for spec in fixed]
        self.sampler = OpponentSampler(
            [_timed(policy, stopwatch) for policy in policies], np.ones((game.num_players - 1, len(policies)))
        )
        self._set_weights(active=[])

    def begin_rollout(self, learner: Network, rng: np.random.Generator) -> None:
        """Play ``current`` with the learner's present parameters, and choose the snapshots that new games may meet.

        Args:
            learner: a copy of its policy network.
            rng: draws the snapshots.
        """
        self._current.policy = NetworkPolicy(learner, sample=True)
        count = min(self._config.active_snapshots, len(self.snapshots))
        self._set_weights(rng.choice(len(self.snapshots), count, replace=False).tolist() if count else [])

    def add_snapshot(self, learner: PolicyFile, steps: int) -> None:
        """Write a snapshot of the learner and take it into the pool."""
        file = f"{steps:012}.npz"
        write_policy_file(self._folder / file, learner)
        self._take_in(Snapshot(file, steps, _sha256(self._folder / file)))
        self._write_manifest()

    def restore(self, snapshots: Sequence[Snapshot]) -> None:
        """Fill an empty pool with the snapshots of an earlier run.

        Raises:
            RunError: the file of one is missing or is not what it was.
        """
        for snapshot in snapshots:
            path = self._folder / snapshot.file
            if not path.is_file() or _sha256(path) != snapshot.sha256:
                raise RunError(f"snapshot {path}: the file is missing or has changed since it was taken")
            self._take_in(snapshot)
        self._write_manifest()

    def _write_manifest(self) -> None:
        """List the snapshots beside their files. A checkpoint lists its own; this is for people and other programs."""
        write_text(self._folder / MANIFEST, json.dumps([asdict(snapshot) for snapshot in self.snapshots], indent=1))

    def _take_in(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)
        self.sampler.policies.append(_timed(_Past(self, snapshot.file), self._stopwatch))
        self._set_weights(active=[])

    def _set_weights(self, active: Sequence[int]) -> None:
        """Give each opponent its share; that of ``past`` is split among the active snapshots."""
        shares = self._config.shares
        past = np.zeros(len(self.snapshots))
        past[active] = shares.get(PAST, 0.0) / max(len(active), 1)
        current = shares.get(CURRENT, 0.0) + (0.0 if active else shares.get(PAST, 0.0))
        self.sampler.set_weights([current, *self._fixed_weights, *past])

    def policy(self, file: str) -> NetworkPolicy:
        """The policy in a snapshot's file, from memory if it was asked for lately."""
        return self._load(file)

    def _read(self, file: str) -> NetworkPolicy:
        snapshot = read_policy_file(self._folder / file)
        snapshot.check(self._game)
        return NetworkPolicy(snapshot.network, sample=True)


class _Current:
    """The learner as it was when the rollout began.

    ``NetworkPolicy`` takes as long as torch for a batch of 64 and a fifth of it for one decision; it needs no threads.
    """

    policy: NetworkPolicy

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:
        return self.policy.act(observations, masks, rng)


class _Past:
    """A snapshot, loaded when it is asked."""

    def __init__(self, pool: OpponentPool, file: str) -> None:
        self._pool = pool
        self._file = file

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:
        return self._pool.policy(self._file).act(observations, masks, rng)


class _Timed:
    """A policy that chooses from observations, with its time measured."""

    def __init__(self, policy: Policy, stopwatch: Stopwatch) -> None:
        self._policy = policy
        self._stopwatch = stopwatch

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:
        with self._stopwatch.measure(OPPONENTS):
            return self._policy.act(observations, masks, rng)


class _TimedOnViews:
    """A policy that chooses from views, with its time measured."""

    def __init__(self, policy: ViewPolicy, stopwatch: Stopwatch) -> None:
        self._policy = policy
        self._stopwatch = stopwatch

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        with self._stopwatch.measure(OPPONENTS):
            return self._policy.act_on_views(views, rng)


def _timed(policy: AnyPolicy, stopwatch: Stopwatch) -> AnyPolicy:
    """A policy with its time measured; one that is compiled plays inside the environment and is left as it is."""
    if compiled_pilot(policy) is not None:
        return policy
    return _TimedOnViews(policy, stopwatch) if isinstance(policy, ViewPolicy) else _Timed(policy, stopwatch)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
