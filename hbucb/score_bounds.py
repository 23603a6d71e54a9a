"""Regret bounds of indices around an estimate with a Chernoff tail A exp(-n x^2 / (2 tau^2)).

Conventions as in :mod:`hbucb.upper_bounds`. Proofs: the book's page "All bounds".
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
    positive,
)
from hbucb.assumptions import bound
from hbucb.optimizers.score_g import harmonic
from hbucb.theory import BELOW

__all__ = ["score_anytime_regret", "score_regret", "score_uniform_regret"]


def _checked(
    gaps: ArrayLike, horizon: ArrayLike, tau: float, pulls: int, miss: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Bad gaps, horizons, and pulls + 2 T miss of the localisation, with one axis more."""
    positive("tau", tau)
    if not is_plain(pulls) or not pulls >= 0 or pulls % 1:
        raise ValueError(f"pulls is {pulls!r}; a whole number >= 0 is allowed")
    values, total = as_gaps(gaps), as_horizon(horizon)
    missed = as_numbers("miss", miss, "numbers in [0, 1] are allowed")
    if missed.ndim and missed.shape != total.shape:
        raise ValueError(f"miss has shape {missed.shape}, horizon {total.shape}")
    missed = np.broadcast_to(missed, total.shape)
    if not ((missed >= 0).all() and (missed <= 1).all()):
        raise ValueError(f"miss is {miss!r}; it must lie in [0, 1]")
    return values[values > 0], total, (pulls + 2 * total * missed)[..., None], total[..., None]


def _sides(sides: int) -> int:
    if isinstance(sides, bool) or sides not in (1, 2):
        raise ValueError(f"sides is {sides!r}; 1 or 2 is allowed")
    return int(sides)


@bound(
    algorithm="SignSGDUCB, ClipSGDUCB, TwoPointUCB (fixed delta)",
    source="proof in the book",
    status="proved",
    needs=("drift p u on |u| <= D (C(lam, D, p)), tau = lam/p", "localisation missed w.p. miss"),
    rate="sum tau^2 ln T / gap",
)
def score_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    tau: float = 1.0,
    sides: int = 2,
    delta: ArrayLike | None = None,
    pulls: int = 0,
    miss: ArrayLike = 0.0,
) -> Any:
    """Regret of the index x_n + tau sqrt(2 L / n) with L = ln(A/delta), delta = 1/T^2 by default.

    sum of gap * (pulls + 2 T miss + 1 + T^2 delta + (2 tau^2/gap^2)(L + A sqrt(pi L) + A)) for an
    estimate that is off by x or more, on either side, with probability at most
    A exp(-n x^2/(2 tau^2)).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    tau : float
        Reward units.
    sides : {1, 2}
        A: 2 for the last iterate of score SGD, 1 for an estimate with one-sided tails.
    delta : array_like, optional
        Failure probability of one interval at one count.
    pulls : int
        First pulls of each arm that localise it.
    miss : array_like
        Probability that the interval around them misses the location; broadcast to `horizon`.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(score_regret([0.0, 1.0], 10_000, tau=1.0), 2)
    75.22
    """
    bad, total, extra, wide = _checked(gaps, horizon, tau, pulls, miss)
    a, levels = _sides(sides), as_delta(delta, total)[..., None]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        level = math.log(a) - np.log(levels)
        extra = extra + 1 + wide * (wide * levels)
        part = 2 * tau * (tau / bad) * (level + a * np.sqrt(np.pi * level) + a)
        return as_output((bad * extra + part).sum(axis=-1))


@bound(
    algorithm="SignSGDUCB, ClipSGDUCB, TwoPointUCB (anytime)",
    source="proof in the book",
    status="proved",
    needs=("drift p u on |u| <= D (C(lam, D, p)), tau = lam/p", "an interval that holds mu"),
    rate="sum tau^2 ln T / gap",
)
def score_anytime_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, tau: float = 1.0, sides: int = 2
) -> Any:
    """Regret of the index x_n + tau sqrt(2 ln f(t) / n), f(t) = 1 + t ln^2 t, t = 1, 2, ...

    sum of gap + (tau^2/gap) ((5A)^{1/3} + c0^{1/3})^3 with
    c0 = 2 (ln f(T) + A sqrt(pi ln f(T)) + A): the least over 0 < x < gap of
    gap (1 + 5 A tau^2/x^2 + c0 tau^2/(gap - x)^2).

    Parameters
    ----------
    gaps, horizon, tau, sides
        As in :func:`score_regret`.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(score_anytime_regret([0.0, 1.0], 10_000, tau=1.0), 2)
    218.52
    """
    bad, total, _, _ = _checked(gaps, horizon, tau, 0, 0.0)
    a = _sides(sides)
    c = np.log1p(total * np.log(total) ** 2)
    c0 = 2 * (c + a * np.sqrt(np.pi * c) + a)
    factor = ((5 * a) ** (1 / 3) + c0 ** (1 / 3)) ** 3
    with np.errstate(over="ignore"):
        return as_output((bad + tau * (tau / bad) * factor[..., None]).sum(axis=-1))


@bound(
    algorithm="SignSGDUCB, ClipSGDUCB, TwoPointUCB (all counts at once)",
    source="proof in the book",
    status="proved",
    needs=("drift p u on |u| <= D (C(lam, D, p)), tau = lam/p", "localisation missed w.p. miss"),
    rate="sum tau^2 ln T / gap",
)
def score_uniform_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    tau: float = 1.0,
    delta: ArrayLike | None = None,
    pulls: int = 0,
    miss: ArrayLike = 0.0,
) -> Any:
    """Regret of the index x_k + tau sqrt((2 ln(1/delta) + H_k) / k), delta = 1/T by default.

    sum of gap * (pulls + 2 T miss + u + 2 T delta), u the first k at which twice the radius is
    below the gap; where there is none up to T, T alone.

    Parameters
    ----------
    gaps, horizon, tau, pulls, miss
        As in :func:`score_regret`.
    delta : array_like, optional
        Failure probability of one arm's interval at any count; 1/T (1/2 at T = 1) if not given.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(score_uniform_regret([0.0, 1.0], 10_000, tau=1.0), 2)
    97.0
    """
    bad, total, extra, wide = _checked(gaps, horizon, tau, pulls, miss)
    levels = 1 / np.maximum(total, 2.0) if delta is None else as_delta(delta, total)
    enough = _first_short(bad, tau, np.log(1 / levels)[..., None], wide)
    count = np.where(enough <= wide, extra + enough + 2 * wide * levels[..., None], wide)
    return as_output((bad * count).sum(axis=-1))


def _first_short(bad: FloatArray, tau: float, level: FloatArray, most: FloatArray) -> FloatArray:
    """First k with 4 tau^2 (2 level + H_k) / k < gap^2, by bisection; above `most` if none."""
    goal = BELOW * (bad / (2 * tau)) ** 2
    low = np.zeros(np.broadcast_shapes(goal.shape, level.shape))
    high = np.broadcast_to(most + 1, low.shape)
    while (high - low > 1).any():
        middle = np.maximum(np.floor((low + high) / 2), 1.0)
        short = (2 * level + harmonic(middle)) / middle < goal
        open_ = high - low > 1
        high = np.where(open_ & short, middle, high)
        low = np.where(open_ & ~short, middle, low)
    return high
