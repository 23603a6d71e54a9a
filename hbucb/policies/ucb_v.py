"""UCB-V and UCB-tuned: the radius follows the arm's empirical variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError, check
from hbucb.bounded_bounds import ucbv_regret
from hbucb.estimators.mean import SampleMean
from hbucb.estimators.variance import RunningVariances, sample_variance
from hbucb.policies.arm_index import ArmIndexPolicy, log_round
from hbucb.predicates import bounded, common_mean
from hbucb.streams import Run
from hbucb.validate import nonnegative, positive, store


@dataclass(frozen=True)
class UCBV(ArmIndexPolicy):
    """Play the largest mean + sqrt(2 v L / n) + 3 c b L / n, L = zeta ln t, v the variance.

    Parameters
    ----------
    zeta, c : float
        1.2 and 1 in the theorem. The paper's experiments, and the second paper's public code, run
        zeta = 1, c = 1/3.
    b : float
        Range of the rewards, which lie in [0, b].

    Raises
    ------
    ValueError
        For a parameter that is not positive and finite (c may be 0).

    Notes
    -----
    t = 1, 2, ... is the round about to be played; v is divided by n.

    References
    ----------
    Audibert, Munos and Szepesvari (2009), section 4 and Theorem 4.

    Examples
    --------
    >>> import hbucb as hb
    >>> index = hb.UCBV().index([0.0, 1.0], t=9, horizon=100, counts=[2, 7])
    >>> level = 1.2 * 2.302585093
    >>> bool(abs(index - (0.5 + (0.25 * level) ** 0.5 + 1.5 * level)) < 1e-8)
    True
    """

    zeta: float = 1.2
    c: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        store(self, zeta=positive("zeta", self.zeta), b=positive("b", self.b))
        store(self, c=nonnegative("c", self.c))

    def start(self, run: Run) -> UCBVState:
        return UCBVState(self, run)

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        if not rewards:
            return math.inf
        n, log = len(rewards), math.log(t + 1)
        slow = math.sqrt(2 * self.zeta * sample_variance(rewards) / n)
        fast = 3 * self.c * self.b * self.zeta / n
        return SampleMean().estimate(rewards) + slow * math.sqrt(log) + fast * log

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """10 ln T sum [variance / gap + 2 b] for rewards in [0, b], zeta = 1.2 and c = 1.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
            T.
        declare : sequence of {"common_mean", "bounded"}
            Facts you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For rewards that leave [0, b], and for other constants.
        """
        if (self.zeta, self.c) != (1.2, 1.0):
            raise AssumptionError(
                f"{self!r} has no regret bound here: the theorem with explicit constants has "
                "zeta = 1.2 and c = 1"
            )
        needs = [common_mean(), bounded(0.0, self.b)]
        check(bandit, needs, of="the bound of UCB-V", declare=declare)
        variances = [min(law.variance, self.b**2 / 4) for law in bandit.laws]
        return ucbv_regret(bandit.gaps, horizon, variances=variances, b=self.b)


class UCBVState:
    """Means and the two coefficients of the radius, for sqrt(ln t) and ln t."""

    def __init__(self, policy: UCBV, run: Run) -> None:
        self._policy = policy
        self._row = np.arange(run.trials) * run.arms
        self._moments = RunningVariances(run)
        shape = (run.trials, run.arms)
        self._mean, self._slow, self._fast = (
            np.full(shape, np.inf),
            np.zeros(shape),
            np.zeros(shape),
        )
        self._index, self._part = np.empty(shape), np.empty(shape)

    def select(self, t: int) -> np.ndarray:
        log = math.log(t + 1)
        index = np.multiply(self._slow, math.sqrt(log), out=self._index)
        index += self._mean
        index += np.multiply(self._fast, log, out=self._part)
        return index.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self._row + arm
        n, mean, variance = self._moments.push(flat, reward)
        policy = self._policy
        self._mean.reshape(-1)[flat] = mean
        self._slow.reshape(-1)[flat] = np.sqrt(2 * policy.zeta * variance / n)
        self._fast.reshape(-1)[flat] = 3 * policy.c * policy.b * policy.zeta / n


@dataclass(frozen=True)
class UCBTuned(ArmIndexPolicy):
    """Play the largest mean + sqrt(ln t / n * min(1/4, v + sqrt(2 ln t / n))); no parameters.

    Notes
    -----
    t is the pulls made so far; v, divided by n, is the variance. 1/4 is the largest variance of
    rewards in [0, 1]. The paper has no theorem about it, so there is no :meth:`regret_bound`.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002), section 4.

    Examples
    --------
    >>> import hbucb as hb
    >>> index = hb.UCBTuned().index([1.0, 1.0], t=9, horizon=100, counts=[2, 7])
    >>> round(index, 4) == round(1 + (2.1972246 / 2 / 4) ** 0.5, 4)
    True
    """

    def start(self, run: Run) -> UCBTunedState:
        return UCBTunedState(run)

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        if not rewards:
            return math.inf
        unit = math.sqrt(1 / len(rewards)) * math.sqrt(log_round(t))
        spread = min(0.25, unit * math.sqrt(2) + sample_variance(rewards))
        return SampleMean().estimate(rewards) + math.sqrt(spread) * unit


class UCBTunedState:
    """Means, variances and 1/sqrt(n)."""

    def __init__(self, run: Run) -> None:
        self._row = np.arange(run.trials) * run.arms
        self._moments = RunningVariances(run)
        shape = (run.trials, run.arms)
        self._mean, self._variance, self._root = (
            np.full(shape, np.inf),
            np.zeros(shape),
            np.zeros(shape),
        )
        self._unit, self._index = np.empty(shape), np.empty(shape)

    def select(self, t: int) -> np.ndarray:
        unit = np.multiply(self._root, math.sqrt(log_round(t)), out=self._unit)
        index = np.multiply(unit, math.sqrt(2), out=self._index)
        index += self._variance
        np.minimum(index, 0.25, out=index)
        np.sqrt(index, out=index)
        index *= unit
        index += self._mean
        return index.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self._row + arm
        n, mean, variance = self._moments.push(flat, reward)
        self._mean.reshape(-1)[flat] = mean
        self._variance.reshape(-1)[flat] = variance
        self._root.reshape(-1)[flat] = np.sqrt(1 / n)
