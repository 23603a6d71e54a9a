"""The averages of pairs about one rank, by a search over the sorted halves of the rewards."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hbucb.estimators.checks import FloatArray
from hbucb.estimators.hodges_lehmann import pairs_at_most, walsh

_STEPS = 60


class Window(NamedTuple):
    """All averages in (low, high], sorted, their number, and how many are at most ``low``."""

    low: float
    high: float
    below: int
    size: int
    values: FloatArray


def window_near(halves: FloatArray, rank: int, guess: float, width: int) -> Window:
    """At most ``width`` averages with the rank-th smallest (from 1) among them; exact.

    ``halves`` are sorted; an average is the sum of two of them, i <= j. A bracket around ``guess``
    is narrowed by counting up to rounding and the sums in it are written down. Those that do not
    lie strictly between all that were counted on either side are given up, so that the window is
    exact. Where more than ``width`` averages are equal, ``values`` is their one value.

    Examples
    --------
    >>> halves = np.array([0.0, 0.5, 5.0])  # 0, 0.5, 1, 5, 5.5, 10
    >>> window_near(halves, 4, 3.0, 6).values.tolist()
    [0.0, 0.5, 1.0, 5.0, 5.5, 10.0]
    """
    n = halves.size
    if n * (n + 1) // 2 <= width:
        i, j = np.triu_indices(n)
        sums = np.sort(halves[i] + halves[j])
        return Window(-math.inf, math.inf, 0, sums.size, sums)
    under, over = _bracket(halves, rank, guess, width)
    start = np.arange(n)
    size = over - under
    first = np.repeat(start, size)
    second = np.arange(first.size) - np.repeat(np.cumsum(size) - size, size) + under[first]
    sums = np.sort(halves[first] + halves[second])
    counted, left = under > start, over < n
    low = float((halves[counted] + halves[under[counted] - 1]).max(initial=-math.inf))
    limit = float((halves[left] + halves[over[left]]).min(initial=math.inf))
    dropped = int(np.searchsorted(sums, low, side="right"))
    kept = sums[dropped : int(np.searchsorted(sums, limit, side="left"))]
    below = int((under - start).sum()) + dropped
    if below < rank <= below + kept.size and low < limit and kept.size <= width:
        high = float(kept[-1]) if limit < math.inf else math.inf
        return Window(low, high, below, kept.size, kept)
    answer = walsh(2 * halves, rank)
    low = float(np.nextafter(answer, -math.inf))
    below = pairs_at_most(halves, low)
    return Window(low, answer, below, pairs_at_most(halves, answer) - below, np.array([answer]))


def _bracket(
    halves: FloatArray, rank: int, guess: float, width: int
) -> tuple[np.ndarray, np.ndarray]:
    """For each i the j from which, and up to which, sums are in a bracket; up to rounding."""
    n, start = halves.size, np.arange(halves.size)

    def ends(limit: float) -> np.ndarray:
        return np.maximum(np.searchsorted(halves, limit - halves, side="right"), start)

    if not math.isfinite(guess):
        guess = 2 * float(halves[n // 2])
    step = (float(halves[3 * n // 4]) - float(halves[n // 4])) / n + abs(guess) * 1e-9 + 1e-300
    low, high = guess - step, guess + step
    under, over = ends(low), ends(high)
    below, upto = int((under - start).sum()), int((over - start).sum())
    grow = step
    for _ in range(_STEPS):
        if below < rank <= upto and upto - below <= width:
            break
        grow *= 4
        if below >= rank:
            high, over, upto = low, under, below
            low -= grow
            under = ends(low)
            below = int((under - start).sum())
        elif upto < rank:
            low, under, below = high, over, upto
            high += grow
            over = ends(high)
            upto = int((over - start).sum())
        else:
            share = min(max((rank - 0.5 - below) / (upto - below), 0.02), 0.98)
            grow = step
            margin = 0.4 * width / (upto - below)
            # Two cuts at the sides of the place where the answer is expected.
            for cut in (share - margin, share + margin):
                middle = low + min(max(cut, 0.01), 0.99) * (high - low)
                if not low < middle < high:
                    continue
                at = ends(middle)
                count = int((at - start).sum())
                if count < rank:
                    low, under, below = middle, at, count
                else:
                    high, over, upto = middle, at, count
                    break
    else:
        return start, start  # too many equal sums: nothing is written down
    return under, over
