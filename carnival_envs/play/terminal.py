"""Playing and watching in a terminal: the table in plain text, numbered moves, a few letters for everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from carnival_envs.play.hints import DEFAULT_HINTS
from carnival_envs.play.moves import Group, Move, Told
from carnival_envs.play.session import Session
from carnival_envs.play.watching import Watching

Ask = Callable[[str], str]
"""Shows a question and gives the answer; raises ``EOFError`` where there is none."""

NUMBER, HINT, UNDO, LOG, QUIT = "number", "h", "u", "l", "q"
BACK: Final = "b"

PLAY_KEYS: Final = {NUMBER: "move", HINT: "hint", UNDO: "undo", LOG: "log", QUIT: "quit"}
WATCH_KEYS: Final = {"Enter": "next", BACK: "back", NUMBER: "go there", QUIT: "quit"}


# Playing ----------------------------------------------------------------------------------------------------------


def play(session: Session, console: Console, ask: Ask, *, hints: str = DEFAULT_HINTS) -> None:
    """Let a person play a game to its end, or until he quits; the session keeps it either way.

    Args:
        session: the game.
        console: where to show it.
        ask: asks the person.
        hints: the spec of the policy that gives hints.
    """
    shown = 0
    while not session.is_over:
        console.print()
        show_log(console, session.log(shown), session.seat)
        shown = session.num_moves
        console.print(session.view().text(), markup=False, highlight=False)
        if not decide(session, console, ask, hints):
            return
        shown = min(shown, session.num_moves)
    show_log(console, session.log(shown), session.seat)
    console.print(session.view().text(), markup=False, highlight=False)
    console.print(result_table(session.result(), session.players))


def decide(session: Session, console: Console, ask: Ask, hints: str) -> bool:
    """Ask until a move is made or taken back; ``False`` if the person quits."""
    groups = session.groups()
    moves = [move for group in groups for move in group.moves]
    show_moves(console, groups)
    while True:
        keys = {key: what for key, what in PLAY_KEYS.items() if key != UNDO or session.can_undo()}
        answer = ask(prompt(keys)).strip().lower()
        if answer == QUIT:
            return False
        if answer == HINT:
            show_hints(session, console, hints)
        elif answer == LOG:
            show_log(console, session.log(), session.seat)
        elif answer == UNDO and UNDO in keys:
            session.undo(session.num_moves)
            return True
        elif chosen := numbered(answer, moves):
            session.play(chosen.action, session.num_moves)
            return True
        else:
            console.print(f"Not understood: {escape(answer)}; allowed: 1..{len(moves)}, {', '.join(list(keys)[1:])}")


def numbered(answer: str, moves: Sequence[Move]) -> Move | None:
    """The move of a number."""
    if not answer.isdecimal() or not 1 <= int(answer) <= len(moves):
        return None
    return moves[int(answer) - 1]


def prompt(keys: dict[str, str]) -> str:
    """What may be answered."""
    return ", ".join(f"{key} {what}" for key, what in keys.items()) + "> "


def show_moves(console: Console, groups: Sequence[Group]) -> None:
    """The legal moves: a heading, then its choices with their numbers."""
    numbers = iter(range(1, 1 + sum(len(group.moves) for group in groups)))
    console.print()
    for group in groups:
        choices = [f"[bold]{next(numbers)}[/bold] {escape(move.choice)}".rstrip() for move in group.moves]
        console.print(f"{escape(group.heading)}: {', '.join(choices)}", highlight=False)


def show_hints(session: Session, console: Console, spec: str) -> None:
    """What a policy thinks of the moves."""
    for one in session.hint(spec):
        console.print(f"  {one.share:4.0%}  {escape(one.words)}", highlight=False)


def show_log(console: Console, log: Sequence[Told], seat: int | None) -> None:
    """What was done."""
    for line in log_lines(log, seat):
        console.print(escape(line), highlight=False)


def log_lines(log: Sequence[Told], seat: int | None) -> Iterator[str]:
    """A line for each move."""
    for one in log:
        name = "you" if one.seat == seat else f"player_{one.seat}"
        yield f"{name}: {one.words}"


def result_table(result: Sequence[dict[str, Any]], players: Sequence[str]) -> Table:
    """How the game ended."""
    table = Table("seat", "played by", "score", "rank", title=str(result[0]["end_reason"]).replace("_", " "))
    for seat, standing in enumerate(result):
        table.add_row(f"player_{seat}", escape(players[seat]), str(standing["score"]), str(standing["rank"]))
    return table


# Watching ---------------------------------------------------------------------------------------------------------


def watch(watching: Watching, console: Console, ask: Ask) -> None:
    """Step through a replay until the person quits, or has seen its end.

    Args:
        watching: the replay.
        console: where to show it.
        ask: asks the person.
    """
    moment, log = 0, watching.log()
    while True:
        show_moment(watching, console, moment, log)
        answer = ask(prompt(WATCH_KEYS)).strip().lower()
        if answer == QUIT or (not answer and moment == watching.num_moves):
            break
        moment = next_moment(answer, moment, watching.num_moves)
    if result := watching.result():
        console.print(result_table(result, watching.players))


def show_moment(watching: Watching, console: Console, moment: int, log: Sequence[Told]) -> None:
    """The table at a moment, and the move that led to it."""
    console.print()
    console.print(f"{moment} of {watching.num_moves}", highlight=False)
    show_log(console, log[moment - 1 : moment] if moment else (), watching.seat)
    console.print(watching.text(moment), markup=False, highlight=False)


def next_moment(answer: str, moment: int, last: int) -> int:
    """Where an answer leads; nowhere if it is not understood."""
    if answer.isdecimal():
        return min(int(answer), last)
    step = {"": 1, BACK: -1}.get(answer, 0)
    return max(0, min(moment + step, last))
