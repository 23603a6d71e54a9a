"""Symmetric Pareto laws, with and without a hole around the centre.

The size and the sign of a draw have a Generator each, so that blocks of any length give the same
numbers and no logarithm or power is taken outside the generators (those depend on the CPU).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import exp_or_inf, rescale
from hbucb.noise.heavy import HeavySymmetric
from hbucb.noise.validate import positive, store


@dataclass(frozen=True)
class SymmetricLomax(HeavySymmetric):
    """Symmetric Pareto law without a hole: xi = +-scale (V^(-1/alpha) - 1), V uniform on (0, 1).

    P(|xi| > r) = (1 + r / scale)^(-alpha); unimodal with a peak at 0, tail index alpha.

    Parameters
    ----------
    alpha : float
        Tail index, > 0. No mean for alpha <= 1, no variance for alpha <= 2.
    scale : float
        > 0 (reward units).

    Raises
    ------
    ValueError
        If a parameter is not a finite number > 0.

    Examples
    --------
    >>> law = SymmetricLomax(alpha=0.5)
    >>> float(law.mass(3.0)), law.moment(0.5)
    (0.5, inf)
    """

    alpha: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        store(self, alpha=positive("alpha", self.alpha), scale=positive("scale", self.scale))

    @property
    def generators(self) -> int:
        return 2

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        size, sign = rngs
        sign.random(out=out)
        out -= 0.5
        np.copysign(size.pareto(self.alpha, out.size), out, out=out)
        rescale(out, self.scale)

    def standard(self) -> tuple[Noise, float]:
        return SymmetricLomax(self.alpha), self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        log_kernel = np.log1p(np.abs(x) / self.scale)
        return self.alpha / (2 * self.scale) * np.exp(-(self.alpha + 1) * log_kernel)

    def _cdf(self, x: FloatArray) -> FloatArray:
        tail = 0.5 * np.exp(-self.alpha * np.log1p(np.abs(x) / self.scale))
        return np.where(x < 0, tail, 1.0 - tail)

    def _ppf(self, q: FloatArray) -> FloatArray:
        size = np.expm1(-np.log(2 * np.minimum(q, 1 - q)) / self.alpha)
        return self.scale * np.where(q < 0.5, -size, size)

    def _mass(self, r: FloatArray) -> FloatArray:
        return -np.expm1(-self.alpha * np.log1p(r / self.scale))

    @property
    def tail_index(self) -> float:
        return self.alpha

    def _moment_about_centre(self, order: float) -> float:
        from scipy import special

        # alpha B(p + 1, alpha - p): a quotient of gamma functions would lose digits at large alpha.
        log_moment = math.log(self.alpha) + float(special.betaln(order + 1, self.alpha - order))
        return exp_or_inf(log_moment + order * math.log(self.scale))


@dataclass(frozen=True)
class ParetoHole(HeavySymmetric):
    """Symmetric Pareto law "with a hole": xi = +-hole V^(-1/alpha), so that |xi| >= hole always.

    There is no mass around 0: every point of [-hole, hole] is a median, the sample median jumps
    between the two rims, and sign-based methods learn nothing near the centre.

    Parameters
    ----------
    alpha : float
        Tail index, > 0.
    hole : float
        Half-width of the hole (reward units), > 0.

    Raises
    ------
    ValueError
        If a parameter is not a finite number > 0.

    Examples
    --------
    >>> law = ParetoHole(alpha=0.5, hole=1.0)
    >>> float(law.mass(1.0)), float(law.mass(4.0)), law.unimodal
    (0.0, 0.5, False)
    """

    alpha: float
    hole: float = 1.0

    def __post_init__(self) -> None:
        store(self, alpha=positive("alpha", self.alpha), hole=positive("hole", self.hole))

    @property
    def generators(self) -> int:
        return 2

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        size, sign = rngs
        draws = size.pareto(self.alpha, out.size)
        draws += 1.0
        sign.random(out=out)
        out -= 0.5
        np.copysign(draws, out, out=out)
        rescale(out, self.hole)

    def standard(self) -> tuple[Noise, float]:
        return ParetoHole(self.alpha), self.hole

    def _pdf(self, x: FloatArray) -> FloatArray:
        size = np.abs(x) / self.hole
        kernel = np.maximum(size, 1.0) ** (-self.alpha - 1)
        return np.where(size >= 1.0, self.alpha / (2 * self.hole) * kernel, 0.0)

    def _cdf(self, x: FloatArray) -> FloatArray:
        tail = 0.5 * np.maximum(np.abs(x) / self.hole, 1.0) ** (-self.alpha)
        return np.where(x < 0, tail, 1.0 - tail)

    def _ppf(self, q: FloatArray) -> FloatArray:
        size = (2 * np.minimum(q, 1 - q)) ** (-1 / self.alpha)
        return self.hole * np.where(q <= 0.5, -size, size)

    def _mass(self, r: FloatArray) -> FloatArray:
        return -np.expm1(-self.alpha * np.log(np.maximum(r / self.hole, 1.0)))

    unimodal = False

    @property
    def tail_index(self) -> float:
        return self.alpha

    def _moment_about_centre(self, order: float) -> float:
        return exp_or_inf(order * math.log(self.hole)) * (self.alpha / (self.alpha - order))
