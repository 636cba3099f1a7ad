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
    """The standings, and if policies met the matrix of who does how well against whom."""
    if not evaluation.pairings:
        return [_standings(evaluation)]
    several = "" if len(evaluation.standings[0].seat_win_shares) == 2 else " in all other seats"
    return [_standings(evaluation), matrix(evaluation.policies, evaluation.pairings, several)]


def _standings(evaluation: Evaluation) -> Table:
    from rich.table import Table

    seats = range(len(evaluation.standings[0].seat_win_shares))
    title = f"{evaluation.game}, {len(seats)} seat{'s' if len(seats) > 1 else ''}: {evaluation.games} games a match-up"
    table = Table(title=title, caption="95 % intervals, clustered by seed")
    table.add_column("policy", overflow="fold")
    for heading in ["win share", "score", "rating", *(f"seat {seat}" for seat in seats)]:
        table.add_column(heading, justify="right")
    for one in evaluation.standings:
        rating = "-" if one.rating is None else f"{one.rating:+.0f}"
        by_seat = [percent(share) for share in one.seat_win_shares]
        table.add_row(one.policy, percent(one.win_share), points(one.score), rating, *by_seat)
    return table


def matrix(policies: Sequence[str], pairings: Sequence[Pairing], several: str = "") -> Table:
    """The win share of each policy against each other.

    Args:
        policies: in the order of the rows.
        pairings: who met whom.
        several: what the title says of opponents that have more than one seat.
    """
    from rich.table import Table

    table = Table(title=f"win share of the row, the column{several} against it")
    table.add_column("", overflow="fold")
    shares = {(pair.policy, pair.opponent): percent(pair.win_share) for pair in pairings}
    for policy in policies:
        table.add_column(policy, justify="right", overflow="fold")
    for policy in policies:
        table.add_row(policy, *(shares.get((policy, opponent), "-") for opponent in policies))
    return table


def percent(share: Estimate) -> str:
    """``63.2 % (58.4-67.8)``."""
    return f"{share.mean:.1%} ({share.low * 100:.1f}-{share.high * 100:.1f})"


def points(score: Estimate) -> str:
    """``51.8 ± 0.9``."""
    return f"{score.mean:.1f} ± {score.high - score.mean:.1f}"
