"""Who plays better: matches of every seat, tournaments, intervals, ratings, reports."""

from carnival_envs.evaluation.matches import Results, play_matches
from carnival_envs.evaluation.reports import write_report
from carnival_envs.evaluation.tournament import Evaluation, Pairing, Standing, evaluate

__all__ = ["Evaluation", "Pairing", "Results", "Standing", "evaluate", "play_matches", "write_report"]
