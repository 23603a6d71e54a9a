"""Catoni's root for all trials at once, by Newton steps from the root before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hbucb.estimators.checks import FloatArray, Level
from hbucb.history import History
from hbucb.streams import Run

if TYPE_CHECKING:
    from hbucb.estimators.catoni import Catoni

#: |y| beyond which 1 + |y| + y^2/2 is y^2/2 to the last bit; its logarithm is taken in parts.
_HUGE = 1e17
_STEPS = 400
#: A root is exact to _PRECISION (|theta| + 1/a), beside the rounding of the sum of psi.
_PRECISION = 2.0**-51


def psi(y: FloatArray, work: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """sign(y) ln(1 + |y| + y^2/2) and its derivative (1 + |y|)/(1 + |y| + y^2/2).

    Parameters
    ----------
    y : (n,)
    work : (3, n), optional
        Overwritten, with the two results first: fresh memory costs more than the arithmetic.

    Examples
    --------
    >>> [value.tolist() for value in psi(np.array([0.0, -2.0]))]
    [[0.0, -1.6094379124341003], [1.0, 0.6]]
    """
    value, slope, below = np.empty((3, y.size)) if work is None else work
    size = np.abs(y, out=slope)
    huge = None
    if size.max(initial=0.0) > _HUGE:
        huge, large = size > _HUGE, size[size > _HUGE]
        size[huge] = _HUGE
    np.multiply(size, 0.5, out=value)
    value += 1
    value *= size  # |y| + y^2/2
    slope += 1
    slope /= np.add(value, 1, out=below)
    np.log1p(value, out=value)
    if huge is not None:
        value[huge] = 2 * np.log(large) - np.log(2.0)
        slope[huge] = 2 / large
    return np.copysign(value, y, out=value), slope


def roots(
    values: FloatArray,
    n: np.ndarray,
    a: FloatArray,
    start: FloatArray,
    work: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Roots of sum psi(a (X - theta)) over ragged rows of finite samples.

    The sum is strictly decreasing in theta, positive at the smallest and negative at the largest
    sample: this bracket shrinks at every step, and a Newton step that leaves it, as every second
    one of a long run, is replaced by bisection. As |psi''| <= 1/4, a Newton step d ends within
    e = k (|d| + e)^2 of the root, k = n a / (8 sum psi'), so e <= 1.15 k d^2 if k |d| <= 1/16: the
    last step needs no check.

    Parameters
    ----------
    values : (sum of n,) samples, one row after the other
    n, a, start : (rows,) lengths, scales and first guesses
    work : (4, >= sum of n), optional

    Returns
    -------
    theta : (rows,) roots, within 2^-51 (|theta| + 1/a) beside the rounding of the sum
    slope, tilt : (rows,) sum psi'(y) and sum psi'(y) y, y = a (X - theta), at the last but one step
    """
    if work is None:
        work = np.empty((4, values.size))
    out = np.array(start, dtype=float)
    slopes, tilts = np.array(n, dtype=float), np.zeros(n.size)
    first = np.cumsum(n) - n
    low = np.minimum.reduceat(values, first)
    high = np.maximum.reduceat(values, first)
    out = np.minimum(np.maximum(out, low), high)
    begin = out.copy()
    rows = np.flatnonzero(low < high)
    if rows.size < n.size:
        values = values[np.repeat(low < high, n)]
    for steps in range(_STEPS):
        if not rows.size:
            break
        theta, size, scale = out[rows], n[rows], a[rows]
        first = np.cumsum(size) - size
        one = rows.size == 1
        y = work[0, : values.size]
        np.subtract(values, theta if one else np.repeat(theta, size), out=y)
        y *= scale if one else np.repeat(scale, size)
        value, slope = psi(y, work[1:, : values.size])
        f = np.add.reduceat(value, first)
        df = np.add.reduceat(slope, first)
        slopes[rows] = df
        slope *= y
        tilts[rows] = np.add.reduceat(slope, first)
        low[rows] = np.where(f >= 0, theta, low[rows])
        high[rows] = np.where(f <= 0, theta, high[rows])
        step = f / (scale * df)
        moved = theta + step
        bad = (moved < low[rows]) | (moved > high[rows])
        if steps > 8 and steps % 2:  # a slope taken at a huge sample says nothing of the rest
            bad[:] = True
        if bad.any():
            # Fine near the first guess, then near 0: either may be where the root is.
            about = begin[rows] * (steps % 4 != 3)
            moved = np.where(bad, _between(low[rows], high[rows], about, scale), moved)
        unit = _PRECISION * (np.abs(moved) + 1 / scale)
        with np.errstate(over="ignore"):
            reach = size * scale / (8 * df) * np.abs(step)  # k |d|
        sure = ~bad & (reach <= 1 / 16) & (1.15 * np.minimum(reach, 1) * np.abs(step) <= unit)
        sure |= high[rows] - low[rows] <= unit
        if steps > 20:  # among huge samples the sum may be flat: its last bit is all it tells
            flat = np.abs(f) <= 2.0**-52 * np.add.reduceat(np.abs(value), first)
            moved, sure = np.where(flat, theta, moved), sure | flat
        out[rows] = moved
        if sure.all():
            break
        if sure.any():
            values, rows = values[np.repeat(~sure, size)], rows[~sure]
    else:
        if rows.size:
            raise ArithmeticError(f"Catoni's equation is not solved after {_STEPS} steps")
    return out, slopes, tilts


def _between(low: FloatArray, high: FloatArray, c: FloatArray, a: FloatArray) -> FloatArray:
    """Halfway on the scale of asinh(a (theta - c)): brackets may span the range of floats."""
    with np.errstate(over="ignore", invalid="ignore"):
        middle = c + np.sinh((np.arcsinh(a * (low - c)) + np.arcsinh(a * (high - c))) / 2) / a
    inside = (middle > low) & (middle < high)  # false for a nan
    return np.where(inside, middle, low / 2 + high / 2)


@dataclass(frozen=True)
class RunningCatoni:
    """Streaming Catoni over the full history, one or two passes over it from the root before.

    Equal to the offline estimate within 2^-50 (|theta| + 1/a) and the rounding of the sum, at most
    2^-52 n sum |psi| / (a sum psi'). O(n) an estimate; with a moving delta all arms change each
    round. An arm whose history holds infinite samples has the estimate +inf, -inf or nan (both).
    """

    offline: Catoni
    level: Level
    batch = 1
    initial = 0
    own = None

    @property
    def moving(self) -> bool:
        return self.level.moving

    def stream(self, run: Run) -> CatoniRoots:
        return CatoniRoots(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The estimate from one arm's rewards after t pulls of all arms, in reward units."""
        return self.offline.estimate(rewards, self.level.delta(t))

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        # The passes hold eight arrays of one row each at a time.
        rows = arms if self.moving else 1
        return 32 * arms + (History.BYTES_PER_STEP + 64 * rows) * horizon


class CatoniRoots:
    """Roots of all trials and arms."""

    def __init__(self, estimator: RunningCatoni, run: Run) -> None:
        self._offline, self._delta = estimator.offline, estimator.level.delta
        self._arms = run.arms
        self._trial = np.arange(run.trials)
        self._history = History(run.trials, run.horizon)
        self._root = np.zeros(run.trials * run.arms)
        self._scale, self._slope, self._tilt = np.ones((3, run.trials * run.arms))
        self._infinite = np.zeros(run.trials * run.arms)
        self._seen = np.zeros(run.trials * run.arms, bool)
        self._work = np.empty((4, 0))
        self._t = 0

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        self._history.append(flat - self._trial * self._arms, reward)
        self._t += 1
        with np.errstate(invalid="ignore"):  # both infinities make a nan
            self._infinite[flat] += np.where(np.isfinite(reward), 0.0, reward)
        fresh = ~self._seen[flat]
        self._root[flat[fresh]] = reward[fresh]
        self._seen[flat] = True
        self._solve(flat, reward)
        return self.values(flat)

    def stale(self) -> np.ndarray:
        """All arms seen: a new level changes the scale of each of them."""
        flat = np.flatnonzero(self._seen)
        self._solve(flat)
        return flat

    def values(self, flat: np.ndarray) -> np.ndarray:
        """Current estimates of the arms ``flat``."""
        return self._root.take(flat)

    def _solve(self, flat: np.ndarray, reward: np.ndarray | None = None) -> None:
        infinite = self._infinite[flat] != 0.0
        if infinite.any():
            self._root[flat[infinite]] = self._infinite[flat[infinite]]
            flat, reward = flat[~infinite], None
            if not flat.size:
                return
        values, n = self._history.gather(flat // self._arms, flat % self._arms)
        if values.size > self._work.shape[1]:
            self._work = np.empty((4, 2 * values.size))
        scale = self._offline.scale(n, self._delta(self._t))
        # First order in what is new, the sample and the scale: then one pass is mostly enough.
        guess, before = self._root[flat], self._scale[flat]
        change = (scale / before - 1) * self._tilt[flat]
        if reward is not None:
            change += psi(scale * (reward - guess))[0]
        guess = guess + change / (before * self._slope[flat])
        root, self._slope[flat], self._tilt[flat] = roots(values, n, scale, guess, self._work)
        self._root[flat], self._scale[flat] = root, scale
