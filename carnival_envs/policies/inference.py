"""The compiled forward pass of a small fully connected network over sparse observations.

One row at a time, in a fixed order of additions: a decision is the same, bit for bit, alone or in a batch of any
size, on any number of threads. Observations are mostly zeros, whose weights are never read; with that, a row costs
no more than in a threaded matrix product and a single decision much less.
"""

from __future__ import annotations

from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.engine import core_sources
from carnival_envs.core.jit import bind, kernel, source_hash
from carnival_envs.core.observation import Floats

__all__ = ["best_actions", "logit_rows"]

TANH, RELU = 0, 1
"""The activations between layers, by index in ``ACTIVATIONS``."""

ACTIVATIONS = ("tanh", "relu")

TANH_IS_ONE = np.float32(8)
"""From there on the hyperbolic tangent is 1 for a float32, within the error of its approximation."""


def lambert_fraction(terms: int) -> tuple[list[np.float32], list[np.float32]]:
    """Lambert's continued fraction of the hyperbolic tangent, ``x / (1 + x^2 / (3 + x^2 / (5 + ...)))``.

    Returns:
        the numerator divided by ``x``, and the denominator: the coefficients of the powers of ``x^2``, from 1 on.
    """
    above, below = [2 * terms - 1], [1]  # the innermost term, a fraction itself
    for odd in range(2 * terms - 3, 0, -2):
        longer = zip_longest((odd * a for a in above), [0, *below], fillvalue=0)
        above, below = [one + other for one, other in longer], above
    return [np.float32(b / above[0]) for b in below], [np.float32(a / above[0]) for a in above]


(P0, P1, P2, P3, P4, P5), (Q0, Q1, Q2, Q3, Q4, Q5, Q6) = lambert_fraction(12)

Integers = npt.NDArray[np.int64]
Masks = npt.NDArray[np.int8]


@kernel
def add_rows(out: Floats, weights: Floats, values: Floats, rows: Integers, count: int) -> None:
    """Add ``values[row] * weights[row]`` to ``out`` for ``rows[:count]``, four rows at a time."""
    fours = count - count % 4
    for k in range(0, fours, 4):
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for j in range(len(out)):
            out[j] += (values[a] * weights[a, j] + values[b] * weights[b, j]) + (
                values[c] * weights[c, j] + values[d] * weights[d, j]
            )
    for k in range(fours, count):
        for j in range(len(out)):
            out[j] += values[rows[k]] * weights[rows[k], j]


@kernel
def nonzero(values: npt.NDArray[Any], rows: Integers) -> int:
    """List where ``values`` is not 0; returns at how many places."""
    count = 0
    for i in range(len(values)):
        rows[count] = i
        count += values[i] != 0
    return count


@kernel
def activate(values: Floats, activation: int) -> None:
    """Apply an activation in place."""
    if activation == TANH:
        for j in range(len(values)):
            values[j] = tanh(values[j])
    else:
        for j in range(len(values)):
            values[j] = max(values[j], np.float32(0))


@kernel
def tanh(x: np.float32) -> np.float32:
    """The hyperbolic tangent, within 1e-6.

    The compiler makes vector code of it, several times faster than calls of the mathematical library.
    """
    x = min(max(x, -TANH_IS_ONE), TANH_IS_ONE)
    y = x * x
    above = ((((P5 * y + P4) * y + P3) * y + P2) * y + P1) * y + P0
    below = (((((Q6 * y + Q5) * y + Q4) * y + Q3) * y + Q2) * y + Q1) * y + Q0
    return x * above / below


@kernel
def affine(
    parameters: Floats, at: int, inputs: int, outputs: int, values: Floats, layer: Floats, rows: Integers
) -> Floats:
    """Weights and biases from ``parameters[at]`` on, applied to ``values``; the result is the begin of ``layer``."""
    bias = at + inputs * outputs
    out = layer[:outputs]
    out[:] = parameters[bias : bias + outputs]
    add_rows(out, parameters[at:bias].reshape(inputs, outputs), values, rows, nonzero(values, rows))
    return out


@kernel
def last_hidden(
    parameters: Floats, sizes: Integers, activation: int, observation: Floats, layers: Floats, rows: Integers
) -> Floats:
    """What the layer before the outputs gives for one observation; the observation itself where there is none."""
    values = observation
    at = 0
    for layer in range(len(sizes) - 2):
        values = affine(parameters, at, sizes[layer], sizes[layer + 1], values, layers[layer % 2], rows)
        activate(values, activation)
        at += (sizes[layer] + 1) * sizes[layer + 1]
    return values


@kernel
def forward(
    parameters: Floats, sizes: Integers, activation: int, observation: Floats, layers: Floats, rows: Integers
) -> Floats:
    """The logits of one observation. ``layers`` (2 rows) and ``rows`` are scratch space as wide as the widest layer."""
    values = last_hidden(parameters, sizes, activation, observation, layers, rows)
    inputs, outputs = sizes[-2], sizes[-1]
    at = len(parameters) - (inputs + 1) * outputs
    return affine(parameters, at, inputs, outputs, values, layers[len(sizes) % 2], rows)


@kernel
def forward_legal(
    parameters: Floats,
    sizes: Integers,
    activation: int,
    observation: Floats,
    mask: Masks,
    layers: Floats,
    rows: Integers,
    legal: Integers,
    logits: Floats,
) -> int:
    """Fill ``logits[:count]`` with those of the legal actions, which are ``legal[:count]``; returns ``count``.

    The others are never computed, which saves a good part of the time where there are many actions and few legal ones.
    """
    values = last_hidden(parameters, sizes, activation, observation, layers, rows)
    inputs, outputs = sizes[-2], sizes[-1]
    bias = len(parameters) - outputs
    weights = parameters[bias - inputs * outputs : bias].reshape(inputs, outputs)
    count = nonzero(mask, legal)
    for k in range(count):
        logits[k] = parameters[bias + legal[k]]
    for i in range(inputs):
        for k in range(count):
            logits[k] += values[i] * weights[i, legal[k]]
    return count


def best_actions(
    parameters: Floats, sizes: Integers, activation: int, observations: Floats, masks: Masks, actions: Integers
) -> None:
    """Fill ``actions`` with the legal action of the greatest logit for each row, the first of equals."""
    widest = sizes.max()
    layers = np.empty((2, widest), np.float32)
    rows = np.empty(widest, np.int64)
    for i in range(len(observations)):
        logits = forward(parameters, sizes, activation, observations[i], layers, rows)
        best = -1
        for action in range(len(logits)):
            if masks[i, action] != 0 and (best < 0 or logits[action] > logits[best]):
                best = action
        actions[i] = best


def logit_rows(parameters: Floats, sizes: Integers, activation: int, observations: Floats, out: Floats) -> None:
    """Fill ``out`` with the logits of each row: float32, ``(batch, num_actions)``."""
    widest = sizes.max()
    layers = np.empty((2, widest), np.float32)
    rows = np.empty(widest, np.int64)
    for i in range(len(observations)):
        out[i] = forward(parameters, sizes, activation, observations[i], layers, rows)


@cache
def inference_loops() -> dict[str, Any]:
    """The loops of this module, by name, each compiled or loaded from disk at its first call."""
    from carnival_envs.policies import inference

    return bind(inference, {}, "inference", source_hash([*core_sources(), Path(__file__)]))
