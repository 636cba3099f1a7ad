"""What holds in every position (section 13 of the specification)."""

from __future__ import annotations

from carnival_envs.core.interface import NOT_ENDED, OVER, VALID, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.days import day_is_over, somebody_has_enough_discs
from carnival_envs.games.carnavalo.setup import Items
from carnival_envs.games.carnavalo.state import (
    AFTER_ACTION,
    ALL_TENTS,
    ALL_VALUES,
    DAY_END,
    DAYS,
    DISCS,
    GAME_OVER,
    LAST_DISC_SPACE,
    MAX_RING,
    MAX_TURNS,
    NO_CARD,
    NO_RETURN,
    NO_SETUP_CARD,
    NUM_CITIZENS,
    NUM_PARADE_TOKENS,
    NUM_SPACES,
    NUM_TENT_TOKENS,
    NUM_TENTS,
    NUM_VALUES,
    RETURN_TOKENS,
    SETUP_CARD,
    STACK_HEIGHT,
    TURN_END,
    WON,
)
from carnival_envs.games.carnavalo.tents import owner_of, value_of

NAMES = (
    ("O-I1", "hands"),
    ("O-I2", "tents"),
    ("O-I3", "discs"),
    ("O-I3", "end_reason"),
    ("O-I4", "movement_tokens"),
    ("O-I5", "tent_tokens"),
    ("O-I6", "parade_tokens"),
    ("O-I7", "ring"),
    ("O-I7", "citizens"),
    ("O-I8", "parade"),
    ("O-I9", "floats_left"),
    ("O-I9", "float_owned"),
    ("O-I10", "tent_tokens"),
    ("O-I10", "parade_tokens"),
    ("O-I11", "actor"),
    ("O-I11", "phase"),
    ("O-I11", "movement_tokens"),
    ("O-I11", "return_reason"),
    ("O-I11", "ring"),
    ("O-I12", "turns"),
    ("O-I13", "setup_cards"),
    ("O-I16", "setup_cards"),
    ("O-I16", "phase"),
    ("O-I17", "end_reason"),
    ("O-I17", "truncated"),
    ("O-I17", "day"),
)

(
    CARDS_COMPLETE,
    PODIUM_FACE_UP,
    DISCS_IN_RANGE,
    ENOUGH_DISCS_END,
    MOVEMENT_TOKENS_COMPLETE,
    TENT_TOKENS_COMPLETE,
    PARADE_TOKENS_COMPLETE,
    RING_IN_RANGE,
    CITIZENS_IN_RANGE,
    FULL_PARADE_ENDS_DAY,
    FLOATS_MATCH_DAY,
    FLOATS_COMPLETE,
    TENT_TOKENS_LAST,
    PARADE_TOKENS_LAST,
    ACTIVE_ACTS,
    DAY_ENDS_AT_ONCE,
    TOKENS_TO_DECIDE_ON,
    RETURN_HAS_REASON,
    RING_AT_TURN_END,
    TURNS_BOUNDED,
    NO_SETUP_CARDS_LATER,
    SETUP_IN_SEAT_ORDER,
    NOTHING_DEALT_YET,
    END_HAS_REASON,
    CUT_OFF_BY_BOUND,
    LAST_DAY,
) = range(1, len(NAMES) + 1)

INVARIANTS = dict(enumerate(NAMES, start=1))

DUPLICATE = 1
"""In a set of values, where no card has the value 0: some value is there twice."""


@kernel
def broken_invariant(rules: Record, s: Record) -> int:
    """``VALID``, or the first broken invariant. Order, O-I13's ascending lists, is what a position is written in."""
    broken = broken_anywhere(rules, s)
    if broken != VALID:
        return broken
    if s.phase == SETUP_CARD:
        return broken_in_setup(rules, s)
    broken = broken_after_deal(rules, s)
    return broken if broken != VALID else broken_in_course(rules, s)


@kernel
def broken_anywhere(rules: Record, s: Record) -> int:
    """What holds in every phase."""
    if (s.end_reason != NOT_ENDED) != (s.phase == GAME_OVER):
        return END_HAS_REASON
    if (s.truncated != 0) != (s.end_reason == MAX_TURNS):
        return CUT_OFF_BY_BOUND
    if not ring_in_range(s):
        return RING_IN_RANGE
    if not citizens_in_range(s):
        return CITIZENS_IN_RANGE
    if not discs_in_range(rules, s):
        return DISCS_IN_RANGE
    if not cards_complete(rules, s):
        return CARDS_COMPLETE
    if not podium_cards_face_up(s):
        return PODIUM_FACE_UP
    if not turns_bounded(rules, s):
        return TURNS_BOUNDED
    return VALID


@kernel
def broken_in_setup(rules: Record, s: Record) -> int:
    """What holds before the deal."""
    if s.actor == OVER:
        return ACTIVE_ACTS
    if not setup_in_seat_order(rules, s):
        return SETUP_IN_SEAT_ORDER
    if not nothing_dealt_yet(rules, s):
        return NOTHING_DEALT_YET
    return VALID


@kernel
def broken_after_deal(rules: Record, s: Record) -> int:
    """What holds of the components once they are dealt."""
    for player in range(rules.num_players):
        if s.players[player].setup_card != NO_SETUP_CARD:
            return NO_SETUP_CARDS_LATER
    if not movement_tokens_complete(rules, s):
        return MOVEMENT_TOKENS_COMPLETE
    if not tent_tokens_complete(rules, s):
        return TENT_TOKENS_COMPLETE
    if not parade_tokens_complete(rules, s):
        return PARADE_TOKENS_COMPLETE
    if s.floats_left != rules.days + 1 - s.day - ended_by_count(s):
        return FLOATS_MATCH_DAY
    if s.floats_left + num_floats_owned(rules, s) > rules.days:
        return FLOATS_COMPLETE
    if not tent_tokens_last(s):
        return TENT_TOKENS_LAST
    if not s.floats_left <= s.parade_tokens_left <= STACK_HEIGHT:
        return PARADE_TOKENS_LAST
    return VALID


@kernel
def broken_in_course(rules: Record, s: Record) -> int:
    """What holds between phase, actor, and the end of days and of the game."""
    if s.actor != (OVER if s.phase == GAME_OVER else s.active):
        return ACTIVE_ACTS
    if somebody_has_enough_discs(rules, s) != (s.end_reason == DISCS):
        return ENOUGH_DISCS_END
    if s.end_reason == DAYS and s.day != rules.days:
        return LAST_DAY
    if (s.return_reason != NO_RETURN) != (s.phase == RETURN_TOKENS):
        return RETURN_HAS_REASON
    if s.return_reason == TURN_END and s.ring != 0:
        return RING_AT_TURN_END
    if not tokens_to_decide_on(s):
        return TOKENS_TO_DECIDE_ON
    day_ended = s.return_reason == DAY_END or ended_by_count(s)
    if s.parade_size == rules.parade_to_end_day and not day_ended:
        return FULL_PARADE_ENDS_DAY
    if day_is_over(rules, s) != day_ended:
        return DAY_ENDS_AT_ONCE
    return VALID


@kernel
def ended_by_count(s: Record) -> bool:
    """Whether the game is over after a counting."""
    return bool(s.end_reason == DISCS or s.end_reason == DAYS)


@kernel
def ring_in_range(s: Record) -> bool:
    """The movement track has the spaces 0..5."""
    return bool(0 <= s.ring <= MAX_RING)


@kernel
def citizens_in_range(s: Record) -> bool:
    """All citizens stand on the board."""
    on_board = 0
    for citizen in range(NUM_CITIZENS):
        on_board += 0 <= s.citizens[citizen] < NUM_SPACES
    return on_board == NUM_CITIZENS


@kernel
def discs_in_range(rules: Record, s: Record) -> bool:
    """Discs are won or on their track."""
    for player in range(rules.num_players):
        for t in range(NUM_TENTS):
            if not WON <= s.players[player].discs[t] <= LAST_DISC_SPACE:
                return False
    return True


@kernel
def cards_complete(rules: Record, s: Record) -> bool:
    """Every player has each of his cards in one place."""
    for player in range(rules.num_players):
        me = s.players[player]
        if me.hand_size != num_values(me.hand):
            return False
        laid_aside = 1 << me.setup_card if me.setup_card != NO_SETUP_CARD else 0
        if me.hand & laid_aside or not completes_hand(s, player, me.hand | laid_aside):
            return False
    return True


@kernel
def num_values(hand: int) -> int:
    """How many values a set of values holds."""
    count = 0
    for value in range(1, NUM_VALUES + 1):
        count += hand >> value & 1
    return count


@kernel
def completes_hand(s: Record, player: int, values: int) -> bool:
    """Whether a player's cards on the table are just those that are missing from a set of values."""
    for t in range(NUM_TENTS):
        for place in range(s.tents[t].height):
            values = with_card(values, s.tents[t].cards[place], player)
    for place in range(s.parade_size):
        values = with_card(values, s.parade[place], player)
    return with_card(values, s.middle, player) == ALL_VALUES


@kernel
def with_card(values: int, card: int, player: int) -> int:
    """A set of values with a card added if it belongs to the player; marked as wrong if it is there already."""
    if card == NO_CARD or owner_of(card) != player:
        return values
    added = 1 << value_of(card)
    return values | added if values & added == 0 else values | DUPLICATE


@kernel
def podium_cards_face_up(s: Record) -> bool:
    """No tent with cards has them all face down; after a counting all are face up."""
    for t in range(NUM_TENTS):
        tent = s.tents[t]
        if tent.face_down > 0 and (tent.face_down >= tent.height or ended_by_count(s)):
            return False
    return True


@kernel
def turns_bounded(rules: Record, s: Record) -> bool:
    """Turns stay below the bound until the game is over, and have reached it when it is cut off."""
    if s.phase != GAME_OVER:
        return bool(s.turns < rules.max_turns)
    return bool(s.turns == rules.max_turns or (s.turns < rules.max_turns and not s.truncated))


@kernel
def setup_in_seat_order(rules: Record, s: Record) -> bool:
    """Seats before the actor have laid a card aside, the others not."""
    for player in range(rules.num_players):
        if (s.players[player].setup_card != NO_SETUP_CARD) != (player < s.actor):
            return False
    return True


@kernel
def nothing_dealt_yet(rules: Record, s: Record) -> bool:
    """The board is as it was laid out, and no token is dealt."""
    if s.active != 0 or s.turns != 0 or s.day != 1 or s.ring != rules.ring_start or s.floats_left != rules.days:
        return False
    for citizen in range(NUM_CITIZENS):
        if s.citizens[citizen] != rules.citizen_starts[citizen]:
            return False
    for t in range(NUM_TENTS):
        if s.tents[t].height != 0 or s.tents[t].tokens_left != 0:
            return False
    for player in range(rules.num_players):
        if not nothing_won_yet(s.players[player]):
            return False
    return bool(
        s.middle == NO_CARD
        and s.parade_size + s.movement_stack_height + s.parade_tokens_left == 0
        and total(s.tent_box, NUM_TENT_TOKENS) + total(s.parade_box, NUM_PARADE_TOKENS) == 0
        and s.return_reason == NO_RETURN
    )


@kernel
def nothing_won_yet(me: Record) -> bool:
    """A player has his discs on the start fields, and no token and no float before him."""
    for t in range(NUM_TENTS):
        if me.discs[t] != 0:
            return False
    won = total(me.won_tent_tokens, NUM_TENT_TOKENS) + total(me.won_parade_tokens, NUM_PARADE_TOKENS)
    return bool(won + me.num_movement_tokens + me.owns_float == 0)


@kernel
def total(counts: Items, kinds: int) -> int:
    """The sum of the first ``kinds`` counts."""
    number = 0
    for kind in range(kinds):
        number += counts[kind]
    return number


@kernel
def movement_tokens_complete(rules: Record, s: Record) -> bool:
    """Every movement token is in one hand or in the stack."""
    seen = 0
    for player in range(rules.num_players):
        tokens = s.players[player].movement_tokens
        if seen & tokens:
            return False
        seen |= tokens
    for place in range(s.movement_stack_height):
        token = 1 << s.movement_stack[place]
        if seen & token:
            return False
        seen |= token
    return seen == ALL_TENTS


@kernel
def tent_tokens_complete(rules: Record, s: Record) -> bool:
    """All tent tokens are in the stacks, won, or in the box; the box holds its number, in the basic game its kinds."""
    in_box = 0
    for kind in range(NUM_TENT_TOKENS):
        in_box += s.tent_box[kind]
        if num_tent_tokens(rules, s, kind) != rules.tent_token_counts[kind] + rules.tent_box[kind]:
            return False
        if not rules.advanced and s.tent_box[kind] != rules.tent_box[kind]:
            return False
    every = total(rules.tent_token_counts, NUM_TENT_TOKENS) + total(rules.tent_box, NUM_TENT_TOKENS)
    return in_box == every - NUM_TENTS * STACK_HEIGHT


@kernel
def num_tent_tokens(rules: Record, s: Record, kind: int) -> int:
    """How many tent tokens of a kind there are in all places."""
    count: int = s.tent_box[kind]
    for t in range(NUM_TENTS):
        for place in range(s.tents[t].tokens_left):
            count += s.tents[t].tokens[place] == kind
    for player in range(rules.num_players):
        count += s.players[player].won_tent_tokens[kind]
    return count


@kernel
def parade_tokens_complete(rules: Record, s: Record) -> bool:
    """All parade tokens are in the stack, won, or in the box; the box holds its number."""
    in_box = 0
    for kind in range(NUM_PARADE_TOKENS):
        in_box += s.parade_box[kind]
        if num_parade_tokens(rules, s, kind) != rules.parade_token_counts[kind]:
            return False
    return in_box == total(rules.parade_token_counts, NUM_PARADE_TOKENS) - STACK_HEIGHT


@kernel
def num_parade_tokens(rules: Record, s: Record, kind: int) -> int:
    """How many parade tokens of a kind there are in all places."""
    count: int = s.parade_box[kind]
    for place in range(s.parade_tokens_left):
        count += s.parade_tokens[place] == kind
    for player in range(rules.num_players):
        count += s.players[player].won_parade_tokens[kind]
    return count


@kernel
def num_floats_owned(rules: Record, s: Record) -> int:
    """How many players own a float."""
    count = 0
    for player in range(rules.num_players):
        count += s.players[player].owns_float
    return count


@kernel
def tent_tokens_last(s: Record) -> bool:
    """Every tent has at least a token for each day that can still be played."""
    supplied = 0
    for t in range(NUM_TENTS):
        supplied += s.floats_left <= s.tents[t].tokens_left <= STACK_HEIGHT
    return supplied == NUM_TENTS


@kernel
def tokens_to_decide_on(s: Record) -> bool:
    """The active player holds as many movement tokens as his phase needs; after a counting none."""
    held = s.players[s.active].num_movement_tokens
    if s.phase == AFTER_ACTION:
        return bool(held >= 1)
    if s.phase == RETURN_TOKENS:
        return bool(held > 1)
    return bool(held == 0 or not ended_by_count(s))
