"""Ratings of results whose strengths are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carnival_envs.evaluation.ratings import ratings

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
