"""The position document of Carnavalo (section 4 of the specification)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from carnival_envs.core.interface import Record
from carnival_envs.core.options import refuse
from carnival_envs.core.position import Document, Field
from carnival_envs.games.carnavalo.state import (
    CITIZENS,
    DECK_SIZE,
    LAST_DISC_SPACE,
    MAX_CARDS,
    MAX_PARADE,
    MAX_RING,
    NO_CARD,
    NO_SETUP_CARD,
    NUM_SPACES,
    NUM_TENTS,
    NUM_VALUES,
    PARADE_TOKENS,
    RETURN_REASONS,
    STACK_HEIGHT,
    TENT_TOKENS,
    WON,
)
from carnival_envs.games.carnavalo.tents import card, is_face_up, owner_of, value_of

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

# Writing ------------------------------------------------------------------------------------------------------------


def to_position(game: Game, s: Record) -> Document:
    """The fields after the common header, in order."""
    players = s.players[: game.num_players]
    return {
        "day": int(s.day),
        "turns": int(s.turns),
        "ring": int(s.ring),
        "citizens": {name: int(space) for name, space in zip(CITIZENS, s.citizens, strict=True)},
        "setup_cards": [int(me.setup_card) for me in players],
        "hands": [members(me.hand, NUM_VALUES + 1) for me in players],
        "tents": [dump_tent(tent) for tent in s.tents],
        "middle": None if s.middle == NO_CARD else dump_card(s.middle),
        "parade": [dump_card(shown) for shown in s.parade[: s.parade_size]],
        "discs": [me.discs.tolist() for me in players],
        "movement_tokens": [members(me.movement_tokens, NUM_TENTS) for me in players],
        "movement_stack": s.movement_stack[: s.movement_stack_height].tolist(),
        "tent_tokens": [codes(tent.tokens[: tent.tokens_left], TENT_TOKENS) for tent in s.tents],
        "tent_box": repeated(s.tent_box, TENT_TOKENS),
        "parade_tokens": codes(s.parade_tokens[: s.parade_tokens_left], PARADE_TOKENS),
        "parade_box": repeated(s.parade_box, PARADE_TOKENS),
        "won_tent_tokens": [repeated(me.won_tent_tokens, TENT_TOKENS) for me in players],
        "won_parade_tokens": [repeated(me.won_parade_tokens, PARADE_TOKENS) for me in players],
        "floats_left": int(s.floats_left),
        "float_owned": [bool(me.owns_float) for me in players],
        "return_reason": RETURN_REASONS[s.return_reason],
    }


def members(bits: int, count: int) -> list[int]:
    """The members of a bit set over ``0..count-1``, ascending."""
    return [k for k in range(count) if int(bits) >> k & 1]


def codes(kinds: Iterable[int], table: Sequence[int]) -> list[int]:
    """The codes of tokens."""
    return [table[kind] for kind in kinds]


def repeated(counts: Iterable[int], table: Sequence[int]) -> list[int]:
    """The codes of counted tokens, ascending."""
    return [code for code, count in zip(table, counts, strict=True) for _ in range(count)]


def dump_card(shown: int) -> list[int]:
    """``[owner, value]``."""
    return [int(owner_of(shown)), int(value_of(shown))]


def dump_tent(tent: Record) -> list[list[int]]:
    """``[owner, value, up]`` of every card, from the bottom up."""
    return [[*dump_card(tent.cards[place]), int(is_face_up(tent, place))] for place in range(tent.height)]


# Reading ------------------------------------------------------------------------------------------------------------


def from_position(game: Game, document: Field, s: Record) -> None:
    """Fill a state, all 0 but for the header, from a document.

    Raises:
        ValueError: a field that is missing, of the wrong type or out of range; names it.
    """
    n = game.num_players
    read_course_of_play(game, document, s)
    read_cards(n, document, s)
    read_movement_tokens(n, document, s)
    read_tokens(document, s)
    read_seats(n, document, s)


def read_course_of_play(game: Game, document: Field, s: Record) -> None:
    """The fields that are one number or one word, and the citizens."""
    s.day = document["day"].integer(1, STACK_HEIGHT)
    s.turns = document["turns"].integer(0, min(game.options["max_turns"], int(game.rules[0]["max_turns"])))
    s.ring = document["ring"].integer(0, MAX_RING)
    citizens = document["citizens"].only(*CITIZENS)
    for index, name in enumerate(CITIZENS):
        s.citizens[index] = citizens[name].integer(0, NUM_SPACES - 1)
    s.floats_left = document["floats_left"].integer(0, STACK_HEIGHT)
    s.return_reason = document["return_reason"].index(RETURN_REASONS)


def read_cards(n: int, document: Field, s: Record) -> None:
    """Cards laid aside, in hands, in the tents, in the middle and in the parade."""
    for player, laid_aside in enumerate(document["setup_cards"].items(n, n)):
        s.players[player].setup_card = laid_aside.integer(NO_SETUP_CARD, NUM_VALUES)
    for player, hand in enumerate(document["hands"].items(n, n)):
        values = ascending(hand, 1, NUM_VALUES)
        s.players[player].hand = sum(1 << value for value in values)
        s.players[player].hand_size = len(values)
    for tent, cards in zip(s.tents, document["tents"].items(NUM_TENTS, NUM_TENTS), strict=True):
        read_tent(n, cards, tent)
    middle = document["middle"]
    s.middle = NO_CARD if middle.value is None else read_card(n, middle.items(2, 2))
    parade = document["parade"].items(0, MAX_PARADE)
    for place, shown in enumerate(parade):
        s.parade[place] = read_card(n, shown.items(2, 2))
    s.parade_size = len(parade)


def read_tent(n: int, cards: Field, tent: Record) -> None:
    """The cards of one tent; face-down ones lie below face-up ones."""
    pile = cards.items(0, MAX_CARDS)
    for place, entry in enumerate(pile):
        *owner_and_value, up = entry.items(3, 3)
        tent.cards[place] = read_card(n, owner_and_value)
        if up.integer(0, 1) == 0:
            if tent.face_down < place:
                refuse(up.path, up.value, "1: the card below lies face up")
            tent.face_down += 1
    tent.height = len(pile)


def read_card(n: int, owner_and_value: Sequence[Field]) -> int:
    """A card from its owner and its value."""
    owner, value = owner_and_value
    return card(owner.integer(0, n - 1), value.integer(1, NUM_VALUES))


def read_movement_tokens(n: int, document: Field, s: Record) -> None:
    """Movement tokens in hands and in the stack."""
    for player, held in enumerate(document["movement_tokens"].items(n, n)):
        tokens = ascending(held, 0, NUM_TENTS - 1)
        s.players[player].movement_tokens = sum(1 << token for token in tokens)
        s.players[player].num_movement_tokens = len(tokens)
    stack = document["movement_stack"].items(0, NUM_TENTS)
    for place, token in enumerate(stack):
        s.movement_stack[place] = token.integer(0, NUM_TENTS - 1)
    s.movement_stack_height = len(stack)


def read_tokens(document: Field, s: Record) -> None:
    """Tent tokens and parade tokens that nobody has won."""
    for tent, stack in zip(s.tents, document["tent_tokens"].items(NUM_TENTS, NUM_TENTS), strict=True):
        tent.tokens_left = read_stack(stack, TENT_TOKENS, tent.tokens)
    s.parade_tokens_left = read_stack(document["parade_tokens"], PARADE_TOKENS, s.parade_tokens)
    count_kinds(document["tent_box"], TENT_TOKENS, s.tent_box)
    count_kinds(document["parade_box"], PARADE_TOKENS, s.parade_box)


def read_seats(n: int, document: Field, s: Record) -> None:
    """Discs, winnings and floats."""
    fields = ("discs", "won_tent_tokens", "won_parade_tokens", "float_owned")
    rows = zip(*(document[name].items(n, n) for name in fields), strict=True)
    for me, (discs, tent_tokens, parade_tokens, owns_float) in zip(s.players, rows, strict=False):
        me.discs = [disc.integer(WON, LAST_DISC_SPACE) for disc in discs.items(NUM_TENTS, NUM_TENTS)]
        count_kinds(tent_tokens, TENT_TOKENS, me.won_tent_tokens)
        count_kinds(parade_tokens, PARADE_TOKENS, me.won_parade_tokens)
        me.owns_float = owns_float.boolean()


def ascending(field: Field, low: int, high: int) -> list[int]:
    """A list of different integers in ``low..high``, ascending."""
    numbers = [item.integer(low, high) for item in field.items(0, high - low + 1)]
    if numbers != sorted(set(numbers)):
        refuse(field.path, field.value, "different numbers, ascending")
    return numbers


def read_kind(field: Field, table: Sequence[int]) -> int:
    """The index of a token's code in its table."""
    code = field.integer(min(table), max(table))
    if code not in table:
        refuse(field.path, code, f"one of {', '.join(map(str, table))}")
    return table.index(code)


def read_stack(field: Field, table: Sequence[int], stack: Any) -> int:
    """Fill a pile with the tokens of a list; returns its height."""
    tokens = field.items(0, STACK_HEIGHT)
    for place, token in enumerate(tokens):
        stack[place] = read_kind(token, table)
    return len(tokens)


def count_kinds(field: Field, table: Sequence[int], counts: Any) -> None:
    """Count the tokens of a list by kind."""
    for token in field.items(0, DECK_SIZE):
        counts[read_kind(token, table)] += 1
