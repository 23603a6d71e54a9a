"""Powers, exponentials and sums that are inf beyond the range of floats, where Python raises."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def exp_or_inf(x: float) -> float:
    """exp(x), inf where it exceeds the range of floats.

    Examples
    --------
    >>> exp_or_inf(0.0), exp_or_inf(1e4)
    (1.0, inf)
    """
    return math.exp(x) if x < 709.78 else math.inf


def power_or_inf(base: float, order: float) -> float:
    """base^order for base >= 0 and order > 0, inf where it exceeds the range of floats.

    Examples
    --------
    >>> power_or_inf(2.0, 10.0), power_or_inf(1e155, 2.0)
    (1024.0, inf)
    """
    try:
        return base**order
    except OverflowError:
        return math.inf


def lgamma_or_inf(x: float) -> float:
    """Logarithm of the gamma function for x > 0, inf where it exceeds the range of floats.

    Examples
    --------
    >>> lgamma_or_inf(1.0), lgamma_or_inf(1e306)
    (0.0, inf)
    """
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


def weighted_power(weight: float, base: float, order: float) -> float:
    """weight * base^order for a weight > 0: finite also where the power alone is not.

    Examples
    --------
    >>> weighted_power(0.5, 2.0, 3.0), round(weighted_power(1e-300, 1e155, 2.0), -6) == 1e10
    (4.0, True)
    """
    try:
        return weight * base**order
    except OverflowError:
        return exp_or_inf(math.log(weight) + order * math.log(base))


def sum_or_inf(terms: Iterable[float]) -> float:
    """Sum of terms >= 0 without loss of digits, inf where it exceeds the range of floats.

    Examples
    --------
    >>> sum_or_inf([0.1] * 10), sum_or_inf([1e308] * 10)
    (1.0, inf)
    """
    try:
        return math.fsum(terms)
    except OverflowError:
        return math.inf


def rescale(out: FloatArray, scale: float) -> None:
    """Multiply draws by ``scale`` in place; a draw beyond the range of floats becomes +-inf.

    Examples
    --------
    >>> draws = np.array([1.0, -2.0])
    >>> rescale(draws, 1e308)
    >>> draws
    array([1.e+308,    -inf])
    """
    if scale != 1.0:
        with np.errstate(over="ignore"):
            np.multiply(out, scale, out=out)
