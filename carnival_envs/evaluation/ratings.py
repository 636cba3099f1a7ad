"""Ratings: one number for each policy, from who won at which table.

The model is Luce's: at a table the chance of each seat to win is proportional to the strength of who sits there.
Ratings are the logarithms of the strengths on Elo's scale, where 400 points are odds of 10 to 1 head to head. One
number can't tell of policies that beat each other in a circle; the matrix of an evaluation can.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

ELO_SCALE = 400.0
MAX_ITERATIONS = 10_000
TOLERANCE = 1e-9

PRIOR_GAMES = 1.0
"""Games that each table is taken to have seen before, won by all seats alike: who never lost stays finite."""

Doubles = npt.NDArray[np.float64]


def ratings(wins: Doubles, games: Doubles, num_seats: int, anchor: int | None = None) -> list[float]:
    """The most likely ratings, by the minorise-maximise iteration of Hunter (2004).

    Args:
        wins: ``(policies, policies)``: the sum of the win shares of the first policy, in one seat of tables whose
            other seats the second has.
        games: ``(policies, policies)``: how many games that were; 0 where they did not meet.
        num_seats: how many seats a table has, at least 2.
        anchor: the policy whose rating is 0; otherwise the mean is 0.
    """
    met = games > 0
    games = games + PRIOR_GAMES * met
    wins = wins + PRIOR_GAMES * met / num_seats
    others = num_seats - 1
    total_wins = wins.sum(axis=1) + (games - wins).sum(axis=0)
    strengths = np.ones(len(wins))
    for _ in range(MAX_ITERATIONS):
        per_strength = games / (strengths[:, None] + others * strengths)
        updated = total_wins / (per_strength.sum(axis=1) + others * per_strength.sum(axis=0))
        updated /= np.exp(np.log(updated).mean())
        settled = np.abs(np.log(updated / strengths)).max() < TOLERANCE
        strengths = updated
        if settled:
            break
    logarithms = ELO_SCALE * np.log10(strengths)
    values: list[float] = (logarithms - (logarithms.mean() if anchor is None else logarithms[anchor])).tolist()
    return values
