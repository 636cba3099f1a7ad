"""Fit a value network to a frozen policy: ``python -m training.value FILE [--out FILE]``.

The policy of a policy file plays against itself, and a small network learns by regression what the player who is to
decide earns in the end. The policy file is written anew with that network in it, and with how it was made; the policy
stays as it is. Tree search needs both: ``puct:policy:FILE:N``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console
from rich.progress import track
from torch import Tensor
from torch.nn.functional import mse_loss

from carnival_envs.core.batch import Batch
from carnival_envs.core.game import Game
from carnival_envs.core.loops import REWARDS
from carnival_envs.core.observation import Floats
from carnival_envs.core.options import need_at_least_one, refuse
from carnival_envs.core.state import reward_index
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions, Observations
from carnival_envs.policies.export import stack_network
from carnival_envs.policies.network import ValueNetwork, advise, draw, input_size
from carnival_envs.policies.policy_file import PolicyFile, read_policy_file, write_policy_file
from carnival_envs.registry import load_game
from training.command import FINISHED, chosen_options, tells_errors
from training.config import MAX_WIDTH
from training.ppo import between

NUM_GAMES = 64
ROLLOUT_STEPS = 256
"""The least decisions in each game between two passes of learning: several games from beginning to end."""

PASSES = 2
"""How often a rollout is learnt from: playing takes far longer than learning."""

BATCH_SIZE = 1024
LEARNING_RATE, FINAL_LEARNING_RATE = 2e-3, 1e-4

MEASURED_ROLLOUTS = 8
"""The last so many rollouts are foretold before they are learnt from, to tell how good the network is."""

Bools = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class FitOptions:
    """How to fit a value network.

    Attributes:
        decisions: how many to learn from, or somewhat more.
        reward: the kind of returns to foretell.
        exploration: the share of decisions that are made at random: a search asks
            for the worth of positions that the policy alone does not come to.
        hidden_layers: the widths of the network between observation and value.
        seed: of all that is drawn.
    """

    decisions: int = 2_000_000
    reward: str = "win"
    exploration: float = 0.05
    hidden_layers: tuple[int, ...] = (64, 32)
    seed: int = 0

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: an option that is not allowed; names it.
        """
        need_at_least_one(decisions=self.decisions)
        reward_index(self.reward)
        if not 0 <= self.exploration <= 1:
            refuse("exploration", self.exploration, "a number in 0..1")
        check_widths(self.hidden_layers)


@tells_errors
def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console(highlight=False)
    torch.set_num_threads(1)  # a network so small gains nothing from more
    options = chosen_options(FitOptions, given)
    policy_file, explained = with_value(read_policy_file(given.file), options, console)
    write_policy_file(given.out or given.file, policy_file)
    console.print(f"{given.out or given.file}: the value network explains {explained:.1%} of the variance of returns")
    return FINISHED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    default = FitOptions()
    command = argparse.ArgumentParser(
        prog="python -m training.value", description="Fit a value network to the policy of a policy file."
    )
    command.add_argument("file", type=Path, help="the policy file")
    command.add_argument("--out", type=Path, help="the policy file to write (default: the same)")
    command.add_argument("--decisions", type=int, default=default.decisions, help="how many to learn from")
    command.add_argument("--reward", choices=REWARDS, default=default.reward, help="the returns to foretell")
    command.add_argument("--exploration", type=float, default=default.exploration, help="share of random decisions")
    command.add_argument("--hidden-layers", type=int, nargs="*", default=default.hidden_layers, metavar="WIDTH")
    command.add_argument("--seed", type=int, default=default.seed, help="of all that is drawn")
    return command


def with_value(policy_file: PolicyFile, options: FitOptions, console: Console) -> tuple[PolicyFile, float]:
    """The policy file with a value network fitted to its policy, and the share of variance that it explains."""
    game = load_game(policy_file.game, history=policy_file.history, **policy_file.options)
    fit = Fit(game, policy_file, options)
    explained = fit.run(console)
    made = {"command": "python -m training.value", **asdict(options), "explained_variance": round(explained, 4)}
    training = {**policy_file.training, "value": made}
    return replace(policy_file, value=fit.value(), training=training), explained


class Fit:
    """A value network that learns from games of a frozen policy against itself."""

    def __init__(self, game: Game, policy_file: PolicyFile, options: FitOptions) -> None:
        """
        Args:
            game: what is played.
            policy_file: the policy.
            options: how to fit.
        """
        torch.manual_seed(options.seed)
        inputs = input_size(game, advised=policy_file.advice != 0)
        widths = (inputs, *options.hidden_layers)
        self.layers = torch.nn.Sequential(*hidden_layers(widths), torch.nn.Linear(widths[-1], 1))
        self._policy = policy_file
        self._options = options
        self._rng = np.random.default_rng(options.seed)
        self._games = Batch(game, NUM_GAMES, options.seed, reward=options.reward)
        self._games.reset()

    def run(self, console: Console) -> float:
        """Play and learn; returns the share of the variance of returns that the network foretold in the end."""
        optimizer = torch.optim.Adam(self.layers.parameters(), lr=LEARNING_RATE)
        rollouts = -(-self._options.decisions // (ROLLOUT_STEPS * NUM_GAMES))
        errors, spreads = [], []
        for index in track(range(rollouts), "fitting", console=console):
            seen, returns = self._play()
            foretold = self._foretell(seen)
            errors.append(float((returns - foretold).square().mean()))
            spreads.append(float(returns.var()))
            optimizer.param_groups[0]["lr"] = between(LEARNING_RATE, FINAL_LEARNING_RATE, index / rollouts)
            self._learn(seen, returns, optimizer)
        return 1 - sum(errors[-MEASURED_ROLLOUTS:]) / sum(spreads[-MEASURED_ROLLOUTS:])

    def value(self) -> ValueNetwork:
        """The network as it is."""
        return ValueNetwork(stack_network(list(self.layers)), self._options.reward)

    def _play(self) -> tuple[Tensor, Tensor]:
        """Play some decisions in every game, and on until each has come to an end.

        Returns:
            the decisions of games that are over, and what the deciding players earned.
        """
        games = self._games
        seen, players, rewards = [], [], []
        ended: list[Bools] = []
        finished = np.zeros(NUM_GAMES, dtype=np.bool_)
        while len(ended) < ROLLOUT_STEPS or not finished.all():
            players.append(games.current_players.copy())
            looks, actions = self._decide(games.views())
            games.step(actions)
            seen.append(looks)
            rewards.append(games.rewards.copy())
            ended.append(games.terminated | games.truncated)
            finished |= ended[-1]
        returns, known = returns_of(np.stack(rewards), np.stack(ended), np.stack(players))
        return torch.from_numpy(np.stack(seen)[known]), torch.from_numpy(returns[known])

    def _decide(self, views: Views) -> tuple[Observations, Actions]:
        """What the networks see of some views, and actions drawn from the policy, now and then at random."""
        advice = self._policy.advice
        seen = advise(views, self._rng)[0] if advice else views.observations()
        logits = self._policy.network.logits(seen)
        if advice:
            logits += advice * seen[:, views.game.observation_size :]
        logits[self._rng.random(len(views)) < self._options.exploration] = 0
        return seen, draw(logits, views.masks, self._rng)

    def _foretell(self, seen: Tensor) -> Tensor:
        with torch.no_grad():
            values: Tensor = self.layers(seen).squeeze(1)
        return values

    def _learn(self, seen: Tensor, returns: Tensor, optimizer: torch.optim.Optimizer) -> None:
        """Every decision once in each pass, in random order."""
        for _ in range(PASSES):
            for rows in torch.split(torch.randperm(len(seen)), BATCH_SIZE):
                loss = mse_loss(self.layers(seen[rows]).squeeze(1), returns[rows])
                optimizer.zero_grad()
                torch.autograd.backward(loss)
                optimizer.step()


def returns_of(rewards: Floats, ended: Bools, players: Integers) -> tuple[Floats, Bools]:
    """What the deciding players earn in the end.

    Args:
        rewards: float32, ``(steps, games, players)``: the returns of all seats where a game ended after the decision.
        ended: bool, ``(steps, games)``: whether one did.
        players: int64, ``(steps, games)``: who decided.

    Returns:
        the returns, float32, ``(steps, games)``, and where they are known: not for games that go on after that.
    """
    returns, known = np.zeros(ended.shape, dtype=np.float32), np.zeros_like(ended)
    games = np.arange(ended.shape[1])
    final, over = np.zeros_like(rewards[0]), np.zeros_like(ended[0])
    for step in reversed(range(len(rewards))):
        final = np.where(ended[step][:, None], rewards[step], final)
        over = over | ended[step]
        returns[step], known[step] = final[games, players[step]], over
    return returns, known


def check_widths(widths: Sequence[int]) -> None:
    """Refuse hidden layers that can't be made.

    Raises:
        ValueError: a width below 1 or above 4096.
    """
    if not all(1 <= width <= MAX_WIDTH for width in widths):
        refuse("hidden_layers", widths, f"widths in 1..{MAX_WIDTH}")


def hidden_layers(widths: Sequence[int]) -> list[torch.nn.Module]:
    """Linear layers of these widths, rectified: no more than half of what they give is to be multiplied on."""
    layers: list[torch.nn.Module] = []
    for inputs, outputs in pairwise(widths):
        layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    return layers


if __name__ == "__main__":
    sys.exit(main())
