"""Hints: what a policy thinks of a player's legal moves, from his view alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from carnival_envs.core.state import View
from carnival_envs.core.views import Views
from carnival_envs.policies.base import AnyPolicy, choose
from carnival_envs.policies.mcts import MCTSPolicy
from carnival_envs.policies.network import AdvisedPolicy, NetworkPolicy
from carnival_envs.policies.puct import PUCTPolicy
from carnival_envs.policies.specs import make_policy

Doubles = npt.NDArray[np.float64]

DEFAULT_HINTS = "mcts:400"
"""The policy that is asked if no other is named."""

MOST_HINTS = 5
"""So many moves are named."""

SMALLEST_SHARE = 0.005
"""Moves with less are not worth a word."""

SEED = 0
"""Of the searches: the same position gets the same hint."""


@dataclass(frozen=True)
class Hint:
    """What a policy thinks of a move.

    Attributes:
        action: its index.
        words: what it is called.
        share: the share of the search's visits, or the policy's probability: 0..1.
    """

    action: int
    words: str
    share: float


def hint(view: View, spec: str) -> list[Hint]:
    """What a policy thinks of the legal moves, best first.

    Args:
        view: of the player who is to decide.
        spec: ``mcts:N`` and ``puct:POLICY:N`` give shares of visits, a network probabilities, any other policy its
            choice.

    Raises:
        FileNotFoundError, TypeError, ValueError: a spec that is not allowed.
    """
    shares = move_shares(view, make_policy(spec, view.game))
    best = np.argsort(-shares, kind="stable")[:MOST_HINTS].tolist()
    return [
        Hint(action, str(view.action_words(view.game.action_to_string(action))), round(float(shares[action]), 3))
        for action in best
        if shares[action] >= SMALLEST_SHARE
    ]


def move_shares(view: View, policy: AnyPolicy) -> Doubles:
    """How much a policy likes each action: float64, ``(num_actions,)``; they sum to 1."""
    rng, views = np.random.default_rng(SEED), Views.of_view(view)
    if isinstance(policy, MCTSPolicy | PUCTPolicy):
        visits = policy.root(view, rng).visits
        return np.asarray(visits / visits.sum(), dtype=np.float64)
    if isinstance(policy, NetworkPolicy):
        return masked_softmax(policy.network.logits(views.observations())[0], views.masks[0])
    if isinstance(policy, AdvisedPolicy):
        return masked_softmax(policy.logits(views, rng)[0], views.masks[0])
    shares = np.zeros(view.game.num_actions)
    shares[choose(policy, views, rng)[0]] = 1
    return shares


def masked_softmax(logits: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> Doubles:
    """The probabilities of the legal actions."""
    legal = np.where(mask != 0, logits.astype(np.float64), -np.inf)
    weights = np.exp(legal - legal.max())
    probabilities: Doubles = weights / weights.sum()
    return probabilities
