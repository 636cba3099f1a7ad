"""Value decisions by rollouts, to learn from: ``python -m training.rollouts --game GAME --num-players N --out FOLDER``.

One seat of each game follows a policy, and all others are the baseline bot. Of every decision of that seat it is noted
what each legal action would have earned had the bot played on (``rollout_values``); ``training.improvement`` learns
from that. A second round, in which the seat follows what was learnt in the first, tells of the positions that this one
comes to (AggreVaTe, Ross and Bagnell 2014).
"""

from __future__ import annotations

import argparse
import hashlib
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
from carnival_envs.core.options import need_integer, parse_option, refuse
from carnival_envs.core.rollouts import rollout_values
from carnival_envs.core.state import reward_index
from carnival_envs.core.views import Views
from carnival_envs.policies.base import AnyPolicy, choose
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.network import advise, input_size
from carnival_envs.policies.specs import make_policy
from carnival_envs.policies.zoo import policy_file_of
from carnival_envs.registry import load_game
from training.advised import MAX_SEED
from training.command import FINISHED, chosen_options, tells_errors
from training.run_directory import write_text

PART_GAMES = 64
"""Games that are played side by side, and saved together."""

DESCRIPTION_FILE = "rollouts.json"

MAX_GAMES, MAX_ROLLOUTS, MAX_THREADS = 100_000_000, 1 << 30, 1024


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
        need_integer(1, MAX_ROLLOUTS, rollouts=self.rollouts)
        need_integer(0, MAX_SEED, seed=self.seed)
        reward_index(self.reward)
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
    options = chosen_options(RolloutOptions, given)
    need_integer(1, MAX_GAMES, games=given.games)
    need_integer(1, MAX_THREADS, threads=given.threads)
    game = game_with(given.game, {**dict(map(parse_option, given.option)), "num_players": given.num_players})
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
        ValueError: it holds parts that other options made, or damaged ones, or a policy can't be made.
    """
    policy = make_policy(options.policy, game)
    description = {"game": game.name, "options": game.keywords, **asdict(options)}
    describe(folder, {**description, "policy_file": fingerprint(options.policy, game)})
    for part in track(range(-(-games // PART_GAMES)), "valuing", console=console):
        path = folder / f"part-{part:04}.npz"
        if not path.exists():
            save_part(path, play_part(game, policy, options, part, threads))
    return sum(len(load_part(path, game).values) for path in parts_of(folder))


def game_with(name: str, options: dict[str, Any]) -> Game:
    """A game with the components that it comes with: those of ``data`` are not kept with decisions.

    Raises:
        ValueError: an unknown game or option, or a value that is not allowed.
    """
    if "data" in options:
        raise ValueError("--option: 'data' is not an option of the game")
    try:
        return load_game(name, **options)
    except TypeError as error:
        raise ValueError(str(error)) from None


def fingerprint(spec: str, game: Game) -> str | None:
    """What tells one policy file from another under the same name; ``None`` of a policy that has none."""
    path = spec.partition("?")[0]
    if path != "zoo" and not path.startswith("policy:"):
        return None
    return hashlib.sha256(policy_file_of(path, game).network.parameters.tobytes()).hexdigest()[:16]


def describe(folder: Path, description: dict[str, Any]) -> None:
    """Note in a folder how its parts are made.

    Raises:
        ValueError: they are made otherwise.
    """
    if parts_of(folder):
        found = read_description(folder)
        different = [name for name in {**description, **found} if found.get(name) != description.get(name)]
        if different:
            raise ValueError(f"{folder}: holds decisions that were valued with other {', '.join(different)}")
    else:
        write_text(folder / DESCRIPTION_FILE, json.dumps(description, indent=2) + "\n")


def parts_of(folder: Path) -> list[Path]:
    """The files of valued decisions in a folder."""
    return sorted(folder.glob("part-*.npz"))


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
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None
    if not isinstance(found, dict) or not isinstance(found.get("options"), dict) or "game" not in found:
        raise ValueError(f"{path}: 'game' or 'options' is missing, or no object")
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


def load_part(path: Path, game: Game) -> ValuedDecisions:
    """Read valued decisions of a game; no code of the file is run.

    Raises:
        ValueError: it is damaged, or of another game; names it.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            part = ValuedDecisions(*(arrays[name] for name in ValuedDecisions._fields))
    except (ValueError, TypeError, KeyError, EOFError, OSError, NotImplementedError, BadZipFile, zlib.error) as error:
        raise ValueError(f"{path}: not a file of valued decisions, or damaged ({error})") from None
    kinds = [str(array.dtype) for array in part]
    if kinds != ["float32", "bool", "float32"]:
        raise ValueError(f"{path}: holds {', '.join(kinds)}; valued decisions are float32, bool, float32")
    if not np.isfinite(part.observations).all() or not np.isfinite(part.values).all():
        raise ValueError(f"{path}: some numbers are not finite")
    widths = (input_size(game, advised=True), game.num_actions, game.num_actions)
    shapes = [array.shape for array in part]
    if part.values.ndim == 0 or shapes != [(len(part.values), width) for width in widths]:
        raise ValueError(f"{path}: decisions of shapes {shapes} are not of {game}; its widths are {widths}")
    return part


def read_decisions(folders: Sequence[Path]) -> tuple[Game, list[ValuedDecisions]]:
    """What some folders hold: the game, and the decisions of each part.

    Raises:
        ValueError: a folder that holds none or is named twice, a damaged file, or different games or returns.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise ValueError(f"{', '.join(map(str, folders))}: a folder is named twice")
    descriptions = [read_description(folder) for folder in folders]
    games = [game_with(description["game"], description["options"]) for description in descriptions]
    kinds = [(game, description.get("reward")) for game, description in zip(games, descriptions, strict=True)]
    for game, reward in kinds:
        if (game, reward) != kinds[0]:
            first, kind = kinds[0]
            raise ValueError(f"{kind} in {first} and {reward} in {game} can't be learnt from together")
    paths = [path for folder in folders for path in parts_of(folder)]
    if not paths:
        raise ValueError(f"{', '.join(map(str, folders))}: no valued decisions yet")
    return games[0], [load_part(path, games[0]) for path in paths]


if __name__ == "__main__":
    sys.exit(main())
