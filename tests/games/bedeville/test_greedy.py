"""The baseline bot of section 15: its choices in simple positions, and its strength."""

from __future__ import annotations

import numpy as np
import pytest

from carnival_envs.core.chance import seeded_words
from carnival_envs.core.loops import GREEDY, RANDOM
from carnival_envs.registry import load_game
from tests.games.bedeville.tables import Document, load, play, table
from tests.variants import greedy_action


def choice(document: Document, *actions: str, chance: list[int] | None = None) -> str:
    """What the bot does in a position."""
    state = play(document, *actions, chance=chance) if actions else load(document)
    return state.game.action_to_string(greedy_action(state, seed=1))


def test_buys_what_is_worth_more_than_the_joy_paid() -> None:
    """Grand Prize: 10 VP for 6 tokens; Ghost Balloon: 2 VP for 2 tokens at home, for 3 next door."""
    rich = table(joy={0: [3, 3, 3]}, stalls={2: "rocking_horse grand_prize", 1: "giant_bear ghost_balloon"})
    assert choice(rich) == "buy:2"
    poor = table(joy={0: [2, 1, 0]}, stalls={2: "rocking_horse grand_prize", 1: "giant_bear ghost_balloon"})
    assert choice(poor).startswith("move")


def test_pays_with_the_colour_it_wants_least() -> None:
    """Only pink Prizes are left to wish for: yellow is spent on the skull of the Ghost Balloon."""
    stalls = dict.fromkeys(range(10), "")
    stalls = {**stalls, 2: "puppet ghost_balloon", 5: "cotton_cobweb"}
    assert choice(table(joy={0: [2, 2, 0]}, stalls=stalls), "buy:2") == "pay:yellow"


@pytest.mark.parametrize(("character", "move"), [("albert", "move:3"), ("clay", "move:9")])
def test_albert_may_lack_a_token(character: str, move: str) -> None:
    """B-9, B-11: after the two blue of the Deep Sea Ride a Puppet, 2 pink and 2 yellow, lacks one pink only."""
    stalls = {**dict.fromkeys(range(10), ""), 3: "puppet", 9: "ghost_balloon"}
    # Every Attraction within reach gives two Joy, and is as loud afterwards as the loudest: the Prizes decide.
    assert choice(table(f"johnny {character} cindy heidi", active=1, joy={1: [1, 2, 0]}, stalls=stalls)) == move


def test_passes_windows_and_draws() -> None:
    """No ability before the draw."""
    assert choice(table(active=1), "move:3", "skip") == "draw"


def test_aims_noise_at_the_loudest_opponent() -> None:
    """Heidi's Attraction has most Noise of the opponents'."""
    start = table(cards={3: "blind_shot", 6: "deep_sea_ride"}, noise={8: 3, 6: 1})
    assert choice(start, "move:3") == "pick:8"


@pytest.mark.parametrize(("players", "least"), [(2, 0.92), (3, 0.9), (4, 0.86)])
def test_beats_random_players(players: int, least: float) -> None:
    """Section 15: 97, 97 and 94 % of 150 games; here less four standard errors."""
    game = load_game("bedeville", num_players=players)
    view, mask = np.zeros(1, dtype=game.definition.state), np.zeros(game.num_actions, dtype=np.int8)
    words = seeded_words(0)
    wins = 0
    for seed in range(150):
        state = game.new_initial_state(seed=seed)
        pilots = np.full(4, RANDOM, dtype=np.int8)
        pilots[seed % players] = GREEDY
        game.engine.play_out(game.rules, state._record, words, pilots, view, mask, 10_000)
        wins += state.winners() == [seed % players]
    assert wins / 150 >= least
