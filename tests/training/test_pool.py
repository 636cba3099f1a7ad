"""The pool: frozen snapshots, bounded memory, shares."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.network import Network, NetworkPolicy, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from carnival_envs.policies.random import RandomPolicy
from training.config import OpponentsConfig
from training.pool import OpponentPool
from training.run_directory import RunError
from training.stopwatch import OPPONENTS, Stopwatch

GAME = load_game("carnavalesco", num_players=3)
SIZES = (GAME.observation_size, 4, GAME.num_actions)
RNG = np.random.default_rng(5)
OBSERVATIONS = RNG.random((6, GAME.observation_size), dtype=np.float32)
MASKS = np.ones((6, GAME.num_actions), dtype=np.int8)


def network(seed: int) -> Network:
    parameters = np.random.default_rng(seed).standard_normal(num_parameters(SIZES))
    return Network(SIZES, "tanh", parameters.astype(np.float32))


def pool(folder: Path, active_snapshots: int = 4, **shares: float) -> OpponentPool:
    config = OpponentsConfig(shares=shares or {"current": 1.0, "past": 1.0}, active_snapshots=active_snapshots)
    return OpponentPool(config, GAME, folder, Stopwatch())


def with_snapshots(folder: Path, count: int, active_snapshots: int = 4, **shares: float) -> OpponentPool:
    made = pool(folder, active_snapshots, **shares)
    for seed in range(count):
        made.add_snapshot(PolicyFile.of(GAME, network(seed)), steps=100 * (seed + 1))
    return made


def drawn(made: OpponentPool, games: int = 4000) -> Counter[int]:
    """How often each policy of the sampler is seated."""
    rng = np.random.default_rng(0)
    return Counter(seat for _ in range(games) for seat in made.sampler.sample(rng))


def test_a_snapshot_is_a_copy_in_a_file(tmp_path: Path) -> None:
    """What happens to the learner later does not reach it, nor does it lean on the arrays that it was made from."""
    learner = network(0)
    made = pool(tmp_path)
    made.add_snapshot(PolicyFile.of(GAME, learner), steps=7)
    before = made.policy(made.snapshots[0].file).network.logits(OBSERVATIONS)
    np.testing.assert_array_equal(before, learner.logits(OBSERVATIONS))
    learner.parameters[:] = 0
    made.begin_rollout(NetworkPolicy(network(1), sample=True), np.random.default_rng(0))
    made.add_snapshot(PolicyFile.of(GAME, network(1)), steps=8)
    fresh = pool(tmp_path)
    fresh.restore(made.snapshots, made.losses)
    for one in (made, fresh):
        np.testing.assert_array_equal(one.policy(one.snapshots[0].file).network.logits(OBSERVATIONS), before)


def test_current_plays_the_learner_as_it_was_when_the_rollout_began(tmp_path: Path) -> None:
    made = pool(tmp_path)
    for seed in (3, 4):
        made.begin_rollout(NetworkPolicy(network(seed), sample=True), np.random.default_rng(0))
        wanted = NetworkPolicy(network(seed), sample=True).act(OBSERVATIONS, MASKS, np.random.default_rng(9))
        chosen = made.sampler.policies[0].act(OBSERVATIONS, MASKS, np.random.default_rng(9))  # type: ignore[union-attr]
        np.testing.assert_array_equal(chosen, wanted)


def test_opponents_are_drawn_by_their_shares_for_every_seat(tmp_path: Path) -> None:
    made = with_snapshots(tmp_path, 2, current=4, past=2, random=1, greedy=3)
    made.begin_rollout(NetworkPolicy(network(9), sample=True), np.random.default_rng(0))
    kinds = [type(policy) for policy in made.sampler.policies]
    assert kinds[1:3] == [RandomPolicy, GreedyPolicy], "compiled policies are not wrapped"
    counts = drawn(made)
    assert counts.total() == 2 * 4000
    for index, share in enumerate((0.4, 0.1, 0.3, 0.1, 0.1)):
        assert counts[index] / counts.total() == pytest.approx(share, abs=0.02)


def test_past_is_the_current_learner_until_there_is_a_snapshot(tmp_path: Path) -> None:
    made = pool(tmp_path, past=1.0)
    made.begin_rollout(NetworkPolicy(network(0), sample=True), np.random.default_rng(0))
    assert set(drawn(made)) == {0}
    made.add_snapshot(PolicyFile.of(GAME, network(0)), steps=1)
    made.begin_rollout(NetworkPolicy(network(0), sample=True), np.random.default_rng(0))
    assert set(drawn(made)) == {1}


def test_no_more_snapshots_are_active_or_in_memory_than_allowed(tmp_path: Path) -> None:
    made = with_snapshots(tmp_path, 12, active_snapshots=2, past=1.0)
    seen = set()
    for rollout in range(40):
        made.begin_rollout(NetworkPolicy(network(0), sample=True), np.random.default_rng(rollout))
        active = set(drawn(made, games=100))
        assert len(active) == 2
        seen |= active
        for index in active:
            made.sampler.policies[index].act(OBSERVATIONS, MASKS, RNG)  # type: ignore[union-attr]
        assert made._load.cache_info().currsize <= 4
    assert seen == set(range(1, 13)), "every snapshot has its turn"


def test_a_snapshot_that_was_forgotten_is_loaded_again(tmp_path: Path) -> None:
    made = with_snapshots(tmp_path, 5, active_snapshots=1)
    for _ in range(2):
        for seed, snapshot in enumerate(made.snapshots):
            logits = made.policy(snapshot.file).network.logits(OBSERVATIONS)
            np.testing.assert_array_equal(logits, network(seed).logits(OBSERVATIONS))


def test_restore_refuses_files_that_are_missing_or_changed(tmp_path: Path) -> None:
    made = with_snapshots(tmp_path, 2)
    second = tmp_path / made.snapshots[1].file
    write_policy_file(second, PolicyFile.of(GAME, network(8)))
    with pytest.raises(RunError, match=f"{second.name}.*missing or has changed"):
        pool(tmp_path).restore(made.snapshots, made.losses)
    second.unlink()
    with pytest.raises(RunError, match=f"{second.name}.*missing or has changed"):
        pool(tmp_path).restore(made.snapshots, made.losses)


def test_the_time_of_opponents_that_python_asks_is_measured(tmp_path: Path) -> None:
    made = pool(tmp_path)
    made.begin_rollout(NetworkPolicy(network(0), sample=True), np.random.default_rng(0))
    assert made._stopwatch.seconds[OPPONENTS] == 0
    made.sampler.policies[0].act(OBSERVATIONS, MASKS, RNG)  # type: ignore[union-attr]
    assert made._stopwatch.seconds[OPPONENTS] > 0


def test_a_player_alone_has_no_opponents(tmp_path: Path) -> None:
    solo = load_game("carnavalesco", num_players=1)
    made = OpponentPool(OpponentsConfig(), solo, tmp_path, Stopwatch())
    assert made.sampler.sample(RNG) == ()


def test_with_priorities_the_snapshots_that_win_are_met_more_often(tmp_path: Path) -> None:
    """Losing every game to the second of three snapshots and none to the others brings it up most often."""
    config = OpponentsConfig(shares={"past": 1.0}, active_snapshots=1, prioritised=True)
    made = OpponentPool(config, GAME, tmp_path, Stopwatch())
    for seed in range(3):
        made.add_snapshot(PolicyFile.of(GAME, network(seed)), steps=100 * (seed + 1))
    lost, won = {"seat": 0, "winners": [1]}, {"seat": 0, "winners": [0]}
    for _ in range(400):
        made.record([{**lost, "opponents": [2, 2]}, {**won, "opponents": [1, 3]}])
    assert made.losses == pytest.approx([0, 1, 0], abs=0.05)
    active: Counter[int] = Counter()
    for rollout in range(300):
        made.begin_rollout(NetworkPolicy(network(0), sample=True), np.random.default_rng(rollout))
        active.update(set(drawn(made, games=1)))
    assert active[2] / active.total() == pytest.approx(1.05 / 1.15, abs=0.06)
    assert active[1] > 0, "those that it beats are still met"
