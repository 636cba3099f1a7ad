"""Rules and rulings of Carnavalesco that no worked case shows by itself, by position documents."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
import pytest

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.core.state import State
from carnival_envs.registry import load_game

COLORS = "RYGBPW"

PERFECT = {
    "vanguard": "R1 R3 R4 R4",
    "flag_bearer": "R2 R2 B5 B5",
    "storyline": "R1 Y2 G3 B5",
    "floats": "R1 Y2 G3 B4",
    "costumes": "R1 Y2 G3 B4",
    "progression": "R6 Y4 G3 P5",
    "harmony": "Y2 Y2 Y2 Y2",
    "drums": "R5 G5 B5 P5",
    "samba": "W1 W2 W2 W3",
}
"""A board of nine perfect elements."""


def sort(dice: list[str]) -> list[str]:
    return sorted(dice, key=lambda die: (COLORS.index(die[0]), die[1]))


def finished_boards(*changes: dict[str, str], options: dict[str, Any] | None = None) -> State:
    """Two players' final boards, made from perfect ones by replacing elements: seat 1 places the last die."""
    boards = [{name: sort(dice.split()) for name, dice in {**PERFECT, **change}.items()} for change in changes]
    game = load_game("carnavalesco", **(options or {}))
    divisions = game.options["divisions"] if isinstance(game.options["divisions"], list) else ["D", "D"]
    last = boards[1]["samba"].pop()
    tokens = [own_tokens(game, board, done) for board, done in zip(boards, (True, False), strict=True)]
    lying = Counter(die[0] for board in boards for dice in board.values() for die in dice)
    lying.update([last[0]])
    pool = []
    for letter in COLORS:
        room = 25 - lying[letter]
        pool += [f"{letter}1"] * min(room, 4 - len(pool))
    lying.update(die[0] for die in pool)
    document = {
        "game": "carnavalesco",
        "version": 1,
        "options": game.options,
        "phase": "place",
        "active": 1,
        "actor": 1,
        "truncated": False,
        "end_reason": None,
        "parade": 1,
        "round": 9,
        "turn": 3,
        "turn_dice": 1,
        "first_player": 0,
        "bag": {letter: 25 - lying[letter] for letter in COLORS},
        "pool": pool,
        "hand": last,
        "round_picks": [],
        "players": [
            {"division": division, "colors": [], "board": board, "tokens": held, "counters": 0, "result": None}
            for division, board, held in zip(divisions, boards, tokens, strict=True)
        ],
        "history": [],
    }
    state = game.state_from_position(document, chance=[])
    state.apply_action("place:samba")
    return state


def own_tokens(game: Any, board: dict[str, list[str]], done: bool) -> list[str]:
    """The tokens of a board, by the independent reading of the rules."""
    from tests.games.carnavalesco.reference import tokens

    held = tokens(board, None)
    return held if done else [name for name in held if name != "samba"]


def element(state: State, seat: int, name: str) -> tuple[int, int, int]:
    """Base, bonus and score of an element in the final tally."""
    index = list(PERFECT).index(name)
    tally = state.to_position()["players"][seat]["result"]
    return tally["bases"][index], tally["bonuses"][index], tally["scores"][index]


def test_the_sum_of_nine_perfect_elements_is_90() -> None:
    """E-1, E-2, E-19, E-45: nine elements of four spaces, ten points each."""
    state = finished_boards({}, {})
    assert state.scores() == [90, 90]
    assert state.winners() == [0, 1]
    assert state.returns() == [0, 0]


def test_school_names_are_kept_and_shown_and_nothing_else() -> None:
    """E-4: names change no draw, no mask, no observation."""
    named = load_game("carnavalesco", school_names=["Portela", "Salgueiro"]).new_initial_state(seed=1)
    plain = load_game("carnavalesco").new_initial_state(seed=1)
    assert named.to_position()["options"]["school_names"] == ["Portela", "Salgueiro"]
    assert "Portela" in str(named)
    assert named.to_bytes() == plain.to_bytes()


def test_dice_never_move_or_change_once_placed() -> None:
    """E-8, E-12, E-18, E-R5: a decision adds the die in hand to the own board and touches nothing else on boards."""
    state = load_game("carnavalesco", num_players=3).new_initial_state(seed=6)
    rng = np.random.default_rng(6)
    while not state.is_terminal():
        before = state.to_position()
        action = state.game.action_to_string(int(rng.choice(state.legal_actions())))
        state.apply_action(action)
        for seat, (old, new) in enumerate(zip(before["players"], state.to_position()["players"], strict=True)):
            for name, dice in old["board"].items():
                added = [before["hand"]] if action == f"place:{name}" and seat == before["actor"] else []
                assert new["board"][name] == sort(dice + added)


def test_order_of_placing_does_not_matter() -> None:
    """E-11, E-R21: the same dice on an element in another order are the same position."""
    game = load_game("carnavalesco", first_player=0)
    start = game.new_initial_state(seed=2)
    one, other = copy.copy(start), copy.copy(start)
    first, second = sorted(set(start.to_position()["pool"]))[:2]
    for state, dice in ((one, (first, second)), (other, (second, first))):
        for die in dice:
            state.apply_action(f"take:{die}")
            state.apply_action("place:progression")
    assert one.to_position() == other.to_position()


def test_a_die_goes_anywhere_but_on_a_full_element() -> None:
    """E-10, E-R3: dice are taken and placed one by one, on any element with a free space, fitting or not."""
    state = load_game("carnavalesco", num_players=1, school_colors=["R", "B"]).new_initial_state(seed=3)
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
        assert state.phase() == "place"
        state.apply_action("place:samba")
    state.apply_action(state.legal_actions()[0])
    legal = {state.game.action_to_string(action) for action in state.legal_actions()}
    assert legal == {f"place:{name}" for name in PERFECT if name != "samba"}


@pytest.mark.parametrize(("num_players", "starters"), [(2, [1, 0, 1]), (3, [1, 0, 2]), (4, [1, 0, 3])])
def test_the_marker_goes_to_the_right(num_players: int, starters: list[int]) -> None:
    """E-16, E-R6: the player who acted last starts the next round, with two players too."""
    state = load_game("carnavalesco", num_players=num_players, first_player=1).new_initial_state(seed=1)
    found: list[int] = []
    last_actor = None
    while len(found) < len(starters):
        document = state.to_position()
        if len(found) < document["round"]:
            assert document["active"] == document["first_player"]
            assert last_actor in (None, document["active"])
            found.append(document["first_player"])
        last_actor = state.current_player()
        state.apply_action(state.legal_actions()[0])
    assert found == starters


@pytest.mark.parametrize(
    ("dice", "base", "bonus"),
    [
        ("R2 R2 B4 B4", 4, 2),  # two identical pairs of one parity (E-R11)
        ("R2 R2 R5 R5", 5, 0),  # one color (E-R12)
        ("R2 R2 B5 G5", 5, 0),  # "another color" is one color (E-R10)
        ("R2 R2 B5 B3", 4, 3),
        ("R2 R4 B5 B3", 5, 1),
    ],
)
def test_flag_bearer(dice: str, base: int, bonus: int) -> None:
    """E-24, E-R10, E-R11, E-R12; bases from the table of division D (2.4)."""
    state = finished_boards({"flag_bearer": dice}, {})
    assert element(state, 0, "flag_bearer") == (base, bonus, base + bonus)


@pytest.mark.parametrize(
    ("dice", "bonus"),
    [
        ("R1 Y2 G3 B5", 10),
        ("Y2 Y2 G3 B5", 3),  # three kinds, told in harmony, costumes, progression, flag_bearer (E-R14, E-R16)
        ("W1 W1 G3 B5", 0),  # present once: 3 kinds in samba, floats, flag_bearer only make 3 elements: see below
        ("Y2 Y2 G3 G3", 0),  # two kinds (E-R17)
        ("R1 Y2 G3 P1", 0),  # a die that is told nowhere (E-25)
    ],
)
def test_storyline(dice: str, bonus: int) -> None:
    """E-25, E-R13 to E-R18: dice that lie in the Storyline itself tell nothing."""
    state = finished_boards({"storyline": dice}, {})
    base, found, points = element(state, 0, "storyline")
    if bonus == 10:
        assert points == 10
    elif dice.startswith("W1 W1"):
        assert found == 1  # m = 3, k = 3: a doubled die counts once, so +1 is possible and +3 is not (E-R16)
    else:
        assert (found, points) == (bonus, base + bonus)


def test_storyline_dice_do_not_tell_each_other() -> None:
    """E-R13: P1 lies twice in the Storyline and nowhere else; it is present nowhere."""
    assert element(finished_boards({"storyline": "P1 P1 G3 B5"}, {}), 0, "storyline")[1] == 0


@pytest.mark.parametrize(
    ("dice", "bonus"),
    [("R1 Y2 G3 G1", 2), ("R1 R1 Y2 Y2", 2), ("R1 R1 R1 R1", 1), ("P6 P6 P6 P6", 0), ("R1 Y2 G3 P1", 3)],
)
def test_costumes_count_copies(dice: str, bonus: int) -> None:
    """E-27, E-R20: each die of Parade Floats & Props (R1 Y2 G3 B4) is matched once."""
    expected = {"R1 Y2 G3 G1": 3}.get(dice, bonus)
    assert element(finished_boards({"costumes": dice}, {}), 0, "costumes")[1] == expected


@pytest.mark.parametrize(
    ("dice", "bonus"),
    [("R1 R2 R3 P6", 3), ("R1 Y3 G4 P6", 0), ("R1 R5 G6 P6", 1), ("R2 R3 R4 P6", 2), ("R1 R2 Y3 P5", 2)],
)
def test_progression(dice: str, bonus: int) -> None:
    """E-28, E-R22, E-R23: first step that applies; 6 next to 1, both inside the run."""
    assert element(finished_boards({"progression": dice}, {}), 0, "progression")[1] == bonus


@pytest.mark.parametrize(
    ("drums", "bonus"),
    [
        ("R2 G2 B2 P2", 0),  # four of a value that is in Harmony (E-R25)
        ("R5 G5 B5 P2", 0),  # the single die's value is in Harmony (E-R25)
        ("R5 G5 B5 P6", 3),
        ("R5 G5 B6 P6", 2),
        ("R5 G5 B6 P4", 1),
    ],
)
def test_drums_avoid_the_values_of_harmony(drums: str, bonus: int) -> None:
    """E-30, E-R25; Harmony itself does not suffer (E-R26)."""
    state = finished_boards({"drums": drums}, {})
    assert element(state, 0, "drums")[1] == bonus
    assert element(state, 0, "harmony")[2] == 10


def test_harmony_of_two_and_two() -> None:
    """E-29, E-R24: two pairs give 2; two pairs of one kind are four identical dice."""
    assert element(finished_boards({"harmony": "Y2 Y2 G2 G2"}, {}), 0, "harmony")[1] == 2
    assert element(finished_boards({"harmony": "Y2 Y2 Y2 Y2"}, {}), 0, "harmony")[2] == 10


def test_the_storyline_is_another_element_for_the_samba() -> None:
    """E-31, E-R28: a white 1 in the Storyline takes W1 off the Samba: its color and its value are elsewhere."""
    white = finished_boards({"storyline": "W1 Y2 G3 B5"}, {})
    assert element(white, 0, "samba")[1] == 0  # white is told in the Storyline; 1, 2 and 3 lie elsewhere
    assert element(finished_boards({}, {}), 0, "samba")[2] == 10


def test_a_ten_by_bonus_gives_no_token_and_loses_the_first_tie_break() -> None:
    """E-43, E-46, E-R19, E-R32: 6 6 6 5 in Harmony is base 8, +3: at most 10, and no token."""
    state = finished_boards({}, {"harmony": "Y6 Y6 Y6 P6"})
    assert element(state, 1, "harmony") == (8, 3, 10)
    assert state.ranks() == [1, 2] if state.scores()[0] == state.scores()[1] else True
    assert "harmony" not in state.to_position()["players"][1]["tokens"]


def test_the_third_tie_break_counts_dice_of_all_colors_on_the_flag_bearer() -> None:
    """E-46, E-R33: with one color on the element, only dice of that color count."""
    state = finished_boards({"flag_bearer": "R1 R1 R1 R2"}, {})
    key = state.to_position()["players"][0]["result"]["rank_key"]
    red = sum(dice.count("R") for name, dice in PERFECT.items() if name != "flag_bearer") + 4
    assert key[3] == red


def test_no_handicap_between_divisions() -> None:
    """E-5, E-21, E-R34: equal boards in D and S: sums 14 and 20 give 5 and 7, or 4 and 6; totals are compared so."""
    change = {"harmony": "Y2 Y3 G4 P5"}  # no pair; and its 5 spoils the Drums
    state = finished_boards(change, change, options={"divisions": ["D", "S"]})
    assert state.scores() == [70 + 5 + 7, 70 + 4 + 6]
    assert state.winners() == [0]


def test_scores_exist_at_the_end_only() -> None:
    """E-17, E-R46."""
    state = load_game("carnavalesco").new_initial_state(seed=1)
    for ask in (state.scores, state.ranks, state.winners, state.returns, lambda: state.info(0)):
        with pytest.raises(ValueError, match="no scores before its end"):
            ask()
    assert state.to_position()["players"][0]["result"] is None


def test_info_at_the_end_holds_the_own_result() -> None:
    """Section 12: each player's `info` adds the `result` of his own board; a player alone reads the history too."""
    table = finished_boards({"harmony": "Y2 Y2 Y2 Y3"}, {})
    results = [player["result"] for player in table.to_position()["players"]]
    assert [result["final"] for result in results] == [86, 90]  # 80 + 6: base 3 for the sum 9, bonus 3
    assert [table.info(seat)["result"] for seat in range(2)] == results
    assert "history" not in table.info(0)
    alone = solo_before_the_last_die("S", {})
    alone.apply_action("place:samba")
    assert alone.info(0)["history"] == [{"division": "S", "final": 90, "place": "first", "next_division": "S"}]


def test_the_bag_never_runs_short() -> None:
    """E-3, E-R7, 2.3: before the last round the bag holds 118 / 86 / 48 / 14 dice."""
    for n, left in {1: 118, 2: 86, 3: 48, 4: 14}.items():
        state = load_game("carnavalesco", num_players=n).new_initial_state(seed=1)
        last = 9 if n < 3 else 18
        while state.to_position()["round"] < last:
            state.apply_action(state.legal_actions()[0])
        document = state.to_position()
        drawn = {1: 8, 2: 12, 3: 10, 4: 12}[n]
        assert sum(document["bag"].values()) == left - drawn


def test_restrictions_start_anew_each_round() -> None:
    """E-52, E-R35 to E-R38: two a round are free, the third costs one counter each, then no more in that round."""
    game = load_game("carnavalesco", num_players=1, school_colors=["R", "B"])
    state = game.new_initial_state(chance=[0] * 16 * 3)  # three rounds of eight red 1s
    counters = []
    for name in ("samba", "samba", "drums", "drums", "harmony", "harmony", "floats", "floats"):
        state.apply_action("take:R1")
        state.apply_action(f"place:{name}")
        counters.append(state.to_position()["players"][0]["counters"])
    assert counters == [0, 0, 2, 2, 2, 2, 4, 4]
    assert state.chance_left == 0


def test_two_pairs_of_values_break_nothing() -> None:
    """E-R36: the limit of two is per value."""
    game = load_game("carnavalesco", num_players=1, school_colors=["R", "B"])
    colors = [0, 24, 48, 72, 0, 0, 0, 0]  # red; yellow behind 24 red; green; blue; red
    values = [0, 0, 1, 1, 5, 5, 5, 5]
    state = game.new_initial_state(chance=[*colors, *values, *[0] * 16])
    for die, name in (("R1", "samba"), ("Y1", "samba"), ("G2", "drums"), ("B2", "drums")):
        state.apply_action(f"take:{die}")
        state.apply_action(f"place:{name}")
    assert state.to_position()["players"][0]["counters"] == 0


def test_solo_places_and_divisions() -> None:
    """E-54, E-55, E-R42, E-R43: the bounds of the places, the floor and the ceiling of the divisions."""
    from tests.games.carnavalesco.reference import ReferenceGame

    options = {**load_game("carnavalesco", num_players=1).options, "divisions": "S", "school_colors": ["R", "B"]}
    game = ReferenceGame(options, lambda _: 0)
    judged = {final: (game.judge(final)["place"], game.judge(final)["next_division"]) for final in (90, 88, 80, 79, -3)}
    assert judged == {
        90: ("first", "S"),
        88: ("second", "S"),
        80: ("mid", "S"),
        79: ("relegated", "A"),
        -3: ("relegated", "A"),
    }


def test_a_campaign_is_cut_at_its_bound() -> None:
    """E-50, E-R40, E-R41, E-R44: colors and division are carried over, boards are new; the bound truncates."""
    game = load_game("carnavalesco", num_players=1, campaign=True, max_parades=2)
    state = game.new_initial_state(seed=1)
    rng = np.random.default_rng(1)
    seen = set()
    while not state.is_terminal():
        document = state.to_position()
        seen.add((document["parade"], tuple(document["players"][0]["colors"])))
        state.apply_action(int(rng.choice(state.legal_actions())))
    document = state.to_position()
    assert {parade for parade, _ in seen} == {1, 2}
    assert len({colors for _, colors in seen if len(colors) == 2}) == 1
    assert (document["end_reason"], state.is_truncated()) == ("max_parades", True)
    assert [entry["next_division"] for entry in document["history"]] == ["D", "D"]
    assert state.winners() == []
    assert state.returns() == [0.0]


def test_single_parades_at_any_level() -> None:
    """E-53, E-R39, E-R45: a parade in division S by itself; the return is final / 90 under every reward."""
    state = load_game("carnavalesco", num_players=1, divisions="S").new_initial_state(seed=1)
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert state.to_position()["history"][0]["division"] == "S"
    for reward in ("win", "rank", "score"):
        assert state.returns(reward) == [pytest.approx(state.scores()[0] / 90)]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"num_players": 0}, "num_players"),
        ({"num_players": 5}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"num_players": 2.0}, "num_players"),
        ({"divisions": "E"}, "divisions"),
        ({"divisions": ["D"]}, "divisions"),
        ({"num_players": 1, "divisions": "choose"}, "divisions"),
        ({"first_player": 2}, "first_player"),
        ({"first_player": True}, "first_player"),
        ({"num_players": 1, "school_colors": ["R", "R"]}, "school_colors"),
        ({"num_players": 1, "school_colors": ["R"]}, "school_colors"),
        ({"school_colors": ["R", "B"]}, "school_colors"),
        ({"campaign": True}, "campaign"),
        ({"num_players": 1, "campaign": 1}, "campaign"),
        ({"max_parades": 0}, "max_parades"),
        ({"max_parades": 101}, "max_parades"),
        ({"school_names": ["a"]}, "school_names"),
        ({"school_names": ["a", ""]}, "school_names"),
    ],
)
def test_refused_options(options: dict[str, Any], name: str) -> None:
    """Section 3: named with the value and what is allowed."""
    with pytest.raises(ValueError, match=f"^{name}: .* is not allowed; allowed: "):
        load_game("carnavalesco", **options)


def test_unknown_option() -> None:
    with pytest.raises(TypeError, match="did you mean 'divisions'"):
        load_game("carnavalesco", division="D")


def test_options_are_given_back_as_they_were() -> None:
    """A tuple is a list in the position; a NumPy integer an int."""
    game = load_game("carnavalesco", num_players=np.int64(2), divisions=("A", "S"), first_player=np.int8(1))
    options = game.new_initial_state(seed=1).to_position()["options"]
    assert options["divisions"] == ["A", "S"]
    assert type(options["num_players"]) is type(options["first_player"]) is int


def test_an_illegal_action_names_the_legal_ones() -> None:
    state = load_game("carnavalesco", num_players=1).new_initial_state(seed=1)
    with pytest.raises(IllegalActionError, match="illegal action 'place:samba'; legal actions: color:R, color:Y"):
        state.apply_action("place:samba")


def solo_before_the_last_die(division: str, changes: dict[str, str], **options: Any) -> State:
    """A solo campaign in its first parade, its last die in hand for the Samba Theme Song."""
    from tests.games.carnavalesco.reference import tokens

    game = load_game(
        "carnavalesco", num_players=1, divisions=division, school_colors=["R", "B"], campaign=True, **options
    )
    board = {name: sort(dice.split()) for name, dice in {**PERFECT, **changes}.items()}
    hand = board["samba"].pop()
    lying = Counter(die[0] for dice in board.values() for die in dice)
    lying.update([hand[0], "P", "P", "P", "P"])
    picks = [["R1", "vanguard"], ["B4", "floats"], ["P5", "drums"]]
    document = {
        "game": "carnavalesco",
        "version": 1,
        "options": game.options,
        "phase": "place",
        "active": 0,
        "actor": 0,
        "truncated": False,
        "end_reason": None,
        "parade": 1,
        "round": 9,
        "turn": 0,
        "turn_dice": 3,
        "first_player": 0,
        "bag": {letter: 25 - lying[letter] for letter in COLORS},
        "pool": ["P1", "P1", "P1", "P1"],
        "hand": hand,
        "round_picks": picks,
        "players": [
            {
                "division": division,
                "colors": ["R", "B"],
                "board": board,
                "tokens": tokens(board, ["R", "B"]),
                "counters": 0,
                "result": None,
            }
        ],
        "history": [],
    }
    return game.state_from_position(document, chance=[0] * 16)


@pytest.mark.parametrize("max_parades", [1, 5])
def test_the_championship_ends_the_campaign(max_parades: int) -> None:
    """E-56, E-R44: first place in division S, also in the last parade that the bound allows."""
    state = solo_before_the_last_die("S", {}, max_parades=max_parades)
    state.apply_action("place:samba")
    assert (state.end_reason(), state.is_truncated()) == ("championship", False)
    assert state.winners() == [0]
    assert state.returns() == [1.0]  # all parades saved but the first: (max - 1 + 1) / max


def test_first_place_in_d_goes_on_in_c() -> None:
    """E-55, E-R41: the next parade starts at once, with an empty board and the full bag less the round's dice."""
    state = solo_before_the_last_die("D", {}, max_parades=5)
    state.apply_action("place:samba")
    document = state.to_position()
    assert (document["phase"], document["parade"], document["round"]) == ("take", 2, 1)
    assert document["players"][0]["division"] == "C"
    assert not any(document["players"][0]["board"].values())
    assert sum(document["bag"].values()) == 150 - 8
    assert document["history"] == [{"division": "D", "final": 90, "place": "first", "next_division": "C"}]


def test_places_below_the_first_use_the_tie_breaks_too() -> None:
    """E-R47: of three boards, two lose with equal totals; the one with more tokens is second."""
    game = load_game("carnavalesco", num_players=3)
    ranks_seen = set()
    for seed in range(200):
        state = game.new_initial_state(seed=seed)
        rng = np.random.default_rng(seed)
        while not state.is_terminal():
            state.apply_action(int(rng.choice(state.legal_actions())))
        keys = [player["result"]["rank_key"] for player in state.to_position()["players"]]
        expected = [1 + sum(other > key for other in keys) for key in keys]
        assert state.ranks() == expected
        finals = [key[0] for key in keys]
        ranks_seen.add(finals.count(min(finals)) == 2 and sorted(expected) == [1, 2, 3])
    assert True in ranks_seen
