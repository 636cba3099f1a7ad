"""The component data of Bedeville Carnival: what the specification says, and what a user's own file may change."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from carnival_envs.registry import definition, load_game
from tests.games.bedeville.reference import ATTRACTIONS, CHARACTERS, FURBALL_CARDS, PRIZES, RINGS, TOKENS
from tests.games.bedeville.tables import table

DATA: dict[str, Any] = load_game("bedeville").data


def test_attractions() -> None:
    """Section 2.3: Joy, Noise and Furball symbol of each card; the totals under the table."""
    cards = {card["key"]: (*card["joy"], card["any"], card["noise"]) for card in DATA["attraction"]}
    assert cards == ATTRACTIONS
    assert [sum(card[column] for card in cards.values()) for column in range(5)] == [10, 10, 10, 8, 37]
    assert [card["key"] for card in DATA["attraction"] if card["furball_symbol"]] == sorted(
        FURBALL_CARDS, key=list(ATTRACTIONS).index
    )


def test_prizes() -> None:
    """Section 2.4: cost and VP of each Prize; the totals under the table."""
    prizes = {prize["key"]: (*prize["cost"], prize["any"], prize["vp"]) for prize in DATA["prize"]}
    assert prizes == PRIZES
    assert [sum(prize[column] for prize in prizes.values()) for column in range(5)] == [21, 21, 21, 16, 104]
    assert sum(prize["total"] for prize in DATA["prize"]) == 79


def test_no_other_cards() -> None:
    """B-R39: neither a "Witch" nor a "Mill of Fear"; 19 Attractions, 8 tokens, 6 Characters."""
    names = [card["name"] for card in DATA["attraction"]]
    assert len(names) == 19
    assert not {"Witch", "Mill of Fear"} & set(names)
    assert [token["key"] for token in DATA["token"]] == TOKENS
    assert [character["key"] for character in DATA["character"]] == CHARACTERS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ring(players: int) -> None:
    """Section 2.2: the spaces in play, each next to the following one; opposites at distance 5."""
    ring, spaces = DATA["board"][f"players_{players}"], RINGS[players]
    assert ring["spaces"] == spaces
    for place, space in enumerate(spaces):
        assert ring["cw"][space] == spaces[(place + 1) % len(spaces)]
        assert ring["ccw"][space] == spaces[place - 1]
        assert ring["opposite"][space] == ((space + 5) % 10 if (space + 5) % 10 in spaces else -1)


def test_actions() -> None:
    """Section 9: 129 actions; some of them at both ends of their ranges."""
    actions = definition("bedeville").actions
    assert len(actions) == len(set(actions)) == 129
    for index, action in (
        *((0, "gain:pink"), (5, "pay:blue"), (6, "discard:pink"), (11, "lay:blue"), (12, "exchange:pink:yellow")),
        *((17, "exchange:blue:yellow"), (20, "whim:yellow:pink"), (24, "account:pink"), (27, "account:none")),
        *((28, "buy:0"), (47, "move:9"), (48, "sprint:0"), (67, "carry:9"), (68, "pass_prize:0"), (87, "pinkaholic:9")),
        *(
            (88, "pick:0"),
            (98, "token:charles"),
            (105, "token:furball"),
            (112, "figure:charles"),
            (113, "figure:furball"),
        ),
        *((114, "character:johnny"), (119, "character:heidi"), (120, "count:1"), (121, "count:2"), (122, "skip")),
        *((123, "draw"), (124, "keep"), (125, "boredom"), (126, "eureka"), (127, "adrenaline"), (128, "tough")),
    ):
        assert actions[index] == action


def test_observation_length() -> None:
    """Section 10: 762 numbers for every option set."""
    for options in definition("bedeville").option_sets():
        assert load_game("bedeville", **options).observation_size == 762


def changed(section: str, name: str, value: Any) -> dict[str, Any]:
    """One section of the data with another entry."""
    return {section: {**copy.deepcopy(DATA[section]), name: value}}


def test_own_card_values(tmp_path: Path) -> None:
    """A user's file changes VP, cost and Noise; everything else stays."""
    path = tmp_path / "own.toml"
    path.write_text(
        '[[prize]]\nkey = "ghost_balloon"\nvp = 40\n[[attraction]]\nkey = "deep_sea_ride"\nnoise = 3\njoy = [0, 1, 1]\n'
    )
    game = load_game("bedeville", data=path)
    state = game.state_from_position(table(prizes={0: "ghost_balloon"}), chance=[3])
    assert state.scores()[0] == 40
    state.apply_action("move:3")
    state.apply_action("skip")
    assert state.to_position()["players"][0]["joy"] == [1, 1, 1]
    assert state.to_position()["ring"][3]["noise"] == 5


def test_actions_in_the_data() -> None:
    """Section 9: the component data names the blocks of the action space as they are."""
    actions = definition("bedeville").actions
    ends = [block["first"] + block["size"] for block in DATA["action"]]
    assert [block["first"] for block in DATA["action"]] == [0, *ends[:-1]]
    assert ends[-1] == DATA["action_space"]["n"] == len(actions)
    for block in DATA["action"]:
        verb = block["string"].split(":")[0]
        strings = actions[block["first"] : block["first"] + block["size"]]
        assert {action.split(":")[0] for action in strings} == {verb}
    assert [action.removeprefix("whim:") for action in actions[18:24]] == DATA["action_space"]["pair_order"]


def test_own_ring() -> None:
    """A user's file lays the spaces in another order: 0, 2, 1, 3 and on."""
    order = [0, 2, 1, 3, 4, 5, 6, 7, 8, 9]
    ring = copy.deepcopy(DATA["board"]["players_4"])
    for place, space in enumerate(order):
        ring["cw"][space] = order[(place + 1) % 10]
        ring["ccw"][space] = order[place - 1]
    game = load_game("bedeville", data={"board": {"players_4": ring}})
    state = game.state_from_position(table(), chance=[])
    moves = [game.action_to_string(action) for action in state.legal_actions()]
    assert [move for move in moves if move.startswith("move")] == ["move:1", "move:7", "move:9"]


def broken_rings() -> list[tuple[str, dict[str, Any]]]:
    """Rings that are none."""
    ring = DATA["board"]["players_4"]
    return [
        ("cw", {**ring, "cw": [1, 0, 3, 4, 5, 6, 7, 8, 9, 2]}),
        ("ccw", {**ring, "ccw": ring["cw"]}),
        ("opposite", {**ring, "opposite": [0, 6, 7, 8, 9, 5, 1, 2, 3, 4]}),
        ("spaces", {**ring, "spaces": [0, 1, 2, 3, 4, 5, 6, 7, 8]}),
        ("cw", {**ring, "cw": [10, *ring["cw"][1:]]}),
        ("cw", {**ring, "cw": ring["cw"][1:]}),
    ]


@pytest.mark.parametrize(("name", "ring"), broken_rings())
def test_ring_that_is_none(name: str, ring: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=rf"board.players_4.{name}"):
        load_game("bedeville", data={"board": {"players_4": ring}})


@pytest.mark.parametrize(
    ("own", "named"),
    [
        (changed("counts", "noise", 60), "counts.noise"),
        (changed("counts", "prizes", 20), "counts.prizes"),
        (changed("counts", "joy_per_colour", 10), "counts.joy_total"),
        (changed("rules", "flow_max", 3), "rules.flow_max"),
        (changed("scoring", "joy_set_size", 0), "scoring.joy_set_size"),
        (changed("board", "furball_dir", 2), "board.furball_dir"),
        (changed("board", "start_spaces", [0, 2, 4, 6]), "board.start_spaces"),
        (changed("board", "start_spaces", [2, 4]), "board.start_spaces"),
        (changed("board", "ticket_booth_space", 11), "board.ticket_booth_space"),
        (changed("board", "removed_4p", [9]), "board.players_4.spaces"),
        ({"colours": ["blue", "pink", "yellow"]}, "colours"),
        ({"prize": [{"key": "puppet", "any": 9}]}, r"prize\[puppet\].any"),
        ({"prize": [{"key": "puppet", "cost": [1, 1]}]}, r"prize\[puppet\].cost"),
        ({"prize": [{"key": "puppet", "total": 5}]}, r"prize\[puppet\].total"),
        ({"attraction": [{"key": "freaks", "noise": -1}]}, r"attraction\[freaks\].noise"),
        ({"attraction": [{"key": "castle_of_horror", "setup_allowed": True}]}, r"attraction\[castle_of_horror\]"),
        ({"token": [{"key": "charles", "basic": "random"}]}, r"token\[charles\].basic"),
        ({"token": [{"key": "joy", "basic": "always"}]}, "token.basic"),
        ({"token": [{"key": "joy", "basic": "often"}]}, r"token\[joy\].basic"),
        ({"character": [{"key": "clay", "ability_costs": ["", "green"]}]}, r"character\[clay\].ability_costs"),
        ({"prize": [{"key": "teddy", "vp": 1}]}, "prize.key"),
        ({"price": []}, "price"),
        ({"action": [{"key": "buy", "first": 29}]}, r"action.8.first"),
        ({"action_space": {"n": 130}}, "action_space.n"),
    ],
)
def test_data_that_can_not_be_played_with(own: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        load_game("bedeville", data=own)


def test_furball_token_without_furball() -> None:
    """The beginner's variant has no figure that the token could move."""
    own = {"token": [{"key": "furball", "beginner": "random"}]}
    load_game("bedeville", data=own)
    with pytest.raises(ValueError, match=r"token\[furball\].beginner"):
        load_game("bedeville", data=own, variant="beginner")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"num_players": 5}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"variant": "expert"}, "variant"),
        ({"characters": "chosen"}, "characters"),
        ({"characters": ["johnny"]}, "characters"),
        ({"num_players": 2, "characters": ["johnny", "johnny"]}, "characters"),
        ({"num_players": 2, "characters": ["johnny", "charles"]}, "characters"),
        ({"num_players": 2, "first_player": 2}, "first_player"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"max_rounds": 1001}, "max_rounds"),
    ],
)
def test_options_that_are_not_allowed(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        load_game("bedeville", **options)


def test_a_tuple_of_characters_becomes_a_list() -> None:
    """Section 4: as given, but JSON-ready."""
    game = load_game("bedeville", num_players=2, characters=("clay", "heidi"))
    assert game.options["characters"] == ["clay", "heidi"]
