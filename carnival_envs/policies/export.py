"""From Stable-Baselines3 to policy files. Needs the ``train`` extra; nothing else in ``policies`` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.game import Game
from carnival_envs.policies.network import Network
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file

ACTIVATION_OF_MODULE = {"Tanh": "tanh", "ReLU": "relu"}

CHECKED_OBSERVATIONS = 32
LOGIT_TOLERANCE = 1e-3


def export_sb3(
    model: Any,
    path: str | Path,
    game: Game,
    *,
    training: Mapping[str, Any] | None = None,
    trust: bool = False,
) -> PolicyFile:
    """Write the policy of a PPO-like SB3 model (``MaskablePPO``, ``PPO``, ``A2C``; ``"MlpPolicy"``) to a policy file.

    Args:
        model: the model, its policy, or the path of an SB3 ``.zip``.
        path: the policy file to write.
        game: the game with the options that it was trained on.
        training: how it was trained, for whoever reads the file.
        trust: whether a ``.zip`` may be loaded; loading one can run any code that its maker put inside.

    Returns:
        what was written.

    Raises:
        FileNotFoundError: there is no such zip.
        ImportError: Stable-Baselines3 is not installed.
        ValueError: a zip without ``trust`` or that can't be loaded, or a network that does not fit.
    """
    if isinstance(model, str | Path):
        model = load_sb3_policy(model, trust=trust)
    policy_file = PolicyFile.of(game, sb3_network(model), training)
    write_policy_file(path, policy_file)
    return policy_file


def load_sb3_policy(path: str | Path, *, trust: bool) -> Any:
    """The ``ActorCriticPolicy`` in an SB3 ``.zip``.

    Raises:
        FileNotFoundError: there is no such file.
        ImportError: Stable-Baselines3 is not installed.
        ValueError: without ``trust``, or not the zip of a PPO-like model.
    """
    if not trust:
        raise ValueError(
            f"{path}: loading an SB3 zip can run code that its maker put inside. If you trust it, say trust=True (on "
            "the command line --trust), or turn it into a policy file once: carnival-envs export ZIP OUT.npz --trust"
        )
    if not Path(path).is_file():
        raise FileNotFoundError(f"SB3 zip {path}: no such file")
    try:
        from stable_baselines3.common.save_util import load_from_zip_file
    except ImportError:
        raise ImportError("SB3 zips need Stable-Baselines3: pip install carnival-envs[train]") from None
    try:
        content, parameters, _ = load_from_zip_file(path, device="cpu")
        data = content or {}
        spaces = data["observation_space"], data["action_space"]
        policy = data["policy_class"](*spaces, lambda _: 0.0, **data["policy_kwargs"])
        policy.load_state_dict(parameters["policy"])
    except Exception as error:
        raise ValueError(f"{path}: not the zip of a PPO-like SB3 model ({error})") from error
    return policy


def sb3_network(model: Any) -> Network:
    """The actor of a PPO-like SB3 model or policy, as a network of its own: a copy, which later training leaves alone.

    Raises:
        ValueError: the actor is not a plain stack of linear layers over the flat observation.
    """
    policy = getattr(model, "policy", model)
    if not hasattr(policy, "mlp_extractor") or not hasattr(policy, "action_net"):
        raise ValueError(f"{type(policy).__name__}: only the actor of a PPO-like MlpPolicy can be exported")
    network = stack_network([*policy.mlp_extractor.policy_net, policy.action_net])
    check_same_logits(network, policy)
    return network


def sb3_value_network(model: Any) -> Network:
    """The critic of a PPO-like SB3 model or policy, likewise; its one output is the value.

    Raises:
        ValueError: the critic is not a plain stack of linear layers over the flat observation.
    """
    policy = getattr(model, "policy", model)
    return stack_network([*policy.mlp_extractor.value_net, policy.value_net])


def stack_network(modules: Sequence[Any]) -> Network:
    """A plain stack of torch's layers as a network: a copy, which later training leaves alone.

    Raises:
        ValueError: anything but linear layers with one kind of activation between them.
    """
    import torch

    linear, between = modules[::2], modules[1::2]
    kinds = {type(module).__name__ for module in between}
    if not all(isinstance(module, torch.nn.Linear) for module in linear) or not kinds <= ACTIVATION_OF_MODULE.keys():
        raise ValueError(f"{list(modules)}: only linear layers with Tanh or ReLU between them can be exported")
    if len(kinds) > 1:
        raise ValueError(f"activations: {sorted(kinds)} is not allowed; allowed: one kind in all layers")
    layers = [(to_numpy(module.weight).T, to_numpy(module.bias)) for module in linear]
    return Network.from_layers(layers, ACTIVATION_OF_MODULE[kinds.pop()] if kinds else "tanh")


def to_numpy(tensor: Any) -> Any:
    """The values of a torch tensor."""
    return tensor.detach().cpu().numpy()


def check_same_logits(network: Network, policy: Any) -> None:
    """Raise a ``ValueError`` unless network and SB3 policy agree: what precedes the layers is then plain flattening."""
    import torch

    observations = np.random.default_rng(0).random((CHECKED_OBSERVATIONS, network.sizes[0]), dtype=np.float32)
    try:
        with torch.no_grad():
            distribution = policy.get_distribution(torch.as_tensor(observations, device=policy.device))
        wanted = to_numpy(distribution.distribution.logits)
    except Exception as error:
        raise ValueError(f"{type(policy).__name__}: does not take flat observations alone ({error})") from error
    logits = network.logits(observations)
    found = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    if not np.allclose(found, wanted, atol=LOGIT_TOLERANCE):
        raise ValueError(f"{type(policy).__name__}: its layers alone don't give its actions; it can't be exported")
