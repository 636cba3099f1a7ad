"""The README is true: its Python blocks run, in order, in one session; its files and games exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from carnival_envs.registry import GAMES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_python_blocks_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 5
    session: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), session)


def test_every_game_is_in_the_table() -> None:
    for name in GAMES:
        assert f"`{name}`" in README


def test_linked_files_exist() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_named_configurations_exist() -> None:
    for path in re.findall(r"configs/[\w/.-]+\.yaml", README):
        assert (ROOT / path).exists(), path
