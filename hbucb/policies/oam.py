"""OAM: solve the lower bound's programme at the estimate and keep up with its allocation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.linear import LeastSquares
from hbucb.policies.base import Policy
from hbucb.policies.nearest_model import bytes_of_pairs, nearest_model
from hbucb.policies.programme_targets import Targets
from hbucb.policies.spanning import Spanning
from hbucb.streams import Run
from hbucb.validate import nonnegative, positive, store, whole_number

#: Keeps inf times the level of a test that always passes from being no number.
TINY = 1e-300


@dataclass(frozen=True)
class OAM(Policy):
    """Exploit beyond doubt, else play the arm that is farthest behind the optimal allocation.

    Let eta solve the programme of the lower bound at the estimate, f = ln t + d ln ln n (times
    ``threshold``), and N count the pulls of each pair of context and arm. After first pulls that
    span R^d, in context x:

    - if the closest parameter with another best arm is farther than sigma^2 f in the squared norm
      of V, play the estimated best arm (the test of SOLID);
    - else let s count these rounds, and target(x, a) = min(eta f/2, sigma^2 f/gap_min^2), the
      second for the estimated best arm. If every arm of x has its target, play LinUCB with radius
      sigma sqrt(f); if the least count of x is at most epsilon s, play that arm (forced);
      else play the arm with the smallest N / target.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, reward units.
    epsilon : float
        Share of forced exploration, >= 0.
    every : int
        The programme is solved again when its solution is that many rounds old; the published
        comparison has 1 on the toy and 100 on random problems.
    regulariser : float
        nu of the least squares.
    threshold : float
        Multiplier of f.
    test : {"current", "all"}
        Alternatives differ in the context at hand, or in any.
    tol : float
        Relative gap at which the solver stops.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    Notes
    -----
    Asymptotically optimal for epsilon = 1 / ln ln t and the test of its paper; no finite-time bound
    is known, so there is no :meth:`regret_bound`.

    References
    ----------
    Hao, Lattimore and Szepesvari (2020), Algorithm 1; test and constant epsilon as in Tirinzoni,
    Pirotta, Restelli and Lazaric (2020), section 6.

    Examples
    --------
    >>> import hbucb as hb
    >>> features = [[[1.0, 0.0], [0.0, 1.0]], [[0.6, 0.8], [0.0, 1.0]]]
    >>> bandit = hb.LinearContextualBandit(
    ...     features, [1.0, 0.0], [0.5, 0.5], hb.noise.Gaussian(0.5))
    >>> result = hb.simulate(bandit, hb.OAM(sigma=0.5), horizon=500, trials=5, seed=1)
    >>> bool(result["OAM"].regret[:, -1].mean() < 60)
    True
    """

    contextual = True

    sigma: float = 1.0
    epsilon: float = 0.01
    every: int = 100
    regulariser: float = 1.0
    threshold: float = 1.0
    test: str = "current"
    tol: float = 1e-3

    def __post_init__(self) -> None:
        for name in ("sigma", "regulariser", "tol"):
            store(self, **{name: positive(name, getattr(self, name))})
        for name in ("epsilon", "threshold"):
            store(self, **{name: nonnegative(name, getattr(self, name))})
        store(self, every=whole_number(self.every, "every", 1))
        if not isinstance(self.test, str) or self.test not in ("current", "all"):
            raise ValueError(f"test = {self.test!r} must be 'current' or 'all'")

    def start(self, run: Run) -> Any:
        return OAMState(self, run)

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        return bytes_of_pairs(contexts * arms, dim)


class OAMState:
    """Estimates, counts of pairs and solutions of all trials.

    Attributes
    ----------
    counts : ndarray (trials, contexts, arms)
    explored : ndarray (trials,)
        Rounds in which the test failed.
    kind : ndarray (trials,)
        What decided the last round: 0 first pulls, 1 exploit, 2 LinUCB, 3 forced, 4 tracking.
    """

    def __init__(self, policy: OAM, run: Run) -> None:
        if run.features is None:
            raise ValueError("features are missing: OAM plays a LinearContextualBandit")
        self._policy, self._features = policy, run.features
        contexts, arms, self._d = run.features.shape
        self._least = LeastSquares(run.trials, self._d, policy.regulariser)
        self._first = Spanning(run.features, run.trials)
        self._targets = Targets(run.features, run.trials, policy.sigma, policy.every, policy.tol)
        self._loglog = self._d * math.log(math.log(max(run.horizon, 3)))
        self._row = np.arange(run.trials)
        self.counts = np.zeros((run.trials, contexts, arms))
        self.explored = np.zeros(run.trials)
        self.kind = np.zeros(run.trials, np.int64)

    def select(self, t: int, context: np.ndarray) -> np.ndarray:
        policy, least = self._policy, self._least
        features = self._features if policy.test == "all" else self._features[context][:, None]
        near = nearest_model(features, least.estimate, least.inverse)
        arm = near.best[self._row, context if policy.test == "all" else 0].copy()
        level = policy.threshold * max(math.log(max(t, 1)) + self._loglog, 0.0)
        self.kind[:] = 1
        doubt = near.distance <= policy.sigma**2 * level
        if not self._first.done:
            arm, waiting = self._first.choose(context, arm)
            self.kind[waiting] = 0
            doubt &= ~waiting
        who = np.flatnonzero(doubt)
        if who.size:
            arm[who] = self._explore(t, who, context[who], arm[who], level)
        return arm

    def _explore(
        self, t: int, who: np.ndarray, now: np.ndarray, best: np.ndarray, level: float
    ) -> np.ndarray:
        policy, at = self._policy, np.arange(who.size)
        self.explored[who] += 1
        self._targets.refresh(t, who, self._least.estimate)
        theta = self._least.estimate[who]
        means = np.einsum("xad,td->txa", self._features, theta)
        gaps = means.max(axis=2, keepdims=True) - means
        least_gap = np.where(gaps > 0, gaps, np.inf).min(axis=(1, 2))
        cap = policy.sigma**2 * level / least_gap**2
        target = np.minimum(self._targets.eta[who, now] * max(level / 2, TINY), cap[:, None])
        target[at, best] = cap
        counts = self.counts[who, now]
        short = counts < target
        ratio = np.divide(counts, target, out=np.full_like(counts, np.inf), where=target > 0)
        arm, kind = ratio.argmin(axis=1), np.full(who.size, 4)
        forced = counts.min(axis=1) <= policy.epsilon * self.explored[who]
        arm[forced], kind[forced] = counts.argmin(axis=1)[forced], 3
        wasted = ~short.any(axis=1)
        if wasted.any():
            rows = self._features[now[wasted]]
            inverse = self._least.inverse[who[wasted]]
            norm = np.einsum("tad,tad->ta", np.matmul(rows, inverse), rows)
            index = means[at, now][wasted] + policy.sigma * np.sqrt(level * np.maximum(norm, 0))
            arm[wasted], kind[wasted] = index.argmax(axis=1), 2
        self.kind[who] = kind
        return arm

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        self._least.update(self._features[context, arm], reward)
        self.counts[self._row, context, arm] += 1
        self._first.played(context, arm)
