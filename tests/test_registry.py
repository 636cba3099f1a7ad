"""The table of games: what a game of another package must be to join it."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from carnival_envs import load_game, registry
from carnival_envs.registry import GAMES, definition, register_game, register_installed_games

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
@pytest.mark.parametrize("name", ["", "Carnavalo", None, 3, [], {}])
def test_an_unknown_game_is_named(name: Any) -> None:
    with pytest.raises(ValueError, match=r"unknown game .*; games: "):
        load_game(name)


@pytest.mark.parametrize("data", [3, b"own.toml", ["own.toml"]])
def test_what_is_no_data_is_named(data: Any) -> None:
    with pytest.raises(ValueError, match=r"data: .* is not allowed; allowed: the path of a TOML file"):
        load_game("carnavalo", data=data)


@pytest.mark.parametrize("scale", [0, -3])
def test_scores_have_a_scale(scale: int) -> None:
    """A scale of 0 would make returns infinite, one below it would turn them round."""
    with pytest.raises(ValueError, match=f"data score_scale: {scale}.0 is not allowed; allowed: a number above 0"):
        load_game("bedeville", data={"score_scale": scale})


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


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, *entry_points: str) -> None:
    """What is left of installing a package with entry points: a folder on the path that lists them."""
    metadata = folder / "fair-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: fair\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(["[carnival_envs.games]", *entry_points]))
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.usefixtures("table")
def test_an_installed_package_brings_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, "fair = no_such_module", f"carnavalo = {CARNAVALO}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_installed_games()
    assert {**GAMES, "fair": "no_such_module"} == registry.GAMES
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_game("fair")


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("entry", ["carnavalo = elsewhere", "Street-Fair = elsewhere"])
def test_an_entry_point_that_can_not_be_a_game_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, entry: str
) -> None:
    install(monkeypatch, tmp_path, entry)
    with pytest.warns(UserWarning, match=rf"the entry point {entry} is left out"):
        register_installed_games()
    assert registry.GAMES == GAMES


@pytest.mark.usefixtures("table")
def test_a_game_of_the_table_must_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "pig", module(monkeypatch))
    with pytest.raises(TypeError, match=r"a_module_of_a_game\.GAME: None is not allowed; allowed: a GameDefinition"):
        load_game("pig")
