"""The table of Carnival in plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from carnival_envs.core.definition import ActionWords
from carnival_envs.core.interface import OVER, Record
from carnival_envs.games.carnival.position import dump_block_queue, dump_hand
from carnival_envs.games.carnival.state import (
    ALL_PARTS,
    ATTRACTIONS,
    CARDS,
    CARDS_TO_COMPLETE,
    NONE,
    NUM_ATTRACTIONS,
    NUM_FACES,
    PARTS,
    PLACE_REASONS,
    SLOTS,
    TABLEAU,
    WILD_SLOT,
)

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

PAGE_WIDTH = 110
NAME_WIDTH = 16
PART_WIDTH = 11
NO_CARD = "."
TASKS = (
    "discards down to six cards",
    "rolls the dice, or swaps Wilds first",
    "discards cards for the Wilds",
    "chooses two of the dice",
    "chooses an action",
    "chooses the card to take",
    "may block it with a Ticket",
    "places a Wild",
    "gives a card in return",
    "discards a card",
    "hands over a card in return",
    "builds",
)
"""What is to be decided, by phase."""

ENDS = ("the goal is reached", "cut off by the bound on turns")
"""Why the game is over, by reason."""

REASONS = dict(
    zip(
        PLACE_REASONS,
        ("taken from another Midway", "left alone by the loss", "received in return", "left alone by the gift"),
        strict=True,
    )
)


def render(game: Game, s: Record, viewer: int | None) -> str:
    """The table: the turn, the piles, the dice, and every player's hand and Midway.

    Args:
        game: the game.
        s: the state, or the view of ``viewer``.
        viewer: the seat that looks and sees its own hand only; ``None`` for a referee who sees every card.
    """
    lines = [turn_line(game, s), pile_line(s), *dice_lines(game, s)]
    for seat in range(game.num_players):
        lines += ["", *player_lines(game, s, seat, viewer)]
    if viewer is None:
        lines += ["", pile_listing("deck", s.deck[: s.deck_size]), pile_listing("discard", s.discard[: s.discard_size])]
    return "\n".join(lines)


def turn_line(game: Game, s: Record) -> str:
    """Whose turn it is, and who decides what."""
    if s.actor == OVER:
        return f"Carnival, over after {s.turn} turns: {ENDS[s.end_reason]}"
    return f"Carnival, turn {s.turn + 1} of player_{s.active}: player_{s.actor} {TASKS[s.phase]}"


def pile_line(s: Record) -> str:
    """What is public of the two piles."""
    top = CARDS[s.discard[s.discard_size - 1]] if s.discard_size else "empty"
    return f"Deck {s.deck_size}   Discard pile {s.discard_size}: {top}"


def dice_lines(game: Game, s: Record) -> Iterator[str]:
    """The roll and all that has come of it in this turn."""
    tableau = [space["name"] for space in game.data["tableau"]]
    if s.dice[0]:
        left = [tableau[action] for action in range(NUM_FACES) for _ in range(s.remaining[action])]
        faces = ", ".join(f"{face} {tableau[face - 1]}" for face in s.dice)
        yield f"Dice: {faces}   To be done: {', '.join(left) or 'nothing'}"
    if s.reassigns:
        yield f"Wilds reassigned: {s.reassigns} of {game.rules[0].reassign_limit}"
    if s.swap_count:
        yield f"Wild discard: {s.swap_count} cards so far"
    if s.action != NONE:
        yield declaration_line(game, s, tableau)
    if s.place_reason != NONE:
        yield f"Wilds in the air: {s.place_count}, {REASONS[PLACE_REASONS[s.place_reason]]}, for player_{s.place_seat}"


def declaration_line(game: Game, s: Record, tableau: Sequence[str]) -> str:
    """The declared action, its target, and who may still block it."""
    words = [f"Declared: {tableau[s.action]}"]
    if s.action_target != NONE:
        words.append(f"on player_{s.action_target}")
    if s.action_slot != NONE:
        words.append(f"for {attraction_name(game, s.action_attraction)} {SLOTS[s.action_slot]}")
    if s.action_placed != NONE:
        words.append(f"(put on {attraction_name(game, s.action_placed)})")
    asked = ", ".join(f"player_{seat}" for seat in dump_block_queue(s, game.num_players))
    return " ".join(words) + (f"   To be asked: {asked}" if asked else "")


def player_lines(game: Game, s: Record, seat: int, viewer: int | None) -> Iterator[str]:
    """One player's Tickets, hand and Midway."""
    me = s.players[seat]
    marks = [f"Tickets {me.tickets}" + (" (used one this turn)" if me.ticket_used else "")]
    if seat == s.active:
        marks.insert(0, "active")
    cards = f": {', '.join(dump_hand(me))}" if me.hand_size and viewer in (None, seat) else ""
    you = " (you)" if seat == viewer else ""
    yield f"player_{seat}{you}   {'   '.join(marks)}   Hand {me.hand_size}{cards}"
    for attraction in range(NUM_ATTRACTIONS):
        yield attraction_line(game, me.midway, attraction)


def attraction_line(game: Game, midway: Record, attraction: int) -> str:
    """The cards on one attraction."""
    parts = [name if midway.parts[attraction] >> part & 1 else NO_CARD for part, name in enumerate(PARTS)]
    wilds = f"{midway.wilds[attraction]} {SLOTS[WILD_SLOT]}" if midway.wilds[attraction] else NO_CARD
    row = "".join(f"{cell:<{PART_WIDTH}}" for cell in (*parts, wilds))
    cards = int(midway.parts[attraction]).bit_count() + midway.wilds[attraction]
    state = ""
    if cards == CARDS_TO_COMPLETE:
        state = "natural set" if midway.parts[attraction] == ALL_PARTS else "complete"
    return f"  {attraction_name(game, attraction):<{NAME_WIDTH}}{row}{state}".rstrip()


def attraction_name(game: Game, attraction: int) -> str:
    """The name of an attraction as the data has it."""
    return str(game.data["attractions"]["names"][attraction])


def pile_listing(name: str, kinds: Any) -> str:
    """All cards of a pile, for a referee."""
    cards = " ".join(CARDS[kind] for kind in kinds) or "empty"
    return fill(f"{name}, bottom to top: {cards}", PAGE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)


HEADINGS = {
    "discard": "Discard",
    "give": "Give back",
    "roll": "Roll the dice",
    "swap": "Discard a Wild and draw anew",
    "swap_done": "Discard no more",
    "assign": "Choose two dice",
    "forfeit": "Let the action go",
    "take": "Take",
    "allow": "Let it happen",
    "block": "Block it with a Ticket",
    "place": "Put the Wild on",
    "hand_over": "Hand over",
    "start": "Start an attraction",
    "play": "Build",
    "wild": "Play a Wild on",
    "reassign": "Move a Wild",
    "end_build": "End the turn",
}
"""What is done, by the first word of an action's string."""

UNKNOWN = "?"
"""Stands in a public form for a card that others may not see."""


def action_words(game: Game, s: Record, string: str) -> ActionWords:
    """An action in words: cards, dice and opponents by name."""
    match string.split(":"):
        case ["do", action, *target]:
            return declaration_words(game, s, action, target)
        case ["swap", place]:
            where = "of the hand" if place == "hand" else f"on {part_name(game, place)}"
            return ActionWords(HEADINGS["swap"], f"the Wild {where}")
        case ["assign", dice]:
            spaces = {str(space["face"]): space["name"] for space in game.data["tableau"]}
            return ActionWords(HEADINGS["assign"], " + ".join(f"{die} {spaces[die]}" for die in dice.split("+")))
        case ["start", attraction, cards]:
            return ActionWords(HEADINGS["start"], f"{part_name(game, attraction)}: {cards.replace('+', ' and ')}")
        case ["reassign", origin, target]:
            return ActionWords(HEADINGS["reassign"], f"{part_name(game, origin)} to {part_name(game, target)}")
        case [verb, *card]:
            return ActionWords(HEADINGS[verb], " ".join(part_name(game, part) for part in card))
    raise AssertionError(string)


def declaration_words(game: Game, s: Record, action: str, target: list[str]) -> ActionWords:
    """An action of the dice, and the opponent that it is aimed at."""
    heading = str(game.data["tableau"][TABLEAU.index(action)]["name"])
    if not target:
        return ActionWords(heading, "")
    return ActionWords(heading, f"on player_{(int(s.active) + int(target[0])) % game.num_players}")


def part_name(game: Game, part: str) -> str:
    """A part of an action's string: an attraction, what is on a card, or what is hidden."""
    if part in ATTRACTIONS:
        return attraction_name(game, ATTRACTIONS.index(part))
    return {SLOTS[WILD_SLOT]: "a Wild", UNKNOWN: "a card"}.get(part, part)
