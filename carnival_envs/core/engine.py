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

_engines: dict[int, tuple[GameDefinition, Any]] = {}


def engine(definition: GameDefinition) -> Any:
    """The loops of ``core/loops.py``, by name, compiled for a game. Each is compiled at its first call."""
    known = _engines.get(id(definition))
    if known is None:
        sources = source_hash([CORE, definition.folder])
        announce_compilation(definition.name, sources)
        known = definition, SimpleNamespace(**bind(loops, definition.kernels.by_name(), definition.name, sources))
        _engines[id(definition)] = known
    return known[1]


@cache
def chance_loops() -> dict[str, Any]:
    """The loops of ``core/draws.py``, by name."""
    return bind(draws, {}, "draws", source_hash([CORE]))
