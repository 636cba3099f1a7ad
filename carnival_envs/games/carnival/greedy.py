"""The baseline bot (section 17): greedy, without search or chance, from what its player sees."""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.actions import (
    ALLOW,
    ASSIGN,
    ASSIGNED_HIGH,
    ASSIGNED_LOW,
    BLOCK,
    DECLARED_ACTION,
    DECLARED_OFFSET,
    DISCARD,
    DO,
    END_BUILD,
    FORFEIT,
    GIVE,
    HAND_OVER,
    MOVE_FROM,
    MOVE_TO,
    NUM_DECLARATIONS,
    NUM_MOVES,
    NUM_OPENINGS,
    OPENING_SECOND,
    PLACE,
    PLAY,
    PLAY_WILD,
    REASSIGN,
    ROLL,
    START,
    SWAP_DONE,
    SWAP_HAND,
    TAKE,
)
from carnival_envs.games.carnival.dice_actions import feasible, takeable_cards
from carnival_envs.games.carnival.midway import complete, completes, count, eligible, established, num_complete
from carnival_envs.games.carnival.piles import top_discard
from carnival_envs.games.carnival.seats import clockwise
from carnival_envs.games.carnival.state import (
    CARDS_TO_COMPLETE,
    DECK_DRAW,
    DISCARD_DRAW,
    HAND_DRAW,
    HAND_TRADE,
    MIDWAY_STEAL,
    NONE,
    NUM_ATTRACTIONS,
    NUM_KINDS,
    NUM_PART_KINDS,
    NUM_PARTS,
    NUM_SLOTS,
    PHASE_ACTION,
    PHASE_ASSIGN,
    PHASE_BLOCK,
    PHASE_DISCARD,
    PHASE_HAND_GIVE,
    PHASE_MAIN,
    PHASE_MIDWAY_GIVE,
    PHASE_PLACE,
    PHASE_STEAL_DISCARD,
    PHASE_SWAP,
    PHASE_TAKE,
    WILD,
    WILD_SLOT,
)

WORTH = (0, 1, 3, 6, 10)
"""The value ``v`` of an attraction by its count."""

NEARLY_COMPLETE = CARDS_TO_COMPLETE - 1
USEFUL_WILD = 100
MISSING_PART = 2
PER_CARD = 3  # that already lies on the attraction
USELESS = 1
"""A card that is at most this useful is useless."""

SWAP_FROM = 4
"""The bot discards a Wild when this many hand cards are useless."""

# What declarations are worth.
DECK_DRAW_VALUE = 2.0
MOST_USEFUL_DISCARD = 12
HAND_DRAW_VALUE = 3.0
PER_COMPLETE_ATTRACTION = 0.2
HAND_TRADE_OF_USELESS = 2.5
HAND_TRADE_VALUE = 1.0
STEAL_WITHOUT_USELESS = -1.0
MIDWAY_TRADE_COST = 3.0

# What a card taken from, or given to, a Midway is worth beside the change in ``WORTH``.
HALF = 0.5
WILD_BONUS = 1.0
ESTABLISHED_BONUS = 2.0
UNDO_LEADER_BONUS = 5.0
WIN_BONUS = 100.0

LOWEST = -1000.0
HIGHEST = 1000.0
"""Below and above every value."""


@kernel
def greedy(rules: Record, view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The bot's action, by phase; ties go to the lowest action index."""
    phase = view.phase
    if phase in (PHASE_DISCARD, PHASE_STEAL_DISCARD):
        return DISCARD + least_useful(view, player)
    if phase == PHASE_HAND_GIVE:
        return GIVE + least_useful(view, player)
    if phase == PHASE_MAIN:
        return SWAP_HAND if mask[SWAP_HAND] and num_useless(view, player) >= SWAP_FROM else ROLL
    if phase == PHASE_SWAP:
        useless = first_useless(view, player)
        return SWAP_DONE if useless == NONE else DISCARD + useless
    if phase == PHASE_ASSIGN:
        return best_assignment(rules, view, mask)
    if phase == PHASE_ACTION:
        return best_declaration(rules, view, mask)
    if phase == PHASE_TAKE:
        return best_take(rules, view, mask)
    if phase == PHASE_BLOCK:
        return BLOCK if should_block(rules, view, player) else ALLOW
    if phase == PHASE_PLACE:
        return fullest(view.players[player].midway, mask, PLACE, 1)
    if phase == PHASE_MIDWAY_GIVE:
        return best_return(rules, view, mask)
    return best_building(view, player, mask)


# Hand cards ----------------------------------------------------------------------------------------------------------


@kernel
def useful(view: Record, player: int, kind: int) -> int:
    """How useful a card is to a player, in his hand or on the discard pile."""
    if kind == WILD:
        return USEFUL_WILD
    me = view.players[player]
    attraction, part = kind // NUM_PARTS, kind % NUM_PARTS
    if me.midway.parts[attraction] >> part & 1:
        return 0
    if complete(me.midway, attraction) or me.hand[kind] > 1:
        return USELESS
    others = 0
    for other in range(NUM_PARTS * attraction, NUM_PARTS * (attraction + 1)):
        others += other != kind and me.hand[other] > 0
    return MISSING_PART + PER_CARD * count(me.midway, attraction) + others


@kernel
def least_useful(view: Record, player: int) -> int:
    """The least useful kind in hand."""
    best = WILD
    lowest = USEFUL_WILD + 1
    for kind in range(NUM_KINDS):
        if view.players[player].hand[kind] > 0 and useful(view, player, kind) < lowest:
            lowest = useful(view, player, kind)
            best = kind
    return best


@kernel
def first_useless(view: Record, player: int) -> int:
    """The lowest useless kind in hand, or ``NONE``."""
    for kind in range(NUM_PART_KINDS):
        if view.players[player].hand[kind] > 0 and useful(view, player, kind) <= USELESS:
            return kind
    return NONE


@kernel
def num_useless(view: Record, player: int) -> int:
    """How many hand cards are useless."""
    cards = 0
    for kind in range(NUM_PART_KINDS):
        if useful(view, player, kind) <= USELESS:
            cards += view.players[player].hand[kind]
    return cards


# Dice actions --------------------------------------------------------------------------------------------------------


@kernel
def best_assignment(rules: Record, view: Record, mask: Mask) -> int:
    """The pair of dice with the largest sum of values."""
    best = NONE
    highest = LOWEST
    for index in range(len(ASSIGNED_LOW)):
        if mask[ASSIGN + index]:
            value = face_value(rules, view, ASSIGNED_LOW[index]) + face_value(rules, view, ASSIGNED_HIGH[index])
            if value > highest:
                highest = value
                best = ASSIGN + index
    return best


@kernel
def face_value(rules: Record, view: Record, face: int) -> float:
    """The value of the best feasible declaration of a face, 0 without one."""
    highest = LOWEST
    for index in range(NUM_DECLARATIONS):
        action, offset = DECLARED_ACTION[index], DECLARED_OFFSET[index]
        target = clockwise(rules, view.active, offset)
        if action == face - 1 and offset < rules.num_players and feasible(rules, view, action, target):
            highest = max(highest, declaration_value(rules, view, action, target))
    return 0.0 if highest == LOWEST else highest


@kernel
def best_declaration(rules: Record, view: Record, mask: Mask) -> int:
    """A reassignment that completes an attraction, else the declaration of the largest value."""
    best = completing_reassignment(view, mask)
    if best != NONE:
        return best
    best = FORFEIT
    highest = LOWEST
    for index in range(NUM_DECLARATIONS):
        if mask[DO + index]:
            target = clockwise(rules, view.active, DECLARED_OFFSET[index])
            value = declaration_value(rules, view, DECLARED_ACTION[index], target)
            if value > highest:
                highest = value
                best = DO + index
    return best


@kernel
def completing_reassignment(view: Record, mask: Mask) -> int:
    """A move of a Wild from an incomplete attraction to one that it completes, or ``NONE``."""
    midway = view.players[view.active].midway
    for move in range(NUM_MOVES):
        if (
            mask[REASSIGN + move]
            and not complete(midway, MOVE_FROM[move])
            and count(midway, MOVE_TO[move]) == NEARLY_COMPLETE
        ):
            return REASSIGN + move
    return NONE


@kernel
def declaration_value(rules: Record, view: Record, action: int, target: int) -> float:
    """The value of a feasible declaration."""
    if action == DECK_DRAW:
        return DECK_DRAW_VALUE
    if action == DISCARD_DRAW:
        return HALF * min(useful(view, view.active, top_discard(view)), MOST_USEFUL_DISCARD)
    if action == HAND_DRAW:
        return HAND_DRAW_VALUE + PER_COMPLETE_ATTRACTION * num_complete(view.players[target].midway)
    has_useless = first_useless(view, view.active) != NONE
    if action == HAND_TRADE:
        return HAND_TRADE_OF_USELESS if has_useless else HAND_TRADE_VALUE
    gain = best_gain(rules, view, action, target)
    if action == MIDWAY_STEAL:
        return gain if has_useless else gain + STEAL_WITHOUT_USELESS
    return gain - MIDWAY_TRADE_COST


@kernel
def best_gain(rules: Record, view: Record, action: int, target: int) -> float:
    """The largest gain of a card that an action may take."""
    cards = takeable_cards(rules, view, action, target)
    highest = LOWEST
    for index in range(NUM_ATTRACTIONS * NUM_SLOTS):
        if cards >> index & 1:
            highest = max(highest, gain_of(rules, view, target, index // NUM_SLOTS, index % NUM_SLOTS))
    return highest


@kernel
def gain_of(rules: Record, view: Record, target: int, attraction: int, slot: int) -> float:
    """What the active player gains by taking a card."""
    own = view.players[view.active].midway
    theirs = view.players[target].midway
    gain = HALF * fall(theirs, attraction)
    if slot == WILD_SLOT:
        gain += best_rise(own) + WILD_BONUS
    else:
        gain += rise(own, attraction)
        if established(own, attraction):
            gain += ESTABLISHED_BONUS
    if wins(rules, own, attraction, slot):
        gain += WIN_BONUS
    if complete(theirs, attraction) and num_complete(theirs) >= rules.goal - 1:
        gain += UNDO_LEADER_BONUS
    return gain


@kernel
def rise(midway: Record, attraction: int) -> int:
    """How much an attraction, not complete, is worth more with one more card."""
    cards = count(midway, attraction)
    return WORTH[cards + 1] - WORTH[cards]


@kernel
def fall(midway: Record, attraction: int) -> int:
    """How much an attraction is worth less with one card less."""
    cards = count(midway, attraction)
    return WORTH[cards] - WORTH[cards - 1]


@kernel
def best_rise(midway: Record) -> int:
    """The largest rise by a Wild, 0 if none can be put."""
    highest = 0
    for attraction in range(NUM_ATTRACTIONS):
        if eligible(midway, attraction):
            highest = max(highest, rise(midway, attraction))
    return highest


@kernel
def wins(rules: Record, midway: Record, attraction: int, slot: int) -> bool:
    """Whether a card that comes onto a Midway can win the game."""
    return bool(num_complete(midway) == rules.goal - 1 and completes(midway, attraction, slot))


@kernel
def best_take(rules: Record, view: Record, mask: Mask) -> int:
    """The card with the largest gain."""
    best = NONE
    highest = LOWEST
    for index in range(NUM_ATTRACTIONS * NUM_SLOTS):
        if mask[TAKE + index]:
            gain = gain_of(rules, view, view.action_target, index // NUM_SLOTS, index % NUM_SLOTS)
            if gain > highest:
                highest = gain
                best = TAKE + index
    return best


@kernel
def should_block(rules: Record, view: Record, player: int) -> bool:
    """Whether the declared card could win, or comes from an own attraction that is nearly complete."""
    if view.action_attraction == NONE:
        return False
    if wins(rules, view.players[view.active].midway, view.action_attraction, view.action_slot):
        return True
    cards = count(view.players[player].midway, view.action_attraction)
    return bool(view.action_target == player and cards >= NEARLY_COMPLETE)


@kernel
def best_return(rules: Record, view: Record, mask: Mask) -> int:
    """The return card that costs least."""
    best = NONE
    lowest = HIGHEST
    for index in range(NUM_ATTRACTIONS * NUM_SLOTS):
        if mask[HAND_OVER + index]:
            cost = cost_of_return(rules, view, index // NUM_SLOTS, index % NUM_SLOTS)
            if cost < lowest:
                lowest = cost
                best = HAND_OVER + index
    return best


@kernel
def cost_of_return(rules: Record, view: Record, attraction: int, slot: int) -> float:
    """What the active player loses by giving a card."""
    theirs = view.players[view.action_target].midway
    their_rise = best_rise(theirs) if slot == WILD_SLOT else rise(theirs, attraction)
    cost = fall(view.players[view.active].midway, attraction) + HALF * their_rise
    if wins(rules, theirs, attraction, slot):
        cost += WIN_BONUS
    return cost


# Building ------------------------------------------------------------------------------------------------------------


@kernel
def best_building(view: Record, player: int, mask: Mask) -> int:
    """Complete by reassigning; else add a part, complete with a Wild, start with two parts; else end the turn."""
    midway = view.players[player].midway
    action = completing_reassignment(view, mask)
    if action == NONE:
        action = fullest(midway, mask, PLAY, NUM_PARTS)
    if action == NONE:
        action = completing_wild(midway, mask)
    if action == NONE:
        action = first_start(mask)
    return END_BUILD if action == NONE else action


@kernel
def fullest(midway: Record, mask: Mask, first: int, per_attraction: int) -> int:
    """Of a block of actions, the first legal one on the attraction with the largest count, or ``NONE``."""
    best = NONE
    highest = 0
    for index in range(NUM_ATTRACTIONS * per_attraction):
        if mask[first + index] and count(midway, index // per_attraction) > highest:
            highest = count(midway, index // per_attraction)
            best = first + index
    return best


@kernel
def completing_wild(midway: Record, mask: Mask) -> int:
    """A Wild from the hand that completes an attraction, or ``NONE``."""
    for attraction in range(NUM_ATTRACTIONS):
        if mask[PLAY_WILD + attraction] and count(midway, attraction) == NEARLY_COMPLETE:
            return PLAY_WILD + attraction
    return NONE


@kernel
def first_start(mask: Mask) -> int:
    """The first new attraction that starts with two parts, or ``NONE``."""
    for index in range(NUM_ATTRACTIONS * NUM_OPENINGS):
        if mask[START + index] and OPENING_SECOND[index % NUM_OPENINGS] != WILD_SLOT:
            return START + index
    return NONE
