"""What a player does not know: how it is covered, and drawn anew (section 11 of the specification).

Both work from what the player sees alone. When the game is over nothing is hidden.
"""

from __future__ import annotations

from carnival_envs.core.chance import Words, below
from carnival_envs.core.interface import OVER, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import phases
from carnival_envs.games.bedeville.abilities import tokens_in_bag
from carnival_envs.games.bedeville.actions import HIDDEN_GAIN, HIDDEN_PICK
from carnival_envs.games.bedeville.attractions import blind_targets
from carnival_envs.games.bedeville.board import seat_of
from carnival_envs.games.bedeville.components import CHARLES, MONDAY, NUM_COLOURS, NUM_SPACES
from carnival_envs.games.bedeville.piles import clear, pop, shuffle_into, top
from carnival_envs.games.bedeville.sets import count, has, nth, only
from carnival_envs.games.bedeville.setup import ALL_PRIZES
from carnival_envs.games.bedeville.stalls import surcharge
from carnival_envs.games.bedeville.state import HIDDEN, NONE
from carnival_envs.games.bedeville.supplies import colours_in_supply

ALL_COLOURS = (1 << NUM_COLOURS) - 1


@kernel
def public_action(rules: Record, s: Record, action: int) -> int:
    """What the others may read of an action: of a secret choice only that it was made."""
    if s.phase == phases.LOVE:
        return HIDDEN_GAIN
    if s.phase == phases.BLIND:
        return HIDDEN_PICK
    return action


# Covering -----------------------------------------------------------------------------------------------------------


@kernel
def conceal(rules: Record, s: Record, player: int) -> None:
    """Cover what is behind other Screens, under the visible Prizes, in face-down piles and in the Bag."""
    if s.actor == OVER:
        return
    for seat in range(rules.num_players):
        if seat != player:
            cover_screen(s, seat)
    for space in range(NUM_SPACES):
        cover_pile(s.stalls[space], s.stalls[space].height - 1)
    cover_pile(s.attraction_deck, s.attraction_deck.height)
    cover_pile(s.prize_supply, s.prize_supply.height)
    if s.players[player].character != MONDAY:
        s.bag = 0
        s.token_unused = 0


@kernel
def cover_screen(s: Record, seat: int) -> None:
    """Joy, Prizes and the secret choice of another player; that there is a choice may be seen."""
    empty_screen(s, seat)
    if s.ctx.pending[seat] != NONE:
        s.ctx.pending[seat] = HIDDEN


@kernel
def empty_screen(s: Record, seat: int) -> None:
    """A player without Joy and Prizes."""
    for colour in range(NUM_COLOURS):
        s.players[seat].joy[colour] = 0
    s.players[seat].prizes = 0


@kernel
def cover_pile(pile: Record, covered: int) -> None:
    """The lowest items of a pile."""
    for place in range(covered):
        pile.items[place] = HIDDEN


# Drawing anew -------------------------------------------------------------------------------------------------------


@kernel
def resample(rules: Record, s: Record, player: int, chance: Words) -> None:
    """Draw anew what is hidden from ``player``, in the order of section 11."""
    if s.actor == OVER:
        return
    for seat in range(rules.num_players):
        if seat != player:
            empty_screen(s, seat)
    resample_joy(rules, s, player, chance)
    resample_prizes(rules, s, player, chance)
    if s.players[player].character != MONDAY:
        resample_tokens(rules, s, chance)
    resample_deck(rules, s, chance)
    resample_pending(rules, s, player, chance)


# 1. Joy


@kernel
def unseen_joy(rules: Record, s: Record, colour: int) -> int:
    """The tokens of a colour that are neither in the supply nor on Attractions nor held by anybody yet."""
    unseen = rules.joy_per_colour - s.joy_supply[colour]
    for space in range(NUM_SPACES):
        unseen -= s.ring[space].joy[colour]
    for seat in range(rules.num_players):
        unseen -= s.players[seat].joy[colour]
    return int(unseen)


@kernel
def take_unseen(rules: Record, s: Record, chance: Words, seat: int, colours: int) -> None:
    """A player takes a random unseen token of some colours."""
    tokens = 0
    for colour in range(NUM_COLOURS):
        if has(colours, colour):
            tokens += unseen_joy(rules, s, colour)
    place = below(chance, tokens)
    for colour in range(NUM_COLOURS):
        if not has(colours, colour):
            continue
        unseen = unseen_joy(rules, s, colour)
        if 0 <= place < unseen:
            s.players[seat].joy[colour] += 1
            return
        place -= unseen


@kernel
def resample_joy(rules: Record, s: Record, player: int, chance: Words) -> None:
    """First what is known about the others' holdings, then the rest."""
    n = rules.num_players
    for distance in range(1, n):
        seat = (player + distance) % n
        if has_first_joy(rules, s, seat):
            take_unseen(rules, s, chance, seat, ALL_COLOURS)
    if s.actor != player:
        take_what_actor_shows(rules, s, chance)
    for colour in range(NUM_COLOURS):
        for _ in range(unseen_joy(rules, s, colour)):
            seat = (player + 1 + below(chance, n - 1)) % n
            s.players[seat].joy[colour] += 1


@kernel
def has_first_joy(rules: Record, s: Record, seat: int) -> bool:
    """During the set-up: whether a player has taken the first Joy, his only one yet."""
    n = rules.num_players
    if s.phase == phases.FIRST_JOY:
        return bool((seat - s.first_player) % n < (s.actor - s.first_player) % n)
    return bool(s.phase == phases.START_SPACE)


@kernel
def take_what_actor_shows(rules: Record, s: Record, chance: Words) -> None:
    """The Joy that another player must hold, as he would not have to decide otherwise."""
    if s.phase == phases.WINDOW or s.phase == phases.END_WINDOW or s.phase == phases.PRE_DRAW:
        s.players[s.actor].joy[rules.ability_cost[s.players[s.actor].character]] += 1
    elif s.phase == phases.CAUGHT:
        take_unseen(rules, s, chance, s.actor, ALL_COLOURS)
    elif s.phase == phases.DRAGON:
        take_unseen(rules, s, chance, s.actor, exchangeable(s))
    elif s.phase == phases.PAY:
        for _ in range(s.ctx.pay_left):
            take_unseen(rules, s, chance, s.actor, ALL_COLOURS)
    elif s.phase == phases.ACCOUNT:
        take_account(rules, s, chance)


@kernel
def exchangeable(s: Record) -> int:
    """The colours that can be exchanged: another colour is in the supply."""
    supply = colours_in_supply(s)
    colours = 0
    for colour in range(NUM_COLOURS):
        if supply & ~only(colour):
            colours |= only(colour)
    return colours


@kernel
def take_account(rules: Record, s: Record, chance: Words) -> None:
    """Albert holds what one of the ways to account for the Prize takes."""
    choices = 0
    for freed in range(NUM_COLOURS + 1):
        if can_account(rules, s, freed):
            choices |= only(freed)
    freed = nth(choices, below(chance, count(choices)))
    card = rules.prizes[top(s.stalls[s.ctx.buy_space])]
    me = s.players[s.actor]
    for colour in range(NUM_COLOURS):
        me.joy[colour] += card.cost[colour] - (colour == freed)
    for _ in range(card.skulls + surcharge(rules, me, s.ctx.buy_space) + (freed < NUM_COLOURS)):
        take_unseen(rules, s, chance, s.actor, ALL_COLOURS)


@kernel
def can_account(rules: Record, s: Record, freed: int) -> bool:
    """Whether the coloured cost, but for one token of ``freed`` (``NUM_COLOURS``: none), is among the unseen Joy."""
    card = rules.prizes[top(s.stalls[s.ctx.buy_space])]
    if freed < NUM_COLOURS and card.cost[freed] == 0:
        return False
    lacking = 0
    for colour in range(NUM_COLOURS):
        lacking += max(0, card.cost[colour] - (colour == freed) - unseen_joy(rules, s, colour))
    return bool(lacking == 0)


# 2. Prizes


@kernel
def resample_prizes(rules: Record, s: Record, player: int, chance: Words) -> None:
    """The unknown ones go to the covered places, to the supply, and to the others."""
    n = rules.num_players
    known = s.players[player].prizes | s.prize_discard
    for space in range(NUM_SPACES):
        if s.stalls[space].height > 0:
            known |= only(top(s.stalls[space]))
    shuffle_into(chance, ALL_PRIZES & ~known, s.scratch)
    for space in range(NUM_SPACES):
        for place in range(s.stalls[space].height - 1):
            s.stalls[space].items[place] = pop(s.scratch)
    for place in range(s.prize_supply.height):
        s.prize_supply.items[place] = pop(s.scratch)
    while s.scratch.height > 0:
        prize = pop(s.scratch)
        s.players[(player + 1 + below(chance, n - 1)) % n].prizes |= only(prize)


# 3. Tokens


@kernel
def resample_tokens(rules: Record, s: Record, chance: Words) -> None:
    """What is neither seen nor certain to be in the Bag is divided anew between Bag and left-over tokens."""
    seen = s.token_board | s.ctx.drawn
    if s.ctx.token != NONE:
        seen |= only(s.ctx.token)
    unknown = rules.tokens & ~seen
    s.bag = certain_in_bag(rules, s) & unknown
    shuffle_into(chance, unknown & ~s.bag, s.scratch)
    while count(s.bag) < tokens_in_bag(s):
        s.bag |= only(pop(s.scratch))
    s.token_unused = unknown & ~s.bag
    clear(s.scratch)


@kernel
def certain_in_bag(rules: Record, s: Record) -> int:
    """Fixed tokens, which Monday may have in her pool but for Mr. Charles, and those that #Boredom returned."""
    tokens = rules.fixed_tokens if seat_of(rules, s, MONDAY) == NONE else only(CHARLES)
    if s.phase == phases.BOREDOM:
        for index in range(s.ctx.num_picked):
            tokens |= only(s.ctx.picked[index])
    return tokens


# 4. Attraction deck


@kernel
def resample_deck(rules: Record, s: Record, chance: Words) -> None:
    """Its cards are known, as all others can be seen; their order is not."""
    seen = s.attraction_discard
    for space in range(NUM_SPACES):
        if s.ring[space].card != NONE:
            seen |= only(s.ring[space].card)
    s.attraction_deck.height = 0
    shuffle_into(chance, rules.cards & ~seen, s.attraction_deck)


# 5. Secret choices


@kernel
def resample_pending(rules: Record, s: Record, player: int, chance: Words) -> None:
    """Each of the others that have chosen, in order, chooses anew."""
    for distance in range(1, rules.num_players):
        seat = (player + distance) % rules.num_players
        if s.ctx.pending[seat] != NONE:
            choices = colours_in_supply(s) if s.phase == phases.LOVE else blind_targets(rules, s)
            s.ctx.pending[seat] = nth(choices, below(chance, count(choices)))
