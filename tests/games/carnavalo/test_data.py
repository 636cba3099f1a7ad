"""The component data of Carnavalo: what the specification says, and what a user's own data may change."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from carnival_envs.registry import definition, load_game
from tests.games.carnavalo.tables import DOWN, UP, table, tents

DATA: dict[str, Any] = load_game("carnavalo").data


def test_box() -> None:
    """Section 2: what the box holds, against the sums of its parts."""
    counts = DATA["counts"]
    cards, tent_tokens, parade_tokens = DATA["cards"], DATA["tent_tokens"], DATA["parade_tokens"]
    assert cards["sets"] * len(cards["values"]) == cards["total"] == 30
    assert cards["total"] + cards["bus_cards"] == counts["cards"]
    assert DATA["disc_track"]["discs_per_player"] * cards["sets"] + len(DATA["citizens"]["names"]) == counts["pawns"]
    assert sum(kind["count"] for kind in tent_tokens["kind"]) == tent_tokens["total"] == 26
    assert sum(kind["count"] for kind in parade_tokens["kind"]) == parade_tokens["total"] == 6
    tokens = tent_tokens["total"] + parade_tokens["total"] + DATA["parade"]["floats"] + DATA["movement_tokens"]["total"]
    assert tokens + 1 == counts["tokens"]  # the movement ring


def test_board() -> None:
    """Section 2.2: tent t on space 3 t, every citizen one space before a tent."""
    board = DATA["board"]
    assert [space["tent"] for space in board["space"]] == [t // 3 if t % 3 == 0 else -1 for t in range(18)]
    assert board["tent_spaces"] == [0, 3, 6, 9, 12, 15]
    for start in DATA["citizens"]["start_spaces"]:
        assert (start + 1) % 18 in board["tent_spaces"]


def test_action_layout() -> None:
    """Section 9: 196 actions; every block starts where the data says and has as many."""
    actions = definition("carnavalo").actions
    assert len(actions) == len(set(actions)) == DATA["actions"]["total"] == 196
    for block in DATA["actions"]["blocks"]:
        verb, _, form = block["kind"].partition("_")
        own = [index for index, action in enumerate(actions) if action.split(":")[0] == verb]
        if form:
            own = [index for index in own if actions[index].endswith("direct") == (form == "direct")]
        assert own == list(range(block["first"], block["first"] + block["size"])), block["kind"]


@pytest.mark.parametrize(
    ("index", "action"),
    [
        (0, "setup:1"),
        (4, "setup:5"),
        (5, "move:prince:1"),
        (19, "move:barricadol:5"),
        (20, "play:1:0:up"),
        (21, "play:1:0:down"),
        (79, "play:5:5:down"),
        (80, "token:0:prince:1"),
        (169, "token:5:barricadol:5"),
        (170, "token:0:prince:direct"),
        (187, "token:5:barricadol:direct"),
        (188, "return:0"),
        (193, "return:5"),
        (194, "end"),
        (195, "pass"),
    ],
)
def test_action_anchors(index: int, action: str) -> None:
    """Section 9: the anchors."""
    game = load_game("carnavalo")
    assert game.action_to_string(index) == action
    assert game.string_to_action(action) == index


@pytest.mark.parametrize(("players", "size"), [(2, 468), (3, 632), (4, 796), (5, 960), (6, 1124)])
def test_observation_size(players: int, size: int) -> None:
    """Section 10: 140 + 164 n numbers in 33 blocks."""
    game = load_game("carnavalo", num_players=players)
    assert game.observation_size == size
    assert len(game.observation_blocks) == 33


@pytest.mark.parametrize(
    ("option", "value"),
    [("advanced", 1), ("advanced", 0), ("advanced", "yes"), ("max_turns", 0), ("max_turns", True), ("max_turns", 9.0)],
)
def test_refused_options(option: str, value: Any) -> None:
    """Section 3: the error names the option, the value and what is allowed."""
    with pytest.raises(ValueError, match=f"^{option}: {value!r} is not allowed; allowed: "):
        load_game("carnavalo", **{option: value})


def test_bound_beyond_all_games() -> None:
    """Any integer of at least 1 bounds a game, however large."""
    game = load_game("carnavalo", num_players=2, max_turns=10**30)
    state = game.new_initial_state(seed=1)
    assert game.state_from_position(state.to_position(), seed=1).to_position() == state.to_position()


def changed(path: str, value: Any) -> dict[str, Any]:
    """The data with one entry changed."""
    data = copy.deepcopy(DATA)
    *tables, name = path.split(".")
    entry: Any = data
    for key in tables:
        entry = entry[int(key)] if isinstance(entry, list) else entry[key]
    entry[int(name) if isinstance(entry, list) else name] = value
    return data


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("score_scale", 0),
        ("game.days", 5),
        ("game.discs_to_end", 7),
        ("board.num_spaces", 20),
        ("board.tent_spaces.0", 3),
        ("board.space.1.tent", 4),
        ("board.space.5.start_of", "prince"),
        ("citizens.start_spaces.0", 18),
        ("citizens.names.0", "king"),
        ("movement_track.start", 6),
        ("disc_track.last_space", 5),
        ("cards.values.4", 6),
        ("tent_tokens.kind.0.count", 7),
        ("tent_tokens.kind.0.points", 100),
        ("tent_tokens.kind.4.multiplies_value", 20),
        ("tent_tokens.kind.5.factor", -1),
        ("parade_tokens.kind.1.code", 6),
        ("parade.cards_to_end_day", 6),
        ("parade.floats", 3),
        ("day_end.empty_hands_3_plus_players", 5),
    ],
)
def test_refused_data(path: str, value: Any) -> None:
    """Data that the game can't be played with is refused by the name of the entry."""
    named = rf"^data[. ]({path}|{path.rpartition('.')[0]})".replace(".", r"\.").replace(r"\\.", r"\.")
    with pytest.raises(ValueError, match=named):
        load_game("carnavalo", data=changed(path, value))


def test_own_data_is_played() -> None:
    """Other points, another end and another board are what the game is played by."""
    data = changed("board.space.1.tent", 0)
    data["board"]["space"][0]["tent"] = -1
    data["board"]["tent_spaces"][0] = 1
    data["citizens"]["start_spaces"][0] = 0
    data["board"]["space"][17]["start_of"] = ""
    data["movement_track"]["start"] = 2
    data["game"].update(days=2, discs_to_end=6)
    data["parade"].update(floats=2, float_points=-7, cards_to_end_day=3)
    data["disc_track"]["won_disc_points"] = 9
    game = load_game("carnavalo", data=data, num_players=2)
    start = game.new_initial_state(seed=1).to_position()
    assert (start["ring"], start["floats_left"], start["citizens"]["prince"]) == (2, 2, 0)
    document = table(2, ring=2, citizens={"prince": 0}, floats_left=2, parade=[[0, 4], [1, 3]])
    document["tents"] = tents(t0=[[1, 2, DOWN], [0, 1, UP]])
    document["hands"] = [[2, 3, 5], [1, 4, 5]]
    state = game.state_from_position(document, seed=1)
    state.apply_action("move:prince:1")
    # The third card of the parade: 5 against 3. Tent 0: player 0 has his disc on space 1, player 1 a 2.
    position = state.to_position()
    assert (position["day"], position["floats_left"], position["float_owned"]) == (2, 1, [True, False])
    assert position["discs"] == [[1, 0, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0]]
    assert position["won_tent_tokens"] == [[1], []]
    assert state.scores() == [1 + 1 - 7, 9 + 3]
