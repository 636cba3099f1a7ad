"""Position documents of Carnival (section 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carnival_envs.core.interface import Record
from carnival_envs.core.position import Document, Field
from carnival_envs.games.carnival.state import (
    ATTRACTIONS,
    CARDS,
    MAX_CARDS,
    MAX_HAND,
    MAX_REASSIGNS,
    MAX_TICKETS,
    MAX_WILDS_IN_ATTRACTION,
    NONE,
    NUM_DICE,
    NUM_FACES,
    NUM_PARTS,
    NUM_SLOTS,
    PLACE_REASONS,
    SLOTS,
    TABLEAU,
    WILD_SLOT,
)

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

MAX_ON_ATTRACTION = NUM_SLOTS + MAX_WILDS_IN_ATTRACTION
MAX_SWAP = MAX_HAND


def name_or_none(names: tuple[str, ...], index: int) -> str | None:
    """The name of an index; ``None`` for ``NONE``."""
    return None if index == NONE else names[index]


# Dumping -------------------------------------------------------------------------------------------------------------


def to_position(game: Game, s: Record) -> Document:
    """The fields after the common header, in order."""
    players = [s.players[seat] for seat in range(game.num_players)]
    return {
        "turn": int(s.turn),
        "deck": [CARDS[kind] for kind in s.deck[: s.deck_size]],
        "discard": [CARDS[kind] for kind in s.discard[: s.discard_size]],
        "hands": [dump_hand(me) for me in players],
        "midways": [dump_midway(me.midway) for me in players],
        "tickets": [int(me.tickets) for me in players],
        "ticket_used": [bool(me.ticket_used) for me in players],
        "dice": [int(face) for face in s.dice if face],
        "remaining": [index + 1 for index in range(NUM_FACES) for _ in range(s.remaining[index])],
        "reassigns": int(s.reassigns),
        "swap_count": int(s.swap_count),
        "action": dump_action(s),
        "place": dump_place(s),
        "block_queue": dump_block_queue(s, game.num_players),
    }


def dump_hand(me: Record) -> list[str]:
    """A hand in ascending kind order."""
    return [card for card, number in zip(CARDS, me.hand, strict=True) for _ in range(number)]


def dump_midway(midway: Record) -> Document:
    """The slots of each attraction: its parts, then one ``"wild"`` per Wild."""
    return {
        name: [SLOTS[part] for part in range(NUM_PARTS) if parts >> part & 1] + [SLOTS[WILD_SLOT]] * int(wilds)
        for name, parts, wilds in zip(ATTRACTIONS, midway.parts, midway.wilds, strict=True)
    }


def dump_action(s: Record) -> Document | None:
    """The declared action."""
    if s.action == NONE:
        return None
    return {
        "kind": TABLEAU[s.action],
        "target": None if s.action_target == NONE else int(s.action_target),
        "attraction": name_or_none(ATTRACTIONS, s.action_attraction),
        "slot": name_or_none(SLOTS, s.action_slot),
        "placed": name_or_none(ATTRACTIONS, s.action_placed),
    }


def dump_place(s: Record) -> Document | None:
    """The Wilds in the air."""
    if s.place_reason == NONE:
        return None
    return {"reason": PLACE_REASONS[s.place_reason], "seat": int(s.place_seat), "count": int(s.place_count)}


def dump_block_queue(s: Record, n: int) -> list[int]:
    """The seats still to be asked, clockwise from the active player's left."""
    seats = [(int(s.active) + offset) % n for offset in range(n)]
    return [seat for seat in seats if s.players[seat].queued]


# Loading -------------------------------------------------------------------------------------------------------------


def from_position(game: Game, document: Field, s: Record) -> None:
    """Fill a record, all 0 but for the header, from a document."""
    n = game.num_players
    s.turn = document["turn"].integer(0, game.options["max_turns"])
    s.deck_size = read_pile(document["deck"], s.deck)
    s.discard_size = read_pile(document["discard"], s.discard)
    read_players(document, s, n)
    read_dice(document, s)
    s.reassigns = document["reassigns"].integer(0, MAX_REASSIGNS)
    s.swap_count = document["swap_count"].integer(0, MAX_SWAP)
    read_action(document["action"], s, n)
    read_place(document["place"], s, n)
    for queued in document["block_queue"].items(0, n):
        s.players[queued.integer(0, n - 1)].queued = 1


def read_pile(field: Field, pile: Any) -> int:
    """Fill a pile; returns its size."""
    kinds = field.indices(CARDS, 0, MAX_CARDS)
    pile[: len(kinds)] = kinds
    return len(kinds)


def read_players(document: Field, s: Record, n: int) -> None:
    """Hands, Midways and Tickets of all seats."""
    hands = document["hands"].items(n, n)
    midways = document["midways"].items(n, n)
    tickets = document["tickets"].integers(0, MAX_TICKETS, n)
    used = document["ticket_used"].items(n, n)
    for seat in range(n):
        me = s.players[seat]
        for kind in hands[seat].indices(CARDS, 0, MAX_HAND):
            me.hand[kind] += 1
            me.hand_size += 1
        midway = midways[seat].only(*ATTRACTIONS)
        for attraction, name in enumerate(ATTRACTIONS):
            for slot in midway[name].indices(SLOTS, 0, MAX_ON_ATTRACTION):
                put_slot(me.midway, attraction, slot)
        me.tickets = tickets[seat]
        me.ticket_used = used[seat].boolean()


def put_slot(midway: Record, attraction: int, slot: int) -> None:
    """A card on an attraction."""
    if slot == WILD_SLOT:
        midway.wilds[attraction] += 1
    else:
        midway.parts[attraction] |= 1 << slot


def read_dice(document: Field, s: Record) -> None:
    """The roll, and what is left of the assigned dice."""
    for die, field in enumerate(document["dice"].items(0, NUM_DICE)):
        s.dice[die] = field.integer(1, NUM_FACES)
    for field in document["remaining"].items(0, NUM_DICE):
        s.remaining[field.integer(1, NUM_FACES) - 1] += 1


def read_action(field: Field, s: Record, n: int) -> None:
    """The declared action."""
    s.action = s.action_target = s.action_attraction = s.action_slot = s.action_placed = NONE
    if field.value is None:
        return
    field.only("kind", "target", "attraction", "slot", "placed")
    s.action = field["kind"].index(TABLEAU)
    target = field["target"].integer_or_null(0, n - 1)
    s.action_target = NONE if target is None else target
    s.action_attraction = field["attraction"].index_or_null(ATTRACTIONS)
    s.action_slot = field["slot"].index_or_null(SLOTS)
    s.action_placed = field["placed"].index_or_null(ATTRACTIONS)


def read_place(field: Field, s: Record, n: int) -> None:
    """The Wilds in the air."""
    s.place_reason = s.place_seat = NONE
    if field.value is None:
        return
    field.only("reason", "seat", "count")
    s.place_reason = field["reason"].index(PLACE_REASONS)
    s.place_seat = field["seat"].integer(0, n - 1)
    s.place_count = field["count"].integer(0, MAX_WILDS_IN_ATTRACTION)
