"""Any frozen law of ``scipy.stats`` as reward noise, with the facts the user declares."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from hbucb.noise.base import FloatArray, Noise
from hbucb.noise.floats import weighted_power
from hbucb.noise.moments import expectation
from hbucb.noise.scipy_name import identify
from hbucb.noise.scipy_tails import LIGHT, POWER, stable_mean, stable_moment
from hbucb.noise.shape import refutes_symmetry
from hbucb.noise.validate import finite, store


@dataclass(frozen=True, init=False, repr=False)
class Scipy(Noise):
    """A frozen ``scipy.stats`` law. Its facts are unknown unless declared.

    Draws are quantiles of uniform variables, so that blocks of any length give the same numbers.

    Parameters
    ----------
    law : frozen scipy law, or str
        For example ``scipy.stats.t(2.5)``; or the name of a distribution, with ``parameters``.
    parameters : iterable of (str, float), optional
        The parameters by name where ``law`` is a name (the form that the repr shows).
    symmetric, unimodal : bool, optional
        Declared facts; a symmetry about 0 that the CDF contradicts is refused.
    centre : float
        The centre of symmetry, or the point the law is written about (reward units).
    mean : float, optional
        Declared mean (reward units), possibly infinite.
    tail_index : float, optional
        Declared supremum of the finite moment orders (inf for light tails); the moment of that
        very order must be infinite. It is known for common laws. Where it is neither known nor
        declared it is nan, and so are the mean and every moment, unless the support is bounded.
    subgaussian : float, optional
        Declared sub-Gaussian constant (reward units), inf for none.

    Raises
    ------
    ValueError
        If ``law`` is no frozen law, with scalar parameters, of a distribution that
        ``scipy.stats`` names, or a declared fact is impossible.

    Examples
    --------
    >>> from scipy import stats
    >>> law = Scipy(stats.t(0.9), symmetric=True)
    >>> law
    Scipy('t', (('df', 0.9), ('loc', 0.0), ('scale', 1.0)), symmetric=True)
    >>> law.mean, law.moment(0.9)             # scipy itself reports the mean as inf
    (nan, inf)
    """

    name: str
    parameters: tuple[tuple[str, float], ...]
    declared: tuple[tuple[str, Any], ...]

    def __init__(
        self,
        law: Any,
        parameters: Iterable[tuple[str, float]] = (),
        *,
        symmetric: bool | None = None,
        unimodal: bool | None = None,
        centre: float = 0.0,
        mean: float | None = None,
        tail_index: float | None = None,
        subgaussian: float | None = None,
    ) -> None:
        name, values = identify(law, parameters)
        facts: dict[str, Any] = {}
        for fact, flag in (("symmetric", symmetric), ("unimodal", unimodal)):
            if flag is not None:
                if not isinstance(flag, bool):
                    raise ValueError(f"{fact} must be True, False or None, got {flag!r}")
                facts[fact] = flag
        if finite("centre", centre) != 0.0:
            facts["centre"] = float(centre)
        for fact, number, allowed in (
            ("mean", mean, lambda v: v == v),
            ("tail_index", tail_index, lambda v: v > 0),
            ("subgaussian", subgaussian, lambda v: v >= 0),
        ):
            if number is not None:
                if not allowed(number):
                    sense = {"mean": "a number, not nan", "tail_index": "> 0"}.get(fact, ">= 0")
                    raise ValueError(f"{fact} must be {sense} (or None), got {number!r}")
                facts[fact] = float(number)
        store(self, name=name, parameters=values, declared=tuple(facts.items()))
        if symmetric and refutes_symmetry(self):
            raise ValueError(f"symmetric must not be declared True: {self!r} is not symmetric")

    def __repr__(self) -> str:
        # An infinite value prints as float('inf'), so that the repr can be evaluated anywhere.
        shown = "".join(
            f", {k}=float('{v}')" if v in (math.inf, -math.inf) else f", {k}={v!r}"
            for k, v in self.declared
        )
        return f"Scipy({self.name!r}, {self.parameters!r}{shown})"

    @cached_property
    def _frozen(self) -> Any:
        from scipy import stats

        return getattr(stats, self.name)(**dict(self.parameters))

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_frozen"}

    def _fact(self, name: str) -> Any:
        return dict(self.declared).get(name)

    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        rngs[0].random(out=out)
        # random() is 0 once in 2^53 draws, and the quantile of 0 may be -inf.
        np.maximum(out, 2.0**-54, out=out)
        with np.errstate(all="ignore"):
            out[:] = self._frozen.ppf(out)

    # scipy's own formulas overflow at valid arguments on the way to the right limit.
    def _pdf(self, x: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return np.asarray(self._frozen.pdf(x))

    def _cdf(self, x: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return np.asarray(self._frozen.cdf(x))

    def _ppf(self, q: FloatArray) -> FloatArray:
        # scipy's discrete laws put the quantile of 0 one below the support.
        with np.errstate(all="ignore"):
            return np.maximum(self._frozen.ppf(q), self.support[0])

    def atom(self, x: ArrayLike) -> FloatArray:
        x = np.asarray(x, dtype=float)
        out = np.where(np.isnan(x), math.nan, 0.0)
        if self.has_atoms:  # scipy's mass at an infinite point is nan
            out[np.isfinite(x)] = self._frozen.pmf(x[np.isfinite(x)])
        return out[()]

    @property
    def has_atoms(self) -> bool:
        return not hasattr(self._frozen.dist, "pdf")

    @property
    def pmf(self) -> dict[float, float]:
        """The atoms; ValueError for a discrete law with more than 100 000 of them."""
        if not self.has_atoms:
            return {}
        low, high = self.support
        if high - low > 1e5:
            raise ValueError(f"{self!r} has too many atoms to list: use atom or cdf")
        points = np.arange(low, high + 1)
        weights = self._frozen.pmf(points)
        return {float(x): float(w) for x, w in zip(points, weights, strict=True) if w > 0}

    @property
    def symmetric(self) -> bool | None:
        return self._fact("symmetric")

    @property
    def unimodal(self) -> bool | None:
        return self._fact("unimodal")

    @property
    def centre(self) -> float:
        """As declared, 0.0 by default."""
        return self._fact("centre") or 0.0

    @property
    def support(self) -> tuple[float, float]:
        low, high = self._frozen.support()
        return float(low), float(high)

    @property
    def subgaussian(self) -> float | None:
        declared = self._fact("subgaussian")
        return math.inf if declared is None and self.tail_index < math.inf else declared

    @property
    def tail_index(self) -> float:
        """As declared; else from the distribution's parameters; else nan (unknown)."""
        declared = self._fact("tail_index")
        if declared is not None:
            return declared
        low, high = self.support
        if self.name in POWER:
            return POWER[self.name](dict(self.parameters))
        return math.inf if self.name in LIGHT or high - low < math.inf else math.nan

    @property
    def mean(self) -> float:
        """As declared; else computed, nan where it does not exist or cannot be known."""
        declared = self._fact("mean")
        if declared is not None:
            return declared
        index = self.tail_index
        if index > 1:
            if self.name == "levy_stable":
                return stable_mean(dict(self.parameters))
            return self._mean()
        low, high = self.support
        if index <= 1 and low > -math.inf:
            return math.inf
        return -math.inf if index <= 1 and high < math.inf else math.nan

    def _moment(self, order: float, about: float) -> float:
        if math.isnan(self.tail_index):
            return math.nan
        if self.name == "levy_stable":
            return stable_moment(dict(self.parameters), order, about)
        if self.has_atoms:
            return self._sum(lambda x: np.abs(x - about) ** order)
        middle, spread, points = self._quantiles()
        reach = max(spread, abs(about - middle))
        share, shift = spread / reach, (middle - about) / reach

        def power(weight: float, z: float) -> float:
            return weighted_power(weight, abs(share * z + shift), order)

        size = self._expect(power, points, middle, spread, order, (about - middle) / spread)
        return weighted_power(size, reach, order) if size > 0 else size

    def _mean(self) -> float:
        if self.has_atoms:
            return self._sum(lambda x: x)
        middle, spread, points = self._quantiles()
        return middle + spread * self._expect(lambda w, z: w * z, points, middle, spread, 1.0)

    def _quantiles(self) -> tuple[float, float, list[float]]:
        """The median, a length, and breakpoints that span most of the mass (reward units)."""
        levels = [1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.9999]
        points = [float(x) for x in self._ppf(np.array(levels))]
        middle = points[5]
        return middle, max(abs(p - middle) for p in points), points

    def _expect(
        self,
        f: Callable[[float, float], float],
        points: Sequence[float],
        zero: float,
        unit: float,
        order: float,
        kink: float = 0.0,
    ) -> float:
        """E f of z = (x - zero) / unit: in this unit no scale is too small or large for floats."""
        pdf = self._frozen.pdf
        low, high = self.support
        with np.errstate(all="ignore"):
            return expectation(
                f,
                lambda z: unit * float(pdf(zero + unit * z)),
                [(p - zero) / unit for p in points],
                support=((low - zero) / unit, (high - zero) / unit),
                order=order,
                tail_index=self.tail_index,
                kink=kink,
            )

    def _sum(self, f: Callable[[Any], Any]) -> float:
        """E f of a discrete law; nan where scipy's sum does not converge."""
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            try:
                return float(self._frozen.expect(f))
            except RuntimeWarning:
                return math.nan


def as_noise(law: Any) -> Noise:
    """Return a law as a ``Noise``: a Noise as it is, a frozen scipy law wrapped.

    Parameters
    ----------
    law : Noise or frozen ``scipy.stats`` law

    Raises
    ------
    ValueError
        For anything else, such as a class instead of a law.

    Examples
    --------
    >>> from scipy import stats
    >>> as_noise(stats.norm(scale=2.0))
    Scipy('norm', (('loc', 0.0), ('scale', 2.0)))
    """
    if isinstance(law, Noise):
        return law
    if hasattr(law, "dist") and hasattr(law, "ppf"):
        return Scipy(law)
    raise ValueError(f"noise must be a Noise or a frozen scipy.stats law, got {law!r}")
