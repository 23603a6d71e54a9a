"""Catoni's estimate for all trials at once, by Newton steps from the root before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hbucb.estimators.catoni_roots import roots
from hbucb.estimators.recomputed import Recomputed, RecomputedState
from hbucb.history import History
from hbucb.streams import Run

if TYPE_CHECKING:
    from hbucb.estimators.catoni import Catoni


@dataclass(frozen=True)
class RunningCatoni(Recomputed):
    """Streaming Catoni over the full history, one or two passes over it from the root before.

    Equal to the offline estimate within 2^-50 (|theta| + 1/a) and the rounding of the sum, at most
    2^-50 (n + sum |psi|) / (a sum psi'). O(n) an estimate; with a moving delta all arms change each
    round. An arm whose history holds infinite samples has the estimate +inf, -inf or nan (both).
    """

    offline: Catoni

    def stream(self, run: Run) -> CatoniRoots:
        return CatoniRoots(self, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        # The passes hold eight arrays of one row each at a time.
        rows = arms if self.moving else 1
        return 64 * arms + (History.BYTES_PER_STEP + 64 * rows) * horizon


class CatoniRoots(RecomputedState):
    """Roots of all trials and arms."""

    def __init__(self, estimator: RunningCatoni, run: Run) -> None:
        super().__init__(estimator, run)
        self._find_scale = estimator.offline._scale
        self._scale, self._slope, self._tilt = np.ones((3, run.trials * run.arms))
        self._infinite = np.zeros(run.trials * run.arms)
        self._endless = False  # whether any is not 0
        self._low = np.full(run.trials * run.arms, np.inf)
        self._high = -self._low
        self._work = np.empty((4, 0))

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        if np.count_nonzero(np.isfinite(reward)) < reward.size:
            self._endless = True
            with np.errstate(invalid="ignore"):  # both infinities make a nan
                self._infinite[flat] += np.where(np.isfinite(reward), 0.0, reward)
        first = n == 1
        if np.count_nonzero(first):
            self._value[flat[first]] = reward[first]
        self._low[flat] = np.minimum(self._low[flat], reward)
        self._high[flat] = np.maximum(self._high[flat], reward)
        # First order in what is new, the sample and (below) the scale: then one pass is mostly
        # enough.
        value, scale = self._value[flat], self._scale[flat]
        new = scale * (reward - value)
        size = np.abs(new)
        with np.errstate(over="ignore", invalid="ignore"):  # the bracket mends a wild guess
            change = np.copysign(np.log1p(size * (size / 2 + 1)), new)
            self._value[flat] = value + change / (scale * self._slope[flat])
        return super().push(flat, n, reward)

    def _estimate(self, flat: np.ndarray) -> None:
        if self._endless and (infinite := self._infinite[flat] != 0.0).any():
            self._value[flat[infinite]] = self._infinite[flat[infinite]]
            flat = flat[~infinite]
            if not flat.size:
                return
        values, n = self._history.gather(flat // self._arms, flat % self._arms)
        if values.size > self._work.shape[1]:
            self._work = np.empty((4, 2 * values.size))
        scale, before = self._find_scale(n, self._level.delta(self._t)), self._scale[flat]
        guess = self._value[flat]
        guess += (scale / before - 1) * self._tilt[flat] / (before * self._slope[flat])
        ends = self._low[flat], self._high[flat]
        root, self._slope[flat], self._tilt[flat] = roots(values, n, scale, guess, self._work, ends)
        self._value[flat], self._scale[flat] = root, scale
