"""The set-up (section 5 of the specification): what is dealt, then what the players choose in turn order."""

from __future__ import annotations

from carnival_envs.core.chance import Words, below
from carnival_envs.core.interface import NOT_ENDED, Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases, steps
from carnival_envs.games.bedeville.actions import offer
from carnival_envs.games.bedeville.board import character_spaces, unoccupied
from carnival_envs.games.bedeville.components import (
    CHARACTERS,
    MAX_PLAYERS,
    NUM_COLOURS,
    NUM_PRIZES,
    NUM_SPACES,
    TICKET_BOOTH,
    TOKENS_IN_BAG,
)
from carnival_envs.games.bedeville.context import reset_turn
from carnival_envs.games.bedeville.piles import clear, pop, push, shuffle_into
from carnival_envs.games.bedeville.sets import count, has, only
from carnival_envs.games.bedeville.state import ADRENALINE_NONE, DEALT, DRAFTED, NONE
from carnival_envs.games.bedeville.supplies import add_noise, colours_in_supply, take_joy

ALL_CHARACTERS = (1 << len(CHARACTERS)) - 1
ALL_PRIZES = (1 << NUM_PRIZES) - 1


@kernel
def new_game(rules: Record, s: Record, chance: Words) -> None:
    """Set up everything that is dealt, and ask the first player for the first choice."""
    clear_table(rules, s)
    choose_first_player(rules, s, chance)
    lay_attractions(rules, s, chance)
    stock_stalls(rules, s, chance)
    fill_bag(rules, s, chance)
    deal_characters(rules, s, chance)
    s.phase = phases.DRAFT if rules.characters == DRAFTED else phases.FIRST_JOY


@kernel
def clear_table(rules: Record, s: Record) -> None:
    """B-S7: Mr. Charles and Furball at the Ticket Booth, all supplies full, everything else empty."""
    s.truncated = 0
    s.end_reason = NOT_ENDED
    s.round_number = 1
    s.final_round = 0
    for seat in range(MAX_PLAYERS):
        clear_seat(s, seat)
    for space in range(NUM_SPACES):
        clear_space(s, space)
    clear(s.attraction_deck)
    clear(s.prize_supply)
    clear(s.scratch)
    s.attraction_discard = 0
    s.prize_discard = 0
    for colour in range(NUM_COLOURS):
        s.joy_supply[colour] = rules.joy_per_colour
    s.noise_supply = rules.noise
    s.charles.space = rules.booth_space
    s.charles.dir = rules.charles_start_dir
    s.furball = NONE if rules.beginner else rules.booth_space
    s.token_board = 0
    s.adrenaline = ADRENALINE_NONE
    reset_turn(s)


@kernel
def clear_seat(s: Record, seat: int) -> None:
    """A player without Character, Joy and Prizes; also seats that nobody takes."""
    player = s.players[seat]
    player.character = NONE
    player.space = NONE
    player.prizes = 0
    for colour in range(NUM_COLOURS):
        player.joy[colour] = 0


@kernel
def clear_space(s: Record, space: int) -> None:
    """A space without Attraction and Prizes."""
    here = s.ring[space]
    here.card = NONE
    here.noise = 0
    for colour in range(NUM_COLOURS):
        here.joy[colour] = 0
    clear(s.stalls[space])


# What is dealt ------------------------------------------------------------------------------------------------------


@kernel
def choose_first_player(rules: Record, s: Record, chance: Words) -> None:
    """B-S1: drawn, or given."""
    s.first_player = below(chance, rules.num_players) if rules.first_player == NONE else rules.first_player
    s.active = s.first_player
    s.actor = s.first_player


@kernel
def lay_attractions(rules: Record, s: Record, chance: Words) -> None:
    """B-S2, B-S3: the opening layout without the Castle of Horror, which then joins the rest (B-R1)."""
    shuffle_into(chance, rules.opening_cards, s.attraction_deck)
    rest = rules.cards & ~only(TICKET_BOOTH)
    for space in range(NUM_SPACES):
        if space == rules.booth_space:
            s.ring[space].card = TICKET_BOOTH
        elif has(rules.spaces, space):
            s.ring[space].card = pop(s.attraction_deck)
            rest &= ~only(s.ring[space].card)
    clear(s.attraction_deck)
    shuffle_into(chance, rest, s.attraction_deck)


@kernel
def stock_stalls(rules: Record, s: Record, chance: Words) -> None:
    """B-S4: two Prizes on each Stall, the cheaper one on top; the rest is the supply."""
    shuffle_into(chance, ALL_PRIZES, s.prize_supply)
    for space in range(NUM_SPACES):
        if not has(rules.spaces, space):
            continue
        first, second = pop(s.prize_supply), pop(s.prize_supply)
        if rules.prizes[first].total < rules.prizes[second].total:
            first, second = second, first
        push(s.stalls[space], first)
        push(s.stalls[space], second)


@kernel
def fill_bag(rules: Record, s: Record, chance: Words) -> None:
    """B-S5: the fixed tokens and three random ones; the others are left over."""
    s.bag = rules.fixed_tokens
    shuffle_into(chance, rules.tokens & ~rules.fixed_tokens, s.scratch)
    while count(s.bag) < TOKENS_IN_BAG:
        s.bag |= only(pop(s.scratch))
    s.token_unused = rules.tokens & ~s.bag
    clear(s.scratch)


@kernel
def deal_characters(rules: Record, s: Record, chance: Words) -> None:
    """B-S6: at random in turn order, or as given; in a draft nobody has one yet."""
    if rules.characters == DRAFTED:
        return
    if rules.characters == DEALT:
        shuffle_into(chance, ALL_CHARACTERS, s.scratch)
    for distance in range(rules.num_players):
        seat = (s.first_player + distance) % rules.num_players
        s.players[seat].character = pop(s.scratch) if rules.characters == DEALT else rules.given_characters[seat]
    clear(s.scratch)


# What the players choose (B-S8) -------------------------------------------------------------------------------------


@kernel
def setup_options(rules: Record, s: Record, mask: Mask) -> None:
    """The choices in the phases ``draft``, ``first_joy`` and ``start_space``."""
    if s.phase == phases.DRAFT:
        offer(mask, actions.CHARACTER, ALL_CHARACTERS & ~characters_taken(rules, s))
    elif s.phase == phases.FIRST_JOY:
        offer(mask, actions.GAIN, colours_in_supply(s))
    else:
        offer(mask, actions.PICK, rules.start_spaces & ~character_spaces(rules, s))


@kernel
def setup_choice(rules: Record, s: Record, action: int) -> int:
    """A choice in the phases ``draft``, ``first_joy`` and ``start_space``."""
    if s.phase == phases.DRAFT:
        s.players[s.actor].character = action - actions.CHARACTER
        return next_in_turn_order(rules, s, phases.FIRST_JOY)
    if s.phase == phases.FIRST_JOY:
        take_joy(s, s.actor, action - actions.GAIN)
        return next_in_turn_order(rules, s, phases.START_SPACE)
    s.players[s.actor].space = action - actions.PICK
    following = next_in_turn_order(rules, s, steps.BEGIN_TURN)
    if following == steps.BEGIN_TURN:
        lay_opening_noise(rules, s)
    return following


@kernel
def next_in_turn_order(rules: Record, s: Record, after_last: int) -> int:
    """The next player decides in the same phase; after the last one ``after_last`` comes next."""
    s.actor = (s.actor + 1) % rules.num_players
    return int(s.phase) if s.actor != s.first_player else after_last


@kernel
def characters_taken(rules: Record, s: Record) -> int:
    """The Characters that have been chosen (B-R2: each only once)."""
    taken = 0
    for seat in range(rules.num_players):
        if s.players[seat].character != NONE:
            taken |= only(s.players[seat].character)
    return taken


@kernel
def lay_opening_noise(rules: Record, s: Record) -> None:
    """B-S9: every unoccupied Attraction receives its printed Noise."""
    free = unoccupied(rules, s)
    for space in range(NUM_SPACES):
        if has(free, space):
            add_noise(s, space, rules.attractions[s.ring[space].card].noise)
