"""What a player of Carnival sees (section 10): his hand, the table, and the sizes of all that is hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.core.observation import Block, Floats, put, put_all, put_one_hot, put_seat, relative
from carnival_envs.games.carnival.midway import complete, natural
from carnival_envs.games.carnival.piles import top_discard
from carnival_envs.games.carnival.seats import clockwise
from carnival_envs.games.carnival.state import (
    ATTRACTIONS,
    CARDS,
    MAX_CARDS,
    MAX_HAND,
    MAX_HAND_LIMIT,
    MAX_REASSIGNS,
    MAX_TICKETS,
    MAX_WILDS,
    MAX_WILDS_IN_ATTRACTION,
    NONE,
    NUM_ATTRACTIONS,
    NUM_DICE,
    NUM_FACES,
    NUM_KINDS,
    NUM_PART_KINDS,
    NUM_PARTS,
    NUM_PHASES,
    NUM_SLOTS,
    PHASES,
    PLACE_REASONS,
    SLOTS,
    TABLEAU,
)

MAX_TURN_SEEN = 200
MAX_SWAP = MAX_HAND_LIMIT + 1
NUM_REASONS = len(PLACE_REASONS)


def blocks(options: Mapping[str, Any]) -> list[Block]:
    """The observation's blocks; seats are relative, the observer is 0."""
    n = options["num_players"]
    table = (n, NUM_ATTRACTIONS)
    attractions = f"{', '.join(ATTRACTIONS)}, none"
    return [
        Block("hand", (NUM_KINDS,), 0, MAX_WILDS, f"own hand, cards of each kind: {', '.join(CARDS)}"),
        Block("hand_sizes", (n,), 0, MAX_HAND, "cards in each hand"),
        Block("midway_parts", (*table, NUM_PARTS), 0, 1, "1 = the part lies on the attraction"),
        Block("midway_wilds", table, 0, MAX_WILDS_IN_ATTRACTION, "Wilds on each attraction"),
        Block("complete", table, 0, 1, "1 = the attraction is complete"),
        Block("natural", table, 0, 1, "1 = natural set, Ticket side up"),
        Block("tickets", (n,), 0, MAX_TICKETS, "Tickets held"),
        Block("ticket_used", (n,), 0, 1, "1 = has used a Ticket in this turn"),
        Block("block_queue", (n,), 0, 1, "1 = still to be asked about the declared action, the actor included"),
        Block("active", (n,), 0, 1, "one-hot: whose turn it is"),
        Block("actor", (n,), 0, 1, "one-hot: who decides; all 0 when over"),
        Block("deck_size", (1,), 0, MAX_CARDS, "cards in the deck"),
        Block("discard_size", (1,), 0, MAX_CARDS, "cards in the discard pile"),
        Block("discard_top", (NUM_KINDS + 1,), 0, 1, "one-hot: kind of the top card, last = empty pile"),
        Block("dice", (NUM_FACES,), 0, NUM_DICE, "dice rolled in this turn, by face"),
        Block("remaining", (NUM_FACES,), 0, NUM_DICE, "assigned dice not yet declared, by face"),
        Block("phase", (NUM_PHASES,), 0, 1, f"one-hot: {', '.join(PHASES)}"),
        Block("action_kind", (len(TABLEAU) + 1,), 0, 1, f"one-hot: declared action {', '.join(TABLEAU)}, none"),
        Block("action_target", (n + 1,), 0, 1, "one-hot: seat it is aimed at, last = none"),
        Block("action_attraction", (NUM_ATTRACTIONS + 1,), 0, 1, f"one-hot: of the card to take, {attractions}"),
        Block("action_slot", (NUM_SLOTS + 1,), 0, 1, f"one-hot: of the card to take, {', '.join(SLOTS)}, none"),
        Block("action_placed", (NUM_ATTRACTIONS + 1,), 0, 1, f"one-hot: where a taken Wild was put, {attractions}"),
        Block("place_reason", (NUM_REASONS + 1,), 0, 1, f"one-hot: Wilds in the air {', '.join(PLACE_REASONS)}, none"),
        Block("place_count", (1,), 0, MAX_WILDS_IN_ATTRACTION, "Wilds in the air"),
        Block("reassigns", (1,), 0, MAX_REASSIGNS, "reassignments made in this turn"),
        Block("swap_count", (1,), 0, MAX_SWAP, "cards discarded in the Wild discard under way"),
        Block("turn", (1,), 0, MAX_TURN_SEEN, "turns ended, clipped"),
    ]


@kernel
def observe(rules: Record, s: Record, player: int, out: Floats) -> int:
    """The blocks in their order."""
    n = rules.num_players
    at = put_all(out, 0, s.players[player].hand, NUM_KINDS, MAX_WILDS)
    for k in range(n):
        at = put(out, at, s.players[clockwise(rules, player, k)].hand_size, MAX_HAND)
    at = put_midways(out, at, rules, s, player)
    at = put_tickets(out, at, rules, s, player)
    at = put_seat(out, at, s.active, player, n)
    at = put_seat(out, at, s.actor, player, n)
    at = put(out, at, s.deck_size, MAX_CARDS)
    at = put(out, at, s.discard_size, MAX_CARDS)
    at = put_one_hot_or_last(out, at, top_discard(s), NUM_KINDS)
    at = put_dice(out, at, s)
    at = put_one_hot(out, at, s.phase, NUM_PHASES)
    at = put_action(out, at, rules, s, player)
    at = put(out, at, s.place_count, MAX_WILDS_IN_ATTRACTION)
    at = put(out, at, s.reassigns, MAX_REASSIGNS)
    at = put(out, at, s.swap_count, MAX_SWAP)
    return put(out, at, min(s.turn, MAX_TURN_SEEN), MAX_TURN_SEEN)


@kernel
def put_one_hot_or_last(out: Floats, at: int, index: int, count: int) -> int:
    """Write a one-hot of ``count + 1`` places, the last one for ``NONE``; returns the next place."""
    return put_one_hot(out, at, count if index == NONE else index, count + 1)


@kernel
def put_midways(out: Floats, at: int, rules: Record, s: Record, player: int) -> int:
    """Parts, Wilds, complete attractions and natural sets of all Midways: four blocks, written player by player."""
    n = int(rules.num_players)
    parts, wilds = at, at + n * NUM_PART_KINDS
    completed = wilds + n * NUM_ATTRACTIONS
    locked = completed + n * NUM_ATTRACTIONS
    for k in range(n):
        midway = s.players[clockwise(rules, player, k)].midway
        for attraction in range(NUM_ATTRACTIONS):
            for part in range(NUM_PARTS):
                parts = put(out, parts, midway.parts[attraction] >> part & 1, 1)
            wilds = put(out, wilds, midway.wilds[attraction], MAX_WILDS_IN_ATTRACTION)
            completed = put(out, completed, complete(midway, attraction), 1)
            locked = put(out, locked, natural(midway, attraction), 1)
    return locked


@kernel
def put_tickets(out: Floats, at: int, rules: Record, s: Record, player: int) -> int:
    """Tickets held and used, and who is still to be asked (C-21): three blocks, written player by player."""
    n = int(rules.num_players)
    held, used, queued = at, at + n, at + 2 * n
    for k in range(n):
        seat = s.players[clockwise(rules, player, k)]
        held = put(out, held, seat.tickets, MAX_TICKETS)
        used = put(out, used, seat.ticket_used, 1)
        queued = put(out, queued, seat.queued, 1)
    return queued


@kernel
def put_dice(out: Floats, at: int, s: Record) -> int:
    """The dice rolled and the dice that are left, by face."""
    for face in range(1, NUM_FACES + 1):
        rolled = 0
        for die in range(NUM_DICE):
            rolled += s.dice[die] == face
        at = put(out, at, rolled, NUM_DICE)
    return put_all(out, at, s.remaining, NUM_FACES, NUM_DICE)


@kernel
def put_action(out: Floats, at: int, rules: Record, s: Record, player: int) -> int:
    """The declared action, and why Wilds are in the air."""
    n = rules.num_players
    target = NONE if s.action_target == NONE else relative(s.action_target, player, n)
    at = put_one_hot_or_last(out, at, s.action, NUM_FACES)
    at = put_one_hot_or_last(out, at, target, n)
    at = put_one_hot_or_last(out, at, s.action_attraction, NUM_ATTRACTIONS)
    at = put_one_hot_or_last(out, at, s.action_slot, NUM_SLOTS)
    at = put_one_hot_or_last(out, at, s.action_placed, NUM_ATTRACTIONS)
    return put_one_hot_or_last(out, at, s.place_reason, NUM_REASONS)
