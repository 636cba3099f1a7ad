"""Every rule and ruling of every game is shown by a test or a worked case that exists."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path

import pytest

from carnival_envs.registry import GAMES

TESTS = Path(__file__).parent


def table(game: str) -> dict[str, list[str]]:
    """Rule number to the ids of tests and cases."""
    sections = tomllib.loads((TESTS / "games" / game / "coverage.toml").read_text())
    return {number: ids for section in sections.values() for number, ids in section.items()}


def functions(path: Path) -> set[str]:
    """The test functions of a file."""
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_shown(game: str) -> None:
    cases = {case["id"]: case["rules"] for case in json.loads((TESTS / "cases" / f"{game}.json").read_text())}
    numbers = table(game)
    assert numbers
    for number, ids in numbers.items():
        assert ids, f"{number} is shown by nothing"
        for shown_by in ids:
            if "::" in shown_by:
                file, name = shown_by.split("::")
                assert name in functions(TESTS / "games" / game / file), f"{number}: no test {shown_by}"
            else:
                assert shown_by in cases, f"{number}: no case {shown_by}"
    for case, rules in cases.items():
        for rule in rules:
            assert rule in numbers, f"case {case} shows {rule}, which is in no table"
