"""From SB3 models to policy files, and SB3 zips where they are trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.policies.export import export_sb3, sb3_network, sb3_value_network
from carnival_envs.policies.network import NetworkPolicy, ValueNetwork
from carnival_envs.policies.policy_file import read_policy_file
from carnival_envs.policies.specs import make_policy

sb3_contrib = pytest.importorskip("sb3_contrib")
torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("carnavalesco", num_players=2)


class Shell(gym.Env[np.ndarray, int]):
    """An environment with the spaces of a game and nothing behind them."""

    def __init__(self, game: Game) -> None:
        self.observation_space = gym.spaces.Box(-1, 1, (game.observation_size,), np.float32)
        self.action_space = gym.spaces.Discrete(game.num_actions)


def model_for(game: Game, **policy_kwargs: Any) -> Any:
    return sb3_contrib.MaskablePPO("MlpPolicy", Shell(game), seed=3, device="cpu", policy_kwargs=policy_kwargs)


@pytest.fixture(scope="module")
def model(game: Game) -> Any:
    return model_for(game)


def positions(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of the first decisions of 40 games."""
    states = [game.new_initial_state(seed=seed) for seed in range(40)]
    rows = np.stack([state.observation_tensor(state.current_player()) for state in states])
    return rows, np.stack([state.legal_actions_mask() for state in states])


def test_the_export_plays_as_the_model(game: Game, model: Any, tmp_path: Path) -> None:
    path = tmp_path / "out.npz"
    export_sb3(model, path, game, training={"algorithm": "MaskablePPO"})
    observations, masks = positions(game)
    wanted, _ = model.predict(observations, action_masks=masks.astype(bool), deterministic=True)
    policy = make_policy(f"policy:{path}", game)
    assert isinstance(policy, NetworkPolicy)
    assert policy.act(observations, masks, np.random.default_rng(0)).tolist() == wanted.tolist()
    assert read_policy_file(path).training == {"algorithm": "MaskablePPO"}


def test_the_critic_foretells_as_the_model_does(game: Game) -> None:
    model = model_for(game, net_arch={"pi": [8], "vf": [16, 12]})
    observations, _ = positions(game)
    with torch.no_grad():
        wanted = model.policy.predict_values(torch.as_tensor(observations))[:, 0].numpy()
    np.testing.assert_allclose(ValueNetwork(sb3_value_network(model)).values(observations), wanted, atol=1e-5)


@pytest.mark.parametrize("kwargs", [{"net_arch": [32], "activation_fn": torch.nn.ReLU}, {"net_arch": []}])
def test_other_architectures(game: Game, kwargs: dict[str, Any]) -> None:
    model = model_for(game, **kwargs)
    observations, masks = positions(game)
    wanted, _ = model.predict(observations, action_masks=masks.astype(bool), deterministic=True)
    assert sb3_network(model).best_actions(observations, masks).tolist() == wanted.tolist()


def test_the_network_is_a_copy(game: Game) -> None:
    model = model_for(game)
    observations, _ = positions(game)
    network = sb3_network(model)
    before = network.logits(observations).tolist()
    with torch.no_grad():
        model.policy.action_net.bias += 1.0
    assert network.logits(observations).tolist() == before


def test_a_zip_is_not_loaded_without_trust(game: Game, model: Any, tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    model.save(path)
    with pytest.raises(ValueError, match=r"trust=True .*--trust.*carnival-envs export"):
        make_policy(f"policy:{path}", game)
    with pytest.raises(ValueError, match="trust=True"):
        export_sb3(path, tmp_path / "out.npz", game)
    assert list(tmp_path.iterdir()) == [path]


def test_a_trusted_zip_plays_as_the_model(game: Game, model: Any, tmp_path: Path) -> None:
    model.save(tmp_path / "model.zip")
    policy = make_policy(f"policy:{tmp_path / 'model.zip'}", game, trust=True)
    export_sb3(tmp_path / "model.zip", tmp_path / "out.npz", game, trust=True)
    exported = make_policy(f"policy:{tmp_path / 'out.npz'}", game)
    assert isinstance(policy, NetworkPolicy)
    assert isinstance(exported, NetworkPolicy)
    wanted = sb3_network(model).parameters.tobytes()
    assert policy.network.parameters.tobytes() == exported.network.parameters.tobytes() == wanted


def test_what_is_no_zip(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    with pytest.raises(FileNotFoundError, match="no such file"):
        make_policy(f"policy:{path}", game, trust=True)
    path.write_bytes(b"PK but no more")
    with pytest.raises(ValueError, match=r"model\.zip: not the zip of a PPO-like SB3 model"):
        make_policy(f"policy:{path}", game, trust=True)


def test_the_model_of_another_game(game: Game, tmp_path: Path) -> None:
    other = load_game("carnival")
    with pytest.raises(ValueError, match=r"inputs and .* outputs; carnavalesco needs"):
        export_sb3(model_for(other), tmp_path / "out.npz", game)
    assert not list(tmp_path.iterdir())


def test_actors_that_are_no_plain_stack(game: Game) -> None:
    with pytest.raises(ValueError, match="Tanh or ReLU"):
        sb3_network(model_for(game, activation_fn=torch.nn.ELU))
    with pytest.raises(ValueError, match="PPO-like"):
        sb3_network(torch.nn.Linear(2, 2))


def test_hidden_preprocessing_is_noticed(game: Game) -> None:
    """A features extractor that keeps the width but changes the values."""
    from stable_baselines3.common.torch_layers import FlattenExtractor

    class Halved(FlattenExtractor):
        def forward(self, observations: Any) -> Any:
            return super().forward(observations) / 2

    with pytest.raises(ValueError, match="its layers alone"):
        sb3_network(model_for(game, features_extractor_class=Halved))
