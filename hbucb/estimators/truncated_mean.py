"""Truncated mean: the j-th sample counts unless it is too large for its age."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import (
    FloatArray,
    Level,
    as_counts,
    as_samples,
    log_inverse,
    order_above_one,
    positive,
)
from hbucb.estimators.recomputed import pieces
from hbucb.history import History
from hbucb.predicates import Predicate, raw_moment
from hbucb.streams import Run


@dataclass(frozen=True)
class TruncatedMean:
    """(1/n) sum_j X_j 1{|X_j| <= (u j / ln(1/delta))^(1/(1+eps))}.

    If E|X|^(1+eps) <= u (a *raw* moment: the estimator is not translation equivariant), the
    estimate exceeds the mean by :meth:`radius` with probability at most delta, and falls below it
    by as much with probability at most delta: delta is the failure probability of one side.

    Samples of +-inf are never kept, at any n: the estimate is finite. A nan raises ValueError.

    Parameters
    ----------
    eps : float
        In (0, 1].
    u : float
        Bound on E|X|^(1+eps), reward units to the power 1 + eps.

    Notes
    -----
    The bias is at most (1+eps) s and Bernstein's inequality gives (sqrt 2 + 1/3) s,
    s = u^(1/(1+eps)) (ln(1/delta)/n)^(eps/(1+eps)); the sum is below 4 s.

    References
    ----------
    Bubeck, Cesa-Bianchi and Lugosi (2013), Lemma 1.

    Examples
    --------
    >>> truncated = TruncatedMean(eps=1.0, u=1.0)
    >>> truncated.estimate([0.5, 9.0, 1.0, 1.5], delta=0.5)  # thresholds 1.2, 1.7, 2.1, 2.4
    0.75
    >>> round(float(truncated.radius(400, delta=0.05)), 4)
    0.3462
    """

    eps: float = 1.0
    u: float = 1.0

    def __post_init__(self) -> None:
        order_above_one(self.eps)
        positive("u", self.u)

    def keys(self, x: FloatArray, j: FloatArray) -> FloatArray:
        """c_j = u j / |X_j|^(1+eps): sample j is kept as long as ln(1/delta) <= c_j.

        The key does not depend on delta, so that a sample's comparison is the same in all rounds;
        0 for infinite samples, which no level keeps.
        """
        size = np.abs(x)
        with np.errstate(divide="ignore", over="ignore"):
            power = size * size if self.eps == 1.0 else size ** (1 + self.eps)
            return self.u * j / power

    def estimate(self, x: ArrayLike, delta: float) -> float:
        """The estimate from all samples ``x`` (n,), in reward units."""
        values = as_samples(x)
        keys = self.keys(values, np.arange(1.0, values.size + 1))
        # In the order of time, as the streaming sum has it: the two agree bit for bit.
        kept = np.where(keys >= log_inverse(delta), values, 0.0)
        return float(np.add.accumulate(kept)[-1] / values.size)

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """4 u^(1/(1+eps)) (ln(1/delta)/n)^(eps/(1+eps)) for n >= 1; inf for n = 0."""
        level = log_inverse(delta)
        with np.errstate(divide="ignore"):
            share = level / as_counts(n)
        return 4 * self.u ** (1 / (1 + self.eps)) * share ** (self.eps / (1 + self.eps))

    def assumptions(self) -> tuple[Predicate, ...]:
        """E|X|^(1+eps) <= u of the reward."""
        return (raw_moment(1 + self.eps, self.u),)

    def running(self, level: Level) -> RunningTruncatedMean:
        """Streaming form at a failure probability that may depend on t."""
        return RunningTruncatedMean(self, level)


@dataclass(frozen=True)
class RunningTruncatedMean:
    """Streaming truncated mean, bit for bit that of the full history.

    As delta falls, samples only leave. A fixed delta needs the running sum alone. A moving one
    keeps, for each arm, the level at which its next sample leaves, and adds up the histories of
    all arms whose level is reached again, in one pass; few samples ever lie between the first and
    the last level.

    Examples
    --------
    >>> from hbucb.estimators.checks import FixedLevel
    >>> TruncatedMean().running(FixedLevel(0.5)).estimate([0.5, 9.0, 1.0, 1.5])
    0.75
    """

    offline: TruncatedMean
    level: Level
    batch = 1
    initial = 0
    own = None

    @property
    def moving(self) -> bool:
        return self.level.moving

    def stream(self, run: Run) -> TruncatedSums:
        return MovingTruncatedSums(self, run) if self.moving else TruncatedSums(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The estimate from one arm's rewards after t pulls of all arms, in reward units."""
        return self.offline.estimate(rewards, self.level.delta(t))

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 8 * arms + (self.moving and 24 * arms + History.BYTES_PER_STEP * horizon)


class TruncatedSums:
    """Sums of the kept samples of all trials and arms at a fixed level."""

    def __init__(self, estimator: RunningTruncatedMean, run: Run) -> None:
        self._keys = estimator.offline.keys
        self._log = log_inverse(estimator.level.delta(0))
        self._sum = np.zeros(run.trials * run.arms)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        keys = self._keys(reward, n)
        total = self._sum[flat]
        total += np.where(keys >= self._log, reward, 0.0)
        self._sum[flat] = total
        total /= n
        return total


class MovingTruncatedSums(TruncatedSums):
    """The same when the level falls with t."""

    def __init__(self, estimator: RunningTruncatedMean, run: Run) -> None:
        super().__init__(estimator, run)
        self._delta = estimator.level.delta
        self._arms = run.arms
        self._trial = np.arange(run.trials)
        self._history = History(run.trials, run.horizon)
        self._count = np.zeros(run.trials * run.arms, np.int64)
        # The smallest key of an arm's kept samples: they start to leave when the level passes it.
        self._next = np.full(run.trials * run.arms, np.inf)
        self._changed = np.empty(0, np.int64)
        self._t = 0

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        self._count[flat] = n
        self._t += 1
        self._log = log_inverse(self._delta(self._t))
        keys = self._keys(reward, n)
        kept = keys >= self._log
        total = self._sum[flat]
        total += np.where(kept, reward, 0.0)
        self._sum[flat] = total
        self._next[flat] = np.minimum(self._next[flat], np.where(kept, keys, np.inf))
        self._changed = np.flatnonzero(self._next < self._log)
        # All arms may lose a sample at once, as when all rewards are equal: in bounded pieces.
        for some in pieces(self._changed, self._t):
            self._add_up(some)
        return self.values(flat)

    def stale(self) -> np.ndarray:
        """Flat indices of the arms from whose sums the last push has removed samples."""
        return self._changed

    def values(self, flat: np.ndarray) -> np.ndarray:
        """Current estimates of the arms ``flat``."""
        return self._sum[flat] / self._count[flat]

    def _add_up(self, flat: np.ndarray) -> None:
        values, lengths = self._history.gather(flat // self._arms, flat % self._arms)
        first = np.cumsum(lengths) - lengths
        row = np.repeat(np.arange(flat.size), lengths)
        keys = self._keys(values, np.arange(1.0, values.size + 1) - first[row])
        kept = keys >= self._log
        # bincount adds one sample after the other, as the running sum does: no pairwise sums.
        self._sum[flat] = np.bincount(row, np.where(kept, values, 0.0), flat.size)
        self._next[flat] = np.minimum.reduceat(np.where(kept, keys, np.inf), first)
