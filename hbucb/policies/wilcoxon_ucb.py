"""Wilcoxon-UCB: an order statistic of the averages of all pairs, for symmetric noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hbucb.assumptions import check
from hbucb.estimators.signed_rank_limit import RunningSignedRankLimit
from hbucb.pair_bounds import wilcoxon_regret
from hbucb.policies.fixed_level import FixedLevelPolicy
from hbucb.policies.index import NoRadius, Rule
from hbucb.predicates import symmetric
from hbucb.validate import open_probability, store


@dataclass(frozen=True)
class WilcoxonUCB(FixedLevelPolicy):
    """Play the largest c-th smallest average (X_i + X_j)/2, i <= j, of an arm, or +inf.

    c is the upper quantile of Wilcoxon's signed-rank statistic. The policy knows nothing but that
    the noise is symmetric. For normal noise its index is nearly as sharp as that of the mean.

    Parameters
    ----------
    delta : float, optional
        Failure probability at one count: 1/T^2 if not given.

    Raises
    ------
    ValueError
        For a ``delta`` outside (0, 1).

    Notes
    -----
    Each step looks at the played arm's whole history, of all trials together: meant for a few
    thousand rounds. About 20 microseconds a step and trial for 1000 rounds of 100 trials.

    References
    ----------
    Wilcoxon (1945) for the statistic, Tukey (1949) for the limit. Theorem and proof: the book's
    chapter on order statistics.

    Examples
    --------
    >>> from hbucb import Bandit, WilcoxonUCB
    >>> from hbucb.noise import Gaussian
    >>> round(WilcoxonUCB().regret_bound(Bandit([0.0, 1.0], Gaussian()), horizon=1000))
    80
    """

    delta: float | None = None

    def __post_init__(self) -> None:
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    def rule(self, horizon: int) -> Rule:
        return Rule(RunningSignedRankLimit(self.level(horizon)), NoRadius())

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Certificate for the laws of the bandit, which must be symmetric.

        Raises
        ------
        AssumptionError
            For noise that is not symmetric.
        """
        check(bandit, [symmetric()], of="the bound of Wilcoxon-UCB", declare=declare)
        return wilcoxon_regret(bandit.gaps, horizon, laws=bandit.laws, delta=self.delta)
