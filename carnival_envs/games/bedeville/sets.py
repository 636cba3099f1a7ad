"""Sets of spaces, colours, tokens, cards or Prizes: integers whose bit i says whether i is a member."""

from __future__ import annotations

from typing import Any

from carnival_envs.core.jit import kernel


@kernel
def only(member: int) -> int:
    """The set of one member."""
    return 1 << member


@kernel
def has(members: int, member: int) -> bool:
    """Whether the set holds ``member``."""
    return (members >> member) & 1 == 1


@kernel
def count(members: int) -> int:
    """How many members the set has."""
    found = 0
    while members:
        members &= members - 1
        found += 1
    return found


@kernel
def nth(members: int, n: int) -> int:
    """The member with ``n`` smaller ones."""
    member = 0
    while n > 0 or not members & 1:
        n -= members & 1
        members >>= 1
        member += 1
    return member


@kernel
def lowest(members: int) -> int:
    """The smallest member."""
    return nth(members, 0)


def members_of(members: Any) -> list[int]:
    """The members in ascending order, for Python code."""
    return [member for member in range(int(members).bit_length()) if int(members) >> member & 1]
