"""Algorithms for linear bandits without contexts."""

from __future__ import annotations

import numpy as np

from hbucb.linear import LeastSquares
from hbucb.streams import Run


def single_context(name: str, run: Run) -> np.ndarray:
    """The features (1, arms, d) of a run, or a ValueError if there is not exactly one context."""
    if run.features is None:
        raise ValueError(f"features are missing: {name} plays a LinearContextualBandit")
    if len(run.features) != 1:
        raise ValueError(f"features has {len(run.features)} contexts; {name} plays with one only")
    return run.features


class SingleContextState:
    """Least squares and counts of all trials.

    Attributes
    ----------
    counts : ndarray (trials, arms)
    explored : ndarray (trials,)
        Rounds that were spent on exploring.
    """

    def __init__(self, name: str, run: Run, regulariser: float) -> None:
        self._features = single_context(name, run)
        self._rows = self._features[0]
        self._arms, self._d = self._rows.shape
        self._least = LeastSquares(run.trials, self._d, regulariser)
        self._row = np.arange(run.trials)
        self.counts = np.zeros((run.trials, self._arms))
        self.explored = np.zeros(run.trials)

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        self._least.update(self._rows[arm], reward)
        self.counts[self._row, arm] += 1


def bytes_of_arms(arms: int, dim: int) -> int:
    """Bytes a trial of a policy that keeps arms x arms and arms x d numbers."""
    return 16_384 + 32 * arms * (arms + dim) + 96 * dim * dim
