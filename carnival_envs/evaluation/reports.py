"""Evaluations as JSON, as CSV, and as tables on the screen (which need ``rich``, of the ``cli`` extra)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carnival_envs.core.files import need_folder, replacing
from carnival_envs.core.options import refuse
from carnival_envs.evaluation.statistics import Estimate
from carnival_envs.evaluation.tournament import Evaluation, Pairing

if TYPE_CHECKING:
    from rich.table import Table

FILE_NAME = "evaluation"
ALL = "all"
"""Stands in a CSV row for every opponent, or every seat, together."""

COLUMNS = ("policy", "opponent", "seat", "measure", "mean", "low", "high", "games")


def to_json(evaluation: Evaluation) -> str:
    """The whole evaluation, for programs."""
    from carnival_envs import __version__

    return json.dumps({"carnival_envs": __version__, **asdict(evaluation)}, indent=2) + "\n"


def to_csv(evaluation: Evaluation) -> str:
    """One row per estimate: over all opponents, by seat, and against each opponent."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_rows(evaluation))
    return text.getvalue()


def _rows(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for one in evaluation.standings:
        yield _row(one.policy, ALL, ALL, "win_share", one.win_share)
        yield _row(one.policy, ALL, ALL, "score", one.score)
        for seat, share in enumerate(one.seat_win_shares):
            yield _row(one.policy, ALL, seat, "win_share", share)
    for pair in evaluation.pairings:
        yield _row(pair.policy, pair.opponent, ALL, "win_share", pair.win_share)
        yield _row(pair.policy, pair.opponent, ALL, "score", pair.score)


def _row(policy: str, opponent: str, seat: int | str, measure: str, estimate: Estimate) -> dict[str, Any]:
    return {"policy": policy, "opponent": opponent, "seat": seat, "measure": measure, **asdict(estimate)}


WRITERS = {".json": to_json, ".csv": to_csv}


def report_paths(out: str | Path) -> list[Path]:
    """The files of a report: ``out`` itself if it is a ``.json`` or a ``.csv``, both inside if it is a folder.

    Raises:
        ValueError: a file of another kind, or a place that can't be written to.
    """
    out = Path(out)
    if out.suffix in WRITERS and not out.is_dir():
        need_folder("out", out.parent)
        return [out]
    if out.suffix or out.is_file():
        refuse("out", str(out), f"a folder, or a file that ends in {' or '.join(WRITERS)}")
    need_folder("out", out)
    return [out / f"{FILE_NAME}{suffix}" for suffix in WRITERS]


def write_report(evaluation: Evaluation, out: str | Path) -> list[Path]:
    """Write an evaluation; files that are there already are replaced by whole ones. Returns the files.

    Raises:
        ValueError: see ``report_paths``.
    """
    paths = report_paths(out)
    for path in paths:
        with replacing(path) as temporary:
            temporary.write_text(WRITERS[path.suffix](evaluation), encoding="utf-8")
    return paths


# On the screen ----------------------------------------------------------------------------------------------------


def tables(evaluation: Evaluation) -> list[Table]:
    """The standings; with several seats what each is worth; if policies met, who does how well against whom."""
    several = "" if len(evaluation.standings[0].seat_win_shares) == 2 else " in all other seats"
    shown = [_standings(evaluation)]
    if len(evaluation.standings[0].seat_win_shares) > 1:
        shown.append(_by_seat(evaluation))
    if evaluation.pairings:
        shown.append(matrix(evaluation.policies, evaluation.pairings, several))
    return shown


def _standings(evaluation: Evaluation) -> Table:
    seats = len(evaluation.standings[0].seat_win_shares)
    title = f"{evaluation.game}, {seats} seat{'s' if seats > 1 else ''}: {evaluation.games} games a match-up"
    table = folding_table(title, "policy", "win share", "score", "rating")
    table.caption = "95 % intervals, clustered by seed"
    for one in evaluation.standings:
        rating = "-" if one.rating is None else f"{one.rating:+.0f}"
        table.add_row(one.policy, percent(one.win_share), points(one.score), rating)
    return table


def _by_seat(evaluation: Evaluation) -> Table:
    """A row for each seat: what it is worth to each policy."""
    table = folding_table("win share by seat", "", *(one.policy for one in evaluation.standings))
    for seat, shares in enumerate(zip(*(one.seat_win_shares for one in evaluation.standings), strict=True)):
        table.add_row(f"seat {seat}", *map(percent, shares))
    return table


def matrix(policies: Sequence[str], pairings: Sequence[Pairing], several: str = "") -> Table:
    """The win share of each policy against each other.

    Args:
        policies: in the order of the rows.
        pairings: who met whom.
        several: what the title says of opponents that have more than one seat.
    """
    table = folding_table(f"win share of the row, the column{several} against it", "", *policies)
    shares = {(pair.policy, pair.opponent): percent(pair.win_share) for pair in pairings}
    for policy in policies:
        table.add_row(policy, *(shares.get((policy, opponent), "-") for opponent in policies))
    return table


def folding_table(title: str, first: str, *others: str) -> Table:
    """A table without rows. On a narrow screen its cells go on in the next line; nothing is cut off."""
    from rich.table import Table

    table = Table(title=title)
    table.add_column(first, overflow="fold")
    for heading in others:
        table.add_column(heading, justify="right", overflow="fold")
    return table


def percent(share: Estimate) -> str:
    """``63.2 % (58.4-67.8)``."""
    return f"{share.mean:.1%} ({share.low * 100:.1f}-{share.high * 100:.1f})"


def points(score: Estimate) -> str:
    """``51.8 ± 0.9``."""
    return f"{score.mean:.1f} ± {score.high - score.mean:.1f}"
