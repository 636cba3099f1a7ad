"""The rules as plain Python give what the compiled rules give, bit for bit."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from carnival_envs.core.jit import COMPILED
from carnival_envs.registry import GAMES
from tests.lockstep import fingerprints

DECISIONS = 40


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compare without the compiler")
@pytest.mark.parametrize("name", GAMES)
def test_compiled_and_interpreted_games_are_the_same(name: str) -> None:
    command = [sys.executable, "-m", "tests.lockstep", name, str(DECISIONS)]
    environment: dict[str, Any] = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == fingerprints(name, DECISIONS)
