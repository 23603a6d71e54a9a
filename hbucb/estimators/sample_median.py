"""The sample median, with the exact radius of the least concentrated law of its class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import FloatArray, Level, as_counts, as_samples, log_inverse, positive
from hbucb.estimators.running_median import MedianOfGroups
from hbucb.noise import Noise, as_noise
from hbucb.predicates import Predicate, mass_within, symmetric, unimodal


@dataclass(frozen=True)
class SampleMedian:
    """The middle sample, or the mean of the two middle ones.

    If F(mu + x) - 1/2 >= kappa x and 1/2 - P(X < mu - x) >= kappa x for 0 <= x <= reach, the
    estimate exceeds the median mu by :meth:`radius` with probability at most delta, and falls below
    it by as much with probability at most delta (one side each). No moment is needed. Symmetric
    unimodal noise with P(|xi| < reach) >= 2 kappa reach is such a law.

    The estimate is finite as long as fewer than half of the samples are infinite, and nan if the
    two middle samples are -inf and +inf. A nan among the samples raises ValueError.

    Parameters
    ----------
    kappa : float
        Growth of F about the median, one over reward units: the density of the worst law.
    reach : float
        Reward units; 2 kappa reach <= 1.

    Notes
    -----
    estimate > mu + r needs X_(m) > mu + r, m = n // 2 + 1, which is Bin(n, F(mu + r)) <= m - 1.
    Exact for odd n and the uniform law on mu +- 1/(2 kappa), where 0.8 radii fail. Hoeffding's form
    sqrt(ln(1/delta) / (2n)) / kappa is larger for odd n.

    Examples
    --------
    >>> SampleMedian().estimate([3.0, -1.0, 1000.0], delta=0.1)
    3.0
    >>> median = SampleMedian(kappa=0.25, reach=1.0)  # Cauchy: P(|xi| < 1) = 1/2
    >>> float(median.radius(5, delta=0.05)), round(float(median.radius(401, delta=0.05)), 4)
    (inf, 0.1639)
    """

    kappa: float = 1.0
    reach: float = 0.5

    def __post_init__(self) -> None:
        positive("kappa", self.kappa)
        positive("reach", self.reach)
        if 2 * self.kappa * self.reach > 1:
            raise ValueError(
                f"reach = {self.reach!r} must be at most 1/(2 kappa) = {0.5 / self.kappa!r}"
            )

    def estimate(self, x: ArrayLike, delta: float | None = None) -> float:
        """The estimate from all samples ``x`` (n,), in reward units; delta is not used."""
        ordered = np.sort(as_samples(x)).tolist()
        low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
        return (low + high) / 2

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """(q - 1/2) / kappa, q the 1 - delta quantile of the m-th of n uniforms, m = n // 2 + 1.

        inf where that exceeds ``reach``; 0 where it is negative (delta above 1/2), since nothing
        is assumed below the median that could keep the estimate there.
        """
        from scipy.special import betaincinv

        log_inverse(delta)
        n = as_counts(n)
        m = n // 2 + 1
        count = np.maximum(n, 1)  # the quantile by symmetry, since 1 - delta may round to 1
        width = (0.5 - betaincinv(count - np.minimum(m, count) + 1, m, delta)) / self.kappa
        return np.where((n >= 1) & (width <= self.reach), np.maximum(width, 0.0), np.inf)

    def radius_for(self, law: Noise, n: ArrayLike, delta: float) -> FloatArray:
        """The same for a known symmetric law: exact for odd n and a continuous law.

        F(r) is at least q, the 1 - delta quantile of the m-th of n uniforms, at r = F^-1(q).
        ValueError unless the law is known to be symmetric.

        Examples
        --------
        >>> from hbucb.noise import Cauchy
        >>> round(float(SampleMedian().radius_for(Cauchy(), 401, 0.05)), 4)
        0.1294
        """
        from scipy.special import betaincinv

        log_inverse(delta)
        law = as_noise(law)
        if law.symmetric is not True:
            raise ValueError(f"law = {law!r} is not known to be symmetric")
        n = as_counts(n)
        m = n // 2 + 1
        count = np.maximum(n, 1)
        # By symmetry F^-1(q) = -F^-1(1 - q), and 1 - q keeps its digits where q is near 1.
        tail = betaincinv(count - np.minimum(m, count) + 1, m, delta)
        return np.where(n >= 1, np.maximum(-law.ppf(tail), 0.0), np.inf)

    def assumptions(self) -> tuple[Predicate, ...]:
        """Symmetric unimodal noise with P(|xi| < reach) >= 2 kappa reach."""
        mass = min(2 * self.kappa * self.reach, 1.0)
        return (symmetric(), unimodal(), mass_within(self.reach, mass))

    def running(self, level: Level) -> MedianOfGroups:
        """Streaming form, bit for bit the same; it does not depend on the failure probability."""
        return MedianOfGroups(1)


def hoeffding_median_radius(n: ArrayLike, delta: float, kappa: float) -> FloatArray:
    """sqrt(ln(1/delta) / (2n)) / kappa: the closed form, valid where it is at most the reach.

    Examples
    --------
    >>> round(float(hoeffding_median_radius(401, 0.05, 0.25)), 4)
    0.2445
    """
    positive("kappa", kappa)
    n = as_counts(n)
    return np.sqrt(log_inverse(delta) / (2 * n)) / kappa
