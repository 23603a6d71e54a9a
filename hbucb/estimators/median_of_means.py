"""Median of means: the median of the means of k blocks, with its radius."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hbucb.estimators.checks import FixedLevel, as_counts, as_samples, log_inverse
from hbucb.history import History
from hbucb.predicates import Predicate, central_moment
from hbucb.streams import Run
from hbucb.validate import positive, store, whole_number


def _log_level(delta: float) -> float:
    """ln(e^(1/8) / delta)."""
    return 0.125 + log_inverse(delta)


@dataclass(frozen=True)
class MedianOfMeans:
    """Median of k block means, k = floor(min(8 ln(e^(1/8)/delta), n/2)).

    If E|X - mu|^(1+eps) <= v, then the estimate is within :meth:`radius` of the mean mu with
    probability at least 1 - delta on each side.

    Half of the blocks may be infinite before the estimate is. A nan, or a block that holds both
    inf and -inf and so has no mean, raises ValueError.

    Parameters
    ----------
    eps : float
        In (0, 1]: the moment of order 1 + eps is finite.
    v : float
        Bound on the centred moment E|X - mu|^(1+eps), in reward units to the power 1 + eps.

    References
    ----------
    Bubeck, Cesa-Bianchi and Lugosi (2013), Lemma 2; the radius holds from
    n >= 16 ln(e^(1/8)/delta) on only.

    Examples
    --------
    >>> mom = MedianOfMeans(eps=1.0, v=1.0)
    >>> mom.estimate([1.0, 2.0, 3.0, 100.0, 2.0, 4.0], delta=0.5)
    3.0
    >>> float(mom.radius(8, delta=0.05)), round(float(mom.radius(400, delta=0.05)), 4)
    (inf, 1.2239)
    """

    eps: float = 1.0
    v: float = 1.0

    def __post_init__(self) -> None:
        store(self, eps=positive("eps", self.eps), v=positive("v", self.v))
        if self.eps > 1:
            raise ValueError(f"eps must be in (0, 1], got {self.eps!r}")

    def blocks(self, n: int, delta: float) -> int:
        """k, the number of blocks for n samples."""
        n = whole_number(n, "n", 0)
        return max(1, math.floor(min(8 * _log_level(delta), n / 2)))

    def estimate(self, x: Sequence[float], delta: float) -> float:
        """The estimate from all samples ``x`` (n,), in reward units."""
        values = as_samples(x)
        with np.errstate(invalid="ignore"):
            estimate = block_median(values, self.blocks(values.size, delta))  # type: ignore[arg-type]
        if np.isinf(values).any():
            k = self.blocks(values.size, delta)
            blocks = values[: values.size // k * k].reshape(k, -1)
            if (np.isposinf(blocks).any(axis=1) & np.isneginf(blocks).any(axis=1)).any():
                raise ValueError("x holds both inf and -inf in one block, which has then no mean")
        return estimate

    def radius(self, n: int | np.ndarray, delta: float) -> np.ndarray:
        """(12 v)^(1/(1+eps)) (16 ln(e^(1/8)/delta) / n)^(eps/(1+eps)), inf where it is not proved.

        Parameters
        ----------
        n : int or ndarray
            Number of samples.
        delta : float
            Failure probability of one side.
        """
        level = 16 * _log_level(delta)
        n = as_counts(n)
        with np.errstate(divide="ignore"):
            width = (12 * self.v) ** (1 / (1 + self.eps)) * (level / n) ** (
                self.eps / (1 + self.eps)
            )
        return np.where(n >= level, width, np.inf)

    def assumptions(self) -> tuple[Predicate, ...]:
        """E|X - mu|^(1+eps) <= v."""
        return (central_moment(1 + self.eps, self.v),)

    def running(self, level: FixedLevel) -> BlockMedians:
        """Streaming form at a fixed failure probability, where the radius is finite."""
        if level.moving:
            raise ValueError(f"level = {level!r} must be fixed; GrowingBlocks follows t")
        return BlockMedians(FixedBlocks(level.delta(0)))


def block_median(x: Sequence[float], k: int) -> float:
    """Median of the means of k blocks of floor(n/k) consecutive samples."""
    if len(x) < k:
        raise ValueError(f"x has {len(x)} samples; at least {k} are needed, one a block")
    size = len(x) // k
    # The batch adds up blocks by the same routine, so that exact ties stay exact.
    sums = np.add.reduceat(np.asarray(x[: k * size], dtype=float), np.arange(0, k * size, size))
    means = sorted((sums / size).tolist())
    return (means[(k - 1) // 2] + means[k // 2]) / 2


class Blocks(Protocol):
    """How many blocks n samples make after t pulls of all arms."""

    @property
    def moving(self) -> bool:
        """Whether the number depends on t, so that arms that are not played change as well."""

    def limit(self, t: int) -> int:
        """The largest number of blocks after t pulls: k = min(limit, n // 2)."""

    def least(self) -> int:
        """Samples below which no estimate is needed."""


@dataclass(frozen=True)
class FixedBlocks:
    """The blocks of a fixed failure probability, where the radius is finite."""

    delta: float
    moving = False

    def limit(self, t: int) -> int:
        return math.floor(8 * _log_level(self.delta))

    def least(self) -> int:
        return math.ceil(16 * _log_level(self.delta))


@dataclass(frozen=True)
class GrowingBlocks:
    """k = min(floor(1 + 16 ln(1 + t)), n // 2), as the public code of Dorn et al. has it."""

    moving = True

    def limit(self, t: int) -> int:
        return math.floor(1 + 16 * math.log(1 + t))

    def least(self) -> int:
        return 2


@dataclass(frozen=True)
class BlockMedians:
    """Streaming median of means over the full history, re-estimated only when its blocks change."""

    blocks: Blocks
    batch = 1
    initial = 0
    own = None

    @property
    def moving(self) -> bool:
        """Whether the number of blocks grows with t."""
        return self.blocks.moving

    def stream(self, run: Run) -> BlockMedianState:
        return BlockMedianState(self.blocks, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The estimate from one arm's rewards after t pulls of all arms, in reward units."""
        return block_median(rewards, max(1, min(self.blocks.limit(t), len(rewards) // 2)))

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        # The history, and the copies of it that a step in which all trials re-estimate makes.
        return 24 * arms + (History.BYTES_PER_STEP + 22) * horizon


class BlockMedianState:
    """Block medians of all trials and arms."""

    def __init__(self, blocks: Blocks, run: Run) -> None:
        self._arms = run.arms
        self._history = History(run.trials, run.horizon)
        self._trial = np.arange(run.trials)
        self._limits = [blocks.limit(t) for t in range(run.horizon + 1)]
        self._least = blocks.least()
        self._count = np.zeros(run.trials * run.arms, np.int64)
        self._median = np.zeros(run.trials * run.arms)
        self._t = 0

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        self._count[flat] = n
        self._t += 1
        limit = self._limits[self._t]
        k, before = np.minimum(limit, n // 2), np.minimum(limit, (n - 1) // 2)
        size, size_before = n // np.maximum(k, 1), (n - 1) // np.maximum(before, 1)
        changed = (n == self._least) | (k != before) | (size != size_before)
        changed &= n >= self._least
        if changed.any():
            self._reestimate(flat[changed])
        return self._median.take(flat)

    def stale(self) -> np.ndarray:
        """Flat indices of the arms whose estimates a growing limit has just changed."""
        limit, before = self._limits[self._t], self._limits[self._t - 1]
        if limit == before:
            return np.empty(0, np.int64)
        stale = np.flatnonzero(self._count // 2 > before)
        # As many at a time as in a usual step, so that the memory of a step stays bounded.
        for start in range(0, stale.size, self._trial.size):
            self._reestimate(stale[start : start + self._trial.size])
        return stale

    def values(self, flat: np.ndarray) -> np.ndarray:
        """Current estimates of the arms ``flat``."""
        return self._median.take(flat)

    def _reestimate(self, flat: np.ndarray) -> None:
        values, n = self._history.gather(flat // self._arms, flat % self._arms)
        k = np.maximum(1, np.minimum(self._limits[self._t], n // 2))
        size = n // k
        # Starts of all blocks of all arms, each arm closed by one more segment for its leftovers.
        segment = np.arange(k.max() + 1)
        wanted = segment <= k[:, None]
        starts = (np.cumsum(n) - n)[:, None] + size[:, None] * segment
        sums = np.zeros(starts.shape)
        sums[wanted] = np.add.reduceat(np.append(values, 0.0), starts[wanted])
        means = np.where(segment < k[:, None], sums / size[:, None], np.inf)
        means.sort(axis=1)
        row = np.arange(flat.size)
        self._median[flat] = (means[row, (k - 1) // 2] + means[row, k // 2]) / 2
