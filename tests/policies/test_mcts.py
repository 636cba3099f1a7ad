"""Tree search as a policy: what it sees, that it repeats itself, that it finds what is there to find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carnival_envs.core import search as search_module
from carnival_envs.core.search import CHUNK, Root, SearchOptions, Tree, root_visits
from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.evaluation import evaluate
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.mcts import MCTSPolicy
from carnival_envs.policies.specs import make_policy
from carnival_envs.registry import GAMES, definition, load_game
from tests.variants import random_game

SIMULATIONS = 60


def middle(name: str, options: dict[str, Any], moves: int = 25) -> State:
    """A state after some random moves."""
    states = random_game(load_game(name, **options), seed=3)
    for _ in range(moves):
        next(states)
    return next(states)


def one_per_game() -> list[Any]:
    return [pytest.param(name, {"num_players": definition(name).player_counts()[-1]}, id=name) for name in GAMES]


@pytest.mark.parametrize(("name", "options"), one_per_game())
def test_search_sees_the_view_and_never_the_state(name: str, options: dict[str, Any]) -> None:
    """Whatever is hidden may change: at equal seeds the search tries the same moves equally often."""
    state = middle(name, options)
    player = state.current_player()
    search = SearchOptions(simulations=SIMULATIONS)
    tried = root_visits(state.view(player), search, np.random.default_rng(1))
    for seed in range(3):
        other = state.resample(player, seed=seed)
        assert np.array_equal(root_visits(other.view(player), search, np.random.default_rng(1)), tried)


@pytest.mark.parametrize(("name", "options"), one_per_game())
def test_every_simulation_is_a_legal_try(name: str, options: dict[str, Any]) -> None:
    state = middle(name, options)
    for rollout in ("random", "greedy"):
        search = SearchOptions(simulations=SIMULATIONS, rollout=rollout, depth=12, threads=2)
        tried = root_visits(state.view(state.current_player()), search, np.random.default_rng(2))
        assert tried.sum() == SIMULATIONS
        assert set(np.flatnonzero(tried)) <= set(state.legal_actions())


@pytest.mark.parametrize("threads", [1, 3])
def test_equal_generators_search_alike(threads: int) -> None:
    """However the threads are scheduled."""
    state = middle("carnavalo", {"num_players": 3})
    view = state.view(state.current_player())
    search = SearchOptions(simulations=300, threads=threads)
    first, again, other = (root_visits(view, search, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_threads_share_the_simulations_and_grow_trees_of_their_own() -> None:
    """Three trees of 100 are none of 300: each tries everything once, whatever the others have found."""
    state = middle("carnavalo", {"num_players": 3})
    view = state.view(state.current_player())
    together = root_visits(view, SearchOptions(simulations=300, threads=3), np.random.default_rng(1))
    rng = np.random.default_rng(1)
    seeds = [int(rng.integers(1 << 62)) for _ in range(3)]
    trees = [Tree(view, SearchOptions(simulations=100), seed) for seed in seeds]
    for tree in trees:
        tree.simulate(100)
    assert np.array_equal(together, sum(tree.root().visits for tree in trees))


def test_more_simulations_play_better() -> None:
    """Each tenfold budget wins most games against the last, and the smallest is no worse than random play."""
    game = load_game("carnavalo", num_players=2)
    for weak, strong in (("random", "mcts:4"), ("mcts:4", "mcts:40"), ("mcts:40", "mcts:400")):
        better = evaluate(game, [strong, weak], games=40).standings[0]
        assert better.policy == strong
        assert better.win_share.low > 0.5


def test_equally_tried_actions_are_told_apart_by_their_returns() -> None:
    root = Root(np.array([1, 3, 3, 0, 3]), np.array([9.0, -1.0, 0.5, 0.0, 0.5]))
    assert root.best() == 2


@pytest.mark.parametrize(("name", "options"), one_per_game())
def test_the_smallest_search_plays_as_its_rollouts_do(name: str, options: dict[str, Any]) -> None:
    """With greedy rollouts the first try is the move of the baseline bot."""
    policy, views = MCTSPolicy(SearchOptions(simulations=1, rollout="greedy")), Views.of_states([middle(name, options)])
    moves = {int(policy.act_on_views(views, np.random.default_rng(seed))[0]) for seed in range(5)}
    bots = {int(GreedyPolicy().act_on_views(views, np.random.default_rng(seed))[0]) for seed in range(40)}
    assert moves <= bots


def test_a_full_tree_is_searched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for 49 nodes and the root, all of 640 simulations are legal tries."""
    monkeypatch.setattr(search_module, "MOST_TIMED_NODES", 50)
    state = middle("carnavalo", {"num_players": 2}, moves=10)
    tree = Tree(state.view(state.current_player()), SearchOptions(milliseconds=1), seed=3)
    tree.simulate(640)
    assert tree.root().visits.sum() == 640
    assert set(np.flatnonzero(tree.root().visits)) <= set(state.legal_actions())


def test_a_budget_of_time_ends_and_every_chunk_counts() -> None:
    state = middle("carnavalo", {"num_players": 2}, moves=10)
    tried = root_visits(state.view(state.current_player()), SearchOptions(milliseconds=1), np.random.default_rng(0))
    assert tried.sum() >= CHUNK
    assert tried.sum() % CHUNK == 0
    assert set(np.flatnonzero(tried)) <= set(state.legal_actions())


def test_search_finds_the_last_dice() -> None:
    """Solo, one decision before the end: the search must find the best last placement, by exhaustive count."""
    game = load_game("carnavalesco", num_players=1, school_colors=["R", "B"])
    states = [state.clone(seed=0) for state in random_game(game, seed=5)]
    state = states[-5]  # the choice of a die and an element, twice, and the end
    best: dict[int, float] = {}
    for first in state.legal_actions():
        best[first] = max(value_of(state, [first, *line]) for line in lines(state, first))
    policy = MCTSPolicy(SearchOptions(simulations=3000, exploration=0.3))
    move = int(policy.act_on_views(Views.of_states([state]), np.random.default_rng(0))[0])
    assert best[move] == max(best.values())


def lines(state: State, first: int) -> list[list[int]]:
    """All ways to play on to the end after a first action."""
    after = state.clone(seed=0)
    after.apply_action(first)
    if after.is_terminal():
        return [[]]
    return [[action, *line] for action in after.legal_actions() for line in lines(after, action)]


def value_of(state: State, actions: list[int]) -> float:
    after = state.clone(seed=0)
    for action in actions:
        after.apply_action(action)
    return after.returns()[0]


def test_specs() -> None:
    game = load_game("carnavalesco")
    policy = make_policy("mcts:200?rollout=greedy&exploration=1.5&threads=2", game)
    assert isinstance(policy, MCTSPolicy)
    assert policy.options == SearchOptions(simulations=200, rollout="greedy", exploration=1.5, threads=2)


def test_a_spec_of_time() -> None:
    policy = make_policy("mcts:50ms?threads=2", load_game("carnavalesco"))
    assert isinstance(policy, MCTSPolicy)
    assert policy.options == SearchOptions(milliseconds=50, threads=2)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:ms", "milliseconds"),
        ("mcts:-5ms", "milliseconds"),
        ("mcts:0ms", "mcts milliseconds: '0' is not allowed; allowed: at least 1"),
        ("mcts:0", "simulations"),
        ("mcts:many", "simulations"),
        ("mcts:9?rollouts=greedy", "did you mean 'rollout'"),
        ("mcts:9?rollout=best", "rollout"),
        ("mcts:9?exploration=-1", "exploration"),
        ("mcts:9?depth=x", "depth"),
        ("mcts:9?depth=99999999999999999999", "depth"),
        ("mcts:9?threads=1000000", "threads"),
        ("mcts:99999999999999", "simulations"),
        ("mcts:99999999999999ms", "milliseconds"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_policy(spec, load_game("carnavalesco"))
