"""Solutions of the lower bound's programme at the estimates of many trials, kept for a while."""

from __future__ import annotations

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.linear import programme


class Targets:
    """The optimal allocation eta at each trial's estimate, solved anew after ``every`` rounds.

    The search begins with the last solution, so within the tolerance eta depends on the past.

    Attributes
    ----------
    eta : ndarray (trials, contexts, arms)
        Pulls of each pair for one nat of divergence; inf at the arms that were best in the
        estimate, whose pulls are free, and everywhere until the programme has a solution.
    solved : int
        Programmes solved so far.
    """

    def __init__(
        self, features: np.ndarray, trials: int, sigma: float, every: int, tol: float
    ) -> None:
        self._features, self._sigma, self._every, self._tol = features, sigma, every, tol
        self._due = np.zeros(trials, np.int64)
        self.eta = np.full((trials, *features.shape[:2]), np.inf)
        self._last: list[programme.Solution | None] = [None] * trials
        self.solved = 0

    def expire(self, who: np.ndarray) -> None:
        """The solutions of the trials ``who`` are out of date, however young."""
        self._due[who] = 0

    def refresh(self, t: int, who: np.ndarray, theta: np.ndarray) -> None:
        """Solve for those of the trials ``who`` whose solution is ``every`` rounds old."""
        for trial in who[self._due[who] <= t]:
            problem = (self._features, theta[trial], self._sigma)
            try:
                last = programme.solve(problem, tol=self._tol, near=self._last[trial])
            except AssumptionError:  # two estimated means are equal: no unique best arm yet
                continue
            self._last[trial], self.eta[trial] = last, last.allocation
            self._due[trial] = t + self._every
            self.solved += 1
