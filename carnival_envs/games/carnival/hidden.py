"""What a player does not know: other hands, the deck, the discard pile below its top card (section 12)."""

from __future__ import annotations

from carnival_envs.core.chance import Words, shuffle
from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnival.piles import take_from_deck, top_discard
from carnival_envs.games.carnival.seats import clockwise
from carnival_envs.games.carnival.state import EMPTY, NUM_ATTRACTIONS, NUM_PART_KINDS, NUM_PARTS, WILD


@kernel
def conceal(rules: Record, s: Record, player: int) -> None:
    """Forget what ``player`` does not see; the sizes of hands and piles are public (C-R43)."""
    for k in range(1, rules.num_players):
        s.players[clockwise(rules, player, k)].hand[:] = 0
    s.deck[:] = EMPTY
    for i in range(s.discard_size - 1):
        s.discard[i] = EMPTY


@kernel
def resample(rules: Record, s: Record, player: int, chance: Words) -> None:
    """Section 12: the cards that ``player`` can't see, shuffled and dealt anew."""
    deck_size = int(s.deck_size)
    pool_unseen_cards(rules, s, player)
    shuffle(chance, s.deck, s.deck_size)
    for k in range(1, rules.num_players):
        deal_hand(s, s.players[clockwise(rules, player, k)])
    for i in range(s.discard_size - 1):
        s.discard[i] = take_from_deck(s)
    s.deck_size = deck_size


@kernel
def pool_unseen_cards(rules: Record, s: Record, player: int) -> None:
    """Section 12, step 1: all cards but those that ``player`` sees become the deck, in ascending kind order."""
    s.deck[:] = EMPTY
    s.deck_size = 0
    for kind in range(NUM_PART_KINDS):
        add_to_deck(s, kind, rules.copies - seen_parts(rules, s, player, kind))
    add_to_deck(s, WILD, rules.wilds - seen_wilds(rules, s, player))


@kernel
def add_to_deck(s: Record, kind: int, number: int) -> None:
    """Put some cards of a kind on the deck."""
    for _ in range(number):
        s.deck[s.deck_size] = kind
        s.deck_size += 1


@kernel
def seen_parts(rules: Record, s: Record, player: int, kind: int) -> int:
    """How many copies of a part card a player sees: in his hand, on Midways, on the discard pile."""
    attraction, part = kind // NUM_PARTS, kind % NUM_PARTS
    seen = s.players[player].hand[kind] + (top_discard(s) == kind)
    for seat in range(rules.num_players):
        seen += s.players[seat].midway.parts[attraction] >> part & 1
    return int(seen)


@kernel
def seen_wilds(rules: Record, s: Record, player: int) -> int:
    """How many Wilds a player sees: in his hand, on Midways, in the air, on the discard pile."""
    seen = s.players[player].hand[WILD] + (top_discard(s) == WILD) + s.place_count
    for seat in range(rules.num_players):
        for attraction in range(NUM_ATTRACTIONS):
            seen += s.players[seat].midway.wilds[attraction]
    return int(seen)


@kernel
def deal_hand(s: Record, me: Record) -> None:
    """Section 12, step 3: a new hand of the old size from the top of the deck."""
    me.hand[:] = 0
    for _ in range(me.hand_size):
        me.hand[take_from_deck(s)] += 1
