"""Exact statistics for runs that may get stuck: limits, paired tests, bounded means."""

from hbucb.statistics.betting import (
    MeanInterval,
    bounded_mean_interval,
    bounded_mean_pvalue,
    trials_to_decide_mean,
)
from hbucb.statistics.comparisons import READINGS, Comparison, compare, paired_pvalues
from hbucb.statistics.evidence import failure_evalue, mean_evalue
from hbucb.statistics.paired import (
    CoinTest,
    coin_test,
    discordant_stuck,
    holm,
    paired_wins,
    trials_to_decide,
)
from hbucb.statistics.proportions import clopper_pearson, wilson

__all__ = [
    "READINGS",
    "CoinTest",
    "Comparison",
    "MeanInterval",
    "bounded_mean_interval",
    "bounded_mean_pvalue",
    "clopper_pearson",
    "coin_test",
    "compare",
    "discordant_stuck",
    "failure_evalue",
    "holm",
    "mean_evalue",
    "paired_pvalues",
    "paired_wins",
    "trials_to_decide",
    "trials_to_decide_mean",
    "wilson",
]
