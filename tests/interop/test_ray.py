"""Training and tournaments on a local Ray: what they give, and that a killed worker takes nothing away."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("ray")
pytest.importorskip("ray.rllib")

import torch
from ray.rllib.core.columns import Columns
from rich.console import Console

from carnival_envs import cli, load_game
from carnival_envs.core.errors import IllegalActionError
from carnival_envs.envs import spaces
from carnival_envs.evaluation import evaluate
from carnival_envs.evaluation.cluster import connected, play_on_cluster
from carnival_envs.policies.policy_file import read_policy_file
from carnival_envs.policies.random import RandomPolicy
from training.config import config_of
from training.rllib.config import RayTrainConfig
from training.rllib.module import POLICY, VALUE, MaskedActorCritic, network_of
from training.rllib.table import OPPONENTS, RUN, Table, module_of, opponents_of, seat_of
from training.rllib.trainer import RayTrainer, schedule
from training.run_directory import RunDirectory, RunError
from training.train import resume, train
from training.train_ray import ON_RAY
from training.yaml_file import parse_yaml

pytestmark = pytest.mark.filterwarnings("default")  # what Ray warns of is Ray's

TINY = """
game: carnavalesco
options: {num_players: 2}
total_steps: 1024
checkpoint_every: 512
network: {hidden_layers: [8]}
ppo: {num_games: 8, rollout_steps: 32, batch_size: 128, epochs: 1}
opponents: {shares: {current: 0.4, past: 0.2, random: 0.2, greedy: 0.2}, snapshot_every: 256, active_snapshots: 2}
evaluation: {every: 512, games: 12, opponents: [random]}
cluster: {env_runners: 2}
"""
ROUNDS = 4
"""256 decisions each."""


def tiny(*overrides: str) -> RayTrainConfig:
    return config_of(parse_yaml(TINY, "tiny"), overrides, RayTrainConfig)


quiet = partial(Console, quiet=True)


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    """One Ray for all tests: a run uses the one that is there."""
    with connected(None, cpus=2):
        yield


# The environment and the module -----------------------------------------------------------------------------------


def table_of(run: RayTrainConfig) -> Table:
    return Table({RUN: run, OPPONENTS: opponents_of(run)})


def play(table: Table, seed: int) -> tuple[set[str], dict[str, float]]:
    """Play a game at random: who was asked, and what everybody was paid."""
    rng, asked = np.random.default_rng(seed), set()
    observations, _ = table.reset(seed=seed)
    while True:
        ((agent, seen),) = observations.items()
        assert table.observation_spaces[agent].contains(seen)
        asked.add(agent)
        action = rng.choice(np.flatnonzero(seen["action_mask"]))
        observations, rewards, ended, truncated, _ = table.step({agent: action})
        if ended["__all__"] or truncated["__all__"]:
            return asked, rewards
        assert not any(rewards.values())


def test_all_who_decided_are_paid_and_returns_sum_to_zero() -> None:
    table = table_of(tiny("opponents.shares={current: 1}", "options.num_players=3"))
    for seed in range(5):
        asked, rewards = play(table, seed)
        assert asked == rewards.keys() == {"current:0", "current:1", "current:2"}
        assert sum(rewards.values()) == pytest.approx(0)


def test_the_learner_takes_every_seat_and_others_take_theirs_by_the_shares() -> None:
    table = table_of(tiny("opponents.shares={greedy: 1, past: 1}"))
    seats, modules, games = Counter(), Counter(), 60
    for seed in range(games):
        table.reset(seed=seed)
        seats.update(seat_of(agent) for agent in table.agents if module_of(agent) == "current")
        modules.update(module_of(agent) for agent in table.agents)
    assert modules.keys() == {"current", "past_0", "past_1"}
    assert modules["current"] == games
    assert 0.3 * games < modules["past_0"] + modules["past_1"] < 0.7 * games
    assert 0.3 * games < seats[0] < 0.7 * games


def test_equal_seeds_give_equal_games() -> None:
    tables = [table_of(tiny()) for _ in range(2)]
    assert [play(tables[0], seed) for seed in range(3)] == [play(tables[1], seed) for seed in range(3)]


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_the_module_masks_and_becomes_a_network(activation: str) -> None:
    game = load_game("carnavalesco", num_players=2)
    module = MaskedActorCritic(
        observation_space=spaces.masked_observations(game),
        action_space=spaces.actions(game),
        model_config={"hidden_layers": [16, 8], "activation": activation},
    )
    rng = np.random.default_rng(0)
    observations = rng.random((5, game.observation_size), dtype=np.float32)
    masks = rng.integers(0, 2, (5, game.num_actions), dtype=np.int8)
    batch = {"observation": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}
    logits = module.forward_inference({Columns.OBS: batch})[Columns.ACTION_DIST_INPUTS].numpy()
    assert (logits[masks == 0] < -1e6).all()
    exported = network_of(module.get_state(), POLICY, activation)
    np.testing.assert_allclose(exported.logits(observations)[masks == 1], logits[masks == 1], atol=1e-4)
    values = module.compute_values({Columns.OBS: batch}).detach().numpy()
    exported = network_of(module.get_state(), VALUE, activation)
    np.testing.assert_allclose(exported.logits(observations)[:, 0], values, atol=1e-4)


def test_a_resumed_schedule_is_the_rest_of_the_line() -> None:
    assert schedule(1.0, 0.0, 0.25, 75) == [[0, 0.75], [75, 0.0]]


# Runs -------------------------------------------------------------------------------------------------------------


def process_ids(trainer: RayTrainer) -> list[int]:
    ids: list[int] = trainer.ppo.env_runner_group.foreach_env_runner(lambda _: os.getpid(), local_env_runner=False)
    return ids


def test_a_run_survives_a_killed_worker_and_its_policy_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is killed after the first update; the run goes on until another is there in its place."""
    first: list[int] = []
    update = RayTrainer._update

    def kill_one(self: RayTrainer) -> Mapping[str, float]:
        numbers, now = update(self), process_ids(self)
        if not first:
            first.extend(now)
            os.kill(first[0], signal.SIGKILL)
        elif len(now) == len(first) and first[0] not in now:
            os.kill(os.getpid(), signal.SIGINT)  # stops the run in good order
        return numbers

    monkeypatch.setattr(RayTrainer, "_update", kill_one)
    folder, enough = tmp_path / "run", 50_000
    run = train(tiny(f"total_steps={enough}"), folder, quiet(), ON_RAY)
    assert 512 < run.steps < enough, "the killed one was replaced"
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert lines[-1]["steps"] == run.steps
    assert any("evaluation/wins/random" in line for line in lines)
    assert list((folder / "tensorboard").iterdir())
    policy = read_policy_file(folder / "best.npz")
    assert policy.training["algorithm"] == "RLlib PPO"
    evaluation = evaluate(load_game("carnavalesco", num_players=2), f"policy:{folder / 'best.npz'},random", 12)
    assert evaluation.games == 12


def test_a_run_that_broke_off_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update, updates = RayTrainer._update, []

    def break_off(self: RayTrainer) -> Mapping[str, float]:
        updates.append(self.steps)
        if len(updates) == ROUNDS:
            raise MemoryError
        return update(self)

    monkeypatch.setattr(RayTrainer, "_update", break_off)
    folder = tmp_path / "run"
    with pytest.raises(MemoryError):
        train(tiny(), folder, quiet(), ON_RAY)
    monkeypatch.undo()
    kept = read_policy_file(folder / "last.npz")
    trainer = RayTrainer(tiny(), RunDirectory(folder))
    np.testing.assert_array_equal(trainer._network().parameters, kept.network.parameters)
    assert trainer.steps == kept.training["steps"] >= 512
    trainer.close()
    assert resume(folder, quiet(), command=ON_RAY).finished
    assert read_policy_file(folder / "last.npz").training["steps"] >= 1024


def test_snapshots_are_frozen_and_reach_all_who_play(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    trainer = RayTrainer(tiny(), run)
    trainer._take_snapshot()
    taken = trainer._network().parameters
    trainer._update()
    assert not np.array_equal(trainer._network().parameters, taken), "the learner has learnt"

    def snapshot(runner: object) -> npt.NDArray[np.float32]:
        return network_of(runner.module["past_0"].get_state(), POLICY, "tanh").parameters  # type: ignore[attr-defined]

    played = trainer.ppo.env_runner_group.foreach_env_runner(snapshot, local_env_runner=False)
    trainer.close()
    assert len(played) == 2
    for parameters in played:
        np.testing.assert_array_equal(parameters, taken)


def test_a_run_in_which_nobody_plays_is_given_up() -> None:
    trainer = object.__new__(RayTrainer)
    trainer.ppo = SimpleNamespace(train=dict)  # type: ignore[assignment] # rounds without anything learnt
    with pytest.raises(RunError, match="no env runner has played anything in 10 attempts"):
        trainer._update()


# Tournaments ------------------------------------------------------------------------------------------------------


class DiesOnce(RandomPolicy):
    """Random play in Python; the first process that is asked for it, other than that of the tests, kills itself."""

    compiled_pilot = None

    def __init__(self, marker: Path) -> None:
        self.marker = marker
        self.tests = os.getpid()

    def act_on_views(self, views: object, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        masks = views.masks  # type: ignore[attr-defined]
        if os.getpid() != self.tests and not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.where(masks != 0, rng.random(masks.shape), -1.0).argmax(axis=1)

    def __repr__(self) -> str:
        return "DiesOnce()"


class Cheats:
    """Plays what is not legal."""

    def act(self, observations: object, masks: npt.NDArray[np.int8], rng: object) -> npt.NDArray[np.int64]:  # noqa: ARG002
        return masks.argmin(axis=1)


def test_a_tournament_loses_nothing_when_a_worker_dies_and_gives_the_same(tmp_path: Path) -> None:
    game = load_game("carnavalesco", num_players=2)
    policies = [DiesOnce(tmp_path / "died"), "greedy", "random"]
    told: list[tuple[int, int]] = []
    spread = evaluate(game, policies, 140, seed=3, play=play_on_cluster, on_progress=lambda *now: told.append(now))
    assert (tmp_path / "died").exists()
    assert told[-1] == (420, 420)
    assert spread == evaluate(game, policies, 140, seed=3)


def test_an_illegal_action_on_a_worker_is_an_illegal_action() -> None:
    with pytest.raises(IllegalActionError, match="Cheats"):
        evaluate(load_game("carnavalesco"), [Cheats(), "random"], 6, play=play_on_cluster)


def test_the_command_line_gives_the_same_numbers(tmp_path: Path) -> None:
    for name, ray_options in (("here", []), ("there", ["--ray", "local"])):
        command = ["evaluate", "--game", "carnavalesco", "--policies", "greedy,random", "--games", "12"]
        with pytest.raises(SystemExit) as exit_:
            cli.main([*command, *ray_options, "--out", str(tmp_path / name)])
        assert not exit_.value.code
    for file in ("evaluation.json", "evaluation.csv"):
        assert (tmp_path / "here" / file).read_bytes() == (tmp_path / "there" / file).read_bytes()
