"""The empirical mean as a running sum divided by the count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import FloatArray, as_counts, log_inverse, positive
from hbucb.predicates import Predicate, subgaussian
from hbucb.streams import Run


@dataclass(frozen=True)
class SampleMean:
    """Sum of the rewards over their number.

    A running sum keeps exact ties exact, which Welford's recursion breaks on laws with atoms.

    If the rewards are sigma-sub-Gaussian, the mean of n of them exceeds the true mean by
    :meth:`radius` with probability at most delta, and falls below it by as much with probability at
    most delta (one side each). One sample of +-inf makes the estimate +-inf, both signs or a nan
    make it nan.

    Parameters
    ----------
    sigma : float
        Sub-Gaussian parameter, reward units; only the radius uses it.

    Examples
    --------
    >>> SampleMean().estimate([1.0, 2.0, 6.0])
    3.0
    >>> round(float(SampleMean(sigma=1.0).radius(100, delta=0.01)), 5)
    0.30349
    """

    sigma: float = 1.0
    batch = 1
    initial = 0
    own = None
    moving = False

    def __post_init__(self) -> None:
        positive("sigma", self.sigma)

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """sigma sqrt(2 ln(1/delta) / n); inf for n = 0."""
        with np.errstate(divide="ignore"):
            return self.sigma * np.sqrt(2 * log_inverse(delta) / as_counts(n))

    def assumptions(self) -> tuple[Predicate, ...]:
        """sigma-sub-Gaussian rewards."""
        return (subgaussian(self.sigma),)

    def stream(self, run: Run) -> RunningSums:
        return RunningSums(run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The mean of the rewards, in reward units."""
        if not len(rewards):
            raise ValueError("rewards is empty; at least one is needed")
        total = 0.0
        for reward in rewards:
            total += reward
        return total / len(rewards)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 8 * arms


class RunningSums:
    """Sums of all trials and arms."""

    def __init__(self, run: Run) -> None:
        self._sum = np.zeros(run.trials * run.arms)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        total = self._sum[flat]
        total += reward
        self._sum[flat] = total
        total /= n
        return total
