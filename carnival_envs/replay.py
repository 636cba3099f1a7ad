"""Replays: whole games in small JSON files that play again, bit for bit.

A file holds the game with its options (a ``history`` among them, if it has one, so that policies see what they saw),
the seed (or the scripted draws), every action by its string, who played, and a fingerprint of the last position;
``load_replay`` plays it and compares. It can't run code, and a file that is not a replay, or is cut off, is a
``ValueError``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from carnival_envs.core.chance import SEED_LIMIT
from carnival_envs.core.data import load_data
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.files import replacing
from carnival_envs.core.game import Game
from carnival_envs.core.options import refuse
from carnival_envs.core.position import Field
from carnival_envs.core.state import State
from carnival_envs.registry import load_game

FORMAT: Final = "carnival_envs replay"
VERSION: Final = 1
FIELDS: Final = (
    "format",
    "version",
    "package",
    "game",
    "options",
    "data",
    "seed",
    "draws",
    "players",
    "actions",
    "stopped",
    "result",
    "position",
)
"""The entries of a file, all of them, in this order."""

LARGEST_FILE: Final = 8 << 20
"""Bytes; no game is longer, and nothing larger is read."""

LARGEST_DRAW: Final = (1 << 31) - 1

LONGEST_WORDS: Final = 1000
"""Characters of a player's name, or of the reason why a game was stopped."""

Data = str | Path | Mapping[str, Any] | None


@dataclass(frozen=True)
class Result:
    """How a game ended by its rules or its own bound; lists by seat.

    Attributes:
        end_reason: why.
        truncated: whether it was cut off by its bound.
        scores, ranks: raw scores and ranks; 1 is best.
        winners: the seats that won.
        returns: with ``reward="win"``.
    """

    end_reason: str | None
    truncated: bool
    scores: list[int]
    ranks: list[int]
    winners: list[int]
    returns: list[float]

    @classmethod
    def of(cls, state: State) -> Result | None:
        """The result of a state; ``None`` if the game is not over."""
        if not state.is_terminal():
            return None
        ends = state.end_reason(), state.is_truncated()
        return cls(*ends, state.scores(), state.ranks(), state.winners(), state.returns())


@dataclass(frozen=True)
class Replay:
    """A game from its first decision on.

    Attributes:
        game: the game.
        actions: the indices of the actions, in order.
        players: who played each seat: specs, or names.
        seed: of the game's chance; ``None`` where it was scripted.
        draws: the scripted draws; ``None`` where it was seeded.
        stopped: why the game went no further although it is not over; ``None`` where it is, or may go on.
        package: the version of this package that played it.
    """

    game: Game
    actions: tuple[int, ...]
    players: tuple[str, ...]
    seed: int | None = None
    draws: tuple[int, ...] | None = None
    stopped: str | None = None
    package: str = ""

    def initial_state(self) -> State:
        """The state at the first decision.

        Raises:
            ValueError: neither a seed nor draws, or draws that do not fit.
        """
        if self.draws is not None:
            return self.game.new_initial_state(chance=self.draws)
        if self.seed is None:
            raise ValueError("seed: None is not allowed without draws; allowed: a seed, or draws")
        return self.game.new_initial_state(self.seed)

    def states(self) -> Iterator[State]:
        """The states before each action, then the last; each an independent copy.

        Raises:
            ValueError: an action is not legal where it is taken; names it.
        """
        state = self.initial_state()
        for number, action in enumerate(self.actions):
            yield state.__copy__()
            try:
                state.apply_action(action)
            except IllegalActionError as error:
                raise ValueError(f"actions.{number}: {error}") from error
        yield state

    def final_state(self) -> State:
        """The last state.

        Raises:
            ValueError: see ``states``.
        """
        *_, last = self.states()
        return last

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all. Returns its path."""
        return _write(Path(path), self._document())

    def save_in(self, folder: str | Path) -> Path:
        """Write a file in a folder, under a name that follows from the game; the same game gives the same file."""
        document = self._document()
        digest = fingerprint(document)[:8]
        name = f"{self.game.name}-{'scripted' if self.seed is None else self.seed}-{digest}.json"
        return _write(Path(folder) / name, document)

    def _document(self) -> dict[str, Any]:
        from carnival_envs import __version__

        last = self.final_state()
        result = Result.of(last)
        entries = (
            FORMAT,
            VERSION,
            __version__,
            self.game.name,
            self.game.keywords,
            data_fingerprint(self.game),
            self.seed,
            None if self.draws is None else list(self.draws),
            list(self.players),
            [self.game.action_to_string(action) for action in self.actions],
            self.stopped,
            None if result is None else asdict(result),
            fingerprint(last.to_position()),
        )
        return dict(zip(FIELDS, entries, strict=True))


def fingerprint(document: Any) -> str:
    """A hash of a JSON document, the same on every machine."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def data_fingerprint(game: Game) -> str | None:
    """A hash of the component data that a user gave a game; ``None`` for the game's own."""
    own = load_data(game.definition.folder / game.definition.data_file, None)
    return None if game.data == own else fingerprint(game.data)


def _write(path: Path, document: Mapping[str, Any]) -> Path:
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return path


# Reading ----------------------------------------------------------------------------------------------------------


def load_replay(path: str | Path, *, data: Data = None) -> Replay:
    """Read a replay, play it, and compare its end with what the file says.

    Args:
        path: the file.
        data: the component data that the game was played with, where they were a user's own; see ``load_game``.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: not a replay, one of another format version, a game that can't be played as the file says, or one
            that ends otherwise; names the file and what is wrong.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"replay {path}: no such file")
    try:
        document = _read(path)
        replay = _parse(Field(document), data)
        _check_end(replay, document)
    except (ValueError, TypeError, RecursionError) as error:  # an unknown option is a TypeError
        raise ValueError(f"replay {path}: {error}") from error
    return replay


def _read(path: Path) -> dict[str, Any]:
    """The content of a file that says that it is a replay of this format."""
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise ValueError(f"a file of {size} bytes is not allowed; allowed: at most {LARGEST_FILE}")
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a replay, or cut off: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"not a replay: there is no entry format with the value {FORMAT!r}")
    return document


def _parse(document: Field, data: Data) -> Replay:
    """The replay that a file describes, not yet played."""
    document["version"].integer(VERSION, VERSION)
    document.only(*FIELDS)
    options = document["options"].value
    if not isinstance(options, dict):
        refuse("options", options, "an object")
    game = load_game(document["game"].value, data=data, **options)
    if document["data"].value != data_fingerprint(game):
        whose = "the game's own" if document["data"].value is None else "other ones, which have to be given as data"
        raise ValueError(f"data: the component data differ; it was played with {whose}")
    seed, draws = document["seed"].integer_or_null(0, SEED_LIMIT - 1), document["draws"]
    scripted = draws.value is not None
    if scripted == (seed is not None):
        refuse("seed", seed, "a seed or draws, one of them")
    return Replay(
        game=game,
        actions=tuple(game.string_to_action(item.value) for item in document["actions"].items()),
        players=tuple(_words(item) for item in document["players"].items(game.num_players, game.num_players)),
        seed=seed,
        draws=tuple(item.integer(0, LARGEST_DRAW) for item in draws.items()) if scripted else None,
        stopped=None if document["stopped"].value is None else _words(document["stopped"]),
        package=_words(document["package"]),
    )


def _words(field: Field) -> str:
    """A text of no great length."""
    if not isinstance(field.value, str) or len(field.value) > LONGEST_WORDS:
        refuse(field.path, field.value, f"a text of at most {LONGEST_WORDS} characters")
    return str(field.value)


def _check_end(replay: Replay, document: Mapping[str, Any]) -> None:
    last = replay.final_state()
    result = Result.of(last)
    own = {"result": None if result is None else asdict(result), "position": fingerprint(last.to_position())}
    for name, value in own.items():
        if document[name] != value:
            raise ValueError(
                f"{name}: the game ends otherwise than the file says; it was played with "
                f"carnival_envs {replay.package}, or the file was changed"
            )
