"""Policies and histories: one that knows some decisions plays wherever it sees these and more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.envs.seats import SeatBatch
from carnival_envs.evaluation.matches import play_matches
from carnival_envs.policies.base import choose
from carnival_envs.policies.network import Network, input_size, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, layout_hash, read_policy_file, write_policy_file
from carnival_envs.policies.specs import make_policy

NAME, KNOWN, SHOWN = "carnavalo", 2, 6
ADVICE = [pytest.param(0.0, id="alone"), pytest.param(0.5, id="advised")]


def game_with(history: int) -> Game:
    return load_game(NAME, num_players=2, history=history)


def spec_of(path: Path, history: int, advice: float = 0.0) -> str:
    """A random policy for a game with some history, by its file."""
    game = game_with(history)
    sizes = (input_size(game, advised=advice > 0), 8, game.num_actions)
    parameters = np.random.default_rng(3).normal(size=num_parameters(sizes)).astype(np.float32)
    write_policy_file(path, PolicyFile.of(game, Network(sizes, "tanh", parameters), advice=advice))
    return f"policy:{path}"


def states(game: Game, decisions: int) -> list[State]:
    """The states of the first decisions of a random game."""
    rng = np.random.default_rng(1)
    state = game.new_initial_state(seed=1)
    made = [state.__copy__()]
    for _ in range(decisions):
        state.apply_action(int(rng.choice(state.legal_actions())))
        made.append(state.__copy__())
    return made


@pytest.mark.parametrize("advice", ADVICE)
def test_it_plays_alike_where_more_is_shown(tmp_path: Path, advice: float) -> None:
    spec = spec_of(tmp_path / "policy.npz", KNOWN, advice)
    choices = []
    for history in (KNOWN, SHOWN):
        game = game_with(history)
        views = Views.of_states(states(game, 20))
        choices.append(choose(make_policy(spec, game), views, np.random.default_rng(0)))
    np.testing.assert_array_equal(*choices)


def test_the_history_that_it_knows_is_looked_at(tmp_path: Path) -> None:
    """The network itself, on the observations of its own game, chooses as the policy does in a game with more."""
    path = tmp_path / "policy.npz"
    spec = spec_of(path, KNOWN)
    own, longer = Views.of_states(states(game_with(KNOWN), 20)), Views.of_states(states(game_with(SHOWN), 20))
    blank = own.observations()
    blank[:, game_with(0).observation_size :] = 0
    network = read_policy_file(path).network
    assert not np.array_equal(network.logits(blank), network.logits(own.observations()))
    played = choose(make_policy(spec, longer.game), longer, np.random.default_rng(0))
    np.testing.assert_array_equal(played, network.best_actions(own.observations(), own.masks))


@pytest.mark.parametrize("history", [0, KNOWN - 1])
def test_less_than_it_knows_is_refused(tmp_path: Path, history: int) -> None:
    spec = spec_of(tmp_path / "policy.npz", KNOWN)
    message = rf"policy\.npz: .* trained with history=2, which has to be that or more, not {history}"
    with pytest.raises(ValueError, match=message):
        make_policy(spec, game_with(history))


def test_another_number_of_players_is_still_refused(tmp_path: Path) -> None:
    spec = spec_of(tmp_path / "policy.npz", KNOWN)
    with pytest.raises(ValueError, match="trained with num_players=2, not 3"):
        make_policy(spec, load_game(NAME, num_players=3, history=SHOWN))


def test_a_policy_of_another_length_is_refused_by_its_observations(tmp_path: Path) -> None:
    """A policy is made for a game: in another one it can't know what is older than it knows."""
    policy = make_policy(spec_of(tmp_path / "policy.npz", KNOWN), game_with(SHOWN))
    with pytest.raises(ValueError, match=r"observations\.shape"):
        choose(policy, Views.of_states(states(game_with(SHOWN + 1), 3)), np.random.default_rng(0))


def test_the_file_tells_the_history(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    spec_of(path, KNOWN)
    assert read_policy_file(path).history == KNOWN
    assert len({layout_hash(game_with(0), history) for history in range(4)}) == 4


def test_what_ships_plays_in_a_game_with_a_history() -> None:
    """The same games, seat by seat, with a history and without."""
    results = []
    for history in (0, SHOWN):
        game = game_with(history)
        policies = [make_policy("zoo", game), make_policy("greedy", game)]
        results.append(play_matches(game, policies, [[0, 1], [1, 0]], [5, 6]))
    np.testing.assert_array_equal(results[0].scores, results[1].scores)


def test_opponents_know_what_they_were_trained_with(tmp_path: Path) -> None:
    """The learner's game goes the same way, whether or not more is shown than its opponent knows."""
    spec = spec_of(tmp_path / "policy.npz", KNOWN)
    seen = []
    for history in (KNOWN, SHOWN):
        seats = SeatBatch(game_with(history), 4, spec, seed=2)
        seats.reset()
        for _ in range(25):
            seats.step(seats.action_masks.argmax(axis=1))
        seen.append(seats.observations[:, : game_with(KNOWN).observation_size].copy())
    np.testing.assert_array_equal(*seen)
