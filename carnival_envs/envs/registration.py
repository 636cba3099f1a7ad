"""The ids and the modules under which Gymnasium and PettingZoo know the games; all follow from the table of games.

For the game ``bedeville``: ``gym.make("carnival_envs/Bedeville-v0")``, ``gym.make_vec`` of the same id,
``pettingzoo.make("aec", "carnival_envs/Bedeville-v0")``, and the module ``carnival_envs.bedeville_v0``.
In a process that has not imported the package, ``gym.make("carnival_envs:carnival_envs/Bedeville-v0")`` does.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from typing import TYPE_CHECKING, Any, NoReturn

import gymnasium
import pettingzoo

from carnival_envs.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import ModuleType

    from carnival_envs.envs.aec import AECGameEnv

PACKAGE = "carnival_envs"
VERSION = 0


def env_id(game: str) -> str:
    """The id of a game in the registries of Gymnasium and PettingZoo."""
    title = "".join(word.capitalize() for word in game.split("_"))
    return f"{PACKAGE}/{title}-v{VERSION}"


def module_name(game: str) -> str:
    """The name of a game's module within the package."""
    return f"{game}_v{VERSION}"


def register_envs() -> None:
    """Register every game of the table that is not registered yet; runs when the package is imported."""
    for game in GAMES:
        _register_gymnasium(game)
        _add_module(game)
        _register_pettingzoo(game)


def _register_gymnasium(game: str) -> None:
    if env_id(game) in gymnasium.registry:
        return
    gymnasium.register(
        env_id(game),
        entry_point=f"{PACKAGE}.envs.single:SeatEnv",
        vector_entry_point=f"{PACKAGE}.envs.vector:SeatVectorEnv",
        kwargs={"game": game},
        order_enforce=False,  # SeatEnv checks that itself; unwrapped, its own methods are at hand
        disable_env_checker=True,
    )


def _register_pettingzoo(game: str) -> None:
    if not hasattr(pettingzoo, "aec_registry"):  # releases before 1.27 have none; the modules are all they need
        return
    if env_id(game) not in pettingzoo.aec_registry:
        pettingzoo.register("aec", env_id(game), entry_point=f"{PACKAGE}.{module_name(game)}:env")


def _add_module(game: str) -> None:
    """Make ``carnival_envs.<game>_v0`` importable, in each of the ways to say it."""
    name = f"{PACKAGE}.{module_name(game)}"
    if name in sys.modules:
        return
    module = module_from_spec(ModuleSpec(name, loader=None))
    module.__doc__ = f"The PettingZoo environment of {game}: ``env()``; ``raw_env`` is the same, there are no wrappers."
    creator = _env_creator(game, name)
    vars(module).update(env=creator, raw_env=creator, __all__=["env", "raw_env"], __getattr__=_explain_missing(name))
    sys.modules[name] = module
    package: ModuleType = sys.modules[PACKAGE]
    setattr(package, module_name(game), module)


def _env_creator(game: str, module: str) -> Callable[..., AECGameEnv]:
    def env(
        *,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "forfeit",
        max_cycles: int | None = None,
        record: str | Path | None = None,
        data: str | Path | Mapping[str, Any] | None = None,
        **options: Any,
    ) -> AECGameEnv:
        """A new environment; see ``AECGameEnv`` for the arguments."""
        from carnival_envs.envs.aec import AECGameEnv

        return AECGameEnv(
            game,
            render_mode=render_mode,
            reward=reward,
            illegal_action=illegal_action,
            max_cycles=max_cycles,
            record=record,
            data=data,
            **options,
        )

    env.__module__ = module
    env.__qualname__ = env.__name__
    return env


def _explain_missing(module: str) -> Callable[[str], NoReturn]:
    def __getattr__(name: str) -> NoReturn:  # noqa: N807 - the hook of a module
        if name == "parallel_env":
            raise AttributeError(
                f"{module} has no parallel_env: the players act in turn; use env(), and PettingZoo's "
                "turn_based_aec_to_parallel(env()) where an algorithm needs the parallel form"
            )
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return __getattr__
