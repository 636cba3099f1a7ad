"""A person's seat in a game: what he may do, what he is told, and the file that keeps the game.

Whatever plays it, terminal or browser, asks a ``Session``. It gives away nothing but views of the seat.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from carnival_envs.core.chance import checked_seed
from carnival_envs.core.game import Game
from carnival_envs.core.options import is_integer, refuse
from carnival_envs.core.state import State, View
from carnival_envs.core.views import Views
from carnival_envs.play.hints import Hint, hint
from carnival_envs.play.moves import Group, Told, grouped_moves, told
from carnival_envs.policies.base import AnyPolicy, choose
from carnival_envs.policies.specs import parse_opponents, split_specs
from carnival_envs.replay import Data, Replay, load_replay

PERSON: Final = "person"
"""The name of the seat in the replay: who resumes a game sits there."""

UNDO_PROBES: Final = 32
"""A move may be taken back if it shows the same in so many states that the player can't tell apart."""


class StaleMoveError(ValueError):
    """A move that was meant for an earlier moment of the game; nothing has changed."""


class Session:
    """One person against policies.

    Every change is written to the file, if there is one, before it is shown. What policies draw follows from the
    game's seed and the number of moves: a resumed game goes on as it would have.
    """

    def __init__(self, replay: Replay, *, path: str | Path | None = None, trust: bool = False) -> None:
        """Go on with a game; it is the person's turn, or over, afterwards.

        Args:
            replay: the game so far. One of its players is ``PERSON``, the others are specs.
            path: the file that keeps it.
            trust: whether policies may be loaded from files that can run code.

        Raises:
            FileNotFoundError, TypeError, ValueError: a player who is no policy, or no ``PERSON`` among them.
        """
        if replay.seed is None:
            refuse("seed", None, "the seed of a game; a scripted one can only be watched")
        if PERSON not in replay.players:
            refuse("players", replay.players, f"{PERSON!r} and the specs of policies")
        self.game = replay.game
        self.seat = replay.players.index(PERSON)
        self.path = None if path is None else Path(path)
        self._policies = seat_policies(replay, self.seat, trust=trust)
        self._replay = replay
        self._seed = replay.seed
        self._states = list(replay.states())
        self._let_others_play()
        self._save()

    @classmethod
    def new(
        cls,
        game: Game,
        opponents: str = "greedy",
        seat: int = 0,
        *,
        seed: int | None = None,
        path: str | Path | None = None,
        trust: bool = False,
    ) -> Session:
        """Begin a game.

        Args:
            game: the game.
            opponents: the spec of all other seats, or one for each, clockwise from the person's left.
            seat: the person's.
            seed: of the game; ``None`` takes a fresh one.
            path: the file that keeps it.
            trust: whether policies may be loaded from files that can run code.

        Raises:
            FileNotFoundError, TypeError, ValueError: an argument that is not allowed.
        """
        if not is_integer(seat) or not 0 <= seat < game.num_players:
            refuse("seat", seat, f"a seat in 0..{game.num_players - 1}")
        specs = split_specs(opponents)
        others = game.num_players - 1
        if len(specs) not in (1, others):
            refuse("opponents", opponents, f"one spec, or one for each of the {others} other seats, not {len(specs)}")
        clockwise = [PERSON, *(specs[place % len(specs)] for place in range(others))]
        players = tuple(clockwise[(place - seat) % game.num_players] for place in range(game.num_players))
        return cls(Replay(game, (), players, seed=checked_seed(seed)), path=path, trust=trust)

    @classmethod
    def resume(cls, path: str | Path, *, data: Data = None, trust: bool = False) -> Session:
        """Go on with the game of a file, and keep it there.

        Raises:
            FileNotFoundError, TypeError, ValueError: see ``load_replay``, and ``Session``.
        """
        return cls(load_replay(path, data=data), path=path, trust=trust)

    # What the person sees --------------------------------------------------------------------------------------------

    @property
    def num_moves(self) -> int:
        """How many moves have been made by all players; the moment of the game."""
        return len(self._replay.actions)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._states[-1].is_terminal()

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays each seat."""
        return self._replay.players

    def view(self, moment: int | None = None) -> View:
        """What the person knew after so many moves; by default what he knows now.

        Raises:
            ValueError: there is no such moment.
        """
        if moment is None:
            moment = self.num_moves
        if not is_integer(moment) or not 0 <= moment <= self.num_moves:
            refuse("moment", moment, f"an integer in 0..{self.num_moves}")
        return self._states[moment].view(self.seat)

    def draw(self, moment: int, theme: str = "light") -> str:
        """The table as an SVG picture, as the person saw it after so many moves.

        Raises:
            ValueError: no such moment, or no such theme.
        """
        return self.view(moment).draw(theme)

    def groups(self) -> list[Group]:
        """The person's legal moves; none when the game is over."""
        return grouped_moves(self.view())

    def log(self, since: int = 0) -> list[Told]:
        """What has been done, from a moment on, as far as the person may read it."""
        moves = zip(self._states[since:], self._replay.actions[since:], strict=False)
        return [told(state, action, self.seat) for state, action in moves]

    def result(self) -> list[dict[str, Any]]:
        """How every seat stands at the end; nothing before."""
        if not self.is_over:
            return []
        last = self._states[-1]
        return [last.standing(seat) for seat in range(self.game.num_players)]

    # What the person does --------------------------------------------------------------------------------------------

    def play(self, action: int | str, moment: int) -> None:
        """Make a move, and let the others make theirs.

        Args:
            action: its index or its string.
            moment: the number of moves after which it was chosen.

        Raises:
            IllegalActionError: it is not legal; nothing has changed.
            StaleMoveError: the game has gone on since that moment; nothing has changed.
        """
        self._check_moment(moment)
        self._apply(self._legal_index(action))
        try:
            self._let_others_play()
        finally:  # a policy that fails, or Ctrl-C while it thinks, does not cost the move
            self._save()

    def can_undo(self) -> bool:
        """Whether the last move may be taken back: it was the person's, drew nothing and showed nothing hidden."""
        if self.num_moves == 0 or self.is_over or self._states[-2].current_player() != self.seat:
            return False
        before, after = self._states[-2:]
        return shows_nothing_new(before, after, self._replay.actions[-1])

    def undo(self, moment: int) -> None:
        """Take the last move back.

        Raises:
            StaleMoveError: the game has gone on since that moment.
            ValueError: it may not be taken back.
        """
        self._check_moment(moment)
        if not self.can_undo():
            raise ValueError("undo: the last move can't be taken back: it was not yours, or it has shown something")
        self._states.pop()
        self._replay = replace(self._replay, actions=self._replay.actions[:-1])
        self._save()

    def hint(self, spec: str) -> list[Hint]:
        """What a policy thinks of the person's legal moves, best first; see ``hints.hint``.

        Raises:
            FileNotFoundError, TypeError, ValueError: a spec that is not allowed, or the game is over.
        """
        if self.is_over:
            raise ValueError("hint: the game is over")
        return hint(self.view(), spec)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _check_moment(self, moment: int) -> None:
        if not is_integer(moment) or moment != self.num_moves:
            raise StaleMoveError(f"moment: {moment!r} is not where the game is; it has gone on to {self.num_moves}")

    def _legal_index(self, action: int | str) -> int:
        """The index of a legal action.

        Raises:
            IllegalActionError: it is none.
        """
        game = self.game
        mask = self._states[-1].legal_actions_mask()
        index = game.definition.action_index.get(action, -1) if isinstance(action, str) else action
        if not is_integer(index) or not 0 <= index < len(mask) or not mask[index]:
            raise game.illegal_action_error(action, mask)
        return int(index)

    def _apply(self, action: int) -> None:
        following = self._states[-1].__copy__()
        following.apply_action(action)
        self._states.append(following)
        self._replay = replace(self._replay, actions=(*self._replay.actions, action))

    def _let_others_play(self) -> None:
        """Let the policies play until it is the person's turn, or the game is over."""
        while (seat := self._states[-1].current_player()) not in (self.seat, -1):
            rng = np.random.default_rng([self._seed, self.num_moves])
            self._apply(int(choose(self._policies[seat], Views.of_states(self._states[-1:]), rng)[0]))

    def _save(self) -> None:
        if self.path is not None:
            self._replay.save(self.path)


def shows_nothing_new(before: State, after: State, action: int) -> bool:
    """Whether a move draws nothing, and leaves the player who made it with what he knew.

    He learns nothing if it draws nothing and looks the same in whatever state he may have been in. The answer follows
    from what he knows: it tells nothing either.
    """
    player = before.current_player()
    view, seen = before.view(player), after.view(player).record.tobytes()
    for seed in range(UNDO_PROBES):
        sample = view.resample(seed)
        moved = sample.__copy__()
        moved.apply_action(action)
        if moved.has_drawn_since(sample) or moved.view(player).record.tobytes() != seen:
            return False
    return True


def seat_policies(replay: Replay, person: int, *, trust: bool) -> dict[int, AnyPolicy]:
    """The policy of each seat but the person's; a ``mix`` is drawn by the game's seed."""
    n = replay.game.num_players
    if n == 1:
        return {}
    clockwise = [replay.players[(person + 1 + place) % n] for place in range(n - 1)]
    sampler = parse_opponents(clockwise, replay.game, trust=trust)
    chosen = sampler.sample(np.random.default_rng(replay.seed))
    return {(person + 1 + place) % n: sampler.policies[index] for place, index in enumerate(chosen)}
