"""The compiled loops of each game, made once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from carnival_envs.core import draws, loops
from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.jit import announce_compilation, bind, source_hash

CORE = Path(__file__).parent


@cache
def engine(definition: GameDefinition) -> Any:
    """The loops of ``core/loops.py``, by name, compiled for a game. Each is compiled at its first call."""
    sources = source_hash([CORE, definition.folder])
    announce_compilation(definition.name, sources)
    return SimpleNamespace(**bind(loops, definition.kernels.by_name(), definition.name, sources))


@cache
def search_loops(definition: GameDefinition) -> dict[str, Any]:
    """The loops of ``core/search_loops.py``, by name, compiled for a game."""
    from carnival_envs.core import search_loops as loops_of_search

    sources = source_hash([CORE, definition.folder])
    names = {**definition.kernels.by_name(), **vars(engine(definition))}
    return bind(loops_of_search, names, f"{definition.name}-search", sources)


@cache
def chance_loops() -> dict[str, Any]:
    """The loops of ``core/draws.py``, by name."""
    return bind(draws, {}, "draws", source_hash([CORE]))
