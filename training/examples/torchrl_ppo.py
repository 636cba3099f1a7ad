"""TorchRL: masked PPO by self-play through its ``PettingZooWrapper``. ``pip install torchrl``; about a minute.

``python -m training.examples.torchrl_ppo [--updates N]``
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

from carnival_envs import carnavalesco_v0
from carnival_envs.envs.aec import AECGameEnv
from training.examples.measure import tell_strength

GROUP = "agents"
GAMES_PER_UPDATE, EPOCHS, BATCH_SIZE, LEARNING_RATE, MAX_GRADIENT_NORM = 16, 4, 256, 1e-3, 0.5
MORE_THAN_A_GAME = 100_000
SEEN, MASK, ACTING = (GROUP, "observation", "observation"), (GROUP, "action_mask"), (GROUP, "mask")
LOGITS, ACTION, LOG_PROB, VALUE = ((GROUP, name) for name in ("logits", "action", "action_log_prob", "state_value"))
ADVANTAGE, RETURN = (GROUP, "advantage"), (GROUP, "value_target")


def wrapped(env: AECGameEnv) -> PettingZooWrapper:
    """The environment as TorchRL takes it: all agents in one group, who acts and what is legal in masks."""
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # TorchRL was tested with PettingZoo 1.24
        return PettingZooWrapper(env, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)


def make_actor(logits: MLP) -> ProbabilisticActor:
    """An actor for all agents, which draws from the legal actions."""
    return ProbabilisticActor(
        TensorDictModule(logits, in_keys=[SEEN], out_keys=[LOGITS]),
        in_keys={"logits": LOGITS, "mask": MASK},
        out_keys=[ACTION],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=LOG_PROB,
    )


def make_loss(actor: ProbabilisticActor, critic: ValueOperator) -> ClipPPOLoss:
    """The loss of PPO over decisions as ``play`` gives them."""
    loss = ClipPPOLoss(actor, critic, normalize_advantage=True)
    loss.set_keys(advantage=ADVANTAGE, value_target=RETURN, value=VALUE, action=ACTION, sample_log_prob=LOG_PROB)
    return loss


def play(env: PettingZooWrapper, actor: ProbabilisticActor) -> TensorDict:
    """The decisions of a game in which the actor has all seats, one a row, each with what its player got in the end."""
    with torch.no_grad():
        game = env.rollout(MORE_THAN_A_GAME, actor)
    returns = game["next", GROUP, "reward"].sum(0)
    game[RETURN] = returns.expand(len(game), *returns.shape).clone()
    decisions = game[GROUP][game[ACTING]]
    return TensorDict({GROUP: decisions}, batch_size=decisions.batch_size)


def learn(loss: ClipPPOLoss, critic: ValueOperator, optimiser: torch.optim.Optimizer, decisions: TensorDict) -> None:
    """Some epochs of PPO over decisions."""
    with torch.no_grad():
        decisions[ADVANTAGE] = decisions[RETURN] - critic(decisions.copy())[VALUE]
    for _ in range(EPOCHS):
        for batch in decisions[torch.randperm(len(decisions))].split(BATCH_SIZE):
            losses = loss(batch)
            optimiser.zero_grad()
            (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
            torch.nn.utils.clip_grad_norm_(loss.parameters(), MAX_GRADIENT_NORM)
            optimiser.step()


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Train and measure; returns the share of games won against random play before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--updates", type=int, default=12)
    given = parser.parse_args(arguments)
    torch.manual_seed(0)
    unwrapped = carnavalesco_v0.env(num_players=2, reward="score")
    env, game = wrapped(unwrapped), unwrapped.game
    check_env_specs(env)
    logits = MLP(game.observation_size, game.num_actions, num_cells=[64, 64])
    critic = ValueOperator(MLP(game.observation_size, 1, num_cells=[64, 64]), in_keys=[SEEN], out_keys=[VALUE])
    actor = make_actor(logits)
    loss = make_loss(actor, critic)
    optimiser = torch.optim.Adam(loss.parameters(), LEARNING_RATE)
    before = tell_strength("before", logits, game)
    for _ in range(given.updates):
        learn(loss, critic, optimiser, torch.cat([play(env, actor) for _ in range(GAMES_PER_UPDATE)]))
    return before, tell_strength(f"after {given.updates * GAMES_PER_UPDATE} games", logits, game)


if __name__ == "__main__":
    main()
