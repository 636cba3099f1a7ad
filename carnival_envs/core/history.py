"""The history: the last decisions of a game as each player may know them, kept in its state and seen at will.

A player knows his own actions in full and those of others by their public form: a face-down card is played, whatever
it is. Public forms are the game's actions, then its hidden forms (``"play:?:3:down"``), by index.
"""

from __future__ import annotations

from typing import Any

from carnival_envs.core.interface import MOST_EVENTS, Record
from carnival_envs.core.jit import kernel
from carnival_envs.core.observation import Block, Floats, put_one_hot, put_seat
from carnival_envs.core.options import need_integer

UNKNOWN = -1
"""Who decided, and what, before the first decision."""


def checked_history(history: Any) -> int:
    """How many events observations are to show.

    Raises:
        ValueError: not an integer in ``0 .. MOST_EVENTS``.
    """
    need_integer(0, MOST_EVENTS, history=history)
    return int(history)


def event_blocks(history: int, num_players: int, num_forms: int) -> list[Block]:
    """The blocks of the last decisions, the newest first, so that a shorter history is the beginning of a longer one.

    Args:
        history: how many.
        num_players: how many seats there are.
        num_forms: how many public forms.
    """
    blocks = []
    for age in range(1, history + 1):
        when = "in the last decision" if age == 1 else f"{age} decisions ago"
        who = f"one-hot, relative: who decided {when}; all 0 before the first"
        what = f"one-hot: the action taken {when}, another player's in its public form; all 0 before the first"
        blocks.append(Block(f"event_{age}_player", (num_players,), 0, 1, who))
        blocks.append(Block(f"event_{age}_action", (num_forms,), 0, 1, what))
    return blocks


@kernel
def forget_events(s: Record) -> None:
    """The empty history of a new game."""
    s.num_events = 0
    for place in range(MOST_EVENTS):
        event = s.events[place]
        event.player = event.action = event.public_action = 0


@kernel
def note_event(s: Record, action: int, public_action: int) -> None:
    """Note a decision of the actor, in the place of the oldest."""
    event = s.events[s.num_events % MOST_EVENTS]
    event.player = s.actor
    event.action = action
    event.public_action = public_action
    s.num_events += 1


@kernel
def conceal_events(s: Record, player: int) -> None:
    """Leave of the actions of others their public form."""
    for place in range(MOST_EVENTS):
        event = s.events[place]
        if event.player != player:
            event.action = event.public_action


@kernel
def size_of_events(rules: Record) -> int:
    """How many numbers ``event_blocks`` hold."""
    return int(rules.history * (rules.num_players + rules.num_forms))


@kernel
def put_events(rules: Record, s: Record, player: int, out: Floats, at: int) -> int:
    """Write ``event_blocks`` as ``player`` knows them; returns the next place."""
    n = rules.num_players
    for age in range(rules.history):
        event = s.events[(s.num_events - 1 - age) % MOST_EVENTS]
        seat, form = UNKNOWN, UNKNOWN
        if age < s.num_events:
            seat = event.player
            form = event.action if seat == player else event.public_action
        at = put_seat(out, at, seat, player, n)
        at = put_one_hot(out, at, form, rules.num_forms)
    return at
