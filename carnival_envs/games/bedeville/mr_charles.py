"""Mr. Charles (section 7.10 of the specification): steps 0 to 5 of B-58."""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import phases, steps
from carnival_envs.games.bedeville.board import character_on, next_space
from carnival_envs.games.bedeville.components import NUM_COLOURS
from carnival_envs.games.bedeville.furball import chase_from
from carnival_envs.games.bedeville.piles import pop, shuffle_into
from carnival_envs.games.bedeville.sets import only
from carnival_envs.games.bedeville.stalls import discard_prize
from carnival_envs.games.bedeville.state import NONE
from carnival_envs.games.bedeville.supplies import joy_of, remove_noise, return_joy


@kernel
def loudest_space(rules: Record, s: Record) -> int:
    """B-53: the first space with the highest Noise in facing direction, his own one excluded (B-R19)."""
    loudest = space = next_space(rules, s.charles.space, s.charles.dir)
    while space != s.charles.space:
        if s.ring[space].noise > s.ring[loudest].noise:
            loudest = space
        space = next_space(rules, space, s.charles.dir)
    return loudest


@kernel
def move_charles(rules: Record, s: Record, space: int) -> int:
    """He arrives: Furball is chased (0), a Character is caught and its owner discards a Joy token (1)."""
    s.charles.space = space
    chase_from(rules, s, space)
    owner = character_on(rules, s, space)
    if owner == NONE:
        return steps.CHARLES_REST
    s.players[owner].space = NONE
    if joy_of(s, owner) == 0:
        return steps.CHARLES_REST
    s.actor = owner
    return phases.CAUGHT


@kernel
def discard_caught_joy(s: Record, colour: int) -> int:
    """The owner of the caught Character gives up a Joy token of choice."""
    return_joy(s, s.actor, colour)
    s.actor = s.active
    return steps.CHARLES_REST


@kernel
def charles_rest(rules: Record, s: Record, chance: Words) -> int:
    """Card (2), Noise and Joy (3) leave his space, a new card is laid (4), he turns round (5)."""
    space = s.charles.space
    discard_card(s, space)
    return_markers(s, space)
    lay_card(s, chance, space)
    s.charles.dir = -s.charles.dir
    if rules.beginner:
        discard_prize(s, space)  # B-64
    return steps.FINISH_TOKEN if s.ctx.token != NONE else steps.FINISH_ACTION


@kernel
def discard_card(s: Record, space: int) -> None:
    """The Attraction is discarded; one that is in use will get no Noise any more (B-R23)."""
    card = s.ring[space].card
    s.attraction_discard |= only(card)
    if card == s.ctx.used_card:
        s.ctx.used_card = NONE


@kernel
def return_markers(s: Record, space: int) -> None:
    """Noise and Joy on an Attraction return to the supplies."""
    remove_noise(s, space, s.ring[space].noise)
    for colour in range(NUM_COLOURS):
        s.joy_supply[colour] += s.ring[space].joy[colour]
        s.ring[space].joy[colour] = 0


@kernel
def lay_card(s: Record, chance: Words, space: int) -> None:
    """A new Attraction from the deck, for which the discards are shuffled if need be; no starting Noise (B-R24)."""
    if s.attraction_deck.height == 0:
        shuffle_into(chance, s.attraction_discard, s.attraction_deck)
        s.attraction_discard = 0
    s.ring[space].card = pop(s.attraction_deck)
