"""Spec strings: how policies are named in environments, on the command line and in configurations.

======================  ============================================================================
``random``              uniformly random legal actions
``greedy``              the baseline bot of the game
``mcts:N``              tree search with N simulations a move, or with ``mcts:Nms`` milliseconds; ``?exploration=1.0``
                        and other options may follow
``puct:POLICY:N``       tree search with the policy and value networks of a policy file, POLICY being ``zoo`` or
                        ``policy:PATH``; budget and options as of ``mcts``
``policy:PATH``         a policy file; ``policy:PATH?sample=1`` draws from its distribution.
                        An SB3 ``.zip`` only where ``trust`` says so
``zoo``                 the policy that ships for the game and its number of players
``a,b,c``               opponents: one for each other seat, clockwise from the learner's left
``mix(a:3,b:1)``        opponents: drawn with these weights (1 if not given) for each seat and episode
======================  ============================================================================

Wherever a spec is taken, a policy itself will do too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.game import Game
from carnival_envs.core.options import refuse
from carnival_envs.policies.base import AnyPolicy, Policy, ViewPolicy
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.mcts import make_mcts
from carnival_envs.policies.policy_file import load_policy
from carnival_envs.policies.puct import make_puct
from carnival_envs.policies.random import RandomPolicy
from carnival_envs.policies.search_specs import is_budget
from carnival_envs.policies.zoo import zoo_policy

Spec: TypeAlias = str | Policy | ViewPolicy
Opponents: TypeAlias = Spec | Sequence[Spec]

MIX = "mix"
ARGUMENT = ":"


@dataclass(frozen=True)
class Kind:
    """A kind of policy that a spec can name.

    Attributes:
        form: how it is written, for messages; with an argument after ``ARGUMENT`` or without.
        make: ``make(argument, game, trust)`` gives the policy.
    """

    form: str
    make: Callable[[str, Game, bool], AnyPolicy]

    @property
    def takes_argument(self) -> bool:
        """Whether something must follow the colon."""
        return ARGUMENT in self.form


def always(policy: type[AnyPolicy]) -> Callable[[str, Game, bool], AnyPolicy]:
    """The ``make`` of a kind without an argument, whose policy is the same for every game."""
    return lambda _argument, _game, _trust: policy()


KINDS: dict[str, Kind] = {
    "random": Kind("random", always(RandomPolicy)),
    "greedy": Kind("greedy", always(GreedyPolicy)),
    "mcts": Kind("mcts:N", make_mcts),
    "puct": Kind("puct:POLICY:N", make_puct),
    "policy": Kind("policy:PATH", load_policy),
    "zoo": Kind("zoo", zoo_policy),
}
"""The one table of kinds, by the word that their specs begin with."""


def make_policy(spec: Spec, game: Game, *, trust: bool = False) -> AnyPolicy:
    """The policy that a spec names.

    Args:
        spec: a spec string of one policy, or a policy, which is returned as it is.
        game: what it is to play.
        trust: whether files that can run code, SB3 zips, may be loaded.

    Raises:
        FileNotFoundError: the file that it names is not there.
        TypeError: neither a string nor a policy.
        ValueError: no such spec, or a policy of another game; names it.
    """
    if not isinstance(spec, str):
        if not isinstance(spec, Policy | ViewPolicy):
            raise TypeError(f"policy: {spec!r} is neither a spec string nor a policy with act() or act_on_views()")
        return spec
    word, colon, argument = spec.strip().partition(ARGUMENT)
    kind = KINDS.get(word)
    if kind is None or kind.takes_argument != bool(argument) or (colon and not argument):
        forms = ", ".join(known.form for known in KINDS.values())
        near = "" if kind else did_you_mean(word, list(KINDS))
        raise ValueError(f"policy: {spec!r} is not allowed; allowed: {forms}{near}")
    return kind.make(argument, game, trust)


def split_specs(specs: str) -> list[str]:
    """The parts of a list of specs: split at the commas outside parentheses.

    Raises:
        ValueError: an empty part, or parentheses that don't match.
    """
    parts, depth = [""], 0
    for character in specs:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    parts = [part.strip() for part in parts]
    if depth != 0 or not all(parts):
        refuse("policies", specs, "specs with commas between them, every parenthesis closed")
    return parts


def parse_opponents(opponents: Opponents, game: Game, *, trust: bool = False) -> OpponentSampler:
    """The opponents of one learner.

    Args:
        opponents: one spec for all other seats, or one for each, clockwise from the learner's left: a string, or a
            sequence of specs. Each may be a ``mix``.
        game: what they are to play.
        trust: whether files that can run code may be loaded.

    Raises:
        FileNotFoundError, TypeError: see ``make_policy``.
        ValueError: a spec that is not allowed, or a wrong number of them.
    """
    seats = game.num_players - 1
    specs = _listed(opponents)
    if len(specs) not in (1, seats):
        count = f"{len(specs)} specs"
        refuse("opponents", opponents, f"one spec, or one for each of the {seats} other seats, not {count}")
    pool = _Pool(game, trust)
    chosen = [pool.weighted(spec) for spec in specs]
    weights = np.zeros((seats, len(pool.policies)))
    for seat in range(seats):
        for policy, weight in chosen[seat % len(chosen)]:
            weights[seat, policy] += weight
    return OpponentSampler(pool.policies, weights)


class OpponentSampler:
    """Seats the opponents of an episode.

    Attributes:
        policies: those who may be seated. A trainer may append to it, then call ``set_weights``.
        num_seats: how many seats there are to fill, clockwise from the learner's left.
    """

    def __init__(self, policies: Sequence[AnyPolicy], weights: npt.ArrayLike) -> None:
        """
        Args:
            policies: those who may be seated.
            weights: ``(num_seats, len(policies))``: how often each is drawn, relative to the others.

        Raises:
            ValueError: see ``set_weights``.
        """
        self.policies = list(policies)
        self.num_seats = len(np.asarray(weights))
        self.set_weights(weights)

    def set_weights(self, weights: npt.ArrayLike) -> None:
        """Change how often each policy is drawn, from the next episode on.

        Args:
            weights: ``(len(policies),)`` for all seats alike, or ``(num_seats, len(policies))``.

        Raises:
            ValueError: another shape, a negative weight, an infinite one or sum, or a seat without any.
        """
        given = np.asarray(weights, dtype=np.float64)
        if given.ndim == 1:
            given = np.tile(given, (self.num_seats, 1))
        if given.shape != (self.num_seats, len(self.policies)):
            refuse("weights.shape", given.shape, f"({self.num_seats}, {len(self.policies)})")
        with np.errstate(over="ignore"):
            sums = given.sum(axis=1)
        if not np.isfinite(sums).all() or (given < 0).any() or not given.any(axis=1).all():
            refuse("weights", given.tolist(), "numbers of at least 0 with a finite sum, one positive for every seat")
        self._bounds: list[list[float]] = [_upper_bounds(row) for row in given]
        certain = (given > 0).sum(axis=1) == 1
        self._certain = tuple(given.argmax(axis=1).tolist()) if certain.all() else None

    @property
    def certain(self) -> tuple[int, ...] | None:
        """What ``sample`` gives if it is always the same; ``None`` if it is drawn."""
        return self._certain

    def sample(self, rng: np.random.Generator) -> tuple[int, ...]:
        """For each other seat, clockwise from the learner's left, an index into ``policies``, for one episode."""
        if self._certain is not None:
            return self._certain
        draws = rng.random(self.num_seats).tolist()
        return tuple(bisect_right(bounds, draw) for bounds, draw in zip(self._bounds, draws, strict=True))


def _upper_bounds(weights: npt.NDArray[np.float64]) -> list[float]:
    """Where the share of each policy in 0..1 ends; the last that has any ends above all draws."""
    last = int(np.flatnonzero(weights)[-1])
    bounds: list[float] = (np.cumsum(weights[:last]) / weights.sum()).tolist()
    return bounds


class _Pool:
    """The policies of some opponents; equal specs share one, so that it is asked in one batch."""

    def __init__(self, game: Game, trust: bool) -> None:
        self.policies: list[AnyPolicy] = []
        self._game = game
        self._trust = trust
        self._index: dict[str, int] = {}

    def weighted(self, spec: Spec) -> list[tuple[int, float]]:
        """Index and weight of each policy of a spec."""
        if isinstance(spec, str) and spec.startswith(f"{MIX}(") and spec.endswith(")"):
            entries = [weighted_spec(entry) for entry in split_specs(spec[len(MIX) + 1 : -1])]
        else:
            entries = [(spec, 1.0)]
        return [(self._add(entry), weight) for entry, weight in entries]

    def _add(self, spec: Spec) -> int:
        key = spec if isinstance(spec, str) else str(id(spec))
        if key not in self._index:
            self.policies.append(make_policy(spec, self._game, trust=self._trust))
            self._index[key] = len(self.policies) - 1
        return self._index[key]


def weighted_spec(entry: str) -> tuple[Spec, float]:
    """Spec and weight of an entry of a ``mix``: ``greedy:3``; 1 if no weight follows.

    Raises:
        ValueError: a weight of 0 or less.
    """
    spec, colon, weight = entry.rpartition(ARGUMENT)
    if not colon or not _is_number(weight) or not is_whole(spec):
        return entry, 1.0
    if not float(weight) > 0:
        refuse(MIX, entry, "a weight above 0 after the last colon")
    return spec, float(weight)


def is_whole(spec: str) -> bool:
    """Whether nothing more has to follow for a spec to name a policy: ``mcts`` and ``puct:zoo`` lack a number."""
    word, _, argument = spec.partition(ARGUMENT)
    if word == "puct":
        policy, _, budget = argument.partition("?")[0].rpartition(ARGUMENT)
        return is_budget(budget) and is_whole(policy)
    return word not in KINDS or KINDS[word].takes_argument == bool(argument)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _listed(opponents: Opponents) -> list[Spec]:
    if isinstance(opponents, str):
        return [*split_specs(opponents)]
    if isinstance(opponents, Policy | ViewPolicy):
        return [opponents]
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents: {opponents!r} is neither a spec string, a policy, nor a sequence of them")
    return list(opponents)
