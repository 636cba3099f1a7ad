"""``Batch``: many games side by side, all seats, stepped together."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import STREAM_LENGTH, checked_seed, seeded_words
from carnival_envs.core.engine import chance_loops
from carnival_envs.core.game import Game
from carnival_envs.core.options import need_at_least_one, need_integer, refuse
from carnival_envs.core.state import State, record_from_bytes, reward_index
from carnival_envs.core.threads import chunks, thread_pool
from carnival_envs.core.views import Views


class Batch:
    """``num_games`` games of one kind; the next game begins at once where one is over.

    The arrays are written in place at every ``reset`` and ``step``. After a step that ends game ``i``, ``rewards[i]``,
    ``terminated[i]`` and ``truncated[i]`` speak of the game that is over, everything else of the one that has begun.
    Game ``i`` is the game that ``new_initial_state(seed=batch.seeds[i])`` gives.

    Attributes:
        game: the game.
        observations: float32, ``(num_games, observation_size)``: what the current player sees.
        action_masks: int8, ``(num_games, num_actions)``: his legal actions.
        current_players: int64, ``(num_games,)``.
        rewards: float32, ``(num_games, num_players)``: 0 until the end, then the returns.
        terminated, truncated: bool, ``(num_games,)``.
        seeds: int64, ``(num_games,)``: the seed of each current game.
    """

    def __init__(
        self, game: Game, num_games: int, seed: int | None = None, *, reward: str = "win", num_threads: int = 1
    ):
        """
        Args:
            game: the game to play.
            num_games: how many.
            seed: of the batch; ``None`` takes a fresh one.
            reward: the kind of returns, ``"win"``, ``"rank"`` or ``"score"``.
            num_threads: threads that share the work; results do not depend on it.

        Raises:
            ValueError: an argument that is not allowed.
        """
        need_at_least_one(num_games=num_games, num_threads=num_threads)
        self.game = game
        self.num_games = int(num_games)
        self._seed: int | None = checked_seed(seed)
        self._reward = reward_index(reward)
        self._states = np.zeros(num_games, dtype=game.definition.state)
        self._chances = np.zeros((num_games, STREAM_LENGTH), dtype=np.uint64)
        self.seeds = np.zeros(num_games, dtype=np.int64)
        self.observations = np.zeros((num_games, game.observation_size), dtype=np.float32)
        self.action_masks = np.zeros((num_games, game.num_actions), dtype=np.int8)
        self.current_players = np.zeros(num_games, dtype=np.int64)
        self.rewards = np.zeros((num_games, game.num_players), dtype=np.float32)
        self.terminated = np.zeros(num_games, dtype=np.bool_)
        self.truncated = np.zeros(num_games, dtype=np.bool_)
        self._started = False
        self._chunks = chunks(num_games, num_threads)
        self._pool = thread_pool(len(self._chunks)) if len(self._chunks) > 1 else None

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew: from the batch's seed at the first call, from new seeds at each later one.

        Args:
            seed: begin from this batch seed instead.

        Raises:
            ValueError: the seed is not allowed.
        """
        if seed is not None:
            self._seed = checked_seed(seed)
        if self._seed is not None:
            self._seed_stream = seeded_words(self._seed)
            self._seed = None
        chance_loops()["draw_seeds"](self._seed_stream, self.seeds)
        game = self.game
        game.engine.reset_batch(
            game.rules,
            self._states,
            self._chances,
            self.seeds,
            self.current_players,
            self.observations,
            self.action_masks,
        )
        self.rewards[:] = 0
        self.terminated[:] = False
        self.truncated[:] = False
        self._started = True

    def step(self, actions: npt.ArrayLike) -> None:
        """One decision in every game, by its current player.

        Args:
            actions: integers, shape ``(num_games,)``.

        Raises:
            IllegalActionError: an action that is not legal in its game; all games are unchanged.
            RuntimeError: before the first ``reset``.
            ValueError: not integers of that shape.
        """
        if not self._started:
            raise RuntimeError("step before reset: call reset() first")
        chosen = self._checked(actions)
        if self._pool is None:
            self._refuse_illegal(chosen, self._step(slice(None), chosen))
            return
        rows = np.arange(self.num_games)
        legal = (chosen >= 0) & (chosen < self.game.num_actions)
        legal &= self.action_masks[rows, np.where(legal, chosen, 0)] != 0
        self._refuse_illegal(chosen, -1 if legal.all() else int(np.argmin(legal)))
        list(self._pool.map(lambda chunk: self._step(chunk, chosen), self._chunks))

    def views(self) -> Views:
        """What the current players know, each in his game."""
        return Views(self.game, self._states.copy(), self.current_players.copy())

    def state(self, index: int) -> State:
        """An independent copy of one game, chance stream included.

        Raises:
            ValueError: not the index of a game.
        """
        need_integer(0, self.num_games - 1, index=index)
        record = record_from_bytes(self._states[index : index + 1].tobytes(), self._states.dtype)
        return State(self.game, record, self._chances[index].copy(), int(record[0]["actor"]))

    def _step(self, chunk: slice, actions: npt.NDArray[np.int64]) -> int:
        game = self.game
        wrong: int = game.engine.step_batch(
            game.rules,
            self._states[chunk],
            self._chances[chunk],
            self.seeds[chunk],
            actions[chunk],
            self.current_players[chunk],
            self.observations[chunk],
            self.action_masks[chunk],
            self.rewards[chunk],
            self.terminated[chunk],
            self.truncated[chunk],
            self._reward,
            game.score_scale,
        )
        return wrong

    def _checked(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_games,) or chosen.dtype.kind not in "iu":
            found = f"{chosen.dtype} of shape {chosen.shape}"
            refuse("actions", found, f"integers of shape ({self.num_games},)")
        return np.ascontiguousarray(chosen, dtype=np.int64)

    def _refuse_illegal(self, actions: npt.NDArray[Any], wrong: int) -> None:
        if wrong < 0:
            return
        raise self.game.illegal_action_error(int(actions[wrong]), self.action_masks[wrong], f" in game {wrong}")
