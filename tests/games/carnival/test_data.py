"""The component data of Carnival: what the specification says, and what a user's own file may change."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from carnival_envs.registry import definition, load_game

DATA: dict[str, Any] = load_game("carnival").data


def test_box() -> None:
    """Section 2.4: 86 cards, of which 20 bear a white tip; 12 Tickets, 3 dice with 6 faces."""
    box = DATA["box"]
    assert box["parts_cards"]["total"] + box["wilds"]["total"] == 86
    assert box["copies"]["per_kind"] * 20 == box["parts_cards"]["total"] == 80
    assert box["white_tip"]["total"] == 20
    assert (box["tickets"]["total"], box["dice"]["count"], box["die"]["faces"]) == (12, 3, 6)


@pytest.mark.parametrize(
    ("players", "copies", "total", "shuffled", "dealt", "deck"),
    [(2, 3, 66, 64, 10, 52), (3, 3, 66, 63, 15, 45), (4, 4, 86, 82, 20, 58)],
)
def test_cards_in_play(players: int, copies: int, total: int, shuffled: int, dealt: int, deck: int) -> None:
    """Section 5: the table under the set-up."""
    row = next(row for row in DATA["in_play"] if row["players"] == players)
    assert row["copies_per_part_kind"] == copies
    assert (row["total"], row["shuffled"], row["dealt"], row["start_deck"]) == (total, shuffled, dealt, deck)


def test_action_layout() -> None:
    """Section 9: 239 actions; every block starts where the data says and has as many."""
    actions = definition("carnival").actions
    assert len(actions) == len(set(actions)) == DATA["actions"]["total"] == 239
    for block in DATA["actions"]["blocks"]:
        verb = block["string"].partition("<")[0].partition("[")[0]
        own = [index for index, action in enumerate(actions) if action.startswith(verb)]
        if block["name"] == "swap":
            own = [index for index in own if actions[index] != "swap:hand"]
        assert own == list(range(block["first"], block["first"] + block["count"])), block["name"]


@pytest.mark.parametrize(
    ("index", "action"),
    [
        (20, "discard:wild"),
        (63, "assign:3+5"),
        (80, "do:midway_trade:+2"),
        (85, "forfeit"),
        (110, "take:swings:wild"),
        (187, "start:swings:lights+seats"),
        (202, "play:ferris_wheel:lights"),
        (225, "reassign:carousel:swings"),
    ],
)
def test_action_examples(index: int, action: str) -> None:
    """Section 9: the examples."""
    assert definition("carnival").actions[index] == action


@pytest.mark.parametrize(("players", "size"), [(2, 189), (3, 231), (4, 273)])
def test_observation_size(players: int, size: int) -> None:
    """Section 10: 105 + 42 n numbers in 27 blocks."""
    game = load_game("carnival", num_players=players)
    assert game.observation_size == size
    assert len(game.observation_blocks) == 27


def changed(path: str, value: Any) -> dict[str, Any]:
    """A file that changes one entry."""
    data = copy.deepcopy(DATA)
    *tables, name = path.split(".")
    table: Any = data
    for key in tables:
        table = table[int(key)] if isinstance(table, list) else table[key]
    table[name] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("box.die.faces", 8, "data box.die.faces"),
        ("parts.ids", ["banners", "lights", "materials", "benches"], "data parts.ids"),
        ("constants.rulebook.cards_to_complete", 3, "cards_to_complete"),
        ("constants.rulebook.hand_refill", 7, "data constants.rulebook.hand_refill: 7"),
        ("constants.rulebook.max_tickets", 2, "starting_tickets: 3 is not allowed; allowed: an integer in 0..2"),
        ("constants.reconstructed.reassign_limit_per_turn", -1, "reassign_limit_per_turn: -1"),
        ("in_play.0.wilds", 1, "wilds: 1 is not allowed; allowed: an integer in 2..6"),
        ("in_play.1.copies_per_part_kind", 2, "data in_play"),
        ("meta.score_scale", 0, "data meta.score_scale"),
        ("attractions.names", ["Carousel"], "data attractions.names"),
    ],
)
def test_refused_data(path: str, value: Any, named: str) -> None:
    """Data that the game can't be played with is refused by name."""
    with pytest.raises(ValueError, match=named.replace("[", r"\[")):
        load_game("carnival", data=changed(path, value))


def test_own_constants_are_played() -> None:
    """A file of its own changes the refill and the number of copies."""
    own = {
        "constants": {"rulebook": {"hand_refill": 5, "starting_hand_dealt": 1, "starting_tickets": 1}},
        "in_play": [
            {"players": n, "dealt": n, "start_deck": total - 3 * n, "tickets": n}
            for n, total in ((2, 66), (3, 66), (4, 86))
        ],
    }
    state = load_game("carnival", data=own).new_initial_state(seed=4)
    assert state.to_position()["tickets"] == [1, 1]
    assert [len(hand) for hand in state.to_position()["hands"]] == [2, 2]
    for action in ("swap:hand", "swap_done", "end_build"):
        state.apply_action(action)
    assert len(state.to_position()["hands"][0]) == 5
