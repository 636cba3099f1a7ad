"""The invariants of a position (section 13 of the specification), one function each."""

from __future__ import annotations

import numpy as np

from carnival_envs.core.interface import NOT_ENDED, OVER, VALID, Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville import phases
from carnival_envs.games.bedeville.actions import ACTIONS
from carnival_envs.games.bedeville.attractions import blind_targets, figure_targets, figures
from carnival_envs.games.bedeville.board import neighbours, seat_of
from carnival_envs.games.bedeville.components import (
    ALBERT,
    BLIND_SHOT,
    CASTLE_OF_HORROR,
    CHARLES,
    CINDY,
    CLAY,
    CRACK,
    DEEP_SEA_RIDE,
    DEVILS_RODEO,
    DRAGON_LOOP,
    ETERNAL_LOVE,
    FLOW_OF_THE_UNDEAD,
    FORTUNE_TELLER,
    FREAKS,
    GLUTTON,
    HEIDI,
    JOHNNY,
    JOY,
    JOY_WHEEL,
    KRAKEN_TENTACLES,
    LUCKY_TRAP,
    MEMORY_CAROUSEL,
    MILL_OF_BEDEVILLE,
    MONDAY,
    NUM_COLOURS,
    NUM_SPACES,
    ONE_WAY,
    PRANK,
    QUIET,
    TEMPTATION,
    TICKET_BOOTH,
    TOKENS_IN_BAG,
)
from carnival_envs.games.bedeville.rules import legal_actions
from carnival_envs.games.bedeville.sets import count, has, only
from carnival_envs.games.bedeville.setup import ALL_PRIZES
from carnival_envs.games.bedeville.stalls import stocked
from carnival_envs.games.bedeville.state import (
    ADRENALINE_ACTIVE,
    ADRENALINE_DEBT,
    ADRENALINE_NONE,
    DRAFTED,
    FROM_FORTUNE,
    FROM_JOY_WHEEL,
    FROM_TOKEN,
    FROM_VISIT,
    GIVEN,
    MAX_PICKED,
    MAX_ROUNDS,
    NONE,
)
from carnival_envs.games.bedeville.supplies import colours_in_supply, joy_of

INVARIANTS = {
    1: ("B-I1", "joy_supply"),
    2: ("B-I2", "noise_supply"),
    3: ("B-I3", "ring, attraction_deck, attraction_discard"),
    4: ("B-I4", "stalls, prize_supply, prize_discard, players.prizes"),
    5: ("B-I5", "bag, token_board, token_unused, ctx.token, ctx.drawn"),
    6: ("B-I6", "players.space, charles, furball"),
    7: ("B-I7", "players, first_player, active"),
    8: ("B-I8", "final_round"),
    9: ("B-I9", "phase, actor, end_reason, truncated"),
    10: ("B-I10", "adrenaline"),
    11: ("B-I11", "ctx"),
    12: ("B-I12", "turn"),
    13: ("B-I13", "round"),
}


@kernel
def broken_invariant(rules: Record, s: Record) -> int:
    """The number of the first broken invariant.

    Later checks rely on earlier ones: legal actions are only asked for when everything else is in order.
    """
    if not joy_is_complete(rules, s):
        return 1
    if not noise_is_complete(rules, s):
        return 2
    if not attractions_are_complete(rules, s):
        return 3
    if not prizes_are_complete(rules, s):
        return 4
    if not figures_stand_apart(rules, s):
        return 6
    if not (characters_differ(rules, s) and options_are_kept(rules, s)):
        return 7
    if in_setup(s) and not setup_fits(rules, s):
        return 7
    if not tokens_are_complete(rules, s):
        return 5
    if count(stocked(s)) <= 1 and not s.final_round:
        return 8
    if not end_fits(s):
        return 9
    if not adrenaline_fits(rules, s):
        return 10
    if not turn_fits(s):
        return 12
    if not 1 <= s.round_number <= rules.max_rounds:
        return 13
    if not context_fits(rules, s):
        return 11
    return VALID if decision_is_due(rules, s) else 9


# B-I1 to B-I5: components -------------------------------------------------------------------------------------------


@kernel
def joy_is_complete(rules: Record, s: Record) -> bool:
    """B-I1: every Joy token of a colour is somewhere."""
    for colour in range(NUM_COLOURS):
        tokens = s.joy_supply[colour]
        for seat in range(rules.num_players):
            tokens += s.players[seat].joy[colour]
        for space in range(NUM_SPACES):
            tokens += s.ring[space].joy[colour]
        if tokens != rules.joy_per_colour:
            return False
    return True


@kernel
def noise_is_complete(rules: Record, s: Record) -> bool:
    """B-I2: every Noise marker is somewhere."""
    markers = s.noise_supply
    for space in range(NUM_SPACES):
        markers += s.ring[space].noise
    return bool(markers == rules.noise)


@kernel
def attractions_are_complete(rules: Record, s: Record) -> bool:
    """B-I3: every Attraction of the variant lies in one place, and one on every space in play."""
    seen, number = s.attraction_discard, count(s.attraction_discard) + s.attraction_deck.height
    for place in range(s.attraction_deck.height):
        seen |= only(s.attraction_deck.items[place])
    for space in range(NUM_SPACES):
        card = s.ring[space].card
        if (card != NONE) != has(rules.spaces, space):
            return False
        if card != NONE:
            seen |= only(card)
            number += 1
    return bool(seen == rules.cards and number == count(rules.cards))


@kernel
def prizes_are_complete(rules: Record, s: Record) -> bool:
    """B-I4: every Prize lies in one place; Stalls out of play are empty."""
    seen, number = s.prize_discard, count(s.prize_discard) + s.prize_supply.height
    for place in range(s.prize_supply.height):
        seen |= only(s.prize_supply.items[place])
    for seat in range(rules.num_players):
        seen |= s.players[seat].prizes
        number += count(s.players[seat].prizes)
    for space in range(NUM_SPACES):
        stall = s.stalls[space]
        if stall.height > 0 and not has(rules.spaces, space):
            return False
        for place in range(stall.height):
            seen |= only(stall.items[place])
        number += stall.height
    return bool(seen == ALL_PRIZES and number == count(ALL_PRIZES))


@kernel
def tokens_are_complete(rules: Record, s: Record) -> bool:
    """B-I5: every token of the variant is in one place, five of them in the game, Mr. Charles always."""
    token = only(s.ctx.token) if s.ctx.token != NONE else 0
    in_game = s.bag | s.token_board | token | s.ctx.drawn
    number = count(s.bag) + count(s.token_board) + count(token) + count(s.ctx.drawn)
    if number != TOKENS_IN_BAG or count(in_game) != TOKENS_IN_BAG:
        return False
    if in_game & s.token_unused or in_game | s.token_unused != rules.tokens:
        return False
    if has(s.token_board | s.token_unused, CHARLES):
        return False
    return bool(seat_of(rules, s, MONDAY) != NONE or s.token_unused & rules.fixed_tokens == 0)


# B-I6, B-I7: figures and set-up -------------------------------------------------------------------------------------


@kernel
def figures_stand_apart(rules: Record, s: Record) -> bool:
    """B-I6: Characters and Mr. Charles on different spaces in play, Furball on one of them."""
    taken = only(s.charles.space)
    for seat in range(rules.num_players):
        space = s.players[seat].space
        if space == NONE:
            continue
        if has(taken, space):
            return False
        taken |= only(space)
    if taken & ~rules.spaces or s.charles.dir == 0:
        return False
    if rules.beginner:
        return bool(s.furball == NONE)
    return bool(s.furball != NONE and has(rules.spaces, s.furball))


@kernel
def in_setup(s: Record) -> bool:
    """Whether the players still make their first choices."""
    return bool(s.phase <= phases.START_SPACE)


@kernel
def has_chosen(rules: Record, s: Record, seat: int, phase: int) -> bool:
    """Whether a player has made the choice of a phase of the set-up."""
    n = rules.num_players
    if s.phase != phase:
        return bool(s.phase > phase)
    return bool((seat - s.first_player) % n < (s.actor - s.first_player) % n)


@kernel
def characters_differ(rules: Record, s: Record) -> bool:
    """B-I7: different Characters for all but those who have still to choose in a draft."""
    if s.phase == phases.DRAFT and rules.characters != DRAFTED:
        return False
    taken = 0
    for seat in range(rules.num_players):
        character = s.players[seat].character
        if (character != NONE) != has_chosen(rules, s, seat, phases.DRAFT):
            return False
        if character == NONE:
            continue
        if has(taken, character):
            return False
        taken |= only(character)
    return True


@kernel
def options_are_kept(rules: Record, s: Record) -> bool:
    """B-I7: given Characters and a given first player."""
    if rules.first_player != NONE and rules.first_player != s.first_player:
        return False
    for seat in range(rules.num_players):
        if rules.characters == GIVEN and s.players[seat].character != rules.given_characters[seat]:
            return False
    return True


@kernel
def setup_fits(rules: Record, s: Record) -> bool:
    """B-I7: nothing has happened yet but the choices made in turn order."""
    if s.active != s.first_player or s.round_number != 1 or s.noise_supply != rules.noise:
        return False
    for seat in range(rules.num_players):
        me = s.players[seat]
        if me.prizes != 0 or joy_of(s, seat) != has_chosen(rules, s, seat, phases.FIRST_JOY):
            return False
        has_placed = has_chosen(rules, s, seat, phases.START_SPACE)
        if has_placed != (me.space != NONE) or (has_placed and not has(rules.start_spaces, me.space)):
            return False
    return True


# B-I9, B-I10, B-I12: end, Adrenaline, turn --------------------------------------------------------------------------


@kernel
def end_fits(s: Record) -> bool:
    """B-I9: over in every respect, or in none."""
    is_over = s.phase == phases.OVER
    if is_over != (s.actor == OVER) or is_over != (s.end_reason != NOT_ENDED):
        return False
    if bool(s.truncated) != (s.end_reason == MAX_ROUNDS):
        return False
    others_decide = in_setup(s) or s.phase in (phases.LOVE, phases.BLIND, phases.CAUGHT)
    return bool(is_over or others_decide or s.actor == s.active)


@kernel
def decision_is_due(rules: Record, s: Record) -> bool:
    """B-I9: there is a legal action, and a real choice in the phases that are skipped without one."""
    if s.phase == phases.OVER:
        return True
    mask = np.zeros(len(ACTIONS), np.int8)
    legal_actions(rules, s, mask)
    skipped = (phases.WHIM, phases.WINDOW, phases.DRAGON, phases.PRE_DRAW, phases.END_WINDOW)
    return bool(mask.sum() >= (2 if s.phase in skipped else 1))


@kernel
def adrenaline_fits(rules: Record, s: Record) -> bool:
    """B-I10: only with Clay in the game; the debt is paid in his turn."""
    clay = seat_of(rules, s, CLAY)
    if s.adrenaline == ADRENALINE_DEBT:
        return bool(clay != NONE and clay == s.active)
    return bool(s.adrenaline == ADRENALINE_NONE or clay != NONE)


@kernel
def turn_fits(s: Record) -> bool:
    """B-I12: exchange or purchase; abilities of the own Character."""
    character = s.players[s.active].character
    if s.turn.exchanged and s.turn.bought:
        return False
    return bool((not s.turn.pass_used or character == JOHNNY) and (not s.turn.tough_used or character == HEIDI))


# B-I11: the context -------------------------------------------------------------------------------------------------

USED_CARD, TOKEN, DRAWN, DRAWS_LEFT, PICKED, GAIN, BUY_SPACE, PAY_LEFT, PENDING, RETURN_PHASE = (
    1 << field for field in range(10)
)
"""Fields of ``ctx``, as a set; ``TOKEN`` and ``GAIN`` stand for two fields each."""


@kernel
def context_fits(rules: Record, s: Record) -> bool:
    """B-I11: the context has just the fields that the phase needs, with values that fit it."""
    if not (card_is_in_play(s) and sources_fit(s) and draws_fit(s) and players_fit(s)):
        return False
    if fields_set(rules, s) != fields_needed(rules, s):
        return False
    if s.phase in (phases.ACCOUNT, phases.PAY):
        return purchase_fits(rules, s)
    if s.phase == phases.GAIN:
        return gain_fits(s)
    if s.phase == phases.BOREDOM:
        return boredom_fits(s)
    if phases.LOVE <= s.phase <= phases.FREAKS:
        return bool(action_fits(s) and picks_fit(rules, s) and pending_fits(rules, s))
    return bool(token_fits(s) and draw_fits(s) and picks_fit(rules, s))


@kernel
def fields_set(rules: Record, s: Record) -> int:
    """The fields that differ from their defaults."""
    ctx = s.ctx
    fields = USED_CARD * (ctx.used_card != NONE) | TOKEN * (ctx.token != NONE) | DRAWN * (ctx.drawn != 0)
    fields |= DRAWS_LEFT * (ctx.draws_left != 0) | PICKED * (ctx.num_picked > 0) | GAIN * (ctx.gain_left > 0)
    fields |= BUY_SPACE * (ctx.buy_space != NONE) | PAY_LEFT * (ctx.pay_left != 0)
    fields |= RETURN_PHASE * (ctx.return_phase != NONE)
    for seat in range(rules.num_players):
        fields |= PENDING * (ctx.pending[seat] != NONE)
    return int(fields)


@kernel
def fields_needed(rules: Record, s: Record) -> int:
    """The fields that the phase needs, and those that it may have where they are set."""
    phase = s.phase
    if phase == phases.ACCOUNT:
        return BUY_SPACE
    if phase == phases.PAY:
        return BUY_SPACE | PAY_LEFT
    if phase == phases.GAIN:
        return GAIN | gain_fields(s)
    if phase == phases.BOREDOM:
        draws = DRAWS_LEFT if s.ctx.return_phase == phases.PRE_DRAW else 0
        return RETURN_PHASE | draws | fields_set(rules, s) & PICKED
    if phase in (phases.LOVE, phases.BLIND):
        return USED_CARD | (PENDING if s.actor != first_asked(rules, s) else 0)
    if phase in (phases.TWO_SPACES, phases.GLUTTON, phases.DRAGON):
        return USED_CARD | fields_set(rules, s) & PICKED
    if phase in (phases.NOISE_COUNT, phases.NOISE_DEST, phases.FIGURE_DEST):
        return USED_CARD | PICKED
    if phases.LOVE <= phase <= phases.FREAKS:
        return USED_CARD
    return late_fields_needed(s)


@kernel
def late_fields_needed(s: Record) -> int:
    """The fields needed by the phases around tokens and Mr. Charles; none in all other phases."""
    phase = s.phase
    if phase in (phases.PRIZE_DISCARD, phases.CAUGHT):
        return token_fields(s) if s.ctx.token != NONE else USED_CARD
    if phase == phases.PRE_DRAW:
        return DRAWS_LEFT
    if phase in (phases.CHOOSE_TOKEN, phases.NOWAY):
        return DRAWS_LEFT | DRAWN
    if phase == phases.TEMPT_SPACE:
        return token_fields(s) | PICKED
    if phase in (phases.TEMPT_COLOUR, phases.QUIET, phases.CRACK):
        return token_fields(s)
    return 0


@kernel
def token_fields(s: Record) -> int:
    """A token drawn in step 6 counts among the draws left; one of the Fortune Teller is part of that action."""
    return TOKEN | (USED_CARD if s.ctx.token_source == FROM_FORTUNE else DRAWS_LEFT)


@kernel
def gain_fields(s: Record) -> int:
    """What goes with a gain of Joy, by its source."""
    if s.ctx.gain_source == FROM_TOKEN:
        return token_fields(s)
    return USED_CARD if s.ctx.gain_source == FROM_JOY_WHEEL else 0


@kernel
def first_asked(rules: Record, s: Record) -> int:
    """Who is asked first for a secret choice."""
    return int(s.active) if s.phase == phases.LOVE else (s.active + 1) % rules.num_players


@kernel
def card_is_in_play(s: Record) -> bool:
    """A card in use lies in the ring."""
    for space in range(NUM_SPACES):
        if s.ring[space].card == s.ctx.used_card:
            return True
    return bool(s.ctx.used_card == NONE)


@kernel
def sources_fit(s: Record) -> bool:
    """A token and a gain have a source; the Fortune Teller is its own."""
    ctx = s.ctx
    if (ctx.token == NONE) != (ctx.token_source == NONE) or (ctx.gain_left == 0) != (ctx.gain_source == NONE):
        return False
    return bool(ctx.token_source != FROM_FORTUNE or ctx.used_card == FORTUNE_TELLER)


@kernel
def draws_fit(s: Record) -> bool:
    """Two draws only in debt, none while Adrenaline is active."""
    if s.adrenaline == ADRENALINE_ACTIVE:
        return bool(s.ctx.draws_left == 0)
    return bool(s.ctx.draws_left <= 1 or s.adrenaline == ADRENALINE_DEBT)


@kernel
def players_fit(s: Record) -> bool:
    """Phases of abilities are those of their Characters; some need the figure on the board."""
    me = s.players[s.active]
    if s.phase in (phases.ACCOUNT, phases.CHOOSE_TOKEN) and me.character != ALBERT:
        return False
    if s.phase == phases.WHIM and me.character != CINDY:
        return False
    if s.phase in (phases.WINDOW, phases.BOREDOM, phases.NOWAY, phases.END_WINDOW) and me.character != MONDAY:
        return False
    visits = s.phase == phases.GAIN and s.ctx.gain_source == FROM_VISIT
    needs_figure = visits or s.phase in (phases.ACCOUNT, phases.PAY, phases.WHIM, phases.WINDOW)
    return bool(me.space != NONE or not needs_figure)


@kernel
def purchase_fits(rules: Record, s: Record) -> bool:
    """A stocked Stall within reach, and Joy enough for what is left to pay."""
    here = s.players[s.active].space
    within_reach = (only(here) | neighbours(rules, here)) & stocked(s)
    return bool(has(within_reach, s.ctx.buy_space) and s.ctx.pay_left <= joy_of(s, s.active))


@kernel
def gain_fits(s: Record) -> bool:
    """Joy of the Joy Wheel or of the token Joy."""
    if s.ctx.gain_source == FROM_JOY_WHEEL:
        return bool(s.ctx.used_card == JOY_WHEEL)
    return bool(s.ctx.gain_source == FROM_VISIT or s.ctx.token == JOY)


@kernel
def boredom_fits(s: Record) -> bool:
    """Up to three different tokens returned to the Bag; a fourth would have emptied the board."""
    tokens = 0
    for index in range(s.ctx.num_picked):
        tokens |= only(s.ctx.picked[index])
    return bool(s.ctx.num_picked < MAX_PICKED and count(tokens) == s.ctx.num_picked and tokens & ~s.bag == 0)


@kernel
def action_fits(s: Record) -> bool:
    """The phase belongs to the action of the card in use."""
    card, phase = s.ctx.used_card, s.phase
    if phase == phases.TWO_SPACES:
        return card in (MEMORY_CAROUSEL, MILL_OF_BEDEVILLE)
    if phase in (phases.NOISE_SOURCE, phases.NOISE_COUNT):
        return card in (DEEP_SEA_RIDE, FLOW_OF_THE_UNDEAD)
    if phase == phases.FIGURE:
        return card in (ONE_WAY, DEVILS_RODEO, KRAKEN_TENTACLES)
    if phase == phases.FIGURE_DEST:
        return card in (ONE_WAY, DEVILS_RODEO)
    if phase == phases.LOVE:
        return bool(card == ETERNAL_LOVE)
    if phase == phases.BLIND:
        return bool(card == BLIND_SHOT)
    if phase == phases.GLUTTON:
        return bool(card == GLUTTON)
    if phase == phases.BOOTH:
        return bool(card == TICKET_BOOTH)
    if phase == phases.NOISE_DEST:
        return bool(card == DEEP_SEA_RIDE)
    return bool(card == (DRAGON_LOOP if phase == phases.DRAGON else FREAKS))


@kernel
def picks_fit(rules: Record, s: Record) -> bool:
    """Partial choices as section 6.1 has them."""
    phase, number, first, second = s.phase, s.ctx.num_picked, s.ctx.picked[0], s.ctx.picked[1]
    if number == 0:
        return True
    if phase == phases.NOISE_DEST:
        return bool(number == 2 and first < NUM_SPACES and 1 <= second <= min(rules.deep_sea_max, s.ring[first].noise))
    if number != 1:
        return False
    if phase == phases.TWO_SPACES:
        return has(rules.spaces, first)
    if phase == phases.GLUTTON:
        return has(stocked(s), first)
    if phase == phases.NOISE_COUNT:
        return bool(s.ring[first].noise > 0)
    if phase == phases.DRAGON:
        return bool(first == 1)
    if phase == phases.FIGURE_DEST:
        return has(figures(rules, s), first) and (s.ctx.used_card != ONE_WAY or count(figure_targets(rules, s)) == 2)
    return bool(phase == phases.TEMPT_SPACE and has(colours_in_supply(s), first))


@kernel
def pending_fits(rules: Record, s: Record) -> bool:
    """Secret choices exactly of those asked before the actor, each of them legal."""
    if s.phase not in (phases.LOVE, phases.BLIND):
        return True
    n = rules.num_players
    first = first_asked(rules, s)
    asked = (s.actor - first) % n
    choices = colours_in_supply(s) if s.phase == phases.LOVE else blind_targets(rules, s)
    if s.phase == phases.BLIND and (s.actor == s.active or asked >= s.noise_supply):
        return False
    for seat in range(n):
        choice = s.ctx.pending[seat]
        if (choice != NONE) != ((seat - first) % n < asked) or (choice != NONE and not has(choices, choice)):
            return False
    return True


@kernel
def token_fits(s: Record) -> bool:
    """The token, or the action, that leads to the phase."""
    token, card = s.ctx.token, s.ctx.used_card
    if s.phase == phases.PRIZE_DISCARD:
        return bool(token == PRANK or (token == NONE and card == LUCKY_TRAP))
    if s.phase == phases.CAUGHT:
        is_caught = s.players[s.actor].space == NONE
        return bool(is_caught and (token == CHARLES or (token == NONE and card == CASTLE_OF_HORROR)))
    if s.phase in (phases.TEMPT_COLOUR, phases.TEMPT_SPACE):
        return bool(token == TEMPTATION)
    if s.phase == phases.QUIET:
        return bool(token == QUIET)
    return bool(s.phase != phases.CRACK or (token == CRACK and s.noise_supply > 0))


@kernel
def draw_fits(s: Record) -> bool:
    """Two tokens for Albert to choose from, one for Monday to keep or not."""
    if s.phase == phases.CHOOSE_TOKEN:
        return count(s.ctx.drawn) == 2
    return s.phase != phases.NOWAY or (count(s.ctx.drawn) == 1 and not has(s.ctx.drawn, CHARLES))
