"""Regret certificate of order statistics rounded up to a grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_delta, as_horizon, as_numbers, is_number
from hbucb.assumptions import bound
from hbucb.estimators.ranks import uniform_rank, upper_rank
from hbucb.noise import Noise
from hbucb.order_bounds import all_counts, certificate, every_count, reach_sum

__all__ = ["as_edges", "order_statistic_binned_regret"]


def as_edges(edges: ArrayLike) -> tuple[float, ...]:
    """A grid as a tuple of floats; ValueError unless finite, increasing and not empty."""
    allowed = "finite increasing numbers are allowed"
    values = as_numbers("edges", edges, allowed)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ValueError(f"edges is {edges!r}; {allowed}")
    if not (np.diff(values) > 0).all():
        raise ValueError(f"edges is {edges!r}; {allowed}")
    return tuple(values.tolist())


@bound(
    algorithm="Order-statistic UCB on a grid",
    source="this book, chapter 10",
    status="proved",
    needs=("P(noise < 0) <= 1/2 on the best arm", "the laws of all arms (for the number alone)"),
    rate="sum gap ln T / q^2, q up to the edge below mu*",
)
def order_statistic_binned_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    laws: Noise | Sequence[Noise],
    edges: ArrayLike,
    best: float = 0.0,
    kind: str = "time-uniform",
    delta: ArrayLike | None = None,
    a: float = 3.0,
) -> Any:
    """Regret of the index that is the smallest edge g with #{X <= g} >= m_n.

    As the certificate without a grid, with P(X_a <= g) for the largest edge g below mu* in place
    of P(X_a < mu*). T pulls where no edge is below mu*, and useless where that probability is at
    most 1/2: the grid needs an edge between the median of a bad arm and mu*.

    Parameters
    ----------
    gaps, horizon, laws
        As in :func:`hbucb.order_bounds.order_statistic_fixed_regret`.
    edges : array_like
        Finite and increasing, reward units.
    best : float
        mu*, in the units and from the origin of the edges.
    kind : {"time-uniform", "fixed"}
    delta : array_like, optional
        None means 1/T for "time-uniform", 1/T^2 for "fixed".
    a : float
        Shape of the mixture of "time-uniform".

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Examples
    --------
    >>> import numpy as np
    >>> from hbucb.noise import Cauchy
    >>> grid = np.arange(-5, 6) / 4
    >>> round(order_statistic_binned_regret([0.0, 1.0], 1000, laws=Cauchy(), edges=grid))
    101
    """
    if kind not in ("time-uniform", "fixed"):
        raise ValueError(f"kind is {kind!r}; 'time-uniform' or 'fixed'")
    if not (is_number(best) and math.isfinite(best)):
        raise ValueError(f"best is {best!r}; it must be a finite number")
    under = [g for g in as_edges(edges) if g < best]
    total = as_horizon(horizon)
    uniform = kind == "time-uniform"
    most = np.maximum(total, 2.0)
    levels = 1 / most if uniform and delta is None else as_delta(delta, most)

    def pulls(total: float, bad: Any, best_laws: Any, delta: float) -> list[float]:
        n = np.arange(1, int(total))
        ranks = uniform_rank(n, delta, a) if uniform else upper_rank(n, delta)
        counts = []
        for gap, law in bad:
            if not under:
                counts.append(math.inf)
                continue
            point = under[-1] - (best - gap)
            below = float(law.cdf(point - 1e-12 * (abs(under[-1]) + abs(best) + gap)))
            counts.append(1 + reach_sum(ranks, below))
        return counts

    failure = all_counts if uniform else every_count
    return certificate(gaps, horizon, laws, pulls, levels, failure)
