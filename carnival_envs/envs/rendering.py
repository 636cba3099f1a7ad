"""What the environments show: the one place that knows the render modes."""

from __future__ import annotations

from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt

from carnival_envs.core.options import refuse
from carnival_envs.core.state import State

Frame = str | npt.NDArray[np.uint8]

ANSI: Final = "ansi"
HUMAN: Final = "human"
RGB_ARRAY: Final = "rgb_array"
SVG: Final = "svg"

RENDER_MODES: Final = [HUMAN, ANSI, RGB_ARRAY, SVG]
"""``"ansi"`` gives the table in plain text, ``"human"`` prints that; ``"svg"`` gives a picture as text,
``"rgb_array"`` as pixels: uint8, ``(height, width, 3)``, with the extra ``render``."""

METADATA: Final[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}


def checked_render_mode(render_mode: object) -> str | None:
    """A render mode.

    Raises:
        ValueError: neither ``None`` nor one of ``RENDER_MODES``.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        refuse("render_mode", render_mode, f"{', '.join(repr(mode) for mode in RENDER_MODES)}, or None")
    return None if render_mode is None else str(render_mode)


def frame(state: State, viewer: int | None, render_mode: str | None) -> Frame | None:
    """The table as a player sees it, or with everything on it for ``None``, in a render mode.

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
    text = str(state) if viewer is None else state.text(viewer)
    if render_mode == ANSI:
        return text
    print(text)
    return None
