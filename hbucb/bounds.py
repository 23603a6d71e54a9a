"""The catalogue: one explicit list of every bound, imported from where each stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hbucb.ape_bounds import ape_regret
from hbucb.asgn_bounds import asgn_regret
from hbucb.assumptions import STATUSES, BoundInfo
from hbucb.bayes_bounds import thompson_bayes_regret
from hbucb.binned_bounds import order_statistic_binned_regret
from hbucb.bounded_bounds import (
    moss_regret,
    ocucb_regret,
    ucb1_gap_free,
    ucb1_regret,
    ucbv_regret,
)
from hbucb.clipped_sgd_bounds import thm10_corrected_instance, thm10_corrected_worst
from hbucb.elimination_bounds import median_elimination_regret, ucb_improved_regret
from hbucb.eucbv_bounds import eucbv_gap_bound, eucbv_regret, eucbv_worst_bound
from hbucb.heavy_linear_bounds import crt_regret, menu_regret, tofu_regret
from hbucb.kl_bounds import kl_ucb_regret, lai_robbins_bernoulli, lai_robbins_gaussian
from hbucb.linear_bounds import lin_ts_bayes_regret, lin_ucb_regret
from hbucb.lower_bounds import (
    gaussian_minimax_lower,
    heavy_tail_lower,
    lai_robbins,
    two_worlds_lower,
)
from hbucb.moss_bounds import moss_gap_free, moss_gap_regret
from hbucb.order_bounds import (
    order_statistic_anytime_regret,
    order_statistic_closed_regret,
    order_statistic_fixed_regret,
    order_statistic_uniform_regret,
)
from hbucb.pair_bounds import wilcoxon_regret
from hbucb.printed_bounds import (
    robust_ucb_printed,
    robust_ucb_truncated_printed,
    thm10_instance,
    thm10_worst,
)
from hbucb.pull_forms import batch_regret
from hbucb.robust_bounds import (
    robust_ucb_catoni_anytime_regret,
    robust_ucb_catoni_regret,
    robust_ucb_mom_anytime_regret,
    robust_ucb_truncated_anytime_regret,
    robust_ucb_truncated_regret,
)
from hbucb.score_bounds import score_anytime_regret, score_regret, score_uniform_regret
from hbucb.solid_bounds import (
    solid_exploitation_regret,
    solid_order,
    solid_problem_regret,
    solid_worst_case,
)
from hbucb.theory import fo_regret, zo_regret
from hbucb.upper_bounds import robust_ucb_mom_regret, ucb_anytime_regret, ucb_regret

__all__ = ["BOUNDS", "catalogue"]

BOUNDS: tuple[Callable[..., Any], ...] = (
    two_worlds_lower,
    gaussian_minimax_lower,
    heavy_tail_lower,
    lai_robbins,
    lai_robbins_bernoulli,
    lai_robbins_gaussian,
    ucb_regret,
    ucb_anytime_regret,
    ucb1_regret,
    ucb1_gap_free,
    ucbv_regret,
    moss_regret,
    moss_gap_regret,
    moss_gap_free,
    ocucb_regret,
    kl_ucb_regret,
    thompson_bayes_regret,
    lin_ucb_regret,
    lin_ts_bayes_regret,
    crt_regret,
    tofu_regret,
    menu_regret,
    robust_ucb_truncated_regret,
    robust_ucb_truncated_anytime_regret,
    robust_ucb_mom_regret,
    robust_ucb_mom_anytime_regret,
    robust_ucb_catoni_regret,
    robust_ucb_catoni_anytime_regret,
    ape_regret,
    order_statistic_fixed_regret,
    order_statistic_closed_regret,
    order_statistic_uniform_regret,
    order_statistic_anytime_regret,
    order_statistic_binned_regret,
    wilcoxon_regret,
    fo_regret,
    zo_regret,
    batch_regret,
    ucb_improved_regret,
    median_elimination_regret,
    eucbv_regret,
    eucbv_gap_bound,
    eucbv_worst_bound,
    score_regret,
    score_anytime_regret,
    score_uniform_regret,
    asgn_regret,
    solid_exploitation_regret,
    solid_worst_case,
    solid_problem_regret,
    solid_order,
    thm10_corrected_instance,
    thm10_corrected_worst,
    thm10_instance,
    thm10_worst,
    robust_ucb_printed,
    robust_ucb_truncated_printed,
)


def catalogue(status: str | None = None) -> list[BoundInfo]:
    """Every bound of the package: name, algorithm, source, status, needs and rate.

    Parameters
    ----------
    status : str, optional
        Keep one status only.

    Returns
    -------
    list of BoundInfo
        Lower bounds first, then by policy.

    Raises
    ------
    ValueError
        If `status` is not a status of bounds.

    Examples
    --------
    >>> [info.name for info in catalogue("refuted")][:2]
    ['eucbv_gap_bound', 'thm10_instance']
    """
    if status is not None and status not in STATUSES:
        raise ValueError(f"status is {status!r}; allowed: {', '.join(STATUSES)}")
    rows: list[BoundInfo] = [function.bound for function in BOUNDS]  # type: ignore[attr-defined]
    return [info for info in rows if status in (None, info.status)]
