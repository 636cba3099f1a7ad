"""The rules of Carnival: set-up, the turn, legal actions and their effects."""

from __future__ import annotations

from carnival_envs.core.chance import Words, below, shuffle
from carnival_envs.core.interface import NOT_ENDED, OVER, Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.actions import (
    ALLOW,
    ASSIGN,
    ASSIGNED_HIGH,
    ASSIGNED_LOW,
    BLOCK,
    DISCARD,
    DO,
    END_BUILD,
    FORFEIT,
    GIVE,
    HAND_OVER,
    PLACE,
    PLAY,
    PLAY_WILD,
    REASSIGN,
    ROLL,
    START,
    SWAP,
    SWAP_DONE,
    SWAP_HAND,
    TAKE,
    assign_action,
)
from carnival_envs.games.carnival.building import (
    legal_building,
    play_part,
    play_wild,
    reassign,
    start_attraction,
)
from carnival_envs.games.carnival.dice_actions import (
    answer,
    clear_action,
    declare,
    enter_action,
    forfeit,
    give,
    hand_over,
    legal_declarations,
    legal_places,
    legal_returns,
    legal_takes,
    name_card,
    place,
    steal_discard,
)
from carnival_envs.games.carnival.piles import add_to_hand, can_draw, discard, discard_from_hand, draw
from carnival_envs.games.carnival.seats import clockwise
from carnival_envs.games.carnival.state import (
    EMPTY,
    MAX_PLAYERS,
    MAX_TURNS_REACHED,
    NUM_ATTRACTIONS,
    NUM_DICE,
    NUM_FACES,
    NUM_KINDS,
    NUM_PART_KINDS,
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
    RANDOM_FIRST_PLAYER,
    WILD,
)

# Set-up (C-60) -------------------------------------------------------------------------------------------------------


@kernel
def new_game(rules: Record, s: Record, chance: Words) -> None:
    """C-60: set up and start the first turn."""
    clear_table(rules, s)
    fill_deck(rules, s)
    n = rules.num_players
    s.active = below(chance, n) if rules.first_player == RANDOM_FIRST_PLAYER else rules.first_player
    shuffle(chance, s.deck, s.deck_size)
    for _ in range(rules.starting_hand):
        for offset in range(n):
            add_to_hand(s.players[clockwise(rules, s.active, offset)], draw(s, chance))
    for _ in range(n):
        discard(s, draw(s, chance))
    start_turn(rules, s, chance)


@kernel
def clear_table(rules: Record, s: Record) -> None:
    """C-60, steps 1 and 7: empty piles and Midways; Tickets and the first Wilds are handed out."""
    s.truncated = False
    s.end_reason = NOT_ENDED
    s.turn = 0
    s.deck_size = 0
    s.deck[:] = EMPTY
    s.discard_size = 0
    s.discard[:] = EMPTY
    for seat in range(MAX_PLAYERS):
        me = s.players[seat]
        seated = seat < rules.num_players
        me.hand[:] = 0
        me.hand[WILD] = rules.starting_wilds if seated else 0
        me.hand_size = me.hand[WILD]
        me.midway.parts[:] = 0
        me.midway.wilds[:] = 0
        me.tickets = rules.starting_tickets if seated else 0
        me.ticket_used = 0
        me.queued = 0


@kernel
def fill_deck(rules: Record, s: Record) -> None:
    """C-60, step 2: the cards that nobody has been given, in ascending kind order."""
    for kind in range(NUM_KINDS):
        given = rules.num_players * rules.starting_wilds
        for _ in range(rules.copies if kind < NUM_PART_KINDS else rules.wilds - given):
            s.deck[s.deck_size] = kind
            s.deck_size += 1


# The turn (C-10 to C-16, C-50, C-51) ---------------------------------------------------------------------------------


@kernel
def start_turn(rules: Record, s: Record, chance: Words) -> None:
    """C-10, C-11: the active player's turn begins."""
    clear_turn(s)
    if s.discard_size == 0 and can_draw(s):
        discard(s, draw(s, chance))
    s.actor = s.active
    enter_main(rules, s)


@kernel
def clear_turn(s: Record) -> None:
    """C-10: the fields of a turn."""
    for seat in range(MAX_PLAYERS):
        s.players[seat].ticket_used = 0
    s.dice[:] = 0
    s.remaining[:] = 0
    s.reassigns = 0
    s.swap_count = 0
    clear_action(s)


@kernel
def enter_main(rules: Record, s: Record) -> None:
    """C-11: surplus hand cards are discarded first."""
    surplus = s.players[s.active].hand_size > rules.hand_limit
    s.phase = PHASE_DISCARD if surplus else PHASE_MAIN


@kernel
def discard_surplus(rules: Record, s: Record, kind: int) -> None:
    """C-11: one surplus card."""
    discard_from_hand(s, s.players[s.active], kind)
    enter_main(rules, s)


@kernel
def legal_main(s: Record, mask: Mask) -> None:
    """C-12, C-13: roll, or discard a Wild of the hand or of the Midway."""
    me = s.players[s.active]
    mask[ROLL] = 1
    mask[SWAP_HAND] = me.hand[WILD] > 0
    for attraction in range(NUM_ATTRACTIONS):
        mask[SWAP + attraction] = me.midway.wilds[attraction] > 0


@kernel
def discard_wild(s: Record, action: int) -> None:
    """C-13: a Wild goes first."""
    me = s.players[s.active]
    if action == SWAP_HAND:
        discard_from_hand(s, me, WILD)
    else:
        me.midway.wilds[action - SWAP] -= 1
        discard(s, WILD)
    s.swap_count = 1
    s.phase = PHASE_SWAP


@kernel
def discard_another(s: Record, kind: int) -> None:
    """C-13: any number of hand cards follow the Wild."""
    discard_from_hand(s, s.players[s.active], kind)
    s.swap_count += 1


@kernel
def draw_replacements(s: Record, chance: Words) -> None:
    """C-13: as many cards from the deck as were discarded."""
    draw_cards(s, chance, s.swap_count)
    s.swap_count = 0
    s.phase = PHASE_BUILD


@kernel
def draw_cards(s: Record, chance: Words, number: int) -> None:
    """The active player draws cards, fewer if nothing can be drawn (C-R15)."""
    for _ in range(number):
        if can_draw(s):
            add_to_hand(s.players[s.active], draw(s, chance))


@kernel
def roll(rules: Record, s: Record, chance: Words) -> None:
    """C-14, C-15, C-62: roll three dice; all of a triple are assigned at once."""
    for die in range(NUM_DICE):
        s.dice[die] = 1 + below(chance, NUM_FACES)
    if s.dice[0] == s.dice[1] and s.dice[1] == s.dice[2]:
        s.remaining[s.dice[0] - 1] = NUM_DICE
        enter_action(rules, s)
    else:
        s.phase = PHASE_ASSIGN


@kernel
def legal_assignments(s: Record, mask: Mask) -> None:
    """C-16: any two of the three dice."""
    for die in range(NUM_DICE):
        for other in range(die):
            mask[assign_action(s.dice[die], s.dice[other])] = 1


@kernel
def assign(rules: Record, s: Record, index: int) -> None:
    """C-16: the action of a die is that of its face on the tableau."""
    s.remaining[ASSIGNED_LOW[index] - 1] += 1
    s.remaining[ASSIGNED_HIGH[index] - 1] += 1
    enter_action(rules, s)


@kernel
def end_turn(rules: Record, s: Record, chance: Words) -> None:
    """C-50, C-51: refill the hand; the next player's turn, or the end of a game that takes too long."""
    draw_cards(s, chance, rules.hand_refill - s.players[s.active].hand_size)
    s.turn += 1
    s.active = clockwise(rules, s.active, 1)
    if s.turn < rules.max_turns:
        start_turn(rules, s, chance)
        return
    clear_turn(s)
    s.phase = PHASE_OVER
    s.actor = OVER
    s.truncated = True
    s.end_reason = MAX_TURNS_REACHED


# Decision points (section 6) -----------------------------------------------------------------------------------------


@kernel
def legal_actions(rules: Record, s: Record, mask: Mask) -> None:
    """The table of section 6."""
    phase = s.phase
    if phase in (PHASE_DISCARD, PHASE_STEAL_DISCARD):
        legal_hand_cards(s, DISCARD, mask)
    elif phase == PHASE_MAIN:
        legal_main(s, mask)
    elif phase == PHASE_SWAP:
        legal_hand_cards(s, DISCARD, mask)
        mask[SWAP_DONE] = 1
    elif phase == PHASE_ASSIGN:
        legal_assignments(s, mask)
    elif phase == PHASE_ACTION:
        legal_declarations(rules, s, mask)
    elif phase == PHASE_TAKE:
        legal_takes(rules, s, mask)
    elif phase == PHASE_BLOCK:
        mask[ALLOW] = mask[BLOCK] = 1
    elif phase == PHASE_PLACE:
        legal_places(s, mask)
    elif phase == PHASE_HAND_GIVE:
        legal_hand_cards(s, GIVE, mask)
    elif phase == PHASE_MIDWAY_GIVE:
        legal_returns(s, mask)
    elif phase == PHASE_BUILD:
        legal_building(rules, s, mask)


@kernel
def legal_hand_cards(s: Record, first: int, mask: Mask) -> None:
    """Make a block of actions legal for every kind in the active player's hand."""
    hand = s.players[s.active].hand
    for kind in range(NUM_KINDS):
        mask[first + kind] = hand[kind] > 0


@kernel
def apply_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Apply a legal action by the phase it is taken in."""
    phase = s.phase
    if phase == PHASE_DISCARD:
        discard_surplus(rules, s, action - DISCARD)
    elif phase == PHASE_MAIN:
        if action == ROLL:
            roll(rules, s, chance)
        else:
            discard_wild(s, action)
    elif phase == PHASE_SWAP:
        if action == SWAP_DONE:
            draw_replacements(s, chance)
        else:
            discard_another(s, action - DISCARD)
    elif phase == PHASE_ASSIGN:
        assign(rules, s, action - ASSIGN)
    elif phase == PHASE_TAKE:
        name_card(rules, s, chance, action - TAKE)
    elif phase == PHASE_BLOCK:
        answer(rules, s, chance, action)
    elif phase == PHASE_PLACE:
        place(rules, s, action - PLACE)
    elif phase == PHASE_HAND_GIVE:
        give(rules, s, action - GIVE)
    elif phase == PHASE_STEAL_DISCARD:
        steal_discard(rules, s, action - DISCARD)
    elif phase == PHASE_MIDWAY_GIVE:
        hand_over(rules, s, action - HAND_OVER)
    elif phase == PHASE_ACTION:
        apply_in_action(rules, s, chance, action)
    else:
        apply_in_build(rules, s, chance, action)


@kernel
def apply_in_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Phase ``action``: declare, give up, or reassign a Wild first (C-43)."""
    if action < FORFEIT:
        declare(rules, s, chance, action - DO)
    elif action == FORFEIT:
        forfeit(s)
    else:
        reassign(rules, s, action - REASSIGN)
        if s.phase != PHASE_OVER:
            enter_action(rules, s)


@kernel
def apply_in_build(rules: Record, s: Record, chance: Words, action: int) -> None:
    """C-40: any number of moves, then the end of the turn."""
    if action == END_BUILD:
        end_turn(rules, s, chance)
    elif action >= REASSIGN:
        reassign(rules, s, action - REASSIGN)
    elif action >= PLAY_WILD:
        play_wild(rules, s, action - PLAY_WILD)
    elif action >= PLAY:
        play_part(rules, s, action - PLAY)
    else:
        start_attraction(rules, s, action - START)
