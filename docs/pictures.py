"""Draw the pictures of the documentation: a table of every game in mid-game, light and dark.

``python docs/pictures.py`` writes ``docs/pictures/<game>-<theme>.svg``, always the same.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from carnival_envs.core.drawing import THEMES
from carnival_envs.core.files import replacing
from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.registry import GAMES, load_game

FOLDER = Path(__file__).parent / "pictures"
SEED = 7
PART = 0.6
"""How much of the game has been played."""


def mid_game(name: str) -> State:
    """A table of a game between baseline bots, as they have played a part of it."""
    states = [load_game(name).new_initial_state(seed=SEED)]
    bot, rng = GreedyPolicy(), np.random.default_rng(SEED)
    while not states[-1].is_terminal():
        following = states[-1].__copy__()
        following.apply_action(int(bot.act_on_views(Views.of_states(states[-1:]), rng)[0]))
        states.append(following)
    return states[int(PART * len(states))]


def path_of(name: str, theme: str) -> Path:
    """Where a picture is."""
    return FOLDER / f"{name}-{theme}.svg"


def picture(name: str, theme: str) -> str:
    """The table in mid-game as the player who is to decide sees it."""
    state = mid_game(name)
    return state.draw(state.current_player(), theme) + "\n"


def main() -> None:
    """Write all pictures."""
    for name in GAMES:
        for theme in THEMES:
            with replacing(path_of(name, theme)) as temporary:
                temporary.write_text(picture(name, theme), encoding="utf-8")
            print(path_of(name, theme).relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()
