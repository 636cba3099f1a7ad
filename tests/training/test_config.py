"""Configurations: what is read, and what every mistake is told."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import yaml

from training.config import STRICT, ConfigError, TrainConfig, config_of, dump_config, read_config
from training.yaml_file import YamlError, parse_yaml

CONFIGS = sorted((Path(__file__).parents[2] / "configs" / "train").glob("*.yaml"))
GAME = "game: carnavalesco\n"


def read(tmp_path: Path, text: str, *overrides: str) -> TrainConfig:
    path = tmp_path / "run.yaml"
    path.write_text(text)
    return read_config(path, overrides)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_the_configurations_that_ship_are_valid(path: Path) -> None:
    assert read_config(path).game


def test_a_file_sets_fields_and_overrides_win(tmp_path: Path) -> None:
    text = GAME + "seed: 3\nppo:\n  epochs: 2\n  learning_rate: 3e-4\n"
    config = read(tmp_path, text, "ppo.epochs=5", "options.num_players=4", "network.hidden_layers=[32]", "reward=win")
    assert (config.seed, config.ppo.epochs, config.ppo.learning_rate) == (3, 5, 0.0003)
    assert config.load_game().num_players == 4
    assert config.network.hidden_layers == (32,)
    assert config.reward == "win"


def test_the_dump_holds_every_field_and_reads_back_as_the_same(tmp_path: Path) -> None:
    config = read(tmp_path, GAME + "ppo: {gamma: 0.5}\noptions: {num_players: 3}\n")
    dumped = yaml.safe_load(dump_config(config))
    assert dumped["ppo"].keys() == {field.name for field in dataclasses.fields(config.ppo)}
    assert dumped.keys() == {field.name for field in dataclasses.fields(config)}
    assert config_of(parse_yaml(dump_config(config), "dump")) == config


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "the file is empty"),
        ("- 1\n", None, "allowed: fields and their values"),
        ("seed: 1\n", None, "game: Field required"),
        ("game: carnavalesc\n", 1, "game: unknown game 'carnavalesc'.*did you mean 'carnavalesco'"),
        (GAME + "sed: 1\n", 2, "sed: unknown key.*did you mean 'seed'"),
        (GAME + "ppo:\n  epochs: 2\n  lerning_rate: 1.0\n", 4, r"ppo\.lerning_rate: unknown key.*'learning_rate'"),
        (GAME + "ppo: {epochs: two}\n", 2, r"ppo\.epochs: 'two': .*valid integer"),
        (GAME + "ppo: {epochs: true}\n", 2, r"ppo\.epochs: True: .*valid integer"),
        (GAME + "ppo: {epochs: 1.5}\n", 2, r"ppo\.epochs: 1\.5: .*valid integer"),
        (GAME + "ppo: {gamma: 1.5}\n", 2, r"ppo\.gamma: 1\.5: .*less than or equal to 1"),
        (GAME + "ppo: {gamma: .nan}\n", 2, r"ppo\.gamma: .*finite"),
        (GAME + "ppo:\n", 2, "ppo: None: .*object"),
        (GAME + "total_steps: 0\n", 2, "total_steps: 0: .*greater than or equal to 1"),
        (GAME + "network: {hidden_layers: [8, 0]}\n", 2, r"network\.hidden_layers\.1: 0: .*greater than or equal to 1"),
        (GAME + "network: {activation: gelu}\n", 2, r"network\.activation: 'gelu': .*'tanh' or 'relu'"),
        (
            GAME + "options: {num_players: 1}\nnetwork: {start: zoo}\n",
            3,
            r"network\.start: zoo: no policy ships for carnavalesco-1",
        ),
        (GAME + "network: {start: greedy}\n", 2, r"network\.start: .*'greedy'.*zoo or policy:PATH"),
        (
            "game: carnival\nnetwork: {start: zoo, hidden_layers: [64]}\n",
            2,
            r"network\.hidden_layers: \(64,\): zoo has \(128, 128\); leave it away",
        ),
        (
            "game: carnival\noptions: {num_players: 2, history: 1}\nnetwork: {start: zoo}\n",
            3,
            r"network\.start: zoo: it knows history=0, not 1",
        ),
        (GAME + "reward: wins\n", 2, "reward: 'wins': .*'win', 'rank' or 'score'"),
        (GAME + "options: {num_player: 2}\n", 2, "options: .*no option 'num_player'.*'num_players'"),
        (GAME + "options: {num_players: 9}\n", 2, r"options: num_players: 9 .*1\.\.4"),
        (
            GAME + "opponents: {shares: {curent: 1}}\n",
            2,
            r"opponents\.shares\.curent: .*'curent'.*did you mean 'current'",
        ),
        (GAME + "opponents: {shares: {random: -1}}\n", 2, r"opponents\.shares\.random: -1.*greater than or equal to 0"),
        (GAME + "opponents: {shares: {random: 0}}\n", 2, r"opponents\.shares: .*more than 0"),
        (GAME + "opponents: {snapshot_every: 10}\n", 2, r"opponents\.snapshot_every: 10: must be at least 50000"),
        (GAME + "evaluation: {opponents: [gredy]}\n", 2, r"evaluation\.opponents\.0: .*did you mean 'greedy'"),
        (GAME + "evaluation: {opponents: ['policy:no.npz']}\n", 2, r"evaluation\.opponents\.0: .*no such file"),
        (GAME + "evaluation: {games: 5}\n", 2, r"evaluation\.games: .*5 is not allowed; allowed: .*at least 6"),
        (GAME + "ppo: {batch_size: 20000}\n", 2, r"ppo\.batch_size: 20000: .*4608 decisions"),
        (GAME + GAME, 2, "'game' is given twice"),
        (GAME + "ppo: &x {}\nnetwork: *x\n", 3, "aliases are not supported"),
        (GAME + "1: 2\n", 2, "a key must be a word"),
        (GAME + "ppo: [\n", 3, "not readable as YAML"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_place(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    place = f"{tmp_path / 'run.yaml'}:" if line is None else f"{tmp_path / 'run.yaml'}:{line}: "
    assert str(error.value).startswith(place)
    assert re.search(message, str(error.value))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("ppo.epochs", "not of the form key=value"),
        ("=1", "not of the form key=value"),
        ("game.name=1", "game has no fields"),
        ("ppo.epoch=1", r"ppo\.epoch: unknown key.*did you mean 'epochs'"),
        ("ppo.epochs=0", r"ppo\.epochs: 0: .*greater than or equal to 1"),
        ("ppo.epochs=[1", "not readable as YAML"),
        ("options.num_players=7", r"options: num_players: 7 .*1\.\.4"),
    ],
)
def test_a_mistake_in_an_override_names_the_override(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        read(tmp_path, GAME, override)
    assert str(error.value).startswith(f"--set {override}")
    assert re.search(message, str(error.value))


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: no such file"):
        read_config(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"bytes\.yaml: not UTF-8 text"):
        read_config(tmp_path / "bytes.yaml")


@pytest.mark.parametrize(
    ("text", "value"),
    [("3e-4", 3e-4), ("1E6", 1e6), ("2.5e+3", 2500.0), ("1_000", 1000), ("e4", "e4"), ("a1e4", "a1e4")],
)
def test_numbers_with_exponents_are_numbers(text: str, value: object) -> None:
    content = parse_yaml(text, "text").content
    assert content == value
    assert type(content) is type(value)


def test_yaml_errors_name_their_line() -> None:
    with pytest.raises(YamlError, match=r"^text:2: "):
        parse_yaml("a: 1\nb: ]", "text")


def test_a_network_that_begins_as_another_has_its_shape(tmp_path: Path) -> None:
    config = read(tmp_path, "game: carnival\noptions: {num_players: 2}\nnetwork: {start: zoo}\n")
    assert (config.network.hidden_layers, config.network.activation, config.network.advice) == ((128, 128), "tanh", 4.0)
    (tmp_path / "again.yaml").write_text(dump_config(config))
    assert read_config(tmp_path / "again.yaml") == config


def test_every_field_is_documented() -> None:
    """Pydantic takes the string under a field as its description."""
    pending, seen = [TrainConfig], []
    while pending:
        kind = pending.pop()
        seen.append(kind.__name__)
        for name, field in kind.__pydantic_fields__.items():
            assert (field.description or "").rstrip().endswith("."), f"{kind.__name__}.{name}"
            if isinstance(field.annotation, type) and dataclasses.is_dataclass(field.annotation):
                pending.append(field.annotation)
    assert len(seen) == 5
    assert STRICT["extra"] == "forbid"
