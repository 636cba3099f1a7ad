"""The worked cases of every game, hand-made from the specifications: ``tests/cases/<game>.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.state import State
from carnival_envs.registry import GAMES, load_game

CASES = Path(__file__).parent / "cases"


def all_cases() -> list[Any]:
    return [
        pytest.param(game, case, id=f"{game}-{case['id']}")
        for game in GAMES
        for case in json.loads((CASES / f"{game}.json").read_text())
    ]


def follow(document: Any, path: str) -> Any:
    """The value at a dotted path; the keys of a document hold no dots."""
    for key in path.split("."):
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def begin(game_name: str, case: dict[str, Any]) -> State:
    chance = case.get("chance", [])
    if case["start"] == "new":
        return load_game(game_name, **case["options"]).new_initial_state(chance=chance)
    document = case["start"]
    state = load_game(game_name, **document["options"]).state_from_position(document, chance=chance)
    assert state.to_position() == document
    return state


@pytest.mark.parametrize(("game_name", "case"), all_cases())
def test_case(game_name: str, case: dict[str, Any]) -> None:
    state = begin(game_name, case)
    for action in case.get("actions", []):
        state.apply_action(action)
    assert state.chance_left == 0
    document = state.to_position()
    for path, value in case.get("expect", {}).items():
        assert follow(document, path) == value, path
    check_legal(state, case.get("legal", {}))
    for action in case.get("refused", []):
        with pytest.raises(IllegalActionError):
            state.apply_action(action)
        assert state.to_position() == document
    for name in ("scores", "ranks"):
        if name in case:
            assert getattr(state, name)() == case[name]
    if "returns" in case:
        assert state.returns("win") == pytest.approx(case["returns"], abs=1e-4)
    for look in case.get("observe", []):
        check_observation(state, look)
    if "resample" in case:
        check_resample(state, case["resample"])


def check_legal(state: State, legal: dict[str, Any]) -> None:
    found = [state.game.action_to_string(action) for action in state.legal_actions()]
    if "exact" in legal:
        assert sorted(found) == sorted(legal["exact"])
    assert set(legal.get("has", ())) <= set(found)
    assert not set(legal.get("lacks", ())) & set(found)
    assert legal.get("count", len(found)) == len(found)


def check_observation(state: State, look: dict[str, Any]) -> None:
    blocks = state.observation(look["player"])
    for path, value in look["blocks"].items():
        name, *indices = path.split(".")
        entry = blocks[name][tuple(int(index) for index in indices)]
        expected = np.asarray(value)
        assert np.array_equal(np.ravel(entry), np.ravel(expected)), path


def check_resample(state: State, resample: dict[str, Any]) -> None:
    sample = state.resample(resample["player"], chance=resample["chance"])
    assert sample.chance_left == 0
    document = sample.to_position()
    for path, value in resample["expect"].items():
        assert follow(document, path) == value, path
