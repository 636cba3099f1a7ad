"""Symmetries: new names for components under which a game stays the same, so that one position is worth many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from carnival_envs.core.game import Game

Order = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Renaming:
    """New names for the components of a game, as the game itself draws them.

    Attributes:
        blocks: for each block of the observation that changes, the order of its last axis: place ``i`` takes what was
            at ``order[i]``.
        actions: likewise for all actions.
    """

    blocks: Mapping[str, Order]
    actions: Order


@dataclass(frozen=True)
class Symmetry:
    """A renaming over whole arrays.

    Attributes:
        observation: int64, ``(observation_size,)``: place ``i`` of the renamed observation takes what was at
            ``observation[i]``.
        actions: int64, ``(num_actions,)``: likewise for action masks, and whatever else has a number for each action.
    """

    observation: Order
    actions: Order


def draw_symmetry(game: Game, rng: np.random.Generator) -> Symmetry:
    """Draw a symmetry of a game; where its definition knows of none, everything stays in its place."""
    renaming = Renaming({}, np.arange(game.num_actions))
    if game.definition.rename is not None:
        renaming = game.definition.rename(rng)
    by_block = {**renaming.blocks, **orders_of_events(game, renaming.actions)}
    orders = []
    start = 0
    for block in game.observation_blocks:
        places = np.arange(start, start + block.size).reshape(block.shape)
        order = by_block.get(block.name, slice(None))
        orders.append(places[..., order].ravel())
        start += block.size
    return Symmetry(np.concatenate(orders), renaming.actions)


def orders_of_events(game: Game, actions: Order) -> dict[str, Order]:
    """The blocks that show which actions were taken, and their order; hidden forms stay where they are."""
    forms = np.arange(len(game.public_forms))
    forms[: game.num_actions] = actions
    events = game.observation_blocks[len(game.blocks(history=0)) :]
    return {block.name: forms for block in events if block.shape == forms.shape}
