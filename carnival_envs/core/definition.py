"""What a game tells the engine about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from carnival_envs.core.drawing import Drawing, Theme, draw_text
from carnival_envs.core.interface import Kernels, Record
from carnival_envs.core.observation import Block
from carnival_envs.core.options import Option
from carnival_envs.core.position import Document, Field
from carnival_envs.core.symmetry import Renaming

if TYPE_CHECKING:
    from carnival_envs.core.game import Game


MOST_PLAYERS = 16
"""No game has more."""


class ActionWords(NamedTuple):
    """An action in the words of the game: what is done, for a heading, and with what, for a choice below it.

    An action that needs no choice has an empty ``choice``.
    """

    heading: str
    choice: str

    def __str__(self) -> str:
        return f"{self.heading}: {self.choice}" if self.choice else self.heading


def plain_words(game: Game, s: Record, string: str) -> ActionWords:
    """The words of an action from its string alone: ``"play:3:up"`` is "play: 3 up"."""
    heading, _, choice = string.replace("_", " ").partition(":")
    return ActionWords(heading, choice.replace(":", " "))


def no_end_info(game: Game, s: Record, player: int) -> dict[str, Any]:
    """What a player's ``info`` holds at the end beyond score, rank, winners and end reason: nothing."""
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class GameDefinition:
    """A game, as its folder defines it. One of these is all that the rest of the package knows of a game.

    Attributes:
        name: the id, ``"carnavalesco"``.
        title: the name on the box.
        summary: one sentence on what the game is.
        folder: where the game's sources lie; with ``data_file`` inside.
        options: the options in the order of the specification; ``num_players`` is the first.
        phases, end_reasons: names by index.
        actions: the canonical string of every action, by index.
        state: the dtype of the state record; begins with ``interface.HEADER``.
        build_rules: ``build_rules(data, options)`` makes the ``rules`` record, an array of shape ``(1,)`` whose dtype
            begins with ``interface.RULES_HEADER``. Raises ``ValueError`` naming the entry of the data that can't be
            played with.
        blocks: ``blocks(options)`` declares the observation.
        kernels: the rules as compiled code.
        to_position: ``to_position(game, s)`` gives the fields after the common header, in order.
        from_position: ``from_position(game, document, s)`` fills ``s`` (all 0 but for the header) from a document.
        invariants: number to ``(rule, field)``, for ``kernels.broken_invariant``.
        text: ``text(game, s, viewer)`` draws a state, or the view of a player, in plain text; ``viewer`` is ``None``
            for a referee who sees everything.
        draw: ``draw(game, s, viewer, theme)`` draws the same as a picture; all pictures of a game have one size. The
            default draws the plain text.
        score_scale: the path in the data, with dots, of what a lead is divided by in ``"score"`` returns.
        scores_before_end: whether scores exist while the game runs.
        perfect_information: whether nothing is ever hidden from a player, so that ``resample`` changes nothing.
        hidden_forms: what others read of actions that they can't know in full, ``"give:?"``;
            ``kernels.public_action`` tells which stands for an action.
        action_words: ``action_words(game, s, string)``: an action that is taken in ``s``, from its string or its
            public form, in the words of the game. Reads only what is open to all.
        end_info: ``end_info(game, s, player)``: what a player's ``info`` adds at the end.
        rename: ``rename(rng)`` draws new names for components, such as colors, under which every game stays the same;
            ``None`` where no two are alike. For learners, which make many games of one.
        variants: option sets that, beside the defaults at every number of players, show all that the options change.
        data_file: the component data, beside the game's sources.
        action_index: the index of every action's string.
        public_forms: the strings that ``kernels.public_action`` chooses from, by index: actions, then hidden forms.
    """

    name: str
    title: str
    summary: str
    folder: Path
    options: Sequence[Option]
    phases: Sequence[str]
    end_reasons: Sequence[str]
    actions: Sequence[str]
    state: np.dtype[Any]
    build_rules: Callable[[Mapping[str, Any], Mapping[str, Any]], Record]
    blocks: Callable[[Mapping[str, Any]], list[Block]]
    kernels: Kernels
    to_position: Callable[[Game, Record], Document]
    from_position: Callable[[Game, Field, Record], None]
    invariants: Mapping[int, tuple[str, str]]
    text: Callable[[Game, Record, int | None], str]
    draw: Callable[[Game, Record, int | None, Theme], Drawing] = draw_text
    score_scale: str = "score_scale"
    scores_before_end: bool = True
    perfect_information: bool = False
    hidden_forms: Sequence[str] = ()
    action_words: Callable[[Game, Record, str], ActionWords] = plain_words
    end_info: Callable[[Game, Record, int], dict[str, Any]] = no_end_info
    rename: Callable[[np.random.Generator], Renaming] | None = None
    variants: Sequence[Mapping[str, Any]] = ()
    data_file: str = "data.toml"
    action_index: dict[str, int] = field(init=False, repr=False)
    public_forms: tuple[str, ...] = field(init=False, repr=False)

    def option_sets(self) -> list[dict[str, Any]]:
        """The default options at every number of players, then the variants."""
        return [{"num_players": n} for n in self.player_counts()] + [dict(variant) for variant in self.variants]

    def player_counts(self) -> list[int]:
        """Every allowed number of players."""
        return [n for n in range(1, MOST_PLAYERS + 1) if self._allows(n)]

    def _allows(self, num_players: int) -> bool:
        try:
            self.options[0].check("num_players", num_players, {})
        except ValueError:
            return False
        return True

    def __post_init__(self) -> None:
        object.__setattr__(self, "action_index", {text: index for index, text in enumerate(self.actions)})
        object.__setattr__(self, "public_forms", (*self.actions, *self.hidden_forms))
