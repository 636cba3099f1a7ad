"""Cards reach a Midway: natural sets, the winning test, building and reassigning (C-1 to C-9, C-40 to C-44)."""

from __future__ import annotations

from carnival_envs.core.interface import OVER, Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.actions import (
    END_BUILD,
    MOVE_FROM,
    MOVE_TO,
    NUM_OPENINGS,
    OPENING_FIRST,
    OPENING_SECOND,
    PLAY,
    PLAY_WILD,
    REASSIGN,
    START,
)
from carnival_envs.games.carnival.midway import count, eligible, natural, num_complete, num_eligible
from carnival_envs.games.carnival.piles import remove_from_hand
from carnival_envs.games.carnival.state import (
    GOAL_REACHED,
    NUM_ATTRACTIONS,
    NUM_PARTS,
    PHASE_OVER,
    WILD,
    WILD_SLOT,
)


@kernel
def check_goal(rules: Record, s: Record, seat: int) -> None:
    """C-1, C-2: the player on whose Midway a card has just been put wins with enough complete attractions."""
    if num_complete(s.players[seat].midway) >= rules.goal:
        s.phase = PHASE_OVER
        s.actor = OVER
        s.end_reason = GOAL_REACHED


@kernel
def lay_part(rules: Record, s: Record, seat: int, attraction: int, part: int) -> None:
    """A part card comes onto a Midway; a natural set pays a Ticket at once (C-7)."""
    me = s.players[seat]
    me.midway.parts[attraction] |= 1 << part
    if rules.natural_ticket and natural(me.midway, attraction) and me.tickets < rules.max_tickets:
        me.tickets += 1


@kernel
def put_part(rules: Record, s: Record, seat: int, attraction: int, part: int) -> None:
    """Put a part card on a Midway, and see whether it wins."""
    lay_part(rules, s, seat, attraction, part)
    check_goal(rules, s, seat)


@kernel
def put_wild(rules: Record, s: Record, seat: int, attraction: int) -> None:
    """Put a Wild on a Midway, and see whether it wins."""
    s.players[seat].midway.wilds[attraction] += 1
    check_goal(rules, s, seat)


@kernel
def card_of_slot(attraction: int, slot: int) -> int:
    """The kind of card that lies on a slot of an attraction."""
    return WILD if slot == WILD_SLOT else NUM_PARTS * attraction + slot


# Building (section 7, C-40 to C-42) ----------------------------------------------------------------------------------


@kernel
def legal_building(rules: Record, s: Record, mask: Mask) -> None:
    """C-40: everything the active player may do in ``build``."""
    me = s.players[s.active]
    for attraction in range(NUM_ATTRACTIONS):
        if count(me.midway, attraction) == 0:
            legal_starts(me, attraction, mask)
        elif eligible(me.midway, attraction):
            legal_additions(me, attraction, mask)
    legal_reassigns(rules, s, mask)
    mask[END_BUILD] = 1


@kernel
def legal_starts(me: Record, attraction: int, mask: Mask) -> None:
    """C-41: two different parts, or a part and a Wild, start a new attraction."""
    for opening in range(NUM_OPENINGS):
        first = card_of_slot(attraction, OPENING_FIRST[opening])
        second = card_of_slot(attraction, OPENING_SECOND[opening])
        if me.hand[first] > 0 and me.hand[second] > 0:
            mask[START + NUM_OPENINGS * attraction + opening] = 1


@kernel
def legal_additions(me: Record, attraction: int, mask: Mask) -> None:
    """C-42: a missing part or a Wild on an established, incomplete attraction."""
    for part in range(NUM_PARTS):
        kind = card_of_slot(attraction, part)
        if me.hand[kind] > 0 and not me.midway.parts[attraction] >> part & 1:
            mask[PLAY + kind] = 1
    if me.hand[WILD] > 0:
        mask[PLAY_WILD + attraction] = 1


@kernel
def start_attraction(rules: Record, s: Record, index: int) -> None:
    """C-41: put down two cards at once, then test."""
    attraction, opening = index // NUM_OPENINGS, index % NUM_OPENINGS
    me = s.players[s.active]
    for slot in (OPENING_FIRST[opening], OPENING_SECOND[opening]):
        remove_from_hand(me, card_of_slot(attraction, slot))
        if slot == WILD_SLOT:
            me.midway.wilds[attraction] += 1
        else:
            lay_part(rules, s, s.active, attraction, slot)
    check_goal(rules, s, s.active)


@kernel
def play_part(rules: Record, s: Record, kind: int) -> None:
    """C-42: add a part from the hand."""
    remove_from_hand(s.players[s.active], kind)
    put_part(rules, s, s.active, kind // NUM_PARTS, kind % NUM_PARTS)


@kernel
def play_wild(rules: Record, s: Record, attraction: int) -> None:
    """C-42: add a Wild from the hand."""
    remove_from_hand(s.players[s.active], WILD)
    put_wild(rules, s, s.active, attraction)


# Reassigning (C-43) --------------------------------------------------------------------------------------------------


@kernel
def can_reassign(rules: Record, s: Record) -> bool:
    """C-43: whether any Wild of the active player may move."""
    if s.reassigns >= rules.reassign_limit:
        return False
    midway = s.players[s.active].midway
    homes = num_eligible(midway)
    found = False
    for origin in range(NUM_ATTRACTIONS):
        found = found or (midway.wilds[origin] > 0 and homes > eligible(midway, origin))
    return found


@kernel
def legal_reassigns(rules: Record, s: Record, mask: Mask) -> None:
    """C-43: from any own attraction with a Wild, complete or not, to another eligible one."""
    if s.reassigns >= rules.reassign_limit:
        return
    midway = s.players[s.active].midway
    for origin in range(NUM_ATTRACTIONS):
        if midway.wilds[origin] > 0:
            first = (NUM_ATTRACTIONS - 1) * origin
            for move in range(first, first + NUM_ATTRACTIONS - 1):
                mask[REASSIGN + move] = eligible(midway, MOVE_TO[move])


@kernel
def reassign(rules: Record, s: Record, move: int) -> None:
    """C-43: move a Wild between two own attractions."""
    s.players[s.active].midway.wilds[MOVE_FROM[move]] -= 1
    s.reassigns += 1
    put_wild(rules, s, s.active, MOVE_TO[move])
