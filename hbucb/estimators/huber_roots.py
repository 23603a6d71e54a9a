"""Roots of Huber's equation for many rows of samples at once: exact between two kinks."""

from __future__ import annotations

import numpy as np

from hbucb.estimators.checks import FloatArray
from hbucb.estimators.recomputed import as_rows


def huber_roots(values: FloatArray, n: np.ndarray, lam: float) -> FloatArray:
    """Middles (rows,) of the intervals of roots of sum clip(theta - X, lam), reward units.

    Parameters
    ----------
    values : (sum of n,) samples, one row after the other; +-inf are far ones
    n : (rows,) lengths, >= 1
    lam : float
        Clip level, reward units.

    Raises
    ------
    ValueError
        If a row holds only infinities, half of each sign: every number is a root.

    Examples
    --------
    >>> huber_roots(np.array([0.0, 2.0, 50.0, 7.0]), np.array([3, 1]), 1.0).tolist()
    [2.0, 7.0]
    """
    low, alone = _smallest(values, n, lam)
    high = low.copy()
    wide = np.flatnonzero(~alone)
    if wide.size:
        high[wide] = -_smallest(-values[np.repeat(~alone, n)], n[wide], lam)[0]
    if (np.isneginf(low) & np.isposinf(high)).any():
        raise ValueError("x holds only infinities, half of each sign: every number is a root")
    # Half of the samples or more at one infinity: the estimate is there.
    middle = np.where(np.isinf(high), high, low / 2 + high / 2)
    return np.where(np.isinf(low), low, middle)


def _smallest(values: FloatArray, n: np.ndarray, lam: float) -> tuple[FloatArray, np.ndarray]:
    """Smallest roots, and which are known to be the only ones. No prefix sums: one huge sample
    would ruin them.
    """
    first, rows = np.cumsum(n) - n, np.arange(n.size)
    finite = np.isfinite(values)
    size = np.add.reduceat(finite, first, dtype=np.int64)
    mine = values[finite]
    kinks = as_rows(np.concatenate([mine - lam, mine + lam])[_together(size)], 2 * size, np.inf)
    kinks.sort(axis=1)

    def total(theta: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            y = np.clip((np.repeat(theta, n) - values) / lam, -1.0, 1.0)
        return np.add.reduceat(y, first)

    # total < 0 at the kink low, and >= 0, with the value ``level``, at the kink high.
    low, high, level = np.full(n.size, -1), 2 * size, np.zeros(n.size)
    while (open_ := high - low > 1).any():
        middle = np.where(open_, (low + high) // 2, 0)
        value = total(kinks[rows, middle] if kinks.size else np.zeros(n.size))
        low = np.where(open_ & (value < 0), middle, low)
        down = open_ & (value >= 0)
        high, level = np.where(down, middle, high), np.where(down, value, level)
    # lam is lost in the rounding of the last kink:
    lost = (low < 0) | (high == 2 * size)
    left = _at(kinks, low)
    right = np.where(lost, left, _at(kinks, high))
    # Between two kinks the sum is linear, with the slope of the samples that are not clipped.
    centre = left / 2 + right / 2
    with np.errstate(over="ignore", invalid="ignore"):
        off = values - np.repeat(centre, n)
    inside = np.abs(off) < lam
    free = np.add.reduceat(inside, first, dtype=np.int64)
    above = np.add.reduceat(~inside & (off > 0), first, dtype=np.int64)
    part = np.add.reduceat(np.where(inside, off, 0.0), first)
    safe = np.maximum(free, 1)
    root = centre + part / safe + lam * (above - (n - free - above)) / safe
    root = np.minimum(np.maximum(root, left), right)
    flat = np.where(total(centre) >= 0, left, right)
    root = np.where(lost, left, np.where(free > 0, root, flat))
    alone = ~lost & (free > 0) & (level > 1e-6) & (root < right)
    # The ends of the line belong to infinite samples alone.
    below = np.add.reduceat(np.isneginf(values), first, dtype=np.int64)
    beyond = np.add.reduceat(np.isposinf(values), first, dtype=np.int64)
    root = np.where(2 * below >= n, -np.inf, np.where(2 * beyond > n, np.inf, root))
    return root, alone & (2 * below < n) & (2 * beyond < n)


def _together(size: np.ndarray) -> np.ndarray:
    """Order in which two copies of ragged rows, one after the other, make rows of both."""
    row = np.repeat(np.arange(size.size), size)
    return np.argsort(np.concatenate([row, row]), kind="stable")


def _at(kinks: FloatArray, index: np.ndarray) -> FloatArray:
    """kinks[row, index], the first kink below and the last one above the range."""
    if not kinks.size:
        return np.zeros(index.size)
    last = np.isfinite(kinks).sum(axis=1) - 1
    return kinks[np.arange(index.size), np.clip(index, 0, np.maximum(last, 0))]
