"""Bounds as printed that do not hold: kept to be shown beside what does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_gaps, as_horizon, as_output, moment_order, positive
from hbucb.assumptions import bound

__all__ = [
    "robust_ucb_printed",
    "robust_ucb_truncated_printed",
    "thm10_instance",
    "thm10_worst",
]


@bound(
    algorithm="Clipped-SGD-UCB (step tuned to the horizon)",
    source="Dorn et al. 2024, Theorem 10 (bound with the gaps), as printed",
    status="refuted",
    needs=("symmetric noise", "finite variance of the aggregated gradient"),
    rate="sum ln^3 T / gap",
)
def thm10_instance(
    gaps: ArrayLike, horizon: ArrayLike, *, rho: float = 1.0, c: float = 5400.0
) -> Any:
    """The printed bound sum [gap + 8 c ln(4T(T+1)^2) ln^2((T+1)T rho^2) / gap]; it is false.

    Kept to show: with the step size it names, the regret grows like T^{2/3} (page "All bounds").

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
    rho : float
        Radius of the known ball around the start (the logarithm is not free of units).
    c : float
        5400 sigma^2, squared reward units.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> f"{thm10_instance([0, 1.0], 10_000):.3e}"
    '4.254e+08'
    """
    positive("rho", rho)
    positive("c", c)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    log = np.log(4 * total * (total + 1) ** 2) * np.log((total + 1) * total * rho**2) ** 2
    with np.errstate(over="ignore"):
        return as_output((bad + 8 * c * log[..., None] / bad).sum(axis=-1))


@bound(
    algorithm="Clipped-SGD-UCB (step tuned to the horizon)",
    source="Dorn et al. 2024, Theorem 10 (bound with the root), as printed",
    status="refuted",
    needs=("symmetric noise", "finite variance of the aggregated gradient"),
    rate="sqrt(K T) ln^{3/2} T",
)
def thm10_worst(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    rho: float = 1.0,
    c: float = 5400.0,
    constant: float = 4.0,
) -> Any:
    """The printed worst case: 4 ln((T+1)T rho^2) sqrt(c ln(4T(T+1)^2) T K) + sum of gaps.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
    rho, c : float
        As in :func:`thm10_instance`.
    constant : float
        4 as printed; the printed argument gives 4 sqrt(2), Jensen's inequality 2 sqrt(2).

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> f"{thm10_worst([0, 1.0], 10_000):.3e}"
    '4.125e+06'
    """
    positive("rho", rho)
    positive("c", c)
    positive("constant", constant)
    values, total = as_gaps(gaps), as_horizon(horizon)
    root = np.sqrt(c * np.log(4 * total * (total + 1) ** 2) * total * values.size)
    return as_output(constant * np.log((total + 1) * total * rho**2) * root + values.sum())


@bound(
    algorithm="Robust UCB (any robust mean, delta = t^-2)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1, as printed",
    status="refuted",
    needs=("P(|estimate - EX| > v^{1/(1+eps)} (c ln(1/delta)/n)^{eps/(1+eps)}) <= delta",),
    rate="sum (v/gap)^{1/eps} ln T",
)
def robust_ucb_printed(
    gaps: ArrayLike, horizon: ArrayLike, *, eps: float, v: float, c: float
) -> Any:
    """The printed bound sum over gap > 0 of [2 c (v/gap)^{1/eps} ln T + 5 gap]; it is false.

    Its coefficient lacks the factor 2^{(1+eps)/eps} that solving 2 r(n) < gap brings.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
    eps : float
        Moment order above one, in (0, 1].
    v, c : float
        The constants of the estimator's radius v^{1/(1+eps)} (c ln(1/delta)/n)^{eps/(1+eps)}.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_printed([0, 1.0], 10**6, eps=1.0, v=16.0, c=1.0), 1)
    447.1
    """
    moment_order(eps)
    positive("v", v)
    positive("c", c)
    values, total = as_gaps(gaps), as_horizon(horizon)
    bad = values[values > 0]
    with np.errstate(over="ignore"):
        pulls = 2 * c * (v / bad) ** (1 / eps) * np.log(total)[..., None]
        return as_output((pulls + 5 * bad).sum(axis=-1))


@bound(
    algorithm="Robust UCB (truncated mean, delta = t^-2)",
    source="Bubeck, Cesa-Bianchi & Lugosi 2013, Proposition 1 with Lemma 1, as printed",
    status="refuted",
    needs=("E|X|^{1+eps} <= u of the reward itself",),
    rate="sum (u/gap)^{1/eps} ln T",
)
def robust_ucb_truncated_printed(
    gaps: ArrayLike, horizon: ArrayLike, *, eps: float, u: float
) -> Any:
    """The printed bound sum over gap > 0 of [8 (4u/gap)^{1/eps} ln T + 5 gap]; it is false.

    Two arms that pay 0 and -1, always, exceed it (chapter "Robust UCB").

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
    eps, u : float
        Moment order above one, in (0, 1], and bound on E|X|^{1+eps}.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(robust_ucb_truncated_printed([0, 1.0], 10**6, eps=1.0, u=1.0), 1)
    447.1
    """
    moment_order(eps)
    positive("u", u)
    return robust_ucb_printed(gaps, horizon, eps=eps, v=4 ** (1 + eps) * u, c=1.0)
