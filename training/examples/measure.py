"""What the examples share: a network as a policy, and its share of the wins against random play."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from carnival_envs.core.game import Game
from carnival_envs.evaluation import evaluate
from carnival_envs.policies.base import Actions, Masks, Observations

GAMES = 200
Logits = Callable[[torch.Tensor], torch.Tensor]


class Greedily:
    """The legal action of the greatest logit, by anything that makes logits of observations."""

    def __init__(self, logits: Logits) -> None:
        self._logits = logits

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:  # noqa: ARG002
        """See ``Policy.act``."""
        with torch.no_grad():
            logits = self._logits(torch.from_numpy(observations)).numpy()
        actions: Actions = np.where(masks != 0, logits, -np.inf).argmax(axis=1)
        return actions


def tell_strength(when: str, logits: Logits, game: Game) -> float:
    """Print and return the share of games that a network wins against random play, every deal from each seat."""
    share = evaluate(game, [Greedily(logits), "random"], GAMES).standings
    wins = next(one.win_share for one in share if one.policy != "random")
    print(f"{when}: {wins.mean:.1%} won against random play ({wins.low:.1%} to {wins.high:.1%})", flush=True)
    return wins.mean
