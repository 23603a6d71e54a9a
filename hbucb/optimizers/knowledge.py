"""What may be known about the noise, and the drift condition that each piece of knowledge gives.

Every class answers for any reach D at once, which is what a method needs whose interval shrinks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hbucb.noise import Noise
from hbucb.optimizers.drift import DriftCondition
from hbucb.optimizers.scores import Clip, Sign
from hbucb.predicates import Predicate, mass_within, noise_moment, symmetric, unimodal
from hbucb.validate import positive, store

FloatArray = NDArray[np.float64]
# A smaller reach is treated as this multiple of the scale: p is then too small, which is safe.
_LEAST = 1e-6


@dataclass(frozen=True)
class Knowledge:
    """Base: p(D) and lam(D) of the drift condition, for arrays of reaches D."""

    #: Whether the score is the sign.
    sign = True

    def slope(self, reach: Any) -> FloatArray:
        """p(D), shape of ``reach``; it never increases."""
        raise NotImplementedError

    def level(self, reach: Any) -> FloatArray:
        """Level lam(D) of the score: 1 for the sign."""
        return np.ones_like(np.asarray(reach, dtype=float))

    @property
    def scale(self) -> float:
        """A half-width, reward units, within which known mass lies."""
        raise NotImplementedError

    def mass(self, radius: float) -> float:
        """A lower bound of P(|xi| <= radius)."""
        return float(self.slope(radius)) * radius

    def needs(self) -> tuple[Predicate, ...]:
        """The assumptions about every arm's noise."""
        raise NotImplementedError

    def at(self, reach: float) -> DriftCondition:
        """The drift condition for |u| <= ``reach``, with the sign as score."""
        return DriftCondition(Sign(), reach, float(self.slope(reach)))


@dataclass(frozen=True)
class KnownLaw(Knowledge):
    """The law itself, symmetric and unimodal: for the sign p(D) = P(|xi| < D) / D, exactly.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> KnownLaw(Cauchy()).at(1.0).tau
    2.0
    """

    law: Noise

    def __post_init__(self) -> None:
        if not (isinstance(self.law, Noise) and self.law.symmetric and self.law.unimodal):
            raise ValueError(f"law = {self.law!r} must be a symmetric and unimodal Noise")

    def slope(self, reach: Any) -> FloatArray:
        size = np.maximum(np.asarray(reach, dtype=float), _LEAST * self.scale)
        return np.asarray(self.law.mass(size) / size)

    @property
    def scale(self) -> float:
        """The upper quartile."""
        return float(self.law.ppf(0.75)) or 1.0

    def needs(self) -> tuple[Predicate, ...]:
        def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
            return bandit.laws[arm] == self.law, f"{bandit.laws[arm]!r} is another law"

        return (Predicate("known_law", f"noise of the law {self.law!r}", test),)


@dataclass(frozen=True)
class MassWithin(Knowledge):
    """Symmetric noise with P(|xi| <= s) >= p: the clip at s + D has the drift p u on |u| <= D.

    No moment and no density is asked for. From a moment E|xi|^alpha <= sigma^alpha of any order
    alpha > 0: :meth:`from_moment`.

    Parameters
    ----------
    s : float
        Reward units.
    p : float
        In (0, 1].

    Examples
    --------
    >>> MassWithin(s=1.0, p=0.5).at(reach=2.0).score
    Clip(lam=3.0)
    """

    s: float
    p: float
    sign = False

    def __post_init__(self) -> None:
        store(self, s=positive("s", self.s), p=positive("p", self.p))
        if self.p > 1:
            raise ValueError(f"p = {self.p!r} must be a probability in (0, 1]")

    @classmethod
    def from_moment(cls, alpha: float, sigma: float) -> MassWithin:
        """Markov at the s that makes s/p least: s = (1 + alpha)^(1/alpha) sigma.

        Examples
        --------
        >>> MassWithin.from_moment(1.0, 1.0)
        MassWithin(s=2.0, p=0.5)
        """
        alpha, sigma = positive("alpha", alpha), positive("sigma", sigma)
        return cls((1 + alpha) ** (1 / alpha) * sigma, alpha / (1 + alpha))

    def slope(self, reach: Any) -> FloatArray:
        return np.full_like(np.asarray(reach, dtype=float), self.p)

    def level(self, reach: Any) -> FloatArray:
        return np.asarray(self.s + np.asarray(reach, dtype=float))

    @property
    def scale(self) -> float:
        return self.s

    def mass(self, radius: float) -> float:
        return self.p if radius >= self.s else 0.0

    def needs(self) -> tuple[Predicate, ...]:
        return (symmetric(), mass_within(self.s, self.p))

    def at(self, reach: float) -> DriftCondition:
        return DriftCondition(Clip(self.s + reach), reach, self.p)


@dataclass(frozen=True)
class UnimodalMoment(Knowledge):
    """Symmetric unimodal noise with E|xi|^alpha <= sigma^alpha, any alpha > 0; the sign.

    With m = (1 + alpha)^(1/alpha) sigma and r = alpha m / (1 + alpha): p(D) = 1/m for D <= r, so
    that tau = m <= e sigma however small alpha is, and
    p(D) = (1 - (alpha sigma / ((1 + alpha) D))^alpha) / D beyond. Sharp: 1/m is attained by
    uniform noise, up to D = r.

    Examples
    --------
    >>> [round(UnimodalMoment(alpha, 1.0).at(0.1).tau, 3) for alpha in (2.0, 1.0, 0.1)]
    [1.732, 2.0, 2.594]
    """

    alpha: float
    sigma: float

    def __post_init__(self) -> None:
        store(self, alpha=positive("alpha", self.alpha), sigma=positive("sigma", self.sigma))

    @property
    def _m(self) -> float:
        return math.exp(math.log1p(self.alpha) / self.alpha) * self.sigma

    @property
    def scale(self) -> float:
        """r, up to which p(D) = 1/m."""
        return self.alpha * self._m / (1 + self.alpha)

    def slope(self, reach: Any) -> FloatArray:
        size = np.maximum(np.asarray(reach, dtype=float), self.scale)
        part = self.alpha * self.sigma / ((1 + self.alpha) * size)
        return np.where(size > self.scale, (1 - part**self.alpha) / size, 1 / self._m)

    def needs(self) -> tuple[Predicate, ...]:
        moment = noise_moment(self.alpha, self.sigma**self.alpha)
        return (symmetric(), unimodal(), moment)


@dataclass(frozen=True)
class DensityFloor(Knowledge):
    """Symmetric noise with density at least kappa on [-r, r]; the sign, p(D) = 2 kappa for D <= r.

    Beyond r the mass of [-r, r] is all that is known: p(D) = 2 kappa r / D.

    Parameters
    ----------
    kappa : float
        One over reward units; 2 kappa r <= 1.
    r : float
        Reward units.

    Examples
    --------
    >>> DensityFloor(kappa=0.15, r=1.0).slope([0.5, 1.0, 3.0]).round(3).tolist()
    [0.3, 0.3, 0.1]
    """

    kappa: float
    r: float

    def __post_init__(self) -> None:
        store(self, kappa=positive("kappa", self.kappa), r=positive("r", self.r))
        if 2 * self.kappa * self.r > 1 + 1e-12:
            raise ValueError(f"r = {self.r!r} must be at most 1/(2 kappa) = {0.5 / self.kappa!r}")

    @property
    def scale(self) -> float:
        return self.r

    def slope(self, reach: Any) -> FloatArray:
        size = np.maximum(np.asarray(reach, dtype=float), self.r)
        return np.asarray(2 * self.kappa * (self.r / size))

    def needs(self) -> tuple[Predicate, ...]:
        def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
            law = bandit.laws[arm]
            if law.unimodal and not law.has_atoms:
                least = float(np.min(law.pdf([-self.r, self.r])))
                return least >= self.kappa * (1 - 1e-12), f"{law!r} has density {least:.4g} there"
            return None, f"the least density of {law!r} on |u| <= {self.r:g} is not known"

        text = f"density >= {self.kappa:g} for |noise| <= {self.r:g}"
        return (symmetric(), Predicate("density_floor", text, test))
