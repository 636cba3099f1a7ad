"""The picture of a ladder: ratings with their intervals, and who wins how often against whom."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carnival_envs.core.files import replacing
from carnival_envs.evaluation.ladder import Ladder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
"""What a picture can be written as; the file's ending says which."""

WIDTH, MARGIN, ROW_HEIGHT = 11.0, 1.6, 0.45  # inches
DOTS_PER_INCH = 150
LONGEST_NAME = 28
COLORS = "PuOr"
DARK = 0.3
"""A cell so far from what equals get has a light number on it."""

POINT_COLOR = "tab:purple"

METADATA: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "png": {"Software": None}}
"""Equal ladders give equal files: no date, no random ids."""


def save_plot(ladder: Ladder, path: str | Path) -> None:
    """Draw a ladder into a file that ends in one of ``FORMATS``; an earlier one is replaced by a whole one.

    Raises:
        ImportError: the extra ``plot`` is not installed.
    """
    need_library()
    from matplotlib import rc_context

    path = Path(path)
    kind = path.suffix.removeprefix(".")
    with replacing(path) as temporary, rc_context({"svg.hashsalt": "carnival_envs"}):
        draw(ladder).savefig(temporary, format=kind, dpi=DOTS_PER_INCH, metadata=METADATA[kind])


def need_library() -> None:
    """
    Raises:
        ImportError: the extra ``plot`` is not installed.
    """
    if find_spec("matplotlib") is None:
        raise ImportError("a plot needs the plot extra: pip install carnival-envs[plot]")


def draw(ladder: Ladder) -> Figure:
    """The picture; no window is opened."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, MARGIN + ROW_HEIGHT * len(ladder.rungs)), layout="constrained")
    left, right = figure.subplots(1, 2)
    figure.suptitle(f"{ladder.game}, {ladder.options['num_players']} players, {ladder.games} games a match-up")
    draw_ratings(left, ladder)
    draw_matrix(right, ladder)
    return figure


def draw_ratings(axes: Axes, ladder: Ladder) -> None:
    """A point and an interval for each policy, the strongest on top."""
    ratings = [one.rating for one in ladder.rungs]
    means = [rating.mean for rating in ratings]
    below = [rating.mean - min(rating.low, rating.mean) for rating in ratings]
    above = [max(rating.high, rating.mean) - rating.mean for rating in ratings]
    axes.errorbar(means, range(len(means)), xerr=[below, above], fmt="o", color=POINT_COLOR, capsize=3)
    axes.set_yticks(range(len(means)), [short(one.policy) for one in ladder.rungs])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.4)
    axes.set_xlabel("rating on Elo's scale, 95 % intervals")


def draw_matrix(axes: Axes, ladder: Ladder) -> None:
    """The win share of the row against the column; white is what equals get."""
    order = [one.policy for one in ladder.rungs]
    shares = {(pair.policy, pair.opponent): pair.win_share.mean for pair in ladder.pairings}
    cells = np.array([[shares.get((row, column), np.nan) for column in order] for row in order])
    equal = 1 / ladder.options["num_players"]
    lead = np.where(cells < equal, (cells - equal) / equal, (cells - equal) / (1 - equal)) / 2
    axes.imshow(lead, cmap=COLORS, vmin=-0.5, vmax=0.5)
    for row, column in np.argwhere(~np.isnan(cells)).tolist():
        color = "white" if abs(lead[row, column]) > DARK else "black"
        axes.text(column, row, f"{cells[row, column]:.0%}", ha="center", va="center", fontsize=8, color=color)
    names = [short(policy) for policy in order]
    axes.set_xticks(range(len(order)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(order)), names)
    axes.set_title("win share of the row against the column", fontsize=10)


def short(policy: str) -> str:
    """A name that leaves room for the picture: of a long one the end, which tells files apart."""
    return policy if len(policy) <= LONGEST_NAME else f"…{policy[1 - LONGEST_NAME :]}"
