"""A few hundred games of every kind in compiled code, the laws checked after every move; see ``tests/soak.py``."""

from __future__ import annotations

import pytest

from carnival_envs.core.jit import COMPILED
from carnival_envs.registry import GAMES
from tests.soak import soak

GAMES_PLAYED, GREEDY_GAMES = 400, 100


@pytest.mark.skipif(not COMPILED, reason="takes hours without the compiler")
@pytest.mark.parametrize("name", GAMES)
def test_laws_hold_and_everything_happens(name: str) -> None:
    result = soak(name, GAMES_PLAYED, GREEDY_GAMES)
    assert result.games == GAMES_PLAYED + GREEDY_GAMES
    assert [phase for phase, number in result.phases.items() if not number] == []
