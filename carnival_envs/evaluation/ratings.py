"""Ratings: one number for each policy, from the orders in which tables finished.

The model is Luce's (Bradley and Terry 1952 with two seats, Plackett 1975 with more): a table is ranked from its first
place down, and the chance of each seat that is left to take a place is proportional to the strength of who sits
there. Ratings are the logarithms of the strengths on Elo's scale, where 400 points are odds of 10 to 1 head to head.
One number can't tell of policies that beat each other in a circle; the matrix of an evaluation can, and
``alpha_rank``.

Several seats of a table may have the same policy, seats may tie, and a bootstrap asks for a thousand fits: libraries
for Luce's model take none of these, so that the fit is done here, for all samples at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, groupby, permutations, product

import numpy as np
import numpy.typing as npt

ELO_SCALE = 400.0
MAX_ITERATIONS = 10_000
TOLERANCE = 1e-9

PRIOR_CHOICES = 1.0
"""Choices that each kind of table is taken to have seen before, all seats alike: who never lost stays finite."""

Doubles = npt.NDArray[np.float64]

Seats = tuple[int, ...]
"""Who sits at a table, or what befell him there: one number for each seat."""


def fit(tables: Doubles, taken: Doubles, choices: Doubles, *, prior: float = PRIOR_CHOICES) -> Doubles:
    """The most likely strengths, by the minorise-maximise iteration of Hunter (2004).

    Args:
        tables: ``(kinds, policies)``: how many seats of each kind of table each policy has.
        taken: ``(..., policies)``: how many places each policy took.
        choices: ``(..., kinds)``: how many places were taken at each kind of table.
        prior: choices added to each kind of table, shared by all its seats.

    Returns:
        the logarithms of the strengths, ``(..., policies)``; their mean is 0.
    """
    taken = taken + prior * (tables / tables.sum(axis=1, keepdims=True)).sum(axis=0)
    choices = choices + prior
    strengths = np.ones_like(taken)
    for _ in range(MAX_ITERATIONS):
        updated = taken / ((choices / (strengths @ tables.T)) @ tables)
        updated /= np.exp(np.log(updated).mean(axis=-1, keepdims=True))
        settled = np.abs(np.log(updated / strengths)).max() < TOLERANCE
        strengths = updated
        if settled:
            break
    logarithms: Doubles = np.log(strengths)
    return logarithms


def elo(logarithms: Doubles, anchor: int | None = None) -> Doubles:
    """Logarithms of strengths on Elo's scale, ``(..., policies)``; 0 is the policy ``anchor``, or the mean."""
    points = ELO_SCALE / np.log(10) * logarithms
    zero = points.mean(axis=-1, keepdims=True) if anchor is None else points[..., anchor, None]
    rated: Doubles = points - zero
    return rated


def ratings(wins: Doubles, games: Doubles, num_seats: int, anchor: int | None = None) -> list[float]:
    """The ratings that follow from who won, whatever came after the first place.

    Args:
        wins: ``(policies, policies)``: the sum of the win shares of the first policy, in one seat of tables whose
            other seats the second has.
        games: ``(policies, policies)``: how many games that were; 0 where they did not meet.
        num_seats: how many seats a table has, at least 2.
        anchor: the policy whose rating is 0; otherwise the mean is 0.
    """
    policies, opponents = games.nonzero()
    one_of = np.eye(len(wins))
    tables = one_of[policies] + (num_seats - 1) * one_of[opponents]
    won, played = wins[policies, opponents], games[policies, opponents]
    taken = won @ one_of[policies] + (played - won) @ one_of[opponents]
    values: list[float] = elo(fit(tables, taken, played), anchor).tolist()
    return values


@cache
def placements(seating: Seats, ranks: Seats) -> tuple[tuple[Seats, int, float], ...]:
    """The choices that the order of a table tells of.

    Args:
        seating: the policy in each seat.
        ranks: the rank of each seat, 1 for the first; seats may share one.

    Returns:
        for every place but the last: the policies of the seats still to be placed, ascending, the policy that took
        the place, and how much that counts. Seats of one rank may have come in in any order, each as likely.
    """
    orders = tuple(orders_of(ranks))
    return tuple(
        (tuple(sorted(seating[seat] for seat in order[place:])), seating[order[place]], 1 / len(orders))
        for order in orders
        for place in range(len(order) - 1)
    )


def orders_of(ranks: Seats) -> Iterator[Seats]:
    """Every order of the seats, first place first, that the ranks allow."""

    def rank(seat: int) -> int:
        return ranks[seat]

    groups = [tuple(seats) for _, seats in groupby(sorted(range(len(ranks)), key=rank), key=rank)]
    for order in product(*map(permutations, groups)):
        yield tuple(chain.from_iterable(order))
