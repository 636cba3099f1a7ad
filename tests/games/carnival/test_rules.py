"""The rules of Carnival one by one; ``coverage.toml`` says which test or case shows which rule."""

from __future__ import annotations

from typing import Any

import pytest

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.registry import load_game
from tests.games.carnival.tables import ATTRACTIONS, NATURAL, after, legal, load, midway, play, table

THREE_PLAYERS = {"num_players": 3}


def action_table(*faces: int, dice: list[int] | None = None, **fields: Any) -> dict[str, Any]:
    """A position in phase ``action`` with some assigned dice left."""
    rolled = dice or ([*faces, 1, 2] if len(faces) == 1 else [*faces, 1])[:3]
    return table("action", dice=rolled, remaining=sorted(faces), **fields)


# The goal ----------------------------------------------------------------------------------------------------------


def test_win_with_wilds() -> None:
    """C-1: complete attractions count with or without Wilds."""
    wilds = "banners wild wild wild"
    own = midway(bumper_cars=NATURAL, carousel=wilds, ferris_wheel=NATURAL, swings="lights materials wild")
    state = play(table("build", hands=[["swings:banners"], []], midways=[own, midway()]), "play:swings:banners")
    assert state.end_reason() == "goal"
    assert state.winners() == [0]
    assert state.scores() == [4, 0]


def test_three_attractions_are_enough_in_quick_play() -> None:
    """C-1: ``attractions_to_win=3``."""
    own = midway(bumper_cars=NATURAL, carousel=NATURAL, swings="banners lights materials")
    document = table("build", hands=[["swings:seats"], []], midways=[own, midway()], discard=["wild"])
    assert play(document, "play:swings:seats").end_reason() is None
    document["options"]["attractions_to_win"] = 3
    assert play(document, "play:swings:seats").end_reason() == "goal"


def test_win_in_another_players_turn() -> None:
    """C-3, C-R30: the return card completes the receiver's fourth attraction before the giver's lone Wild lands."""
    own = midway(
        bumper_cars="banners wild wild wild",
        carousel="banners lights materials",
        ferris_wheel=NATURAL,
        roller_coaster="banners lights materials",
        swings="seats wild",
    )
    target = midway(
        bumper_cars=NATURAL,
        carousel="seats",
        ferris_wheel=NATURAL,
        roller_coaster=NATURAL,
        swings="banners lights materials",
    )
    document = action_table(5, options={"num_players": 4}, midways=[own, target, midway(), midway()])
    state = play(document, "do:midway_trade:+1", "take:carousel:seats", "hand_over:swings:seats")
    assert state.end_reason() == "goal"
    assert state.winners() == [1]
    ended = state.to_position()
    assert ended["active"] == 0
    assert ended["midways"][0]["swings"] == ["wild"]
    assert ended["place"] is None
    assert ended["action"] == {
        "kind": "midway_trade",
        "target": 1,
        "attraction": "carousel",
        "slot": "seats",
        "placed": None,
    }


def test_taker_comes_first_when_both_reach_the_goal() -> None:
    """C-R30: a steal completes the thief's attraction; the victim's lone Wild would have completed his."""
    options = {"num_players": 4, "attractions_to_win": 3}
    own = midway(bumper_cars=NATURAL, carousel=NATURAL, roller_coaster="lights materials seats")
    target = midway(bumper_cars=NATURAL, carousel=NATURAL, roller_coaster="banners wild", swings="banners lights seats")
    document = action_table(6, options=options, midways=[own, target, midway(), midway()])
    state = play(document, "do:midway_steal:+1", "take:roller_coaster:banners")
    assert state.winners() == [0]
    assert state.to_position()["midways"][1]["roller_coaster"] == ["wild"]


def test_lone_wild_wins_for_the_target() -> None:
    """C-3, C-33: a theft leaves a Wild alone, which completes the victim's last attraction."""
    options = {"attractions_to_win": 3}
    target = midway(bumper_cars=NATURAL, carousel=NATURAL, roller_coaster="banners wild", swings="banners lights seats")
    document = action_table(6, options=options, midways=[midway(), target], discard=["wild"])
    state = play(document, "do:midway_steal:+1", "take:roller_coaster:banners")
    assert state.winners() == [1]
    assert state.to_position()["place"] == {"reason": "lone_target", "seat": 1, "count": 0}


def test_score_and_ranks_after_truncation() -> None:
    """C-51, C-70, C-R39, C-R42, C-R46: complete attractions alone count; ties share the win."""
    options = {"num_players": 3, "max_turns": 8}
    midways = [
        midway(bumper_cars=NATURAL, carousel="banners lights materials"),
        midway(carousel="banners wild wild wild"),
        midway(swings="banners lights materials"),
    ]
    hands = [["swings:banners", "wild", "wild"], ["ferris_wheel:lights"], []]
    document = table("build", options=options, turn=7, midways=midways, hands=hands, dice=[1, 2, 3], reassigns=2)
    document["tickets"] = [3, 0, 1]
    state = play(document, "end_build")
    assert state.is_truncated()
    assert state.end_reason() == "max_turns"
    assert state.scores() == [1, 1, 0]
    assert state.ranks() == [1, 1, 3]
    assert state.winners() == [0, 1]
    assert state.returns("win") == [0.25, 0.25, -0.5]
    assert state.returns("score") == pytest.approx([1 / 6, 1 / 6, -1 / 3])
    ended = state.to_position()
    assert (ended["phase"], ended["actor"], ended["active"], ended["turn"]) == ("over", -1, 1, 8)
    assert (ended["dice"], ended["reassigns"]) == ([], 0)
    assert ended["discard"] == document["discard"]


# Cards on a Midway -------------------------------------------------------------------------------------------------


def test_an_attraction_holds_each_part_once_and_four_cards() -> None:
    """C-4, C-5: no duplicate part, nothing onto a complete attraction; Wilds are no duplicates."""
    own = midway(swings="banners wild wild", carousel="banners lights wild wild")
    hands = [["carousel:seats", "swings:banners", "swings:lights", "wild"], []]
    state = load(table("build", midways=[own, midway()], hands=hands))
    builds = [action for action in legal(state) if not action.startswith("reassign")]
    assert builds == ["play:swings:lights", "wild:swings", "end_build"]


def test_natural_set_of_another_player_pays_him_a_ticket() -> None:
    """C-7: the owner takes the Ticket, active or not."""
    own = midway(swings="seats", carousel="banners")
    target = midway(swings="banners lights materials", carousel="seats")
    document = action_table(5, midways=[own, target], tickets=[3, 1], discard=["wild"], turn=4)
    state = play(document, "do:midway_trade:+1", "take:carousel:seats", "allow", "hand_over:swings:seats")
    ended = state.to_position()
    assert ended["midways"][1]["swings"] == NATURAL.split()
    assert ended["tickets"] == [3, 2]


def test_classic_variant_pays_no_tickets() -> None:
    """C-7: ``natural_ticket=False``."""
    own = midway(swings="banners lights materials")
    document = table("build", hands=[["swings:seats"], []], midways=[own, midway()], discard=["wild"], tickets=[1, 1])
    assert after(document, "play:swings:seats")["tickets"] == [2, 1]
    document["options"]["natural_ticket"] = False
    assert after(document, "play:swings:seats")["tickets"] == [1, 1]


def test_midway_cards_never_come_to_a_hand() -> None:
    """C-8: a stolen card goes from Midway to Midway; hands only lose the discarded card."""
    midways = [midway(), midway(swings="banners lights")]
    document = action_table(6, midways=midways, hands=[["carousel:banners"], ["wild"]])
    ended = after(document, "do:midway_steal:+1", "take:swings:lights", "discard:carousel:banners")
    assert ended["hands"] == [[], ["wild"]]
    assert ended["midways"] == [midway(swings="lights"), midway(swings="banners")]


# The turn ----------------------------------------------------------------------------------------------------------


def test_start_of_turn() -> None:
    """C-10: turn fields are reset, and an empty discard pile is begun with the top card of the deck."""
    document = table(
        "build",
        options=THREE_PLAYERS,
        discard=[],
        hands=[["swings:banners"] * 3, [], []],
        dice=[2, 3, 4],
        tickets=[3, 2, 1],
        ticket_used=[False, True, True],
        reassigns=1,
    )
    document["deck"].remove("carousel:lights")
    document["deck"].append("carousel:lights")
    ended = after(document, "end_build")
    assert ended["discard"] == ["carousel:lights"]
    assert ended["ticket_used"] == [False, False, False]
    assert (ended["dice"], ended["reassigns"], ended["active"], ended["actor"]) == ([], 0, 1, 1)
    assert (ended["phase"], ended["turn"]) == ("main", 1)


@pytest.mark.parametrize(("size", "phase"), [(5, "main"), (6, "main"), (7, "discard"), (9, "discard")])
def test_discard_above_six_cards_only(size: int, phase: str) -> None:
    """C-11, C-R1: a player with at most six cards discards none."""
    cards = [f"{attraction}:{part}" for attraction in ATTRACTIONS for part in ("banners", "lights")]
    state = play(table("build", active=1, actor=1, hands=[cards[:size], ["wild"] * 3]), "end_build")
    assert state.phase() == phase
    assert (len(legal(state)) == size) == (phase == "discard")


def test_wild_discard_or_roll() -> None:
    """C-12, C-13: after a Wild discard the player builds; he can't roll any more."""
    document = table("main", hands=[["carousel:banners", "wild"], []])
    state = load(document)
    assert legal(state) == ["roll", "swap:hand"]
    state.apply_action("swap:hand")
    assert legal(state) == ["discard:carousel:banners", "swap_done"]
    state.apply_action("swap_done")
    assert state.phase() == "build"
    assert "roll" not in legal(state)


def no_card_left(phase: str) -> dict[str, Any]:
    """A position in which every card lies on a Midway or in a hand."""
    own = midway(**dict.fromkeys(ATTRACTIONS[:3], NATURAL), roller_coaster="banners lights materials")
    own["swings"] = ["banners", "lights", "materials"]
    hands = [["roller_coaster:seats", "wild"], ["roller_coaster:seats"] * 2 + ["swings:seats"] * 3, ["wild"] * 5]
    return table(phase, options=THREE_PLAYERS, midways=[own] * 3, hands=hands, discard=[])


def test_wild_discard_draws_from_a_reshuffle() -> None:
    """C-13, C-61: with no other card left, the ones just discarded come back."""
    document = no_card_left("main")
    actions = ["swap:hand", "discard:roller_coaster:seats", "swap_done"]
    ended = after(document, *actions, chance=[1])
    assert ended["hands"] == document["hands"]
    assert (ended["deck"], ended["discard"], ended["phase"]) == ([], [], "build")


def test_nothing_to_draw() -> None:
    """C-10, C-20, C-50, C-61, C-R15: no refill, no start of a discard pile, draws from piles are impossible."""
    document = no_card_left("build")
    state = load(document, chance=[0, 0, 0])
    state.apply_action("end_build")
    ended = state.to_position()
    assert ended["hands"] == document["hands"]
    assert (ended["discard"], ended["active"], ended["phase"]) == ([], 1, "main")
    state.apply_action("roll")
    assert state.to_position()["dice"] == [1, 1, 1]
    assert state.phase() == "build"


def test_roll_of_a_triple_needs_no_assignment() -> None:
    """C-14, C-15, C-62, C-R10: the third die goes to the bullseye; the action is due three times."""
    state = play(table("main"), "roll", chance=[1, 1, 1])
    assert state.phase() == "action"
    assert state.to_position()["remaining"] == [2, 2, 2]


def test_any_two_dice_may_be_assigned() -> None:
    """C-16, C-R9, C-R11: impossible actions may be chosen too (both hands and Midways are empty)."""
    assert legal(play(table("main"), "roll", chance=[2, 3, 4])) == ["assign:3+4", "assign:3+5", "assign:4+5"]
    assert legal(play(table("main"), "roll", chance=[5, 0, 5])) == ["assign:1+6", "assign:6+6"]


# Declaring ---------------------------------------------------------------------------------------------------------


def test_feasible_declarations() -> None:
    """C-20, C-R8, C-R20: opponents with cards are targets; the player himself and empty hands are not."""
    hands = [["wild"], [], ["wild"], ["swings:lights"]]
    state = load(action_table(3, 4, options={"num_players": 4}, hands=hands))
    assert legal(state) == ["do:hand_draw:+2", "do:hand_draw:+3", "do:hand_trade:+2", "do:hand_trade:+3"]


def test_draws_need_a_card() -> None:
    """C-20, C-R14: a Deck Draw is feasible from the discard pile alone; a Discard Draw needs a discard."""
    document = action_table(1, 2, dice=[1, 2, 5])
    assert legal(load(document)) == ["do:deck_draw", "do:discard_draw"]
    document["deck"], document["discard"] = [], [*document["deck"], *document["discard"]]
    assert legal(load(document)) == ["do:deck_draw", "do:discard_draw"]
    document["deck"], document["discard"] = document["discard"], []
    assert legal(load(document)) == ["do:deck_draw"]


def test_actions_in_any_order_and_none_refused() -> None:
    """C-20, C-R13: both are offered; no way round while one can be performed."""
    state = load(action_table(1, 3, hands=[[], ["wild"]]))
    assert legal(state) == ["do:deck_draw", "do:hand_draw:+1"]
    with pytest.raises(IllegalActionError):
        state.apply_action("forfeit")


def test_impossible_action_waits() -> None:
    """C-22, C-R12: a Discard Draw that is impossible now can be performed after a steal has made a discard."""
    document = action_table(2, 6, midways=[midway(), midway(swings="banners")], hands=[["wild"], []], discard=[])
    state = load(document)
    assert legal(state) == ["do:midway_steal:+1"]
    for action in ("do:midway_steal:+1", "take:swings:banners", "discard:wild"):
        state.apply_action(action)
    assert legal(state) == ["do:discard_draw"]


def test_discard_draw() -> None:
    """C-24: the top discard."""
    ended = after(action_table(2, discard=["carousel:seats", "swings:seats"]), "do:discard_draw")
    assert ended["hands"][0] == ["swings:seats"]
    assert ended["discard"] == ["carousel:seats"]


# Blocking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "actions"),
    [
        (1, ["do:deck_draw"]),
        (2, ["do:discard_draw"]),
        (3, ["do:hand_draw:+2"]),
        (4, ["do:hand_trade:+2"]),
        (5, ["do:midway_trade:+2", "take:swings:banners"]),
        (6, ["do:midway_steal:+2", "take:swings:banners"]),
    ],
)
def test_every_action_can_be_blocked_by_anyone(face: int, actions: list[str]) -> None:
    """C-21, C-R2, C-R4, C-R5, C-R6: both opponents are asked, the active player never; the action is lost."""
    document = action_table(
        face,
        dice=[face, face, face],
        options=THREE_PLAYERS,
        tickets=[3, 3, 3],
        hands=[[], [], ["wild"]],
        midways=[midway(carousel="banners"), midway(), midway(swings="banners")],
    )
    state = play(document, *actions)
    assert state.to_position()["block_queue"] == [1, 2]
    assert legal(state) == ["allow", "block"]
    state.apply_action("allow")
    assert state.to_position()["block_queue"] == [2]
    state.apply_action("block")
    ended = state.to_position()
    assert ended["tickets"] == [3, 3, 2]
    assert ended["ticket_used"] == [False, False, True]
    for field in ("hands", "midways", "deck", "discard"):
        assert ended[field] == document[field]
    assert ended["phase"] == "build"


def test_several_opponents_may_block_in_one_turn() -> None:
    """C-21, C-R3: one Ticket each; after a block the others are not asked about that action."""
    document = action_table(1, 3, options=THREE_PLAYERS, tickets=[3, 2, 2], hands=[[], ["wild"], []])
    state = play(document, "do:deck_draw", "block")
    assert state.to_position()["phase"] == "action"
    state.apply_action("do:hand_draw:+1")
    assert state.to_position()["block_queue"] == [2]
    state.apply_action("block")
    ended = state.to_position()
    assert ended["tickets"] == [3, 1, 1]
    assert ended["hands"] == [[], ["wild"], []]


def test_declared_target() -> None:
    """C-R7: the player for a hand action, the card as well for a Midway action."""
    midways = [midway(), midway(swings="banners wild")]
    fields: dict[str, Any] = {"tickets": [0, 1], "hands": [[], ["wild"]], "midways": midways}
    hand = after(action_table(3, **fields), "do:hand_draw:+1")
    assert hand["action"] == {"kind": "hand_draw", "target": 1, "attraction": None, "slot": None, "placed": None}
    midway_card = after(action_table(6, **fields), "do:midway_steal:+1", "take:swings:wild")
    assert midway_card["action"] == {**hand["action"], "kind": "midway_steal", "attraction": "swings", "slot": "wild"}


def test_players_without_tickets_are_not_asked() -> None:
    """C-21: no Ticket, no question."""
    state = play(action_table(1, tickets=[3, 0]), "do:deck_draw")
    assert state.phase() == "build"


# Hand actions ------------------------------------------------------------------------------------------------------


def test_hand_draw_takes_the_drawn_card() -> None:
    """C-25, C-63: index 2 of the hand in ascending kind order."""
    hands = [["wild"], ["bumper_cars:seats", "carousel:lights", "swings:banners", "wild"]]
    ended = after(action_table(3, hands=hands), "do:hand_draw:+1", chance=[2])
    assert ended["hands"] == [["swings:banners", "wild"], ["bumper_cars:seats", "carousel:lights", "wild"]]


def test_hand_trade_may_return_the_same_card() -> None:
    """C-26, C-R22."""
    state = play(action_table(4, hands=[["carousel:banners"], ["swings:lights"]]), "do:hand_trade:+1")
    assert legal(state) == ["give:carousel:banners", "give:swings:lights"]
    state.apply_action("give:swings:lights")
    assert state.to_position()["hands"] == [["carousel:banners"], ["swings:lights"]]
    assert state.phase() == "build"


# Midway actions ----------------------------------------------------------------------------------------------------


def test_steal_with_an_empty_hand() -> None:
    """C-31, C-R21: nothing is discarded."""
    ended = after(
        action_table(6, midways=[midway(), midway(swings="banners")]), "do:midway_steal:+1", "take:swings:banners"
    )
    assert ended["phase"] == "build"
    assert ended["discard"] == ["swings:seats"]
    assert ended["midways"][0]["swings"] == ["banners"]


def test_stolen_part_founds_an_attraction() -> None:
    """C-32, C-42, C-R36: alone it is established, and a Wild may follow."""
    document = action_table(6, midways=[midway(), midway(swings="banners")], hands=[["carousel:seats", "wild"], []])
    state = play(document, "do:midway_steal:+1", "take:swings:banners", "discard:carousel:seats")
    assert legal(state) == ["wild:swings", "end_build"]


def test_natural_sets_are_safe_but_wilds_are_not() -> None:
    """C-6, C-R31: a complete attraction with a Wild may be undone, by any of its cards that fits."""
    target = midway(swings=NATURAL, carousel="banners lights materials wild")
    document = action_table(6, midways=[midway(carousel="lights"), target], discard=["wild"])
    state = play(document, "do:midway_steal:+1")
    assert legal(state) == ["take:carousel:banners", "take:carousel:materials", "take:carousel:wild"]
    state.apply_action("take:carousel:wild")
    assert state.scores() == [0, 1]


def test_wild_without_a_home_is_discarded() -> None:
    """C-33, C-R27: a taken Wild finds no eligible attraction; the thief's own discard lies above it."""
    document = action_table(6, midways=[midway(), midway(swings="banners wild")], hands=[["carousel:seats"], []])
    ended = after(document, "do:midway_steal:+1", "take:swings:wild", "discard:carousel:seats")
    assert ended["discard"] == ["swings:seats", "wild", "carousel:seats"]
    assert ended["midways"] == [midway(), midway(swings="banners")]


def test_taken_wild_is_placed_by_the_taker() -> None:
    """C-30, C-33: the taker chooses among his eligible attractions."""
    own = midway(swings="lights", carousel="banners lights", ferris_wheel=NATURAL)
    document = action_table(6, midways=[own, midway(swings="banners wild")], hands=[["wild"], []])
    state = play(document, "do:midway_steal:+1", "take:swings:wild")
    assert state.to_position()["place"] == {"reason": "taken", "seat": 0, "count": 1}
    assert legal(state) == ["place:carousel", "place:swings"]
    state.apply_action("place:carousel")
    moved = state.to_position()
    assert moved["action"]["placed"] == "carousel"
    assert (moved["place"], moved["phase"]) == (None, "steal_discard")


def test_several_lone_wilds_are_placed_one_by_one() -> None:
    """C-9, C-33, C-R28: the target chooses for each; one that fills an attraction changes the next choice."""
    target = midway(swings="banners wild wild wild", carousel="banners lights materials", ferris_wheel="banners")
    document = action_table(6, midways=[midway(), target], hands=[["wild"], []])
    state = play(document, "do:midway_steal:+1", "take:swings:banners")
    assert state.current_player() == 1
    assert state.to_position()["place"] == {"reason": "lone_target", "seat": 1, "count": 3}
    assert state.to_position()["midways"][1]["swings"] == []
    state.apply_action("place:carousel")
    ended = state.to_position()
    assert ended["midways"][1] == midway(carousel="banners lights materials wild", ferris_wheel="banners wild wild")
    assert (ended["phase"], ended["actor"]) == ("steal_discard", 0)


def test_giver_places_his_own_lone_wild() -> None:
    """C-30, C-33: after the gift the giver's Wild is alone."""
    own = midway(swings="banners wild", carousel="lights", ferris_wheel="lights")
    document = action_table(5, midways=[own, midway(bumper_cars="seats")])
    state = play(document, "do:midway_trade:+1", "take:bumper_cars:seats", "hand_over:swings:banners")
    assert state.to_position()["place"] == {"reason": "lone_self", "seat": 0, "count": 1}
    state.apply_action("place:bumper_cars")
    ended = state.to_position()
    assert ended["midways"] == [
        midway(bumper_cars="seats wild", carousel="lights", ferris_wheel="lights"),
        midway(swings="banners"),
    ]
    assert ended["phase"] == "build"


def test_legal_return_cards() -> None:
    """C-28, C-R23, C-R26: no duplicate, nothing onto a complete attraction, no locked card, not the card just taken."""
    own = midway(
        bumper_cars=NATURAL,
        carousel="banners lights",
        ferris_wheel="banners",
        swings="lights wild",
    )
    target = midway(carousel="banners materials", ferris_wheel="lights seats wild wild", roller_coaster="seats")
    document = action_table(5, midways=[own, target])
    state = play(document, "do:midway_trade:+1", "take:roller_coaster:seats")
    assert legal(state) == ["hand_over:carousel:lights", "hand_over:swings:lights", "hand_over:swings:wild"]


@pytest.mark.parametrize(("wilds", "returned"), [("", []), (" wild", ["hand_over:swings:wild"])])
def test_taken_wild_is_not_returned(wilds: str, returned: list[str]) -> None:
    """C-28, C-R23: a taken Wild that lies beside another may go, since both are alike."""
    own = midway(swings=f"lights{wilds}", ferris_wheel=NATURAL)
    target = midway(carousel="banners wild")
    document = action_table(5, midways=[own, target])
    state = play(document, "do:midway_trade:+1", "take:carousel:wild")
    assert legal(state) == ["hand_over:swings:lights", *returned]


def test_no_trade_without_a_card_to_give() -> None:
    """C-29, C-R24: the only own part is a duplicate on the target's side; a theft of the same cards is possible."""
    midways = [midway(swings="banners"), midway(swings="banners", carousel="lights")]
    state = load(action_table(5, 6, midways=midways))
    assert legal(state) == ["do:midway_steal:+1"]


def test_trade_without_a_card_to_give_if_it_wins() -> None:
    """C-29, C-R24: the take completes the last attraction needed, and ends the game."""
    options = {"attractions_to_win": 3}
    own = midway(bumper_cars=NATURAL, carousel=NATURAL, swings="lights materials seats")
    target = midway(bumper_cars="banners", ferris_wheel="lights", swings="banners")
    document = action_table(5, options=options, midways=[own, target], discard=["wild"])
    state = play(document, "do:midway_trade:+1")
    assert "take:swings:banners" in legal(state)
    state.apply_action("take:swings:banners")
    assert state.winners() == [0]


def test_wild_may_be_taken_in_a_trade_if_it_can_win() -> None:
    """C-29: an eligible attraction with three cards is enough, though no return card exists."""
    options = {"attractions_to_win": 3}
    own = midway(bumper_cars=NATURAL, carousel=NATURAL, swings="lights materials seats")
    target = midway(swings="banners lights materials wild")
    document = action_table(5, options=options, midways=[own, target], discard=["wild"])
    state = play(document, "do:midway_trade:+1", "take:swings:wild")
    assert state.winners() == [0]


def test_taking_opens_the_way_for_the_return_card() -> None:
    """C-29: the target's full attraction takes a card only once one has been taken from it."""
    own = midway(swings="banners")
    target = midway(swings="lights materials seats wild")
    state = play(action_table(5, midways=[own, target], discard=["wild"]), "do:midway_trade:+1", "take:swings:lights")
    assert legal(state) == ["hand_over:swings:banners"]


def test_take_that_locks_the_only_return_card() -> None:
    """C-6, C-29: the part would complete a natural set, whose cards can't be given."""
    own = midway(swings="lights materials seats")
    target = midway(swings="banners", carousel="banners")
    state = play(action_table(5, midways=[own, target], discard=["wild"]), "do:midway_trade:+1")
    assert legal(state) == ["take:carousel:banners"]


def test_return_card_becomes_impossible() -> None:
    """C-30, C-R25: the target's lone Wild fills the attraction that the return card was for; nothing is given."""
    own = midway(ferris_wheel="seats")
    target = midway(ferris_wheel="banners lights materials", swings="banners wild")
    ended = after(action_table(5, midways=[own, target]), "do:midway_trade:+1", "take:swings:banners")
    assert ended["midways"] == [
        midway(ferris_wheel="seats", swings="banners"),
        midway(ferris_wheel="banners lights materials wild"),
    ]
    assert ended["phase"] == "build"


def test_same_player_twice() -> None:
    """C-34: two steals from one player in one turn."""
    document = action_table(6, 6, midways=[midway(), midway(swings="banners lights")])
    steals = ["do:midway_steal:+1", "take:swings:banners", "do:midway_steal:+1", "take:swings:lights"]
    state = play(document, *steals)
    assert state.to_position()["midways"] == [midway(swings="banners lights"), midway()]


# Building ----------------------------------------------------------------------------------------------------------


def test_build_any_number_of_moves() -> None:
    """C-40, C-41, C-R37, C-R45: two attractions started in one turn, the second with Wilds."""
    hands = [["carousel:banners", "carousel:seats", "swings:lights", "wild", "wild"], []]
    document = table("build", hands=hands, tickets=[2, 2])
    state = load(document)
    starts = [action for action in legal(state) if action.startswith("start")]
    assert starts == [
        "start:carousel:banners+seats",
        "start:carousel:banners+wild",
        "start:carousel:seats+wild",
        "start:swings:lights+wild",
    ]
    for action in ("start:carousel:banners+seats", "start:swings:lights+wild", "wild:swings"):
        state.apply_action(action)
    assert state.to_position()["midways"][0] == midway(carousel="banners seats", swings="lights wild wild")
    assert state.to_position()["hands"][0] == []


def test_a_new_attraction_needs_two_cards() -> None:
    """C-41: one part alone, or Wilds alone, start nothing."""
    assert legal(load(table("build", hands=[["swings:lights", "swings:lights"], []]))) == ["end_build"]
    assert legal(load(table("build", hands=[["wild", "wild"], []]))) == ["end_build"]


def test_reassignment() -> None:
    """C-43: from any attraction with a Wild, complete or not, to another one that is eligible."""
    own = midway(bumper_cars="lights", carousel="banners lights wild wild", ferris_wheel=NATURAL, swings="lights wild")
    state = load(table("build", midways=[own, midway()]))
    moves = [
        "reassign:carousel:bumper_cars",
        "reassign:carousel:swings",
        "reassign:swings:bumper_cars",
    ]
    assert legal(state) == [*moves, "end_build"]
    state.apply_action("reassign:carousel:swings")
    assert state.to_position()["midways"][0]["carousel"] == ["banners", "lights", "wild"]
    assert state.to_position()["midways"][0]["swings"] == ["lights", "wild", "wild"]
    assert state.to_position()["reassigns"] == 1


def test_six_reassignments_a_turn() -> None:
    """C-43, C-R35: the limit counts both phases together."""
    own = midway(carousel="banners wild", swings="lights")
    document = table("build", midways=[own, midway()], dice=[1, 2, 3], reassigns=5)
    state = load(document)
    assert legal(state) == ["reassign:carousel:swings", "end_build"]
    state.apply_action("reassign:carousel:swings")
    assert legal(state) == ["end_build"]


def test_reassignments_in_action_and_build_only() -> None:
    """C-43, C-R34: not before the roll, while assigning, or in a Wild discard."""
    midways = [midway(carousel="banners wild", swings="lights"), midway()]
    hands = [["wild"], []]
    assert "reassign:carousel:swings" in legal(load(action_table(1, midways=midways, hands=hands)))
    assert "reassign:carousel:swings" in legal(load(table("build", midways=midways, hands=hands)))
    others = [
        table("main", midways=midways, hands=hands),
        table("assign", midways=midways, hands=hands, dice=[1, 2, 3]),
        table("swap", midways=midways, hands=hands, swap_count=1),
    ]
    for document in others:
        assert not any(action.startswith("reassign") for action in legal(load(document)))


def test_reassigning_can_win() -> None:
    """C-2, C-43: in phase ``action``, with the dice left as they are."""
    own = midway(
        bumper_cars=NATURAL,
        carousel=NATURAL,
        ferris_wheel="banners lights wild wild",
        roller_coaster="banners wild",
        swings="lights materials seats",
    )
    document = action_table(1, midways=[own, midway()], discard=["wild"])
    state = play(document, "reassign:roller_coaster:swings")
    assert state.winners() == [0]
    ended = state.to_position()
    assert (ended["remaining"], ended["reassigns"]) == ([1], 1)


def test_reassigning_may_void_an_action() -> None:
    """C-22, C-43, C-R13: the own attraction is full now, nothing else can be stolen or moved: the die is lost."""
    own = midway(carousel="banners wild", swings="banners lights materials")
    document = action_table(6, midways=[own, midway(swings="seats")], reassigns=5, discard=["wild"])
    state = load(document)
    assert legal(state) == ["do:midway_steal:+1", "reassign:carousel:swings"]
    state.apply_action("reassign:carousel:swings")
    assert (state.phase(), state.to_position()["remaining"]) == ("build", [])


def test_tickets_have_no_other_use() -> None:
    """C-R44: whatever the Tickets, the active player's decisions are the same."""
    for document in (table("main"), table("assign", dice=[1, 2, 3]), action_table(1)):
        without = legal(load(document))
        document["tickets"] = [3, 3]
        assert legal(load(document)) == without


# End of turn -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "drawn"), [(0, 3), (2, 1), (3, 0), (5, 0)])
def test_refill_to_three(size: int, drawn: int) -> None:
    """C-50: only below three cards."""
    hand = [f"{attraction}:banners" for attraction in ATTRACTIONS][:size]
    document = table("build", hands=[hand, []])
    ended = after(document, "end_build")
    assert len(ended["hands"][0]) == size + drawn
    assert ended["deck"] == document["deck"][: len(document["deck"]) - drawn]
    assert ended["active"] == 1


def test_seats_follow_clockwise() -> None:
    """C-50: after the last seat the first."""
    document = table("build", options={"num_players": 4}, active=3, actor=3, hands=[[], [], [], ["wild"] * 3])
    assert after(document, "end_build")["active"] == 0


def test_top_discard_only_is_seen() -> None:
    """C-R16, C-R43: cards below the top, the deck and other hands do not show; all sizes do."""
    document = table("main", discard=["wild", "carousel:seats"], hands=[["swings:lights"], ["wild", "wild"]])
    hands = [["swings:lights"], ["carousel:seats", "wild"]]
    other = table("main", discard=["swings:seats", "carousel:seats"], hands=hands)
    other["deck"].reverse()
    first, second = load(document), load(other)
    assert first.text(0) == second.text(0)
    assert first.observation_tensor(0).tobytes() == second.observation_tensor(0).tobytes()
    assert first.observation_tensor(1).tobytes() != second.observation_tensor(1).tobytes()
    seen = first.observation(0)
    assert seen["discard_top"].argmax() == 7
    assert seen["hand_sizes"].tolist() == [1, 2]
    assert (seen["deck_size"].tolist(), seen["discard_size"].tolist()) == ([61], [2])


# Set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "deck"), [(2, 52), (3, 45), (4, 58)])
def test_set_up(n: int, deck: int) -> None:
    """C-60: six cards, one of them a Wild for certain, three Tickets, a discard per player."""
    position = load_game("carnival", num_players=n, first_player=1).new_initial_state(seed=5).to_position()
    assert len(position["deck"]) == deck
    assert len(position["discard"]) == n
    assert all(len(hand) == 6 and "wild" in hand for hand in position["hands"])
    assert position["tickets"] == [3] * n
    assert (position["active"], position["phase"], position["turn"]) == (1, "main", 0)


def test_cards_given_from_hand_to_hand_stay_hidden() -> None:
    """Section 10: third parties do not learn the card of a Hand Trade."""
    game = load_game("carnival")
    state = play(action_table(4, hands=[["carousel:banners"], ["swings:lights"]]), "do:hand_trade:+1")
    public = {action: state.public_action_to_string(action) for action in range(game.num_actions)}
    assert public[game.string_to_action("give:swings:lights")] == "give:?"
    assert public[game.string_to_action("discard:swings:lights")] == "discard:swings:lights"
    assert public[game.string_to_action("roll")] == "roll"
