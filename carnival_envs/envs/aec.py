"""The PettingZoo environment: what ``carnival_envs.bedeville_v0.env(...)`` gives.

Players act in turn, and who is next depends on the game, so that there is no parallel environment. The checks that
PettingZoo's wrappers would make are made here: no wrapper is needed.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import Space
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box
from pettingzoo import AECEnv

from carnival_envs.core.chance import checked_seed
from carnival_envs.core.engine import chance_loops
from carnival_envs.core.files import need_folder
from carnival_envs.core.game import Game
from carnival_envs.core.loops import ILLEGAL, REWARDS
from carnival_envs.core.observation import Floats
from carnival_envs.core.options import refuse
from carnival_envs.core.state import State, reward_index
from carnival_envs.envs import endings, rendering, spaces
from carnival_envs.registry import load_game
from carnival_envs.replay import Replay

Observation = dict[str, npt.NDArray[Any]]
Info = dict[str, Any]

SAVED = (
    "_state",
    "_seed",
    "_steps",
    "_over",
    "_mask",
    "_seen",
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "_skip_agent_selection",
    "_actions",
    "_stopped",
)
"""What a saved state holds."""


class AECGameEnv(AECEnv[str, Observation, int]):
    """A game with all its seats, ``player_0`` .. ``player_{n-1}``, clockwise.

    ``observe(agent)`` is what that agent sees, ``{"observation": float32, "action_mask": int8}``, of any agent at any
    time, also after the end; the mask is all 0 unless it is his decision. ``infos[agent]["action_mask"]`` is the same.

    Rewards are 0 until the end, when every agent gets his return in that one step, once through ``last()``. A game
    that ends by its rules, or by an illegal action, sets terminations only; one that is cut off by a bound sets
    truncations only. After the end agents are selected in the order of their seats and step ``None``. ``infos`` then
    hold ``score``, ``rank``, ``winners``, ``end_reason`` and the game's own additions; after a forfeit
    ``illegal_action`` and no score, after a cut from outside neither score nor rank.

    ::

        env.reset(seed=7)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            over = termination or truncation
            action = None if over else env.action_space(agent).sample(observation["action_mask"])
            env.step(action)
    """

    def __init__(
        self,
        game: str | Game,
        *,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = endings.FORFEIT,
        max_cycles: int | None = None,
        record: str | Path | None = None,
        data: str | Path | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """
        Args:
            game: the id of a game, or a game.
            render_mode: one of ``rendering.RENDER_MODES``, to see the table with everything on it.
            reward: the kind of returns, ``"win"``, ``"rank"`` or ``"score"``.
            illegal_action: ``"forfeit"``: the game ends with a warning, -1 for the offender, ``1 / (n - 1)`` for the
                others; ``"raise"``: ``IllegalActionError``.
            max_cycles: a bound on the decisions of all players; then the game is truncated, with rewards 0.
            record: a folder in which every game that ends leaves a replay; see ``carnival_envs.replay``.
            data: see ``load_game``.
            options: of the game; and ``history``, see ``load_game``.

        Raises:
            TypeError: an option that the game does not have.
            ValueError: an argument that is not allowed.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        self.game = game if isinstance(game, Game) else load_game(game, data=data, **options)
        self.metadata = {**rendering.METADATA, "name": f"{self.game.name}_v0", "is_parallelizable": False}
        self.render_mode = rendering.checked_render_mode(render_mode)
        self._record = None if record is None else Path(record)
        if self._record is not None:
            need_folder("record", self._record)
        self._screen = rendering.Screen()
        self._shows = self.render_mode == rendering.HUMAN
        self._is_followed = self._shows or self._record is not None
        self.reward = REWARDS[reward_index(reward)]
        self.illegal_action = endings.checked_illegal_action(illegal_action)
        self.max_cycles = endings.checked_bound("max_cycles", max_cycles)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.observation_spaces: dict[str, Space[Any]] = {
            agent: spaces.masked_observations(self.game) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Space[Any]] = {agent: spaces.actions(self.game) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._state: State | None = None
        self._seed: int | None = None
        self._over = True
        self._no_actions = np.zeros(self.game.num_actions, dtype=np.int8)
        self._seen: Observation | None = None

    # Spaces --------------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of ``observe(agent)``: equal for all agents, each with an object of its own."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The action indices: equal for all agents, each with an object of its own."""
        return self.action_spaces[agent]

    @property
    def state_space(self) -> Box:
        """The space of ``state()``."""
        one = spaces.observation_box(self.game)
        repeats = self.game.num_players
        return Box(np.tile(one.low, repeats), np.tile(one.high, repeats), dtype=np.float32)

    # Playing -------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game.

        Args:
            seed: of its chance; ``None`` goes on with the game that follows the last one, the first time with any.
            options: not used.

        Raises:
            ValueError: the seed is not allowed.
        """
        if seed is None and self._seed is not None:
            self._seed = int(chance_loops()["seed_of_next_game"](self._seed))
        else:
            self._seed = checked_seed(seed)
        self._state = self.game.new_initial_state(self._seed)
        self._steps = 0
        self._over = False
        self._actions: list[int] = []
        self._stopped: str | None = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_actions.copy()} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        actor = self._state.current_player()
        self._mask = self._state.legal_actions_mask()
        self.agent_selection = self.agents[actor]
        self._show(self.agent_selection, self._state.observation_tensor(actor))
        if self._shows:
            self.render()

    def step(self, action: int | None) -> None:
        """The decision of ``agent_selection``; ``None`` after the end.

        Raises:
            IllegalActionError: an illegal action, with ``illegal_action="raise"``; the game is unchanged.
            ResetNeeded: before the first ``reset``, or when no agent is left.
            ValueError: not an integer; or, after the end, not ``None``.
        """
        state = self._state
        if self._over or state is None:
            self._step_after_the_end(action)
            return
        if type(action) is not int:
            action = endings.checked_action(self.game, action)
        observation = np.empty(self.game.observation_size, np.float32)
        try:
            actor = state.step(action, self._mask, observation)
        except OverflowError:  # larger than the integers of compiled code
            actor = ILLEGAL
        agent = self.agent_selection
        self._steps += 1
        if actor < 0:
            self._end(action, actor)
        elif self._steps == self.max_cycles:
            self._cut_off()
        else:
            selected = self.possible_agents[actor]
            if selected is not agent:
                self.infos[agent] = {"action_mask": self._no_actions.copy()}
                self.agent_selection = selected
            self._show(selected, observation)
        if self._is_followed:
            self._follow(action, actor)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, Info]:
        """What ``agent_selection`` sees, his reward, termination, truncation and info.

        Raises:
            AttributeError: before the first ``reset``.
        """
        if self._over:
            return super().last(observe)
        agent = self.agent_selection
        seen: Observation | None = None
        if observe:
            seen, self._seen = self._seen or self.observe(agent), None
        return seen, 0.0, False, False, self.infos[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees: ``{"observation": float32, "action_mask": int8}``, arrays of his own.

        Raises:
            ResetNeeded: before the first ``reset``.
            ValueError: no such agent.
        """
        if agent not in self._seats:
            refuse("agent", agent, f"one of {', '.join(self.possible_agents)}")
        observation = self._known_state().observation_tensor(self._seats[agent])
        mask = self._no_actions if self._over or agent != self.agent_selection else self._mask
        return {"observation": observation, "action_mask": mask.copy()}

    def state(self) -> npt.NDArray[np.float32]:
        """What all players see together, seat by seat: float32, ``(num_players * observation_size,)``; for critics.

        Raises:
            ResetNeeded: before the first ``reset``.
        """
        state = self._known_state()
        return np.concatenate([state.observation_tensor(seat) for seat in range(self.game.num_players)])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; agents may still have to collect their rewards by ``last()``."""
        return self._over and self._state is not None

    # Looking on ----------------------------------------------------------------------------------------------------

    def render(self) -> rendering.Frame | None:
        """The table with everything on it; ``None`` in mode ``"human"``, where it is shown.

        Raises:
            ImportError: pixels without the extra ``render``.
            ResetNeeded: before the first ``reset``.
        """
        return rendering.frame(self._known_state(), None, self.render_mode, self._screen)

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        self._screen.close()

    @property
    def game_state(self) -> State:
        """An independent exact copy of the game, everything hidden included; for tools, never for a policy.

        Raises:
            ResetNeeded: before the first ``reset``.
        """
        return copy.copy(self._known_state())

    def save_state(self) -> dict[str, Any]:
        """Everything that the future of the game depends on, its chance included.

        Raises:
            ResetNeeded: before the first ``reset``.
        """
        self._known_state()
        return copy.deepcopy({name: getattr(self, name) for name in SAVED})

    def load_state(self, saved: dict[str, Any]) -> None:
        """Go back to a saved state.

        Raises:
            ValueError: it was saved by another game.
        """
        if saved["_state"].game != self.game:
            refuse("saved", saved["_state"].game, repr(self.game))
        self.__dict__.update(copy.deepcopy(saved))

    # Following a game -----------------------------------------------------------------------------------------------

    def _follow(self, action: int, actor: int) -> None:
        """Note an action, leave the replay of a game that is over, and show the table, where that is wanted."""
        if actor != ILLEGAL:
            self._actions.append(action)
        if self._over and self._record is not None:
            actions, players = tuple(self._actions), tuple(self.possible_agents)
            Replay(self.game, actions, players, seed=self._seed, stopped=self._stopped).save_in(self._record)
        if self._shows:
            self.render()

    # Ends ----------------------------------------------------------------------------------------------------------

    def _show(self, agent: str, observation: Floats) -> None:
        """Lay out what the agent sees who is to decide: handed out once, and what is asked for later is made anew."""
        mask = self._mask.copy()
        self._seen = {"observation": observation, "action_mask": mask}
        self.infos[agent] = {"action_mask": mask}

    def _known_state(self) -> State:
        if self._state is None:
            raise ResetNeeded(f"{self}: call reset() first")
        return self._state

    def _end(self, action: int, actor: int) -> None:
        """The game has ended by its rules or its own bound; or the action was illegal."""
        game, state = self.game, self._known_state()
        if actor != ILLEGAL:
            self._finish(state.returns(self.reward), state.infos(), truncated=state.is_truncated())
            return
        offender = state.current_player()
        if self.illegal_action == endings.RAISE:
            self._steps -= 1
            raise game.illegal_action_error(action, self._mask, f" by {self.agent_selection}")
        self._stopped = endings.forfeit_words(game, offender, action)
        warnings.warn(f"{self}: {self.agent_selection} forfeits by the illegal action {action}", stacklevel=3)
        infos = [endings.forfeit_info(game, offender, seat, action) for seat in range(game.num_players)]
        self._finish(endings.forfeit_returns(game, offender), infos, truncated=False)

    def _cut_off(self) -> None:
        self._stopped = endings.CUT_OFF
        infos = [endings.cut_off_info() for _ in self.agents]
        self._finish([0.0] * len(self.agents), infos, truncated=True)

    def _finish(self, returns: Sequence[float], infos: Sequence[Info], *, truncated: bool) -> None:
        """Give every agent his return, his flags and his final info."""
        self._over = True
        self.rewards = dict(zip(self.agents, returns, strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = {
            agent: {**info, "action_mask": self._no_actions.copy()}
            for agent, info in zip(self.agents, infos, strict=True)
        }
        self.agent_selection = self.agents[0]

    def _step_after_the_end(self, action: int | None) -> None:
        self._known_state()
        if not self.agents:
            raise ResetNeeded(f"{self}: the game is over and no agent is left; call reset()")
        self._was_dead_step(action)  # type: ignore[arg-type]
