"""How much of a law's pair means (xi_1 + xi_2)/2 lies within r of its centre: a lower bound."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import FloatArray, as_counts, log_inverse
from hbucb.noise import Noise

#: Steps of the sum; what it loses is at most one over this.
_STEPS = 16_384


def pair_mass(law: Noise, r: float) -> float:
    """P((xi_1 + xi_2)/2 <= r) - 1/2, xi_1 and xi_2 independent of the law; at most 1/16384 low.

    The probability is the integral of F(2r - F^-1(u)) over 0 < u < 1. The integrand falls, so the
    sum over the right ends of equal steps is a lower bound, for any law with or without atoms.

    Examples
    --------
    >>> from hbucb.noise import Cauchy  # the pair mean is Cauchy again: arctan(1)/pi = 1/4
    >>> round(pair_mass(Cauchy(), 1.0), 3)
    0.25
    """
    ends = np.arange(1, _STEPS) / _STEPS  # at u = 1 the integrand is taken as 0
    values: FloatArray = law.cdf(2 * r - law.ppf(ends))
    return float(values.sum()) / _STEPS - 0.5


def mass_needed(n: ArrayLike, delta: float) -> FloatArray:
    """(n+1)/(n-1) sqrt(ln(1/delta) / (2 floor(n/2))), inf below two samples."""
    level, n = log_inverse(delta), as_counts(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        need = (n + 1) / (n - 1) * np.sqrt(level / (2 * (n // 2)))
    return np.where(n >= 2, need, np.inf)


def radius_of_mass(law: Noise, level: float) -> float:
    """Smallest r, within 1e-6 of it above, at which ``pair_mass`` is at least ``level``."""
    if level >= pair_mass(law, 1e300):
        return math.inf
    low, high = 0.0, 1.0
    while pair_mass(law, high) < level:
        low, high = high, 4 * high
    while high - low > 1e-6 * high and high > 1e-300:
        middle = (low + high) / 2 if low else high / 16
        low, high = (low, middle) if pair_mass(law, middle) >= level else (middle, high)
    return high
