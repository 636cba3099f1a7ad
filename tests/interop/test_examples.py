"""The examples of other libraries learn; each is tried where its library is installed."""

from __future__ import annotations

import importlib

import pytest

from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.registry import GAMES, definition

pytestmark = pytest.mark.filterwarnings("default")  # what the libraries warn of is theirs

EXAMPLES = {
    "agilerl_ppo": ("agilerl.algorithms", ["--updates", "8"]),
    "rllib_ppo": ("ray.rllib", ["--updates", "4"]),
    "tianshou_dqn": ("tianshou", ["--decisions", "4800"]),
    "torchrl_ppo": ("torchrl", ["--updates", "2"]),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_learns(example: str) -> None:
    library, arguments = EXAMPLES[example]
    pytest.importorskip(library, exc_type=ImportError)
    before, after = importlib.import_module(f"training.examples.{example}").main(arguments)
    assert after > before + 0.1
    assert after > 0.6


@pytest.mark.parametrize("game", GAMES)
def test_torchrl_finds_a_game_as_its_specs_say(game: str) -> None:
    pytest.importorskip("torchrl")
    from torchrl.envs.utils import check_env_specs

    from training.examples.torchrl_ppo import wrapped

    for num_players in definition(game).player_counts():
        check_env_specs(wrapped(AECGameEnv(game, num_players=num_players)))
