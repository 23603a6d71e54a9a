"""The indices of Robust UCB: an estimator with its radius, at a fixed or a moving delta."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.estimators.catoni import Catoni
from hbucb.estimators.checks import FixedLevel, Level, PowerLevel
from hbucb.estimators.median_of_means import (
    BlockMedians,
    BlockMedianState,
    FixedBlocks,
    GrowingBlocks,
    MedianOfMeans,
)
from hbucb.estimators.running_median import MedianOfGroups
from hbucb.estimators.truncated_mean import TruncatedMean
from hbucb.policies.index import FormulaRadius, NoRadius, RootRadius, Rule
from hbucb.streams import Run

RobustMean = MedianOfMeans | TruncatedMean | Catoni


@dataclass(frozen=True)
class LevelRadius(NoRadius):
    """The radius of an estimator at a failure probability that falls with t.

    It is computed from the counts in each round, as it need not factor into n and t.
    """

    estimator: RobustMean
    power: PowerLevel
    fixed = False

    def at(self, n: np.ndarray, t: int) -> np.ndarray:
        """Radius of arms with counts ``n`` after t pulls of all arms, in reward units."""
        return self.estimator.radius(n, self.power.delta(t))


@dataclass(frozen=True)
class LevelBlocks:
    """The blocks of the median of means at a failure probability that falls with t."""

    power: PowerLevel
    moving = True

    def limit(self, t: int) -> int:
        return math.floor(8 * self._log(t))

    def least(self, t: int = 0) -> int:
        """Samples below which the radius is infinite after t pulls of all arms."""
        return math.ceil(16 * self._log(t))

    def _log(self, t: int) -> float:
        return 0.125 - math.log(self.power.delta(t))


class LevelBlockMedians(BlockMedians):
    """Streaming median of means at a falling delta, estimated where its radius is finite."""

    def stream(self, run: Run) -> LevelMedianState:
        return LevelMedianState(self.blocks, run)


class LevelMedianState(BlockMedianState):
    """Block medians of the arms that have enough pulls for the round.

    The least count grows with t, so an arm may fall below it. It is above again when a pull makes
    its count equal to the least one, and that pull estimates it anew.
    """

    def __init__(self, blocks: Any, run: Run) -> None:
        super().__init__(blocks, run)
        self._least_after = [blocks.least(t) for t in range(run.horizon + 1)]

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._least = self._least_after[self._t + 1]
        return super().push(flat, n, reward)

    def stale(self) -> np.ndarray:
        limit, before = self._limits[self._t], self._limits[self._t - 1]
        if limit == before:
            return np.empty(0, np.int64)
        stale = np.flatnonzero((self._count // 2 > before) & (self._count >= self._least))
        # As many at a time as in a usual step, so that the memory of a step stays bounded.
        for start in range(0, stale.size, self._trial.size):
            self._reestimate(stale[start : start + self._trial.size])
        return stale


def robust_rule(estimator: RobustMean, level: Level) -> Rule:
    """Estimate + proved radius, both at the failure probability ``level``."""
    if isinstance(level, PowerLevel):
        if isinstance(estimator, MedianOfMeans):
            return Rule(LevelBlockMedians(LevelBlocks(level)), LevelRadius(estimator, level))
        return Rule(estimator.running(level), LevelRadius(estimator, level))
    delta = level.delta(0)
    radius = FormulaRadius(lambda n: estimator.radius(n, delta))
    if isinstance(estimator, MedianOfMeans):
        return Rule(BlockMedians(FixedBlocks(delta)), radius)
    return Rule(estimator.running(FixedLevel(delta)), radius)


def authors_rule(v: float) -> Rule:
    """RUCB-Median as the public code of Dorn et al. runs it: its bonus is the same for all arms."""
    radius = FormulaRadius(lambda n: np.where(n < 2, np.inf, 12 * v))
    return Rule(BlockMedians(GrowingBlocks()), radius)


def fair_rule(group: int, c: float) -> Rule:
    """Median of the means of blocks of fixed length + c sqrt(ln t / n)."""
    return Rule(MedianOfGroups(group), RootRadius(c))
