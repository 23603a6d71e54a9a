"""The Cauchy law and Student's t laws: moments exist below ``tail_index`` only."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import exp_or_inf, lgamma_or_inf, rescale
from hbucb.noise.validate import positive, store


class HeavySymmetric(Noise):
    """What symmetric heavy-tailed laws share."""

    symmetric = True
    unimodal: bool = True
    support = (-math.inf, math.inf)
    subgaussian = math.inf


@dataclass(frozen=True)
class Cauchy(HeavySymmetric):
    """Cauchy law: density scale / (pi (scale^2 + x^2)); no mean, tail index 1.

    Parameters
    ----------
    scale : float
        Half the interquartile range (reward units), > 0: P(|xi| < scale) = 1/2.

    Raises
    ------
    ValueError
        If ``scale`` is not a finite number > 0.

    Notes
    -----
    E|xi|^p = scale^p / cos(pi p / 2) for p < 1.

    Examples
    --------
    >>> law = Cauchy()
    >>> law.mean, law.moment(1.0), round(law.moment(0.5) ** 2, 12)
    (nan, inf, 2.0)
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, scale=positive("scale", self.scale))

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        out[:] = rngs[0].standard_cauchy(out.size)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return Cauchy(), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            return 1.0 / (math.pi * self.scale * (1.0 + (x / self.scale) ** 2))

    def _cdf(self, x: FloatArray) -> FloatArray:
        # atan2 keeps full relative precision in the lower tail, where 1/2 + atan(x)/pi cancels.
        return np.arctan2(self.scale, -x) / math.pi

    def _ppf(self, q: FloatArray) -> FloatArray:
        near = np.minimum(q, 1.0 - q)
        # Beyond the quartiles by the cotangent, which stays accurate as q -> 0.
        with np.errstate(divide="ignore"):
            tail = 1.0 / np.tan(math.pi * near)
        size = np.where(near < 0.25, tail, np.tan(math.pi * np.abs(q - 0.5)))
        size = np.where(near == 0.0, math.inf, size)
        return self.scale * np.where(q < 0.5, -size, size)

    def _mass(self, r: FloatArray) -> FloatArray:
        return np.arctan(r / self.scale) * (2 / math.pi)

    tail_index = 1.0

    def _moment_about_centre(self, order: float) -> float:
        # sin(pi (1 - p) / 2) is cos(pi p / 2) without cancellation as p -> 1.
        return self.scale**order / math.sin(math.pi * (1.0 - order) / 2)


@dataclass(frozen=True)
class StudentT(HeavySymmetric):
    """Student's t law with ``df`` degrees of freedom, multiplied by ``scale``; tail index df.

    Parameters
    ----------
    df : float
        Degrees of freedom, > 0; need not be an integer. No mean for df <= 1, no variance for
        df <= 2; df = 1 is the Cauchy law.
    scale : float
        > 0 (reward units). The standard deviation is scale sqrt(df / (df - 2)).

    Raises
    ------
    ValueError
        If a parameter is not a finite number > 0, or ``df`` is below 2.2e-308.

    Examples
    --------
    >>> law = StudentT(df=1.5)
    >>> law.mean, law.variance, law.moment(1.5)
    (0.0, inf, inf)
    """

    df: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, df=positive("df", self.df), scale=positive("scale", self.scale))
        if self.df < sys.float_info.min:  # the sampler divides by it: 0 / 0
            raise ValueError(f"df must be >= {sys.float_info.min!r}, got {self.df!r}")

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        out[:] = rngs[0].standard_t(self.df, out.size)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return StudentT(self.df), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        from scipy import special

        half = self.df / 2
        log_c = -special.betaln(0.5, half) - 0.5 * math.log(self.df)
        with np.errstate(over="ignore"):
            log_kernel = np.log1p((x / self.scale) ** 2 / self.df)
        return np.exp(log_c - (half + 0.5) * log_kernel) / self.scale

    def _cdf(self, x: FloatArray) -> FloatArray:
        tail = 0.5 * self._outside(np.abs(x))
        return np.where(x < 0, tail, 1.0 - tail)

    def _outside(self, r: FloatArray) -> FloatArray:
        from scipy import special

        with np.errstate(over="ignore"):
            ratio = 1.0 / (1.0 + (r / self.scale) ** 2 / self.df)
        return special.betainc(self.df / 2, 0.5, ratio)

    def _ppf(self, q: FloatArray) -> FloatArray:
        from scipy import special

        near = np.minimum(q, 1.0 - q)
        ratio = special.betaincinv(self.df / 2, 0.5, 2 * near)
        # 1 - ratio by the mirrored function: it is tiny around the median.
        rest = special.betaincinv(0.5, self.df / 2, np.abs(1.0 - 2 * near))
        size = np.sqrt(self.df * rest / ratio)
        return self.scale * np.where(q < 0.5, -size, size)

    def _mass(self, r: FloatArray) -> FloatArray:
        from scipy import special

        with np.errstate(over="ignore"):
            square = (r / self.scale) ** 2
        inside = special.betainc(0.5, self.df / 2, square / (self.df + np.minimum(square, 1e300)))
        return np.where(square < self.df, inside, 1.0 - self._outside(r))

    @property
    def tail_index(self) -> float:
        return self.df

    def _moment_about_centre(self, order: float) -> float:
        from scipy import special

        # Gamma((df - p)/2) / Gamma(df/2) by the beta function, which keeps its digits at large df.
        log_moment = (
            order / 2 * math.log(self.df)
            + lgamma_or_inf((order + 1) / 2)
            + float(special.betaln((self.df - order) / 2, order / 2))
            - lgamma_or_inf(order / 2)
            - 0.5 * math.log(math.pi)
        )
        return exp_or_inf(log_moment + order * math.log(self.scale))
