"""``ladder``: the same numbers however it is played, an interrupted run that goes on, and what stands in the report."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carnival_envs import load_game
from carnival_envs.core.errors import FolderInUseError
from carnival_envs.core.files import locked
from carnival_envs.core.game import Game
from carnival_envs.evaluation import evaluate, ladder, play_ladder, write_ladder
from carnival_envs.evaluation.ladder import (
    DEFAULT_POLICIES,
    SEEDS_PER_BLOCK,
    bootstrap_ratings,
    default_policies,
    number_of_blocks,
    payoffs,
)
from carnival_envs.evaluation.ladder_folder import LadderFolder, decoded, encoded
from carnival_envs.evaluation.ladder_reports import tables
from carnival_envs.evaluation.matches import Results
from carnival_envs.evaluation.tournament import Samples, match_ups
from carnival_envs.policies.network import Network
from carnival_envs.policies.policy_file import PolicyFile, write_policy_file

POLICIES = ("random", "greedy", "mcts:4")
GAMES = 2 * SEEDS_PER_BLOCK


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("carnavalo", num_players=2)


def games_played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the number of games whenever some are played."""
    counts: list[int] = []
    play_matches = ladder.play_matches

    def counted(game: Game, policies: Any, seatings: Any, seeds: Any, **others: Any) -> Results:
        counts.append(len(seeds))
        return play_matches(game, policies, seatings, seeds, **others)

    monkeypatch.setattr(ladder, "play_matches", counted)
    return counts


def write_policy(path: Path, game: Game, seed: int) -> None:
    """A policy file with random weights."""
    weights = np.random.default_rng(seed).normal(size=(game.observation_size, game.num_actions))
    network = Network.from_layers([(weights, np.zeros(game.num_actions))], "tanh")
    write_policy_file(path, PolicyFile.of(game, network))


# The same numbers -------------------------------------------------------------------------------------------------


def test_the_number_of_threads_changes_nothing(game: Game) -> None:
    assert play_ladder(game, POLICIES, 3 * GAMES, jobs=1) == play_ladder(game, POLICIES, 3 * GAMES, jobs=3)


def test_the_seed_changes_the_games(game: Game) -> None:
    first, second = (play_ladder(game, POLICIES[:2], GAMES, seed=seed) for seed in (0, 1))
    assert [one.score for one in first.rungs] != [one.score for one in second.rungs]


def test_the_games_are_those_of_an_evaluation(game: Game) -> None:
    """The same seeds in the same seatings: compiled policies do exactly as well."""
    assert play_ladder(game, POLICIES[:2], GAMES).pairings == evaluate(game, POLICIES[:2], GAMES).pairings


def test_more_policies_change_no_pairing(game: Game) -> None:
    two, three = play_ladder(game, POLICIES[:2], GAMES), play_ladder(game, POLICIES, GAMES)
    assert set(two.pairings) <= set(three.pairings)


# What is kept -----------------------------------------------------------------------------------------------------


def test_an_interrupted_ladder_goes_on(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(done: int, _total: int) -> None:
        if done >= 2 * GAMES:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_ladder(game, POLICIES, 2 * GAMES, folder=tmp_path, jobs=1, on_progress=interrupt)
    counts = games_played(monkeypatch)
    told: list[tuple[int, int]] = []
    after = play_ladder(game, POLICIES, 2 * GAMES, folder=tmp_path, on_progress=lambda *one: told.append(one))
    assert told[0][0] >= 2 * GAMES
    assert told[-1] == (6 * GAMES, 6 * GAMES)
    assert sum(counts) == 6 * GAMES - told[0][0]
    assert after == play_ladder(game, POLICIES, 2 * GAMES)


def test_only_what_is_missing_is_played(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_ladder(game, POLICIES[:2], GAMES, folder=tmp_path)
    counts = games_played(monkeypatch)
    play_ladder(game, POLICIES[:2], GAMES, folder=tmp_path)
    assert sum(counts) == 0
    play_ladder(game, POLICIES[:2], 2 * GAMES, folder=tmp_path)
    assert sum(counts) == GAMES
    play_ladder(game, POLICIES, GAMES, folder=tmp_path)
    assert sum(counts) == 3 * GAMES


def test_a_changed_policy_is_played_anew(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = f"policy:{tmp_path / 'policy.npz'}"
    write_policy(tmp_path / "policy.npz", game, seed=0)
    play_ladder(game, ["random", spec], GAMES, folder=tmp_path / "ladder")
    counts = games_played(monkeypatch)
    write_policy(tmp_path / "policy.npz", game, seed=1)
    play_ladder(game, ["random", spec], GAMES, folder=tmp_path / "ladder")
    assert sum(counts) == GAMES


def test_a_second_ladder_is_kept_out_of_a_folder(game: Game, tmp_path: Path) -> None:
    folder = tmp_path / "ladder"
    with (
        locked(folder),
        pytest.raises(FolderInUseError, match=r"ladder: another process is working in this folder \(id \d+\)"),
    ):
        play_ladder(game, POLICIES[:2], GAMES, folder=folder)
    play_ladder(game, POLICIES[:2], GAMES, folder=folder)


def test_what_a_killed_ladder_left_half_written_is_removed(game: Game, tmp_path: Path) -> None:
    (tmp_path / "match-ups").mkdir()
    leftover = tmp_path / "match-ups" / ".random-greedy.json.0a1b2c3d.tmp"
    leftover.write_text("half")
    play_ladder(game, POLICIES[:2], GAMES, folder=tmp_path)
    assert not leftover.exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seed": 1}, r"settings\.json: its games were played with seed=0, not 1; use another folder"),
        ({"game": load_game("carnavalo", num_players=3)}, r"options\.num_players=2, not 3"),
        ({"game": load_game("carnival", num_players=2)}, r"game='carnavalo', not 'carnival'"),
    ],
)
def test_other_settings_are_refused(game: Game, tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    play_ladder(game, POLICIES[:2], GAMES, folder=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.json")}
    with pytest.raises(ValueError, match=message):
        play_ladder(**{"game": game, "policies": POLICIES[:2], "games": GAMES, "folder": tmp_path, **changed})
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.json")} == before


@pytest.mark.parametrize(("content", "message"), [(None, "settings.json: missing"), ("[]", "settings.json: damaged")])
def test_games_of_unknown_settings_are_refused(tmp_path: Path, content: str | None, message: str) -> None:
    """They could be of another seed."""
    LadderFolder(tmp_path, {"seed": 0}).save(("a", "b"), {})
    if content is None:
        (tmp_path / "settings.json").unlink()
    else:
        (tmp_path / "settings.json").write_text(content)
    with pytest.raises(ValueError, match=message):
        LadderFolder(tmp_path, {"seed": 0})


def test_other_component_data_are_refused(game: Game, tmp_path: Path) -> None:
    changed = Game(game.definition, game.options, data={"score_scale": 1})
    LadderFolder(tmp_path, ladder.settings_of(game, 0))
    with pytest.raises(ValueError, match="data="):
        LadderFolder(tmp_path, ladder.settings_of(changed, 0))


BLOCK = '{{"blocks": {{"0": {{"ranks": {}, "scores": {}, "truncated": [false]}}}}}}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"blocks": 1}',
        '{"blocks": {"0": {"ranks": [[1, 2]]}}}',
        BLOCK.format("[[2, 2]]", "[[3, 4]]"),
        BLOCK.format("[[1, 2, 3]]", "[[5, 4, 3]]"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    folder = LadderFolder(tmp_path, {})
    folder.save(("a", "b"), {})
    (file,) = (tmp_path / "match-ups").iterdir()
    file.write_text(text)
    with pytest.raises(ValueError, match=file.name):
        folder.load(("a", "b"), (1, 2))


def test_kept_results_are_whole() -> None:
    """Win shares follow from the ranks: both firsts of the second game have half."""
    results = Results(
        win_shares=np.array([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]),
        scores=np.array([[3, 9, -1], [5, 4, 5]]),
        ranks=np.array([[2, 1, 3], [1, 3, 1]]),
        truncated=np.array([False, True]),
    )
    again = decoded(json.loads(json.dumps(encoded(results))), (2, 3))
    for name in ("win_shares", "scores", "ranks", "truncated"):
        assert getattr(again, name).tolist() == getattr(results, name).tolist()


# What comes of it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 4])
def test_the_better_policy_stands_higher(num_players: int) -> None:
    result = play_ladder(load_game("carnavalo", num_players=num_players), ["random", "greedy"], 40 * num_players)
    assert [one.policy for one in result.rungs] == ["greedy", "random"]
    greedy, random = result.rungs
    assert greedy.rating.low > 100
    assert (random.rating.low, random.rating.mean, random.rating.high) == (0, 0, 0)
    assert greedy.alpha_rank == pytest.approx(1)
    assert len(result.pairings) == 2


def test_two_seats_are_rated_as_an_evaluation_rates_them(game: Game) -> None:
    specs, games = ["random", "greedy", "mcts:8"], 10 * GAMES
    rated = {one.policy: one.rating for one in evaluate(game, specs[:2], games).standings}
    ladders = {one.policy: one.rating.mean for one in play_ladder(game, specs[:2], games).rungs}
    assert ladders == pytest.approx(rated)


def test_full_orders_tell_more_than_wins() -> None:
    """Three seats; the first policy never wins, but is always second, between both seats of the other.

    With strengths x : 1 the likelihood is (2 / (x + 2)) (x / (x + 1)), which is largest at x = sqrt(2).
    """
    (meeting, _) = match_ups(2, 3)
    ranks = np.array([[2, 1, 3], [1, 2, 3], [1, 3, 2]] * 500)
    results = Results(ranks == 1, ranks, ranks, np.zeros(len(ranks), bool))
    first, other = bootstrap_ratings(["a", "random"], [meeting], [results], np.ones((3, 500)))
    assert first.mean == pytest.approx(400 * math.log10(math.sqrt(2)), abs=0.2)
    assert first.low == pytest.approx(first.mean)
    assert (other.mean, first.games) == (0, 1500)


def test_returns_of_the_samples() -> None:
    """Shares of 3/4 and 1/4 with three seats, where equals have 1/3: returns of 5/8 and -1/8."""
    samples = Samples(np.array([[1.0, 1.0, 1.0], [0.5, 0.5, 0.5]]), np.zeros((2, 3)))
    other = replace(samples, win_shares=np.array([[0.0, 0.0, 0.0], [0.5, 0.5, 0.5]]))
    values = payoffs({(0, 1): samples, (1, 0): other}, 2, 3, np.array([[1.0, 1.0], [2.0, 0.0]]))
    assert values[0] == pytest.approx(np.array([[0, 5 / 8], [-1 / 8, 0]]))
    assert values[1] == pytest.approx(np.array([[0, 1], [-1 / 2, 0]]))


# Wrong input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"policies": ["random"]}, "policies: .* at least 2"),
        ({"policies": ["random", "greedy", "random"]}, "policies: 'random' is not allowed; allowed: each policy once"),
        ({"policies": ["random", "gredy"]}, "did you mean 'greedy'"),
        ({"games": 5}, "games: 5"),
        ({"jobs": 0}, "jobs: 0"),
        ({"seed": -1}, "seed: -1"),
        ({"game": load_game("carnavalesco", num_players=1)}, "num_players: 1"),
    ],
)
def test_what_is_not_allowed(game: Game, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play_ladder(**{"game": game, "policies": POLICIES, "games": GAMES, **arguments})


def test_nothing_is_made_before_the_policies_are_there(game: Game, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        play_ladder(game, ["random", "policy:none.npz"], GAMES, folder=tmp_path / "ladder")
    assert not (tmp_path / "ladder").exists()


def test_an_error_of_a_block_is_told(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **kwargs: Any) -> Results:
        raise ZeroDivisionError("block")

    monkeypatch.setattr(ladder, "play_matches", broken)
    with pytest.raises(ZeroDivisionError, match="block"):
        play_ladder(game, POLICIES, GAMES)


def test_games_are_rounded_up_to_whole_blocks() -> None:
    assert [number_of_blocks(games, 2) for games in (6, 20, 21, 400)] == [1, 1, 2, 20]


def test_the_usual_policies(game: Game) -> None:
    assert default_policies(game)[: len(DEFAULT_POLICIES)] == DEFAULT_POLICIES


# Reports ----------------------------------------------------------------------------------------------------------


def test_reports(game: Game, tmp_path: Path) -> None:
    result = play_ladder(game, POLICIES[:2], GAMES)
    (path,) = write_ladder(result, tmp_path, plot=False)
    read = json.loads(path.read_text())
    assert (read["game"], read["policies"], read["games"]) == ("carnavalo", ["random", "greedy"], GAMES)
    assert read["rungs"][0]["rating"]["mean"] == result.rungs[0].rating.mean


def test_tables_on_the_screen(game: Game) -> None:
    console = pytest.importorskip("rich.console").Console(width=140, record=True, file=StringIO())
    for table in tables(play_ladder(game, POLICIES[:2], GAMES)):
        console.print(table)
    text = console.export_text()
    for words in ("alpha-rank", "greedy", "+0 (0..0)", "the column against it"):
        assert words in text


def test_pictures_are_whole_and_the_same_again(game: Game, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    result = play_ladder(game, POLICIES, GAMES)
    first, second = (write_ladder(result, tmp_path / name) for name in ("first", "second"))
    assert [path.name for path in first] == ["ladder.json", "ladder.svg", "ladder.png"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
    drawn = (tmp_path / "first" / "ladder.svg").read_text()
    assert "mcts:4" in drawn
    assert (tmp_path / "first" / "ladder.png").read_bytes().startswith(b"\x89PNG")
