"""KL-UCB and KL-UCB+: the largest mean that the rewards do not refute."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError, check
from hbucb.estimators.mean import RunningSums, SampleMean
from hbucb.families import Family, check_family, family_of, refuse_outside
from hbucb.kl_bounds import kl_ucb_regret
from hbucb.policies.arm_index import ArmIndexPolicy, log_round
from hbucb.policies.chord import ChordState, Lines, band
from hbucb.predicates import bounded, common_mean
from hbucb.streams import Run
from hbucb.validate import nonnegative, store


class KLIndexPolicy(ArmIndexPolicy):
    """Play the largest q with n kl(mean, q) <= level(t, n)."""

    family: str
    sigma: float
    #: Whether ln n is taken off the level.
    plus = False

    def level(self, t: int) -> float:
        """The level after t pulls, before ln n is taken off, in nats."""
        raise NotImplementedError

    def start(self, run: Run) -> ChordState | NormalState:
        if self.family == "gaussian":
            return NormalState(self, run)
        return ChordState(KLCurve(self, run), run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 4096 + 400 * arms

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        if not rewards:
            return math.inf
        n = len(rewards)
        level = self.level(t) - (math.log(n) if self.plus else 0.0)
        mean = np.array([SampleMean().estimate(rewards)])
        d = np.array([max(0.0, level) / n])
        return float(family_of(self.family, self.sigma).upper(mean, d)[0])


@dataclass(frozen=True)
class KLUCB(KLIndexPolicy):
    """Play the largest q with n kl(mean, q) <= level(t).

    Parameters
    ----------
    family : {"bernoulli", "gaussian", "poisson", "exponential"}
        Whose divergence kl is. "bernoulli" is right for all rewards in [0, 1]; rewards outside the
        family's support are refused.
    kind : {"log", "anytime"}
        "log": level = ln t + c ln ln t, t the pulls made so far. "anytime": ln(1 + t ln^2 t) in
        round t = 1, 2, ..., which has the regret bound.
    c : float
        For "log" only. 0 is what is run in practice, 3 what the theorem of the paper has; where
        c > 0, t below 3 counts as 3, as it does there.
    sigma : float
        Standard deviation of the rewards, for "gaussian" only.

    Raises
    ------
    ValueError
        For a parameter out of range; in a run, for a reward outside the support of the family.

    References
    ----------
    Garivier and Cappe (2011), Algorithm 1; Cappe et al. (2013); for "anytime" Lattimore and
    Szepesvari (2020), Algorithm 8.

    Examples
    --------
    >>> import hbucb as hb
    >>> from hbucb.divergences import kl_bernoulli
    >>> index = hb.KLUCB().index([0.0, 1.0], t=8, horizon=100, counts=[2, 6])
    >>> round(2 * kl_bernoulli(0.5, index), 6)
    2.079442
    """

    family: str = "bernoulli"
    kind: str = "log"
    c: float = 0.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        check_family(self)
        if self.kind not in ("log", "anytime"):
            raise ValueError(f"kind = {self.kind!r} must be 'log' or 'anytime'")
        store(self, c=nonnegative("c", self.c))
        if self.c and self.kind != "log":
            raise ValueError(f"c = {self.c!r} is used by kind='log' only")

    def level(self, t: int) -> float:
        if self.kind == "anytime":
            return math.log(1 + (t + 1) * math.log(t + 1) ** 2)
        if not self.c:
            return log_round(t)
        log = math.log(max(t, 3))
        return log + self.c * math.log(log)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Upper bound on the expected regret of kind="anytime" for rewards in [0, 1].

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
            For rewards that leave [0, 1], another family, and kind="log", whose theorems have
            constants for exponential families only or none.
        """
        if self.kind != "anytime" or self.family != "bernoulli":
            raise AssumptionError(
                f"{self!r} has no regret bound here: the theorem with explicit constants is about "
                "family='bernoulli', kind='anytime'"
            )
        needs = [common_mean(), bounded(0.0, 1.0)]
        check(bandit, needs, of="the bound of KL-UCB", declare=declare)
        best = float(bandit.loc.max()) + float(bandit.laws[0].mean)
        return kl_ucb_regret(bandit.gaps, horizon, best=min(max(best, 0.0), 1.0))


@dataclass(frozen=True)
class KLUCBPlus(KLIndexPolicy):
    """Play the largest q with n kl(mean, q) <= ln(t / n), t the pulls made so far.

    Parameters
    ----------
    family, sigma
        As in :class:`KLUCB`.

    Raises
    ------
    ValueError
        As in :class:`KLUCB`.

    References
    ----------
    Garivier and Cappe (2011), section 4; asymptotically optimal (Kaufmann 2018).

    Examples
    --------
    >>> import hbucb as hb
    >>> from hbucb.divergences import kl_bernoulli
    >>> index = hb.KLUCBPlus().index([0.0, 1.0], t=8, horizon=100, counts=[2, 6])
    >>> round(2 * kl_bernoulli(0.5, index), 6)
    1.386294
    """

    family: str = "bernoulli"
    sigma: float = 1.0
    plus = True

    def __post_init__(self) -> None:
        check_family(self)

    def level(self, t: int) -> float:
        return log_round(t)


class KLCurve:
    """The index of each arm as a function of the level."""

    block = 0.05

    def __init__(self, policy: KLIndexPolicy, run: Run) -> None:
        self._family: Family = family_of(policy.family, policy.sigma)
        self._name, self._plus, self.level = type(policy).__name__, policy.plus, policy.level
        self._sums = RunningSums(run)
        self._mean = np.zeros(run.trials * run.arms)
        self._count = np.zeros(run.trials * run.arms)

    def push(self, flat: np.ndarray, reward: np.ndarray, t: int) -> None:
        refuse_outside(self._family, self._name, reward, t)
        n = self._count[flat] + 1
        self._count[flat] = n
        self._mean[flat] = self._sums.push(flat, n, reward)

    def at(self, flat: np.ndarray, x: Any) -> tuple[np.ndarray, np.ndarray, Any]:
        n, mean = self._count[flat], self._mean[flat]
        level = np.maximum(x - np.log(n), 0.0) if self._plus else x
        value = self._family.upper(mean, level / n)
        slope, rises = self._family.slope(mean, value)
        return value, slope / n, rises

    def same(self, flat: np.ndarray, other: np.ndarray) -> np.ndarray:
        mean, count = self._mean, self._count
        return (count[flat] == count[other]) & (mean[flat] == mean[other])

    def chords(self, flat: np.ndarray, x: float, end: float) -> Lines:
        return band(self.at, flat, x, end)


class NormalState:
    """For normal laws the index is a formula: mean + sqrt(2 sigma^2 / n * level)."""

    def __init__(self, policy: KLIndexPolicy, run: Run) -> None:
        self._level, self._plus, self._square = policy.level, policy.plus, 2 * policy.sigma**2
        self._trials, self._arms = run.trials, run.arms
        self._row = np.arange(run.trials) * run.arms
        self._sums = RunningSums(run)
        shape = (run.trials, run.arms)
        self._count, self._mean, self._weight = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._loss, self._index = np.zeros(shape), np.empty(shape)  # the first is ln n

    def select(self, t: int) -> np.ndarray:
        if t < self._arms:
            return np.full(self._trials, t)
        level, index = self._level(t), self._index
        if self._plus:
            np.subtract(level, self._loss, out=index)
            np.maximum(index, 0.0, out=index)
            index *= self._weight
        else:
            np.multiply(self._weight, level, out=index)
        np.sqrt(index, out=index)
        index += self._mean
        return index.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self._row + arm
        n = self._count.reshape(-1)[flat] + 1
        self._count.reshape(-1)[flat] = n
        self._mean.reshape(-1)[flat] = self._sums.push(flat, n, reward)
        self._weight.reshape(-1)[flat] = self._square / n
        if self._plus:
            self._loss.reshape(-1)[flat] = np.log(n)
