"""The table of games: what a game of another package must be to join it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from carnival_envs import load_game
from carnival_envs.registry import GAMES, definition, register_game

CARNAVALO = "carnival_envs.games.carnavalo"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table as it is, put back afterwards."""
    monkeypatch.setattr("carnival_envs.registry.GAMES", dict(GAMES))


def module(monkeypatch: pytest.MonkeyPatch, **contents: Any) -> str:
    """A module that can be imported, by its name."""
    made = ModuleType("a_module_of_a_game")
    vars(made).update(contents)
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made.__name__


@pytest.mark.usefixtures("table")
def test_a_registered_game_is_loaded_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carnival_envs.registry.GAMES", {})
    with pytest.raises(ValueError, match="unknown game 'carnavalo'"):
        load_game("carnavalo")
    register_game("carnavalo", CARNAVALO)
    assert load_game("carnavalo", num_players=2).name == "carnavalo"


@pytest.mark.usefixtures("table")
def test_to_register_a_game_again_changes_nothing() -> None:
    register_game("carnavalo", CARNAVALO)
    assert definition("carnavalo").name == "carnavalo"


@pytest.mark.usefixtures("table")
def test_a_name_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=f"'carnavalo' is taken by the game of {CARNAVALO}"):
        register_game("carnavalo", module(monkeypatch, GAME=definition("carnavalo")))


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("name", ["", "Pig", "1pig", "a-pig", "a pig", 7, None])
def test_a_name_that_is_no_id_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match=r"name: .* is not allowed; allowed: a letter"):
        register_game(name, CARNAVALO)


@pytest.mark.usefixtures("table")
def test_the_name_is_the_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"'pig' is not allowed; allowed: 'carnavalo', as a_module_of_a_game\.GAME"):
        register_game("pig", module(monkeypatch, GAME=definition("carnavalo")))


@pytest.mark.usefixtures("table")
def test_a_module_must_define_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    for contents in ({}, {"GAME": "pig"}):
        with pytest.raises(TypeError, match=r"a_module_of_a_game\.GAME: .* allowed: a GameDefinition"):
            register_game("pig", module(monkeypatch, **contents))
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        register_game("pig", "no_such_module")
    with pytest.raises(ValueError, match="unknown game 'pig'"):
        load_game("pig")
