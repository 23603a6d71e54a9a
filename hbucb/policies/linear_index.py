"""What linear index policies have in common: an index of every arm from one trial's history.

``indices`` is the definition, from all features and rewards seen, by plain linear algebra; it is
what :func:`hbucb.explain` shows and what the batch state is tested against.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hbucb.linear.least_squares import REFRESH, LeastSquares
from hbucb.noise import Noise
from hbucb.policies.base import Policy
from hbucb.streams import Run


@dataclass(frozen=True)
class Seen:
    """What one trial has seen before a choice: n rounds, in time order.

    Attributes
    ----------
    features : ndarray (arms, d)
        Of the present context.
    all_features : ndarray (contexts, arms, d)
    past : ndarray (n, d)
        Features of the arms played.
    rewards : ndarray (n,)
    horizon : int
    own : ndarray (width,)
        The policy's own draws of this round; empty if it has none.
    """

    features: np.ndarray
    all_features: np.ndarray
    past: np.ndarray
    rewards: np.ndarray
    horizon: int
    own: np.ndarray

    @property
    def t(self) -> int:
        """Rounds played so far."""
        return len(self.rewards)

    def precision(self, regulariser: float) -> np.ndarray:
        """V = nu I + sum phi phi^T, (d, d)."""
        return regulariser * np.eye(self.features.shape[1]) + self.past.T @ self.past

    def log_det(self, regulariser: float) -> float:
        """log det(V / nu)."""
        return float(np.linalg.slogdet(self.precision(regulariser) / regulariser)[1])

    def estimate(self, regulariser: float) -> np.ndarray:
        """V^-1 sum phi y, (d,)."""
        return np.linalg.solve(self.precision(regulariser), self.past.T @ self.rewards)

    def norms(self, regulariser: float) -> np.ndarray:
        """|phi|_{V^-1} of each arm, (arms,)."""
        solved = np.linalg.solve(self.precision(regulariser), self.features.T)
        return np.sqrt(np.einsum("ad,da->a", self.features, solved))


class LinearIndexPolicy(Policy):
    """A contextual policy that plays the largest index; ties go to the first arm."""

    contextual = True

    def indices(self, seen: Seen) -> np.ndarray:
        """The index of every arm (arms,), by definition."""
        raise NotImplementedError

    def own(self, dim: int) -> tuple[Noise, int] | None:
        """Law and number of the policy's own draws in each round, if it has any."""
        return None

    def batch(self, horizon: int) -> int:
        """Rounds for which a choice stands."""
        return 1

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        # Least squares with its waiting features, and the rows of the arms on offer.
        return 2000 + 8 * REFRESH * dim + 64 * dim * dim + 24 * arms * dim + 48 * arms


class LinearState:
    """Features of the arms on offer and least squares, for all trials of a chunk."""

    def __init__(self, run: Run, regulariser: float) -> None:
        assert run.features is not None
        self.features = run.features
        self._arms = run.arms
        self._cells = run.features.reshape(-1, run.features.shape[2])
        self.fit = LeastSquares(run.trials, run.features.shape[2], regulariser)
        self.trial = np.arange(run.trials)

    def index(self, t: int, rows: np.ndarray) -> np.ndarray:
        """Indices (trials, arms) of the features ``rows`` (trials, arms, d) in round t."""
        raise NotImplementedError

    def select(self, t: int, context: np.ndarray) -> np.ndarray:
        return self.index(t, self.features.take(context, axis=0)).argmax(axis=1)

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        self.fit.update(self.played(context, arm), reward)

    def played(self, context: np.ndarray, arm: np.ndarray) -> np.ndarray:
        """Features (trials, d) of the arms played."""
        return self._cells.take(context * self._arms + arm, axis=0)
