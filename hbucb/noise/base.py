"""The interface of a reward-noise law: density, quantiles, sampler and facts."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import ArrayLike, NDArray

from hbucb.arguments import as_numbers
from hbucb.noise.moments import shifted_moment
from hbucb.noise.validate import finite, positive

FloatArray = NDArray[np.float64]


def _at_numbers(function: Callable[[FloatArray], FloatArray], x: ArrayLike) -> FloatArray:
    """``function`` at x, and nan where x is nan: comparisons with nan would give some number.

    Overflow and division by zero on the way are not worth a warning: the limits are right.
    """
    points = as_numbers("x", x, "real numbers are allowed")
    missing = np.isnan(points)
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        if not missing.any():
            return function(points)[()]
        return np.where(missing, math.nan, function(np.where(missing, 0.5, points)))[()]


class Noise(ABC):
    """A law of reward noise xi: what can be drawn from it and what is known about it.

    Every law is a frozen dataclass: it can be compared, hashed, pickled and printed, and
    ``eval(repr(law)) == law``. A law's facts (``symmetric``, ``tail_index``, ...) are exact;
    ``None`` means unknown, and a theorem that needs an unknown fact does not apply.

    Laws are written about 0: an arm's reward is ``loc + xi``. Where xi has no centre of symmetry,
    ``loc`` is therefore the location parameter, not the mean or the median of the reward.

    Notes
    -----
    A new law defines ``fill``, ``_cdf``, ``_ppf``, ``tail_index`` and ``support``; a continuous
    one ``_pdf`` and ``_moment_about_centre``; the other facts where the defaults are not right.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> law = Cauchy(scale=2.0)
    >>> float(law.cdf(2.0)), law.moment(1.0), law.tail_index
    (0.75, inf, 1.0)
    >>> law.sample((2, 3), seed=1).shape
    (2, 3)
    """

    # ------------------------------------------------------------------ sampling
    @property
    def generators(self) -> int:
        """Number of independent Generators that ``fill`` consumes."""
        return 1

    @abstractmethod
    def fill(self, rngs: Sequence[Generator], out: FloatArray) -> None:
        """Write ``out.size`` independent draws (reward units) into ``out``.

        Parameters
        ----------
        rngs : sequence of Generator, length ``generators``
            m draws followed by n draws from them are the same numbers as m + n draws at once.
            A draw beyond the range of floats is +-inf.
        out : (n,) contiguous float64 array
            Overwritten.
        """

    def sample(self, size: int | tuple[int, ...], seed: int | None = None) -> FloatArray:
        """Return an array of independent draws (reward units) of shape ``size``.

        Parameters
        ----------
        size : int or tuple of ints
        seed : int, optional
            Equal seeds give equal draws; ``None`` takes fresh entropy.
        """
        out = np.empty(size)
        entropy = SeedSequence(seed).entropy
        rngs = [default_rng(SeedSequence(entropy, spawn_key=(i,))) for i in range(self.generators)]
        self.fill(rngs, out.reshape(-1))
        return out

    def standard(self) -> tuple[Noise, float]:
        """Return ``(law, scale)`` such that this law is that of ``scale * xi``, xi from ``law``.

        Laws with the same standard law can share its draws. Default: ``(self, 1.0)``.
        """
        return self, 1.0

    # ------------------------------------------------------------------ distribution
    def pdf(self, x: ArrayLike) -> FloatArray:
        """Density at ``x`` (1 / reward units), shape of ``x``; ValueError if xi has atoms.

        nan where ``x`` is nan, as in ``cdf``, ``ppf``, ``mass`` and ``atom``.
        """
        if self.has_atoms:
            raise ValueError(f"{self!r} has atoms and so no density: use pmf, atom or cdf")
        return _at_numbers(self._pdf, x)

    def cdf(self, x: ArrayLike) -> FloatArray:
        """P(xi <= x), shape of ``x``."""
        return _at_numbers(self._cdf, x)

    def ppf(self, q: ArrayLike) -> FloatArray:
        """Smallest x with P(xi <= x) >= q (reward units); ValueError if q is outside [0, 1]."""
        q = as_numbers("q", q, "real numbers in [0, 1] are allowed")
        if np.any((q < 0) | (q > 1)):
            raise ValueError(f"q must lie in [0, 1], got {q!r}")
        return _at_numbers(self._ppf, q)

    def mass(self, r: ArrayLike) -> FloatArray:
        """P(|xi| < r), the mass of the *open* interval (-r, r): atoms at its ends do not count."""
        return _at_numbers(
            self._mass, np.maximum(as_numbers("r", r, "real numbers are allowed"), 0.0)
        )

    def atom(self, x: ArrayLike) -> FloatArray:
        """P(xi = x), shape of ``x``: zero everywhere for a continuous law."""
        x = as_numbers("x", x, "real numbers are allowed")
        out = np.where(np.isnan(x), math.nan, 0.0)
        for point, weight in self.pmf.items():
            out[x == point] = weight
        return out[()]

    @property
    def pmf(self) -> dict[float, float]:
        """The atoms of the law: point -> probability; empty for a continuous law."""
        return {}

    @property
    def has_atoms(self) -> bool:
        """Whether some single value has positive probability."""
        return bool(self.pmf)

    def _pdf(self, x: FloatArray) -> FloatArray:
        raise NotImplementedError

    @abstractmethod
    def _cdf(self, x: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _ppf(self, q: FloatArray) -> FloatArray: ...

    def _mass(self, r: FloatArray) -> FloatArray:
        inside = self._cdf(r) - self._cdf(-r)
        return np.maximum(inside - self.atom(r), 0.0) if self.has_atoms else inside

    # ------------------------------------------------------------------ facts
    @property
    @abstractmethod
    def symmetric(self) -> bool | None:
        """Whether xi and -xi have the same law (symmetry about 0); None = unknown."""

    @property
    @abstractmethod
    def tail_index(self) -> float:
        """Supremum of the orders p with E|xi|^p finite; inf for light tails.

        For every law here with a finite index the moment of that very order is infinite.
        """

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest closed interval that carries the law (reward units)."""

    @property
    def centre(self) -> float:
        """Centre of symmetry if there is one, else the point the law is written about, 0.0."""
        return 0.0

    @property
    def mean(self) -> float:
        """E xi (reward units); nan where it does not exist, inf or -inf where it is infinite."""
        return self.centre if self.tail_index > 1 else math.nan

    @property
    def variance(self) -> float:
        """E (xi - E xi)^2 (reward units squared); inf where infinite, nan without a finite mean."""
        if not math.isfinite(self.mean):
            return math.nan
        return self.moment(2.0, about=self.mean)

    @property
    def subgaussian(self) -> float | None:
        """A proven sigma with E exp(s (xi - E xi)) <= exp(s^2 sigma^2 / 2) for every real s.

        inf if no sigma will do, None if nothing is known.
        """
        return math.inf if self.tail_index < math.inf else None

    @property
    def unimodal(self) -> bool | None:
        """Whether the CDF is convex up to some point and concave beyond it; None = unknown.

        The mode may be an interval (uniform law), an end of the support or the only atom.
        """
        return None

    def moment(self, order: float, about: float = 0.0) -> float:
        """E|xi - about|^order, inf where infinite (or beyond the range of floats).

        Parameters
        ----------
        order : float
            > 0; may be fractional.
        about : float
            Reward units; 0.0 gives the raw absolute moment.

        Returns
        -------
        float
            In reward units to the power ``order``: closed forms about ``centre``, quadrature with
            relative error about 1e-8 elsewhere.
        """
        order, about = positive("order", order), finite("about", about)
        if order >= self.tail_index:
            return math.inf
        return self._moment(order, about)

    def _moment(self, order: float, about: float) -> float:
        """The moment, once it is known to be finite."""
        known = self._moment_about_centre(order)
        if about == self.centre or known == math.inf:
            return known
        low, high = (float(x) for x in self.ppf([0.25, 0.75]))
        return shifted_moment(
            lambda x: float(self.pdf(x)),
            known,
            order=order,
            about=about,
            centre=self.centre,
            spread=high - low,
            support=self.support,
        )

    def _moment_about_centre(self, order: float) -> float:
        raise NotImplementedError

    # ------------------------------------------------------------------ used by mixtures
    @property
    def _symmetric_about_centre(self) -> bool | None:
        return self.symmetric

    def _mirror(self) -> Noise | None:
        """The law of -xi, where it can be written down."""
        return self if self.symmetric else None
