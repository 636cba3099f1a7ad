"""Victory points and the order of the players (B-66)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville.components import NUM_COLOURS, NUM_PRIZES
from carnival_envs.games.bedeville.sets import count, has
from carnival_envs.games.bedeville.supplies import joy_of

MORE_THAN_ALL_JOY = 64
MORE_THAN_ALL_PRIZES = 32


@kernel
def score(rules: Record, s: Record, player: int) -> int:
    """VP as if the game ended here: Prizes, majorities, sets of Joy."""
    return prize_vp(rules, s, player) + majority_vp(rules, s, player) + joy_set_vp(rules, s, player)


@kernel
def prize_vp(rules: Record, s: Record, player: int) -> int:
    """The printed VP of the own Prizes."""
    vp = 0
    for prize in range(NUM_PRIZES):
        if has(s.players[player].prizes, prize):
            vp += rules.prizes[prize].vp
    return vp


@kernel
def majority_vp(rules: Record, s: Record, player: int) -> int:
    """1 VP for each colour of which nobody else has as much; a tie gives nothing, also at 0 (B-R47)."""
    vp = 0
    for colour in range(NUM_COLOURS):
        rivals = 0
        for other in range(rules.num_players):
            rivals += other != player and s.players[other].joy[colour] >= s.players[player].joy[colour]
        if rivals == 0:
            vp += rules.majority_vp_per_colour
    return vp


@kernel
def joy_set_vp(rules: Record, s: Record, player: int) -> int:
    """2 VP for every three Joy of any colours; the rest is lost."""
    return int(joy_of(s, player) // rules.joy_set_size * rules.joy_set_vp)


@kernel
def rank_key(rules: Record, s: Record, player: int) -> int:
    """VP, then Joy, then the number of Prizes, in one number."""
    vp_then_joy = score(rules, s, player) * MORE_THAN_ALL_JOY + joy_of(s, player)
    return vp_then_joy * MORE_THAN_ALL_PRIZES + count(s.players[player].prizes)
