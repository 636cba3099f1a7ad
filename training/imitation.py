"""Learn to play as somebody whose games were recorded: ``python -m training.imitation FOLDER --of SPEC --out FILE``.

A slow policy, such as a tree search, is imitated by a fast network (behavioural cloning, Pomerleau 1991): it learns to
foretell the actions of one player in the replays of a folder. It takes the advice of the baseline bot, so that it only
has to learn where the player does otherwise. Games with a symmetry are seen under new names all the time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.progress import track
from torch import Tensor
from torch.nn.functional import cross_entropy

from carnival_envs.core.files import need_folder
from carnival_envs.core.game import Game
from carnival_envs.core.options import need_at_least_one, refuse
from carnival_envs.core.symmetry import draw_symmetry
from carnival_envs.core.views import Views
from carnival_envs.policies.export import stack_network
from carnival_envs.policies.network import advise
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from carnival_envs.replay import Replay, load_replay
from training.ppo import ILLEGAL_LOGIT, between
from training.train import FAILED, FINISHED, INTERRUPTED
from training.value import check_widths, hidden_layers

BATCH_SIZE = 256
LEARNING_RATE, FINAL_LEARNING_RATE = 1e-3, 1e-5
HELD_BACK = 10
"""One game in so many is not learnt from: by these is measured how well the player is foretold."""


@dataclass(frozen=True, kw_only=True)
class ImitationOptions:
    """How to imitate.

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
        if self.seed < 0:
            refuse("seed", self.seed, "at least 0")
        if not 0 < self.advice < float("inf"):
            refuse("advice", self.advice, "a number above 0")
        for name in ("caution", "weight_decay"):
            if not 0 <= getattr(self, name) < float("inf"):
                refuse(name, getattr(self, name), "a number of at least 0")


class Decisions(NamedTuple):
    """What a player saw and did, a decision a row.

    Attributes:
        observations, advice: what an advised network sees, and the bot's choice in it, one-hot.
        masks: the legal actions.
        actions: what the player did.
    """

    observations: Tensor
    advice: Tensor
    masks: Tensor
    actions: Tensor


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console(highlight=False)
    torch.set_num_threads(1)  # a network so small gains nothing from more
    try:
        options = ImitationOptions(
            passes=given.passes,
            hidden_layers=tuple(given.hidden_layers),
            advice=given.advice,
            caution=given.caution,
            weight_decay=given.weight_decay,
            seed=given.seed,
        )
        need_folder("--out", given.out.parent)
        imitation = Imitation(read_replays(given.folder, given.of), given.of, options)
        imitation.learn(console)
        command = " ".join(["python -m training.imitation", *(sys.argv[1:] if arguments is None else arguments)])
        made = imitation.policy_file(command)
        write_policy_file(given.out, made)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    network, bot = made.training["agreement"].values()
    console.print(f"{given.out}: foretells {network:.1%} of what {given.of} does, the baseline bot {bot:.1%}")
    return FINISHED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    default = ImitationOptions()
    command = argparse.ArgumentParser(
        prog="python -m training.imitation", description="Teach a network to play as a player of recorded games does."
    )
    command.add_argument("folder", type=Path, nargs="+", help="where the replays are")
    command.add_argument("--of", required=True, metavar="PLAYER", help="who is imitated, as the replays name him")
    command.add_argument("--out", required=True, type=Path, help="the policy file to write")
    command.add_argument("--passes", type=int, default=default.passes, help="how often each decision is learnt from")
    command.add_argument("--hidden-layers", type=int, nargs="*", default=default.hidden_layers, metavar="WIDTH")
    command.add_argument("--advice", type=float, default=default.advice, help="weight of the bot's choice in learning")
    command.add_argument("--caution", type=float, default=default.caution, help="what is added to it afterwards")
    command.add_argument("--weight-decay", type=float, default=default.weight_decay, help="of the optimiser")
    command.add_argument("--seed", type=int, default=default.seed, help="of all that is drawn")
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

    def __init__(self, replays: Sequence[Replay], player: str, options: ImitationOptions) -> None:
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
        torch.manual_seed(options.seed)
        self.game: Game = replays[0].game
        self._options = options
        self._player = player
        self._rng = np.random.default_rng(options.seed)
        by_deal = sorted(replays, key=lambda replay: (replay.seed or 0, replay.players))
        cut = len(by_deal) // HELD_BACK
        self._held_back = decisions_of(by_deal[:cut], player, self._rng)
        self._learnt = decisions_of(by_deal[cut:], player, self._rng)
        widths = (self._learnt.observations.shape[1], *options.hidden_layers)
        self.layers = torch.nn.Sequential(*hidden_layers(widths), torch.nn.Linear(widths[-1], self.game.num_actions))

    def learn(self, console: Console) -> None:
        """Every decision so many times, in random order, each batch under names of its own."""
        options = self._options
        optimizer = torch.optim.AdamW(self.layers.parameters(), lr=LEARNING_RATE, weight_decay=options.weight_decay)
        for number in track(range(options.passes), "imitating", console=console):
            optimizer.param_groups[0]["lr"] = between(LEARNING_RATE, FINAL_LEARNING_RATE, number / options.passes)
            for batch in self._batches():
                loss = cross_entropy(self._logits(batch), batch.actions)
                optimizer.zero_grad()
                torch.autograd.backward(loss)
                optimizer.step()

    def agreement(self) -> tuple[float, float]:
        """The shares of the held-back decisions that the network foretells, and that the baseline bot does."""
        held_back = self._held_back
        with torch.no_grad():
            foretold = self._logits(held_back).argmax(1)
        advised = held_back.advice.argmax(1)
        return share_of_equals(foretold, held_back.actions), share_of_equals(advised, held_back.actions)

    def policy_file(self, command: str) -> PolicyFile:
        """The network as it is, with how it came to be."""
        options = self._options
        network, bot = self.agreement()
        training = {
            "algorithm": "imitation",
            "player": self._player,
            "steps": options.passes * len(self._learnt.actions),
            "config": asdict(options),
            "command": command,
            "agreement": {"network": round(network, 4), "greedy": round(bot, 4)},
        }
        advice = options.advice + options.caution
        return PolicyFile.of(self.game, stack_network(list(self.layers)), training, advice=advice)

    def _batches(self) -> Iterator[Decisions]:
        size = self.game.observation_size
        for rows in torch.split(torch.randperm(len(self._learnt.actions)), BATCH_SIZE):
            symmetry = draw_symmetry(self.game, self._rng)
            actions = torch.from_numpy(symmetry.actions)
            inputs = torch.cat([torch.from_numpy(symmetry.observation), size + actions])
            batch = Decisions(*(part[rows] for part in self._learnt))
            yield Decisions(
                observations=batch.observations[:, inputs],
                advice=batch.advice[:, actions],
                masks=batch.masks[:, actions],
                actions=torch.argsort(actions)[batch.actions],
            )

    def _logits(self, batch: Decisions) -> Tensor:
        logits = self.layers(batch.observations) + self._options.advice * batch.advice
        return torch.where(batch.masks, logits, ILLEGAL_LOGIT)


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
        actions=torch.tensor(actions),
    )


def share_of_equals(left: Tensor, right: Tensor) -> float:
    """The share of places where two tensors are equal."""
    return float((left == right).float().mean())


if __name__ == "__main__":
    sys.exit(main())
