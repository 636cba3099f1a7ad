"""From nothing to a measured opponent: ``python -m training.demo``.

Trains a small network to play Carnavalesco, writes it to a policy file, loads that file back, and lets it play in
the PettingZoo environment against random play, every deal once from each seat. It fails when the policy wins less
than 95 % of the games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from rich.console import Console

from carnival_envs import carnavalesco_v0
from carnival_envs.evaluation.statistics import Estimate, estimate_share
from carnival_envs.policies.base import Policy
from carnival_envs.policies.policy_file import load_policy
from carnival_envs.policies.random import RandomPolicy
from training.config import ConfigError, read_config
from training.run_directory import RunDirectory, RunError
from training.train import FAILED, FINISHED, INTERRUPTED, new_folder, train

CONFIG = Path(__file__).parents[1] / "configs" / "train" / "demo.yaml"
AGENTS = ("player_0", "player_1")
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
        config = read_config(CONFIG, [f"seed={given.seed}", *given.set])
        trainer = train(config, run.path, console)
    except (ConfigError, RunError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    if not trainer.finished:
        return INTERRUPTED
    console.print(f"policy file: {run.best_file}")
    share = win_share(load_policy(str(run.best_file), trainer.game), GAMES // len(AGENTS))
    console.print(
        f"loaded back, it won {share.mean:.1%} of {share.games} games in the AEC environment against random play "
        f"(95% interval {share.low:.1%} to {share.high:.1%}; wanted: {WANTED:.0%})"
    )
    return FINISHED if share.mean >= WANTED else FAILED


def win_share(policy: Policy, deals: int) -> Estimate:
    """The share of games that a policy wins against random play in the AEC environment, from each seat in turn."""
    env = carnavalesco_v0.env(num_players=len(AGENTS))
    rng = np.random.default_rng(0)
    random = RandomPolicy()
    won = [
        [play(env, deal, {agent: policy if agent == own else random for agent in AGENTS}, rng)[own] for own in AGENTS]
        for deal in range(deals)
    ]
    env.close()
    return estimate_share(np.array(won))


def play(
    env: AECEnv[str, Any, Any], seed: int, policies: Mapping[str, Policy], rng: np.random.Generator
) -> dict[str, float]:
    """Play a game; returns each agent's share of the win."""
    env.reset(seed=seed)
    shares: dict[str, float] = {}
    for agent in env.agent_iter():
        seen, _, terminated, truncated, info = env.last()
        assert seen is not None  # only last(observe=False) gives none
        if terminated or truncated:
            winners = info["winners"]
            shares[agent] = (AGENTS.index(agent) in winners) / len(winners)
            env.step(None)
            continue
        actions = policies[agent].act(seen["observation"][None], seen["action_mask"][None], rng)
        env.step(int(actions[0]))
    return shares


if __name__ == "__main__":
    sys.exit(main())
