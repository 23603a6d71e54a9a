"""Exact running medians for all trials and arms, with a sorted window around each median.

Inserting a value moves the median by half a rank, so a window of W sorted values around it serves
about W^2 insertions before the median leaves it; only then is the full history looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.history import History
from hbucb.streams import Run
from hbucb.validate import store, whole_number

_WINDOW = 32


@dataclass(frozen=True)
class MedianOfGroups:
    """Median of the means of ``group`` consecutive rewards: 1 is the sample median, 2 is pairs.

    Rewards that do not fill a group yet are not used; before the first full group the estimate is
    the mean of the rewards seen. Half of the groups may be +-inf before the estimate is.

    Examples
    --------
    >>> MedianOfGroups(2).estimate([0.0, 2.0, 10.0, 30.0, 4.0, 6.0, 99.0])
    5.0
    """

    group: int = 2
    batch = 1
    initial = 0
    own = None
    moving = False

    def __post_init__(self) -> None:
        store(self, group=whole_number(self.group, "group", 1))

    def stream(self, run: Run) -> RunningMedians:
        return RunningMedians(self.group, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The median of the group means, in reward units."""
        if not len(rewards):
            raise ValueError("rewards is empty; at least one is needed")
        size = self.group if len(rewards) >= self.group else len(rewards)
        means = []
        for start in range(0, len(rewards) - size + 1, size):
            total = 0.0
            for reward in rewards[start : start + size]:
                total += reward
            means.append(total / size)
        means.sort()
        return (means[(len(means) - 1) // 2] + means[len(means) // 2]) / 2

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return arms * 8 * (_WINDOW + 6) + History.BYTES_PER_STEP * horizon


class RunningMedians:
    """Medians of all trials and arms after every reward, or other order statistics.

    ``ranks`` (horizon + 1,) holds the rank from 1 that is wanted of n values, +inf if it is above
    n; None stands for the median, the mean of the two middle values.
    """

    def __init__(self, group: int, run: Run, ranks: np.ndarray | None = None) -> None:
        arms = run.trials * run.arms
        self._ranks = ranks
        self._group, self._arms = group, run.arms
        self._history = History(run.trials, run.horizon)
        self._trial = np.arange(run.trials)
        self._partial = np.zeros(arms)
        self._median = np.zeros(arms)
        self._window = np.full((arms, _WINDOW), np.inf)
        self._size = np.zeros(arms, np.int64)
        self._below = np.zeros(arms, np.int64)
        self._total = np.zeros(arms, np.int64)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        total = self._partial.take(flat)
        total += reward
        self._partial[flat] = total
        if self._group == 1:
            self._insert(flat, total)
        else:
            young = n < self._group
            if young.any():
                self._median[flat[young]] = total[young] / n[young]
            full = n % self._group == 0
            if not full.any():
                return self._median.take(flat)
            self._insert(flat[full], total[full] / self._group)
            self._partial[flat[full]] = 0.0
            return self._median.take(flat)
        self._partial[flat] = 0.0
        return self._median.take(flat)

    def _wanted(self, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions from 0 of the two values (or twice the one) that make the estimate."""
        if self._ranks is None:
            return (total - 1) // 2, total // 2
        rank = np.minimum(self._ranks[total], total) - 1
        return rank, rank

    def _missing(self, flat: np.ndarray) -> None:
        """Set +inf where the wanted rank is above the number of values."""
        if self._ranks is not None:
            total = self._total[flat]
            self._median[flat[self._ranks[total] > total]] = np.inf

    def _insert(self, flat: np.ndarray, value: np.ndarray) -> None:
        rows = np.empty((flat.size, _WINDOW + 1))
        rows[:, :_WINDOW] = self._window[flat]
        size, below = self._size[flat], self._below[flat]
        total = self._total[flat]
        above = total - below - size
        total += 1
        last = rows[np.arange(flat.size), np.maximum(size - 1, 0)]
        under = (below > 0) & (value < rows[:, 0])
        over = (above > 0) & (value > last) & ~under
        inside = ~(under | over)
        rows[:, _WINDOW] = np.where(inside, value, np.inf)
        rows.sort(axis=1)
        below += under
        # A full window gives up the end that is farther from the wanted rank.
        grown = inside & (size == _WINDOW)
        first, second = self._wanted(total)
        drop_low = grown & (first - below > _WINDOW // 2)
        rows[drop_low, :-1] = rows[drop_low, 1:]
        below += drop_low
        size += inside & ~grown
        first, second = first - below, second - below
        lost = (first < 0) | (second >= size)
        at = np.arange(flat.size)
        good = ~lost
        medians = np.empty(flat.size)
        medians[good] = (rows[at[good], first[good]] + rows[at[good], second[good]]) / 2
        rows[:, _WINDOW] = np.inf
        self._window[flat] = rows[:, :_WINDOW]
        self._size[flat], self._below[flat], self._total[flat] = size, below, total
        self._median[flat] = medians
        if lost.any():
            self._rebuild(flat[lost])
        self._missing(flat)

    def _rebuild(self, flat: np.ndarray) -> None:
        """Centre the windows of a few arms again, from their full histories."""
        values, lengths = self._history.gather(flat // self._arms, flat % self._arms)
        start = 0
        for arm, length in zip(flat.tolist(), lengths.tolist(), strict=True):
            groups = length // self._group
            used = values[start : start + groups * self._group].reshape(groups, self._group)
            means = used[:, 0].copy()
            for column in used.T[1:]:
                means += column
            means /= self._group
            means.sort()
            first, second = (int(rank) for rank in self._wanted(np.array(groups)))
            low = max(0, min(first - (_WINDOW - 1) // 2, groups - _WINDOW))
            window = means[low : low + _WINDOW]
            self._window[arm] = np.inf
            self._window[arm, : window.size] = window
            self._size[arm], self._below[arm] = window.size, low
            self._median[arm] = (means[first] + means[second]) / 2
            start += length
