"""Robust UCB of Bubeck, Cesa-Bianchi and Lugosi (2013) with median of means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError, check
from hbucb.estimators.median_of_means import (
    BlockMedians,
    FixedBlocks,
    GrowingBlocks,
    MedianOfMeans,
)
from hbucb.estimators.running_median import MedianOfGroups
from hbucb.policies.index import FixedRadius, IndexPolicy, RootRadius, Rule
from hbucb.predicates import central_moment, common_mean
from hbucb.upper_bounds import robust_ucb_mom_regret
from hbucb.validate import nonnegative, open_probability, store, whole_number

_WHY_NOT = {
    "authors": "with eps = 0 its bonus is the same for all arms, so it is greedy",
    "fair": "c sqrt(ln t / n) is a practical radius, not a proved one",
}


@dataclass(frozen=True)
class RobustUCB(IndexPolicy):
    """Play the largest median of means + radius.

    Parameters
    ----------
    estimator : MedianOfMeans
        With the moment order 1 + eps and the bound v on that centred moment.
    preset : {"theory", "authors", "fair"}
        "theory": the estimator's own radius at failure probability delta, +inf where it is not
        valid (fewer than 16 ln(e^(1/8)/delta) pulls).
        "authors": RUCB-Median as the public code of Dorn et al. runs it: two first pulls,
        min(1 + 16 ln(1 + t), n/2) blocks and the bonus of eps = 0, which is the same for all arms.
        "fair": median of the means of blocks of fixed length + c sqrt(ln t / n). The number of
        blocks grows with n, so the estimate settles, which it does not when their number is
        capped and the rewards have no mean.
    c : float
        Exploration constant of "fair", in reward units.
    group : int
        Rewards in a block of "fair": 1 is the sample median, 2 the median of the means of pairs.
    delta : float, optional
        Failure probability of one side ("theory"): 1/T^2 if not given.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    Bubeck, Cesa-Bianchi and Lugosi (2013), section III with Lemma 2.

    Examples
    --------
    >>> from hbucb import Bandit, RobustUCB
    >>> from hbucb.estimators import MedianOfMeans
    >>> from hbucb.noise import StudentT
    >>> bandit = Bandit([0.0, 1.0], StudentT(3.0))
    >>> policy = RobustUCB(MedianOfMeans(eps=1.0, v=3.0))
    >>> 10_000 < policy.regret_bound(bandit, horizon=10**6) < 100_000
    True
    """

    estimator: MedianOfMeans = field(default_factory=MedianOfMeans)
    preset: str = "theory"
    c: float = 1.0
    group: int = 2
    delta: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.estimator, MedianOfMeans):
            raise ValueError(f"estimator = {self.estimator!r} must be a MedianOfMeans")
        if self.preset not in ("theory", "authors", "fair"):
            raise ValueError(f"preset = {self.preset!r} must be 'theory', 'authors' or 'fair'")
        store(self, c=nonnegative("c", self.c), group=whole_number(self.group, "group", 1))
        if self.delta is not None:
            if self.preset != "theory":
                raise ValueError(f"delta = {self.delta!r} is used by preset='theory' only")
            store(self, delta=open_probability("delta", self.delta))

    def rule(self, horizon: int) -> Rule:
        if self.preset == "fair":
            return Rule(MedianOfGroups(self.group), RootRadius(self.c))
        if self.preset == "authors":
            table = np.full(horizon + 1, 12 * self.estimator.v)
            table[:2] = np.inf
            return Rule(BlockMedians(GrowingBlocks()), FixedRadius(table))
        # A horizon of 1 has one round and no failure to guard against.
        delta = 1 / max(horizon, 2) ** 2 if self.delta is None else self.delta
        radius = self.estimator.radius(np.arange(horizon + 1), delta)
        return Rule(BlockMedians(FixedBlocks(delta)), FixedRadius(radius))

    def tuned(self, horizon: int) -> RobustUCB:
        if self.preset != "theory" or self.delta is not None:
            return self
        return replace(self, delta=1 / max(horizon, 2) ** 2)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Corrected bound of Robust UCB where all arms have that moment and a common noise mean.

        Raises
        ------
        AssumptionError
            For laws without that moment, and for the presets that no theorem covers.
        """
        if self.preset != "theory":
            raise AssumptionError(
                f"RobustUCB(preset={self.preset!r}) has no regret bound: {_WHY_NOT[self.preset]}"
            )
        eps, v = self.estimator.eps, self.estimator.v
        check(
            bandit,
            [common_mean(), central_moment(1 + eps, v)],
            of="the bound of Robust UCB with median of means",
            declare=declare,
        )
        return robust_ucb_mom_regret(bandit.gaps, horizon, eps=eps, v=v, delta=self.delta)
