"""DMED and IMED: how improbable the rewards of an arm are if it were as good as the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hbucb.estimators.mean import RunningSums
from hbucb.families import check_family, family_of, refuse_outside
from hbucb.policies.arm_index import log_round
from hbucb.policies.base import Policy
from hbucb.streams import Run


@dataclass(frozen=True)
class DMED(Policy):
    """Play through a list of arms; when it is at its end, list all with n kl(mean, best) < level.

    Parameters
    ----------
    level : {"t/n", "t"}
        ln(t/n), t the pulls made so far and n the arm's, as the paper of DMED has it ("DMED+"
        in Garivier and Cappe); or ln t, their "DMED", which lists more arms.
    family : {"bernoulli", "gaussian", "poisson", "exponential"}
        Whose divergence kl is; rewards outside the family's support are refused.
    sigma : float
        Standard deviation of the rewards, for "gaussian" only.

    Raises
    ------
    ValueError
        For a parameter out of range; in a run, for a reward outside the support of the family.

    Notes
    -----
    ``best`` is the largest mean, and its arm (the first of several) is always listed. A list is
    played in the order of the slots. Its theorem is asymptotic, so there is no
    :meth:`regret_bound`.

    References
    ----------
    Honda and Takemura (2010), with their lists made one after another; Garivier and Cappe (2011),
    section 4.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.1, 0.9])
    >>> result = hb.simulate(bandit, hb.DMED(), horizon=200, trials=20, seed=1)
    >>> bool(result["DMED"].regret[:, -1].mean() < 10)
    True
    """

    level: str = "t/n"
    family: str = "bernoulli"
    sigma: float = 1.0

    def __post_init__(self) -> None:
        check_family(self)
        if self.level not in ("t/n", "t"):
            raise ValueError(f"level = {self.level!r} must be 't/n' or 't'")

    def start(self, run: Run) -> DMEDState:
        return DMEDState(self, run)


@dataclass(frozen=True)
class IMED(Policy):
    """Play the smallest n kl(mean, best) + ln n, ``best`` the largest mean.

    Parameters
    ----------
    family : {"bernoulli", "gaussian", "poisson", "exponential"}
        Whose divergence kl is; rewards outside the family's support are refused.
    sigma : float
        Standard deviation of the rewards, for "gaussian" only.

    Raises
    ------
    ValueError
        For a parameter out of range; in a run, for a reward outside the support of the family.

    Notes
    -----
    The index of an arm with the largest mean is ln n. The theorem is asymptotic, so there is no
    :meth:`regret_bound`.

    References
    ----------
    Honda and Takemura (2015).

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.1, 0.9])
    >>> result = hb.simulate(bandit, hb.IMED(), horizon=200, trials=20, seed=1)
    >>> bool(result["IMED"].regret[:, -1].mean() < 10)
    True
    """

    family: str = "bernoulli"
    sigma: float = 1.0

    def __post_init__(self) -> None:
        check_family(self)

    def start(self, run: Run) -> IMEDState:
        return IMEDState(self, run)


class EvidenceState:
    """Counts, means and n kl(mean, best) of all trials and arms."""

    def __init__(self, policy: DMED | IMED, run: Run) -> None:
        self._family, self._name = family_of(policy.family, policy.sigma), type(policy).__name__
        self._trials, self._arms = run.trials, run.arms
        self._row = np.arange(run.trials) * run.arms
        self._sums = RunningSums(run)
        shape = (run.trials, run.arms)
        self._count, self._mean, self._term = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._log = np.full(shape, -np.inf)  # ln n, whose arm alone changes at a pull

    def _evidence(self, rows: np.ndarray | slice) -> np.ndarray:
        mean = self._mean[rows]
        best = mean.max(axis=1, keepdims=True)
        return self._count[rows] * self._family.kl_from(self._term[rows], mean, best)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        refuse_outside(self._family, self._name, reward, t)
        flat = self._row + arm
        n = self._count.reshape(-1)[flat] + 1
        self._count.reshape(-1)[flat], self._log.reshape(-1)[flat] = n, np.log(n)
        mean = self._sums.push(flat, n, reward)
        self._mean.reshape(-1)[flat] = mean
        self._term.reshape(-1)[flat] = self._family.self_term(mean)


class IMEDState(EvidenceState):
    """Every arm once, then the smallest index."""

    def select(self, t: int) -> np.ndarray:
        if t < self._arms:
            return np.full(self._trials, t)
        index = self._evidence(slice(None))
        index += self._log
        return index.argmin(axis=1)


class DMEDState(EvidenceState):
    """The list of every trial, as a mark on each of its arms."""

    def __init__(self, policy: DMED, run: Run) -> None:
        super().__init__(policy, run)
        self._share = policy.level == "t/n"
        self._listed = np.ones((run.trials, run.arms), bool)

    def select(self, t: int) -> np.ndarray:
        arm = self._listed.argmax(axis=1)
        ended = np.flatnonzero(~self._listed.reshape(-1)[self._row + arm])
        if ended.size:
            level = log_round(t)
            limit = level - self._log[ended] if self._share else level
            marks = self._evidence(ended) < limit
            marks[np.arange(ended.size), self._mean[ended].argmax(axis=1)] = True
            self._listed[ended] = marks
            arm[ended] = marks.argmax(axis=1)
        return arm

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        super().update(t, arm, reward)
        self._listed.reshape(-1)[self._row + arm] = False
