"""The pictures of the documentation are what the code draws."""

from __future__ import annotations

import pytest

from carnival_envs.core.drawing import THEMES
from carnival_envs.registry import GAMES
from docs import pictures


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_current(name: str, theme: str) -> None:
    drawn = pictures.path_of(name, theme).read_text(encoding="utf-8")
    assert drawn == pictures.picture(name, theme), "python docs/pictures.py draws them anew"


@pytest.mark.parametrize("name", GAMES)
def test_they_show_a_game_that_runs(name: str) -> None:
    state = pictures.mid_game(name)
    assert not state.is_terminal()


def test_there_are_no_others() -> None:
    known = {pictures.path_of(name, theme) for name in GAMES for theme in THEMES}
    assert set(pictures.FOLDER.iterdir()) == known
