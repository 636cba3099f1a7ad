"""Bedeville Carnival as a picture: the ring of Attractions with Stalls and figures, the supplies, the players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from carnival_envs.core.drawing import BLACK, HEADLINE_HEIGHT, SEAT_COLOURS, WHITE, Drawing, Point, Theme
from carnival_envs.core.interface import OVER, Record
from carnival_envs.games.bedeville.components import (
    MONDAY,
    NUM_SPACES,
    TOKENS_IN_BAG,
)
from carnival_envs.games.bedeville.sets import members_of
from carnival_envs.games.bedeville.state import NONE
from carnival_envs.games.bedeville.text import headline, this_turn

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

JOY_COLOURS: Final = ("#f06595", "#fcc419", "#4dabf7")
SKULL: Final = "#f8f9fa"
NOISE: Final = "#c92a2a"
PRIZE: Final = "#e0a800"
FUR: Final = "#8d5524"
FACE: Final = "#f1d3b3"
TICKET: Final = "#e8590c"

WIDTH, MARGIN = 800, 10
CARD_WIDTH, CARD_HEIGHT, STALL_HEIGHT, STALL_GAP = 144, 62, 40, 3
PLACE_HEIGHT = CARD_HEIGHT + STALL_GAP + STALL_HEIGHT
FIGURE_STEP, FIGURE_RADIUS = 25, 11
RING_X, RING_Y = 316, 268
CENTRE: Final = (WIDTH / 2, HEADLINE_HEIGHT + 24 + PLACE_HEIGHT / 2 + RING_Y)
INSIDE_WIDTH, INSIDE_TOP = 420, 150
LINE_LENGTH, LINES = 66, 3
FURBALL_AT = 240
DIRECTIONS: Final = {1: "clockwise", -1: "counter-clockwise"}
PLAYERS_TOP = CENTRE[1] + RING_Y + PLACE_HEIGHT / 2 + MARGIN
PLAYER_HEIGHT, PRIZES_SHOWN, TICKET_WIDTH = 173, 6, 48


def draw(game: Game, s: Record, viewer: int | None, theme: Theme) -> Drawing:
    """The table as ``viewer`` sees it, from his view; as a referee sees it for ``None``."""
    table = Drawing(WIDTH, int(PLAYERS_TOP + PLAYER_HEIGHT + MARGIN), theme)
    table.headline(headline(game, s))
    draw_path(table)
    for space in range(NUM_SPACES):
        draw_space(table.at(*place_of(space)), game, s, space)
    draw_inside(table.at(CENTRE[0] - INSIDE_WIDTH / 2, CENTRE[1] - INSIDE_TOP), game, s, viewer)
    n = game.num_players
    width = (WIDTH - (n + 1) * MARGIN) / n
    for seat in range(n):
        x = MARGIN + seat * (width + MARGIN)
        panel = table.panel(x, PLAYERS_TOP, width, PLAYER_HEIGHT, marked=seat == s.actor)
        is_open = viewer is None or viewer == seat or s.actor == OVER
        draw_player(panel, game, s, seat, width, is_open=is_open, is_viewer=viewer == seat)
    return table


# The ring -----------------------------------------------------------------------------------------------------------


def place_of(space: float) -> Point:
    """The middle of a space: clockwise from the top."""
    angle = 2 * pi * space / NUM_SPACES
    return CENTRE[0] + RING_X * sin(angle), CENTRE[1] - RING_Y * cos(angle)


def draw_path(table: Drawing) -> None:
    """The way around the carnival."""
    steps = 8
    points = [place_of(step / steps) for step in range(NUM_SPACES * steps + 1)]
    table.line(points, stroke=table.theme.panel, thickness=26)


def draw_space(middle: Drawing, game: Game, s: Record, space: int) -> None:
    """An Attraction with its Stall below it, and the figures on it; a dot for a space that is not in play."""
    here = s.ring[space]
    if here.card == NONE:
        middle.circle(0, 0, 5, fill=middle.theme.line)
        return
    card = middle.at(-CARD_WIDTH / 2, -PLACE_HEIGHT / 2)
    draw_attraction(card, game, here)
    draw_stall(card.at(0, CARD_HEIGHT + STALL_GAP), game, s.stalls[space])
    draw_figures(card.at(CARD_WIDTH - FIGURE_RADIUS - 2, -10), game, s, space)


def draw_attraction(card: Drawing, game: Game, here: Record) -> None:
    """An Attraction: what it gives, and the Noise and the Joy that lie on it."""
    theme, printed = card.theme, game.rules[0].attractions[here.card]
    card.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=theme.card, stroke=theme.line, radius=6, thickness=1.5)
    name = game.data["attraction"][int(here.card)]["name"]
    card.text(8, 12, name, size=12.5, bold=True, width=CARD_WIDTH - 14)
    card.text(8, 29, "gives", size=10.5, fill=theme.faint)
    end = draw_symbols(card.at(44, 29), printed.joy, int(printed.skulls))
    draw_noise(card.at(54 + end, 29), f"+{printed.noise}", size=11)
    card.line([(6, 39), (CARD_WIDTH - 6, 39)], stroke=theme.line)
    if here.noise:
        draw_noise(card.at(14, 50), str(here.noise), size=14)
    draw_joy(card.at(58, 50), here.joy)


def draw_noise(place: Drawing, number: str, *, size: float) -> None:
    """A loudspeaker and how much Noise."""
    half = 0.45 * size
    corners = [(-half, -half / 2), (-half / 4, -half / 2), (half, -half), (half, half), (-half / 4, half / 2)]
    place.polygon([*corners, (-half, half / 2)], fill=NOISE)
    place.text(half + 4, 0, number, size=size, bold=size > 12)


def draw_symbols(place: Drawing, joy: Iterable[int], skulls: int) -> float:
    """Joy symbols as they are printed on cards, a skull for any colour; returns how far they reach."""
    colours = [colour for colour, number in zip(JOY_COLOURS, joy, strict=True) for _ in range(number)]
    for number, colour in enumerate(colours):
        place.circle(12 * number, 0, 5, fill=colour, stroke=BLACK)
    for number in range(len(colours), len(colours) + skulls):
        draw_skull(place.at(12 * number, 0))
    return 12.0 * (len(colours) + skulls)


def draw_skull(place: Drawing) -> None:
    """The symbol for Joy of any colour."""
    place.rectangle(-3, 0, 6, 6, fill=SKULL, stroke=BLACK)
    place.circle(0, -1, 5, fill=SKULL, stroke=BLACK)
    for x in (-1.8, 1.8):
        place.circle(x, -0.5, 1.3, fill=BLACK)


def draw_joy(place: Drawing, joy: Iterable[int], step: float = 27) -> None:
    """Joy tokens, the number of each colour."""
    for colour, number in enumerate(joy):
        if number:
            place.token(step * colour, 0, 9, str(number), fill=JOY_COLOURS[colour], ink=BLACK)


def draw_stall(place: Drawing, game: Game, pile: Record) -> None:
    """A Stall: the visible Prize, and how many lie under it."""
    theme, height = place.theme, int(pile.height)
    if height == 0:
        place.rectangle(0, 0, CARD_WIDTH, STALL_HEIGHT, stroke=theme.line, radius=6)
        place.text(CARD_WIDTH / 2, STALL_HEIGHT / 2, "sold out", size=11, fill=theme.faint, anchor="middle")
        return
    prize = int(pile["items"][height - 1])
    printed = game.rules[0].prizes[prize]
    place.rectangle(0, 0, CARD_WIDTH, STALL_HEIGHT, fill=theme.card, stroke=PRIZE, radius=6, thickness=2)
    place.text(8, 12, game.data["prize"][prize]["name"], size=11.5, width=CARD_WIDTH - 44)
    draw_symbols(place.at(13, 29), printed.cost, int(printed.skulls))
    place.star(CARD_WIDTH - 18, 14, 13, fill=PRIZE, points=8, waist=0.8)
    place.text(CARD_WIDTH - 18, 14, str(printed.vp), size=13, fill=BLACK, anchor="middle", bold=True)
    if height > 1:
        place.text(CARD_WIDTH - 36, 29, f"+{height - 1}", size=11, fill=theme.faint, anchor="end")


def draw_figures(place: Drawing, game: Game, s: Record, space: int) -> None:
    """The figures on a space, from right to left."""
    number = 0
    for seat in range(game.num_players):
        if s.players[seat].space == space:
            draw_character(place.at(-FIGURE_STEP * number, 0), game, s, seat)
            number += 1
    if s.furball == space:
        draw_furball(place.at(-FIGURE_STEP * number, 0))
        number += 1
    if s.charles.space == space:
        draw_charles(place.at(-FIGURE_STEP * number, 0), space, int(s.charles.dir))


def draw_character(place: Drawing, game: Game, s: Record, seat: int) -> None:
    """A Character in the colour of the player, with the first letters of the name."""
    place.token(0, 0, FIGURE_RADIUS, character_name(game, s, seat)[:2], fill=SEAT_COLOURS[seat], stroke=WHITE)


def draw_furball(place: Drawing) -> None:
    """Furball, all hair and eyes."""
    place.star(0, 0, FIGURE_RADIUS + 2, fill=FUR, points=12, waist=0.7)
    for x in (-3.5, 3.5):
        place.circle(x, -1, 3, fill=WHITE)
        place.circle(x, -1, 1.4, fill=BLACK)


def draw_charles(place: Drawing, space: int, direction: int) -> None:
    """Mr. Charles in his top hat; the arrow shows where he faces."""
    draw_hat(place)
    angle = 2 * pi * space / NUM_SPACES
    draw_arrow(place.at(-30, -2), direction * cos(angle), direction * sin(angle))


def draw_hat(place: Drawing) -> None:
    """The head of Mr. Charles under his top hat."""
    place.circle(0, 3, 8, fill=FACE, stroke=BLACK)
    place.rectangle(-6, -15, 12, 12, fill=BLACK, stroke=NOISE)
    place.rectangle(-11, -5, 22, 4, fill=BLACK, stroke=NOISE)


def draw_arrow(middle: Drawing, right: float, down: float) -> None:
    """An arrow in a direction, a vector of length 1."""
    tip, head, half = 14, 3, 7
    middle.line([(-tip * right, -tip * down), (head * right, head * down)], stroke=NOISE, thickness=4)
    foot = head * right, head * down
    left_corner = (foot[0] - half * down, foot[1] + half * right)
    right_corner = (foot[0] + half * down, foot[1] - half * right)
    middle.polygon([(tip * right, tip * down), left_corner, right_corner], fill=NOISE)


# Inside the ring ----------------------------------------------------------------------------------------------------


def draw_inside(place: Drawing, game: Game, s: Record, viewer: int | None) -> None:
    """The Trickster tokens, the supplies and the piles, and what has happened in this turn."""
    faint = place.theme.faint
    place.text(0, 0, "Trickster tokens on the board", size=12, fill=faint)
    draw_tokens(place.at(0, 20), game, members_of(s.token_board))
    draw_bag(place.at(0, 46), game, s, viewer)
    place.text(0, 118, "Supply", size=12, fill=faint)
    draw_joy(place.at(64, 118), s.joy_supply)
    draw_noise(place.at(162, 118), str(s.noise_supply), size=14)
    place.text(206, 118, f"Attractions in the deck: {s.attraction_deck.height}", size=12, fill=faint)
    counts = f"Prizes in the supply: {s.prize_supply.height}, discarded: {len(members_of(s.prize_discard))}"
    place.text(206, 136, counts, size=12, fill=faint)
    discarded = [game.data["attraction"][card]["name"] for card in members_of(s.attraction_discard)]
    draw_lines(place.at(0, 164), f"Attractions discarded: {', '.join(discarded) or 'none'}", faint)
    draw_lines(place.at(0, 216), " ".join(this_turn(game, s)), place.theme.ink)
    draw_legend(place.at(0, 256), s)


def draw_legend(place: Drawing, s: Record) -> None:
    """What the figures and symbols stand for."""
    faint = place.theme.faint
    draw_hat(place.at(12, 4))
    place.text(28, 0, f"Mr. Charles, {DIRECTIONS[int(s.charles.dir)]}", size=12, fill=faint, width=FURBALL_AT - 44)
    if s.furball != NONE:
        draw_furball(place.at(FURBALL_AT, 0))
        place.text(FURBALL_AT + 18, 0, "Furball", size=12, fill=faint)
    draw_noise(place.at(12, 26), "", size=14)
    place.text(28, 26, "Noise", size=12, fill=faint)
    draw_skull(place.at(94, 26))
    place.text(106, 26, "Joy of any colour", size=12, fill=faint)
    place.star(236, 26, 11, fill=PRIZE, points=8, waist=0.8)
    place.text(254, 26, "victory points of a Prize", size=12, fill=faint)


def draw_bag(place: Drawing, game: Game, s: Record, viewer: int | None) -> None:
    """The tokens in the Bag, for those who know them, or how many there are."""
    faint = place.theme.faint
    known = viewer is None or s.actor == OVER or s.players[viewer].character == MONDAY
    if known:
        place.text(0, 0, "Bag", size=12, fill=faint)
        draw_tokens(place.at(0, 20), game, members_of(s.bag))
        left_over = [game.data["token"][token]["name"] for token in members_of(s.token_unused)]
        place.text(0, 44, f"Left over: {', '.join(left_over) or 'none'}", size=12, fill=faint, width=INSIDE_WIDTH)
        return
    outside = len(members_of(s.token_board | s.ctx.drawn)) + (s.ctx.token != NONE)
    place.text(0, 0, f"Bag: {TOKENS_IN_BAG - outside} tokens", size=12, fill=faint)
    for number in range(TOKENS_IN_BAG - outside):
        place.token(12 + 28 * number, 22, 11, "?", fill=place.theme.back)


def draw_tokens(place: Drawing, game: Game, tokens: Sequence[int]) -> None:
    """Trickster tokens side by side, face up."""
    for number, token in enumerate(tokens):
        chip = place.at(84 * number, -11)
        chip.rectangle(0, 0, 80, 22, fill="#5f3dc4", radius=11)
        name = game.data["token"][token]["name"]
        chip.text(40, 11, name, size=12, fill=WHITE, anchor="middle", width=72)
    if not tokens:
        place.text(0, 0, "none", size=12, fill=place.theme.faint)


def draw_lines(place: Drawing, words: str, ink: str) -> None:
    """Words in a few lines; what does not fit is left out."""
    for number, line in enumerate(wrap(words, LINE_LENGTH, max_lines=LINES, placeholder=" ...")):
        place.text(0, 16 * number, line, size=12, fill=ink, width=INSIDE_WIDTH)


# Players ------------------------------------------------------------------------------------------------------------


def character_name(game: Game, s: Record, seat: int) -> str:
    """The name of a player's Character."""
    character = int(s.players[seat].character)
    return "no Character" if character == NONE else str(game.data["character"][character]["name"])


def draw_player(
    panel: Drawing, game: Game, s: Record, seat: int, width: float, *, is_open: bool, is_viewer: bool
) -> None:
    """A player's Character, and what is behind the Screen where that is known."""
    me, theme = s.players[seat], panel.theme
    if me.character != NONE:
        draw_character(panel.at(20, 20), game, s, seat)
    room = width - 48 - (TICKET_WIDTH + 10 if seat == s.first_player else 0)
    panel.text(38, 14, character_name(game, s, seat), size=14, bold=True, width=room)
    panel.text(38, 31, f"player {seat}{' (you)' if is_viewer else ''}", size=11.5, fill=theme.faint)
    if seat == s.first_player:
        panel.rectangle(width - TICKET_WIDTH - 10, 7, TICKET_WIDTH, 16, fill=TICKET, radius=4)
        panel.text(width - 34, 15, "Ticket", size=11, fill=WHITE, anchor="middle", bold=True)
    if seat == s.active and s.actor != OVER:
        panel.text(width - 10, 31, "active", size=11.5, fill=theme.accent, anchor="end")
    if is_open:
        draw_holdings(panel.at(12, 56), game, me, width - 24)
    else:
        draw_screen(panel.at(12, 46), width - 24)


def draw_holdings(place: Drawing, game: Game, me: Record, width: float) -> None:
    """Joy and Prizes."""
    faint, prizes = place.theme.faint, members_of(me.prizes)
    place.text(0, 0, "Joy" if me.joy.any() else "no Joy", size=12, fill=faint)
    draw_joy(place.at(38, 0), me.joy)
    for number, prize in enumerate(prizes[:PRIZES_SHOWN]):
        y = 22 + 14 * number
        place.text(0, y, game.data["prize"][prize]["name"], size=12, width=width - 44)
        place.text(width, y, f"{game.rules[0].prizes[prize].vp} VP", size=12, anchor="end", bold=True)
    if not prizes:
        place.text(0, 22, "no Prizes", size=12, fill=faint)
    elif len(prizes) > PRIZES_SHOWN:
        place.text(0, 22 + 14 * PRIZES_SHOWN, f"and {len(prizes) - PRIZES_SHOWN} more", size=12, fill=faint)


def draw_screen(place: Drawing, width: float) -> None:
    """A Screen, which hides Joy and Prizes."""
    place.rectangle(0, 0, width, 106, fill=place.theme.back, radius=6)
    for fold in (1, 2):
        place.line([(fold * width / 3, 0), (fold * width / 3, 106)], stroke=place.theme.panel)
    place.text(width / 2, 53, "?", size=34, fill=WHITE, anchor="middle", bold=True)
