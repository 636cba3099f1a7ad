"""``State``: one position of a game, its chance stream, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from carnival_envs.core import chance as chance_module
from carnival_envs.core.chance import Words
from carnival_envs.core.drawing import Drawing, theme_of
from carnival_envs.core.interface import NOT_ENDED, OVER, Mask
from carnival_envs.core.loops import ILLEGAL, REWARDS
from carnival_envs.core.observation import Floats, by_name
from carnival_envs.core.options import is_integer, refuse
from carnival_envs.core.position import Document

if TYPE_CHECKING:
    from carnival_envs.core.definition import ActionWords
    from carnival_envs.core.game import Game


def blank_record(dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """A record of zeros, shape ``(1,)``, over memory that ``copy_record`` copies at once."""
    return np.ndarray((1,), dtype, bytearray(dtype.itemsize))


def copy_record(record: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy of a record made here; ``ndarray.copy`` would go field by field, 30 times slower."""
    return np.ndarray((1,), record.dtype, bytearray(record.base))  # type: ignore[arg-type]


def record_from_bytes(content: bytes, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """A record with the given content."""
    return np.ndarray((1,), dtype, bytearray(content))


def reward_index(reward: str) -> int:
    """The index of a kind of returns.

    Raises:
        ValueError: not one of ``"win"``, ``"rank"``, ``"score"``.
    """
    if reward not in REWARDS:
        refuse("reward", reward, " or ".join(repr(kind) for kind in REWARDS))
    return REWARDS.index(reward)


class View:
    """What one player knows of a state: his observation, his mask, his text, and possible states behind it.

    Policies, bots and searches that need more than an observation get a view, never a state.
    """

    __slots__ = ("_actor", "_record", "game", "player")

    def __init__(self, game: Game, record: npt.NDArray[Any], player: int, actor: int) -> None:
        """
        Args:
            game: the game.
            record: a copy of the state record, shape ``(1,)``; what the player does not know is overwritten.
            player: the seat that looks.
            actor: the seat that decides, -1 when over.
        """
        game.engine.conceal_one(game.rules, record, player)
        self.game = game
        self.player = player
        self._record = record
        self._actor = actor

    @property
    def record(self) -> npt.NDArray[Any]:
        """The state record, shape ``(1,)``, with what the player does not know overwritten."""
        return self._record

    def current_player(self) -> int:
        """The seat that decides now; -1 when the game is over."""
        return self._actor

    def legal_actions_mask(self) -> npt.NDArray[np.int8]:
        """int8, shape ``(num_actions,)``; all 0 unless it is this player who decides."""
        mask = np.zeros(self.game.num_actions, dtype=np.int8)
        if self._actor == self.player:
            self.game.engine.mask_one(self.game.rules, self._record, mask)
        return mask

    def observation_tensor(self) -> npt.NDArray[np.float32]:
        """float32, shape ``(observation_size,)``."""
        out = np.empty(self.game.observation_size, dtype=np.float32)
        self.game.engine.observe_one(self.game.rules, self._record, self.player, out)
        return out

    def resample(self, seed: int | None = None, *, chance: Sequence[int] | None = None) -> State:
        """A random state that this player can't tell from the true one; see ``State.resample``."""
        from carnival_envs.core.game import stream

        game = self.game
        words = stream(seed, chance)
        record = copy_record(self._record)
        game.engine.resample_one(game.rules, record, self.player, words)
        chance_module.check_script(words)
        return State(game, record, words, self._actor)

    def action_words(self, string: str) -> ActionWords:
        """What an action that is taken here is called in the game.

        Args:
            string: the action's string or, of another player's action, its public form.
        """
        return self.game.definition.action_words(self.game, self._record[0], string)

    def text(self) -> str:
        """The table in plain text, as this player sees it."""
        return self.game.definition.text(self.game, self._record[0], self.player)

    def draw(self, theme: str = "light") -> str:
        """The table as an SVG picture, as this player sees it.

        Raises:
            ValueError: no such theme.
        """
        return self._drawing(theme).svg()

    def pixels(self, theme: str = "light") -> npt.NDArray[np.uint8]:
        """The same picture in red, green and blue: uint8, ``(height, width, 3)``.

        Raises:
            ImportError: the extra ``render`` is not installed.
            ValueError: no such theme.
        """
        return self._drawing(theme).pixels()

    def _repr_svg_(self) -> str:
        return self.draw()

    def _drawing(self, theme: str) -> Drawing:
        return self.game.definition.draw(self.game, self._record[0], self.player, theme_of(theme))


class State:
    """A position of a game. Made by ``Game.new_initial_state`` and ``Game.state_from_position``.

    Equal seeds and actions give equal states. Nothing is shared between states but the immutable game.
    """

    __slots__ = ("_actor", "_mask", "_record", "_stream", "game")

    def __init__(self, game: Game, record: npt.NDArray[Any], words: Words | int, actor: int) -> None:
        """
        Args:
            game: the game.
            record: the state record, shape ``(1,)``; the state owns it from now on.
            words: its chance stream; likewise. Or the seed of one.
            actor: the seat that decides, -1 when over.
        """
        self.game = game
        self._record = record
        self._stream = words
        self._actor = actor
        self._mask: npt.NDArray[np.int8] | None = None

    # Whose turn, what can be done -----------------------------------------------------------------------------------

    def current_player(self) -> int:
        """The seat that decides now; -1 when the game is over."""
        return self._actor

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules or by its bound."""
        return self._actor < 0

    def is_truncated(self) -> bool:
        """Whether the game was cut off by its bound."""
        return bool(self._record["truncated"][0])

    def end_reason(self) -> str | None:
        """Why the game is over; ``None`` before."""
        reason = int(self._record["end_reason"][0])
        return None if reason == NOT_ENDED else self.game.definition.end_reasons[reason]

    def phase(self) -> str:
        """The name of the phase, as in the position document."""
        return self.game.definition.phases[int(self._record["phase"][0])]

    def legal_actions(self) -> list[int]:
        """The legal actions of the current player, ascending; empty when the game is over."""
        actions: list[int] = self._legal().nonzero()[0].tolist()
        return actions

    def legal_actions_mask(self) -> npt.NDArray[np.int8]:
        """int8, shape ``(num_actions,)``: 1 for every legal action of the current player."""
        return self._legal().copy()

    def apply_action(self, action: int | str) -> None:
        """Apply an action, an index or a string.

        Raises:
            IllegalActionError: not legal now; the state is unchanged.
            ValueError: a scripted stream does not fit; the state is unchanged.
        """
        game = self.game
        words = self._words if isinstance(self._stream, int) else self._stream
        if type(action) is not int or not 0 <= action < game.num_actions:
            action = self._index(action)
        if len(words) != chance_module.STREAM_LENGTH:
            self._apply_scripted(action)
            return
        mask = self._mask if self._mask is not None else self._legal()
        actor = game.engine.apply_if_legal(game.rules, self._record, words, mask, action)
        if actor == ILLEGAL:
            self._refuse(action)
        self._actor = actor

    def step(self, action: int, mask: Mask, observation: Floats) -> int:
        """Apply an action and look at the game through the eyes of the player who decides next, in one compiled call.

        The fast path of environments, for seeded states.

        Args:
            action: any integer of 64 bits.
            mask: int8, ``(num_actions,)``: the legal actions; overwritten with the next ones, all 0 when over.
            observation: float32, ``(observation_size,)``: overwritten with that of the next player, kept when over.

        Returns:
            the next player, -1 when over; or ``ILLEGAL``, and nothing has changed.
        """
        game = self.game
        words = self._words if isinstance(self._stream, int) else self._stream
        actor: int = game.engine.step_one(game.rules, self._record, words, mask, action, observation)
        if actor != ILLEGAL:
            self._actor, self._mask = actor, None
        return actor

    # What the position is worth ------------------------------------------------------------------------------------

    def returns(self, reward: str = "win") -> list[float]:
        """The return of every seat, as if the game ended here.

        Args:
            reward: ``"win"``, ``"rank"`` or ``"score"``, as in the common conventions.

        Raises:
            ValueError: another kind, or a game that has no scores before its end.
        """
        game = self.game
        kind = reward_index(reward)
        self._need_scores()
        out = np.empty(game.num_players, dtype=np.float64)
        game.engine.returns_one(game.rules, self._record, kind, game.score_scale, out)
        values: list[float] = out.tolist()
        return values

    def scores(self) -> list[int]:
        """The raw score of every seat.

        Raises:
            ValueError: the game has no scores before its end.
        """
        return self._scores_and_keys()[0]

    def ranks(self) -> list[int]:
        """The rank of every seat by the game's full order: 1 is best, equal seats share.

        Raises:
            ValueError: the game has no scores before its end.
        """
        return _ranks(self._scores_and_keys()[1])

    def winners(self) -> list[int]:
        """The seats of rank 1; a player alone is a winner only if he reached the game's aim.

        Raises:
            ValueError: the game has no scores before its end.
        """
        _, keys, alone_won = self._scores_and_keys()
        return _winners(keys, alone_won)

    def standing(self, player: int) -> dict[str, Any]:
        """How a player stands: ``score``, ``rank``, ``winners``, ``end_reason``.

        Raises:
            ValueError: not a seat, or the game has no scores before its end.
        """
        self._check_seat(player)
        return self._standings([player])[0]

    def info(self, player: int) -> dict[str, Any]:
        """What an environment reports of a finished game: the player's standing and the game's own additions.

        Raises:
            ValueError: not a seat, or the game has no scores before its end.
        """
        return {**self.standing(player), **self.end_info(player)}

    def end_info(self, player: int) -> dict[str, Any]:
        """What the game itself adds to a player's report of a finished game.

        Raises:
            ValueError: not a seat.
        """
        self._check_seat(player)
        return self.game.definition.end_info(self.game, self._record[0], player)

    def infos(self) -> list[dict[str, Any]]:
        """``info`` of every seat.

        Raises:
            ValueError: the game has no scores before its end.
        """
        standings = self._standings(range(self.game.num_players))
        return [{**standing, **self.end_info(seat)} for seat, standing in enumerate(standings)]

    # What a player knows -------------------------------------------------------------------------------------------

    def view(self, player: int) -> View:
        """What a player knows, apart from the state.

        Raises:
            ValueError: not a seat.
        """
        self._check_seat(player)
        return View(self.game, copy_record(self._record), player, self._actor)

    def observation(self, player: int) -> dict[str, npt.NDArray[np.int64]]:
        """The observation of a player: block name to raw integers in the block's shape.

        Raises:
            ValueError: not a seat.
        """
        game = self.game
        return by_name(game.observation_blocks, self.observation_tensor(player), game.observation_scales)

    def observation_tensor(self, player: int) -> npt.NDArray[np.float32]:
        """The flat observation of a player: float32, shape ``(observation_size,)``.

        Raises:
            ValueError: not a seat.
        """
        self._check_seat(player)
        game = self.game
        out = np.empty(game.observation_size, dtype=np.float32)
        game.engine.observe_one(game.rules, self._record, player, out)
        return out

    def resample(self, player: int, seed: int | None = None, *, chance: Sequence[int] | None = None) -> State:
        """A random state with the same observation, mask and text for a player; what he does not know is drawn anew.

        The stream given by ``seed``, or scripted by ``chance``, makes these draws and goes on in the new state.

        Raises:
            ValueError: not a seat, or a script that does not fit.
        """
        return self.view(player).resample(seed, chance=chance)

    def text(self, player: int) -> str:
        """The table in plain text, as a player sees it.

        Raises:
            ValueError: not a seat.
        """
        return self.view(player).text()

    def draw(self, player: int | None = None, theme: str = "light") -> str:
        """The table as an SVG picture, as a player sees it; for ``None`` as a referee does, with open hands.

        Args:
            player: the seat that looks.
            theme: ``"light"`` or ``"dark"``.

        Raises:
            ValueError: not a seat, or no such theme.
        """
        return self._drawing(player, theme).svg()

    def pixels(self, player: int | None = None, theme: str = "light") -> npt.NDArray[np.uint8]:
        """The picture of ``draw`` in red, green and blue: uint8, ``(height, width, 3)``.

        Raises:
            ImportError: the extra ``render`` is not installed.
            ValueError: not a seat, or no such theme.
        """
        return self._drawing(player, theme).pixels()

    def _repr_svg_(self) -> str:
        return self.draw()

    def _drawing(self, player: int | None, theme: str) -> Drawing:
        if player is not None:
            return self.view(player)._drawing(theme)
        return self.game.definition.draw(self.game, self._record[0], None, theme_of(theme))

    def public_action_to_string(self, action: int) -> str:
        """What the other players may read of an action that the current player takes here.

        Raises:
            ValueError: not an index of the action space.
        """
        game = self.game
        game.action_to_string(action)
        form: int = game.engine.public_action_one(game.rules, self._record, int(action))
        return game.public_forms[form]

    def __str__(self) -> str:
        return self.game.definition.text(self.game, self._record[0], None)

    def __repr__(self) -> str:
        return f"<{self.game.name} state, phase {self.phase()}, player {self._actor} to decide>"

    # Positions and copies ------------------------------------------------------------------------------------------

    def to_position(self) -> Document:
        """The position document: JSON-ready, complete, hidden parts included, without the chance stream."""
        s = self._record[0]
        return {**self.game.dump_header(s), **self.game.definition.to_position(self.game, s)}

    def to_bytes(self) -> bytes:
        """The content of the state record: equal positions with equal histories have equal bytes, on one machine."""
        return bytes(self._record.base)  # type: ignore[arg-type]

    @property
    def chance_left(self) -> int | None:
        """How many scripted draws are not consumed yet; ``None`` for a seeded stream."""
        return chance_module.script_left(self._words)

    def has_drawn_since(self, earlier: State) -> bool:
        """Whether chance was drawn between an earlier state of the same game and this one."""
        return not np.array_equal(self._words, earlier._words)

    def clone(self, seed: int | None = None) -> State:
        """The same position with a chance stream of its own, for planning: it never sees the game's future draws.

        Args:
            seed: of the new stream; ``None`` takes a fresh one.

        Raises:
            ValueError: the seed is not allowed.
        """
        if type(seed) is not int or not 0 <= seed < chance_module.SEED_LIMIT:
            seed = chance_module.checked_seed(seed)
        return State(self.game, copy_record(self._record), seed, self._actor)

    def __copy__(self) -> State:
        return State(self.game, copy_record(self._record), self._words.copy(), self._actor)

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.to_bytes(), self._words, self._actor)

    # Inside --------------------------------------------------------------------------------------------------------

    def _index(self, action: object) -> int:
        """The index of an action given as a string, an integer, NumPy's included, or an array of one.

        Raises:
            IllegalActionError: anything else, or an integer that no action has.
        """
        if isinstance(action, str):
            index = self.game.definition.action_index.get(action)
            if index is None:
                self._refuse(action)
            return index
        if isinstance(action, np.ndarray) and action.ndim == 0:
            action = action[()]
        if not is_integer(action) or not 0 <= int(action) < self.game.num_actions:  # type: ignore[call-overload]
            self._refuse(action)
        return int(action)  # type: ignore[call-overload,no-any-return]

    def _refuse(self, action: object) -> NoReturn:
        raise self.game.illegal_action_error(action, self._legal())

    def _apply_scripted(self, action: int) -> None:
        game = self.game
        record, words, mask = copy_record(self._record), self._words.copy(), self._legal().copy()
        actor = game.engine.apply_if_legal(game.rules, record, words, mask, action)
        if actor == ILLEGAL:
            self._refuse(action)
        chance_module.check_script(words)
        self._record, self._stream, self._mask, self._actor = record, words, mask, actor

    @property
    def _words(self) -> Words:
        """The chance stream, set up when it is first needed."""
        if isinstance(self._stream, int):
            self._stream = chance_module.seeded_words(self._stream)
        return self._stream

    def _legal(self) -> npt.NDArray[np.int8]:
        """The mask of this position, filled when it is first asked for; never handed out but as a copy."""
        if self._mask is None:
            mask = np.empty(self.game.num_actions, dtype=np.int8)
            self.game.engine.mask_one(self.game.rules, self._record, mask)
            self._mask = mask
        return self._mask

    def _standings(self, seats: Sequence[int]) -> list[dict[str, Any]]:
        """``standing`` of some seats."""
        scores, keys, alone_won = self._scores_and_keys()
        ranks, winners, reason = _ranks(keys), _winners(keys, alone_won), self.end_reason()
        return [
            {"score": scores[seat], "rank": ranks[seat], "winners": winners[:], "end_reason": reason} for seat in seats
        ]

    def _scores_and_keys(self) -> tuple[list[int], list[int], bool]:
        """Score and rank key of every seat, and whether a player alone has won."""
        self._need_scores()
        game = self.game
        scores = np.empty(game.num_players, dtype=np.int64)
        keys = np.empty(game.num_players, dtype=np.int64)
        won = game.engine.standings_one(game.rules, self._record, scores, keys)
        return scores.tolist(), keys.tolist(), bool(won)

    def _need_scores(self) -> None:
        if self._actor != OVER and not self.game.definition.scores_before_end:
            raise ValueError(f"{self.game.name} has no scores before its end; the phase is {self.phase()!r}")

    def _check_seat(self, player: object) -> None:
        if type(player) is int and 0 <= player < self.game.num_players:
            return
        if not is_integer(player) or not 0 <= int(player) < self.game.num_players:  # type: ignore[call-overload]
            refuse("player", player, f"a seat in 0..{self.game.num_players - 1}")


def _ranks(keys: list[int]) -> list[int]:
    """The ranks of all seats by their rank keys: 1 is best, equal seats share."""
    falling = sorted(keys, reverse=True)
    return [1 + falling.index(key) for key in keys]


def _winners(keys: list[int], alone_won: bool) -> list[int]:
    """The seats with the best rank key; of a player alone whether he has won decides."""
    if len(keys) == 1 and not alone_won:
        return []
    best = max(keys)
    return [seat for seat, key in enumerate(keys) if key == best]


def _restore(game: Game, record: bytes, words: Words, actor: int) -> State:
    return State(game, record_from_bytes(record, game.definition.state), words.copy(), actor)
