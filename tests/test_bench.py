"""The rows of the benchmark: that each measures what it says, and the comparison with the bars."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from carnival_envs import load_game
from carnival_envs.bench import paths, report, runner
from carnival_envs.bench.paths import PATHS
from carnival_envs.bench.runner import Measured
from carnival_envs.registry import GAMES

IN_PROCESS = [name for name, path in PATHS.items() if path.laps is None]


@pytest.mark.parametrize("row", IN_PROCESS)
def test_rows_measure(row: str) -> None:
    (result,) = runner.run(["carnavalesco"], [row], repeats=2, seconds=1e-6)
    assert result.value is not None, "this path is not available"
    assert result.value > 0
    assert len(result.repeats) == 2
    assert (result.row, result.game, result.num_players) == (row, "carnavalesco", 2)


def test_rows_of_fresh_processes() -> None:
    """The import alone; a first use would compile for long."""
    (result,) = runner.run(list(GAMES), ["import"], repeats=1)
    assert result.value is not None
    assert result.value > 0
    assert result.game is None


def test_replay_repeats_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is played again is what was drawn, and the work is the number of decisions."""
    monkeypatch.setattr(paths, "GAMES_PER_LAP", 2)
    game = load_game("carnavalesco", num_players=2)
    played: list[list[int]] = []

    def play(choose: paths.Choose) -> None:
        state = game.new_initial_state(seed=1)
        played.append([])
        while not state.is_terminal():
            played[-1].append(choose(state.legal_actions_mask()))
            state.apply_action(played[-1][-1])

    work, seconds = paths.replayed(play)()
    assert played[0] == played[1]
    assert work == len(played[0])
    assert seconds >= 0


def fixed(unit: str, work: float, seconds: float) -> paths.Path:
    return paths.Path(unit, lambda _game: lambda: (work, seconds), laps=2)


@pytest.mark.parametrize(
    ("unit", "work", "seconds", "value", "bar", "passed"),
    [
        ("games/s", 300.0, 2.0, 150.0, 100, True),
        ("games/s", 300.0, 2.0, 150.0, 200, False),
        ("us", 1000.0, 0.002, 2.0, 3, True),
        ("us", 1000.0, 0.002, 2.0, 1, False),
        ("s", 1.0, 0.5, 0.5, 0.5, True),
        ("s", 1.0, 0.5, 0.5, None, None),
    ],
)
def test_values_and_verdicts(
    monkeypatch: pytest.MonkeyPatch,
    unit: str,
    work: float,
    seconds: float,
    value: float,
    bar: float | None,
    passed: bool | None,
) -> None:
    monkeypatch.setitem(PATHS, "row", fixed(unit, work, seconds))
    bars = {} if bar is None else {"row": {"any": bar}}
    result = runner.measure("row", load_game("carnavalesco"), 3, 1.0, bars)
    assert result.value == pytest.approx(value)
    assert len(result.repeats) == 3
    assert (result.bar, result.passed) == (bar, passed)


def test_the_bar_of_a_game_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PATHS, "row", fixed("s", 1, 1))
    bars = {"row": {"any": 2.0, "carnavalesco": 0.5}}
    assert runner.measure("row", load_game("carnavalesco"), 1, 1.0, bars).passed is False
    assert runner.measure("row", load_game("carnival"), 1, 1.0, bars).passed is True


def test_a_path_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(game: Any) -> paths.Lap:
        raise paths.NotAvailableError

    monkeypatch.setitem(PATHS, "row", paths.Path("s", missing))
    result = runner.measure("row", load_game("carnavalesco"), 1, 1.0, {"row": {"any": 1.0}})
    assert (result.value, result.bar, result.passed) == (None, 1.0, None)


def test_the_bars_are_of_rows_and_games_that_exist() -> None:
    settings = runner.read_settings()
    assert set(settings["bars"]) <= set(PATHS)
    assert set(settings["num_players"]) <= set(GAMES)
    for bars in settings["bars"].values():
        assert set(bars) <= {*GAMES, "any"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["carnavalesco"], ["bach"]), "unknown row 'bach'; rows: .*did you mean 'batch'"),
        ((["carnavalesco"], None, 0), "repeats: 0"),
        ((["nogame"],), "unknown game 'nogame'"),
    ],
)
def test_wrong_arguments(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        runner.run(*arguments)


RESULTS = [
    Measured("batch", "decisions/s", "carnavalesco", 2, 3_210_000.0, (3_210_000.0,), 3e6, True),
    Measured("clone", "us", "carnavalesco", 2, 1.5, (1.5,), 1.0, False),
    Measured("aec", "decisions/s", "carnavalesco", 2, None, (), 3e5, None),
]


def test_json(tmp_path: Path) -> None:
    report.write_json(RESULTS, tmp_path / "bench.json", repeats=1)
    read = json.loads((tmp_path / "bench.json").read_text())
    assert [row["row"] for row in read["results"]] == ["batch", "clone", "aec"]
    assert read["results"][0]["value"] == 3_210_000.0
    assert {"numpy", "numba", "python", "carnival_envs"} <= read["versions"].keys()
    assert read["machine"]["cores"] >= 1


@pytest.mark.parametrize(("value", "text"), [(None, ""), (0.0161, "0.0161"), (254_321.0, "254 k"), (3.21e6, "3.21 M")])
def test_amounts(value: float | None, text: str) -> None:
    assert report.amount(value) == text
