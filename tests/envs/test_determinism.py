"""The same seed and actions give the same game in every form in which it can be played."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from carnival_envs import make_batch
from carnival_envs.core.game import Game
from carnival_envs.core.state import State
from carnival_envs.envs.aec import AECGameEnv
from carnival_envs.envs.single import SeatEnv
from carnival_envs.envs.vector import SeatVectorEnv
from carnival_envs.policies.random import RandomPolicy
from carnival_envs.registry import load_game
from tests.envs.common import EVERY_GAME, EVERY_OPTION_SET, Last, equal, last_legal

LONGEST = 400


def mixed(mask: Any, number: int) -> int:
    """An action that varies from decision to decision, by the mask alone."""
    legal = np.flatnonzero(mask)
    return int(legal[(number * 7) % len(legal)])


def reference(game: Game, seed: int) -> list[State]:
    """The states of one game, by the plain State."""
    state = game.new_initial_state(seed)
    states = [state.__copy__()]
    while not state.is_terminal() and len(states) < LONGEST:
        state.apply_action(mixed(state.legal_actions_mask(), len(states) - 1))
        states.append(state.__copy__())
    return states


@EVERY_OPTION_SET
def test_aec_and_batch_play_the_game_of_the_state(name: str, options: dict[str, Any]) -> None:
    """Decision by decision, also in the games that follow the first."""
    batch = make_batch(name, 2, seed=5, **options)
    batch.reset()
    env = AECGameEnv(name, **options)
    env.reset(seed=int(batch.seeds[1]))
    for _ in range(2):
        states = reference(load_game(name, **options), int(batch.seeds[1]))
        for number, state in enumerate(states[:-1]):
            actor = state.current_player()
            assert env.agent_selection == f"player_{actor}"
            assert batch.current_players[1] == actor
            seen = env.last()[0]
            assert equal(seen["observation"], state.observation_tensor(actor))
            assert equal(batch.observations[1], state.observation_tensor(actor))
            assert equal(seen["action_mask"], state.legal_actions_mask())
            assert equal(batch.action_masks[1], state.legal_actions_mask())
            action = mixed(seen["action_mask"], number)
            env.step(action)
            batch.step([mixed(batch.action_masks[0], number), action])
        if not states[-1].is_terminal():
            return
        assert list(env.rewards.values()) == states[-1].returns()
        assert batch.rewards[1].tolist() == pytest.approx(states[-1].returns())
        env.reset()


@EVERY_OPTION_SET
def test_one_seat_sees_the_game_of_the_state(name: str, options: dict[str, Any]) -> None:
    """Single and vector, against opponents that a State can be played with by hand; two games in a row."""
    game = load_game(name, **options)
    env = SeatEnv(game, opponents=Last())
    vector = SeatVectorEnv(game, 2, opponents=Last())
    observation, info = env.reset(seed=8)
    seen, infos = vector.reset(seed=[1, 8])
    for _ in range(2):
        state = game.new_initial_state(int(env.seats.seeds[0]))
        for number in range(LONGEST):
            let_others_play(state, info["seat"])
            if state.is_terminal():
                break
            expected = state.observation_tensor(info["seat"])
            assert equal(observation, expected)
            assert equal(seen[1], expected)
            assert equal(info["action_mask"], state.legal_actions_mask())
            assert equal(infos["action_mask"][1], state.legal_actions_mask())
            assert infos["seat"][1] == info["seat"]
            action = mixed(info["action_mask"], number)
            state.apply_action(action)
            observation, reward, _, _, info = env.step(action)
            seen, rewards, _, _, infos = vector.step(np.array([infos["action_mask"][0].argmax(), action]))
            assert reward == pytest.approx(rewards[1])
        else:
            return
        assert reward == pytest.approx(state.returns()[info["seat"]])
        assert equal(infos["final_obs"][1], state.observation_tensor(info["seat"]))
        observation, info = env.reset()


def let_others_play(state: State, seat: int) -> None:
    while state.current_player() not in (seat, -1):
        state.apply_action(last_legal(state.legal_actions_mask()))


@EVERY_GAME
def test_opponents_do_not_touch_the_game_s_chance(name: str) -> None:
    """Whoever plays, and however he draws, the game's own stream gives the same: same play, same game."""

    class RandomInPython(RandomPolicy):
        compiled_pilot = None  # type: ignore[assignment]

    for opponents in ("random", RandomInPython()):
        env = SeatEnv(name, opponents=opponents, seat=0)
        env.reset(seed=6)
        first = load_game(name).new_initial_state(6)
        assert env.game_state.to_position()["options"] == first.to_position()["options"]
        if first.current_player() == 0:
            assert equal(env.game_state.to_position(), first.to_position())
            assert env.game_state._words.tolist() == first._words.tolist()


@EVERY_GAME
def test_resets_follow_the_seed(name: str) -> None:
    """After a seeded reset the games that follow are fixed too; unseeded environments differ."""

    def games(env: SeatEnv, seed: int | None) -> list[Any]:
        return [env.reset(seed=seed)[0], *(env.reset()[0] for _ in range(3))]

    env = SeatEnv(name)
    first = games(env, 12)
    assert equal(first, games(env, 12))
    assert equal(first, games(SeatEnv(name), 12))
    assert not equal(first, games(env, 13))
    assert not equal(games(SeatEnv(name), None), games(SeatEnv(name), None))


PLAY = """
import hashlib, sys
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.registry import load_game
seats = SeatBatch(load_game(sys.argv[1]), 3, "mix(random,greedy)", seed=4)
seats.reset()
digest = hashlib.sha256()
for _ in range(60):
    seats.step(seats.action_masks.argmax(axis=1))
    for array in (seats.observations, seats.action_masks, seats.seats, seats.rewards, seats.episode_lengths):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


@EVERY_GAME
def test_interpreted_and_compiled_agree(name: str) -> None:
    """The loop of a learner against compiled opponents, as plain Python and as compiled code."""
    digests = {
        subprocess.run(
            [sys.executable, "-c", PLAY, name],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    }
    assert len(digests) == 1
