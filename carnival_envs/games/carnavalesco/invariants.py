"""The invariants of Carnavalesco (section 13), and what follows from the fields of a loaded position."""

from __future__ import annotations

from carnival_envs.core.interface import NOT_ENDED, OVER, VALID, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalesco.dice import color_of, value_of
from carnival_envs.games.carnavalesco.rules import is_championship, judge_parade, restrictions_broken_by
from carnival_envs.games.carnavalesco.scoring import earns_token, final_score, tally
from carnival_envs.games.carnavalesco.state import (
    BOARD_SPACES,
    BOARDS_FULL,
    CHAMPIONSHIP,
    CHOOSE_COLORS,
    CHOOSE_DIVISION,
    FINISHED,
    MAX_PARADES,
    NO_DIE,
    NO_DIVISION,
    NO_SEAT,
    NUM_COLORS,
    NUM_ELEMENTS,
    NUM_KINDS,
    PLACE,
    SPACES,
)

INVARIANTS = {
    1: ("E-I1", "bag, pool, hand, players.board"),
    2: ("E-I2", "pool, hand, turn, turn_dice"),
    3: ("E-I3", "hand, phase"),
    4: ("E-I4", "players.board, round, first_player, turn, turn_dice"),
    5: ("E-I5", "players.board"),
    6: ("E-I6", "players.tokens"),
    7: ("E-I7", "round_picks, players.counters, players.colors, history"),
    8: ("E-I8", "active, actor, first_player, turn"),
    10: ("E-I10", "players.division, players.board, pool, parade, round, turn, turn_dice"),
    12: ("E-I12", "history, parade, players.division"),
    14: ("E-I14", "options, phase, first_player, players.division, players.colors, end_reason, truncated"),
    15: ("E-I15", "players.tokens, players.counters"),
}

RESTRICTIONS = 3
PIECES = 36  # tokens and counters, two sides of the same pieces


@kernel
def derive(rules: Record, s: Record) -> None:
    """Sums and sizes, the judgement of the history, the tally of a finished game."""
    s.pool_size = 0
    for kind in range(NUM_KINDS):
        s.pool_size += s.pool[kind]
    for parade in range(s.parades_finished):
        judge_parade(rules, s, parade)
    for seat in range(rules.num_players):
        me = s.players[seat]
        me.placed = 0
        me.kinds[:] = 0
        for element in range(NUM_ELEMENTS):
            me.placed += me.count[element]
            me.sums[element] = 0
            for i in range(me.count[element]):
                me.sums[element] += value_of(me.dice[element, i])
                me.kinds[element * NUM_KINDS + me.dice[element, i]] += 1
        if s.phase == FINISHED and me.placed == BOARD_SPACES and me.division != NO_DIVISION:
            tally(rules, me)


@kernel
def broken_invariant(rules: Record, s: Record) -> int:
    """The number of the first broken invariant of section 13."""
    if not dice_are_complete(rules, s):
        return 1
    if in_round(s) and not round_adds_up(rules, s):
        return 2
    if (s.hand != NO_DIE) != (s.phase == PLACE):
        return 3
    if in_round(s) and not boards_follow_the_turns(rules, s):
        return 4
    if not boards_are_sorted(rules, s):
        return 5
    if not tokens_are_right(rules, s):
        return 6
    if not solo_fields_are_right(rules, s):
        return 7
    if not right_seat_decides(rules, s):
        return 8
    if not phase_fits(rules, s):
        return 10
    if not history_fits(rules, s):
        return 12
    if not options_are_kept(rules, s):
        return 14
    return VALID if pieces_suffice(rules, s) else 15


@kernel
def in_round(s: Record) -> bool:
    """Whether dice are being drafted."""
    return bool(s.phase != CHOOSE_DIVISION and s.phase != CHOOSE_COLORS and s.phase != FINISHED)


@kernel
def dice_are_complete(rules: Record, s: Record) -> bool:
    """E-I1: every color has all its dice in bag, pool, hand and boards."""
    for color in range(NUM_COLORS):
        number = s.bag[color] + (s.hand != NO_DIE and color_of(s.hand) == color)
        for kind in range(NUM_KINDS):
            number += s.pool[kind] * (color_of(kind) == color)
        for seat in range(rules.num_players):
            number += number_on_board(s.players[seat], color)
        if number != rules.per_color:
            return False
    return True


@kernel
def number_on_board(me: Record, color: int) -> int:
    """Dice of a color on a board."""
    number = 0
    for element in range(NUM_ELEMENTS):
        for i in range(me.count[element]):
            number += color_of(me.dice[element, i]) == color
    return number


@kernel
def round_adds_up(rules: Record, s: Record) -> bool:
    """E-I2: pool, hand and dice placed in this round are the dice drawn."""
    placed = s.turn * rules.dice_per_turn + s.turn_dice
    within = s.turn < rules.turns_per_round and s.turn_dice < rules.dice_per_turn
    return bool(within and s.pool_size + (s.hand != NO_DIE) + placed == rules.dice_drawn)


@kernel
def boards_follow_the_turns(rules: Record, s: Record) -> bool:
    """E-I4: each board holds the dice of the finished rounds and turns."""
    n = rules.num_players
    per_round = rules.turns_per_round * rules.dice_per_turn // n
    for seat in range(n):
        expected = (s.round_number - 1) * per_round
        for turn in range(s.turn):
            expected += rules.dice_per_turn * ((s.first_player + turn) % n == seat)
        expected += s.turn_dice * ((s.first_player + s.turn) % n == seat)
        if s.players[seat].placed != expected:
            return False
    return True


@kernel
def boards_are_sorted(rules: Record, s: Record) -> bool:
    """E-I5: up to four dice an element, sorted by kind."""
    for seat in range(rules.num_players):
        me = s.players[seat]
        for element in range(NUM_ELEMENTS):
            if me.count[element] < 0 or me.count[element] > SPACES:
                return False
            for i in range(1, me.count[element]):
                if me.dice[element, i - 1] > me.dice[element, i]:
                    return False
    return True


@kernel
def tokens_are_right(rules: Record, s: Record) -> bool:
    """E-I6: exactly the tokens that the board has earned."""
    for seat in range(rules.num_players):
        me = s.players[seat]
        for element in range(NUM_ELEMENTS):
            if me.tokens[element] != earns_token(rules, me, element):
                return False
    return True


@kernel
def solo_fields_are_right(rules: Record, s: Record) -> bool:
    """E-I7: counters, school colors and picks of a player alone; with more players there are none."""
    colors, counters = 0, 0
    for seat in range(rules.num_players):
        counters += s.players[seat].counters
        for color in range(NUM_COLORS):
            colors += s.players[seat].school_colors[color]
    if rules.num_players > 1:
        return bool(colors == 0 and counters == 0 and s.picks == 0 and s.parades_finished == 0)
    if (colors == rules.num_school_colors) == (s.phase == CHOOSE_COLORS) or colors > rules.num_school_colors:
        return False
    return bool(s.picks == s.turn_dice and picks_are_placed(s) and counters_are_possible(rules, s))


@kernel
def picks_are_placed(s: Record) -> bool:
    """E-I7: every die of this round lies on its element, copies counted."""
    me = s.players[0]
    for pick in range(s.picks):
        die, element = s.pick_die[pick], s.pick_element[pick]
        picked, placed = 0, 0
        for other in range(s.picks):
            picked += s.pick_die[other] == die and s.pick_element[other] == element
        for i in range(me.count[element]):
            placed += me.dice[element, i] == die
        if picked > placed:
            return False
    return True


@kernel
def counters_are_possible(rules: Record, s: Record) -> bool:
    """E-I7: at least this round's counters, at most three more for each finished round of the parade."""
    broken = 0
    for pick in range(s.picks):
        broken += restrictions_broken_by(rules, s, s.pick_die[pick], s.pick_element[pick], pick + 1)
    finished = rules.rounds if s.phase == FINISHED else s.round_number - 1
    return bool(broken <= s.players[0].counters <= broken + RESTRICTIONS * finished)


@kernel
def right_seat_decides(rules: Record, s: Record) -> bool:
    """E-I8: whose turn it is follows from phase, first player and turn."""
    n = rules.num_players
    if s.phase == FINISHED:
        return bool(s.actor == OVER and s.active == (s.first_player - 1) % n)
    if s.actor != s.active:
        return False
    if s.phase == CHOOSE_DIVISION:
        return bool(s.players[s.active].division == NO_DIVISION)  # the lowest such seat: E-I10
    if s.phase == CHOOSE_COLORS:
        return bool(s.active == 0)
    return bool(s.active == (s.first_player + s.turn) % n)


@kernel
def phase_fits(rules: Record, s: Record) -> bool:
    """E-I10: what is empty, set or at its end in the phases without dice to draft."""
    for seat in range(rules.num_players):
        chosen = s.phase != CHOOSE_DIVISION or seat < s.actor
        if (s.players[seat].division != NO_DIVISION) != chosen:
            return False
    if in_round(s):
        return True
    if s.turn != 0 or s.turn_dice != 0 or s.pool_size != 0:
        return False
    if s.phase != FINISHED and (s.round_number != 1 or s.parade != 1):
        return False
    if s.phase == FINISHED and s.round_number != rules.rounds:
        return False
    for seat in range(rules.num_players):
        if s.players[seat].placed != (BOARD_SPACES if s.phase == FINISHED else 0):
            return False
    return True


@kernel
def history_fits(rules: Record, s: Record) -> bool:
    """E-I12: the finished parades of a player alone lead to the present division."""
    if s.parade > (rules.max_parades if rules.campaign else 1):
        return False
    if rules.num_players > 1:
        return True
    over = s.phase == FINISHED
    if s.parades_finished != s.parade - (0 if over else 1):
        return False
    division = rules.division[0]
    for parade in range(s.parades_finished):
        last = over and parade == s.parades_finished - 1
        if s.history_division[parade] != division or (is_championship(s, parade) and rules.campaign and not last):
            return False
        if not last:
            division = s.history_next[parade]
    if s.players[0].division != division:
        return False
    return bool(not over or s.history_final[s.parades_finished - 1] == final_score(s.players[0]))


@kernel
def options_are_kept(rules: Record, s: Record) -> bool:
    """E-I14: what the options fix stays so, and the end is the one of section 12."""
    choosing = s.phase == CHOOSE_DIVISION
    if (s.first_player == NO_SEAT) != choosing or (choosing and rules.division[0] != NO_DIVISION):
        return False
    if rules.first_player != NO_SEAT and not choosing:
        if s.first_player != (rules.first_player - (s.round_number - 1)) % rules.num_players:
            return False
    if s.phase == CHOOSE_COLORS and (rules.num_players > 1 or rules.colors_given):
        return False
    for seat in range(rules.num_players):
        given = rules.division[seat]
        if given != NO_DIVISION and not rules.campaign and s.players[seat].division != given:
            return False
    for color in range(NUM_COLORS):
        if rules.colors_given and s.players[0].school_colors[color] != rules.school_colors[color]:
            return False
    return end_fits(rules, s)


@kernel
def end_fits(rules: Record, s: Record) -> bool:
    """E-I14: end reason and truncation as in section 12."""
    if s.phase != FINISHED:
        return bool(s.end_reason == NOT_ENDED and not s.truncated)
    if not rules.campaign:
        return bool(s.end_reason == BOARDS_FULL and not s.truncated)
    if is_championship(s, s.parades_finished - 1):
        return bool(s.end_reason == CHAMPIONSHIP and not s.truncated)
    return bool(s.end_reason == MAX_PARADES and s.truncated and s.parade == rules.max_parades)


@kernel
def pieces_suffice(rules: Record, s: Record) -> bool:
    """E-I15: tokens and counters are the same 36 pieces."""
    pieces = 0
    for seat in range(rules.num_players):
        pieces += s.players[seat].counters
        for element in range(NUM_ELEMENTS):
            pieces += s.players[seat].tokens[element]
    return pieces <= PIECES
