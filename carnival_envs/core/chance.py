"""Chance: the one source of randomness of a game, kept apart from its state.

A stream is a row of 64-bit words, so that compiled code can carry thousands of them. Its only primitive is
``below(chance, k)``, a uniform integer in ``0..k-1`` without bias. A stream is *seeded* (xoroshiro128++, Blackman
and Vigna 2021, seeded by splitmix64) or *scripted*: a list of draws that tests give.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.jit import kernel

Words = npt.NDArray[np.uint64]

# Layout of a stream.
STATE_0, STATE_1, MODE, CURSOR, SCRIPT = 0, 1, 2, 3, 4
STREAM_LENGTH = 4  # of a seeded stream; a scripted one goes on with its draws

# Modes of a stream.
SEED_PENDING = np.uint64(0)  # STATE_0 holds the seed; the generator is set up at the first draw
RUNNING = np.uint64(1)
SCRIPTED = np.uint64(2)
SCRIPT_EXHAUSTED = np.uint64(3)
SCRIPT_OUT_OF_RANGE = np.uint64(4)

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
POLICY_SALT = np.uint64(0xD1B54A32D192ED03)
LOW_WORD = np.uint64(0xFFFFFFFF)
WORD_SPAN = np.uint64(1 << 32)
SEED_LIMIT = 1 << 63
ONE = np.uint64(1)
B27, B28, B17, B21, B30, B31, B32, B49, B64 = (np.uint64(b) for b in (27, 28, 17, 21, 30, 31, 32, 49, 64))


@kernel
def mix(word: np.uint64) -> np.uint64:
    """The output function of splitmix64: spreads the bits of a 64-bit word."""
    word = (word ^ (word >> B30)) * MIX_1
    word = (word ^ (word >> B27)) * MIX_2
    return word ^ (word >> B31)


@kernel
def next_seed(seed: int) -> int:
    """The seed that follows another in a chain of games, in ``0 .. 2**63 - 1``."""
    return int(np.int64(mix(np.uint64(seed) + GOLDEN_GAMMA) >> ONE))


@kernel
def policy_seed(seed: int) -> int:
    """The seed of the stream that a game's policies draw from, in ``0 .. 2**63 - 1``; apart from the game's own."""
    return int(np.int64(mix(np.uint64(seed) ^ POLICY_SALT) >> ONE))


@kernel
def restart(chance: Words, seed: int) -> None:
    """Make a stream start over from a seed."""
    chance[STATE_0] = np.uint64(seed)
    chance[MODE] = SEED_PENDING


@kernel
def rotate_left(word: np.uint64, bits: np.uint64) -> np.uint64:
    """The bits of a 64-bit word moved round to the left."""
    return (word << bits) | (word >> (B64 - bits))


@kernel
def next_word(chance: Words) -> np.uint64:
    """One step of xoroshiro128++."""
    if chance[MODE] == SEED_PENDING:
        seed = chance[STATE_0]
        chance[STATE_0] = mix(seed + GOLDEN_GAMMA)
        chance[STATE_1] = mix(seed + GOLDEN_GAMMA + GOLDEN_GAMMA)
        chance[MODE] = RUNNING
    a = chance[STATE_0]
    b = chance[STATE_1]
    word = rotate_left(a + b, B17) + a
    b ^= a
    chance[STATE_0] = rotate_left(a, B49) ^ b ^ (b << B21)
    chance[STATE_1] = rotate_left(b, B28)
    return word


@kernel
def next_of_script(chance: Words, k: int) -> int:
    """The next draw of a scripted stream; a draw that does not fit, or is not there, stops the script and gives 0.

    ``STATE_0`` then holds how many outcomes the draw that is not there has.
    """
    if chance[MODE] != SCRIPTED:
        return 0
    cursor = int(np.int64(chance[CURSOR]))
    if cursor >= len(chance):
        chance[MODE] = SCRIPT_EXHAUSTED
        chance[STATE_0] = np.uint64(k)
        return 0
    draw = int(np.int64(chance[cursor]))
    if draw >= k:
        chance[MODE] = SCRIPT_OUT_OF_RANGE
        return 0
    chance[CURSOR] = np.uint64(cursor + 1)
    return draw


@kernel
def below(chance: Words, k: int) -> int:
    """A uniform integer in ``0..k-1``; ``below(chance, 1)`` is 0 and draws nothing.

    Unbiased by rejection on the product of a 32-bit word and ``k`` (Lemire 2019).
    """
    if k == 1:
        return 0
    if chance[MODE] >= SCRIPTED:
        return next_of_script(chance, k)
    bound = np.uint64(k)
    product = (next_word(chance) >> B32) * bound
    if (product & LOW_WORD) < bound:
        reject_below = (WORD_SPAN - bound) % bound
        while (product & LOW_WORD) < reject_below:
            product = (next_word(chance) >> B32) * bound
    return int(np.int64(product >> B32))


@kernel
def shuffle(chance: Words, items: npt.NDArray[Any], count: int) -> None:
    """Shuffle ``items[:count]`` in place, from the last place down (Durstenfeld 1964)."""
    for i in range(count - 1, 0, -1):
        j = below(chance, i + 1)
        held = items[i]
        items[i] = items[j]
        items[j] = held


_entropy = int.from_bytes(os.urandom(8), "little")
_fresh_seeds = itertools.count()


def fresh_seed() -> int:
    """A seed that no one chose, different at each call."""
    return (_entropy + next(_fresh_seeds)) % SEED_LIMIT


def checked_seed(seed: object, name: str = "seed") -> int:
    """A seed as a Python int; ``None`` gives a fresh one.

    Raises:
        ValueError: not an integer in ``0 .. 2**63 - 1``.
    """
    if seed is None:
        return fresh_seed()
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < SEED_LIMIT:
        raise ValueError(f"{name}: {seed!r} is not allowed; allowed: an integer in 0..2**63-1, or None")
    return int(seed)


_TEMPLATE: Words = np.zeros(STREAM_LENGTH, dtype=np.uint64)


def seeded_words(seed: int) -> Words:
    """A stream that starts from a checked seed."""
    words = _TEMPLATE.copy()
    words[STATE_0] = seed
    return words


def scripted_words(draws: Sequence[int]) -> Words:
    """A stream that gives just these draws.

    Raises:
        ValueError: a draw is not an integer of at least 0.
    """
    for index, draw in enumerate(draws):
        if isinstance(draw, bool) or not isinstance(draw, int | np.integer) or draw < 0:
            raise ValueError(f"chance[{index}]: {draw!r} is not allowed; allowed: integers of at least 0")
    words = np.zeros(SCRIPT + len(draws), dtype=np.uint64)
    words[MODE] = SCRIPTED
    words[CURSOR] = SCRIPT
    words[SCRIPT:] = np.asarray(list(draws), dtype=np.uint64)
    return words


def script_left(words: Words) -> int | None:
    """How many scripted draws are left; ``None`` for a seeded stream."""
    return len(words) - int(words[CURSOR]) if words[MODE] >= SCRIPTED else None


def outcomes_asked(words: Words) -> int:
    """How many outcomes the first draw has that a script did not hold; 0 if it held all that were asked."""
    return int(words[STATE_0]) if words[MODE] == SCRIPT_EXHAUSTED else 0


def check_script(words: Words) -> None:
    """Raise the ``ValueError`` of a script that ran out or did not fit; seeded streams always pass."""
    if words[MODE] == SCRIPT_EXHAUSTED:
        raise ValueError(f"chance: all {len(words) - SCRIPT} scripted draws are consumed, and one more is asked")
    if words[MODE] == SCRIPT_OUT_OF_RANGE:
        cursor = int(words[CURSOR])
        raise ValueError(f"chance[{cursor - SCRIPT}]: {int(words[cursor])} is larger than the draw allows")


class Chance:
    """A stream of chance for Python code: the very one that a game draws from.

    ``Chance(seed=7)`` draws what ``new_initial_state(seed=7)``, ``clone(seed=7)`` and ``resample(p, seed=7)`` draw.
    """

    def __init__(self, seed: int | None = None) -> None:
        """
        Raises:
            ValueError: the seed is not an integer in ``0 .. 2**63 - 1``.
        """
        self._words = seeded_words(checked_seed(seed))

    def below(self, k: int) -> int:
        """A uniform integer in ``0..k-1``; ``below(1)`` is 0 and draws nothing.

        Raises:
            ValueError: ``k`` is not in ``1 .. 2**31``.
        """
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= 1 << 31:
            raise ValueError(f"k: {k!r} is not allowed; allowed: an integer in 1..2**31")
        return int(_draw()(self._words, int(k)))

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle a list in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def _draw() -> Any:
    from carnival_envs.core.engine import chance_loops

    return chance_loops()["draw"]
