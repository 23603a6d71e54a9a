"""How much of a law's pair means (xi_1 + xi_2)/2 lies within r of its centre: a lower bound."""

from __future__ import annotations

import numpy as np

from hbucb.estimators.checks import FloatArray
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
