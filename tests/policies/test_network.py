"""The compiled forward pass against one written in NumPy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from carnival_envs.policies.inference import forward_legal, lambert_fraction
from carnival_envs.policies.network import Network, NetworkPolicy, ValueNetwork, num_parameters

SIZES = (23, 16, 10, 7)


def layers(sizes: tuple[int, ...] = SIZES, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    return [(rng.normal(size=shape).astype(np.float32), rng.normal(size=shape[1]).astype(np.float32))
            for shape in pairwise(sizes)]  # fmt: skip


def observations(count: int = 50, density: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(1)
    dense = rng.normal(size=(count, SIZES[0]))
    return (dense * (rng.random(dense.shape) < density)).astype(np.float32)


def masks(count: int = 50) -> np.ndarray:
    rows = (np.random.default_rng(2).random((count, SIZES[-1])) < 0.5).astype(np.int8)
    rows[:, 3] = 1
    return rows


def logits_by_numpy(rows: np.ndarray, activation: str, sizes: tuple[int, ...] = SIZES) -> np.ndarray:
    values = rows.astype(np.float64)
    for index, (weights, biases) in enumerate(layers(sizes)):
        values = values @ weights + biases
        if index < len(sizes) - 2:
            values = np.tanh(values) if activation == "tanh" else np.maximum(values, 0)
    return values


def test_layers_are_those_that_it_was_made_from() -> None:
    for found, made in zip(Network.from_layers(layers(), "tanh").layers(), layers(), strict=True):
        np.testing.assert_array_equal(found[0], made[0])
        np.testing.assert_array_equal(found[1], made[1])


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("density", [0.0, 0.3, 1.0])
def test_logits(activation: str, density: float) -> None:
    network = Network.from_layers(layers(), activation)
    rows = observations(density=density)
    np.testing.assert_allclose(network.logits(rows), logits_by_numpy(rows, activation), atol=1e-4)


@pytest.mark.parametrize("sizes", [(23, 7), (23, 64, 7), (23, 3, 40, 5, 7)])
def test_any_number_of_layers(sizes: tuple[int, ...]) -> None:
    network = Network.from_layers(layers(sizes), "tanh")
    rows = observations()
    np.testing.assert_allclose(network.logits(rows), logits_by_numpy(rows, "tanh", sizes), atol=1e-4)


def test_logits_of_the_legal_actions_alone() -> None:
    network, rows = Network.from_layers(layers(), "tanh"), observations()
    wanted, allowed = logits_by_numpy(rows, "tanh"), masks()
    scratch, numbers = np.empty((2, SIZES[0]), np.float32), np.empty(SIZES[0], np.int64)
    legal, logits = np.empty(SIZES[0], np.int64), np.empty(SIZES[0], np.float32)
    for row, mask, expected in zip(rows, allowed, wanted, strict=True):
        count = forward_legal(*network.compiled, row, mask, scratch, numbers, legal, logits)
        assert legal[:count].tolist() == mask.nonzero()[0].tolist()
        np.testing.assert_allclose(logits[:count], expected[mask != 0], atol=1e-4)


def test_the_hyperbolic_tangent_is_near_enough() -> None:
    x = np.concatenate([np.linspace(-12, 12, 4001), [-np.inf, -1e30, 1e30, np.inf]]).astype(np.float32)
    rows = np.zeros((len(x), 1), np.float32)
    rows[:, 0] = x
    network = Network.from_layers([(np.ones((1, 1)), np.zeros(1)), (np.ones((1, 1)), np.zeros(1))], "tanh")
    np.testing.assert_allclose(network.logits(rows)[:, 0], np.tanh(x.astype(np.float64)), atol=1e-6)


def test_lambert_fraction_by_hand() -> None:
    """With three terms ``x / (1 + y / (3 + y / 5)) = x (15 + y) / (15 + 6 y)``, where ``y = x^2``."""
    above, below = lambert_fraction(3)
    np.testing.assert_allclose(above, [1, 1 / 15], rtol=1e-6)
    np.testing.assert_allclose(below, [1, 6 / 15], rtol=1e-6)


def test_a_value_network_has_one_output_and_foretells_known_returns() -> None:
    with pytest.raises(ValueError, match=r"sizes of a value network: \(1, 2\) is not allowed; allowed: one output"):
        ValueNetwork(Network((1, 2), "tanh", np.zeros(4, np.float32)))
    with pytest.raises(ValueError, match="reward: 'money'"):
        ValueNetwork(Network((1, 1), "tanh", np.zeros(2, np.float32)), "money")


def test_the_best_legal_action_is_played() -> None:
    network = Network.from_layers(layers(), "tanh")
    allowed = np.where(masks() != 0, logits_by_numpy(observations(), "tanh"), -np.inf)
    actions = NetworkPolicy(network).act(observations(), masks(), np.random.default_rng(0))
    assert actions.tolist() == allowed.argmax(axis=1).tolist()


def test_equal_logits_give_the_first_legal_action() -> None:
    network = Network.from_layers([(np.zeros((2, 4)), np.zeros(4))], "relu")
    assert network.best_actions(np.ones((1, 2), np.float32), np.array([[0, 0, 1, 1]], np.int8)).tolist() == [2]


def test_a_row_is_the_same_in_every_batch() -> None:
    network = Network.from_layers(layers(), "tanh")
    together = network.logits(observations())
    alone = np.concatenate([network.logits(row[None]) for row in observations()])
    assert together.tobytes() == alone.tobytes()


def test_sampling_follows_the_distribution() -> None:
    """Three legal actions with probabilities 0.6, 0.3, 0.1; the illegal one has the greatest logit."""
    biases = np.array([np.log(0.6), 9.0, np.log(0.3), np.log(0.1)])
    policy = NetworkPolicy(Network.from_layers([(np.zeros((1, 4)), biases)], "tanh"), sample=True)
    count = 20_000
    mask = np.tile(np.array([1, 0, 1, 1], np.int8), (count, 1))
    actions = policy.act(np.zeros((count, 1), np.float32), mask, np.random.default_rng(3))
    shares = np.bincount(actions, minlength=4) / count
    np.testing.assert_allclose(shares, [0.6, 0, 0.3, 0.1], atol=5 * np.sqrt(0.25 / count))


def test_a_network_is_a_copy() -> None:
    source = layers()
    network = Network.from_layers(source, "tanh")
    before = network.logits(observations())
    for weights, biases in source:
        weights[:] = 0
        biases[:] = 0
    assert network.logits(observations()).tolist() == before.tolist()


def test_number_of_parameters() -> None:
    assert num_parameters((3, 5, 2)) == 3 * 5 + 5 + 5 * 2 + 2


@pytest.mark.parametrize(
    ("sizes", "activation", "count", "message"),
    [
        ((3,), "tanh", 0, "sizes"),
        ((3, 0, 2), "tanh", 2, "sizes"),
        ((3, 2), "gelu", 8, "activation: 'gelu' is not allowed; allowed: 'tanh' or 'relu'"),
        ((3, 2), "tanh", 7, r"parameters.shape: \(7,\) is not allowed; allowed: \(8,\)"),
    ],
)
def test_what_makes_no_network(sizes: tuple[int, ...], activation: str, count: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Network(sizes, activation, np.zeros(count, np.float32))


def test_parameters_are_finite() -> None:
    with pytest.raises(ValueError, match="not finite"):
        Network((1, 1), "tanh", np.array([np.nan, 0], np.float32))


def test_layers_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="layers"):
        Network.from_layers([(np.zeros((2, 3)), np.zeros(3)), (np.zeros((4, 1)), np.zeros(1))], "tanh")


def test_shapes_are_checked() -> None:
    network = Network.from_layers(layers(), "tanh")
    with pytest.raises(ValueError, match=r"observations.shape: \(2, 22\)"):
        network.logits(np.zeros((2, 22), np.float32))
    with pytest.raises(ValueError, match=r"masks.shape: \(2, 6\)"):
        network.best_actions(np.zeros((2, 23), np.float32), np.zeros((2, 6), np.int8))
