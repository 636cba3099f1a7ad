"""Tree search with networks: its steps by hand, what it sees, that it repeats itself, that it plays better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.evaluation import evaluate
from carnival_envs.policies import puct as puct_module
from carnival_envs.policies.network import Network, ValueNetwork, input_size, num_parameters
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file
from carnival_envs.policies.puct import PUCTOptions, PUCTPolicy, PUCTTree, oracle_of
from carnival_envs.policies.puct_loops import (
    NODE,
    NOTHING,
    ROOT,
    VIRTUAL_LOSS,
    Nodes,
    add_child,
    back_up,
    best_child,
    share_out,
)
from carnival_envs.policies.specs import make_policy
from carnival_envs.registry import GAMES, definition
from tests.variants import random_game

SIMULATIONS = 60
HIDDEN = 8


def random_network(sizes: tuple[int, ...], seed: int) -> Network:
    parameters = np.random.default_rng(seed).normal(0, 0.3, num_parameters(sizes))
    return Network(sizes, "tanh", parameters.astype(np.float32))


def policy_file(game: Game, *, advice: float = 0.0, reward: str = "win", value: bool = True) -> PolicyFile:
    """Networks that know nothing, but something else of every position."""
    inputs = input_size(game, advised=advice != 0)
    network = random_network((inputs, HIDDEN, game.num_actions), seed=1)
    foretelling = ValueNetwork(random_network((inputs, HIDDEN, 1), seed=2), reward) if value else None
    return PolicyFile.of(game, network, advice=advice, value=foretelling)


def middle(game: Game, moves: int = 25) -> State:
    """A state with a choice after some random moves."""
    states = random_game(game, seed=3)
    for _ in range(moves):
        next(states)
    return next(state for state in states if len(state.legal_actions()) > 1)


def one_per_game() -> list[Any]:
    return [pytest.param(name, definition(name).player_counts()[-1], id=name) for name in GAMES]


def visits(state: State, file: PolicyFile, seed: int = 1, **options: Any) -> np.ndarray:
    search = PUCTPolicy(file, PUCTOptions(**{"simulations": SIMULATIONS, **options}))
    return search.root(state.view(state.current_player()), np.random.default_rng(seed)).visits


# Steps, by hand ---------------------------------------------------------------------------------------------------

MOVER = 1


def small_tree(*children: tuple[float, int, float]) -> Nodes:
    """A root with children for the actions 0, 1, ...: prior, visits and value of each; all were foretold 0.2."""
    nodes = np.zeros(8, dtype=NODE)
    for action, (prior, tries, value) in enumerate(children):
        add_child(nodes, action + 1, ROOT, action, MOVER, prior, 0.2)
        nodes[action + 1]["visits"], nodes[action + 1]["value"], nodes[action + 1]["available"] = tries, value, 4
    return nodes


def mask(*legal: int) -> np.ndarray:
    return np.array([action in legal for action in range(4)], dtype=np.int8)


def test_the_bound_by_hand() -> None:
    """At the fifth pass, with the constant 1:

    action 0: 1.5 / 3 + 0.5 * sqrt(5) / 4 = 0.780; 1: 0.1 / 1 + 0.3 * sqrt(5) / 2 = 0.435; 2: 0.2 + 0.2 * sqrt(5) / 1 =
    0.647. With the constant 2 it is 1.059, 0.771 and 1.094.
    """
    children = ((0.5, 3, 1.5), (0.3, 1, 0.1), (0.2, 0, 0.0))
    assert best_child(small_tree(*children), ROOT, MOVER, mask(0, 1, 2), 1.0) == 1 + 0
    assert best_child(small_tree(*children), ROOT, MOVER, mask(0, 1, 2), 2.0) == 1 + 2


def test_priors_count_in_proportion_to_the_legal_actions() -> None:
    """Without action 0, of prior 0.8, the others have 0.75 and 0.25.

    With the constant 0.5 at the fifth pass: 0.75 * 0.5 * sqrt(5) / 2 = 0.419 and 0.2 + 0.25 * 0.5 * sqrt(5) = 0.480;
    with their bare priors 0.15 and 0.05 it would be 0.084 and 0.256. With 1.3: 1.090 against 0.927; bare: 0.218, 0.345.
    """
    children = ((0.8, 3, 3.0), (0.15, 1, 0.0), (0.05, 0, 0.0))
    assert best_child(small_tree(*children), ROOT, MOVER, mask(1, 2), 0.5) == 1 + 2
    assert best_child(small_tree(*children), ROOT, MOVER, mask(1, 2), 1.3) == 1 + 1


def test_availability_counts_where_an_action_is_legal() -> None:
    nodes = small_tree((0.5, 3, 1.5), (0.5, 1, 0.1))
    best_child(nodes, ROOT, MOVER, mask(1), 1.0)
    assert nodes["available"][1:3].tolist() == [4, 5]


@pytest.mark.parametrize(("mover", "legal"), [(MOVER, (0, 1, 2)), (0, (0, 1))], ids=["untried action", "other mover"])
def test_an_action_without_a_child_is_looked_at_first(mover: int, legal: tuple[int, ...]) -> None:
    nodes = small_tree((0.5, 3, 1.5), (0.5, 1, 0.1))
    assert best_child(nodes, ROOT, mover, mask(*legal), 1.0) == NOTHING


@pytest.mark.parametrize(("players", "wanted"), [(1, [0.6]), (2, [0.6, -0.6]), (4, [0.6, -0.2, -0.2, -0.2])])
def test_what_one_earns_the_others_share_alike(players: int, wanted: list[float]) -> None:
    returns = np.full(players, 9.0)
    share_out(0.6, 0, returns)
    assert returns.tolist() == pytest.approx(wanted)


def test_every_mover_counts_his_own_return() -> None:
    """In place of the loss that was counted while the leaf waited."""
    nodes = np.zeros(4, dtype=NODE)
    add_child(nodes, 1, ROOT, 0, 0, 1.0, 0.0)
    add_child(nodes, 2, 1, 0, 2, 1.0, 0.0)
    nodes["value"][1:3] -= VIRTUAL_LOSS
    back_up(nodes, 2, np.array([0.5, 0.0, -0.5]))
    assert nodes["value"].tolist() == [0.0, 0.5, -0.5, 0.0]


# Laws over every game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), one_per_game())
def test_search_sees_the_view_and_never_the_state(name: str, players: int) -> None:
    """Whatever is hidden may change: at equal seeds the search tries the same moves equally often."""
    game = load_game(name, num_players=players)
    state, file = middle(game), policy_file(game, advice=2.0)
    tried = visits(state, file)
    for seed in range(3):
        assert np.array_equal(visits(state.resample(state.current_player(), seed=seed), file), tried)


@pytest.mark.parametrize(("name", "players"), one_per_game())
@pytest.mark.parametrize("batch", [1, 8])
def test_every_simulation_is_a_legal_try(name: str, players: int, batch: int) -> None:
    game = load_game(name, num_players=players)
    state = middle(game)
    tried = visits(state, policy_file(game, reward="score"), batch=batch, threads=2)
    assert tried.sum() == SIMULATIONS
    assert set(np.flatnonzero(tried)) <= set(state.legal_actions())


@pytest.mark.parametrize(("name", "players"), one_per_game())
def test_the_smallest_search_plays_as_the_network(name: str, players: int) -> None:
    game = load_game(name, num_players=players)
    file, views = policy_file(game), Views.of_states([middle(game)])
    search = PUCTPolicy(file, PUCTOptions(simulations=1))
    wanted = file.network.best_actions(views.observations(), views.masks)
    assert search.act_on_views(views, np.random.default_rng(0)).tolist() == wanted.tolist()


# Search -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("carnavalo", num_players=3)


def grown_tree(game: Game, batch: int) -> Nodes:
    state = middle(game)
    options = PUCTOptions(simulations=300, batch=batch)
    tree = PUCTTree(state.view(state.current_player()), oracle_of(policy_file(game)), options, seed=4)
    tree.simulate(300)
    return tree._nodes[: tree._count]


@pytest.mark.parametrize("batch", [1, 16])
def test_no_virtual_loss_is_left(game: Game, batch: int) -> None:
    """Values are sums of returns in -1..1, and no node was passed more often than its parent."""
    nodes = grown_tree(game, batch)
    assert nodes["visits"][nodes["parent"] == ROOT].sum() == 300
    assert (np.abs(nodes["value"]) <= nodes["visits"] + 1e-9).all()
    inner = nodes["parent"] != ROOT
    passed = np.bincount(nodes["parent"][inner], nodes["visits"][inner], minlength=len(nodes))
    assert (passed <= nodes["visits"])[1:].all()


def test_a_batch_looks_at_several_actions_before_it_knows_the_worth_of_one(game: Game) -> None:
    """The first batch goes by priors alone, with every try counted as lost: not all of it tries the same."""
    state, file = middle(game), policy_file(game)
    assert np.count_nonzero(visits(state, file, simulations=8, batch=8)) > 1


def test_a_longer_history_than_it_knows_changes_nothing(game: Game) -> None:
    longer = load_game("carnavalo", num_players=3, history=4)
    assert np.array_equal(visits(middle(longer), policy_file(game)), visits(middle(game), policy_file(game)))


def test_a_history_is_searched_as_the_player_knows_it() -> None:
    game = load_game("carnavalo", num_players=3, history=4)
    state, file = middle(game), policy_file(game)
    tried = visits(state, file)
    assert np.array_equal(visits(state.resample(state.current_player(), seed=0), file), tried)


def test_networks_see_the_decisions_of_the_simulation() -> None:
    """In a game with a history: the first simulation is worth what the value network makes of the action it tried.

    Who takes a die goes on to place it, so that the value is that of the mover himself.
    """
    game = load_game("carnavalesco", num_players=2, history=1)
    state = next(s for s in random_game(game, seed=3) if s.phase() == "take" and len(s.legal_actions()) > 1)
    weights = np.zeros(game.observation_size + 1, dtype=np.float32)
    worth = np.linspace(0.1, 0.9, game.num_actions, dtype=np.float32)
    weights[-1 - game.num_actions : -1] = worth  # of ``event_1_action``, the last block; then the bias
    value = ValueNetwork(Network((game.observation_size, 1), "tanh", weights), "win")
    network = random_network((game.observation_size, game.num_actions), seed=1)
    tree = PUCTTree(
        state.view(state.current_player()), oracle_of(PolicyFile.of(game, network, value=value)), PUCTOptions(), seed=4
    )
    tree.simulate(1)
    (tried,) = tree._nodes[tree._nodes["visits"] > 0]
    assert tried["value"] == pytest.approx(worth[tried["action"]])


@pytest.mark.parametrize("threads", [1, 3])
def test_equal_generators_search_alike(game: Game, threads: int) -> None:
    """However the threads are scheduled."""
    state, file = middle(game), policy_file(game)
    first, again, other = (visits(state, file, seed, simulations=300, threads=threads) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_simulations_may_come_in_parts(game: Game) -> None:
    """The tree is the same, as long as whole batches are asked for."""
    state = middle(game)
    trees = [
        PUCTTree(state.view(state.current_player()), oracle_of(policy_file(game)), PUCTOptions(batch=8), seed=4)
        for _ in range(2)
    ]
    trees[0].simulate(96)
    for _ in range(3):
        trees[1].simulate(32)
    assert np.array_equal(trees[0].root().visits, trees[1].root().visits)


def test_a_full_tree_is_searched_on(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puct_module, "MOST_NODES", 50)
    state = middle(game)
    tried = visits(state, policy_file(game), simulations=640)
    assert tried.sum() == 640
    assert set(np.flatnonzero(tried)) <= set(state.legal_actions())


def test_a_budget_of_time_ends(game: Game) -> None:
    assert visits(middle(game), policy_file(game), milliseconds=1).sum() > 0


def test_a_game_for_one() -> None:
    solo = load_game("carnavalesco", num_players=1)
    assert visits(middle(solo, moves=5), policy_file(solo)).sum() == SIMULATIONS


def test_search_plays_better_than_the_policy_that_leads_it() -> None:
    game = load_game("carnavalo", num_players=2)
    share = evaluate(game, ["puct:zoo:100", "zoo"], games=80).pairings[0].win_share
    assert share.low > 0.5


# Specs ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    path = tmp_path / "value.npz"
    write_policy_file(path, policy_file(game))
    return path


def test_specs(game: Game, path: Path) -> None:
    policy = make_policy(f"puct:policy:{path}:64?exploration=2&batch=4&threads=2", game)
    assert isinstance(policy, PUCTPolicy)
    assert policy.options == PUCTOptions(simulations=64, exploration=2.0, batch=4, threads=2)
    timed = make_policy(f"puct:policy:{path}:50ms", game)
    assert isinstance(timed, PUCTPolicy)
    assert timed.options == PUCTOptions(milliseconds=50)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("puct:200", "policy file: '' is not allowed; allowed: zoo or policy:PATH"),
        ("puct:greedy:200", "policy file: 'greedy' is not allowed"),
        ("puct:zoo", "puct simulations: 'zoo'"),
        ("puct:zoo:many", "puct simulations: 'many'"),
        ("puct:zoo:0", "simulations: 0"),
        ("puct:zoo:0ms", "puct milliseconds: '0'"),
        ("puct:zoo:9?batch=0", "batch: 0"),
        ("puct:zoo:9?exploraton=1", "did you mean 'exploration'"),
        ("puct:zoo:9?rollout=greedy", "unknown option 'rollout'"),
    ],
)
def test_wrong_specs(game: Game, spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_policy(spec, game)


def test_a_game_without_a_policy_that_ships_is_named() -> None:
    with pytest.raises(ValueError, match="no policy ships for carnavalesco-1"):
        make_policy("puct:zoo:9", load_game("carnavalesco", num_players=1))


def test_a_missing_file_is_named(game: Game) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.npz: no such file"):
        make_policy("puct:policy:none.npz:200", game)


def test_a_policy_file_without_a_value_network_is_refused(game: Game, path: Path) -> None:
    write_policy_file(path, policy_file(game, value=False))
    with pytest.raises(ValueError, match=r"has no value network; `python -m training\.value FILE`"):
        make_policy(f"puct:policy:{path}:200", game)


def test_views_of_another_game_are_refused(game: Game) -> None:
    policy, other = PUCTPolicy(policy_file(game)), load_game("carnavalo", num_players=2)
    with pytest.raises(ValueError, match="num_players=3, not 2"):
        policy.act_on_views(Views.of_states([other.new_initial_state(seed=0)]), np.random.default_rng(0))
