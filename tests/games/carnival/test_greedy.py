"""The baseline bot of Carnival in hand-made positions, and against random players (section 17)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carnival_envs.core.state import State
from carnival_envs.core.views import Views
from carnival_envs.policies.greedy import GreedyPolicy
from carnival_envs.registry import load_game
from tests.games.carnival.tables import NATURAL, Document, load, midway, play, table

GAMES = 60
LEAST_WON = {2: 0.85, 3: 0.75, 4: 0.70}
"""The specification reports 96% / 91% / 89% of 120 games; these are about four standard errors of 60 games less."""


def choice(state: State) -> str:
    """The bot's action for the current player."""
    action = GreedyPolicy().act_on_views(Views.of_states([state]), np.random.default_rng(0))[0]
    return state.game.action_to_string(int(action))


def greedy_table(phase: str, **fields: Any) -> Document:
    return table(phase, **{"dice": [] if phase in ("discard", "main", "swap") else [1, 2, 3], **fields})


def test_discards_the_least_useful_card() -> None:
    """A part that lies on the own attraction is worth 0, a third copy 1, others more; a Wild goes last."""
    own = midway(carousel="banners")
    hand = ["bumper_cars:seats", "carousel:banners", "ferris_wheel:lights", "ferris_wheel:lights", "swings:banners"]
    hand += ["wild", "wild"]
    state = load(greedy_table("discard", hands=[hand, []], midways=[own, midway()]))
    assert choice(state) == "discard:carousel:banners"
    state.apply_action("discard:carousel:banners")
    assert state.phase() == "main"


def test_swaps_with_four_useless_cards() -> None:
    """Two copies of a kind are useless, both of them."""
    useless = ["bumper_cars:seats", "bumper_cars:seats", "swings:lights", "swings:lights"]
    state = load(greedy_table("main", hands=[[*useless, "wild"], []]))
    assert choice(state) == "swap:hand"
    state.apply_action("swap:hand")
    assert choice(state) == "discard:bumper_cars:seats"
    assert choice(load(greedy_table("main", hands=[[*useless[1:], "wild"], []]))) == "roll"


def test_stops_swapping_without_useless_cards() -> None:
    """A single copy of an absent part is worth 2."""
    state = play(greedy_table("main", hands=[["swings:lights", "wild"], []]), "swap:hand")
    assert choice(state) == "swap_done"


def test_declares_the_most_valuable_action() -> None:
    """Deck Draw 2; Discard Draw half of 2 + 3 * 2 (a missing part of an attraction with two cards) = 4."""
    own = midway(swings="banners lights")
    state = load(table("action", dice=[1, 2, 4], remaining=[1, 2], midways=[own, midway()]))
    assert choice(state) == "do:discard_draw"
    state = load(table("action", dice=[1, 2, 4], remaining=[1, 2], midways=[own, midway()], discard=["carousel:seats"]))
    assert choice(state) == "do:deck_draw"


def test_assigns_the_best_pair() -> None:
    """Hand Draw 3 and Deck Draw 2 against a Hand Trade of 1 with nothing useless."""
    state = load(table("assign", dice=[4, 1, 3], hands=[["wild"], ["swings:lights"]]))
    assert choice(state) == "assign:1+3"


def test_takes_the_winning_card() -> None:
    """The card that completes the fourth attraction."""
    own = midway(bumper_cars=NATURAL, carousel=NATURAL, ferris_wheel=NATURAL, swings="lights materials seats")
    target = midway(roller_coaster="banners lights seats", swings="banners")
    document = table("action", dice=[6, 1, 2], remaining=[6], midways=[own, target], discard=["wild"])
    assert choice(play(document, "do:midway_steal:+1")) == "take:swings:banners"


@pytest.mark.parametrize(("stack", "answer"), [("banners lights", "allow"), ("banners lights wild", "block")])
def test_blocks_theft_from_a_rich_attraction(stack: str, answer: str) -> None:
    """With three cards or more it is worth a Ticket."""
    document = table("action", dice=[6, 1, 2], remaining=[6], midways=[midway(), midway(swings=stack)], tickets=[0, 1])
    state = play(document, "do:midway_steal:+1", "take:swings:banners")
    assert choice(state) == answer


def test_places_on_the_fullest_attraction() -> None:
    """A taken Wild completes Swings."""
    own = midway(bumper_cars="lights", swings="banners lights materials")
    document = table("action", dice=[6, 1, 2], remaining=[6], midways=[own, midway(carousel="banners wild")])
    assert choice(play(document, "do:midway_steal:+1", "take:carousel:wild")) == "place:swings"


def test_gives_back_what_costs_least() -> None:
    """From one card a fall of 1 and a rise of 1 (half counts); from two cards a fall of 2."""
    own = midway(bumper_cars="banners lights", swings="banners")
    document = table("action", dice=[5, 1, 2], remaining=[5], midways=[own, midway(carousel="seats")])
    assert choice(play(document, "do:midway_trade:+1", "take:carousel:seats")) == "hand_over:swings:banners"


def test_builds_in_order() -> None:
    """Reassign to complete; add a part; a Wild onto three cards; start with two parts; end."""
    own = midway(bumper_cars="lights wild", swings="banners lights materials")
    hands = [["bumper_cars:seats", "carousel:banners", "carousel:lights", "wild"], []]
    state = load(greedy_table("build", midways=[own, midway()], hands=hands, discard=["wild"]))
    found = []
    for _ in range(4):
        found.append(choice(state))
        state.apply_action(found[-1])
    assert found == [
        "reassign:bumper_cars:swings",
        "play:bumper_cars:seats",
        "start:carousel:banners+lights",
        "end_build",
    ]
    three = midway(swings="banners lights materials")
    assert choice(load(greedy_table("build", midways=[three, midway()], hands=[["wild"], []]))) == "wild:swings"


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_beats_random_players(num_players: int) -> None:
    """One seat greedy, the others uniformly random."""
    game = load_game("carnival", num_players=num_players)
    choose = np.random.default_rng(num_players)
    won = 0
    for seed in range(GAMES):
        seat = seed % num_players
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            bot = state.current_player() == seat
            state.apply_action(choice(state) if bot else int(choose.choice(state.legal_actions())))
        won += state.winners() == [seat]
    assert won / GAMES >= LEAST_WON[num_players]
