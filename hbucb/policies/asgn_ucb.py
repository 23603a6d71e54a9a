"""ASGNUCB: the upper end of an interval that localises itself, five numbers an arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hbucb.arguments import as_horizon
from hbucb.asgn_bounds import asgn_regret
from hbucb.assumptions import check
from hbucb.estimators.order_statistics import loc_at_most_median
from hbucb.noise import Cauchy
from hbucb.optimizers.knowledge import Knowledge, KnownLaw
from hbucb.optimizers.self_localising import SelfLocalisingSGD
from hbucb.policies.index import IndexPolicy, NoRadius, Rule
from hbucb.predicates import locations_within
from hbucb.validate import open_probability, positive, store, whole_number


@dataclass(frozen=True)
class ASGNUCB(IndexPolicy):
    """Play the largest upper end of :class:`hbucb.optimizers.SelfLocalisingSGD`'s intervals.

    Parameters
    ----------
    knowledge : KnownLaw, UnimodalMoment, DensityFloor or MassWithin
        What is known about the noise: the drift p(D) for every length D of the interval.
    interval : (float, float), optional
        Known to hold all locations, reward units.
    warm : int
        Without an interval: first rewards of an arm, whose order statistics localise it. Until
        then the index is that of time-uniform :class:`hbucb.OrderStatisticUCB`.
    delta : float, optional
        Failure probability of the warm-up and of the shrinking interval, each: 1/(4T) if not
        given.
    rho : float, optional
        Updates that tune the width of the interval: T/240 if not given, a good choice for 10 arms.
    a : float
        Shape of the mixture of the warm-up.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    Proof in the book, page "All bounds".

    Examples
    --------
    >>> import hbucb as hb
    >>> from hbucb.optimizers import KnownLaw
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Cauchy())
    >>> policy = hb.ASGNUCB(KnownLaw(hb.noise.Cauchy()))
    >>> round(policy.regret_bound(bandit, 2000))
    153
    """

    knowledge: Knowledge = field(default_factory=lambda: KnownLaw(Cauchy()))
    interval: tuple[float, float] | None = None
    warm: int = 128
    delta: float | None = None
    rho: float | None = None
    a: float = 3.0

    def __post_init__(self) -> None:
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))
        if self.rho is not None:
            store(self, rho=positive("rho", self.rho))
        self.sgd(100)

    @property
    def accepts_infinite(self) -> bool:  # type: ignore[override]
        """Rewards of +-inf move the guess by a bounded step; those of a warm-up must be finite."""
        return self.interval is not None

    def sgd(self, horizon: int) -> SelfLocalisingSGD:
        """The method at this horizon."""
        horizon = whole_number(horizon, "horizon", 1)
        delta = 1 / (4 * max(horizon, 1)) if self.delta is None else self.delta
        rho = max(horizon / 240, 1.0) if self.rho is None else self.rho
        return SelfLocalisingSGD(
            self.knowledge, self.interval, self.warm, delta, delta, rho, self.a
        )

    def rule(self, horizon: int) -> Rule:
        # The interval's end is the index itself: nothing is added to it.
        return Rule(self.sgd(horizon), NoRadius())

    def tuned(self, horizon: int) -> ASGNUCB:
        sgd = self.sgd(whole_number(horizon, "horizon", 1))
        return replace(self, delta=sgd.delta, rho=sgd.rho)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Certificate for the laws of the bandit where the knowledge of the noise is true.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
            T; failure probabilities and rho that were not given are those of each T.
        declare : sequence of str
            Names of assumptions that you vouch for where the laws do not know them.

        Raises
        ------
        AssumptionError
            If the knowledge or the interval is wrong for the bandit, or a law has atoms.
        """
        needs = [*self.knowledge.needs()]
        needs += [loc_at_most_median()] if self.interval is None else []
        needs += [locations_within(*self.interval)] if self.interval is not None else []
        check(bandit, needs, of="the bound of ASGNUCB", declare=declare)
        total = as_horizon(horizon)
        answer = np.empty(total.shape)
        for at in np.ndindex(total.shape):
            sgd = self.sgd(int(total[at]))
            answer[at] = asgn_regret(bandit.gaps, total[at], laws=bandit.laws, sgd=sgd)
        return float(answer) if answer.ndim == 0 else answer
