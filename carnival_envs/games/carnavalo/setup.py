"""The set-up of a game (section 5 of the specification)."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words, shuffle
from carnival_envs.core.interface import NOT_ENDED, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import (
    ALL_VALUES,
    BEFORE_ACTION,
    MAX_PLAYERS,
    NO_CARD,
    NO_RETURN,
    NO_SETUP_CARD,
    NO_TENT,
    NUM_CITIZENS,
    NUM_PARADE_TOKENS,
    NUM_SPACES,
    NUM_TENT_TOKENS,
    NUM_TENTS,
    NUM_VALUES,
    PRINCE,
    SETUP_CARD,
    STACK_HEIGHT,
)
from carnival_envs.games.carnavalo.tents import card, lay_on_top, podium_holder

Items: TypeAlias = npt.NDArray[np.signedinteger[Any]]


@kernel
def new_game(rules: Record, s: Record, chance: Words) -> None:
    """Lay out the board; the first player chooses his setup card. Draws nothing."""
    clear_table(s)
    s.phase = SETUP_CARD
    s.active = 0
    s.actor = 0
    s.truncated = 0
    s.end_reason = NOT_ENDED
    s.turns = 0
    s.day = 1
    s.ring = rules.ring_start  # O-11
    copy_items(rules.citizen_starts, 0, s.citizens, NUM_CITIZENS)  # O-10
    s.floats_left = rules.days  # O-9
    for player in range(rules.num_players):
        s.players[player].hand = ALL_VALUES  # O-2
        s.players[player].hand_size = NUM_VALUES


@kernel
def clear_table(s: Record) -> None:
    """Take everything off the table. All discs are back on their start fields."""  # O-3
    s.middle = NO_CARD
    s.parade[:] = NO_CARD
    s.parade_size = 0
    s.movement_stack[:] = 0
    s.movement_stack_height = 0
    s.tent_box[:] = 0
    s.parade_tokens[:] = 0
    s.parade_tokens_left = 0
    s.parade_box[:] = 0
    s.return_reason = NO_RETURN
    s.deck[:] = 0
    for t in range(NUM_TENTS):
        clear_tent(s.tents[t])
    for player in range(MAX_PLAYERS):
        clear_seat(s.players[player])


@kernel
def clear_tent(tent: Record) -> None:
    """No cards in a tent and no tokens beside it."""
    tent.cards[:] = NO_CARD
    tent.height = 0
    tent.face_down = 0
    tent.tokens[:] = 0
    tent.tokens_left = 0


@kernel
def clear_seat(me: Record) -> None:
    """Nothing before a player, and nothing in his hand."""
    me.hand = 0
    me.hand_size = 0
    me.setup_card = NO_SETUP_CARD
    me.discs[:] = 0
    me.movement_tokens = 0
    me.num_movement_tokens = 0
    me.won_tent_tokens[:] = 0
    me.won_parade_tokens[:] = 0
    me.owns_float = 0


@kernel
def choose_setup_card(rules: Record, s: Record, chance: Words, value: int) -> None:
    """Lay a card aside unseen; when all have chosen, everything is dealt."""  # O-4
    me = s.players[s.actor]
    me.hand -= 1 << value
    me.hand_size -= 1
    me.setup_card = value
    if s.actor + 1 < rules.num_players:
        s.actor += 1
    else:
        deal(rules, s, chance)


@kernel
def deal(rules: Record, s: Record, chance: Words) -> None:
    """Deal cards and tokens, and begin day 1."""
    deal_setup_cards(rules, s, chance)
    deal_movement_tokens(rules, s, chance)
    deal_tent_tokens(rules, s, chance)
    deal_parade_tokens(rules, s, chance)
    s.deck[:] = 0
    s.active = s.actor = first_player(rules, s)
    s.phase = BEFORE_ACTION


@kernel
def shuffle_tents(s: Record, chance: Words) -> None:
    """The numbers of the tents, shuffled, lie at the start of the deck."""
    for t in range(NUM_TENTS):
        s.deck[t] = t
    shuffle(chance, s.deck, NUM_TENTS)


@kernel
def deal_setup_cards(rules: Record, s: Record, chance: Words) -> None:
    """The chosen cards go face up to different tents at random."""  # O-5, O-12, O-R39
    shuffle_tents(s, chance)
    for player in range(rules.num_players):
        me = s.players[player]
        lay_on_top(s.tents[s.deck[player]], card(player, me.setup_card))
        me.setup_card = NO_SETUP_CARD


@kernel
def deal_movement_tokens(rules: Record, s: Record, chance: Words) -> None:
    """A movement token for each, whose disc in that tent starts on space 1; the rest is the stack."""  # O-6
    shuffle_tents(s, chance)
    for player in range(rules.num_players):
        me = s.players[player]
        me.movement_tokens = 1 << s.deck[player]
        me.num_movement_tokens = 1
        me.discs[s.deck[player]] = 1
    s.movement_stack_height = NUM_TENTS - rules.num_players
    copy_items(s.deck, rules.num_players, s.movement_stack, s.movement_stack_height)


@kernel
def deal_tent_tokens(rules: Record, s: Record, chance: Words) -> None:
    """A stack of 4 tokens beside each tent, its top open; what is left over goes to the box."""  # O-7, O-74
    size = fill_deck(s, rules.tent_token_counts, NUM_TENT_TOKENS)
    shuffle(chance, s.deck, size)
    for t in range(NUM_TENTS):
        copy_items(s.deck, t * STACK_HEIGHT, s.tents[t].tokens, STACK_HEIGHT)
        s.tents[t].tokens_left = STACK_HEIGHT
    copy_items(rules.tent_box, 0, s.tent_box, NUM_TENT_TOKENS)
    for place in range(NUM_TENTS * STACK_HEIGHT, size):
        s.tent_box[s.deck[place]] += 1


@kernel
def deal_parade_tokens(rules: Record, s: Record, chance: Words) -> None:
    """A stack of 4 tokens for the parade, its top open; the other 2 go to the box unseen."""  # O-8
    size = fill_deck(s, rules.parade_token_counts, NUM_PARADE_TOKENS)
    shuffle(chance, s.deck, size)
    copy_items(s.deck, 0, s.parade_tokens, STACK_HEIGHT)
    s.parade_tokens_left = STACK_HEIGHT
    for place in range(STACK_HEIGHT, size):
        s.parade_box[s.deck[place]] += 1


@kernel
def fill_deck(s: Record, counts: Items, kinds: int) -> int:
    """Put so many tokens of each kind into the deck, in order; returns how many there are."""
    size = 0
    for kind in range(kinds):
        for _ in range(counts[kind]):
            s.deck[size] = kind
            size += 1
    return size


@kernel
def copy_items(source: Items, start: int, target: Items, count: int) -> None:
    """Copy ``source[start : start + count]`` to the front of ``target``; a slice takes numba long to compile."""
    for i in range(count):
        target[i] = source[start + i]


@kernel
def first_player(rules: Record, s: Record) -> int:
    """The owner of the card in the first occupied tent that the Prince would reach."""  # O-13
    space = (s.citizens[PRINCE] + 1) % NUM_SPACES
    while rules.tent_at[space] == NO_TENT or s.tents[rules.tent_at[space]].height == 0:
        space = (space + 1) % NUM_SPACES
    return podium_holder(s.tents[rules.tent_at[space]])
