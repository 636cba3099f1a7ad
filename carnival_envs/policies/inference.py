"""The compiled forward pass of a small fully connected network over sparse observations.

One row at a time, in a fixed order of additions: a decision is the same, bit for bit, alone or in a batch of any
size, on any number of threads. Observations are mostly zeros, whose weights are never read; with that, a row costs
no more than in a threaded matrix product and a single decision much less.
"""

from __future__ import annotations

from functools import cache
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
def nonzero(values: Floats, rows: Integers) -> int:
    """List where ``values`` is not 0; returns at how many places."""
    count = 0
    for i in range(len(values)):
        rows[count] = i
        count += values[i] != 0
    return count


@kernel
def activate(values: Floats, activation: int) -> None:
    """Apply an activation in place."""
    for j in range(len(values)):
        if activation == TANH:
            values[j] = np.tanh(values[j])
        else:
            values[j] = max(values[j], np.float32(0))


@kernel
def forward(
    parameters: Floats, sizes: Integers, activation: int, observation: Floats, layers: Floats, rows: Integers
) -> Floats:
    """The logits of one observation. ``layers`` (2 rows) and ``rows`` are scratch space as wide as the widest layer."""
    values = observation
    at = 0
    for layer in range(len(sizes) - 1):
        inputs, outputs = sizes[layer], sizes[layer + 1]
        bias = at + inputs * outputs
        out = layers[layer % 2, :outputs]
        out[:] = parameters[bias : bias + outputs]
        add_rows(out, parameters[at:bias].reshape(inputs, outputs), values, rows, nonzero(values, rows))
        if layer < len(sizes) - 2:
            activate(out, activation)
        values = out
        at = bias + outputs
    return values


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
