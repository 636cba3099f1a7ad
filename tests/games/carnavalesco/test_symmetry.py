"""Under other names for the colors a position is the same position: followed through position documents."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.core.symmetry import Symmetry, draw_symmetry

COLORS = "RYGBPW"

OPTIONS = [
    {"num_players": 1},
    {"num_players": 2},
    {"num_players": 3, "divisions": "choose"},
]


def renamed_document(document: dict[str, Any], letters: dict[str, str]) -> dict[str, Any]:
    """A position document in which every color letter, alone or in the code of a die, is another one."""
    text = re.sub(r'"([RYGBPW])([1-6]?)"', lambda match: f'"{letters[match[1]]}{match[2]}"', json.dumps(document))
    renamed = json.loads(text)
    for player, before in zip(renamed["players"], document["players"], strict=True):
        player["division"] = before["division"]  # B is a division too
        player["colors"].sort(key=COLORS.index)
        for element, dice in player["board"].items():
            player["board"][element] = sorted(dice, key=lambda die: (COLORS.index(die[0]), die[1]))
    renamed["pool"].sort(key=lambda die: (COLORS.index(die[0]), die[1]))
    return renamed


def new_letters(game: Game, symmetry: Symmetry) -> dict[str, str]:
    """The new letter of every color, by the actions that choose one."""
    before = [game.action_to_string(int(action)) for action in symmetry.actions]
    return {before[game.string_to_action(f"color:{new}")][-1]: new for new in COLORS}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_observation_and_legal_actions_follow_the_colors(options: dict[str, object]) -> None:
    game = load_game("carnavalesco", **options)
    rng = np.random.default_rng(3)
    state = game.new_initial_state(seed=5)
    while not state.is_terminal():
        if rng.random() < 0.2:
            symmetry = draw_symmetry(game, rng)
            renamed = game.state_from_position(renamed_document(state.to_position(), new_letters(game, symmetry)))
            player = state.current_player()
            np.testing.assert_array_equal(
                renamed.observation_tensor(player), np.asarray(state.observation_tensor(player))[symmetry.observation]
            )
            np.testing.assert_array_equal(
                renamed.legal_actions_mask(), np.asarray(state.legal_actions_mask())[symmetry.actions]
            )
        state.apply_action(int(rng.choice(state.legal_actions())))


def test_the_history_follows_the_colors() -> None:
    """Four decisions of the first round, in which no dice are rolled."""
    game = load_game("carnavalesco", num_players=2, history=3)
    symmetry = draw_symmetry(game, np.random.default_rng(1))
    state = game.new_initial_state(seed=8)
    renamed = game.state_from_position(renamed_document(state.to_position(), new_letters(game, symmetry)))
    for _ in range(4):
        action = state.legal_actions()[-1]
        state.apply_action(action)
        renamed.apply_action(int(np.flatnonzero(symmetry.actions == action)[0]))
    player = state.current_player()
    np.testing.assert_array_equal(
        renamed.observation_tensor(player), np.asarray(state.observation_tensor(player))[symmetry.observation]
    )


def test_where_nothing_is_alike_everything_stays_in_its_place() -> None:
    game = load_game("carnival", num_players=2, history=1)
    symmetry = draw_symmetry(game, np.random.default_rng(1))
    np.testing.assert_array_equal(symmetry.observation, np.arange(game.observation_size))
    np.testing.assert_array_equal(symmetry.actions, np.arange(game.num_actions))
