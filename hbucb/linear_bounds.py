"""Regret of linear bandits: optimism over an ellipsoid, and Thompson sampling over its prior.

Conventions as in :mod:`hbucb.theory`; ``gaps`` are those of all contexts and arms in one row.
Both rest on one lemma: with w_t = |phi_t|_{V_{t-1}^-1}, sum w_t^2 <= c d log(1 + T L^2 / (nu d)),
c = (L^2 / nu) / log(1 + L^2 / nu).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_output
from hbucb.assumptions import AssumptionError, Predicate, bound, check
from hbucb.linear.widths import log_det_limit
from hbucb.noise import Noise
from hbucb.validate import nonnegative, open_probability, positive, whole_number

__all__ = [
    "check_linear",
    "elliptic_sum",
    "lin_ts_bayes_regret",
    "lin_ucb_regret",
    "optimistic_regret",
]


@dataclass(frozen=True)
class _Cells:
    """A bandit's contexts and arms in one row, as the predicates look at arms."""

    laws: tuple[Noise, ...]
    loc: np.ndarray


def check_linear(
    bandit: Any,
    predicates: Sequence[Predicate],
    of: str,
    declare: Sequence[str],
    theta_bound: float,
) -> float:
    """The longest feature of a linear bandit that a theorem covers, or an AssumptionError."""
    if getattr(bandit, "theta", None) is None:
        raise AssumptionError(f"{of} is about linear bandits; this one has no features")
    length = float(np.linalg.norm(bandit.theta))
    if length > theta_bound * (1 + 1e-12):
        raise AssumptionError(
            f"{of} needs |theta| <= theta_bound = {theta_bound:g}; it is {length:.6g}"
        )
    cells = _Cells((bandit.noise,) * bandit.loc.size, bandit.loc.ravel())
    check(cells, predicates, of, declare)
    return float(np.linalg.norm(bandit.features, axis=2).max())


def elliptic_sum(horizon: ArrayLike, dim: int, feature_bound: float, regulariser: float) -> Any:
    """An upper bound on sum_t |phi_t|^2_{V_{t-1}^-1} over ``horizon`` rounds (no unit).

    Each term is at most x = L^2 / nu, where w <= x log(1 + w) / log(1 + x), and the logarithms add
    up to log det(V / nu).

    Examples
    --------
    >>> round(elliptic_sum(1000, 3, 1.0, 1.0), 2)
    25.16
    """
    ratio = positive("feature_bound", feature_bound) ** 2 / positive("regulariser", regulariser)
    limit = log_det_limit(horizon, dim, feature_bound, regulariser)
    return as_output(ratio / np.log1p(ratio) * np.asarray(limit))


def optimistic_regret(
    gaps: FloatArray, total: FloatArray, radius: Any, spread: Any, failure: Any
) -> FloatArray:
    """Regret of optimism whose ellipsoids hold but for ``failure``: the least of three bounds.

    2 r sqrt(T W) by Cauchy and Schwarz, 4 r^2 W / Delta by the smallest gap (both with
    failure * T * D more), and T D.
    """
    largest = gaps.max()
    if not largest:
        return np.zeros_like(total)
    smallest = gaps[gaps > 0].min()
    with np.errstate(over="ignore"):  # a gap so small that its bound is infinite
        by_gap = 4 * radius**2 * spread / smallest
    optimistic = np.minimum(2 * radius * np.sqrt(total * spread), by_gap)
    return np.minimum(optimistic + failure * total * largest, total * largest)


@bound(
    algorithm="LinUCB (OFUL)",
    source="after Abbasi-Yadkori, Pal & Szepesvari 2011, Theorem 3; proof in the book",
    status="proved",
    needs=("sub-Gaussian noise", "|theta| <= B", "features of length <= L"),
    rate="d sqrt(T) log T; d^2 log^2 T / smallest gap",
)
def lin_ucb_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int,
    sigma: float = 1.0,
    feature_bound: float = 1.0,
    theta_bound: float = 1.0,
    regulariser: float = 1.0,
    delta: float | None = None,
) -> Any:
    """Expected regret of LinUCB with the self-normalised width, the least of three bounds.

    With W = :func:`elliptic_sum` and r the radius with log det at its limit:
    2 r sqrt(T W) + delta T D, 4 r^2 W / Delta + delta T D, and T D, where D is the largest and
    Delta the smallest positive gap.

    Parameters
    ----------
    gaps : array_like (arms,)
        Of all contexts and arms in one row.
    horizon : array_like of int
        T.
    dim : int
        d.
    sigma : float
        Sub-Gaussian scale, reward units.
    feature_bound, theta_bound : float
        L and B, the largest lengths of a feature and of theta.
    regulariser : float
        nu.
    delta : float, optional
        Failure probability of the ellipsoids; 1 / T if not given.

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
    >>> round(lin_ucb_regret([0.0, 0.2], 10_000, dim=3, sigma=0.1), 1)
    1920.9
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    sigma, dim = positive("sigma", sigma), whole_number(dim, "dim", 1)
    level = np.log(total) if delta is None else -np.log(open_probability("delta", delta))
    lead = np.sqrt(positive("regulariser", regulariser)) * nonnegative("theta_bound", theta_bound)
    limit = np.asarray(log_det_limit(total, dim, feature_bound, regulariser))
    radius = sigma * np.sqrt(2 * level + limit) + lead
    spread = np.asarray(elliptic_sum(total, dim, feature_bound, regulariser))
    return as_output(optimistic_regret(values, total, radius, spread, np.exp(-level)))


@bound(
    algorithm="LinTS (average over its prior)",
    source="after Russo & Van Roy 2014, with constants; proof in the book",
    status="proved",
    needs=(
        "Gaussian noise of standard deviation sigma",
        "theta drawn from the prior N(0, sigma^2 / nu I)",
        "features of length <= L",
    ),
    rate="d sqrt(T) log T",
)
def lin_ts_bayes_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int,
    sigma: float = 1.0,
    feature_bound: float = 1.0,
    regulariser: float = 1.0,
) -> Any:
    """Mean regret of LinTS(scale="posterior") over the thetas of its prior.

    sigma sqrt(2 log(K T) T W) + sigma L / sqrt(2 pi nu), with W = :func:`elliptic_sum` and K arms
    in a context. It is no bound for a single bandit, so no policy's ``regret_bound`` returns it.

    Parameters
    ----------
    gaps : array_like (arms,)
        Only their number K counts: the arms of one context.
    horizon : array_like of int
        T.
    sigma : float
        Standard deviation of the noise, reward units.
    dim, feature_bound, regulariser
        As in :func:`lin_ucb_regret`.

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
    >>> round(lin_ts_bayes_regret([0.0] * 5, 10_000, dim=3, sigma=0.1), 1)
    275.7
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    sigma = positive("sigma", sigma)
    spread = np.asarray(elliptic_sum(total, dim, feature_bound, regulariser))
    tail = sigma * feature_bound / np.sqrt(2 * np.pi * regulariser)
    main = sigma * np.sqrt(2 * np.log(values.size * total) * total * spread)
    return as_output(main + tail)
