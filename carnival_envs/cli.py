"""The command line: ``carnival-envs list | play | watch | evaluate | ladder | bench | export``.

Results go to standard output; progress and errors to standard error. An error is one line, and the exit status is
not 0.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
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
from carnival_envs.core.options import parse_option
from carnival_envs.registry import GAMES, definition, load_game

if TYPE_CHECKING:
    from carnival_envs.core.game import Game
    from carnival_envs.evaluation.tournament import Progress as OnProgress
    from carnival_envs.play.session import Session
    from carnival_envs.play.watching import Watching

USER_ERRORS = (ValueError, TypeError, OSError, ImportError, MemoryError)
USAGE_ERROR: Any = typer.BadParameter.__base__
"""What typer raises for a command line that it can't read; it names only this child of it."""

FAILED, USAGE, INTERRUPTED = 1, 2, 130
"""Exit statuses."""

REPLAYS_FOLDER = Path("replays")
"""Where played games are kept if nothing else is said."""

DEFAULT_OPPONENTS = "greedy"

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
    typer.Option("--option", metavar="KEY=VALUE", help="An option of the game, or history; may be repeated."),
]
Data = Annotated[Path | None, typer.Option("--data", help="A TOML file in place of the game's component data.")]
Trust = Annotated[bool, typer.Option("--trust", help="Load SB3 zips, which can run any code that is put inside.")]
Web = Annotated[bool, typer.Option("--web", help="In the browser: a page for this machine alone.")]
Port = Annotated[int, typer.Option(help="Of the page; a free one by default.")]
Out = Annotated[Path | None, typer.Option("--out", help="A folder, or a .json or .csv file, for the results.")]


def game_from(name: str, num_players: int | None, options: Sequence[str] | None, data: Path | None) -> Game:
    """The game that the options of a command describe."""
    given = dict(parse_option(option) for option in options or [])
    if num_players is not None:
        given["num_players"] = num_players
    return load_game(name, data=data, **given)


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
def play(
    game: Annotated[str | None, typer.Argument(help="The id of a game; `list` shows them.")] = None,
    opponents: Annotated[str, typer.Option(help="A spec for all other seats, or one for each, from your left.")] = "",
    seat: Annotated[int, typer.Option(help="Yours.")] = 0,
    num_players: NumPlayers = None,
    option: Options = None,
    data: Data = None,
    seed: Annotated[int | None, typer.Option(help="Of the game; another one each time by default.")] = None,
    save: Annotated[Path | None, typer.Option(help="The file that keeps the game; replays/GAME-SEED.json.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the game of this file.")] = None,
    hints: Annotated[str, typer.Option(help="The policy that is asked for hints.")] = "mcts:400",
    web: Web = False,
    port: Port = 0,
    trust: Trust = False,
) -> None:
    """Play a game against policies, in the terminal or in the browser. Every move is kept in a file at once."""
    from carnival_envs.core.chance import checked_seed
    from carnival_envs.play import terminal
    from carnival_envs.play.session import Session
    from carnival_envs.policies.specs import make_policy

    if resume is not None:
        refuse_beside("--resume", GAME=game, opponents=opponents, seed=seed, save=save, options=option)
        session = Session.resume(resume, data=data, trust=trust)
    elif game is None:
        raise ValueError("GAME: missing; give the id of a game, or --resume FILE")
    else:
        chosen, seed = game_from(game, num_players, option, data), checked_seed(seed)
        path = save or free_path(REPLAYS_FOLDER / f"{game}-{seed}.json")
        session = Session.new(chosen, opponents or DEFAULT_OPPONENTS, seat, seed=seed, path=path, trust=trust)
    make_policy(hints, session.game, trust=trust)
    if web:
        serve_page(session, port, hints)
    else:
        terminal.play(session, screen, screen.input, hints=hints)
    messages.print(f"kept in {session.path}; {'watch it' if session.is_over else 'go on'} with: ", end="")
    messages.print(f"carnival-envs {'watch' if session.is_over else 'play --resume'} {session.path}")


@app.command()
def watch(
    file: Annotated[Path, typer.Argument(help="A replay.")],
    seat: Annotated[int | None, typer.Option(help="See what this player sees; everything by default.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write a .gif or an .mp4 instead.")] = None,
    fps: Annotated[float, typer.Option(help="Moves a second, with --out.")] = 2.0,
    theme: Annotated[str, typer.Option(help="light or dark, with --out.")] = "light",
    data: Data = None,
    web: Web = False,
    port: Port = 0,
) -> None:
    """Step through a replay in the terminal or in the browser, or make a moving picture of it."""
    from carnival_envs.play import terminal
    from carnival_envs.play.watching import Watching
    from carnival_envs.replay import load_replay

    watching = Watching(load_replay(file, data=data), seat)
    if out is not None:
        from carnival_envs.play.video import export

        with progress_bar("pictures") as on_progress:
            print(export(watching, out, fps=fps, theme=theme, on_progress=on_progress))
    elif web:
        serve_page(watching, port)
    else:
        terminal.watch(watching, screen, screen.input)


def refuse_beside(chosen: str, **given: Any) -> None:
    """Refuse what can't be given beside an option.

    Raises:
        ValueError: something is given; names it.
    """
    for name, value in given.items():
        if value:
            raise ValueError(f"{name}: {value!r} is not allowed beside {chosen}")


def free_path(path: Path) -> Path:
    """A path at which there is no file yet: the one given, or one with a number."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in itertools.count(2))
    return next(free for free in itertools.chain([path], numbered) if not free.exists())


def serve_page(table: Session | Watching, port: int, hints: str = "") -> None:
    """Serve a game or a replay until Ctrl-C, and tell where."""
    from carnival_envs.play.web import serve

    serve(table, port=port, hints=hints, on_start=lambda address: print(f"{address}  (Ctrl-C ends)", flush=True))


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
    record: Annotated[Path | None, typer.Option(help="A folder for a replay of every game.")] = None,
    trust: Trust = False,
    ray: Annotated[
        str | None, typer.Option("--ray", metavar="ADDRESS", help="Play on this Ray cluster; `local` starts one here.")
    ] = None,
) -> None:
    """Let policies play each other in every seating on the same seeds; win shares and scores with 95 % intervals.

    With two seats one plays the other, with more one plays against the rest, all of them the other policy.
    """
    from carnival_envs.evaluation import cluster, reports, tournament

    if out is not None:
        reports.report_paths(out)
    chosen = game_from(game, num_players, option, data)
    play, connection = (None, nullcontext()) if ray is None else (cluster.play_on_cluster, cluster.connected(ray))
    with connection, progress_bar("games") as on_progress:
        evaluation = tournament.evaluate(
            chosen, policies, games, seed=seed, trust=trust, on_progress=on_progress, record=record, play=play
        )
    for table in reports.tables(evaluation):
        screen.print(table)
    if out is not None:
        for path in reports.write_report(evaluation, out):
            print(path)


@app.command()
def ladder(
    game: Annotated[str, typer.Argument(help="The id of a game; `list` shows them.")],
    policies: Annotated[str | None, typer.Option(help="Specs with commas between them, in place of the usual.")] = None,
    add: Annotated[str | None, typer.Option(help="More specs: snapshots, a policy of your own.")] = None,
    games: Annotated[int, typer.Option(help="Games of each match-up, over all its seatings, at least.")] = 400,
    num_players: NumPlayers = None,
    option: Options = None,
    data: Data = None,
    seed: Annotated[int, typer.Option(help="Of the games, of all that the policies draw, of the intervals.")] = 0,
    jobs: Annotated[int | None, typer.Option(help="Threads; one for each core by default.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder; runs/ladder/GAME-PLAYERS by default.")] = None,
    plot: Annotated[bool, typer.Option(help="Draw the ladder, which needs the plot extra.")] = True,
    trust: Trust = False,
) -> None:
    """Let random, greedy, tree search at several budgets and the game's own policy play each other; rate them.

    Every game that is over stays in the folder: after Ctrl-C the same command goes on, and with more games or more
    policies only what is missing is played.
    """
    from carnival_envs.evaluation import ladder as ladders
    from carnival_envs.evaluation import ladder_plot, ladder_reports
    from carnival_envs.policies.specs import split_specs

    if plot:
        ladder_plot.need_library()
    chosen = game_from(game, num_players, option, data)
    specs = ladders.default_policies(chosen) if policies is None else split_specs(policies)
    specs = (*specs, *(split_specs(add) if add is not None else ()))
    folder = out or Path("runs", "ladder", f"{chosen.name}-{chosen.num_players}")
    with progress_bar("games") as on_progress:
        played = ladders.play_ladder(
            chosen, specs, games, seed=seed, folder=folder, jobs=jobs, trust=trust, on_progress=on_progress
        )
    for table in ladder_reports.tables(played):
        screen.print(table)
    for path in ladder_reports.write_ladder(played, folder, plot=plot):
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
