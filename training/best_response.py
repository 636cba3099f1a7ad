"""Train a best response to a frozen policy: ``python -m training.best_response CONFIG --against SPEC``.

The learner meets the policy in all other seats and nobody else. What it wins in the end is a lower bound on how much
the policy can be exploited (approximate best response, Timbers et al. 2022): more than an even share says that it does
not play safe; an even share says that this learner found nothing in this many steps.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from carnival_envs.evaluation import evaluate
from carnival_envs.evaluation.tournament import Pairing, number_of_seeds
from carnival_envs.policies.specs import make_policy
from training.command import FINISHED, INTERRUPTED, tells_errors
from training.config import ConfigError, TrainConfig, read_config
from training.league import play_run
from training.run_directory import RunDirectory, write_text
from training.train import new_folder

RESULT_FILE = "best_response.json"
TEST_SEED = 1_000_003
"""Of the games that measure: others than those by which the run chose its best policy."""


@tells_errors
def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    given = parser().parse_args(arguments)
    console = Console(highlight=False)
    config = against(given.config, given.set, given.against)
    check_match(config, given.games)
    run = RunDirectory(given.run_dir or new_folder(given.config))
    course = play_run(config, run.path, console)
    if not course.finished:
        return INTERRUPTED
    measured = measure(run, config, given.against, given.games)
    share, even = measured.win_share, 1 / course.game.num_players
    console.print(
        f"best response to {given.against}: {share.mean:.1%} of {share.games} games won "
        f"(95% interval {share.low:.1%} to {share.high:.1%}; even: {even:.1%})"
    )
    return FINISHED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    command = argparse.ArgumentParser(
        prog="python -m training.best_response", description="Train a best response to a frozen policy."
    )
    command.add_argument("config", type=Path, help="a YAML file: fields of TrainConfig")
    command.add_argument("--against", default="zoo", metavar="SPEC", help="the frozen policy (default: zoo)")
    command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a field; repeatable")
    command.add_argument("--games", type=int, default=400, help="games that measure the result")
    command.add_argument("--run-dir", type=Path, help="where the run goes; one that is there goes on (default: new)")
    return command


def against(config_file: Path, overrides: Sequence[str], spec: str) -> TrainConfig:
    """The configuration with a policy as the only opponent, in training and in evaluation.

    Raises:
        ConfigError: see ``read_config``, or nothing plays by that spec.
    """
    config: TrainConfig = read_config(config_file, overrides)
    try:
        make_policy(spec, config.load_game())
    except (ValueError, OSError) as error:
        raise ConfigError(f"--against: {error}") from None
    opponents = replace(config.opponents, shares={spec: 1.0})
    return replace(config, opponents=opponents, evaluation=replace(config.evaluation, opponents=(spec,)))


def check_match(config: TrainConfig, games: int) -> None:
    """Refuse, before anything is trained, what could not be measured.

    Raises:
        ConfigError: a game for one.
        ValueError: too few games, or too many.
    """
    seats = config.load_game().num_players
    if seats < 2:
        raise ConfigError(f"options.num_players: {seats}: nobody is there to respond to; at least 2 are needed")
    number_of_seeds(games, seats)


def measure(run: RunDirectory, config: TrainConfig, spec: str, games: int) -> Pairing:
    """Play the best policy of the run against the frozen one, on deals of their own, and keep the result."""
    result = evaluate(config.load_game(), [f"policy:{run.best_file}", spec], games, seed=TEST_SEED).pairings[0]
    share = result.win_share
    written = {
        "against": spec,
        "games": share.games,
        "win_share": share.mean,
        "low": share.low,
        "high": share.high,
        "steps": config.total_steps,
    }
    write_text(run.path / RESULT_FILE, json.dumps(written, indent=2) + "\n")
    return result


if __name__ == "__main__":
    sys.exit(main())
