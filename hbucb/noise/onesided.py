"""Laws on a half-line: exponential, Frechet and Pareto."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import exp_or_inf, lgamma_or_inf, rescale
from hbucb.noise.validate import positive, store


@dataclass(frozen=True)
class Exponential(Noise):
    """Exponential law on [0, inf): density exp(-x / scale) / scale; written about its lower end.

    Parameters
    ----------
    scale : float
        Mean (reward units), > 0.

    Raises
    ------
    ValueError
        If ``scale`` is not a finite number > 0.

    Examples
    --------
    >>> law = Exponential(scale=2.0)
    >>> law.mean, law.variance, law.centre
    (2.0, 4.0, 0.0)
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, scale=positive("scale", self.scale))

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        rngs[0].standard_exponential(out=out)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return Exponential(), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        positive_part = np.maximum(x, 0.0)
        return np.where(x >= 0, np.exp(-positive_part / self.scale) / self.scale, 0.0)

    def _cdf(self, x: FloatArray) -> FloatArray:
        return -np.expm1(-np.maximum(x, 0.0) / self.scale)

    def _ppf(self, q: FloatArray) -> FloatArray:
        return -self.scale * np.log1p(-q)

    symmetric = False
    unimodal = True
    tail_index = math.inf
    support = (0.0, math.inf)
    subgaussian = math.inf

    @property
    def mean(self) -> float:
        return self.scale

    @property
    def variance(self) -> float:
        return self.scale * self.scale

    def _moment_about_centre(self, order: float) -> float:
        return exp_or_inf(lgamma_or_inf(order + 1) + order * math.log(self.scale))


@dataclass(frozen=True)
class Frechet(Noise):
    """Frechet law: P(xi <= x) = exp(-(x / scale)^(-alpha)) for x > 0; not symmetric.

    Written about its lower end 0 (``centre``). For alpha = 1 the mode is scale / 2, the median
    scale / ln 2 = 1.4427 scale and the mean infinite: a location is not a mean here.

    Parameters
    ----------
    alpha : float
        Tail index, > 0. The mean is infinite for alpha <= 1.
    scale : float
        > 0 (reward units).

    Raises
    ------
    ValueError
        If a parameter is not a finite number > 0.

    Notes
    -----
    E xi^p = scale^p Gamma(1 - p / alpha) for p < alpha.

    Examples
    --------
    >>> law = Frechet(alpha=1.25)
    >>> round(law.mean, 4), round(float(law.ppf(0.5)), 4), law.variance
    (4.5908, 1.3407, inf)
    """

    alpha: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, alpha=positive("alpha", self.alpha), scale=positive("scale", self.scale))

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        # A Weibull variable is E^(1/alpha) with E exponential; the law is that of E^(-1/alpha).
        # Beyond the range of floats, E^(1/alpha) = 0 and the draw is inf.
        with np.errstate(divide="ignore", over="ignore"):
            np.divide(1.0, rngs[0].weibull(self.alpha, out.size), out=out)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return Frechet(self.alpha), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        z = np.where(x > 0, x, 1.0) / self.scale
        with np.errstate(over="ignore"):
            log_pdf = -(self.alpha + 1) * np.log(z) - z**-self.alpha
        return np.where(x > 0, self.alpha / self.scale * np.exp(log_pdf), 0.0)

    def _cdf(self, x: FloatArray) -> FloatArray:
        z = np.where(x > 0, x, 1.0) / self.scale
        with np.errstate(over="ignore"):
            return np.where(x > 0, np.exp(-(z**-self.alpha)), 0.0)

    def _ppf(self, q: FloatArray) -> FloatArray:
        # abs, not minus: -log(1) is -0.0, whose odd negative powers are -inf.
        return self.scale * np.abs(np.log(q)) ** (-1 / self.alpha)

    symmetric = False
    unimodal = True
    support = (0.0, math.inf)
    subgaussian = math.inf

    @property
    def tail_index(self) -> float:
        return self.alpha

    @property
    def mean(self) -> float:
        return self.moment(1.0)

    @property
    def variance(self) -> float:
        if self.alpha <= 2:
            return math.inf if self.alpha > 1 else math.nan
        first, second = (lgamma_or_inf(1 - p / self.alpha) for p in (1, 2))
        spread = exp_or_inf(second) - exp_or_inf(2 * first)
        return self.scale * (self.scale * spread)

    def _moment_about_centre(self, order: float) -> float:
        return exp_or_inf(lgamma_or_inf(1 - order / self.alpha) + order * math.log(self.scale))


@dataclass(frozen=True)
class Pareto(Noise):
    """Pareto law: P(xi > x) = (x / scale)^(-alpha) for x >= scale; written about 0 (``centre``).

    Parameters
    ----------
    alpha : float
        Tail index, > 0. The mean is alpha scale / (alpha - 1), infinite for alpha <= 1.
    scale : float
        Smallest value (reward units), > 0.

    Raises
    ------
    ValueError
        If a parameter is not a finite number > 0.

    Examples
    --------
    >>> law = Pareto(alpha=3.0)
    >>> law.mean, law.variance, law.moment(3.0)
    (1.5, 0.75, inf)
    """

    alpha: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, alpha=positive("alpha", self.alpha), scale=positive("scale", self.scale))

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        np.add(rngs[0].pareto(self.alpha, out.size), 1.0, out=out)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return Pareto(self.alpha), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        z = np.maximum(x / self.scale, 1.0)
        return np.where(x >= self.scale, self.alpha / self.scale * z ** (-self.alpha - 1), 0.0)

    def _cdf(self, x: FloatArray) -> FloatArray:
        return -np.expm1(-self.alpha * np.log(np.maximum(x / self.scale, 1.0)))

    def _ppf(self, q: FloatArray) -> FloatArray:
        return self.scale * np.exp(-np.log1p(-q) / self.alpha)

    symmetric = False
    unimodal = True
    subgaussian = math.inf

    @property
    def support(self) -> tuple[float, float]:
        return self.scale, math.inf

    @property
    def tail_index(self) -> float:
        return self.alpha

    @property
    def mean(self) -> float:
        return self.moment(1.0)

    @property
    def variance(self) -> float:
        a = self.alpha
        if a <= 2:
            return math.inf if a > 1 else math.nan
        return self.scale / (a - 1) * (self.scale / (a - 2)) * (a / (a - 1))

    def _moment_about_centre(self, order: float) -> float:
        return exp_or_inf(order * math.log(self.scale)) * (self.alpha / (self.alpha - order))
