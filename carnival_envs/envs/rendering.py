"""What the environments draw: the one place that knows the render modes."""

from __future__ import annotations

from typing import Any, Final

import gymnasium

from carnival_envs.core.options import refuse
from carnival_envs.core.state import State

ANSI: Final = "ansi"
HUMAN: Final = "human"
"""``"ansi"`` gives the table in plain text; ``"human"`` prints it."""

RENDER_MODES: Final = [ANSI, HUMAN]
METADATA: Final[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}


def checked_render_mode(render_mode: object) -> str | None:
    """A render mode.

    Raises:
        ValueError: neither ``None`` nor one of ``RENDER_MODES``.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        refuse("render_mode", render_mode, f"{', '.join(repr(mode) for mode in RENDER_MODES)}, or None")
    return None if render_mode is None else str(render_mode)


def show(state: State, viewer: int | None, render_mode: str) -> str | None:
    """The table as a player sees it, or with everything on it for ``None``: returned, or printed for ``"human"``."""
    text = str(state) if viewer is None else state.text(viewer)
    if render_mode == HUMAN:
        print(text)
        return None
    return text


def warn_without_mode() -> None:
    """Say that ``render`` has nothing to do, as Gymnasium's own environments do."""
    gymnasium.logger.warn("render() does nothing without a render mode: give render_mode when the environment is made")
