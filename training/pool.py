"""The pool of opponents: fixed policies, the learner as it is, and frozen snapshots of it.

A snapshot is a policy file and nothing else: the pool knows it by its name and the hash of its bytes, and loads it
when it is played against. Training can't change it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carnival_envs.core.game import Game
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions, AnyPolicy, Masks, Observations, ViewPolicy, compiled_pilot
from carnival_envs.policies.network import AdvisedPolicy, NetworkPolicy
from carnival_envs.policies.policy_file import PolicyFile, read_policy_file, write_policy_file
from carnival_envs.policies.specs import OpponentSampler, make_policy
from training.config import CURRENT, PAST, OpponentsConfig
from training.run_directory import RunError, write_text
from training.stopwatch import OPPONENTS, Stopwatch

MANIFEST = "manifest.json"

FORGETTING = 0.99
"""What a game against a snapshot still counts after the next one: the learner changes, and its record with it."""

DOUBT = 0.05
"""Added to the weight of every snapshot by its wins: the learner goes on meeting those that it beats."""

Learner: TypeAlias = NetworkPolicy | AdvisedPolicy


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

    def __init__(
        self, config: OpponentsConfig, game: Game, folder: Path, stopwatch: Stopwatch, *, advised: bool = False
    ) -> None:
        """
        Args:
            config: the shares and their details.
            game: what is played.
            folder: where the policy files of the snapshots lie.
            stopwatch: for the time that opponents take which Python has to ask.
            advised: whether the learner and its snapshots take the advice of the baseline bot.
        """
        self.snapshots: list[Snapshot] = []
        self._config = config
        self._game = game
        self._folder = folder
        self._stopwatch = stopwatch
        self._load = lru_cache(maxsize=2 * config.active_snapshots)(self._read)
        self._advised = advised
        self._current: Learner
        fixed = [spec for spec in config.shares if spec not in (CURRENT, PAST)]
        policies = [self._asked(lambda: self._current), *(self._timed(make_policy(spec, game)) for spec in fixed)]
        self._fixed_weights = [config.shares[spec] for spec in fixed]
        self._first_past = len(policies)
        self._losses: list[float] = []
        self.sampler = OpponentSampler(policies, np.ones((game.num_players - 1, len(policies))))
        self._set_weights(active=[])

    def begin_rollout(self, learner: Learner, rng: np.random.Generator) -> None:
        """Play ``current`` with the learner's present parameters, and choose the snapshots that new games may meet.

        Args:
            learner: its policy, with a copy of its network.
            rng: draws the snapshots.
        """
        self._current = learner
        count = min(self._config.active_snapshots, len(self.snapshots))
        chances = self._chances_of_snapshots()
        self._set_weights(rng.choice(len(self.snapshots), count, replace=False, p=chances).tolist() if count else [])

    def record(self, ends: Sequence[dict[str, Any]]) -> None:
        """Take note of games that are over, as ``SeatBatch.final_infos`` tells of them: who lost to which snapshot."""
        for end in ends:
            won = end["seat"] in end["winners"]
            for opponent in {index - self._first_past for index in end["opponents"] if index >= self._first_past}:
                self._losses[opponent] += (1 - FORGETTING) * ((not won) - self._losses[opponent])

    @property
    def losses(self) -> list[float]:
        """For each snapshot the share of late games against it that the learner did not win."""
        return list(self._losses)

    def _chances_of_snapshots(self) -> npt.NDArray[np.float64] | None:
        """How likely each snapshot is to be active; ``None``: all equally."""
        if not self._config.prioritised or not self._losses:
            return None
        weights = np.square(self._losses) + DOUBT
        return np.asarray(weights / weights.sum())

    def add_snapshot(self, learner: PolicyFile, steps: int) -> None:
        """Write a snapshot of the learner and take it into the pool."""
        file = f"{steps:012}.npz"
        write_policy_file(self._folder / file, learner)
        self._take_in(Snapshot(file, steps, _sha256(self._folder / file)))
        self._write_manifest()

    def restore(self, snapshots: Sequence[Snapshot], losses: Sequence[float]) -> None:
        """Fill an empty pool with the snapshots of an earlier run, and with what the learner lost to each.

        Raises:
            RunError: the file of one is missing or is not what it was.
        """
        for snapshot in snapshots:
            path = self._folder / snapshot.file
            if not path.is_file() or _sha256(path) != snapshot.sha256:
                raise RunError(f"snapshot {path}: the file is missing or has changed since it was taken")
            self._take_in(snapshot)
        self._losses = list(losses)
        self._write_manifest()

    def _write_manifest(self) -> None:
        """List the snapshots beside their files. A checkpoint lists its own; this is for people and other programs."""
        write_text(self._folder / MANIFEST, json.dumps([asdict(snapshot) for snapshot in self.snapshots], indent=1))

    def _take_in(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)
        self.sampler.policies.append(self._asked(partial(self.policy, snapshot.file)))
        self._losses.append(1 - 1 / self._game.num_players)
        self._set_weights(active=[])

    def _set_weights(self, active: Sequence[int]) -> None:
        """Give each opponent its share; that of ``past`` is split among the active snapshots."""
        shares = self._config.shares
        past = np.zeros(len(self.snapshots))
        past[active] = shares.get(PAST, 0.0) / max(len(active), 1)
        current = shares.get(CURRENT, 0.0) + (0.0 if active else shares.get(PAST, 0.0))
        self.sampler.set_weights([current, *self._fixed_weights, *past])

    def policy(self, file: str) -> Learner:
        """The policy in a snapshot's file, from memory if it was asked for lately."""
        return self._load(file)

    def _read(self, file: str) -> Learner:
        snapshot = read_policy_file(self._folder / file)
        snapshot.check(self._game)
        return snapshot.policy(sample=True)

    def _asked(self, find: Callable[[], Learner]) -> AnyPolicy:
        """An opponent that is found when it is asked."""
        return _AskedOnViews(find, self._stopwatch) if self._advised else _Asked(find, self._stopwatch)

    def _timed(self, policy: AnyPolicy) -> AnyPolicy:
        """A policy with its time measured; one that is compiled plays inside the environment and is left as it is."""
        if compiled_pilot(policy) is not None:
            return policy
        kind = _AskedOnViews if isinstance(policy, ViewPolicy) else _Asked
        return kind(lambda: policy, self._stopwatch)


class _Asked:
    """A policy that chooses from observations, found when it is asked, with its time measured."""

    def __init__(self, find: Callable[[], Any], stopwatch: Stopwatch) -> None:
        self._find = find
        self._stopwatch = stopwatch

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:
        with self._stopwatch.measure(OPPONENTS):
            actions: Actions = self._find().act(observations, masks, rng)
            return actions


class _AskedOnViews:
    """A policy that chooses from views, likewise."""

    def __init__(self, find: Callable[[], Any], stopwatch: Stopwatch) -> None:
        self._find = find
        self._stopwatch = stopwatch

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        with self._stopwatch.measure(OPPONENTS):
            actions: Actions = self._find().act_on_views(views, rng)
            return actions


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
