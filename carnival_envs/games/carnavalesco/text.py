"""Carnavalesco in plain text: pool, bag, and every director's parade board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carnival_envs.core.definition import ActionWords
from carnival_envs.core.interface import Record
from carnival_envs.games.carnavalesco.position import board_document, history_document, result_document
from carnival_envs.games.carnavalesco.state import (
    COLORS,
    DIVISIONS,
    ELEMENTS,
    FINISHED,
    KINDS,
    NO_DIE,
    NO_DIVISION,
    SPACES,
)

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

NAME_WIDTH = 12
EMPTY_SPACE = "--"
TASKS = ("chooses a division", "chooses the school colors", "takes a die", "places the die")
"""What is to be decided, by phase."""


def render(game: Game, s: Record, viewer: int | None) -> str:
    """The whole table; nothing is hidden, so every viewer sees the same."""
    lines = [headline(game, s), f"Bag   {bag(s)}", f"Pool  {pool(s)}"]
    if int(s["hand"]) != NO_DIE:
        lines.append(f"Hand  {KINDS[int(s['hand'])]}")
    for seat in range(game.num_players):
        lines += ["", *board(game, s, seat)]
    for parade in history_document(s):
        lines.append("Parade in {division}: {final} points, {place}, then {next_division}".format(**parade))
    return "\n".join(lines)


def headline(game: Game, s: Record) -> str:
    """Round, and who decides what."""
    rounds = int(game.rules[0]["rounds"])
    parade = f"parade {int(s['parade'])}, " if game.options["campaign"] else ""
    if int(s["phase"]) == FINISHED:
        return f"Carnavalesco, {parade}round {int(s['round_number'])} of {rounds}, over"
    actor, task = school(game, int(s["actor"])), TASKS[int(s["phase"])]
    return f"Carnavalesco, {parade}round {int(s['round_number'])} of {rounds}: {actor} {task}"


def school(game: Game, seat: int) -> str:
    """The name of a seat's school."""
    names = game.options["school_names"]
    return names[seat] if names else f"player {seat}"


def bag(s: Record) -> str:
    """How many dice of each color are left."""
    return "  ".join(f"{color} {int(number)}" for color, number in zip(COLORS, s["bag"], strict=True))


def pool(s: Record) -> str:
    """The rolled dice."""
    return " ".join(kind for kind, number in zip(KINDS, s["pool"], strict=True) for _ in range(int(number)))


def board(game: Game, s: Record, seat: int) -> list[str]:
    """One director's board: an element a line, with its sum, token and, at the end, its score."""
    me = s["players"][seat]
    over = int(s["phase"]) == FINISHED
    division = "?" if int(me["division"]) == NO_DIVISION else DIVISIONS[int(me["division"])]
    title = f"{school(game, seat)}, division {division}"
    if game.num_players == 1:
        colors = [color for color, chosen in zip(COLORS, me["school_colors"], strict=True) if chosen]
        title += f", colors {' '.join(colors) or '?'}, counters {int(me['counters'])}"
    lines = [title]
    for index, (element, dice) in enumerate(board_document(me).items()):
        spaces = " ".join(dice + [EMPTY_SPACE] * (SPACES - len(dice)))
        token = " *" if me["tokens"][index] else ""
        points = f" {int(me['scores'][index]):>3} points" if over else ""
        lines.append(f"  {element:<{NAME_WIDTH}} {spaces}  sum {int(me['sums'][index]):>2}{points}{token}")
    if over:
        result = result_document(me)
        lines.append(f"  {'final':<{NAME_WIDTH}} {result['final']}")
    return lines


HEADINGS = {
    "take": "Take a die",
    "place": "Place the die",
    "color": "Choose a school color",
    "division": "Choose the next division",
}
"""What is done, by the first word of an action's string."""


def action_words(game: Game, s: Record, string: str) -> ActionWords:
    """An action in words: dice by color and value, elements and divisions by name."""
    verb, what = string.split(":")
    names = dict(zip(COLORS, game.data["dice"]["codes"]["names"], strict=True))
    if verb == "take":
        return ActionWords(HEADINGS[verb], f"{names[what[0]]} {what[1]}")
    if verb == "place":
        return ActionWords(HEADINGS[verb], str(game.data["element"][ELEMENTS.index(what)]["name"]))
    return ActionWords(HEADINGS[verb], names.get(what, what) if verb == "color" else what)
