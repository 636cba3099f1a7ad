"""The learner: MaskablePPO, with a rollout and an update made for many cheap decisions.

``MaskablePPO`` builds the networks and the optimiser and holds the hyper-parameters. Its own rollout copies each
observation several times and builds a checked distribution object a step, its update another one a batch.
``SelfPlayPPO`` computes the same on tensors that are made once and written in place, a fifth faster; it ends a run
after an exact number of decisions and draws from one generator, which can be saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import update_learning_rate
from torch import Tensor
from torch.nn.functional import log_softmax, mse_loss
from torch.nn.utils import clip_grad_norm_

from carnival_envs.envs.sb3 import SB3VecEnv
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.policies.export import sb3_network, sb3_value_network
from carnival_envs.policies.network import Network, input_size, put_advice
from training.config import TrainConfig
from training.stopwatch import ENVIRONMENT, LEARNING, NETWORK, Stopwatch

ILLEGAL_LOGIT = -1e8
"""Takes the place of the logits of illegal actions, as in ``MaskablePPO``."""

SPREAD_FLOOR = 1e-8
"""Added to the spread of the advantages that they are divided by, as in ``MaskablePPO``."""

OnEnded: TypeAlias = Callable[[Sequence[dict[str, Any]]], None]

ADAM_EPSILON = 1e-5
ACTIVATIONS = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}

STATISTICS = ("policy_loss", "value_loss", "entropy", "approximate_kl", "clip_fraction")
"""What a gradient step tells of itself, in order."""


class Rollout:
    """What the learner saw, did and earned in every game between two updates: tensors ``(steps, games, ...)``.

    Attributes:
        observations, masks: what it saw, and its legal actions.
        actions, log_probs: what it did, and how likely that was.
        values: what it expected to earn from there on; with one more row, for after the last step.
        rewards: what it earned until its next decision.
        unfinished: 0 where the decision was the last of its game, else 1.
    """

    def __init__(self, steps: int, games: int, input_size: int, num_actions: int) -> None:
        self.observations = torch.zeros(steps, games, input_size)
        self.masks = torch.zeros(steps, games, num_actions, dtype=torch.bool)
        self.actions = torch.zeros(steps, games, dtype=torch.long)
        self.log_probs = torch.zeros(steps, games)
        self.values = torch.zeros(steps + 1, games)
        self.rewards = torch.zeros(steps, games)
        self.unfinished = torch.zeros(steps, games)

    def advantages(self, steps: int, gamma: float, gae_lambda: float) -> Tensor:
        """Generalised advantage estimates of the first ``steps`` rows (Schulman et al. 2016, equation 16)."""
        advantages = torch.zeros_like(self.rewards[:steps])
        later = torch.zeros_like(self.rewards[0])
        for step in reversed(range(steps)):
            going_on = gamma * self.unfinished[step]
            surprise = self.rewards[step] + going_on * self.values[step + 1] - self.values[step]
            later = surprise + gae_lambda * going_on * later
            advantages[step] = later
        return advantages


class Decisions(NamedTuple):
    """The decisions that an update learns from, one a row."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor


class SelfPlayPPO(MaskablePPO):
    """One seat of every game of a ``SeatBatch``, learning.

    A game that its own bound cuts off pays its returns like any other, so nothing is expected to follow it.

    Attributes:
        rollout: the last decisions.
        generator: the randomness of its actions and of the order of its batches.
    """

    def __init__(
        self, config: TrainConfig, games: SeatBatch, stopwatch: Stopwatch, on_ended: OnEnded | None = None
    ) -> None:
        """
        Args:
            config: of the run.
            games: what it plays; to be reset by the caller.
            stopwatch: for its time.
            on_ended: is told of games that are over, in the words of ``SeatBatch.final_infos``.
        """
        ppo, game = config.ppo, games.game
        seen = input_size(game, advised=config.network.advice > 0)
        env = SB3VecEnv(games)
        env.observation_space = Box(0.0, 1.0, (seen,))
        super().__init__(
            "MlpPolicy",
            env,
            learning_rate=ppo.learning_rate,
            n_steps=1,  # of the inherited rollout buffer, which is not used
            batch_size=ppo.batch_size,
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.entropy_coefficient,
            vf_coef=ppo.value_coefficient,
            max_grad_norm=ppo.max_gradient_norm,
            policy_kwargs={
                "net_arch": list(config.network.hidden_layers),
                "activation_fn": ACTIVATIONS[config.network.activation],
                "optimizer_kwargs": {"eps": ADAM_EPSILON},
            },
            seed=config.seed % 2**32,
            device="cpu",
        )
        self.games = games
        self.rollout = Rollout(ppo.rollout_steps, games.num_games, seen, game.num_actions)
        self.generator = torch.Generator().manual_seed(config.seed)
        self._ppo = ppo
        self._advice = config.network.advice
        self._values_only_until = ppo.value_steps / config.total_steps
        self._on_ended = on_ended
        self._stopwatch = stopwatch

    def network(self) -> Network:
        """A copy of the policy network as it is now."""
        return sb3_network(self.policy)

    def begin_as(self, network: Network) -> None:
        """Take over a policy network of the same shape; the value network stays as it is."""
        modules = [*self.policy.mlp_extractor.policy_net, self.policy.action_net]
        linear = [module for module in modules if isinstance(module, torch.nn.Linear)]
        with torch.no_grad():
            for module, (weights, biases) in zip(linear, network.layers(), strict=True):
                module.weight.copy_(torch.from_numpy(weights.T))
                module.bias.copy_(torch.from_numpy(biases))

    def value_network(self) -> Network:
        """A copy of the value network as it is now."""
        return sb3_value_network(self.policy)

    def collect(self, limit: int) -> int:
        """Play a rollout.

        Args:
            limit: how many decisions may be learnt from; the last step takes in only as many games as are left.

        Returns:
            how many decisions are to be learnt from.
        """
        steps = min(len(self.rollout.actions), -(-limit // self.games.num_games))
        with torch.no_grad():
            for step in range(steps):
                self._decide(step)
                self._play(step)
            with self._stopwatch.measure(NETWORK):
                after = torch.empty_like(self.rollout.observations[0])
                self._observe(after)
                self.rollout.values[steps] = self._values(after)
        return min(limit, steps * self.games.num_games)

    def update(self, decisions: int, progress: float) -> dict[str, float]:
        """Learn from the first decisions of the rollout, in the order of time.

        Args:
            decisions: how many.
            progress: the part of the run that is done, 0 to 1; it sets the learning rate and the entropy bonus.

        Returns:
            statistics for the logs.
        """
        with self._stopwatch.measure(LEARNING):
            ppo = self._ppo
            rate = between(ppo.learning_rate, ppo.final_learning_rate, progress)
            update_learning_rate(self.policy.optimizer, rate)
            self.ent_coef = between(ppo.entropy_coefficient, ppo.final_entropy_coefficient, progress)
            values_only = progress < self._values_only_until
            batch = self._decisions(decisions)
            steps = [
                self._gradient_step(Decisions(*(part[rows] for part in batch)), values_only)
                for rows in self._batches(decisions)
            ]
            statistics = dict(zip(STATISTICS, torch.stack(steps).mean(0).tolist(), strict=True))
            return {**statistics, "explained_variance": self._explained_variance(batch), "learning_rate": rate}

    def _decide(self, step: int) -> None:
        """Draw the learner's actions in all games."""
        rollout, games = self.rollout, self.games
        with self._stopwatch.measure(NETWORK):
            observations, masks = rollout.observations[step], rollout.masks[step]
            self._observe(observations)
            masks.copy_(torch.from_numpy(games.action_masks))
            log_probs = self._log_probs(observations, masks)
            race = torch.empty_like(log_probs).exponential_(generator=self.generator)
            torch.argmax(log_probs - race.log_(), dim=1, out=rollout.actions[step])  # a draw by the probabilities
            rollout.log_probs[step] = log_probs.gather(1, rollout.actions[step].unsqueeze(1)).squeeze(1)
            rollout.values[step] = self._values(observations)

    def _observe(self, out: Tensor) -> None:
        """Fill ``out`` with what the learner sees in every game, the advice of the baseline bot included."""
        size = self.games.game.observation_size
        out[:, :size] = torch.from_numpy(self.games.observations)
        if self._advice:
            put_advice(out[:, size:].numpy(), self.games.views(), self.games.rng)

    def _play(self, step: int) -> None:
        """Carry out the actions; the opponents move until the learner is to decide again."""
        rollout, games = self.rollout, self.games
        with self._stopwatch.measure(ENVIRONMENT):
            games.step(rollout.actions[step].numpy())
            rollout.rewards[step] = torch.from_numpy(games.rewards)
            rollout.unfinished[step] = torch.from_numpy(~(games.terminated | games.truncated))
            if self._on_ended and games.final_infos:
                self._on_ended(games.final_infos)

    def _decisions(self, count: int) -> Decisions:
        """The first decisions of the rollout with their advantages, evenly spread around 0, and their returns."""
        rollout = self.rollout
        steps = -(-count // self.games.num_games)
        advantages = rollout.advantages(steps, self.gamma, self.gae_lambda)
        returns = (advantages + rollout.values[:steps]).flatten()[:count]
        advantages = advantages.flatten()[:count]
        if count > 1:
            advantages = (advantages - advantages.mean()) / (advantages.std() + SPREAD_FLOOR)
        return Decisions(
            observations=rollout.observations.flatten(0, 1)[:count],
            masks=rollout.masks.flatten(0, 1)[:count],
            actions=rollout.actions.flatten()[:count],
            log_probs=rollout.log_probs.flatten()[:count],
            advantages=advantages,
            returns=returns,
        )

    def _batches(self, decisions: int) -> Iterator[Tensor]:
        """The rows of each gradient step: every decision once in every epoch, in random order."""
        for _ in range(self.n_epochs):
            order = torch.randperm(decisions, generator=self.generator)
            yield from torch.split(order, self._ppo.batch_size)

    def _gradient_step(self, batch: Decisions, values_only: bool) -> Tensor:
        """One step of Adam on the clipped objective (Schulman et al. 2017, equation 9); returns ``STATISTICS``."""
        log_probs = self._log_probs(batch.observations, batch.masks)
        taken = log_probs.gather(1, batch.actions.unsqueeze(1)).squeeze(1)
        change = taken - batch.log_probs
        ratio = change.exp()
        clipped = ratio.clamp(1 - self._ppo.clip_range, 1 + self._ppo.clip_range)
        policy_loss = -torch.minimum(batch.advantages * ratio, batch.advantages * clipped).mean()
        value_loss = mse_loss(self._values(batch.observations), batch.returns)
        entropy = -(log_probs.exp() * log_probs).sum(1).mean()
        loss = self.vf_coef * value_loss
        if not values_only:
            loss = loss + policy_loss - self.ent_coef * entropy
        self.policy.optimizer.zero_grad()
        torch.autograd.backward(loss)
        clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()
        with torch.no_grad():
            kl = (ratio - 1 - change).mean()  # Schulman, "Approximating KL divergence", the estimator k3
            clip_fraction = (ratio != clipped).float().mean()
            return torch.stack([policy_loss, value_loss, entropy, kl, clip_fraction])

    def _log_probs(self, observations: Tensor, masks: Tensor) -> Tensor:
        """The logarithms of the probabilities of all actions; those of illegal ones are next to minus infinity."""
        logits = self.policy.action_net(self.policy.mlp_extractor.policy_net(observations))
        if self._advice:
            logits = logits + self._advice * observations[:, self.games.game.observation_size :]
        return log_softmax(torch.where(masks, logits, ILLEGAL_LOGIT), dim=1)

    def _values(self, observations: Tensor) -> Tensor:
        """What the learner expects to earn from there on."""
        values: Tensor = self.policy.value_net(self.policy.mlp_extractor.value_net(observations)).squeeze(1)
        return values

    def _explained_variance(self, batch: Decisions) -> float:
        """The part of the spread of the returns that the values foretold, before the update."""
        foretold = self.rollout.values.flatten()[: len(batch.returns)]
        if len(batch.returns) < 2:
            return 0.0
        spread = batch.returns.var()
        return float(1 - (batch.returns - foretold).var() / (spread + SPREAD_FLOOR))


def between(start: float, end: float, progress: float) -> float:
    """A setting that changes linearly with the progress of the run, 0 to 1."""
    return start + (end - start) * progress
