"""The games in OpenSpiel: its own tests, the engine behind them, what players see, and its searches and ratings."""

from __future__ import annotations

import pickle
import unittest
from itertools import takewhile
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.registry import GAMES, definition

pyspiel = pytest.importorskip("pyspiel")

from carnival_envs.interop import openspiel  # noqa: E402  (needs pyspiel)

HIDING = [name for name in GAMES if not definition(name).perfect_information]
OPEN = [name for name in GAMES if definition(name).perfect_information]
OPTIONS = [
    ("bedeville", "num_players=3,variant=beginner,first_player='2'", {"variant": "beginner", "first_player": 2}),
    ("bedeville", "num_players=3,characters=monday/albert/clay", {"characters": ["monday", "albert", "clay"]}),
    ("carnavalesco", "num_players=3,divisions=A/S/choose", None),
    ("carnavalesco", "num_players=3,divisions=choose,first_player=none", {"divisions": "choose", "first_player": None}),
    ("carnavalo", "num_players=3,advanced=True,max_turns=20", {"advanced": True, "max_turns": 20}),
    ("carnival", "num_players=3,natural_ticket=False,attractions_to_win=3", {"natural_ticket": False}),
]


@pytest.fixture(scope="module", autouse=True)
def registered() -> list[str]:
    return openspiel.register()


def load(name: str, **parameters: Any) -> Any:
    openspiel.register()
    return pyspiel.load_game(openspiel.PREFIX + name, parameters)


def random_move(state: Any, rng: np.random.Generator) -> int:
    moves = [move for move, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    return int(rng.choice(moves))


def advance(state: Any, rng: np.random.Generator, decisions: int) -> Any:
    """Play at random until a decision, or the end, is reached; so many decisions further."""
    while not state.is_terminal() and (state.is_chance_node() or decisions > 0):
        decisions -= not state.is_chance_node()
        state.apply_action(random_move(state, rng))
    return state


# Loading ----------------------------------------------------------------------------------------------------------


def test_every_game_is_registered_once(registered: list[str]) -> None:
    assert registered == [f"python_carnival_envs_{name}" for name in GAMES]
    assert openspiel.register() == registered
    for name in registered:
        assert pyspiel.registered_names().count(name) == 1


@pytest.mark.parametrize("name", GAMES)
def test_what_openspiel_knows_of_a_game(name: str) -> None:
    game, own = load(name, num_players=2), load_game(name, num_players=2)
    kind = game.get_type()
    assert kind.long_name == own.definition.title
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert (kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION) == (name in OPEN)
    assert [kind.min_num_players, kind.max_num_players] == [
        own.definition.player_counts()[0],
        own.definition.player_counts()[-1],
    ]
    assert (game.num_players(), game.num_distinct_actions()) == (2, own.num_actions)
    assert game.observation_tensor_size() == own.observation_size
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)


@pytest.mark.parametrize(("name", "parameters", "options"), OPTIONS)
def test_options_are_parameters(name: str, parameters: str, options: dict[str, Any] | None) -> None:
    string = f"{openspiel.PREFIX}{name}({parameters})"
    if options is None:
        with pytest.raises(ValueError, match="divisions"):
            pyspiel.load_game(string)
        return
    game = pyspiel.load_game(string)
    assert game.game.options["num_players"] == 3
    assert {option: game.game.options[option] for option in options} == options
    assert pyspiel.load_game(str(game)).game == game.game, "the name of a loaded game loads it again"


def test_a_history_is_a_parameter() -> None:
    game = pyspiel.load_game(f"{openspiel.PREFIX}carnival(history=3)")
    assert game.game == load_game("carnival", history=3)
    assert pyspiel.load_game(str(game)).game == game.game
    state = advance(game.new_initial_state(), np.random.default_rng(8), 5)
    seen = state.observation_tensor(1)
    assert len(seen) == game.observation_tensor_size() == game.game.observation_size
    own = state.node.state.observation(1)
    assert own["event_1_player"].sum() == own["event_3_action"].sum() == 1
    np.testing.assert_array_equal(seen, state.node.state.observation_tensor(1))


def test_a_single_player_has_no_zero_sum() -> None:
    game = load("carnavalesco", num_players=1)
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert game.utility_sum() is None


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"num_players": 9}, "num_players: 9 is not allowed"), ({"reward": "score"}, "reward: 'score' .*'win' or 'rank'")],
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load("carnival", **parameters)
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'nope'"):
        load("carnival", nope=1)


# OpenSpiel's own tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(load(name, num_players=2), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_api(name: str) -> None:
    from open_spiel.integration_tests import api_test

    game = load(name, num_players=definition(name).player_counts()[-1])
    case = type(name, (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": name})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 4
    assert not result.errors + result.failures


# The engine behind ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", openspiel.REWARDS)
@pytest.mark.parametrize("name", GAMES)
def test_the_outcomes_of_chance_are_the_draws_of_the_engine(name: str, reward: str) -> None:
    """A scripted game of the engine with the same draws takes the same course, and asks for no draw more."""
    rng = np.random.default_rng(5)
    state = load(name, num_players=2, reward=reward).new_initial_state()
    while not state.is_terminal():
        state.apply_action(random_move(state, rng))
    history = state.full_history()
    draws = [step.action for step in history if step.player == pyspiel.PlayerId.CHANCE]
    decisions = [step for step in history if step.player != pyspiel.PlayerId.CHANCE]
    own = load_game(name, num_players=2).new_initial_state(chance=draws)
    for step in decisions:
        assert own.current_player() == step.player
        own.apply_action(step.action)
    assert own.chance_left == 0
    assert own.is_terminal()
    assert state.returns() == own.returns(reward)
    assert str(state) == str(own)


@pytest.mark.parametrize("name", GAMES)
def test_decisions_are_those_of_the_engine(name: str) -> None:
    rng = np.random.default_rng(6)
    game = load(name, num_players=2)
    state = game.new_initial_state()
    for _ in range(20):
        own = advance(state, rng, 1).node.state
        assert state.legal_actions() == own.legal_actions()
        assert state.returns() == [0, 0]
        for player in range(2):
            assert np.array_equal(np.float32(state.observation_tensor(player)), own.observation_tensor(player))
        action = state.legal_actions()[0]
        assert game.game.string_to_action(state.action_to_string(action)) == action
    assert state.observation_string(0) == own.text(0)


@pytest.mark.parametrize("name", GAMES)
def test_outcomes_of_a_draw_are_equally_likely(name: str) -> None:
    rng = np.random.default_rng(6)
    state = load(name, num_players=2).new_initial_state()
    while not state.is_chance_node():
        state.apply_action(random_move(state, rng))
    moves, probabilities = zip(*state.chance_outcomes(), strict=True)
    assert list(moves) == list(range(len(moves)))
    assert probabilities == (1 / len(moves),) * len(moves)


def test_a_draw_with_too_many_outcomes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openspiel, "MOST_OUTCOMES", 5)
    with pytest.raises(NotImplementedError, match=r"carnival draws one of [0-9]+; at most 5"):
        load("carnival")


@pytest.mark.parametrize("name", GAMES)
def test_copies_go_their_own_ways(name: str) -> None:
    """Copies and pickles are exact; what chance gives one of them is not decided for the others."""
    rng = np.random.default_rng(7)
    state = advance(load(name, num_players=2).new_initial_state(), rng, 12)
    before = str(state)
    restored = pickle.loads(pickle.dumps(state))
    for copy in (state.clone(), restored):
        assert str(copy) == before
        assert [copy.information_state_string(p) for p in range(2)] == [
            state.information_state_string(p) for p in range(2)
        ]
        copy.apply_action(copy.legal_actions()[0])
        assert str(copy) != before
        assert str(state) == before


# What players know ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_named_blocks_of_an_observation(name: str) -> None:
    from open_spiel.python.observation import make_observation

    game = load(name, num_players=2)
    state = advance(game.new_initial_state(), np.random.default_rng(8), 5)
    observation = make_observation(game)
    observation.set_from(state, player=1)
    assert list(observation.dict) == [block.name for block in game.game.observation_blocks]
    raw = state.node.state.observation(1)
    for block in game.game.observation_blocks:
        scale = max(abs(block.low), abs(block.high))
        np.testing.assert_allclose(observation.dict[block.name], raw[block.name] / scale, rtol=1e-6)
    with pytest.raises(ValueError, match="params"):
        make_observation(game, params={"size": 3})


@pytest.mark.parametrize("name", HIDING)
def test_samples_can_not_be_told_apart(name: str) -> None:
    rng = np.random.default_rng(9)
    state = advance(load(name, num_players=2).new_initial_state(), rng, 7)
    player = state.current_player()
    samples = [
        state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)) for seed in range(8)
    ]
    assert len({str(sample) for sample in samples}) > 1, "something is hidden"
    for sample in samples:
        assert sample.current_player() == player
        assert sample.legal_actions() == state.legal_actions()
        assert sample.information_state_string(player) == state.information_state_string(player)
        assert sample.observation_string(player) == state.observation_string(player)
        assert sample.observation_tensor(player) == state.observation_tensor(player)


@pytest.mark.parametrize("name", HIDING)
def test_a_sample_knows_no_more_than_the_player(name: str) -> None:
    """From two states that a player can't tell apart he gets the same samples, the others' memories included."""
    rng = np.random.default_rng(10)
    state = advance(load(name, num_players=2).new_initial_state(), rng, 7)
    player = state.current_player()
    twin = state.resample_from_infostate(player)
    one, other = (
        world.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(3, 0.0, 1.0)) for world in (state, twin)
    )
    for _ in range(10):
        assert str(one) == str(other)
        if one.is_terminal():
            break
        if not one.is_chance_node():
            assert [one.information_state_string(p) for p in range(2)] == [
                other.information_state_string(p) for p in range(2)
            ]
        move = random_move(one, rng)
        one.apply_action(move)
        other.apply_action(move)


def test_during_the_set_up_there_is_nothing_to_see() -> None:
    state = load("carnival").new_initial_state()
    assert state.is_chance_node()
    assert not any(state.observation_tensor(0))
    assert state.observation_string(0) == "set-up"
    with pytest.raises(ValueError, match="nobody decides at a draw"):
        state.resample_from_infostate(0)
    with pytest.raises(ValueError, match="set-up is not complete"):
        _ = state.node.state


def worlds(game: Any) -> list[Any]:
    """What may come of the first draws of a game; each but the first differs from the first in one of them."""
    origin = game.new_initial_state()
    while not origin.is_chance_node():
        origin.apply_action(origin.legal_actions()[0])
    first, counts = origin.clone(), []
    while first.is_chance_node():
        counts.append(first.node.outcomes)
        first.apply_action(0)
    others = [world(origin, [int(place == at) for at in range(len(counts))]) for place in range(len(counts))]
    return [first, *[other for other in others if not other.is_chance_node()]]


def world(origin: Any, draws: list[int]) -> Any:
    """What comes of some draws, as far as they are asked for."""
    state = origin.clone()
    for draw in draws:
        if state.is_chance_node():
            state.apply_action(min(draw, state.node.outcomes - 1))
    return state


@pytest.mark.parametrize("name", HIDING)
def test_information_states_tell_apart_what_a_player_saw_and_nothing_else(name: str) -> None:
    first, *others = worlds(load(name, num_players=2))
    hidden = 0
    for player in range(2):
        for other in others:
            sees_the_same = other.observation_tensor(player) == first.observation_tensor(player)
            knows_the_same = other.information_state_string(player) == first.information_state_string(player)
            assert knows_the_same == sees_the_same
            hidden += sees_the_same and str(other) != str(first)
    assert hidden, "not everything is seen by everybody"


def test_information_states_remember() -> None:
    """Equal positions are told apart by what led to them; the parts of a digest do not run into each other."""
    state = load_game("carnival").new_initial_state(seed=1)
    start = openspiel.Memory(state)
    one, other = (openspiel.Memory(state, start, action) for action in (0, 1))
    own = state.current_player()
    assert len({memory.digest(own) for memory in (start, one, other)}) == 3
    assert openspiel.fold(b"ab", b"c") != openspiel.fold(b"a", b"bc")


# Searches, learners, ratings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HIDING)
def test_information_set_search(name: str) -> None:
    from open_spiel.python.algorithms.ismcts import ISMCTSBot

    game = load(name, num_players=2)
    state = advance(game.new_initial_state(), np.random.default_rng(11), 6)
    moves = []
    for _ in range(2):
        evaluator = openspiel.RolloutEvaluator(seed=1)
        bot = ISMCTSBot(game, evaluator, 1.0, 40, random_state=np.random.RandomState(1))
        bot.set_resampler(Resampler())
        moves.append(dict(bot.get_policy(state)))
    assert set(moves[0]) == set(state.legal_actions())
    assert sum(moves[0].values()) == pytest.approx(1)
    assert moves[0] == moves[1], "equal seeds give equal searches"
    bot.set_resampler(None)
    assert bot.step(state) in state.legal_actions()


class Resampler:
    """Samples with one seed after the other."""

    def __init__(self) -> None:
        self._seed = 0

    def __call__(self, state: Any, player: int) -> Any:
        self._seed += 1
        return state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(self._seed, 0.0, 1.0))


@pytest.mark.parametrize("name", GAMES)
def test_tree_search(name: str) -> None:
    from open_spiel.python.algorithms.mcts import MCTSBot

    game = load(name, num_players=2)
    state = advance(game.new_initial_state(), np.random.default_rng(12), 6)
    bot = MCTSBot(game, 1.0, 40, openspiel.RolloutEvaluator(seed=1), random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("rollout", ["random", "greedy"])
@pytest.mark.parametrize("name", GAMES)
def test_rollouts(name: str, rollout: str) -> None:
    """At the end a rollout is the result; before, returns of 0 sum that depend on the seed alone; the leaf is kept."""
    rng = np.random.default_rng(13)
    state = load(name, num_players=2).new_initial_state()
    start = str(state)
    one, same = (openspiel.RolloutEvaluator(4, seed=2, rollout=rollout).evaluate(state) for _ in range(2))
    assert np.array_equal(one, same)
    assert one.sum() == pytest.approx(0)
    assert np.abs(one).max() <= 1
    assert str(state) == start
    if state.is_chance_node():
        assert openspiel.RolloutEvaluator().prior(state) == state.chance_outcomes()
    advance(state, rng, 10**6)
    assert openspiel.RolloutEvaluator(3).evaluate(state).tolist() == state.returns()


@pytest.mark.parametrize(
    ("arguments", "message"), [({"rollout": "best"}, "rollout: 'best'"), ({"rollouts": 0}, "rollouts: 0")]
)
def test_wrong_rollouts(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        openspiel.RolloutEvaluator(**arguments)


SHORT = {"bedeville": {"max_rounds": 1}, "carnavalo": {"max_turns": 2}, "carnival": {"max_turns": 2}}
"""Options with which the last decisions of a game have a tree of a few nodes, whatever is done."""


def children(state: Any) -> list[Any]:
    if state.is_terminal():
        return []
    moves = [move for move, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
    return [state.child(move) for move in moves]


def is_small(state: Any, most_nodes: int) -> bool:
    nodes, waiting = 0, [state]
    while waiting and nodes <= most_nodes:
        nodes += 1
        waiting += children(waiting.pop())
    return nodes <= most_nodes


def last_decisions(game: Any, rng: np.random.Generator, most_nodes: int) -> Any:
    """The earliest decision of a random game from which on the tree is small."""
    state, decisions = game.new_initial_state(), []
    while not state.is_terminal():
        if not state.is_chance_node():
            decisions.append(state.clone())
        state.apply_action(random_move(state, rng))
    small = list(takewhile(lambda decision: is_small(decision, most_nodes), reversed(decisions)))
    return small[-1]


def clairvoyant_value(state: Any, player: int) -> float:
    """What the player expects who sees everything, when the other plays at random."""
    if state.is_terminal():
        return float(state.returns()[player])
    values = [clairvoyant_value(child, player) for child in children(state)]
    return max(values) if state.current_player() == player else float(np.mean(values))


@pytest.mark.parametrize("name", GAMES)
def test_exact_best_response_to_the_last_decisions(name: str) -> None:
    """It earns what it promises, no less than random play, and no more than who sees everything: as much where nothing
    is hidden.
    """
    from open_spiel.python.algorithms.best_response import BestResponsePolicy
    from open_spiel.python.algorithms.expected_game_score import policy_value
    from open_spiel.python.policy import UniformRandomPolicy

    game = load(name, num_players=2, **SHORT.get(name, {}))
    uniform, gains = UniformRandomPolicy(game), []
    for seed in range(8):
        root = last_decisions(game, np.random.default_rng(seed), most_nodes=1000)
        for player in range(2):
            response = BestResponsePolicy(game, player, uniform, root)
            value, most = response.value(root), clairvoyant_value(root, player)
            seats = [response if seat == player else uniform for seat in range(2)]
            assert policy_value(root, seats)[player] == pytest.approx(value)
            assert value == pytest.approx(most) if name in OPEN else value <= most + 1e-9
            gains.append(value - policy_value(root, [uniform, uniform])[player])
    assert min(gains) > -1e-9
    assert max(gains) > 0.3


@pytest.mark.parametrize("name", GAMES)
def test_reinforcement_learning_environment(name: str) -> None:
    """An agent of OpenSpiel's plays whole episodes through its environment, on masks and observations."""
    from open_spiel.python.algorithms.random_agent import RandomAgent
    from open_spiel.python.rl_environment import Environment

    env = Environment(load(name, num_players=2))
    size = load_game(name, num_players=2).observation_size
    agents = [RandomAgent(player, env.action_spec()["num_actions"]) for player in range(2)]
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == size
        step = env.step([agents[player].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)
