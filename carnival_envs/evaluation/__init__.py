"""Who plays better: matches of every seat, tournaments, ladders, intervals, ratings, reports."""

from carnival_envs.evaluation.ladder import Ladder, Rung, play_ladder
from carnival_envs.evaluation.ladder_reports import write_ladder
from carnival_envs.evaluation.matches import Results, play_matches
from carnival_envs.evaluation.reports import write_report
from carnival_envs.evaluation.tournament import Evaluation, Pairing, Standing, evaluate

__all__ = [
    "Evaluation",
    "Ladder",
    "Pairing",
    "Results",
    "Rung",
    "Standing",
    "evaluate",
    "play_ladder",
    "play_matches",
    "write_ladder",
    "write_report",
]
