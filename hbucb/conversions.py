"""From pull bounds to other readings: worst case over gaps, cap by T, from which T it speaks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hbucb.arguments import (
    FloatArray,
    as_gaps,
    as_horizon,
    as_numbers,
    as_output,
    is_plain,
)

__all__ = ["capped_regret", "gap_free", "vacuity_horizon"]


def capped_regret(
    gaps: ArrayLike, pulls: ArrayLike, horizon: int, *, failure: float = 0.0
) -> float:
    """Largest regret that pull bounds allow when the pulls add up to T.

    max { sum gap_i n_i : n_i <= pulls_i, sum n_i <= (1 - f) T } + f T max gap, solved by filling
    the worst arms first; it grows with f and is never above T times the largest gap.

    Parameters
    ----------
    gaps, pulls : array_like, shape (arms,)
        Gaps and bounds on E n_i, or on E n_i 1{no failure}.
    horizon : int
        T.
    failure : float
        f, the probability of an event in which nothing is known of the pulls but their number: it
        is paid once, not once an arm.

    Returns
    -------
    float
        Reward units.

    Raises
    ------
    ValueError
        If `pulls` is not one number >= 0 an arm, or `failure` is not in [0, 1].

    Examples
    --------
    >>> capped_regret([0.0, 1.0, 2.0], [100, 30, 90], 100)
    190.0
    >>> capped_regret([0.0, 1.0, 2.0], [100, 30, 20], 100, failure=0.1)
    90.0
    """
    values = as_gaps(gaps)
    counts = as_numbers("pulls", pulls, "give one bound >= 0 an arm")
    if counts.shape != values.shape or not (counts >= 0).all():
        raise ValueError(f"pulls is {pulls!r}; give one bound >= 0 for each of {values.size} arms")
    if not (is_plain(failure) and 0 <= failure <= 1):
        raise ValueError(f"failure is {failure!r}; it must be in [0, 1]")
    lost = failure * float(as_horizon(horizon))
    left, total = float(as_horizon(horizon)) - lost, lost * float(values.max())
    for arm in np.argsort(-values, kind="stable"):
        if values[arm] == 0 or left <= 0:
            break
        take = min(float(counts[arm]), left)
        total += float(values[arm]) * take
        left -= take
    return total


def gap_free(
    a: ArrayLike,
    power: float,
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    extra: float = 0.0,
    method: str = "jensen",
) -> Any:
    """Worst-case regret from pull bounds E n_i <= a / gap_i^power + extra.

    ``"jensen"``: a^{1/p} (K-1)^{1/p} T^{1-1/p} + extra * sum(gaps); ``"split"`` (the usual argument
    that treats gaps below and above a threshold apart, only for power 2) is twice as large.

    Parameters
    ----------
    a : float or array_like
        Coefficient (reward units to the power `power`), a number or one per horizon.
    power : float
        p >= 1.
    gaps : array_like, shape (arms,)
        Used for K and, if `extra` > 0, for the additive term.
    horizon : array_like of int
        T.
    extra : float
        Additive pulls of an arm.
    method : {"jensen", "split"}

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If `power` is below 1, `a` or `extra` is negative, or `method` is not one of the two.

    Examples
    --------
    >>> gap_free(16.0, 2, [0.0, 0.1, 0.2], 100)
    56.568542494923804
    """
    if not (is_plain(power) and power >= 1):
        raise ValueError(f"power is {power!r}; it must be >= 1")
    if method not in ("jensen", "split") or (method == "split" and power != 2):
        raise ValueError(f"method is {method!r}; 'jensen', or 'split' with power 2, are allowed")
    values, total = as_gaps(gaps), as_horizon(horizon)
    scale = as_numbers("a", a, "numbers >= 0 are allowed")
    if not ((scale >= 0).all() and is_plain(extra) and extra >= 0):
        raise ValueError(f"a is {a!r}, extra is {extra!r}; both must be >= 0")
    main = (scale * (values.size - 1)) ** (1 / power)
    factor = 1.0 if method == "jensen" else 2.0
    return as_output(factor * main * total ** (1 - 1 / power) + extra * values.sum())


def vacuity_horizon(
    bound: Callable[[FloatArray], ArrayLike], largest_gap: float, *, limit: int = 10**15
) -> float:
    """From which horizon a bound says anything: smallest T with bound(T) < T * largest_gap.

    Parameters
    ----------
    bound : callable
        Maps an array of horizons to an array of bounds.
    largest_gap : float
        Regret of one pull of the worst arm, reward units.
    limit : int
        Give up beyond this horizon.

    Returns
    -------
    float
        A whole number, or inf. Exact up to 2^20; above, exact if bound(T)/T decreases.

    Examples
    --------
    >>> vacuity_horizon(lambda T: 10 + 0 * T, largest_gap=1.0)
    11.0
    """

    def speaks(horizons: FloatArray) -> NDArray[np.bool_]:
        return np.asarray(bound(horizons)) < largest_gap * horizons

    low, high = 0, 1
    while True:
        if high <= 2**20:
            block = np.arange(low + 1, high + 1, dtype=float)
            hit = np.flatnonzero(speaks(block))
            if hit.size:
                return float(block[hit[0]])
        elif speaks(np.array([float(high)]))[0]:
            break
        if high >= limit:
            return math.inf
        low, high = high, min(2 * high, limit)
    while high - low > 1:
        middle = (low + high) // 2
        good = bool(speaks(np.array([float(middle)]))[0])
        low, high = (low, middle) if good else (middle, high)
    return float(high)
