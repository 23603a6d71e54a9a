"""Regret bounds of the first policies, as pure functions (the policies import and check them).

Upper bounds on the pseudo-regret R_T, conventions as in :mod:`hbucb.theory`: not capped, and inf
beyond the range of floats. Proofs: the book's page "All bounds".
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
    moment_order,
    positive,
)
from hbucb.assumptions import bound
from hbucb.theory import pulls_after

__all__ = [
    "r_mom",
    "r_subgauss",
    "robust_ucb_mom_regret",
    "ucb_anytime_regret",
    "ucb_regret",
]

# A count at which the float interval equals the gap by rounding must not pass as shorter: inverses
# are taken of slightly enlarged quantities, which keeps every bound on the safe side.
_UP = 1 + 1e-12


def r_subgauss(k: ArrayLike, delta: ArrayLike, *, sigma: float = 1.0) -> Any:
    """One-sided radius of the mean of k sub-Gaussian rewards: sigma sqrt(2 ln(1/delta) / k).

    Parameters
    ----------
    k : array_like
        Counts >= 1.
    delta : array_like
        One-sided failure probability in (0, 1].
    sigma : float
        Sub-Gaussian parameter, reward units.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If `k`, `delta` or `sigma` is out of its range.

    Examples
    --------
    >>> round(r_subgauss(100, 0.01), 5)
    0.30349
    """
    positive("sigma", sigma)
    count = as_numbers("k", k, "counts >= 1 are allowed")
    if not (count >= 1).all():
        raise ValueError(f"k is {k!r}; counts >= 1 are allowed")
    with np.errstate(over="ignore"):
        return as_output(sigma * np.sqrt(2 * _log_inverse(delta) / count))


def _log_inverse(delta: ArrayLike) -> FloatArray:
    """ln(1/delta); ValueError unless delta is in (0, 1]."""
    values = as_numbers("delta", delta, "it must lie in (0, 1]")
    if not ((values > 0).all() and (values <= 1).all()):
        raise ValueError(f"delta is {delta!r}; it must lie in (0, 1]")
    return np.abs(np.log(values))


def r_mom(k: ArrayLike, delta: ArrayLike, *, eps: float = 1.0, v: float = 1.0) -> Any:
    """One-sided radius of the median of means of k rewards with E|X - mu|^{1+eps} <= v.

    (12 v)^{1/(1+eps)} (16 ln(e^{1/8}/delta) / k)^{eps/(1+eps)} for k >= 16 ln(e^{1/8}/delta),
    and inf for fewer rewards, where the printed radius is false.

    Parameters
    ----------
    k : array_like
        Counts >= 0.
    delta : array_like
        One-sided failure probability in (0, 1].
    eps, v : float
        Moment order above one, in (0, 1], and bound on the central moment.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If `delta`, `eps` or `v` is out of its range.

    References
    ----------
    Bubeck, Cesa-Bianchi, Lugosi (2013), Lemma 2, with its range of validity.

    Examples
    --------
    >>> r_mom([10, 100, 1000], 0.01).round(4)
    array([   inf, 3.0136, 0.953 ])
    """
    moment_order(eps)
    positive("v", v)
    need = 16 * (0.125 + _log_inverse(delta))
    count = np.maximum(as_numbers("k", k, "counts are allowed"), 1e-300)
    with np.errstate(over="ignore"):
        radius = (12 * v) ** (1 / (1 + eps)) * (need / count) ** (eps / (1 + eps))
    return as_output(np.where(count >= need, radius, np.inf))


def _sum_over_gaps(gaps: FloatArray, total: FloatArray, delta: FloatArray, n: FloatArray) -> Any:
    """Sum over bad arms of gap * pull bound at n; n has shape total.shape + (bad arms,)."""
    pulls = pulls_after(n, total[..., None], delta[..., None])
    with np.errstate(over="ignore"):
        return as_output((gaps * pulls).sum(axis=-1))


def _log_level(level: FloatArray) -> FloatArray:
    """ln(1/delta), shape level.shape + (1,); inf where 1/T^2 is below the range of floats."""
    with np.errstate(divide="ignore"):
        return np.abs(np.log(level))[..., None]


@bound(
    algorithm="UCB (fixed delta)",
    source="Lattimore & Szepesvari 2020, Theorem 7.1, with integer counts and the pull lemma",
    status="proved",
    needs=("sigma-sub-Gaussian noise", "noise of one finite mean"),
    rate="sum sigma^2 ln T / gap",
)
def ucb_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, sigma: float = 1.0, delta: ArrayLike | None = None
) -> Any:
    """Regret of UCB with index mean + sigma sqrt(2 ln(1/delta) / n).

    sum over gap > 0 of gap (n + delta (T-n)(T-n+1)/2), n = floor(8 sigma^2 ln(1/delta)/gap^2) + 1;
    with delta = 1/T^2 it is below sum [16 sigma^2 ln T / gap + 2 gap].

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    sigma : float
        Sub-Gaussian parameter used by the index, reward units.
    delta : array_like, optional
        Failure probability in the index; None means 1/T^2.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(ucb_regret([0.0, 1.0], 1000), 3)
    111.396
    """
    positive("sigma", sigma)
    values, total = as_gaps(gaps), as_horizon(horizon)
    level = as_delta(delta, total)
    bad = values[values > 0]
    log = _log_level(level)
    # A count beyond the range of floats is inf; T = 1 asks for none, whatever the gap.
    with np.errstate(over="ignore", invalid="ignore"):
        n = np.floor(np.where(log > 0, 8 * np.square(sigma / bad) * log * _UP, 0.0)) + 1
    return _sum_over_gaps(bad, total, level, n)


@bound(
    algorithm="UCB (anytime)",
    source="Lattimore & Szepesvari 2020, Theorem 8.1, scaled to sigma, epsilon optimised",
    status="proved",
    needs=("sigma-sub-Gaussian noise", "noise of one finite mean"),
    rate="sum sigma^2 ln T / gap",
)
def ucb_anytime_regret(gaps: ArrayLike, horizon: ArrayLike, *, sigma: float = 1.0) -> Any:
    """Regret of UCB with index mean + sigma sqrt(2 ln h(t) / n), h(t) = 1 + t ln^2 t, t = 1, 2, ...

    sum over gap > 0 of gap + (sigma^2/gap) (5^{1/3} + c0^{1/3})^3 with
    c0 = 2 (ln h(T) + sqrt(pi ln h(T)) + 1): the minimum over 0 < x < gap of
    gap (1 + 5 sigma^2/x^2 + c0 sigma^2/(gap - x)^2).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    sigma : float
        Sub-Gaussian parameter used by the index, reward units.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(ucb_anytime_regret([0.0, 1.0], 1000), 3)
    125.004
    """
    positive("sigma", sigma)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    c = np.log1p(total * np.log(total) ** 2)
    c0 = 2 * (c + np.sqrt(np.pi * c) + 1)
    factor = (5 ** (1 / 3) + c0 ** (1 / 3)) ** 3
    with np.errstate(over="ignore"):
        return as_output((bad + sigma * (sigma / bad) * factor[..., None]).sum(axis=-1))


@bound(
    algorithm="Robust UCB (median of means, fixed delta)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Theorem 2, constant and range repaired",
    status="corrected",
    needs=("E|X - EX|^{1+eps} <= v", "noise of one finite mean"),
    rate="sum (v/gap)^{1/eps} ln T",
)
def robust_ucb_mom_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    eps: float,
    v: float,
    delta: ArrayLike | None = None,
) -> Any:
    """Regret of Robust UCB: the median of means plus :func:`r_mom`, inf where that is inf.

    sum over gap > 0 of gap (n + delta (T-n)(T-n+1)/2) with L = ln(e^{1/8}/delta) and
    n = max(ceil(16 L), floor(16 L (2/gap)^{(1+eps)/eps} (12 v)^{1/eps}) + 1).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    eps, v : float
        Moment order above one, in (0, 1], and bound on E|X - EX|^{1+eps}, used by the index.
    delta : array_like, optional
        Failure probability in the index; None means 1/T^2.

    Returns
    -------
    float or ndarray
        Reward units.

    Notes
    -----
    The printed coefficient of Proposition 1 lacks the factor 2^{(1+eps)/eps}.

    Examples
    --------
    >>> round(robust_ucb_mom_regret([0.0, 1.0], 10**6, eps=1.0, v=1.0), 3)
    21317.479
    """
    moment_order(eps)
    positive("v", v)
    values, total = as_gaps(gaps), as_horizon(horizon)
    level = as_delta(delta, total)
    bad = values[values > 0]
    need = 16 * (0.125 + _log_level(level))
    # By logarithms: for small eps the powers leave the range of floats, and the count is inf.
    power = ((1 + eps) * (math.log(2) - np.log(bad)) + math.log(12) + math.log(v)) / eps
    with np.errstate(over="ignore"):
        shrink = np.exp(power)
        n = np.maximum(np.ceil(need), np.floor(need * shrink * _UP) + 1)
    return _sum_over_gaps(bad, total, level, n)
