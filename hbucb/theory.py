"""What is true of any method: inverses of radii, pull bounds, and regret from pulls.

Conventions of every bound function ``name(gaps, horizon, *, parameters)``: `gaps` are the
distances of the arms from the best location (reward units, a best arm has gap 0), `horizon` is the
number of pulls T, a number or an array; the answer is a float or an array of that shape, in reward
units, inf beyond the range of floats. Bounds are not capped: a value above T times the largest gap
says nothing, and shows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import (
    FloatArray,
    as_delta,
    as_gaps,
    as_horizon,
    as_numbers,
    as_output,
)
from hbucb.assumptions import bound

__all__ = [
    "fo_regret",
    "g_inverse",
    "pull_bound",
    "regret_from_pulls",
    "uniform_pull_bound",
    "zo_regret",
]

Radius = Callable[[int, float], float]

# 0.2^2/8 is above 0.5/100 in floats: levels are lowered, so that a count at which the interval
# equals the gap does not pass as shorter by rounding.
BELOW = 1 - 1e-12


def g_inverse(
    g: Radius,
    x: float,
    delta: float,
    *,
    kmin: int = 1,
    kmax: int = 10**15,
    strict: bool = True,
    monotone: bool = True,
) -> float:
    """Smallest count k >= `kmin` with g(k, delta) < x.

    Parameters
    ----------
    g : callable
        ``g(k, delta)``, a guarantee after k pulls (squared reward units, or reward units for a
        radius); may be inf.
    x : float
        The level to go below, in the unit of `g`.
    delta : float
        Failure probability handed to `g`.
    kmin, kmax : int
        The search runs over kmin..kmax.
    strict : bool
        ``<`` if True. The non-strict ``<=`` makes pull bounds false when indices can tie (two
        arms whose intervals touch), so it is for display only.
    monotone : bool
        True: doubling and bisection, g is called about 2 log2(k) times. False: the first 10 000
        counts are tried one by one first. If g is not monotone the answer is still *a* count with
        g(k) < x, which is all that a pull bound needs, but it is the smallest only below 10 000.

    Returns
    -------
    float
        A whole number, or ``math.inf`` if no count up to `kmax` was found.

    Raises
    ------
    ValueError
        If `x` is not above 0 or `kmin` < 1.

    References
    ----------
    Dorn, Katrutsa, Latypov, Pudovikov (2024), section 2.1, with the strict integer inverse.

    Examples
    --------
    >>> g_inverse(lambda k, delta: k**-0.5, 0.5, 0.1)
    5.0
    >>> g_inverse(lambda k, delta: k**-0.5, 0.5, 0.1, strict=False)
    4.0
    """
    if not x > 0:
        raise ValueError(f"x is {x!r}; it must be above 0")
    if kmin < 1 or kmax < kmin:
        raise ValueError(f"kmin is {kmin!r}, kmax is {kmax!r}; 1 <= kmin <= kmax is required")

    def below(k: int) -> bool:
        value = float(g(k, delta))
        return value < x if strict else value <= x

    low = kmin - 1
    if not monotone:
        for k in range(kmin, min(kmin + 10_000, kmax + 1)):
            if below(k):
                return float(k)
        low = min(kmin + 9_999, kmax)
    step = 1
    high = min(low + step, kmax)
    while not below(high):
        if high >= kmax:
            return math.inf
        low, step = high, 2 * step
        high = min(low + step, kmax)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return float(high)


def pull_bound(enough: ArrayLike, horizon: ArrayLike, delta: ArrayLike | None = None) -> Any:
    """Pulls of a bad arm under *any* index estimate + radius: n + delta (T-n)(T-n+1)/2.

    The pull lemma. Let the radius satisfy 2 r(n) < gap at n = `enough`, let r(0) = inf, and let
    each of the two one-sided failures (best arm's index below its location, bad arm's estimate
    above its location by more than r) have probability at most `delta` at each fixed count. Then
    E n(T) is at most this number; ties may be broken in any way.

    Parameters
    ----------
    enough : array_like
        Count at which the bad arm's interval is shorter than the gap (strict inverse); may be inf.
    horizon : array_like of int
        T >= 1.
    delta : array_like, optional
        Failure probability at one count; None means 1/T^2.

    Returns
    -------
    float or ndarray
        Expected number of pulls; `enough` itself where it is >= T (there the lemma says nothing).

    Raises
    ------
    ValueError
        If `enough` is below 1: at count 0 the radius is inf.

    References
    ----------
    Dorn et al. (2024), Theorem 1, corrected (strict integer inverse) and sharpened; proof in the
    book.

    Examples
    --------
    >>> pull_bound(3, 200)
    3.487575
    """
    total = as_horizon(horizon)
    return as_output(pulls_after(_as_enough(enough), total, as_delta(delta, total)))


def _as_enough(enough: ArrayLike) -> FloatArray:
    values = as_numbers("enough", enough, "counts >= 1 are allowed")
    if not (values >= 1).all():
        raise ValueError(f"enough is {enough!r}; counts >= 1 are allowed")
    return values


def pulls_after(enough: FloatArray, horizon: FloatArray, delta: FloatArray) -> FloatArray:
    """The formula of :func:`pull_bound` on checked arrays."""
    left = np.maximum(horizon - enough, 0.0)
    with np.errstate(over="ignore"):
        return enough + delta * left * (left + 1) / 2


def uniform_pull_bound(enough: ArrayLike, horizon: ArrayLike, delta: ArrayLike) -> Any:
    """Pulls of a bad arm when the radius holds at *all* counts at once: n + 2 delta T.

    Parameters
    ----------
    enough, horizon, delta
        As in :func:`pull_bound`; `delta` is the probability that an interval ever fails.

    Returns
    -------
    float or ndarray
        Expected number of pulls.

    Examples
    --------
    >>> uniform_pull_bound(3, 100, 0.01)
    5.0
    """
    total = as_horizon(horizon)
    return as_output(_as_enough(enough) + 2 * as_delta(delta, total) * total)


def regret_from_pulls(gaps: ArrayLike, pulls: ArrayLike) -> Any:
    """Regret sum_i gap_i pulls_i; arms of gap 0 count nothing, even with infinite pulls.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    pulls : array_like, shape (..., arms)
        Pulls, or bounds on expected pulls.

    Returns
    -------
    float or ndarray, shape (...)
        Reward units.

    Examples
    --------
    >>> regret_from_pulls([0.0, 0.5], [[90, 10], [99, 1]])
    array([5. , 0.5])
    """
    values = as_gaps(gaps)
    counts = as_numbers("pulls", pulls, "numbers of pulls are allowed")
    if counts.shape[-1:] != values.shape:
        raise ValueError(f"pulls has shape {counts.shape}; its last axis has {values.size} arms")
    bad = values > 0
    return as_output((counts[..., bad] * values[bad]).sum(axis=-1))


def _regret_by_inverse(
    gaps: ArrayLike,
    horizon: ArrayLike,
    level: Callable[[float], float],
    g: Radius,
    delta: ArrayLike | None,
) -> Any:
    values, total = as_gaps(gaps), as_horizon(horizon)
    # A guarantee is defined for delta < 1 only: at T = 1 it is 1/4, as in the policies.
    levels = np.atleast_1d(as_delta(delta, np.maximum(total, 2.0)))
    flat = levels.ravel()
    inverse = np.ones((flat.size, values.size))
    for arm in np.flatnonzero(values > 0):
        goal = BELOW * level(float(values[arm]))
        inverse[:, arm] = [g_inverse(g, goal, float(one)) for one in flat]
    pulls = pulls_after(inverse, total.reshape(-1, 1), flat.reshape(-1, 1))
    return as_output(np.reshape(regret_from_pulls(values, pulls), total.shape))


@bound(
    algorithm="FO-UCB",
    source="Dorn et al. 2024, Theorem 2, with the strict integer inverse",
    status="corrected",
    needs=("a method with P(e^2/2 > g(k, delta)) <= delta at each k",),
    rate="sum gap * g^{-1}(gap^2/8)",
)
def fo_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, g: Radius, delta: ArrayLike | None = None
) -> Any:
    """Regret of FO-UCB, the index x + sqrt(2 g(n, delta)) around a first-order g-bounded method.

    Sum over bad arms of gap * :func:`pull_bound` (n), n the first count with g(n) < gap^2 / 8.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
    g : callable
        g(k, delta), bound on half the squared distance (squared reward units).
    delta : array_like, optional
        None means 1/T^2, and 1/4 at T = 1.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> import math
    >>> round(fo_regret([0, 1.0], 100, g=lambda k, d: math.log(1 / d) / k), 4)
    74.0351
    """
    return _regret_by_inverse(gaps, horizon, lambda gap: gap**2 / 8, g, delta)


@bound(
    algorithm="ZO-UCB",
    source="Dorn et al. 2024, Theorem 3, with the strict integer inverse",
    status="corrected",
    needs=("a method with P(|e| > g(k, delta)) <= delta at each k",),
    rate="sum gap * g^{-1}(gap/2)",
)
def zo_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, g: Radius, delta: ArrayLike | None = None
) -> Any:
    """Regret of ZO-UCB, the index x + g(n, delta) around a zero-order g-bounded method.

    Sum over bad arms of gap * :func:`pull_bound` (n), n the first count with g(n) < gap / 2.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
    g : callable
        g(k, delta), bound on the distance (reward units).
    delta : array_like, optional
        None means 1/T^2, and 1/4 at T = 1.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> import math
    >>> round(zo_regret([0, 1.0], 100, g=lambda k, d: math.sqrt(2 * math.log(1 / d) / k)), 4)
    74.0351
    """
    return _regret_by_inverse(gaps, horizon, lambda gap: gap / 2, g, delta)
