"""Carnavalesco as a picture: the pool, the bag, and every director's parade board with its dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carnival_envs.core.drawing import BLACK, ELLIPSIS, HEADLINE_HEIGHT, WHITE, Drawing, Theme
from carnival_envs.core.interface import Record
from carnival_envs.games.carnavalesco.position import history_document, result_document
from carnival_envs.games.carnavalesco.state import (
    COLORS,
    DIVISIONS,
    FINISHED,
    NO_DIE,
    NO_DIVISION,
    NUM_ELEMENTS,
    NUM_KINDS,
    NUM_VALUES,
    SPACES,
)
from carnival_envs.games.carnavalesco.text import headline, school

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

COLOURS: Final = {
    "R": ("#d93636", WHITE),
    "Y": ("#f2c230", BLACK),
    "G": ("#2f9e4f", WHITE),
    "B": ("#2b6fd0", WHITE),
    "P": ("#8b46c8", WHITE),
    "W": (WHITE, BLACK),
}
"""Color to the colors of a die and of its pips."""

TOKEN: Final = "#e0a800"

WIDTH, MARGIN = 800, 10
POOL_HEIGHT = 76
BOARD_WIDTH, TITLE_HEIGHT, ROW_HEIGHT = 385, 38, 32
BOARD_HEIGHT = TITLE_HEIGHT + NUM_ELEMENTS * ROW_HEIGHT + 8
POOL_DIE, BOARD_DIE, BAG_DIE = 36, 25, 15
DICE_AT, SUM_AT, SCORE_AT = 196, 325, 361
PARADES_SHOWN = 7
LONGEST_NAME = 24
PICKS_AT, PARADES_AT, LIST_STEP = 46, 170, 24


def draw(game: Game, s: Record, viewer: int | None, theme: Theme) -> Drawing:
    """The whole table; nothing is hidden, so every viewer sees the same."""
    rows = (game.num_players + 1) // 2
    height = HEADLINE_HEIGHT + POOL_HEIGHT + rows * (BOARD_HEIGHT + MARGIN) + MARGIN
    table = Drawing(WIDTH, height, theme)
    table.headline(headline(game, s))
    draw_dice(table.panel(MARGIN, HEADLINE_HEIGHT, WIDTH - 2 * MARGIN, POOL_HEIGHT), s)
    top = HEADLINE_HEIGHT + POOL_HEIGHT + MARGIN
    for seat in range(game.num_players):
        row, column = divmod(seat, 2)
        x, y = MARGIN + column * (BOARD_WIDTH + MARGIN), top + row * (BOARD_HEIGHT + MARGIN)
        draw_board(table.panel(x, y, BOARD_WIDTH, BOARD_HEIGHT, marked=seat == int(s["actor"])), game, s, seat)
    if game.num_players == 1:
        draw_solo(table.panel(2 * MARGIN + BOARD_WIDTH, top, BOARD_WIDTH, BOARD_HEIGHT), game, s)
    return table


def draw_die(table: Drawing, x: float, y: float, size: float, kind: int) -> None:
    """A die of a kind."""
    fill, pips = COLOURS[COLORS[kind // NUM_VALUES]]
    table.die(x, y, size, kind % NUM_VALUES + 1, fill=fill, pips=pips)


def draw_dice(panel: Drawing, s: Record) -> None:
    """The rolled dice, the die in hand, and what is left in the bag."""
    panel.text(12, 14, "Pool", size=12, fill=panel.theme.faint)
    dice = [kind for kind in range(NUM_KINDS) for _ in range(int(s["pool"][kind]))]
    for place, kind in enumerate(dice):
        draw_die(panel, 30 + 42 * place, 46, POOL_DIE, kind)
    panel.text(540, 14, "In hand", size=12, fill=panel.theme.faint)
    panel.rectangle(540, 25, 42, 42, stroke=panel.theme.line, radius=8)
    if int(s["hand"]) != NO_DIE:
        draw_die(panel, 561, 46, POOL_DIE, int(s["hand"]))
    panel.text(614, 14, f"Bag: {int(s['bag'].sum())} dice", size=12, fill=panel.theme.faint)
    for place, (color, number) in enumerate(zip(COLORS, s["bag"], strict=True)):
        draw_bag_color(panel.at(622 + 54 * (place % 3), 34 + 24 * (place // 3)), color, int(number))


def draw_bag_color(place: Drawing, color: str, number: int) -> None:
    """How many dice of a color the bag holds."""
    fill, pips = COLOURS[color]
    half = BAG_DIE / 2
    place.rectangle(-half, -half, BAG_DIE, BAG_DIE, fill=fill, stroke=pips, radius=3)
    place.text(13, 0, str(number), size=13)


def draw_board(panel: Drawing, game: Game, s: Record, seat: int) -> None:
    """A parade board: an element a line, with its dice, their sum, and the token or the score."""
    me = s["players"][seat]
    over = int(s["phase"]) == FINISHED
    faint = panel.theme.faint
    width = (SUM_AT - 84) if me["school_colors"].any() else (SUM_AT - 34)
    panel.text(12, 19, title(game, s, seat), size=14, bold=True, width=width)
    draw_school_colors(panel.at(SUM_AT - 60, 19), me)
    panel.text(SUM_AT, 19, "sum", size=11, fill=faint, anchor="middle")
    panel.text(SCORE_AT, 19, "score" if over else "token", size=11, fill=faint, anchor="middle")
    for element in range(NUM_ELEMENTS):
        name = game.data["element"][element]["name"]
        draw_element(panel.at(0, TITLE_HEIGHT + ROW_HEIGHT * element), name, me, element, over)


def title(game: Game, s: Record, seat: int) -> str:
    """Whose board it is, in which division, and the final score at the end."""
    me = s["players"][seat]
    division = int(me["division"])
    name = school(game, seat)
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - len(ELLIPSIS)]}{ELLIPSIS}"
    words = f"{name}, division {'?' if division == NO_DIVISION else DIVISIONS[division]}"
    if int(s["phase"]) == FINISHED:
        return f"{words}: {result_document(me)['final']} points"
    if game.num_players == 1:
        return f"{words}, counters {int(me['counters'])}"
    return f"{words} (first)" if seat == int(s["first_player"]) else words


def draw_school_colors(place: Drawing, me: Record) -> None:
    """The colors of a school that plays alone."""
    chosen = [color for color, is_chosen in zip(COLORS, me["school_colors"], strict=True) if is_chosen]
    for number, color in enumerate(chosen):
        fill, pips = COLOURS[color]
        place.rectangle(20 * number, -BAG_DIE / 2, BAG_DIE, BAG_DIE, fill=fill, stroke=pips, radius=3)


def draw_element(row: Drawing, name: str, me: Record, element: int, over: bool) -> None:
    """An element of the parade: four spaces."""
    theme, middle = row.theme, ROW_HEIGHT / 2
    row.line([(10, 0), (BOARD_WIDTH - 10, 0)], stroke=theme.line)
    row.text(12, middle, name, size=13, width=DICE_AT - 34)
    for space in range(SPACES):
        x = DICE_AT + 31 * space
        if space < int(me["count"][element]):
            draw_die(row, x, middle, BOARD_DIE, int(me["dice"][element][space]))
        else:
            row.rectangle(x - 12, middle - 12, 24, 24, stroke=theme.line, radius=5)
    if me["count"][element]:
        row.text(SUM_AT, middle, str(int(me["sums"][element])), size=13, fill=theme.faint, anchor="middle")
    if me["tokens"][element]:
        row.token(SCORE_AT, middle, 12, fill=TOKEN)
    if over or me["tokens"][element]:
        points = str(int(me["scores"][element])) if over else "10"
        ink = BLACK if me["tokens"][element] else theme.ink
        row.text(SCORE_AT, middle, points, size=14, fill=ink, anchor="middle", bold=True)


def draw_solo(panel: Drawing, game: Game, s: Record) -> None:
    """What a school that plays alone looks back on: the dice of this round, and the last finished parades."""
    faint = panel.theme.faint
    panel.text(12, 19, "Placed in this round", size=14, bold=True)
    for place in range(int(s["picks"])):
        y = PICKS_AT + 1.2 * LIST_STEP * place
        draw_die(panel, 25, y, BOARD_DIE, int(s["pick_die"][place]))
        panel.text(46, y, f"on {game.data['element'][int(s['pick_element'][place])]['name']}", size=13)
    if not s["picks"]:
        panel.text(12, PICKS_AT, "nothing yet", size=13, fill=faint)
    panel.text(12, PARADES_AT, "Finished parades", size=14, bold=True)
    parades = list(enumerate(history_document(s), start=1))
    for row, (number, parade) in enumerate(parades[-PARADES_SHOWN:]):
        line = "{division}: {final} points, {place}, then {next_division}".format(**parade)
        panel.text(12, PARADES_AT + 26 + LIST_STEP * row, f"{number}. in division {line}", size=13)
    if not parades:
        panel.text(12, PARADES_AT + 26, "none yet", size=13, fill=faint)
