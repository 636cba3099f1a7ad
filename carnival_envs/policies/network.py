"""Policies that are small neural networks, played without any deep-learning library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from carnival_envs.core.game import Game
from carnival_envs.core.observation import Floats
from carnival_envs.core.options import is_integer, refuse
from carnival_envs.core.state import reward_index
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions, Masks, Observations
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.inference import ACTIVATIONS, inference_loops


@dataclass(frozen=True, eq=False)
class Network:
    """A fully connected network: layers of weights and biases with an activation between them.

    Attributes:
        sizes: the widths of the layers, from the observation size to the number of actions.
        activation: ``"tanh"`` or ``"relu"``.
        parameters: float32, all of them in one row: for each layer its weights, ``(inputs, outputs)`` in C order,
            then its biases. A copy of what is given.

    Raises:
        ValueError: the attributes are not allowed or don't fit together, or a parameter is not finite.
    """

    sizes: tuple[int, ...]
    activation: str
    parameters: Floats
    _sizes: npt.NDArray[np.int64] = field(init=False, repr=False)
    _activation: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.sizes) < 2 or not all(is_integer(size) and size >= 1 for size in self.sizes):
            refuse("sizes", self.sizes, "two integers of at least 1 or more")
        if self.activation not in ACTIVATIONS:
            refuse("activation", self.activation, " or ".join(repr(name) for name in ACTIVATIONS))
        parameters = np.array(self.parameters, dtype=np.float32)
        if parameters.shape != (num_parameters(self.sizes),):
            refuse("parameters.shape", parameters.shape, f"({num_parameters(self.sizes)},) for sizes {self.sizes}")
        if not np.isfinite(parameters).all():
            raise ValueError("parameters: some are not finite numbers")
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "_sizes", np.array(self.sizes, dtype=np.int64))
        object.__setattr__(self, "_activation", ACTIVATIONS.index(self.activation))

    @property
    def compiled(self) -> tuple[Floats, npt.NDArray[np.int64], int]:
        """Parameters, widths and activation, as the loops of ``inference`` take them."""
        return self.parameters, self._sizes, self._activation

    @classmethod
    def from_layers(cls, layers: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]], activation: str) -> Network:
        """A network from its layers.

        Args:
            layers: ``(weights, biases)`` of each, of shapes ``(inputs, outputs)`` and ``(outputs,)``.
            activation: between the layers, ``"tanh"`` or ``"relu"``.

        Raises:
            ValueError: layers that don't fit together.
        """
        arrays = [(np.asarray(weights), np.asarray(biases)) for weights, biases in layers]
        sizes = tuple(len(weights) for weights, _ in arrays) + (len(arrays[-1][1]),)
        for (weights, biases), shape in zip(arrays, pairwise(sizes), strict=True):
            if weights.shape != shape or biases.shape != shape[1:]:
                refuse("layers", f"weights {weights.shape} with biases {biases.shape}", f"{shape} with {shape[1:]}")
        return cls(sizes, activation, np.concatenate([part.ravel() for layer in arrays for part in layer]))

    def layers(self) -> list[tuple[Floats, Floats]]:
        """Weights and biases of each layer, as ``from_layers`` takes them."""
        layers, rest = [], self.parameters
        for inputs, outputs in pairwise(self.sizes):
            weights, biases, rest = np.split(rest, [inputs * outputs, (inputs + 1) * outputs])
            layers.append((weights.reshape(inputs, outputs), biases))
        return layers

    def logits(self, observations: Observations) -> Floats:
        """float32, ``(batch, num_actions)``, for observations of shape ``(batch, observation_size)``.

        Raises:
            ValueError: observations of another shape.
        """
        observations = self._checked(observations)
        out = np.empty((len(observations), self.sizes[-1]), dtype=np.float32)
        inference_loops()["logit_rows"](*self.compiled, observations, out)
        return out

    def best_actions(self, observations: Observations, masks: Masks) -> Actions:
        """The legal action of the greatest logit for each row, the first of equals: int64, ``(batch,)``.

        Raises:
            ValueError: observations or masks of another shape.
        """
        observations = self._checked(observations)
        masks = np.ascontiguousarray(masks, dtype=np.int8)
        if masks.shape != (len(observations), self.sizes[-1]):
            refuse("masks.shape", masks.shape, f"({len(observations)}, {self.sizes[-1]})")
        actions = np.empty(len(observations), dtype=np.int64)
        inference_loops()["best_actions"](*self.compiled, observations, masks, actions)
        return actions

    def _checked(self, observations: Observations) -> Observations:
        observations = np.ascontiguousarray(observations, dtype=np.float32)
        if observations.ndim != 2 or observations.shape[1] != self.sizes[0]:
            refuse("observations.shape", observations.shape, f"(batch, {self.sizes[0]})")
        return observations


def num_parameters(sizes: Sequence[int]) -> int:
    """How many weights and biases a network of these layer widths has."""
    return sum((inputs + 1) * outputs for inputs, outputs in pairwise(sizes))


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """Foretells what the player who is to decide will earn, from what the policy network beside it sees.

    Attributes:
        network: a network with one output.
        reward: the kind of returns that it foretells: ``"win"``, ``"rank"`` or ``"score"``.

    Raises:
        ValueError: more outputs than one, or no such kind.
    """

    network: Network
    reward: str = "win"

    def __post_init__(self) -> None:
        reward_index(self.reward)
        if self.network.sizes[-1] != 1:
            refuse("sizes of a value network", self.network.sizes, "one output")

    def values(self, observations: Observations) -> Floats:
        """The expected returns: float32, ``(batch,)``, for what the policy network sees, ``(batch, inputs)``.

        Raises:
            ValueError: observations of another shape.
        """
        return self.network.logits(observations)[:, 0]


class NetworkPolicy:
    """Plays what a network prefers.

    Attributes:
        network: its network.
        sample: draw from the network's distribution over the legal actions; otherwise the most likely one is played.
        unread: how many numbers at the end of an observation it does not look at: decisions further back than it knows.
    """

    def __init__(self, network: Network, *, sample: bool = False, unread: int = 0) -> None:
        self.network = network
        self.sample = sample
        self.unread = unread

    def act(self, observations: Observations, masks: Masks, rng: np.random.Generator) -> Actions:
        """See ``Policy.act``.

        Raises:
            ValueError: observations or masks of a shape that is not the network's.
        """
        observations = observations[:, : observations.shape[1] - self.unread]
        if not self.sample:
            return self.network.best_actions(observations, masks)
        return draw(self.network.logits(observations), masks, rng)

    def __repr__(self) -> str:
        return f"NetworkPolicy(sizes={self.network.sizes}, sample={self.sample})"


class AdvisedPolicy:
    """Plays what a network prefers that knows what the game's baseline bot would do.

    The bot's choice is the last part of what the network sees (one-hot over the actions), and its logit is raised by a
    weight: what the network has to learn is when to do otherwise (residual policy learning, Silver et al. 2018).

    Attributes:
        network: its network; its inputs are the observation and the advice.
        weight: what is added to the logit of the bot's choice.
        sample, unread: as in ``NetworkPolicy``.
    """

    def __init__(self, network: Network, weight: float, *, sample: bool = False, unread: int = 0) -> None:
        self.network = network
        self.weight = weight
        self.sample = sample
        self.unread = unread

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        """See ``ViewPolicy.act_on_views``.

        Raises:
            ValueError: views of a game that is not the network's.
        """
        logits = self.logits(views, rng)
        if self.sample:
            return draw(logits, views.masks, rng)
        actions: Actions = np.where(views.masks != 0, logits, -np.inf).argmax(axis=1)
        return actions

    def logits(self, views: Views, rng: np.random.Generator) -> Floats:
        """What it makes of every action, the advice included: float32, ``(len(views), num_actions)``.

        Raises:
            ValueError: views of a game that is not the network's.
        """
        advised, choices = advise(views, rng, self.unread)
        logits = self.network.logits(advised)
        logits[np.arange(len(views)), choices] += self.weight
        return logits

    def __repr__(self) -> str:
        return f"AdvisedPolicy(sizes={self.network.sizes}, weight={self.weight}, sample={self.sample})"


def advise(views: Views, rng: np.random.Generator, unread: int = 0) -> tuple[Observations, Actions]:
    """What an advised network sees of some views, and the advice: the baseline bot's choices.

    Returns:
        float32, ``(len(views), observation_size - unread + num_actions)``: the observation, then the choice, one-hot;
        and the choices, int64, ``(len(views),)``.
    """
    size = views.game.observation_size - unread
    advised = np.empty((len(views), input_size(views.game, advised=True) - unread), dtype=np.float32)
    advised[:, :size] = views.observations()[:, :size]
    return advised, put_advice(advised[:, size:], views, rng)


def put_advice(out: Floats, views: Views, rng: np.random.Generator) -> Actions:
    """Fill ``out``, ``(len(views), num_actions)``, with the baseline bot's choices, one-hot; returns them."""
    choices = GreedyPolicy().act_on_views(views, rng)
    out[:] = 0
    out[np.arange(len(views)), choices] = 1
    return choices


def input_size(game: Game, *, advised: bool) -> int:
    """How many numbers a network sees of a game: its observation, and the advice if it takes any."""
    return game.observation_size + (game.num_actions if advised else 0)


def network_policy(
    network: Network, advice: float = 0.0, *, sample: bool = False, unread: int = 0
) -> NetworkPolicy | AdvisedPolicy:
    """The policy of a network: an advised one where the advice has a weight."""
    if advice:
        return AdvisedPolicy(network, advice, sample=sample, unread=unread)
    return NetworkPolicy(network, sample=sample, unread=unread)


def draw(logits: Floats, masks: Masks, rng: np.random.Generator) -> Actions:
    """A legal action for each row, drawn from the softmax of its logits."""
    noisy = logits + rng.gumbel(size=logits.shape)  # the largest is a draw from the softmax (Gumbel 1954)
    actions: Actions = np.where(masks != 0, noisy, -np.inf).argmax(axis=1)
    return actions
