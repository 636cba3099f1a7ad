"""Value decisions by rollouts, to learn from: ``python -m training.rollouts --game GAME --num-players N --out FOLDER``.

One seat of each game follows a policy, and all others are the baseline bot. Of every decision of that seat it is noted
what each legal action would have earned had the bot played on (``rollout_values``); ``training.improvement`` learns
from that. A second round, in which the seat follows what was learnt in the first, tells of the positions that this one
comes to (AggreVaTe, Ross and Bagnell 2014).
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from carnival_envs.core.batch import Batch
from carnival_envs.core.chance import SEED_LIMIT
from carnival_envs.core.files import locked, need_folder, remove_leftovers, replacing
from carnival_envs.core.game import Game
from carnival_envs.core.loops import REWARDS
from carnival_envs.core.observation import Floats
from carnival_envs.core.options import need_at_least_one, parse_option, refuse
from carnival_envs.core.rollouts import rollout_values
from carnival_envs.core.state import reward_index
from carnival_envs.core.views import Views
from carnival_envs.policies.base import AnyPolicy, choose
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.network import advise, input_size
from carnival_envs.policies.specs import make_policy
from carnival_envs.registry import load_game
from training.exit_status import FINISHED, tells_errors
from training.run_directory import write_text

PART_GAMES = 64
"""Games that are played side by side, and saved together."""

DESCRIPTION_FILE = "rollouts.json"


@dataclass(frozen=True, kw_only=True)
class RolloutOptions:
    """Which decisions to value, and how.

    Attributes:
        policy: the spec of whom one seat of each game follows.
        exploration: the share of that seat's moves that are the best by rollouts instead.
        rollouts: games for each legal action of a decision.
        reward: the kind of returns.
        seed: of all that is drawn.
    """

    policy: str = "greedy"
    exploration: float = 0.25
    rollouts: int = 8
    reward: str = "score"
    seed: int = 0

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: an option that is not allowed; names it.
        """
        need_at_least_one(rollouts=self.rollouts)
        reward_index(self.reward)
        if self.seed < 0:
            refuse("seed", self.seed, "at least 0")
        if not 0 <= self.exploration <= 1:
            refuse("exploration", self.exploration, "a number in 0..1")


class ValuedDecisions(NamedTuple):
    """Decisions and what each action was worth, a decision a row.

    Attributes:
        observations: float32: what an advised network sees, see ``advise``.
        masks: bool: the legal actions.
        values: float32: see ``rollout_values``.
    """

    observations: Floats
    masks: npt.NDArray[np.bool_]
    values: Floats


@tells_errors
def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console(highlight=False)
    options = RolloutOptions(
        policy=given.policy,
        exploration=given.exploration,
        rollouts=given.rollouts,
        reward=given.reward,
        seed=given.seed,
    )
    need_at_least_one(games=given.games, threads=given.threads)
    chosen = dict(parse_option(option) for option in given.option)
    game = load_game(given.game, num_players=given.num_players, **chosen)
    need_folder("--out", given.out)
    with locked(given.out):
        remove_leftovers(given.out)
        decisions = fill(given.out, game, options, given.games, given.threads, console)
    console.print(f"{given.out}: {decisions} valued decisions of {game}")
    return FINISHED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    default = RolloutOptions()
    command = argparse.ArgumentParser(
        prog="python -m training.rollouts", description="Value decisions by rollouts of the baseline bot."
    )
    command.add_argument("--game", required=True, help="the id of the game")
    command.add_argument("--num-players", type=int, required=True, metavar="N", help="number of seats")
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="of the game; repeatable")
    command.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="what is there already is kept")
    command.add_argument("--games", type=int, default=PART_GAMES, help=f"how many, in parts of {PART_GAMES}")
    command.add_argument("--policy", default=default.policy, metavar="SPEC", help="whom one seat of each game follows")
    command.add_argument("--exploration", type=float, default=default.exploration, help="share of best moves instead")
    command.add_argument("--rollouts", type=int, default=default.rollouts, help="games for each action")
    command.add_argument("--reward", choices=REWARDS, default=default.reward, help="the returns that are averaged")
    command.add_argument("--seed", type=int, default=default.seed, help="of all that is drawn")
    command.add_argument("--threads", type=int, default=1, help="among how many the rollouts are divided")
    return command


def fill(folder: Path, game: Game, options: RolloutOptions, games: int, threads: int, console: Console) -> int:
    """Play the parts that a folder lacks; returns how many decisions it holds.

    Raises:
        ValueError: it holds parts that other options made, or a policy can't be made.
    """
    description = {"game": game.name, "options": game.keywords, **asdict(options)}
    describe(folder, description)
    policy = make_policy(options.policy, game)
    decisions = 0
    for part in track(range(-(-games // PART_GAMES)), "valuing", console=console):
        path = folder / f"part-{part:04}.npz"
        if not path.exists():
            save_part(path, play_part(game, policy, options, part, threads))
        decisions += len(load_part(path).values)
    return decisions


def describe(folder: Path, description: dict[str, Any]) -> None:
    """Note in a folder how its parts are made.

    Raises:
        ValueError: they are made otherwise.
    """
    path = folder / DESCRIPTION_FILE
    if not path.exists():
        write_text(path, json.dumps(description, indent=2) + "\n")
    elif (found := read_description(folder)) != description:
        different = [name for name in description if found.get(name) != description[name]]
        raise ValueError(f"{folder}: holds decisions that were valued with other {', '.join(different)}")


def read_description(folder: Path) -> dict[str, Any]:
    """How the parts of a folder are made.

    Raises:
        ValueError: it is no folder of valued decisions.
    """
    path = folder / DESCRIPTION_FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{folder}: no folder of valued decisions; {DESCRIPTION_FILE} is missing") from None
    except ValueError as error:
        raise ValueError(f"{path}: not JSON ({error})") from None
    if not isinstance(found, dict) or not {"game", "options"} <= found.keys():
        raise ValueError(f"{path}: 'game' or 'options' is missing")
    return found


def play_part(game: Game, policy: AnyPolicy, options: RolloutOptions, part: int, threads: int) -> ValuedDecisions:
    """Some games side by side, and the valued decisions of the seat that follows the policy, in turn each."""
    rng = np.random.default_rng([options.seed, part])
    games = Batch(game, PART_GAMES, int(rng.integers(SEED_LIMIT, dtype=np.uint64)))
    games.reset()
    seats = (part * PART_GAMES + np.arange(PART_GAMES)) % game.num_players
    running = np.ones(PART_GAMES, dtype=np.bool_)
    valued = []
    while running.any():
        views = games.views()
        actions = GreedyPolicy().act_on_views(views, rng)
        choices = views.masks.sum(axis=1, dtype=np.int64)
        rows = np.flatnonzero(running & (games.current_players == seats) & (choices > 1))
        if len(rows):
            learner = Views(game, views.records[rows], views.players[rows])
            decisions = value_decisions(learner, options, rng, threads)
            best = np.where(decisions.masks, decisions.values, -np.inf).argmax(axis=1)
            explores = rng.random(len(rows)) < options.exploration
            actions[rows] = np.where(explores, best, choose(policy, learner, rng))
            valued.append(decisions)
        games.step(actions)
        running &= ~(games.terminated | games.truncated)
    return joined(valued)


def joined(parts: Sequence[ValuedDecisions]) -> ValuedDecisions:
    """The decisions of all parts."""
    observations, masks, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return ValuedDecisions(observations, masks, values)


def value_decisions(views: Views, options: RolloutOptions, rng: np.random.Generator, threads: int) -> ValuedDecisions:
    """Value the decisions of some views."""
    values = rollout_values(views, options.rollouts, rng, reward=options.reward, threads=threads)
    return ValuedDecisions(advise(views, rng)[0], views.masks != 0, values.astype(np.float32))


def save_part(path: Path, decisions: ValuedDecisions) -> None:
    """Write valued decisions to a file."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **decisions._asdict())


def load_part(path: Path) -> ValuedDecisions:
    """Read valued decisions; no code of the file is run.

    Raises:
        ValueError: it is damaged; names it.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return ValuedDecisions(*(arrays[name] for name in ValuedDecisions._fields))
    except (ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: not a file of valued decisions, or damaged ({error})") from None


def read_decisions(folders: Sequence[Path]) -> tuple[Game, list[ValuedDecisions]]:
    """What some folders hold: the game, and the decisions of each part.

    Raises:
        ValueError: a folder that holds none, a damaged file, or different games.
    """
    games, parts = [], []
    for folder in folders:
        description = read_description(folder)
        games.append(load_game(description["game"], **description["options"]))
        parts += [load_part(path) for path in sorted(folder.glob("part-*.npz"))]
    for game in games:
        if (game.name, game.keywords) != (games[0].name, games[0].keywords):
            raise ValueError(f"decisions in {games[0]} and in {game} can't be learnt from together")
    if not parts:
        raise ValueError(f"{', '.join(map(str, folders))}: no valued decisions yet")
    check_shapes(games[0], parts)
    return games[0], parts


def check_shapes(game: Game, parts: Sequence[ValuedDecisions]) -> None:
    """Refuse valued decisions that are not of a game.

    Raises:
        ValueError: they see, or choose among, another number of things.
    """
    wanted = (input_size(game, advised=True), game.num_actions, game.num_actions)
    for part in parts:
        shapes = [array.shape for array in part]
        if shapes != [(len(part.values), width) for width in wanted]:
            raise ValueError(f"decisions of shapes {shapes} are not of {game}; its widths are {wanted}")


if __name__ == "__main__":
    sys.exit(main())
