"""``ladder``: every policy of a list against every other, and where each stands.

Match-ups and seatings are those of ``evaluate``, on the same seeds. They are played in *blocks* of a few seeds, each
with a generator of its own: whoever plays them, in whatever order and beside whatever else, the results are the same.
What a block gave is kept in a folder as soon as it is over.

Ratings come from the full orders of the tables (see ``ratings``); a tie counts as every order of who ties. Intervals
are those of a bootstrap over seeds: all that was played on a seed is drawn together.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from carnival_envs.core.chance import checked_seed
from carnival_envs.core.files import locked
from carnival_envs.core.game import Game
from carnival_envs.core.options import need_at_least_one, refuse
from carnival_envs.core.threads import thread_pool
from carnival_envs.evaluation.alpha_rank import alpha_rank
from carnival_envs.evaluation.ladder_folder import Blocks, LadderFolder
from carnival_envs.evaluation.matches import Doubles, Results, play_matches
from carnival_envs.evaluation.ratings import elo, fit, placements
from carnival_envs.evaluation.statistics import CONFIDENCE, Estimate, estimate_mean, estimate_share
from carnival_envs.evaluation.tournament import (
    ANCHOR,
    DEFAULT_GAMES,
    MatchUp,
    Measured,
    Pairing,
    Progress,
    draw_seeds,
    match_ups,
    number_of_seeds,
    pairing,
    samples_of,
)
from carnival_envs.policies.base import AnyPolicy
from carnival_envs.policies.specs import make_policy

DEFAULT_POLICIES = (ANCHOR, "greedy", "mcts:50", "mcts:200", "mcts:1000")
SHIPPED = "zoo"
"""The policy that comes with a game, where there is one."""

SEEDS_PER_BLOCK = 10
BOOTSTRAP_SAMPLES = 1000


@dataclass(frozen=True)
class Rung:
    """Where a policy stands.

    Attributes:
        policy: its spec.
        rating: on Elo's scale, with the bootstrap's interval; 0 is the policy ``random``, or the mean where it takes
            no part.
        win_share: its share of the wins over all its opponents; ``1 / num_players`` is what equals get.
        score: its raw score over all its opponents.
        alpha_rank: its mass by ``alpha_rank``, the mean over the bootstrap's samples.
    """

    policy: str
    rating: Estimate
    win_share: Estimate
    score: Estimate
    alpha_rank: float


@dataclass(frozen=True)
class Ladder:
    """The result of ``play_ladder``: equal arguments give an equal one.

    Attributes:
        game: the id of the game.
        options: all its options.
        policies: the specs, in the order in which they were given.
        seed: of the ladder.
        games: how many games each match-up played.
        seeds: how many seeds they share.
        truncated: how many of all games were cut off by their bound.
        rungs: one for each policy, highest rating first.
        pairings: one for each policy and each other, in the order of ``policies``.
    """

    game: str
    options: dict[str, Any]
    policies: tuple[str, ...]
    seed: int
    games: int
    seeds: int
    truncated: int
    rungs: tuple[Rung, ...]
    pairings: tuple[Pairing, ...]


def play_ladder(
    game: Game,
    policies: Sequence[str] | None = None,
    games: int = DEFAULT_GAMES,
    *,
    seed: int = 0,
    folder: str | Path | None = None,
    jobs: int | None = None,
    trust: bool = False,
    on_progress: Progress | None = None,
) -> Ladder:
    """Let policies play each other, and rate them.

    Args:
        game: the game, of two players or more.
        policies: specs, two or more; ``None`` takes ``default_policies``.
        games: how many each match-up plays; rounded up to whole blocks of seeds.
        seed: of the games, of all that the policies draw, and of the bootstrap.
        folder: where played games are kept, and found again; ``None`` keeps none.
        jobs: how many threads play; ``None`` takes one for each core. The result does not depend on it.
        trust: whether policies may be loaded from files that can run code.
        on_progress: is told how many games are over, those in the folder included, and how many there are.

    Raises:
        FileNotFoundError: a policy's file is not there.
        FolderInUseError: another ladder is played in the folder.
        IllegalActionError: a policy chose an action that is not legal.
        ValueError: a policy or a number that is not allowed, or a folder with games of other settings.
    """
    specs = default_policies(game, trust=trust) if policies is None else tuple(policies)
    jobs = checked_jobs(jobs)
    check_contest(game, specs)
    contenders = [make_policy(spec, game, trust=trust) for spec in specs]
    seed = checked_seed(seed)
    meetings = match_ups(len(specs), game.num_players)
    blocks = number_of_blocks(games, len(meetings[0].seatings))
    with nullcontext() if folder is None else locked(folder):
        kept = None if folder is None else LadderFolder(folder, settings_of(game, seed))
        rounds = Rounds(game, specs, contenders, meetings, seed, blocks, kept)
        results = rounds.play(jobs, on_progress)
    return climb(game, specs, meetings, results, seed)


def default_policies(game: Game, *, trust: bool = False) -> tuple[str, ...]:
    """The specs that a ladder has if none are given: with ``zoo`` for a game that has one."""
    try:
        make_policy(SHIPPED, game, trust=trust)
    except (ValueError, FileNotFoundError):
        return DEFAULT_POLICIES
    return (*DEFAULT_POLICIES, SHIPPED)


def check_contest(game: Game, specs: Sequence[str]) -> None:
    """
    Raises:
        ValueError: there is nobody to play against, or a policy comes twice.
    """
    if game.num_players < 2:
        refuse("num_players", game.num_players, "at least 2 for a ladder")
    if len(specs) < 2:
        refuse("policies", list(specs), "at least 2 for a ladder")
    twice = [spec for index, spec in enumerate(specs) if spec in specs[:index]]
    if twice:
        refuse("policies", twice[0], "each policy once")


def checked_jobs(jobs: int | None) -> int:
    """The number of threads.

    Raises:
        ValueError: not a positive integer.
    """
    if jobs is None:
        return os.cpu_count() or 1
    need_at_least_one(jobs=jobs)
    return jobs


def number_of_blocks(games: int, seatings: int) -> int:
    """How many blocks give at least ``games`` games.

    Raises:
        ValueError: too few games.
    """
    return -(-number_of_seeds(games, seatings) // SEEDS_PER_BLOCK)


def settings_of(game: Game, seed: int) -> dict[str, Any]:
    """All that the games of a ladder depend on beside the policies, JSON-ready."""
    from carnival_envs import __version__

    data = hashlib.sha256(json.dumps(game.data, sort_keys=True, default=str).encode()).hexdigest()[:16]
    settings = {"carnival_envs": __version__, "game": game.name, "options": game.keywords, "data": data, "seed": seed}
    plain: dict[str, Any] = json.loads(json.dumps(settings))
    return plain


def identity(spec: str, policy: AnyPolicy) -> str:
    """A text that differs where policies do: their spec, their settings, and the weights of a network."""
    network = getattr(policy, "network", None)
    weights = "" if network is None else f" {hashlib.sha256(network.parameters.tobytes()).hexdigest()[:16]}"
    return f"{spec} {policy!r}{weights}"


# Playing ----------------------------------------------------------------------------------------------------------


class Rounds:
    """The match-ups of a ladder, block by block."""

    def __init__(
        self,
        game: Game,
        specs: Sequence[str],
        policies: Sequence[AnyPolicy],
        meetings: Sequence[MatchUp],
        seed: int,
        num_blocks: int,
        folder: LadderFolder | None,
    ) -> None:
        self._game = game
        self._policies = policies
        self._meetings = meetings
        self._seed = seed
        self._num_blocks = num_blocks
        self._folder = folder
        self._seeds = draw_seeds(seed, num_blocks * SEEDS_PER_BLOCK)
        names = [identity(spec, policy) for spec, policy in zip(specs, policies, strict=True)]
        self._pairs = [(names[meeting.policy], names[meeting.opponent]) for meeting in meetings]
        shape = (SEEDS_PER_BLOCK * len(meetings[0].seatings), game.num_players)
        self._played: list[Blocks] = [folder.load(pair, shape) if folder else {} for pair in self._pairs]
        self._stop = Event()

    def play(self, jobs: int, on_progress: Progress | None) -> list[Results]:
        """Play what has not been played yet; the results of each match-up, seed by seed."""
        missing = list(self._missing())
        block_games = SEEDS_PER_BLOCK * len(self._meetings[0].seatings)
        total = self._num_blocks * len(self._meetings)
        tell = on_progress or (lambda _done, _total: None)
        tell((total - len(missing)) * block_games, total * block_games)
        with thread_pool(jobs) as pool:
            tasks = {pool.submit(self._play_block, *task): task for task in missing}
            try:
                for done, task in enumerate(as_completed(tasks), total - len(missing) + 1):
                    self._keep(*tasks[task], task.result())
                    tell(done * block_games, total * block_games)
            except BaseException:
                self._stop.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        return [Results.joined([blocks[number] for number in range(self._num_blocks)]) for blocks in self._played]

    def _missing(self) -> Iterator[tuple[int, int]]:
        """Match-up and block of all that has not been played."""
        for index, blocks in enumerate(self._played):
            for number in range(self._num_blocks):
                if number not in blocks:
                    yield index, number

    def _play_block(self, index: int, number: int) -> Results:
        seatings = self._meetings[index].seatings
        first = number * SEEDS_PER_BLOCK
        return play_matches(
            self._game,
            self._policies,
            np.tile(np.array(seatings), (SEEDS_PER_BLOCK, 1)),
            np.repeat(self._seeds[first : first + SEEDS_PER_BLOCK], len(seatings)),
            rng=np.random.default_rng([self._seed, number]),
            on_finished=self._look_whether_to_stop,
        )

    def _look_whether_to_stop(self, _over: int) -> None:
        if self._stop.is_set():
            raise InterruptedError("the ladder was stopped")

    def _keep(self, index: int, number: int, results: Results) -> None:
        self._played[index][number] = results
        if self._folder:
            self._folder.save(self._pairs[index], self._played[index])


# From games to a ladder -------------------------------------------------------------------------------------------


def climb(
    game: Game, specs: tuple[str, ...], meetings: Sequence[MatchUp], results: Sequence[Results], seed: int
) -> Ladder:
    """What the results of all match-ups say of the policies."""
    measured: Measured = {}
    for meeting, result in zip(meetings, results, strict=True):
        for pair in meeting.measures:
            measured[pair] = samples_of(pair[0], meeting.seatings, result)
    num_seatings, num_games = len(meetings[0].seatings), len(results[0].truncated)
    num_seeds = num_games // num_seatings
    draws = bootstrap_draws(num_seeds, seed)
    rated = bootstrap_ratings(specs, meetings, results, draws)
    masses = alpha_rank(payoffs(measured, len(specs), game.num_players, draws)).mean(axis=0)
    rungs = [rung(spec, index, measured, rated[index], float(masses[index])) for index, spec in enumerate(specs)]
    return Ladder(
        game=game.name,
        options=game.keywords,
        policies=specs,
        seed=seed,
        games=num_games,
        seeds=num_seeds,
        truncated=sum(int(result.truncated.sum()) for result in results),
        rungs=tuple(sorted(rungs, key=lambda one: -one.rating.mean)),
        pairings=tuple(pairing(specs, pair, measured[pair]) for pair in sorted(measured)),
    )


def rung(spec: str, index: int, measured: Measured, rating: Estimate, mass: float) -> Rung:
    """Where a policy stands, from its samples against all opponents."""
    samples = [one for pair, one in sorted(measured.items()) if pair[0] == index]
    shares = np.concatenate([one.win_shares for one in samples], axis=1)
    scores = np.concatenate([one.scores for one in samples], axis=1)
    return Rung(spec, rating, estimate_share(shares), estimate_mean(scores), mass)


def bootstrap_draws(num_seeds: int, seed: int) -> Doubles:
    """How often each seed is drawn: ``(1 + samples, seeds)``. The first row is no sample: every seed once."""
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(num_seeds, np.full(num_seeds, 1 / num_seeds), size=BOOTSTRAP_SAMPLES)
    return np.concatenate([np.ones((1, num_seeds)), drawn])


def bootstrap_ratings(
    specs: Sequence[str], meetings: Sequence[MatchUp], results: Sequence[Results], draws: Doubles
) -> list[Estimate]:
    """The rating of each policy; the interval holds the middle 95 % of the samples."""
    tables, taken, choices = count_choices(len(specs), meetings, results)
    anchor = specs.index(ANCHOR) if ANCHOR in specs else None
    rated = elo(fit(tables, draws @ taken, draws @ choices), anchor)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(rated[1:], [tail, 1 - tail], axis=0)
    games = len(results[0].truncated)
    meetings_of = [sum(index in (one.policy, one.opponent) for one in meetings) for index in range(len(specs))]
    return [
        Estimate(float(rated[0, index]), float(low[index]), float(high[index]), games * count)
        for index, count in enumerate(meetings_of)
    ]


def count_choices(
    num_policies: int, meetings: Sequence[MatchUp], results: Sequence[Results]
) -> tuple[Doubles, Doubles, Doubles]:
    """What ``fit`` asks for, seed by seed: tables ``(kinds, policies)``, taken ``(seeds, policies)``, and choices
    ``(seeds, kinds)``.
    """
    num_seeds = len(results[0].truncated) // len(meetings[0].seatings)
    taken = np.zeros((num_seeds, num_policies))
    choices: dict[tuple[int, ...], Doubles] = {}
    for meeting, result in zip(meetings, results, strict=True):
        for game, ranks in enumerate(result.ranks.tolist()):
            seed, seating = divmod(game, len(meeting.seatings))
            for left, taker, weight in placements(meeting.seatings[seating], tuple(ranks)):
                if len(set(left)) > 1:  # among seats of one policy there is nothing to choose
                    taken[seed, taker] += weight
                    choices.setdefault(left, np.zeros(num_seeds))[seed] += weight
    tables = np.array([np.bincount(left, minlength=num_policies) for left in choices], dtype=np.float64)
    return tables, taken, np.stack(list(choices.values()), axis=1)


def payoffs(measured: Measured, num_policies: int, num_players: int, draws: Doubles) -> Doubles:
    """The return of each policy against each other in every sample: ``(1 + samples, policies, policies)``."""
    equal = 1 / num_players
    values = np.zeros((len(draws), num_policies, num_policies))
    for (policy, opponent), samples in measured.items():
        share = draws @ samples.win_shares.mean(axis=1) / samples.win_shares.shape[0]
        values[:, policy, opponent] = (share - equal) / (1 - equal)
    return values
