"""Laws with one or two atoms, and the optimal sub-Gaussian constant of two points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import power_or_inf, sum_or_inf
from hbucb.noise.validate import distance_of_ends, finite, probability, store


def kearns_saul(p: float) -> float:
    """Smallest sub-Gaussian constant of a Bernoulli(p) variable (per unit distance of its points).

    Its square is (1 - 2p) / (2 ln((1 - p) / p)), 1/4 at p = 1/2 and 0 at p = 0 and 1
    (Kearns and Saul 1998, inequality proved optimal by Buldygin and Moskvichova 2013).

    Parameters
    ----------
    p : float
        Probability, in [0, 1].

    Raises
    ------
    ValueError
        If p is outside [0, 1].

    Examples
    --------
    >>> kearns_saul(0.5)
    0.5
    >>> round(kearns_saul(0.01), 4)
    0.3265
    """
    p = probability("p", p)
    if p in (0.0, 1.0):
        return 0.0
    d = 1.0 - 2.0 * p
    if abs(d) < 0.5:  # ln((1 - p) / p) = 2 atanh(d): no cancellation around 1/2
        return math.sqrt(0.25 * d / math.atanh(d)) if d != 0.0 else 0.5
    return math.sqrt(d / (2.0 * (math.log1p(-p) - math.log(p))))


@dataclass(frozen=True)
class TwoPoint(Noise):
    """Law on two points: ``high`` with probability p, else ``low``; default +-1, fair.

    ``TwoPoint(-p, 1 - p, p)`` is the noise of a Bernoulli(p) arm. The draw is ``high`` where a
    uniform variable is < p, so that laws that differ in p alone are coupled monotonically.

    Parameters
    ----------
    low, high : float
        The points (reward units), low < high.
    p : float
        Probability of ``high``, in [0, 1].

    Raises
    ------
    ValueError
        If a point is not finite, low >= high, high - low is beyond the range of floats, or p is
        outside [0, 1].

    Examples
    --------
    >>> law = TwoPoint()
    >>> law.pmf, float(law.mass(1.0)), law.subgaussian
    ({-1.0: 0.5, 1.0: 0.5}, 0.0, 1.0)
    """

    low: float = -1.0
    high: float = 1.0
    p: float = 0.5

    def __post_init__(self) -> None:
        store(self, low=finite("low", self.low), high=finite("high", self.high))
        store(self, p=probability("p", self.p))
        if not self.low < self.high:
            raise ValueError(f"high must be > low = {self.low!r}, got {self.high!r}")
        distance_of_ends(self.low, self.high)

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        rngs[0].random(out=out)
        out[:] = np.where(out < self.p, self.high, self.low)

    @property
    def pmf(self) -> dict[float, float]:
        return {x: w for x, w in ((self.low, 1.0 - self.p), (self.high, self.p)) if w > 0}

    def _cdf(self, x: FloatArray) -> FloatArray:
        return np.where(x < self.low, 0.0, np.where(x < self.high, 1.0 - self.p, 1.0))

    def _ppf(self, q: FloatArray) -> FloatArray:
        # q = 0 gives the lower end of the support, the limit of the quantiles as q -> 0.
        atoms = sorted(self.pmf)
        return np.where(q <= 1.0 - self.p, atoms[0], atoms[-1])

    tail_index = math.inf

    @property
    def symmetric(self) -> bool:
        atoms = self.pmf
        return all(atoms.get(-x) == w for x, w in atoms.items())

    @property
    def centre(self) -> float:
        """Midpoint of a fair law, the atom of a degenerate one; else 0.0, as for any law."""
        atoms = sorted(self.pmf)
        return 0.5 * atoms[0] + 0.5 * atoms[-1] if self._symmetric_about_centre else 0.0

    @property
    def _symmetric_about_centre(self) -> bool:
        return self.p in (0.0, 0.5, 1.0)

    @property
    def support(self) -> tuple[float, float]:
        atoms = sorted(self.pmf)
        return atoms[0], atoms[-1]

    @property
    def mean(self) -> float:
        return self.low * (1.0 - self.p) + self.high * self.p

    @property
    def variance(self) -> float:
        width = self.high - self.low
        return width * self.p * width * (1.0 - self.p) if 0.0 < self.p < 1.0 else 0.0

    @property
    def subgaussian(self) -> float:
        return (self.high - self.low) * kearns_saul(self.p)

    @property
    def unimodal(self) -> bool:
        return len(self.pmf) == 1

    def _moment(self, order: float, about: float) -> float:
        return sum_or_inf(w * power_or_inf(abs(x - about), order) for x, w in self.pmf.items())

    def _mirror(self) -> Noise:
        return TwoPoint(-self.high, -self.low, 1.0 - self.p)


@dataclass(frozen=True)
class PointMass(Noise):
    """The constant ``value``: no noise at all, or the outlier of a contaminated law.

    Parameters
    ----------
    value : float
        The only value (reward units), finite.

    Raises
    ------
    ValueError
        If ``value`` is not finite.

    Examples
    --------
    >>> PointMass(3.0).sample(2)
    array([3., 3.])
    """

    value: float = 0.0

    def __post_init__(self) -> None:
        store(self, value=finite("value", self.value))

    @property
    def generators(self) -> int:
        """One, as for any law, though nothing is drawn from it."""
        return 1

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        out[:] = self.value

    @property
    def pmf(self) -> dict[float, float]:
        return {self.value: 1.0}

    def _cdf(self, x: FloatArray) -> FloatArray:
        return np.where(x < self.value, 0.0, 1.0)

    def _ppf(self, q: FloatArray) -> FloatArray:
        return np.full(q.shape, self.value)

    tail_index = math.inf
    unimodal = True
    subgaussian = 0.0
    variance = 0.0

    @property
    def symmetric(self) -> bool:
        return self.value == 0.0

    @property
    def centre(self) -> float:
        return self.value

    @property
    def support(self) -> tuple[float, float]:
        return self.value, self.value

    @property
    def _symmetric_about_centre(self) -> bool:
        return True

    def _moment(self, order: float, about: float) -> float:
        return power_or_inf(abs(self.value - about), order)

    def _mirror(self) -> Noise:
        return PointMass(-self.value)
