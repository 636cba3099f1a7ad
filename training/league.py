"""Train the policies of a game for every number of players: ``python -m training.league CONFIG [--publish DIR]``.

A league is a run of ``training.train`` for each number of players, one after another: the observation grows with the
number of players, so each has a network of its own. Opponents are the learner as it is, its snapshots (with
``opponents.prioritised`` those more often that it loses to), and whatever the configuration names.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from carnival_envs.core.files import need_folder
from carnival_envs.policies.policy_file import read_policy_file, write_policy_file
from carnival_envs.policies.zoo import zoo_file
from carnival_envs.registry import definition
from training.command import FINISHED, INTERRUPTED, tells_errors
from training.config import ConfigError, TrainConfig, read_config
from training.course import Course
from training.run_directory import RunDirectory
from training.train import new_folder, resume, train


@tells_errors
def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console()
    config: TrainConfig = read_config(given.config, given.set)
    if given.publish is not None:
        need_folder("--publish", given.publish)
    folder = given.run_dir or new_folder(given.config)
    finished = play_league(config, chosen_players(config, given.players), folder, console)
    if finished and given.publish is not None:
        command = " ".join([f"python -m training.league {given.config}", *(f"--set {one}" for one in given.set)])
        publish(config, command, folder, given.publish, console)
    return FINISHED if finished else INTERRUPTED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(
        prog="python -m training.league", description="Train a policy for every number of players of a game."
    )
    command.add_argument("config", type=Path, help="a YAML file: fields of TrainConfig")
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a field; repeatable")
    command.add_argument("--players", type=int, nargs="+", metavar="N", help="numbers of players (default: all from 2)")
    command.add_argument(
        "--run-dir", type=Path, help="where the runs go, a folder each; a league that is there goes on (default: new)"
    )
    command.add_argument("--publish", type=Path, metavar="DIR", help="copy the best policy files there at the end")
    return command


def chosen_players(config: TrainConfig, asked: Sequence[int] | None) -> list[int]:
    """The numbers of players of a league.

    Raises:
        ConfigError: the game can't be played by so many.
    """
    allowed = [count for count in definition(config.game).player_counts() if count > 1]
    for count in asked or ():
        if count not in allowed:
            raise ConfigError(f"--players {count}: {config.game} is a league of {', '.join(map(str, allowed))} players")
    return list(asked or allowed)


def play_league(config: TrainConfig, players: Sequence[int], folder: Path, console: Console) -> bool:
    """Train for each number of players in turn; runs that are there already go on, or are over.

    Returns:
        whether all runs are finished; not so where Ctrl-C stopped one.

    Raises:
        ConfigError: a run that is there has another configuration.
        RunError: see ``training.train``.
    """
    return all(play_run(of_players(config, count), run_folder(folder, count), console).finished for count in players)


def play_run(config: TrainConfig, folder: Path, console: Console) -> Course:
    """Begin a run, or go on with it."""
    run = RunDirectory(folder)
    if not run.config_file.exists():
        return train(config, folder, console)
    if run.config() != config:
        raise ConfigError(f"{folder}: the run that is there has another configuration; see {run.config_file}")
    return resume(folder, console)


def of_players(config: TrainConfig, count: int) -> TrainConfig:
    """The configuration for a number of players."""
    return replace(config, options={**config.options, "num_players": count})


def run_folder(folder: Path, count: int) -> Path:
    """Where the run for a number of players lies."""
    return folder / f"{count}-players"


def publish(config: TrainConfig, command: str, folder: Path, target: Path, console: Console) -> None:
    """Write the best policy of each run under the name that the zoo gives it, with the command that makes it again."""
    for count in definition(config.game).player_counts():
        best = RunDirectory(run_folder(folder, count)).best_file
        if best.is_file():
            made = read_policy_file(best)
            path = target / zoo_file(config.game, count).name
            training = {**made.training, "command": f"{command} --players {count}"}
            write_policy_file(path, replace(made, training=training))
            console.print(f"published: {path}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())
