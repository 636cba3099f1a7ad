"""Information-set Monte-Carlo tree search as a policy: ``mcts:400``, ``mcts:50ms``, ``mcts:1000?rollout=random``."""

from __future__ import annotations

from dataclasses import asdict
from urllib.parse import parse_qsl

import numpy as np

from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.game import Game
from carnival_envs.core.options import refuse
from carnival_envs.core.search import SearchOptions, search_moves
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions

MILLISECONDS = "ms"
"""What follows a budget of time."""


class MCTSPolicy:
    """Searches from the view of the player who decides, and makes the move that was tried most."""

    def __init__(self, options: SearchOptions | None = None) -> None:
        """
        Args:
            options: how to search; ``None`` takes the defaults of ``SearchOptions``.
        """
        self.options = options or SearchOptions()

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        """See ``ViewPolicy.act_on_views``. With a budget of simulations, equal generators give equal moves."""
        return search_moves(views, self.options, rng)

    def __repr__(self) -> str:
        return f"MCTSPolicy({self.options!r})"


def make_mcts(argument: str, _game: Game, _trust: bool = False) -> MCTSPolicy:
    """The policy that the spec ``mcts:N``, ``mcts:Nms`` or either with ``?name=value&...`` names.

    Args:
        argument: what follows the colon: the number of simulations, or of milliseconds, then the other
            ``SearchOptions``.

    Raises:
        ValueError: not a number, or an option that is unknown or not allowed.
    """
    budget, _, query = argument.partition("?")
    unit = "milliseconds" if budget.endswith(MILLISECONDS) else "simulations"
    settings = {unit: budget.removesuffix(MILLISECONDS), **dict(parse_qsl(query, keep_blank_values=True))}
    defaults = asdict(SearchOptions())
    values: dict[str, object] = {}
    for name, text in settings.items():
        if name not in defaults:
            raise ValueError(
                f"mcts: unknown option {name!r}; options: {', '.join(defaults)}{did_you_mean(name, list(defaults))}"
            )
        try:
            values[name] = type(defaults[name])(text)
        except ValueError:
            refuse(f"mcts {name}", text, f"a value of type {type(defaults[name]).__name__}")
    if values.get("milliseconds") == 0:
        refuse("mcts milliseconds", settings["milliseconds"], "at least 1")
    return MCTSPolicy(SearchOptions(**values))  # type: ignore[arg-type]
