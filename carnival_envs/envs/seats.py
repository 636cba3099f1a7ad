"""``SeatBatch``: one learner against opponents, in many games side by side.

Everything that trains or evaluates one seat stands on it: the Gymnasium environments, single and vector, and the
``VecEnv`` of Stable-Baselines3.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from carnival_envs.core.chance import STREAM_LENGTH, checked_seed, seeded_words
from carnival_envs.core.engine import chance_loops
from carnival_envs.core.game import Game
from carnival_envs.core.journal import Journal, retrace
from carnival_envs.core.loops import (
    ANY_SEAT,
    FIRST_PYTHON_POLICY,
    GAME_OVER,
    ILLEGAL,
    LEARNER,
    LEDGER,
    NEW_GAME,
    REWARDS,
)
from carnival_envs.core.options import need_at_least_one, need_integer, refuse
from carnival_envs.core.state import State, record_from_bytes, reward_index
from carnival_envs.core.threads import thread_pool
from carnival_envs.core.views import Views
from carnival_envs.envs import endings
from carnival_envs.envs.seating import RANDOM_SEAT, Lots, checked_seat, pilot_code, sampler_of
from carnival_envs.policies.base import Actions, AnyPolicy, ViewPolicy, checked_choices
from carnival_envs.policies.specs import Opponents, OpponentSampler

Rows = npt.NDArray[np.int64]
Seeds = int | Sequence[int | None] | None

CUT_OFF = -4
"""What a game waits for that has reached the bound on its length: one more than ``GAME_OVER`` and the like."""

MADE_ANEW = ("seeds", "seats", "moves", "_waiting", "episode_lengths", "_play_seats", "_pool")
"""What copies of a batch do not take over: the rows of the ledger as attributes, the compiled loop, the threads."""

ARRAYS = (
    "_states",
    "_chances",
    "_policy_chances",
    "_ledger",
    "opponent_indices",
    "_pilots",
    "observations",
    "action_masks",
    "rewards",
    "terminated",
    "truncated",
    "final_observations",
)
SAVED = (*ARRAYS, "_journal", "final_infos", "final_states", "_ended", "_seed", "rng")
"""What a saved state holds."""


class SeatBatch:
    """``num_games`` games in each of which a learner has one seat and policies play the others.

    A step is one decision of the learner in every game. The arrays are written in place at every ``reset`` and
    ``step``. With ``AutoresetMode.SAME_STEP``, the default, the next game begins in the step that ends one: then
    ``rewards``, ``terminated``, ``truncated`` and what begins with ``final_`` speak of the game that is over,
    everything else of the one that has begun. With ``NEXT_STEP`` it begins in the step after, whose action is
    ignored; with ``DISABLED`` at the call of ``reset(rows=...)``. There, after the end, observations are the final ones
    and the masks allow everything: masks are never empty.

    A game, the learner's seat in it, its opponents and what compiled opponents do follow from the game's seed and the
    learner's actions alone, wherever it is played. The policies that Python asks share ``rng``.

    Attributes:
        game: the game.
        num_games: how many.
        opponents: the sampler of the opponents; its policies and weights may be changed between steps.
        observations: float32, ``(num_games, observation_size)``: what the learner sees at his decision.
        action_masks: int8, ``(num_games, num_actions)``: his legal actions, at least one.
        seats: int64, ``(num_games,)``: his seat.
        opponent_indices: int64, ``(num_games, num_players - 1)``: who plays the other seats, clockwise from his left,
            as indices into ``opponents.policies``.
        rewards: float32, ``(num_games,)``: all that his seat earned until his next decision.
        terminated, truncated: bool, ``(num_games,)``.
        final_observations: float32, ``(num_games, observation_size)``: what he sees at the end; valid where it is.
        final_infos: a dictionary for each game that is over, in the order of
            ``np.flatnonzero(terminated | truncated)``: ``score``, ``rank``, ``winners``, ``end_reason`` of his seat;
            ``length`` (his decisions), ``seat``, ``returns`` (of all seats), ``opponents`` (their indices);
            ``illegal_action`` and no score where he forfeited, neither score nor rank where the bound was reached.
        final_states: their states, in the same order, everything hidden included; for tools, never for a policy.
        episode_lengths: int64, ``(num_games,)``: how many decisions he has made.
        seeds: int64, ``(num_games,)``: the seeds of the games.
        moves: int64, ``(num_games,)``: the actions of the last step; then scratch.
        rng: the randomness of the policies that Python asks.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        opponents: Opponents | OpponentSampler = "random",
        *,
        seat: int | str = RANDOM_SEAT,
        seed: int | None = None,
        reward: str = "win",
        illegal_action: str = endings.FORFEIT,
        autoreset: AutoresetMode | str = AutoresetMode.SAME_STEP,
        max_episode_steps: int | None = None,
        num_threads: int = 1,
        trust: bool = False,
        keeps_journal: bool = False,
    ) -> None:
        """
        Args:
            game: the game to play.
            num_games: how many.
            opponents: who plays the other seats; a spec string, a policy, a list with one for each other seat, or a
                sampler.
            seat: the learner's; ``"random"`` draws it for every game.
            seed: of the batch; ``None`` takes a fresh one.
            reward: the kind of returns, ``"win"``, ``"rank"`` or ``"score"``.
            illegal_action: ``"forfeit"``: the game ends, -1 for the learner, ``1 / (n - 1)`` for the others;
                ``"raise"``: ``IllegalActionError``.
            autoreset: when the next game begins where one is over.
            max_episode_steps: a bound on the learner's decisions in a game; then it is truncated, with reward 0.
            num_threads: threads that share the work; results do not depend on it.
            trust: whether opponents may be loaded from files that can run code.
            keeps_journal: whether ``played_actions`` is wanted.

        Raises:
            ValueError: an argument that is not allowed.
        """
        need_at_least_one(num_games=num_games, num_threads=num_threads)
        self.game = game
        self.num_games = int(num_games)
        self.opponents = sampler_of(opponents, game, trust)
        self.illegal_action = endings.checked_illegal_action(illegal_action)
        self.autoreset = AutoresetMode(autoreset)
        self._seat = checked_seat(game, seat)
        self._reward = REWARDS[reward_index(reward)]
        self._max_steps = endings.checked_bound("max_episode_steps", max_episode_steps)
        self._raises = self.illegal_action == endings.RAISE
        self._seed: int | None = checked_seed(seed)
        self.rng = np.random.default_rng(self._seed)
        self._lots = Lots()
        self._journal = Journal(self.num_games) if keeps_journal else None
        self._make_arrays()
        self._num_threads = min(int(num_threads), self.num_games)
        self._pool = _thread_pool(self._num_threads)

    def _make_arrays(self) -> None:
        game, n = self.game, self.num_games
        self._states = np.zeros(n, dtype=game.definition.state)
        self._chances = np.zeros((n, STREAM_LENGTH), dtype=np.uint64)
        self._policy_chances = np.zeros((n, STREAM_LENGTH), dtype=np.uint64)
        self._ledger = np.zeros((len(LEDGER), n), dtype=np.int64)
        self._everywhere: tuple[tuple[int, ...], list[int]] | None = None  # who is seated in all games alike
        self.opponent_indices = np.zeros((n, game.num_players - 1), dtype=np.int64)
        self._pilots = np.full((n, game.num_players), LEARNER, dtype=np.int64)
        self.observations = np.zeros((n, game.observation_size), dtype=np.float32)
        self.action_masks = np.ones((n, game.num_actions), dtype=np.int8)
        self.rewards = np.zeros(n, dtype=np.float32)
        self.terminated = np.zeros(n, dtype=np.bool_)
        self.truncated = np.zeros(n, dtype=np.bool_)
        self.final_observations = np.zeros((n, game.observation_size), dtype=np.float32)
        self.final_infos: list[dict[str, Any]] = []
        self.final_states: list[State] = []
        self._all = np.arange(n)
        self._none = self._all[:0]
        self._ended = self._none
        self._take_views()

    # Playing -------------------------------------------------------------------------------------------------------

    def reset(self, seed: Seeds = None, *, rows: Rows | None = None, rng: np.random.Generator | None = None) -> None:
        """Begin games anew: the first time from the batch's seed, later with the games that follow the current ones.

        Args:
            seed: begin from this batch seed instead, or from these seeds, one for each game that begins (``None``
                among them: the game that follows the current one).
            rows: the games that begin; all by default.
            rng: the randomness of the policies that Python asks; by default made anew whenever a seed is given.

        Raises:
            ResetNeeded: some games, before all have begun once.
            ValueError: a seed that is not allowed, or another number of seeds than of games.
        """
        if rows is None:
            rows = self._all
        elif self._seed is not None:
            raise ResetNeeded("reset of some games before all have begun: call reset() first")
        self._choose_seeds(seed, rows, rng)
        if len(self._ended):
            self._forget_ends(rows)
        self._begin(rows)

    def step(self, actions: npt.ArrayLike) -> None:
        """One decision of the learner in every game.

        Args:
            actions: integers, shape ``(num_games,)``.

        Raises:
            IllegalActionError: an illegal action, with ``illegal_action="raise"``; all games are unchanged. Or a
                policy of Python chose one, which is its error; then the games must be reset.
            ResetNeeded: before the first ``reset``; or a game is over, with ``AutoresetMode.DISABLED``.
            ValueError: not integers of that shape.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_games,) or chosen.dtype.kind not in "iu":
            refuse("actions", f"{chosen.dtype} of shape {chosen.shape}", f"integers of shape ({self.num_games},)")
        self.moves[:] = chosen
        self.advance()

    def advance(self) -> bool:
        """A ``step`` whose actions lie in ``moves`` already; whether any game has ended.

        Raises:
            IllegalActionError, ResetNeeded: as ``step``.
        """
        if self._seed is not None:
            raise ResetNeeded("step before reset: call reset() first")
        rows = self._all if not len(self._ended) else self._live_rows()
        if self._raises:
            self._refuse_illegal(rows)
        if len(self._ended):
            self._leave_the_end()
        if self._run(rows) or self._max_steps is not None:
            self._let_policies_play(rows)
            return self._end_games()
        return False

    def need_same_step(self, user: str) -> None:
        """Refuse to serve a user whose games must begin in the step that ends the last ones.

        Raises:
            ValueError: another autoreset mode; names the user.
        """
        if self.autoreset is not AutoresetMode.SAME_STEP:
            refuse(f"autoreset of {user}", self.autoreset, str(AutoresetMode.SAME_STEP))

    # Begin and end -------------------------------------------------------------------------------------------------

    def _choose_seeds(self, seed: Seeds, rows: Rows, rng: np.random.Generator | None) -> None:
        given = list(seed) if isinstance(seed, Sequence | np.ndarray) else None
        if given is None and seed is not None:
            self._seed = checked_seed(seed)
        if self._seed is not None:
            drawn = np.empty_like(self.seeds)
            chance_loops()["draw_seeds"](seeded_words(self._seed), drawn)
            self.seeds[rows] = drawn[rows]
            self.rng = rng or np.random.default_rng(self._seed)
            self._seed = None
        elif given is None or None in given:
            self._take_following_seeds(rows)
        if given is not None:
            self._take_seeds(given, rows)
            self.rng = rng or np.random.default_rng(self.seeds[rows].tolist())

    def _take_seeds(self, seeds: Sequence[int | None], rows: Rows) -> None:
        if len(seeds) != len(rows):
            refuse("seed", seeds, f"a seed for each of {len(rows)} games")
        checked = {row: checked_seed(seed) for row, seed in zip(rows, seeds, strict=True) if seed is not None}
        for row, seed in checked.items():
            self.seeds[row] = seed

    def _take_following_seeds(self, rows: Rows) -> None:
        following = chance_loops()["seed_of_next_game"]
        for row in rows.tolist():
            self.seeds[row] = following(int(self.seeds[row]))

    def _begin(self, rows: Rows) -> None:
        """Start the games of ``seeds``; one that is over before the learner's first decision gives way to the next."""
        while len(rows):
            self.seats[rows] = self._seat
            self._seat_opponents(rows)
            self._waiting[rows] = NEW_GAME
            if not self._run(rows):
                return
            self._let_policies_play(rows)
            rows = rows[self._waiting[rows] == GAME_OVER]
            self._take_following_seeds(rows)

    def _seat_opponents(self, rows: Rows) -> None:
        sampler = self.opponents
        if sampler.certain is not None:
            self._seat_everywhere(sampler.certain, rows)
            return
        self._everywhere = None
        for row in rows.tolist():
            chosen = sampler.sample(self._lots.of_game(int(self.seeds[row])))
            self.opponent_indices[row] = chosen
            self._pilots[row, 1:] = self._pilots_of(chosen)

    def _seat_everywhere(self, certain: tuple[int, ...], rows: Rows) -> None:
        """Seat the only opponents that there are, where they aren't seated already."""
        pilots = self._pilots_of(certain)
        if self._everywhere == (certain, pilots):
            return
        self.opponent_indices[rows] = certain
        self._pilots[rows, 1:] = pilots
        self._everywhere = (certain, pilots) if len(rows) == self.num_games else None

    def _pilots_of(self, indices: Sequence[int]) -> list[int]:
        return [pilot_code(self.opponents.policies[index], index) for index in indices]

    def _live_rows(self) -> Rows:
        """The games whose actions count in this step."""
        if self.autoreset is AutoresetMode.SAME_STEP:
            return self._all
        if self.autoreset is AutoresetMode.DISABLED:
            raise ResetNeeded(f"step after the end of game {self._ended[0]}: call reset() first")
        return self._all[self._all_but(self._ended)]

    def _all_but(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """For each game, whether it is none of some."""
        others = np.ones(self.num_games, dtype=np.bool_)
        others[rows] = False
        return others

    def _leave_the_end(self) -> None:
        """Clear what the last step said of games that are over, and begin the next ones where that is still to do."""
        ended = self._ended
        self._forget_ends(ended)
        if self.autoreset is AutoresetMode.NEXT_STEP:
            self._take_following_seeds(ended)
            self._begin(ended)

    def _forget_ends(self, rows: Rows) -> None:
        """Clear what was said of the ends of some games."""
        if len(rows) == self.num_games:
            self._ended, self.final_infos, self.final_states = self._none, [], []
        else:
            stay = self._all_but(rows)[self._ended]
            self._ended = self._ended[stay]
            self.final_infos = list(compress(self.final_infos, stay))
            self.final_states = list(compress(self.final_states, stay))
        self.rewards[rows] = 0
        self.terminated[rows] = False
        self.truncated[rows] = False

    def _end_games(self) -> bool:
        """Report the games that are over, and begin the next ones if that is the mode; whether there are any."""
        if self._max_steps is not None:
            late = (self._waiting == LEARNER) & (self.episode_lengths >= self._max_steps)
            self._waiting[late] = CUT_OFF
        ended = (self._waiting < 0).nonzero()[0]
        if not len(ended):
            return False
        self._ended = ended
        self.final_states = [self._copy_of_state(row) for row in ended.tolist()]
        self.final_infos = [self._end_game(*end) for end in zip(ended.tolist(), self.final_states, strict=True)]
        if self.autoreset is AutoresetMode.SAME_STEP:
            self._take_following_seeds(ended)
            self._begin(ended)
        return True

    def _end_game(self, row: int, state: State) -> dict[str, Any]:
        game, seat = self.game, int(self.seats[row])
        waiting = self._waiting[row]
        truncated = False
        if waiting == GAME_OVER:
            truncated = state.is_truncated()
            returns = state.returns(self._reward)
            info = state.standing(seat)
        elif waiting == ILLEGAL:
            returns = endings.forfeit_returns(game, seat)
            info = endings.forfeit_info(game, seat, seat, int(self.moves[row]))
        else:
            truncated = True
            returns = [0.0] * game.num_players
            info = endings.cut_off_info()
        self.truncated[row] = truncated
        self.terminated[row] = not truncated
        self.final_observations[row] = self.observations[row]
        self.action_masks[row] = 1
        self.rewards[row] = returns[seat]
        info["length"] = int(self.episode_lengths[row])
        info["seat"] = seat
        info["returns"] = returns
        info["opponents"] = self.opponent_indices[row].tolist()
        return info

    # Moves ---------------------------------------------------------------------------------------------------------

    def _run(self, rows: Rows) -> int:
        """Make ``moves`` in some games and let compiled policies play on; how many don't wait for the learner then."""
        if self._journal is not None:
            self._journal.note(rows, self._waiting, self.moves)
        if self._pool is None:
            return self._play_seats(rows)
        return sum(self._pool.map(self._play_seats, np.array_split(rows, self._num_threads)))

    def _let_policies_play(self, rows: Rows) -> None:
        """Let the policies that Python asks play, with the compiled ones between them, where it is their turn."""
        while len(asked := rows[self._waiting[rows] >= FIRST_PYTHON_POLICY]):
            self._ask_policies(asked)
            self._run(asked)

    def _ask_policies(self, rows: Rows) -> None:
        waiting = self._waiting[rows]
        for pilot in np.unique(waiting).tolist():
            asked = rows[waiting == pilot]
            policy = self.opponents.policies[pilot - FIRST_PYTHON_POLICY]
            self.moves[asked] = checked_choices(policy, self._choices(policy, asked), len(asked))
            self._refuse_illegal(asked, f" by the policy {policy!r}")

    def _choices(self, policy: AnyPolicy, rows: Rows) -> Actions:
        if not isinstance(policy, ViewPolicy):
            return policy.act(self.observations[rows], self.action_masks[rows], self.rng)
        return policy.act_on_views(self._views(rows), self.rng)

    def views(self) -> Views:
        """What the learner knows in every game, as long as each waits for him: after ``step`` in ``SAME_STEP``."""
        return self._views(self._all)

    def _views(self, rows: Rows) -> Views:
        """The views of those who are to decide in some games."""
        records = self._states[rows]
        return Views(self.game, records, records["actor"].astype(np.int64))

    def _refuse_illegal(self, rows: Rows, where: str = "") -> None:
        moves = self.moves[rows]
        legal = (moves >= 0) & (moves < self.game.num_actions)
        legal &= self.action_masks[rows, np.where(legal, moves, 0)] != 0
        if not legal.all():
            row = int(rows[np.argmin(legal)])
            where = where or f" in game {row}"
            raise self.game.illegal_action_error(int(self.moves[row]), self.action_masks[row], where)

    # Copies --------------------------------------------------------------------------------------------------------

    def state(self, index: int) -> State:
        """An independent copy of one game, everything hidden included; for tools, never for a policy.

        Raises:
            ResetNeeded: before the first ``reset``.
            ValueError: not the index of a game.
        """
        if self._seed is not None:
            raise ResetNeeded("no game has begun: call reset() first")
        need_integer(0, self.num_games - 1, index=index)
        return self._copy_of_state(index)

    def _copy_of_state(self, row: int) -> State:
        record = record_from_bytes(self._states[row : row + 1].tobytes(), self._states.dtype)
        return State(self.game, record, self._chances[row].copy(), int(record["actor"][0]))

    def played_actions(self, index: int) -> list[int]:
        """All actions of a game so far, of every seat; an illegal one that ended it is not among them.

        Raises:
            ValueError: not the index of a game, or the batch keeps no journal.
        """
        if self._journal is None:
            refuse("keeps_journal", False, "True, where the actions are wanted")
        need_integer(0, self.num_games - 1, index=index)
        moves = self._journal.moves[index]
        forfeited = self._waiting[index] == ILLEGAL
        n, learner = self.game.num_players, int(self.seats[index])
        pilots = [int(self._pilots[index, (seat - learner) % n]) for seat in range(n)]
        legal = moves[:-1] if forfeited else moves
        return retrace(self.game, int(self.seeds[index]), pilots, legal, seat_was_drawn=self._seat == ANY_SEAT)

    def save_state(self) -> dict[str, Any]:
        """Everything that the future depends on, the streams of chance and of the policies included."""
        return copy.deepcopy({"game": self.game, **{name: getattr(self, name) for name in SAVED}})

    def load_state(self, saved: dict[str, Any]) -> None:
        """Go back to a saved state.

        Raises:
            ValueError: it was saved by another game, or by another number of games.
        """
        if saved["game"] != self.game or len(saved["rewards"]) != self.num_games:
            refuse("saved", f"{len(saved['rewards'])} of {saved['game']!r}", f"{self.num_games} of {self.game!r}")
        self._everywhere = None
        for name in SAVED:
            value = copy.deepcopy(saved[name])
            if name in ARRAYS:
                getattr(self, name)[:] = value
            else:
                setattr(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in MADE_ANEW}

    def __setstate__(self, content: dict[str, Any]) -> None:
        self.__dict__.update(content)
        self._take_views()
        self._pool = _thread_pool(self._num_threads)

    def _take_views(self) -> None:
        """Give the rows of the ledger their names, and the arrays to the compiled loop: made anew in copies of the
        batch, whose arrays are others.
        """
        self.seeds, self.seats, self.moves, self._waiting, self.episode_lengths = self._ledger
        self._play_seats: Callable[[Rows], int] = partial(
            self.game.engine.play_seats,
            self.game.rules,
            self._states,
            self._chances,
            self._policy_chances,
            self._ledger,
            self._pilots,
            self.observations,
            self.action_masks,
        )


def _thread_pool(num_threads: int) -> ThreadPoolExecutor | None:
    return thread_pool(num_threads) if num_threads > 1 else None
