"""The golden playthroughs are what the engine plays; a missing one fails; ``python -m tests.playthrough`` renews."""

from __future__ import annotations

from typing import Any

import pytest

from carnival_envs.registry import GAMES, definition
from tests.playthrough import path_of, playthrough
from tests.variants import label

EVERY_PLAYTHROUGH = [
    pytest.param(name, options, id=f"{name}-{label(options)}")
    for name in GAMES
    for options in definition(name).option_sets()
]


@pytest.mark.parametrize(("name", "options"), EVERY_PLAYTHROUGH)
def test_playthrough(name: str, options: dict[str, Any]) -> None:
    path = path_of(name, options)
    assert path.exists(), f"no {path.name}: run python -m tests.playthrough"
    assert playthrough(name, options) == path.read_text()
