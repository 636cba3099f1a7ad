"""``evaluate``: every policy against every other, in every seating, on the same seeds.

Two policies meet in a *match-up*: with two seats one against the other, with more one against the rest, all played by
the other, and then the reverse. A match-up plays every seed once in each of its seatings, in which the single policy
takes each seat in turn; all match-ups play the same seeds. A policy on its own plays against copies of itself, which
shows what the seats are worth; with one seat every policy plays alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.chance import checked_seed, seeded_words
from carnival_envs.core.engine import chance_loops
from carnival_envs.core.files import need_folder
from carnival_envs.core.game import Game
from carnival_envs.core.options import is_integer, refuse
from carnival_envs.evaluation.matches import Doubles, Integers, OnFinished, Results, play_matches
from carnival_envs.evaluation.ratings import ratings
from carnival_envs.evaluation.statistics import FEWEST_CLUSTERS, Estimate, estimate_mean, estimate_share
from carnival_envs.policies.base import AnyPolicy
from carnival_envs.policies.specs import Spec, make_policy, split_specs
from carnival_envs.replay import Replay

DEFAULT_GAMES = 400
MOST_GAMES = 100_000_000
"""Of a match-up: their results are held in memory."""
ANCHOR = "random"
"""The policy whose rating is 0, where it takes part."""

Seating = tuple[int, ...]

PART_SIZE = 64
"""Games of a part: enough for good batches, few enough to spread a tournament over many machines."""

Progress = Callable[[int, int], None]
"""Is told how many games are over, and how many there are."""


@dataclass(frozen=True)
class MatchUp:
    """Who meets: ``policy`` has one seat, ``opponent`` all others. Alone at the table, or at a table of copies of
    itself, a policy is its own opponent.
    """

    policy: int
    opponent: int
    seatings: tuple[Seating, ...]

    @property
    def measures(self) -> tuple[tuple[int, int], ...]:
        """Policy and opponent, for each policy of which it tells: with two seats of both."""
        pair = self.policy, self.opponent
        return (pair, pair[::-1]) if len(self.seatings[0]) == 2 and pair[0] != pair[1] else (pair,)


@dataclass(frozen=True)
class Part:
    """Some games of a match-up. How they end follows from it and the policies alone, wherever it is played.

    Attributes:
        seatings: ``(games, num_players)``: who plays each seat.
        seeds: ``(games,)``: of the games.
        policy_seed: of all that the policies draw.
    """

    seatings: Integers
    seeds: Integers
    policy_seed: tuple[int, int]


Play = Callable[[Game, Sequence[AnyPolicy], Sequence[Part], OnFinished], Sequence[Results]]
"""Plays parts, in any order; gives the results of each, in the order of the parts. Tells how many games are over."""


@dataclass(frozen=True)
class Pairing:
    """How ``policy`` does in one seat with ``opponent`` in all others."""

    policy: str
    opponent: str
    win_share: Estimate
    score: Estimate


@dataclass(frozen=True)
class Standing:
    """How a policy does over all its opponents.

    Attributes:
        policy: its name.
        win_share: its share of the wins; ``1 / num_players`` is what equals get.
        score: its raw score.
        seat_win_shares: the same by seat.
        rating: on Elo's scale; 0 is the policy ``random``, or the mean where it takes no part. ``None`` where nobody
            plays against anybody else.
    """

    policy: str
    win_share: Estimate
    score: Estimate
    seat_win_shares: tuple[Estimate, ...]
    rating: float | None


@dataclass(frozen=True)
class Evaluation:
    """The result of ``evaluate``: equal arguments give an equal one.

    Attributes:
        game: the id of the game.
        options: all its options.
        policies: the names of the policies.
        seed: of the evaluation.
        games: how many games each match-up played.
        seeds: how many seeds they share.
        truncated: how many of all games were cut off by their bound.
        standings: one for each policy, best first.
        pairings: one for each policy and each other that it meets, in the order of ``policies``.
    """

    game: str
    options: dict[str, Any]
    policies: tuple[str, ...]
    seed: int
    games: int
    seeds: int
    truncated: int
    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]


@dataclass(frozen=True)
class Samples:
    """How one policy did against another: float64, ``(seeds, seats)``, in column ``s`` from seat ``s``."""

    win_shares: Doubles
    scores: Doubles


Measured = dict[tuple[int, int], Samples]
"""The samples by policy and opponent."""


def evaluate(
    game: Game,
    policies: str | Sequence[Spec],
    games: int = DEFAULT_GAMES,
    *,
    seed: int = 0,
    trust: bool = False,
    on_progress: Progress | None = None,
    record: str | Path | None = None,
    play: Play | None = None,
) -> Evaluation:
    """Let policies play each other.

    Args:
        game: the game.
        policies: specs, or policies, at least one; a string of specs with commas between them will do.
        games: how many each match-up plays; rounded up to the same number for every seating.
        seed: of the games and of all that the policies draw.
        trust: whether policies may be loaded from files that can run code.
        on_progress: is told how many games are over, and how many there are.
        record: a folder for a replay of every game; see ``carnival_envs.replay``.
        play: where the games are played: here, if not given, or on a cluster (see ``cluster``). The result is the same.

    Raises:
        FileNotFoundError: a policy's file is not there.
        IllegalActionError: a policy chose an action that is not legal.
        TypeError: neither a spec nor a policy.
        ValueError: a policy or a number that is not allowed.
    """
    if not isinstance(policies, Sequence):
        raise TypeError(f"policies: {policies!r} is neither a string of specs nor a sequence of policies")
    specs = split_specs(policies) if isinstance(policies, str) else list(policies)
    if record is not None:
        need_folder("record", record)
    if not specs:
        refuse("policies", specs, "at least one")
    names = unique_names(specs)
    contenders = [make_policy(spec, game, trust=trust) for spec in specs]
    seed = checked_seed(seed)
    meetings = match_ups(len(specs), game.num_players)
    num_seatings = len(meetings[0].seatings)
    seeds = draw_seeds(seed, number_of_seeds(games, num_seatings))
    parts = [parts_of(meeting, seeds, seed) for meeting in meetings]
    everything = [part for of_meeting in parts for part in of_meeting]
    if record is not None:
        if play is not None:
            refuse("record", str(record), "None, unless the games are played in this process")
        play = partial(play_here, recorder=Recorder(game, names, Path(record)))
    played = iter((play or play_here)(game, contenders, everything, _telling(on_progress, everything)))
    results = [Results.joined([next(played) for _ in of_meeting]) for of_meeting in parts]
    measured = {
        pair: samples_of(pair[0], meeting.seatings, result)
        for meeting, result in zip(meetings, results, strict=True)
        for pair in meeting.measures
    }
    rated = rate(names, measured)
    standings = [
        standing(name, [samples for pair, samples in measured.items() if pair[0] == policy], rated[policy])
        for policy, name in enumerate(names)
    ]
    return Evaluation(
        game=game.name,
        options=game.keywords,
        policies=names,
        seed=seed,
        games=num_seatings * len(seeds),
        seeds=len(seeds),
        truncated=sum(int(result.truncated.sum()) for result in results),
        standings=tuple(sorted(standings, key=lambda one: -one.win_share.mean)),
        pairings=tuple(pairing(names, pair, measured[pair]) for pair in sorted(measured) if pair[0] != pair[1]),
    )


def parts_of(meeting: MatchUp, seeds: Integers, seed: int) -> list[Part]:
    """The games of a match-up, seed by seed, in parts.

    Args:
        meeting: who meets.
        seeds: of the games; each is played in all seatings.
        seed: of the evaluation.
    """
    seatings = np.tile(np.array(meeting.seatings), (len(seeds), 1))
    repeated = np.repeat(seeds, len(meeting.seatings))
    return [
        Part(seatings[first : first + PART_SIZE], repeated[first : first + PART_SIZE], (seed, first))
        for first in range(0, len(repeated), PART_SIZE)
    ]


@dataclass(frozen=True)
class Recorder:
    """Writes the replays of an evaluation.

    Attributes:
        game: the game.
        names: of the policies.
        folder: where the replays go.
    """

    game: Game
    names: tuple[str, ...]
    folder: Path

    def save(self, seatings: Integers, seeds: Integers, index: int, actions: list[int]) -> None:
        """Write the replay of a game of some that were played together."""
        players = tuple(self.names[policy] for policy in seatings[index])
        Replay(self.game, tuple(actions), players, seed=int(seeds[index])).save_in(self.folder)


def play_part(
    game: Game,
    policies: Sequence[AnyPolicy],
    part: Part,
    on_finished: OnFinished | None = None,
    recorder: Recorder | None = None,
) -> Results:
    """Play the games of a part, and record them if asked.

    Raises:
        IllegalActionError: a policy chose an action that is not legal.
    """
    rng = np.random.default_rng(part.policy_seed)
    save = None if recorder is None else partial(recorder.save, part.seatings, part.seeds)
    return play_matches(game, policies, part.seatings, part.seeds, rng=rng, on_finished=on_finished, on_replay=save)


def play_here(
    game: Game,
    policies: Sequence[AnyPolicy],
    parts: Sequence[Part],
    on_finished: OnFinished,
    recorder: Recorder | None = None,
) -> list[Results]:
    """Play parts in this process, one after the other, and record them if asked; see ``Play``.

    Raises:
        IllegalActionError: a policy chose an action that is not legal.
    """
    results, before = [], 0
    for part in parts:
        results.append(play_part(game, policies, part, partial(_report, on_finished, before), recorder))
        before += len(part.seeds)
    return results


def _report(on_finished: OnFinished, before: int, over: int) -> None:
    on_finished(before + over)


def _telling(on_progress: Progress | None, parts: Sequence[Part]) -> OnFinished:
    """What tells ``on_progress`` of games that are over."""
    total = sum(len(part.seeds) for part in parts)
    return lambda over: None if on_progress is None else on_progress(over, total)


def match_ups(num_policies: int, num_seats: int) -> list[MatchUp]:
    """Who meets whom, in which seatings."""
    if num_seats == 1:
        return [MatchUp(policy, policy, ((policy,),)) for policy in range(num_policies)]
    if num_policies == 1:
        return [MatchUp(0, 0, ((0,) * num_seats,))]
    pairs = permutations(range(num_policies), 2)
    return [
        MatchUp(policy, opponent, tuple(one_against_rest(policy, opponent, num_seats)))
        for policy, opponent in pairs
        if num_seats > 2 or policy < opponent
    ]


def one_against_rest(policy: int, opponent: int, num_seats: int) -> Iterator[Seating]:
    """The seatings with one policy in each seat in turn and another in all others."""
    for seat in range(num_seats):
        yield tuple(policy if other == seat else opponent for other in range(num_seats))


def number_of_seeds(games: int, seatings: int) -> int:
    """How many seeds give at least ``games`` games.

    Raises:
        ValueError: too few for intervals, or too many.
    """
    fewest = FEWEST_CLUSTERS * seatings
    if not is_integer(games) or not fewest <= games <= MOST_GAMES:
        why = f"at least {fewest}, for {FEWEST_CLUSTERS} seeds in {seatings} seatings, and at most {MOST_GAMES}"
        refuse("games", games, f"an integer of {why}")
    return -(-games // seatings)


def draw_seeds(seed: int, count: int) -> Integers:
    """The seeds of the games: the first of many are those of few."""
    seeds = np.empty(count, dtype=np.int64)
    chance_loops()["draw_seeds"](seeded_words(seed), seeds)
    return seeds


def unique_names(specs: Sequence[Spec]) -> tuple[str, ...]:
    """A name for each policy: its spec, with a number where it comes again."""
    texts = [spec if isinstance(spec, str) else repr(spec) for spec in specs]
    earlier = [texts[:index].count(text) for index, text in enumerate(texts)]
    return tuple(f"{text} ({count + 1})" if count else text for text, count in zip(texts, earlier, strict=True))


# From games to estimates ------------------------------------------------------------------------------------------


def samples_of(policy: int, seatings: Sequence[Seating], results: Results) -> Samples:
    """The samples of a policy from a match-up that played all seatings for each seed, seed by seed."""
    seats = range(len(seatings[0]))
    places = [next(k for k, seating in enumerate(seatings) if seating[seat] == policy) for seat in seats]

    def columns(values: Doubles | Integers) -> Doubles:
        by_seed = values.reshape(-1, len(seatings), len(seats)).astype(np.float64)
        return by_seed[:, places, seats]

    return Samples(columns(results.win_shares), columns(results.scores))


def pairing(names: Sequence[str], pair: tuple[int, int], samples: Samples) -> Pairing:
    """What some samples say of a policy against an opponent."""
    win_share, score = estimate_share(samples.win_shares), estimate_mean(samples.scores)
    return Pairing(names[pair[0]], names[pair[1]], win_share, score)


def standing(name: str, samples: Sequence[Samples], rating: float | None) -> Standing:
    """What the samples of a policy against all opponents say of it."""
    shares = np.stack([one.win_shares for one in samples], axis=1)
    scores = np.stack([one.scores for one in samples], axis=1)
    return Standing(
        policy=name,
        win_share=estimate_share(shares.reshape(len(shares), -1)),
        score=estimate_mean(scores.reshape(len(scores), -1)),
        seat_win_shares=tuple(estimate_share(shares[:, :, seat]) for seat in range(shares.shape[2])),
        rating=rating,
    )


def rate(names: Sequence[str], measured: Measured) -> Sequence[float | None]:
    """The rating of each policy; ``None`` where nobody plays against anybody else."""
    count, num_seats = len(names), next(iter(measured.values())).scores.shape[1]
    if count == 1 or num_seats == 1:
        return [None] * count
    wins, games = np.zeros((count, count)), np.zeros((count, count))
    for (policy, opponent), samples in measured.items():
        if num_seats > 2 or policy < opponent:  # with two seats the reverse tells of the same games
            wins[policy, opponent] = samples.win_shares.sum()
            games[policy, opponent] = samples.win_shares.size
    return ratings(wins, games, num_seats, names.index(ANCHOR) if ANCHOR in names else None)
