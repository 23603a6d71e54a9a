"""Bounds in Kullback-Leibler divergences: KL-UCB's regret, and the Lai-Robbins lower bounds.

Conventions as in :mod:`hbucb.theory`. Unlike location families, coins and normal laws of different
scale have a divergence that depends on more than the gap: the best mean, or each arm's scale.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_numbers, as_output, is_number
from hbucb.assumptions import bound
from hbucb.divergences import kl_bernoulli

__all__ = ["kl_ucb_regret", "lai_robbins_bernoulli", "lai_robbins_gaussian"]

#: Fractions of the gap that are tried as eps_1 and eps_2.
_FRACTIONS = np.concatenate([np.geomspace(1e-4, 0.1, 40), np.linspace(0.11, 0.98, 88)])


def _means(gaps: FloatArray, best: float) -> FloatArray:
    """Means of coins with these gaps; ValueError unless they are probabilities."""
    if not (is_number(best) and 0 <= best <= 1):
        raise ValueError(f"best is {best!r}; it must be a mean in [0, 1]")
    means = best - gaps
    if means.min() < -1e-12:
        raise ValueError(f"gaps is {gaps.tolist()}; none may exceed the best mean {best!r}")
    return np.maximum(means, 0.0)


@bound(
    algorithm="KL-UCB (anytime)",
    source="after Lattimore & Szepesvari 2020, Theorem 10.6, with the first pulls counted",
    status="proved",
    needs=("rewards in [0, 1]", "noise of one finite mean", "the best mean"),
    rate="sum gap ln T / kl",
)
def kl_ucb_regret(gaps: ArrayLike, horizon: ArrayLike, *, best: float) -> Any:
    """Regret of KL-UCB at the level ln h(t), h(t) = 1 + t ln^2 t, t = 1, 2, ...

    sum over gap > 0 of gap times
    1 + ln h(T) / kl(mean + e1, best - e2) + 1 / (2 e1^2) + 5 / (4 e2^2),
    which is true for all e1, e2 > 0 with e1 + e2 < gap; the least value on a grid is taken.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    best : float
        Mean reward of the best arm, in [0, 1]; no gap may exceed it.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If `best` is not in [0, 1], or a gap exceeds it.

    Examples
    --------
    >>> round(kl_ucb_regret([0.0, 0.5], 10**6, best=0.9), 1)
    117.4
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    means = _means(values, best)
    level = np.log1p(total * np.log(total) ** 2)
    regret = np.zeros(total.shape)
    one, two = (f.ravel() for f in np.meshgrid(_FRACTIONS, _FRACTIONS))
    one, two = one[one + two < 0.999], two[one + two < 0.999]
    for gap, mean in zip(values.tolist(), means.tolist(), strict=True):
        if gap > 0:
            each = kl_bernoulli(mean + one * gap, best - two * gap)
            with np.errstate(over="ignore"):
                fixed = 1 + 1 / (2 * (one * gap) ** 2) + 5 / (4 * (two * gap) ** 2)
                pulls = level[..., None] / each + fixed
                regret = regret + gap * pulls.min(axis=-1)
    return as_output(regret)


@bound(
    algorithm="any consistent policy",
    source="Lai & Robbins 1985, Theorem 2, for coins",
    status="stated",
    needs=("Bernoulli rewards", "regret o(T^a) for every a > 0", "T to infinity"),
    rate="sum gap ln T / kl",
)
def lai_robbins_bernoulli(gaps: ArrayLike, horizon: ArrayLike, *, best: float) -> Any:
    """The asymptotic lower bound for coins: ln T times sum of gap / kl(mean, best).

    It is a statement about the limit of R_T / ln T: at a given T a good policy may be below.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    best : float
        The best success probability, in [0, 1]; at 1 the bound is 0.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If `best` is not in [0, 1], or a gap exceeds it.

    Examples
    --------
    >>> round(lai_robbins_bernoulli([0.0] + [0.03] * 19, 60_000, best=0.1), 1)
    1134.6
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values > 0
    each = np.asarray(kl_bernoulli(_means(values, best)[bad], best))
    return as_output((values[bad] / each).sum() * np.log(total))


@bound(
    algorithm="any consistent policy",
    source="Lai & Robbins 1985, Theorem 2, for normal rewards of known scale",
    status="stated",
    needs=("Gaussian rewards of known scale", "regret o(T^a) for every a > 0", "T to infinity"),
    rate="sum sigma^2 ln T / gap",
)
def lai_robbins_gaussian(gaps: ArrayLike, horizon: ArrayLike, *, sigma: ArrayLike = 1.0) -> Any:
    """The asymptotic lower bound for normal rewards: ln T times sum of 2 sigma_i^2 / gap_i.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    sigma : float or array_like, shape (arms,)
        Standard deviation of each arm, or one for all.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If `sigma` is not one number >= 0, or one an arm.

    Examples
    --------
    >>> round(lai_robbins_gaussian([0.0, 0.5], 1000, sigma=[1.0, 0.5]), 3)
    6.908
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    scale = as_numbers("sigma", sigma, "give one number, or one an arm")
    if scale.ndim and scale.shape != values.shape:
        raise ValueError(f"sigma has shape {scale.shape}; give one number, or one an arm")
    if not ((scale >= 0) & np.isfinite(scale)).all():
        raise ValueError(f"sigma is {sigma!r}; each must be finite and >= 0")
    bad = values > 0
    with np.errstate(over="ignore"):
        slope = 2 * (np.broadcast_to(scale, values.shape)[bad] ** 2 / values[bad]).sum()
        return as_output(slope * np.log(total))
