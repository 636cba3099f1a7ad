"""The one table of games. Adding a game is one folder and one line here.

Games of other packages join by an entry point where the package is installed, or at run time with ``register_game``.
"""

from __future__ import annotations

import re
import warnings
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carnival_envs.core.batch import Batch
    from carnival_envs.core.definition import GameDefinition
    from carnival_envs.core.game import Game

GAMES: dict[str, str] = {
    "bedeville": "carnival_envs.games.bedeville",
    "carnavalesco": "carnival_envs.games.carnavalesco",
    "carnavalo": "carnival_envs.games.carnavalo",
    "carnival": "carnival_envs.games.carnival",
}
"""Game id to the module that holds its definition as ``GAME``."""

ENTRY_POINTS = "carnival_envs.games"
"""The group of the entry points by which installed packages bring games: the id of each, and its module."""

GAME_ID = re.compile(r"[a-z][a-z0-9_]*")


def definition(name: str) -> GameDefinition:
    """The definition of a game.

    Raises:
        ImportError, TypeError: see ``register_game``; of a game that an installed package brings.
        ValueError: no such game; names the known ones.
    """
    from carnival_envs.core.errors import did_you_mean

    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"unknown game {name!r}; games: {', '.join(GAMES)}{did_you_mean(name, list(GAMES))}")
    return _imported(name, GAMES[name])


def register_game(name: str, module: str) -> None:
    """Add a game of another package to the table, for this process. To add it again changes nothing.

    Args:
        name: the id of the game, as its definition has it: lower-case letters, digits and underscores.
        module: the module that holds the definition as ``GAME``, by its full name.

    Raises:
        ImportError: the module can't be imported.
        TypeError: its ``GAME`` is missing or no ``GameDefinition``.
        ValueError: a name that is not allowed, not the definition's, or taken by another game.
    """
    from carnival_envs.core.options import refuse

    if not isinstance(name, str) or not GAME_ID.fullmatch(name):
        refuse("name", name, "a letter, then letters, digits and underscores, all in lower case")
    if GAMES.get(name, module) != module:
        raise ValueError(f"name: {name!r} is taken by the game of {GAMES[name]}")
    _imported(name, module)
    GAMES[name] = module


def register_installed_games() -> None:
    """Add the games that installed packages bring by entry points; runs when the package is imported.

    Nothing of theirs is imported before it is asked for. A name that is no id, or is taken, is left out with a warning.
    """
    for point in entry_points(group=ENTRY_POINTS):
        if GAME_ID.fullmatch(point.name) and GAMES.setdefault(point.name, point.value) == point.value:
            continue
        warnings.warn(f"the entry point {point.name} = {point.value} is left out: no id, or taken", stacklevel=2)


def _imported(name: str, module: str) -> GameDefinition:
    """The definition that a module holds; raises what ``register_game`` does."""
    from importlib import import_module

    from carnival_envs.core.definition import GameDefinition
    from carnival_envs.core.options import refuse

    found = getattr(import_module(module), "GAME", None)
    if not isinstance(found, GameDefinition):
        raise TypeError(f"{module}.GAME: {found!r} is not allowed; allowed: a GameDefinition")
    if found.name != name:
        refuse("name", name, f"{found.name!r}, as {module}.GAME has it")
    return found


def load_game(
    name: str, *, data: str | Path | Mapping[str, Any] | None = None, history: int = 0, **options: Any
) -> Game:
    """A game with its options set.

    Args:
        name: the id of the game.
        data: a TOML file (or its content) whose entries replace those of the game's own component data.
        history: how many of the last decisions observations show, 0 to 16, each as the observer may know it: who
            decided, and what.
        options: as in the game's documentation.

    Raises:
        TypeError: an option that the game does not have.
        ValueError: an unknown game, or an option, data entry or history that is not allowed.
    """
    from carnival_envs.core.game import Game

    return Game(definition(name), options, data, history)


def make_batch(
    name: str,
    num_games: int,
    seed: int | None = None,
    *,
    reward: str = "win",
    num_threads: int = 1,
    data: str | Path | Mapping[str, Any] | None = None,
    history: int = 0,
    **options: Any,
) -> Batch:
    """Many games side by side; see ``Batch`` and ``load_game``.

    Raises:
        TypeError: an option that the game does not have.
        ValueError: an unknown game, or an argument that is not allowed.
    """
    from carnival_envs.core.batch import Batch

    game = load_game(name, data=data, history=history, **options)
    return Batch(game, num_games, seed, reward=reward, num_threads=num_threads)
