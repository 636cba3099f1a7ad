"""The rules of Carnavalo one by one; ``coverage.toml`` says which test or case shows which rule."""

from __future__ import annotations

import random
from typing import Any

import pytest

from carnival_envs.core.errors import IllegalActionError
from carnival_envs.registry import load_game
from tests.games.carnavalo.tables import DOWN, FULL_HAND, UP, after, legal, load, play, table, tents

WON = -1  # a disc
DIRECT_3 = [f"token:3:{citizen}:direct" for citizen in ("prince", "miss", "barricadol")]
ALMOST_FULL_PARADE: list[list[int]] = [[0, 2], [1, 5], [1, 3], [2, 4]]

# Set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_players_sit_clockwise_and_choose_in_seat_order(num_players: int) -> None:
    """O-1, O-4: seats 0..n-1 choose one after another, and nothing is revealed before the last choice."""
    game = load_game("carnavalo", num_players=num_players)
    state = game.new_initial_state(seed=3)
    for player in range(num_players):
        assert state.current_player() == player
        assert state.phase() == "setup_card"
        assert [game.action_to_string(action) for action in state.legal_actions()] == [f"setup:{v}" for v in FULL_HAND]
        for other in range(num_players):
            chosen = state.observation(other)["setup_own"].tolist()
            assert chosen == ([0, 1, 0, 0, 0] if other < player else [0] * 5)
        state.apply_action("setup:2")
    assert state.phase() == "before_action"


@pytest.mark.parametrize("num_players", [1, 7, 2.0, True])
def test_number_of_players(num_players: Any) -> None:
    """O-1: 2 to 6 players."""
    with pytest.raises(ValueError, match=r"num_players: .* allowed: an integer in 2\.\.6"):
        load_game("carnavalo", num_players=num_players)


def test_new_table() -> None:
    """O-2, O-3, O-9, O-10, O-11: hands, discs, floats, citizens and ring before the first choice; nothing is drawn."""
    position = load_game("carnavalo", num_players=3).new_initial_state(chance=[]).to_position()
    assert position["hands"] == [FULL_HAND] * 3
    assert position["discs"] == [[0] * 6] * 3
    assert position["floats_left"] == 4
    assert position["citizens"] == {"prince": 17, "miss": 5, "barricadol": 11}
    assert position["ring"] == 1


@pytest.mark.parametrize(("advanced", "draws"), [(False, 38), (True, 40)])
def test_draws_of_the_deal(advanced: bool, draws: int) -> None:
    """O-R39, O-R40: tents and tokens are dealt at random, 5 + 5 + 23 (25) + 5 draws, whoever shuffles."""
    game = load_game("carnavalo", num_players=5, advanced=advanced)
    state = game.new_initial_state(chance=[0] * draws)
    for _ in range(5):
        assert state.chance_left == draws
        state.apply_action("setup:3")
    assert state.chance_left == 0
    short = game.new_initial_state(chance=[0] * (draws - 1))
    for _ in range(4):
        short.apply_action("setup:3")
    with pytest.raises(ValueError, match="chance"):
        short.apply_action("setup:3")


def test_setup_cards_go_to_different_tents() -> None:
    """O-5, O-12, O-R39: over many deals every tent gets cards, at most one each, face up."""
    game = load_game("carnavalo", num_players=2)
    occupied = set()
    for seed in range(40):
        state = game.new_initial_state(seed=seed)
        state.apply_action("setup:4")
        state.apply_action("setup:5")
        piles = state.to_position()["tents"]
        assert sorted(pile for pile in piles if pile) == [[[0, 4, UP]], [[1, 5, UP]]]
        occupied |= {tent for tent in range(6) if piles[tent]}
    assert occupied == set(range(6))


def test_first_player_is_found_clockwise() -> None:
    """O-13: the Prince stands before tent 0, which is empty; the card in tent 1 decides, not the one in tent 2."""
    keep = [5, 4, 3, 2, 1]  # leaves a list of six as it is
    swap_0_and_2 = [5, 4, 3, 0, 1]
    game = load_game("carnavalo", num_players=2)
    state = game.new_initial_state(chance=swap_0_and_2 + keep + list(range(23, 0, -1)) + keep)
    state.apply_action("setup:1")
    state.apply_action("setup:1")
    position = state.to_position()
    assert position["tents"] == tents(t1=[[1, 1, UP]], t2=[[0, 1, UP]])
    assert position["active"] == 1


# Turns -------------------------------------------------------------------------------------------------------------


def test_turns_go_clockwise() -> None:
    """O-14: after the last seat comes seat 0."""
    state = load(table(3, active=1, actor=1))
    seats = []
    for _ in range(4):
        seats.append(state.current_player())
        state.apply_action("move:barricadol:1")
    assert seats == [1, 2, 0, 1]


def test_exactly_one_action() -> None:
    """O-15, O-21, O-R4: an action must be made, and only one."""
    document = table(3, movement_tokens=[[3], [], []])
    assert not {"pass", "end"} & set(legal(document))
    left = legal(document, "move:barricadol:1")
    assert left == [*(f"token:3:{citizen}:1" for citizen in ("prince", "miss", "barricadol")), *DIRECT_3, "end"]
    with pytest.raises(IllegalActionError):
        play(document, "move:barricadol:1", "move:barricadol:1")


def test_phase_three_goes_by_the_new_ring() -> None:
    """O-35, O-34: after a 4 is played, a token moves by 1 to 4, and then the ring is where that move left it."""
    document = table(3, movement_tokens=[[2, 3], [], []])
    state = play(document, "play:4:0:up")
    strings = [state.game.action_to_string(action) for action in state.legal_actions()]
    distances = {string.split(":")[3] for string in strings if string.startswith("token:2:miss")}
    assert distances == {"1", "2", "3", "4", "direct"}
    assert "token:2:miss:3" in legal(document, "play:4:0:up", "token:3:prince:3")
    assert "token:2:miss:4" not in legal(document, "play:4:0:up", "token:3:prince:3")


def test_several_tokens_one_at_a_time() -> None:
    """O-16, O-R8, O-20: three tokens before the action; each goes under the stack before the next."""
    document = table(3, ring=3, movement_tokens=[[1, 2, 4], [], []])
    state = play(document, "token:2:barricadol:3", "token:4:barricadol:2", "token:1:barricadol:1")
    position = state.to_position()
    assert position["phase"] == "before_action"
    assert position["movement_stack"] == [1, 4, 2, 0, 3, 5]
    assert position["citizens"]["barricadol"] == 17
    assert position["ring"] == 1


@pytest.mark.parametrize("token", range(6))
def test_direct_move_goes_to_the_tent_of_the_token(token: int) -> None:
    """O-R1, O-18, O-19: token k shows tent k, however far it is; the ring goes to 0."""
    document = table(3, ring=5, movement_tokens=[[token], [], []])
    position = after(document, f"token:{token}:barricadol:direct")
    assert position["citizens"]["barricadol"] == 3 * token
    assert position["ring"] == 0


def test_citizens_act_only_where_they_end() -> None:
    """O-23: the Prince passes tent 1 without effect, and acts when he ends there."""
    document = table(3, ring=3, citizens={"prince": 1}, tents=tents(t1=[[1, 4, UP]]))
    passed = after(document, "move:prince:3")
    assert passed["citizens"]["prince"] == 4
    assert (passed["parade"], passed["tents"][1]) == ([], [[1, 4, UP]])
    assert after(document, "move:prince:2")["parade"] == [[1, 4]]


def test_citizens_share_spaces() -> None:
    """O-R5: all three may stand on one space."""
    document = table(3, citizens={"prince": 1, "miss": 2, "barricadol": 1})
    position = after(document, "move:prince:1", "move:barricadol:1")
    assert position["citizens"] == {"prince": 2, "miss": 2, "barricadol": 2}


def test_only_direct_moves_end_where_they_began() -> None:
    """O-R6, O-26: no distance leads round the ring; a direct move may, and the citizen acts again."""
    document = table(3, ring=5, citizens={"prince": 6}, tents=tents(t2=[[1, 4, UP]]), movement_tokens=[[2], [], []])
    for distance in range(1, 6):
        assert after(document, f"move:prince:{distance}")["citizens"]["prince"] == 6 + distance
    position = after(document, "token:2:prince:direct")
    assert position["citizens"]["prince"] == 6
    assert position["parade"] == [[1, 4]]


def test_ring_of_spaces_is_all_there_is() -> None:
    """O-R46: 18 single steps bring a citizen round, six of them into tents; the parade is no space."""
    state = load(table(2, citizens={"miss": 0, "barricadol": 1, "prince": 16}))
    visited = []
    for _ in range(18):
        state.apply_action("move:prince:1")
        visited.append(state.to_position()["citizens"]["prince"])
    assert visited == [17, *range(17)]


def test_cards_are_played_from_the_hand() -> None:
    """O-27: the cards on the table can't be played, and a played card leaves the hand."""
    document = table(2, tents=tents(t1=[[0, 3, UP]], t2=[[1, 1, UP]]), parade=[[0, 5]])
    plays = [action for action in legal(document) if action.startswith("play")]
    assert {action.split(":")[1] for action in plays} == {"1", "2", "4"}
    assert after(document, "play:4:0:up")["hands"][0] == [1, 2]


def test_face_up_and_face_down() -> None:
    """O-28 to O-34: ring, disc and token after a play on and under another player's podium card."""
    document = table(2, tents=tents(t2=[[0, 1, UP], [1, 2, UP]]), movement_stack=[0, 1, 2, 3, 4, 5])
    up = after(document, "play:5:2:up")
    assert up["tents"][2] == [[0, 1, UP], [1, 2, UP], [0, 5, UP]]
    assert (up["ring"], up["discs"][1][2], up["movement_tokens"]) == (5, 1, [[], []])
    down = after(document, "play:5:2:down")
    assert down["tents"][2] == [[0, 5, DOWN], [0, 1, UP], [1, 2, UP]]
    assert (down["ring"], down["discs"][1][2], down["movement_tokens"]) == (2, 0, [[], [5]])


def test_no_token_in_the_own_turn() -> None:
    """O-R9, O-33: in random games the active player's tokens never grow in number while it is his turn."""
    game = load_game("carnavalo", num_players=4)
    choose = random.Random(5)
    for seed in range(4):
        state = game.new_initial_state(seed=seed)
        for _ in range(game.num_players):
            state.apply_action("setup:1")
        turn, held = -1, 0
        while not state.is_terminal():
            position = state.to_position()
            now = len(position["movement_tokens"][position["active"]])
            assert position["turns"] != turn or now <= held
            turn, held = position["turns"], now
            state.apply_action(choose.choice(state.legal_actions()))


def test_pass_after_a_direct_move() -> None:
    """O-R3, O-R43: with an empty hand and the ring on 0 a token may be played, then only the pass is left."""
    parade = [[0, 1], [0, 2]]
    piles = tents(t1=[[0, 3, UP]], t2=[[0, 4, UP]], t3=[[0, 5, UP]])
    document = table(3, ring=0, parade=parade, tents=piles, movement_tokens=[[5], [], []])
    direct = [f"token:5:{citizen}:direct" for citizen in ("prince", "miss", "barricadol")]
    assert legal(document) == [*direct, "pass"]
    assert legal(document, "token:5:barricadol:direct") == ["pass"]
    position = after(document, "token:5:barricadol:direct", "pass")
    assert (position["ring"], position["actor"], position["turns"]) == (0, 1, 1)


def test_ring_follows_nothing_else() -> None:
    """O-R42: the effects of Prince and Miss leave the ring on the distance moved."""
    piles = tents(t0=[[1, 5, UP], [2, 4, UP]], t2=[[1, 3, UP]])
    document = table(3, ring=5, citizens={"prince": 15, "miss": 4}, tents=piles)
    assert after(document, "move:prince:3")["ring"] == 3
    assert after(document, "move:miss:2")["ring"] == 2


# Citizens ----------------------------------------------------------------------------------------------------------


def test_prince_sends_the_active_players_own_card() -> None:
    """O-37, O-38, O-39: his disc goes forward too; the last card leaves an empty tent; the row is in order."""
    document = table(3, citizens={"prince": 2}, tents=tents(t1=[[0, 2, UP]]), parade=[[2, 5]])
    position = after(document, "move:prince:1")
    assert position["parade"] == [[2, 5], [0, 2]]
    assert position["discs"][0] == [0, 1, 0, 0, 0, 0]
    assert position["tents"][1] == []


def test_miss_turns_a_card_up() -> None:
    """O-40, O-R17: a face-down card that she takes lies open in the middle, for all to see."""
    document = table(3, tents=tents(t2=[[0, 4, DOWN], [1, 2, UP]]))
    state = play(document, "move:miss:1")
    assert state.to_position()["middle"] == [0, 4]
    for player in range(3):
        assert state.observation(player)["middle_value"].tolist() == [0, 0, 0, 1, 0]


def test_miss_in_an_empty_tent() -> None:
    """O-R12: without a middle card nothing happens."""
    position = after(table(3), "move:miss:1")
    assert position["citizens"]["miss"] == 6
    assert (position["middle"], position["tents"]) == (None, tents())


def test_middle_card_follows_miss() -> None:
    """O-41, O-45: she keeps it between tents and in a blocked tent, and lays it down in the next open one."""
    document = table(3, ring=5, middle=[1, 3], citizens={"miss": 4, "barricadol": 6}, tents=tents(t3=[[2, 5, UP]]))
    state = load(document)
    for distance in (1, 1, 1):
        state.apply_action(f"move:miss:{distance}")
        assert state.to_position()["middle"] == [1, 3]
    assert state.to_position()["citizens"]["miss"] == 7
    state = play(document, "move:miss:5")
    assert state.to_position()["tents"][3] == [[1, 3, UP]]
    assert state.to_position()["middle"] == [2, 5]


def test_barricadol_blocks_an_empty_tent() -> None:
    """O-R15, O-43, O-44: no card may be played there while he stands there."""
    document = table(3)
    assert "play:3:4:up" in legal(document)
    blocked = legal(document, "move:barricadol:1")
    assert "play:3:4:up" not in blocked
    assert "play:3:3:up" in blocked
    assert "play:3:4:up" in legal(document, "move:barricadol:1", "move:barricadol:1")


def test_barricadol_wakes_nobody() -> None:
    """O-R16: Prince and Miss do not act when he comes to their tent or leaves it."""
    piles = tents(t1=[[1, 4, DOWN], [2, 3, UP]])
    document = table(3, citizens={"prince": 3, "miss": 3, "barricadol": 2}, tents=piles)
    for actions in (["move:barricadol:1"], ["move:barricadol:1", "move:barricadol:1"]):
        position = after(document, *actions)
        assert (position["tents"], position["parade"], position["middle"]) == (piles, [], None)


@pytest.mark.parametrize("citizen", ["prince", "miss"])
def test_nothing_happens_in_a_blocked_tent(citizen: str) -> None:
    """O-45, O-R31: both do nothing there, also by a direct move."""
    piles = tents(t2=[[1, 4, UP]])
    document = table(3, citizens={"barricadol": 6}, tents=piles, movement_tokens=[[2], [], []])
    assert after(document, f"token:2:{citizen}:direct")["tents"] == piles


# The end of a day --------------------------------------------------------------------------------------------------


def test_day_end_by_an_empty_hand_of_two() -> None:
    """O-46: with 2 players one empty hand ends the day."""
    document = table(2, parade=[[0, 1], [0, 2]], tents=tents(t3=[[0, 4, DOWN], [0, 3, UP]]))
    assert document["hands"][0] == [5]
    assert after(document, "play:5:4:up")["day"] == 2


def test_day_end_by_two_empty_hands_of_three() -> None:
    """O-46, O-R23: the first empty hand goes on playing, the second ends the day."""
    piles = tents(t1=[[0, 1, DOWN], [0, 2, DOWN], [0, 3, UP]], t2=[[1, 1, DOWN], [1, 2, DOWN], [1, 4, UP]])
    document = table(3, tents=piles, parade=[[0, 4], [1, 3]])
    first = after(document, "play:5:5:up")
    assert (first["day"], first["hands"][0], first["actor"]) == (1, [], 1)
    assert after(document, "play:5:5:up", "play:5:3:up")["day"] == 2


def test_middle_card_is_not_in_the_hand() -> None:
    """O-R24, O-63: a hand is empty although one card is in the middle; its owner starts the new day with four."""
    document = table(2, middle=[0, 4], parade=[[0, 1], [0, 2], [0, 3]])
    position = after(document, "play:5:0:up")
    assert (position["day"], position["middle"]) == (2, [0, 4])
    assert position["hands"] == [[1, 2, 3, 5], FULL_HAND]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_left_neighbour_begins_the_new_day(seat: int) -> None:
    """O-67, O-R25: the player clockwise after the active one, who alone can end a day."""
    document = table(3, active=seat, actor=seat, citizens={"prince": 2}, parade=ALMOST_FULL_PARADE)
    document["tents"][1] = [[0, 1, UP]]
    document["hands"][0] = [3, 4, 5]
    position = after(document, "move:prince:1")
    assert (position["day"], position["active"], position["turns"]) == (2, (seat + 1) % 3, 1)


def test_day_end_completes_the_move_and_drops_the_rest() -> None:
    """O-47, O-48, O-49, O-R35: a direct move in phase 1 ends the day: no action, tokens back in order, ring on 0."""
    document = table(3, ring=4, citizens={"prince": 2}, parade=ALMOST_FULL_PARADE, movement_tokens=[[1, 3, 4], [2], []])
    document["tents"][1] = [[0, 1, UP]]
    document["hands"][0] = [3, 4, 5]
    state = play(document, "token:1:prince:direct")
    position = state.to_position()
    assert (position["phase"], position["return_reason"], position["ring"]) == ("return_tokens", "day_end", 0)
    assert position["discs"][0][1] == 1
    state.apply_action("return:4")
    position = state.to_position()
    assert (position["day"], position["ring"]) == (2, 0)
    assert position["movement_stack"] == [3, 4, 1, 0, 5]
    assert position["movement_tokens"] == [[], [2], []]


def test_ring_stays_at_the_end_of_a_day() -> None:
    """O-48, O-64, O-R34: tokens go back but the ring stays, and so do citizens and discs."""
    document = table(3, ring=4, citizens={"prince": 1, "barricadol": 12}, parade=ALMOST_FULL_PARADE)
    document["movement_tokens"], document["movement_stack"] = [[5], [], []], [0, 1, 2, 3, 4]
    document["tents"][1] = [[0, 1, UP]]
    document["hands"][0] = [3, 4, 5]
    document["discs"][2] = [0, 0, 0, 3, 0, 0]
    document["discs"][1] = [0, 0, 0, 3, 0, 0]
    position = after(document, "move:prince:2")
    assert (position["day"], position["ring"]) == (2, 2)
    assert position["movement_stack"] == [5, 0, 1, 2, 3, 4]
    assert position["citizens"] == {"prince": 3, "miss": 5, "barricadol": 12}
    assert [discs[3] for discs in position["discs"]] == [0, 3, 3]
    assert "play:1:4:up" not in [load(position).game.action_to_string(a) for a in load(position).legal_actions()]


def ended_day(**fields: Any) -> dict[str, Any]:
    """The position after a day of 2 players that player 0 ends by laying his last card, the 1, into tent 0."""
    fields = {"parade": [], **fields}
    document = table(2, **fields)
    document["hands"][0] = [1]
    return after(document, "play:1:0:up")


def test_first_and_second_prize() -> None:
    """O-51 to O-54, O-56: discs count; the second takes the token only when the first won his disc today."""
    piles = tents(t1=[[0, 4, DOWN], [0, 5, UP]], t2=[[0, 2, DOWN], [1, 4, UP]], t3=[[0, 3, UP]])
    discs = [[0, 0, 0, WON, 0, 0], [0, 3, 0, 2, 0, 0]]
    position = ended_day(tents=piles, discs=discs, day=2)
    # Tent 0: 1 against 0. Tent 1: 9 against 3. Tent 2: 2 against 4. Tent 3: 3, disc won, against 2.
    assert position["discs"] == [[WON, WON, 0, WON, 0, 0], [0, 3, WON, 2, 0, 0]]
    assert position["won_tent_tokens"] == [[2, 3], [1]]
    assert [len(stack) for stack in position["tent_tokens"]] == [4, 3, 3, 3, 4, 4]


def test_no_second_prize_for_nothing() -> None:
    """O-R26: a total of 0 is no second-highest total."""
    position = ended_day(tents=tents(t1=[[0, 2, DOWN], [0, 3, DOWN], [0, 4, DOWN], [0, 5, UP]]))
    assert position["discs"][0] == [WON, WON, 0, 0, 0, 0]
    assert position["won_tent_tokens"] == [[], []]


def test_next_token_is_open() -> None:
    """O-65, O-12: when a token is taken, the one below it lies open for all."""
    piles = tents(t1=[[0, 2, DOWN], [0, 3, DOWN], [0, 4, DOWN], [1, 5, DOWN], [0, 5, UP]])
    stacks = [[1, 1, 1, 1], [2, 2, 4, 1], [3, 2, 2, 2], [3, 3, 3, 3], [4, 4, 2, 3], [1, 4, 4, 4]]
    document = table(2, tents=piles, tent_tokens=stacks)
    state = play(document, "play:1:0:up")
    assert state.to_position()["won_tent_tokens"] == [[], [1]]
    for player in range(2):
        assert state.observation(player)["tent_open"][1].tolist() == [0, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("parade", "owned", "floats", "won", "floats_left"),
    [
        ([[0, 5], [1, 3]], [False, False], [True, False], [[], [3]], 3),  # first buys, second takes the token
        ([[0, 5], [1, 5]], [False, False], [False, False], [[], []], 3),  # a tie: nothing is sold, one is removed
        ([[0, 5]], [False, False], [True, False], [[], []], 3),  # nobody is second
        ([[0, 5], [1, 3]], [True, False], [True, False], [[3], []], 2),  # the first owns one already
        ([[0, 3], [1, 5]], [True, False], [True, True], [[3], []], 2),  # a float owner is second
    ],
)
def test_parade_count(parade: Any, owned: Any, floats: Any, won: Any, floats_left: int) -> None:
    """O-57 to O-61, O-66: floats and tokens of the parade."""
    day = 1 + sum(owned)
    rest = [value for value in (2, 3, 4, 5) if [0, value] not in parade]
    pile = [[0, value, DOWN] for value in rest[:-1]] + [[0, rest[-1], UP]]
    position = ended_day(tents=tents(t1=pile), parade=parade, float_owned=owned, day=day)
    assert position["float_owned"] == floats
    assert position["won_parade_tokens"] == won
    assert position["floats_left"] == floats_left
    assert (position["parade"], position["tents"]) == ([], tents())


def test_blocked_tent_is_counted() -> None:
    """O-R31: a block concerns play; the cards count and go home."""
    pile = [[0, 2, DOWN], [0, 3, DOWN], [0, 4, DOWN], [0, 5, UP]]
    position = ended_day(tents=tents(t2=pile), citizens={"barricadol": 6})
    assert position["discs"][0][2] == WON
    assert position["hands"] == [FULL_HAND, FULL_HAND]


def test_only_one_thing_ends_a_day() -> None:
    """O-R22: within a day, a card play leaves the parade as it is, and a citizen's move the hands."""
    game = load_game("carnavalo", num_players=3)
    choose = random.Random(8)
    for seed in range(8):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            before, action = state.to_position(), choose.choice(state.legal_actions())
            state.apply_action(action)
            now, kind = state.to_position(), game.action_to_string(action).split(":")[0]
            unchanged = {"play": "parade", "move": "hands", "token": "hands"}.get(kind)
            if unchanged and now["day"] == before["day"]:
                assert now[unchanged] == before[unchanged]


def test_supplies_last() -> None:
    """O-R32, O-I10: a stack that gave a token on each of three days has the last one for day 4."""
    owned = [True, False]
    won = [[1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4], []]
    left = [[1], [1], [1], [2], [2], [3, 3, 3, 4]]
    pile = [[0, 2, DOWN], [0, 3, DOWN], [0, 4, DOWN], [0, 5, UP]]
    parade_left, parade_won = [3], [[3, 4, 4], []]
    document = table(2, day=4, tents=tents(t1=pile), float_owned=owned, won_tent_tokens=won, tent_tokens=left)
    document.update(parade_tokens=parade_left, won_parade_tokens=parade_won, parade_box=[5, 5])
    document["discs"][0] = [WON, WON, 0, 0, 0, 0]
    document["hands"][0] = [1]
    position = after(document, "play:1:0:up")
    assert position["end_reason"] == "days"
    assert [len(stack) for stack in position["tent_tokens"]] == [0, 0, 1, 1, 1, 4]
    assert position["floats_left"] == 0


# The end of the game -----------------------------------------------------------------------------------------------


def last_count(day: int = 4, max_turns: int = 400, turns: int = 50, **fields: Any) -> dict[str, Any]:
    """The position after player 0 ends a day of 2 players by laying his 1 into tent 0, where nothing else lies."""
    piles = tents(t1=[[0, 2, DOWN], [0, 3, DOWN], [0, 4, DOWN], [0, 5, UP]])
    document = table(2, max_turns=max_turns, day=day, turns=turns, tents=piles, **fields)
    return after(document, "play:1:0:up")


def test_end_after_day_four() -> None:
    """O-68, O-R36: nothing goes home, all cards are shown; turns are counted, the day is not."""
    position = last_count()
    assert (position["phase"], position["end_reason"], position["truncated"]) == ("over", "days", False)
    assert (position["day"], position["turns"], position["floats_left"], position["active"]) == (4, 51, 0, 0)
    assert position["tents"][1] == [[0, 2, UP], [0, 3, UP], [0, 4, UP], [0, 5, UP]]
    assert position["discs"][0] == [WON, WON, 0, 0, 0, 0]


@pytest.mark.parametrize("day", [2, 4])
def test_end_by_discs(day: int) -> None:
    """O-68, O-R30, O-R44: six discs at once; on day 4 too the reason is the discs."""
    discs = [[0, 0, WON, WON, WON, 3], [0, 0, 0, 0, 0, 0]]
    position = last_count(day=day, discs=discs)
    assert position["discs"][0] == [WON] * 6
    assert (position["end_reason"], position["day"]) == ("discs", day)


def test_game_goes_on_with_four_discs() -> None:
    """O-68: four discs do not end it."""
    position = last_count(day=2, discs=[[0, 0, WON, WON, 0, 0], [0] * 6])
    assert position["discs"][0] == [WON, WON, WON, WON, 0, 0]
    assert (position["phase"], position["day"]) == ("before_action", 3)


def test_bound_on_the_last_turn_of_a_day() -> None:
    """O-R21, O-R20: the day is counted and the next one laid out before the game is cut off."""
    position = last_count(day=2, max_turns=51)
    assert (position["end_reason"], position["truncated"], position["actor"]) == ("max_turns", True, -1)
    assert (position["day"], position["turns"], position["active"]) == (3, 51, 1)
    assert position["hands"] == [FULL_HAND, FULL_HAND]
    assert position["discs"][0] == [WON, WON, 0, 0, 0, 0]


def test_end_on_the_bound_is_no_truncation() -> None:
    """O-R21: a game that ends by its rules on its last turn is not cut off."""
    position = last_count(max_turns=51)
    assert (position["end_reason"], position["truncated"], position["turns"]) == ("days", False, 51)


def test_score() -> None:
    """O-69 to O-73, O-R37, O-R41: 2 discs + spaces 4 and 1 + tent tokens 1, 4 + parade tokens 3, 5 - float = 23."""
    document = table(
        2,
        day=3,
        discs=[[WON, WON, 4, 1, 0, 0], [0] * 6],
        won_tent_tokens=[[1, 4], []],
        tent_tokens=[[1, 1, 1, 1], [2, 2, 2], [3, 2, 2, 2], [3, 3, 3, 3], [4, 4, 4, 3], [1, 4, 4]],
        parade_tokens=[4, 4],
        parade_box=[3, 5],
        won_parade_tokens=[[3, 5], []],
        float_owned=[True, False],
    )
    state = load(document)
    assert state.scores() == [10 + 5 + 5 + 8 - 5, 0]
    assert state.winners() == [0]
    assert state.returns("score") == pytest.approx([23 / 15, -23 / 15])


@pytest.mark.parametrize(
    ("won", "points"),
    [
        ([20], 0),
        ([30], 0),
        ([1, 2, 3, 4], 10),
        ([2, 2, 20], 8),
        ([1, 1, 2, 30], 8),
        ([1, 2, 3, 4, 20, 30], 3 + 4 + 3 + 4),
    ],
)
def test_multiplied_tokens(won: list[int], points: int) -> None:
    """O-74 to O-77, O-R38: "2x" doubles each 2, "3x" trebles each 1, always; themselves they count 0."""
    dealt = [1] * 6 + [2] * 6 + [3] * 6 + [4] * 6 + [20, 30]
    for code in won:
        dealt.remove(code)
    box = [dealt.pop(), dealt.pop()]
    stacks = [dealt[tent::6] for tent in range(6)]
    document = table(2, advanced=True, day=3, won_tent_tokens=[won, []], tent_tokens=stacks, tent_box=sorted(box))
    assert load(document).scores() == [points, 0]


# What others see ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "public"),
    [
        ("move:prince:1", "move:prince:1"),
        ("play:3:2:up", "play:3:2:up"),
        ("play:3:2:down", "play:?:2:down"),
        ("token:1:miss:1", "token:?:miss:1"),
        ("token:1:miss:direct", "token:1:miss:direct"),
        ("return:4", "return:?"),
        ("setup:2", "setup:?"),
        ("end", "end"),
        ("pass", "pass"),
    ],
)
def test_public_form(action: str, public: str) -> None:
    """O-R19, section 9: a token played directly is shown, one played by distance is not; hidden cards stay hidden."""
    state = load(table(3, tents=tents(t2=[[1, 2, UP]]), movement_tokens=[[1], [], []]))
    assert state.public_action_to_string(state.game.string_to_action(action)) == public


def test_text_shows_what_is_known() -> None:
    """O-R17, O-R18: the owner reads his face-down card, the others a question mark; hands are hidden from others."""
    state = load(table(3, tents=tents(t2=[[0, 4, DOWN], [1, 2, UP]]), movement_tokens=[[5], [3], []]))
    assert "1:2 (0:4)" in state.text(0)
    assert "1:2 (0:?)" in state.text(1)
    assert "hand 1 2 3 5" in state.text(0)
    assert "hand ? ? ? ?" in state.text(2)
    assert "movement tokens 5" in state.text(0)
    assert "movement stack" not in state.text(0)
    assert "movement stack 4 2 1 0" in str(state)


def test_nobody_passes_otherwise() -> None:
    """O-I14, O-R4: a pass is legal only alone or with direct token moves; here only seat 0 likes to play cards."""
    game = load_game("carnavalo", num_players=6)
    choose = random.Random(2)
    passes = 0
    for seed in range(12):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            strings = [game.action_to_string(action) for action in state.legal_actions()]
            assert strings
            if "pass" in strings:
                passes += 1
                assert all(string == "pass" or string.endswith("direct") for string in strings)
            liked = [s for s in strings if s.startswith("play") == (state.current_player() == 0)]
            state.apply_action(choose.choice(liked or strings))
    assert passes > 0


def test_returns_sum_to_nothing() -> None:
    """O-I15: the returns of every kind."""
    state = load(table(5, day=3, discs=[[WON, 4, 0, 0, 0, 0], [0, WON, 2, 0, 0, 0], [0] * 6, [1] * 6, [0] * 6]))
    assert state.scores() == [9, 7, 0, 6, 0]
    assert state.ranks() == [1, 2, 4, 3, 4]
    assert state.returns("win") == pytest.approx([1, -0.25, -0.25, -0.25, -0.25])
    assert state.returns("rank") == pytest.approx([1, 0.5, -0.75, 0, -0.75])
    assert state.returns("score") == pytest.approx([(5 * s - 22) / 4 / 15 for s in (9, 7, 0, 6, 0)])
