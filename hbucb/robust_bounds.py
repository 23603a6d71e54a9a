"""Corrected regret bounds of Robust UCB: truncated mean, Catoni, and delta that falls with t.

Conventions as in :mod:`hbucb.theory`: not capped, inf beyond the range of floats. The form with the
median of means at a fixed delta is in :mod:`hbucb.upper_bounds`. Proofs: the book's page "All
bounds" and its chapter on Robust UCB.
"""

from __future__ import annotations

import math
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
    is_plain,
    moment_order,
    positive,
)
from hbucb.assumptions import bound
from hbucb.theory import pulls_after

__all__ = [
    "anytime_pull_bound",
    "robust_ucb_catoni_anytime_regret",
    "robust_ucb_catoni_regret",
    "robust_ucb_mom_anytime_regret",
    "robust_ucb_truncated_anytime_regret",
    "robust_ucb_truncated_regret",
]

# Inverses are taken of slightly enlarged quantities: an interval that equals the gap by rounding
# must not pass as shorter.
_UP = 1 + 1e-12


def _power(power: float) -> None:
    if not (is_plain(power) and 2 <= power <= 100):
        raise ValueError(f"power is {power!r}; it must be a number in [2, 100]")


def anytime_pull_bound(enough: ArrayLike, horizon: ArrayLike, *, power: float = 3.0) -> Any:
    """Pulls of a bad arm when the interval after t pulls may fail with probability t^-power.

    n + 2 integral_n^T (x - n) x^-power dx + 2 (power-1)^{power-1} power^-power n^{1-power}, which
    bounds n + sum_{n < t < T} 2 (t - n) t^-power: about 2 ln(T/n) more than n for power 2, and at
    most 1/n + 8/(27 n^2) more for power 3.

    Parameters
    ----------
    enough : array_like
        n >= 1: a count from which on the bad arm's interval is shorter than the gap (strictly) in
        all rounds before T; may be inf.
    horizon : array_like of int
        T.
    power : float
        At least 2.

    Returns
    -------
    float or ndarray
        Expected number of pulls; `enough` itself where it is >= T (there the lemma says nothing).

    Raises
    ------
    ValueError
        If `enough` is below 1 or `power` below 2.

    Examples
    --------
    >>> round(anytime_pull_bound(100, 10**6), 4)
    100.01
    >>> round(anytime_pull_bound(100, 10**6, power=2), 2)
    116.43
    """
    _power(power)
    total = as_horizon(horizon)
    count = as_numbers("enough", enough, "counts >= 1 are allowed")
    if not (count >= 1).all():
        raise ValueError(f"enough is {enough!r}; counts >= 1 are allowed")
    return as_output(_anytime_pulls(count, total, power))


def _anytime_pulls(n: FloatArray, total: FloatArray, power: float) -> FloatArray:
    """The formula of :func:`anytime_pull_bound` on checked arrays."""
    n, total = np.broadcast_arrays(n, total)
    inside = n < total
    start, end = np.where(inside, n, 1.0), np.where(inside, total, 1.0)
    share = start / end
    if power == 2:
        area = share - 1 - np.log(share)
    else:
        # n^{2-p} times the integral of (x - 1) x^-p from 1 to T/n.
        q = power - 2
        area = start**-q * ((1 - share**q) / q - (1 - share ** (q + 1)) / (q + 1))
    peak = (power - 1) ** (power - 1) / power**power * start ** (1 - power)
    return np.where(inside, start + 2 * np.maximum(area, 0.0) + 2 * peak, n)


def _falling(total: FloatArray, power: float) -> FloatArray:
    """ln(1/delta) at the end of the run, shape total.shape + (1,)."""
    return power * np.log(np.maximum(total, 2.0))[..., None]


def _log_inverse(delta: FloatArray) -> FloatArray:
    """ln(1/delta), shape delta.shape + (1,); inf where 1/T^2 is below the range of floats."""
    with np.errstate(divide="ignore"):
        return np.abs(np.log(delta))[..., None]


def _sum(bad: FloatArray, pulls: FloatArray) -> Any:
    with np.errstate(over="ignore"):
        return as_output((bad * pulls).sum(axis=-1))


def _power_count(log: FloatArray, bad: FloatArray, eps: float, terms: float) -> FloatArray:
    """Smallest n with 2 x (log/n)^{eps/(1+eps)} < gap, where x^{1+eps} = e^terms, by logarithms.

    For small eps the powers leave the range of floats, and the count is inf.
    """
    exponent = ((1 + eps) * (math.log(2) - np.log(bad)) + terms) / eps
    with np.errstate(over="ignore", invalid="ignore"):
        return np.floor(np.where(log > 0, log * np.exp(exponent) * _UP, 0.0)) + 1


def _truncated_count(log: FloatArray, bad: FloatArray, eps: float, u: float) -> FloatArray:
    return _power_count(log, bad, eps, (1 + eps) * math.log(4) + math.log(u))


def _catoni_count(log: FloatArray, bad: FloatArray, v: float) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        count = 2 * log * (1 + 4 * np.square(math.sqrt(v) / bad)) * _UP
        return np.floor(np.where(log > 0, count, 0.0)) + 1


def _mom_count(log: FloatArray, bad: FloatArray, eps: float, v: float) -> FloatArray:
    need = 16 * (0.125 + log)
    return np.maximum(np.ceil(need), _power_count(need, bad, eps, math.log(12) + math.log(v)))


@bound(
    algorithm="Robust UCB (truncated mean, fixed delta)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1 with Lemma 1, constant repaired",
    status="corrected",
    needs=("E|X|^{1+eps} <= u of the reward itself", "noise of one finite mean"),
    rate="sum (u/gap)^{1/eps} ln T",
)
def robust_ucb_truncated_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    eps: float,
    u: float,
    delta: ArrayLike | None = None,
) -> Any:
    """Regret of Robust UCB: truncated mean + 4 u^{1/(1+eps)} (ln(1/delta)/n)^{eps/(1+eps)}.

    sum over gap > 0 of gap (n + delta (T-n)(T-n+1)/2) with
    n = floor(ln(1/delta) (8/gap)^{(1+eps)/eps} u^{1/eps}) + 1.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    eps, u : float
        Moment order above one, in (0, 1], and bound on E|X|^{1+eps}, used by the index.
    delta : array_like, optional
        Failure probability in the index; None means 1/T^2.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_truncated_regret([0.0, 1.0], 10**6, eps=1.0, u=1.0), 3)
    1769.498
    """
    moment_order(eps)
    positive("u", u)
    values, total = as_gaps(gaps), as_horizon(horizon)
    level = as_delta(delta, total)
    bad = values[values > 0]
    n = _truncated_count(_log_inverse(level), bad, eps, u)
    return _sum(bad, pulls_after(n, total[..., None], level[..., None]))


@bound(
    algorithm="Robust UCB (truncated mean, delta = t^-power)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1 with Lemma 1, both terms repaired",
    status="corrected",
    needs=("E|X|^{1+eps} <= u of the reward itself", "noise of one finite mean"),
    rate="sum (u/gap)^{1/eps} ln T",
)
def robust_ucb_truncated_anytime_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, eps: float, u: float, power: float = 3.0
) -> Any:
    """The same with delta = t^-power after t pulls.

    sum over gap > 0 of gap times :func:`anytime_pull_bound` (n), n as in
    :func:`robust_ucb_truncated_regret` with ln(1/delta) = power ln T.

    Parameters
    ----------
    gaps, horizon, eps, u
        As in :func:`robust_ucb_truncated_regret`.
    power : float
        At least 2.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_truncated_anytime_regret([0.0, 1.0], 10**6, eps=1.0, u=1.0), 3)
    2653.0
    """
    moment_order(eps)
    positive("u", u)
    _power(power)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    n = _truncated_count(_falling(total, power), bad, eps, u)
    return _sum(bad, _anytime_pulls(n, total[..., None], power))


@bound(
    algorithm="Robust UCB (Catoni, fixed delta)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1 with Lemma 3, constant repaired",
    status="corrected",
    needs=("Var X <= v", "noise of one finite mean"),
    rate="sum v ln T / gap",
)
def robust_ucb_catoni_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, v: float, delta: ArrayLike | None = None
) -> Any:
    """Regret of Robust UCB: Catoni's estimate + sqrt(2 v L / (n - 2L)), inf for n <= 2L.

    sum over gap > 0 of gap (n + delta (T-n)(T-n+1)/2) with L = ln(1/delta) and
    n = floor(8 v L / gap^2 + 2L) + 1.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    v : float
        Bound on the variance, squared reward units, used by the index.
    delta : array_like, optional
        Failure probability in the index; None means 1/T^2.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_catoni_regret([0.0, 1.0], 10**6, v=1.0), 3)
    277.5
    """
    positive("v", v)
    values, total = as_gaps(gaps), as_horizon(horizon)
    level = as_delta(delta, total)
    bad = values[values > 0]
    n = _catoni_count(_log_inverse(level), bad, v)
    return _sum(bad, pulls_after(n, total[..., None], level[..., None]))


@bound(
    algorithm="Robust UCB (Catoni, delta = t^-power)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1 with Lemma 3, both terms repaired",
    status="corrected",
    needs=("Var X <= v", "noise of one finite mean"),
    rate="sum v ln T / gap",
)
def robust_ucb_catoni_anytime_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, v: float, power: float = 3.0
) -> Any:
    """The same with delta = t^-power after t pulls.

    sum over gap > 0 of gap times :func:`anytime_pull_bound` (n), n as in
    :func:`robust_ucb_catoni_regret` with L = power ln T.

    Parameters
    ----------
    gaps, horizon, v
        As in :func:`robust_ucb_catoni_regret`.
    power : float
        At least 2.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_catoni_anytime_regret([0.0, 1.0], 10**6, v=1.0), 3)
    415.002
    """
    positive("v", v)
    _power(power)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    n = _catoni_count(_falling(total, power), bad, v)
    return _sum(bad, _anytime_pulls(n, total[..., None], power))


@bound(
    algorithm="Robust UCB (median of means, delta = t^-power)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1 with Lemma 2, both terms repaired",
    status="corrected",
    needs=("E|X - EX|^{1+eps} <= v", "noise of one finite mean"),
    rate="sum (v/gap)^{1/eps} ln T",
)
def robust_ucb_mom_anytime_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, eps: float, v: float, power: float = 3.0
) -> Any:
    """Regret of Robust UCB with the median of means at delta = t^-power after t pulls.

    sum over gap > 0 of gap times :func:`anytime_pull_bound` (n), with L = 1/8 + power ln T and
    n = max(ceil(16 L), floor(16 L (2/gap)^{(1+eps)/eps} (12 v)^{1/eps}) + 1).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    eps, v : float
        Moment order above one, in (0, 1], and bound on E|X - EX|^{1+eps}, used by the index.
    power : float
        At least 2.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_mom_anytime_regret([0.0, 1.0], 10**6, eps=1.0, v=1.0), 3)
    31927.0
    """
    moment_order(eps)
    positive("v", v)
    _power(power)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    n = _mom_count(_falling(total, power), bad, eps, v)
    return _sum(bad, _anytime_pulls(n, total[..., None], power))
