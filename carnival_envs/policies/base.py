"""The ``Policy`` protocol: what everything that plays a seat must offer."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import SEED_LIMIT, Words, seeded_words
from carnival_envs.core.options import refuse
from carnival_envs.core.views import Views

Observations = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]


@runtime_checkable
class Policy(Protocol):
    """Chooses actions for a batch of decisions, from what the deciding players see."""

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:
        """One legal action for each row.

        Args:
            observations: float32, ``(batch, observation_size)``: each from the eyes of the player who decides.
            masks: int8, ``(batch, num_actions)``: his legal actions, at least one in every row.
            rng: the randomness that the policy may use.

        Returns:
            int64, ``(batch,)``.
        """
        ...


@runtime_checkable
class ViewPolicy(Protocol):
    """A policy that needs more than observations: it searches from, or reads, the views of the deciding players."""

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        """One legal action for each view: int64, ``(len(views),)``."""
        ...


AnyPolicy = Policy | ViewPolicy


def choose(policy: AnyPolicy, views: Views, rng: np.random.Generator) -> Actions:
    """The actions of any policy for some views.

    Raises:
        ValueError: see ``checked_choices``.
    """
    if isinstance(policy, ViewPolicy):
        return checked_choices(policy, policy.act_on_views(views, rng), len(views))
    return checked_choices(policy, policy.act(views.observations(), views.masks, rng), len(views))


def checked_choices(policy: AnyPolicy, choices: npt.ArrayLike, count: int) -> Actions:
    """What a policy chose, as an array; whether it is legal is another matter.

    Raises:
        ValueError: not an integer for each of ``count`` decisions; names the policy.
    """
    chosen = np.asarray(choices)
    if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
        found = f"{chosen.dtype} of shape {chosen.shape}"
        refuse(f"actions of the policy {policy!r}", found, f"integers of shape ({count},)")
    return chosen


def compiled_pilot(policy: AnyPolicy) -> int | None:
    """The code under which the compiled loops play a policy themselves; ``None`` if Python has to be asked."""
    pilot: int | None = getattr(policy, "compiled_pilot", None)
    return pilot


def stream_from(rng: np.random.Generator) -> Words:
    """A fresh stream for compiled code, seeded from ``rng``."""
    return seeded_words(rng.bit_generator.random_raw() % SEED_LIMIT)
