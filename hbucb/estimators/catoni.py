"""Catoni's M-estimator: the mean with an influence that grows like a logarithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.catoni_roots import roots
from hbucb.estimators.checks import (
    FloatArray,
    Level,
    as_counts,
    as_samples,
    log_inverse,
    not_both_infinities,
    positive,
)
from hbucb.estimators.running_catoni import RunningCatoni
from hbucb.predicates import Predicate, central_moment


@dataclass(frozen=True)
class Catoni:
    """The root of sum psi(a (X_j - theta)) = 0, psi(y) = sign(y) ln(1 + |y| + y^2/2).

    The scale is a = sqrt(2 L (n - 2L) / v) / n with L = ln(1/delta). If Var X <= v, the estimate
    exceeds the mean by :meth:`radius` with probability at most delta, and falls below it by as
    much with probability at most delta: delta is the failure probability of one side.
    For n <= 2L no scale has a proof; the largest scale of all, 1/(2 sqrt(v)), is used.

    The influence grows without bound, so one sample of +inf makes the estimate +inf, one of -inf
    makes it -inf; both together, and a nan, raise ValueError.

    Parameters
    ----------
    v : float
        Bound on the variance, squared reward units.

    Notes
    -----
    One side: E exp(sum psi(a (X_j - theta))) <= exp(n (a (mu-theta) + a^2 (v + (mu-theta)^2)/2)),
    so at theta = mu + z the sum is negative with probability 1 - delta once
    a z^2/2 - z + a v/2 + L/(n a) <= 0. The scale above makes the discriminant the square of
    (n - 2L)/n, and its smaller root is the radius.

    References
    ----------
    Catoni (2012), Proposition 2.4; Bubeck, Cesa-Bianchi and Lugosi (2013), Lemma 3.

    Examples
    --------
    >>> catoni = Catoni(v=1.0)
    >>> round(catoni.estimate([0.0, 0.0, 0.0, 0.0, 1000.0] * 10, delta=0.05), 3)
    13.545
    >>> float(catoni.radius(5, delta=0.05)), round(float(catoni.radius(400, delta=0.05)), 4)
    (inf, 0.1233)
    """

    v: float = 1.0

    def __post_init__(self) -> None:
        positive("v", self.v)

    def least(self, delta: float) -> int:
        """One sample."""
        return 1

    def scale(self, n: ArrayLike, delta: float) -> FloatArray:
        """a, one over reward units, for n samples."""
        return self._scale(as_counts(n), delta)

    def _scale(self, n: FloatArray, delta: float) -> FloatArray:
        proved = log_inverse(delta)
        n = np.maximum(n, 1.0)  # the scale without a proof does not depend on n
        level = np.where(n > 2 * proved, proved, n / 4)
        return np.sqrt(2 * level * (n - 2 * level) / self.v) / n

    def estimate(self, x: ArrayLike, delta: float) -> float:
        """The estimate from all samples ``x`` (n,), in reward units."""
        values = as_samples(x)
        not_both_infinities(values, "Catoni's equation has then no root")
        if not np.isfinite(values).all():
            return float(values[~np.isfinite(values)][0])
        scale = self.scale([values.size], delta)
        start = np.array([np.median(values)])
        return float(roots(values, np.array([values.size]), scale, start)[0][0])

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """sqrt(2 v L / (n - 2L)) for n > 2L, L = ln(1/delta); inf for fewer samples.

        At most 2 sqrt(v L / n) from n = 4L on.
        """
        n = as_counts(n)
        level = log_inverse(delta)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(n > 2 * level, np.sqrt(2 * self.v * level / (n - 2 * level)), np.inf)

    def assumptions(self) -> tuple[Predicate, ...]:
        """Var X <= v."""
        return (central_moment(2.0, self.v),)

    def running(self, level: Level) -> RunningCatoni:
        """Streaming form at a failure probability that may depend on t."""
        return RunningCatoni(self, level)
