"""An order statistic that is an exact upper confidence limit of the median, for every law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import Level, as_samples
from hbucb.estimators.rank_window import RankWindows
from hbucb.estimators.ranks import FixedRanks, Ranks, upper_rank
from hbucb.history import History
from hbucb.predicates import Predicate
from hbucb.streams import Run


def loc_at_most_median() -> Predicate:
    """P(xi < 0) <= 1/2 on every arm: the location is a median or below one."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        below = float(law.cdf(0.0) - law.atom(0.0))
        return below <= 0.5 + 1e-12, f"{law!r} has P(noise < 0) = {below:.6g}"

    return Predicate("loc_at_most_median", "P(noise < 0) <= 1/2", test)


@dataclass(frozen=True)
class OrderStatistic:
    """X_(m_n), the m_n-th smallest sample, m_n from :func:`upper_rank`; +inf if m_n > n.

    Not an estimate but an upper limit: P(X_(m_n) < mu) <= delta for every law with
    P(X < mu) <= 1/2, with atoms or without, since X_(m_n) < mu needs m_n samples below mu. It has
    no radius, because it needs no scale: how far it lies above mu depends on the law, through
    P(X_(m_n) >= mu + x) = P(Bin(n, P(X < mu + x)) <= m_n - 1), with strict inequalities.

    It is finite while at most n - m_n samples are +inf. A nan raises ValueError.

    Examples
    --------
    >>> OrderStatistic().estimate([5.0, 1.0, 2.0, 9.0, 3.0], delta=0.2)  # m_5 = 4, 6/32 <= 0.2
    5.0
    >>> OrderStatistic().estimate([5.0, 1.0], delta=0.2)
    inf
    """

    def estimate(self, x: ArrayLike, delta: float) -> float:
        """The upper limit from all samples ``x`` (n,), in reward units."""
        values = np.sort(as_samples(x))
        rank = int(upper_rank(values.size, delta))
        return float(values[rank - 1]) if rank <= values.size else np.inf

    def assumptions(self) -> tuple[Predicate, ...]:
        """P(xi < 0) <= 1/2."""
        return (loc_at_most_median(),)

    def running(self, level: Level) -> RunningOrderStatistic:
        """Streaming form; ValueError for a failure probability that depends on t."""
        if level.moving:
            raise ValueError(f"level = {level!r} must be fixed: the rank is a table over n")
        return RunningOrderStatistic(FixedRanks(level.delta(0)))


@lru_cache(maxsize=1 << 14)
def _rank(ranks: Ranks, n: int, t: int) -> int:
    return int(ranks.at(n, t))


@dataclass(frozen=True)
class RunningOrderStatistic:
    """Streaming order statistic of any ranks, bit for bit that of the full history.

    Examples
    --------
    >>> RunningOrderStatistic(FixedRanks(0.2)).estimate([5.0, 1.0, 2.0, 9.0, 3.0])
    5.0
    """

    ranks: Ranks
    batch = 1
    initial = 0
    own = None

    @property
    def moving(self) -> bool:
        return self.ranks.moving

    def stream(self, run: Run) -> OrderStatistics:
        return (MovingOrderStatistics if self.moving else OrderStatistics)(self.ranks, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The upper limit from one arm's rewards after t pulls in all, in reward units."""
        rank = _rank(self.ranks, len(rewards), t if self.moving else 0)
        return float(np.sort(as_samples(rewards))[rank - 1]) if rank <= len(rewards) else np.inf

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return arms * (RankWindows.BYTES + 16) + (History.BYTES_PER_STEP + 16) * horizon


class OrderStatistics:
    """Upper limits of all trials and arms, with ranks that depend on the count alone."""

    def __init__(self, ranks: Ranks, run: Run) -> None:
        self._arms = run.arms
        self._trial = np.arange(run.trials)
        self._history = History(run.trials, run.horizon)
        self._windows = RankWindows(run.trials * run.arms, self._rewards)
        self._start(ranks, run)

    def _start(self, ranks: Ranks, run: Run) -> None:
        n = np.arange(run.horizon + 1)
        table = ranks.at(n, 0)
        self._none = table > n
        self._last_none = int(np.flatnonzero(self._none).max(initial=0))
        self._table = np.minimum(table, n)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        rank = self._table.take(n)
        self._windows.insert(flat, reward, rank)
        upper = self._windows.read(flat, rank)
        if n.min() <= self._last_none:
            upper[self._none[n]] = np.inf
        return upper

    def _rewards(self, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._history.gather(flat // self._arms, flat % self._arms)


class MovingOrderStatistics(OrderStatistics):
    """The same with ranks that also grow with t, for arms that are not played too."""

    def _start(self, ranks: Ranks, run: Run) -> None:
        self._ranks, self._t = ranks, 0
        self._n = np.zeros(run.trials * run.arms, np.int64)
        self._rank = np.zeros_like(self._n)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        self._t += 1
        rank = self._ranks.at(n, self._t)
        self._n[flat], self._rank[flat] = n, rank
        self._windows.insert(flat, reward, np.minimum(rank, n))
        return self._read(flat, rank, n)

    def stale(self) -> np.ndarray:
        """The arms whose rank this round has raised."""
        rank = self._ranks.at(self._n, self._t)
        flat = np.flatnonzero(rank != self._rank)
        self._rank[flat] = rank[flat]
        return flat

    def values(self, flat: np.ndarray) -> np.ndarray:
        """Current upper limits of the arms ``flat``."""
        return self._read(flat, self._rank[flat], self._n[flat])

    def _read(self, flat: np.ndarray, rank: np.ndarray, n: np.ndarray) -> np.ndarray:
        upper = self._windows.read(flat, np.minimum(rank, n))
        none = rank > n
        if none.any():
            upper[none] = np.inf
        return upper
