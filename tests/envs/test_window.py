"""Mode ``"human"`` in a window, on SDL's dummy screen."""

from __future__ import annotations

import copy
import importlib
import os
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from carnival_envs.envs import rendering, window
from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.envs.single import SeatEnv
from carnival_envs.registry import GAMES, load_game

pytest.importorskip("pygame", reason="the extra window is not installed")

FAST = 10_000
"""Frames a second, so that no test waits."""


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The library, on a screen that nobody sees."""
    monkeypatch.setattr(rendering, "Window", window.Window)
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(rendering, "FRAMES_PER_SECOND", FAST)
    library = importlib.import_module("pygame")
    yield library
    library.display.quit()


def shown(env: Any) -> np.ndarray[Any, Any]:
    """The pixels of the window of an environment: uint8, ``(height, width, 3)``."""
    opened = env._screen._window
    surface = opened._window.get_surface()
    return opened._pygame.surfarray.array3d(surface).swapaxes(0, 1)


@pytest.mark.parametrize("name", GAMES)
def test_the_window_shows_the_table(name: str, pygame: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The pixels in the window are those of the picture, after the reset and after a move, for a referee and a seat."""
    aec = AECGameEnv(name, render_mode="human")
    aec.reset(seed=1)
    assert np.array_equal(shown(aec), aec.game_state.pixels())
    aec.step(int(aec.last()[0]["action_mask"].argmax()))
    assert np.array_equal(shown(aec), aec.game_state.pixels())
    seat = SeatEnv(name, render_mode="human", seat=0)
    _, info = seat.reset(seed=1)
    seat.step(int(info["action_mask"].argmax()))
    assert np.array_equal(shown(seat), seat.game_state.pixels(0))
    for env in (aec, seat):
        assert env._screen._window.is_open
        env.close()
        assert not env._screen._window.is_open
        env.close()
    assert capsys.readouterr().out == ""


def test_a_window_that_the_user_closes_stays_closed(pygame: Any) -> None:
    env = AECGameEnv("carnavalo", render_mode="human")
    env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=env._screen._window._window))
    for _ in range(3):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        assert not env._screen._window.is_open


def test_copies_have_windows_of_their_own(pygame: Any) -> None:
    env = AECGameEnv("carnavalo", render_mode="human")
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(int(twin.last()[0]["action_mask"].argmax()))
        assert not np.array_equal(shown(twin), shown(env))
        twin.close()
    assert env._screen._window.is_open
    env.close()


def test_without_a_screen_the_text_is_printed(pygame: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "no such driver")
    pygame.display.quit()
    with pytest.raises(OSError, match="no window can be opened here"):
        window.Window("Carnival", FAST)
    env = AECGameEnv("carnival", render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == f"{env.game_state}\n"
    env.close()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(rendering, "Window", window.Window)
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"carnival-envs\[window\]"):
        window.Window("Carnival", FAST)
    screen, state = rendering.Screen(), load_game("carnival").new_initial_state(seed=1)
    screen.show(state, 1)
    assert capsys.readouterr().out == f"{state.text(1)}\n"
    screen.close()
