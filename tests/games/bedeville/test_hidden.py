"""What players of Bedeville Carnival do not know, by hand (section 11); the laws try it on random games."""

from __future__ import annotations

from typing import Any

from tests.games.bedeville.tables import load, play, table

LOVE = {3: "eternal_love", 1: "deep_sea_ride"}


def last_first(count: int) -> list[int]:
    """The draws of a shuffle that leaves a list of ``count`` as it is."""
    return list(range(count - 1, 0, -1))


def test_views_tell_nothing_apart() -> None:
    """B-4: other Joy, other Prizes, other piles, another choice: the same view, text and observation for seat 3."""
    one = play(table(cards=LOVE, prizes={0: "glass_spider"}), "move:3", "gain:blue")
    other = table(cards=LOVE, prizes={1: "glass_spider"}, joy={0: [0, 0, 1], 1: [1, 0, 0], 2: [0, 1, 0]})
    other["attraction_deck"].reverse()
    other["stalls"][5], other["stalls"][7] = ["puppet", "cotton_cobweb"], ["velvet_mask", "jar_of_eyes"]
    two = play(other, "move:3", "gain:pink")
    assert one.text(3) == two.text(3)
    assert one.view(3)._record.tobytes() == two.view(3)._record.tobytes()
    assert (one.observation_tensor(3) == two.observation_tensor(3)).all()
    assert one.text(0) != two.text(0)


def test_text_shows_what_a_player_may_see() -> None:
    """B-4, B-R36: the own Screen, visible Prizes, sizes; the Bag for Monday's player only."""
    state = load(table("monday albert cindy heidi", prizes={0: "glass_spider"}))
    own, others = state.text(0), state.text(1)
    assert "glass spider" in own
    assert "glass spider" not in others
    for text in (own, others):
        assert "ghost balloon" in text
        assert "grand prize" not in text
    assert "Bag: charles, prank, joy, quiet, furball; left over: pirouette, temptation, crack" in own
    assert "Bag: 5 tokens" in others
    assert "grand prize" in str(state)


def test_screens_fall_at_the_end() -> None:
    """Section 11: nothing is hidden when the game is over; nothing is drawn."""
    start = table(active=3, options={"max_rounds": 1}, prizes={0: "glass_spider"})
    state = play(start, "move:7", "pick:1", "pick:2", chance=[4])
    assert state.resample(1, chance=[]).to_position() == state.to_position()
    assert "glass spider" in state.text(1)


def test_first_joy_of_the_others() -> None:
    """Section 11, step 1.1: seats 1 and 2 have chosen, one pink and one blue token are unseen by seat 0."""
    start = table(
        "johnny albert cindy",
        phase="first_joy",
        actor=0,
        spaces=(-1, -1, -1),
        joy={0: [0, 0, 0], 1: [1, 0, 0], 2: [0, 0, 1]},
        noise=dict.fromkeys(range(10), 0),
        first_player=1,
        active=1,
    )
    hidden = 20 - 9 + 1
    draws = [1, *last_first(hidden), *last_first(6), *last_first(10)]
    position = load(start).resample(0, chance=draws).to_position()
    assert [player["joy"] for player in position["players"]] == [[0, 0, 0], [0, 0, 1], [1, 0, 0]]


def resampled(document: dict[str, Any], player: int, *joy: int) -> dict[str, Any]:
    """A resampled position of the usual table, given the draws for Joy: 11 unknown Prizes, 6 tokens, 9 cards."""
    draws = [*joy, *last_first(11), *last_first(6), *last_first(9)]
    state = load(document).resample(player, chance=draws)
    assert state.chance_left == 0
    return state.to_position()


def test_albert_holds_what_he_accounts_for() -> None:
    """Section 11, step 1.2: of Storm Lantern (yellow, 2 blue, any) only the way without one blue is open."""
    start = table(phase="account", active=1, joy={0: [0, 0, 0], 1: [2, 1, 1], 2: [0, 0, 0]}, ctx={"buy_space": 4})
    assert resampled(start, 3, 1)["players"][1]["joy"] == [2, 1, 1]


def test_a_buyer_holds_what_is_left_to_pay() -> None:
    """Section 11, step 1.2: two random unseen tokens of pink, yellow, yellow, blue; the others get the rest."""
    start = table(phase="pay", joy={0: [1, 1, 0]}, ctx={"buy_space": 3, "pay_left": 2})
    position = resampled(start, 3, 3, 1, 1, 2)
    assert [player["joy"] for player in position["players"]] == [[0, 1, 1], [1, 0, 0], [0, 1, 0], [1, 0, 0]]


def test_secret_choices_are_drawn_anew() -> None:
    """Section 11, step 5: colours in the supply for Eternal Love, Attractions but its own card for Blind Shot."""
    state = play(table(cards={3: "blind_shot", 6: "deep_sea_ride"}), "move:3", "pick:1", "pick:9")
    joy = [0, 0, 0, 0, 0]
    draws = [*joy, *last_first(11), *last_first(6), *last_first(9), 3, 2]
    position = state.resample(3, chance=draws).to_position()
    assert position["ctx"]["pending"] == [None, 4, 2, None]


def test_tokens_returned_by_boredom_are_known() -> None:
    """Section 11, step 3: Prank was just put back; with Monday in the game only Mr. Charles is sure beside it."""
    start = table("monday albert cindy heidi", board="prank quiet", bag="charles joy furball")
    uncertain = ["pirouette", "joy", "temptation", "crack", "furball"]
    draws = [0, 0, *last_first(11), *last_first(len(uncertain)), *last_first(9)]
    position = play(start, "boredom", "token:prank").resample(1, chance=draws).to_position()
    assert position["bag"] == ["charles", "prank", "crack", "furball"]
    assert position["token_unused"] == ["pirouette", "joy", "temptation"]
