"""The p-robust mean of Lee et al.: a logarithmic influence that needs no moment bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import is_plain
from hbucb.estimators.checks import (
    FloatArray,
    Level,
    as_counts,
    as_samples,
    log_inverse,
    not_both_infinities,
    positive,
)
from hbucb.estimators.recomputed import Recomputed
from hbucb.predicates import Predicate, raw_moment


@dataclass(frozen=True)
class PRobustMean:
    """(c / n^(1-1/p)) sum psi(X_j / (c n^(1/p))), psi(x) = sign(x) ln(1 + |x| + b |x|^p).

    If E|X|^p <= nu (a *raw* moment: the estimator is not translation equivariant), the estimate
    exceeds the mean by :meth:`radius` with probability at most delta, and falls below it by as much
    with probability at most delta: one side each, for every n >= 1.

    One sample of +inf makes the estimate +inf, one of -inf makes it -inf; both together, and a
    nan, raise ValueError.

    Parameters
    ----------
    p : float
        In (1, 2]: order of the moment.
    c : float
        Scale of the influence, reward units.
    nu : float
        Bound on E|X|^p; only the radius uses it.

    Notes
    -----
    b is the smallest number with ln(1 + x + b|x|^p) >= psi(x) >= -ln(1 - x + b|x|^p), that is with
    2b x^(p-2) + b^2 x^(2p-2) >= 1 for all x > 0: the minimum lies at x^p = s/b, s = (2-p)/(p-1).
    Then P(estimate - mu > x) <= exp(b nu / c^p - n^(1-1/p) x / c).

    References
    ----------
    Lee, Yang, Lim and Oh (2020).

    Examples
    --------
    >>> robust = PRobustMean(p=2.0, c=1.0, nu=1.0)
    >>> robust.b, round(robust.estimate([0.5, 1.0, 30.0], delta=0.05), 3)
    (0.5, 3.445)
    >>> round(float(robust.radius(400, delta=0.05)), 4)
    0.1748
    """

    p: float = 2.0
    c: float = 1.0
    nu: float = 1.0

    def __post_init__(self) -> None:
        if not (is_plain(self.p) and 1 < self.p <= 2):
            raise ValueError(f"p = {self.p!r} must be in (1, 2]")
        positive("c", self.c)
        positive("nu", self.nu)

    @property
    def b(self) -> float:
        """The smallest valid coefficient of |x|^p in psi."""
        s = (2 - self.p) / (self.p - 1)
        return float((2 * s ** (1 - 2 / self.p) + s ** (2 - 2 / self.p)) ** (-self.p / 2))

    def least(self, delta: float) -> int:
        """One sample."""
        return 1

    def estimate(self, x: ArrayLike, delta: float | None = None) -> float:
        """The estimate from all samples ``x`` (n,), in reward units; delta is not used."""
        values = as_samples(x)
        not_both_infinities(values, "their influences cancel to no number")
        return float(self.ragged(values, np.array([values.size]))[0])

    def ragged(self, values: FloatArray, n: np.ndarray, delta: float | None = None) -> FloatArray:
        """Estimates (rows,) of rows of n samples that follow each other in ``values``."""
        y = np.abs(values) / np.repeat(self.c * n ** (1 / self.p), n)
        with np.errstate(over="ignore"):
            influence = np.log1p(y + self.b * y**self.p)
        # Beyond the range of floats the power alone counts.
        far = np.isinf(influence)
        influence[far] = self.p * np.log(y[far]) + np.log(self.b)
        sums = np.add.reduceat(np.copysign(influence, values), np.cumsum(n) - n)
        return self.c / n ** (1 - 1 / self.p) * sums

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """c n^-(1-1/p) (ln(1/delta) + b nu / c^p); inf for n = 0."""
        with np.errstate(divide="ignore"):
            rate = as_counts(n) ** -(1 - 1 / self.p)
        return self.c * rate * (log_inverse(delta) + self.b * self.nu / self.c**self.p)

    def assumptions(self) -> tuple[Predicate, ...]:
        """E|X|^p <= nu of the reward."""
        return (raw_moment(self.p, self.nu),)

    def running(self, level: Level) -> Recomputed:
        """Streaming form; the estimate does not depend on the failure probability."""
        return Recomputed(self, level)
