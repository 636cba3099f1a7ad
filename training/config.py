"""The configuration of a training run: what may be set, what it means, and how it is read.

A configuration is a YAML file with the fields of ``TrainConfig``. Every field but ``game`` has a default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, is_dataclass, replace
from functools import partial
from pathlib import Path
from reprlib import repr as shortened
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_type_hints

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from carnival_envs import load_game
from carnival_envs.core.errors import did_you_mean
from carnival_envs.core.game import Game
from carnival_envs.core.position import differences
from carnival_envs.evaluation.tournament import number_of_seeds
from carnival_envs.policies.base import AnyPolicy
from carnival_envs.policies.policy_file import PolicyFile
from carnival_envs.policies.specs import make_policy
from carnival_envs.policies.zoo import policy_file_of
from training.yaml_file import Document, KeyPath, YamlError, parse_yaml, read_yaml

CURRENT, PAST = "current", "past"
"""Names in ``opponents.shares`` that are no spec strings: the learner as it is, and its snapshots."""

MAX_SNAPSHOTS = 200
"""How many snapshots a run may take: each is a file, and an opponent with a batch of its own."""

STRICT = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)

MAX_WIDTH = 4096
"""Of a hidden layer."""

Width = Annotated[int, Field(ge=1, le=MAX_WIDTH)]
Share = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Made = TypeVar("Made")
Config = TypeVar("Config", bound="TrainConfig")


class ConfigError(ValueError):
    """A configuration that can't be used. The message names the place, the value and what is allowed."""


@dataclass(config=STRICT, frozen=True, kw_only=True)
class NetworkConfig:
    """The policy network and the value network: two of one shape, which share nothing."""

    hidden_layers: tuple[Width, ...] = Field(default=(128, 128), max_length=8)
    """Widths of the hidden layers, from the observation on; each from 1 to 4096, at most 8 layers."""

    activation: Literal["tanh", "relu"] = "tanh"
    """The function between layers."""

    advice: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Weight of the baseline bot's choice: added to the logit of the action that the bot would take, which the networks
    see too. The learner begins with the bot's play and learns where to leave it (Silver et al. 2018). 0: no advice."""

    start: str | None = None
    """``zoo`` or ``policy:PATH``: the policy network begins as that one. Its hidden layers, activation and advice are
    then those of the run. The value network begins at random, as without."""


@dataclass(config=STRICT, frozen=True, kw_only=True)
class PPOConfig:
    """Proximal policy optimisation (Schulman et al. 2017) with masked actions (Huang and Ontanon 2022)."""

    num_games: int = Field(default=128, ge=1, le=65536)
    """Games played side by side."""

    rollout_steps: int = Field(default=36, ge=1, le=65536)
    """Decisions in each game between two updates."""

    batch_size: int = Field(default=1152, ge=1)
    """Decisions in a gradient step; at most those of a rollout, ``num_games * rollout_steps``."""

    epochs: int = Field(default=4, ge=1, le=100)
    """Passes over a rollout in an update."""

    learning_rate: float = Field(default=1e-3, gt=0, le=1, allow_inf_nan=False)
    """Step size of Adam at the start."""

    final_learning_rate: float = Field(default=1e-4, ge=0, le=1, allow_inf_nan=False)
    """Step size at the end; in between it changes linearly with the steps done."""

    gamma: float = Field(default=1.0, ge=0, le=1, allow_inf_nan=False)
    """Discount of a reward by decision; 1, for games end and only the result counts."""

    gae_lambda: float = Field(default=0.95, ge=0, le=1, allow_inf_nan=False)
    """Weight of longer returns in the advantage estimate (Schulman et al. 2016)."""

    clip_range: float = Field(default=0.2, gt=0, le=1, allow_inf_nan=False)
    """How far the probability of an action may move in an update before its gradient is cut."""

    entropy_coefficient: float = Field(default=0.01, ge=0, allow_inf_nan=False)
    """Weight at the start of the entropy bonus, which keeps the policy exploring."""

    final_entropy_coefficient: float = Field(default=0.01, ge=0, allow_inf_nan=False)
    """Weight of the entropy bonus at the end; in between it changes linearly with the steps done."""

    value_steps: int = Field(default=0, ge=0)
    """Steps at the beginning from which only the value network learns: a policy that begins as another one would be
    led astray by values that mean nothing yet."""

    value_coefficient: float = Field(default=0.5, ge=0, allow_inf_nan=False)
    """Weight of the value loss."""

    max_gradient_norm: float = Field(default=0.5, gt=0, allow_inf_nan=False)
    """Longer gradients are scaled down to this norm."""


@dataclass(config=STRICT, frozen=True, kw_only=True)
class OpponentsConfig:
    """Whom the learner plays against. Every other seat of every new game is drawn by the shares, on its own."""

    shares: dict[str, Share] = Field(default_factory=lambda: {CURRENT: 0.7, PAST: 0.3}, min_length=1)
    """Weight of each opponent: ``current`` (the learner as it is), ``past`` (its snapshots, all equally likely; the
    current learner until there is one) or any spec string, such as ``random``, ``greedy`` or ``policy:PATH``."""

    snapshot_every: int = Field(default=500_000, ge=1)
    """Steps between two snapshots of the learner for ``past``; a run may take 200."""

    prioritised: bool = False
    """Whether a snapshot is drawn the more often the more it wins against the learner, by the square of its share of
    wins (prioritised fictitious self-play, Vinyals et al. 2019); otherwise all are equally likely."""

    active_snapshots: int = Field(default=8, ge=1, le=64)
    """Snapshots that new games are played against at one time, drawn anew for every rollout; twice as many are kept
    in memory."""


@dataclass(config=STRICT, frozen=True, kw_only=True)
class EvaluationConfig:
    """Matches of the learner, playing its best action, against fixed opponents; they choose ``best.npz``."""

    every: int = Field(default=500_000, ge=1)
    """Steps between two evaluations; the last one is made at the end."""

    games: int = Field(default=400, ge=1)
    """Games against each opponent, every deal once from each seat; rounded up to whole deals, of which it takes 3."""

    opponents: tuple[str, ...] = Field(default=("random", "greedy"), min_length=1)
    """Spec strings; each plays all other seats."""


@dataclass(config=STRICT, frozen=True, kw_only=True)
class TrainConfig:
    """A training run."""

    game: str
    """The id of the game."""

    options: dict[str, Any] = Field(default_factory=dict)
    """The game's options, ``num_players`` among them; those not given keep their defaults."""

    reward: Literal["win", "rank", "score"] = "score"
    """The return that the learner maximises: of winning, of its rank, or of its lead in points."""

    total_steps: int = Field(default=10_000_000, ge=1)
    """Decisions of the learner that it learns from in the whole run; the run ends with exactly so many."""

    seed: int = Field(default=0, ge=0, lt=2**63)
    """Of everything random in the run: the same seed, configuration and versions give the same policy."""

    threads: int = Field(default=2, ge=1, le=1024)
    """Threads for the games and for the networks."""

    checkpoint_every: int = Field(default=250_000, ge=1)
    """Steps between two checkpoints; at each all games begin anew, so that a run that was killed goes on from there as
    if it had not been."""

    network: NetworkConfig = Field(default_factory=NetworkConfig)
    """The networks."""

    ppo: PPOConfig = Field(default_factory=PPOConfig)
    """The learning algorithm."""

    opponents: OpponentsConfig = Field(default_factory=OpponentsConfig)
    """The pool of opponents."""

    evaluation: EvaluationConfig = Field(default_factory=EvaluationConfig)
    """The evaluation during the run."""

    def load_game(self) -> Game:
        """The game with its options."""
        return load_game(self.game, **self.options)

    def starting_policy(self, game: Game) -> PolicyFile | None:
        """What the learner begins as; ``None`` if that is nothing in particular.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: the policy of another game, or one that knows another history.
        """
        if self.network.start is None:
            return None
        policy_file = policy_file_of(self.network.start, game)
        if policy_file.history != game.history:
            raise ValueError(f"{self.network.start}: it knows history={policy_file.history}, not {game.history}")
        return policy_file


def read_config(
    path: Path,
    overrides: Sequence[str] = (),
    kind: type[Config] = TrainConfig,  # type: ignore[assignment] # mypy knows no defaults of type variables
) -> Config:
    """Read a configuration from a YAML file.

    Args:
        path: the file.
        overrides: ``key=value`` each, with dots between the keys of nested fields and the value in YAML; they win over
            the file.
        kind: its class.

    Raises:
        ConfigError: the file or an override can't be used; names the place, and what an unknown key is nearest to.
    """
    try:
        return config_of(read_yaml(path), overrides, kind)
    except (FileNotFoundError, YamlError) as error:
        raise ConfigError(str(error)) from None


def config_of(
    document: Document,
    overrides: Sequence[str] = (),
    kind: type[Config] = TrainConfig,  # type: ignore[assignment] # see read_config
) -> Config:
    """The configuration in a YAML document.

    Raises:
        ConfigError: see ``read_config``.
        YamlError: the value of an override is no YAML.
    """
    if document.content is None:
        raise ConfigError(f"{document.source}: the file is empty; it must at least name a game")
    if not isinstance(document.content, dict):
        found = shortened(document.content)
        raise ConfigError(f"{document.source}: {found} is not allowed; allowed: fields and their values")
    for override in overrides:
        _override(document, override)
    _refuse_unknown_keys(document, document.content, kind, ())
    try:
        config = TypeAdapter(kind).validate_json(json.dumps(document.content, default=str))
    except ValidationError as error:
        problem = error.errors()[0]
        message = problem["msg"] if problem["type"] == "missing" else f"{problem['input']!r}: {problem['msg']}"
        _refuse(document, problem["loc"], message)
    _check_together(document, config)
    return _shaped_as_start(document, config)


def dump_config(config: TrainConfig) -> str:
    """The configuration as YAML, every field with its value."""
    text: str = yaml.safe_dump(json.loads(json.dumps(asdict(config))), sort_keys=False)
    return text


def _override(document: Document, override: str) -> None:
    """Carry out one ``key=value`` on a document."""
    source = f"--set {override}"
    path, equals, text = override.partition("=")
    keys = tuple(path.strip().split("."))
    if not equals or not all(keys):
        raise ConfigError(f"{source}: not of the form key=value or key.key=value")
    content = document.content
    for depth, key in enumerate(keys[:-1], start=1):
        document.places.setdefault(keys[:depth], source)
        content = content.setdefault(key, {})
        if not isinstance(content, dict):
            raise ConfigError(f"{source}: {'.'.join(keys[:depth])} has no fields, its value is {content!r}")
    content[keys[-1]] = parse_yaml(text, source).content
    document.places[keys] = source


def _refuse_unknown_keys(document: Document, content: dict[str, Any], kind: type, path: KeyPath) -> None:
    known = get_type_hints(kind)
    for key, value in content.items():
        if key not in known:
            _refuse(document, (*path, key), f"unknown key; known: {', '.join(known)}{did_you_mean(key, list(known))}")
        if is_dataclass(known[key]) and isinstance(value, dict):
            _refuse_unknown_keys(document, value, known[key], (*path, key))


def _check_together(document: Document, config: TrainConfig) -> None:
    """Refuse what no field shows alone: unknown games, options and opponents, sizes that don't fit together."""
    shares = config.opponents.shares
    game = _made(document, ("options",) if config.options else ("game",), config.load_game)
    for spec in set(shares) - {CURRENT, PAST}:
        _made(document, ("opponents", "shares", spec), partial(_named_opponent, spec, game))
    for index, spec in enumerate(config.evaluation.opponents):
        _made(document, ("evaluation", "opponents", index), partial(make_policy, spec, game))
    if not any(shares.values()):
        _refuse(document, ("opponents", "shares"), f"{shares}: one share at least must be more than 0")
    _made(document, ("evaluation", "games"), partial(number_of_seeds, config.evaluation.games, game.num_players))
    decisions = config.ppo.num_games * config.ppo.rollout_steps
    if config.ppo.batch_size > decisions:
        _refuse(document, ("ppo", "batch_size"), f"{config.ppo.batch_size}: a rollout has only {decisions} decisions")
    least = -(-config.total_steps // MAX_SNAPSHOTS)
    if config.opponents.snapshot_every < least:
        problem = f"{config.opponents.snapshot_every}: must be at least {least}, for {MAX_SNAPSHOTS} snapshots in all"
        _refuse(document, ("opponents", "snapshot_every"), problem)


def _shaped_as_start(document: Document, config: Config) -> Config:
    """The configuration with a network of the shape of the one that it begins as; another shape is refused."""
    policy_file = _made(document, ("network", "start"), lambda: config.starting_policy(config.load_game()))
    if policy_file is None:
        return config
    network, asked = policy_file.network, config.network
    shape = {"hidden_layers": network.sizes[1:-1], "activation": network.activation, "advice": policy_file.advice}
    shaped: NetworkConfig = replace(asked, **shape)  # type: ignore[arg-type] # what a policy file holds is allowed
    for name, given, own in differences(asdict(asked), asdict(shaped)):
        if name in document.content["network"]:
            _refuse(document, ("network", name), f"{given!r}: {asked.start} has {own!r}; leave it away")
    return replace(config, network=shaped)


def _named_opponent(spec: str, game: Game) -> AnyPolicy:
    """The policy of a spec; a misspelt ``current`` or ``past`` is recognised."""
    try:
        return make_policy(spec, game)
    except ValueError as error:
        raise ValueError(f"{error}; or {CURRENT}, {PAST}{did_you_mean(spec, [CURRENT, PAST])}") from None


def _made(document: Document, path: KeyPath, make: Callable[[], Made]) -> Made:
    """What ``make`` makes from the value at ``path``."""
    try:
        return make()
    except (ValueError, TypeError, OSError) as error:
        _refuse(document, path, str(error))


def _refuse(document: Document, path: KeyPath, problem: str) -> NoReturn:
    raise ConfigError(f"{document.place(path)}: {'.'.join(map(str, path))}: {problem}") from None
