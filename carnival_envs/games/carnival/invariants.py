"""What holds in every position (section 14); checked after every move in tests, and whenever a position is loaded.

C-I6, that a natural set never loses a card, speaks of two positions and is left to the tests.
"""

from __future__ import annotations

from carnival_envs.core.interface import NOT_ENDED, OVER, VALID, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.building import can_reassign
from carnival_envs.games.carnival.dice_actions import (
    any_feasible,
    feasible,
    may_block,
    num_remaining,
    return_cards,
    takeable_cards,
)
from carnival_envs.games.carnival.midway import card_bit, count, lone_wilds, num_complete, num_eligible
from carnival_envs.games.carnival.seats import clockwise
from carnival_envs.games.carnival.state import (
    CARDS_TO_COMPLETE,
    DICE_CHOSEN,
    DISCARD_DRAW,
    GOAL_REACHED,
    HAND_TRADE,
    LONE_SELF,
    LONE_TARGET,
    MAX_HAND,
    MAX_TURNS_REACHED,
    MAX_WILDS_IN_ATTRACTION,
    MIDWAY_STEAL,
    MIDWAY_TRADE,
    NONE,
    NUM_ATTRACTIONS,
    NUM_DICE,
    NUM_FACES,
    NUM_PART_KINDS,
    NUM_PARTS,
    PHASE_ACTION,
    PHASE_ASSIGN,
    PHASE_BLOCK,
    PHASE_BUILD,
    PHASE_DISCARD,
    PHASE_HAND_GIVE,
    PHASE_MAIN,
    PHASE_MIDWAY_GIVE,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_STEAL_DISCARD,
    PHASE_SWAP,
    PHASE_TAKE,
    RECEIVED,
    TAKEN,
    WILD,
    WILD_SLOT,
)

INVARIANTS = {
    1: ("C-I1", "deck, discard, hands, midways"),
    2: ("C-I2", "deck, discard, hands, midways, place.count"),
    3: ("C-I3", "tickets"),
    4: ("C-I4", "midways"),
    5: ("C-I5", "hands"),
    7: ("C-I7", "midways"),
    8: ("C-I8", "phase, actor, truncated, end_reason, turn"),
    9: ("C-I9", "dice, remaining"),
    10: ("C-I10", "reassigns, swap_count"),
    11: ("C-I11", "ticket_used"),
    12: ("C-I12", "block_queue"),
    13: ("C-I13", "place"),
    14: ("C-I14", "action"),
    15: ("C-I15", "phase, remaining, action, place"),
}
"""The number that ``broken_invariant`` gives, to the invariant and the fields that it is about."""


@kernel
def broken_invariant(rules: Record, s: Record) -> int:
    """``VALID``, or the first broken invariant. The later ones rely on the earlier ones."""
    if not part_cards_complete(rules, s):
        return 1
    if num_wilds(rules, s) != rules.wilds:
        return 2
    if not tickets_in_range(rules, s):
        return 3
    if not attractions_sound(rules, s):
        return 4
    if not ending_sound(rules, s):
        return 8
    if not hands_in_range(rules, s):
        return 5
    if not winners_sound(rules, s):
        return 7
    if not dice_sound(s):
        return 9
    if not counters_sound(rules, s):
        return 10
    if not tickets_used_soundly(rules, s):
        return 11
    if not queue_sound(rules, s):
        return 12
    if not action_sound(rules, s):
        return 14
    if not place_sound(s):
        return 13
    if not something_to_do(rules, s):
        return 15
    return VALID


# Cards ---------------------------------------------------------------------------------------------------------------


@kernel
def part_cards_complete(rules: Record, s: Record) -> bool:
    """C-I1: every copy of every part card is somewhere."""
    for kind in range(NUM_PART_KINDS):
        copies = num_off_midway(rules, s, kind)
        for seat in range(rules.num_players):
            copies += s.players[seat].midway.parts[kind // NUM_PARTS] >> kind % NUM_PARTS & 1
        if copies != rules.copies:
            return False
    return True


@kernel
def num_wilds(rules: Record, s: Record) -> int:
    """C-I2: the Wilds in the piles, in hands, on Midways and in the air."""
    wilds = num_off_midway(rules, s, WILD) + s.place_count
    for seat in range(rules.num_players):
        wilds += s.players[seat].midway.wilds.sum()
    return int(wilds)


@kernel
def num_off_midway(rules: Record, s: Record, kind: int) -> int:
    """The cards of a kind in the piles and in hands."""
    number = 0
    for i in range(s.deck_size):
        number += s.deck[i] == kind
    for i in range(s.discard_size):
        number += s.discard[i] == kind
    for seat in range(rules.num_players):
        number += s.players[seat].hand[kind]
    return int(number)


@kernel
def attractions_sound(rules: Record, s: Record) -> bool:
    """C-I4: at most four cards, at most three Wilds; no Wild alone while the game goes on."""
    for seat in range(rules.num_players):
        midway = s.players[seat].midway
        for attraction in range(NUM_ATTRACTIONS):
            if count(midway, attraction) > CARDS_TO_COMPLETE or midway.wilds[attraction] > MAX_WILDS_IN_ATTRACTION:
                return False
            if lone_wilds(midway, attraction) > 0 and s.phase != PHASE_OVER:
                return False
    return True


@kernel
def hands_in_range(rules: Record, s: Record) -> bool:
    """C-I5: no hand is larger than the turn so far allows."""
    for seat in range(rules.num_players):
        if s.players[seat].hand_size > MAX_HAND:
            return False
    size = s.players[s.active].hand_size
    if s.phase == PHASE_DISCARD:
        return bool(size > rules.hand_limit)
    if s.phase in (PHASE_MAIN, PHASE_ASSIGN):
        return bool(size <= rules.hand_limit)
    if s.phase == PHASE_SWAP:
        return bool(size + s.swap_count <= rules.hand_limit + 1)
    if s.phase == PHASE_HAND_GIVE and s.action_target != NONE and s.players[s.action_target].hand_size == MAX_HAND:
        return False
    if PHASE_ACTION <= s.phase <= PHASE_MIDWAY_GIVE:
        declared = s.phase in (PHASE_TAKE, PHASE_BLOCK)
        return bool(size + num_remaining(s) + declared <= rules.hand_limit + NUM_DICE)
    return True


# Players -------------------------------------------------------------------------------------------------------------


@kernel
def tickets_in_range(rules: Record, s: Record) -> bool:
    """C-I3: nobody has more Tickets than allowed."""
    sound = True
    for seat in range(rules.num_players):
        sound = sound and 0 <= s.players[seat].tickets <= rules.max_tickets
    return sound


@kernel
def tickets_used_soundly(rules: Record, s: Record) -> bool:
    """C-I11: the active player uses no Ticket, and nobody does before a dice action."""
    for seat in range(rules.num_players):
        if s.players[seat].ticket_used and (seat == s.active or s.phase <= PHASE_ASSIGN):
            return False
    return True


@kernel
def winners_sound(rules: Record, s: Record) -> bool:
    """C-I7: one player has reached the goal when it ended the game, else none."""
    winners = 0
    for seat in range(rules.num_players):
        winners += num_complete(s.players[seat].midway) >= rules.goal
    return bool(winners == (s.end_reason == GOAL_REACHED))


# The turn ------------------------------------------------------------------------------------------------------------


@kernel
def ending_sound(rules: Record, s: Record) -> bool:
    """C-I8: the fields that say that the game is over, and who decides, agree."""
    over = s.phase == PHASE_OVER
    if over != (s.actor == OVER) or over != (s.end_reason != NOT_ENDED):
        return False
    cut_off = s.end_reason == MAX_TURNS_REACHED
    if cut_off != s.truncated or cut_off != (s.turn == rules.max_turns) or s.turn > rules.max_turns:
        return False
    return bool(over or s.phase in (PHASE_BLOCK, PHASE_PLACE) or s.actor == s.active)


@kernel
def dice_sound(s: Record) -> bool:
    """C-I9: the roll, and what is left of it."""
    rolled = 0
    for die in range(NUM_DICE):
        rolled += s.dice[die] > 0
    triple = rolled == NUM_DICE and s.dice[0] == s.dice[1] and s.dice[1] == s.dice[2]
    if s.phase <= PHASE_SWAP:
        expected = rolled == 0
    elif s.phase >= PHASE_BUILD:
        expected = rolled == 0 or rolled == NUM_DICE
    else:
        expected = rolled == NUM_DICE
    if not expected or (triple and s.phase == PHASE_ASSIGN):
        return False
    left = num_remaining(s)
    if (left == 0 and s.phase == PHASE_ACTION) or (left > 0 and (s.phase <= PHASE_ASSIGN or s.phase == PHASE_BUILD)):
        return False
    return assigned_dice_rolled(s, NUM_DICE if triple else DICE_CHOSEN)


@kernel
def assigned_dice_rolled(s: Record, most: int) -> bool:
    """C-I9: the dice left and the declared one are among those rolled, and no more than could be assigned."""
    assigned = 0
    for action in range(NUM_FACES):
        rolled = 0
        for die in range(NUM_DICE):
            rolled += s.dice[die] == action + 1
        dice = s.remaining[action] + (s.action == action)
        if dice > rolled:
            return False
        assigned += dice
    return bool(assigned <= most)


@kernel
def counters_sound(rules: Record, s: Record) -> bool:
    """C-I10: reassignments of the turn, and cards of the Wild discard under way."""
    if s.reassigns > rules.reassign_limit or (s.reassigns > 0 and s.phase <= PHASE_ASSIGN):
        return False
    if s.phase == PHASE_SWAP:
        return bool(1 <= s.swap_count <= rules.hand_limit + 1)
    return bool(s.swap_count == 0)


@kernel
def queue_sound(rules: Record, s: Record) -> bool:
    """C-I12: in a block question the actor, and all who may block after him, are to be asked; else nobody."""
    if s.players[s.active].queued:
        return False
    asking = False
    for offset in range(1, rules.num_players):
        seat = clockwise(rules, s.active, offset)
        asking = asking or (s.phase == PHASE_BLOCK and seat == s.actor)
        if s.players[seat].queued != (asking and may_block(s, seat)):
            return False
    return s.phase != PHASE_BLOCK or (asking and bool(s.players[s.actor].queued))


# The declared action -------------------------------------------------------------------------------------------------


@kernel
def action_sound(rules: Record, s: Record) -> bool:
    """C-I14: an action is under way just where one must be, and its fields fit it."""
    if s.action == NONE:
        return bool(s.phase <= PHASE_ACTION or s.phase >= PHASE_BUILD)
    if not action_fits_phase(s) or not target_sound(s):
        return False
    named = s.action >= MIDWAY_TRADE and s.phase != PHASE_TAKE
    if named != (s.action_attraction != NONE) or named != (s.action_slot != NONE):
        return False
    if s.action_placed != NONE and (s.action_slot != WILD_SLOT or not wild_was_put(s)):
        return False
    return s.phase != PHASE_BLOCK or declaration_sound(rules, s)


@kernel
def action_fits_phase(s: Record) -> bool:
    """C-I14: which actions a phase belongs to."""
    if s.phase == PHASE_HAND_GIVE:
        return bool(s.action == HAND_TRADE)
    if s.phase == PHASE_STEAL_DISCARD:
        return bool(s.action == MIDWAY_STEAL)
    if s.phase == PHASE_MIDWAY_GIVE:
        return bool(s.action == MIDWAY_TRADE)
    if s.phase in (PHASE_TAKE, PHASE_PLACE, PHASE_OVER):
        return bool(s.action >= MIDWAY_TRADE)
    return bool(s.phase == PHASE_BLOCK)


@kernel
def target_sound(s: Record) -> bool:
    """C-I14: an opponent, or none for a draw from a pile."""
    if s.action <= DISCARD_DRAW:
        return bool(s.action_target == NONE)
    return bool(s.action_target != NONE and s.action_target != s.active)


@kernel
def wild_was_put(s: Record) -> bool:
    """C-I14: a taken Wild is put after the block questions, and not while it is in the air."""
    return bool(s.phase != PHASE_BLOCK and not (s.place_reason == TAKEN and s.place_count > 0))


@kernel
def declaration_sound(rules: Record, s: Record) -> bool:
    """C-I14: in a block question the action can be performed, and its card be taken."""
    if s.action >= MIDWAY_TRADE:
        card = card_bit(s.action_attraction, s.action_slot)
        return takeable_cards(rules, s, s.action, s.action_target) & card != 0
    return feasible(rules, s, s.action, s.action_target)


@kernel
def place_sound(s: Record) -> bool:
    """C-I13: Wilds are in the air just where they must be, for the right player and the right reason."""
    if s.place_reason == NONE:
        return bool(s.phase != PHASE_PLACE and s.place_seat == NONE and s.place_count == 0)
    if s.action == NONE or s.phase not in (PHASE_PLACE, PHASE_OVER):
        return False
    own = s.place_reason in (TAKEN, LONE_SELF)
    if s.place_seat != (s.active if own else s.action_target):
        return False
    if s.place_reason in (RECEIVED, LONE_SELF) and s.action != MIDWAY_TRADE:
        return False
    if s.place_reason in (TAKEN, RECEIVED) and s.place_count > 1:
        return False
    if s.place_reason == TAKEN and s.action_slot != WILD_SLOT:
        return False
    if s.place_reason == LONE_TARGET and s.action_slot == WILD_SLOT:
        return False
    return s.phase == PHASE_OVER or place_open(s)


@kernel
def place_open(s: Record) -> bool:
    """C-I13: the player has Wilds to place and a choice."""
    return bool(s.place_count > 0 and s.place_seat == s.actor and num_eligible(s.players[s.actor].midway) > 1)


@kernel
def something_to_do(rules: Record, s: Record) -> bool:
    """C-I15: nothing is under way after the last turn; before, somebody can act."""
    if s.phase == PHASE_OVER:
        return bool(not s.truncated or (s.action == NONE and s.place_reason == NONE))
    if s.phase == PHASE_ACTION:
        return any_feasible(rules, s) or can_reassign(rules, s)
    if s.phase == PHASE_TAKE:
        return takeable_cards(rules, s, s.action, s.action_target) != 0
    if s.phase in (PHASE_HAND_GIVE, PHASE_STEAL_DISCARD):
        return bool(s.players[s.active].hand_size > 0)
    return s.phase != PHASE_MIDWAY_GIVE or return_cards(s) != 0
