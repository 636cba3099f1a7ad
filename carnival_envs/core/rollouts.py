"""Rollouts: what each action is worth if the baseline bot plays the game on (Tesauro and Galperin 1996)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import SEED_LIMIT, seeded_words
from carnival_envs.core.engine import search_loops
from carnival_envs.core.options import need_at_least_one
from carnival_envs.core.state import reward_index
from carnival_envs.core.threads import chunks, thread_pool
from carnival_envs.core.views import Views


def rollout_values(
    views: Views, rollouts: int, rng: np.random.Generator, *, reward: str = "score", threads: int = 1
) -> npt.NDArray[np.float64]:
    """What the deciding players earn on average after each of their legal actions.

    Each action is followed by so many games in which the baseline bot plays all seats to the end. They begin in states
    that ``resample`` draws from the view, and all actions of a view meet the same states and luck, so that the
    differences between them are surer than they are themselves.

    Args:
        views: what is known; the players are to decide.
        rollouts: games for each legal action.
        rng: what the games are drawn from. Equal generators give equal values, with any number of threads.
        reward: the kind of returns.
        threads: among how many the views are divided.

    Returns:
        float64, ``(len(views), num_actions)``: 0 where an action is not legal.

    Raises:
        ValueError: no rollout or thread, or another kind of returns; names it.
    """
    need_at_least_one(rollouts=rollouts, threads=threads)
    seeds = rng.integers(SEED_LIMIT, size=len(views), dtype=np.uint64).astype(np.int64)
    kind = reward_index(reward)
    values = np.empty((len(views), views.game.num_actions))

    def value(rows: slice) -> None:
        game = views.game
        search_loops(game.definition)["value_actions"](
            game.rules,
            views.records[rows],
            views.players[rows],
            seeds[rows],
            rollouts,
            seeded_words(0),
            seeded_words(0),
            np.zeros(3, dtype=game.definition.state),
            np.zeros((2, game.num_actions), dtype=np.int8),
            np.zeros(game.num_players),
            kind,
            game.score_scale,
            values[rows],
        )

    parts = chunks(len(views), threads)
    if len(parts) == 1:
        value(parts[0])
    elif parts:
        with thread_pool(len(parts)) as pool:
            list(pool.map(value, parts))
    return values
