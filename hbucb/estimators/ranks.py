"""Ranks m such that the m-th smallest of n rewards is an upper limit of the median.

X_(m) < mu needs m rewards below mu, which is a question about coins: the number of rewards below
mu is at most a Bin(n, 1/2) variable in law. Three answers: at one count, at all counts at once,
and at a level that falls with the round.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hbucb.arguments import as_numbers
from hbucb.estimators.checks import as_counts, log_inverse, positive
from hbucb.validate import whole_number

IntArray = NDArray[np.int64]

#: log M is computed to about 1e-10; a rank is taken only where M exceeds 1/delta by more.
_SLACK = 1e-9


def upper_rank(n: ArrayLike, delta: float) -> IntArray:
    """m_n: the smallest m with P(Bin(n, 1/2) >= m) <= delta; n + 1 where no m <= n will do.

    Parameters
    ----------
    n : array_like of int
        Numbers of samples, >= 0.
    delta : float
        Failure probability of one side.

    Examples
    --------
    >>> upper_rank([3, 4, 100], 0.1).tolist()
    [4, 4, 57]
    """
    from scipy.special import betainc

    log_inverse(delta)
    n = as_counts(n).astype(np.int64)
    low, high = np.zeros_like(n), n + 1  # the tail exceeds delta at low, and does not at high
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, 1)
        tail = np.where(middle > n, 0.0, betainc(middle, np.maximum(n - middle + 1, 1), 0.5))
        open_, good = high - low > 1, tail <= delta
        high = np.where(open_ & good, middle, high)
        low = np.where(open_ & ~good, middle, low)
    return high


def log_wealth(s: ArrayLike, n: ArrayLike, a: float) -> NDArray[np.float64]:
    """ln M_n(s), the wealth after s heads in n tosses of a bettor who bets on heads.

    M_n(s) = integral over p in [1/2, 1] of (2p)^s (2 - 2p)^(n-s) pi(p) dp, pi the Beta(a, a)
    density restricted to [1/2, 1]. It increases in s, and M_n(S_n) is a martingale for a fair
    coin.

    Examples
    --------
    >>> round(float(np.exp(log_wealth(1, 1, 1.0))), 12)  # 2 * integral of 2p over [1/2, 1]
    1.5
    """
    from scipy.special import betainc, betaln

    s, n = as_numbers("s", s, "counts are allowed"), as_counts(n)
    # The upper part of Beta(a + s, a + n - s) by symmetry, which keeps its digits.
    upper = betainc(a + n - s, a + s, 0.5)
    with np.errstate(divide="ignore"):
        return (n + 1) * math.log(2) + betaln(a + s, a + n - s) - betaln(a, a) + np.log(upper)


def uniform_rank(n: ArrayLike, delta: float, a: float = 3.0) -> IntArray:
    """Smallest m with M_n(m) >= 1/delta, so that P(X_(m_n) < mu at any n) <= delta; n + 1 if none.

    Parameters
    ----------
    n : array_like of int
        Numbers of samples, >= 0.
    delta : float
        Probability that the limit ever fails, over all n at once.
    a : float
        Shape of the mixture, see ``log_wealth``: 1 is better for large gaps, 10 for small.

    Examples
    --------
    >>> uniform_rank([20, 21, 100], 1e-4).tolist()
    [21, 21, 73]
    """
    level = log_inverse(delta) + _SLACK
    positive("a", a)
    n = as_counts(n).astype(np.int64)
    # M_n(s) <= 1 for s <= n/2: the search starts there, where the integral has its digits.
    low, high = n // 2, n + 1
    while (high - low > 1).any():
        middle = np.minimum((low + high) // 2, n)
        open_, good = high - low > 1, log_wealth(middle, n, a) >= level
        high = np.where(open_ & good, middle, high)
        low = np.where(open_ & ~good, middle, low)
    return high


def falling_rank(n: ArrayLike, t: int) -> IntArray:
    """ceil(n/2 + sqrt(n ln h(t) / 2)) with h(t) = 1 + t ln^2 t, for round t = 1, 2, ...

    May exceed n. By Hoeffding P(X_(m) < mu) <= 1/h(t) at one count n.

    Examples
    --------
    >>> falling_rank([0, 9, 100], 50).tolist()
    [0, 10, 69]
    """
    n, t = as_counts(n).astype(np.int64), whole_number(t, "t", 1)
    return falling_rank_of(n, t)


def falling_rank_of(n: IntArray, t: int) -> IntArray:
    """:func:`falling_rank` without checks, for every round of a run."""
    level = 2 * math.log(1 + t * math.log(t) ** 2)
    return np.ceil((n + np.sqrt(level * n)) / 2).astype(np.int64)


class Ranks(Hashable, Protocol):
    """The rank of an arm with n rewards after t pulls of all arms; above n where there is none."""

    @property
    def moving(self) -> bool:
        """Whether it depends on t."""

    def at(self, n: ArrayLike, t: int) -> IntArray:
        """Ranks from 1, shape of ``n``."""


@dataclass(frozen=True)
class FixedRanks:
    """:func:`upper_rank`: exact at each count.

    Examples
    --------
    >>> int(FixedRanks(0.1).at(100, t=0))
    57
    """

    delta: float
    moving = False

    def at(self, n: ArrayLike, t: int) -> IntArray:
        return upper_rank(n, self.delta)


@dataclass(frozen=True)
class UniformRanks:
    """:func:`uniform_rank`: valid at all counts at once.

    Examples
    --------
    >>> int(UniformRanks(1e-4).at(100, t=0))
    73
    """

    delta: float
    a: float = 3.0
    moving = False

    def at(self, n: ArrayLike, t: int) -> IntArray:
        return uniform_rank(n, self.delta, self.a)


@dataclass(frozen=True)
class FallingRanks:
    """:func:`falling_rank` of the round that is about to be played, t + 1.

    Examples
    --------
    >>> int(FallingRanks().at(100, t=49))
    69
    """

    moving = True

    def at(self, n: ArrayLike, t: int) -> IntArray:
        return falling_rank_of(np.asarray(n), t + 1)
