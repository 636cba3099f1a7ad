"""The kernels that make a game: what each must do.

A game gives these functions, compiled with ``@kernel``, to its ``GameDefinition`` as ``Kernels``. The loops of
``core/loops.py`` are written against the names of this module and are bound to the functions of each game. What is
defined here with a body is the default.

Arguments:
    rules: the game's read-only record of component data and options; starts with the fields of ``RULES_HEADER``.
    s: the state, a record that starts with the header fields of ``HEADER``.
    chance: the stream to draw from (``core/chance.py``).
    player: a seat.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words
from carnival_envs.core.jit import int8, int16, int32, kernel, record
from carnival_envs.core.observation import Floats

Record: TypeAlias = Any
"""A record of a game's ``rules`` or ``state`` dtype."""

Mask = npt.NDArray[np.int8]

MOST_EVENTS = 16
"""The longest history."""

EVENT = record(("player", int8), ("action", int16), ("public_action", int16))
"""A decision: who took which action, and its public form. In a view of somebody else ``action`` is that form too."""

HEADER = (
    ("phase", int8),
    ("active", int8),
    ("actor", int8),
    ("truncated", int8),
    ("end_reason", int8),
    ("num_events", int32),  # decisions so far; like the events 0 in games without history
    ("events", EVENT, MOST_EVENTS),  # a ring: decision i lies at i % MOST_EVENTS
)
"""The first fields of every state. ``phase`` and ``end_reason`` are indices into the game's names for them. The events
are the engine's: see ``core/history.py``."""

RULES_HEADER = (
    ("num_players", int8),
    ("history", int8),  # how many events an observation shows
    ("num_forms", int16),  # public forms: the actions, then the game's hidden forms
)
"""The first fields of every rules record. The game fills the first of them, the engine the others."""

OVER = -1
"""``actor`` when the game is over."""

NOT_ENDED = -1
"""``end_reason`` until the game is over."""

VALID = 0
"""``broken_invariant`` of a sound state."""


def new_game(rules: Record, s: Record, chance: Words) -> None:
    """Set up ``s`` (any content) for the first decision."""
    raise NotImplementedError


def legal_actions(rules: Record, s: Record, mask: Mask) -> None:
    """Set ``mask[a] = 1`` for every legal action of the actor; ``mask`` is all 0 before. Not called when over."""
    raise NotImplementedError


def apply_action(rules: Record, s: Record, chance: Words, action: int) -> None:
    """Apply a legal action and go on to the next decision or the end."""
    raise NotImplementedError


def observe(rules: Record, s: Record, player: int, out: Floats) -> int:
    """Write what ``player`` sees into ``out``, all 0 before and as long as the blocks; returns their length."""
    raise NotImplementedError


def score(rules: Record, s: Record, player: int) -> int:
    """The raw score of a seat as the position stands."""
    raise NotImplementedError


def rank_key(rules: Record, s: Record, player: int) -> int:
    """A number that orders the seats by the game's full order, tie-breaks included: larger is better."""
    raise NotImplementedError


def conceal(rules: Record, s: Record, player: int) -> None:
    """Overwrite everything that ``player`` does not know with the same values in every state that he can't tell apart.

    What is left is the *view* of ``player``: texts, bots and searches get this and never the state.
    """
    raise NotImplementedError


def resample(rules: Record, s: Record, player: int, chance: Words) -> None:
    """Replace what ``player`` does not know by a random possibility; must work on a view too."""
    raise NotImplementedError


def greedy(rules: Record, view: Record, player: int, mask: Mask, chance: Words) -> int:
    """The action of the game's baseline bot for ``player``, from his view and his legal actions."""
    raise NotImplementedError


@kernel
def public_action(rules: Record, s: Record, action: int) -> int:
    """What others may know of an action that is taken in ``s``: the index of a public form, by default its own.

    The public forms are the game's actions, then its ``hidden_forms``.
    """
    return action


@kernel
def derive(rules: Record, s: Record) -> None:
    """Fill the fields of a loaded state that follow from the others and are no part of a position document."""


@kernel
def broken_invariant(rules: Record, s: Record) -> int:
    """``VALID``, or the number of the first broken invariant, a key of the game's ``invariants``."""
    return 0


@kernel
def single_player_return(rules: Record, s: Record) -> float:
    """The return of a finished game of one player."""
    return 0.0


@kernel
def single_player_won(rules: Record, s: Record) -> bool:
    """Whether the player of a finished game of one player has won."""
    return False


@dataclass(frozen=True, kw_only=True)
class Kernels:
    """The kernels of one game, by the names of this module."""

    new_game: Any
    legal_actions: Any
    apply_action: Any
    observe: Any
    score: Any
    rank_key: Any
    conceal: Any
    resample: Any
    greedy: Any
    public_action: Any = public_action
    derive: Any = derive
    broken_invariant: Any = broken_invariant
    single_player_return: Any = single_player_return
    single_player_won: Any = single_player_won

    def by_name(self) -> dict[str, Any]:
        """The kernels as a dictionary."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
