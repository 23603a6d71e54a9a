"""Regret certificate of self-localising score SGD: exact sums over the warm-up, then its recursion.

Like those of :mod:`hbucb.order_bounds` it is capped by T, and takes the laws of the arms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_horizon
from hbucb.assumptions import AssumptionError, bound
from hbucb.noise import Noise
from hbucb.optimizers.self_localising import SelfLocalisingSGD
from hbucb.order_bounds import Laws, certificate, reach_sum

__all__ = ["asgn_regret", "longest_interval"]

_BINS, _CELLS = 80, 3000


def longest_interval(
    sgd: SelfLocalisingSGD, shorter: ArrayLike, longer: ArrayLike, updates: int
) -> FloatArray:
    """Largest length of I after k = 1, ..., ``updates`` updates, whatever the rewards are.

    Parameters
    ----------
    sgd : SelfLocalisingSGD
    shorter, longer : array_like, shape (bins,)
        The first I is longer than the one and at most as long as the other, reward units.
    updates : int

    Returns
    -------
    ndarray (bins, updates)
        Reward units, never increasing in k.

    Notes
    -----
    I is no longer than its first length and twice its last half-width, and tau never decreases in
    the length: so the recursion for S with that length is below S. The half-width is quasi-convex
    in the tuning r, which lies between its values for ``longer`` and ``shorter``.
    """
    start = np.asarray(longer, dtype=float)
    tunings = [sgd.rho * sgd.information(np.asarray(w, float)) for w in (shorter, longer)]
    length, total = start.copy(), np.zeros_like(start)
    out = np.empty((start.size, updates))
    for k in range(updates):
        total = total + sgd.information(length)
        half = np.maximum(sgd.width(total, tunings[0]), sgd.width(total, tunings[1]))
        length = np.minimum(length, 2 * half)
        out[:, k] = length
    return out


def _edges(law: Noise, sgd: SelfLocalisingSGD) -> FloatArray:
    """Edges (bins + 1,) of lengths W of the first I, from 0 to inf."""
    from scipy.special import betaincinv

    n, rank = sgd.warm, int(sgd.ranks()[-1])
    shape = betaincinv(rank, n - rank + 1, np.linspace(0, 1, _BINS + 1)[1:-1])
    inner = np.unique(law.ppf(shape) - law.ppf(1 - shape))
    return np.concatenate([[0.0], inner, [2 * inner[-1], math.inf]])


def _first_lengths(
    law: Noise, sgd: SelfLocalisingSGD, above: float, edges: FloatArray
) -> FloatArray:
    """Probabilities of bins of W, together with an upper limit >= above; rounded to large W.

    The share of every bin and those after it is at least P(W in them, upper limit >= above), so
    the mean of a function that grows with W is rounded up.
    """
    from scipy.special import betainc, betaincinv

    n, rank = sgd.warm, int(sgd.ranks()[-1])
    # Cells of the level P(X < upper order statistic), finer towards 1, where W has no bound; given
    # the level the lower one is Beta again. Where the level is in [p, p'] the upper one is at most
    # the p' quantile, and the lower one's level, as a share of the upper one's, is divided by p.
    below = float(betainc(rank, n - rank + 1, law.cdf(above * (1 - 1e-12))))
    fine = np.geomspace(1e-9, 1 / _CELLS, 200, endpoint=False)
    tail = np.concatenate([[0.0], fine, np.arange(1, _CELLS + 1) / _CELLS])
    level = 1 - betaincinv(n - rank + 1, rank, (1 - below) * tail)[::-1]
    weight = np.diff(betainc(n - rank + 1, rank, 1 - level[::-1]))[::-1]
    lower = law.cdf(law.ppf(level[1:])[:, None] - edges[None, 1:-1])
    share = np.minimum(lower / level[:-1, None], 1.0)
    within = weight @ (1 - betainc(n + 1 - rank, 2 * rank - n - 1, share))
    total = np.concatenate([[0.0], np.minimum(within, 1 - below), [1 - below]])
    return np.maximum(np.diff(total), 0.0)


@bound(
    algorithm="ASGNUCB",
    source="proof in the book",
    status="proved",
    needs=("what the knowledge says of the noise", "laws without atoms (for the number alone)"),
    rate="sum tau^2 ln T / gap",
)
def asgn_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    laws: Laws,
    sgd: SelfLocalisingSGD,
) -> Any:
    """Regret of the index "upper end of I" with the failure probabilities and tuning of ``sgd``.

    Pulls of a bad arm are at most 1 + T (delta + miss) for the best arm, T delta' for the arm's
    own interval, the binomial sum of the warm-up and the mean number of updates until I is shorter
    than the gap, over the law of its first length where the upper limit still reaches the best
    location. The best arm's failures are paid once. On a given interval there is no warm-up. The
    integral is a sum over cells, each rounded up; that adds about a ten-thousandth.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    laws : Noise, or a sequence of one an arm
        Noise about the locations.
    sgd : SelfLocalisingSGD
        The method with its failure probabilities, the same for each T.

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Raises
    ------
    AssumptionError
        For a law with atoms.

    Examples
    --------
    >>> import numpy as np
    >>> from hbucb.noise import Gaussian
    >>> from hbucb.optimizers import KnownLaw
    >>> sgd = SelfLocalisingSGD(KnownLaw(Gaussian()), delta=1 / 800, miss=1 / 800, rho=5.0)
    >>> round(asgn_regret([0.0, 2.0], 200, laws=Gaussian(), sgd=sgd), 1)
    39.5
    """
    total = as_horizon(horizon)

    def failure(time: float, delta: float) -> float:
        """Probability that an arm's interval fails, of the best arm as of the bad one."""
        return sgd.delta + (sgd.miss if sgd.interval is None else 0.0)

    def pulls(time: float, bad: Any, best: Any, delta: float) -> list[float]:
        most, fails = int(time), time * failure(time, delta)
        if sgd.interval is not None:
            size = np.array([sgd.interval[1] - sgd.interval[0]])
            lengths = longest_interval(sgd, size, size, most)[0]
            return [1 + fails + float((lengths >= gap).sum()) for gap, _ in bad]
        ranks = sgd.ranks()[1:]
        edges = {law: _edges(law, sgd) for _, law in bad}
        lengths = {law: longest_interval(sgd, e[:-2], e[1:-1], most) for law, e in edges.items()}
        counts = []
        for gap, law in bad:
            chance = _first_lengths(law, sgd, gap, edges[law])
            updates = np.append((lengths[law] >= gap).sum(axis=1), time)
            updates = chance @ np.maximum.accumulate(updates)
            warm = reach_sum(ranks, float(law.cdf(gap * (1 - 1e-12))))
            counts.append(1 + fails + warm + float(updates))
        return counts

    each = laws if isinstance(laws, Sequence) else [laws]
    if any(law.has_atoms for law in each):
        raise AssumptionError(f"the number needs laws without atoms, not {laws!r}")
    return certificate(gaps, horizon, laws, pulls, np.ones(total.shape), failure)
