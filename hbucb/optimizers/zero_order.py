"""Zero order: two values of |x - X| for the same reward X are one clipped gradient.

For all x, X and lam > 0: (|x + lam - X| - |x - lam - X|) / 2 = clip(x - X, lam).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hbucb.noise import Noise, as_noise
from hbucb.noise.validate import finite
from hbucb.optimizers.scores import Clip, marks

FloatArray = NDArray[np.float64]


def two_point(x: ArrayLike, reward: ArrayLike, lam: float) -> FloatArray:
    """Half the difference of |. - X| at x + lam and x - lam, for the same reward X.

    It is computed as the clip that it equals, so it is exact to a rounding of x - X for every
    reward, +-inf included.

    Parameters
    ----------
    x, reward : array_like
        Guess and reward, reward units.
    lam : float
        Half the distance of the two points, > 0.

    Returns
    -------
    ndarray
        In [-lam, lam]; nan where `x` or `reward` is nan, or both are the same infinity.

    Examples
    --------
    >>> two_point(0.0, [0.5, 1e17, np.inf], 1.7).tolist()
    [-0.5, -1.7, -1.7]
    """
    with np.errstate(invalid="ignore"):
        return Clip(lam)(np.asarray(x, dtype=float), np.asarray(reward, dtype=float))


def two_point_literal(x: ArrayLike, reward: ArrayLike, lam: float) -> FloatArray:
    """The same difference as it is written: wrong for large rewards, kept to show.

    From about |X| = 1e15 lam on the two values of |. - X| are rounded to steps of the size of lam,
    then to one float; at an infinite reward their difference is nan.

    Examples
    --------
    >>> two_point_literal(0.0, [3.0, 1e16, 1e17, np.inf], 1.7).round(4).tolist()
    [-1.7, -2.0, 0.0, nan]
    """
    at, seen = np.asarray(x, dtype=float), np.asarray(reward, dtype=float)
    with np.errstate(invalid="ignore"):
        return (np.abs(at + lam - seen) - np.abs(at - lam - seen)) / 2


@dataclass(frozen=True)
class TwoPoint(Clip):
    """The two-point difference of |. - X| as a score: :func:`two_point` with the step ``lam``.

    Sample by sample it is the :class:`Clip` of the same level; it has a name of its own because
    it is what a method sees that may only ask for values.

    Examples
    --------
    >>> float(TwoPoint(1.7)(0.0, 1e17))
    -1.7
    """


def _integral_of_cdf(law: Noise, low: float, high: float) -> float:
    """The integral of P(xi <= v) from low to high."""
    from scipy.integrate import quad

    cuts = [low, *sorted(mark for mark in marks(law) if low < mark < high), high]
    pieces = [
        quad(lambda v: float(law.cdf(v)), one, two, limit=400, epsabs=1e-12)[0]
        for one, two in pairwise(cuts)
    ]
    return math.fsum(pieces)


def excess_loss(law: Noise, u: float) -> float:
    """F(mu + u) = E(|mu + u - X| - |mu - X|), the zero-order objective that always exists.

    E|x - X| is infinite for Cauchy rewards, but the difference of its integrand at two points is
    bounded by their distance, so F is finite for every law. F' = 2 P(X <= x) - 1, and F is least
    at the medians.

    Parameters
    ----------
    law : Noise
        Law of X - mu.
    u : float
        Distance from mu, reward units.

    Returns
    -------
    float
        Reward units.

    Examples
    --------
    >>> from hbucb.noise import Cauchy, Uniform
    >>> round(excess_loss(Cauchy(), 1.0), 5), round(excess_loss(Uniform(), 0.5), 5)
    (0.27936, 0.125)
    """
    law, u = as_noise(law), finite("u", u)
    low, high = min(u, 0.0), max(u, 0.0)
    below = 2 * _integral_of_cdf(law, low, high) - (high - low)
    return below if u >= 0 else -below
