"""Learn to play better than the baseline bot: ``python -m training.improvement FOLDER --out FILE``.

The folder holds decisions that ``training.rollouts`` valued. A network learns from them which actions earn more than
others if the bot plays on: one step of policy iteration (Lagoudakis and Parr 2003), more with decisions that it came to
itself (AggreVaTe, Ross and Bagnell 2014). It takes the advice of the bot, so that it only has to learn where to do
otherwise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.console import Console

from carnival_envs.core.game import Game
from carnival_envs.core.options import refuse
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from training.advised import AdvisedLearner, AdvisedOptions, Decisions, add_options
from training.command import FINISHED, chosen_options, command_line, need_file, tells_errors
from training.ppo import ILLEGAL_LOGIT
from training.rollouts import ValuedDecisions, joined, read_decisions, read_description

HELD_BACK = 20
"""One decision in so many is not learnt from: by these is measured what the network gains."""

LEAST_TEMPERATURE = 1e-6
"""Below it the best action is all that counts, and returns in temperatures grow beyond what a float32 holds."""


@dataclass(frozen=True, kw_only=True)
class ImprovementOptions(AdvisedOptions):
    """How to improve.

    Attributes:
        temperature: how much more an action has to earn, in returns, to be e times as likely. The less, the more the
            chance in few rollouts is taken for worth.
    """

    caution: float = 0.3
    weight_decay: float = 0.3
    temperature: float = 0.05

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: an option that is not allowed; names it.
        """
        super().__post_init__()
        if not LEAST_TEMPERATURE <= self.temperature < float("inf"):
            refuse("temperature", self.temperature, f"a number of at least {LEAST_TEMPERATURE}")


@tells_errors
def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console(highlight=False)
    torch.set_num_threads(1)  # a network so small gains nothing from more
    options = chosen_options(ImprovementOptions, given)
    need_file(given.out)
    improvement = Improvement(*read_decisions(given.folder), options)
    improvement.learn(console)
    valued = [read_description(folder) for folder in given.folder]
    made = improvement.policy_file(command_line("training.improvement", arguments), valued)
    write_policy_file(given.out, made)
    console.print(f"{given.out}: by rollouts a decision earns {made.training['gain']:+.4f} more than that of the bot")
    return FINISHED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(
        prog="python -m training.improvement", description="Teach a network which actions rollouts found to earn more."
    )
    command.add_argument("folder", type=Path, nargs="+", help="where the valued decisions are")
    command.add_argument("--out", required=True, type=Path, help="the policy file to write")
    default = ImprovementOptions()
    add_options(command, default)
    command.add_argument("--temperature", type=float, default=default.temperature, help="of the returns' softmax")
    return command


class Improvement:
    """A network that learns which actions earn more."""

    def __init__(self, game: Game, parts: Sequence[ValuedDecisions], options: ImprovementOptions) -> None:
        """
        Args:
            game: what is played.
            parts: what to learn from.
            options: how.

        Raises:
            ValueError: too few decisions to hold one back.
        """
        decisions = joined(parts)
        count = len(decisions.values)
        if count < HELD_BACK:
            raise ValueError(f"decisions: {count} are too few; allowed: at least {HELD_BACK}")
        kept = np.arange(count) % HELD_BACK == 0
        held_back, learnt = some(decisions, kept), some(decisions, ~kept)
        self._values = torch.from_numpy(held_back.values)
        self._held_back = decisions_from(game, held_back, options.temperature)
        self._learner = AdvisedLearner(
            game, decisions_from(game, learnt, options.temperature), options, np.random.default_rng(options.seed)
        )

    def learn(self, console: Console) -> None:
        """See ``AdvisedLearner.learn``."""
        self._learner.learn(console, "improving")

    def gain(self) -> float:
        """What the choices in the held-back decisions earn more than the bot's, by their rollouts, in returns."""
        options = self._learner.options
        chosen = self._learner.choices(self._held_back, options.advice + options.caution)
        advised = self._held_back.advice.argmax(1)
        rows = torch.arange(len(chosen))
        return float((self._values[rows, chosen] - self._values[rows, advised]).mean())

    def policy_file(self, command: str, valued: Sequence[dict[str, Any]]) -> PolicyFile:
        """The network as it is, with how it came to be.

        Args:
            command: what made it.
            valued: how the decisions of each folder were valued.
        """
        return self._learner.policy_file("improvement", command, {"rollouts": valued, "gain": round(self.gain(), 4)})


def some(decisions: ValuedDecisions, rows: npt.NDArray[np.bool_]) -> ValuedDecisions:
    """Those decisions that an array of truth values picks."""
    return ValuedDecisions(decisions.observations[rows], decisions.masks[rows], decisions.values[rows])


def decisions_from(game: Game, valued: ValuedDecisions, temperature: float) -> Decisions:
    """Valued decisions as a network learns from them: the likelier, the more an action earns."""
    observations, masks = torch.from_numpy(valued.observations), torch.from_numpy(valued.masks)
    values = torch.from_numpy(valued.values) / temperature
    return Decisions(
        observations=observations,
        advice=observations[:, game.observation_size :],
        masks=masks,
        targets=torch.where(masks, values, ILLEGAL_LOGIT).softmax(1),
    )


if __name__ == "__main__":
    sys.exit(main())
