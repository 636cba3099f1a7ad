"""The policies that need no training."""

from __future__ import annotations

import numpy as np
import pytest

from carnival_envs import load_game, make_batch
from carnival_envs.core.views import Views
from carnival_envs.policies.base import choose
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.random import RandomPolicy, RandomSampler
from carnival_envs.registry import GAMES


def masks(count: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    rows = (rng.random((count, 12)) < 0.4).astype(np.int8)
    rows[:, 5] = 1
    return rows


def test_random_play_is_legal_and_uniform() -> None:
    mask = np.zeros((30_000, 5), dtype=np.int8)
    mask[:, [0, 2, 3]] = 1
    actions = RandomPolicy().act(np.zeros((len(mask), 1), np.float32), mask, np.random.default_rng(1))
    counts = np.bincount(actions, minlength=5)
    assert counts[[1, 4]].tolist() == [0, 0]
    # each of the three is binomial(30000, 1/3), with a standard deviation of 82
    assert np.abs(counts[[0, 2, 3]] - 10_000).max() < 5 * 82


def test_random_play_follows_its_generator() -> None:
    rows, observations = masks(100), np.zeros((100, 1), np.float32)
    first, second, other = (
        RandomPolicy().act(observations, rows, np.random.default_rng(seed)).tolist() for seed in (4, 4, 5)
    )
    assert first == second != other


def test_the_sampler_draws_legal_actions() -> None:
    rows = masks(200)
    sampler, same = RandomSampler(seed=3), RandomSampler(seed=3)
    drawn = [sampler.sample(row) for row in rows]
    assert all(rows[i, action] for i, action in enumerate(drawn))
    assert same.sample_batch(rows).tolist() == drawn


def test_the_sampler_says_when_nothing_is_legal() -> None:
    assert RandomSampler(seed=0).sample(np.zeros(4, np.int8)) == -1


def test_the_sampler_checks_its_seed() -> None:
    with pytest.raises(ValueError, match="seed: -1"):
        RandomSampler(seed=-1)


@pytest.mark.parametrize("name", GAMES)
def test_greedy_decides_from_views(name: str) -> None:
    """The batch of views gives what each view gives alone, and every action is legal."""
    batch = make_batch(name, num_games=16, seed=5)
    batch.reset()
    sampler = RandomSampler(seed=6)
    for _ in range(10):
        batch.step(sampler.sample_batch(batch.action_masks))
    states = [batch.state(index) for index in range(16)]
    together = GreedyPolicy().act_on_views(Views.of_states(states), np.random.default_rng(8))
    assert all(batch.action_masks[i, action] for i, action in enumerate(together))
    alone = [int(choose(GreedyPolicy(), Views.of_states([state]), np.random.default_rng(8))[0]) for state in states]
    assert alone[0] == together[0]  # later rows may draw from the stream that the first has left behind


def test_choose_asks_each_kind_of_policy() -> None:
    views = Views.of_states([load_game("carnavalesco").new_initial_state(seed=1)])

    class Last:
        def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:  # noqa: ARG002
            assert observations.shape == (1, views.game.observation_size)
            return np.array([masks[0].nonzero()[0][-1]])

    legal = views.masks[0].nonzero()[0]
    assert choose(Last(), views, np.random.default_rng(0)).tolist() == [legal[-1]]
    assert choose(GreedyPolicy(), views, np.random.default_rng(0))[0] in legal
