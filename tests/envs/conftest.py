"""In these tests mode ``"human"`` prints, as without the extra ``window``; those of the window ask for one."""

from __future__ import annotations

from typing import Any

import pytest

from carnival_envs.envs import rendering


@pytest.fixture(autouse=True)
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window opens."""

    def refuse(*_arguments: Any) -> None:
        raise ImportError

    monkeypatch.setattr(rendering, "Window", refuse)
