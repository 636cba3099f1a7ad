"""The table of Carnival in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carnival_envs.core.interface import Record

if TYPE_CHECKING:
    from carnival_envs.core.game import Game


def render(game: Game, s: Record, viewer: int | None) -> str:
    """x"""
    return ""
