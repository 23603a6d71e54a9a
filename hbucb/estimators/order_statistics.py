"""An order statistic that is an exact upper confidence limit of the median, for every law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hbucb.estimators.checks import Level, as_samples, log_inverse
from hbucb.estimators.running_median import MedianOfGroups, RunningMedians
from hbucb.predicates import Predicate
from hbucb.streams import Run


def upper_rank(n: ArrayLike, delta: float) -> NDArray[np.int64]:
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
    n = np.asarray(n, dtype=np.int64)
    low, high = np.zeros_like(n), n + 1  # the tail exceeds delta at low, and does not at high
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, 1)
        tail = np.where(middle > n, 0.0, betainc(middle, np.maximum(n - middle + 1, 1), 0.5))
        open_, good = high - low > 1, tail <= delta
        high = np.where(open_ & good, middle, high)
        low = np.where(open_ & ~good, middle, low)
    return high


def median_at_most_loc() -> Predicate:
    """P(xi < 0) <= 1/2 on every arm: the location is at least a median's lower end."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        below = float(law.cdf(0.0) - law.atom(0.0))
        return below <= 0.5 + 1e-12, f"{law!r} has P(noise < 0) = {below:.6g}"

    return Predicate("median_at_most_loc", "P(noise < 0) <= 1/2", test)


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
        return (median_at_most_loc(),)

    def running(self, level: Level) -> RunningOrderStatistic:
        """Streaming form; ValueError for a failure probability that depends on t."""
        if level.moving:
            raise ValueError(f"level = {level!r} must be fixed: the rank is a table over n")
        return RunningOrderStatistic(level.delta(0))


@dataclass(frozen=True)
class RunningOrderStatistic:
    """Streaming order statistic in a sorted window, bit for bit that of the full history.

    Examples
    --------
    >>> RunningOrderStatistic(0.2).estimate([5.0, 1.0, 2.0, 9.0, 3.0])
    5.0
    """

    delta: float
    batch = 1
    initial = 0
    own = None
    moving = False

    def stream(self, run: Run) -> RunningMedians:
        return RunningMedians(1, run, upper_rank(np.arange(run.horizon + 1), self.delta))

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The upper limit from one arm's rewards, in reward units."""
        return OrderStatistic().estimate(rewards, self.delta)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return MedianOfGroups(1).bytes_per_trial(arms, horizon) + 8 * horizon
