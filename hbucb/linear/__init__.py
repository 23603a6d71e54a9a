"""Linear contextual bandits: instances, least squares, the lower-bound programme, its solution."""

from hbucb.linear import alternatives, budget, programme, realisable, saddle
from hbucb.linear.instances import end_of_optimism, random_problem, toy
from hbucb.linear.jester import load_jester, ratings_bandit, synthetic_jester
from hbucb.linear.least_squares import LeastSquares
from hbucb.linear.projection import project
from hbucb.linear.widths import (
    experimental_width,
    log_det_limit,
    log_log_width,
    self_normalised_width,
)

__all__ = [
    "LeastSquares",
    "alternatives",
    "budget",
    "end_of_optimism",
    "experimental_width",
    "load_jester",
    "log_det_limit",
    "log_log_width",
    "programme",
    "project",
    "random_problem",
    "ratings_bandit",
    "realisable",
    "saddle",
    "self_normalised_width",
    "synthetic_jester",
    "toy",
]
