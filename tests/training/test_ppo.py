"""The learner: the quantities of PPO against SB3's own, rewards that belong to their decisions, exact counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from carnival_envs.envs.sb3 import SB3VecEnv
from carnival_envs.envs.seats import SeatBatch
from tests.training.toy import CHOICES, ToyGames
from training.config import TrainConfig, config_of
from training.ppo import Rollout, SelfPlayPPO
from training.stopwatch import ENVIRONMENT, LEARNING, NETWORK, Stopwatch
from training.yaml_file import parse_yaml


def configured(*overrides: str) -> TrainConfig:
    small = ["ppo.num_games=8", "ppo.rollout_steps=12", "ppo.batch_size=96", "network.hidden_layers=[16]", "threads=1"]
    return config_of(parse_yaml("game: carnavalesco", "test"), [*small, *overrides])


def playing(config: TrainConfig) -> SelfPlayPPO:
    """A learner of the real game, ready to play."""
    games = SeatBatch(config.load_game(), config.ppo.num_games, "random", reward=config.reward)
    games.reset(seed=1)
    return SelfPlayPPO(config, games, Stopwatch())


def test_advantages_by_hand() -> None:
    """Two steps, one game: the first decision goes on, the second ends it; then a game under way."""
    rollout = Rollout(3, 1, 1, 1)
    rollout.values[:, 0] = torch.tensor([0.5, 1.0, -1.0, 2.0])
    rollout.rewards[:, 0] = torch.tensor([0.25, 3.0, 0.0])
    rollout.unfinished[:, 0] = torch.tensor([1.0, 0.0, 1.0])
    # surprises: 0.25 + 0.5 * 1 - 0.5 = 0.25;  3 - 1 = 2;  0 + 0.5 * 2 + 1 = 2;  then 0.25 + 0.5 * 0.8 * 2 = 1.05
    advantages = rollout.advantages(3, gamma=0.5, gae_lambda=0.8)
    assert advantages[:, 0].tolist() == pytest.approx([1.05, 2.0, 2.0])


def test_a_gradient_step_is_that_of_maskable_ppo() -> None:
    """The same rollout through SB3's buffer and ``MaskablePPO.train`` gives the same networks."""
    config = configured("ppo.epochs=3", "ppo.gamma=0.9", "ppo.entropy_coefficient=0.1", "ppo.learning_rate=0.01")
    learner = playing(config)
    reference = MaskablePPO(
        "MlpPolicy",
        SB3VecEnv(learner.games),
        learning_rate=0.01,
        n_steps=12,
        batch_size=96,
        n_epochs=3,
        gamma=0.9,
        gae_lambda=0.95,
        ent_coef=0.1,
        policy_kwargs=learner.policy_kwargs,
        device="cpu",
    )
    reference.set_logger(Logger(None, []))
    reference.policy.load_state_dict(learner.policy.state_dict())
    decisions = learner.collect(96)
    fill_buffer(reference, learner.rollout)
    statistics = learner.update(decisions, progress=0.0)
    reference.train()
    for name, wanted in reference.policy.state_dict().items():
        torch.testing.assert_close(learner.policy.state_dict()[name], wanted, atol=2e-4, rtol=1e-3)
    logged: dict[str, Any] = reference.logger.name_to_value
    assert statistics["value_loss"] == pytest.approx(logged["train/value_loss"], rel=1e-3)
    assert statistics["entropy"] == pytest.approx(-logged["train/entropy_loss"], rel=1e-3)
    assert statistics["explained_variance"] == pytest.approx(logged["train/explained_variance"], abs=1e-3)


def fill_buffer(reference: MaskablePPO, rollout: Rollout) -> None:
    """Put a rollout into SB3's buffer, step by step, as its own ``collect_rollouts`` would."""
    buffer = reference.rollout_buffer
    starts = np.ones(reference.n_envs)
    for step in range(len(rollout.actions)):
        buffer.add(
            rollout.observations[step].numpy(),
            rollout.actions[step].numpy().reshape(-1, 1),
            rollout.rewards[step].numpy(),
            starts,
            rollout.values[step],
            rollout.log_probs[step],
            action_masks=rollout.masks[step].numpy(),
        )
        starts = 1 - rollout.unfinished[step].numpy()
    buffer.compute_returns_and_advantage(last_values=rollout.values[-1], dones=starts)


def taught(spoil: Callable[[Rollout], None]) -> float:
    """The share of right answers on the toy after some updates from rollouts that were spoilt before."""
    config = configured("ppo.num_games=32", "ppo.batch_size=384", "ppo.learning_rate=0.01", "ppo.epochs=4")
    learner = SelfPlayPPO(config, ToyGames(32), Stopwatch())
    for _ in range(15):
        decisions = learner.collect(10_000)
        spoil(learner.rollout)
        learner.update(decisions, progress=0.0)
    learner.collect(10_000)
    return float((learner.rollout.rewards == 1).float().mean())


def leave(rollout: Rollout) -> None:
    """Nothing."""


def pay_early(rollout: Rollout) -> None:
    """Pay for each decision what the next one earns."""
    rollout.rewards.copy_(rollout.rewards.roll(-1, 0))


def pay_elsewhere(rollout: Rollout) -> None:
    """Pay for each decision what is earned in another game."""
    rollout.rewards.copy_(rollout.rewards.roll(1, 1))


def pay_the_other_seat(rollout: Rollout) -> None:
    """Pay what the other seat of a zero-sum game earns."""
    rollout.rewards.neg_()


def test_rewards_belong_to_their_decisions() -> None:
    """Only the right pairing learns; guessing gives a third."""
    chance = 1 / (CHOICES - 1)
    assert taught(leave) > 0.95
    assert taught(pay_early) < chance + 0.2
    assert taught(pay_elsewhere) < chance + 0.2
    assert taught(pay_the_other_seat) < chance


def test_the_rollout_pays_the_learners_seat_at_the_end_of_its_game() -> None:
    learner = playing(configured("ppo.rollout_steps=72", "ppo.batch_size=576", "reward=score"))
    ends = []
    play = learner.games.step

    def step(actions: Any) -> None:
        play(actions)
        ends.extend((info["seat"], info["returns"]) for info in learner.games.final_infos)

    learner.games.step = step  # type: ignore[method-assign]
    learner.collect(576)
    finished = learner.rollout.unfinished == 0
    assert finished.sum() == 8  # every game of two players takes 72 decisions of each
    assert (learner.rollout.rewards[~finished] == 0).all()
    expected = [returns[seat] for seat, returns in ends]
    assert learner.rollout.rewards[finished].tolist() == pytest.approx(expected)
    assert {seat for seat, _ in ends} == {0, 1}


@pytest.mark.parametrize("limit", [1, 7, 8, 9, 95, 96, 97])
def test_a_rollout_learns_from_no_more_decisions_than_allowed(limit: int) -> None:
    learner = playing(configured())
    decisions = learner.collect(limit)
    assert decisions == min(limit, 96)
    statistics = learner.update(decisions, progress=0.5)
    assert all(np.isfinite(value) for value in statistics.values())


def test_settings_change_linearly_with_the_progress() -> None:
    rates = ["ppo.learning_rate=0.01", "ppo.final_learning_rate=0.002"]
    bonuses = ["ppo.entropy_coefficient=0.1", "ppo.final_entropy_coefficient=0.005"]
    learner = playing(configured(*rates, *bonuses))
    for progress, rate, entropy in ((0.0, 0.01, 0.1), (0.25, 0.008, 0.07625), (1.0, 0.002, 0.005)):
        learner.update(learner.collect(96), progress)
        assert learner.policy.optimizer.param_groups[0]["lr"] == pytest.approx(rate)
        assert learner.ent_coef == pytest.approx(entropy)


def test_decisions_beyond_the_limit_are_not_learnt_from() -> None:
    """Of the last step, only as many games are taken in as are left: 13 decisions in 8 games leave 5 of the second."""
    networks = []
    for spoilt in (0.0, 100.0):
        learner = playing(configured())
        decisions = learner.collect(13)
        learner.rollout.observations[1, 5:] = spoilt
        learner.update(decisions, progress=0.0)
        networks.append(learner.network().parameters)
    np.testing.assert_array_equal(networks[0], networks[1])


def test_actions_are_drawn_by_the_probabilities() -> None:
    """An untrained learner is nearly uniform over the three legal choices."""
    learner = SelfPlayPPO(configured("ppo.num_games=512"), ToyGames(512), Stopwatch())
    learner.collect(10_000)
    counts = torch.bincount(learner.rollout.actions.flatten(), minlength=CHOICES)
    expected = learner.rollout.actions.numel() / (CHOICES - 1)
    assert counts[-1] == 0
    assert (counts[:-1] / expected - 1).abs().max() < 0.1


def test_the_network_is_a_copy() -> None:
    learner = playing(configured())
    before = learner.network()
    parameters = before.parameters.copy()
    learner.update(learner.collect(96), progress=0.0)
    np.testing.assert_array_equal(before.parameters, parameters)
    assert not np.array_equal(learner.network().parameters, parameters)


def test_a_learner_begins_as_another_network() -> None:
    other = playing(configured("seed=5")).network()
    learner = playing(configured())
    values = learner.value_network().parameters
    learner.begin_as(other)
    np.testing.assert_array_equal(learner.network().parameters, other.parameters)
    np.testing.assert_array_equal(learner.value_network().parameters, values)


def test_at_first_only_the_values_learn() -> None:
    """10 of 100 steps are for the value network alone."""
    learner = playing(configured("total_steps=100", "ppo.value_steps=10"))
    policy, values = learner.network().parameters, learner.value_network().parameters
    decisions = learner.collect(96)
    learner.update(decisions, progress=0.09)
    np.testing.assert_array_equal(learner.network().parameters, policy)
    assert not np.array_equal(learner.value_network().parameters, values)
    learner.update(decisions, progress=0.1)
    assert not np.array_equal(learner.network().parameters, policy)


def test_time_is_measured_by_activity() -> None:
    learner = playing(configured())
    learner.update(learner.collect(96), progress=0.0)
    assert set(learner._stopwatch.seconds) == {ENVIRONMENT, NETWORK, LEARNING}
    assert sum(learner._stopwatch.shares().values()) == pytest.approx(1)
