"""Who sits where: the learner's seat, and the opponents at the others."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np

from carnival_envs.core.game import Game
from carnival_envs.core.loops import ANY_SEAT, FIRST_PYTHON_POLICY
from carnival_envs.core.options import is_integer, refuse
from carnival_envs.policies.base import AnyPolicy, compiled_pilot
from carnival_envs.policies.specs import Opponents, OpponentSampler, parse_opponents

RANDOM_SEAT = "random"


class Lots:
    """The draws that fix who plays in a game: one generator, put to a place that follows from the game's seed."""

    def __init__(self) -> None:
        self._bits = np.random.PCG64(0)
        self._generator = np.random.Generator(self._bits)
        self._place: Any = self._bits.state

    def of_game(self, seed: int) -> np.random.Generator:
        """The generator of the game with a seed, until the next call."""
        digest = blake2b(seed.to_bytes(8, "little"), digest_size=16).digest()
        self._place["state"]["state"] = int.from_bytes(digest, "little")
        self._bits.state = self._place
        return self._generator


def pilot_code(policy: AnyPolicy, index: int) -> int:
    """The pilot that the compiled loops know for the policy at an index of the sampler's list."""
    pilot = compiled_pilot(policy)
    return FIRST_PYTHON_POLICY + index if pilot is None else pilot


def checked_seat(game: Game, seat: object) -> int:
    """The learner's seat as the compiled loops know it.

    Raises:
        ValueError: neither a seat of the game nor ``"random"``.
    """
    if isinstance(seat, str) and seat == RANDOM_SEAT:
        return ANY_SEAT
    if not is_integer(seat) or not 0 <= seat < game.num_players:  # type: ignore[operator]
        refuse("seat", seat, f"a seat in 0..{game.num_players - 1}, or {RANDOM_SEAT!r}")
    return int(seat)  # type: ignore[call-overload,no-any-return]


def sampler_of(opponents: Opponents | OpponentSampler, game: Game, trust: bool) -> OpponentSampler:
    """The sampler of some opponents; one that is given is taken as it is.

    Raises:
        FileNotFoundError, TypeError, ValueError: see ``parse_opponents``.
    """
    return opponents if isinstance(opponents, OpponentSampler) else parse_opponents(opponents, game, trust=trust)
