"""A window that shows the table, with pygame: what render mode ``"human"`` opens with the extra ``window``."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
import numpy.typing as npt

KEEP_SIGNALS: Final = "SDL_NO_SIGNAL_HANDLERS"
"""Without it SDL makes an event of the signal that ends a process, and nothing ends."""

Pixels = npt.NDArray[np.uint8]


class Window:
    """One window. Once the user has closed it, it stays closed."""

    def __init__(self, title: str, frames_per_second: float) -> None:
        """A window that opens at the first picture.

        Args:
            title: what stands at its top.
            frames_per_second: how fast pictures follow each other at most.

        Raises:
            ImportError: the extra ``window`` is not installed.
            OSError: there is no screen to open windows on.
        """
        try:
            import pygame
        except ImportError as error:
            raise ImportError('a window needs the extra "window": pip install "carnival-envs[window]"') from error
        os.environ.setdefault(KEEP_SIGNALS, "1")
        try:
            pygame.display.init()
        except pygame.error as error:
            raise OSError(f"no window can be opened here: {error}") from error
        self._pygame = pygame
        self._title = title
        self._frames_per_second = frames_per_second
        self._clock = pygame.time.Clock()
        self._window: Any = None
        self._closed = False

    @property
    def is_open(self) -> bool:
        """Whether pictures are seen."""
        return self._window is not None

    def show(self, picture: Pixels) -> None:
        """Show a picture, uint8 ``(height, width, 3)``, for at least a moment."""
        if self._closed:
            return
        pygame = self._pygame
        height, width, _ = picture.shape
        if self._window is None:
            self._window = pygame.Window(self._title, (width, height))
        if self._user_closed_it():
            self.close()
            return
        surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        self._window.get_surface().blit(surface, (0, 0))
        self._window.flip()
        self._clock.tick(self._frames_per_second)

    def close(self) -> None:
        """Close the window for good."""
        if self._window is not None:
            self._window.destroy()
        self._window = None
        self._closed = True

    def _user_closed_it(self) -> bool:
        closings = self._pygame.event.get((self._pygame.WINDOWCLOSE, self._pygame.QUIT))
        self._pygame.event.pump()
        return any(getattr(event, "window", self._window) is self._window for event in closings)
