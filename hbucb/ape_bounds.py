"""The regret bound of APE with exponential perturbation.

Conventions as in :mod:`hbucb.theory`. Proof: the book's page "All bounds".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_gaps, as_horizon, as_output, is_plain, positive
from hbucb.assumptions import bound

__all__ = ["ape_regret"]


@bound(
    source="after Lee, Yang, Lim and Oh 2020, Theorem 2",
    status="proved",
    needs=("E|X|^p <= nu of the rewards", "a common mean of the noise"),
    rate="sum (c ln T)^{p/(p-1)} / gap^{1/(p-1)}",
    algorithm="APE (exponential perturbation)",
)
def ape_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    p: float = 2.0,
    c: float = 1.0,
    nu: float = 1.0,
    scale: float = 2.0,
    growth: float = 1.0,
) -> Any:
    """Regret of APE whose perturbation is exponential with mean ``scale``.

    Sum over the gaps of gap * (2 + growth (3c/gap)^r [(scale ln T)^r + e^(b nu/c^p) Gamma(1 + r)
    scale/(scale - 1)]), r = p/(p-1), and never above the gap times T; b is the coefficient of
    :class:`~hbucb.estimators.PRobustMean`.

    Parameters
    ----------
    gaps : array_like (arms,)
        Reward units.
    horizon : array_like of int
        T.
    p, c, nu : float
        Order of the moment, in (1, 2]; scale of the influence, reward units; bound on E|X|^p.
    scale : float
        Mean of the perturbation, above 1: with lighter tails an arm that looks bad once may never
        come back.
    growth : float
        Factor between two estimates of an arm, >= 1.

    Returns
    -------
    float or ndarray
        Reward units; inf beyond the range of floats.

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> round(ape_regret([0.0, 1.0], 100_000), 1)
    4833.1
    """
    from hbucb.estimators.p_robust import PRobustMean

    values, total = as_gaps(gaps), as_horizon(horizon)
    b = PRobustMean(p, c, nu).b
    positive("scale", scale)
    if scale <= 1:
        raise ValueError(f"scale = {scale!r} must be above 1")
    if not (is_plain(growth) and 1 <= growth <= 2):
        raise ValueError(f"growth = {growth!r} must be in [1, 2]")
    r = p / (p - 1)
    bad = values[values > 0]
    with np.errstate(over="ignore"):
        wide = np.power(scale * np.log(total), r)[..., None]
        unlucky = _exp(b * nu / c**p) * _gamma(1 + r) * scale / (scale - 1)
        pulls = 2 + growth * np.power(3 * c / bad, r) * (wide + unlucky)
    return as_output((bad * np.minimum(pulls, total[..., None])).sum(axis=-1))


def _exp(x: float) -> float:
    return math.exp(x) if x < 700 else math.inf


def _gamma(x: float) -> float:
    return math.gamma(x) if x < 170 else math.inf
