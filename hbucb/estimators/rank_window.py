"""The value of a chosen rank in the history of every trial and arm, from a sorted window around it.

A new value moves a middle rank by about half a place, so a window of W sorted values around it
serves about W^2 insertions before the rank leaves it; only then is the full history looked at
again. A value outside the window moves no row: it only counts, below or above. So most steps touch
no window at all, once an arm has many more than W values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

WINDOW = 64


class RankWindows:
    """Sorted windows of all trials and arms.

    Parameters
    ----------
    arms : int
        Trials times arms.
    history : callable
        ``history(flat) -> (values, lengths)``: all values inserted so far of the arms ``flat``,
        one arm after the other, and how many each.
    """

    BYTES = 8 * (WINDOW + 4)

    def __init__(
        self, arms: int, history: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    ) -> None:
        self._history = history
        self._window = np.full((arms, WINDOW), np.inf)
        self._flat_window = self._window.reshape(-1)
        self._size = np.zeros(arms, np.uint64)
        self._below = np.zeros(arms, np.int64)
        # The ends of the window; infinite where it has everything on that side.
        self._low, self._high = np.full(arms, -np.inf), np.full(arms, np.inf)

    def insert(self, flat: np.ndarray, value: np.ndarray, rank: np.ndarray) -> None:
        """One more value for each arm; ``rank`` (from 1) will be asked for next."""
        under = value < self._low.take(flat)
        outside = value > self._high.take(flat)
        outside |= under
        below = self._below.take(flat)
        below += under
        self._below[flat] = below
        if not outside.all():
            inside = ~outside
            self._place(flat[inside], value[inside], rank[inside] - 1 - below[inside])

    def read(self, flat: np.ndarray, rank: np.ndarray) -> np.ndarray:
        """The value of that rank (from 1, at most the number of values), in a new array."""
        at = rank - 1
        at -= self._below.take(flat)
        lost = at.view(np.uint64) >= self._size.take(flat)  # negative numbers wrap to huge ones
        at += flat * WINDOW
        value = self._flat_window.take(at, mode="clip")
        if lost.any():
            value[lost] = self._rebuild(flat[lost], rank[lost])
        return value

    def _place(self, flat: np.ndarray, value: np.ndarray, wanted: np.ndarray) -> None:
        rows = np.empty((flat.size, WINDOW + 1))
        rows[:, :WINDOW] = self._window[flat]
        rows[:, WINDOW] = value
        rows.sort(axis=1)
        full = self._size[flat] == WINDOW
        if full.any():
            # A full window gives up the end that is farther from the wanted place.
            drop_low = full & (wanted > WINDOW // 2)
            rows[drop_low, :-1] = rows[drop_low, 1:]
            self._below[flat[drop_low]] += 1
            self._low[flat[drop_low]] = rows[drop_low, 0]
            drop_high = full & ~drop_low
            self._high[flat[drop_high]] = rows[drop_high, WINDOW - 1]
        self._size[flat[~full]] += np.uint64(1)
        self._window[flat] = rows[:, :WINDOW]

    def _rebuild(self, flat: np.ndarray, rank: np.ndarray) -> np.ndarray:
        """Centre the windows of a few arms again, from their full histories."""
        values, lengths = self._history(flat)
        found = np.empty(flat.size)
        start = 0
        for i, (arm, length) in enumerate(zip(flat.tolist(), lengths.tolist(), strict=True)):
            ordered = np.sort(values[start : start + length])
            start += length
            wanted = int(rank[i]) - 1
            low = max(0, min(wanted - WINDOW // 2, length - WINDOW))
            window = ordered[low : low + WINDOW]
            self._window[arm] = np.inf
            self._window[arm, : window.size] = window
            self._size[arm], self._below[arm] = window.size, low
            self._low[arm] = window[0] if low else -np.inf
            self._high[arm] = window[-1] if low + window.size < length else np.inf
            found[i] = ordered[wanted]
        return found
