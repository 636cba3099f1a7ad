"""The rules and rulings of Bedeville Carnival one by one; ``coverage.toml`` says which test or case shows which."""

from __future__ import annotations

import random
from typing import Any

import pytest

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.registry import load_game
from tests.games.bedeville.reference import CARDS, START_SPACES
from tests.games.bedeville.tables import after, legal, load, offered, play, table

QUIET = 3
"""The draw that gives Quiet! from the usual Bag: charles, prank, joy, quiet, furball."""

MONDAY = "monday albert cindy heidi"
CLAY = "clay albert cindy heidi"
NO_NOISE = dict.fromkeys(range(10), 0)
NO_STALLS = dict.fromkeys(range(10), "")


# The set-up --------------------------------------------------------------------------------------------------------


def test_draft_and_placement_in_turn_order() -> None:
    """B-S8, B-R2, B-R3, B-R4: from the first player on, each Character and start space once, Joy from the supply."""
    game = load_game("bedeville", num_players=3, first_player=2)
    state = game.new_initial_state(seed=0)
    order = []
    for action in ("character:clay", "character:heidi", "character:johnny", "gain:pink", "gain:pink", "gain:blue"):
        order.append(state.current_player())
        state.apply_action(action)
    assert order == [2, 0, 1] * 2
    assert [player["character"] for player in state.to_position()["players"]] == ["heidi", "johnny", "clay"]
    assert state.to_position()["joy_supply"] == [18, 20, 19]
    assert offered(state, "pick") == [str(space) for space in START_SPACES]
    state.apply_action("pick:4")
    assert offered(state, "pick") == ["2", "6", "8"]
    with pytest.raises(IllegalActionError):
        state.apply_action("pick:0")


def test_characters_at_random_or_given() -> None:
    """B-S6: dealt from the end of the shuffled six in turn order; a given list is by seat."""
    options: dict[str, Any] = {"num_players": 2, "characters": "random", "first_player": 1}
    unmoved = [draw for length in (17, 11, 21, 6, 6) for draw in range(length - 1, 0, -1)]
    state = load_game("bedeville", **options).new_initial_state(chance=unmoved)
    assert state.chance_left == 0
    assert [player["character"] for player in state.to_position()["players"]] == ["clay", "heidi"]
    assert state.phase() == "first_joy"
    given = load_game("bedeville", num_players=2, characters=["cindy", "johnny"]).new_initial_state(seed=1)
    assert [player["character"] for player in given.to_position()["players"]] == ["cindy", "johnny"]


@pytest.mark.parametrize("seed", range(20))
def test_castle_is_never_in_the_opening_layout(seed: int) -> None:
    """B-R1, B-S2, B-S3: it is in the deck; Ticket Booth lies on space 0."""
    document = load_game("bedeville", num_players=4).new_initial_state(seed=seed).to_position()
    assert "castle_of_horror" in document["attraction_deck"]
    assert document["ring"][0]["card"] == "ticket_booth"


# Steps 1 and 2 -----------------------------------------------------------------------------------------------------


def test_exchange_or_buy() -> None:
    """B-6, B-R8, B-R9: one of the two in a turn, an exchange once, never for the same colour."""
    start = table(joy={0: [2, 0, 1]}, stalls={2: "rocking_horse grave_lollipop", 3: "golden_goose plush_toys"})
    state = load(start)
    assert offered(state, "exchange") == ["pink:yellow", "pink:blue", "blue:pink", "blue:yellow"]
    assert offered(state, "buy") == ["2"]
    bought = play(start, "buy:2", "pay:pink")
    assert bought.to_position()["players"][0]["joy"] == [1, 0, 0]
    assert offered(bought, "exchange") == []
    exchanged = play(start, "exchange:pink:yellow")
    assert exchanged.to_position()["players"][0]["joy"] == [1, 1, 1]
    assert offered(exchanged, "buy") == offered(exchanged, "exchange") == []


def test_colours_that_are_out_are_not_offered() -> None:
    """B-R28: only what the supply has can be taken."""
    start = table(joy={0: [1, 0, 0], 1: [0, 0, 20], 2: [0, 0, 0]})
    assert offered(load(start), "exchange") == ["pink:yellow"]


def test_uncovered_prize_may_be_bought_next() -> None:
    """B-3, B-8: any number of purchases; only the visible Prize is for sale."""
    start = table(joy={0: [2, 2, 0]}, stalls={2: "bone_popcorn ghost_balloon", 1: "giant_bear plush_toys"})
    document = after(start, "buy:2", "pay:pink", "buy:2", "pay:yellow")
    assert document["players"][0]["prizes"] == ["ghost_balloon", "bone_popcorn"]
    assert document["stalls"][2] == []


def test_pass_between_purchases() -> None:
    """B-12, B-R11, B-R15: the visible Prize onto a neighbouring Stall, once, also between purchases."""
    start = table(joy={0: [3, 2, 0]}, stalls={2: "bone_popcorn ghost_balloon", 1: "giant_bear plush_toys"})
    state = play(start, "pass_prize:3", "buy:3", "pay:pink", "pay:pink", "buy:2")
    assert state.to_position()["stalls"][3] == ["golden_goose", "grave_lollipop"]
    state.apply_action("pay:yellow")
    assert state.to_position()["players"][0]["prizes"] == ["ghost_balloon", "bone_popcorn"]
    assert offered(state, "pass_prize") == []


def test_boredom_in_four_windows() -> None:
    """B-13, B-R32, B-R33: in the turn, before the action, before the draw, at the end; at least one token."""
    start = table(MONDAY, board="prank quiet", joy={0: [2, 0, 0]})
    assert "boredom" in legal(load(start))
    state = play(start, "move:3")
    assert (state.phase(), legal(state)) == ("window", ["skip", "boredom"])
    state = play(start, "move:3", "skip", "skip", "boredom")
    assert legal(state) == ["token:prank", "token:quiet"]
    state.apply_action("token:quiet")
    assert legal(state) == ["token:prank", "skip"]
    state = play(start, "move:3", "skip", "skip", "boredom", "token:quiet", "skip")
    assert (state.phase(), legal(state)) == ("pre_draw", ["draw", "boredom"])
    joy_of_charles_joy_furball = 1
    state = play(start, *["move:3", "skip", "skip", "draw", "keep", "gain:pink"], chance=[joy_of_charles_joy_furball])
    assert (state.phase(), legal(state)) == ("end_window", ["skip", "boredom"])


def test_boredom_ends_with_the_last_token() -> None:
    """B-13: an empty board ends it; without a token on the board or a pink Joy it is not offered."""
    start = table(MONDAY, board="prank", joy={0: [2, 0, 0]})
    state = play(start, "boredom", "token:prank")
    assert state.phase() == "turn"
    assert "boredom" not in legal(state)
    assert "boredom" not in legal(load(table(MONDAY, board="prank", joy={0: [0, 1, 0]})))


# Step 3: visit -----------------------------------------------------------------------------------------------------


def test_movement_targets() -> None:
    """B-1, B-2, B-14, B-R5: first unoccupied space both ways, and the opposite one; Furball does not occupy."""
    assert offered(load(table(furball=3)), "move") == ["1", "3", "7"]
    assert offered(load(table(spaces=(2, 3, 4, 7))), "move") == ["1", "5"]


def test_ring_of_three_players() -> None:
    """B-R6, B-R7: no opposite move to a missing space; neighbours across it."""
    three = "johnny albert cindy"
    assert offered(load(table(three, spaces=(0, 4, 6), charles=(9, -1))), "move") == ["1", "8"]
    state = load(table(three, spaces=(4, 2, 8)))
    assert offered(state, "move") == ["3", "6", "9"]
    assert offered(state, "pass_prize") == ["3", "6"]


def test_behind_the_screen() -> None:
    """B-15, B-59: any unoccupied Attraction; no Pass, Sprint or It's Mine."""
    state = load(table(spaces=(-1, 4, 6, 8), joy={0: [0, 0, 1]}))
    assert legal(state)[2:] == [f"move:{space}" for space in (1, 2, 3, 5, 7, 9)]
    assert offered(load(table(CLAY, spaces=(-1, 4, 6, 8))), "carry") == []


def test_sprint_to_a_space_within_a_move() -> None:
    """B-16, B-R14: from 3 over the occupied 4, 5, 6 to 7, which a move reaches too; it costs all the same."""
    start = table(spaces=(2, 4, 6, 5), joy={0: [0, 0, 1]})
    state = load(start)
    assert offered(state, "move") == ["1", "3", "7"]
    assert offered(state, "sprint") == ["3", "7", "8", "9"]
    assert after(start, "sprint:7")["players"][0]["joy"] == [1, 1, 0]


def test_sprint_leaves_the_middle_alone() -> None:
    """B-R11, B-R13: Joy lying at 3 and Furball there are not touched on the way to 5."""
    start = table(joy={0: [0, 0, 1]}, lying={3: [1, 0, 0]}, furball=3)
    document = after(start, "sprint:5", "gain:blue")
    assert document["ring"][3]["joy"] == [1, 0, 0]
    assert (document["furball"], document["phase"]) == (3, "dragon")


def test_its_mine_needs_a_prize() -> None:
    """B-17, B-R15: not from an empty Stall; the Prize lands on top."""
    assert offered(load(table(CLAY, stalls={2: ""})), "carry") == []
    assert after(table(CLAY, furball=5), "carry:1")["stalls"][1] == ["giant_bear", "bone_popcorn", "plush_toys"]


def test_tough_girl_closes_steps_1_and_2() -> None:
    """B-18, B-R10, B-R11: nothing but a move is left."""
    start = table(active=3, joy={3: [2, 1, 0]}, stalls={8: "music_box ghost_balloon"})
    assert {"tough", "buy:8", "exchange:pink:blue"} <= set(legal(load(start)))
    assert legal(play(start, "tough")) == ["move:3", "move:7", "move:9"]


def test_tough_girl_with_a_short_supply() -> None:
    """B-R12: one marker is added if only one is left; without any she can't pay for it."""
    start = table(active=3, joy={3: [0, 1, 0]}, noise={**NO_NOISE, 1: 49})
    assert after(start, "tough")["ring"][8]["noise"] == 1
    assert "tough" not in legal(load(table(active=3, joy={3: [0, 1, 0]}, noise={**NO_NOISE, 1: 50})))


# Step 4: Joy -------------------------------------------------------------------------------------------------------


def test_whim_on_lying_joy() -> None:
    """B-20: a colour that only lies there goes to the supply, another one comes from it."""
    start = table(active=2, lying={1: [0, 1, 0]})
    state = play(start, "move:1")
    assert offered(state, "whim") == ["pink:yellow", "pink:blue", "yellow:pink", "yellow:blue"]
    document = after(start, "move:1", "whim:yellow:blue")
    assert document["players"][2]["joy"] == [2, 0, 2]
    assert document["joy_supply"] == [16, 19, 18]


def test_whim_avoids_a_shortage() -> None:
    """B-R31: two pink are printed, one is left."""
    start = table(active=2, joy={0: [19, 0, 0], 3: [0, 0, 0]})
    assert play(start, "move:1", "skip").end_reason() == "joy_exhausted"
    document = after(start, "move:1", "whim:pink:blue")
    assert (document["phase"], document["players"][2]["joy"]) == ("love", [1, 0, 2])


def test_no_whim_for_what_the_supply_lacks() -> None:
    """B-20, B-R28: the wanted colour must last for the printed ones and one more."""
    start = table(active=2, joy={1: [0, 20, 0]})
    assert offered(play(start, "move:1"), "whim") == ["pink:blue"]


def test_any_colour_from_an_empty_supply_ends_the_game() -> None:
    """B-21: Joy of any colour is due, and there is none."""
    start = table(joy={0: [20, 0, 0], 1: [0, 20, 0], 2: [0, 0, 20], 3: [0, 0, 0]}, cards={3: "joy_wheel"})
    state = play(start, "move:3")
    assert (state.end_reason(), state.is_truncated()) == ("joy_exhausted", False)


def test_exhausted_joy_comes_before_the_end_of_the_round() -> None:
    """B-R45, B-R30: at once, also in a final round; what there is has been taken."""
    start = table(joy={2: [0, 0, 19]}, stalls={**NO_STALLS, 5: "velvet_mask"})
    document = after(start, "move:3")
    assert (document["end_reason"], document["final_round"]) == ("joy_exhausted", True)
    assert document["players"][0]["joy"] == [1, 0, 1]


def test_only_the_own_move_gives_joy() -> None:
    """B-19, B-R49: a pushed Character leaves the Joy where it is."""
    start = table(cards={3: "one_way", 8: "deep_sea_ride"}, lying={5: [1, 0, 0]})
    document = after(start, "move:3", "figure:albert", chance=[QUIET])
    assert document["players"][1] == {"character": "albert", "space": 5, "joy": [0, 1, 0], "prizes": []}
    assert document["ring"][5]["joy"] == [1, 0, 0]


# Step 5: action and Noise ------------------------------------------------------------------------------------------


def test_noise_as_far_as_it_goes() -> None:
    """B-24, B-26, B-R27: two are printed, one is left."""
    start = table(noise={**NO_NOISE, 1: 49})
    document = after(start, "move:3", "skip", chance=[QUIET])
    assert (document["ring"][3]["noise"], document["noise_supply"]) == (1, 0)


def castle_catches_cindy(**changes: Any) -> dict[str, Any]:
    """Cindy visits the Castle on 7; Mr. Charles walks 0 + 2 spaces from 9 past Heidi on 8."""
    return table(active=2, cards={7: "castle_of_horror"}, noise={7: 0}, charles=(9, -1), furball=5, **changes)


def test_castle_catches_its_visitor() -> None:
    """B-25, B-41, B-58, B-R24, B-R59: passed figures stay, no Noise for a card that is gone, step 6 goes on."""
    moves = ("move:7", "gain:pink", "gain:pink", "discard:blue")
    state = play(castle_catches_cindy(), *moves, chance=[QUIET])
    document = state.to_position()
    assert [player["space"] for player in document["players"]] == [2, 4, -1, 8]
    assert document["players"][2]["joy"] == [2, 0, 0]
    assert document["attraction_discard"] == ["castle_of_horror"]
    assert document["ring"][7] == {"card": "soul_reflection", "noise": 0, "joy": [0, 0, 0]}
    assert document["charles"] == {"space": 7, "dir": 1}
    assert (state.phase(), state.current_player()) == ("quiet", 2)


def test_no_noise_for_a_card_that_is_dealt_again() -> None:
    """B-R23: the discards are shuffled, the Castle is laid again, and stays without Noise."""
    in_ring = {"eternal_love", "glutton", "deep_sea_ride", "mill_of_bedeville", "dragon_loop", "blind_shot", "one_way"}
    gone = [card for card in CARDS if card not in {*in_ring, "ticket_booth", "flow_of_the_undead", "castle_of_horror"}]
    start = castle_catches_cindy(deck="", discard=" ".join(gone))
    castle = sorted([*gone, "castle_of_horror"], key=CARDS.index).index("castle_of_horror")
    moves = ("move:7", "gain:pink", "gain:pink", "discard:blue")
    document = after(start, *moves, chance=[castle, 8, 7, 6, 5, 4, 3, 2, 1, QUIET])
    assert document["ring"][7] == {"card": "castle_of_horror", "noise": 0, "joy": [0, 0, 0]}
    assert document["attraction_discard"] == []


def test_visitor_gains_before_furball_is_chased() -> None:
    """B-23, B-61, B-R16: Joy first; the chase takes the place of the action and counts the Noise before step 5."""
    document = after(table(furball=5, active=1), "move:5", "gain:pink", "draw", chance=[QUIET])
    assert document["players"][1]["joy"] == [1, 2, 0]
    assert document["furball"] == 9
    assert document["ring"][5]["noise"] == 4


# Abilities between steps 5 and 6 -----------------------------------------------------------------------------------


def test_nobody_draws_during_adrenaline() -> None:
    """B-28, B-R37: others skip step 6 as well, and Pinkaholic with it."""
    start = table("clay cindy albert heidi", active=1, adrenaline="active", joy={1: [1, 0, 0]})
    document = after(start, "move:3", "skip", "skip")
    assert (document["active"], document["adrenaline"]) == (2, "active")
    assert document["token_board"] == []


def test_debt_of_two_draws() -> None:
    """B-28, B-R38: no Adrenaline in that turn; the debt is paid with its end."""
    start = table(CLAY, adrenaline="debt", joy={0: [0, 0, 2]}, bag="charles prank pirouette crack furball")
    state = play(start, "move:3", "skip", chance=[2, 2])
    document = state.to_position()
    assert (state.phase(), document["token_board"]) == ("crack", ["pirouette"])
    assert document["charles"]["dir"] == 1
    state.apply_action("pick:4")
    assert (state.to_position()["adrenaline"], state.to_position()["active"]) == ("none", 1)


def test_adrenaline_becomes_a_debt_in_clays_turn() -> None:
    """B-28: the effect ends at the start of his next turn."""
    start = table(CLAY, active=3, adrenaline="active")
    document = after(start, "move:7", "pick:1", "pick:2")
    assert (document["active"], document["adrenaline"], document["round"]) == (0, "debt", 2)


def test_pinkaholic_chases_furball_and_comes_once() -> None:
    """B-29, B-R11, B-R49, B-R61: first free spaces both ways; Furball runs 1 + 2 from 9; the draw follows at once."""
    start = table(active=2, joy={2: [2, 0, 0]}, furball=9, lying={9: [0, 1, 0]})
    state = play(start, "move:7", "skip", "pick:1", "pick:3")
    assert legal(state) == ["pinkaholic:6", "pinkaholic:9", "draw"]
    document = after(start, "move:7", "skip", "pick:1", "pick:3", "pinkaholic:9", chance=[QUIET])
    assert document["furball"] == 2
    assert document["prize_discard"] == ["plush_toys"]
    assert document["ring"][9]["joy"] == [0, 1, 0]
    assert document["phase"] == "quiet"


def test_eureka_needs_two_tokens() -> None:
    """B-30: with one token in the Bag it is not offered."""
    one = table(active=1, bag="charles", board="prank joy quiet furball")
    assert play(one, "move:3", "skip", chance=[]).phase() != "pre_draw"
    assert legal(play(table(active=1), "move:3", "skip")) == ["draw", "eureka"]


def test_eureka_shows_both_tokens() -> None:
    """B-30, B-R35: all see them; the other one returns to the Bag before the chosen one is resolved."""
    state = play(table(active=1), "move:3", "skip", "eureka", chance=[0, 0])
    assert legal(state) == ["token:charles", "token:prank"]
    assert state.observation(3)["drawn"].tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    state.apply_action("token:prank")
    assert state.to_position()["bag"] == ["charles", "joy", "quiet", "furball"]


# Attractions -------------------------------------------------------------------------------------------------------


def test_ticket_booth() -> None:
    """B-31: one token of choice from the board to the Bag."""
    start = table(
        spaces=(2, 4, 6, 8), charles=(5, -1), furball=5, board="prank joy", cards={3: "ticket_booth", 0: "freaks"}
    )
    state = play(start, "move:3", "gain:pink")
    assert legal(state) == ["token:prank", "token:joy"]
    quiet = 2
    assert after(start, "move:3", "gain:pink", "token:joy", chance=[quiet])["token_board"] == ["prank"]


def test_memory_carousel_moves_nobody() -> None:
    """B-32, B-R22: Mr. Charles and Furball ride along; nothing is discarded, nobody turns round, Stalls stay."""
    start = table(noise={0: 3}, lying={0: [0, 0, 1]})
    document = after(start, "move:7", "pick:0", "pick:4", chance=[QUIET])
    assert document["ring"][4] == {"card": "ticket_booth", "noise": 3, "joy": [0, 0, 1]}
    assert document["ring"][0]["card"] == "mill_of_bedeville"
    assert document["charles"] == {"space": 4, "dir": -1}
    assert (document["furball"], document["players"][1]["space"]) == (4, 0)
    assert document["attraction_discard"] == document["prize_discard"] == []
    assert document["stalls"] == start["stalls"]


def test_mill_of_bedeville_on_empty_attractions() -> None:
    """B-33, B-R55: two Attractions without Noise, one of them the Mill itself; the second differs from the first."""
    start = table(cards={3: "mill_of_bedeville", 4: "deep_sea_ride"}, noise={3: 0})
    assert "pick:3" not in legal(play(start, "move:3", "pick:3"))
    document = after(start, "move:3", "pick:3", "pick:4", chance=[QUIET])
    assert (document["ring"][3]["noise"], document["ring"][4]["noise"]) == (2, 0)


def test_blind_shot_with_a_short_supply() -> None:
    """B-34, B-R27, B-R58: two markers for three players: the two to the left, also from behind the Screen."""
    start = table(cards={3: "blind_shot", 6: "deep_sea_ride"}, spaces=(2, -1, 6, 8), noise={**NO_NOISE, 1: 48})
    state = play(start, "move:3")
    assert (state.current_player(), "pick:3" in legal(state)) == (1, False)
    document = after(start, "move:3", "pick:1", "pick:4", chance=[QUIET])
    assert (document["ring"][1]["noise"], document["ring"][4]["noise"]) == (49, 1)
    assert (document["ring"][3]["noise"], document["noise_supply"]) == (0, 0)


def test_blind_shot_without_noise() -> None:
    """B-22, B-34: impossible with an empty supply."""
    start = table(cards={3: "blind_shot", 6: "deep_sea_ride"}, noise={**NO_NOISE, 1: 50})
    assert play(start, "move:3", chance=[QUIET]).phase() == "quiet"


def test_eternal_love_over_the_last_token() -> None:
    """B-35, B-R29, B-R58: the offer is the same for all; who comes too late gets the first colour left."""
    start = table(active=3, spaces=(2, -1, 6, 8), joy={1: [0, 19, 0]}, cards={3: "eternal_love", 1: "deep_sea_ride"})
    state = play(start, "move:3", "gain:yellow", "gain:yellow", "gain:yellow")
    assert offered(state, "gain") == ["pink", "yellow", "blue"]
    document = after(start, "move:3", "gain:yellow", "gain:yellow", "gain:yellow", "gain:blue", chance=[QUIET])
    assert [player["joy"] for player in document["players"]] == [[2, 0, 0], [1, 19, 0], [0, 0, 2], [3, 1, 0]]


def test_eternal_love_without_joy_for_all() -> None:
    """B-35: two tokens for four players: two are served, then the game ends; with none at all likewise."""
    joy = {0: [0, 0, 0], 1: [0, 20, 0], 2: [0, 0, 20], 3: [16, 0, 0]}
    start = table(joy=joy, cards={3: "eternal_love", 1: "deep_sea_ride"})
    state = play(start, "move:3", "gain:pink", "gain:pink", "gain:pink", "gain:pink")
    assert state.end_reason() == "joy_exhausted"
    assert [player["joy"][0] for player in state.to_position()["players"]] == [3, 1, 0, 16]
    none_left = table(joy={**joy, 3: [18, 0, 0]}, cards={3: "eternal_love", 1: "deep_sea_ride"})
    assert play(none_left, "move:3").end_reason() == "joy_exhausted"


def test_glutton_onto_an_empty_stall() -> None:
    """B-36, B-R15, B-R41: also onto an empty Stall; the end stays triggered."""
    stalls = {**NO_STALLS, 5: "velvet_mask cotton_cobweb"}
    start = table(cards={3: "glutton", 2: "deep_sea_ride"}, stalls=stalls)
    document = after(start, "move:3", "pick:5", "pick:1", chance=[QUIET])
    assert (document["stalls"][5], document["stalls"][1]) == (["velvet_mask"], ["cotton_cobweb"])
    assert document["final_round"] is True


def test_actions_that_are_impossible() -> None:
    """B-22, B-24, B-36, B-37, B-38, B-48: no Prize, no Noise; the Noise of the visit comes all the same."""
    for card, noise in (("glutton", 2), ("lucky_trap", 1)):
        start = table(cards={3: card, 2: "deep_sea_ride"}, stalls=NO_STALLS)
        assert after(start, "move:3", chance=[QUIET])["ring"][3]["noise"] == 2 + noise
    for card, noise in (("deep_sea_ride", 2), ("flow_of_the_undead", 1)):
        start = table(cards={3: card, 9: "lucky_trap"}, noise=NO_NOISE)
        assert after(start, "move:3", chance=[QUIET])["ring"][3]["noise"] == noise


def test_deep_sea_ride_of_one_marker() -> None:
    """B-37: one marker of an Attraction that has one; never back onto it."""
    state = play(table(), "move:3", "pick:9")
    assert legal(state) == ["count:1"]
    state.apply_action("count:1")
    assert "pick:9" not in legal(state)
    assert "pick:3" in legal(state)


def test_dragon_loop() -> None:
    """B-39, B-R8, B-R28: two exchanges end it; without any other colour in the supply it is impossible."""
    start = table(active=1, joy={1: [0, 2, 0]})
    document = after(start, "move:5", "gain:yellow", "exchange:yellow:pink", "exchange:yellow:blue")
    assert (document["phase"], document["players"][1]["joy"]) == ("pre_draw", [1, 2, 1])
    only_yellow = table(active=3, cards={3: "dragon_loop", 5: "deep_sea_ride"})
    only_yellow["players"][0]["joy"], only_yellow["players"][2]["joy"] = [20, 0, 0], [0, 0, 20]
    only_yellow["players"][1]["joy"] = only_yellow["players"][3]["joy"] = [0, 0, 0]
    only_yellow["joy_supply"] = [0, 20, 0]
    assert play(only_yellow, "move:3", "gain:yellow", chance=[QUIET]).phase() == "quiet"


@pytest.mark.parametrize(("token", "joy"), [(4, 1), (1, 0)])
def test_joy_wheel(token: int, joy: int) -> None:
    """B-40, B-R34: Furball's token gives one Joy, the Prank none; their effects do not happen."""
    start = table(cards={3: "joy_wheel"})
    gains = ["gain:pink"] * (1 + joy)
    document = after(start, "move:3", *gains, chance=[token, QUIET])
    assert document["players"][0]["joy"] == [2 + joy, 0, 0]
    assert (document["furball"], document["prize_discard"], document["token_board"]) == (0, [], [])


def test_castle_of_horror_once_around() -> None:
    """B-41, B-R21: 8 + 2 spaces bring Mr. Charles back to 0, where his steps apply."""
    start = table(cards={3: "castle_of_horror"}, noise={3: 8}, furball=9)
    document = after(start, "move:3", "gain:pink", "gain:pink", chance=[QUIET])
    assert document["charles"] == {"space": 0, "dir": 1}
    assert document["attraction_discard"] == ["ticket_booth"]
    assert document["ring"][3]["noise"] == 11


def test_fortune_teller() -> None:
    """B-42, B-R34, B-R53: the token is resolved and returns to the Bag; No Way does not apply."""
    start = table(MONDAY, cards={3: "fortune_teller"}, joy={0: [0, 0, 0]})
    state = play(start, "move:3", "gain:yellow", chance=[1])
    document = state.to_position()
    assert (state.phase(), document["ctx"]["token"], document["ctx"]["token_source"]) == (
        "prize_discard",
        "prank",
        "fortune",
    )
    assert "prank" not in document["bag"] + document["token_board"] + document["token_unused"]
    document = after(start, "move:3", "gain:yellow", "pick:5", chance=[1, QUIET])
    assert document["ring"][3]["noise"] == 5
    assert "prank" in document["bag"]
    assert (document["phase"], document["ctx"]["drawn"]) == ("noway", ["quiet"])


def test_fortune_teller_draws_mr_charles() -> None:
    """B-42, B-53, B-57: he moves, but the other tokens stay on the board."""
    start = table(cards={3: "fortune_teller"}, noise={7: 4}, board="joy")
    quiet = 2
    document = after(start, "move:3", "gain:pink", chance=[0, quiet])
    assert document["charles"] == {"space": 7, "dir": 1}
    assert (document["token_board"], document["phase"]) == (["joy"], "quiet")
    assert "charles" in document["bag"]


def test_slimy_bowling_alley_with_three_markers() -> None:
    """B-43, B-R7, B-R27: the clockwise neighbour first, across a missing space; the rest as far as it goes."""
    start = table("johnny albert cindy", spaces=(3, 2, 8), cards={4: "slimy_bowling_alley"}, noise={**NO_NOISE, 1: 47})
    document = after(start, "move:4", "gain:pink", chance=[QUIET])
    assert (document["ring"][6]["noise"], document["ring"][3]["noise"], document["ring"][4]["noise"]) == (2, 1, 0)


def test_soul_reflection_goes_beyond_its_own_space() -> None:
    """B-44: from Heidi's space on to Johnny, who stands on 3 now, past Mr. Charles."""
    document = after(table(cards={3: "soul_reflection"}, furball=8), "move:3", chance=[QUIET])
    assert document["furball"] == 3


def test_one_way_skips_occupied_spaces() -> None:
    """B-45, B-R56: 3 and 5 beside Albert are occupied; 1 at distance 3 is farther than 6 at distance 2."""
    start = table(cards={3: "one_way", 8: "deep_sea_ride"}, spaces=(2, 4, 5, 7))
    document = after(start, "move:3", "figure:albert", "pick:6", chance=[QUIET])
    assert document["players"][1]["space"] == 6
    assert legal(play(start, "move:3", "figure:albert")) == ["pick:2", "pick:6"]


def test_one_way_chases_furball() -> None:
    """B-45, B-60, B-62: Albert is pushed onto Furball on 5, which runs 2 + 2 spaces to 9."""
    start = table(cards={3: "one_way", 8: "deep_sea_ride"}, furball=5)
    document = after(start, "move:3", "figure:albert", chance=[QUIET])
    assert (document["players"][1]["space"], document["furball"]) == (5, 9)
    assert (document["ring"][9]["noise"], document["prize_discard"]) == (0, ["tin_trumpet"])


def test_furball_stays_where_a_figure_leaves() -> None:
    """B-R50: Albert is pushed away from Furball's space."""
    start = table(cards={3: "one_way", 8: "deep_sea_ride"}, furball=4)
    assert after(start, "move:3", "figure:albert", chance=[QUIET])["furball"] == 4


@pytest.mark.parametrize("card", ["one_way", "kraken_tentacles", "devils_rodeo"])
def test_figures_that_may_be_chosen(card: str) -> None:
    """B-49, B-R51: never the own Character or one behind a Screen; Furball changes places with nobody."""
    start = table(cards={3: card, 8: "deep_sea_ride"}, spaces=(2, -1, 6, 8))
    gains = ["gain:pink"] if card == "kraken_tentacles" else []
    others = ["charles", "furball"] if card == "devils_rodeo" else []
    assert offered(play(start, "move:3", *gains), "figure") == ["cindy", "heidi", *others]


@pytest.mark.parametrize("card", ["one_way", "kraken_tentacles"])
def test_nobody_to_be_moved(card: str) -> None:
    """B-45, B-47: impossible with all others behind their Screens."""
    start = table(cards={3: card, 8: "deep_sea_ride"}, spaces=(2, -1, -1, -1))
    gains = ["gain:pink"] if card == "kraken_tentacles" else []
    assert play(start, "move:3", *gains, chance=[QUIET]).phase() == "quiet"


def test_freaks_onto_an_occupied_space() -> None:
    """B-46, B-60, B-62: Furball joins Albert, who stays; one Noise and the visible Prize go."""
    start = table(cards={3: "freaks"}, noise={4: 2})
    assert "pick:0" not in legal(play(start, "move:3"))
    document = after(start, "move:3", "pick:4", chance=[QUIET])
    assert (document["furball"], document["players"][1]["space"], document["ring"][4]["noise"]) == (4, 4, 1)
    assert document["prize_discard"] == ["storm_lantern"]


def test_kraken_tentacles_chases_from_both_spaces() -> None:
    """B-47, B-58, B-R18, B-R50: Furball with Albert on 4 is chased by Mr. Charles, once: 3 + 2 spaces to 9."""
    start = table(cards={3: "kraken_tentacles"}, furball=4, noise={4: 3})
    document = after(start, "move:3", "gain:pink", "figure:albert", chance=[QUIET])
    assert (document["furball"], document["charles"]["space"], document["players"][1]["space"]) == (9, 4, 0)


def test_lucky_trap_refills_from_the_supply() -> None:
    """B-48: the top of the supply; with two Stalls left the end is not triggered in between."""
    stalls = {**NO_STALLS, 5: "velvet_mask", 6: "brass_medal"}
    start = table(cards={3: "lucky_trap"}, stalls=stalls)
    document = after(start, "move:3", "pick:5", chance=[QUIET])
    assert document["stalls"][5] == ["grand_prize"]
    assert (document["prize_discard"], document["final_round"]) == (["velvet_mask"], False)


def test_devils_rodeo_on_mr_charles_and_furball() -> None:
    """B-50, B-58, B-62: only unoccupied Attractions but the own; each arrives in its own way."""
    start = table(cards={3: "devils_rodeo"})
    assert legal(play(start, "move:3", "figure:charles")) == [f"pick:{space}" for space in (1, 2, 5, 7, 9)]
    document = after(start, "move:3", "figure:charles", "pick:7", chance=[QUIET])
    assert document["charles"] == {"space": 7, "dir": 1}
    assert (document["attraction_discard"], document["furball"]) == (["memory_carousel"], 0)
    document = after(start, "move:3", "figure:furball", "pick:7", chance=[QUIET])
    assert (document["furball"], document["prize_discard"], document["ring"][7]["noise"]) == (7, ["jar_of_eyes"], 1)
    elsewhere = table(cards={3: "devils_rodeo"}, furball=7)
    assert "pick:7" not in legal(play(elsewhere, "move:3", "figure:furball"))


# Step 6: tokens ----------------------------------------------------------------------------------------------------


def test_no_way_only_with_the_pool() -> None:
    """B-51, B-52: the drawn token or one of the pool; a kept one goes to the board."""
    state = play(table(MONDAY, joy={0: [0, 1, 0]}), "move:3", "skip", chance=[QUIET])
    assert legal(state) == ["token:pirouette", "token:temptation", "token:crack", "keep"]
    state.apply_action("keep")
    assert (state.phase(), state.to_position()["ctx"]["token"]) == ("quiet", "quiet")


def test_active_player_decides_about_tokens() -> None:
    """B-55, B-R60: the Prank's Stall is chosen by who drew it; the end may be triggered by it."""
    stalls = {**NO_STALLS, 5: "velvet_mask", 6: "brass_medal"}
    state = play(table(active=3, stalls=stalls), "move:3", "skip", chance=[1])
    assert (state.phase(), state.current_player(), legal(state)) == ("prize_discard", 3, ["pick:5", "pick:6"])
    state.apply_action("pick:6")
    assert state.to_position()["prize_discard"] == ["brass_medal"]
    assert state.to_position()["final_round"] is True


def test_tokens_without_effect_lie_on_the_board() -> None:
    """B-55, B-56, B-R28, B-R42, B-R52: no Prize, no Noise in the supply, no Joy in the supply."""
    document = after(table(stalls=NO_STALLS), "move:3", "skip", chance=[1])
    assert (document["token_board"], document["active"], document["final_round"]) == (["prank"], 1, True)
    crack = table(bag="charles prank pirouette crack furball", noise={**NO_NOISE, 1: 50})
    assert after(crack, "move:3", "skip", chance=[3])["token_board"] == ["crack"]
    tempted = table(bag="charles prank temptation crack furball", cards={3: "eternal_love", 1: "deep_sea_ride"})
    tempted["players"][0]["joy"], tempted["players"][1]["joy"] = [14, 0, 0], [0, 20, 0]
    tempted["players"][2]["joy"], tempted["players"][3]["joy"] = [0, 0, 20], [0, 0, 0]
    tempted["joy_supply"] = [6, 0, 0]
    assert after(tempted, "move:3", *["gain:pink"] * 4, chance=[2])["token_board"] == ["temptation"]


def test_temptation_lies_where_nobody_moves() -> None:
    """B-56, B-R57: also on the own Attraction or that of Mr. Charles."""
    start = table(bag="charles prank temptation crack furball")
    state = play(start, "move:3", "skip", "lay:blue", chance=[2])
    assert offered(state, "pick") == [str(space) for space in range(10)]
    state.apply_action("pick:0")
    assert state.to_position()["ring"][0]["joy"] == [0, 0, 1]


def test_joy_token_may_end_the_game() -> None:
    """B-21, B-56: Joy is due and the supply is empty; the token returns to the Bag."""
    joy = {0: [19, 0, 0], 1: [0, 19, 0], 2: [0, 0, 20], 3: [0, 0, 0]}
    state = play(table(joy=joy, cards={3: "freaks"}), "move:3", "pick:9", chance=[2])
    assert state.end_reason() == "joy_exhausted"
    assert state.to_position()["bag"] == ["charles", "prank", "joy", "quiet", "furball"]


# Mr. Charles and Furball -------------------------------------------------------------------------------------------


def test_mr_charles_ignores_his_own_space() -> None:
    """B-53, B-R19, B-R20: with Noise on his own space only, all others tie: he goes to the next one."""
    start = table(spaces=(2, 4, 6, 8), noise={**NO_NOISE, 0: 9}, cards={3: "freaks"}, charles=(0, 1))
    document = after({**start, "noise_supply": 41}, "move:3", "pick:5", chance=[0])
    assert document["charles"]["space"] == 3
    silent = castle_catches_cindy()
    for here in silent["ring"]:
        here["noise"] = 0
    silent["noise_supply"] = 50
    document = after(silent, "move:7", "gain:pink", "gain:pink", "discard:blue", "discard:pink", chance=[0])
    assert document["charles"] == {"space": 8, "dir": -1}


def test_catching_a_player_without_joy() -> None:
    """B-58, B-R25: no decision; the figure goes behind the Screen."""
    start = table(noise={4: 9}, joy={1: [0, 0, 0]})
    document = after(start, "move:3", "skip", chance=[0])
    assert (document["players"][1]["space"], document["active"]) == (-1, 1)


def test_furball_flees_before_the_steps() -> None:
    """B-58, B-60, B-R17: it counts the Noise that Mr. Charles then removes: 5 + 2 spaces from 7 to 4."""
    start = table(noise={7: 5}, furball=7)
    document = after(start, "move:3", "skip", chance=[0])
    assert (document["charles"]["space"], document["furball"], document["ring"][7]["noise"]) == (7, 4, 0)
    assert document["prize_discard"] == ["storm_lantern"]


def test_furball_runs_a_full_circle() -> None:
    """B-56, B-62, B-R18: 8 + 2 spaces bring it back; it lands there like anywhere."""
    document = after(table(noise={9: 8}, furball=9), "move:3", "skip", chance=[4])
    assert (document["furball"], document["ring"][9]["noise"]) == (9, 7)
    assert document["prize_discard"] == ["tin_trumpet"]


def test_reshuffle_of_the_attractions() -> None:
    """B-58: an empty deck is made of the discards, the one just discarded included."""
    gone = [card for card in CARDS if card not in {here["card"] for here in table()["ring"]}]
    start = table(noise={7: 9}, deck="", discard=" ".join(gone))
    document = after(start, "move:3", "skip", chance=[0, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    assert document["ring"][7]["card"] == "soul_reflection"
    assert document["attraction_deck"] == ["memory_carousel", *gone[:-1]]
    assert document["attraction_discard"] == []


# Beginner's variant, end, scores -----------------------------------------------------------------------------------


def test_beginners_variant() -> None:
    """B-63, B-S5: without Furball, its token and four cards; the Prank has a fixed place; two tokens are left over."""
    document = load_game("bedeville", variant="beginner").new_initial_state(seed=3).to_position()
    cards = [here["card"] for here in document["ring"]] + document["attraction_deck"]
    assert len(cards) == 15
    assert not {"joy_wheel", "devils_rodeo", "freaks", "soul_reflection"} & set(cards)
    assert document["furball"] == -1
    assert {"charles", "prank"} <= set(document["bag"])
    assert (len(document["bag"]), len(document["token_unused"])) == (5, 2)
    assert "furball" not in document["bag"] + document["token_unused"]


def test_beginners_mr_charles_takes_a_prize_every_time() -> None:
    """B-64, B-R44: also when the Castle of Horror moves him."""
    start = table(cards={3: "castle_of_horror"}, noise={3: 1}, options={"variant": "beginner"})
    document = after(start, "move:3", "gain:pink", "gain:pink", chance=[QUIET])
    assert (document["charles"]["space"], document["prize_discard"]) == (7, ["jar_of_eyes"])


def test_turn_is_completed_after_the_trigger() -> None:
    """B-65, B-R42, B-R43: the last Prize is bought; the player still moves, and the round goes on."""
    start = table(joy={0: [2, 0, 0]}, stalls={**NO_STALLS, 2: "ghost_balloon"}, final_round=True)
    state = play(start, "buy:2", "pay:pink")
    assert (state.phase(), offered(state, "move")) == ("turn", ["1", "3", "7"])
    document = after(start, "buy:2", "pay:pink", "move:3", "skip", "pick:1", chance=[QUIET])
    assert (document["end_reason"], document["active"]) == (None, 1)


def test_truncation() -> None:
    """B-R40: after the last round is complete the game is cut off and scored as it stands."""
    start = table(active=3, options={"max_rounds": 1}, prizes={3: "glass_spider"})
    state = play(start, "move:3", "skip", "pick:1", chance=[QUIET])
    assert (state.end_reason(), state.is_truncated(), state.current_player()) == ("max_rounds", True, -1)
    assert state.scores() == [0, 1, 0, 4 + 2 + 1]


def test_scores() -> None:
    """B-66, B-R47: Prizes, sole majorities, sets of three; nobody has the most of a colour that nobody holds."""
    joy = {0: [3, 0, 0], 1: [3, 1, 0], 2: [0, 0, 0], 3: [1, 0, 0]}
    state = load(table(joy=joy, prizes={2: "glass_spider"}))
    assert state.scores() == [2, 3, 4, 0]
    assert state.ranks() == [3, 2, 1, 4]
    assert state.winners() == [2]


def test_shared_victory() -> None:
    """B-66: equal in VP, Joy and Prizes."""
    state = load(table(joy={0: [1, 0, 0], 1: [1, 0, 0], 2: [0, 0, 0], 3: [0, 0, 0]}))
    assert state.winners() == [0, 1]
    assert state.returns() == pytest.approx([1 / 3, 1 / 3, -1 / 3, -1 / 3])


# What always holds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_move_and_a_token_always_exist(players: int) -> None:
    """B-5, B-R46, B-R48: at least five spaces unoccupied, a legal move, and Mr. Charles's token in the Bag."""
    state = load_game("bedeville", num_players=players).new_initial_state(seed=players)
    choose = random.Random(players)
    while not state.is_terminal():
        document = state.to_position()
        if state.phase() == "turn":
            standing = {document["charles"]["space"], *(player["space"] for player in document["players"])} - {-1}
            assert sum(here is not None for here in document["ring"]) - len(standing) >= 5
            assert offered(state, "move")
            assert "charles" in document["bag"]
        state.apply_action(choose.choice(state.legal_actions()))


def test_secret_choices_are_not_public() -> None:
    """B-4, B-34, B-35: the others read that a choice was made, not which; everything else is said aloud."""
    love = play(table(cards={3: "eternal_love", 1: "deep_sea_ride"}), "move:3")
    blind = play(table(cards={3: "blind_shot", 6: "deep_sea_ride"}), "move:3")
    for state, action, public in ((love, "gain:blue", "gain:?"), (blind, "pick:1", "pick:?")):
        assert state.public_action_to_string(state.game.string_to_action(action)) == public
    turn = load(table())
    assert turn.public_action_to_string(turn.game.string_to_action("move:3")) == "move:3"
