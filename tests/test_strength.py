"""The strength that the games' pages show is that of the policies that ship."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carnival_envs.registry import GAMES, definition, load_game
from docs import game_pages, strength


def test_every_game_is_measured() -> None:
    assert list(strength.load()) == list(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_every_policy_is_measured_at_every_number_of_players(name: str) -> None:
    measured = strength.load()[name]
    results = [(one["players"], one["policy"], one["opponent"]) for one in measured["results"]]
    expected = []
    for game in strength.tables(name):
        n = game.num_players
        if "zoo" in strength.contenders(game):
            expected += [(n, "zoo", "greedy"), (n, "zoo", "random")]
        expected += [(n, "greedy", "random")]
    assert results == expected
    assert min(one["games"] for one in measured["results"]) >= strength.PLAYED_GAMES


@pytest.mark.parametrize("name", GAMES)
def test_what_was_measured_is_what_ships(name: str) -> None:
    """The baseline bot does as well as it did, and the policy files are those that were measured."""
    measured, again = strength.load()[name], f"measure it again: python docs/strength.py {name}"
    game = load_game(name, num_players=2)
    figures = next(one for one in measured["results"] if (one["players"], one["policy"]) == (2, "greedy"))
    assert strength.measure(game, "greedy", "random") == figures, again
    shipped = {str(game.num_players): strength.fingerprint(game) for game in strength.tables(name)}
    assert measured["zoo"] == shipped, again


def test_pages_show_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {"mean": 0.815, "low": 0.7737, "high": 0.8502, "games": 400}
    pairs = [(2, "zoo", "greedy"), (2, "greedy", "random"), (3, "greedy", "random")]
    results = [{"players": n, "policy": policy, "opponent": opponent, **shares} for n, policy, opponent in pairs]
    file = tmp_path / "strength.json"
    file.write_text(json.dumps({"carnival": {"carnival_envs": "0.1.0", "seed": 1, "results": results}}))
    monkeypatch.setattr(game_pages, "STRENGTH", file)
    shown = game_pages.strength_table(definition("carnival"))
    assert "| players | even | `zoo` against `greedy` | `greedy` against `random` |" in shown
    assert "| 2 | 50.0% | 81.5% (77.4 to 85.0) | 81.5% (77.4 to 85.0) |" in shown
    assert "| 3 | 33.3% | - | 81.5% (77.4 to 85.0) |" in shown
    assert "400 games" in shown
    assert game_pages.strength_table(definition("bedeville")).startswith("Not measured yet: ")
