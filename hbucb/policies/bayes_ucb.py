"""Bayes-UCB: an upper quantile of the posterior of each arm's mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.estimators.mean import SampleMean
from hbucb.estimators.variance import RunningVariances, sample_variance
from hbucb.policies.arm_index import ArmIndexPolicy
from hbucb.policies.chord import ROUNDING, ChordState, Lines, band
from hbucb.policies.student_table import StudentTable, student_quantile
from hbucb.policies.thompson import refuse_not_binary
from hbucb.streams import Run
from hbucb.validate import nonnegative, store, whole_number

FAMILIES = ("bernoulli", "gaussian", "gaussian released")


@dataclass(frozen=True)
class BayesUCB(ArmIndexPolicy):
    """Play the largest 1 - 1/(t ln^c T) quantile of the arm's posterior, t = 1, 2, ... the round.

    Parameters
    ----------
    family : {"bernoulli", "gaussian", "gaussian released"}
        "bernoulli": the posterior is Beta(S+1, n-S+1) from a uniform prior; rewards other than 0
        and 1 are refused. "gaussian", mean and variance unknown with prior 1/variance: mean + s /
        sqrt(n) times a Student quantile with n - 1 degrees of freedom, s^2 the sum of squares
        about the mean over n - 1. "gaussian released": n degrees of freedom and s^2 over n, as the
        second paper's public code has it.
    c : float
        0 is what is run in practice; the theorem of the paper, for coins, needs c >= 5.
    horizon : int, optional
        T in the formula (it counts only where c > 0); that of the run if not given.

    Raises
    ------
    ValueError
        For a parameter out of range; in a run, for a reward that is not 0 or 1 ("bernoulli").

    Notes
    -----
    Every arm is played once first, with "gaussian" twice: one reward has no spread. The theorem is
    asymptotic, so there is no :meth:`regret_bound`.

    References
    ----------
    Kaufmann, Cappe and Garivier (2012), Algorithm 1 and Theorem 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> index = hb.BayesUCB().index([0.0], t=1, horizon=10, counts=[1, 0])
    >>> round(index, 6) == round(1 - 0.5**0.5, 6)  # the median of Beta(1, 2)
    True
    """

    family: str = "bernoulli"
    c: float = 0.0
    horizon: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.family, str) or self.family not in FAMILIES:
            raise ValueError(f"family = {self.family!r} must be one of {', '.join(FAMILIES)}")
        store(self, c=nonnegative("c", self.c))
        if self.horizon is not None:
            store(self, horizon=whole_number(self.horizon, "horizon", 1))

    def tuned(self, horizon: int) -> BayesUCB:
        return (
            self
            if self.horizon is not None
            else replace(self, horizon=whole_number(horizon, "horizon", 1))
        )

    def level(self, t: int, horizon: int) -> float:
        """-ln of the probability above the quantile, after t pulls."""
        total = self.horizon or horizon
        extra = self.c * math.log(max(1.0, math.log(total))) if self.c else 0.0
        return math.log(t + 1) + extra

    @property
    def _initial(self) -> int:
        return 2 if self.family == "gaussian" else 1

    def start(self, run: Run) -> ChordState:
        if self.family == "bernoulli":
            return ChordState(BetaCurve(self, run), run)
        return ChordState(StudentCurve(self, run), run, initial=self._initial)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 4096 + 500 * arms

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        from scipy import special

        n = len(rewards)
        if n < self._initial:
            return math.inf
        tail = math.exp(-self.level(t, horizon))
        if self.family == "bernoulli":
            ones = sum(map(int, rewards))
            return float(special.betainccinv(ones + 1, n - ones + 1, tail))
        freedom = n - 1 if self.family == "gaussian" else n
        width = math.sqrt(sample_variance(rewards) / freedom)
        return SampleMean().estimate(rewards) - width * float(special.stdtrit(freedom, tail))


class BetaCurve:
    """Quantiles of the Beta posteriors; concave in the level, as their hazard rate rises."""

    block = 0.1

    def __init__(self, policy: BayesUCB, run: Run) -> None:
        self._policy, self._horizon = policy, run.horizon
        self._a, self._b = np.ones(run.trials * run.arms), np.ones(run.trials * run.arms)

    def level(self, t: int) -> float:
        return self._policy.level(t, self._horizon)

    def push(self, flat: np.ndarray, reward: np.ndarray, t: int) -> None:
        refuse_not_binary("BayesUCB", reward, t)
        self._a[flat] += reward
        self._b[flat] += 1 - reward

    def at(self, flat: np.ndarray, x: Any) -> tuple[np.ndarray, np.ndarray, Any]:
        from scipy import special

        a, b, tail = self._a[flat], self._b[flat], np.exp(-x)
        value = special.betainccinv(a, b, tail)
        log_density = (
            special.xlogy(a - 1, value) + special.xlog1py(b - 1, -value) - special.betaln(a, b)
        )
        with np.errstate(over="ignore"):
            return value, np.exp(-x - log_density), False

    def same(self, flat: np.ndarray, other: np.ndarray) -> np.ndarray:
        return (self._a[flat] == self._a[other]) & (self._b[flat] == self._b[other])

    def chords(self, flat: np.ndarray, x: float, end: float) -> Lines:
        return band(self.at, flat, x, end)


class StudentCurve:
    """Mean + width times a Student quantile, which tables over the count give."""

    block = 0.025  # a new one costs little: the tables are over counts, not arms

    def __init__(self, policy: BayesUCB, run: Run) -> None:
        self._policy, self._horizon = policy, run.horizon
        self._least = 1 if policy.family == "gaussian" else 0
        self._moments = RunningVariances(run)
        size = run.trials * run.arms
        self._mean, self._width = np.zeros(size), np.zeros(size)
        self._freedom = np.zeros(size, np.int64)
        self._table = StudentTable(run.horizon, self.block)

    def level(self, t: int) -> float:
        return self._policy.level(t, self._horizon)

    def push(self, flat: np.ndarray, reward: np.ndarray, t: int) -> None:
        n, mean, variance = self._moments.push(flat, reward)
        freedom = n.astype(np.int64) - self._least
        self._freedom[flat], self._mean[flat] = freedom, mean
        # With one reward only the width is not used: the index is infinite.
        self._width[flat] = np.sqrt(variance / np.maximum(freedom, 1))

    def at(self, flat: np.ndarray, x: Any) -> tuple[np.ndarray, np.ndarray, Any]:
        quantile, slope, rises = student_quantile(self._freedom[flat], x)
        return self._mean[flat] + self._width[flat] * quantile, self._width[flat] * slope, rises

    def same(self, flat: np.ndarray, other: np.ndarray) -> np.ndarray:
        alike = self._freedom[flat] == self._freedom[other]
        alike &= self._mean[flat] == self._mean[other]
        return alike & (self._width[flat] == self._width[other])

    def chords(self, flat: np.ndarray, x: float, end: float) -> Lines:
        freedom, mean, width = self._freedom[flat], self._mean[flat], self._width[flat]
        lines = self._table.chords(freedom, end)
        high = mean + width * lines.high
        half = ROUNDING * (1 + np.abs(mean) + np.abs(high))
        return Lines(width * lines.slope, high + half, width * lines.width + 2 * half)
