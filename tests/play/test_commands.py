"""The commands ``play``, ``watch`` and ``evaluate --record``, in process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the extra cli is not installed")

from carnival_envs import cli
from carnival_envs.play.session import PERSON
from carnival_envs.replay import load_replay
from tests.test_cli import run


class Answers:
    """Stands for a person at the screen: answers from a list, then Ctrl-C."""

    def __init__(self, *answers: str) -> None:
        self._answers = iter(answers)

    def __call__(self, _prompt: str) -> str:
        answer = next(self._answers, None)
        if answer is None:
            raise KeyboardInterrupt
        return answer


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answer(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    screen = cli.Console(width=200)
    monkeypatch.setattr(screen, "input", Answers(*answers))
    monkeypatch.setattr(cli, "screen", screen)


PLAY = ("play", "carnavalo", "--num-players", "2", "--seed", "5", "--hints", "greedy")


def test_a_game_that_is_left_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quit, go on, Ctrl-C, go on: the file has every move that was made, and is named on the screen."""
    path = tmp_path / "replays" / "carnavalo-5.json"
    answer(monkeypatch, "2", "q")
    assert run(*PLAY) == 0
    captured = capsys.readouterr()
    assert "you: Lay a card aside: card 2" in captured.out
    assert "play --resume replays/carnavalo-5.json" in " ".join(captured.err.split())
    replay = load_replay(path)
    assert replay.players == (PERSON, "greedy")
    moves = len(replay.actions)
    answer(monkeypatch, "1")
    assert run("play", "--resume", str(path)) == 130
    resumed = load_replay(path)
    assert resumed.actions[:moves] == replay.actions
    assert len(resumed.actions) > moves


def test_no_game_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        answer(monkeypatch, "q")
        assert run(*PLAY) == 0
    names = {path.name for path in (tmp_path / "replays").iterdir()}
    assert names == {"carnavalo-5.json", "carnavalo-5-2.json", "carnavalo-5-3.json"}


def test_options_and_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "q")
    path = tmp_path / "game.json"
    options = ("--opponents", "greedy,random", "--seat", "1", "--option", "advanced=True", "--save", str(path))
    assert run("play", "carnavalo", "--num-players", "3", *options) == 0
    replay = load_replay(path)
    assert replay.players == ("random", PERSON, "greedy")
    assert replay.game.options["advanced"] is True


def test_watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answer(monkeypatch, "3", "q")
    run(*PLAY)
    capsys.readouterr()
    path = str(tmp_path / "replays" / "carnavalo-5.json")
    answer(monkeypatch, "", "q")
    assert run("watch", path, "--seat", "1") == 0
    shown = capsys.readouterr().out
    assert "player_0: Lay a card aside: a card" in shown
    assert run("watch", path, "--out", "game.gif", "--fps", "5") == 0
    assert capsys.readouterr().out == "game.gif\n"
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF89a")


def test_evaluate_records(tmp_path: Path) -> None:
    arguments = ("--policies", "greedy,random", "--games", "6", "--num-players", "2", "--record", "games")
    assert run("evaluate", "--game", "carnavalo", *arguments) == 0
    replays = [load_replay(path) for path in (tmp_path / "games").iterdir()]
    assert len(replays) == 6
    assert {replay.players for replay in replays} == {("greedy", "random"), ("random", "greedy")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play",), "GAME: missing; give the id of a game, or --resume FILE"),
        (("play", "chess"), "unknown game 'chess'"),
        (("play", "carnavalo", "--resume", "x.json"), "GAME: 'carnavalo' is not allowed beside --resume"),
        (("play", "--resume", "x.json"), "replay x.json: no such file"),
        (("play", "carnavalo", "--seat", "4"), "seat: 4 is not allowed"),
        (("play", "carnavalo", "--opponents", "gredy"), "did you mean 'greedy'"),
        (("play", "carnavalo", "--hints", "mcts:0"), "simulations: 0 is not allowed"),
        (("watch", "x.json"), "replay x.json: no such file"),
    ],
)
def test_errors_are_one_line(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[Any]
) -> None:
    answer(monkeypatch, "q")
    assert run(*arguments) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
