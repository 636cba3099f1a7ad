"""The policies that ship with the package: one policy file for each game and number of players.

They lie in this folder as ``<game>-<players>.npz``. They are made by ``python -m training.league``, ``python -m
training.imitation`` or ``python -m training.improvement``, their value networks by ``python -m training.value``; the
headers hold the configurations, seeds and steps that made them. They are played from disk: nothing is downloaded.
"""

from __future__ import annotations

from pathlib import Path

from carnival_envs.core.game import Game
from carnival_envs.core.options import refuse
from carnival_envs.policies.network import AdvisedPolicy, NetworkPolicy
from carnival_envs.policies.policy_file import PolicyFile, load_policy_file, read_policy_file

FOLDER = Path(__file__).parent


def zoo_file(name: str, num_players: int) -> Path:
    """Where the policy file of a game for a number of players lies, or would lie."""
    return FOLDER / f"{name}-{num_players}.npz"


def has_zoo_policy(game: Game) -> bool:
    """Whether a policy ships for a game with its number of players."""
    return zoo_file(game.name, game.num_players).is_file()


def zoo_policy(_argument: str, game: Game, _trust: bool) -> NetworkPolicy | AdvisedPolicy:
    """The policy that the spec ``zoo`` names.

    Raises:
        ValueError: see ``zoo_policy_file``.
    """
    return zoo_policy_file(game).policy(game)


def zoo_policy_file(game: Game) -> PolicyFile:
    """What ships for a game and its number of players.

    Raises:
        ValueError: nothing, or the game's component data or options change what the policy sees or does.
    """
    if not has_zoo_policy(game):
        shipped = ", ".join(sorted(path.stem for path in FOLDER.glob("*.npz"))) or "none"
        raise ValueError(f"zoo: no policy ships for {game.name}-{game.num_players}; shipped: {shipped}")
    policy_file = read_policy_file(zoo_file(game.name, game.num_players))
    policy_file.check(game)
    return policy_file


def policy_file_of(spec: str, game: Game, *, trust: bool = False) -> PolicyFile:
    """The policy file that a spec names.

    Args:
        spec: ``zoo`` or ``policy:PATH``.
        game: what it is to play.
        trust: whether a ``.zip``, which can run code, may be loaded.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: neither of these, or the policy of another game.
    """
    word, _, path = spec.partition(":")
    if spec == "zoo":
        return zoo_policy_file(game)
    if word == "policy" and path:
        return load_policy_file(path, game, trust)
    refuse("policy file", spec, "zoo or policy:PATH")
