"""The intervals against tables, hand calculation and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carnival_envs.evaluation.statistics import (
    effective_games,
    estimate_mean,
    estimate_share,
    t_quantile,
)


@pytest.mark.parametrize(
    ("degrees", "tabulated"), [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)]
)
def test_student_by_the_table(degrees: int, tabulated: float) -> None:
    assert t_quantile(degrees) == pytest.approx(tabulated, rel=0.01)


def test_a_mean_by_hand() -> None:
    """Cluster means 1, 2, 3, 6: mean 3, variance 14/3, standard error sqrt(14/12), t(3) = 3.182."""
    values = np.array([[0.0, 2.0], [1.0, 3.0], [3.0, 3.0], [4.0, 8.0]])
    estimate = estimate_mean(values)
    assert (estimate.mean, estimate.games) == (3.0, 8)
    half = 3.182 * math.sqrt(14 / 12)
    assert estimate.high == pytest.approx(3 + half, abs=0.01)
    assert estimate.low == pytest.approx(3 - half, abs=0.01)


def test_a_share_of_independent_games_is_wilsons() -> None:
    """60 of 100 single games; Wilson's 95 % interval is 0.5020..0.6906 (with z; Student's t widens it by 1 %)."""
    values = np.array([1.0] * 60 + [0.0] * 40)[:, None]
    estimate = estimate_share(values)
    assert estimate.mean == 0.6
    assert estimate.low == pytest.approx(0.5020, abs=0.003)
    assert estimate.high == pytest.approx(0.6906, abs=0.003)


def test_games_that_repeat_each_other_count_once() -> None:
    single = np.array([1.0] * 60 + [0.0] * 40)[:, None]
    repeated = np.repeat(single, 4, axis=1)
    assert estimate_share(repeated).low == pytest.approx(estimate_share(single).low)
    assert estimate_share(repeated).games == 400


def test_paired_games_never_count_as_more_than_were_played() -> None:
    """Every seed is won from one seat and lost from the other: no spread at all, yet the interval has a width."""
    paired = np.tile([1.0, 0.0], (50, 1))
    assert effective_games(0.5, 0.0, 50, 2) == 100
    estimate = estimate_share(paired)
    assert estimate.mean == 0.5
    assert 0.39 < estimate.low < 0.41


def test_winning_all_is_no_certainty() -> None:
    """Wilson's lower bound for n of n is n / (n + z^2); the seeds count, not the games."""
    estimate = estimate_share(np.ones((100, 2)))
    assert (estimate.mean, estimate.high) == (1.0, pytest.approx(1.0))
    assert estimate.low == pytest.approx(100 / (100 + 1.984**2), abs=0.001)


def test_few_clusters_are_refused() -> None:
    with pytest.raises(ValueError, match="clusters: 2"):
        estimate_mean(np.zeros((2, 5)))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_intervals_cover_what_they_should(share: float) -> None:
    """2,000 simulated evaluations of 100 seeds with correlated pairs of games: 95 % of the intervals hold the truth.

    Each seed has its own chance to win, beta distributed around the true one.
    """
    rng = np.random.default_rng(0)
    evaluations = 2000
    chances = rng.beta(4 * share, 4 * (1 - share), size=(evaluations, 100, 1))
    games = (rng.random((evaluations, 100, 2)) < chances).astype(np.float64)
    estimates = [estimate_share(values) for values in games]
    covered = np.mean([estimate.low <= share <= estimate.high for estimate in estimates])
    assert 0.93 < covered < 0.975
