"""Regret bounds of round elimination with equal pulls: UCB-Improved and Median Elimination.

Conventions as in :mod:`hbucb.theory`. Proofs: the chapter on elimination.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_output, positive
from hbucb.assumptions import bound
from hbucb.validate import open_probability

__all__ = [
    "last_round",
    "median_elimination_counts",
    "median_elimination_regret",
    "ucb_improved_regret",
]


def last_round(horizon: float) -> int:
    """floor(log2(T/e) / 2), the last round of UCB-Improved and EUCBV; -1 where T < e allows none.

    Examples
    --------
    >>> last_round(60_000), last_round(400_000), last_round(2)
    (7, 8, -1)
    """
    return math.floor(0.5 * math.log2(horizon / math.e)) if horizon >= 3 else -1


def unit_gaps(gaps: ArrayLike) -> FloatArray:
    """Checked gaps of arms whose rewards lie in [0, 1]; ValueError for a gap above 1."""
    values = as_gaps(gaps)
    if values.max() > 1:
        raise ValueError(f"gaps is {values.tolist()}; rewards in [0, 1] have gaps of at most 1")
    return values


@bound(
    algorithm="UCB-Improved",
    source="Auer & Ortner 2010, Theorem 3.1",
    status="proved",
    needs=("rewards in [0, 1]", "horizon known"),
    rate="sum ln(T gap^2) / gap",
)
def ucb_improved_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, threshold: float | None = None
) -> Any:
    """Regret of UCB-Improved: its theorem at one threshold, or at the best one.

    sum over gap > lambda of (gap + 32 ln(T gap^2)/gap + 96/gap) + sum over 0 < gap <= lambda of
    64/lambda + T times the largest gap <= lambda, for any lambda >= sqrt(e/T).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        At most 1, reward units.
    horizon : array_like of int
        T.
    threshold : float, optional
        lambda, reward units. None takes the infimum over all of them; the infimum over large
        lambda is T times the largest gap, which is always true.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        Besides the usual: if `threshold` is below sqrt(e/T).

    Examples
    --------
    >>> round(ucb_improved_regret([0.0, 0.5], 100_000, threshold=0.1), 2)
    840.6
    >>> round(ucb_improved_regret([0.0, 0.5], 1_000), 2)
    500.0
    """
    values, total = unit_gaps(gaps), as_horizon(horizon)
    bad = np.sort(values[values > 0])
    if threshold is not None:
        positive("threshold", threshold)
        least = math.sqrt(math.e / total.min(initial=math.inf))
        if threshold < least:
            raise ValueError(f"threshold is {threshold!r}; at least sqrt(e/T) = {least:.6g}")
        split = float(threshold)
        return as_output(_at_threshold(bad[bad > split], bad[bad <= split], split, total))
    best = np.full(total.shape, bad.max(initial=0.0)) * total
    for level in np.unique(bad).tolist():
        if (level**2 * total <= math.e).all():
            continue
        # The limit of thresholds that come up to this gap from below.
        here = _at_threshold(bad[bad >= level], bad[bad < level], level, total)
        best = np.where(level**2 * total > math.e, np.minimum(best, here), best)
    return as_output(best)


def _at_threshold(
    large: FloatArray, small: FloatArray, threshold: float, total: FloatArray
) -> FloatArray:
    t = total[..., None]
    log = np.log(np.maximum(t * large**2, 1.0))
    above = (large + (32 * log + 96) / large).sum(axis=-1)
    return above + 64 * small.size / threshold + small.max(initial=0.0) * total


def median_elimination_counts(arms: int, *, eps: float, delta: float) -> np.ndarray:
    """Pulls of each survivor in every round of Median Elimination, shape (rounds,).

    Examples
    --------
    >>> median_elimination_counts(100, eps=0.1, delta=0.1)[:2].tolist()
    [26204, 54472]
    """
    open_probability("eps", eps)
    open_probability("delta", delta)
    if eps < 1e-6:
        raise ValueError(f"eps = {eps!r} must be at least 1e-6: no run has as many pulls")
    counts, left, accuracy, failure = [], arms, eps / 4, delta / 2
    while left > 1:
        counts.append(math.ceil(4 / accuracy**2 * math.log(3 / failure)))
        left, accuracy, failure = (left + 1) // 2, accuracy * 3 / 4, failure / 2
    return np.array(counts, dtype=np.int64)


@bound(
    algorithm="Median Elimination",
    source="from the guarantee of Even-Dar, Mannor & Mansour 2006, Theorem 10",
    status="proved",
    needs=("1/2-sub-Gaussian noise",),
    rate="K ln(1/delta) / eps^2 + (eps + delta) T",
)
def median_elimination_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, eps: float = 0.1, delta: float = 0.1
) -> Any:
    """Regret of Median Elimination that plays its arm to the end.

    With N the pulls of all rounds, the lesser of T Delta_max and the loss of N pulls (the first
    round equal for all arms, later ones at most Delta_max each), plus (T - N)+ times
    (max{gap <= eps} + delta Delta_max).

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    eps, delta : float
        Accuracy and failure probability of the algorithm.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(median_elimination_regret([0.0, 0.3], 200_000, eps=0.2, delta=0.1), 2)
    7572.24
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    counts = median_elimination_counts(values.size, eps=eps, delta=delta).astype(float)
    sizes = [values.size]
    while sizes[-1] > 1:
        sizes.append((sizes[-1] + 1) // 2)
    pulls = counts * sizes[: counts.size]
    worst = values.max()
    exploring = counts[:1].sum() * values.sum() + pulls[1:].sum() * worst
    after = np.maximum(total - pulls.sum(), 0.0)
    near = values[values <= eps].max()
    return as_output(np.minimum(total * worst, exploring) + after * (near + delta * worst))
