"""The PettingZoo environment: PettingZoo's own tests, its life cycle, and what it does with bad input."""

from __future__ import annotations

import contextlib
import io
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.state import State
from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.registry import load_game
from tests.envs.common import EVERY_GAME, EVERY_OPTION_SET, REWARDS, equal, random_legal

API_TEST_EXCEPTIONS = {
    # api_test knows observations with masks in a dictionary only of PettingZoo's own games, by their names
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


def started(name: str, seed: int = 5, **arguments: Any) -> AECGameEnv:
    env = AECGameEnv(name, **arguments)
    env.reset(seed=seed)
    return env


def play_on(env: AECGameEnv, rng: np.random.Generator, decisions: int | None = None) -> int:
    """Random legal play to the end, or for some decisions; how many were made."""
    made = 0
    while not env.is_over and made != decisions:
        env.step(random_legal(env.infos[env.agent_selection]["action_mask"], rng))
        made += 1
    return made


def illegal(env: AECGameEnv) -> int:
    """An action that is not legal now; none of the game's where all are."""
    mask = env.infos[env.agent_selection]["action_mask"]
    return -1 if mask.all() else int(mask.argmin())


# PettingZoo's tests -------------------------------------------------------------------------------------------------
# Not among them: max_cycles_test, which steps all agents at once and needs a parallel_env (the bound has tests of its
# own below), and test_save_obs, which is for pictures.


@EVERY_OPTION_SET
def test_api(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(AECGameEnv(name, **options), num_cycles=50)
    assert {str(warning.message) for warning in caught} <= API_TEST_EXCEPTIONS


@EVERY_OPTION_SET
def test_seed(name: str, options: dict[str, Any]) -> None:
    seed_test(lambda: AECGameEnv(name, **options), num_cycles=500)


@EVERY_GAME
def test_render(name: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        render_test(
            lambda **arguments: AECGameEnv(name, **arguments),
            custom_tests={"svg": lambda picture: picture.startswith("<svg")},
        )


@EVERY_GAME
def test_turn_based_parallel_form(name: str) -> None:
    """Who needs the parallel form gets it from PettingZoo's own wrapper."""
    env = turn_based_aec_to_parallel(AECGameEnv(name))
    observations, _ = env.reset(seed=3)
    rng = np.random.default_rng(0)
    while True:
        masks = {agent: observation["action_mask"] for agent, observation in observations.items()}
        assert sum(bool(mask.any()) for mask in masks.values()) == 1
        actions = {agent: random_legal(mask, rng) if mask.any() else 0 for agent, mask in masks.items()}
        observations, rewards, terminations, truncations, _ = env.step(actions)
        if all(terminations.values()) or all(truncations.values()):
            break
    assert sum(rewards.values()) == pytest.approx(0)


# What agents see ----------------------------------------------------------------------------------------------------


@EVERY_OPTION_SET
def test_observations_are_those_of_the_state(name: str, options: dict[str, Any]) -> None:
    """Every agent may look at any time; masks in observations and infos agree, all 0 but for who decides."""
    env = started(name, **options)
    state = load_game(name, **options).new_initial_state(seed=5)
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        assert env.agent_selection == f"player_{state.current_player()}"
        check_looks(env, state)
        action = random_legal(state.legal_actions_mask(), rng)
        state.apply_action(action)
        env.step(action)
    assert env.is_over
    assert equal(env.game_state.to_position(), state.to_position())
    check_looks(env, state)


def check_looks(env: AECGameEnv, state: State) -> None:
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        acts = seat == state.current_player()
        expected = state.legal_actions_mask() if acts else np.zeros(state.game.num_actions, dtype=np.int8)
        assert equal(seen["action_mask"], expected)
        assert equal(env.infos[agent]["action_mask"], expected)
        assert equal(seen["observation"], state.observation_tensor(seat))
        assert env.observation_space(agent).contains(seen)
    parts = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert equal(env.state(), np.concatenate(parts))
    assert env.state_space.contains(env.state())


@EVERY_GAME
def test_what_is_handed_out_belongs_to_the_user(name: str) -> None:
    """To change an array or an info changes neither the game nor what is legal in it."""
    env, twin = started(name), started(name)
    rng = np.random.default_rng(2)
    while not env.is_over:
        action = random_legal(twin.last()[0]["action_mask"], rng)
        observation, _, _, _, info = env.last()
        observation["observation"][:] = 7
        observation["action_mask"][:] = 1 - observation["action_mask"]
        info["action_mask"][:] = 0
        env.step(action)
        twin.step(action)
        assert equal(env.observe(env.agent_selection), twin.observe(twin.agent_selection))
    assert twin.is_over
    assert env.rewards == twin.rewards


# The end ------------------------------------------------------------------------------------------------------------


@EVERY_OPTION_SET
@pytest.mark.parametrize("reward", REWARDS)
def test_final_rewards_come_once(name: str, options: dict[str, Any], reward: str) -> None:
    """0 until the end; then the return of every seat in one step, and once through last(), in the order of seats."""
    env = started(name, reward=reward, **options)
    rng = np.random.default_rng(3)
    while not env.is_over:
        assert env.last()[1:4] == (0.0, False, False)
        assert set(env.rewards.values()) == {0.0}
        play_on(env, rng, 1)
    returns = env.game_state.returns(reward)
    assert list(env.rewards.values()) == returns
    if len(returns) > 1:
        assert sum(returns) == pytest.approx(0)
    collected = {}
    for agent in env.agent_iter():
        _, collected[agent], termination, truncation, info = env.last()
        assert (termination, truncation) == (not env.game_state.is_truncated(), env.game_state.is_truncated())
        assert {"score", "rank", "winners", "end_reason", "action_mask"} <= info.keys()
        seat = int(agent.removeprefix("player_"))
        assert equal({key: info[key] for key in info if key != "action_mask"}, env.game_state.info(seat))
        env.step(None)
    assert list(collected) == env.possible_agents
    assert list(collected.values()) == returns
    assert env.agents == []


def test_a_game_cut_off_by_its_own_bound_is_truncated_only() -> None:
    env = started("carnavalo", num_players=3, max_turns=5)
    play_on(env, np.random.default_rng(0))
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.infos["player_0"]["end_reason"] == "max_turns"


@EVERY_GAME
def test_max_cycles_truncates_only(name: str) -> None:
    """The bound counts decisions; a game that it cuts off is worth nothing to anyone."""
    env = started(name, max_cycles=7)
    assert play_on(env, np.random.default_rng(4)) == 7
    agents = env.agents
    assert env.truncations == dict.fromkeys(agents, True)
    assert env.terminations == dict.fromkeys(agents, False)
    assert env.rewards == dict.fromkeys(agents, 0.0)
    for agent in agents:
        info = env.infos[agent]
        assert {key: info[key] for key in info if key != "action_mask"} == {"winners": [], "end_reason": "max_steps"}


@EVERY_GAME
def test_a_game_that_ends_before_max_cycles_is_not_truncated(name: str) -> None:
    env = started(name)
    length = play_on(env, np.random.default_rng(4))
    bounded = started(name, max_cycles=length)
    assert play_on(bounded, np.random.default_rng(4)) == length
    assert bounded.terminations == env.terminations
    assert bounded.rewards == env.rewards


def test_a_record_that_can_not_be_written_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"record: .* allowed: a folder that can be written to"):
        started("carnavalo", record=f"{__file__}/replays")


@EVERY_OPTION_SET
def test_illegal_action_forfeits(name: str, options: dict[str, Any]) -> None:
    """The offender gets -1, the others share +1; termination only; one warning."""
    env = started(name, seed=5, **options)
    length = play_on(env, np.random.default_rng(5))
    env.reset(seed=5)
    play_on(env, np.random.default_rng(5), length // 2)
    offender, action = env.agent_selection, illegal(env)
    with pytest.warns(UserWarning, match=f"{offender} forfeits") as caught:
        env.step(action)
    assert len(caught) == 1
    others = [agent for agent in env.possible_agents if agent != offender]
    assert env.rewards == {agent: -1.0 if agent == offender else 1 / len(others) for agent in env.possible_agents}
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    for agent in env.possible_agents:
        info = env.infos[agent]
        assert info["illegal_action"] == action
        assert info["end_reason"] == "illegal_action"
        assert info["winners"] == [int(other.removeprefix("player_")) for other in others]
        assert info["rank"] == (len(others) + 1 if agent == offender else 1)


@pytest.mark.parametrize("action", [-1, 10**6, 1 << 63, 10**30, -(10**30), np.int64(-7)])
def test_an_integer_out_of_range_forfeits(action: Any) -> None:
    env = started("carnival")
    offender = env.agent_selection
    with pytest.warns(UserWarning, match=f"{offender} forfeits by the illegal action {action}"):
        env.step(action)
    assert env.is_over
    assert env.infos[offender]["illegal_action"] == action


@EVERY_GAME
def test_illegal_action_raises_if_so_wished(name: str) -> None:
    """The error names the agent and what is legal; the game goes on as if nothing had happened."""
    env, twin = started(name, illegal_action="raise"), started(name)
    with pytest.raises(IllegalActionError, match=env.agent_selection) as caught:
        env.step(illegal(env))
    game = env.game
    assert caught.value.legal == tuple(game.action_to_string(a) for a in env.game_state.legal_actions())
    rng = np.random.default_rng(6)
    while not twin.is_over:
        action = random_legal(twin.last()[0]["action_mask"], rng)
        env.step(action)
        twin.step(action)
    assert env.rewards == twin.rewards


# Bad input ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["roll", 1.0, None, True, np.array([1]), [1]])
def test_no_integer_is_no_action(action: Any) -> None:
    env = started("carnival")
    with pytest.raises(ValueError, match="action"):
        env.step(action)
    assert not env.is_over


@pytest.mark.parametrize("convert", [int, np.int8, np.int32, np.uint8, np.int64, np.array])
def test_every_kind_of_integer_is_an_action(convert: Any) -> None:
    env = started("carnavalesco")
    env.step(convert(int(env.last()[0]["action_mask"].argmax())))
    assert not env.is_over


def test_before_the_first_reset() -> None:
    env = AECGameEnv("carnival", render_mode="ansi")
    for use in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, env.state, env.save_state):
        with pytest.raises(ResetNeeded, match="reset"):
            use()
    for attribute in ("agents", "rewards", "terminations", "infos", "agent_selection"):
        with pytest.raises(AttributeError):
            getattr(env, attribute)
    assert not env.is_over


def test_after_the_end_only_none_is_stepped_and_in_the_end_nothing() -> None:
    env = started("carnival", max_cycles=1)
    play_on(env, np.random.default_rng(0))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    for _ in env.possible_agents:
        env.step(None)
    with pytest.raises(ResetNeeded, match="no agent is left"):
        env.step(None)
    assert equal(env.observe("player_1")["observation"], env.game_state.observation_tensor(1))
    env.reset()
    assert env.agents == env.possible_agents


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reward": "points"}, "reward: 'points' .* 'win'"),
        ({"illegal_action": "ignore"}, "illegal_action: 'ignore' .* 'forfeit' or 'raise'"),
        ({"max_cycles": 0}, "max_cycles: 0"),
        ({"max_cycles": True}, "max_cycles: True"),
        ({"render_mode": "3d"}, "render_mode: '3d'"),
        ({"num_players": 9}, "num_players: 9"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AECGameEnv("carnival", **arguments)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(TypeError, match="num_player"):
        AECGameEnv("carnival", num_player=2)
    with pytest.raises(ValueError, match="unknown game 'carnaval'"):
        AECGameEnv("carnaval")
    with pytest.raises(ValueError, match="agent: 'player_2'"):
        started("carnival").observe("player_2")
    for seed in (-1, 1.5, True, 2**63):
        with pytest.raises(ValueError, match="seed"):
            AECGameEnv("carnival").reset(seed=seed)  # type: ignore[arg-type]


def test_render_shows_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    env = started("carnival", render_mode="ansi")
    assert env.render() == str(env.game_state)
    human = started("carnival", render_mode="human")
    assert capsys.readouterr().out == f"{human.game_state}\n"
    human.step(int(human.last()[0]["action_mask"].argmax()))
    assert capsys.readouterr().out == f"{human.game_state}\n"
    with pytest.warns(UserWarning, match="render_mode"):
        assert started("carnival").render() is None


def test_metadata() -> None:
    env = started("carnival")
    assert str(env) == "carnival_v0"
    assert env.metadata["is_parallelizable"] is False
    assert {"ansi", "human"} <= set(env.metadata["render_modes"])
    assert env.metadata["render_fps"] > 0
    assert env.unwrapped is env
    env.close()
    env.close()
