"""Regret bounds for rewards in [0, 1], as pure functions (the policies import and check them).

Conventions as in :mod:`hbucb.theory`: upper bounds on the expected pseudo-regret, not capped, inf
beyond the range of floats.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_gaps, as_horizon, as_numbers, as_output, positive
from hbucb.assumptions import bound
from hbucb.conversions import gap_free
from hbucb.orders import hardness_of_arms

__all__ = [
    "moss_regret",
    "ocucb_regret",
    "ucb1_gap_free",
    "ucb1_regret",
    "ucbv_regret",
]

_SERIES = 1 + math.pi**2 / 3


@bound(
    algorithm="UCB1",
    source="Auer, Cesa-Bianchi & Fischer 2002, Theorem 1",
    status="proved",
    needs=("rewards in [0, 1]", "noise of one finite mean"),
    rate="sum ln T / gap",
)
def ucb1_regret(gaps: ArrayLike, horizon: ArrayLike) -> Any:
    """Regret of UCB1: sum over gap > 0 of 8 ln T / gap + (1 + pi^2/3) gap.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(ucb1_regret([0.0, 0.5], 1000), 3)
    112.669
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    with np.errstate(over="ignore", invalid="ignore"):
        log = np.log(total)[..., None]
        lead = np.where(log > 0, 8 * log / bad, 0.0)
        return as_output((lead + _SERIES * bad).sum(axis=-1))


@bound(
    algorithm="UCB1",
    source="from the gap bound of Auer, Cesa-Bianchi & Fischer 2002 by Jensen's inequality",
    status="proved",
    needs=("rewards in [0, 1]", "noise of one finite mean"),
    rate="sqrt(K T ln T)",
)
def ucb1_gap_free(gaps: ArrayLike, horizon: ArrayLike) -> Any:
    """Regret of UCB1 at its worst gaps: sqrt(8 (K-1) T ln T) + (1 + pi^2/3) sum of gaps.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Their number K, and their sum in the second term.
    horizon : array_like of int
        T.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(ucb1_gap_free([0.0, 0.5], 1000), 3)
    237.224
    """
    log = np.log(as_horizon(horizon))
    return gap_free(8 * log, 2, gaps, horizon, extra=_SERIES)


@bound(
    algorithm="UCB-V (zeta = 1.2, c = 1)",
    source="Audibert, Munos & Szepesvari 2009, Theorem 4 with its constants",
    status="stated",
    needs=("rewards in [0, b]", "noise of one finite mean", "the variance of each arm"),
    rate="sum (variance / gap + b) ln T",
)
def ucbv_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, variances: ArrayLike, b: float = 1.0
) -> Any:
    """Regret of UCB-V with zeta = 1.2 and c = 1: 10 ln T times sum of variance / gap + 2 b.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    variances : float or array_like, shape (arms,)
        Variance of each arm's rewards, or one for all; at most b^2/4.
    b : float
        Range of the rewards.

    Returns
    -------
    float or ndarray
        Reward units; inf at T = 1, where the theorem is silent.

    Raises
    ------
    ValueError
        If `variances` is not one number in [0, b^2/4] an arm.

    Examples
    --------
    >>> round(ucbv_regret([0.0, 0.5], 1000, variances=[0.25, 0.05]), 3)
    145.063
    """
    positive("b", b)
    values, total = as_gaps(gaps), as_horizon(horizon)
    spread = as_numbers("variances", variances, "give one number an arm")
    if spread.ndim == 0:
        spread = np.full(values.shape, spread)
    if spread.shape != values.shape or not ((spread >= 0) & (spread <= b * b / 4 + 1e-12)).all():
        raise ValueError(f"variances is {variances!r}; give one in [0, b^2/4 = {b * b / 4}] an arm")
    bad = values > 0
    with np.errstate(over="ignore"):
        factor = float((spread[bad] / values[bad] + 2 * b).sum())
    if not factor:
        return as_output(np.zeros(total.shape))
    return as_output(np.where(total > 1, 10 * factor * np.log(total), np.inf))


@bound(
    algorithm="MOSS",
    source="Audibert & Bubeck 2009, Theorem 5",
    status="stated",
    needs=("rewards in [0, 1]", "noise of one finite mean", "T known to the index"),
    rate="sqrt(K T)",
)
def moss_regret(gaps: ArrayLike, horizon: ArrayLike) -> Any:
    """Regret of MOSS at any gaps: 49 sqrt(K T).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Only their number K counts.
    horizon : array_like of int
        T.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> moss_regret([0.0, 0.5], 20_000)
    9800.0
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    return as_output(49 * np.sqrt(values.size * total))


@bound(
    algorithm="OCUCB",
    source="Lattimore 2015, Theorem 1, whose constant C is not printed as a number",
    status="stated",
    needs=("1-sub-Gaussian rewards", "alpha > 2 and psi >= 2", "the number C(alpha)"),
    rate="sum ln(T / H) / gap",
)
def ocucb_regret(gaps: ArrayLike, horizon: ArrayLike, *, constant: float = 1.0) -> Any:
    """Regret of OCUCB: C times sum over gap > 0 of gap + max(1, ln(T/H_i)) / gap.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    constant : float
        C, which depends on alpha. The paper proves that one exists and names none: with the
        default 1 this is an order and not a bound.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(ocucb_regret([0.0, 0.5], 1000), 3)
    10.157
    """
    positive("constant", constant)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values > 0
    with np.errstate(over="ignore", divide="ignore"):
        share = np.log(total[..., None] / hardness_of_arms(values))
        each = values[bad] + np.maximum(share, 1.0) / values[bad]
        return as_output(constant * each.sum(axis=-1))
