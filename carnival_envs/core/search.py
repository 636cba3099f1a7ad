"""Monte-Carlo tree search from a view: budgets, threads, and the move that comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import Words, seeded_words
from carnival_envs.core.engine import search_loops
from carnival_envs.core.options import need_integer, refuse
from carnival_envs.core.search_loops import NODE, NOTHING, UNLIMITED, Nodes
from carnival_envs.core.state import View, reward_index
from carnival_envs.core.threads import thread_pool
from carnival_envs.core.views import Views

CHUNK = 64
"""Simulations between two looks at the clock."""

MOST_TIMED_NODES = 1 << 18

LIMITS = {
    "simulations": (1, 1 << 26),
    "milliseconds": (0, 1 << 31),
    "threads": (1, 1024),
    "depth": (0, UNLIMITED),
    "batch": (1, 1024),
}
"""Least and most of the integers of ``Budget`` and its heirs. A simulation takes some 30 bytes for each new node."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How long to search.

    Attributes:
        simulations: how many a move; in ``milliseconds`` mode ignored.
        milliseconds: wall time a move in place of a number of simulations; then results vary from run to run.
        threads: trees that are grown side by side and added up at the root.
        exploration: the constant of the upper confidence bound, in units of returns.
    """

    simulations: int = 400
    milliseconds: int = 0
    threads: int = 1
    exploration: float = 0.7

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: an option that is not allowed; names it.
        """
        for name in [field.name for field in fields(self) if field.name in LIMITS]:
            need_integer(*LIMITS[name], **{name: getattr(self, name)})
        if not isinstance(self.exploration, int | float) or not 0 <= self.exploration < float("inf"):
            refuse("exploration", self.exploration, "a number of at least 0")


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Budget):
    """How to search with rollouts.

    Attributes:
        rollout: ``"random"`` or ``"greedy"``: who plays a simulated game on. The baseline bots take longer, up to 16
            times in Carnavalesco, and are worth it at equal numbers of simulations.
        depth: the most decisions of a rollout, 0 for the whole game; without scores before the end it has no effect.
        reward: the kind of returns that is maximised. Scores tell more of a simulation than who won, so that fewer of
            them win more games.
    """

    rollout: str = "greedy"
    depth: int = 0
    reward: str = "score"

    def __post_init__(self) -> None:
        """
        Raises:
            ValueError: an option that is not allowed; names it.
        """
        super().__post_init__()
        if self.rollout not in ("random", "greedy"):
            refuse("rollout", self.rollout, "'random' or 'greedy'")
        reward_index(self.reward)


@dataclass(frozen=True)
class Root:
    """What a search found of the actions of the player who is to decide.

    Attributes:
        visits: int64, ``(num_actions,)``: how often each was tried.
        values: float64, ``(num_actions,)``: the sum of the returns that followed.
    """

    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]

    def best(self) -> int:
        """The action that was tried most; of several the one with the best returns, then the first."""
        return int(np.where(self.visits == self.visits.max(), self.values, -np.inf).argmax())


class SearchTree(Protocol):
    """A search tree of one player's decision."""

    def simulate(self, simulations: int) -> None:
        """Run some more simulations."""

    def root(self) -> Root:
        """What the tree tells of the player's actions."""


class Tree:
    """A search tree of one player's decision that is grown by rollouts."""

    def __init__(self, view: View, options: SearchOptions, seed: int) -> None:
        """
        Args:
            view: the view of the player who is to decide.
            options: how to search.
            seed: of the stream that the search draws from.
        """
        game = view.game
        self._game = game
        self._view = view
        self._options = options
        room = MOST_TIMED_NODES if options.milliseconds else options.simulations + 1
        self._nodes: Nodes = np.zeros(room, dtype=NODE)
        self._count = 1
        self._path = np.zeros(room, dtype=np.int32)
        self._work = np.zeros(2, dtype=game.definition.state)
        self._mask = np.zeros(game.num_actions, dtype=np.int8)
        self._returns = np.zeros(game.num_players, dtype=np.float64)
        self._words: Words = seeded_words(seed)
        cut = options.depth and game.definition.scores_before_end
        self._depth = options.depth if cut else UNLIMITED

    def simulate(self, simulations: int) -> None:
        """Run some more simulations."""
        game, options = self._game, self._options
        self._count = search_loops(game.definition)["search"](
            game.rules,
            self._view.record,
            self._view.player,
            self._words,
            simulations,
            self._nodes,
            self._count,
            self._path,
            self._work,
            self._mask,
            self._returns,
            float(options.exploration),
            options.rollout == "greedy",
            self._depth,
            reward_index(options.reward),
            game.score_scale,
        )

    def root(self) -> Root:
        """What the tree tells of the player's actions."""
        return root_of(self._nodes, self._game.num_actions)


def root_of(nodes: Nodes, num_actions: int) -> Root:
    """What the children of the first node of a tree tell of their actions."""
    visits = np.zeros(num_actions, dtype=np.int64)
    values = np.zeros(num_actions, dtype=np.float64)
    child = int(nodes[NOTHING]["first_child"])
    while child != NOTHING:
        node = nodes[child]
        visits[int(node["action"])] = node["visits"]
        values[int(node["action"])] = node["value"]
        child = int(node["next_sibling"])
    return Root(visits, values)


def search_root(view: View, options: SearchOptions, rng: np.random.Generator) -> Root:
    """What a search from a view tells of each action."""
    return grow([Tree(view, options, int(rng.integers(1 << 62))) for _ in range(options.threads)], options)


def grow(trees: Sequence[SearchTree], budget: Budget) -> Root:
    """Spend a budget on trees of one decision, a thread each, and add up what they tell."""
    if budget.milliseconds:
        deadline = time.monotonic() + budget.milliseconds / 1000
        tasks = [lambda tree=tree: simulate_until(tree, deadline) for tree in trees]
    else:
        share = -(-budget.simulations // len(trees))
        tasks = [lambda tree=tree: tree.simulate(share) for tree in trees]
    if len(tasks) == 1:
        tasks[0]()
    else:
        with thread_pool(len(tasks)) as pool:
            list(pool.map(lambda task: task(), tasks))
    roots = [tree.root() for tree in trees]
    return Root(
        np.sum([root.visits for root in roots], axis=0, dtype=np.int64),
        np.sum([root.values for root in roots], axis=0, dtype=np.float64),
    )


def root_visits(view: View, options: SearchOptions, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """How often a search from a view tries each action: int64, ``(num_actions,)``."""
    return search_root(view, options, rng).visits


def simulate_until(tree: SearchTree, deadline: float) -> None:
    """Run simulations until a time of the monotonic clock, at least one chunk."""
    tree.simulate(CHUNK)
    while time.monotonic() < deadline:
        tree.simulate(CHUNK)


def search_moves(
    views: Views, search: Callable[[View, np.random.Generator], Root], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """The move that a search makes from each view: int64, ``(len(views),)``. Lone legal actions need no search."""
    moves: npt.NDArray[np.int64] = views.masks.argmax(axis=1).astype(np.int64)
    for index in np.flatnonzero(views.masks.sum(axis=1, dtype=np.int64) > 1):
        moves[index] = search(views[int(index)], rng).best()
    return moves
