"""The six dice actions: declaring, blocking, performing, and Wilds in the air (C-20 to C-34)."""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.actions import (
    BLOCK,
    DECLARED_ACTION,
    DECLARED_OFFSET,
    DO,
    FORFEIT,
    HAND_OVER,
    NUM_DECLARATIONS,
    PLACE,
    TAKE,
)
from carnival_envs.games.carnival.building import can_reassign, legal_reassigns, put_part, put_wild
from carnival_envs.games.carnival.midway import (
    card_bit,
    eligible,
    first_eligible,
    lone_wilds,
    movable_cards,
    num_eligible,
    tradeable_cards,
)
from carnival_envs.games.carnival.piles import (
    add_to_hand,
    can_draw,
    discard,
    discard_from_hand,
    draw,
    random_card,
    remove_from_hand,
    take_top_discard,
)
from carnival_envs.games.carnival.seats import clockwise
from carnival_envs.games.carnival.state import (
    DECK_DRAW,
    DISCARD_DRAW,
    HAND_DRAW,
    HAND_TRADE,
    LONE_SELF,
    LONE_TARGET,
    MAX_PLAYERS,
    MIDWAY_STEAL,
    MIDWAY_TRADE,
    NONE,
    NUM_ATTRACTIONS,
    NUM_SLOTS,
    PHASE_ACTION,
    PHASE_BLOCK,
    PHASE_BUILD,
    PHASE_HAND_GIVE,
    PHASE_MIDWAY_GIVE,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_STEAL_DISCARD,
    PHASE_TAKE,
    RECEIVED,
    TAKEN,
    WILD,
    WILD_SLOT,
)

# Declaring (C-20, C-22, section 6.1) ---------------------------------------------------------------------------------


@kernel
def takeable_cards(rules: Record, s: Record, action: int, target: int) -> int:
    """What the active player may take from a Midway with an action, as a set of cards: C-27, C-29."""
    taken_from = s.players[target].midway
    own = s.players[s.active].midway
    if action == MIDWAY_STEAL:
        return movable_cards(taken_from, own)
    return tradeable_cards(own, taken_from, rules.goal)


@kernel
def feasible(rules: Record, s: Record, action: int, target: int) -> bool:
    """C-20: whether an action can be performed."""
    if action == DECK_DRAW:
        return can_draw(s)
    if action == DISCARD_DRAW:
        return bool(s.discard_size > 0)
    if action in (HAND_DRAW, HAND_TRADE):
        return bool(s.players[target].hand_size > 0)
    return takeable_cards(rules, s, action, target) != 0


@kernel
def feasible_declaration(rules: Record, s: Record, index: int) -> bool:
    """C-20: whether a declaration of an assigned die can be performed."""
    action, offset = DECLARED_ACTION[index], DECLARED_OFFSET[index]
    if s.remaining[action] == 0 or offset >= rules.num_players:
        return False
    return feasible(rules, s, action, clockwise(rules, s.active, offset))


@kernel
def any_feasible(rules: Record, s: Record) -> bool:
    """Whether any assigned action can be performed."""
    index = 0
    while index < NUM_DECLARATIONS and not feasible_declaration(rules, s, index):
        index += 1
    return index < NUM_DECLARATIONS


@kernel
def num_remaining(s: Record) -> int:
    """How many assigned dice are not yet declared."""
    return int(s.remaining.sum())


@kernel
def enter_action(rules: Record, s: Record) -> None:
    """Section 6.1: the active player decides, unless nothing can be done with what is left of the dice (C-22)."""
    if num_remaining(s) > 0 and (any_feasible(rules, s) or can_reassign(rules, s)):
        s.phase = PHASE_ACTION
    else:
        forfeit(s)


@kernel
def forfeit(s: Record) -> None:
    """C-22: the assigned dice that are left are lost."""
    s.remaining[:] = 0
    s.phase = PHASE_BUILD


@kernel
def legal_declarations(rules: Record, s: Record, mask: Mask) -> None:
    """C-20, C-22, C-43: declarations and reassignments; giving up only when no declaration is feasible."""
    mask[FORFEIT] = 1
    for index in range(NUM_DECLARATIONS):
        if feasible_declaration(rules, s, index):
            mask[DO + index] = 1
            mask[FORFEIT] = 0
    legal_reassigns(rules, s, mask)


@kernel
def declare(rules: Record, s: Record, chance: Words, index: int) -> None:
    """Section 6.2, step 1: spend the die and name the target."""
    s.action = DECLARED_ACTION[index]
    s.remaining[s.action] -= 1
    offset = DECLARED_OFFSET[index]
    if offset > 0:
        s.action_target = clockwise(rules, s.active, offset)
    if s.action in (MIDWAY_TRADE, MIDWAY_STEAL):
        s.phase = PHASE_TAKE
    else:
        open_block_window(rules, s, chance)


@kernel
def legal_takes(rules: Record, s: Record, mask: Mask) -> None:
    """C-27, C-29: the cards of the target that may be taken."""
    fill_cards(takeable_cards(rules, s, s.action, s.action_target), TAKE, mask)


@kernel
def fill_cards(cards: int, first: int, mask: Mask) -> None:
    """Make a block of actions legal for a set of a Midway's cards."""
    for index in range(NUM_ATTRACTIONS * NUM_SLOTS):
        mask[first + index] = cards >> index & 1


@kernel
def name_card(rules: Record, s: Record, chance: Words, index: int) -> None:
    """Section 6.2, step 1: the declaration of a Midway action is complete."""
    s.action_attraction = index // NUM_SLOTS
    s.action_slot = index % NUM_SLOTS
    open_block_window(rules, s, chance)


# Blocking (C-21) -----------------------------------------------------------------------------------------------------


@kernel
def may_block(s: Record, seat: int) -> bool:
    """C-21: whether an opponent has a Ticket and has used none this turn."""
    me = s.players[seat]
    return bool(me.tickets > 0 and not me.ticket_used)


@kernel
def open_block_window(rules: Record, s: Record, chance: Words) -> None:
    """C-21: every opponent who may block is asked."""
    for seat in range(rules.num_players):
        s.players[seat].queued = seat != s.active and may_block(s, seat)
    ask_next(rules, s, chance)


@kernel
def ask_next(rules: Record, s: Record, chance: Words) -> None:
    """C-21: ask the next in the queue, clockwise from the active player; with nobody left the action is performed."""
    for offset in range(1, rules.num_players):
        seat = clockwise(rules, s.active, offset)
        if s.players[seat].queued:
            s.phase = PHASE_BLOCK
            s.actor = seat
            return
    s.actor = s.active
    perform(rules, s, chance)


@kernel
def answer(rules: Record, s: Record, chance: Words, action: int) -> None:
    """C-21: an opponent spends a Ticket and the action is lost, or the next one is asked."""
    me = s.players[s.actor]
    if action == BLOCK:
        me.tickets -= 1
        me.ticket_used = 1
        clear_queue(s)
        finish_action(rules, s)
    else:
        me.queued = 0
        ask_next(rules, s, chance)


@kernel
def clear_queue(s: Record) -> None:
    """Nobody is to be asked."""
    for seat in range(MAX_PLAYERS):
        s.players[seat].queued = 0


# Performing (C-23 to C-31) -------------------------------------------------------------------------------------------


@kernel
def perform(rules: Record, s: Record, chance: Words) -> None:
    """Section 6.2, step 3: nobody has blocked."""
    me = s.players[s.active]
    if s.action in (MIDWAY_TRADE, MIDWAY_STEAL):
        take_midway_card(rules, s)
        return
    if s.action == DECK_DRAW:
        add_to_hand(me, draw(s, chance))  # C-23
    elif s.action == DISCARD_DRAW:
        add_to_hand(me, take_top_discard(s))  # C-24
    else:
        draw_from_hand(s, chance)  # C-25, C-26
    if s.action == HAND_TRADE:
        s.phase = PHASE_HAND_GIVE
    else:
        finish_action(rules, s)


@kernel
def draw_from_hand(s: Record, chance: Words) -> None:
    """C-25: a random card of the target's hand."""
    target = s.players[s.action_target]
    kind = random_card(target, chance)
    remove_from_hand(target, kind)
    add_to_hand(s.players[s.active], kind)


@kernel
def give(rules: Record, s: Record, kind: int) -> None:
    """C-26: the active player's half of a Hand Trade."""
    remove_from_hand(s.players[s.active], kind)
    add_to_hand(s.players[s.action_target], kind)
    finish_action(rules, s)


@kernel
def take_midway_card(rules: Record, s: Record) -> None:
    """C-30 and C-31, steps 1 and 2: the card changes Midways; Wilds that it leaves alone need a home."""
    attraction = s.action_attraction
    midway = s.players[s.action_target].midway
    if s.action_slot == WILD_SLOT:
        midway.wilds[attraction] -= 1
        lift_wilds(rules, s, TAKEN, s.active, 1)
        return
    midway.parts[attraction] &= ~(1 << s.action_slot)
    put_part(rules, s, s.active, attraction, s.action_slot)
    if s.phase != PHASE_OVER:
        lift_lone_wilds(rules, s, LONE_TARGET, s.action_target, attraction)


@kernel
def answer_taken_card(rules: Record, s: Record) -> None:
    """C-30 and C-31, step 3: a card in return, or a hand card discarded, if there is one."""
    if s.action == MIDWAY_TRADE and return_cards(s) != 0:
        s.phase = PHASE_MIDWAY_GIVE
    elif s.action == MIDWAY_STEAL and s.players[s.active].hand_size > 0:
        s.phase = PHASE_STEAL_DISCARD
    else:
        finish_action(rules, s)


@kernel
def return_cards(s: Record) -> int:
    """C-28: what may be given in return, as a set of cards: not the card just taken."""
    midway = s.players[s.active].midway
    cards = movable_cards(midway, s.players[s.action_target].midway)
    if s.action_slot != WILD_SLOT:
        return cards & ~card_bit(s.action_attraction, s.action_slot)
    if s.action_placed != NONE and midway.wilds[s.action_placed] == 1:
        return cards & ~card_bit(s.action_placed, WILD_SLOT)
    return cards


@kernel
def legal_returns(s: Record, mask: Mask) -> None:
    """C-28: the cards that may be given in return."""
    fill_cards(return_cards(s), HAND_OVER, mask)


@kernel
def hand_over(rules: Record, s: Record, index: int) -> None:
    """C-30, steps 4 and 5: the return card changes Midways; Wilds that it leaves alone need a home."""
    attraction, slot = index // NUM_SLOTS, index % NUM_SLOTS
    midway = s.players[s.active].midway
    if slot == WILD_SLOT:
        midway.wilds[attraction] -= 1
        lift_wilds(rules, s, RECEIVED, s.action_target, 1)
        return
    midway.parts[attraction] &= ~(1 << slot)
    put_part(rules, s, s.action_target, attraction, slot)
    if s.phase != PHASE_OVER:
        lift_lone_wilds(rules, s, LONE_SELF, s.active, attraction)


@kernel
def steal_discard(rules: Record, s: Record, kind: int) -> None:
    """C-31, step 3: the thief discards a hand card."""
    discard_from_hand(s, s.players[s.active], kind)
    finish_action(rules, s)


@kernel
def finish_action(rules: Record, s: Record) -> None:
    """Section 6.2, step 4: on to the dice that are left."""
    clear_action(s)
    s.actor = s.active
    enter_action(rules, s)


@kernel
def clear_action(s: Record) -> None:
    """No declared action, no Wilds in the air."""
    s.action = NONE
    s.action_target = NONE
    s.action_attraction = NONE
    s.action_slot = NONE
    s.action_placed = NONE
    clear_place(s)


# Wilds in the air (C-33) ---------------------------------------------------------------------------------------------


@kernel
def clear_place(s: Record) -> None:
    """No Wilds in the air."""
    s.place_reason = NONE
    s.place_seat = NONE
    s.place_count = 0


@kernel
def lift_lone_wilds(rules: Record, s: Record, reason: int, seat: int, attraction: int) -> None:
    """C-9: the Wilds of an attraction without a part card go in the air together."""
    midway = s.players[seat].midway
    wilds = lone_wilds(midway, attraction)
    midway.wilds[attraction] -= wilds
    lift_wilds(rules, s, reason, seat, wilds)


@kernel
def lift_wilds(rules: Record, s: Record, reason: int, seat: int, wilds: int) -> None:
    """C-33: Wilds in the air, for a player to place."""
    s.place_reason = reason
    s.place_seat = seat
    s.place_count = wilds
    settle_wilds(rules, s)


@kernel
def settle_wilds(rules: Record, s: Record) -> None:
    """C-33: Wilds find their only home, are discarded without one, or wait for the player's choice."""
    midway = s.players[s.place_seat].midway
    while s.place_count > 0:
        homes = num_eligible(midway)
        if homes > 1:
            s.phase = PHASE_PLACE
            s.actor = s.place_seat
            return
        if homes == 0:
            discard_wilds(s)
        else:
            put_lifted_wild(rules, s, first_eligible(midway))
        if s.phase == PHASE_OVER:
            return
    after_wilds(rules, s)


@kernel
def discard_wilds(s: Record) -> None:
    """C-33, C-R27: Wilds without a home go on the discard pile."""
    for _ in range(s.place_count):
        discard(s, WILD)
    s.place_count = 0


@kernel
def put_lifted_wild(rules: Record, s: Record, attraction: int) -> None:
    """C-33: one Wild less in the air; then the winning test."""
    s.place_count -= 1
    if s.place_reason == TAKEN:
        s.action_placed = attraction
    put_wild(rules, s, s.place_seat, attraction)


@kernel
def legal_places(s: Record, mask: Mask) -> None:
    """C-33: the eligible attractions of the player whose Wilds are in the air."""
    midway = s.players[s.place_seat].midway
    for attraction in range(NUM_ATTRACTIONS):
        mask[PLACE + attraction] = eligible(midway, attraction)


@kernel
def place(rules: Record, s: Record, attraction: int) -> None:
    """C-33: the player has chosen a home."""
    put_lifted_wild(rules, s, attraction)
    if s.phase != PHASE_OVER:
        settle_wilds(rules, s)


@kernel
def after_wilds(rules: Record, s: Record) -> None:
    """C-30, C-31: the action goes on where the Wilds interrupted it."""
    reason = s.place_reason
    clear_place(s)
    s.actor = s.active
    if reason in (TAKEN, LONE_TARGET):
        answer_taken_card(rules, s)
    else:
        finish_action(rules, s)
