"""Ratings of results whose strengths are known, and beside those of another library."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest

from carnival_envs.evaluation.ratings import elo, fit, placements, ratings

MANY = 1e9  # games, beside which the prior is nothing


def expected(strengths: list[float], num_seats: int) -> tuple[np.ndarray, np.ndarray]:
    """What Luce's model says of one against the rest, for every ordered pair."""
    own = np.array(strengths)[:, None]
    chance = own / (own + (num_seats - 1) * np.array(strengths))
    games = MANY * (1 - np.eye(len(strengths)))
    return games * chance, games


@pytest.mark.parametrize("num_seats", [2, 3, 6])
def test_strengths_are_recovered(num_seats: int) -> None:
    wins, games = expected([1.0, 10.0, 100.0], num_seats)
    assert ratings(wins, games, num_seats, anchor=0) == pytest.approx([0, 400, 800], abs=0.01)
    assert ratings(wins, games, num_seats) == pytest.approx([-400, 0, 400], abs=0.01)


def test_two_policies_by_hand() -> None:
    """75 of 100 games, and the prior's half of one game: odds of 75.5 to 25.5."""
    wins, games = np.array([[0.0, 75.0], [0.0, 0.0]]), np.array([[0.0, 100.0], [0.0, 0.0]])
    gap = 400 * math.log10(75.5 / 25.5)
    assert ratings(wins, games, 2, anchor=1) == pytest.approx([gap, 0], abs=1e-3)


def test_who_never_lost_stays_finite() -> None:
    wins, games = np.array([[0.0, 100.0], [0.0, 0.0]]), np.array([[0.0, 100.0], [0.0, 0.0]])
    assert ratings(wins, games, 2, anchor=1)[0] == pytest.approx(400 * math.log10(100.5 / 0.5), abs=1e-3)


# Full orders ------------------------------------------------------------------------------------------------------


def test_an_order_is_a_choice_for_each_place_but_the_last() -> None:
    """Seats 0..2 have policies 7, 8, 8; the second seat came in first, then the first."""
    assert placements((7, 8, 8), (2, 1, 3)) == (((7, 8, 8), 8, 1.0), ((7, 8), 7, 1.0))


def test_a_tie_is_every_order_of_who_ties() -> None:
    assert placements((4, 5), (1, 1)) == (((4, 5), 4, 0.5), ((4, 5), 5, 0.5))


def test_who_ties_comes_before_the_rest() -> None:
    """Policies 1 and 2 share the first place, so that each order has two choices, the second without policy 3's win."""
    chosen = placements((1, 2, 3), (1, 1, 3))
    assert chosen == (((1, 2, 3), 1, 0.5), ((2, 3), 2, 0.5), ((1, 2, 3), 2, 0.5), ((1, 3), 1, 0.5))


def test_full_orders_by_hand() -> None:
    """Strengths 1 : 2 : 4 give the six orders of a table of three with Plackett's chances; the fit finds them again."""
    strengths = [1.0, 2.0, 4.0]
    tables = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]], dtype=float)
    kinds = {tuple(np.flatnonzero(table)): kind for kind, table in enumerate(tables)}
    taken, choices = np.zeros(3), np.zeros(4)
    for order in permutations(range(3)):
        first, second, third = (strengths[policy] for policy in order)
        chance = first / 7 * second / (second + third)
        for place in range(2):
            taken[order[place]] += MANY * chance
            choices[kinds[tuple(sorted(order[place:]))]] += MANY * chance
    assert fit(tables, taken, choices) == pytest.approx(np.log([0.5, 1, 2]), abs=1e-6)


def test_samples_are_fitted_side_by_side() -> None:
    tables, choices = np.ones((1, 2)), np.array([[10.0], [40.0]])
    taken = np.array([[7.0, 3.0], [10.0, 30.0]])
    alone = [fit(tables, *one) for one in zip(taken, choices, strict=True)]
    assert fit(tables, taken, choices) == pytest.approx(np.array(alone), abs=1e-7)


def test_ratings_are_relative() -> None:
    logarithms = np.log([[1.0, 10.0, 100.0]])
    assert elo(logarithms, anchor=1) == pytest.approx(np.array([[-400, 0, 400]]))
    assert elo(logarithms) == pytest.approx(np.array([[-400, 0, 400]]))


# Another library --------------------------------------------------------------------------------------------------


def test_two_seats_as_choix_has_them() -> None:
    choix = pytest.importorskip("choix")
    wins = np.random.default_rng(0).integers(1, 40, size=(5, 5)).astype(float) * (1 - np.eye(5))
    pairs = list(combinations(range(5), 2))
    tables = np.array([np.bincount(pair, minlength=5) for pair in pairs], dtype=float)
    choices = np.array([wins[i, j] + wins[j, i] for i, j in pairs])
    assert fit(tables, wins.sum(axis=1), choices, prior=0) == pytest.approx(choix.ilsr_pairwise_dense(wins), abs=1e-5)


def test_full_orders_as_choix_has_them() -> None:
    """Sixty tables of three out of five policies, in random orders."""
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(1)
    orders = [tuple(rng.permutation(5)[:3].tolist()) for _ in range(60)]
    kinds: dict[tuple[int, ...], int] = {}
    taken = np.zeros(5)
    chosen = [choice for order in orders for choice in placements(order, (1, 2, 3))]
    for left, taker, _ in chosen:
        kinds[left] = kinds.get(left, 0) + 1
        taken[taker] += 1
    tables = np.array([np.bincount(left, minlength=5) for left in kinds], dtype=float)
    fitted = fit(tables, taken, np.array(list(kinds.values()), dtype=float), prior=0)
    assert fitted == pytest.approx(choix.ilsr_rankings(5, orders), abs=1e-5)
