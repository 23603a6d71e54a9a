"""Trimmed mean: half of the samples fix two clip levels for the other half."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import FloatArray, Level, as_counts, as_samples, log_inverse, positive
from hbucb.estimators.recomputed import Recomputed, as_rows
from hbucb.predicates import Predicate, central_moment


@dataclass(frozen=True)
class TrimmedMean:
    """Mean of every other sample, clipped at extreme order statistics of the samples between.

    The N = n // 2 samples Y = x[1], x[3], ... give the clip levels, their k-th smallest and k-th
    largest, k = ceil(16 ln(4/delta) / 3); the estimate is the mean of x[0], x[2], ... (N of them)
    clipped there. If Var X <= sigma^2 it is off the mean by more than :meth:`radius` with
    probability at most delta on each side (the source prints the two-sided level 2 delta).

    Fewer than 2k samples a half have no two levels: ValueError. A nan raises ValueError. Infinite
    samples are clipped: the estimate is finite as long as fewer than k of the samples Y are +inf
    and fewer than k are -inf.

    Parameters
    ----------
    sigma : float
        Bound on the standard deviation, reward units. The estimate does not use it.

    Notes
    -----
    e = 16 ln(4/delta) / (3N). By Bernstein (exponents 3eN/14 and 3eN/16) each empirical level lies
    between the true quantiles of mass e/2 and 2e except with probability delta/4; then the mean
    of the clipped samples is at most the bias sigma sqrt(2e / (1-2e)) above mu, plus
    sigma sqrt(2l/N) + b l / (3N), l = ln(2/delta), b = sigma (sqrt(2/e) + sqrt(e/(2-e))), except
    with probability delta/2. For e <= 3/8 the sum is below 8.2 sigma sqrt(ln(4/delta)/N).

    References
    ----------
    Lugosi and Mendelson (2019), Theorem 6; its range is given here as e <= 3/8.

    Examples
    --------
    >>> trimmed = TrimmedMean(sigma=1.0)
    >>> round(trimmed.estimate(range(100), delta=0.2), 9)  # k = 16, levels 31 and 69
    49.62
    >>> float(trimmed.radius(70, delta=0.05)), round(float(trimmed.radius(400, delta=0.05)), 3)
    (inf, 1.332)
    """

    sigma: float = 1.0

    def __post_init__(self) -> None:
        positive("sigma", self.sigma)

    def trimmed(self, delta: float) -> int:
        """k: samples of the second half beyond each clip level, the level included."""
        return math.ceil(16 * (log_inverse(delta) + math.log(4)) / 3)

    def least(self, delta: float) -> int:
        """Samples without which there is no estimate: 4k."""
        return 4 * self.trimmed(delta)

    def estimate(self, x: ArrayLike, delta: float) -> float:
        """The estimate from all samples ``x`` (n,), in reward units."""
        k = self.trimmed(delta)
        values = as_samples(x, 4 * k)
        return float(self.ragged(values, np.array([values.size]), delta)[0])

    def ragged(self, values: FloatArray, n: np.ndarray, delta: float) -> FloatArray:
        """Estimates (rows,) of rows of n samples that follow each other in ``values``."""
        k, half, rows = self.trimmed(delta), n // 2, np.arange(n.size)
        place = np.arange(values.size) - np.repeat(np.cumsum(n) - n, n)
        used = place < np.repeat(2 * half, n)
        odd = place % 2 == 1
        second = as_rows(values[used & odd], half, math.inf)
        second.sort(axis=1)
        low, high = second[rows, k - 1], second[rows, half - k]
        first = values[used & ~odd]
        clipped = np.clip(first, np.repeat(low, half), np.repeat(high, half))
        # Shares, not a sum: 1e308 + 1e308 must not overflow.
        return np.add.reduceat(clipped / np.repeat(half, half), np.cumsum(half) - half)

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """9 sigma sqrt(ln(4/delta) / N), N = n // 2, if 16 ln(4/delta) <= 9 N / 8; else inf."""
        level = log_inverse(delta) + math.log(4)
        half = as_counts(n) // 2
        with np.errstate(divide="ignore"):
            width = 9 * self.sigma * np.sqrt(level / half)
        return np.where(16 * level <= 9 * half / 8, width, np.inf)

    def assumptions(self) -> tuple[Predicate, ...]:
        """Var X <= sigma^2."""
        return (central_moment(2.0, self.sigma**2),)

    def running(self, level: Level) -> Recomputed:
        """Streaming form at a failure probability that may depend on t."""
        return Recomputed(self, level)
