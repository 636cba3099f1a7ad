"""``Game``: a game with its options, the factory of its states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core import chance as chance_module
from carnival_envs.core.data import entry, load_data
from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.engine import engine
from carnival_envs.core.errors import IllegalActionError, did_you_mean
from carnival_envs.core.history import checked_history, event_blocks
from carnival_envs.core.interface import NOT_ENDED, OVER, VALID
from carnival_envs.core.observation import Block, scales, size_of
from carnival_envs.core.options import check_options, is_integer, refuse
from carnival_envs.core.position import Document, Field, differences
from carnival_envs.core.state import State, blank_record

POSITION_VERSION = 1


class Game:
    """A game with every option set. Immutable; states of one game share it.

    Attributes:
        definition: what the game's folder tells of it.
        name: the id of the game.
        options: every option with its value, ``num_players`` included.
        data: the component data that the game is played with.
        history: how many of the last decisions observations show.
        num_players: how many seats there are.
        num_actions: the size of the action space.
        public_forms: the strings of what others may know of actions: the actions, then the game's hidden forms.
        observation_blocks: the named parts of an observation, in order.
        observation_size: the length of the flat observation.
        score_scale: what a lead in points is divided by in ``"score"`` returns.
    """

    def __init__(
        self,
        definition: GameDefinition,
        options: Mapping[str, Any] | None = None,
        data: str | Path | Mapping[str, Any] | None = None,
        history: int = 0,
    ) -> None:
        """
        Args:
            definition: the game.
            options: the options to set; the others keep their defaults.
            data: a TOML file (or its content) whose entries replace those of the game's own component data.
            history: how many of the last decisions observations show, in ``0 .. interface.MOST_EVENTS``.

        Raises:
            TypeError: an unknown option.
            ValueError: an option, a data entry or a history that is not allowed, named with what is.
        """
        self.definition = definition
        self.name = definition.name
        self.options: dict[str, Any] = check_options(definition.name, definition.options, options or {})
        self.data: dict[str, Any] = load_data(definition.folder / definition.data_file, data)
        self._own_data = data if data is None else self.data
        self.history = checked_history(history)
        self.num_players: int = self.options["num_players"]
        self.num_actions = len(definition.actions)
        self.public_forms = definition.public_forms
        self.score_scale = float(entry(self.data, definition.score_scale))
        if not 0 < self.score_scale < float("inf"):
            refuse(f"data {definition.score_scale}", self.score_scale, "a number above 0")
        self.observation_blocks: list[Block] = self.blocks(self.history)
        self.observation_size = size_of(self.observation_blocks)
        self.observation_scales = scales(self.observation_blocks)
        self.rules = definition.build_rules(self.data, self.options)
        self.rules["history"] = self.history
        self.rules["num_forms"] = len(self.public_forms)
        self.engine = engine(definition)

    def blocks(self, history: int) -> list[Block]:
        """The blocks of an observation that shows so many of the last decisions; without them if ``history`` is 0."""
        events = event_blocks(history, self.num_players, len(self.public_forms))
        return [*self.definition.blocks(self.options), *events]

    @property
    def keywords(self) -> dict[str, Any]:
        """What ``load_game`` takes for this game beside its name and data: the options, and a history if it has one."""
        return {**self.options, "history": self.history} if self.history else dict(self.options)

    def new_initial_state(self, seed: int | None = None, *, chance: Sequence[int] | None = None) -> State:
        """A new game at its first decision.

        Args:
            seed: of the game's chance; ``None`` takes a fresh one.
            chance: scripted draws, and nothing else, in place of a seed.

        Raises:
            ValueError: a seed or a script that is not allowed, or a script that does not fit the set-up.
        """
        record = blank_record(self.definition.state)
        words = stream(seed, chance)
        actor = self.engine.start(self.rules, record, words)
        chance_module.check_script(words)
        return State(self, record, words, int(actor))

    def state_from_position(
        self, document: Document, seed: int | None = None, *, chance: Sequence[int] | None = None
    ) -> State:
        """The state that a position document describes, with an empty history; loading draws nothing.

        Raises:
            ValueError: a field that is missing, of the wrong type or out of range, options other than this game's,
                or an invariant that does not hold; names the field.
        """
        words = stream(seed, chance)
        record = blank_record(self.definition.state)
        field = Field(document)
        self._read_header(field, record[0])
        self.definition.from_position(self, field, record[0])
        self.engine.derive_one(self.rules, record)
        broken = int(self.engine.invariant_one(self.rules, record))
        if broken != VALID:
            rule, name = self.definition.invariants[broken]
            raise ValueError(f"{name}: the position breaks invariant {rule}")
        state = State(self, record, words, int(record[0]["actor"]))
        for path, given, dumped in differences(document, state.to_position()):
            refuse(path, given, f"{dumped!r}, which follows from the rest of the position")
        return state

    def action_to_string(self, action: int) -> str:
        """The canonical string of an action.

        Raises:
            ValueError: not an index of the action space.
        """
        if not is_integer(action) or not 0 <= action < self.num_actions:
            refuse("action", action, f"an integer in 0..{self.num_actions - 1}")
        return self.definition.actions[action]

    def string_to_action(self, string: str) -> int:
        """The index of an action's canonical string.

        Raises:
            ValueError: no action of this game has that string.
        """
        action = self.definition.action_index.get(string) if isinstance(string, str) else None
        if action is None:
            near = did_you_mean(string, self.definition.actions)
            raise ValueError(f"action: {self.name} has no action {string!r}{near}")
        return action

    def shown_action(self, action: object) -> object:
        """The string of an action, for messages; what is no index of the action space stays as it is."""
        if not is_integer(action) or not 0 <= action < self.num_actions:  # type: ignore[operator]
            return action
        return self.definition.actions[action]  # type: ignore[call-overload]

    def illegal_action_error(self, action: object, mask: npt.NDArray[np.int8], where: str = "") -> IllegalActionError:
        """The error of an action that is not legal.

        Args:
            action: what was asked for.
            mask: int8, ``(num_actions,)``: what is legal.
            where: who asked, or in which game; follows the action in the message.
        """
        legal = [self.definition.actions[index] for index in mask.nonzero()[0].tolist()]
        return IllegalActionError(self.shown_action(action), legal, where)

    def _read_header(self, document: Field, s: Any) -> None:
        definition = self.definition
        if document["game"].value != self.name:
            refuse("game", document["game"].value, repr(self.name))
        document["version"].integer(POSITION_VERSION, POSITION_VERSION)
        for path, given, own in differences(document["options"].value, self.options, "options"):
            refuse(path, given, f"{own!r}, as the game has it")
        s["phase"] = document["phase"].index(definition.phases)
        s["active"] = document["active"].integer(0, self.num_players - 1)
        s["actor"] = document["actor"].integer(OVER, self.num_players - 1)
        s["truncated"] = document["truncated"].boolean()
        s["end_reason"] = document["end_reason"].index_or_null(definition.end_reasons)

    def dump_header(self, s: Any) -> Document:
        """The common first fields of the position document of a state record."""
        definition = self.definition
        reason = int(s["end_reason"])
        return {
            "game": self.name,
            "version": POSITION_VERSION,
            "options": dict(self.options),
            "phase": definition.phases[int(s["phase"])],
            "active": int(s["active"]),
            "actor": int(s["actor"]),
            "truncated": bool(s["truncated"]),
            "end_reason": None if reason == NOT_ENDED else definition.end_reasons[reason],
        }

    def __repr__(self) -> str:
        keywords = ", ".join(f"{name}={value!r}" for name, value in self.keywords.items())
        return f"load_game({self.name!r}, {keywords})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.name, self.keywords, self.data) == (other.name, other.keywords, other.data)

    def __hash__(self) -> int:
        return hash((self.name, self.num_players, self.history))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.name, self.keywords, self._own_data)


def _load(name: str, keywords: dict[str, Any], data: Any) -> Game:
    from carnival_envs.registry import load_game

    return load_game(name, data=data, **keywords)


def stream(seed: int | None, draws: Sequence[int] | None) -> chance_module.Words:
    """The stream for a seed or for scripted draws.

    Raises:
        ValueError: both are given, or one that is not allowed.
    """
    if draws is None:
        return chance_module.seeded_words(chance_module.checked_seed(seed))
    if seed is not None:
        raise ValueError("seed and chance: give one of them, not both")
    try:
        return chance_module.scripted_words(draws)
    except (OverflowError, TypeError):
        refuse("chance", draws, "a sequence of integers that fit in 64 bits")
