"""Laws with light tails: every moment is finite."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import exp_or_inf, lgamma_or_inf, power_or_inf, rescale
from hbucb.noise.validate import distance_of_ends, finite, positive, store


@dataclass(frozen=True)
class Gaussian(Noise):
    """Normal law with mean 0: density exp(-x^2 / (2 scale^2)) / (scale sqrt(2 pi)).

    Parameters
    ----------
    scale : float
        Standard deviation (reward units), > 0. It is also the sub-Gaussian constant.

    Raises
    ------
    ValueError
        If ``scale`` is not a finite number > 0.

    Examples
    --------
    >>> Gaussian(scale=2.0).moment(4.0)         # 3 scale^4
    48.0
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, scale=positive("scale", self.scale))

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        rngs[0].standard_normal(out=out)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return Gaussian(), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        return np.exp(-0.5 * (x / self.scale) ** 2) / (self.scale * math.sqrt(2 * math.pi))

    def _cdf(self, x: FloatArray) -> FloatArray:
        from scipy import special

        return special.ndtr(x / self.scale)

    def _ppf(self, q: FloatArray) -> FloatArray:
        from scipy import special

        return self.scale * special.ndtri(q)

    def _mass(self, r: FloatArray) -> FloatArray:
        from scipy import special

        return special.erf(r / (self.scale * math.sqrt(2)))

    symmetric = True
    unimodal = True
    tail_index = math.inf
    support = (-math.inf, math.inf)

    @property
    def subgaussian(self) -> float:
        return self.scale

    @property
    def variance(self) -> float:
        return self.scale * self.scale

    def _moment_about_centre(self, order: float) -> float:
        if order == 2 or order == 4:
            return (1.0 if order == 2 else 3.0) * power_or_inf(self.scale, order)
        log_moment = order / 2 * math.log(2) + lgamma_or_inf((order + 1) / 2)
        return exp_or_inf(log_moment - 0.5 * math.log(math.pi) + order * math.log(self.scale))


@dataclass(frozen=True)
class Uniform(Noise):
    """Uniform law on [low, high]; ``Uniform(0, 1)`` is the noise of "U01" experiments.

    It is symmetric (about 0) only if low = -high; ``centre`` is the midpoint in any case.
    Uniform laws are strictly sub-Gaussian: the constant is the standard deviation
    (Arbel, Marchal and Nguyen 2020).

    Parameters
    ----------
    low, high : float
        Ends of the interval (reward units), low < high.

    Raises
    ------
    ValueError
        If an end is not finite, low >= high, or high - low is beyond the range of floats.

    Examples
    --------
    >>> law = Uniform(0.0, 1.0)
    >>> law.symmetric, law.centre, law.moment(1.0, about=0.5)
    (False, 0.5, 0.25)
    """

    low: float = -1.0
    high: float = 1.0

    def __post_init__(self) -> None:
        store(self, low=finite("low", self.low), high=finite("high", self.high))
        if not self.low < self.high:
            raise ValueError(f"high must be > low = {self.low!r}, got {self.high!r}")
        distance_of_ends(self.low, self.high)

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        rngs[0].random(out=out)
        out *= self.high - self.low
        out += self.low

    def standard(self) -> tuple[Noise, float]:
        scale = max(abs(self.low), abs(self.high))
        return Uniform(self.low / scale, self.high / scale), scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        inside = (x >= self.low) & (x <= self.high)
        return np.where(inside, 1.0 / (self.high - self.low), 0.0)

    def _cdf(self, x: FloatArray) -> FloatArray:
        return np.clip((x - self.low) / (self.high - self.low), 0.0, 1.0)

    def _ppf(self, q: FloatArray) -> FloatArray:
        return self.low + q * (self.high - self.low)

    unimodal = True
    tail_index = math.inf

    @property
    def symmetric(self) -> bool:
        return self.low == -self.high

    @property
    def centre(self) -> float:
        return 0.5 * self.low + 0.5 * self.high

    @property
    def support(self) -> tuple[float, float]:
        return self.low, self.high

    @property
    def variance(self) -> float:
        width = self.high - self.low
        return width * width / 12

    @property
    def subgaussian(self) -> float:
        return (self.high - self.low) / math.sqrt(12)

    def _moment(self, order: float, about: float) -> float:
        # In units of the largest distance: powers stay below 1, and only the last one overflows.
        low, high = self.low - about, self.high - about
        reach = max(abs(low), abs(high))

        def primitive(x: float) -> float:
            return math.copysign(abs(x / reach) ** (order + 1), x) / (order + 1)

        share = (primitive(high) - primitive(low)) / ((self.high - self.low) / reach)
        return power_or_inf(reach, order) * share if reach < math.inf else math.inf

    @property
    def _symmetric_about_centre(self) -> bool:
        return True

    def _mirror(self) -> Noise:
        return Uniform(-self.high, -self.low)


@dataclass(frozen=True)
class Laplace(Noise):
    """Laplace law: density exp(-|x| / scale) / (2 scale). All moments, yet not sub-Gaussian.

    Parameters
    ----------
    scale : float
        Mean absolute value (reward units), > 0.

    Raises
    ------
    ValueError
        If ``scale`` is not a finite number > 0.

    Examples
    --------
    >>> law = Laplace(scale=1.0)
    >>> round(law.moment(2.0), 12), law.subgaussian
    (2.0, inf)
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, scale=positive("scale", self.scale))

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        out[:] = rngs[0].laplace(size=out.size)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return Laplace(), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        return np.exp(-np.abs(x) / self.scale) / (2 * self.scale)

    def _cdf(self, x: FloatArray) -> FloatArray:
        half = 0.5 * np.exp(-np.abs(x) / self.scale)
        return np.where(x < 0, half, 1.0 - half)

    def _ppf(self, q: FloatArray) -> FloatArray:
        magnitude = -np.log(2 * np.minimum(q, 1 - q))
        return self.scale * np.where(q < 0.5, -magnitude, magnitude)

    def _mass(self, r: FloatArray) -> FloatArray:
        return -np.expm1(-r / self.scale)

    symmetric = True
    unimodal = True
    tail_index = math.inf
    support = (-math.inf, math.inf)
    subgaussian = math.inf

    @property
    def variance(self) -> float:
        return 2 * self.scale * self.scale

    def _moment_about_centre(self, order: float) -> float:
        return exp_or_inf(lgamma_or_inf(order + 1) + order * math.log(self.scale))
