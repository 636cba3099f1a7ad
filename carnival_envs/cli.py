"""The command line: ``carnival-envs list | evaluate | bench | export``.

Results go to standard output; progress and errors to standard error. An error is one line, and the exit status is
not 0.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

try:
    import typer
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table
except ImportError:
    raise SystemExit("carnival-envs: the commands need the cli extra: pip install carnival-envs[cli]") from None

from carnival_envs import __version__
from carnival_envs.registry import GAMES, definition, load_game

if TYPE_CHECKING:
    from carnival_envs.core.game import Game
    from carnival_envs.evaluation.tournament import Progress as OnProgress

USER_ERRORS = (ValueError, TypeError, OSError, ImportError)
USAGE_ERROR: Any = typer.BadParameter.__base__
"""What typer raises for a command line that it can't read; it names only this child of it."""

FAILED, USAGE, INTERRUPTED = 1, 2, 130
"""Exit statuses."""

WORDS = {"True": True, "False": False, "None": None}

app = typer.Typer(
    help="Four carnival table-top games as reinforcement-learning environments.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
screen = Console()
messages = Console(stderr=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit; the arguments are those of the process by default."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = app(arguments or ["--help"], prog_name="carnival-envs", standalone_mode=False)
        if status == INTERRUPTED:  # some versions of typer return this after Ctrl-C, others raise
            raise KeyboardInterrupt
        sys.exit(status)
    except USAGE_ERROR as error:
        fail(error.format_message(), USAGE)
    except (typer.Abort, KeyboardInterrupt):
        fail("interrupted", INTERRUPTED)
    except USER_ERRORS as error:
        if "--traceback" in arguments:
            raise
        fail(str(error), FAILED)


def fail(message: str, status: int) -> None:
    """Say one line on standard error and exit."""
    print("carnival-envs: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(status)


# What several commands take ---------------------------------------------------------------------------------------

GameName = Annotated[str, typer.Option("--game", help="The id of a game; `list` shows them.")]
NumPlayers = Annotated[int | None, typer.Option("--num-players", help="Number of seats.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="KEY=VALUE", help="An option of the game, JSON or a word; may be repeated."),
]
Data = Annotated[Path | None, typer.Option("--data", help="A TOML file in place of the game's component data.")]
Trust = Annotated[bool, typer.Option("--trust", help="Load SB3 zips, which can run any code that is put inside.")]
Out = Annotated[Path | None, typer.Option("--out", help="A folder, or a .json or .csv file, for the results.")]


def game_from(name: str, num_players: int | None, options: Sequence[str] | None, data: Path | None) -> Game:
    """The game that the options of a command describe."""
    given = dict(parse_option(option) for option in options or [])
    if num_players is not None:
        given["num_players"] = num_players
    return load_game(name, data=data, **given)


def parse_option(text: str) -> tuple[str, Any]:
    """Name and value of ``KEY=VALUE``; the value is JSON, ``True``, ``False``, ``None``, or else a word.

    Raises:
        ValueError: no ``=``, or nothing before it.
    """
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise ValueError(f"--option: {text!r} is not allowed; allowed: KEY=VALUE")
    if value in WORDS:
        return key, WORDS[value]
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


@contextmanager
def progress_bar(text: str) -> Iterator[OnProgress]:
    """A progress bar on standard error, when that is a terminal; gives a function to tell it ``(done, total)``."""
    columns = (TextColumn(text), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=messages, transient=True, disable=not messages.is_terminal) as progress:
        task = progress.add_task(text, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


# Commands ---------------------------------------------------------------------------------------------------------


def show_version(wanted: bool) -> None:
    """Print the version and exit, if that is asked for."""
    if wanted:
        print(f"carnival-envs {__version__}")
        raise typer.Exit


@app.callback()
def options_of_all(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Version.")] = False,
    traceback: Annotated[bool, typer.Option("--traceback", help="Show where in the code an error arose.")] = False,
) -> None:
    """What every command takes; ``main`` itself looks for ``--traceback``."""


@app.command("list")
def list_games(
    game: Annotated[str | None, typer.Argument(help="Show the options of this game.")] = None,
) -> None:
    """The games, or the options of one."""
    screen.print(table_of_games() if game is None else table_of_options(game))


@app.command()
def evaluate(
    game: GameName,
    policies: Annotated[str, typer.Option(help="Specs with commas between them: policy:PATH,greedy,random.")],
    games: Annotated[int, typer.Option(help="Games of each match-up, over all its seatings.")] = 400,
    num_players: NumPlayers = None,
    option: Options = None,
    data: Data = None,
    seed: Annotated[int, typer.Option(help="Of the games, and of all that the policies draw.")] = 0,
    out: Out = None,
    trust: Trust = False,
) -> None:
    """Let policies play each other in every seating on the same seeds; win shares and scores with 95 % intervals.

    With two seats one plays the other, with more one plays against the rest, all of them the other policy.
    """
    from carnival_envs.evaluation import reports, tournament

    if out is not None:
        reports.report_paths(out)
    chosen = game_from(game, num_players, option, data)
    with progress_bar("games") as on_progress:
        evaluation = tournament.evaluate(chosen, policies, games, seed=seed, trust=trust, on_progress=on_progress)
    for table in reports.tables(evaluation):
        screen.print(table)
    if out is not None:
        for path in reports.write_report(evaluation, out):
            print(path)


@app.command()
def export(
    model: Annotated[Path, typer.Argument(help="The zip of a PPO-like Stable-Baselines3 model.")],
    out: Annotated[Path, typer.Argument(help="The policy file to write, .npz.")],
    game: GameName,
    num_players: NumPlayers = None,
    option: Options = None,
    data: Data = None,
    note: Annotated[str, typer.Option(help="How it was trained, for whoever reads the file.")] = "",
    trust: Trust = False,
) -> None:
    """Turn a Stable-Baselines3 zip into a policy file, which can't run code and needs no PyTorch to play."""
    from carnival_envs.policies.export import export_sb3

    training = {"source": model.name, "note": note}
    export_sb3(model, out, game_from(game, num_players, option, data), training=training, trust=trust)
    print(out)


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Option("--game", help="A game; may be repeated. All by default.")] = None,
    row: Annotated[list[str] | None, typer.Option("--row", help="A row; may be repeated. All by default.")] = None,
    repeats: Annotated[int, typer.Option(help="The median of so many repeats is shown.")] = 5,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the results to this file.")] = None,
) -> None:
    """The speed of every path, per second of CPU time, beside what it must reach."""
    from carnival_envs.bench import report, runner

    with progress_bar("rows") as on_progress:
        results = runner.run(game or list(GAMES), row, repeats, on_progress=on_progress)
    screen.print(report.table(results))
    if json_file is not None:
        report.write_json(results, json_file, repeats)
        print(json_file)


def table_of_games() -> Table:
    """A row for each game."""
    table = Table("id", "title", "players", "actions", "about")
    for name in GAMES:
        known = definition(name)
        counts = known.player_counts()
        players = f"{counts[0]}-{counts[-1]}" if len(counts) > 1 else str(counts[0])
        table.add_row(name, known.title, players, str(len(known.actions)), known.summary)
    return table


def table_of_options(name: str) -> Table:
    """A row for each option of a game."""
    table = Table("option", "default", "meaning", title=definition(name).title)
    for option in definition(name).options:
        table.add_row(option.name, json.dumps(option.default), option.meaning)
    return table


if __name__ == "__main__":
    main()
