"""Matches: many games side by side, every seat played by a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from carnival_envs.core.chance import STREAM_LENGTH
from carnival_envs.core.game import Game
from carnival_envs.core.journal import Journal, retrace
from carnival_envs.core.loops import FIRST_PYTHON_POLICY, GAME_OVER, ILLEGAL, LEDGER, NEW_GAME
from carnival_envs.core.views import Views
from carnival_envs.policies.base import AnyPolicy, choose, compiled_pilot

Integers = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]

OnFinished = Callable[[int], None]
"""Is told how many games are over, whenever some more are."""

GAMES_AT_ONCE = 256
"""How many games are played side by side: enough for good batches, few enough for the processor's cache."""

FIRST_SEAT = 0


@dataclass(frozen=True)
class Results:
    """How some games ended. Row ``i`` is game ``i``, column ``p`` seat ``p``.

    Attributes:
        win_shares: float64, ``(games, seats)``: 1 for a sole winner, ``1 / k`` for each of ``k`` winners, else 0. A
            player alone has 1 if he reached the game's aim.
        scores: int64, ``(games, seats)``: the raw scores.
        ranks: int64, ``(games, seats)``: 1 for the first by the game's full order; seats may share a rank.
        truncated: bool, ``(games,)``: whether the game was cut off by its bound.
    """

    win_shares: Doubles
    scores: Integers
    ranks: Integers
    truncated: npt.NDArray[np.bool_]

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """The results of several rounds of games, one after the other."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def play_matches(
    game: Game,
    policies: Sequence[AnyPolicy],
    seatings: npt.ArrayLike,
    seeds: npt.ArrayLike,
    *,
    rng: np.random.Generator | None = None,
    on_finished: OnFinished | None = None,
    on_replay: Callable[[int, list[int]], None] | None = None,
) -> Results:
    """Play a game for each row of ``seatings``.

    Args:
        game: the game.
        policies: those who play.
        seatings: integers, ``(games, num_players)``: who plays each seat, as indices into ``policies``.
        seeds: integers, ``(games,)``: of the games. A game and its compiled policies follow from its seed alone.
        rng: the randomness of the policies that Python asks; from seed 0 if not given.
        on_finished: is told how many games are over, whenever some more are.
        on_replay: is given the index of every game that is over, and all its actions.

    Raises:
        IllegalActionError: a policy chose an action that is not legal.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    seated, seeded = np.asarray(seatings, dtype=np.int64), np.asarray(seeds, dtype=np.int64)
    parts = []
    for start in range(0, len(seeded), GAMES_AT_ONCE):
        some = slice(start, start + GAMES_AT_ONCE)
        tables = Tables(game, policies, seated[some], seeded[some], keeps_journal=on_replay is not None)
        for over in tables.play(rng):
            if on_finished is not None:
                on_finished(start + over)
        if on_replay is not None:
            for index, actions in enumerate(tables.played_actions()):
                on_replay(start + index, actions)
        parts.append(tables.results())
    return Results.joined(parts)


class Tables:
    """Some games that are played side by side, each at a table of its own."""

    def __init__(
        self,
        game: Game,
        policies: Sequence[AnyPolicy],
        seatings: Integers,
        seeds: Integers,
        *,
        keeps_journal: bool = False,
    ) -> None:
        count = len(seeds)
        self.game = game
        self.policies = policies
        self._journal = Journal(count) if keeps_journal else None
        self._pilots = pilot_codes(policies)[seatings]
        self._states = np.zeros(count, dtype=game.definition.state)
        self._chances = np.zeros((count, STREAM_LENGTH), dtype=np.uint64)
        self._policy_chances = np.zeros((count, STREAM_LENGTH), dtype=np.uint64)
        self._ledger = np.zeros((len(LEDGER), count), dtype=np.int64)
        self._seeds, first_seats, self._actions, self._waiting, _ = self._ledger
        self._seeds[:] = seeds
        first_seats[:] = FIRST_SEAT
        self._waiting[:] = NEW_GAME
        self._observations = np.zeros((count, game.observation_size), dtype=np.float32)
        self._masks = np.zeros((count, game.num_actions), dtype=np.int8)

    def play(self, rng: np.random.Generator) -> Iterator[int]:
        """Play all games to their end; yields how many are over, as it goes on.

        Raises:
            IllegalActionError: a policy chose an action that is not legal.
        """
        rows = np.arange(len(self._seeds))
        while len(rows):
            self._advance(rows)
            rows = rows[self._waiting[rows] != GAME_OVER]
            yield len(self._seeds) - len(rows)
            for pilot in np.unique(self._waiting[rows]).tolist():
                self._ask(pilot, rows[self._waiting[rows] == pilot], rng)

    def played_actions(self) -> Iterator[list[int]]:
        """All actions of every game, if a journal is kept."""
        for row, moves in enumerate(self._journal.moves if self._journal else ()):
            yield retrace(self.game, int(self._seeds[row]), self._pilots[row].tolist(), moves)

    def results(self) -> Results:
        """How the games ended."""
        scores, keys = np.zeros_like(self._pilots), np.zeros_like(self._pilots)
        won = np.zeros(len(self._seeds), dtype=np.bool_)
        game = self.game
        for i in range(len(self._seeds)):
            won[i] = game.engine.standings_one(game.rules, self._states[i : i + 1], scores[i], keys[i])
        first = keys == keys.max(axis=1, keepdims=True) if game.num_players > 1 else won[:, None]
        shares = first / np.maximum(1, first.sum(axis=1, keepdims=True))
        ranks = 1 + (keys[:, None, :] > keys[:, :, None]).sum(axis=2, dtype=np.int64)
        return Results(shares, scores, ranks, self._states["truncated"] != 0)

    def _advance(self, rows: Integers) -> None:
        """Make the chosen moves, and play on to the next decision of a policy that Python asks."""
        if self._journal is not None:
            self._journal.note(rows, self._waiting, self._actions)
        game = self.game
        game.engine.play_seats(
            game.rules,
            self._states,
            self._chances,
            self._policy_chances,
            self._ledger,
            self._pilots,
            self._observations,
            self._masks,
            rows,
        )
        illegal = rows[self._waiting[rows] == ILLEGAL]
        if len(illegal):
            self._refuse(int(illegal[0]))

    def _ask(self, pilot: int, rows: Integers, rng: np.random.Generator) -> None:
        records = self._states[rows]
        views = Views(self.game, records, records["actor"].astype(np.int64))
        self._actions[rows] = choose(self.policies[pilot - FIRST_PYTHON_POLICY], views, rng)

    def _refuse(self, row: int) -> NoReturn:
        policy = self.policies[self._pilots[row, int(self._states[row]["actor"])] - FIRST_PYTHON_POLICY]
        raise self.game.illegal_action_error(int(self._actions[row]), self._masks[row], f" by the policy {policy!r}")


def pilot_codes(policies: Sequence[AnyPolicy]) -> Integers:
    """For each policy the code under which the compiled loops know it, or hand its decisions to Python."""
    pilots = [compiled_pilot(policy) for policy in policies]
    asked = [FIRST_PYTHON_POLICY + index if pilot is None else pilot for index, pilot in enumerate(pilots)]
    return np.array(asked, dtype=np.int64)
