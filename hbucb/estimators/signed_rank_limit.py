"""The signed-rank upper limit after every reward, from a window of averages around its rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.estimators.checks import FloatArray
from hbucb.estimators.hodges_lehmann import HodgesLehmann, signed_rank_rank
from hbucb.estimators.walsh_search import window_near
from hbucb.history import History
from hbucb.streams import Run

#: Places in a window: at least so many, and for each reward of the arm.
_LEAST, _EACH = 512, 2


@dataclass(frozen=True)
class RunningSignedRankLimit:
    """:meth:`HodgesLehmann.upper` of each arm after every reward, bit for bit; finite rewards.

    O(n) time a reward, all trials together; now and then a search of O(n log n) for one arm.

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
        window = 8 * max(_LEAST, 2 * _EACH * horizon)
        return arms * (window + 64) + (History.BYTES_PER_STEP + 80) * horizon


class SignedRankLimits:
    """Limits of all trials and arms.

    A reward makes n new averages. Most of them lie below an arm's window or above it and are only
    counted; the others are sorted in. When the rank leaves the window, or the window is full, it is
    made again from the arm's history.
    """

    def __init__(self, delta: float, run: Run) -> None:
        self._delta, self._arms = delta, run.arms
        self._trial = np.arange(run.trials)
        self._history = History(run.trials, run.horizon)
        size = run.trials * run.arms
        self._window = np.full((size, _LEAST), np.inf)
        self._size, self._below = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self._low, self._high = np.full(size, -np.inf), np.full(size, np.inf)
        self._ranks = np.zeros(1, np.int64)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        slot = flat - self._trial * self._arms
        self._history.append(slot, reward)
        values, lengths = self._history.gather(self._trial, slot)
        averages = n * (n + 1) // 2
        rank = np.minimum(self._rank(n), averages)
        row = np.repeat(self._trial, lengths)
        full = self._insert(flat, values / 2 + (reward / 2)[row], row)
        place = rank - 1 - self._below[flat]
        ends = np.cumsum(lengths)
        # Few: a window lasts for many rewards.
        for i in np.flatnonzero(full | (place < 0) | (place >= self._size[flat])).tolist():
            mine = np.sort(values[ends[i] - lengths[i] : ends[i]]) / 2
            self._rebuild(int(flat[i]), mine, int(rank[i]))
            place[i] = rank[i] - 1 - self._below[flat[i]]
        one = self._one(flat)
        upper = np.where(one, self._high[flat], self._window[flat, np.where(one, 0, place)])
        upper[self._rank(n) > averages] = np.inf
        return upper

    def _rank(self, n: np.ndarray) -> np.ndarray:
        while (size := self._ranks.size) <= n.max():
            more = [signed_rank_rank(k, self._delta) for k in range(size, 2 * size)]
            self._ranks = np.append(self._ranks, more)
        return self._ranks[n]

    def _insert(self, flat: np.ndarray, sums: FloatArray, row: np.ndarray) -> np.ndarray:
        """Count and sort in new averages of the arms ``flat[row]``; whose windows are too small."""
        low, high, size = self._low[flat], self._high[flat], self._size[flat]
        under = sums <= low[row]
        self._below[flat] += np.bincount(row[under], minlength=flat.size)
        inside = np.flatnonzero(~under & (sums <= high[row]))
        more = size + np.bincount(row[inside], minlength=flat.size)
        self._size[flat] = more
        one = self._one(flat)
        full = ~one & (more > self._window.shape[1])
        inside = inside[~(one | full)[row[inside]]]
        if inside.size:
            mine = row[inside]
            touched, at, new = np.unique(mine, return_inverse=True, return_counts=True)
            order = np.arange(mine.size) - np.repeat(np.cumsum(new) - new, new)
            rows = self._window[flat[touched]]
            rows[at, size[mine] + order] = sums[inside]
            rows.sort(axis=1, kind="stable")  # nearly sorted already
            self._window[flat[touched]] = rows
        return full

    def _one(self, flat: np.ndarray) -> np.ndarray:
        """Whether the window of an arm has room for one value only, at which all its sums are."""
        return self._high[flat] <= np.nextafter(self._low[flat], np.inf)

    def _rebuild(self, arm: int, halves: FloatArray, rank: int) -> None:
        while self._window.shape[1] < _EACH * halves.size:
            self._window = np.append(self._window, np.full_like(self._window, np.inf), axis=1)
        guess, half = float(self._high[arm]), self._window.shape[1] // 2
        low, high, below, size, values = window_near(halves, rank, guess, half)
        self._window[arm] = np.inf
        self._window[arm, : values.size] = values
        self._low[arm], self._high[arm], self._below[arm] = low, high, below
        self._size[arm] = size
