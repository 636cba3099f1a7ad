"""From nothing to a measured opponent: ``python -m training.demo``.

Trains a small network to play Carnavalesco, writes it to a policy file, loads that file back, and lets it play in
the PettingZoo environment against random play, every deal once from each seat. It fails when the policy wins less
than 95 % of the games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from carnival_envs import carnavalesco_v0
from carnival_envs.envs.episodes import play_episode
from carnival_envs.evaluation.statistics import Estimate, estimate_share
from carnival_envs.policies.specs import Spec, make_policy
from training.command import FAILED, FINISHED, INTERRUPTED
from training.config import ConfigError, TrainConfig, read_config
from training.run_directory import RunDirectory, RunError
from training.train import new_folder, train

CONFIG = Path(__file__).parents[1] / "configs" / "train" / "demo.yaml"
AGENTS = ("player_0", "player_1")
ALL_RANDOM: dict[str, Spec] = dict.fromkeys(AGENTS, "random")
GAMES = 400
WANTED = 0.95


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m training.demo", description="Train, save, load back, measure.")
    parser.add_argument("--seed", type=int, default=0, help="of the training")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change a field of the training"
    )
    given = parser.parse_args(arguments)
    console = Console(highlight=False)
    run = RunDirectory(new_folder(CONFIG))
    try:
        config: TrainConfig = read_config(CONFIG, [f"seed={given.seed}", *given.set])
        trainer = train(config, run.path, console)
    except (ConfigError, RunError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    if not trainer.finished:
        return INTERRUPTED
    console.print(f"policy file: {run.best_file}")
    share = win_share(make_policy(f"policy:{run.best_file}", trainer.game), GAMES // len(AGENTS))
    console.print(
        f"loaded back, it won {share.mean:.1%} of {share.games} games in the AEC environment against random play "
        f"(95% interval {share.low:.1%} to {share.high:.1%}; wanted: {WANTED:.0%})"
    )
    return FINISHED if share.mean >= WANTED else FAILED


def win_share(policy: Spec, deals: int) -> Estimate:
    """The share of games that a policy wins against random play in the AEC environment, from each seat in turn."""
    env = carnavalesco_v0.env(num_players=len(AGENTS), reward="win")
    shares = [
        [won(play_episode(env, {**ALL_RANDOM, own: policy}, deal)[own]) for own in AGENTS] for deal in range(deals)
    ]
    env.close()
    return estimate_share(np.array(shares))


def won(payment: float) -> float:
    """The share of a win between two that pays 1, 0 or -1."""
    return (1 + payment) / 2


if __name__ == "__main__":
    sys.exit(main())
