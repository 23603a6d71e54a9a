"""Theorem 10 of the first paper, corrected: clipped SGD in restarted runs, with all constants."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_output, positive
from hbucb.assumptions import bound
from hbucb.optimizers.last_iterate import SHARPER

__all__ = ["thm10_corrected_instance", "thm10_corrected_worst"]

_NEEDS = (
    "noise symmetric, or of mean 0 where the batch is a mean",
    "gradients of variance at most sigma^2",
    "all locations within rho of the start",
)


def _logs(
    gaps: ArrayLike, horizon: ArrayLike, rho: float, sigma: float, batch: int
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Gaps, T, the number k of updates, L_T and the logarithm h_T, the last four by horizon."""
    positive("rho", rho)
    positive("sigma", sigma)
    if isinstance(batch, bool) or batch < 1 or batch % 1:
        raise ValueError(f"batch is {batch!r}; an integer >= 1 is allowed")
    values, total = as_gaps(gaps), as_horizon(horizon)
    if values.max() > 2 * rho:
        raise ValueError(
            f"gaps is {values.tolist()}; none can exceed 2 rho = {2 * rho:g} if all locations are "
            "within rho of the start"
        )
    updates = np.maximum(np.floor(total / batch), 2.0)
    runs = np.log2(updates)
    certainty = np.log(4 * updates**2 * (1 + runs) * (2 + runs))
    size = updates * rho**2 / (SHARPER[2] * sigma**2 * np.log(4 * updates))
    forgetting = np.maximum(1.0, np.log(size))
    return values, total, updates, certainty, forgetting


@bound(
    algorithm="Clipped-SGD-UCB (restarted runs)",
    source="Dorn et al. 2024, Theorem 10 (bound with the gaps), corrected",
    status="corrected",
    needs=_NEEDS,
    rate="sum ln^3 T / gap",
)
def thm10_corrected_instance(
    gaps: ArrayLike, horizon: ArrayLike, *, rho: float, sigma: float, batch: int = 1
) -> Any:
    """Regret of FO-UCB with restarted clipped SGD, in closed form.

    b sum over gap > 0 of [2 gap + 1344 sigma^2 L h^2 / gap + 72 L gap ln(8 rho^2 / gap^2)]
    + (b - 1) max gap, with k = max(2, floor(T / b)) updates,
    L = ln(4 k^2 (1 + log2 k)(2 + log2 k)) and h = max(1, ln(k rho^2 / (42 sigma^2 ln(4k)))).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
        T, in pulls.
    rho : float
        Bound on |x_0 - location| of every arm, reward units.
    sigma : float
        Bound on the standard deviation of a gradient, reward units.
    batch : int
        b, rewards of one gradient.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        If a gap exceeds 2 rho, or a parameter is out of range.

    Notes
    -----
    The policy is ``FOUCB(g.method(delta), g, delta)`` with ``g = RestartedG(rho, sigma, m, n)`` and
    delta = 1/k; its ``regret_bound`` inverts g exactly and, where that is below the trivial
    bound, it is never larger than this.

    Examples
    --------
    >>> f"{thm10_corrected_instance([0, 1.0], 10**8, rho=1.0, sigma=1.0):.3e}"
    '8.263e+06'
    """
    values, _, _, certainty, forgetting = _logs(gaps, horizon, rho, sigma, batch)
    bad = values[values > 0]
    c_gamma, _, c_noise = SHARPER
    noise = 32 * c_noise * sigma**2 * (certainty * forgetting**2)[..., None] / bad
    start = 4 * c_gamma * certainty[..., None] * bad * np.log(8 * rho**2 / bad**2)
    inner = (2 * bad + noise + start).sum(axis=-1)
    return as_output(batch * inner + (batch - 1) * values.max())


@bound(
    algorithm="Clipped-SGD-UCB (restarted runs)",
    source="Dorn et al. 2024, Theorem 10 (bound with the root), corrected",
    status="corrected",
    needs=_NEEDS,
    rate="sqrt(K T) ln^{3/2} T",
)
def thm10_corrected_worst(
    gaps: ArrayLike, horizon: ArrayLike, *, rho: float, sigma: float, batch: int = 1
) -> Any:
    """The same for any gaps: sigma h sqrt(1344 L (K-1) k) + (2 + 72 L ln k) sum gap + rho sqrt(8k).

    All times b, plus (b - 1) max gap; k, L and h as in :func:`thm10_corrected_instance`.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Used for K, the sum and the largest gap.
    horizon : array_like of int
    rho, sigma, batch
        As in :func:`thm10_corrected_instance`.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        As in :func:`thm10_corrected_instance`.

    Examples
    --------
    >>> f"{thm10_corrected_worst([0, 1.0], 10**8, rho=1.0, sigma=1.0):.3e}"
    '2.882e+07'
    """
    values, _, updates, certainty, forgetting = _logs(gaps, horizon, rho, sigma, batch)
    c_gamma, _, c_noise = SHARPER
    root = np.sqrt(32 * c_noise * certainty * (values.size - 1) * updates)
    start = (2 + 4 * c_gamma * certainty * np.log(updates)) * values.sum()
    inner = sigma * forgetting * root + start + rho * np.sqrt(8 * updates)
    return as_output(batch * inner + (batch - 1) * values.max())
