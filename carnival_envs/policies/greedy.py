"""The baseline bot of each game."""

from __future__ import annotations

import numpy as np

from carnival_envs.core.loops import GREEDY
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions, stream_from


class GreedyPolicy:
    """The bot that the game's specification defines: the best move one ply ahead, by simple measures."""

    compiled_pilot = GREEDY

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        """See ``ViewPolicy.act_on_views``."""
        game = views.game
        actions = np.empty(len(views), dtype=np.int64)
        game.engine.greedy_actions(game.rules, views.records, views.players, views.masks, stream_from(rng), actions)
        return actions

    def __repr__(self) -> str:
        return "GreedyPolicy()"
