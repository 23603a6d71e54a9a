"""OCUCB-n: the anytime form of OCUCB, whose level follows how evenly the arms were played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hbucb.estimators.mean import RunningSums, SampleMean
from hbucb.policies.arm_index import ArmIndexPolicy
from hbucb.streams import Run
from hbucb.validate import finite, store


@dataclass(frozen=True)
class OCUCBn(ArmIndexPolicy):
    """Play the largest mean + sqrt(2 eta ln(B) / n) in round t = 1, 2, ...

    B = max(e, ln t, t ln t / sum_j min(n, n_j^rho n^(1-rho))), the sum over all arms, n the arm's
    own pulls: an arm that has as many pulls as all others has a short radius.

    Parameters
    ----------
    eta : float
        Above 1 in the theorem, for 1-sub-Gaussian rewards.
    rho : float
        In (1/2, 1].

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    Notes
    -----
    For rho < 1 the sums are updated by differences, so equal arms may differ in the last bit. The
    theorem's constant is not printed as a number, so there is no :meth:`regret_bound`.

    References
    ----------
    Lattimore (2016), Algorithm 1 and Theorem 1.

    Examples
    --------
    >>> from hbucb import OCUCBn
    >>> index = OCUCBn(eta=2.0).index([0.0, 1.0], t=9, horizon=20, counts=[2, 7])
    >>> round(index, 6) == round(0.5 + (2 * 1.7503231) ** 0.5, 6)  # ln(10 ln(10) / (2 + 2))
    True
    """

    eta: float = 2.0
    rho: float = 1.0

    def __post_init__(self) -> None:
        for name, low, high in (("eta", 1.0, math.inf), ("rho", 0.5, 1.0)):
            value = finite(name, getattr(self, name))
            if not low < value <= high:
                allowed = "above 1" if name == "eta" else "in (1/2, 1]"
                raise ValueError(f"{name} = {value!r} must be {allowed}")
            store(self, **{name: value})

    def start(self, run: Run) -> OCUCBnState:
        return OCUCBnState(self, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 4096 + 200 * arms

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        if not rewards:
            return math.inf
        n = len(rewards)
        own = n ** (1 - self.rho)
        even = sum(min(float(n), other**self.rho * own) for other in counts)
        log = math.log(t + 1)
        b = max(math.e, log, (t + 1) * log / even)
        return SampleMean().estimate(rewards) + math.sqrt(2 * self.eta * math.log(b) / n)


class OCUCBnState:
    """Means, counts and the sums in B; a pull changes one term of every arm's sum."""

    def __init__(self, policy: OCUCBn, run: Run) -> None:
        self._eta, self._rho = policy.eta, policy.rho
        self._trials, self._arms = run.trials, run.arms
        self._row = np.arange(run.trials) * run.arms
        self._sums = RunningSums(run)
        shape = (run.trials, run.arms)
        self._count, self._mean, self._even = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._power, self._rest = np.zeros(shape), np.full(shape, 0.0 ** (1 - policy.rho))
        self._weight = np.zeros(shape)  # 2 eta / n
        self._index, self._more = np.empty(shape), np.empty(shape, bool)

    def select(self, t: int) -> np.ndarray:
        if t < self._arms:
            return np.full(self._trials, t)
        log = math.log(t + 1)
        index = np.divide((t + 1) * log, self._even, out=self._index)
        np.maximum(index, max(math.e, log), out=index)
        np.log(index, out=index)
        index *= self._weight
        np.sqrt(index, out=index)
        index += self._mean
        return index.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self._row + arm
        count = self._count
        n = count.reshape(-1)[flat] + 1
        if self._rho == 1:
            # min(n_i, n) - min(n_i, n - 1), in whole numbers.
            self._even += np.greater_equal(count, n[:, None], out=self._more)
            own, power = np.ones_like(n), n
        else:
            own, power = n ** (1 - self._rho), n**self._rho
            self._even += np.minimum(count, power[:, None] * self._rest)
            self._even -= np.minimum(count, self._power.reshape(-1)[flat, None] * self._rest)
        count.reshape(-1)[flat], self._power.reshape(-1)[flat] = n, power
        self._rest.reshape(-1)[flat] = own
        terms = np.minimum(n[:, None], self._power * own[:, None])
        self._even.reshape(-1)[flat] = terms.sum(axis=1)
        self._mean.reshape(-1)[flat] = self._sums.push(flat, n, reward)
        self._weight.reshape(-1)[flat] = 2 * self._eta / n
