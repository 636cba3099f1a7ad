"""The module that RLlib trains: two plain networks, one for the policy and one for the value, with masked actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI, ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor, nn

from carnival_envs.policies.network import Network

ILLEGAL_LOGIT = -1e8
"""Takes the place of the logits of illegal actions; finite, so that a mask of none gives numbers still."""

POLICY, VALUE = "policy", "value"
ACTIVATIONS: Mapping[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


class MaskedActorCritic(TorchRLModule, InferenceOnlyAPI, ValueFunctionAPI):
    """Acts on ``{"observation", "action_mask"}``, as the environments give it, and never illegally.

    Its ``model_config`` has ``hidden_layers``, the widths of the layers of each network, and ``activation``, ``"tanh"``
    or ``"relu"``.
    """

    def setup(self) -> None:
        """Make the networks. RLlib calls this once."""
        inputs = self.observation_space["observation"].shape[0]
        hidden, activation = self.model_config["hidden_layers"], self.model_config["activation"]
        self.policy = perceptron([inputs, *hidden, int(self.action_space.n)], activation)
        self.value = perceptron([inputs, *hidden, 1], activation)

    def get_non_inference_attributes(self) -> list[str]:
        """What processes that only play do without."""
        return [VALUE]

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:  # noqa: ARG002
        """What is to be earned from each row of a batch on: ``(batch,)``."""
        values: Tensor = self.value(batch[Columns.OBS]["observation"]).squeeze(-1)
        return values

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"])
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, ILLEGAL_LOGIT)}


def perceptron(sizes: Sequence[int], activation: str) -> nn.Sequential:
    """Linear layers of these widths with an activation between them."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layers += [nn.Linear(inputs, outputs), ACTIVATIONS[activation]()]
    return nn.Sequential(*layers[:-1])


def network_of(weights: Mapping[str, Any], part: str, activation: str) -> Network:
    """A network of a ``MaskedActorCritic``, as one that works without RLlib.

    Args:
        weights: the state of the module, arrays or tensors by name.
        part: ``POLICY`` or ``VALUE``.
        activation: that of its ``model_config``.
    """
    arrays = {name: np.asarray(weight) for name, weight in weights.items() if name.startswith(f"{part}.")}
    layers = sorted({int(name.split(".")[1]) for name in arrays})
    return Network.from_layers(
        [(arrays[f"{part}.{layer}.weight"].T, arrays[f"{part}.{layer}.bias"]) for layer in layers], activation
    )
