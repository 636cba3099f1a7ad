"""``SeatBatch``: who sits where, what a step reports, and how games begin and end."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.game import Game
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.policies.specs import OpponentSampler, parse_opponents
from carnival_envs.registry import load_game
from tests.envs.common import (
    EVERY_GAME,
    EVERY_OPTION_SET,
    REWARDS,
    Cheat,
    Dice,
    Last,
    Witness,
    all_equal,
    equal,
    last_legal,
    random_row_actions,
)


def begun(game: Game, num_games: int = 4, opponents: Any = "random", **arguments: Any) -> SeatBatch:
    seats = SeatBatch(game, num_games, opponents, seed=11, **arguments)
    seats.reset()
    return seats


def snapshot(seats: SeatBatch) -> list[Any]:
    """All that a step reports."""
    arrays = (seats.observations, seats.action_masks, seats.seats, seats.rewards, seats.terminated, seats.truncated)
    over = seats.terminated | seats.truncated
    return [*(array.copy() for array in arrays), seats.final_observations[over], list(seats.final_infos)]


def run(seats: SeatBatch, steps: int, seed: int = 0) -> list[Any]:
    """What is reported in some steps of random play."""
    rng = np.random.default_rng(seed)
    reports = []
    for _ in range(steps):
        seats.step(random_row_actions(seats.action_masks, rng))
        reports.append(snapshot(seats))
    return reports


def illegal_actions(seats: SeatBatch, rows: list[int]) -> npt.NDArray[np.int64]:
    """Illegal actions in some games, legal ones in the others."""
    actions = seats.action_masks.argmax(axis=1)
    actions[rows] = seats.action_masks[rows].argmin(axis=1)
    return actions


# What the learner sees ----------------------------------------------------------------------------------------------


@EVERY_OPTION_SET
@pytest.mark.parametrize("seat", ["random", 0])
def test_learner_sees_his_view_of_his_decisions(name: str, options: dict[str, Any], seat: Any) -> None:
    """At every decision it is the learner's turn, and all that he gets is his own."""
    game = load_game(name, **options)
    seats = begun(game, 3, "greedy", seat=seat)
    rng = np.random.default_rng(0)
    for _ in range(40):
        for row in range(3):
            state = seats.state(row)
            player = int(seats.seats[row])
            assert seat in ("random", player)
            assert state.current_player() == player
            assert equal(seats.observations[row], state.observation_tensor(player))
            assert equal(seats.action_masks[row], state.legal_actions_mask())
        seats.step(random_row_actions(seats.action_masks, rng))


@EVERY_OPTION_SET
@pytest.mark.parametrize("reward", REWARDS)
def test_reward_is_the_return_of_the_seat(name: str, options: dict[str, Any], reward: str) -> None:
    """0 in every step but the last of a game; the report of the end is that of its final state."""
    game = load_game(name, **options)
    seats = begun(game, 4, "random", reward=reward)
    rng = np.random.default_rng(1)
    games = 0
    while games < 6:
        seats.step(random_row_actions(seats.action_masks, rng))
        over = np.flatnonzero(seats.terminated | seats.truncated)
        assert not seats.rewards[np.setdiff1d(np.arange(4), over)].any()
        for row, state, info in zip(over, seats.final_states, seats.final_infos, strict=True):
            games += 1
            check_end(seats, int(row), state, info, reward)


def check_end(seats: SeatBatch, row: int, state: Any, info: dict[str, Any], reward: str) -> None:
    seat, returns = info["seat"], state.returns(reward)
    assert info["returns"] == returns
    assert seats.rewards[row] == np.float32(returns[seat])
    if len(returns) > 1:
        assert sum(returns) == pytest.approx(0)
    assert (seats.terminated[row], seats.truncated[row]) == (not state.is_truncated(), state.is_truncated())
    assert equal(seats.final_observations[row], state.observation_tensor(seat))
    assert {key: info[key] for key in ("score", "rank", "winners", "end_reason")} == state.standing(seat)


def test_episode_lengths_count_the_learner_s_decisions() -> None:
    seats = begun(load_game("carnavalo"), 1, "greedy")
    rng = np.random.default_rng(0)
    for decisions in range(1, 1000):
        assert seats.episode_lengths[0] == decisions - 1
        seats.step(random_row_actions(seats.action_masks, rng))
        if seats.terminated[0]:
            assert seats.final_infos[0]["length"] == decisions
            assert seats.episode_lengths[0] == 0
            return
    pytest.fail("no game ended")


# Who plays -----------------------------------------------------------------------------------------------------------


def test_opponents_are_listed_clockwise_from_the_learner_s_left() -> None:
    """Seat 1 learns at a table of four: the three opponents have the seats 2, 3 and 0."""
    witnesses = [Witness(), Witness(), Witness()]
    run(begun(load_game("carnavalo", num_players=4), 3, witnesses, seat=1), 30)
    assert [witness.seats for witness in witnesses] == [{2}, {3}, {0}]


def test_every_seat_is_drawn() -> None:
    seats = begun(load_game("carnavalo", num_players=5), 400)
    counts = np.bincount(seats.seats, minlength=5)
    assert counts.min() > 50  # 80 expected; 50 is 3.75 standard deviations below
    run(seats, 40)
    assert len(set(seats.seats.tolist())) == 5


def test_opponents_are_drawn_for_every_game_and_seat() -> None:
    game = load_game("carnavalo", num_players=4)
    seats = begun(game, 300, "mix(random:3,greedy:1)")
    counts = np.bincount(seats.opponent_indices.ravel())
    assert abs(counts[0] / counts.sum() - 0.75) < 0.06  # 900 draws: 4 standard deviations
    before = seats.opponent_indices.copy()
    ended: set[int] = set()
    rng = np.random.default_rng(0)
    while len(ended) < 200:
        seats.step(random_row_actions(seats.action_masks, rng))
        for row, info in zip(np.flatnonzero(seats.terminated), seats.final_infos, strict=True):
            if row not in ended:
                assert info["opponents"] == before[row].tolist()
                ended.add(int(row))
    rows = sorted(ended)
    assert not np.array_equal(before[rows], seats.opponent_indices[rows])


def test_a_pool_of_opponents_may_grow() -> None:
    """A policy that joins the sampler between steps plays in the games that begin after it."""
    game = load_game("carnavalo")
    sampler = parse_opponents("random", game)
    seats = begun(game, 2, sampler)
    newcomer = Last()
    sampler.policies.append(newcomer)
    sampler.set_weights([0.0, 1.0])
    run(seats, 5)
    assert newcomer.asked == 0
    run(seats, 60)
    assert newcomer.asked > 0
    assert (seats.opponent_indices == 1).all()


def test_python_policies_are_asked_in_batches() -> None:
    """Two players in lockstep: one question answers for all games."""
    game = load_game("carnavalesco", num_players=2, first_player=0)
    opponent = Last()
    seats = begun(game, 50, opponent, seat=0)
    for _ in range(20):
        seats.step(np.array([last_legal(mask) for mask in seats.action_masks]))
    assert 0 < opponent.asked <= 2 * 20


@EVERY_GAME
def test_policies_asked_by_python_play_as_in_a_game_by_hand(name: str) -> None:
    """A game of the batch, replayed decision by decision on a State."""
    game = load_game(name)
    seats = begun(game, 2, Last(), seat=1)
    states = [game.new_initial_state(int(seed)) for seed in seats.seeds]
    for _ in range(30):
        for row, state in enumerate(states):
            while state.current_player() != 1:
                state.apply_action(last_legal(state.legal_actions_mask()))
            assert equal(seats.observations[row], state.observation_tensor(1))
            assert equal(seats.action_masks[row], state.legal_actions_mask())
        actions = seats.action_masks.argmax(axis=1)
        for state, action in zip(states, actions.tolist(), strict=True):
            state.apply_action(action)
        seats.step(actions)
        if seats.final_infos:
            return


def test_a_policy_s_illegal_action_is_its_error() -> None:
    seats = SeatBatch(load_game("carnavalo"), 2, Cheat(), seat=3, seed=0)
    with pytest.raises(IllegalActionError, match=r"by the policy Cheat\(\)"):
        seats.reset()


def test_seeds_may_come_as_an_array() -> None:
    game = load_game("carnavalo")
    one, other = SeatBatch(game, 2), SeatBatch(game, 2)
    one.reset([5, 6])
    other.reset(np.array([5, 6]))  # type: ignore[arg-type]
    assert one.seeds.tolist() == other.seeds.tolist() == [5, 6]


@pytest.mark.parametrize("choices", [None, 0, [0.5], ["roll"], [[0]], [0, 0], [10**30]])
def test_a_policy_gives_an_integer_for_each_decision(choices: Any) -> None:
    class Odd(Cheat):
        def act(self, observations: Any, masks: Any, rng: Any) -> Any:  # noqa: ARG002
            return choices

    seats = SeatBatch(load_game("carnavalo"), 1, Odd(), seat=3, seed=0)
    with pytest.raises(ValueError, match=r"actions of the policy Cheat\(\): .* allowed: integers of shape \(1,\)"):
        seats.reset()


def test_a_player_alone_has_no_opponents() -> None:
    seats = begun(load_game("carnavalesco", num_players=1), 3)
    assert seats.opponent_indices.shape == (3, 0)
    run(seats, 80)
    assert not seats.seats.any()


# Begin and end -------------------------------------------------------------------------------------------------------


@EVERY_GAME
def test_seeds_fix_everything(name: str) -> None:
    """Same seed, same reports; another seed, other games; and each game is fixed by its own seed, wherever it is."""
    game = load_game(name)
    first, second = begun(game, 4), begun(game, 4)
    assert equal(run(first, 60), run(second, 60))
    first.reset(7)
    second.reset(8)
    assert not np.array_equal(first.seeds, second.seeds)
    first.reset([31, 32, 33, 34])
    second.reset([99, 33, 31, 98])
    for array in ("observations", "seats", "opponent_indices"):
        a, b = getattr(first, array), getattr(second, array)
        assert equal(a[[0, 2]], b[[2, 1]])


def test_a_game_and_its_successors_are_those_of_a_state() -> None:
    """The seeds that the batch reports are those of its games."""
    game = load_game("carnavalesco", num_players=1)
    seats = begun(game, 2)
    rng = np.random.default_rng(0)
    for _ in range(100):
        seats.step(random_row_actions(seats.action_masks, rng))
        for row in np.flatnonzero(seats.terminated).tolist():
            state = game.new_initial_state(int(seats.seeds[row]))
            assert equal(state.observation_tensor(0), seats.observations[row])


def test_resets_go_on_with_new_games() -> None:
    seats = begun(load_game("carnival"))
    before = seats.seeds.copy()
    seats.reset()
    assert not (seats.seeds == before).any()
    seats.reset([None, 5, None, 6])
    assert seats.seeds[[1, 3]].tolist() == [5, 6]


@pytest.mark.parametrize("opponents", ["random", "mix(random,greedy)", "greedy"])
def test_threads_change_nothing(opponents: str) -> None:
    game = load_game("carnavalo")
    assert all_equal(run(begun(game, 7, opponents, num_threads=threads), 60) for threads in (1, 2, 3, 50))


def games_by_seed(seats: SeatBatch, steps: int) -> dict[int, list[Any]]:
    """Observations and rewards of every game that was finished, by its seed, with the learner's last legal actions."""
    finished: dict[int, list[Any]] = {}
    running: list[list[Any]] = [[] for _ in range(seats.num_games)]
    for _ in range(steps):
        over = seats.terminated | seats.truncated
        if seats.autoreset is AutoresetMode.DISABLED and over.any():
            seats.reset(rows=np.flatnonzero(over))
        waits = over if seats.autoreset is AutoresetMode.NEXT_STEP else np.zeros_like(over)
        seeds = seats.seeds.copy()
        for row in np.flatnonzero(~waits).tolist():
            running[row].append(seats.observations[row].copy())
        seats.step(np.array([last_legal(mask) for mask in seats.action_masks]))
        for row in np.flatnonzero((seats.terminated | seats.truncated) & ~waits).tolist():
            finished[int(seeds[row])] = [
                *running[row],
                seats.final_observations[row].copy(),
                seats.rewards[row],
            ]
            running[row] = []
    return finished


@EVERY_GAME
def test_autoreset_modes_play_the_same_games(name: str) -> None:
    game = load_game(name)
    by_mode = [games_by_seed(begun(game, 3, autoreset=mode), 700) for mode in AutoresetMode]
    common = set.intersection(*(set(games) for games in by_mode))
    assert len(common) >= 3
    for seed in common:
        assert all_equal(games[seed] for games in by_mode)


def test_next_step_waits_and_keeps_the_masks_filled() -> None:
    seats = begun(load_game("carnavalo"), 3, autoreset="NextStep")
    seats.step(illegal_actions(seats, [1]))
    assert seats.terminated.tolist() == [False, True, False]
    assert equal(seats.observations[1], seats.final_observations[1])
    assert seats.action_masks[1].all()
    seed = seats.seeds[1]
    seats.step(seats.action_masks.argmax(axis=1))
    assert seats.seeds[1] != seed
    assert seats.episode_lengths.tolist() == [2, 0, 2]
    assert not seats.terminated.any()
    assert not seats.rewards.any()
    assert seats.final_infos == []


def test_without_autoreset_the_caller_resets() -> None:
    seats = begun(load_game("carnavalo"), 3, autoreset="Disabled")
    seats.step(illegal_actions(seats, [0, 2]))
    with pytest.raises(ResetNeeded, match="game 0"):
        seats.step(seats.action_masks.argmax(axis=1))
    untouched = seats.observations[1].copy()
    first, _ = seats.final_infos
    seats.reset(rows=np.array([2]))
    assert seats.final_infos == [first]
    assert seats.terminated.tolist() == [True, False, False]
    with pytest.raises(ResetNeeded, match="game 0"):
        seats.step(seats.action_masks.argmax(axis=1))
    seats.reset([77], rows=np.array([0]))
    assert seats.seeds[0] == 77
    assert not seats.terminated.any()
    assert equal(untouched, seats.observations[1])
    seats.step(seats.action_masks.argmax(axis=1))
    assert seats.episode_lengths.tolist() == [1, 2, 1]


@EVERY_GAME
def test_masks_are_never_empty(name: str) -> None:
    for mode in AutoresetMode:
        seats = begun(load_game(name), 3, "greedy", autoreset=mode)
        rng = np.random.default_rng(0)
        for _ in range(300):
            assert seats.action_masks.any(axis=1).all()
            if mode is AutoresetMode.DISABLED and (seats.terminated | seats.truncated).any():
                seats.reset()
            seats.step(random_row_actions(seats.action_masks, rng))


# Illegal actions and bounds ------------------------------------------------------------------------------------------


@EVERY_OPTION_SET
def test_illegal_action_forfeits(name: str, options: dict[str, Any]) -> None:
    """-1 for the learner, +1 shared by the others; the other games go on."""
    game = load_game(name, **options)
    seats, twin = begun(game, 3), begun(game, 3)
    actions = illegal_actions(seats, [1])
    before, seat = seats.observations[1].copy(), int(seats.seats[1])
    seats.step(actions)
    assert (seats.terminated[1], seats.truncated[1], seats.rewards[1]) == (True, False, -1)
    twin.step(illegal_actions(twin, []))
    for name_of_array in ("observations", "rewards", "terminated", "truncated"):
        others_of_both = (getattr(batch, name_of_array)[[0, 2]] for batch in (seats, twin))
        assert equal(*others_of_both), name_of_array
    info = next(info for info in seats.final_infos if info["end_reason"] == "illegal_action")
    assert (info["illegal_action"], info["end_reason"], info["seat"]) == (actions[1], "illegal_action", seat)
    others = game.num_players - 1
    assert info["returns"] == [-1.0 if player == seat else 1 / others for player in range(game.num_players)]
    assert equal(before, seats.final_observations[1])


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_illegal_action_raises_if_so_wished(mode: AutoresetMode) -> None:
    """All games are unchanged, also those before the wrong one."""
    seats = begun(load_game("carnavalo"), 3, illegal_action="raise", autoreset=mode)
    before = snapshot(seats)
    with pytest.raises(IllegalActionError, match="in game 2"):
        seats.step(illegal_actions(seats, [2]))
    assert equal(before, snapshot(seats))
    with pytest.raises(IllegalActionError, match="-3 in game 0"):
        seats.step([-3, 0, 0])
    seats.step(seats.action_masks.argmax(axis=1))
    assert not seats.terminated.any()


@EVERY_GAME
def test_bound_on_the_length_truncates_only(name: str) -> None:
    seats = begun(load_game(name), 3, max_episode_steps=4)
    for step in range(1, 9):
        seats.step(seats.action_masks.argmax(axis=1))
        assert seats.truncated.all() == (step % 4 == 0)
        assert not seats.terminated.any()
        assert not seats.rewards.any()
    reports = [(info["end_reason"], info["winners"], info["length"]) for info in seats.final_infos]
    assert reports == [("max_steps", [], 4)] * 3


# Bad input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 4}, "seat: 4 .* 0..3, or 'random'"),
        ({"seat": "north"}, "seat: 'north'"),
        ({"seat": True}, "seat: True"),
        ({"reward": "money"}, "reward: 'money'"),
        ({"illegal_action": "skip"}, "illegal_action: 'skip'"),
        ({"num_threads": 0}, "num_threads: 0"),
        ({"max_episode_steps": -1}, "max_episode_steps: -1"),
        ({"autoreset": "sometimes"}, "sometimes"),
        ({"seed": -2}, "seed: -2"),
        ({"opponents": "random,random"}, "opponents: 'random,random'"),
        ({"num_games": 0}, "num_games: 0"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SeatBatch(load_game("carnavalo"), **{"num_games": 2, **arguments})


def test_actions_and_seeds_are_checked() -> None:
    seats = SeatBatch(load_game("carnavalo"), 2, seed=0)
    with pytest.raises(ResetNeeded):
        seats.step([0, 0])
    with pytest.raises(ResetNeeded):
        seats.reset(rows=np.array([0]))
    seats.reset()
    for actions in ([0], [[0, 0]], [0.0, 1.0], [True, False], "ab"):
        with pytest.raises(ValueError, match=r"actions: .*\(2,\)"):
            seats.step(actions)
    for seed in ([1], [1, -1], [1, "2"], 1.5, "12", True):
        with pytest.raises(ValueError, match="seed"):
            seats.reset(seed)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="index: 2"):
        seats.state(2)


def test_a_sampler_is_taken_as_it_is() -> None:
    sampler = OpponentSampler([Dice()], np.ones((3, 1)))
    assert begun(load_game("carnavalo"), 2, sampler).opponents is sampler
