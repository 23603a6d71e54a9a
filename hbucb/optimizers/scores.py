"""Scores psi(x, X): what one reward X says about a guess x, bounded by the level lam.

The drift h(u) = E psi(mu + u, X) is the average push of a guess that is u above the location.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hbucb.estimators.huber import Huber
from hbucb.noise import Noise, as_noise
from hbucb.noise.validate import finite
from hbucb.validate import positive, store


class Score(Protocol):
    """A bounded score, as a frozen dataclass."""

    @property
    def lam(self) -> float:
        """Bound of |psi|: 1 for a sign, the clip level in reward units for a clip."""

    @property
    def coins(self) -> int:
        """Uniform draws from (-1, 1) that one score uses."""

    def __call__(self, x: Any, reward: Any, coin: Any = None) -> Any:
        """psi(x, reward), element by element; +-inf are rewards like others."""

    def drift(self, law: Noise, u: float) -> float:
        """h(u) for noise of that law."""


@dataclass(frozen=True)
class Sign:
    """psi = sign(x - X): is the guess too high (1), too low (-1) or equal (0)?

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> float(Sign()(1.0, -40.0)), Sign().drift(Cauchy(), 1.0)
    (1.0, 0.5)
    """

    lam = 1.0
    coins = 0

    def __call__(self, x: Any, reward: Any, coin: Any = None) -> Any:
        return np.sign(x - reward)

    def drift(self, law: Noise, u: float) -> float:
        """P(xi < u) - P(xi > u)."""
        law, u = as_noise(law), finite("u", u)
        return float(2 * law.cdf(u) - law.atom(u) - 1)


@dataclass(frozen=True)
class Clip:
    """psi = clip(x - X, lam): the gradient of the Huber loss.

    Parameters
    ----------
    lam : float
        Clip level, reward units.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> float(Clip(5.0)(1.0, 1e9)), round(Clip(1.0).drift(Cauchy(), 2.0), 5)
    (-5.0, 0.6866)
    """

    lam: float = 1.0
    coins = 0

    def __post_init__(self) -> None:
        store(self, lam=positive("lam", self.lam))

    def __call__(self, x: Any, reward: Any, coin: Any = None) -> Any:
        return np.minimum(np.maximum(x - reward, -self.lam), self.lam)

    def drift(self, law: Noise, u: float) -> float:
        """E clip(u - xi, lam), by quadrature."""
        return Huber(lam=self.lam).drift(law, u)

    def second_moment(self, law: Noise, u: float) -> float:
        """E psi^2 at the guess mu + u: the integral of 2 w P(|u - xi| > w) over 0 < w < lam."""
        law, u = as_noise(law), finite("u", u)
        from scipy.integrate import quad

        def tail(w: float) -> float:
            return 2 * w * float(law.cdf(u - w) - law.atom(u - w) + 1 - law.cdf(u + w))

        return float(quad(tail, 0, self.lam, limit=400, epsabs=1e-11, points=_kinks(law, u))[0])


@dataclass(frozen=True)
class OneBit:
    """The sign of x - X, sent as one bit that is flipped with probability 1/(1 + e^eps).

    Whatever the reward, the two messages have probabilities within a factor e^eps of each other:
    eps-local differential privacy of the reward. At X = x the bit is a fair coin; a third
    message there would tell the reward. The drift is that of the sign times tanh(eps/2).

    Parameters
    ----------
    budget : float
        The privacy budget eps.

    Examples
    --------
    >>> float(OneBit(1.0)(3.0, 0.0, 0.4)), float(OneBit(1.0)(3.0, 0.0, 0.6))
    (1.0, -1.0)
    """

    budget: float = 1.0
    lam = 1.0
    coins = 1

    def __post_init__(self) -> None:
        store(self, budget=positive("budget", self.budget))

    @property
    def factor(self) -> float:
        """tanh(eps/2)."""
        return math.tanh(self.budget / 2)

    def __call__(self, x: Any, reward: Any, coin: Any = None) -> Any:
        return np.where(coin < self.factor * np.sign(x - reward), 1.0, -1.0)

    def drift(self, law: Noise, u: float) -> float:
        """tanh(eps/2) times the drift of the sign."""
        return self.factor * Sign().drift(law, u)


def marks(law: Noise) -> set[float]:
    """Points at which the distribution function may jump or bend."""
    ends = (end for end in law.support if math.isfinite(end))
    return {*law.pmf, 0.0, *ends, *law.ppf([0.25, 0.5, 0.75]).tolist()}


def _kinks(law: Noise, u: float) -> list[float]:
    """Distances from u to those points."""
    return sorted({abs(u - mark) for mark in marks(law)} - {0.0})[:40]


def huber_point(law: Noise, lam: float) -> float:
    """The root of the drift of Clip(lam): where clipped SGD goes if the noise is asymmetric.

    The smallest u with E clip(u - xi, lam) >= 0, in reward units; 0 for symmetric noise, the
    median for a small lam and the mean, if it exists, for a large one.

    Examples
    --------
    >>> import math
    >>> from hbucb.noise import Exponential, LocationScale
    >>> round(huber_point(LocationScale(Exponential(), loc=-math.log(2)), 2.0), 3)
    0.254
    """
    law, score = as_noise(law), Clip(lam)
    low, high = (float(law.ppf(q)) for q in (0.25, 0.75))
    low, high = low - lam, high + lam  # the drift is below -0 and above 0 there
    while not (high - low) <= 1e-12 * max(1.0, abs(low), abs(high)):
        middle = (low + high) / 2
        low, high = (low, middle) if score.drift(law, middle) >= 0 else (middle, high)
    return high
