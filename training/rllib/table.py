"""The environment that RLlib plays: a game whose seats are dealt anew, to modules and to opponents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.envs import spaces
from carnival_envs.policies.base import AnyPolicy, choose
from carnival_envs.policies.specs import make_policy
from training.config import CURRENT, PAST
from training.rllib.config import RayTrainConfig

RUN, OPPONENTS = "run", "opponents"
"""The keys of the configuration and of ``opponents_of`` it in what RLlib hands to an environment."""

SEED_LIMIT = 2**63
Observation = dict[str, Any]


class Table(MultiAgentEnv):
    """A game. At each reset one seat goes to the learner, and every other to whom the shares of the configuration say.

    Seats of the learner and of its snapshots are agents, named for the module that plays them and for the seat:
    ``current:0``, ``past_3:1``. Other opponents play inside the environment, as their specs say, from what they may
    see. Whoever is to decide gets an observation; all who decided at least once are paid at the end.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """
        Args:
            config: of RLlib, with a ``RayTrainConfig`` under ``RUN`` and what ``opponents_of`` it under ``OPPONENTS``.
        """
        super().__init__()
        run: RayTrainConfig = config[RUN]
        self.game = run.load_game()
        self._reward = run.reward
        self._opponents: Mapping[str, AnyPolicy] = config[OPPONENTS]
        self._players, self._weights = players(run)
        self._rng = np.random.default_rng()
        seats = range(self.game.num_players)
        self.possible_agents = [agent_of(module, seat) for module in modules(run) for seat in seats]
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.masked_observations(self.game))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.actions(self.game))
        self.agents: list[str] = []

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        """Deal a new game; one in which no agent has to decide anything is played out and dealt again.

        Args:
            seed: of this game and all that follow, seats and opponents included; ``None`` goes on.
            options: not used.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._deal()
        while self._state.is_terminal():
            self._deal()
        return self._look(), {}

    def step(
        self, action_dict: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """The decision of the agent that was asked."""
        ((agent, action),) = action_dict.items()
        self._acted[seat_of(agent)] = agent
        self._state.apply_action(int(action))
        self._play_opponents()
        over, cut_off = self._state.is_terminal(), self._state.is_truncated()
        ended, truncated = {"__all__": over and not cut_off}, {"__all__": over and cut_off}
        if not over:
            seen = self._look()
            return seen, dict.fromkeys(seen, 0.0), ended, truncated, {}
        returns = self._state.returns(self._reward)
        seen = {agent: self._observation(seat) for seat, agent in self._acted.items()}
        return seen, {agent: returns[seat] for seat, agent in self._acted.items()}, ended, truncated, {}

    def _deal(self) -> None:
        seats = self.game.num_players
        self._players_by_seat = [
            self._players[self._rng.choice(len(self._players), p=self._weights)] for _ in range(seats)
        ]
        self._players_by_seat[self._rng.integers(seats)] = CURRENT
        self.agents = [
            agent_of(name, seat) for seat, name in enumerate(self._players_by_seat) if name not in self._opponents
        ]
        self._acted: dict[int, str] = {}
        self._state = self.game.new_initial_state(int(self._rng.integers(SEED_LIMIT)))
        self._play_opponents()

    def _play_opponents(self) -> None:
        """Play on until an agent has to decide or the game is over."""
        while not self._state.is_terminal():
            policy = self._opponents.get(self._players_by_seat[self._state.current_player()])
            if policy is None:
                return
            self._state.apply_action(int(choose(policy, Views.of_states([self._state]), self._rng)[0]))

    def _look(self) -> dict[str, Observation]:
        """What the agent sees that has to decide."""
        seat = self._state.current_player()
        return {agent_of(self._players_by_seat[seat], seat): self._observation(seat)}

    def _observation(self, seat: int) -> Observation:
        state: State = self._state
        acts = state.current_player() == seat
        mask = state.legal_actions_mask() if acts else np.zeros(self.game.num_actions, dtype=np.int8)
        return {"observation": state.observation_tensor(seat), "action_mask": mask}


def opponents_of(run: RayTrainConfig) -> dict[str, AnyPolicy]:
    """The opponents that play inside the environment, by spec; made once, so that no worker needs their files."""
    game = run.load_game()
    return {spec: make_policy(spec, game) for spec in run.opponents.shares if spec not in (CURRENT, PAST)}


def modules(run: RayTrainConfig) -> list[str]:
    """The modules of a run: the learner, and the places of its snapshots if any are played against."""
    return [CURRENT, *(name for name in players(run)[0] if name.startswith(f"{PAST}_"))]


def players(run: RayTrainConfig) -> tuple[list[str], list[float]]:
    """Who may take a seat, and how likely: modules and specs; the share of ``past`` is split among its places."""
    shares, places = run.opponents.shares, run.opponents.active_snapshots
    weights = {name: share for name, share in shares.items() if name != PAST}
    if shares.get(PAST):
        weights |= {place_of_snapshot(index): shares[PAST] / places for index in range(places)}
    total = sum(weights.values())
    return list(weights), [weight / total for weight in weights.values()]


def place_of_snapshot(index: int) -> str:
    """The module that plays a snapshot."""
    return f"{PAST}_{index}"


def agent_of(module: str, seat: int) -> str:
    """The agent that a module is at a seat."""
    return f"{module}:{seat}"


def seat_of(agent: str) -> int:
    """The seat of an agent."""
    return int(agent.rpartition(":")[2])


def module_of(agent: str, *_: Any, **__: Any) -> str:
    """The module that plays an agent; RLlib's ``policy_mapping_fn``."""
    return agent.rpartition(":")[0]
