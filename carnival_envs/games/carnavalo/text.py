"""Carnavalo in plain text: the table as a player sees it, or as a referee does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carnival_envs.core.definition import ActionWords
from carnival_envs.core.interface import NOT_ENDED, Record
from carnival_envs.games.carnavalo.position import codes, members, repeated
from carnival_envs.games.carnavalo.scoring import score
from carnival_envs.games.carnavalo.state import (
    CITIZENS,
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

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

TOKEN_LABELS = {20: "2x", 30: "3x"}
TASKS = ("lays a card aside", "moves a citizen or plays a card", "may use more tokens", "puts a token back")
"""What is to be decided, by phase."""

ENDS = ("five discs are won", "the last day is counted", "cut off by the bound on turns")
"""Why the game is over, by reason."""

COLUMN = 4
LEGEND = "Cards are owner:value, podium card first, in brackets if face down, ? if unknown. Discs by player, * if won."


def render(game: Game, s: Record, viewer: int | None) -> str:
    """The table in plain text.

    Args:
        game: the game.
        s: the state, or the view of a player.
        viewer: the player whose view ``s`` is; ``None`` for the whole state.
    """
    sections = [
        headline(game, s),
        ring_of_spaces(game, s),
        *(tent_line(game, s, t) for t in range(NUM_TENTS)),
        "",
        parade_line(s),
        f"Miss Carnavalo is followed by {card_text(s.middle) if s.middle != NO_CARD else 'no card'}",
        "",
        *(player_line(game, s, player, viewer) for player in range(game.num_players)),
    ]
    if viewer is None:
        sections += ["", *hidden_lines(s)]
    return "\n".join([*sections, "", LEGEND])


def headline(game: Game, s: Record) -> str:
    """Day, turn, ring, and who decides what."""
    course = f"Carnavalo, day {s.day} of {game.rules[0].days}, turn {s.turns + 1}, movement ring on {s.ring}"
    if s.end_reason != NOT_ENDED:
        return f"Carnavalo, over after day {s.day} and {s.turns} turns: {ENDS[s.end_reason]}"
    return f"{course}: player_{s.actor} {TASKS[s.phase]}"


def ring_of_spaces(game: Game, s: Record) -> str:
    """The spaces in clockwise order, with tents and citizens."""
    rules = game.rules[0]
    tents = ["." if tent == NO_TENT else f"T{tent}" for tent in rules.tent_at]
    here = ["".join(name[0].upper() for name, at in zip(CITIZENS, s.citizens, strict=True) if at == space)
            for space in range(NUM_SPACES)]  # fmt: skip
    rows = (("space", map(str, range(NUM_SPACES))), ("tent", tents), ("citizen", here))
    lines = [f"{name:8}" + "".join(f"{cell:>{COLUMN}}" for cell in cells).rstrip() for name, cells in rows]
    return "\n".join(lines) + "\n"


def tent_line(game: Game, s: Record, t: int) -> str:
    """The open token, the discs and the cards of a tent."""
    tent = s.tents[t]
    discs = " ".join(disc_text(s.players[player].discs[t]) for player in range(game.num_players))
    cards = [card_text(tent.cards[place], is_face_up(tent, place)) for place in range(tent.height - 1, -1, -1)]
    blocked = "  (Barricadol)" if is_blocked(game.rules[0], s, t) else ""
    token = stack_text(codes(tent.tokens[: tent.tokens_left], TENT_TOKENS))
    return f"tent {t}  token {token}  discs {discs}  cards {' '.join(cards) or '-'}{blocked}"


def parade_line(s: Record) -> str:
    """The cards in the parade, its open token, and the floats."""
    cards = " ".join(card_text(shown) for shown in s.parade[: s.parade_size])
    token = stack_text(codes(s.parade_tokens[: s.parade_tokens_left], PARADE_TOKENS))
    return f"parade  token {token}  floats {s.floats_left}  cards {cards or '-'}"


def player_line(game: Game, s: Record, player: int, viewer: int | None) -> str:
    """What lies before a player, and what he holds."""
    me = s.players[player]
    hand = known_or_hidden(members(me.hand, NUM_VALUES + 1), me.hand_size)
    tokens = known_or_hidden(members(me.movement_tokens, NUM_TENTS), me.num_movement_tokens)
    parts = [f"player_{player}{' (you)' if player == viewer else ''}", f"hand {hand}"]
    if s.phase == SETUP_CARD and player < s.actor:
        parts.append(f"laid aside {me.setup_card or '?'}")
    parts.append(f"movement tokens {tokens}")
    parts.append(f"discs won {sum(me.discs == WON)}")
    parts.append(f"tent tokens {labels(repeated(me.won_tent_tokens, TENT_TOKENS))}")
    parts.append(f"parade tokens {labels(repeated(me.won_parade_tokens, PARADE_TOKENS))}")
    if me.owns_float:
        parts.append("a float")
    parts.append(f"score {score(game.rules[0], s, player)}")
    return "  ".join(parts)


def hidden_lines(s: Record) -> list[str]:
    """What no player sees; piles from the top down."""
    stacks = [labels(codes(tent.tokens[: tent.tokens_left][::-1], TENT_TOKENS)) for tent in s.tents]
    return [
        f"movement stack {labels(s.movement_stack[: s.movement_stack_height][::-1].tolist())}",
        f"tent tokens {' | '.join(stacks)}  box {labels(repeated(s.tent_box, TENT_TOKENS))}",
        f"parade tokens {labels(codes(s.parade_tokens[: s.parade_tokens_left][::-1], PARADE_TOKENS))}"
        f"  box {labels(repeated(s.parade_box, PARADE_TOKENS))}",
    ]


def card_text(shown: int, up: bool = True) -> str:
    """A card, in brackets if it lies face down."""
    value = value_of(shown)
    text = f"{owner_of(shown)}:{'?' if value == UNKNOWN_VALUE else value}"
    return text if up else f"({text})"


def disc_text(disc: int) -> str:
    """A disc: its space, or a star if it is won."""
    return "*" if disc == WON else str(disc)


def stack_text(pile: list[int]) -> str:
    """The open token of a stack and the height of it."""
    return f"{labels(pile[-1:])} (of {len(pile)})"


def labels(tokens: list[int]) -> str:
    """Tokens by what is printed on them."""
    return " ".join(TOKEN_LABELS.get(token, str(token)) for token in tokens) or "-"


def known_or_hidden(known: list[int], size: int) -> str:
    """What is known of a hand, or a question mark for every hidden thing in it."""
    return " ".join([*map(str, known), *["?"] * (size - len(known))]) or "-"


CITIZEN_NAMES = {"prince": "the Prince", "miss": "Miss Carnavalo", "barricadol": "Barricadol"}
SIDE_NAMES = {"up": "face up", "down": "face down"}
UNKNOWN = "?"
"""Stands in a public form for what others may not know."""


def action_words(game: Game, s: Record, string: str) -> ActionWords:
    """An action in words."""
    match string.split(":"):
        case ["setup", value]:
            return ActionWords("Lay a card aside", "a card" if value == UNKNOWN else f"card {value}")
        case ["move", citizen, distance]:
            return ActionWords(f"Move {CITIZEN_NAMES[citizen]}", spaces(distance))
        case ["play", value, tent, side]:
            heading = "Play a card" if value == UNKNOWN else f"Play card {value}"
            return ActionWords(heading, f"tent {tent} {SIDE_NAMES[side]}")
        case ["token", token, citizen, distance]:
            where = f"to tent {token}" if distance == "direct" else spaces(distance)
            return ActionWords(token_name("Play", token), f"{CITIZEN_NAMES[citizen]} {where}")
        case ["return", token]:
            return ActionWords(token_name("Return", token), "")
    return ActionWords({"end": "End the turn", "pass": "Pass"}[string], "")


def spaces(distance: str) -> str:
    """A distance on the ring."""
    return f"{distance} space" if distance == "1" else f"{distance} spaces"


def token_name(verb: str, token: str) -> str:
    """What is done with a movement token."""
    return f"{verb} a movement token" if token == UNKNOWN else f"{verb} the movement token of tent {token}"
