"""The errors of the package that are more than a ``ValueError`` or a ``TypeError``."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


class IllegalActionError(ValueError):
    """An action that is not legal now. The state it was meant for is unchanged.

    Attributes:
        action: what was asked for, an index or a string.
        legal: the strings of the actions that are legal, in index order.
    """

    def __init__(self, action: object, legal: Sequence[str], where: str = "") -> None:
        self.action = action
        self.legal = tuple(legal)
        self.where = where
        allowed = ", ".join(self.legal) if self.legal else "none, the game is over"
        super().__init__(f"illegal action {action!r}{where}; legal actions: {allowed}")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.action, self.legal, self.where)


class FolderInUseError(OSError):
    """A folder that another process works in. The message names both."""


def did_you_mean(word: object, known: Sequence[str]) -> str:
    """``"; did you mean 'x'?"`` for the nearest known word, or an empty string."""
    near = get_close_matches(str(word), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
