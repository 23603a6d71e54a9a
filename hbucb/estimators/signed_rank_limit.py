"""The signed-rank upper limit after every reward: the search starts where it ended before."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.estimators.checks import FloatArray
from hbucb.estimators.hodges_lehmann import HodgesLehmann, signed_rank_rank, walsh
from hbucb.streams import Run

#: Averages that may be written down at the end of a search: for each reward, and in any case.
_LISTED, _FEW = 4, 20_000
_STEPS = 60


@dataclass(frozen=True)
class RunningSignedRankLimit:
    """:meth:`HodgesLehmann.upper` of each arm after every reward, bit for bit; finite rewards.

    O(n log n) time a reward, one trial after the other; about 0.1 ms at 300 rewards.

    Examples
    --------
    >>> RunningSignedRankLimit(0.2).estimate([0.0, 1.0, 10.0])
    10.0
    """

    delta: float
    batch = 1
    initial = 0
    own = None
    moving = False

    def stream(self, run: Run) -> SignedRankLimits:
        return SignedRankLimits(self.delta, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The limit from one arm's rewards, in reward units."""
        return HodgesLehmann().upper(rewards, self.delta)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 256 * arms + 16 * horizon


class SignedRankLimits:
    """Limits of all trials and arms."""

    def __init__(self, delta: float, run: Run) -> None:
        self._delta = delta
        self._halves = [np.empty(0) for _ in range(run.trials * run.arms)]
        self._last = [math.nan] * (run.trials * run.arms)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        upper = np.empty(flat.size)
        for i, (arm, count, half) in enumerate(
            zip(flat.tolist(), n.tolist(), (reward / 2).tolist(), strict=True)
        ):
            halves = self._halves[arm]
            halves = np.insert(halves, np.searchsorted(halves, half), half)
            self._halves[arm] = halves
            rank = signed_rank_rank(count, self._delta)
            if rank > count * (count + 1) // 2:
                upper[i] = math.inf
            else:
                upper[i] = self._last[arm] = walsh_near(halves, rank, self._last[arm])
        return upper


def walsh_near(halves: FloatArray, rank: int, guess: float) -> float:
    """The rank-th smallest sum of two entries i <= j of the sorted ``halves``; exact.

    A bracket around ``guess`` is narrowed by counting, the sums in it are written down, and the
    answer is accepted only if no sum that was counted outside lies on its wrong side.

    Examples
    --------
    >>> walsh_near(np.array([0.0, 0.5, 5.0]), 4, 3.0)  # 0, 0.5, 1, 5, 5.5, 10
    5.0
    """
    n = halves.size
    start = np.arange(n)

    def ends(limit: float) -> np.ndarray:
        return np.maximum(np.searchsorted(halves, limit - halves, side="right"), start)

    if math.isnan(guess):
        guess = 2 * float(halves[n // 2])
    step = (float(halves[3 * n // 4]) - float(halves[n // 4])) / n + abs(guess) * 1e-9 + 1e-300
    low, high = guess - step, guess + step
    under, over = ends(low), ends(high)
    below, upto = int((under - start).sum()), int((over - start).sum())
    grow = step
    for _ in range(_STEPS):
        if below < rank <= upto and upto - below <= max(_LISTED * n, _FEW):
            break
        grow *= 4
        if below >= rank:
            high, over, upto = low, under, below
            low -= grow
            under = ends(low)
            below = int((under - start).sum())
        elif upto < rank:
            low, under, below = high, over, upto
            high += grow
            over = ends(high)
            upto = int((over - start).sum())
        else:
            share = min(max((rank - 0.5 - below) / (upto - below), 0.02), 0.98)
            grow = step
            margin = 0.5 * _LISTED * n / (upto - below)
            # Two cuts at the sides of the place where the answer is expected.
            for cut in (share - margin, share + margin):
                middle = low + min(max(cut, 0.01), 0.99) * (high - low)
                if not low < middle < high:
                    continue
                at = ends(middle)
                count = int((at - start).sum())
                if count < rank:
                    low, under, below = middle, at, count
                else:
                    high, over, upto = middle, at, count
                    break
    else:
        return walsh(2 * halves, rank)
    size = over - under
    first = np.repeat(start, size)
    second = np.arange(first.size) - np.repeat(np.cumsum(size) - size, size) + under[first]
    sums = halves[first] + halves[second]
    answer = float(np.partition(sums, rank - below - 1)[rank - below - 1])
    counted, left = under > start, over < n
    if (halves[counted] + halves[under[counted] - 1] <= answer).all() and (
        halves[left] + halves[over[left]] >= answer
    ).all():
        return answer
    return walsh(2 * halves, rank)
