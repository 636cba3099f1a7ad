"""Carnavalo as a picture: the ring of spaces with its tents, the parade inside it, and the players below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from carnival_envs.core.drawing import BLACK, HEADLINE_HEIGHT, SEAT_COLOURS, WHITE, Drawing, Point, Theme
from carnival_envs.core.interface import Record
from carnival_envs.games.carnavalo.position import codes, members, repeated
from carnival_envs.games.carnavalo.scoring import score
from carnival_envs.games.carnavalo.state import (
    CITIZENS,
    LAST_DISC_SPACE,
    MAX_PARADE,
    MAX_RING,
    NO_CARD,
    NO_TENT,
    NUM_SPACES,
    NUM_TENTS,
    NUM_VALUES,
    PARADE_TOKENS,
    SETUP_CARD,
    TENT_TOKENS,
    WON,
)
from carnival_envs.games.carnavalo.tents import UNKNOWN_VALUE, is_blocked, is_face_up, owner_of, value_of
from carnival_envs.games.carnavalo.text import TOKEN_LABELS, headline, labels

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

CITIZEN_COLOURS: Final = ("#c99700", "#e64980", "#343a40")
CITIZEN_NAMES: Final = ("Prince Carnival", "Miss Carnavalo", "Barricadol")
TENT_COLOURS: Final = ("#e03131", WHITE)
GOLD: Final = "#e0a800"

WIDTH, MARGIN = 800, 10
TENTS_IN_ROW, TENT_WIDTH, TENT_HEIGHT, TENT_STEP = 3, 253, 182, 263
RING_TOP = HEADLINE_HEIGHT + TENT_HEIGHT + 28
RING_HEIGHT = 200
LOWER_TENTS = RING_TOP + RING_HEIGHT + 28
PLAYERS_TOP = LOWER_TENTS + TENT_HEIGHT + MARGIN
PLAYER_WIDTH, PLAYER_HEIGHT = 385, 84
ROW_STEP = TENT_STEP / 3
SIDE_SPACES = 2
CARD_WIDTH, CARD_HEIGHT = 36, 48
SMALL_WIDTH, SMALL_HEIGHT = 22, 29
DISC_COLUMN, DISCS_IN_ROW = 39, 2


def draw(game: Game, s: Record, viewer: int | None, theme: Theme) -> Drawing:
    """The table.

    Args:
        game: the game.
        s: the state, or the view of a player.
        viewer: the player whose view ``s`` is; ``None`` for the whole state.
        theme: the colours of the table.
    """
    rows = (game.num_players + 1) // 2
    table = Drawing(WIDTH, PLAYERS_TOP + rows * (PLAYER_HEIGHT + MARGIN), theme)
    table.headline(headline(game, s))
    for t in range(NUM_TENTS):
        draw_tent(table.panel(*tent_corner(t), TENT_WIDTH, TENT_HEIGHT), game, s, t)
    draw_ring(table, game, s)
    draw_inside(table.at(122, RING_TOP + 32), s)
    for player in range(game.num_players):
        row, column = divmod(player, 2)
        x, y = MARGIN + column * (PLAYER_WIDTH + MARGIN), PLAYERS_TOP + row * (PLAYER_HEIGHT + MARGIN)
        panel = table.panel(x, y, PLAYER_WIDTH, PLAYER_HEIGHT, marked=player == s.actor)
        draw_player(panel, game, s, player, viewer)
    return table


# The ring -----------------------------------------------------------------------------------------------------------


def tent_corner(t: int) -> Point:
    """Where the panel of a tent lies: clockwise, as its space on the ring."""
    row, column = divmod(t, TENTS_IN_ROW)
    if row:
        column = TENTS_IN_ROW - 1 - column
    return MARGIN + TENT_STEP * column, LOWER_TENTS if row else HEADLINE_HEIGHT


def space_at(space: int) -> Point:
    """Where a space of the ring is: clockwise, half of the spaces in the upper row and at the right."""
    half, place = divmod(space, NUM_SPACES // 2)
    in_row = NUM_SPACES // 2 - SIDE_SPACES
    if place < in_row:
        x, y = MARGIN + TENT_WIDTH / 2 + ROW_STEP * place, 0.0
    else:
        x, y = WIDTH - 50.0, RING_HEIGHT * (place - in_row + 1) / (SIDE_SPACES + 1)
    return (WIDTH - x, RING_TOP + RING_HEIGHT - y) if half else (x, RING_TOP + y)


def draw_ring(table: Drawing, game: Game, s: Record) -> None:
    """The spaces, with tents and citizens on them."""
    theme = table.theme
    places = [space_at(space) for space in range(NUM_SPACES)]
    table.line([*places, places[0]], stroke=theme.line, thickness=6)
    for space, (x, y) in enumerate(places):
        tent = int(game.rules[0].tent_at[space])
        if tent == NO_TENT:
            table.circle(x, y, 15, fill=theme.panel, stroke=theme.line, thickness=2)
            table.text(x, y, str(space), size=11, fill=theme.faint, anchor="middle")
        else:
            table.circle(x, y, 23, fill=theme.card, stroke=theme.line, thickness=2)
            draw_tent_sign(table.at(x, y + 2), tent, 1.0)
        here = [citizen for citizen in range(len(CITIZENS)) if s.citizens[citizen] == space]
        for number, citizen in enumerate(here):
            draw_citizen(table.at(x + 22 * (number - (len(here) - 1) / 2), y), citizen)


def draw_citizen(place: Drawing, citizen: int) -> None:
    """A citizen's figure: head and body, with his initial."""
    fill = CITIZEN_COLOURS[citizen]
    place.polygon([(-13, 17), (-6, -6), (6, -6), (13, 17)], fill=fill, stroke=WHITE)
    place.circle(0, -11, 8, fill=fill, stroke=WHITE)
    place.text(0, 8, CITIZENS[citizen][0].upper(), size=14, fill=WHITE, anchor="middle", bold=True)


def draw_tent_sign(place: Drawing, tent: int, scale: float) -> None:
    """A striped tent with its number, around the origin, 32 wide and 28 high."""
    red, white = TENT_COLOURS
    place.rectangle(-13 * scale, -2 * scale, 26 * scale, 14 * scale, fill=white, stroke=red)
    roof = [-16, -8, 0, 8, 16]
    for stripe in range(4):
        left, right = roof[stripe] * scale, roof[stripe + 1] * scale
        corners = [(0.0, -16 * scale), (right, -2 * scale), (left, -2 * scale)]
        place.polygon(corners, fill=white if stripe % 2 else red, stroke=red)
    place.text(0, 5.5 * scale, str(tent), size=13 * scale, fill=BLACK, anchor="middle", bold=True)


# Tents --------------------------------------------------------------------------------------------------------------


def draw_tent(panel: Drawing, game: Game, s: Record, t: int) -> None:
    """A tent with its tokens, its cards and the discs."""
    theme, tent = panel.theme, s.tents[t]
    draw_tent_sign(panel.at(34, 32), t, 1.5)
    panel.text(70, 18, f"Tent {t}", size=14, bold=True)
    if is_blocked(game.rules[0], s, t):
        panel.text(70, 37, "closed: Barricadol", size=12, fill=theme.accent, width=104)
    draw_token_stack(panel.at(TENT_WIDTH - 54, 28), codes(tent.tokens[: tent.tokens_left], TENT_TOKENS))
    draw_pile(panel.at(10, 64), tent)
    draw_discs(panel.at(10, 122), game, s, t)


def draw_token_stack(place: Drawing, pile: Sequence[int]) -> None:
    """A stack of tokens: the open one, and how many there are."""
    if not pile:
        place.circle(0, 0, 18, stroke=place.theme.line)
        return
    for below in range(len(pile) - 1, 0, -1):
        place.circle(2.5 * below, 2.5 * below, 18, fill=place.theme.back, stroke=place.theme.table)
    place.token(0, 0, 18, TOKEN_LABELS.get(pile[-1], str(pile[-1])), fill=GOLD, ink=BLACK)
    place.text(30, 0, f"x{len(pile)}", size=12, fill=place.theme.faint)


def draw_pile(place: Drawing, tent: Record) -> None:
    """The cards in a tent, the podium card at the left, the others under it to the right."""
    height = int(tent.height)
    if not height:
        place.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, stroke=place.theme.line, radius=5)
        place.text(CARD_WIDTH + 10, CARD_HEIGHT / 2, "no cards", size=12, fill=place.theme.faint)
    step = min(CARD_WIDTH + 3.0, (TENT_WIDTH - 20 - CARD_WIDTH) / max(1, height - 1))
    for position in range(height):
        place_of_card = place.at(step * (height - 1 - position), 0)
        shown = min(step, CARD_WIDTH)
        draw_card(place_of_card, int(tent.cards[position]), is_face_up(tent, position), shown=shown)
    if height:
        place.rectangle(-1, -1, CARD_WIDTH + 2, CARD_HEIGHT + 2, stroke=GOLD, radius=6, thickness=3)


def draw_card(place: Drawing, card: int, up: bool = True, *, shown: float = CARD_WIDTH) -> None:
    """A card in its owner's colour, of which a strip at the right is seen; face down only outlined in it."""
    value = value_of(card)
    colour = SEAT_COLOURS[owner_of(card)]
    fill = colour if up else place.theme.back
    stroke = place.theme.table if up else colour
    place.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=fill, stroke=stroke, radius=5, thickness=1 if up else 3)
    label = "?" if value == UNKNOWN_VALUE else str(value)
    size = min(22.0 if up else 16.0, 1.5 * shown)
    place.text(CARD_WIDTH - shown / 2, CARD_HEIGHT / 2, label, size=size, fill=WHITE, anchor="middle", bold=True)


def draw_discs(place: Drawing, game: Game, s: Record, t: int) -> None:
    """The disc track: the start field, four spaces, and the discs that are won."""
    theme = place.theme
    won = LAST_DISC_SPACE + 1
    for column in range(won + 1):
        name = "won" if column == won else str(column)
        cell = place.at(DISC_COLUMN * column, 0)
        fill = theme.table if column == won else theme.card
        cell.rectangle(0, 0, DISC_COLUMN - 3, 38, fill=fill, stroke=theme.line, radius=4)
        cell.text((DISC_COLUMN - 3) / 2, 47, name, size=11, fill=theme.faint, anchor="middle")
        here = [
            seat for seat in range(game.num_players) if s.players[seat].discs[t] == (WON if column == won else column)
        ]
        for number, seat in enumerate(here):
            row, side = divmod(number, DISCS_IN_ROW)
            y = 10 + 18 * row if len(here) <= 2 * DISCS_IN_ROW else 10 + 9 * row
            cell.token(9.5 + 17 * side, y, 8.5, str(seat), fill=SEAT_COLOURS[seat], stroke=theme.card)


# Inside the ring ----------------------------------------------------------------------------------------------------


def draw_inside(place: Drawing, s: Record) -> None:
    """The movement track, the card with Miss Carnavalo, the parade, and who the citizens are."""
    faint = place.theme.faint
    place.text(0, 0, "Movement ring", size=12, fill=faint)
    for number in range(MAX_RING + 1):
        x = 13 + 28 * number
        here = number == s.ring
        place.circle(x, 24, 12, fill=place.theme.card, stroke=place.theme.accent if here else None, thickness=4)
        place.text(x, 24, str(number), size=14, anchor="middle", bold=here)
    place.text(0, 56, "Movement tokens in the stack", size=12, fill=faint, width=176)
    for number in range(int(s.movement_stack_height)):
        place.token(10 + 24 * number, 78, 10, fill=place.theme.back)
    place.text(192, 0, "With Miss", size=12, fill=faint)
    draw_place_for_card(place.at(198, 16), s.middle)
    draw_parade(place.at(280, 0), s)
    for citizen, name in enumerate(CITIZEN_NAMES):
        x = 200 + 138 * citizen
        place.token(x, 128, 9, CITIZENS[citizen][0].upper(), fill=CITIZEN_COLOURS[citizen])
        place.text(x + 14, 128, name, size=12)


def draw_place_for_card(place: Drawing, card: int) -> None:
    """A place where a card may lie, face up."""
    if card == NO_CARD:
        place.rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, stroke=place.theme.line, radius=5)
    else:
        draw_card(place, int(card))


def draw_parade(place: Drawing, s: Record) -> None:
    """The cards in the parade, its tokens, and the floats."""
    faint = place.theme.faint
    place.text(0, 0, "Parade", size=12, fill=faint)
    for position in range(MAX_PARADE):
        card = s.parade[position] if position < s.parade_size else NO_CARD
        draw_place_for_card(place.at(42 * position, 16), card)
    place.text(226, 0, "Tokens", size=12, fill=faint)
    draw_token_stack(place.at(246, 38), codes(s.parade_tokens[: s.parade_tokens_left], PARADE_TOKENS))
    place.text(0, 86, "Floats", size=12, fill=faint)
    for number in range(int(s.floats_left)):
        draw_float(place.at(64 + 40 * number, 86))
    if not s.floats_left:
        place.text(44, 86, "none left", size=12, fill=faint)


def draw_float(place: Drawing) -> None:
    """A parade float around the origin, 30 wide."""
    place.rectangle(-15, -5, 30, 9, fill=CITIZEN_COLOURS[1], radius=2)
    place.polygon([(-10, -5), (0, -14), (10, -5)], fill=GOLD)
    for x in (-8, 8):
        place.circle(x, 5, 4, fill=place.theme.ink, stroke=place.theme.table)


# Players ------------------------------------------------------------------------------------------------------------


def draw_player(panel: Drawing, game: Game, s: Record, player: int, viewer: int | None) -> None:
    """What lies before a player, and what he holds."""
    me, theme = s.players[player], panel.theme
    panel.token(18, 17, 10, str(player), fill=SEAT_COLOURS[player])
    panel.text(34, 17, f"player_{player}" + (" (you)" if player == viewer else ""), size=14, bold=True)
    panel.text(PLAYER_WIDTH - 12, 17, f"score {score(game.rules[0], s, player)}", size=13, anchor="end", bold=True)
    panel.text(12, 47, "Hand", size=12, fill=theme.faint)
    draw_hand(panel.at(48, 33), s, player)
    for line, words in enumerate(("Movement", "tokens")):
        panel.text(212, 41 + 13 * line, words, size=11, fill=theme.faint)
    known = members(me.movement_tokens, NUM_TENTS)
    for number in range(int(me.num_movement_tokens)):
        draw_movement_token(panel.at(284 + 18 * number, 47), known[number] if known else None)
    panel.text(12, 72, winnings(me), size=12, fill=theme.faint, width=PLAYER_WIDTH - 24)


def draw_movement_token(place: Drawing, tent: int | None) -> None:
    """A movement token with its tent; ``None``: face down."""
    if tent is None:
        place.token(0, 0, 9, "?", fill=place.theme.back)
    else:
        draw_tent_sign(place.at(0, 1), tent, 0.7)


def draw_hand(place: Drawing, s: Record, player: int) -> None:
    """The cards in hand, and one that is laid aside during the set-up."""
    me = s.players[player]
    known = members(me.hand, NUM_VALUES + 1)
    for number in range(int(me.hand_size)):
        draw_small_card(place.at(25 * number, 0), player, known[number] if known else UNKNOWN_VALUE)
    if s.phase == SETUP_CARD and player < s.actor:
        draw_small_card(place.at(25 * NUM_VALUES + 8, -6), player, int(me.setup_card))


def draw_small_card(place: Drawing, player: int, value: int) -> None:
    """A card in a hand."""
    colour = SEAT_COLOURS[player]
    is_known = value != UNKNOWN_VALUE
    fill = colour if is_known else place.theme.back
    place.rectangle(0, 0, SMALL_WIDTH, SMALL_HEIGHT, fill=fill, stroke=colour, radius=4, thickness=2)
    label = str(value) if is_known else "?"
    place.text(SMALL_WIDTH / 2, SMALL_HEIGHT / 2, label, size=15, fill=WHITE, anchor="middle", bold=is_known)


def winnings(me: Record) -> str:
    """The discs, tokens and floats that a player has won, in words."""
    words = [
        f"discs won {sum(me.discs == WON)}",
        f"tent tokens {labels(repeated(me.won_tent_tokens, TENT_TOKENS))}",
        f"parade tokens {labels(repeated(me.won_parade_tokens, PARADE_TOKENS))}",
    ]
    return ",  ".join(words + ["a float"] * bool(me.owns_float))
