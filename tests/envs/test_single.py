"""The Gymnasium environment of one seat: the checkers of Gymnasium and SB3, masks, ends and bad input."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.envs.registration import env_id
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.envs.single import SeatEnv
from carnival_envs.registry import load_game
from tests.envs.common import EVERY_GAME, EVERY_OPTION_SET, Last, equal, last_legal, random_legal


def make(name: str, **arguments: Any) -> SeatEnv:
    env = gym.make(env_id(name), **arguments).unwrapped
    assert isinstance(env, SeatEnv)
    return env


def play_out(env: SeatEnv, rng: np.random.Generator) -> list[Any]:
    """Random legal play to the end: all that the steps returned."""
    reports: list[Any] = []
    mask = env.action_masks()
    while not reports or not (reports[-1][2] or reports[-1][3]):
        reports.append(env.step(random_legal(mask, rng)))
        mask = reports[-1][4]["action_mask"]
    return reports


# Checkers: the configuration of the test run makes every warning an error ---------------------------------------------


@EVERY_OPTION_SET
@pytest.mark.parametrize("dict_observation", [False, True])
def test_gymnasium_check_env(name: str, options: dict[str, Any], dict_observation: bool) -> None:
    """It samples without masks, which must not stop it; and it makes the environment in every render mode."""
    check_env(make(name, dict_observation=dict_observation, **options))


@EVERY_OPTION_SET
@pytest.mark.parametrize("dict_observation", [False, True])
def test_sb3_check_env(name: str, options: dict[str, Any], dict_observation: bool) -> None:
    sb3_check_env(make(name, dict_observation=dict_observation, **options))


@EVERY_GAME
def test_wrapped_by_gymnasium(name: str) -> None:
    """Nothing is wrapped around it but what is asked for; the mask is found through that; a bound truncates what has
    not ended before.
    """
    assert isinstance(gym.make(env_id(name)), SeatEnv)
    env = gym.make(env_id(name), max_episode_steps=3, seat=1, opponents="greedy", disable_env_checker=False)
    _, info = env.reset(seed=3)
    for step in range(1, 4):
        mask = env.get_wrapper_attr("action_masks")()
        assert np.array_equal(mask, info["action_mask"])
        _, _, terminated, truncated, info = env.step(int(mask.argmax()))
        if "end_reason" in info:
            break
        assert (terminated, truncated) == (False, step == 3)


# What the learner gets -----------------------------------------------------------------------------------------------


@EVERY_OPTION_SET
def test_reports_are_those_of_the_batch(name: str, options: dict[str, Any]) -> None:
    """A game alone is the game of its seed in a batch: observations, masks, seats, rewards and ends."""
    game = load_game(name, **options)
    env = make(name, opponents="mix(random,greedy)", **options)
    seats = SeatBatch(game, 3, "mix(random,greedy)", autoreset="Disabled")
    seats.reset([40, 41, 42])
    observation, info = env.reset(seed=41)
    rng = np.random.default_rng(0)
    terminated = truncated = False
    while not terminated and not truncated:
        assert equal(observation, seats.observations[1])
        assert equal(info["action_mask"], seats.action_masks[1])
        assert info["seat"] == seats.seats[1]
        action = random_legal(info["action_mask"], rng)
        moves = seats.action_masks.argmax(axis=1)
        moves[1] = action
        over = np.flatnonzero(seats.terminated | seats.truncated)
        if len(over):
            seats.reset(rows=over)
            moves[over] = seats.action_masks[over].argmax(axis=1)
        seats.step(moves)
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (seats.rewards[1], seats.terminated[1], seats.truncated[1])
    assert equal(observation, seats.final_observations[1])
    row = np.flatnonzero(seats.terminated | seats.truncated).tolist().index(1)
    report = seats.final_infos[row]
    assert equal({key: info[key] for key in report}, report)


@EVERY_OPTION_SET
def test_types_and_spaces(name: str, options: dict[str, Any]) -> None:
    env = make(name, **options)
    env.reset(seed=1)
    reports = play_out(env, np.random.default_rng(1))
    for observation, reward, terminated, truncated, info in reports:
        assert env.observation_space.contains(observation)
        assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
        assert info["action_mask"].dtype == np.int8
        assert info["action_mask"].any()
    assert [report[1] for report in reports[:-1]] == [0.0] * (len(reports) - 1)
    assert env.action_masks().dtype == np.bool_
    assert env.action_masks().all()


@EVERY_GAME
def test_the_end_tells_what_the_state_tells(name: str) -> None:
    env = make(name, reward="score", seat=1)
    env.reset(seed=4)
    observation, reward, _, _, info = play_out(env, np.random.default_rng(2))[-1]
    state = env.game_state
    assert equal({key: info[key] for key in state.info(1)}, state.info(1))
    assert reward == pytest.approx(state.returns("score")[1], abs=1e-6)
    assert equal(observation, state.observation_tensor(1))
    assert info["seat"] == 1


def test_the_learner_s_reward_is_what_his_seat_earned() -> None:
    """A game whose end comes in an opponent's turn: the learner's last step carries his return all the same."""
    for seed in range(50):
        env = make("carnavalo", opponents=Last(), seat=0, reward="rank")
        env.reset(seed=seed)
        action_was_last = False
        while True:
            before = env.game_state
            _, reward, terminated, _, info = env.step(last_legal(env.action_masks()))
            if terminated:
                before.apply_action(last_legal(before.legal_actions_mask()))
                action_was_last = before.is_terminal()
                break
        assert reward == pytest.approx(info["returns"][0], abs=1e-6)
        if not action_was_last:
            return
    pytest.fail("no game ended in an opponent's turn")


@EVERY_GAME
def test_dict_observation_holds_the_mask(name: str) -> None:
    env, flat = make(name, dict_observation=True), make(name)
    seen, info = env.reset(seed=9)
    assert equal(seen["observation"], flat.reset(seed=9)[0])
    assert equal(seen["action_mask"], info["action_mask"])
    assert env.observation_space.contains(seen)


@EVERY_GAME
def test_what_is_handed_out_belongs_to_the_user(name: str) -> None:
    env, twin = make(name), make(name)
    observation, info = env.reset(seed=2)
    twin.reset(seed=2)
    over = False
    while not over:
        action = int(twin.action_masks().argmax())
        observation[:] = 9
        info["action_mask"][:] = 0
        observation, reward, terminated, truncated, info = env.step(action)
        assert equal((observation, reward, terminated, truncated), twin.step(action)[:4])
        over = terminated or truncated


# Illegal actions and bad input ---------------------------------------------------------------------------------------


@EVERY_OPTION_SET
def test_illegal_action_forfeits_in_silence(name: str, options: dict[str, Any]) -> None:
    env = make(name, **options)
    seen, info = env.reset(seed=1)
    action = int(info["action_mask"].argmin())
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["illegal_action"], info["end_reason"]) == (action, "illegal_action")
    assert "score" not in info
    assert info["action_mask"].all()
    assert equal(seen, observation)


@pytest.mark.parametrize("action", [-1, -3, 10**6, 10**30, np.int64(-2)])
def test_an_integer_out_of_range_forfeits(action: Any) -> None:
    env = make("carnavalo")
    env.reset(seed=0)
    assert env.step(action)[1] == -1.0


def test_illegal_action_raises_if_so_wished() -> None:
    env, twin = make("carnavalo", illegal_action="raise"), make("carnavalo")
    env.reset(seed=0)
    twin.reset(seed=0)
    with pytest.raises(IllegalActionError, match="legal actions"):
        env.step(int(env.action_masks().argmin()))
    assert equal(play_out(env, np.random.default_rng(0)), play_out(twin, np.random.default_rng(0)))


@pytest.mark.parametrize("action", ["roll", 1.0, None, True, np.array([1]), [1]])
def test_no_integer_is_no_action(action: Any) -> None:
    env = make("carnavalo")
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action"):
        env.step(action)


def test_before_the_first_reset_and_after_the_end() -> None:
    env = make("carnavalo", render_mode="ansi")
    for use in (lambda: env.step(0), env.render, lambda: env.game_state):
        with pytest.raises(ResetNeeded):
            use()
    assert env.action_masks().all()
    env.reset(seed=0)
    env.step(-1)
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    assert not env.step(int(env.action_masks().argmax()))[2]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seat": 7}, ValueError, "seat: 7"),
        ({"opponents": "gready"}, ValueError, "gready"),
        ({"opponents": 3}, TypeError, "opponents"),
        ({"num_player": 3}, TypeError, "num_player"),
        ({"num_players": 77}, ValueError, "num_players: 77"),
        ({"reward": "gold"}, ValueError, "reward: 'gold'"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make("carnavalo", **arguments)


def test_render_shows_the_learner_s_view(capsys: pytest.CaptureFixture[str]) -> None:
    env = make("carnival", render_mode="ansi", seat=1)
    env.reset(seed=0)
    assert env.render() == env.game_state.text(1)
    human = make("carnival", render_mode="human", seat=1)
    human.reset(seed=0)
    assert capsys.readouterr().out == f"{env.render()}\n"
    picture = make("carnival", render_mode="svg", seat=1)
    picture.reset(seed=0)
    assert picture.render() == env.game_state.draw(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = make("carnival")
        silent.reset(seed=0)
        with pytest.raises(UserWarning, match="render_mode"):
            silent.render()
