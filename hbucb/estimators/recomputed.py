"""Streaming by computing again: exact for any estimator, at the cost of one pass an estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.checks import FloatArray, Level
from hbucb.history import History
from hbucb.streams import Run

#: Samples that one piece of a step looks at: bounds the memory when all arms change at once.
_SAMPLES = 1 << 20


class Offline(Protocol):
    """An estimator that is a function of an arm's samples and the failure probability."""

    def estimate(self, x: ArrayLike, delta: float) -> float:
        """The estimate from all samples ``x`` (n,), in reward units."""

    def least(self, delta: float) -> int:
        """Samples without which there is no estimate."""


@dataclass(frozen=True)
class Recomputed:
    """The offline estimate of the played arm's full history after each reward.

    Bit for bit the offline estimate, which it calls; O(n) or O(n log n) an estimate. An estimator
    with a method ``ragged(values, n, delta)`` does all trials in one call. Arms with fewer samples
    than the estimator needs have the estimate 0 (and an infinite radius).

    Examples
    --------
    >>> from hbucb.estimators import Huber
    >>> from hbucb.estimators.checks import FixedLevel
    >>> Recomputed(Huber(lam=1.0), FixedLevel(0.1)).estimate([0.0, 2.0, 50.0])
    2.0
    """

    offline: Offline
    level: Level
    batch = 1
    initial = 0
    own = None

    @property
    def moving(self) -> bool:
        return self.level.moving

    def stream(self, run: Run) -> RecomputedState:
        return RecomputedState(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The estimate from one arm's rewards after t pulls of all arms, in reward units."""
        return self.offline.estimate(rewards, self.level.delta(t))

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        rows = arms if self.moving else 1
        return 16 * arms + (History.BYTES_PER_STEP + 32 * rows) * horizon


class RecomputedState:
    """Estimates of all trials and arms."""

    def __init__(self, estimator: Recomputed, run: Run) -> None:
        self._offline, self._level = estimator.offline, estimator.level
        self._arms = run.arms
        self._trial = np.arange(run.trials)
        self._history = History(run.trials, run.horizon)
        self._value = np.zeros(run.trials * run.arms)
        self._count = np.zeros(run.trials * run.arms, np.int64)
        self._t = 0

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        self._count[flat] = n
        self._t += 1
        self._compute(flat)
        return self.values(flat)

    def stale(self) -> np.ndarray:
        """All arms seen: a new level changes each of them."""
        flat = np.flatnonzero(self._count)
        self._compute(flat)
        return flat

    def values(self, flat: np.ndarray) -> np.ndarray:
        """Current estimates of the arms ``flat``."""
        return self._value.take(flat)

    def _compute(self, flat: np.ndarray) -> None:
        flat = flat[self._count[flat] >= self._offline.least(self._level.delta(self._t))]
        for some in pieces(flat, self._t):
            self._estimate(some)

    def _estimate(self, flat: np.ndarray) -> None:
        values, n = self._history.gather(flat // self._arms, flat % self._arms)
        self._value[flat] = each_row(self._offline, values, n, self._level.delta(self._t))


def pieces(flat: np.ndarray, t: int) -> Iterator[np.ndarray]:
    """The arms ``flat`` in parts whose histories of t rounds hold a bounded number of samples."""
    size = max(1, _SAMPLES // t)
    for start in range(0, flat.size, size):
        yield flat[start : start + size]


def as_rows(values: FloatArray, n: np.ndarray, pad: float) -> FloatArray:
    """(rows, max n): the rows of n samples that follow each other in ``values``, padded.

    Examples
    --------
    >>> as_rows(np.array([5.0, 6.0, 7.0]), np.array([1, 2]), np.inf).tolist()
    [[5.0, inf], [6.0, 7.0]]
    """
    out = np.full((n.size, int(n.max())), pad)
    out[np.arange(out.shape[1]) < n[:, None]] = values
    return out


def each_row(offline: Offline, values: FloatArray, n: np.ndarray, delta: float) -> FloatArray:
    """Estimates (rows,) of rows of samples that follow each other in ``values``."""
    ragged = getattr(offline, "ragged", None)
    if ragged is not None:
        return ragged(values, n, delta)
    ends = np.cumsum(n).tolist()
    rows = zip([0, *ends[:-1]], ends, strict=True)
    return np.array([offline.estimate(values[start:end], delta) for start, end in rows])
