"""Policies that take the baseline bot's advice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from carnival_envs import load_game
from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.network import AdvisedPolicy, Network, NetworkPolicy, advise, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, read_policy_file, write_policy_file
from carnival_envs.policies.specs import make_policy

GAME = load_game("carnavalesco", num_players=2)
SIZES = (GAME.observation_size + GAME.num_actions, GAME.num_actions)


def states(count: int) -> list[State]:
    """Positions after a few random moves each."""
    rng = np.random.default_rng(1)
    made = []
    for seed in range(count):
        state = GAME.new_initial_state(seed=seed)
        for _ in range(2 * seed):
            state.apply_action(int(rng.choice(state.legal_actions())))
        made.append(state)
    return made


def network(bias: npt.NDArray[np.float32] | None = None) -> Network:
    """A linear network that has the same logits for everything."""
    parameters = np.zeros(num_parameters(SIZES), np.float32)
    if bias is not None:
        parameters[-GAME.num_actions :] = bias
    return Network(SIZES, "tanh", parameters)


def test_without_an_opinion_of_its_own_it_plays_as_the_bot() -> None:
    """The bot of Carnavalesco draws nothing, so that its choices can be compared."""
    views = Views.of_states(states(10))
    bot = GreedyPolicy().act_on_views(views, np.random.default_rng(0))
    chosen = AdvisedPolicy(network(), weight=1.0).act_on_views(views, np.random.default_rng(0))
    np.testing.assert_array_equal(chosen, bot)


@pytest.mark.parametrize(("weight", "follows"), [(1.0, False), (3.0, True)])
def test_the_network_is_followed_where_it_wants_something_by_more_than_the_weight(weight: float, follows: bool) -> None:
    state = states(3)[2]
    views = Views.of_states([state])
    bot = int(GreedyPolicy().act_on_views(views, np.random.default_rng(0))[0])
    other = next(action for action in state.legal_actions() if action != bot)
    bias = np.zeros(GAME.num_actions, np.float32)
    bias[other] = 2.0
    chosen = AdvisedPolicy(network(bias), weight).act_on_views(views, np.random.default_rng(0))[0]
    assert chosen == (bot if follows else other)


def test_the_advice_is_the_last_part_of_what_it_sees() -> None:
    views = Views.of_states(states(4))
    seen, choices = advise(views, np.random.default_rng(0))
    np.testing.assert_array_equal(seen[:, : GAME.observation_size], views.observations())
    np.testing.assert_array_equal(seen[:, GAME.observation_size :], np.eye(GAME.num_actions)[choices])


def test_drawn_actions_follow_the_weight() -> None:
    """With no other preference the bot's choice of n legal actions has e**w / (e**w + n - 1) of the draws."""
    state = states(3)[2]
    views = Views.of_states([state] * 4000)
    bot = GreedyPolicy().act_on_views(views, np.random.default_rng(0))
    chosen = AdvisedPolicy(network(), weight=2.0, sample=True).act_on_views(views, np.random.default_rng(0))
    wanted = np.exp(2) / (np.exp(2) + len(state.legal_actions()) - 1)
    assert np.mean(chosen == bot) == pytest.approx(wanted, abs=0.04)


def test_a_policy_file_keeps_the_weight(tmp_path: Path) -> None:
    path = tmp_path / "advised.npz"
    write_policy_file(path, PolicyFile.of(GAME, network(), advice=2.5))
    assert read_policy_file(path).advice == 2.5
    policy = make_policy(f"policy:{path}", GAME)
    assert isinstance(policy, AdvisedPolicy)
    assert policy.weight == 2.5


def test_a_network_of_the_wrong_width_is_refused() -> None:
    plain = Network((GAME.observation_size, GAME.num_actions), "tanh", np.zeros((831 + 1) * 56, np.float32))
    assert isinstance(PolicyFile.of(GAME, plain).policy(), NetworkPolicy)
    with pytest.raises(ValueError, match="has 831 inputs and 56 outputs; carnavalesco needs 887 and 56"):
        PolicyFile.of(GAME, plain, advice=1.0)
