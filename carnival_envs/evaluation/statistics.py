"""Estimates with 95 % intervals from games that come in clusters.

Games that share a seed (the same deal, every seating) are not independent, so the seed is the unit: the spread is
that of the means over the games of each seed. Means of scores get Student's interval over those cluster means. Win
shares lie in 0..1 and may be fractional, and near the ends a symmetric interval fails; they get Wilson's interval
with the effective number of games, the number of independent ones that would vary as much (Dean and Pagano 2015,
after Korn and Graubard 1998).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95
FEWEST_CLUSTERS = 3
"""With fewer, an interval would say nothing."""

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean over games with its 95 % interval ``low..high``."""

    mean: float
    low: float
    high: float
    games: int


def estimate_mean(values: Doubles) -> Estimate:
    """The mean of ``values``, ``(clusters, games per cluster)``, with Student's interval over the cluster means."""
    mean, variance = _moments(values)
    half = t_quantile(len(values) - 1) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half, values.size)


def estimate_share(values: Doubles) -> Estimate:
    """The mean of ``values`` in 0..1, ``(clusters, games per cluster)``, with Wilson's interval."""
    share, variance = _moments(values)
    games = effective_games(share, variance, *values.shape)
    t_squared = t_quantile(len(values) - 1) ** 2
    center = (share + t_squared / (2 * games)) / (1 + t_squared / games)
    spread = t_squared * (share * (1 - share) / games + t_squared / (4 * games**2))
    half = math.sqrt(spread) / (1 + t_squared / games)
    return Estimate(share, max(0.0, center - half), min(1.0, center + half), values.size)


def effective_games(share: float, variance: float, clusters: int, cluster_size: int) -> float:
    """How many independent games would estimate a share with this variance; never more than were played.

    Where all games ended alike, their spread tells nothing, and each cluster counts as one game.
    """
    if share in (0.0, 1.0):
        return clusters
    games = clusters * cluster_size
    return games if variance == 0 else min(games, share * (1 - share) / variance)


def _moments(values: Doubles) -> tuple[float, float]:
    """The mean, and the variance of that mean."""
    if len(values) < FEWEST_CLUSTERS:
        raise ValueError(f"clusters: {len(values)} is not allowed; allowed: at least {FEWEST_CLUSTERS}")
    means = values.mean(axis=1)
    return float(means.mean()), float(means.var(ddof=1) / len(means))


def t_quantile(degrees: int) -> float:
    """The upper 2.5 % point of Student's t (Abramowitz and Stegun 26.7.5), within 1 % from 2 degrees of freedom on."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * degrees**4)
    )
