"""Carnival as a picture: the dice on the tableau, the piles, and every player's Midway, Tickets and hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carnival_envs.core.drawing import BLACK, HEADLINE_HEIGHT, WHITE, Drawing, Theme
from carnival_envs.core.interface import Record
from carnival_envs.games.carnival.state import (
    ALL_PARTS,
    CARDS_TO_COMPLETE,
    NONE,
    NUM_ATTRACTIONS,
    NUM_DICE,
    NUM_KINDS,
    NUM_PARTS,
    PARTS,
    PLACE_REASONS,
    WILD,
)
from carnival_envs.games.carnival.text import REASONS, attraction_name, declaration_line, turn_line

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

ATTRACTION_COLOURS: Final = ("#c92a2a", "#b8860b", "#1864ab", "#2b8a3e", "#7b3fb5")
"""The colours of the attractions, for white text on them."""

WILD_FILL, WILD_INK = "#ffd43b", BLACK
TICKET: Final = "#e8590c"

WIDTH, MARGIN = 800, 10
TABLEAU_HEIGHT = 122
PLAYER_WIDTH, PLAYER_HEIGHT = WIDTH - 2 * MARGIN, 166
SPACE_WIDTH, SPACE_HEIGHT = 84, 76
COLUMN_WIDTH, SLOT_HEIGHT, MIDWAY_TOP = 91, 23, 50
TICKETS_AT = 220
HAND_AT, HAND_COLUMNS = 476, 5
CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 54, 56, 59
DIE = 26


def draw(game: Game, s: Record, viewer: int | None, theme: Theme) -> Drawing:
    """The table: the tableau, and a row for each player.

    Args:
        game: the game.
        s: the state, or the view of ``viewer``.
        viewer: the seat that looks and sees its own hand only; ``None`` for a referee who sees every card.
        theme: the colours of the table.
    """
    rows = game.num_players * (PLAYER_HEIGHT + MARGIN)
    table = Drawing(WIDTH, HEADLINE_HEIGHT + TABLEAU_HEIGHT + MARGIN + rows, theme)
    table.headline(turn_line(game, s))
    draw_tableau(table.panel(MARGIN, HEADLINE_HEIGHT, PLAYER_WIDTH, TABLEAU_HEIGHT), game, s)
    for seat in range(game.num_players):
        y = HEADLINE_HEIGHT + TABLEAU_HEIGHT + MARGIN + seat * (PLAYER_HEIGHT + MARGIN)
        row = table.panel(MARGIN, y, PLAYER_WIDTH, PLAYER_HEIGHT, marked=seat == s.actor)
        draw_player(row, game, s, seat, viewer)
    return table


# Dice and piles -----------------------------------------------------------------------------------------------------


def draw_tableau(panel: Drawing, game: Game, s: Record) -> None:
    """The six actions with the dice that are left on them, the roll, the piles, and what is going on."""
    tableau = [space["name"] for space in game.data["tableau"]]
    for action, name in enumerate(tableau):
        place = panel.at(8 + (SPACE_WIDTH + 4) * action, 8)
        draw_action(place, name, action, int(s.remaining[action]), declared=s.action == action)
    panel.text(546, 20, "Roll", size=12, fill=panel.theme.faint)
    for die in range(NUM_DICE):
        if s.dice[die]:
            panel.die(559 + 32 * die, 48, DIE, int(s.dice[die]), fill=WHITE, pips=BLACK)
    draw_piles(panel.at(654, 8), game, s)
    panel.text(12, 104, course(game, s, tableau), size=13, width=PLAYER_WIDTH - 24)


def draw_action(place: Drawing, name: str, action: int, dice: int, *, declared: bool) -> None:
    """A space of the tableau with its face, and the dice on it."""
    theme = place.theme
    outline = theme.accent if declared else theme.line
    place.rectangle(0, 0, SPACE_WIDTH, SPACE_HEIGHT, fill=theme.card, stroke=outline, radius=6, thickness=2)
    place.text(SPACE_WIDTH / 2, 15, name, size=12, anchor="middle", width=SPACE_WIDTH - 4)
    if not dice:
        place.text(SPACE_WIDTH / 2, 48, str(action + 1), size=24, fill=theme.line, anchor="middle")
    for die in range(dice):
        x = SPACE_WIDTH / 2 + 27 * (die - (dice - 1) / 2)
        place.die(x, 48, 24, action + 1, fill=WHITE, pips=BLACK)


def draw_piles(place: Drawing, game: Game, s: Record) -> None:
    """The deck, and the discard pile with its top card."""
    place.text(CARD_WIDTH / 2, 10, f"Deck {s.deck_size}", size=12, anchor="middle")
    place.text(62 + CARD_WIDTH / 2, 10, f"Discard {s.discard_size}", size=12, anchor="middle")
    if s.deck_size:
        draw_back(place.at(0, 20))
    else:
        place.rectangle(0, 20, CARD_WIDTH, CARD_HEIGHT, stroke=place.theme.line, radius=6)
    if s.discard_size:
        draw_card(place.at(62, 20), game, int(s.discard[s.discard_size - 1]))
    else:
        place.rectangle(62, 20, CARD_WIDTH, CARD_HEIGHT, stroke=place.theme.line, radius=6)


def course(game: Game, s: Record, tableau: list[str]) -> str:
    """What has been declared in this turn and is not finished yet."""
    words = []
    if s.action != NONE:
        words.append(declaration_line(game, s, tableau))
    if s.place_reason != NONE:
        words.append(f"Wilds in the air: {s.place_count}, {REASONS[PLACE_REASONS[s.place_reason]]}")
    if s.reassigns:
        words.append(f"Wilds reassigned: {s.reassigns} of {game.rules[0].reassign_limit}")
    if s.swap_count:
        words.append(f"Wild discard: {s.swap_count} cards so far")
    return "; ".join(words)


# Cards --------------------------------------------------------------------------------------------------------------


def draw_card(place: Drawing, game: Game, kind: int) -> None:
    """A card from the hand or the discard pile."""
    if kind == WILD:
        place.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=WILD_FILL, stroke=place.theme.table, radius=6)
        place.star(CARD_WIDTH / 2, 22, 15, fill=WILD_INK)
        place.text(CARD_WIDTH / 2, 46, "Wild", size=11, fill=WILD_INK, anchor="middle", bold=True)
        return
    attraction, part = divmod(kind, NUM_PARTS)
    place.rectangle(
        0, 0, CARD_WIDTH, CARD_HEIGHT, fill=ATTRACTION_COLOURS[attraction], stroke=place.theme.table, radius=6
    )
    words = attraction_name(game, attraction).split(maxsplit=1)
    for line, word in enumerate(words):
        y = 9.5 + 11 * line + (0 if len(words) > 1 else 5.5)
        place.text(CARD_WIDTH / 2, y, word, size=10.5, fill=WHITE, anchor="middle", width=CARD_WIDTH - 4)
    draw_part(place.at(CARD_WIDTH / 2, 32), part)
    place.text(CARD_WIDTH / 2, 48, PARTS[part], size=10.5, fill=WHITE, anchor="middle", width=CARD_WIDTH - 2)


def draw_back(place: Drawing) -> None:
    """A card that lies face down."""
    theme = place.theme
    place.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=theme.back, stroke=theme.table, radius=6)
    place.star(CARD_WIDTH / 2, CARD_HEIGHT / 2, 14, fill=theme.panel, points=8)


def draw_part(place: Drawing, part: int) -> None:
    """The sign of a part around the origin, 18 wide and 12 high: pennants, bulbs, planks, a seat."""
    match PARTS[part]:
        case "banners":
            for x in (-9, -3, 3):
                place.polygon([(x, -5), (x + 6, -5), (x + 3, 5)], fill=WHITE)
        case "lights":
            place.line([(-9, -4), (9, -4)], stroke=WHITE)
            for x in (-6, 0, 6):
                place.circle(x, 1, 2.6, fill=WHITE)
        case "materials":
            for y in (-5, -1, 3):
                place.rectangle(-9, y, 18, 2.6, fill=WHITE)
        case _:
            place.line([(-5, -6), (-5, 6)], stroke=WHITE, thickness=2.5)
            place.line([(-5, 1), (5, 1), (5, 6)], stroke=WHITE, thickness=2.5)


# Players ------------------------------------------------------------------------------------------------------------


def draw_player(row: Drawing, game: Game, s: Record, seat: int, viewer: int | None) -> None:
    """A player's Midway, Tickets and hand."""
    me = s.players[seat]
    name = f"player_{seat}" + (" (you)" if seat == viewer else "") + (", active" if seat == s.active else "")
    row.text(12, 17, name, size=14, bold=True, width=TICKETS_AT - 20)
    draw_tickets(row.at(TICKETS_AT, 17), me)
    for attraction in range(NUM_ATTRACTIONS):
        draw_attraction(row.at(10 + COLUMN_WIDTH * attraction, 0), game, me.midway, attraction)
    row.text(HAND_AT, 17, f"Hand: {me.hand_size} cards", size=12, fill=row.theme.faint)
    known = hand_of(me) if viewer in (None, seat) else []
    for place in range(me.hand_size):
        line, column = divmod(place, HAND_COLUMNS)
        card = row.at(HAND_AT + CARD_STEP * column, 31 + (CARD_HEIGHT + 4) * line)
        if known:
            draw_card(card, game, known[place])
        else:
            draw_back(card)


def hand_of(me: Record) -> list[int]:
    """The kinds of the cards in a hand, ascending."""
    return [kind for kind in range(NUM_KINDS) for _ in range(me.hand[kind])]


def draw_tickets(place: Drawing, me: Record) -> None:
    """The Tickets that a player has left."""
    place.text(0, 0, "Tickets", size=12, fill=place.theme.faint)
    for ticket in range(me.tickets):
        x = 48 + 27 * ticket
        place.rectangle(x, -7, 23, 14, fill=TICKET, radius=3)
        for y in (-4, 0, 4):
            place.circle(x + 6, y, 1, fill=WHITE)
        place.star(x + 15, 0, 4.5, fill=WHITE)
    if not me.tickets:
        place.text(48, 0, "none", size=12, fill=place.theme.faint)
    if me.ticket_used:
        place.text(134, 0, "used one this turn", size=12, fill=place.theme.faint)


def draw_attraction(column: Drawing, game: Game, midway: Record, attraction: int) -> None:
    """An attraction of a Midway: its four parts, with Wilds in the places of missing ones."""
    theme, colour = column.theme, ATTRACTION_COLOURS[attraction]
    parts, wilds = int(midway.parts[attraction]), int(midway.wilds[attraction])
    complete = parts.bit_count() + wilds == CARDS_TO_COMPLETE
    width, height = COLUMN_WIDTH - 6, NUM_PARTS * SLOT_HEIGHT
    outline = theme.accent if complete else theme.line
    column.rectangle(
        -2, MIDWAY_TOP - 18, width + 4, height + 22, fill=theme.card, stroke=outline, radius=6, thickness=2
    )
    column.text(
        width / 2,
        MIDWAY_TOP - 8,
        attraction_name(game, attraction),
        size=12,
        anchor="middle",
        bold=True,
        width=width - 4,
    )
    for part in range(NUM_PARTS):
        place = column.at(2, MIDWAY_TOP + 1 + SLOT_HEIGHT * part)
        if parts >> part & 1:
            draw_slot(place, PARTS[part], fill=colour, ink=WHITE)
            draw_part(place.at(13, (SLOT_HEIGHT - 3) / 2), part)
        elif wilds:
            wilds -= 1
            draw_slot(place, "Wild", fill=WILD_FILL, ink=WILD_INK)
            place.star(13, (SLOT_HEIGHT - 3) / 2, 8, fill=WILD_INK)
        else:
            place.rectangle(0, 0, width - 4, SLOT_HEIGHT - 3, stroke=theme.line, radius=4)
    if complete:
        sign = "natural set" if parts == ALL_PARTS else "complete"
        column.text(width / 2, MIDWAY_TOP + height + 13, sign, size=11, fill=theme.accent, anchor="middle", bold=True)


def draw_slot(place: Drawing, name: str, *, fill: str, ink: str) -> None:
    """A card on an attraction."""
    place.rectangle(0, 0, COLUMN_WIDTH - 10, SLOT_HEIGHT - 3, fill=fill, radius=4)
    place.text(27, (SLOT_HEIGHT - 3) / 2, name, size=11.5, fill=ink, width=COLUMN_WIDTH - 40)
