"""The comparison with peers: their loops play whole games where they are installed, and are skipped where not."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import peer_loops, peer_searches, peers
from benchmarks.peer_loops import Loop, Tally
from benchmarks.peers import Peer, Speed
from carnival_envs import load_game

# How many decisions a game has at least and at most on average, by its rules; an illegal move would end it sooner, or
# not be counted. Random Connect Four takes 21 moves, Tic-Tac-Toe 7.6.
LENGTHS: list[tuple[Callable[[str], Loop], str, str, float, float]] = [
    (peer_loops.open_spiel, "pyspiel", "leduc_poker", 2, 8),
    (peer_loops.open_spiel, "pyspiel", "backgammon", 30, 300),
    (peer_loops.pettingzoo, "pettingzoo.classic.tictactoe.tictactoe", "tictactoe_v3", 5, 9),
    (peer_loops.pettingzoo, "pettingzoo.classic.connect_four.connect_four", "connect_four_v3", 12, 35),
    (peer_loops.rlcard, "rlcard", "leduc-holdem", 2, 8),
    (peer_loops.rlcard, "rlcard", "uno", 15, 200),
    (peer_loops.pgx, "pgx", "connect_four", 19, 23),
    (peer_loops.envpool, "envpool", "ConnectFour-v1", 19, 23),
    (peer_loops.catanatron, "catanatron_gym", "catanatron-v1", 50, 5000),
]


def imported(module: str) -> None:
    """Skip the test where a library, or something that it needs, is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip(module, exc_type=ImportError)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("prepare", "module", "game", "shortest", "longest"), LENGTHS)
def test_peers_play_whole_games(
    prepare: Callable[[str], Loop], module: str, game: str, shortest: float, longest: float
) -> None:
    imported(module)
    loop = prepare(game)
    tallies = [loop() for _ in range(2)]
    decisions, games = (sum(getattr(tally, field) for tally in tallies) for field in ("decisions", "games"))
    assert shortest <= decisions / games <= longest


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", ["leduc_poker", "gin_rummy"])
def test_openspiel_searches(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    imported("pyspiel")
    monkeypatch.setattr(peer_searches, "SIMULATIONS", 10)
    monkeypatch.setattr(peer_searches, "POSITIONS", 2)
    simulations, _ = peer_searches.open_spiel_search(game)()
    assert simulations == 20


def test_own_search_counts_its_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_searches, "SIMULATIONS", 10)
    monkeypatch.setattr(peer_searches, "POSITIONS", 3)
    simulations, seconds = peer_searches.own_search(load_game("carnavalesco"))()
    assert simulations == 30
    assert seconds > 0


def test_positions_are_spread_evenly() -> None:
    assert peer_searches.spread(range(80)) == [0, 10, 20, 30, 40, 50, 60, 70]
    assert peer_searches.spread([3, 4]) == [3, 4]


def test_picks_are_among_the_legal_actions_and_repeatable() -> None:
    one, other = peer_loops.Picker(3), peer_loops.Picker(3)
    picked = [one([4, 7, 9]) for _ in range(200)]
    assert set(picked) == {4, 7, 9}
    assert picked == [other([4, 7, 9]) for _ in range(200)]


# Running ----------------------------------------------------------------------------------------------------------


def missing(_game: str) -> Any:
    raise ModuleNotFoundError("No module named 'nowhere'")


def instant(_game: str) -> Any:
    return lambda: (600, 2.0)


def test_a_missing_peer_is_skipped_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "own_lap", lambda _path: instant)
    told: list[str] = []
    rivals = [Peer("nowhere", "state", ("chess",), missing), Peer("numpy", "state", ("go",), instant)]
    speeds = peers.run(rivals, repeats=3, seconds=1.0, tell=told.append)
    assert told == ["nowhere, chess: skipped, No module named 'nowhere'; pip install nowhere"]
    assert [(one.library, one.game) for one in speeds[:1]] == [("numpy", "go")]
    assert {one.library for one in speeds[1:]} == {peers.OWN}
    for one in speeds:
        assert one.value == pytest.approx(300)
        assert len(one.repeats) == 3


def test_an_import_that_fails_here_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "own_lap", lambda _path: missing)
    with pytest.raises(ImportError, match="nowhere"):
        peers.run([Peer("numpy", "state", ("go",), instant)], repeats=1, seconds=1.0, tell=lambda _line: None)


def test_a_loop_counts_as_its_decisions() -> None:
    prepare = peers.timed_loop(lambda _game: lambda: Tally(12, 3))
    work, seconds = prepare("any")()
    assert work == 12
    assert seconds >= 0


def test_every_peer_is_set_against_a_path() -> None:
    assert {peer.path for peer in peers.PEERS} == set(peers.PATH_NAMES)
    assert len({(peer.package, peer.path) for peer in peers.PEERS}) == len(peers.PEERS)


# Reporting --------------------------------------------------------------------------------------------------------

SPEEDS = [
    Speed("rlcard", "1.2", "state", "uno", 50_000.0, (50_000.0,)),
    Speed(peers.OWN, "0.1", "state", "carnival", 400_000.0, (400_000.0,)),
    Speed(peers.OWN, "0.1", "state", "bedeville", 300_000.0, (300_000.0,)),
    Speed("pgx", "2", "batch", "go", 4e6, (4e6,)),
    Speed(peers.OWN, "0.1", "batch", "carnival", 3e6, (3e6,)),
]


def test_table() -> None:
    assert peers.markdown(SPEEDS).splitlines()[2:] == [
        "| rlcard 1.2 | uno | 50 k | `State` from Python | 300 k to 400 k | 6.0 to 8.0 |",
        "| pgx 2 | go | 4 M | batch of 256 | 3 M to 3 M | 0.75 to 0.75 |",
    ]


@pytest.mark.parametrize(("value", "text"), [(0.6214, "0.62"), (3.14, "3.1"), (8, "8.0"), (9.96, "10"), (26.4, "26")])
def test_ratios(value: float, text: str) -> None:
    assert peers.ratio(value) == text


def test_the_command_writes_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "run", lambda *_arguments: SPEEDS)
    files = {"--json": tmp_path / "out" / "peers.json", "--markdown": tmp_path / "peers.md"}
    assert peers.main([str(word) for pair in files.items() for word in pair]) == 0
    read = json.loads(files["--json"].read_text())
    assert [row["game"] for row in read["results"]] == ["uno", "carnival", "bedeville", "go", "carnival"]
    assert read["machine"]["cores"] >= 1
    assert files["--markdown"].read_text() == peers.markdown(SPEEDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--peers", "rlcrad"], "peers: 'rlcrad' is not allowed; .*did you mean 'rlcard'"),
        (["--repeats", "0"], "--repeats: 0 is not allowed"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        peers.main(arguments)
    assert stopped.value.code == 2
    assert re.search(message, capsys.readouterr().err)
