"""Order-statistic UCB: the index is a reward of the arm itself, of a rank that coins decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hbucb.assumptions import check
from hbucb.binned_bounds import as_edges, order_statistic_binned_regret
from hbucb.estimators.binned import BinnedOrderStatistic
from hbucb.estimators.order_statistics import RunningOrderStatistic, loc_at_most_median
from hbucb.estimators.ranks import FallingRanks, FixedRanks, Ranks, UniformRanks
from hbucb.order_bounds import (
    order_statistic_anytime_regret,
    order_statistic_fixed_regret,
    order_statistic_uniform_regret,
)
from hbucb.policies.index import IndexPolicy, NoRadius, Rule
from hbucb.validate import open_probability, positive, store, whole_number


@dataclass(frozen=True)
class OrderStatisticUCB(IndexPolicy):
    """Play the largest X_(m), the m-th smallest reward of an arm; +inf while m exceeds its pulls.

    It knows nothing of the rewards but that the location is a median: no scale, no moment, no
    density. Rewards of +-inf are rewards like others.

    Parameters
    ----------
    kind : {"time-uniform", "fixed", "anytime"}
        "time-uniform": m from :func:`hbucb.estimators.uniform_rank`; the index of an arm is ever
        below its median with probability at most delta.
        "fixed": m from :func:`hbucb.estimators.upper_rank`, delta at each count.
        "anytime": m from :func:`hbucb.estimators.falling_rank`; the horizon is not used.
    delta : float, optional
        Failure probability: 1/T for "time-uniform" and 1/T^2 for "fixed" if not given.
    a : float
        Shape of the mixture of "time-uniform": 1 is better for large gaps, 10 for small.
    edges : sequence of float, optional
        Grid, increasing, reward units: the index is the order statistic rounded up to it, +inf
        above the last edge, and one count an edge is kept in place of the rewards. Not for
        "anytime".

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    The rank is the sign test's; the mixture is a betting martingale as in Howard and Ramdas (2022)
    for quantiles. Theorems and proofs: the book's chapter on order statistics.

    Examples
    --------
    >>> from hbucb import Bandit, OrderStatisticUCB
    >>> from hbucb.noise import Cauchy
    >>> bandit = Bandit(range(10), Cauchy())
    >>> round(OrderStatisticUCB().regret_bound(bandit, horizon=10_000))
    1266
    """

    kind: str = "time-uniform"
    delta: float | None = None
    a: float = 3.0
    edges: tuple[float, ...] | None = None
    accepts_infinite = True

    def __post_init__(self) -> None:
        if self.kind not in ("time-uniform", "fixed", "anytime"):
            raise ValueError(f"kind = {self.kind!r} must be 'time-uniform', 'fixed' or 'anytime'")
        if self.delta is not None:
            if self.kind == "anytime":
                raise ValueError(f"delta = {self.delta!r} is not used by kind='anytime'")
            store(self, delta=open_probability("delta", self.delta))
        store(self, a=positive("a", self.a))
        if self.a != 3.0 and self.kind != "time-uniform":
            raise ValueError(f"a = {self.a!r} is used by kind='time-uniform' only")
        if self.edges is not None:
            if self.kind == "anytime":
                raise ValueError(f"edges = {self.edges!r} are not used by kind='anytime'")
            store(self, edges=as_edges(self.edges))

    def _default(self, horizon: int) -> float:
        most = max(horizon, 2)
        return 1 / most if self.kind == "time-uniform" else 1 / most**2

    def ranks(self, horizon: int) -> Ranks:
        """Which order statistic is the index at this horizon."""
        horizon = whole_number(horizon, "horizon", 1)
        if self.kind == "anytime":
            return FallingRanks()
        delta = self._default(horizon) if self.delta is None else self.delta
        return FixedRanks(delta) if self.kind == "fixed" else UniformRanks(delta, self.a)

    def rule(self, horizon: int) -> Rule:
        # The order statistic is the upper end itself: nothing is added to it.
        ranks = self.ranks(horizon)
        if self.edges is not None:
            return Rule(BinnedOrderStatistic(ranks, self.edges), NoRadius())
        return Rule(RunningOrderStatistic(ranks), NoRadius())

    def tuned(self, horizon: int) -> OrderStatisticUCB:
        if self.kind == "anytime" or self.delta is not None:
            return self
        return replace(self, delta=self._default(whole_number(horizon, "horizon", 1)))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Exact binomial certificate for the laws of the bandit, whose locations are medians.

        The index uses no law; the certificate uses P(X_a < mu*) of every arm a, with mu* the best
        location.

        Raises
        ------
        AssumptionError
            If P(noise < 0) > 1/2 on an arm.
        """
        check(
            bandit, [loc_at_most_median()], of="the bound of order-statistic UCB", declare=declare
        )
        if self.edges is not None:
            return order_statistic_binned_regret(
                bandit.gaps,
                horizon,
                laws=bandit.laws,
                edges=self.edges,
                best=float(bandit.loc.max()),
                kind=self.kind,
                delta=self.delta,
                a=self.a,
            )
        if self.kind == "anytime":
            return order_statistic_anytime_regret(bandit.gaps, horizon, laws=bandit.laws)
        if self.kind == "fixed":
            return order_statistic_fixed_regret(
                bandit.gaps, horizon, laws=bandit.laws, delta=self.delta
            )
        return order_statistic_uniform_regret(
            bandit.gaps, horizon, laws=bandit.laws, delta=self.delta, a=self.a
        )
