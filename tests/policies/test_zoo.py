"""The policies that ship: what their files tell, and that they are worth shipping."""

from __future__ import annotations

from pathlib import Path

import pytest

from carnival_envs import load_game
from carnival_envs.evaluation import evaluate
from carnival_envs.policies.policy_file import read_policy_file
from carnival_envs.policies.specs import make_policy
from carnival_envs.policies.zoo import FOLDER, has_zoo_policy

SHIPPED = sorted(FOLDER.glob("*.npz"))
MEGABYTE = 1_000_000
GAMES = 120


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_file_is_small_and_tells_how_it_was_made(path: Path) -> None:
    assert path.stat().st_size <= MEGABYTE
    policy_file = read_policy_file(path)
    assert path.stem == f"{policy_file.game}-{policy_file.options['num_players']}"
    training = policy_file.training
    assert training["steps"] > 0
    learnt_from = {"imitation": "replays", "improvement": "rollouts"}.get(training["algorithm"])
    if learnt_from:
        module = f"training.{training['algorithm']}"
        assert training["command"].startswith(f"python -m {module} {learnt_from}/{policy_file.game}-")
        assert f"zoo/{path.name}" in training["command"]
    else:
        assert training["config"]["seed"] == 0
        assert f"configs/league/{policy_file.game}.yaml" in training["command"]
    assert policy_file.value is not None
    assert policy_file.value.reward == training["value"]["reward"] == "win"
    assert 0.05 < training["value"]["explained_variance"] < 1


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_zoo_wins_more_than_an_even_share_against_greedy(path: Path) -> None:
    name, players = path.stem.split("-")
    game = load_game(name, num_players=int(players))
    assert has_zoo_policy(game)
    share = evaluate(game, ["zoo", "greedy"], GAMES, seed=7).pairings[0].win_share
    assert share.mean > 1 / game.num_players


def test_zoo_without_a_policy_names_those_that_ship() -> None:
    with pytest.raises(ValueError, match="zoo: no policy ships for carnavalesco-1; shipped: "):
        make_policy("zoo", load_game("carnavalesco", num_players=1))
