"""The compiled loops of each game, made once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from carnival_envs.core import draws, loops
from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.jit import announce_compilation, bind, source_hash

COMPILED_MODULES = ("chance", "draws", "history", "interface", "jit", "loops", "observation", "search_loops")
"""The modules of the core that compiled code comes from: a change in another one leaves it valid."""


def core_sources() -> list[Path]:
    """The files of the core that compiled code comes from."""
    return [Path(__file__).with_name(f"{module}.py") for module in COMPILED_MODULES]


def sources_of(definition: GameDefinition, *more: Path) -> str:
    """A hash of all that the compiled code of a game comes from, and of more source files if there are any."""
    return source_hash([*core_sources(), *definition.folder.rglob("*.py"), *more])


@cache
def engine(definition: GameDefinition) -> Any:
    """The loops of ``core/loops.py``, by name, compiled for a game. Each is compiled at its first call."""
    sources = sources_of(definition)
    announce_compilation(definition.name, sources)
    return SimpleNamespace(**bind(loops, definition.kernels.by_name(), definition.name, sources))


@cache
def search_loops(definition: GameDefinition) -> dict[str, Any]:
    """The loops of ``core/search_loops.py``, by name, compiled for a game."""
    from carnival_envs.core import search_loops as loops_of_search

    return bind_to_game(loops_of_search, definition, f"{definition.name}-search", sources_of(definition))


def bind_to_game(module: ModuleType, definition: GameDefinition, owner: str, sources: str) -> dict[str, Any]:
    """The loops of a module that is written against the kernels of a game and the loops of ``core/loops.py``.

    Args:
        module: the loops.
        definition: the game.
        owner: keeps their cache entries apart from all others.
        sources: a hash of all source files that the compiled code comes from.
    """
    return bind(module, {**definition.kernels.by_name(), **vars(engine(definition))}, owner, sources)


@cache
def chance_loops() -> dict[str, Any]:
    """The loops of ``core/draws.py``, by name."""
    return bind(draws, {}, "draws", source_hash(core_sources()))
