"""Whole games by ``play_episode``."""

from __future__ import annotations

from typing import Any

import pytest

from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.envs.episodes import play_episode
from carnival_envs.registry import load_game
from tests.envs.common import EVERY_OPTION_SET, Dice, Last, Witness, last_legal


@EVERY_OPTION_SET
def test_pays_what_the_game_pays(name: str, options: dict[str, Any]) -> None:
    env = AECGameEnv(name, **options)
    returns = play_episode(env, [Last() for _ in env.possible_agents], seed=3)
    state = load_game(name, **options).new_initial_state(3)
    while not state.is_terminal():
        state.apply_action(last_legal(state.legal_actions_mask()))
    assert list(returns.values()) == state.returns()
    assert env.agents == []


def test_every_kind_of_policy_plays_its_seat() -> None:
    env = AECGameEnv("carnavalo")
    witness = Witness()
    policies = {"player_0": "random", "player_1": "greedy", "player_2": witness, "player_3": Dice()}
    first = play_episode(env, policies, seed=1)
    assert first.keys() == policies.keys()
    assert sum(first.values()) == pytest.approx(0)
    assert witness.seats == {2}
    assert play_episode(env, policies, seed=1) == first


@pytest.mark.parametrize(
    "policies", [["random"], ["random"] * 5, {"player_0": "random"}, dict.fromkeys(["a", "b", "c", "d"], "random")]
)
def test_every_agent_needs_a_policy(policies: Any) -> None:
    with pytest.raises(ValueError, match=r"policies: .* player_0, player_1, player_2, player_3"):
        play_episode(AECGameEnv("carnavalo"), policies)
