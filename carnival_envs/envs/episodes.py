"""Whole games in the AEC environment, without a loop to write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from carnival_envs.core.options import refuse
from carnival_envs.core.views import Views
from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.policies.base import AnyPolicy, ViewPolicy, checked_choices
from carnival_envs.policies.specs import make_policy


def play_episode(
    env: AECGameEnv, policies: Mapping[str, str | AnyPolicy] | Sequence[str | AnyPolicy], seed: int | None = None
) -> dict[str, float]:
    """Play one game to its end.

    Args:
        env: the environment; it is reset first.
        policies: who plays, a spec or a policy for each agent: by agent, or in the order of the seats.
        seed: of the game and of the policies' randomness.

    Returns:
        what each agent was paid.

    Raises:
        ValueError: not one policy for each agent, or a spec that is not allowed.
    """
    agents = env.possible_agents
    given = dict(policies if isinstance(policies, Mapping) else zip(agents, policies, strict=False))
    if len(policies) != len(agents) or given.keys() != set(agents):
        refuse("policies", policies, f"one for each of {', '.join(agents)}")
    players = {agent: make_policy(given[agent], env.game) for agent in agents}
    env.reset(seed)
    rng = np.random.default_rng(seed)
    returns = dict.fromkeys(agents, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last(observe=False)
        returns[agent] += reward
        env.step(None if termination or truncation else _choice(players[agent], env, agent, rng))
    return returns


def _choice(policy: AnyPolicy, env: AECGameEnv, agent: str, rng: np.random.Generator) -> int:
    if isinstance(policy, ViewPolicy):
        chosen = policy.act_on_views(Views.of_states([env.game_state]), rng)
    else:
        seen = env.observe(agent)
        chosen = policy.act(seen["observation"][None], seen["action_mask"][None], rng)
    return int(checked_choices(policy, chosen, 1)[0])
