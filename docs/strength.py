"""Measure how strong the policies are that come with the games; the games' pages show it.

``python docs/strength.py [GAME ...]`` plays every pair of ``zoo`` (where one ships), ``greedy`` and ``random`` at every
number of players, of the games that are named or of all, and writes ``docs/strength.json``; equal versions give equal
figures. Games that are not named keep theirs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Any

from carnival_envs import __version__
from carnival_envs.core.files import replacing
from carnival_envs.core.game import Game
from carnival_envs.evaluation import evaluate
from carnival_envs.policies.zoo import has_zoo_policy, zoo_file
from carnival_envs.registry import GAMES, definition, load_game

FILE = Path(__file__).parent / "strength.json"
POLICIES = ("zoo", "greedy", "random")
"""Strongest first: each is measured against those that follow."""

PLAYED_GAMES = 400
SEED = 4
"""Of the games: others than those that the policies were trained on, or chosen by."""


def tables(name: str) -> Iterator[Game]:
    """A game at every number of players of which one can beat another."""
    for num_players in definition(name).player_counts():
        if num_players > 1:
            yield load_game(name, num_players=num_players)


def contenders(game: Game) -> list[str]:
    """The policies that there are for a game."""
    return [policy for policy in POLICIES if policy != "zoo" or has_zoo_policy(game)]


def measure(game: Game, policy: str, opponent: str) -> dict[str, Any]:
    """The share of wins of a policy in one seat, with the opponent in all others."""
    share = evaluate(game, [policy, opponent], PLAYED_GAMES, seed=SEED).pairings[0].win_share
    return {"players": game.num_players, "policy": policy, "opponent": opponent, **asdict(share)}


def fingerprint(game: Game) -> str | None:
    """What tells one policy file from another; ``None`` where none ships."""
    if not has_zoo_policy(game):
        return None
    return hashlib.sha256(zoo_file(game.name, game.num_players).read_bytes()).hexdigest()[:16]


def measure_game(name: str) -> dict[str, Any]:
    """All that is measured of a game, with what tells whether it is of the policies that ship."""
    results, zoo = [], {}
    for game in tables(name):
        zoo[str(game.num_players)] = fingerprint(game)
        for policy, opponent in combinations(contenders(game), 2):
            result = measure(game, policy, opponent)
            print(f"{name}, {game.num_players} players: {policy} against {opponent}: {result['mean']:.1%}", flush=True)
            results.append(result)
    return {"carnival_envs": __version__, "seed": SEED, "zoo": zoo, "results": results}


def load() -> dict[str, dict[str, Any]]:
    """What has been measured, by game."""
    measured: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    return measured


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python docs/strength.py", description="Measure the policies of the games.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"some of {', '.join(GAMES)} (default: all)")
    chosen = parser.parse_args(arguments).games or list(GAMES)
    for name in chosen:
        definition(name)
    for name in chosen:
        measured = {**load(), name: measure_game(name)}
        with replacing(FILE) as temporary:
            in_order = {game: measured[game] for game in GAMES if game in measured}
            temporary.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
