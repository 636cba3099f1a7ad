"""Ladders as JSON, as tables on the screen (which need ``rich``, of the ``cli`` extra) and as pictures (``plot``)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from carnival_envs.core.files import replacing
from carnival_envs.evaluation.ladder import Ladder
from carnival_envs.evaluation.ladder_plot import FORMATS, save_plot
from carnival_envs.evaluation.reports import folding_table, matrix, percent, points
from carnival_envs.evaluation.statistics import Estimate

if TYPE_CHECKING:
    from rich.table import Table

FILE_NAME = "ladder"


def to_json(ladder: Ladder) -> str:
    """The whole ladder, for programs."""
    from carnival_envs import __version__

    return json.dumps({"carnival_envs": __version__, **asdict(ladder)}, indent=2) + "\n"


def write_ladder(ladder: Ladder, folder: str | Path, *, plot: bool = True) -> list[Path]:
    """Write a ladder as JSON, and as a picture in every format; earlier files are replaced by whole ones.

    Args:
        ladder: what to write.
        folder: where.
        plot: whether to draw.

    Returns:
        the files.

    Raises:
        ImportError: the extra ``plot`` is not installed.
    """
    path = Path(folder) / f"{FILE_NAME}.json"
    with replacing(path) as temporary:
        temporary.write_text(to_json(ladder), encoding="utf-8")
    pictures = [path.with_suffix(f".{kind}") for kind in FORMATS if plot]
    for picture in pictures:
        save_plot(ladder, picture)
    return [path, *pictures]


# On the screen ----------------------------------------------------------------------------------------------------


def tables(ladder: Ladder) -> list[Table]:
    """The rungs, and the matrix of who does how well against whom."""
    several = "" if num_seats(ladder) == 2 else " in all other seats"
    return [rungs(ladder), matrix(ladder.policies, ladder.pairings, several)]


def rungs(ladder: Ladder) -> Table:
    """A line for each policy, the strongest first."""
    title = f"{ladder.game}, {num_seats(ladder)} seats: {ladder.games} games a match-up"
    table = folding_table(title, "policy", "rating", "win share", "score", "alpha-rank")
    table.caption = "95 % intervals, by seed; ratings on Elo's scale"
    for one in ladder.rungs:
        cells = interval(one.rating), percent(one.win_share), points(one.score), f"{one.alpha_rank:.2f}"
        table.add_row(one.policy, *cells)
    return table


def num_seats(ladder: Ladder) -> int:
    """How many seats a table has."""
    seats: int = ladder.options["num_players"]
    return seats


def interval(rating: Estimate) -> str:
    """``+412 (380..455)``."""
    return f"{rating.mean:+.0f} ({rating.low:.0f}..{rating.high:.0f})"
