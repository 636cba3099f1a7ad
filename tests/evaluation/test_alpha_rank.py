"""Alpha-rank against examples that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carnival_envs.evaluation.alpha_rank import alpha_rank, takeover

ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def test_a_takeover_by_hand() -> None:
    """Selection ln 2, two players: (1 - 1/2) / (1 - 1/4) = 2/3 with an advantage of 1, and (1 - 2) / (1 - 4) = 1/3."""
    chances = takeover(np.array([1.0, -1.0, 0.0]), math.log(2), 2)
    assert chances == pytest.approx([2 / 3, 1 / 3, 1 / 2])


def test_two_policies_by_hand() -> None:
    """The first is better by 1; it is left with chance 1/3 and taken with 2/3, so that it has twice the mass."""
    payoffs = np.array([[0.0, 0.5], [-0.5, 0.0]])
    assert alpha_rank(payoffs, selection=math.log(2), population=2) == pytest.approx([2 / 3, 1 / 3])


def test_a_circle_shares_the_mass() -> None:
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3, 1 / 3, 1 / 3])


def test_who_loses_to_a_circle_has_no_mass() -> None:
    payoffs = np.full((4, 4), -1.0)
    payoffs[:3, :3] = ROCK_PAPER_SCISSORS
    payoffs[:3, 3] = 1.0
    assert alpha_rank(payoffs) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)


def test_an_uneven_circle_by_hand() -> None:
    """Under strong selection mutants that lose never spread. Those that win do so with chance 1 - exp(-selection gap):
    the population stays with a policy for a time inverse to the chance to be taken over.
    """
    gaps = np.array([0.02, 0.04, 0.08])  # the lead of 1 over 0, of 2 over 1, of 0 over 2
    payoffs = np.zeros((3, 3))
    for loser, gap in enumerate(gaps):
        winner = (loser + 1) % 3
        payoffs[winner, loser], payoffs[loser, winner] = gap / 2, -gap / 2
    stays = 1 / (1 - np.exp(-10 * gaps))
    assert alpha_rank(payoffs, selection=10, population=10_000) == pytest.approx(stays / stays.sum(), abs=1e-6)


def test_equals_share() -> None:
    assert alpha_rank(np.zeros((4, 4))) == pytest.approx([0.25] * 4)


def test_the_best_takes_all_however_strong_selection_is() -> None:
    payoffs = np.array([[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [-1.0, -1.0, 0.0]])
    assert alpha_rank(payoffs, selection=1e4) == pytest.approx([1, 0, 0])


def test_many_matrices_at_once() -> None:
    both = alpha_rank(np.stack([ROCK_PAPER_SCISSORS, np.zeros((3, 3))]))
    assert both == pytest.approx(np.full((2, 3), 1 / 3))
