"""Alpha-rank (Omidshafiei et al. 2019): who is played in the long run when better policies spread.

A population plays one policy. Now and then a mutant tries another, and the better it does against the population, the
likelier it takes it over. The share of time that each policy holds the population in the long run is its *mass*.
Policies that beat each other in a circle share the mass, where a rating would put them in an order.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

SELECTION = 10.0
"""How strongly a better return is selected for, the *alpha* of the name."""

POPULATION = 50

LARGEST_EXPONENT = 700.0
"""A mutant so hopeless that the exponential would overflow is taken to be a little less so."""

Doubles = npt.NDArray[np.float64]


def alpha_rank(payoffs: Doubles, *, selection: float = SELECTION, population: int = POPULATION) -> Doubles:
    """The masses of policies.

    Args:
        payoffs: ``(..., policies, policies)``: the return of a player of the first policy against the second.
        selection: how strongly a better return is selected for.
        population: how many players there are.

    Returns:
        float64, ``(..., policies)``; they sum to 1.
    """
    count = payoffs.shape[-1]
    advantage = np.swapaxes(payoffs, -1, -2) - payoffs  # [i, j]: of a mutant j in a population of i
    spread = takeover(advantage, selection, population) / max(1, count - 1)
    spread[..., range(count), range(count)] = 0
    staying = np.eye(count) * (1 - spread.sum(axis=-1))[..., None]
    # In the long run as much comes in as goes out. One such balance follows from the others; in its place, all masses
    # sum to 1.
    flow = np.swapaxes(spread + staying, -1, -2) - np.eye(count)
    flow[..., -1, :] = 1
    total = np.zeros((*payoffs.shape[:-2], count, 1))
    total[..., -1, 0] = 1
    masses: Doubles = np.linalg.solve(flow, total)[..., 0]
    return np.clip(masses, 0.0, 1.0)


def takeover(advantage: Doubles, selection: float, population: int) -> Doubles:
    """The chance of a single mutant to take over a population, by its advantage in returns."""
    drive = np.maximum(selection * advantage, -LARGEST_EXPONENT / population)
    level = np.abs(drive) < np.finfo(np.float64).eps
    some = np.where(level, 1.0, drive)
    chance: Doubles = np.where(level, 1 / population, np.expm1(-some) / np.expm1(-population * some))
    return chance
