"""Indices that are dear to compute and move slowly with t: chords, and the exact ones in doubt.

Between two pulls an arm's index U(x) changes only through one number x that grows with t (ln t,
say). Over a block of rounds U is replaced by its chord, with a band that holds it: if the slope of
U stays within [a, b] over a block of length h, then |U - chord| <= h (b - a) / 4. An arm whose
band ends below the beginning of another arm's cannot have the largest index. Where more than one
arm is left, their indices are computed exactly, so that the choice is always that of the exact
indices, ties included.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from hbucb.streams import Run

#: Allowance for rounding in the indices, relative to 1 + |index|.
ROUNDING = 1e-12


class Curve(Protocol):
    """The index of each arm (trial and slot) as a function of x."""

    #: Length of a block in x: the band is quadratic in it, the work of a new block is every arm.
    block: float

    def push(self, flat: np.ndarray, reward: np.ndarray, t: int) -> None:
        """Learn the rewards (trials,) of the arms ``flat``."""

    def level(self, t: int) -> float:
        """x after t pulls, never decreasing."""

    def at(self, flat: np.ndarray, x: Any) -> tuple[np.ndarray, np.ndarray, Any]:
        """Index, its slope in x, and whether the slope rises with x there (one turn at most)."""

    def same(self, flat: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Whether two arms have one and the same index, now and as long as neither is pulled."""

    def chords(self, flat: np.ndarray, x: float, end: float) -> Lines:
        """Bands that hold the indices from x to the end of the block."""


class Lines(NamedTuple):
    """Bands: the upper line is slope * x + high, the lower one is ``width`` below it."""

    slope: np.ndarray
    high: np.ndarray
    width: np.ndarray


def band(at: Callable[..., Any], flat: np.ndarray, x: float, end: float) -> Lines:
    """The bands of curves with at most one turn, from values and slopes at both ends."""
    n, length = flat.size, end - x
    value, slope, rises = at(np.concatenate([flat, flat]), np.repeat([x, end], n))
    first, last = value[:n], value[n:]
    with np.errstate(invalid="ignore"):  # infinite at both ends: nan, which turns below
        spread = np.abs(slope[:n] - slope[n:])
    half = spread * (length / 4) + ROUNDING * (1 + np.abs(last))
    steep = (last - first) / length
    high, width = first - steep * x + half, 2 * half
    # A slope that turns within the block, or is infinite at its start, bounds nothing: then only
    # monotony is left, and the band is from the first value to the last.
    turns = ~np.isfinite(spread)
    if np.ndim(rises):
        turns |= rises[:n] != rises[n:]
    if turns.any():
        rounding = ROUNDING * (1 + np.abs(last[turns]))
        steep[turns], high[turns] = 0.0, last[turns] + rounding
        width[turns] = (last - first)[turns] + 2 * rounding
    return Lines(steep, high, width)


class ChordState:
    """Plays the largest index of a curve, after ``initial`` pulls of each arm in turn."""

    def __init__(self, curve: Curve, run: Run, initial: int = 1) -> None:
        self._curve, self._initial = curve, initial
        self._trials, self._warm = run.trials, initial * run.arms
        shape = (run.trials, run.arms)
        self._row = np.arange(run.trials) * run.arms
        self._all = np.arange(run.trials * run.arms)
        self._slope, self._high, self._width = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._top, self._bottom = np.empty(shape), np.empty(shape)
        self._end = -math.inf

    def select(self, t: int) -> np.ndarray:
        if t < self._warm:
            return np.full(self._trials, t // self._initial)
        x = self._curve.level(t)
        if x > self._end:
            self._end = x + self._curve.block
            self._chords(self._all, x)
        top = np.multiply(self._slope, x, out=self._top)
        top += self._high
        np.subtract(top, self._width, out=self._bottom)
        close = top >= self._bottom.max(axis=1)[:, None]
        arm = close.argmax(axis=1)
        if np.count_nonzero(close) > self._trials:
            flat = np.flatnonzero(close)
            trial = flat // close.shape[1]
            # Most doubts are arms with the same rewards: then the first of them is right.
            other = ~self._curve.same(flat, (self._row + arm)[trial])
            if other.any():
                doubt = np.zeros(self._trials, bool)
                doubt[trial[other]] = True
                flat = flat[doubt[trial]]
                exact = np.full(close.shape, -np.inf)
                exact.reshape(-1)[flat] = self._curve.at(flat, x)[0]
                arm = np.where(doubt, exact.argmax(axis=1), arm)
        return arm

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self._row + arm
        self._curve.push(flat, reward, t)
        x = self._curve.level(t + 1)
        if t + 1 >= self._warm and x < self._end:
            self._chords(flat, x)

    def _chords(self, flat: np.ndarray, x: float) -> None:
        lines = self._curve.chords(flat, x, self._end)
        self._slope.reshape(-1)[flat] = lines.slope
        self._high.reshape(-1)[flat] = lines.high
        self._width.reshape(-1)[flat] = lines.width
