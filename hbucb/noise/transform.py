"""Shift and scale any law."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from hbucb.arguments import as_numbers
from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import power_or_inf, rescale, weighted_power
from hbucb.noise.shape import refutes_symmetry
from hbucb.noise.validate import finite, positive, store


@dataclass(frozen=True)
class LocationScale(Noise):
    """The law of loc + scale * xi, with xi from ``law``.

    Meant for the parts of a mixture and for laws without a scale of their own; the location of an
    arm belongs into the bandit.

    Parameters
    ----------
    law : Noise
        The law of xi.
    loc : float
        Shift (reward units), finite.
    scale : float
        Factor, > 0.

    Raises
    ------
    ValueError
        If ``law`` is no Noise, ``loc`` is not finite, ``scale`` is not finite and > 0, or
        ``loc / scale`` is beyond the range of floats.

    Examples
    --------
    >>> from hbucb.noise import Exponential
    >>> law = LocationScale(Exponential(), loc=-1.0)
    >>> law.mean, law.support
    (0.0, (-1.0, inf))
    """

    law: Noise
    loc: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.law, Noise):
            raise ValueError(f"law must be a Noise, got {self.law!r}")
        store(self, loc=finite("loc", self.loc), scale=positive("scale", self.scale))
        if not math.isfinite(self.loc / self.scale):
            raise ValueError(
                f"loc / scale must be in the range of floats, got loc {self.loc!r} and scale "
                f"{self.scale!r}"
            )

    @property
    def generators(self) -> int:
        return self.law.generators

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        self.law.fill(rngs, out)
        rescale(out, self.scale)
        if self.loc != 0.0:
            out += self.loc

    def standard(self) -> tuple[Noise, float]:
        inner, factor = self.law.standard()
        scale = factor * self.scale
        if not sys.float_info.min <= scale < math.inf:
            return self, 1.0
        if not self.loc:
            return inner, scale
        # Atoms stay where they are to the last digit; other laws share their draws.
        if self.has_atoms or not math.isfinite(self.loc / scale):
            return self, 1.0
        return LocationScale(inner, self.loc / scale), scale

    def _z(self, x: FloatArray) -> FloatArray:
        return (x - self.loc) / self.scale

    def _pdf(self, x: FloatArray) -> FloatArray:
        return self.law._pdf(self._z(x)) / self.scale

    def _cdf(self, x: FloatArray) -> FloatArray:
        return self.law._cdf(self._z(x))

    def _ppf(self, q: FloatArray) -> FloatArray:
        return self.loc + self.scale * self.law._ppf(q)

    def _mass(self, r: FloatArray) -> FloatArray:
        if self.loc == 0.0:
            return self.law._mass(r / self.scale)
        if self.loc < 0 and self.law.symmetric and not self.has_atoms:
            # Far on the left both values of the CDF round to 1; the mirror image has the same mass.
            upper, lower = (r + self.loc) / self.scale, (self.loc - r) / self.scale
            return self.law._cdf(upper) - self.law._cdf(lower)
        return super()._mass(r)

    def atom(self, x: FloatArray) -> FloatArray:  # type: ignore[override]
        return self.law.atom(self._z(as_numbers("x", x, "real numbers are allowed")))

    @property
    def pmf(self) -> dict[float, float]:
        return {self.loc + self.scale * x: w for x, w in self.law.pmf.items()}

    @property
    def has_atoms(self) -> bool:
        return self.law.has_atoms

    @property
    def symmetric(self) -> bool | None:
        """True or False where it follows from the inner law or from the CDF; None otherwise."""
        if self.law._symmetric_about_centre:
            return self.centre == 0.0
        if self.loc == 0.0:
            return self.law.symmetric
        return False if refutes_symmetry(self) else None

    @property
    def _symmetric_about_centre(self) -> bool | None:
        return self.law._symmetric_about_centre

    @property
    def centre(self) -> float:
        """``loc + scale * law.centre``."""
        return self.loc + self.scale * self.law.centre

    @property
    def tail_index(self) -> float:
        return self.law.tail_index

    @property
    def support(self) -> tuple[float, float]:
        low, high = self.law.support
        return self.loc + self.scale * low, self.loc + self.scale * high

    @property
    def mean(self) -> float:
        return self.loc + self.scale * self.law.mean

    @property
    def variance(self) -> float:
        return self.scale * (self.scale * self.law.variance)

    @property
    def subgaussian(self) -> float | None:
        sigma = self.law.subgaussian
        return None if sigma is None else self.scale * sigma

    @property
    def unimodal(self) -> bool | None:
        return self.law.unimodal

    def _moment(self, order: float, about: float) -> float:
        shift = (about - self.loc) / self.scale
        inner = self.law.moment(order, shift) if math.isfinite(shift) else math.inf
        if inner == math.inf:
            # Seen from far away the law is a point (Minkowski's inequality), in any unit.
            size = self.law.moment(order)
            if size < math.inf and size ** (1 / order) <= 1e-12 * abs(shift):
                return power_or_inf(abs(about - self.loc), order)
            return math.inf
        return weighted_power(inner, self.scale, order) if inner else 0.0

    def _mirror(self) -> Noise | None:
        inner = self.law._mirror()
        return None if inner is None else LocationScale(inner, -self.loc, self.scale)
