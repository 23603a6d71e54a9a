"""The empirical mean as a running sum divided by the count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.streams import Run


@dataclass(frozen=True)
class SampleMean:
    """Sum of the rewards over their number.

    A running sum keeps exact ties exact, which Welford's recursion breaks on laws with atoms.

    Examples
    --------
    >>> SampleMean().estimate([1.0, 2.0, 6.0])
    3.0
    """

    batch = 1
    initial = 0
    own = None
    moving = False

    def stream(self, run: Run) -> RunningSums:
        return RunningSums(run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The mean of the rewards, in reward units."""
        if not len(rewards):
            raise ValueError("rewards is empty; at least one is needed")
        total = 0.0
        for reward in rewards:
            total += reward
        return total / len(rewards)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 8 * arms


class RunningSums:
    """Sums of all trials and arms."""

    def __init__(self, run: Run) -> None:
        self._sum = np.zeros(run.trials * run.arms)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        total = self._sum[flat]
        total += reward
        self._sum[flat] = total
        total /= n
        return total
