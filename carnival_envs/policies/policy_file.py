"""Policy files: a trained network with all that is needed to play it, and nothing that can run code.

A policy file is a ``.npz`` of arrays: ``header``, JSON in UTF-8 bytes, and ``parameters``, those of the network (see
``Network``); with a value network also ``value_parameters``. It is read without pickle and without any deep-learning
library.
"""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import parse_qsl

import numpy as np
import numpy.typing as npt

from carnival_envs.core.files import replacing
from carnival_envs.core.game import Game
from carnival_envs.core.history import checked_history
from carnival_envs.core.observation import Floats, size_of
from carnival_envs.core.position import differences
from carnival_envs.policies.network import (
    AdvisedPolicy,
    Network,
    NetworkPolicy,
    ValueNetwork,
    input_size,
    network_policy,
)

FORMAT = "carnival_envs policy"
FORMAT_VERSION = 1
"""Rises when an older reader would misread a file; what it may leave alone, as a value network, does not raise it."""

HEADER, PARAMETERS, VALUE_PARAMETERS = "header", "parameters", "value_parameters"
"""The arrays of a policy file."""

MAX_BYTES = 256 << 20
"""No array of a policy file may be larger: a damaged or hostile file must not fill the memory."""

PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How arrays may be packed: the methods of NumPy, which are unpacked no further than is asked for."""


@dataclass(frozen=True, kw_only=True)
class PolicyFile:
    """The content of a policy file.

    Attributes:
        game: the id of the game that the network plays.
        options: the options that it was trained with.
        history: how many of the last decisions it knows.
        layout: ``layout_hash`` of that game.
        network: the network.
        advice: weight of the baseline bot's choice, see ``AdvisedPolicy``; 0 for a network that takes no advice.
        value: the value network, which sees what the network sees; ``None`` if there is none.
        training: how it was trained, JSON-ready; free to the trainer.
        package_version: of the package that wrote it.
    """

    game: str
    options: Mapping[str, Any]
    layout: str
    network: Network
    history: int = 0
    advice: float = 0.0
    value: ValueNetwork | None = None
    training: Mapping[str, Any] = field(default_factory=dict)
    package_version: str

    @classmethod
    def of(
        cls,
        game: Game,
        network: Network,
        training: Mapping[str, Any] | None = None,
        *,
        advice: float = 0.0,
        value: ValueNetwork | None = None,
    ) -> PolicyFile:
        """The policy file of a network that was trained for a game.

        Raises:
            ValueError: the widths of a network are not those of the game's observation and actions.
        """
        from carnival_envs import __version__

        policy_file = cls(
            game=game.name,
            options=dict(game.options),
            history=game.history,
            layout=layout_hash(game, game.history),
            network=network,
            advice=advice,
            value=value,
            training=dict(training or {}),
            package_version=__version__,
        )
        policy_file.check(game)
        return policy_file

    def check(self, game: Game) -> None:
        """Raise a ``ValueError`` if the network can't play a game.

        Options that leave its layout alone may differ, and the history may be longer than its own.
        """
        if self.game != game.name:
            raise ValueError(f"the policy is for {self.game}, not for {game.name}")
        if self.history > game.history:
            needed = f"it was trained with history={self.history}, which has to be that or more, not {game.history}"
            raise ValueError(f"the policy does not fit this {game.name}: {needed}")
        if self.layout != layout_hash(game, self.history):
            raise ValueError(f"the policy does not fit this {game.name}: {self._what_differs(game)}")
        inputs, outputs = self.network.sizes[0], self.network.sizes[-1]
        seen = input_size(game, advised=self.advice != 0) - self._unread(game)
        if (inputs, outputs) != (seen, game.num_actions):
            needed = f"{game.name} needs {seen} and {game.num_actions}"
            raise ValueError(f"the policy's network has {inputs} inputs and {outputs} outputs; {needed}")
        if self.value is not None and self.value.network.sizes[0] != seen:
            raise ValueError(f"the policy's value network has {self.value.network.sizes[0]} inputs, not {seen}")

    def policy(self, game: Game | None = None, *, sample: bool = False) -> NetworkPolicy | AdvisedPolicy:
        """The policy itself.

        Args:
            game: what it is to play, a game that it was checked with; by default one with its own history.
            sample: whether it draws from its distribution, in place of its most likely action.
        """
        unread = 0 if game is None else self._unread(game)
        return network_policy(self.network, self.advice, sample=sample, unread=unread)

    def _unread(self, game: Game) -> int:
        """How many numbers at the end of an observation of a game tell of decisions further back than it knows."""
        return game.observation_size - size_of(game.blocks(self.history))

    def _what_differs(self, game: Game) -> str:
        changed = differences(dict(self.options), game.options)
        trained = "; ".join(f"{path}={given!r}, not {own!r}" for path, given, own in changed)
        if trained:
            return f"it was trained with {trained}"
        return f"carnival_envs {self.package_version}, which wrote it, laid out observations or actions differently"


def layout_hash(game: Game, history: int) -> str:
    """A short hash of the meaning of every input and output of a network: observation blocks and actions, in order.

    Args:
        game: the game.
        history: how many of the last decisions the observation shows.
    """
    blocks = [(block.name, block.shape, block.low, block.high) for block in game.blocks(history)]
    hidden_forms = [list(game.definition.hidden_forms)] if history else []
    layout = json.dumps([game.name, blocks, list(game.definition.actions), *hidden_forms])
    return hashlib.sha256(layout.encode()).hexdigest()[:16]


def write_policy_file(path: str | Path, policy_file: PolicyFile) -> None:
    """Write a policy file; an earlier one is replaced only when the new one is whole.

    Raises:
        TypeError: the training description is not JSON-ready.
    """
    value = policy_file.value
    header = json.dumps(
        {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "game": policy_file.game,
            "options": policy_file.options,
            "history": policy_file.history,
            "layout": policy_file.layout,
            "network": _shape(policy_file.network),
            "advice": policy_file.advice,
            "value": None if value is None else {**_shape(value.network), "reward": value.reward},
            "training": policy_file.training,
            "package_version": policy_file.package_version,
        }
    )
    arrays: dict[str, Any] = {
        HEADER: np.frombuffer(header.encode(), dtype=np.uint8),
        PARAMETERS: policy_file.network.parameters,
    }
    if value is not None:
        arrays[VALUE_PARAMETERS] = value.network.parameters
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, **arrays)


def read_policy_file(path: str | Path) -> PolicyFile:
    """Read a policy file.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is no policy file, is damaged, or comes from a later version; names the file.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"policy file {path}: no such file")
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(read_array(archive, HEADER, np.uint8).tobytes())
            parameters = read_array(archive, PARAMETERS, np.float32)
            has_value = isinstance(header, dict) and header.get("value") is not None
            value_parameters = read_array(archive, VALUE_PARAMETERS, np.float32) if has_value else None
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, RuntimeError) as error:
        _refuse_file(path, f"not a policy file, or cut short ({error})")
    except (KeyError, ValueError, OSError) as error:
        _refuse_file(path, f"not a policy file, or damaged ({error})")
    return _decode(path, header, parameters, value_parameters)


def load_policy(argument: str, game: Game, trust: bool = False) -> NetworkPolicy | AdvisedPolicy:
    """The policy that the spec ``policy:PATH`` or ``policy:PATH?sample=1`` names.

    Args:
        argument: what follows the colon: the path of a policy file, or of an SB3 ``.zip``.
        game: what it is to play.
        trust: whether a ``.zip``, which can run code, may be loaded.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file can't be read, is not trusted, or holds a policy of another game.
    """
    name, _, query = argument.partition("?")
    settings = dict(parse_qsl(query, keep_blank_values=True))
    if settings.keys() - {"sample"} or settings.get("sample", "0") not in ("0", "1"):
        raise ValueError(f"policy:{argument}: only ?sample=0 or ?sample=1 may follow the path, not ?{query}")
    return load_policy_file(name, game, trust).policy(game, sample=settings.get("sample") == "1")


def load_policy_file(name: str, game: Game, trust: bool = False) -> PolicyFile:
    """A policy file that fits a game.

    Args:
        name: the path of a policy file, or of an SB3 ``.zip``.
        game: what it is to play.
        trust: whether a ``.zip``, which can run code, may be loaded.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file can't be read, is not trusted, or holds a policy of another game.
    """
    path = Path(name).expanduser()
    policy_file = _from_sb3_zip(path, game, trust) if path.suffix == ".zip" else read_policy_file(path)
    try:
        policy_file.check(game)
    except ValueError as error:
        _refuse_file(path, str(error))
    return policy_file


def _from_sb3_zip(path: Path, game: Game, trust: bool) -> PolicyFile:
    from carnival_envs.policies.export import load_sb3_policy, sb3_network

    return PolicyFile.of(game, sb3_network(load_sb3_policy(path, trust=trust)))


def read_array(archive: zipfile.ZipFile, name: str, dtype: type[np.generic]) -> npt.NDArray[Any]:
    """One array of a ``.npz``, of one dimension and of the given type.

    ``np.load`` would allocate whatever size the file claims; here only what is there is read.

    Raises:
        KeyError: there is no such array.
        ValueError: it is too large, cut short, packed by another method, or of another type or shape.
    """
    entry = archive.getinfo(f"{name}.npy")
    if entry.compress_type not in PACKINGS:
        raise ValueError(f"array {name} is packed by the method {entry.compress_type}, not one of {PACKINGS}")
    if entry.file_size > MAX_BYTES:
        raise ValueError(f"array {name} has {entry.file_size} bytes, more than the {MAX_BYTES} allowed")
    with archive.open(entry) as packed:
        stream = BytesIO(packed.read(entry.file_size))  # without a number all is unpacked, whatever size was claimed
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"array {name} has format version {version}, not (1, 0)")
    shape, _, found = np.lib.format.read_array_header_1_0(stream)
    content = stream.read()
    if found != np.dtype(dtype) or shape != (len(content) // found.itemsize,):
        raise ValueError(f"array {name} is {found} of shape {shape} in {len(content)} bytes")
    return np.frombuffer(content, dtype=dtype)


def _shape(network: Network) -> dict[str, Any]:
    """What a header tells of a network."""
    return {"sizes": network.sizes, "activation": network.activation}


def _network(shape: Mapping[str, Any], parameters: Floats) -> Network:
    """The network that a header tells of."""
    return Network(tuple(shape["sizes"]), shape["activation"], parameters)


def _value(shape: Any, parameters: Floats | None) -> ValueNetwork | None:
    """The value network that a header tells of, if there is one."""
    return None if parameters is None else ValueNetwork(_network(shape, parameters), shape["reward"])


def _decode(path: Path, header: Any, parameters: Floats, value_parameters: Floats | None) -> PolicyFile:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        _refuse_file(path, "not a policy file")
    if header.get("version") != FORMAT_VERSION:
        _refuse_file(path, f"format version {header.get('version')!r}; this package reads version {FORMAT_VERSION}")
    try:
        return PolicyFile(
            game=str(header["game"]),
            options=dict(header["options"]),
            layout=str(header["layout"]),
            network=_network(header["network"], parameters),
            history=checked_history(header.get("history", 0)),
            advice=finite(header.get("advice", 0.0)),
            value=_value(header.get("value"), value_parameters),
            training=dict(header["training"]),
            package_version=str(header["package_version"]),
        )
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        _refuse_file(path, f"damaged header: {error}")


def finite(value: Any) -> float:
    """A number as it is.

    Raises:
        ValueError: infinite, or no number.
    """
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not a finite number")
    return number


def _refuse_file(path: Path, why: str) -> NoReturn:
    raise ValueError(f"policy file {path}: {why}") from None
