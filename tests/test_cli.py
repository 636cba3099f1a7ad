"""The command line, in process; errors are one line on standard error and a status that is not 0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")

from carnival_envs import __version__, cli, load_game
from carnival_envs.core.options import parse_option
from carnival_envs.evaluation import ladder_plot, tournament
from carnival_envs.registry import GAMES, definition


def run(*arguments: str) -> int:
    """The exit status of a command."""
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    return exit_.value.code or 0  # type: ignore[return-value]


@pytest.fixture(autouse=True, scope="module")
def announced() -> None:
    """Whatever there is to say of a first compilation is said before."""
    load_game("carnavalesco")


@pytest.fixture(autouse=True)
def wide_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are not folded, and go to what the test captures."""
    monkeypatch.setattr(cli, "screen", cli.Console(width=200))


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    shown = capsys.readouterr().out
    for name in GAMES:
        assert name in shown
        assert definition(name).title in shown


@pytest.mark.parametrize("name", GAMES)
def test_list_of_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", name) == 0
    shown = capsys.readouterr().out
    for option in definition(name).options:
        assert option.name in shown


def test_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.json"
    status = run(
        "evaluate", "--game", "carnavalesco", "--policies", "greedy,random", "--games", "12", "--num-players", "3",
        "--option", "divisions=A", "--seed", "5", "--out", str(out),
    )  # fmt: skip
    assert status == 0
    captured = capsys.readouterr()
    assert "greedy" in captured.out
    assert str(out) in captured.out
    assert captured.err == ""
    read = json.loads(out.read_text())
    assert (read["options"]["num_players"], read["options"]["divisions"], read["seed"]) == (3, "A", 5)
    assert (read["games"], read["seeds"]) == (12, 4)


def test_the_same_numbers_again(tmp_path: Path) -> None:
    for name in ("first", "second"):
        run(
            "evaluate", "--game", "carnival", "--policies", "greedy,random", "--games", "20", "--out",
            str(tmp_path / name),
        )  # fmt: skip
    for file in ("evaluation.json", "evaluation.csv"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()


LADDER = ("ladder", "carnavalo", "--policies", "random,greedy", "--games", "20")


def test_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run plays nothing but what is added, and gives the same numbers."""
    assert run(*LADDER, "--num-players", "2", "--no-plot", "--out", str(tmp_path)) == 0
    captured = capsys.readouterr()
    assert "alpha-rank" in captured.out
    assert captured.out.splitlines()[-1] == str(tmp_path / "ladder.json")
    first = (tmp_path / "ladder.json").read_bytes()
    options = ("--num-players", "2", "--no-plot", "--out", str(tmp_path), "--jobs", "1")
    assert run(*LADDER, *options) == 0
    assert (tmp_path / "ladder.json").read_bytes() == first
    assert run(*LADDER, *options, "--add", "mcts:2") == 0
    assert json.loads((tmp_path / "ladder.json").read_text())["policies"] == ["random", "greedy", "mcts:2"]
    assert len(list((tmp_path / "match-ups").iterdir())) == 3


def test_ladder_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert run(*LADDER, "--num-players", "3") == 0
    assert {path.name for path in (tmp_path / "runs" / "ladder" / "carnavalo-3").glob("ladder.*")} == {
        "ladder.json",
        "ladder.svg",
        "ladder.png",
    }


def test_ladder_asks_for_its_extra_before_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ladder_plot, "find_spec", lambda _name: None)
    assert run(*LADDER, "--out", str(tmp_path)) == 1
    assert "pip install carnival-envs[plot]" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("variant=basic", ("variant", "basic")),
        ("first_player=1", ("first_player", 1)),
        ("campaign=true", ("campaign", True)),
        ("campaign=False", ("campaign", False)),
        ("first_player=None", ("first_player", None)),
        ('divisions=["A", "D"]', ("divisions", ["A", "D"])),
        ("name=a=b", ("name", "a=b")),
    ],
)
def test_options_of_games(text: str, expected: tuple[str, Any]) -> None:
    assert parse_option(text) == expected


EVALUATE = ("evaluate", "--game", "carnavalesco", "--policies")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("frobnicate",), 2, "No such command 'frobnicate'"),
        (("evaluate", "--game", "carnavalesco"), 2, "Missing option '--policies'"),
        ((*EVALUATE, "greedy", "--games", "many"), 2, "--games"),
        (("evaluate", "--game", "carnavalesc", "--policies", "greedy"), 1, "did you mean 'carnavalesco'"),
        ((*EVALUATE, "gredy"), 1, "did you mean 'greedy'"),
        ((*EVALUATE, "greedy,,random"), 1, "greedy,,random"),
        ((*EVALUATE, "policy:none.npz"), 1, "policy file none.npz: no such file"),
        ((*EVALUATE, "policy:none.zip"), 1, "--trust"),
        ((*EVALUATE, "greedy", "--games", "1"), 1, "games: 1 is not allowed"),
        ((*EVALUATE, "greedy", "--games", "9999999999999"), 1, "games: 9999999999999 is not allowed"),
        ((*EVALUATE, "greedy", "--out", f"{__file__}/report.json"), 1, "out: "),
        ((*EVALUATE, "greedy", "--record", __file__), 1, "record: "),
        ((*EVALUATE, "greedy", "--option", "color=red"), 1, "carnavalesco has no option 'color'"),
        ((*EVALUATE, "greedy", "--option", "color"), 1, "allowed: KEY=VALUE"),
        ((*EVALUATE, "greedy", "--num-players", "9"), 1, "num_players: 9"),
        ((*EVALUATE, "greedy", "--seed", "-1"), 1, "seed: -1"),
        ((*EVALUATE, "greedy", "--out", "report.txt"), 1, "report.txt"),
        ((*EVALUATE, "greedy", "--data", "none.toml"), 1, "none.toml"),
        ((*LADDER, "--jobs", "0"), 1, "jobs: 0"),
        ((*LADDER, "--add", "greedy"), 1, "each policy once"),
        (("ladder", "carnavalo", "--policies", "random"), 1, "at least 2 for a ladder"),
        (("ladder", "carnavalesco", "--num-players", "1"), 1, "num_players: 1"),
        (("list", "nogame"), 1, "unknown game 'nogame'"),
        (("export", "none.zip", "out.npz", "--game", "carnavalesco"), 1, "trust=True"),
        (("export", "none.zip", "out.npz", "--game", "carnavalesco", "--trust"), 1, "none.zip: no such file"),
        (("bench", "--row", "bach"), 1, "did you mean 'batch'"),
    ],
)
def test_errors_are_one_line(
    arguments: tuple[str, ...], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("carnival-envs: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err


def test_a_traceback_for_those_who_ask() -> None:
    with pytest.raises(ValueError, match="unknown game"):
        cli.main(["--traceback", "list", "nogame"])


def test_interrupted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*args: Any, **kwargs: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "evaluate", interrupt)
    assert run(*EVALUATE, "greedy", "--out", str(tmp_path)) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "carnival-envs: interrupted"
    assert not list(tmp_path.iterdir())


def test_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from carnival_envs.policies.policy_file import read_policy_file
    from tests.policies.test_export import Shell

    game = load_game("carnavalesco", num_players=3)
    sb3_contrib.MaskablePPO("MlpPolicy", Shell(game), seed=1, device="cpu").save(tmp_path / "model.zip")
    model, out = str(tmp_path / "model.zip"), str(tmp_path / "out.npz")
    options = ("--game", "carnavalesco", "--num-players", "3", "--note", "untrained")
    assert run("export", model, out, *options, "--trust") == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert read_policy_file(out).training == {"source": "model.zip", "note": "untrained"}
    assert run("evaluate", *options[:4], "--policies", f"policy:{out},random", "--games", "9") == 0


def test_bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bench.json"
    assert run("bench", "--game", "carnavalesco", "--row", "clone", "--repeats", "1", "--json", str(out)) == 0
    assert "clone" in capsys.readouterr().out
    assert json.loads(out.read_text())["results"][0]["game"] == "carnavalesco"


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_help(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 0
    shown = capsys.readouterr().out
    for command in ("list", "evaluate", "ladder", "bench", "export"):
        assert command in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"carnival-envs {__version__}\n"


def test_without_the_extra() -> None:
    """A clear line when typer is not installed."""
    code = "import sys; sys.modules['typer'] = None; import carnival_envs.cli"
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert failed.stderr == "carnival-envs: the commands need the cli extra: pip install carnival-envs[cli]\n"
