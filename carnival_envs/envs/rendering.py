"""What the environments show: the one place that knows the render modes."""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt

from carnival_envs.core.options import refuse
from carnival_envs.core.state import State
from carnival_envs.envs.window import Window

Frame = str | npt.NDArray[np.uint8]

ANSI: Final = "ansi"
HUMAN: Final = "human"
RGB_ARRAY: Final = "rgb_array"
SVG: Final = "svg"

RENDER_MODES: Final = [HUMAN, ANSI, RGB_ARRAY, SVG]
"""``"ansi"`` gives the table in plain text; ``"svg"`` gives a picture as text, ``"rgb_array"`` as pixels: uint8,
``(height, width, 3)``, with the extra ``render``. ``"human"`` shows it in a window, with the extra ``window`` and a
screen; else it prints the text."""

FRAMES_PER_SECOND: Final = 2

METADATA: Final[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}


def checked_render_mode(render_mode: object) -> str | None:
    """A render mode.

    Raises:
        ValueError: neither ``None`` nor one of ``RENDER_MODES``.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        refuse("render_mode", render_mode, f"{', '.join(repr(mode) for mode in RENDER_MODES)}, or None")
    return None if render_mode is None else str(render_mode)


class Screen:
    """Where an environment shows the table in mode ``"human"``: a window of its own, or standard output.

    A copy of the environment gets another one.
    """

    def __init__(self) -> None:
        """A screen that shows nothing yet."""
        self._window: Window | None = None
        self._prints = False

    def show(self, state: State, viewer: int | None) -> None:
        """Show the table as a player sees it, or with everything on it for ``None``."""
        if self._window is None and not self._prints:
            self._open(state.game.definition.title)
        if self._window is not None:
            self._window.show(state.pixels(viewer))
        else:
            print(text_of(state, viewer))

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()

    def _open(self, title: str) -> None:
        try:
            self._window = Window(title, FRAMES_PER_SECOND)
        except (ImportError, OSError):
            self._prints = True

    def __deepcopy__(self, memo: dict[int, Any]) -> Screen:
        return Screen()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return Screen, ()


def text_of(state: State, viewer: int | None) -> str:
    """The table in plain text."""
    return str(state) if viewer is None else state.text(viewer)


def frame(state: State, viewer: int | None, render_mode: str | None, screen: Screen | None = None) -> Frame | None:
    """The table as a player sees it, or with everything on it for ``None``, in a render mode.

    Args:
        state: the state.
        viewer: the seat that looks, or ``None``.
        render_mode: one of ``RENDER_MODES``; or ``None``, which shows nothing and warns.
        screen: where mode ``"human"`` shows it; ``None`` prints the text.

    Raises:
        ImportError: pixels without the extra ``render``.
    """
    if render_mode is None:
        gymnasium.logger.warn("render() shows nothing: the environment was made without a render_mode")
        return None
    if render_mode == RGB_ARRAY:
        return state.pixels(viewer)
    if render_mode == SVG:
        return state.draw(viewer)
    if render_mode == ANSI:
        return text_of(state, viewer)
    if screen is None:
        print(text_of(state, viewer))
    else:
        screen.show(state, viewer)
    return None
