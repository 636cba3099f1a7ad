"""Options of a game: declared once, checked before anything is drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from carnival_envs.core.errors import did_you_mean

Checked = Mapping[str, Any]

WORDS = {"True": True, "False": False, "None": None}
"""What Python says where JSON says something else."""


@dataclass(frozen=True)
class Option:
    """One option of a game.

    Attributes:
        name: its keyword.
        default: its value when not given.
        check: ``check(name, value, options)`` returns the value in its JSON form, or calls ``refuse``; ``options``
            holds the options declared before this one.
        meaning: one sentence for the documentation.
    """

    name: str
    default: Any
    check: Callable[[str, Any, Checked], Any]
    meaning: str


def parse_option(text: str) -> tuple[str, Any]:
    """Name and value of ``KEY=VALUE``; the value is JSON, ``True``, ``False``, ``None``, or else a word.

    Raises:
        ValueError: no ``=``, or nothing before it.
    """
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ValueError(f"--option: {text!r} is not allowed; allowed: KEY=VALUE")
    if value in WORDS:
        return key, WORDS[value]
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


def refuse(name: str, value: object, allowed: str) -> NoReturn:
    """Raise the ``ValueError`` of an option, a field or a data entry that is not allowed."""
    raise ValueError(f"{name}: {value!r} is not allowed; allowed: {allowed}")


def is_integer(value: object) -> bool:
    """Whether a value is an integer, Python's or NumPy's; a ``bool`` is none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def need_at_least_one(**counts: object) -> None:
    """Refuse a count that is no integer of at least 1, by its name.

    Raises:
        ValueError: names the count.
    """
    for name, value in counts.items():
        if not is_integer(value) or value < 1:  # type: ignore[operator]
            refuse(name, value, "an integer of at least 1")


def need_integer(low: int, high: int, **values: object) -> None:
    """Refuse a value that is no integer in ``low..high``, by its name.

    Raises:
        ValueError: names the value.
    """
    for name, value in values.items():
        integer(low, high)(name, value, {})


def integer(low: int, high: int | None = None) -> Callable[[str, Any, Checked], int]:
    """The check of an integer option in ``low..high``."""

    def check(name: str, value: Any, options: Checked) -> int:
        if not is_integer(value) or value < low or (high is not None and value > high):
            refuse(name, value, f"an integer in {low}..{high}" if high is not None else f"an integer of at least {low}")
        return int(value)

    return check


def boolean(name: str, value: Any, options: Checked) -> bool:
    """The check of a ``True`` / ``False`` option."""
    if not isinstance(value, bool | np.bool_):
        refuse(name, value, "True or False")
    return bool(value)


def one_of(*allowed: str) -> Callable[[str, Any, Checked], str]:
    """The check of an option that is one of some words."""

    def check(name: str, value: Any, options: Checked) -> str:
        if not isinstance(value, str) or value not in allowed:
            refuse(name, value, " or ".join(repr(word) for word in allowed))
        return str(value)

    return check


def seat_or(*words: str | None) -> Callable[[str, Any, Checked], Any]:
    """The check of an option that is a seat, or one of the given values."""

    def check(name: str, value: Any, options: Checked) -> Any:
        if (value is None or isinstance(value, str)) and value in words:
            return value
        last = options["num_players"] - 1
        if not is_integer(value) or not 0 <= value <= last:
            refuse(name, value, f"a seat in 0..{last}, or {' or '.join(repr(word) for word in words)}")
        return int(value)

    return check


def check_options(game: str, declared: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value, in the declared order.

    Raises:
        TypeError: an option that the game does not have.
        ValueError: a value that is not allowed.
    """
    names = [option.name for option in declared]
    for name in given:
        if name not in names:
            raise TypeError(f"{game} has no option {name!r}; options: {', '.join(names)}{did_you_mean(name, names)}")
    options: dict[str, Any] = {}
    for option in declared:
        options[option.name] = option.check(option.name, given.get(option.name, option.default), options)
    return options
