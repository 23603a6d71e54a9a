"""Location estimators, one idea a file: estimate, radius and streaming state.

Each has ``estimate(x, delta)`` from all samples, ``radius(n, delta)`` where one is proved (inf
outside its range), ``assumptions()`` under which it is, and ``running(level)``, the exact streaming
form. delta is the failure probability of one side, unless the docstring says otherwise.
"""

from hbucb.estimators.block_medians import block_median_variance
from hbucb.estimators.catoni import Catoni
from hbucb.estimators.checks import FixedLevel, PowerLevel
from hbucb.estimators.geometric_median import GeometricMedianOfMeans, geometric_median
from hbucb.estimators.hodges_lehmann import HodgesLehmann
from hbucb.estimators.huber import Huber, huber_level, huber_pulls
from hbucb.estimators.mean import SampleMean
from hbucb.estimators.median_of_means import MedianOfMeans
from hbucb.estimators.order_statistics import OrderStatistic
from hbucb.estimators.p_robust import PRobustMean
from hbucb.estimators.ranks import falling_rank, uniform_rank, upper_rank
from hbucb.estimators.running_median import MedianOfGroups
from hbucb.estimators.sample_median import SampleMedian
from hbucb.estimators.smoothed_median import (
    SmoothedMedianOfMeans,
    cauchy_median_variance,
    smom_has_mean,
    smom_has_variance,
    smom_variance_bound,
)
from hbucb.estimators.trimmed_mean import TrimmedMean
from hbucb.estimators.truncated_mean import TruncatedMean
from hbucb.estimators.variance import sample_variance

__all__ = [
    "Catoni",
    "FixedLevel",
    "GeometricMedianOfMeans",
    "HodgesLehmann",
    "Huber",
    "MedianOfGroups",
    "MedianOfMeans",
    "OrderStatistic",
    "PRobustMean",
    "PowerLevel",
    "SampleMean",
    "SampleMedian",
    "SmoothedMedianOfMeans",
    "TrimmedMean",
    "TruncatedMean",
    "block_median_variance",
    "cauchy_median_variance",
    "falling_rank",
    "geometric_median",
    "huber_level",
    "huber_pulls",
    "sample_variance",
    "smom_has_mean",
    "smom_has_variance",
    "smom_variance_bound",
    "uniform_rank",
    "upper_rank",
]
