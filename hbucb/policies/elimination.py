"""Round elimination: the arms that are still in play, dropped for good in rounds that get finer.

Two ways of spending a round share one table of survivors. :class:`EqualRounds` pulls every survivor
equally often and judges at the end of the round (UCB-Improved, Median Elimination).
:class:`OptimisticRounds` pulls the largest index and judges after every pull (CCB, EUCBV). What an
algorithm adds is a *plan*: how long its rounds are, and who stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hbucb.streams import Run

_DEAD = np.iinfo(np.int64).max // 2


class EqualPlan(Protocol):
    """What an algorithm with rounds of equal pulls adds."""

    @property
    def counts(self) -> np.ndarray:
        """(rounds,) pulls of each survivor when round m ends."""

    @property
    def fresh(self) -> bool:
        """Whether a round forgets the rewards of the rounds before."""

    @property
    def in_turn(self) -> bool:
        """Whether survivors are pulled in turn; else one after the other, each to its count."""

    def keep(self, mean: np.ndarray, alive: np.ndarray, m: np.ndarray) -> np.ndarray:
        """(rows, arms) who stays after round m (rows, 1); means of dropped arms are -inf."""


class Survivors:
    """Counts, sums and survivors of all trials, and each trial's round."""

    def __init__(self, run: Run) -> None:
        shape = run.trials, run.arms
        self._row = np.arange(run.trials) * run.arms
        self._flat = np.empty_like(self._row)
        self.count = np.zeros(shape, np.int64)
        self.total = np.zeros(shape)
        self.alive = np.ones(shape, bool)
        self.m = np.zeros(run.trials, np.int64)

    def learn(self, arm: np.ndarray, reward: np.ndarray) -> np.ndarray:
        """Add one pull a trial; returns the flat positions, overwritten at the next step."""
        flat = np.add(self._row, arm, out=self._flat)
        self.count.reshape(-1)[flat] += 1
        self.total.reshape(-1)[flat] += reward
        return flat


class EqualRounds(Survivors):
    """Bring every survivor to the count of the round, then judge; at the end commit to the best."""

    def __init__(self, plan: EqualPlan, run: Run) -> None:
        super().__init__(run)
        self._plan = plan
        self._pulls = self.count.copy()  # pulls in the sense of the round; huge when dropped
        self._committed = np.full(run.trials, 0 if not plan.counts.size or run.arms == 1 else -1)
        first = int(plan.counts[0]) if plan.counts.size else 1
        self._need = np.full((run.trials, 1), first)
        self._left = np.where(self._committed < 0, first * run.arms, _DEAD)

    def select(self, t: int) -> np.ndarray:
        if self._plan.in_turn:
            arm = self._pulls.argmin(axis=1)
        else:
            arm = (self._pulls < self._need).argmax(axis=1)
        return np.where(self._committed < 0, arm, self._committed)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self.learn(arm, reward)
        self._pulls.reshape(-1)[flat] += 1
        self._left -= 1
        while (rows := np.flatnonzero(self._left == 0)).size:
            self._judge(rows)

    def _judge(self, rows: np.ndarray) -> None:
        plan, alive = self._plan, self.alive[rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(alive, self.total[rows] / self.count[rows], -np.inf)
        alive &= plan.keep(mean, alive, self.m[rows, None])
        self.alive[rows] = alive
        self.m[rows] += 1
        done = (alive.sum(axis=1) == 1) | (self.m[rows] >= plan.counts.size)
        best = np.where(alive, mean, -np.inf).argmax(axis=1)
        self._committed[rows] = np.where(done, best, -1)
        if plan.fresh:
            self.count[rows], self.total[rows] = 0, 0.0
        need = plan.counts[np.minimum(self.m[rows], plan.counts.size - 1), None]
        self._need[rows] = need
        self._pulls[rows] = np.where(alive, self.count[rows], _DEAD)
        left = np.where(alive, np.maximum(need - self.count[rows], 0), 0).sum(axis=1)
        self._left[rows] = np.where(done, _DEAD, left)


@dataclass(frozen=True)
class OptimisticPlan:
    """What an algorithm that pulls by index and drops at every pull adds: tables by the round m.

    With v the variance of an arm's n rewards, the index is the mean + sqrt(pull[m] (v + shift)/n),
    the interval of elimination the mean +- w, where w is the same as the index has (``drop`` None)
    or drop[m].

    Attributes
    ----------
    counts : ndarray (rounds,)
        Pulls that round m grants to each survivor; all together they end it.
    offset : int
        Pulls before the first round starts.
    pull : ndarray (rounds,)
    shift : float
        inf: the variance does not matter, the index is the mean + sqrt(pull[m] / n).
    drop : ndarray (rounds,) or None
    by_index : bool
        The reference of elimination: False for the best lower end; True for the arm that a public
        script finds by comparing means with indices.
    """

    counts: np.ndarray
    offset: int
    pull: np.ndarray
    shift: float = math.inf
    drop: np.ndarray | None = None
    by_index: bool = False


class OptimisticRounds(Survivors):
    """Pull the largest index, drop after every pull, go to the next round by the clock."""

    def __init__(self, plan: OptimisticPlan, run: Run) -> None:
        super().__init__(run)
        self._plan, self._arms = plan, run.arms
        self._square = np.zeros_like(self.total)
        self._index = np.full_like(self.total, np.inf)
        self._high = self._index if plan.drop is None else self._index.copy()
        self._low = np.full_like(self.total, -np.inf)
        self._below = np.empty_like(self.alive)
        self._dead = 0
        self._reference = np.zeros(run.trials, np.int64)
        only = plan.counts.size == 1
        self._end = np.full(
            run.trials, _DEAD if only else plan.offset + int(plan.counts[0]) * run.arms
        )
        # Means counted in whole units, above which the reference may move on.
        self._units = np.zeros_like(self.count)

    def select(self, t: int) -> np.ndarray:
        return self._index.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self.learn(arm, reward)
        self._square.reshape(-1)[flat] += reward * reward
        self._measure(flat, self.m)
        if t < self._arms:
            return
        self._judge(flat, t == self._arms)
        rows = np.flatnonzero(self._end <= t + 1)
        if rows.size:
            self._next_round(rows, t + 1)

    def _measure(self, flat: np.ndarray, m: np.ndarray) -> None:
        """The index and the interval of the arms ``flat`` in rounds ``m``."""
        plan = self._plan
        n, total = self.count.reshape(-1)[flat], self.total.reshape(-1)[flat]
        mean = total / n
        width = plan.pull[m]
        if plan.shift < math.inf:
            v = np.maximum(self._square.reshape(-1)[flat] / n - mean * mean, 0.0)
            width = width * (v + plan.shift)
        pull = np.sqrt(width / n)
        self._index.reshape(-1)[flat] = mean + pull
        drop = pull
        if plan.drop is not None:
            drop = plan.drop[m]
            self._high.reshape(-1)[flat] = mean + drop
        self._low.reshape(-1)[flat] = mean - drop

    def _judge(self, flat: np.ndarray, first: bool) -> None:
        if self._plan.by_index:
            self._refer(flat, first)
            best = self._low.reshape(-1)[self._row + self._reference]
        else:
            best = self._low.max(axis=1)
        np.less(self._high, best[:, None], out=self._below)
        # Dropped arms are always below, so a new one changes the number.
        if np.count_nonzero(self._below) == self._dead:
            return
        gone = np.flatnonzero((self._below & self.alive).reshape(-1))
        self._dead += gone.size
        self.alive.reshape(-1)[gone] = False
        self._high.reshape(-1)[gone] = -np.inf
        self._index.reshape(-1)[gone] = -np.inf
        self._low.reshape(-1)[gone] = -np.inf
        self._units.reshape(-1)[gone] = 0
        if self._plan.by_index:
            self._find(np.unique(gone // self._arms))

    def _next_round(self, rows: np.ndarray, pulls: int) -> None:
        self.m[rows] += 1
        m = self.m[rows]
        counts = self._plan.counts
        end = pulls + self.alive[rows].sum(axis=1) * counts[m]
        self._end[rows] = np.where(m < counts.size - 1, end, _DEAD)
        row, slot = np.nonzero(self.alive[rows])
        self._measure(self._row[rows[row]] + slot, m[row])

    def _refer(self, flat: np.ndarray, first: bool) -> None:
        """Keep the reference right after a pull: only whole units of a mean matter to it."""
        if first:
            mean = self.total / self.count
            self._units = np.maximum(np.ceil(mean), 0).astype(np.int64)
            self._find(np.arange(len(self._row)))
            return
        mean = self.total.reshape(-1)[flat] / self.count.reshape(-1)[flat]
        units = np.maximum(np.ceil(mean), 0).astype(np.int64)
        moved = np.flatnonzero(units != self._units.reshape(-1)[flat])
        if moved.size:
            self._units.reshape(-1)[flat] = units
            self._find(moved)

    def _find(self, rows: np.ndarray) -> None:
        """The reference: from the first survivor on to the next one whose mean is above the index.

        An integer h is below a mean if and only if h < max(0, ceil(mean)), for h >= 0.
        """
        at = self.alive[rows].argmax(axis=1)
        slots, units = np.arange(self._arms), self._units[rows]
        while True:
            later = (slots > at[:, None]) & (units > at[:, None])
            moves = later.any(axis=1)
            if not moves.any():
                break
            at = np.where(moves, later.argmax(axis=1), at)
        self._reference[rows] = at
