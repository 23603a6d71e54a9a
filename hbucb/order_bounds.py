"""Regret certificates of order-statistic UCB: sums of binomial probabilities, exact to rounding.

The index uses no law; the certificate does: it takes the laws of the arms and asks how often the
index of a bad arm reaches the best location, which is a question about binomial counts. Unlike the
other bounds these are capped: no arm is counted more often than T rounds allow. Proofs: the
book's chapter on order statistics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_delta, as_gaps, as_horizon, as_output, positive
from hbucb.assumptions import bound
from hbucb.conversions import capped_regret
from hbucb.estimators.ranks import IntArray, falling_rank, uniform_rank, upper_rank
from hbucb.noise import Noise, as_noise

__all__ = [
    "all_counts",
    "certificate",
    "every_count",
    "order_statistic_anytime_regret",
    "order_statistic_closed_regret",
    "order_statistic_fixed_regret",
    "order_statistic_uniform_regret",
    "reach_sum",
]

Laws = Noise | Sequence[Noise]

# Probabilities of X < x are taken a little below x: an atom at x by rounding must not count.
_BELOW = 1 - 1e-12
_SOURCE = "this book, chapter 10"
_NEEDS = ("P(noise < 0) <= 1/2 on the best arm", "the laws of all arms (for the number alone)")


def reach_sum(ranks: IntArray, below: float) -> float:
    """sum over n >= 1 of P(X_(m_n) >= x) = P(Bin(n, p) <= m_n - 1), p = P(X < x), m_n = ranks[n-1].

    Examples
    --------
    >>> reach_sum(np.array([2, 2]), 0.5)  # no second reward; then two heads are missed 3 times in 4
    1.75
    """
    from scipy.special import bdtr

    n = np.arange(1, ranks.size + 1)
    return float(np.where(ranks > n, 1.0, bdtr(np.minimum(ranks, n) - 1.0, n, below)).sum())


def _setting(gaps: ArrayLike, laws: Laws) -> tuple[FloatArray, list[Noise]]:
    values = as_gaps(gaps)
    each = [as_noise(laws)] * values.size if not isinstance(laws, Sequence) else list(laws)
    if len(each) != values.size:
        raise ValueError(f"laws has {len(each)} entries; give one law, or one for each arm")
    best = [law for law, gap in zip(each, values, strict=True) if gap == 0]
    if not any(float(law.cdf(0.0) - law.atom(0.0)) <= 0.5 + 1e-12 for law in best):
        raise ValueError(f"laws is {laws!r}; the best arm needs P(noise < 0) <= 1/2")
    return values, each


def _below(law: Noise, x: float) -> float:
    """P(noise < x), rounded down for x >= 0."""
    return float(law.cdf(_BELOW * x))


def certificate(
    gaps: ArrayLike,
    horizon: ArrayLike,
    laws: Laws,
    pulls: Callable[[float, list[tuple[float, Noise]], list[Noise], float], list[float]],
    delta: FloatArray,
    failure: Callable[[float, float], float] = lambda total, delta: 0.0,
) -> Any:
    """Capped regret at each horizon, from bounds on pulls.

    ``pulls(T, bad, best, delta)`` gets the distinct pairs (gap, law) of bad arms and the laws of
    the best arms, and bounds the expected pulls of the former, those after a failure of the best
    arm's index left out; ``failure(T, delta)`` bounds the probability of such a failure.
    """
    values, each = _setting(gaps, laws)
    total = as_horizon(horizon)
    pairs = list(zip(values.tolist(), each, strict=True))
    different: list[tuple[float, Noise]] = []
    for pair in pairs:
        if pair[0] > 0 and pair not in different:
            different.append(pair)
    best = [law for gap, law in pairs if gap == 0]
    answer = np.empty(total.shape)
    for at in np.ndindex(total.shape):
        counts = pulls(float(total[at]), different, best, float(delta[at]))
        most = [0.0 if p[0] == 0 else counts[different.index(p)] for p in pairs]
        time, level = float(total[at]), float(delta[at])
        lost = min(failure(time, level), 1.0)
        answer[at] = capped_regret(values, most, int(time), failure=lost)
    return as_output(answer)


def every_count(total: float, delta: float) -> float:
    """Probability that one of the T - 1 limits fails, each at level delta."""
    return (total - 1) * delta


def all_counts(total: float, delta: float) -> float:
    """The same for limits that hold together at level delta."""
    return delta


def _with_table(table: Callable[[IntArray, float], IntArray]) -> Any:
    """Pulls 1 + the sum of what the bad arm can reach."""

    def pulls(total: float, bad: Any, best: Any, delta: float) -> list[float]:
        ranks = table(np.arange(1, int(total)), delta)
        return [1 + reach_sum(ranks, _below(law, gap)) for gap, law in bad]

    return pulls


@bound(
    algorithm="Order-statistic UCB (fixed delta)",
    source=_SOURCE,
    status="proved",
    needs=_NEEDS,
    rate="sum gap ln T / q^2",
)
def order_statistic_fixed_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, laws: Laws, delta: ArrayLike | None = None
) -> Any:
    """Regret of the index X_(m_n), m_n = :func:`hbucb.estimators.upper_rank` (n, delta).

    E N_a <= 1 + sum_{n<T} P(Bin(n, P(X_a < mu*)) <= m_n - 1), capped, unless the best arm's index
    fails: (T-1) delta T max gap.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T; each costs O(T) a gap.
    laws : Noise, or a sequence of one an arm
        Noise about the locations.
    delta : array_like, optional
        None means 1/T^2, and 1/4 at T = 1.

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Raises
    ------
    ValueError
        If P(noise < 0) > 1/2 on the best arm.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> round(order_statistic_fixed_regret(range(10), 10_000, laws=Cauchy()))
    1767
    """
    levels = as_delta(delta, np.maximum(as_horizon(horizon), 2.0))
    return certificate(gaps, horizon, laws, _with_table(upper_rank), levels, every_count)


@bound(
    algorithm="Order-statistic UCB (time-uniform)",
    source=_SOURCE,
    status="proved",
    needs=_NEEDS,
    rate="sum gap ln T / q^2",
)
def order_statistic_uniform_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    laws: Laws,
    delta: ArrayLike | None = None,
    a: float = 3.0,
) -> Any:
    """Regret of the index X_(m_n), m_n = :func:`hbucb.estimators.uniform_rank` (n, delta, a).

    E N_a <= 1 + sum_{n<T} P(Bin(n, P(X_a < mu*)) <= m_n - 1), capped, unless the best arm's index
    fails: delta T max gap.

    Parameters
    ----------
    gaps, horizon, laws
        As in :func:`order_statistic_fixed_regret`.
    delta : array_like, optional
        None means 1/T, and 1/2 at T = 1.
    a : float
        Shape of the mixture.

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> round(order_statistic_uniform_regret(range(10), 10_000, laws=Cauchy()))
    1266
    """
    positive("a", a)
    total = as_horizon(horizon)
    levels = 1 / np.maximum(total, 2.0) if delta is None else as_delta(delta, total)
    pulls = _with_table(lambda n, delta: uniform_rank(n, delta, a))
    return certificate(gaps, horizon, laws, pulls, levels, all_counts)


@bound(
    algorithm="Order-statistic UCB (anytime)",
    source=_SOURCE,
    status="proved",
    needs=_NEEDS,
    rate="sum gap ln T / q^2",
)
def order_statistic_anytime_regret(gaps: ArrayLike, horizon: ArrayLike, *, laws: Laws) -> Any:
    """Regret of the index X_(m), m = ceil(n/2 + sqrt(n ln h(t) / 2)), h(t) = 1 + t ln^2 t.

    E N_a <= 1 + 5/(4 p^2) + sum_{n<T} P(Bin(n, P(X_a < mu* - x)) <= m_n - 1), capped, with m_n the
    rank in round T, p = 1/2 - P(X_* < mu* - x) and any x in (0, gap); x is chosen from a grid.

    Parameters
    ----------
    gaps, horizon, laws
        As in :func:`order_statistic_fixed_regret`.

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> round(order_statistic_anytime_regret([0.0, 1.0], 10_000, laws=Cauchy()))
    321
    """
    return certificate(gaps, horizon, laws, _anytime_pulls, as_horizon(horizon))


def _anytime_pulls(total: float, bad: Any, best: list[Noise], delta: float) -> list[float]:
    ranks = falling_rank(np.arange(1, int(total)), int(total))
    log = math.log(1 + total * math.log(total) ** 2)
    spread = (log + math.sqrt(math.pi * log) + 1) / 2
    counts = []
    for gap, law in bad:
        x = gap * np.arange(1, 100) / 100
        # Rounded up, so that p is rounded down; several best arms: the first of them.
        lower = 0.5 - best[0].cdf(-x * _BELOW)
        upper = law.cdf((gap - x) * _BELOW) - 0.5
        with np.errstate(divide="ignore"):
            first = 1.25 / np.maximum(lower, 0.0) ** 2
            guess = first + spread / np.maximum(upper, 0.0) ** 2
        i = int(np.argmin(guess))
        counts.append(1 + float(first[i]) + reach_sum(ranks, float(upper[i]) + 0.5))
    return counts


@bound(
    algorithm="Order-statistic UCB (fixed delta), closed form",
    source=_SOURCE,
    status="proved",
    needs=_NEEDS,
    rate="sum gap ln T / q^2",
)
def order_statistic_closed_regret(gaps: ArrayLike, horizon: ArrayLike, *, laws: Laws) -> Any:
    """The certificate at delta = 1/T^2 in closed form: E N_a <= ceil(4 ln T / q^2) + 1, capped.

    q = P(X_a < mu*) - 1/2; T where q <= 0. Larger than :func:`order_statistic_fixed_regret`.

    Parameters
    ----------
    gaps, horizon, laws
        As in :func:`order_statistic_fixed_regret`.

    Returns
    -------
    float or ndarray
        Reward units, at most T max gap.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> order_statistic_closed_regret([0.0, 1.0], 10_000, laws=Cauchy())
    591.0
    """

    def pulls(total: float, bad: Any, best: Any, delta: float) -> list[float]:
        half = [_below(law, gap) - 0.5 for gap, law in bad]
        return [math.ceil(4 * math.log(total) / q**2) + 1 if q > 0 else math.inf for q in half]

    return certificate(gaps, horizon, laws, pulls, as_horizon(horizon))
