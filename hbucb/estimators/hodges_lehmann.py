"""Hodges-Lehmann: the median of the means of all pairs, with an exact limit for symmetric noise."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import (
    FloatArray,
    Level,
    as_samples,
    log_inverse,
    not_both_infinities,
)
from hbucb.estimators.recomputed import Recomputed
from hbucb.predicates import Predicate, symmetric

#: Up to here all pairs are written down; beyond, they are counted.
_LISTED = 400
#: Up to here the pairs of many rows are written down together.
_TOGETHER = 64
#: Up to here the exact null law of the signed-rank statistic is used.
_EXACT = 200


def walsh(x: FloatArray, rank: int) -> float:
    """The rank-th smallest of the n(n+1)/2 averages x_i/2 + x_j/2, i <= j (rank from 1).

    Exact: a bisection over the ordered floats, in which every count compares the averages
    themselves. O(n log n) time a step, 64 steps, O(n) memory.

    Examples
    --------
    >>> walsh(np.array([0.0, 1.0, 10.0]), 4)  # 0, 0.5, 1, 5, 5.5, 10
    5.0
    """
    halves = np.sort(x) / 2
    if halves.size <= _LISTED:
        first, second = np.triu_indices(halves.size)
        return float(np.partition(halves[first] + halves[second], rank - 1)[rank - 1])
    low, high = _ordinal(2 * float(halves[0])) - 1, _ordinal(2 * float(halves[-1]))
    while high - low > 1:  # the answer lies in (low, high]
        middle = (low + high) // 2
        low, high = (low, middle) if _count(halves, _float(middle)) >= rank else (middle, high)
    return _float(high)


def _count(halves: FloatArray, limit: float) -> int:
    """Pairs i <= j whose average is at most ``limit``: for each i, a binary search over j."""
    start = np.arange(halves.size)
    low, high = start - 1, np.full(halves.size, halves.size)
    for _ in range(halves.size.bit_length() + 1):
        middle = np.minimum((low + high) // 2, halves.size - 1)
        open_ = high - low > 1
        fits = halves + halves[np.maximum(middle, 0)] <= limit
        low = np.where(open_ & fits, middle, low)
        high = np.where(open_ & ~fits, middle, high)
    return int((low - start + 1).sum())


def _ordinal(value: float) -> int:
    """Position of a float among all floats: neighbours differ by one."""
    bits = int(struct.unpack("<q", struct.pack("<d", value + 0.0))[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def _float(ordinal: int) -> float:
    value = struct.unpack("<d", struct.pack("<q", abs(ordinal)))[0]
    return float(value if ordinal >= 0 else -value)


@lru_cache(maxsize=1024)
def signed_rank_rank(n: int, delta: float) -> int:
    """Smallest c with P(W >= c) <= delta, W the sum of those ranks 1..n whose fair coin shows 1.

    From the exact law of W up to n = 200; beyond, the least whole number c with
    c >= n(n+1)/4 + sqrt(ln(1/delta) n(n+1)(2n+1)/12) (Hoeffding). n(n+1)/2 + 1 if there is none.

    Examples
    --------
    >>> signed_rank_rank(5, 0.05)  # P(W >= 15) = 1/32, P(W >= 14) = 2/32
    15
    """
    level = log_inverse(delta)
    if n > _EXACT:
        spread = math.sqrt(level * n * (n + 1) * (2 * n + 1) / 12)
        return min(math.ceil(n * (n + 1) / 4 + spread), n * (n + 1) // 2 + 1)
    law = np.zeros(n * (n + 1) // 2 + 1)
    law[0] = 1.0
    for size in range(1, n + 1):
        moved = np.zeros_like(law)
        moved[size:] = law[:-size]
        law = (law + moved) / 2
    tail = np.append(np.cumsum(law[::-1])[::-1], 0.0)  # P(W >= c), smallest terms first
    return int(np.argmax(tail <= delta))


@dataclass(frozen=True)
class HodgesLehmann:
    """Median of the averages (X_i + X_j)/2 over i <= j; the mean of the two middle ones.

    It has no radius without a scale: none is given. For symmetric noise :meth:`upper` is an
    exact upper limit of the centre that needs no parameter.

    It is finite while fewer than about 29 % of the samples are infinite, of one sign: both signs
    together, whose average is undefined, and a nan raise ValueError.

    References
    ----------
    Hodges and Lehmann (1963); Tukey (1949) for the limit.

    Examples
    --------
    >>> HodgesLehmann().estimate([0.0, 1.0, 10.0], delta=0.1)  # 0, 0.5, 1, 5, 5.5, 10
    3.0
    """

    def least(self, delta: float) -> int:
        """One sample."""
        return 1

    def estimate(self, x: ArrayLike, delta: float | None = None) -> float:
        """The estimate from all samples ``x`` (n,), in reward units; delta is not used."""
        values = self._samples(x)
        total = values.size * (values.size + 1) // 2
        low = walsh(values, (total + 1) // 2)
        return low if total % 2 else low / 2 + walsh(values, total // 2 + 1) / 2

    def ragged(self, values: FloatArray, n: np.ndarray, delta: float | None = None) -> FloatArray:
        """Estimates (rows,) of rows of n samples that follow each other in ``values``.

        Rows of one length together; long ones one by one, where counting pairs takes long anyway.
        """
        out, first = np.empty(n.size), np.cumsum(n) - n
        for size in np.unique(n).tolist():
            rows = np.flatnonzero(n == size)
            total = size * (size + 1) // 2
            mine = values[first[rows, None] + np.arange(size)]
            if size > _TOGETHER:
                out[rows] = [self.estimate(row) for row in mine]
                continue
            if (np.isposinf(mine).any(axis=1) & np.isneginf(mine).any(axis=1)).any():
                raise ValueError("x holds both inf and -inf; their average is undefined")
            halves = np.sort(mine, axis=1) / 2
            i, j = np.triu_indices(size)
            middle = [(total - 1) // 2, total // 2]
            pairs = np.partition(halves[:, i] + halves[:, j], middle, axis=1)[:, middle]
            out[rows] = pairs[:, 0] if total % 2 else pairs[:, 0] / 2 + pairs[:, 1] / 2
        return out

    def upper(self, x: ArrayLike, delta: float) -> float:
        """Upper limit U of the centre mu of symmetric noise: P(U < mu) <= delta, one side.

        The c-th smallest average, c from ``signed_rank_rank``: the number of averages below mu
        is at most the sum of the ranks of |X_j - mu| over X_j < mu, whose signs are fair coins
        given the magnitudes (ties and atoms at mu only lower it). +inf if c > n(n+1)/2.
        """
        values = self._samples(x)
        rank = signed_rank_rank(values.size, float(delta))
        total = values.size * (values.size + 1) // 2
        return walsh(values, rank) if rank <= total else math.inf

    @staticmethod
    def _samples(x: ArrayLike) -> FloatArray:
        values = as_samples(x)
        not_both_infinities(values, "their average is undefined")
        return values

    def assumptions(self) -> tuple[Predicate, ...]:
        """Symmetric noise."""
        return (symmetric(),)

    def running(self, level: Level) -> Recomputed:
        """Streaming form; the estimate does not depend on the failure probability."""
        return Recomputed(self, level)
