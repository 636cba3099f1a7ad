"""What the specs of all searches have in common: a budget, then options as in a query of an address."""

from __future__ import annotations

from dataclasses import asdict
from typing import TypeVar
from urllib.parse import parse_qsl

from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.options import refuse
from carnival_envs.core.search import Budget

MILLISECONDS = "ms"
"""What follows a budget of time."""

Options = TypeVar("Options", bound=Budget)


def is_budget(text: str) -> bool:
    """Whether a text is written like a budget: ``200`` or ``50ms``."""
    return text.removesuffix(MILLISECONDS).isdecimal()


def search_options(word: str, budget: str, query: str, kind: type[Options]) -> Options:
    """The options of a search, from its spec.

    Args:
        word: what the spec begins with, for messages.
        budget: the number of simulations, or ``Nms`` for milliseconds.
        query: the other options, as in ``exploration=1.0&threads=2``.
        kind: the class of the options.

    Raises:
        ValueError: not a number, or an option that is unknown or not allowed.
    """
    unit = "milliseconds" if budget.endswith(MILLISECONDS) else "simulations"
    settings = {unit: budget.removesuffix(MILLISECONDS), **dict(parse_qsl(query, keep_blank_values=True))}
    defaults = asdict(kind())
    values: dict[str, object] = {}
    for name, text in settings.items():
        if name not in defaults:
            near = did_you_mean(name, list(defaults))
            raise ValueError(f"{word}: unknown option {name!r}; options: {', '.join(defaults)}{near}")
        try:
            values[name] = type(defaults[name])(text)
        except ValueError:
            refuse(f"{word} {name}", text, f"a value of type {type(defaults[name]).__name__}")
    if values.get("milliseconds") == 0:
        refuse(f"{word} milliseconds", settings["milliseconds"], "at least 1")
    return kind(**values)  # type: ignore[arg-type]
