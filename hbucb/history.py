"""The shared time-ordered history: every reward with its slot, 10 bytes a step and trial."""

from __future__ import annotations

import numpy as np


class History:
    """Rewards of all trials in the order of time, for policies that look back.

    Parameters
    ----------
    trials, horizon : int

    Examples
    --------
    >>> history = History(trials=2, horizon=3)
    >>> history.append(np.array([0, 1]), np.array([5.0, 6.0]))
    >>> history.append(np.array([0, 0]), np.array([7.0, 8.0]))
    >>> values, lengths = history.gather(np.array([0, 1]), np.array([0, 0]))
    >>> values.tolist(), lengths.tolist()
    ([5.0, 7.0, 8.0], [2, 1])
    """

    BYTES_PER_STEP = 10

    def __init__(self, trials: int, horizon: int) -> None:
        self._rewards = np.empty((trials, horizon))
        self._slots = np.empty((trials, horizon), np.int16)
        self._length = 0

    def append(self, slot: np.ndarray, reward: np.ndarray) -> None:
        """Add one step: the slot that each trial played and its reward, both (trials,)."""
        self._rewards[:, self._length] = reward
        self._slots[:, self._length] = slot
        self._length += 1

    def gather(self, trials: np.ndarray, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All rewards of the pairs (trials[i], slots[i]), one after the other, and how many each.

        Not to be written to: the values may be the history's own.

        Parameters
        ----------
        trials, slots : ndarray of int (pairs,)

        Returns
        -------
        values : ndarray (sum of lengths,)
        lengths : ndarray of int (pairs,)
        """
        if trials.size == 1:  # the same with fewer copies
            trial = trials[0]
            mine = self._rewards[trial, : self._length]
            played = self._slots[trial, : self._length] == slots[0]
            if np.count_nonzero(played) < played.size:
                mine = mine[played]
            return mine, np.array([mine.size])
        # A boolean mask reads a row in the order of time, so the concatenation is ordered too.
        played = self._slots[trials, : self._length] == slots[:, None]
        return self._rewards[trials, : self._length][played], played.sum(axis=1)
