"""Every registered game with every option set that its definition names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from carnival_envs.core.game import Game
from carnival_envs.core.state import State
from carnival_envs.registry import GAMES, definition, load_game

HISTORY = 5


def option_sets(name: str) -> list[dict[str, Any]]:
    """The option sets that a game's definition names, and one with a history."""
    own = definition(name)
    return [*own.option_sets(), {"num_players": own.player_counts()[-1], "history": HISTORY}]


def all_games() -> list[Any]:
    """One parameter per game and option set."""
    return [
        pytest.param(name, options, id=f"{name}-{label(options)}") for name in GAMES for options in option_sets(name)
    ]


def label(options: dict[str, Any]) -> str:
    """A short name of an option set."""
    return "-".join(f"{key}={value}" for key, value in options.items()).replace(" ", "").replace("'", "")


def random_game(game: Game, seed: int, *, greedy_share: float = 0.0) -> Iterator[State]:
    """The states of a game of uniformly random moves (in part the baseline bot's), the final one included."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state(seed=seed)
    yield state
    while not state.is_terminal():
        if rng.random() < greedy_share:
            action = greedy_action(state, int(rng.integers(1 << 62)))
        else:
            action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        yield state


def greedy_action(state: State, seed: int) -> int:
    """The baseline bot's choice, from the view of the player who decides."""
    from carnival_envs.core.chance import seeded_words
    from carnival_envs.core.views import Views

    views = Views.of_states([state])
    actions = np.empty(1, dtype=np.int64)
    game = state.game
    game.engine.greedy_actions(game.rules, views.records, views.players, views.masks, seeded_words(seed), actions)
    return int(actions[0])


def load(name: str, options: dict[str, Any]) -> Game:
    """The game of a parameter."""
    return load_game(name, **options)
