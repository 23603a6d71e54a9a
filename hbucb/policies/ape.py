"""APE: adaptively perturbed exploration, a p-robust mean + a random bonus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hbucb.ape_bounds import ape_regret
from hbucb.arguments import is_plain
from hbucb.assumptions import AssumptionError, check
from hbucb.estimators.p_robust import PRobustMean
from hbucb.estimators.recomputed import pieces
from hbucb.history import History
from hbucb.noise import Exponential, Noise
from hbucb.policies.base import Policy
from hbucb.predicates import common_mean
from hbucb.streams import BLOCK, Run
from hbucb.validate import store


@dataclass(frozen=True)
class APE(Policy):
    """Play the largest p-robust mean + c m^-(1-1/p) G, G drawn afresh for each arm and round.

    Parameters
    ----------
    estimator : PRobustMean
        With the order p of the moment and the scale c (reward units). Its nu is needed for the
        bound only: the policy does not use it.
    perturbation : Noise
        Law of G, on [0, inf), without atoms. The bound is for an exponential law of mean above 1.
    growth : float
        The estimate is that of the first m rewards of the arm, m the largest of the counts
        ceil(growth^j) so far: 1 estimates anew after each pull, as the paper does, at O(n) a pull.
        In [1, 2].

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range.

    Notes
    -----
    Every arm is played once first. The mean is not translation equivariant: a constant added to
    all rewards changes the run.

    References
    ----------
    Lee, Yang, Lim and Oh (2020), Algorithm 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.StudentT(2.5))
    >>> policy = hb.APE(hb.estimators.PRobustMean(p=1.5, c=0.5), growth=1.1)
    >>> result = hb.simulate(bandit, policy, horizon=1000, trials=50, seed=1)
    >>> bool(result["APE"].regret[:, -1].mean() < 50)
    True
    """

    estimator: PRobustMean = field(default_factory=PRobustMean)
    perturbation: Noise = field(default_factory=lambda: Exponential(2.0))
    growth: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.estimator, PRobustMean):
            raise ValueError(f"estimator = {self.estimator!r} must be a PRobustMean")
        law = self.perturbation
        if not isinstance(law, Noise) or law.has_atoms or not law.support[0] >= 0:
            raise ValueError(
                f"perturbation = {law!r} must be a law on [0, inf) without atoms, such as "
                "hb.noise.Exponential(2.0)"
            )
        if not (is_plain(self.growth) and 1 <= self.growth <= 2):
            raise ValueError(f"growth = {self.growth!r} must be a number in [1, 2]")
        store(self, growth=float(self.growth))

    def start(self, run: Run) -> APEState:
        return APEState(self, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 4096 + (64 + 16 * BLOCK) * arms + (History.BYTES_PER_STEP + 64) * horizon

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Bound where E|X|^p <= nu for the rewards of all arms.

        Raises
        ------
        AssumptionError
            For rewards without that moment, and for another perturbation.
        """
        law = self.perturbation
        if not isinstance(law, Exponential) or law.scale <= 1:
            raise AssumptionError(
                f"the bound of APE needs perturbation = Exponential(scale) with scale > 1; {law!r} "
                "has no explicit constant here"
            )
        robust = self.estimator
        needs = [common_mean(), *robust.assumptions()]
        check(bandit, needs, of="the bound of APE", declare=declare)
        return ape_regret(
            bandit.gaps,
            horizon,
            p=robust.p,
            c=robust.c,
            nu=robust.nu,
            scale=law.scale,
            growth=self.growth,
        )


def renewals(growth: float, horizon: int) -> np.ndarray:
    """(horizon + 1,) whether the estimate is renewed at this count: ceil(growth^j), j = 0, 1, ...

    Examples
    --------
    >>> np.flatnonzero(renewals(1.5, 12)).tolist()
    [1, 2, 3, 4, 6, 8, 12]
    """
    due = np.full(horizon + 1, growth == 1)
    power = 1.0
    while growth > 1 and power <= horizon:
        due[int(np.ceil(power))] = True
        power *= growth
    due[0] = False
    return due


class APEState:
    """Estimates and factors of the bonus of all trials and arms."""

    def __init__(self, policy: APE, run: Run) -> None:
        self._robust = policy.estimator
        self._trials, self._arms = run.trials, run.arms
        self._trial = np.arange(run.trials)
        self._draws = run.stream(policy.perturbation, width=run.arms)
        self._history = History(run.trials, run.horizon)
        self._due = renewals(policy.growth, run.horizon)
        shape = (run.trials, run.arms)
        self._count = np.zeros(shape, np.int64)
        self._mean, self._factor = np.zeros(shape), np.zeros(shape)
        self._index = np.empty(shape)

    def select(self, t: int) -> np.ndarray:
        if t < self._arms:
            return np.full(self._trials, t)
        index = np.multiply(self._draws.next(), self._factor, out=self._index)
        index += self._mean
        return index.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        self._history.append(arm, reward)
        self._count[self._trial, arm] += 1
        due = np.flatnonzero(self._due[self._count[self._trial, arm]])
        for some in pieces(due, t + 1):
            values, m = self._history.gather(some, arm[some])
            self._mean[some, arm[some]] = self._robust.ragged(values, m)
            rate = m ** -(1 - 1 / self._robust.p)
            self._factor[some, arm[some]] = self._robust.c * rate
