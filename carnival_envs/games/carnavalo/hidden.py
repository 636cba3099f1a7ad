"""Who knows what: the view of a player, and random states behind it (sections 4, 10 and 11).

Hidden from a player are the others' hands and laid-aside cards, the values of their face-down cards, all movement
tokens but his own, the tokens below the open ones, and the boxes.
"""

from __future__ import annotations

from carnival_envs.core.chance import Words, shuffle
from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.setup import copy_items, fill_deck
from carnival_envs.games.carnavalo.state import (
    NO_SETUP_CARD,
    NUM_PARADE_TOKENS,
    NUM_TENT_TOKENS,
    NUM_TENTS,
    NUM_VALUES,
    SETUP_CARD,
)
from carnival_envs.games.carnavalo.tents import UNKNOWN_VALUE, card, owner_of, value_of
from carnival_envs.games.carnavalo.tokens import holds_token, open_parade_token, open_tent_token

# The view -----------------------------------------------------------------------------------------------------------


@kernel
def conceal(rules: Record, s: Record, player: int) -> None:
    """Turn a state into the view of a player."""
    for other in range(rules.num_players):
        if other != player:
            conceal_seat(s.players[other])
    for t in range(NUM_TENTS):
        conceal_tent(s.tents[t], player)
    s.movement_stack[:] = 0
    s.parade_tokens[: max(s.parade_tokens_left - 1, 0)] = 0
    s.parade_box[:] = 0
    if rules.advanced:
        s.tent_box[:] = 0


@kernel
def conceal_seat(other: Record) -> None:
    """What another player holds; how much it is stays visible."""
    other.hand = 0
    other.setup_card = NO_SETUP_CARD
    other.movement_tokens = 0


@kernel
def conceal_tent(tent: Record, player: int) -> None:
    """The values of the others' face-down cards, and the tokens below the open one."""  # O-R17, O-R18
    for place in range(tent.face_down):
        owner = owner_of(tent.cards[place])
        if owner != player:
            tent.cards[place] = card(owner, UNKNOWN_VALUE)
    tent.tokens[: max(tent.tokens_left - 1, 0)] = 0


# Random states behind it --------------------------------------------------------------------------------------------


@kernel
def resample(rules: Record, s: Record, player: int, chance: Words) -> None:
    """Deal anew what a player does not know, in the order of section 11."""
    for k in range(1, rules.num_players):
        resample_cards(rules, s, (player + k) % rules.num_players, chance)
    if s.phase != SETUP_CARD:
        resample_movement_tokens(rules, s, player, chance)
        resample_tent_tokens(rules, s, chance)
        resample_parade_tokens(rules, s, chance)
    s.deck[:] = 0


@kernel
def resample_cards(rules: Record, s: Record, other: int, chance: Words) -> None:
    """Another player's cards that lie face up nowhere: laid aside, face down in the tents, in the hand."""
    left = fill_deck_with_values(s, unseen_values(s, other))
    shuffle(chance, s.deck, left)
    him = s.players[other]
    used = 0
    if s.phase == SETUP_CARD and other < s.actor:
        him.setup_card = s.deck[used]
        used += 1
    for t in range(NUM_TENTS):
        tent = s.tents[t]
        for place in range(tent.face_down):
            if owner_of(tent.cards[place]) == other:
                tent.cards[place] = card(other, s.deck[used])
                used += 1
    him.hand = 0
    for place in range(used, left):
        him.hand += 1 << s.deck[place]


@kernel
def unseen_values(s: Record, player: int) -> int:
    """The set of a player's values that lie face up nowhere."""
    seen = 0
    for t in range(NUM_TENTS):
        tent = s.tents[t]
        for place in range(tent.face_down, tent.height):
            seen |= value_if_owned(tent.cards[place], player)
    for place in range(s.parade_size):
        seen |= value_if_owned(s.parade[place], player)
    return ~(seen | value_if_owned(s.middle, player))


@kernel
def value_if_owned(card: int, player: int) -> int:
    """The set that holds the value of a card of this player; empty for others' cards."""
    return 1 << value_of(card) if owner_of(card) == player else 0


@kernel
def fill_deck_with_values(s: Record, values: int) -> int:
    """Put a set of values into the deck, ascending; returns how many there are."""
    size = 0
    for value in range(1, NUM_VALUES + 1):
        if values >> value & 1:
            s.deck[size] = value
            size += 1
    return size


@kernel
def resample_movement_tokens(rules: Record, s: Record, player: int, chance: Words) -> None:
    """The movement tokens that a player does not hold: in the others' hands, and in the stack."""
    left = 0
    for token in range(NUM_TENTS):
        if not holds_token(s.players[player], token):
            s.deck[left] = token
            left += 1
    shuffle(chance, s.deck, left)
    used = 0
    for k in range(1, rules.num_players):
        other = s.players[(player + k) % rules.num_players]
        other.movement_tokens = 0
        for _ in range(other.num_movement_tokens):
            other.movement_tokens += 1 << s.deck[used]
            used += 1
    copy_items(s.deck, used, s.movement_stack, s.movement_stack_height)


@kernel
def resample_tent_tokens(rules: Record, s: Record, chance: Words) -> None:
    """The unopened tent tokens: in the stacks below the open ones and, in the advanced variant, in the box."""
    left = fill_deck_with_unopened_tent_tokens(rules, s)
    shuffle(chance, s.deck, left)
    used = 0
    for t in range(NUM_TENTS):
        tent = s.tents[t]
        for place in range(tent.tokens_left - 1):
            tent.tokens[place] = s.deck[used]
            used += 1
    copy_items(rules.tent_box, 0, s.tent_box, NUM_TENT_TOKENS)
    for place in range(used, left):
        s.tent_box[s.deck[place]] += 1


@kernel
def fill_deck_with_unopened_tent_tokens(rules: Record, s: Record) -> int:
    """All tent tokens that were shuffled, without the open and the won ones; returns how many there are."""
    unopened = s.tent_box  # rewritten right after
    copy_items(rules.tent_token_counts, 0, unopened, NUM_TENT_TOKENS)
    for t in range(NUM_TENTS):
        if s.tents[t].tokens_left > 0:
            unopened[open_tent_token(s.tents[t])] -= 1
    for player in range(rules.num_players):
        for kind in range(NUM_TENT_TOKENS):
            unopened[kind] -= s.players[player].won_tent_tokens[kind]
    return fill_deck(s, unopened, NUM_TENT_TOKENS)


@kernel
def resample_parade_tokens(rules: Record, s: Record, chance: Words) -> None:
    """The unopened parade tokens: in the stack below the open one, and in the box."""
    left = fill_deck_with_unopened_parade_tokens(rules, s)
    shuffle(chance, s.deck, left)
    hidden = max(s.parade_tokens_left - 1, 0)
    copy_items(s.deck, 0, s.parade_tokens, hidden)
    s.parade_box[:] = 0
    for place in range(hidden, left):
        s.parade_box[s.deck[place]] += 1


@kernel
def fill_deck_with_unopened_parade_tokens(rules: Record, s: Record) -> int:
    """All parade tokens without the open and the won ones; returns how many there are."""
    unopened = s.parade_box  # rewritten right after
    copy_items(rules.parade_token_counts, 0, unopened, NUM_PARADE_TOKENS)
    if s.parade_tokens_left > 0:
        unopened[open_parade_token(s)] -= 1
    for player in range(rules.num_players):
        for kind in range(NUM_PARADE_TOKENS):
            unopened[kind] -= s.players[player].won_parade_tokens[kind]
    return fill_deck(s, unopened, NUM_PARADE_TOKENS)
