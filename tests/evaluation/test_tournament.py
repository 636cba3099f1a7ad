"""``evaluate``: who meets whom, what is measured, and that it is the same again."""

from __future__ import annotations

import csv
import json
from collections import Counter
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.game import Game
from carnival_envs.evaluation import evaluate, write_report
from carnival_envs.evaluation.matches import Results
from carnival_envs.evaluation.reports import folding_table, report_paths, tables
from carnival_envs.evaluation.tournament import (
    draw_seeds,
    match_ups,
    number_of_seeds,
    samples_of,
    unique_names,
)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("carnival", num_players=2)


# Who meets whom ---------------------------------------------------------------------------------------------------


def test_two_seats() -> None:
    meetings = [(one.policy, one.opponent, one.seatings) for one in match_ups(3, 2)]
    assert meetings == [
        (0, 1, ((0, 1), (1, 0))),
        (0, 2, ((0, 2), (2, 0))),
        (1, 2, ((1, 2), (2, 1))),
    ]


def test_more_seats() -> None:
    meetings = match_ups(2, 3)
    assert [one.seatings for one in meetings] == [((0, 1, 1), (1, 0, 1), (1, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1))]


@pytest.mark.parametrize("num_seats", [2, 3, 4, 6])
def test_every_policy_takes_every_seat_equally_often(num_seats: int) -> None:
    seats = Counter(
        (policy, seat)
        for meeting in match_ups(4, num_seats)
        for seating in meeting.seatings
        for seat, policy in enumerate(seating)
    )
    assert len(seats) == 4 * num_seats
    assert len(set(seats.values())) == 1


def test_one_policy_plays_itself() -> None:
    assert [one.seatings for one in match_ups(1, 3)] == [((0, 0, 0),)]


def test_one_seat() -> None:
    assert [one.seatings for one in match_ups(2, 1)] == [((0,),), ((1,),)]


@pytest.mark.parametrize(("games", "seatings", "seeds"), [(400, 2, 200), (400, 3, 134), (6, 2, 3), (7, 2, 4)])
def test_games_are_rounded_up_to_whole_seeds(games: int, seatings: int, seeds: int) -> None:
    assert number_of_seeds(games, seatings) == seeds


@pytest.mark.parametrize("games", [0, 5, -1, True, 8.0])
def test_too_few_games(games: object) -> None:
    with pytest.raises(ValueError, match=r"games: .* at least 6, for 3 seeds in 2 seatings"):
        number_of_seeds(games, 2)  # type: ignore[arg-type]


def test_more_seeds_begin_with_the_same() -> None:
    assert draw_seeds(5, 10)[:4].tolist() == draw_seeds(5, 4).tolist() != draw_seeds(6, 4).tolist()


def test_names() -> None:
    assert unique_names(["greedy", "random", "greedy"]) == ("greedy", "random", "greedy (2)")


# What is measured -------------------------------------------------------------------------------------------------


def test_samples_are_sorted_by_seat() -> None:
    """Two seeds, seatings (0, 1) and (1, 0): the number of a sample is seed, seating, seat."""
    values = np.array([[0.0, 1.0], [10.0, 11.0], [100.0, 101.0], [110.0, 111.0]])
    results = Results(values, values.astype(np.int64), np.ones((4, 2), np.int64), np.zeros(4, bool))
    seatings = ((0, 1), (1, 0))
    assert samples_of(0, seatings, results).win_shares.tolist() == [[0, 11], [100, 111]]
    assert samples_of(1, seatings, results).scores.tolist() == [[10, 1], [110, 101]]


def test_the_better_policy_is_found(game: Game) -> None:
    evaluation = evaluate(game, "random,greedy", games=100)
    assert [one.policy for one in evaluation.standings] == ["greedy", "random"]
    assert evaluation.standings[0].win_share.low > 0.5 > evaluation.standings[1].win_share.high
    assert evaluation.standings[1].rating == 0
    assert (evaluation.games, evaluation.seeds) == (100, 50)


def test_two_seats_share_one(game: Game) -> None:
    """Whatever one policy wins the other does not."""
    evaluation = evaluate(game, ["random", "greedy", "random"], games=60)
    shares = {(pair.policy, pair.opponent): pair.win_share.mean for pair in evaluation.pairings}
    assert len(shares) == 6
    for (policy, opponent), share in shares.items():
        assert share + shares[opponent, policy] == pytest.approx(1)


def test_equal_policies_get_equal_shares() -> None:
    evaluation = evaluate(load_game("carnavalesco", num_players=3), "random,random", games=300)
    for one in evaluation.standings:
        assert one.win_share.low < 1 / 3 < one.win_share.high


def test_a_policy_against_itself_shows_the_seats() -> None:
    evaluation = evaluate(load_game("carnavalesco", num_players=3), "random", games=100)
    (standing,) = evaluation.standings
    assert standing.win_share.mean == pytest.approx(1 / 3)
    assert sum(share.mean for share in standing.seat_win_shares) == pytest.approx(1)
    assert standing.rating is None
    assert evaluation.pairings == ()


def test_a_player_alone() -> None:
    evaluation = evaluate(load_game("carnavalesco", num_players=1), "random,greedy", games=50)
    assert [one.policy for one in sorted(evaluation.standings, key=lambda one: one.score.mean)] == ["random", "greedy"]
    assert evaluation.pairings == ()


def test_the_same_again(game: Game) -> None:
    assert evaluate(game, "random,greedy", 40, seed=3) == evaluate(game, "random,greedy", 40, seed=3)
    assert evaluate(game, "random,greedy", 40, seed=3) != evaluate(game, "random,greedy", 40, seed=4)


def test_more_policies_change_no_pairing(game: Game) -> None:
    two, three = evaluate(game, "random,greedy", 40), evaluate(game, "random,greedy,greedy", 40)
    assert set(two.pairings) <= set(three.pairings)


def test_progress_goes_to_the_end(game: Game) -> None:
    told: list[tuple[int, int]] = []
    evaluate(game, "random,greedy,random", 20, on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (60, 60)
    assert told == sorted(told)


def test_nobody_to_play(game: Game) -> None:
    with pytest.raises(ValueError, match="at least one"):
        evaluate(game, [])


# Reports ----------------------------------------------------------------------------------------------------------


def test_json_holds_everything(game: Game, tmp_path: Path) -> None:
    evaluation = evaluate(game, "random,greedy", 20)
    assert write_report(evaluation, tmp_path / "deep" / "report.json") == [tmp_path / "deep" / "report.json"]
    read = json.loads((tmp_path / "deep" / "report.json").read_text())
    assert (read["game"], read["options"], read["policies"]) == ("carnival", game.options, ["random", "greedy"])
    assert read["standings"][0]["win_share"]["mean"] == evaluation.standings[0].win_share.mean
    assert read["pairings"][1]["opponent"] == "random"


def test_csv_has_a_row_per_estimate(game: Game, tmp_path: Path) -> None:
    evaluation = evaluate(game, "random,greedy", 20)
    write_report(evaluation, tmp_path / "report.csv")
    with (tmp_path / "report.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * (2 + 2) + 2 * 2
    seat = next(row for row in rows if (row["policy"], row["seat"]) == ("greedy", "1"))
    assert float(seat["mean"]) == evaluation.standings[0].seat_win_shares[1].mean


def test_a_folder_gets_both(game: Game, tmp_path: Path) -> None:
    write_report(evaluate(game, "random,greedy", 20), tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["evaluation.csv", "evaluation.json"]


def test_another_kind_of_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a folder, or a file that ends in \.json or \.csv"):
        report_paths(tmp_path / "report.txt")


@pytest.mark.parametrize("width", [80, 140])
@pytest.mark.parametrize("num_players", [2, 6])
def test_tables_on_the_screen(num_players: int, width: int) -> None:
    """Every interval is there whole, on a narrow screen too."""
    console = pytest.importorskip("rich.console").Console(width=width, record=True, file=StringIO())
    evaluation = evaluate(load_game("carnavalo", num_players=num_players), "random,greedy", 10 * num_players)
    for table in tables(evaluation):
        console.print(table)
    text = console.export_text()
    for one in evaluation.standings:
        for share in (one.win_share, *one.seat_win_shares):
            assert f"({share.low * 100:.1f}-{share.high * 100:.1f})" in text
    for heading in ("win share", "score", "rating", "greedy", f"seat {num_players - 1}"):
        assert heading in text


def test_nothing_is_cut_off_a_table_that_does_not_fit() -> None:
    console = pytest.importorskip("rich.console").Console(width=20, record=True, file=StringIO())
    table = folding_table("title", "policy", "win share")
    table.add_row("policy:a-long-path.npz", "31.5% (27.1-36.3)")
    console.print(table)
    text = console.export_text()
    assert "…" not in text
    assert "a-long-path" in "".join(line.split("│")[1].strip() for line in text.splitlines() if "│" in line)
