"""Networks that learn from an example what to do, with the advice of the baseline bot (residual policy learning)."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.progress import track
from torch import Tensor
from torch.nn.functional import cross_entropy

from carnival_envs.core.game import Game
from carnival_envs.core.options import need_at_least_one, need_integer, refuse
from carnival_envs.core.symmetry import draw_symmetry
from carnival_envs.policies.export import stack_network
from carnival_envs.policies.policy_file import PolicyFile
from training.ppo import ILLEGAL_LOGIT, between
from training.value import check_widths, hidden_layers

BATCH_SIZE = 256
LEARNING_RATE, FINAL_LEARNING_RATE = 1e-3, 1e-5

MAX_SEED = 2**32 - 1


@dataclass(frozen=True, kw_only=True)
class AdvisedOptions:
    """How to learn.

    Attributes:
        passes: how often every decision is learnt from.
        hidden_layers: the widths of the network between observation and actions.
        advice: weight of the baseline bot's choice while it learns, see ``AdvisedPolicy``; above 0.
        caution: what is added to that weight afterwards: a network that learnt from few games errs, and is to leave the
            bot's choice only where it is surer than it was taught to be.
        weight_decay: of the optimiser, AdamW.
        seed: of all that is drawn.
    """

    passes: int = 30
    hidden_layers: tuple[int, ...] = (192, 96)
    advice: float = 1.0
    caution: float = 1.0
    weight_decay: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: an option that is not allowed; names it.
        """
        need_at_least_one(passes=self.passes)
        check_widths(self.hidden_layers)
        need_integer(0, MAX_SEED, seed=self.seed)
        if not 0 < self.advice < float("inf"):
            refuse("advice", self.advice, "a number above 0")
        for name in ("caution", "weight_decay"):
            if not 0 <= getattr(self, name) < float("inf"):
                refuse(name, getattr(self, name), "a number of at least 0")


class Decisions(NamedTuple):
    """What a player saw and should do, a decision a row.

    Attributes:
        observations, advice: what an advised network sees, and the bot's choice in it, one-hot.
        masks: the legal actions.
        targets: how likely each action should be.
    """

    observations: Tensor
    advice: Tensor
    masks: Tensor
    targets: Tensor


class AdvisedLearner:
    """A network that learns how likely each action should be."""

    def __init__(self, game: Game, decisions: Decisions, options: AdvisedOptions, rng: np.random.Generator) -> None:
        """
        Args:
            game: what is played.
            decisions: what to learn from.
            options: how.
            rng: draws the names that decisions are seen under.
        """
        self.game = game
        self.options = options
        self._decisions = decisions
        self._rng = rng
        torch.manual_seed(options.seed)
        widths = (decisions.observations.shape[1], *options.hidden_layers)
        self.layers = torch.nn.Sequential(*hidden_layers(widths), torch.nn.Linear(widths[-1], game.num_actions))

    def learn(self, console: Console, doing: str) -> None:
        """Every decision so many times, in random order, each batch under names of its own.

        Raises:
            ValueError: the numbers grew beyond all bounds.
        """
        options = self.options
        optimizer = torch.optim.AdamW(self.layers.parameters(), lr=LEARNING_RATE, weight_decay=options.weight_decay)
        for number in track(range(options.passes), doing, console=console):
            optimizer.param_groups[0]["lr"] = between(LEARNING_RATE, FINAL_LEARNING_RATE, number / options.passes)
            for batch in self._batches():
                loss = cross_entropy(self.logits(batch, options.advice), batch.targets)
                optimizer.zero_grad()
                torch.autograd.backward(loss)
                optimizer.step()
            if not loss.isfinite():
                raise ValueError(f"after pass {number + 1} the loss is {loss.item()}: options too extreme to learn")

    def choices(self, decisions: Decisions, weight: float) -> Tensor:
        """What it does, if the advice has a weight."""
        with torch.no_grad():
            return self.logits(decisions, weight).argmax(1)

    def logits(self, decisions: Decisions, weight: float) -> Tensor:
        """What it makes of every action, if the advice has a weight."""
        logits = self.layers(decisions.observations) + weight * decisions.advice
        return torch.where(decisions.masks, logits, ILLEGAL_LOGIT)

    def policy_file(self, algorithm: str, command: str, more: dict[str, Any]) -> PolicyFile:
        """The network as it is, with how it came to be."""
        options = self.options
        training = {
            "algorithm": algorithm,
            "steps": options.passes * len(self._decisions.targets),
            "config": asdict(options),
            "command": command,
            **more,
        }
        advice = options.advice + options.caution
        return PolicyFile.of(self.game, stack_network(list(self.layers)), training, advice=advice)

    def _batches(self) -> Iterator[Decisions]:
        size = self.game.observation_size
        for rows in torch.split(torch.randperm(len(self._decisions.targets)), BATCH_SIZE):
            symmetry = draw_symmetry(self.game, self._rng)
            actions = torch.from_numpy(symmetry.actions)
            inputs = torch.cat([torch.from_numpy(symmetry.observation), size + actions])
            batch = Decisions(*(part[rows] for part in self._decisions))
            yield Decisions(
                observations=batch.observations[:, inputs],
                advice=batch.advice[:, actions],
                masks=batch.masks[:, actions],
                targets=batch.targets[:, actions],
            )


def add_options(command: argparse.ArgumentParser, default: AdvisedOptions) -> None:
    """Add to a command line what a learner may be told."""
    command.add_argument("--passes", type=int, default=default.passes, help="how often each decision is learnt from")
    command.add_argument("--hidden-layers", type=int, nargs="*", default=default.hidden_layers, metavar="WIDTH")
    command.add_argument("--advice", type=float, default=default.advice, help="weight of the bot's choice in learning")
    command.add_argument("--caution", type=float, default=default.caution, help="what is added to it afterwards")
    command.add_argument("--weight-decay", type=float, default=default.weight_decay, help="of the optimiser")
    command.add_argument("--seed", type=int, default=default.seed, help="of all that is drawn")
