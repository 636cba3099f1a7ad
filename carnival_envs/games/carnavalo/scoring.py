"""What a position is worth (section 12 of the specification)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.carnavalo.state import NUM_PARADE_TOKENS, NUM_TENT_TOKENS, NUM_TENTS, WON


@kernel
def score(rules: Record, s: Record, player: int) -> int:
    """The raw score: discs, tokens, and the float."""
    me = s.players[player]
    points = tent_token_points(rules, me) + parade_token_points(rules, me)
    for t in range(NUM_TENTS):
        points += disc_points(rules, me.discs[t])
    if me.owns_float:
        points += rules.float_points  # O-72
    return points


@kernel
def rank_key(rules: Record, s: Record, player: int) -> int:
    """Seats are ranked by raw score alone; equal scores share a rank."""  # O-73, O-R37
    return score(rules, s, player)


@kernel
def disc_points(rules: Record, disc: int) -> int:
    """A won disc counts 5, another one the number of its space."""  # O-69, O-70
    return rules.won_disc_points if disc == WON else disc


@kernel
def tent_token_points(rules: Record, me: Record) -> int:
    """The numbers of the won tent tokens, multiplied by those that multiply them."""  # O-71, O-75
    points = 0
    for kind in range(NUM_TENT_TOKENS):
        if me.won_tent_tokens[kind] > 0:
            points += me.won_tent_tokens[kind] * rules.tent_token_points[kind] * multiplier(rules, me, kind)
    return points


@kernel
def multiplier(rules: Record, me: Record, kind: int) -> int:
    """What a player's "2x" or "3x" makes of each token of a kind."""  # O-76, O-77
    factor = 1
    for token in range(NUM_TENT_TOKENS):
        if rules.multiplied_token[token] == kind and me.won_tent_tokens[token] > 0:
            factor *= rules.factor[token]
    return factor


@kernel
def parade_token_points(rules: Record, me: Record) -> int:
    """The numbers of the won parade tokens."""  # O-71, O-R41
    points = 0
    for kind in range(NUM_PARADE_TOKENS):
        points += me.won_parade_tokens[kind] * rules.parade_token_points[kind]
    return points
