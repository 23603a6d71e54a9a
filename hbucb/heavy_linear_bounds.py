"""Regret of linear bandits whose rewards have moments of order 1 + eps only.

Conventions as in :mod:`hbucb.theory`; ``gaps`` are those of all contexts and arms in one row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_output, moment_order
from hbucb.assumptions import bound
from hbucb.linear.widths import log_det_limit
from hbucb.linear_bounds import elliptic_sum, optimistic_regret
from hbucb.validate import nonnegative, open_probability, positive, whole_number

__all__ = ["crt_level", "crt_regret", "menu_regret", "tofu_regret"]


def _log_inverse(delta: float | None, total: FloatArray) -> Any:
    return np.log(total) if delta is None else -np.log(open_probability("delta", delta))


def crt_level(
    horizon: ArrayLike,
    *,
    dim: int,
    eps: float,
    v: float,
    feature_bound: float = 1.0,
    regulariser: float = 1.0,
    delta: float | None = None,
) -> Any:
    """The level b of CRT: b^(1 + eps) = v sqrt(T / (2 log(1 / delta) + d log(1 + T L^2 / (nu d)))).

    Examples
    --------
    >>> round(crt_level(10_000, dim=3, eps=1.0, v=4.0), 2)
    7.82
    """
    moment_order(eps)
    total = as_horizon(horizon)
    grown = np.asarray(log_det_limit(total, dim, feature_bound, regulariser))
    log = 2 * _log_inverse(delta, total) + grown
    return as_output((positive("v", v) * np.sqrt(total / log)) ** (1 / (1 + eps)))


@bound(
    algorithm="CRT (LinUCB on truncated rewards)",
    source="after Medina & Yang 2016; proof with these constants in the book",
    status="proved",
    needs=("E|y|^(1+eps) <= v for every reward", "|theta| <= B", "features of length <= L"),
    rate="d T^((2+eps)/(2+2 eps)) up to logarithms",
)
def crt_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int,
    eps: float = 1.0,
    v: float = 1.0,
    feature_bound: float = 1.0,
    theta_bound: float = 1.0,
    regulariser: float = 1.0,
    level: float | None = None,
    delta: float | None = None,
) -> Any:
    """Expected regret of CRT: as for LinUCB, with r = b sqrt(...) + sqrt(T) v / b^eps + sqrt(nu) B.

    Parameters
    ----------
    eps, v : float
        Moment order above one, and the bound on the moment of the rewards.
    level : float, optional
        b, reward units; :func:`crt_level` if not given.
    gaps, horizon, dim, feature_bound, theta_bound, regulariser, delta
        As in :func:`hbucb.linear_bounds.lin_ucb_regret`.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> round(crt_regret([0.0, 1.0], 10**8, dim=3, v=0.1) / 10**8, 4)
    0.1142
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    moment_order(eps)
    log = _log_inverse(delta, total)
    if level is None:
        options: dict[str, Any] = {"eps": eps, "v": v, "delta": delta, "dim": dim}
        options |= {"feature_bound": feature_bound, "regulariser": regulariser}
        cut = np.asarray(crt_level(total, **options))
    else:
        cut = np.asarray(positive("level", level))
    grown = np.asarray(log_det_limit(total, dim, feature_bound, regulariser))
    lead = np.sqrt(positive("regulariser", regulariser)) * nonnegative("theta_bound", theta_bound)
    radius = cut * np.sqrt(2 * log + grown) + np.sqrt(total) * positive("v", v) / cut**eps + lead
    spread = np.asarray(elliptic_sum(total, dim, feature_bound, regulariser))
    return as_output(optimistic_regret(values, total, radius, spread, np.exp(-log)))


@bound(
    algorithm="TOFU",
    source="after Shao, Yu, King & Lyu 2018, Theorem 3; the radius is proved for fixed features",
    status="stated",
    needs=("E|y|^(1+eps) <= v for every reward", "|theta| <= B", "features of length <= L"),
    rate="d T^(1/(1+eps)) up to logarithms",
)
def tofu_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int,
    eps: float = 1.0,
    v: float = 1.0,
    feature_bound: float = 1.0,
    theta_bound: float = 1.0,
    regulariser: float = 1.0,
    delta: float | None = None,
) -> Any:
    """Regret of TOFU if its ellipsoids hold: as for LinUCB, with its radius at the horizon.

    That they hold is proved for features fixed in advance only, which a policy's are not;
    :func:`crt_regret` has a radius that is proved however the features are chosen.

    Parameters
    ----------
    gaps, horizon, dim, eps, v, feature_bound, theta_bound, regulariser, delta
        As in :func:`crt_regret`.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> round(tofu_regret([0.0, 1.0], 10**8, dim=3, v=0.1) / 10**8, 4)
    0.0006
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    moment_order(eps)
    dim, log = whole_number(dim, "dim", 1), _log_inverse(delta, total)
    many = np.log(2 * dim * total) + log
    noise = positive("v", v) ** (1 / (1 + eps)) * many ** (eps / (1 + eps))
    lead = np.sqrt(positive("regulariser", regulariser)) * nonnegative("theta_bound", theta_bound)
    radius = 4 * np.sqrt(dim) * noise * total ** ((1 - eps) / (2 * (1 + eps))) + lead
    spread = np.asarray(elliptic_sum(total, dim, feature_bound, regulariser))
    return as_output(optimistic_regret(values, total, radius, spread, np.exp(-log)))


@bound(
    algorithm="MENU",
    source="after Shao, Yu, King & Lyu 2018, Theorem 2; the radius is proved for fixed features",
    status="stated",
    needs=("E|noise|^(1+eps) <= v", "|theta| <= B", "features of length <= L", "one context"),
    rate="d T^(1/(1+eps)) up to logarithms",
)
def menu_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int,
    eps: float = 1.0,
    v: float = 1.0,
    feature_bound: float = 1.0,
    theta_bound: float = 1.0,
    regulariser: float = 1.0,
    delta: float | None = None,
) -> Any:
    """Regret of MENU with k of the theorem if its ellipsoids hold: 2 k r sqrt(N W) + k D.

    N = T / k epochs (rounded down), the last of which may be unfinished and is paid in full. That
    the ellipsoids hold is proved for features fixed in advance only, as for :func:`tofu_regret`.

    Parameters
    ----------
    gaps, horizon, dim, eps, v, feature_bound, theta_bound, regulariser, delta
        As in :func:`crt_regret`; v bounds the moment of the noise.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> round(menu_regret([0.0, 1.0], 10**8, dim=3, v=0.1) / 10**8, 3)
    0.104
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    moment_order(eps)
    dim, log = whole_number(dim, "dim", 1), _log_inverse(delta, total)
    k = np.ceil(24 * (1 + np.log(total) + log))
    epochs = np.maximum(np.floor(total / k), 1.0)
    lead = np.sqrt(positive("regulariser", regulariser)) * nonnegative("theta_bound", theta_bound)
    noise = (9 * dim * positive("v", v)) ** (1 / (1 + eps))
    radius = 3 * (noise * epochs ** ((1 - eps) / (2 * (1 + eps))) + lead)
    spread = np.asarray(elliptic_sum(epochs, dim, feature_bound, regulariser))
    largest = values.max()
    whole = k * optimistic_regret(values, epochs, radius, spread, np.exp(-log)) + k * largest
    return as_output(np.minimum(whole, total * largest))
