"""Regret certificate of Wilcoxon-UCB: pairs of rewards below a point, by Hoeffding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_delta, as_horizon
from hbucb.assumptions import bound
from hbucb.estimators.hodges_lehmann import signed_rank_rank
from hbucb.noise import Noise
from hbucb.order_bounds import certificate, every_count

__all__ = ["pair_mass", "wilcoxon_regret"]


def pair_mass(law: Noise, x: float, *, cells: int = 100_000) -> float:
    """P((xi + xi')/2 < x) for two independent copies, at most 1/cells below and never above.

    F(2x - F^-1(u)) does not increase in u, so its sum over right ends of equal cells of (0, 1) is
    at most its integral.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> round(pair_mass(Cauchy(), 1.0), 4)  # the average is Cauchy again
    0.75
    """
    u = np.arange(1, cells + 1) / cells
    ends = np.asarray(law.ppf(u), dtype=float)
    # A little below 2x - xi': atoms there do not count.
    points = 2 * x - ends
    points -= 1e-12 * (np.abs(2 * x) + np.abs(ends))
    return float(np.asarray(law.cdf(points[np.isfinite(points)])).sum() / cells)


@bound(
    algorithm="Wilcoxon-UCB (fixed delta)",
    source="this book, chapter 10",
    status="proved",
    needs=("symmetric noise on the best arm", "the laws of all arms (for the number alone)"),
    rate="sum gap ln T / q^2",
)
def wilcoxon_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    laws: Noise | Sequence[Noise],
    delta: ArrayLike | None = None,
) -> Any:
    """Regret of the index that is the c_n-th smallest average of two rewards of an arm.

    E N_a <= 1 + sum_{n<T} exp(-2 floor(n/2) (q - (c_n - 1)/(n(n-1)/2))_+^2), capped like the
    certificates of ``hbucb.order_bounds``, unless the best arm's index fails: (T-1) delta T max
    gap; with q = P((X + X')/2 < mu*) for two rewards of arm a and c_n from the law of the
    signed-rank statistic.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    laws : Noise, or a sequence of one an arm
        Noise about the locations.
    delta : array_like, optional
        None means 1/T^2, and 1/4 at T = 1.

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Examples
    --------
    >>> from hbucb.noise import Gaussian
    >>> round(wilcoxon_regret([0.0, 1.0], 1000, laws=Gaussian()))
    80
    """
    levels = as_delta(delta, np.maximum(as_horizon(horizon), 2.0))

    def pulls(total: float, bad: Any, best: Any, delta: float) -> list[float]:
        n = np.arange(1, int(total))
        ranks = np.array([signed_rank_rank(int(k), delta) for k in n], dtype=float)
        share = (ranks - 1) / np.maximum(n * (n - 1) / 2, 0.5)  # at n = 1 the exponent is 0
        counts = []
        for gap, law in bad:
            over = np.maximum(pair_mass(law, gap) - share, 0.0)
            terms = np.exp(-2 * (n // 2) * over**2)
            counts.append(1 + float(terms.sum()))
        return counts

    return certificate(gaps, horizon, laws, pulls, levels, every_count)
