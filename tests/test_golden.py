"""The golden playthroughs are what the engine plays; a missing one fails; ``python -m tests.playthrough`` renews."""

from __future__ import annotations

from typing import Any

import pytest

from tests.playthrough import path_of, playthrough
from tests.variants import all_games


@pytest.mark.parametrize(("name", "options"), all_games())
def test_playthrough(name: str, options: dict[str, Any]) -> None:
    path = path_of(name, options)
    assert path.exists(), f"no {path.name}: run python -m tests.playthrough"
    assert playthrough(name, options) == path.read_text()
