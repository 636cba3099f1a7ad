"""Learn to play as somebody whose games were recorded: ``python -m training.imitation FOLDER --of SPEC --out FILE``.

A slow policy, such as a tree search, is imitated by a fast network (behavioural cloning, Pomerleau 1991): it learns to
foretell the actions of one player in the replays of a folder. It takes the advice of the baseline bot, so that it only
has to learn where the player does otherwise. Games with a symmetry are seen under new names all the time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from torch import Tensor
from torch.nn.functional import one_hot

from carnival_envs.core.views import Views
from carnival_envs.policies.network import advise
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from carnival_envs.replay import Replay, load_replay
from training.advised import AdvisedLearner, AdvisedOptions, Decisions, add_options
from training.command import FINISHED, chosen_options, command_line, need_file, tells_errors

HELD_BACK = 10
"""One game in so many is not learnt from: by these is measured how well the player is foretold."""


@tells_errors
def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console(highlight=False)
    torch.set_num_threads(1)  # a network so small gains nothing from more
    options = chosen_options(AdvisedOptions, given)
    need_file(given.out)
    imitation = Imitation(read_replays(given.folder, given.of), given.of, options)
    imitation.learn(console)
    made = imitation.policy_file(command_line("training.imitation", arguments))
    write_policy_file(given.out, made)
    network, bot = made.training["agreement"].values()
    console.print(f"{given.out}: foretells {network:.1%} of what {given.of} does, the baseline bot {bot:.1%}")
    return FINISHED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(
        prog="python -m training.imitation", description="Teach a network to play as a player of recorded games does."
    )
    command.add_argument("folder", type=Path, nargs="+", help="where the replays are")
    command.add_argument("--of", required=True, metavar="PLAYER", help="who is imitated, as the replays name him")
    command.add_argument("--out", required=True, type=Path, help="the policy file to write")
    add_options(command, AdvisedOptions())
    return command


def read_replays(folders: Sequence[Path], player: str) -> list[Replay]:
    """The games of some folders in which a player takes part.

    Raises:
        FileNotFoundError: a folder that is not there.
        ValueError: a file that is no replay, none with that player, or games with different options.
    """
    replays = []
    for folder in folders:
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder}: no such folder")
        replays += [load_replay(path) for path in sorted(folder.glob("*.json"))]
    wanted = [replay for replay in replays if player in replay.players]
    if not wanted:
        names = ", ".join(sorted({name for replay in replays for name in replay.players})) or "nobody"
        raise ValueError(f"--of {player}: takes part in none of {len(replays)} replays; {names} does")
    first = wanted[0].game
    for replay in wanted:
        if (replay.game.name, replay.game.keywords) != (first.name, first.keywords):
            raise ValueError(f"replays of {first} and of {replay.game} can't be learnt from together")
    return wanted


class Imitation:
    """A network that learns to foretell what a player does."""

    def __init__(self, replays: Sequence[Replay], player: str, options: AdvisedOptions) -> None:
        """
        Args:
            replays: games of one kind in which the player takes part.
            player: the name of who is imitated.
            options: how.

        Raises:
            ValueError: too few games to hold one back.
        """
        if len(replays) < HELD_BACK:
            raise ValueError(f"replays: {len(replays)} games are too few; allowed: at least {HELD_BACK}")
        rng = np.random.default_rng(options.seed)
        by_deal = sorted(replays, key=lambda replay: (replay.seed or 0, replay.players))
        cut = len(by_deal) // HELD_BACK
        self._player = player
        self._held_back = decisions_of(by_deal[:cut], player, rng)
        self._learner = AdvisedLearner(replays[0].game, decisions_of(by_deal[cut:], player, rng), options, rng)

    def learn(self, console: Console) -> None:
        """See ``AdvisedLearner.learn``."""
        self._learner.learn(console, "imitating")

    def agreement(self) -> tuple[float, float]:
        """The shares of the held-back decisions that the network foretells, and that the baseline bot does."""
        held_back = self._held_back
        made = held_back.targets.argmax(1)
        foretold = self._learner.choices(held_back, self._learner.options.advice)
        return share_of_equals(foretold, made), share_of_equals(held_back.advice.argmax(1), made)

    def policy_file(self, command: str) -> PolicyFile:
        """The network as it is, with how it came to be."""
        network, bot = self.agreement()
        agreement = {"network": round(network, 4), "greedy": round(bot, 4)}
        return self._learner.policy_file("imitation", command, {"player": self._player, "agreement": agreement})


def decisions_of(replays: Sequence[Replay], player: str, rng: np.random.Generator) -> Decisions:
    """The decisions of a player in some games; not those where only one action is legal.

    Raises:
        ValueError: there is none.
    """
    states, actions = [], []
    for replay in replays:
        for state, action in zip(replay.states(), replay.actions, strict=False):  # the last state has no action
            if replay.players[state.current_player()] == player and len(state.legal_actions()) > 1:
                states.append(state)
                actions.append(action)
    if not states:
        raise ValueError(f"replays: {player} has nothing to decide in {len(replays)} games")
    views = Views.of_states(states)
    observations, _ = advise(views, rng)
    return Decisions(
        observations=torch.from_numpy(observations),
        advice=torch.from_numpy(observations[:, views.game.observation_size :]),
        masks=torch.from_numpy(views.masks.astype(np.bool_)),
        targets=one_hot(torch.tensor(actions), views.game.num_actions).float(),
    )


def share_of_equals(left: Tensor, right: Tensor) -> float:
    """The share of places where two tensors are equal."""
    return float((left == right).float().mean())


if __name__ == "__main__":
    sys.exit(main())
