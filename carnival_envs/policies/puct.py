"""Tree search with a policy and a value network as a policy: ``puct:zoo:200``, ``puct:policy:FILE:50ms?batch=8``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from carnival_envs.core.chance import Words, seeded_words
from carnival_envs.core.definition import GameDefinition
from carnival_envs.core.engine import bind_to_game, sources_of
from carnival_envs.core.game import Game
from carnival_envs.core.jit import announce_compilation
from carnival_envs.core.search import Budget, Root, grow, root_of, search_moves
from carnival_envs.core.state import View, reward_index
from carnival_envs.core.views import Views
from carnival_envs.policies.base import Actions
from carnival_envs.policies.network import Network
from carnival_envs.policies.policy_file import PolicyFile
from carnival_envs.policies.puct_loops import NODE, Net, Nodes, Oracle
from carnival_envs.policies.search_specs import search_options
from carnival_envs.policies.zoo import policy_file_of

MOST_NODES = 1 << 20
"""No tree has more: some 50 MB."""

LARGEST_RETURN = {"win": 1.0, "rank": 1.0, "score": float("inf")}


@dataclass(frozen=True, kw_only=True)
class PUCTOptions(Budget):
    """How to search with networks.

    Attributes:
        simulations: how many a move; in ``milliseconds`` mode ignored.
        exploration: the constant of the bound, in units of returns.
        batch: how many leaves are evaluated at a time.
    """

    simulations: int = 200
    exploration: float = 1.0
    batch: int = 1


class PUCTPolicy:
    """Searches from the view of the player who decides, led by networks, and makes the move that was tried most."""

    def __init__(self, policy_file: PolicyFile, options: PUCTOptions | None = None) -> None:
        """
        Args:
            policy_file: the networks.
            options: how to search; ``None`` takes the defaults of ``PUCTOptions``.

        Raises:
            ValueError: there is no value network.
        """
        self.options = options or PUCTOptions()
        self._policy_file = policy_file
        self._oracle = oracle_of(policy_file)
        self._checked: Game | None = None

    def act_on_views(self, views: Views, rng: np.random.Generator) -> Actions:
        """See ``ViewPolicy.act_on_views``. With a budget of simulations, equal generators give equal moves.

        Raises:
            ValueError: views of a game that is not the networks'.
        """
        if views.game is not self._checked:
            self._policy_file.check(views.game)
            self._checked = views.game
        return search_moves(views, self.root, rng)

    def root(self, view: View, rng: np.random.Generator) -> Root:
        """What a search from a view tells of each action."""
        seeds = [int(rng.integers(1 << 62)) for _ in range(self.options.threads)]
        return grow([PUCTTree(view, self._oracle, self.options, seed) for seed in seeds], self.options)

    def __repr__(self) -> str:
        return f"PUCTPolicy({self._policy_file.game}, {self.options!r})"


class PUCTTree:
    """A search tree of one player's decision that is grown by what networks foretell."""

    def __init__(self, view: View, oracle: Oracle, options: PUCTOptions, seed: int) -> None:
        """
        Args:
            view: the view of the player who is to decide.
            oracle: the networks.
            options: how to search.
            seed: of the stream that the search draws from.
        """
        game = view.game
        self._game = game
        self._view = view
        self._oracle = oracle
        self._options = options
        wanted = MOST_NODES if options.milliseconds else (options.simulations + 1) * game.num_actions + 1
        self._nodes: Nodes = np.zeros(min(wanted, MOST_NODES), dtype=NODE)
        self._count = 1
        self._words: Words = seeded_words(seed)

    def simulate(self, simulations: int) -> None:
        """Run some more simulations."""
        game, options = self._game, self._options
        self._count = puct_loops(game.definition)["search"](
            game.rules,
            self._view.record,
            self._view.player,
            self._words,
            simulations,
            self._nodes,
            self._count,
            options.batch,
            self._oracle,
            float(options.exploration),
            game.score_scale,
            game.observation_size,
        )

    def root(self) -> Root:
        """What the tree tells of the player's actions."""
        return root_of(self._nodes, self._game.num_actions)


def oracle_of(policy_file: PolicyFile) -> Oracle:
    """The networks of a policy file, as compiled code takes them.

    Raises:
        ValueError: there is no value network.
    """
    value = policy_file.value
    if value is None:
        raise ValueError(
            "puct: the policy file has no value network; `python -m training.value FILE` fits one to its policy"
        )
    reward, bound = reward_index(value.reward), LARGEST_RETURN[value.reward]
    return Oracle(net_of(policy_file.network), net_of(value.network), float(policy_file.advice), reward, bound)


def net_of(network: Network) -> Net:
    """A network, as compiled code takes it."""
    return Net(*network.compiled)


def make_puct(argument: str, game: Game, trust: bool = False) -> PUCTPolicy:
    """The policy that the spec ``puct:POLICY:N``, ``puct:POLICY:Nms`` or either with ``?name=value&...`` names.

    Args:
        argument: what follows the first colon: ``zoo`` or ``policy:PATH``, a colon, the number of simulations, or of
            milliseconds, then the other ``PUCTOptions``.
        game: what it is to play.
        trust: whether files that can run code may be loaded.

    Raises:
        FileNotFoundError: there is no such policy file.
        ValueError: neither of these, or a policy file that has no value network or is of another game.
    """
    text, _, query = argument.partition("?")
    spec, _, budget = text.rpartition(":")
    options = search_options("puct", budget, query, PUCTOptions)
    return PUCTPolicy(policy_file_of(spec, game, trust=trust), options)


@cache
def puct_loops(definition: GameDefinition) -> dict[str, Any]:
    """The loops of ``policies/puct_loops.py``, by name, compiled for a game."""
    from carnival_envs.policies import puct_loops as loops

    owner = f"{definition.name}-puct"
    sources = sources_of(definition, *(Path(__file__).with_name(name) for name in ("inference.py", "puct_loops.py")))
    announce_compilation(owner, sources)
    return bind_to_game(loops, definition, owner, sources)
