"""SPL: learners of the share of regret to spend on each arm, against a nature that responds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.policies.ada_hedge import AdaHedge
from hbucb.policies.base import Policy
from hbucb.policies.nearest_model import nearest_model
from hbucb.policies.single_context import SingleContextState, bytes_of_arms
from hbucb.streams import Run
from hbucb.validate import nonnegative, positive, store

_RIDGE = 1e-8


@dataclass(frozen=True)
class SPL(Policy):
    """Exploit beyond doubt, else spend regret where it buys most information.

    Every arm once. If the closest parameter with another best arm is farther than sigma^2 f in
    the squared norm of V, f = ln t + d ln ln n times ``threshold``, play the estimated best arm.
    Else the learner of that arm (AdaHedge) says which share w of regret to spend on each arm, that
    is pulls in proportion to w / gap. Nature answers with the closest alternative to these pulls;
    the learner gains, for each arm, the largest divergence of a mean in the arm's own confidence
    interval from the alternative's mean, over the gap. The arm played is the one whose pulls are
    farthest behind the sum of all such proportions. Gaps are at least ``least_gap``.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise, reward units.
    least_gap : float
        Reward units, > 0.
    regulariser : float
        nu of the least squares.
    threshold : float
        Multiplier of f.
    optimism : float
        Multiplier of the half-width sigma sqrt(2 ln t / N) of an arm's interval.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value; in a run, for more than one context.

    Notes
    -----
    The algorithm is for bandits of any known structure; this is its linear form, for one context,
    with the test of SOLID so that the two can be compared. The theorem's constants are not printed
    as numbers, so there is no :meth:`regret_bound`.

    References
    ----------
    Degenne, Shao and Koolen (2020), Structure Adaptive Algorithms for Stochastic Bandits.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.linear.end_of_optimism(xi=0.2, sigma=0.2)
    >>> result = hb.simulate(bandit, hb.SPL(sigma=0.2), horizon=500, trials=5, seed=1)
    >>> bool(result["SPL"].regret[:, -1].mean() < 60)
    True
    """

    contextual = True

    sigma: float = 1.0
    least_gap: float = 0.01
    regulariser: float = 1.0
    threshold: float = 1.0
    optimism: float = 1.0

    def __post_init__(self) -> None:
        for name in ("sigma", "least_gap", "regulariser"):
            store(self, **{name: positive(name, getattr(self, name))})
        for name in ("threshold", "optimism"):
            store(self, **{name: nonnegative(name, getattr(self, name))})

    def start(self, run: Run) -> Any:
        return SPLState(self, run)

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        return bytes_of_arms(arms, dim)


class SPLState(SingleContextState):
    """Estimates, counts, learners and owed pulls of all trials.

    Attributes
    ----------
    counts, owed : ndarray (trials, arms)
        Pulls, and the sum of the proportions of the rounds of exploration.
    explored : ndarray (trials,)
    """

    def __init__(self, policy: SPL, run: Run) -> None:
        super().__init__("SPL", run, policy.regulariser)
        self._policy = policy
        self._outer = self._rows[:, :, None] * self._rows[:, None, :]
        self._loglog = self._d * math.log(math.log(max(run.horizon, 3)))
        self._learner = AdaHedge(run.trials * self._arms, self._arms)  # one a trial and best arm
        self.owed = np.zeros((run.trials, self._arms))

    def select(self, t: int, context: np.ndarray) -> np.ndarray:
        if t < self._arms:
            return np.full(len(self._row), t)
        policy, least = self._policy, self._least
        near = nearest_model(self._features, least.estimate, least.inverse)
        arm = near.best[:, 0].copy()
        level = policy.threshold * max(math.log(t) + self._loglog, 0.0)
        who = np.flatnonzero(near.distance <= policy.sigma**2 * level)
        if who.size:
            arm[who] = self._explore(t, who, arm[who])
        return arm

    def _explore(self, t: int, who: np.ndarray, best: np.ndarray) -> np.ndarray:
        policy, at = self._policy, np.arange(who.size)
        self.explored[who] += 1
        theta = self._least.estimate[who]
        mean = np.einsum("ad,td->ta", self._rows, theta)
        gap = np.maximum(mean[at, best][:, None] - mean, policy.least_gap)
        learner = who * self._arms + best
        pulls = self._learner.weights(learner) / gap
        pulls /= pulls.sum(axis=1, keepdims=True)
        information = np.einsum("ta,ade->tde", pulls, self._outer) + _RIDGE * np.eye(self._d)
        near = nearest_model(self._features, theta, np.linalg.inv(information))
        away = np.abs(np.einsum("ad,td->ta", self._rows, near.shift))
        width = policy.optimism * policy.sigma * np.sqrt(2 * math.log(t) / self.counts[who])
        gain = (away + width) ** 2 / (2 * policy.sigma**2) / gap
        self._learner.learn(learner, gain)
        self.owed[who] += pulls
        return (self.owed[who] - self.counts[who]).argmax(axis=1)
