"""Furball (section 7.11 of the specification)."""

from __future__ import annotations

from carnival_envs.core.interface import Record
from carnival_envs.core.jit import kernel
from carnival_envs.games.bedeville.board import walk
from carnival_envs.games.bedeville.stalls import discard_prize
from carnival_envs.games.bedeville.supplies import remove_noise


@kernel
def chase(rules: Record, s: Record) -> None:
    """B-60: Furball runs on by the Noise on its space plus two; never a second time (B-R18)."""
    places = s.ring[s.furball].noise + rules.furball_extra_steps
    land(rules, s, walk(rules, s.furball, places, rules.furball_dir))


@kernel
def chase_from(rules: Record, s: Record, space: int) -> None:
    """B-61: a figure has arrived on a space; if Furball is there it is chased at once."""
    if s.furball == space:
        chase(rules, s)


@kernel
def land(rules: Record, s: Record, space: int) -> None:
    """B-62: where Furball arrives, one Noise goes to the supply, then the visible Prize to the discard pile."""
    s.furball = space
    remove_noise(s, space, rules.furball_noise_discard)
    discard_prize(s, space)
