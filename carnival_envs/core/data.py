"""Component data: the TOML file of a game, and a user's own file laid over it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import reduce
from os import PathLike
from pathlib import Path
from typing import Any

from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.options import refuse

IDENTITIES = ("key", "id", "index", "players")
"""Entries by which a table in a list is known, in order of preference."""


def load_data(default: Path, own: str | Path | Mapping[str, Any] | None) -> dict[str, Any]:
    """The component data of a game, with the entries of a user's own file in place of the default ones.

    Args:
        default: the game's own file.
        own: a TOML file, or its content, that gives some or all of the entries.

    Raises:
        ValueError: the file can't be read, or an entry is unknown or of another type than the default; names it.
    """
    with default.open("rb") as file:
        data = tomllib.load(file)
    if own is None:
        return data
    if not isinstance(own, str | PathLike | Mapping):
        refuse("data", own, "the path of a TOML file, or its content")
    merged = _merge(data, dict(own) if isinstance(own, Mapping) else _read(Path(own)), "")
    assert isinstance(merged, dict)
    return merged


def entry(data: Mapping[str, Any], path: str) -> Any:
    """The entry at a path with dots, as in ``"meta.score_scale"``."""
    return reduce(lambda table, key: table[key], path.split("."), data)


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"data: {path} can't be read: {error}") from error


def _merge(default: Any, own: Any, path: str) -> Any:
    where = f"data {path}" if path else "data"
    if isinstance(default, dict):
        if not isinstance(own, dict):
            refuse(where, own, "a table")
        for key in own:
            if key not in default:
                raise ValueError(f"{where}: unknown entry {key!r}{did_you_mean(key, list(default))}")
        return {
            key: _merge(value, own[key], f"{path}.{key}" if path else key) if key in own else value
            for key, value in default.items()
        }
    if isinstance(default, list) and default and isinstance(default[0], dict):
        return _merge_tables(default, own, path)
    if type(default) is not type(own) and not (isinstance(default, float) and type(own) is int):
        refuse(where, own, f"the type of the default, {type(default).__name__}")
    if isinstance(default, list) and default:
        for index, entry in enumerate(own):
            if type(entry) is not type(default[0]):
                refuse(f"{where}.{index}", entry, f"the type of the default, {type(default[0]).__name__}")
    return own


def _merge_tables(default: list[dict[str, Any]], own: Any, path: str) -> list[dict[str, Any]]:
    """Tables in a list are matched by what identifies them; those that the user's file leaves out stay."""
    if not isinstance(own, list) or not all(isinstance(table, dict) for table in own):
        refuse(f"data {path}", own, "a list of tables")
    identity = next((name for name in IDENTITIES if all(name in table for table in default)), None)
    if identity is None:
        return own
    places = {table[identity]: index for index, table in enumerate(default)}
    merged = list(default)
    for table in own:
        name = table.get(identity)
        if name not in places:
            known = [str(known) for known in places]
            refuse(f"data {path}.{identity}", name, f"one of {', '.join(known)}{did_you_mean(name, known)}")
        merged[places[name]] = _merge(merged[places[name]], table, f"{path}[{name}]")
    return merged
