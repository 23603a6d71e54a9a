"""Huber's location: the root of clipped residuals, for symmetric noise without moments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import is_plain
from hbucb.estimators.checks import FloatArray, Level, as_counts, as_samples, log_inverse, positive
from hbucb.estimators.huber_roots import huber_roots
from hbucb.estimators.recomputed import Recomputed
from hbucb.noise import Noise, as_noise
from hbucb.noise.validate import finite
from hbucb.predicates import Predicate, mass_within, symmetric

#: Points at which the drift of a known law is computed when radii are asked for many n.
_GRID = 512


def huber_level(n: ArrayLike, delta: float) -> FloatArray:
    """sqrt(2 ln(1/delta) / n): the h(r)/lam from which r fails with probability <= delta.

    Parameters
    ----------
    n : array_like of int
        Samples; inf at 0.
    delta : float
        Failure probability of one side.

    Notes
    -----
    h(r) = E clip(r - xi, lam). Hoeffding's inequality: exp(-n h(r)^2 / (2 lam^2)) = delta. As
    h <= lam, there is none for n < 2 ln(1/delta).

    Examples
    --------
    >>> float(huber_level(200, delta=0.1).round(4))
    0.1517
    """
    with np.errstate(divide="ignore"):
        return np.sqrt(2 * log_inverse(delta) / as_counts(n))


def huber_pulls(drift: float, lam: float, delta: float) -> int:
    """Samples from which the radius of a known law is strictly below r, for drift = h(r).

    The smallest n with h(r) > lam sqrt(2 ln(1/delta) / n): h is continuous, so a strict
    inequality leaves a smaller radius. The pull bounds take r = Delta/2.

    Parameters
    ----------
    drift : float
        h(r) in (0, lam], reward units; :meth:`Huber.drift` computes it.
    lam : float
        Clip level, reward units.
    delta : float
        Failure probability of one side.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> huber_pulls(Huber(lam=2.0).drift(Cauchy(), 0.5), lam=2.0, delta=1e-8)
    1202
    """
    positive("lam", lam)
    if not 0 < drift <= lam:
        raise ValueError(f"drift = {drift!r} must be in (0, lam = {lam!r}]")
    return math.floor(2 * log_inverse(delta) * (lam / drift) ** 2) + 1


@dataclass(frozen=True)
class Huber:
    """The root of sum clip(theta - X_j, lam): the middle of the interval of roots.

    If the noise is symmetric about 0 and P(|xi| < lam - reach) >= slope, the estimate exceeds the
    location by :meth:`radius` with probability at most delta, and falls below it by as much with
    probability at most delta (one side each). No moment is needed.

    One sample moves the sum by at most 2 lam: samples of +-inf count as far ones, and the estimate
    is finite unless half of the samples or more lie at one infinity. A nan raises ValueError.

    Parameters
    ----------
    lam : float
        Clip level, reward units.
    slope : float
        In (0, 1]: lower bound on the mass of the noise within lam - reach of 0.
    reach : float
        In (0, lam), reward units: errors up to which the slope holds. ``lam / 2`` by default.

    Notes
    -----
    theta > mu + r implies sum clip(mu + r - X_j, lam) <= 0, a sum of n terms of mean
    h(r) = E clip(r - xi, lam) >= slope r in [-lam, lam]: Hoeffding gives exp(-n h(r)^2/(2 lam^2)).
    A radius for laws with a variance and lam growing with n is not given: no constant of it is
    proved here.

    References
    ----------
    Huber (1964) for the estimator; the radius is Hoeffding's inequality (1963).

    Examples
    --------
    >>> Huber(lam=1.0).estimate([0.0, 2.0, 50.0], delta=0.1)
    2.0
    >>> huber = Huber(lam=4.0, slope=0.7, reach=2.0)  # Cauchy: P(|xi| < 2) = .705
    >>> float(huber.radius(30, delta=0.05)), round(float(huber.radius(400, delta=0.05)), 4)
    (inf, 0.6994)
    """

    lam: float = 1.0
    slope: float = 0.5
    reach: float | None = None

    def __post_init__(self) -> None:
        positive("lam", self.lam)
        if not (is_plain(self.slope) and 0 < self.slope <= 1):
            raise ValueError(f"slope = {self.slope!r} must be in (0, 1]")
        if self.reach is not None and not (is_plain(self.reach) and 0 < self.reach < self.lam):
            raise ValueError(f"reach = {self.reach!r} must be in (0, lam = {self.lam!r})")

    def _reach(self) -> float:
        return self.lam / 2 if self.reach is None else self.reach

    def least(self, delta: float) -> int:
        """One sample."""
        return 1

    def estimate(self, x: ArrayLike, delta: float | None = None) -> float:
        """The estimate from all samples ``x`` (n,), in reward units; delta is not used."""
        values = as_samples(x)
        return float(self.ragged(values, np.array([values.size]))[0])

    def ragged(self, values: FloatArray, n: np.ndarray, delta: float | None = None) -> FloatArray:
        """Estimates (rows,) of rows of n samples that follow each other in ``values``."""
        return huber_roots(values, n, self.lam)

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """(lam / slope) sqrt(2 ln(1/delta) / n) where that is at most ``reach``, else inf."""
        width = self.lam / self.slope * huber_level(n, delta)
        return np.where(width <= self._reach(), width, np.inf)

    def drift(self, law: Noise, r: float) -> float:
        """h(r) = E clip(r - xi, lam), reward units, by quadrature of the law's CDF."""
        from scipy.integrate import quad

        law, r = as_noise(law), finite("r", r)
        # The CDF may jump or bend there: no quadrature sees that by itself.
        bends = [-r, *(x - r for x in (*law.support, *law.pmf))]
        edges = sorted({-self.lam, 0.0, self.lam, *(y for y in bends if abs(y) < self.lam)})
        parts = [quad(lambda y: law.cdf(r + y), *ends, limit=200)[0] for ends in pairwise(edges)]
        return math.fsum(parts) - self.lam

    def radius_for(self, law: Noise, n: ArrayLike, delta: float) -> FloatArray:
        """Smallest r with h(r) >= lam huber_level(n, delta) for a known symmetric law, or inf.

        Smaller than :meth:`radius`, which knows the law by one number only. P(estimate >
        location + r) <= exp(-n h(r)^2 / (2 lam^2)) = delta, whichever root is taken; by symmetry
        the same below. For many n at once, the drift is computed on a grid and the radius rounded
        up between its points: by about 1e-4 of it for unimodal laws, by about one percent
        otherwise, as long as the radii do not span hundreds of powers of ten.

        Parameters
        ----------
        law : Noise
            ValueError unless it is known to be symmetric.
        n : array_like of int
            Samples; the result (reward units) has its shape.
        delta : float
            Failure probability of one side.

        Examples
        --------
        >>> from hbucb.noise import Cauchy
        >>> Huber(lam=2.0).radius_for(Cauchy(), [5, 400], 0.05).round(3).tolist()
        [inf, 0.348]
        """
        law = as_noise(law)
        if law.symmetric is not True:
            raise ValueError(f"law = {law!r} is not known to be symmetric")
        need = self.lam * huber_level(n, delta)
        reached = np.unique(need[need < self.lam])
        most = math.inf
        while reached.size and (most := self._solve(law, float(reached[-1]))) == math.inf:
            reached = reached[:-1]
        if not reached.size:
            return np.full(need.shape, np.inf)[()]
        last = reached[-1]
        if reached.size == 1:
            return np.where(need <= last, most, np.inf)[()]
        least = self._solve(law, float(reached[0]))
        return np.where(need <= last, self._table(law, np.minimum(need, last), least, most), np.inf)

    def _solve(self, law: Noise, need: float) -> float:
        """Smallest r with h(r) >= need by bisection, inf if there is none."""
        low, high = 0.0, self.lam
        while self.drift(law, high) < need:
            low, high = high, 2 * high
            if high == math.inf:
                return math.inf
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.drift(law, middle) < need else (low, middle)
        return high

    def _table(self, law: Noise, need: FloatArray, least: float, most: float) -> FloatArray:
        """r with h(r) >= need, hardly above the smallest such, between least and most."""
        r = np.geomspace(least, most, _GRID)
        h = np.array([self.drift(law, x) for x in r.tolist()])
        above = np.clip(np.searchsorted(h, need), 1, r.size - 1)
        # h' <= 1, and h is concave above 0 if the law is unimodal: from the right end of the cell
        # back along a line that is nowhere above h.
        width, rise = r[above] - r[above - 1], h[above] - h[above - 1]
        slope = rise / width if law.unimodal else 1.0
        return r[above] - np.maximum(h[above] - need, 0.0) / slope

    def assumptions(self) -> tuple[Predicate, ...]:
        """Symmetric noise with P(|xi| < lam - reach) >= slope."""
        return (symmetric(), mass_within(self.lam - self._reach(), self.slope))

    def running(self, level: Level) -> Recomputed:
        """Streaming form; the estimate does not depend on the failure probability."""
        return Recomputed(self, level)
