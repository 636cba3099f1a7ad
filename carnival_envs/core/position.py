"""Position documents: a whole position as one JSON object.

A game reads its fields through ``Field``, which names the place of whatever does not fit. What the fields must
satisfy together is checked once for all games: the loaded state must keep the invariants, and dumping it must give
the document back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from carnival_envs.core.options import is_integer, refuse

Document = dict[str, Any]


class Field:
    """A value inside a position document, together with its path."""

    def __init__(self, value: Any, path: str = "position") -> None:
        self.value = value
        self.path = path

    def __getitem__(self, key: str) -> Field:
        """The entry of an object.

        Raises:
            ValueError: not an object, or no such entry.
        """
        if not isinstance(self.value, dict):
            refuse(self.path, self.value, "an object")
        if key not in self.value:
            raise ValueError(f"{self._join(key)}: this field is missing")
        return Field(self.value[key], self._join(key))

    def only(self, *keys: str) -> Field:
        """Itself, if it is an object of just these entries."""
        for key in keys:
            self[key]
        for key in self.value:
            if key not in keys:
                raise ValueError(f"{self._join(str(key))}: unknown field; known: {', '.join(keys)}")
        return self

    def items(self, low: int = 0, high: int | None = None) -> list[Field]:
        """The entries of a list of ``low..high`` entries."""
        length = len(self.value) if isinstance(self.value, list | tuple) else -1
        if length < low or (high is not None and length > high):
            count = f"{low}" if low == high else f"{low}..{'' if high is None else high}"
            refuse(self.path, self.value, f"a list of {count} entries")
        return [Field(value, f"{self.path}.{index}") for index, value in enumerate(self.value)]

    def integer(self, low: int, high: int) -> int:
        """An integer in ``low..high``."""
        if not is_integer(self.value) or not low <= self.value <= high:
            refuse(self.path, self.value, f"an integer in {low}..{high}")
        return int(self.value)

    def boolean(self) -> bool:
        """``true`` or ``false``."""
        if not isinstance(self.value, bool):
            refuse(self.path, self.value, "true or false")
        return self.value

    def index(self, names: Sequence[str]) -> int:
        """The index of a name in a table."""
        if not isinstance(self.value, str) or self.value not in names:
            refuse(self.path, self.value, f"one of {', '.join(names)}")
        return names.index(self.value)

    def index_or_null(self, names: Sequence[str]) -> int:
        """The index of a name in a table, or -1 for null."""
        return -1 if self.value is None else self.index(names)

    def integer_or_null(self, low: int, high: int) -> int | None:
        """An integer in ``low..high``, or ``None``."""
        return None if self.value is None else self.integer(low, high)

    def indices(self, names: Sequence[str], low: int = 0, high: int | None = None) -> list[int]:
        """The indices of a list of names."""
        return [item.index(names) for item in self.items(low, high)]

    def integers(self, low: int, high: int, count: int) -> list[int]:
        """A list of ``count`` integers in ``low..high``."""
        return [item.integer(low, high) for item in self.items(count, count)]

    def _join(self, key: str) -> str:
        return key if self.path == "position" else f"{self.path}.{key}"


MISSING = "nothing: no such field"


def differences(given: Any, dumped: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places where two documents differ: path, given value, dumped value."""
    if isinstance(given, dict) and isinstance(dumped, dict):
        for key in [*dumped, *(key for key in given if key not in dumped)]:
            yield from differences(
                given.get(key, MISSING), dumped.get(key, MISSING), f"{path}.{key}" if path else str(key)
            )
    elif isinstance(given, list) and isinstance(dumped, list) and len(given) == len(dumped):
        for index, (left, right) in enumerate(zip(given, dumped, strict=True)):
            yield from differences(left, right, f"{path}.{index}")
    elif given != dumped or isinstance(given, bool) != isinstance(dumped, bool):
        yield path, given, dumped
