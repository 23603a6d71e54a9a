"""AdaHedge: exponential weights whose learning rate follows what mixing has cost so far."""

from __future__ import annotations

import math

import numpy as np


class AdaHedge:
    """Many learners side by side, each over ``actions`` actions with gains of any range.

    With G the sums of gains and D the sum of mixability gaps, the weights are in proportion to
    exp(eta G), eta = ln(actions) / D; while D = 0 they are even on the leaders.

    References
    ----------
    De Rooij, van Erven, Grunwald and Koolen (2014), Algorithm 1.

    Examples
    --------
    >>> learner = AdaHedge(1, 2)
    >>> learner.learn(np.array([0]), np.array([[1.0, 0.0]]))
    >>> bool(learner.weights(np.array([0]))[0, 0] > 0.5)
    True
    """

    def __init__(self, learners: int, actions: int) -> None:
        self._gain = np.zeros((learners, actions))
        self._cost = np.zeros(learners)
        self._log = math.log(actions)

    def weights(self, who: np.ndarray) -> np.ndarray:
        """The weights (len(who), actions) of some learners."""
        return self._mix(who)[0]

    def _mix(self, who: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        behind = self._gain[who] - self._gain[who].max(axis=1, keepdims=True)
        cost = self._cost[who]
        rate = np.divide(self._log, cost, out=np.full_like(cost, np.inf), where=cost > 0)
        with np.errstate(invalid="ignore"):
            weight = np.where(behind < 0, np.exp(rate[:, None] * behind), 1.0)
        return weight / weight.sum(axis=1, keepdims=True), behind, rate

    def learn(self, who: np.ndarray, gain: np.ndarray) -> None:
        """Add the gains (len(who), actions); each learner at most once in ``who``."""
        weight, behind, rate = self._mix(who)
        earned = (weight * gain).sum(axis=1)
        top = (behind + gain).max(axis=1)
        # The mix gain ln(sum w e^(eta g)) / eta, which is the leader's gain where eta is infinite.
        mixed = top.copy()
        some = np.isfinite(rate) & (rate > 0)
        high = gain[some].max(axis=1)
        inside = weight[some] * np.exp(rate[some, None] * (gain[some] - high[:, None]))
        mixed[some] = high + np.log(inside.sum(axis=1)) / rate[some]
        self._gain[who] += gain
        self._cost[who] += np.maximum(mixed - earned, 0.0)
