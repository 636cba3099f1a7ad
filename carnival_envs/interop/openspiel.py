"""The games as OpenSpiel games: ``register()``, then ``pyspiel.load_game("python_carnival_envs_bedeville")``.

Chance is explicit: every draw of the engine is a chance node, and the engine plays an action as far as a script of its
draws goes. A copy of a state therefore holds no future dice, so a search that copies states can't see them; and each
sequence of actions and outcomes leads to one position, as OpenSpiel's replays and tests expect.

Observations (strings and tensors) are what the package's own environments show a player. The information state is a
string of perfect recall: a digest of all that the player has seen and done so far. There is no tensor of it, since no
fixed shape holds a whole game; learners take the observation tensor then.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from carnival_envs.core.chance import Chance, outcomes_asked, scripted_words, seeded_words
from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.game import Game
from carnival_envs.core.interface import OVER
from carnival_envs.core.loops import GREEDY, RANDOM
from carnival_envs.core.options import need_at_least_one, refuse
from carnival_envs.core.state import State, blank_record, record_from_bytes
from carnival_envs.registry import GAMES, definition

__all__ = ["CarnivalGame", "CarnivalObserver", "CarnivalState", "RolloutEvaluator", "register"]

PREFIX = "python_carnival_envs_"
"""OpenSpiel's names of the games start so; ``python_`` is its custom for games that are not written in C++."""

MOST_OUTCOMES = 256
"""OpenSpiel asks for the largest number of outcomes of a chance node; a draw with more is refused."""

LONGEST_GAME = 100_000
"""OpenSpiel asks for bounds on decisions and draws; the games bound turns, so these are wide."""

REWARDS = ("win", "rank")
"""The kinds of returns with known bounds, -1 and 1."""

DIGEST_SIZE = 16
"""Bytes of an information state: enough that no two that were ever played are alike."""

SEEDS = 1 << 31
"""How many different seeds are drawn for rollouts and samples."""

PILOTS = {"random": RANDOM, "greedy": GREEDY}
"""Who plays rollouts."""

NONE = "none"
LIST_SEPARATOR = "/"


def register() -> list[str]:
    """Make every registered game loadable by ``pyspiel.load_game``; to do it again changes nothing.

    Games that join the registry later need another call.

    Returns:
        the names that OpenSpiel knows them by.
    """
    for name in GAMES:
        if PREFIX + name not in pyspiel.registered_names():
            pyspiel.register_game(type_of(definition(name)), class_of(definition(name)))
    return [PREFIX + name for name in GAMES]


def class_of(game: GameDefinition) -> type[CarnivalGame]:
    """The class that OpenSpiel makes the game from.

    It has to be a class: OpenSpiel lets go of it after the interpreter has ended, when other objects can't be freed.
    """
    return type(f"{game.name.title()}Game", (CarnivalGame,), {"definition": game, "__doc__": game.summary})


# Types and parameters ---------------------------------------------------------------------------------------------


def type_of(game: GameDefinition, utility: Any = pyspiel.GameType.Utility.ZERO_SUM) -> pyspiel.GameType:
    """What OpenSpiel has to know of a game before it is loaded."""
    kinds = pyspiel.GameType
    perfect = game.perfect_information
    counts = game.player_counts()
    return kinds(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION if perfect else kinds.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=counts[-1],
        min_num_players=counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(game),
    )


def parameters_of(game: GameDefinition) -> dict[str, bool | int | str]:
    """The parameters of a game with their defaults: its options, its history, and the kind of returns.

    OpenSpiel knows booleans, numbers and words. ``None`` is the word ``none``.
    """
    options = {option.name: NONE if option.default is None else option.default for option in game.options}
    return {**options, "history": 0, "reward": REWARDS[0]}


def option_of(value: Any) -> Any:
    """The value of an option that a parameter stands for.

    A parameter has the type of its default. A word in single quotes that is a number stands for the number (``'2'``),
    ``none`` for ``None``, and words between slashes for a list (``A/S``).
    """
    if not isinstance(value, str):
        return value
    if value == NONE:
        return None
    if LIST_SEPARATOR in value:
        return value.split(LIST_SEPARATOR)
    number = value.strip("'")
    return int(number) if number.isdecimal() else value


# Nodes of the tree ------------------------------------------------------------------------------------------------


class Memory:
    """A position, and what every player has seen and done up to it, as a digest each.

    Digests are made when they are first asked for: for the many positions of a random playout they never are.

    Attributes:
        state: the position, of a decision or an end.
    """

    __slots__ = ("_action", "_digests", "_previous", "state")

    def __init__(self, state: State, previous: Memory | None = None, action: int = 0) -> None:
        """
        Args:
            state: the position.
            previous: that in which the last action was taken; ``None`` at the start of a game.
            action: that action.
        """
        self.state = state
        self._previous = previous
        self._action = action
        self._digests: dict[int, bytes] = {}

    @classmethod
    def imagined(cls, state: State, player: int, digest: bytes) -> Memory:
        """That of a sampled position: the player's own digest, and for the others one that he could make up himself."""
        memory = cls(state)
        for seat in range(state.game.num_players):
            seen = state.observation_tensor(seat).tobytes()
            memory._digests[seat] = digest if seat == player else fold(digest, b"imagined", seen)
        return memory

    def digest(self, player: int) -> bytes:
        """Equal for positions that a player can't tell apart by anything he has ever seen or done."""
        chain: list[Memory] = []
        memory: Memory | None = self
        while memory is not None and player not in memory._digests:
            chain.append(memory)
            memory = memory._previous
        digest = b"" if memory is None else memory._digests[player]
        for link in reversed(chain):
            digest = fold(digest, link._told(player), link.state.observation_tensor(player).tobytes())
            link._digests[player] = digest
        return digest

    def _told(self, player: int) -> bytes:
        """What a player is told of the last action: all if it was his own, else its public form."""
        if self._previous is None:
            return b""
        before = self._previous.state
        mover = before.current_player()
        if mover == player:
            return before.game.action_to_string(self._action).encode()
        return f"{mover} {before.public_action_to_string(self._action)}".encode()

    def __reduce__(self) -> tuple[Any, ...]:
        digests = {player: self.digest(player) for player in range(self.state.game.num_players)}
        return remember, (self.state, digests)


def fold(*parts: bytes) -> bytes:
    """A digest of parts whose borders count."""
    digest = blake2b(digest_size=DIGEST_SIZE)
    for part in parts:
        digest.update(len(part).to_bytes(4, "little") + part)
    return digest.digest()


def remember(state: State, digests: dict[int, bytes]) -> Memory:
    """A memory whose digests are known already."""
    memory = Memory(state)
    memory._digests = digests
    return memory


class Node:
    """A node of a game's tree: a decision, an end, or a draw of chance. Nodes never change, so copies share them.

    Attributes:
        memory: the position of the last decision, or of the end; ``None`` during the set-up.
        action: at a draw: the action that is being carried out.
        draws: at a draw: the outcomes that it has had so far.
        outcomes: how many outcomes the draw has; 0 at a decision or an end.
    """

    __slots__ = ("action", "draws", "memory", "outcomes")

    def __init__(self, memory: Memory | None, action: int = 0, draws: tuple[int, ...] = (), outcomes: int = 0) -> None:
        """See the attributes."""
        self.memory = memory
        self.action = action
        self.draws = draws
        self.outcomes = outcomes

    @property
    def is_chance(self) -> bool:
        """Whether chance is to draw."""
        return self.outcomes > 0

    @property
    def known(self) -> Memory:
        """The memory of the last decision.

        Raises:
            ValueError: there has been none yet.
        """
        if self.memory is None:
            raise ValueError("the set-up is not complete: give chance the outcomes of its draws first")
        return self.memory

    @property
    def state(self) -> State:
        """The position of the last decision.

        Raises:
            ValueError: there has been none yet.
        """
        return self.known.state

    def child(self, game: Game, action: int) -> Node:
        """The node that an action, or at a draw an outcome, leads to."""
        if self.is_chance:
            return reach(game, self.memory, self.action, (*self.draws, action))
        return reach(game, self.memory, action)

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.memory, self.action, self.draws, self.outcomes)


def reach(game: Game, memory: Memory | None, action: int = 0, draws: tuple[int, ...] = ()) -> Node:
    """Carry out an action (before there is a position: the set-up) with some draws, as far as they go.

    Raises:
        NotImplementedError: the next draw has too many outcomes.
    """
    words = scripted_words(draws)
    if memory is None:
        record = blank_record(game.definition.state)
        actor = game.engine.start(game.rules, record, words)
    else:
        before = memory.state
        record = record_from_bytes(before.to_bytes(), game.definition.state)
        actor = game.engine.apply_if_legal(game.rules, record, words, before.legal_actions_mask(), action)
    outcomes = outcomes_asked(words)
    if outcomes > MOST_OUTCOMES:
        raise NotImplementedError(f"{game.name} draws one of {outcomes}; at most {MOST_OUTCOMES} are supported")
    if outcomes:
        return Node(memory, action, draws, outcomes)
    return Node(Memory(State(game, record, words, int(actor)), memory, action))


# What OpenSpiel calls ---------------------------------------------------------------------------------------------


class CarnivalGame(pyspiel.Game):
    """A game of the registry, as OpenSpiel sees it. Each has a subclass that names its definition.

    Attributes:
        definition: the game.
        game: the game with its options.
        reward: the kind of its returns.
        root: the node where it begins.
    """

    definition: GameDefinition

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """
        Args:
            params: the parameters of ``parameters_of``; those that are missing have their defaults.

        Raises:
            ValueError: a parameter that is not allowed.
        """
        given = {**parameters_of(self.definition), **(params or {})}
        self.reward = str(given["reward"])
        if self.reward not in REWARDS:
            refuse("reward", self.reward, " or ".join(map(repr, REWARDS)))
        beside = ("history", "reward")
        options = {name: option_of(value) for name, value in given.items() if name not in beside}
        self.game = Game(self.definition, options, history=given["history"])
        zero_sum = self.game.num_players > 1
        utility = pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.game.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(type_of(self.definition, utility), info, given)
        self.root = reach(self.game, None)

    def new_initial_state(self) -> CarnivalState:
        """A state at the first draw of the set-up, or at the first decision if it has none."""
        return CarnivalState(self)

    def max_chance_nodes_in_history(self) -> int:
        """A bound on the draws of a game."""
        return LONGEST_GAME

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> CarnivalObserver | None:
        """An observer; ``None`` for parts of what a player sees, which the games don't tell apart.

        Raises:
            ValueError: there are parameters.
        """
        if params:
            refuse("params", dict(params), "none")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return CarnivalObserver(self.game, kind.perfect_recall)


class CarnivalState(pyspiel.State):
    """A state of a game of the registry, as OpenSpiel sees it.

    Its copies share what they are made of, which never changes.

    Attributes:
        game: the game with its options.
        reward: the kind of its returns.
        node: where it is in the game's tree.
    """

    def __init__(self, game: CarnivalGame) -> None:
        """Called by ``CarnivalGame.new_initial_state``."""
        super().__init__(game)
        self.game = game.game
        self.reward = game.reward
        self.node = game.root

    def current_player(self) -> int:
        """The seat that decides; ``CHANCE`` at a draw, ``TERMINAL`` at the end."""
        if self.node.is_chance:
            return int(pyspiel.PlayerId.CHANCE)
        actor = self.node.state.current_player()
        return actor if actor >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over, by its rules or by its bound."""
        return not self.node.is_chance and self.node.state.is_terminal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the draw, all equally likely."""
        outcomes = self.node.outcomes
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def returns(self) -> list[float]:
        """The return of every seat at the end; before, zeros."""
        if not self.is_terminal():
            return [0.0] * self.game.num_players
        return self.node.state.returns(self.reward)

    def resample_from_infostate(self, player: int, sampler: Any = None) -> CarnivalState:
        """A random state that a player, who is to decide, can't tell from this one.

        Its history starts anew, as nobody knows the draws and hidden actions that would have led to it; what the
        player remembers stays.

        Args:
            player: the seat.
            sampler: gives uniform numbers from 0 to 1 and decides all; without one the sample is a fresh one.

        Raises:
            ValueError: at a draw, or not a seat.
        """
        node = self.node
        if node.is_chance:
            raise ValueError("resample_from_infostate: nobody decides at a draw; give chance its outcome first")
        sampled = node.state.resample(player, None if sampler is None else seed_of(sampler))
        resampled: CarnivalState = self.get_game().new_initial_state()
        resampled.node = Node(Memory.imagined(sampled, player, node.known.digest(player)))
        return resampled

    def _legal_actions(self, _player: int) -> list[int]:
        return self.node.state.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(self.game, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw:{action}"
        return self.game.action_to_string(action)

    def __str__(self) -> str:
        node = self.node
        board = "set-up" if node.memory is None else str(node.state)
        if not node.is_chance:
            return board
        action = "" if node.memory is None else f"{self.game.action_to_string(node.action)}; "
        return f"{board}\n{action}drawn: {list(node.draws)}; to draw: one of {node.outcomes}"


def seed_of(sampler: Any) -> int:
    """A seed from a sampler of uniform numbers."""
    return int(sampler() * SEEDS)


class CarnivalObserver:
    """What a player sees: OpenSpiel's interface of observers.

    Attributes:
        tensor: float32, ``(observation_size,)``: the flat observation, as in the package's own environments; ``None``
            for perfect recall, which is a string alone.
        dict: its named blocks, views of ``tensor`` in their shapes.
    """

    def __init__(self, game: Game, perfect_recall: bool) -> None:
        """
        Args:
            game: the game with its options.
            perfect_recall: whether to tell all that the player has ever seen, or what he sees now.
        """
        self.perfect_recall = perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if not perfect_recall:
            self.tensor = np.zeros(game.observation_size, dtype=np.float32)
            self.dict = blocks_of(game, self.tensor)

    def set_from(self, state: CarnivalState, player: int) -> None:
        """Fill ``tensor``, and with it ``dict``, for a player; zeros during the set-up."""
        if self.tensor is not None:
            memory = state.node.memory
            self.tensor[:] = 0 if memory is None else memory.state.observation_tensor(player)

    def string_from(self, state: CarnivalState, player: int) -> str:
        """The table as a player sees it; for perfect recall, a digest of all that he has seen and done."""
        memory = state.node.memory
        if memory is None:
            return "set-up"
        if self.perfect_recall:
            return f"player {player} {memory.digest(player).hex()}"
        return memory.state.text(player)


def blocks_of(game: Game, tensor: npt.NDArray[np.float32]) -> dict[str, npt.NDArray[np.float32]]:
    """The named blocks of a flat observation, as views."""
    ends = np.cumsum([block.size for block in game.observation_blocks])
    parts = np.split(tensor, ends[:-1])
    return {block.name: part.reshape(block.shape) for block, part in zip(game.observation_blocks, parts, strict=True)}


# Evaluation of leaves ---------------------------------------------------------------------------------------------


class RolloutEvaluator:
    """Plays a game out from a leaf of a search, in compiled code.

    An evaluator for OpenSpiel's Python ``MCTSBot`` and ``ISMCTSBot``, in place of its ``RandomRolloutEvaluator``, which
    asks Python for every move.
    """

    def __init__(self, rollouts: int = 1, *, seed: int | None = None, rollout: str = "random") -> None:
        """
        Args:
            rollouts: how many games to take the mean of.
            seed: of all that is drawn.
            rollout: who plays them: ``"random"`` or ``"greedy"``.

        Raises:
            ValueError: an argument that is not allowed.
        """
        if rollout not in PILOTS:
            refuse("rollout", rollout, " or ".join(map(repr, PILOTS)))
        need_at_least_one(rollouts=rollouts)
        self._rollouts = rollouts
        self._pilot = PILOTS[rollout]
        self._chance = Chance(seed)

    def evaluate(self, state: CarnivalState) -> npt.NDArray[np.float64]:
        """The mean return of every seat: float64, ``(num_players,)``."""
        returns = np.array([self._play_out(state) for _ in range(self._rollouts)])
        mean: npt.NDArray[np.float64] = returns.mean(axis=0)
        return mean

    def prior(self, state: CarnivalState) -> list[tuple[int, float]]:
        """Every legal action, or outcome of a draw, with the same probability."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def _play_out(self, state: CarnivalState) -> list[float]:
        node, game = state.node, state.game
        while node.is_chance:
            node = node.child(game, self._chance.below(node.outcomes))
        record = record_from_bytes(node.state.to_bytes(), game.definition.state)
        words = seeded_words(self._chance.below(SEEDS))
        pilots = np.full(game.num_players, self._pilot, dtype=np.int8)
        mask = np.empty(game.num_actions, dtype=np.int8)
        view = blank_record(game.definition.state)
        game.engine.play_out(game.rules, record, words, pilots, view, mask, LONGEST_GAME)
        return State(game, record, words, OVER).returns(state.reward)
