"""The actions of the 19 Attractions (section 7.7 of the specification), one section an Attraction.

Each section begins with the function that performs the action; where it asks for choices, their options and what
they do follow. An action that is impossible goes straight to ``FINISH_ACTION`` (B-22). Choices that several
Attractions ask for stand at the end.
"""

from __future__ import annotations

from carnival_envs.core.chance import Words
from carnival_envs.core.interface import Mask, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import actions, phases, steps
from carnival_envs.games.bedeville.actions import offer
from carnival_envs.games.bedeville.board import (
    CLOCKWISE,
    COUNTERCLOCKWISE,
    character_spaces,
    first_among,
    nearest,
    next_space,
    seat_of,
    space_of,
    unoccupied,
    walk,
)
from carnival_envs.games.bedeville.components import (
    BLIND_SHOT,
    CASTLE_OF_HORROR,
    CHARLES,
    DEEP_SEA_RIDE,
    DEVILS_RODEO,
    DRAGON_LOOP,
    ETERNAL_LOVE,
    FIGURE_OF_CHARLES,
    FIGURE_OF_FURBALL,
    FLOW_OF_THE_UNDEAD,
    FORTUNE_TELLER,
    FREAKS,
    FURBALL,
    GLUTTON,
    JOY_WHEEL,
    KRAKEN_TENTACLES,
    LUCKY_TRAP,
    MEMORY_CAROUSEL,
    MILL_OF_BEDEVILLE,
    NUM_COLOURS,
    ONE_WAY,
    SLIMY_BOWLING_ALLEY,
    TICKET_BOOTH,
)
from carnival_envs.games.bedeville.context import pick
from carnival_envs.games.bedeville.ending import game_over
from carnival_envs.games.bedeville.furball import chase_from, land
from carnival_envs.games.bedeville.mr_charles import move_charles
from carnival_envs.games.bedeville.piles import pop, push, shuffle_into
from carnival_envs.games.bedeville.sets import count, has, lowest, only
from carnival_envs.games.bedeville.stalls import move_prize, stocked
from carnival_envs.games.bedeville.state import FROM_FORTUNE, FROM_JOY_WHEEL, JOY_EXHAUSTED, NONE
from carnival_envs.games.bedeville.supplies import (
    add_noise,
    colours_in_supply,
    exchange_joy,
    exchanges,
    noisy,
    remove_noise,
    take_joy,
)
from carnival_envs.games.bedeville.tokens import draw_from_bag, look_into_bag, prank_stall, set_token

JOY_FOR_CHARLES, JOY_FOR_FURBALL = 2, 1
"""What the Joy Wheel gives for the two tokens that count (B-40)."""


@kernel
def perform(rules: Record, s: Record, chance: Words) -> int:
    """The action of the Attraction in use."""
    card = s.ctx.used_card
    if card == TICKET_BOOTH:
        return ticket_booth(s)
    if card == ETERNAL_LOVE:
        return eternal_love(s)
    if card == MEMORY_CAROUSEL:
        return memory_carousel()
    if card == BLIND_SHOT:
        return blind_shot(rules, s)
    if card == GLUTTON:
        return glutton(s)
    if card == MILL_OF_BEDEVILLE:
        return mill_of_bedeville()
    if card == DEEP_SEA_RIDE:
        return deep_sea_ride(s)
    if card == DRAGON_LOOP:
        return dragon_loop(s)
    if card == JOY_WHEEL:
        return joy_wheel(s, chance)
    if card == CASTLE_OF_HORROR:
        return castle_of_horror(rules, s)
    if card == ONE_WAY:
        return one_way(rules, s)
    if card == FORTUNE_TELLER:
        return fortune_teller(s, chance)
    if card == FLOW_OF_THE_UNDEAD:
        return flow_of_the_undead(s)
    if card == LUCKY_TRAP:
        return lucky_trap(s)
    if card == SLIMY_BOWLING_ALLEY:
        return slimy_bowling_alley(rules, s)
    if card == DEVILS_RODEO:
        return devils_rodeo()
    if card == KRAKEN_TENTACLES:
        return kraken_tentacles(rules, s)
    if card == FREAKS:
        return freaks()
    return soul_reflection(rules, s)


@kernel
def attraction_options(rules: Record, s: Record, mask: Mask) -> None:
    """The choices in the phases from ``love`` to ``prize_discard``."""
    if s.phase == phases.LOVE:
        offer(mask, actions.GAIN, colours_in_supply(s))
    elif s.phase == phases.TWO_SPACES:
        two_spaces_options(rules, s, mask)
    elif s.phase == phases.BLIND:
        offer(mask, actions.PICK, blind_targets(rules, s))
    elif s.phase == phases.GLUTTON:
        glutton_options(rules, s, mask)
    elif s.phase == phases.BOOTH:
        offer(mask, actions.TOKEN, s.token_board)
    elif s.phase == phases.NOISE_SOURCE:
        noise_source_options(s, mask)
    elif s.phase == phases.NOISE_COUNT:
        noise_count_options(rules, s, mask)
    elif s.phase == phases.NOISE_DEST:
        offer(mask, actions.PICK, rules.spaces & ~only(s.ctx.picked[0]))
    elif s.phase == phases.DRAGON:
        dragon_options(s, mask)
    elif s.phase == phases.FIGURE:
        offer(mask, actions.FIGURE, figures(rules, s))
    elif s.phase == phases.FIGURE_DEST:
        offer(mask, actions.PICK, figure_targets(rules, s))
    elif s.phase == phases.FREAKS:
        offer(mask, actions.PICK, rules.spaces & ~only(s.furball))
    else:
        offer(mask, actions.PICK, stocked(s))


@kernel
def attraction_choice(rules: Record, s: Record, chance: Words, action: int) -> int:
    """A choice in the phases from ``love`` to ``prize_discard``."""
    space = action - actions.PICK
    if s.phase == phases.LOVE:
        return love_choice(rules, s, action - actions.GAIN)
    if s.phase == phases.TWO_SPACES:
        return two_spaces_choice(rules, s, space)
    if s.phase == phases.BLIND:
        return blind_choice(rules, s, space)
    if s.phase == phases.GLUTTON:
        return glutton_choice(s, space)
    if s.phase == phases.BOOTH:
        return booth_token(s, action - actions.TOKEN)
    if s.phase == phases.NOISE_SOURCE:
        return noise_source_choice(s, action)
    if s.phase == phases.NOISE_COUNT:
        return noise_count_choice(s, 1 + action - actions.COUNT)
    if s.phase == phases.NOISE_DEST:
        return noise_dest_choice(s, space)
    if s.phase == phases.DRAGON:
        return dragon_choice(rules, s, action)
    if s.phase == phases.FIGURE:
        return figure_choice(rules, s, action - actions.FIGURE)
    if s.phase == phases.FIGURE_DEST:
        return figure_dest_choice(rules, s, space)
    if s.phase == phases.FREAKS:
        return freaks_space(rules, s, space)
    return lucky_trap_stall(s, chance, space) if s.ctx.token == NONE else prank_stall(s, space)


# Ticket Booth -------------------------------------------------------------------------------------------------------


@kernel
def ticket_booth(s: Record) -> int:
    """B-31: one token goes from the board to the Bag."""
    return phases.BOOTH if s.token_board else steps.FINISH_ACTION


@kernel
def booth_token(s: Record, token: int) -> int:
    """The token chosen at the Ticket Booth."""
    s.token_board &= ~only(token)
    s.bag |= only(token)
    return steps.FINISH_ACTION


# Memory Carousel ----------------------------------------------------------------------------------------------------


@kernel
def memory_carousel() -> int:
    """B-32: any two Attractions change places; the choice is ``two_spaces``."""
    return phases.TWO_SPACES


@kernel
def swap_attractions(rules: Record, s: Record, a: int, b: int) -> None:
    """With Noise, Joy and figures; Stalls stay, and nobody counts as moved (B-R22)."""
    here, there = s.ring[a], s.ring[b]
    here.card, there.card = there.card, here.card
    here.noise, there.noise = there.noise, here.noise
    for colour in range(NUM_COLOURS):
        here.joy[colour], there.joy[colour] = there.joy[colour], here.joy[colour]
    for seat in range(rules.num_players):
        s.players[seat].space = swapped(s.players[seat].space, a, b)
    s.charles.space = swapped(s.charles.space, a, b)
    s.furball = swapped(s.furball, a, b)


@kernel
def swapped(space: int, a: int, b: int) -> int:
    """Where a figure stands after two spaces have changed places."""
    if space == a:
        return b
    return a if space == b else space


# Mill of Bedeville --------------------------------------------------------------------------------------------------


@kernel
def mill_of_bedeville() -> int:
    """B-33: all Noise of two Attractions changes places; the choice is ``two_spaces``."""
    return phases.TWO_SPACES


@kernel
def swap_noise(s: Record, a: int, b: int) -> None:
    """Empty Attractions and the Mill itself are allowed (B-R55)."""
    s.ring[a].noise, s.ring[b].noise = s.ring[b].noise, s.ring[a].noise


# Blind Shot ---------------------------------------------------------------------------------------------------------


@kernel
def blind_shot(rules: Record, s: Record) -> int:
    """B-34: each other player, from the left, secretly aims one Noise while there is any."""
    if s.noise_supply == 0:
        return steps.FINISH_ACTION
    s.actor = (s.active + 1) % rules.num_players
    return phases.BLIND


@kernel
def blind_targets(rules: Record, s: Record) -> int:
    """All Attractions but the Blind Shot card."""
    return int(rules.spaces & ~only(space_of(s, BLIND_SHOT)))


@kernel
def blind_choice(rules: Record, s: Record, space: int) -> int:
    """A player has aimed; after the last one all Noise is placed."""
    s.ctx.pending[s.actor] = space
    n = rules.num_players
    aimed = (s.actor - s.active) % n
    if aimed < min(n - 1, s.noise_supply):
        s.actor = (s.actor + 1) % n
        return phases.BLIND
    for seat in range(n):
        if s.ctx.pending[seat] != NONE:
            add_noise(s, s.ctx.pending[seat], 1)
    s.actor = s.active
    return steps.FINISH_ACTION


# Eternal Love -------------------------------------------------------------------------------------------------------


@kernel
def eternal_love(s: Record) -> int:
    """B-35: every player, the active one first, secretly chooses one Joy."""
    return phases.LOVE if colours_in_supply(s) else game_over(s, JOY_EXHAUSTED)


@kernel
def love_choice(rules: Record, s: Record, colour: int) -> int:
    """A player has chosen; after the last one the Joy is granted."""
    s.ctx.pending[s.actor] = colour
    s.actor = (s.actor + 1) % rules.num_players
    return phases.LOVE if s.actor != s.active else grant_love(rules, s)


@kernel
def grant_love(rules: Record, s: Record) -> int:
    """In turn order; a colour that has run out meanwhile is replaced by the first one left (B-R29)."""
    for distance in range(rules.num_players):
        seat = (s.active + distance) % rules.num_players
        left = colours_in_supply(s)
        if left == 0:
            return game_over(s, JOY_EXHAUSTED)
        wish = s.ctx.pending[seat]
        take_joy(s, seat, wish if has(left, wish) else lowest(left))
    return steps.FINISH_ACTION


# Glutton ------------------------------------------------------------------------------------------------------------


@kernel
def glutton(s: Record) -> int:
    """B-36: one visible Prize goes on top of another Stall, of any height."""
    return phases.GLUTTON if stocked(s) else steps.FINISH_ACTION


@kernel
def glutton_options(rules: Record, s: Record, mask: Mask) -> None:
    """First a Stall with a Prize, then any other one."""
    offer(mask, actions.PICK, stocked(s) if s.ctx.num_picked == 0 else rules.spaces & ~only(s.ctx.picked[0]))


@kernel
def glutton_choice(s: Record, space: int) -> int:
    """The first Stall, or the second."""
    if s.ctx.num_picked == 0:
        pick(s, space)
        return phases.GLUTTON
    move_prize(s, s.ctx.picked[0], space)
    return steps.FINISH_ACTION


# Deep Sea Ride ------------------------------------------------------------------------------------------------------


@kernel
def deep_sea_ride(s: Record) -> int:
    """B-37: up to two Noise of one Attraction go onto another; the choices are ``noise_source`` and on."""
    return phases.NOISE_SOURCE if noisy(s) else steps.FINISH_ACTION


@kernel
def noise_dest_choice(s: Record, space: int) -> int:
    """Where the Noise of the Deep Sea Ride goes."""
    start, markers = s.ctx.picked[0], s.ctx.picked[1]
    s.ring[start].noise -= markers
    s.ring[space].noise += markers
    return steps.FINISH_ACTION


# Flow of the Undead -------------------------------------------------------------------------------------------------


@kernel
def flow_of_the_undead(s: Record) -> int:
    """B-38: up to two Noise of one Attraction go to the supply; the choices are ``noise_source`` and on."""
    return phases.NOISE_SOURCE if noisy(s) else steps.FINISH_ACTION


# Dragon Loop --------------------------------------------------------------------------------------------------------


@kernel
def dragon_loop(s: Record) -> int:
    """B-39: up to two Joy for others from the supply."""
    return phases.DRAGON if exchanges(s, s.active) else steps.FINISH_ACTION


@kernel
def dragon_options(s: Record, mask: Mask) -> None:
    """Any exchange, or no more."""
    offer(mask, actions.EXCHANGE, exchanges(s, s.active))
    mask[actions.SKIP] = 1


@kernel
def dragon_choice(rules: Record, s: Record, action: int) -> int:
    """One exchange; ``picked`` counts them."""
    if action == actions.SKIP:
        return steps.FINISH_ACTION
    exchange_joy(s, s.active, action - actions.EXCHANGE)
    pick(s, 1)
    return dragon_loop(s) if s.ctx.num_picked < rules.dragon_loop_max else steps.FINISH_ACTION


# Joy Wheel ----------------------------------------------------------------------------------------------------------


@kernel
def joy_wheel(s: Record, chance: Words) -> int:
    """B-40: a token, drawn and returned without its effect, decides how much Joy there is."""
    token = look_into_bag(s, chance)
    s.ctx.gain_source = FROM_JOY_WHEEL
    if token == CHARLES:
        s.ctx.gain_left = JOY_FOR_CHARLES
    elif token == FURBALL:
        s.ctx.gain_left = JOY_FOR_FURBALL
    return steps.GAIN_NEXT


# Castle of Horror ---------------------------------------------------------------------------------------------------


@kernel
def castle_of_horror(rules: Record, s: Record) -> int:
    """B-41: Mr. Charles moves on by the Noise here plus two; figures passed over are unaffected."""
    places = s.ring[s.players[s.active].space].noise + rules.castle_extra_steps
    return move_charles(rules, s, walk(rules, s.charles.space, places, s.charles.dir))


# Fortune Teller -----------------------------------------------------------------------------------------------------


@kernel
def fortune_teller(s: Record, chance: Words) -> int:
    """B-42: a token is drawn, resolved, and returned to the Bag."""
    return set_token(s, draw_from_bag(s, chance), FROM_FORTUNE)


# Slimy Bowling Alley ------------------------------------------------------------------------------------------------


@kernel
def slimy_bowling_alley(rules: Record, s: Record) -> int:
    """B-43: two Noise onto each neighbour, the clockwise one first."""
    here = s.players[s.active].space
    for direction in (CLOCKWISE, COUNTERCLOCKWISE):
        add_noise(s, next_space(rules, here, direction), rules.slimy_noise_each)
    return steps.FINISH_ACTION


# Soul Reflection ----------------------------------------------------------------------------------------------------


@kernel
def soul_reflection(rules: Record, s: Record) -> int:
    """B-44: Furball goes to the next Character beyond its own space."""
    land(rules, s, first_among(rules, s.furball, rules.furball_dir, character_spaces(rules, s)))
    return steps.FINISH_ACTION


# One Way ------------------------------------------------------------------------------------------------------------


@kernel
def one_way(rules: Record, s: Record) -> int:
    """B-45: another Character is pushed to the nearest unoccupied Attraction."""
    return phases.FIGURE if other_characters(rules, s) else steps.FINISH_ACTION


@kernel
def push_figure(rules: Record, s: Record, character: int) -> int:
    """With two nearest Attractions the active player chooses."""
    targets = nearest(rules, figure_space(rules, s, character), unoccupied(rules, s))
    return phases.FIGURE_DEST if count(targets) > 1 else place_character(rules, s, character, lowest(targets))


@kernel
def place_character(rules: Record, s: Record, character: int, space: int) -> int:
    """A Character is moved: Furball there is chased; no Joy, Noise or action."""
    s.players[seat_of(rules, s, character)].space = space
    chase_from(rules, s, space)
    return steps.FINISH_ACTION


# Freaks -------------------------------------------------------------------------------------------------------------


@kernel
def freaks() -> int:
    """B-46: Furball goes to any other Attraction, occupied or not."""
    return phases.FREAKS


@kernel
def freaks_space(rules: Record, s: Record, space: int) -> int:
    """The Attraction chosen for Furball."""
    land(rules, s, space)
    return steps.FINISH_ACTION


# Kraken Tentacles ---------------------------------------------------------------------------------------------------


@kernel
def kraken_tentacles(rules: Record, s: Record) -> int:
    """B-47: Mr. Charles and another Character change places."""
    return phases.FIGURE if other_characters(rules, s) else steps.FINISH_ACTION


@kernel
def swap_with_charles(rules: Record, s: Record, character: int) -> int:
    """Nobody is caught (B-R54); Furball on one of the two spaces is chased."""
    me = s.players[seat_of(rules, s, character)]
    me.space, s.charles.space = s.charles.space, me.space
    if s.furball == me.space:
        chase_from(rules, s, me.space)
    else:
        chase_from(rules, s, s.charles.space)
    return steps.CHARLES_REST


# Lucky Trap ---------------------------------------------------------------------------------------------------------


@kernel
def lucky_trap(s: Record) -> int:
    """B-48: one visible Prize is replaced."""
    return phases.PRIZE_DISCARD if stocked(s) else steps.FINISH_ACTION


@kernel
def lucky_trap_stall(s: Record, chance: Words, space: int) -> int:
    """Discarded, then replaced from the supply; an empty one is first made of the discards (B-R26)."""
    s.prize_discard |= only(pop(s.stalls[space]))
    if s.prize_supply.height == 0:
        shuffle_into(chance, s.prize_discard, s.prize_supply)
        s.prize_discard = 0
    push(s.stalls[space], pop(s.prize_supply))
    return steps.FINISH_ACTION


# Devil's Rodeo ------------------------------------------------------------------------------------------------------


@kernel
def devils_rodeo() -> int:
    """B-50: Furball, Mr. Charles or another Character goes to any unoccupied Attraction."""
    return phases.FIGURE


@kernel
def ride(rules: Record, s: Record, figure: int, space: int) -> int:
    """Each figure arrives in its own way."""
    if figure == FIGURE_OF_CHARLES:
        return move_charles(rules, s, space)
    if figure != FIGURE_OF_FURBALL:
        return place_character(rules, s, figure, space)
    land(rules, s, space)
    return steps.FINISH_ACTION


# Choices of several Attractions -------------------------------------------------------------------------------------


@kernel
def two_spaces_options(rules: Record, s: Record, mask: Mask) -> None:
    """Memory Carousel and Mill: an Attraction, then another one."""
    offer(mask, actions.PICK, rules.spaces if s.ctx.num_picked == 0 else rules.spaces & ~only(s.ctx.picked[0]))


@kernel
def two_spaces_choice(rules: Record, s: Record, space: int) -> int:
    """The first Attraction, or the second."""
    if s.ctx.num_picked == 0:
        pick(s, space)
        return phases.TWO_SPACES
    if s.ctx.used_card == MEMORY_CAROUSEL:
        swap_attractions(rules, s, s.ctx.picked[0], space)
    else:
        swap_noise(s, s.ctx.picked[0], space)
    return steps.FINISH_ACTION


@kernel
def noise_source_options(s: Record, mask: Mask) -> None:
    """Deep Sea Ride and Flow: an Attraction with Noise, or none."""
    offer(mask, actions.PICK, noisy(s))
    mask[actions.SKIP] = 1


@kernel
def noise_source_choice(s: Record, action: int) -> int:
    """Where the Noise is taken from."""
    if action == actions.SKIP:
        return steps.FINISH_ACTION
    pick(s, action - actions.PICK)
    return phases.NOISE_COUNT


@kernel
def noise_count_options(rules: Record, s: Record, mask: Mask) -> None:
    """One marker, or two if there are."""
    most = rules.deep_sea_max if s.ctx.used_card == DEEP_SEA_RIDE else rules.flow_max
    for markers in range(min(most, s.ring[s.ctx.picked[0]].noise)):
        mask[actions.COUNT + markers] = 1


@kernel
def noise_count_choice(s: Record, markers: int) -> int:
    """The Flow washes them away; the Deep Sea Ride asks where they go."""
    if s.ctx.used_card == DEEP_SEA_RIDE:
        pick(s, markers)
        return phases.NOISE_DEST
    remove_noise(s, s.ctx.picked[0], markers)
    return steps.FINISH_ACTION


@kernel
def other_characters(rules: Record, s: Record) -> int:
    """B-49: the Characters of the other players, as figures; those behind Screens can't be chosen."""
    chosen = 0
    for seat in range(rules.num_players):
        if seat != s.active and s.players[seat].space != NONE:
            chosen |= only(s.players[seat].character)
    return chosen


@kernel
def figures(rules: Record, s: Record) -> int:
    """One Way and Kraken Tentacles: other Characters; Devil's Rodeo: also Mr. Charles and Furball."""
    chosen = other_characters(rules, s)
    if s.ctx.used_card == DEVILS_RODEO:
        chosen |= only(FIGURE_OF_CHARLES)
        if s.furball != NONE:
            chosen |= only(FIGURE_OF_FURBALL)
    return chosen


@kernel
def figure_choice(rules: Record, s: Record, figure: int) -> int:
    """The figure to be moved or swapped."""
    if s.ctx.used_card == KRAKEN_TENTACLES:
        return swap_with_charles(rules, s, figure)
    pick(s, figure)
    return push_figure(rules, s, figure) if s.ctx.used_card == ONE_WAY else phases.FIGURE_DEST


@kernel
def figure_targets(rules: Record, s: Record) -> int:
    """One Way: the nearest unoccupied Attractions; Devil's Rodeo: all but the figure's own."""
    here, free = figure_space(rules, s, s.ctx.picked[0]), unoccupied(rules, s)
    return nearest(rules, here, free) if s.ctx.used_card == ONE_WAY else free & ~only(here)


@kernel
def figure_dest_choice(rules: Record, s: Record, space: int) -> int:
    """Where the figure goes."""
    return ride(rules, s, s.ctx.picked[0], space)


@kernel
def figure_space(rules: Record, s: Record, figure: int) -> int:
    """Where a figure stands."""
    if figure == FIGURE_OF_CHARLES:
        return int(s.charles.space)
    if figure == FIGURE_OF_FURBALL:
        return int(s.furball)
    return int(s.players[seat_of(rules, s, figure)].space)
