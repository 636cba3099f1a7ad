"""Policy files: round trip, and every way in which one can be wrong."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.policies import policy_file as module
from carnival_envs.policies.network import Network, NetworkPolicy, ValueNetwork, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, layout_hash, read_policy_file, write_policy_file
from carnival_envs.policies.specs import make_policy


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("carnavalesco", num_players=2)


def network_for(game: Game) -> Network:
    sizes = (game.observation_size, 8, game.num_actions)
    parameters = np.random.default_rng(0).normal(size=num_parameters(sizes))
    return Network(sizes, "relu", parameters.astype(np.float32))


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    path = tmp_path / "policy.npz"
    write_policy_file(path, PolicyFile.of(game, network_for(game), {"steps": 1000}))
    return path


def rewrite(path: Path, **changes: Any) -> None:
    """Replace entries of the header; a callable gets the old value."""
    with np.load(path) as arrays:
        header, parameters = json.loads(arrays["header"].tobytes()), arrays["parameters"]
    header.update(changes)
    np.savez(path, header=np.frombuffer(json.dumps(header).encode(), np.uint8), parameters=parameters)


def test_round_trip(game: Game, path: Path) -> None:
    read = read_policy_file(path)
    assert (read.game, read.options, read.training) == ("carnavalesco", game.options, {"steps": 1000})
    assert read.network.sizes == network_for(game).sizes
    assert read.network.parameters.tobytes() == network_for(game).parameters.tobytes()


def with_value(game: Game, path: Path, **changes: Any) -> Path:
    """A policy file with a value network; ``changes`` replace entries of what the header tells of that."""
    sizes = (game.observation_size, 4, 1)
    parameters = np.random.default_rng(1).normal(size=num_parameters(sizes)).astype(np.float32)
    value = ValueNetwork(Network(sizes, "relu", parameters), "score")
    write_policy_file(path, PolicyFile.of(game, network_for(game), value=value))
    if changes:
        with np.load(path) as arrays:
            kept = dict(arrays)
        header = json.loads(kept["header"].tobytes())
        header["value"].update(changes)
        np.savez(path, **{**kept, "header": np.frombuffer(json.dumps(header).encode(), np.uint8)})
    return path


def test_round_trip_with_a_value_network(game: Game, path: Path) -> None:
    assert read_policy_file(path).value is None
    value = read_policy_file(with_value(game, path)).value
    assert value is not None
    assert (value.reward, value.network.sizes, value.network.activation) == ("score", (831, 4, 1), "relu")
    observation = game.new_initial_state(seed=0).observation_tensor(0)[None]
    wanted = np.random.default_rng(1).normal(size=num_parameters((831, 4, 1))).astype(np.float32)
    hidden = np.maximum(observation @ wanted[: 831 * 4].reshape(831, 4) + wanted[831 * 4 : 832 * 4], 0)
    np.testing.assert_allclose(value.values(observation), hidden @ wanted[-5:-1] + wanted[-1], rtol=1e-4)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sizes": [831, 4, 2]}, "damaged header: parameters.shape"),
        ({"sizes": [831, 3, 1]}, "damaged header: parameters.shape"),
        ({"sizes": [3332, 1]}, "value network has 3332 inputs, not 831"),
        ({"reward": "money"}, "damaged header: reward: 'money' is not allowed"),
        ({"activation": "gelu"}, "damaged header: activation"),
    ],
)
def test_wrong_value_networks(game: Game, path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        make_policy(f"policy:{with_value(game, path, **changes)}", game)
    assert str(path) in str(error.value)


def test_a_value_network_without_its_parameters(path: Path) -> None:
    rewrite(path, value={"sizes": [831, 1], "activation": "relu", "reward": "win"})
    with pytest.raises(ValueError, match=r"value_parameters\.npy"):
        read_policy_file(path)


def test_numpy_alone_reads_it(path: Path) -> None:
    with np.load(path, allow_pickle=False) as arrays:
        assert sorted(arrays) == ["header", "parameters"]
        assert json.loads(arrays["header"].tobytes())["format"] == "carnival_envs policy"


def test_the_spec_plays_it(game: Game, path: Path) -> None:
    policy = make_policy(f"policy:{path}", game)
    assert isinstance(policy, NetworkPolicy)
    assert not policy.sample
    state = game.new_initial_state(seed=0)
    observation, mask = state.observation_tensor(state.current_player()), state.legal_actions_mask()
    action = policy.act(observation[None], mask[None], np.random.default_rng(0))[0]
    assert action == network_for(game).best_actions(observation[None], mask[None])[0]
    assert mask[action] == 1


def test_the_spec_samples_from_it(game: Game, path: Path) -> None:
    policy = make_policy(f"policy:{path}?sample=1", game)
    assert isinstance(policy, NetworkPolicy)
    assert policy.sample


@pytest.mark.parametrize("query", ["sample=2", "samples=1", "sample=1&x=2"])
def test_unknown_settings(game: Game, path: Path, query: str) -> None:
    with pytest.raises(ValueError, match=r"only \?sample=0 or \?sample=1"):
        make_policy(f"policy:{path}?{query}", game)


def test_torch_is_not_needed(path: Path) -> None:
    code = (
        "import sys; from carnival_envs import load_game; from carnival_envs.policies.specs import make_policy; "
        f"make_policy('policy:{path}', load_game('carnavalesco')); print('torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


# Policies that don't fit ------------------------------------------------------------------------------------------


def test_the_policy_of_another_game(path: Path) -> None:
    with pytest.raises(ValueError, match=r"policy\.npz: the policy is for carnavalesco, not for carnival"):
        make_policy(f"policy:{path}", load_game("carnival"))


def test_another_number_of_players(path: Path) -> None:
    with pytest.raises(ValueError, match="trained with num_players=2, not 3"):
        make_policy(f"policy:{path}", load_game("carnavalesco", num_players=3))


def test_options_that_leave_the_layout_alone_may_differ(path: Path, game: Game) -> None:
    other = load_game("carnavalesco", num_players=2, divisions="A")
    assert layout_hash(other, 0) == layout_hash(game, 0)
    assert isinstance(make_policy(f"policy:{path}", other), NetworkPolicy)


def test_another_layout(path: Path, game: Game) -> None:
    rewrite(path, layout="0" * 16)
    with pytest.raises(ValueError, match=r"carnival_envs 0\.\S+, which wrote it, laid out observations"):
        make_policy(f"policy:{path}", game)


def test_a_network_of_other_widths(game: Game) -> None:
    with pytest.raises(ValueError, match="3 inputs and 2 outputs; carnavalesco needs 831"):
        PolicyFile.of(game, Network((3, 2), "tanh", np.zeros(8, np.float32)))


# Files that are none ----------------------------------------------------------------------------------------------


def test_a_missing_file(game: Game, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        make_policy(f"policy:{tmp_path / 'none.npz'}", game)


def test_every_truncation_is_refused(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    cut = tmp_path / "cut.npz"
    for length in {0, 1, 100, len(content) // 2, len(content) - 1}:
        cut.write_bytes(content[:length])
        with pytest.raises(ValueError, match=r"cut\.npz: not a policy file, or cut short"):
            read_policy_file(cut)


def test_damaged_bytes_are_refused(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match="not a policy file"):
        read_policy_file(path)


def start_of_data(path: Path, name: str) -> int:
    """Where the packed bytes of an array begin: after its local header of 30 bytes, its name and its extra field."""
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo(name).header_offset
    name_length, extra_length = struct.unpack_from("<HH", path.read_bytes(), place + 26)
    return int(place + 30 + name_length + extra_length)


def test_a_broken_stream_is_refused(path: Path) -> None:
    """No deflated block is of the type that the bits 11 say."""
    content = bytearray(path.read_bytes())
    content[start_of_data(path, "parameters.npy")] = 0xFF
    path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match="not a policy file"):
        read_policy_file(path)


def test_no_more_is_unpacked_than_was_claimed(tmp_path: Path) -> None:
    """64 MiB of zeros that say of themselves that they are 1000 bytes."""
    path, unpacked, claimed = tmp_path / "bomb.npz", 64 << 20, 1000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.npy", bytes(unpacked))
    path.write_bytes(path.read_bytes().replace(struct.pack("<I", unpacked), struct.pack("<I", claimed)))
    tracemalloc.start()
    with pytest.raises(ValueError, match="not a policy file"):
        read_policy_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < unpacked / 8


def test_other_packings_are_refused(tmp_path: Path) -> None:
    """They would be unpacked whole, whatever was claimed."""
    path = tmp_path / "lzma.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("header.npy", bytes(100))
    with pytest.raises(ValueError, match="array header is packed by the method 14"):
        read_policy_file(path)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"weights": np.zeros(3)}, "no item named 'header.npy'|header"),
        ({"header": np.array([{"a": 1}], object), "parameters": np.zeros(1, np.float32)}, "array header is object"),
        ({"header": np.frombuffer(b"[]", np.uint8), "parameters": np.zeros(1, np.float32)}, "not a policy file"),
        ({"header": np.frombuffer(b"{", np.uint8), "parameters": np.zeros(1, np.float32)}, "damaged"),
        ({"header": np.frombuffer(b"{}", np.uint8), "parameters": np.zeros(1)}, "array parameters is float64"),
    ],
)
def test_foreign_arrays(tmp_path: Path, arrays: dict[str, np.ndarray], message: str) -> None:
    path = tmp_path / "foreign.npz"
    np.savez(path, **arrays)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message) as error:
        read_policy_file(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "format version 2; this package reads version 1"),
        ({"network": {"sizes": [3, 2], "activation": "tanh"}}, "damaged header: parameters"),
        ({"network": {"activation": "tanh"}}, "damaged header"),
        ({"options": None}, "damaged header"),
        ({"advice": 10**400}, "damaged header"),
    ],
)
def test_wrong_headers(path: Path, changes: dict[str, Any], message: str) -> None:
    rewrite(path, **changes)
    with pytest.raises(ValueError, match=message):
        read_policy_file(path)


def test_large_arrays_are_not_unpacked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match=r"more than the 1000 allowed"):
        read_policy_file(path)


def test_a_shape_that_is_not_there_is_not_allocated(path: Path) -> None:
    """A header that claims 2**40 numbers over a file that holds four."""
    with np.load(path) as arrays:
        header = arrays["header"]
    claim = {"descr": "<f4", "fortran_order": False, "shape": (1 << 40,)}
    with zipfile.ZipFile(path, "w") as archive:
        with archive.open("header.npy", "w") as stream:
            np.lib.format.write_array(stream, header)
        with archive.open("parameters.npy", "w") as stream:
            np.lib.format.write_array_header_1_0(stream, claim)
            stream.write(bytes(16))
    with pytest.raises(ValueError, match="in 16 bytes"):
        read_policy_file(path)


def test_a_failed_write_leaves_the_old_file(game: Game, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def fail(*args: Any, **kwargs: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(KeyboardInterrupt):
        write_policy_file(path, PolicyFile.of(game, network_for(game)))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
