"""Exact running medians for all trials and arms, of rewards or of the means of groups of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.estimators.rank_window import RankWindows
from hbucb.history import History
from hbucb.streams import Run
from hbucb.validate import store, whole_number


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
        return arms * (RankWindows.BYTES + 16) + History.BYTES_PER_STEP * horizon


class RunningMedians:
    """Medians of all trials and arms after every reward."""

    def __init__(self, group: int, run: Run) -> None:
        arms = run.trials * run.arms
        self._group, self._arms = group, run.arms
        self._history = History(run.trials, run.horizon)
        self._trial = np.arange(run.trials)
        self._partial = np.zeros(arms)
        self._median = np.zeros(arms)
        self._windows = RankWindows(arms, self._means)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        if self._group == 1:
            return self._insert(flat, reward, n)
        total = self._partial.take(flat)
        total += reward
        self._partial[flat] = total
        young = n < self._group
        if young.any():
            self._median[flat[young]] = total[young] / n[young]
        full = n % self._group == 0
        if full.any():
            filled = flat[full]
            self._median[filled] = self._insert(
                filled, total[full] / self._group, n[full] // self._group
            )
            self._partial[filled] = 0.0
        return self._median.take(flat)

    def _insert(self, flat: np.ndarray, value: np.ndarray, total: np.ndarray) -> np.ndarray:
        """The new medians, after one more value that makes ``total`` of them."""
        first, second = (total + 1) // 2, total // 2 + 1
        self._windows.insert(flat, value, first)
        middle = self._windows.read(flat, first)
        middle += self._windows.read(flat, second)
        middle /= 2
        return middle

    def _means(self, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Means of the full groups of these arms, one arm after the other, and how many each."""
        values, lengths = self._history.gather(flat // self._arms, flat % self._arms)
        if self._group == 1:
            return values, lengths
        groups = lengths // self._group
        starts = np.repeat(np.cumsum(lengths) - lengths, groups)
        within = np.arange(starts.size) - np.repeat(np.cumsum(groups) - groups, groups)
        starts += self._group * within
        means = values[starts]
        for column in range(1, self._group):
            means += values[starts + column]
        means /= self._group
        return means, groups
