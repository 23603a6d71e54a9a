"""OSSB: forced exploration and direct tracking of the lower bound's allocation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.policies.base import Policy
from hbucb.policies.programme_targets import Targets
from hbucb.policies.single_context import SingleContextState, bytes_of_arms
from hbucb.streams import Run
from hbucb.validate import nonnegative, positive, store, whole_number


@dataclass(frozen=True)
class OSSB(Policy):
    """Play the best arm when every other arm has its share of ln t pulls, else catch up.

    Every arm once; then let c solve the programme of the lower bound at the estimate. If every
    other arm has N >= c (1 + gamma) ln t pulls, play the estimated best arm. Else let s count
    these rounds: if the least pulled arm has N <= epsilon s, play it (forced), else play the arm
    with the smallest N / c.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, reward units.
    epsilon, gamma : float
        Share of forced exploration and excess over the allocation, >= 0; both 0 in the
        experiments of its paper, above 0 in its theorem.
    every : int
        The programme is solved again when its solution is that many rounds old, or another arm
        is the estimated best one; 1 in the paper.
    regulariser : float
        nu of the least squares.
    tol : float
        Relative gap at which the solver stops.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value; in a run, for more than one context.

    Notes
    -----
    The algorithm is for bandits of any known structure; this is its linear form, for one context.
    The theorem's constants are not printed as numbers, so there is no :meth:`regret_bound`.

    References
    ----------
    Combes, Magureanu and Proutiere (2017), Algorithm 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.linear.end_of_optimism(xi=0.2, sigma=0.2)
    >>> result = hb.simulate(bandit, hb.OSSB(sigma=0.2), horizon=500, trials=5, seed=1)
    >>> bool(result["OSSB"].regret[:, -1].mean() < 60)
    True
    """

    contextual = True

    sigma: float = 1.0
    epsilon: float = 0.0
    gamma: float = 0.0
    every: int = 100
    regulariser: float = 1.0
    tol: float = 1e-3

    def __post_init__(self) -> None:
        for name in ("sigma", "regulariser", "tol"):
            store(self, **{name: positive(name, getattr(self, name))})
        for name in ("epsilon", "gamma"):
            store(self, **{name: nonnegative(name, getattr(self, name))})
        store(self, every=whole_number(self.every, "every", 1))

    def start(self, run: Run) -> Any:
        return OSSBState(self, run)

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        return bytes_of_arms(arms, dim)


class OSSBState(SingleContextState):
    """Estimates, counts and solutions of all trials.

    Attributes
    ----------
    counts : ndarray (trials, arms)
    explored : ndarray (trials,)
        Rounds in which some arm was short of pulls.
    """

    def __init__(self, policy: OSSB, run: Run) -> None:
        super().__init__("OSSB", run, policy.regulariser)
        self._policy = policy
        self._targets = Targets(self._features, run.trials, policy.sigma, policy.every, policy.tol)
        self._best = np.full(run.trials, -1)

    def select(self, t: int, context: np.ndarray) -> np.ndarray:
        if t < self._arms:
            return np.full(len(self._row), t)
        policy, counts = self._policy, self.counts
        theta = self._least.estimate
        best = np.einsum("ad,td->ta", self._rows, theta).argmax(axis=1)
        self._targets.expire(np.flatnonzero(best != self._best))
        self._targets.refresh(t, self._row, theta)
        self._best = best
        share = self._targets.eta[:, 0].copy()
        share[self._row, best] = 0.0  # never short: its pulls are free
        short = (counts < share * (1 + policy.gamma) * math.log(t)).any(axis=1)
        self.explored += short
        ratio = np.divide(counts, share, out=np.full_like(counts, np.inf), where=share > 0)
        forced = counts.min(axis=1) <= policy.epsilon * self.explored
        behind = np.where(forced, counts.argmin(axis=1), ratio.argmin(axis=1))
        return np.where(short, behind, best)
