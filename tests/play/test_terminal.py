"""Playing and watching in the terminal, with answers from a list."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rich", reason="the extra cli is not installed")

from rich.console import Console

from carnival_envs import load_game
from carnival_envs.play import terminal
from carnival_envs.play.session import Session
from carnival_envs.play.watching import Watching
from carnival_envs.registry import GAMES
from carnival_envs.replay import Replay, load_replay


class Person:
    """Answers from a list, and keeps the questions; when the list is at its end, quits."""

    def __init__(self, *answers: str) -> None:
        self.answers: Iterator[str] = iter(answers)
        self.questions: list[str] = []

    def ask(self, question: str) -> str:
        self.questions.append(question)
        return next(self.answers, "q")


class RandomPerson:
    """Takes one of the first moves, whatever they are."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def ask(self, _question: str) -> str:
        return str(self._rng.integers(1, 3))


def screen() -> Console:
    return Console(file=StringIO(), width=200)


def text_on(console: Console) -> str:
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_to_its_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session, console = Session.new(load_game(name, num_players=2), seed=4, path=path), screen()
    terminal.play(session, console, RandomPerson(4).ask)
    last = load_replay(path).final_state()
    assert last.is_terminal()
    shown = text_on(console)
    assert shown.count("played by") == 1
    assert str(last).splitlines()[0] in shown
    for line in terminal.log_lines(session.log(), session.seat):
        assert line in shown


def test_what_the_table_looks_like() -> None:
    session, console, person = Session.new(load_game("carnavalo"), seed=4), screen(), Person("9", "x", "l", "3", "q")
    first = session.view().text()
    terminal.play(session, console, person.ask)
    shown = text_on(console)
    assert first in shown
    assert "Lay a card aside: 1 card 1, 2 card 2, 3 card 3, 4 card 4, 5 card 5" in shown
    assert "Not understood: 9; allowed: 1..5, h, l, q" in shown
    assert "Not understood: x" in shown
    assert "you: Lay a card aside: card 3" in shown
    assert "player_1: Lay a card aside: a card" in shown
    assert session.log()[0].words == "Lay a card aside: card 3"


def test_hint_and_undo() -> None:
    session, console = Session.new(load_game("carnavalesco", first_player=0), seed=4), screen()
    person = Person("h", "1", "u")
    before = session.view().text()
    terminal.play(session, console, person.ask, hints="greedy")
    assert "100%" in text_on(console)
    assert ["u undo" in question for question in person.questions] == [False, False, True, False]
    assert (session.num_moves, session.view().text()) == (0, before)


def test_quitting_keeps_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session = Session.new(load_game("carnavalo"), seed=4, path=path)
    terminal.play(session, screen(), Person("1").ask)
    again = Session.resume(path)
    assert again.num_moves == session.num_moves > 0
    assert again.view().text() == session.view().text()


def test_watching() -> None:
    game = load_game("carnavalo", num_players=2)
    replay = Replay(game, (0, 1), ("a", "b"), seed=4)
    states = list(replay.states())
    for seat in (None, 0):
        console, person = screen(), Person("", "", "b", "0", "junk", "99", "")
        terminal.watch(Watching(replay, seat), console, person.ask)
        shown = text_on(console)
        assert [line for line in shown.splitlines() if line.endswith(" of 2")] == [
            f"{moment} of 2" for moment in (0, 1, 2, 1, 0, 0, 2)
        ]
        assert (str(states[1]) if seat is None else states[1].text(0)) in shown
        assert ("player_1: Lay a card aside: card 2" in shown) == (seat is None)


def test_a_seat_that_is_none() -> None:
    replay = Replay(load_game("carnavalo", num_players=2), (), ("a", "b"), seed=4)
    with pytest.raises(ValueError, match=r"seat: 2 is not allowed; allowed: a seat in 0\.\.1, or None"):
        Watching(replay, 2)
    for moment in (-1, 1):
        with pytest.raises(ValueError, match="moment"):
            Watching(replay).text(moment)
