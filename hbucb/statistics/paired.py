"""Exact intervals and exact paired tests for runs that may get stuck.

Two questions about two policies that met the same noise have exact answers, whatever the law of
the regret: *which of the two gets stuck where the other does not* (`discordant_stuck`) and *which
of the two ends a random trial with less regret* (`paired_wins`). Both are a binomial test of a fair
coin. The mean is a third question, answered in `betting`; `comparisons` asks all three.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hbucb.arguments import as_numbers, is_plain
from hbucb.statistics.proportions import clopper_pearson, wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "CoinTest",
    "clopper_pearson",
    "coin_test",
    "discordant_stuck",
    "holm",
    "paired_wins",
    "trials_to_decide",
    "wilson",
]


@dataclass(frozen=True)
class CoinTest:
    """Heads and tails against a fair coin; what shows neither is set apart, not tested.

    Attributes
    ----------
    first, second, neither : int
        Trials that speak for the first policy, for the second, and for neither.
    p_first, p_second : float
        Exact one-sided p-values; `p_first` is small when the trials speak for the first policy.
    """

    first: int
    second: int
    neither: int
    p_first: float
    p_second: float

    @property
    def trials(self) -> int:
        """All trials, ties included."""
        return self.first + self.second + self.neither

    def share(self, level: float = 0.99) -> tuple[float, float, float]:
        """P(a random trial speaks for the first policy): estimate and exact limits."""
        low, high = clopper_pearson(self.first, self.trials, level)
        return self.first / self.trials, float(low), float(high)


def coin_test(first: int, second: int, neither: int = 0) -> CoinTest:
    """Exact binomial test of a fair coin, one p-value for each side.

    Parameters
    ----------
    first, second, neither : int
        Counts of the three outcomes.

    Returns
    -------
    CoinTest

    Raises
    ------
    ValueError
        If a count is negative or not a whole number, or all are 0.

    Examples
    --------
    >>> coin_test(9, 1).p_first == 11 / 1024
    True
    """
    for name, value in (("first", first), ("second", second), ("neither", neither)):
        if not (is_plain(value) and 0 <= value <= 2**53 and value == int(value)):
            raise ValueError(f"{name} must be a whole number, 0 to 2^53, got {value!r}")
    if first + second + neither < 1:
        raise ValueError("first + second + neither must be at least 1, got 0")
    n = first + second
    return CoinTest(first, second, neither, _upper_tail(first, n), _upper_tail(second, n))


def _upper_tail(k: int, n: int) -> float:
    """P(Bin(n, 1/2) >= k), by the incomplete beta function (exact to rounding)."""
    if k <= 0:
        return 1.0
    from scipy.special import betainc

    return float(betainc(k, n - k + 1, 0.5))


def _pair(a: ArrayLike, b: ArrayLike, kind: type | None = None) -> tuple[Any, Any]:
    if kind is None:
        first, second = (
            as_numbers(n, x, "real numbers are allowed") for n, x in zip("ab", (a, b), strict=True)
        )
    else:
        first, second = np.asarray(a), np.asarray(b)
    if first.ndim != 1 or first.shape != second.shape or first.size == 0:
        raise ValueError(
            "a and b must be one-dimensional and of one length >= 1, got shapes "
            f"{first.shape} and {second.shape}"
        )
    if kind is bool and not (first.dtype == bool and second.dtype == bool):
        raise ValueError(f"a and b must be boolean, got {first.dtype} and {second.dtype}")
    if kind is None and not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a and b must be finite")
    return first, second


def paired_wins(a: ArrayLike, b: ArrayLike) -> CoinTest:
    """Which of two policies ends a trial with less regret, on common noise; ties set apart.

    Parameters
    ----------
    a, b : array_like, shape (trials,)
        Regret of the two policies, entry i from the same noise.

    Returns
    -------
    CoinTest
        `first` counts the trials with ``a < b``.

    Raises
    ------
    ValueError
        If the shapes differ, or an entry is not finite.

    Examples
    --------
    >>> paired_wins([1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 3.0, 1.0])
    CoinTest(first=2, second=1, neither=1, p_first=0.5, p_second=0.875)
    """
    first, second = _pair(a, b)
    less, more = int((first < second).sum()), int((first > second).sum())
    return coin_test(less, more, first.size - less - more)


def discordant_stuck(a: ArrayLike, b: ArrayLike) -> CoinTest:
    """Which of two policies gets stuck where the other does not (exact McNemar test).

    Parameters
    ----------
    a, b : array_like of bool, shape (trials,)
        True where the policy got stuck, entry i from the same noise.

    Returns
    -------
    CoinTest
        `first` counts the trials in which only `b` got stuck: they speak for `a`.

    Raises
    ------
    ValueError
        If the shapes differ or an array is not boolean.

    Examples
    --------
    >>> discordant_stuck([True, False, False], [True, True, True])
    CoinTest(first=2, second=0, neither=1, p_first=0.25, p_second=1.0)
    """
    first, second = _pair(a, b, bool)
    for_a, for_b = int((~first & second).sum()), int((first & ~second).sum())
    return coin_test(for_a, for_b, first.size - for_a - for_b)


def holm(pvalues: ArrayLike) -> NDArray[np.float64]:
    """P-values adjusted so that all claims together keep the level (Holm 1979).

    Parameters
    ----------
    pvalues : array_like, shape (m,)
        One p-value a test, in [0, 1]; no independence needed.

    Returns
    -------
    ndarray of float, shape (m,)

    Raises
    ------
    ValueError
        If an entry is outside [0, 1] or nan.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = as_numbers("pvalues", pvalues, "numbers in [0, 1] are allowed")
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"pvalues must be one-dimensional with entries in [0, 1], got {pvalues!r}")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def trials_to_decide(
    first: float, second: float, alpha: float, power: float = 0.9, most: int = 10_000_000
) -> float:
    """Trials at which the coin test at one-sided level `alpha` speaks, given the two shares.

    Parameters
    ----------
    first, second : float
        Probabilities that a trial speaks for the one or the other policy.
    alpha, power : float
        Level of the one-sided test (after any adjustment) and the chance of success asked for.
    most : int
        Give up beyond this many trials.

    Returns
    -------
    float
        A whole number found by doubling and bisection on the exact power, or inf. (The power is
        a saw-tooth in n, so a few trials less may also do.)

    Raises
    ------
    ValueError
        If a share is negative, they sum to more than 1, or `alpha`, `power` are outside (0, 1).

    Examples
    --------
    >>> trials_to_decide(0.10, 0.03, alpha=0.005)
    392.0
    """
    if first < 0 or second < 0 or first + second > 1:
        raise ValueError(f"first, second must be >= 0 with sum <= 1, got {first}, {second}")
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} must lie strictly between 0 and 1, got {value}")
    high, low = max(first, second), min(first, second)
    if high == low:
        return math.inf
    n = 8
    while _coin_power(n, high, low, alpha) < power:
        n *= 2
        if n > most:
            return math.inf
    below, above = n // 2, n
    while above - below > 1:
        mid = (below + above) // 2
        if _coin_power(mid, high, low, alpha) >= power:
            above = mid
        else:
            below = mid
    return float(above)


def _coin_power(n: int, high: float, low: float, alpha: float) -> float:
    """P(the coin test of n trials rejects for the likelier side), summed over the split count."""
    from scipy.special import bdtrc
    from scipy.stats import binom

    total = high + low
    mean, spread = n * total, math.sqrt(n * total * (1.0 - total)) + 1.0
    splits = np.arange(max(0, int(mean - 8 * spread)), min(n, int(mean + 8 * spread)) + 1)
    need = binom.isf(alpha, splits, 0.5) + 1  # smallest k with P(Bin(d, 1/2) >= k) <= alpha
    chance = np.where(need > splits, 0.0, bdtrc(np.minimum(need, splits) - 1, splits, high / total))
    return float(np.sum(binom.pmf(splits, n, total) * chance))
