"""The empirical variance, from sums about the arm's first reward."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hbucb.estimators.checks import as_samples
from hbucb.estimators.mean import RunningSums
from hbucb.streams import Run

__all__ = ["RunningVariances", "sample_variance"]


def sample_variance(rewards: Sequence[float]) -> float:
    """Mean squared distance of the rewards to their mean (divided by n, not n - 1).

    Sums are taken about the first reward: a constant sample has variance 0 exactly, a common shift
    changes nothing, and of rewards 0 and 1 the sums are whole numbers, so that samples with as many
    ones have one variance, bit for bit, in any order.

    Parameters
    ----------
    rewards : sequence of float
        At least one.

    Returns
    -------
    float
        >= 0, reward units squared.

    Raises
    ------
    ValueError
        If there are no rewards, or one is not a finite number.

    Examples
    --------
    >>> sample_variance([1e9 + 1, 1e9 + 2, 1e9 + 3])
    0.6666666666666666
    """
    if not len(rewards):
        raise ValueError("rewards is empty; at least one is needed")
    values = as_samples(rewards)
    if not np.isfinite(values).all():
        raise ValueError("rewards must be finite: an infinite one has no variance")
    rewards = values.tolist()
    n, first = len(rewards), rewards[0]
    shift = square = 0.0
    for reward in rewards:
        shift += reward - first
        square += (reward - first) * (reward - first)
    return max(0.0, n * square - shift * shift) / (n * n)


class RunningVariances:
    """Counts, means and variances of all trials and arms, by the formula above."""

    def __init__(self, run: Run) -> None:
        size = run.trials * run.arms
        self._sums = RunningSums(run)
        self._count = np.zeros(size)
        self._first, self._shift, self._square = np.zeros(size), np.zeros(size), np.zeros(size)

    def push(
        self, flat: np.ndarray, reward: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Counts n (as floats), means and variances of the arms ``flat`` with these rewards."""
        n = self._count[flat]
        self._first[flat] = first = np.where(n == 0, reward, self._first[flat])
        n += 1
        self._count[flat] = n
        away = reward - first
        self._shift[flat] = shift = self._shift[flat] + away
        self._square[flat] = square = self._square[flat] + away * away
        variance = np.maximum(0.0, n * square - shift * shift) / (n * n)
        return n, self._sums.push(flat, n, reward), variance
