"""The course of a game: set-up, rounds, turns, solo restrictions, the end (sections 5 to 7 and 12)."""

from __future__ import annotations

from carnival_envs.core.chance import Words, below
from carnival_envs.core.interface import NOT_ENDED, OVER, Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalesco.actions import COLOR, DIVISION, PLACE_DIE, TAKE_DIE
from carnival_envs.games.carnavalesco.dice import color_of, insert_die, value_of
from carnival_envs.games.carnavalesco.scoring import (
    final_score,
    next_division,
    solo_place,
    tally,
    update_tokens,
)
from carnival_envs.games.carnavalesco.state import (
    BOARDS_FULL,
    CHAMPIONSHIP,
    CHOOSE_COLORS,
    CHOOSE_DIVISION,
    FINISHED,
    FIRST,
    HARDEST,
    MAX_PARADES,
    MAX_PLAYERS,
    NO_DIE,
    NO_DIVISION,
    NO_SEAT,
    NUM_COLORS,
    NUM_DIVISIONS,
    NUM_ELEMENTS,
    NUM_KINDS,
    NUM_VALUES,
    PLACE,
    SPACES,
    TAKE,
)

# Set-up ------------------------------------------------------------------------------------------------------------


@kernel
def new_game(rules: Record, s: Record, chance: Words) -> None:
    """Boards empty, all dice in the bag, divisions and colors from the options (section 5)."""
    s.truncated = 0
    s.end_reason = NOT_ENDED
    s.parade = 1
    s.parades_finished = 0
    s.history_division[:] = 0
    s.history_final[:] = 0
    s.history_place[:] = 0
    s.history_next[:] = 0
    for seat in range(MAX_PLAYERS):
        me = s.players[seat]
        me.division = rules.division[seat]
        me.school_colors[:] = 0
        clear_board(me)
    for color in range(NUM_COLORS):
        s.players[0].school_colors[color] = rules.school_colors[color]
    prepare_parade(rules, s)
    if rules.division[0] == NO_DIVISION:
        s.phase = CHOOSE_DIVISION
        s.first_player = NO_SEAT
        decide(s, 0)
    else:
        choose_first_player(rules, s, chance)


@kernel
def clear_board(me: Record) -> None:
    """An empty board without tokens, counters or tally."""
    me.dice[:] = 0
    me.kinds[:] = 0
    me.count[:] = 0
    me.sums[:] = 0
    me.tokens[:] = 0
    me.placed = 0
    me.counters = 0
    me.bases[:] = 0
    me.bonuses[:] = 0
    me.scores[:] = 0


@kernel
def prepare_parade(rules: Record, s: Record) -> None:
    """All dice in the bag (E-3), nothing rolled."""
    s.bag[:] = rules.per_color
    s.pool[:] = 0
    s.pool_size = 0
    s.hand = NO_DIE
    s.round_number = 1
    s.turn = 0
    s.turn_dice = 0
    clear_picks(s)


@kernel
def clear_picks(s: Record) -> None:
    """Solo: forget the dice of the last round (E-R38)."""
    s.pick_die[:] = 0
    s.pick_element[:] = 0
    s.picks = 0


@kernel
def choose_first_player(rules: Record, s: Record, chance: Words) -> None:
    """The first player of round 1, given or drawn (E-6); a player alone then chooses his colors (E-51)."""
    s.first_player = rules.first_player if rules.first_player != NO_SEAT else below(chance, rules.num_players)
    if rules.num_players == 1 and not rules.colors_given:
        s.phase = CHOOSE_COLORS
        decide(s, 0)
    else:
        start_round(rules, s, chance)


@kernel
def decide(s: Record, seat: int) -> None:
    """Nobody ever decides in another's turn."""
    s.active = seat
    s.actor = seat


# Rounds ------------------------------------------------------------------------------------------------------------


@kernel
def start_round(rules: Record, s: Record, chance: Words) -> None:
    """Draw the round's dice from the bag, then roll them all (E-7, E-R48)."""
    bag_size = 0
    for color in range(NUM_COLORS):
        bag_size += s.bag[color]
    drawn = 0  # colors in order of drawing, three bits each
    for i in range(rules.dice_drawn):
        color = draw_color(s, below(chance, bag_size - i))
        drawn |= color << (3 * i)
    for i in range(rules.dice_drawn):
        color = (drawn >> (3 * i)) & 7
        s.pool[NUM_VALUES * color + below(chance, NUM_VALUES)] += 1
    s.pool_size = rules.dice_drawn
    s.turn = 0
    s.turn_dice = 0
    clear_picks(s)
    s.phase = TAKE
    decide(s, s.first_player)


@kernel
def draw_color(s: Record, index: int) -> int:
    """Take the die of an index, counted through the colors, out of the bag; returns its color."""
    color = 0
    while index >= s.bag[color]:
        index -= s.bag[color]
        color += 1
    s.bag[color] -= 1
    return color


@kernel
def end_turn(rules: Record, s: Record, chance: Words) -> None:
    """The next player in clockwise order (E-9, E-13, E-14), or the end of the round."""
    s.turn_dice = 0
    s.turn += 1
    if s.turn == rules.turns_per_round:
        end_round(rules, s, chance)
    else:
        decide(s, (s.first_player + s.turn) % rules.num_players)


@kernel
def end_round(rules: Record, s: Record, chance: Words) -> None:
    """The dice left go back to the bag (E-15); the marker goes to the right (E-16)."""
    for kind in range(NUM_KINDS):
        s.bag[color_of(kind)] += s.pool[kind]
        s.pool[kind] = 0
    s.pool_size = 0
    s.turn = 0
    clear_picks(s)
    if s.round_number == rules.rounds:
        end_parade(rules, s, chance)
        return
    s.round_number += 1
    s.first_player = (s.first_player - 1) % rules.num_players
    start_round(rules, s, chance)


# Decisions ---------------------------------------------------------------------------------------------------------


@kernel
def legal_actions(rules: Record, s: Record, mask: Mask) -> None:
    """Any kind in the pool, any own element with a free space, any color not yet chosen, any division (section 6)."""
    me = s.players[s.actor]
    if s.phase == TAKE:
        for kind in range(NUM_KINDS):
            mask[TAKE_DIE + kind] = s.pool[kind] > 0
    elif s.phase == PLACE:
        for element in range(NUM_ELEMENTS):
            mask[PLACE_DIE + element] = me.count[element] < SPACES
    elif s.phase == CHOOSE_COLORS:
        for color in range(NUM_COLORS):
            mask[COLOR + color] = not me.school_colors[color]
    else:
        mask[DIVISION : DIVISION + NUM_DIVISIONS] = 1


@kernel
def apply_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Apply a legal action."""
    if s.phase == TAKE:
        take_die(s, action - TAKE_DIE)
    elif s.phase == PLACE:
        place_die(rules, s, chance, action - PLACE_DIE)
    elif s.phase == CHOOSE_COLORS:
        choose_color(rules, s, chance, action - COLOR)
    else:
        choose_division(rules, s, chance, action - DIVISION)


@kernel
def choose_division(rules: Record, s: Record, chance: Words, division: int) -> None:
    """Each player's own choice, openly, in seat order (E-5, E-R1)."""
    s.players[s.actor].division = division
    if s.actor + 1 < rules.num_players:
        decide(s, s.actor + 1)
    else:
        choose_first_player(rules, s, chance)


@kernel
def choose_color(rules: Record, s: Record, chance: Words, color: int) -> None:
    """Two different school colors, one decision each (E-51)."""
    me = s.players[0]
    me.school_colors[color] = 1
    chosen = 0
    for other in range(NUM_COLORS):
        chosen += me.school_colors[other]
    if chosen == rules.num_school_colors:
        start_round(rules, s, chance)


@kernel
def take_die(s: Record, kind: int) -> None:
    """One die moves from the pool to the hand (E-9, E-R4)."""
    s.pool[kind] -= 1
    s.pool_size -= 1
    s.hand = kind
    s.phase = PLACE


@kernel
def place_die(rules: Record, s: Record, chance: Words, element: int) -> None:
    """The die in hand goes to an own element with a free space, whatever it fits (E-9, E-10)."""
    me = s.players[s.actor]
    insert_die(me, element, s.hand)
    if rules.num_players == 1:
        note_pick(s, s.hand, element)
        me.counters += restrictions_just_broken(rules, s)
    update_tokens(rules, me, element, s.hand)
    s.hand = NO_DIE
    s.phase = TAKE
    s.turn_dice += 1
    if s.turn_dice == rules.dice_per_turn:
        end_turn(rules, s, chance)


# Solo --------------------------------------------------------------------------------------------------------------


@kernel
def note_pick(s: Record, die: int, element: int) -> None:
    """Remember a die of this round."""
    s.pick_die[s.picks] = die
    s.pick_element[s.picks] = element
    s.picks += 1


@kernel
def restrictions_just_broken(rules: Record, s: Record) -> int:
    """How many of the three restrictions the last pick of this round has broken for the first time (E-52, E-R35)."""
    last = s.picks - 1
    return restrictions_broken_by(rules, s, s.pick_die[last], s.pick_element[last], s.picks)


@kernel
def restrictions_broken_by(rules: Record, s: Record, die: int, element: int, picks: int) -> int:
    """How many restrictions a die on an element brings to one more than allowed, counted over the first picks."""
    same_value, same_color, same_element = 0, 0, 0
    for i in range(picks):
        same_value += value_of(s.pick_die[i]) == value_of(die)
        same_color += color_of(s.pick_die[i]) == color_of(die)
        same_element += s.pick_element[i] == element
    broken = int(same_value == rules.max_same_value + 1)
    broken += int(same_color == rules.max_same_color + 1)
    broken += int(same_element == rules.max_same_element + 1)
    return broken


# The end -----------------------------------------------------------------------------------------------------------


@kernel
def end_parade(rules: Record, s: Record, chance: Words) -> None:
    """All boards are full: tally (E-17, E-45), then the end or, in a campaign, the next parade."""
    for seat in range(rules.num_players):
        tally(rules, s.players[seat])
    if rules.num_players > 1:
        end_game(rules, s, BOARDS_FULL)
    else:
        end_solo_parade(rules, s, chance)


@kernel
def end_solo_parade(rules: Record, s: Record, chance: Words) -> None:
    """The parade enters the history; a campaign goes on until the championship or its bound (section 12)."""
    last = s.parades_finished
    note_parade(rules, s)
    if not rules.campaign:
        end_game(rules, s, BOARDS_FULL)
    elif is_championship(s, last):
        end_game(rules, s, CHAMPIONSHIP)
    elif s.parade == rules.max_parades:  # E-R44
        s.truncated = 1
        end_game(rules, s, MAX_PARADES)
    else:
        s.players[0].division = s.history_next[last]
        next_parade(rules, s, chance)


@kernel
def note_parade(rules: Record, s: Record) -> None:
    """Write a tallied solo parade into the history, with its place and what follows from it (E-54, E-55)."""
    me, last = s.players[0], s.parades_finished
    s.history_division[last] = me.division
    s.history_final[last] = final_score(me)
    s.parades_finished += 1
    judge_parade(rules, s, last)


@kernel
def judge_parade(rules: Record, s: Record, parade: int) -> None:
    """The place and the next division of a parade of the history."""
    place = solo_place(rules, s.history_final[parade])
    s.history_place[parade] = place
    s.history_next[parade] = next_division(s.history_division[parade], place)


@kernel
def is_championship(s: Record, parade: int) -> bool:
    """First place in division S (E-56)."""
    return bool(s.history_place[parade] == FIRST and s.history_division[parade] == HARDEST)


@kernel
def next_parade(rules: Record, s: Record, chance: Words) -> None:
    """Only division, colors and history are carried over (E-R40, E-R41)."""
    s.parade += 1
    clear_board(s.players[0])
    prepare_parade(rules, s)
    start_round(rules, s, chance)


@kernel
def end_game(rules: Record, s: Record, reason: int) -> None:
    """The seat that acted last stays active (section 4)."""
    s.phase = FINISHED
    s.end_reason = reason
    s.active = (s.first_player - 1) % rules.num_players
    s.actor = OVER
