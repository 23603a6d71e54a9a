"""Hodges-Lehmann: the median of the means of all pairs, its radius and an exact upper limit."""

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
    positive,
)
from hbucb.estimators.pair_mass import mass_needed, radius_of_mass
from hbucb.estimators.recomputed import Recomputed
from hbucb.noise import Noise, as_noise
from hbucb.predicates import Predicate, mass_within, symmetric, unimodal

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
        low, high = (
            (low, middle) if pairs_at_most(halves, _float(middle)) >= rank else (middle, high)
        )
    return _float(high)


def pairs_at_most(halves: FloatArray, limit: float) -> int:
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

    If the noise is symmetric and unimodal with P(|xi| < reach) >= 2 kappa reach, the estimate
    exceeds the centre by :meth:`radius` with probability at most delta, and falls below it by as
    much with probability at most delta (one side each). For symmetric noise :meth:`upper` is an
    exact upper limit of the centre that needs no parameter.

    It is finite while fewer than about 29 % of the samples are infinite, of one sign: both signs
    together, whose average is undefined, and a nan raise ValueError.

    Parameters
    ----------
    kappa, reach : float, optional
        One over reward units, and reward units, with 2 kappa reach <= 1: the class of
        :class:`SampleMedian`. Only the radius needs them.

    Notes
    -----
    estimate > mu + r means that at least half of the averages exceed mu + r. Let p and q be the
    probabilities beyond 1/2 with which one sample and the mean of two are at most mu + r. Each
    pair i < j, with its share 1/(n-1) of the two averages i = i and j = j, counts in
    [0, (n+1)/(n-1)], and the mean count must exceed its expectation by q + 2p/(n-1) >= q. Averages
    over pairs are averages over floor(n/2) independent pairs (Hoeffding 1963, section 5b), hence
    P(estimate > mu + r) <= exp(-2 floor(n/2) (q (n-1)/(n+1))^2). The mean of two symmetric unimodal
    variables is symmetric and unimodal (Wintner 1938) and within reach where both are: q is
    concave in r and at least 2 (kappa reach)^2 at r = reach.

    References
    ----------
    Hodges and Lehmann (1963); Tukey (1949) for the limit; Hoeffding (1963) for the radius.

    Examples
    --------
    >>> HodgesLehmann().estimate([0.0, 1.0, 10.0], delta=0.1)  # 0, 0.5, 1, 5, 5.5, 10
    3.0
    >>> walsh_median = HodgesLehmann(kappa=0.25, reach=1.0)  # Cauchy: P(|xi| < 1) = 1/2
    >>> float(walsh_median.radius(101, 0.05)), round(float(walsh_median.radius(801, 0.05)), 4)
    (inf, 0.4908)
    """

    kappa: float | None = None
    reach: float | None = None

    def __post_init__(self) -> None:
        if self.kappa is None and self.reach is None:
            return
        if self.kappa is None or self.reach is None:
            raise ValueError(f"{self!r} needs both kappa and reach for its radius, or neither")
        positive("kappa", self.kappa)
        positive("reach", self.reach)
        if 2 * self.kappa * self.reach > 1:
            raise ValueError(
                f"reach = {self.reach!r} must be at most 1/(2 kappa) = {0.5 / self.kappa!r}"
            )

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

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """need(n) / (2 kappa^2 reach) where that is at most ``reach``, else inf.

        need(n) = (n+1)/(n-1) sqrt(ln(1/delta) / (2 floor(n/2))). ValueError without kappa.
        """
        if self.kappa is None or self.reach is None:
            raise ValueError(f"{self!r} has no radius without a scale; give kappa and reach")
        width = mass_needed(n, delta) / (2 * self.kappa * (self.kappa * self.reach))
        return np.where(width <= self.reach, width, np.inf)

    def radius_for(self, law: Noise, n: ArrayLike, delta: float) -> FloatArray:
        """Smallest r with q(r) >= need(n) for a known symmetric law, or inf; rounded up by 1e-6.

        q by :func:`pair_mass`, about 20 ms a distinct n. ValueError unless the law is known to be
        symmetric.

        Examples
        --------
        >>> from hbucb.noise import Cauchy
        >>> round(float(HodgesLehmann().radius_for(Cauchy(), 401, 0.05)), 4)
        0.2803
        """
        law = as_noise(law)
        if law.symmetric is not True:
            raise ValueError(f"law = {law!r} is not known to be symmetric")
        need, places = np.unique(mass_needed(n, delta), return_inverse=True)
        found = np.array([radius_of_mass(law, level) for level in need.tolist()])
        return found[places].reshape(np.shape(n))

    @staticmethod
    def _samples(x: ArrayLike) -> FloatArray:
        values = as_samples(x)
        not_both_infinities(values, "their average is undefined")
        return values

    def assumptions(self) -> tuple[Predicate, ...]:
        """Symmetric noise; for the radius also unimodal, P(|xi| < reach) >= 2 kappa reach."""
        if self.kappa is None or self.reach is None:
            return (symmetric(),)
        mass = min(2 * self.kappa * self.reach, 1.0)
        return (symmetric(), unimodal(), mass_within(self.reach, mass))

    def running(self, level: Level) -> Recomputed:
        """Streaming form; the estimate does not depend on the failure probability."""
        return Recomputed(self, level)
