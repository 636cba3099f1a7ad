"""Legal moves in the words of the game, grouped by what is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from carnival_envs.core.state import State, View


@dataclass(frozen=True)
class Move:
    """A legal action of a player.

    Attributes:
        action: its index.
        string: its canonical string.
        choice: what it is called under its heading; empty where the heading says it all.
    """

    action: int
    string: str
    choice: str


@dataclass(frozen=True)
class Group:
    """The moves that do the same thing."""

    heading: str
    moves: tuple[Move, ...]


def grouped_moves(view: View) -> list[Group]:
    """The legal actions of a player who is to decide, by heading, in the order of their indices; else none."""
    groups: dict[str, list[Move]] = {}
    for action in view.legal_actions_mask().nonzero()[0].tolist():
        string = view.game.action_to_string(action)
        words = view.action_words(string)
        groups.setdefault(words.heading, []).append(Move(action, string, words.choice))
    return [Group(heading, tuple(moves)) for heading, moves in groups.items()]


@dataclass(frozen=True)
class Told:
    """A move that was made, as somebody may read it.

    Attributes:
        seat: who made it.
        words: what he did; of another player only what is open to all.
    """

    seat: int
    words: str


def told(state: State, action: int, viewer: int | None) -> Told:
    """An action that the current player takes in a state, as a player may read it; a referee reads all."""
    seat = state.current_player()
    own = viewer is None or viewer == seat
    string = state.game.action_to_string(action) if own else state.public_action_to_string(action)
    return Told(seat, str(state.view(seat if viewer is None else viewer).action_words(string)))


def all_told(states: Iterable[State], actions: Iterable[int], viewer: int | None) -> Iterator[Told]:
    """The moves of a game, each taken in the state of its place."""
    for state, action in zip(states, actions, strict=False):
        yield told(state, action, viewer)
