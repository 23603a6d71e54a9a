"""An order statistic rounded up to a fixed grid: counts in bins in place of all rewards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.estimators.checks import as_samples
from hbucb.estimators.ranks import Ranks
from hbucb.streams import Run


@dataclass(frozen=True)
class BinnedOrderStatistic:
    """The smallest edge g with #{X <= g} at least the rank; +inf if there is none.

    It is never below the order statistic, so it is an upper limit with the same probability, for
    every grid that is fixed before the rewards are seen. One count an edge is kept for each arm.

    Parameters
    ----------
    ranks : Ranks
        That do not depend on the round.
    edges : tuple of float
        Finite and increasing, reward units.

    Examples
    --------
    >>> from hbucb.estimators.ranks import FixedRanks
    >>> BinnedOrderStatistic(FixedRanks(0.2), (0.0, 4.0, 8.0)).estimate([5.0, 1.0, 2.0, 9.0, 3.0])
    8.0
    """

    ranks: Ranks
    edges: tuple[float, ...]
    batch = 1
    initial = 0
    own = None
    moving = False

    def stream(self, run: Run) -> BinnedOrderStatistics:
        return BinnedOrderStatistics(self.ranks, self.edges, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The upper limit from one arm's rewards, in reward units."""
        values = as_samples(rewards)
        rank = int(self.ranks.at(values.size, t))
        return next((g for g in self.edges if (values <= g).sum() >= rank), np.inf)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 4 * arms * len(self.edges) + 16 * horizon + 32 * len(self.edges)


class BinnedOrderStatistics:
    """Limits of all trials and arms."""

    def __init__(self, ranks: Ranks, edges: tuple[float, ...], run: Run) -> None:
        self._table = ranks.at(np.arange(run.horizon + 1), 0)
        self._edges = np.array(edges)
        self._ends = np.append(self._edges, np.inf)
        self._bins = np.arange(len(edges))
        self._count = np.zeros((run.trials * run.arms, len(edges)), np.int32)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        count = self._count[flat]
        count += self._bins >= np.searchsorted(self._edges, reward)[:, None]
        self._count[flat] = count
        return self._ends[(count < self._table[n][:, None]).sum(axis=1)]
