"""Information-set Monte-Carlo tree search as a policy: ``mcts:400``, ``mcts:50ms``, ``mcts:1000?rollout=random``."""

from __future__ import annotations

import numpy as np

from carnival_envs.core.game import Game
from carnival_envs.core.search import Root, SearchOptions, search_moves, search_root
from carnival_envs.core.state import View
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions
from carnival_envs.policies.search_specs import search_options


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
        return search_moves(views, self.root, rng)

    def root(self, view: View, rng: np.random.Generator) -> Root:
        """What a search from a view tells of each action."""
        return search_root(view, self.options, rng)

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
    return MCTSPolicy(search_options("mcts", budget, query, SearchOptions))
