"""Spec strings and the seating of opponents."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.core.loops import GREEDY, RANDOM
from carnival_envs.policies.base import AnyPolicy, compiled_pilot
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.policies.random import RandomPolicy
from carnival_envs.policies.specs import make_policy, parse_opponents, split_specs, weighted_spec


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("carnavalesco", num_players=4)


def test_words_name_policies(game: Game) -> None:
    assert isinstance(make_policy("random", game), RandomPolicy)
    assert isinstance(make_policy(" greedy ", game), GreedyPolicy)


def test_a_policy_names_itself(game: Game) -> None:
    policy = RandomPolicy()
    assert make_policy(policy, game) is policy


def test_compiled_twins() -> None:
    class Asked:
        def act(self, observations: object, masks: object, rng: object) -> np.ndarray:
            raise NotImplementedError

    assert compiled_pilot(RandomPolicy()) == RANDOM
    assert compiled_pilot(GreedyPolicy()) == GREEDY
    assert compiled_pilot(Asked()) is None


@pytest.mark.parametrize("spec", ["", "rondom", "random:3", "greedy:", "policy", "policy:", "mix(random:1)"])
def test_unknown_specs_are_named(game: Game, spec: str) -> None:
    with pytest.raises(ValueError, match=r"allowed: random, greedy, .*policy:PATH") as error:
        make_policy(spec, game)
    assert repr(spec) in str(error.value)


def test_near_words_are_suggested(game: Game) -> None:
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        make_policy("gredy", game)


def test_what_is_no_policy(game: Game) -> None:
    with pytest.raises(TypeError, match="neither a spec string nor a policy"):
        make_policy(3, game)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("random", ["random"]),
        ("random, greedy", ["random", "greedy"]),
        ("mix(random:3,greedy:1),greedy", ["mix(random:3,greedy:1)", "greedy"]),
    ],
)
def test_split(text: str, parts: list[str]) -> None:
    assert split_specs(text) == parts


@pytest.mark.parametrize("text", ["", "random,", ",greedy", "mix(random", "random)", "a),b(", "mix(a,b))"])
def test_what_does_not_split(text: str) -> None:
    with pytest.raises(ValueError, match="every parenthesis closed"):
        split_specs(text)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("random", ("random", 1.0)),
        ("random:3", ("random", 3.0)),
        ("greedy:0.5", ("greedy", 0.5)),
        ("policy:runs/best.npz", ("policy:runs/best.npz", 1.0)),
        ("policy:runs/best.npz:2", ("policy:runs/best.npz", 2.0)),
        ("policy:7", ("policy:7", 1.0)),
        ("mcts:400", ("mcts:400", 1.0)),
        ("mcts:400:2", ("mcts:400", 2.0)),
        ("puct:zoo:200", ("puct:zoo:200", 1.0)),
        ("puct:zoo:50ms:2", ("puct:zoo:50ms", 2.0)),
        ("puct:zoo:200?batch=8:2", ("puct:zoo:200?batch=8", 2.0)),
        ("puct:policy:a.npz:200", ("puct:policy:a.npz:200", 1.0)),
        ("puct:policy:a.npz:200:2", ("puct:policy:a.npz:200", 2.0)),
        (r"puct:policy:C:\a.npz:200", (r"puct:policy:C:\a.npz:200", 1.0)),
    ],
)
def test_weights_of_a_mix(entry: str, expected: tuple[str, float]) -> None:
    assert weighted_spec(entry) == expected


@pytest.mark.parametrize("entry", ["random:0", "greedy:-1", "greedy:nan"])
def test_weights_are_positive(entry: str) -> None:
    with pytest.raises(ValueError, match="a weight above 0"):
        weighted_spec(entry)


def seated(opponents: object, game: Game, seed: int = 0) -> list[AnyPolicy]:
    sampler = parse_opponents(opponents, game)  # type: ignore[arg-type]
    return [sampler.policies[index] for index in sampler.sample(np.random.default_rng(seed))]


def test_one_spec_takes_all_other_seats(game: Game) -> None:
    policies = seated("greedy", game)
    assert [type(policy) for policy in policies] == [GreedyPolicy] * 3
    assert policies[0] is policies[1] is policies[2]


def test_a_spec_for_each_other_seat(game: Game) -> None:
    for opponents in ("random,greedy,random", ["random", "greedy", "random"], ("random", GreedyPolicy(), "random")):
        assert [type(policy) for policy in seated(opponents, game)] == [RandomPolicy, GreedyPolicy, RandomPolicy]


def test_a_wrong_number_of_specs(game: Game) -> None:
    with pytest.raises(ValueError, match="each of the 3 other seats, not 2 specs"):
        parse_opponents("random,greedy", game)


def test_what_are_no_opponents(game: Game) -> None:
    with pytest.raises(TypeError, match="opponents: 3"):
        parse_opponents(3, game)  # type: ignore[arg-type]


def test_a_player_alone_has_no_opponents() -> None:
    solo = load_game("carnavalesco", num_players=1)
    assert parse_opponents("random", solo).sample(np.random.default_rng(0)) == ()


def test_a_mix_is_drawn_by_its_weights(game: Game) -> None:
    sampler = parse_opponents("mix(random:3,greedy:1)", game)
    rng = np.random.default_rng(7)
    draws = [sampler.sample(rng) for _ in range(4000)]
    shares = Counter(type(sampler.policies[index]) for draw in draws for index in draw)
    # 12,000 draws: a share of 3/4 has a standard deviation of 0.004
    assert abs(shares[RandomPolicy] / 12_000 - 0.75) < 0.02
    assert len(set(draws)) == 2**3  # the seats are drawn apart from each other


def test_a_mix_in_a_list(game: Game) -> None:
    sampler = parse_opponents("greedy,mix(random:1,greedy:1),random", game)
    rng = np.random.default_rng(0)
    draws = {tuple(type(sampler.policies[index]) for index in sampler.sample(rng)) for _ in range(100)}
    assert draws == {(GreedyPolicy, RandomPolicy, RandomPolicy), (GreedyPolicy, GreedyPolicy, RandomPolicy)}
    assert len(sampler.policies) == 2


def test_equal_generators_seat_equal_opponents(game: Game) -> None:
    sampler = parse_opponents("mix(random:1,greedy:1)", game)
    first, second = np.random.default_rng(3), np.random.default_rng(3)
    assert [sampler.sample(first) for _ in range(50)] == [sampler.sample(second) for _ in range(50)]


def test_a_pool_grows(game: Game) -> None:
    sampler = parse_opponents("random", game)
    sampler.policies.append(GreedyPolicy())
    assert sampler.sample(np.random.default_rng(0)) == (0, 0, 0)
    sampler.set_weights([0, 1])
    assert sampler.sample(np.random.default_rng(0)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 1.0], r"weights.shape: \(3, 2\) is not allowed; allowed: \(3, 1\)"),
        ([0.0], "one positive for every seat"),
        ([-1.0], "numbers of at least 0"),
        ([float("inf")], "numbers of at least 0"),
    ],
)
def test_weights_that_are_not_allowed(game: Game, weights: list[float], message: str) -> None:
    sampler = parse_opponents("random", game)
    with pytest.raises(ValueError, match=message):
        sampler.set_weights(weights)


def test_weights_of_an_infinite_sum_are_refused(game: Game) -> None:
    """They would leave all of the draws to the last policy."""
    with pytest.raises(ValueError, match="finite sum"):
        parse_opponents("mix(random:1e308,greedy:1e308)", game)
