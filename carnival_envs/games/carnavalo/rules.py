"""The course of play: what may be done, what it does, and who is next (sections 6 and 7 of the specification)."""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import OVER, Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.actions import (
    DIRECT,
    END,
    MOVE,
    PASS,
    PLAY,
    RETURN,
    SETUP,
    TOKEN,
    direct_action,
    move_action,
    play_action,
    token_action,
)
from carnival_envs.games.carnavalo.citizens import advance_disc, arrive, walk
from carnival_envs.games.carnavalo.days import count_day, day_is_over, somebody_has_enough_discs, take_cards_back
from carnival_envs.games.carnavalo.setup import choose_setup_card, new_game
from carnival_envs.games.carnavalo.state import (
    AFTER_ACTION,
    BEFORE_ACTION,
    DAY_END,
    DAYS,
    DISCS,
    DOWN,
    GAME_OVER,
    MAX_RING,
    MAX_TURNS,
    NO_RETURN,
    NOBODY,
    NUM_CITIZENS,
    NUM_TENTS,
    NUM_VALUES,
    RETURN_TOKENS,
    SETUP_CARD,
    SIDES,
    TURN_END,
    UP,
)
from carnival_envs.games.carnavalo.tents import (
    card,
    is_blocked,
    lay_on_top,
    podium_card,
    podium_holder,
    slide_under,
    value_of,
)
from carnival_envs.games.carnavalo.tokens import holds_token, lowest_token, put_token_under_stack, take_top_token

__all__ = ["apply_action", "carry_out", "legal_actions", "new_game"]

# What may be done ---------------------------------------------------------------------------------------------------


@kernel
def legal_actions(rules: Record, s: Record, mask: Mask) -> None:
    """Mark what the actor may do: the table of section 6."""
    me = s.players[s.actor]
    if s.phase == SETUP_CARD:
        allow_setup_cards(me, mask)
    elif s.phase == BEFORE_ACTION:
        allow_movements(s, mask)
        allow_card_plays(rules, s, me, mask)
        allow_tokens(s, me, mask)
        if s.ring == 0 and me.hand_size == 0:  # O-R3
            mask[PASS] = 1
    elif s.phase == AFTER_ACTION:
        allow_tokens(s, me, mask)
        mask[END] = 1
    else:
        allow_returns(me, mask)


@kernel
def allow_setup_cards(me: Record, mask: Mask) -> None:
    """Any card of the full hand."""  # O-4
    for value in range(1, NUM_VALUES + 1):
        mask[SETUP + value - 1] = me.hand >> value & 1


@kernel
def allow_movements(s: Record, mask: Mask) -> None:
    """Any citizen, by at most the ring's number: none with the ring on 0."""  # O-22, O-25
    for citizen in range(NUM_CITIZENS):
        for distance in range(1, s.ring + 1):
            mask[move_action(citizen, distance)] = 1


@kernel
def allow_card_plays(rules: Record, s: Record, me: Record, mask: Mask) -> None:
    """Face up into an empty tent; face up or face down where another player holds the podium card."""  # O-27..O-30
    for t in range(NUM_TENTS):
        holder = podium_holder(s.tents[t])
        if holder == s.actor or is_blocked(rules, s, t):  # O-33, O-44
            continue
        for value in range(1, NUM_VALUES + 1):
            in_hand = me.hand >> value & 1
            mask[play_action(value, t, UP)] = in_hand
            mask[play_action(value, t, DOWN)] = in_hand if holder != NOBODY else 0


@kernel
def allow_tokens(s: Record, me: Record, mask: Mask) -> None:
    """Each own movement token, with any citizen: by at most the ring's number, or directly."""  # O-16..O-18
    if me.num_movement_tokens == 0:
        return
    for token in range(NUM_TENTS):
        if holds_token(me, token):
            allow_token(s, token, mask)


@kernel
def allow_token(s: Record, token: int, mask: Mask) -> None:
    """One movement token."""
    for citizen in range(NUM_CITIZENS):
        mask[direct_action(token, citizen)] = 1
        for distance in range(1, s.ring + 1):
            mask[token_action(token, citizen, distance)] = 1


@kernel
def allow_returns(me: Record, mask: Mask) -> None:
    """Any of the own movement tokens is the next to go under the stack."""  # O-36
    for token in range(NUM_TENTS):
        mask[RETURN + token] = me.movement_tokens >> token & 1


# What it does -------------------------------------------------------------------------------------------------------


@kernel
def apply_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Apply a legal action and go on to the next decision."""
    if action < MOVE:
        choose_setup_card(rules, s, chance, action - SETUP + 1)
    elif action < RETURN:
        carry_out(rules, s, action)
        continue_turn(rules, s, action < TOKEN)
    elif action < END:
        return_token(rules, s, action - RETURN)
    elif action == END:
        end_turn(rules, s)
    else:
        continue_turn(rules, s, True)  # a pass, O-R3


@kernel
def carry_out(rules: Record, s: Record, action: int) -> None:
    """The effect of a movement, a card play or a movement token on the table, whatever follows."""
    if action < PLAY:
        citizen, steps = divmod(action - MOVE, MAX_RING)
        move_citizen(rules, s, citizen, steps + 1)
    elif action < TOKEN:
        card_and_tent, side = divmod(action - PLAY, len(SIDES))
        value, tent = divmod(card_and_tent, NUM_TENTS)
        play_card(s, value + 1, tent, side)
    elif action < DIRECT:
        token_and_citizen, steps = divmod(action - TOKEN, MAX_RING)
        token, citizen = divmod(token_and_citizen, NUM_CITIZENS)
        move_citizen(rules, s, citizen, steps + 1)
        put_token_under_stack(s, s.players[s.active], token)  # O-20
    else:
        token, citizen = divmod(action - DIRECT, NUM_CITIZENS)
        send_citizen(rules, s, citizen, token)
        put_token_under_stack(s, s.players[s.active], token)


@kernel
def move_citizen(rules: Record, s: Record, citizen: int, distance: int) -> None:
    """Move a citizen by a distance; the ring goes to it."""  # O-17, O-19, O-22, O-24
    walk(rules, s, citizen, distance)
    s.ring = distance


@kernel
def send_citizen(rules: Record, s: Record, citizen: int, tent: int) -> None:
    """Move a citizen directly to the tent of a token; the ring goes to 0."""  # O-18, O-19, O-26
    arrive(rules, s, citizen, rules.tent_spaces[tent])
    s.ring = 0


@kernel
def play_card(s: Record, value: int, t: int, side: int) -> None:
    """Play a hand card into a tent; the ring goes to the value of its podium card."""  # O-27, O-34
    me = s.players[s.active]
    tent = s.tents[t]
    me.hand -= 1 << value
    me.hand_size -= 1
    holder = podium_holder(tent)
    if side == UP:
        lay_on_top(tent, card(s.active, value))
        if holder != NOBODY:
            advance_disc(s, holder, t)  # O-31
    else:
        slide_under(tent, card(s.active, value))
        take_top_token(s, s.players[holder])  # O-32
    s.ring = value_of(podium_card(tent))


# Who is next --------------------------------------------------------------------------------------------------------


@kernel
def continue_turn(rules: Record, s: Record, action_done: bool) -> None:
    """Go on after an effect: the day may be over, else the turn goes on while there is something to decide."""  # O-15
    if day_is_over(rules, s):  # O-46, O-47
        give_tokens_back(rules, s, DAY_END)
        return
    if action_done:
        s.phase = AFTER_ACTION
    if s.phase == AFTER_ACTION and s.players[s.active].num_movement_tokens == 0:
        next_turn(rules, s)  # the ring stays, O-36


@kernel
def end_turn(rules: Record, s: Record) -> None:
    """End a turn with movement tokens left over: they go back, and the ring goes to 0."""  # O-36
    s.ring = 0
    give_tokens_back(rules, s, TURN_END)


@kernel
def return_token(rules: Record, s: Record, token: int) -> None:
    """Put the chosen movement token under the stack, above those that follow."""  # O-36
    put_token_under_stack(s, s.players[s.active], token)
    give_tokens_back(rules, s, s.return_reason)


@kernel
def give_tokens_back(rules: Record, s: Record, reason: int) -> None:
    """The active player's tokens go under the stack; while there are 2 or more he chooses which is next."""
    me = s.players[s.active]
    if me.num_movement_tokens > 1:
        s.phase = RETURN_TOKENS
        s.return_reason = reason
        return
    if me.num_movement_tokens == 1:
        put_token_under_stack(s, me, lowest_token(me))
    s.return_reason = NO_RETURN
    if reason == TURN_END:
        next_turn(rules, s)
    else:
        end_day(rules, s)


@kernel
def next_turn(rules: Record, s: Record) -> None:
    """The turn is done, the next player clockwise begins his."""  # O-14
    s.turns += 1
    begin_turn(rules, s)


@kernel
def end_day(rules: Record, s: Record) -> None:
    """Count the day; then the game is over, or the next day begins."""  # O-68
    count_day(rules, s)
    s.turns += 1
    if somebody_has_enough_discs(rules, s):  # before the days, O-R44
        end_game(s, DISCS)
    elif s.day == rules.days:
        end_game(s, DAYS)
    else:
        take_cards_back(rules, s)
        s.day += 1
        begin_turn(rules, s)  # O-67


@kernel
def begin_turn(rules: Record, s: Record) -> None:
    """The player clockwise from the active one is to act, unless the game is cut off."""
    s.active = s.active + 1 if s.active + 1 < rules.num_players else 0
    s.actor = s.active
    s.phase = BEFORE_ACTION
    if s.turns >= rules.max_turns:  # O-R20, O-R21
        s.truncated = 1
        end_game(s, MAX_TURNS)


@kernel
def end_game(s: Record, reason: int) -> None:
    """The game is over; everything stays as it is."""  # O-R36
    s.phase = GAME_OVER
    s.actor = OVER
    s.end_reason = reason
