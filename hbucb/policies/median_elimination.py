"""Median Elimination: sample all survivors, drop the worse half, repeat with a finer accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import check
from hbucb.elimination_bounds import median_elimination_counts, median_elimination_regret
from hbucb.policies.base import Policy
from hbucb.policies.elimination import EqualRounds
from hbucb.policies.ucb_improved import _sampling
from hbucb.predicates import common_mean, subgaussian
from hbucb.streams import Run
from hbucb.validate import open_probability, store


@dataclass(frozen=True)
class HalvingPlan:
    """Keep the better half by the means of this round alone."""

    counts: np.ndarray
    in_turn: bool
    fresh = True

    def keep(self, mean: np.ndarray, alive: np.ndarray, m: np.ndarray) -> np.ndarray:
        # Position in the order of falling means; of equal means the first slot is the better one.
        order = np.argsort(-mean, axis=1, kind="stable")
        rank = np.empty_like(order)
        np.put_along_axis(rank, order, np.arange(mean.shape[1])[None, :], axis=1)
        return rank < (alive.sum(axis=1, keepdims=True) + 1) // 2


@dataclass(frozen=True)
class MedianElimination(Policy):
    """Find an arm within ``eps`` of the best with probability 1 - ``delta``, then play it.

    Round l = 1, 2, ... samples every survivor ceil((4/eps_l^2) ln(3/delta_l)) times and keeps the
    better half, rounded up, by the means of this round; eps_1 = eps/4, delta_1 = delta/2,
    eps_{l+1} = 3 eps_l / 4, delta_{l+1} = delta_l / 2. The last survivor is played to the end.

    Parameters
    ----------
    eps : float
        Accuracy in reward units, in (0, 1).
    delta : float
        Failure probability.
    sampling : {"round-robin", "arm-by-arm"}
        The order within a round, as in :class:`UCBImproved`.

    Raises
    ------
    ValueError
        For parameters out of range, named with their value.

    References
    ----------
    Even-Dar, Mannor and Mansour (2006), Figure 1 and Theorem 10; "below the median" is read as
    "not in the better half", which is the same but for equal means.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.1, 0.2, 0.9])
    >>> policy = hb.MedianElimination(eps=0.5, delta=0.2)
    >>> result = hb.simulate(bandit, policy, horizon=5000, trials=20, seed=1)
    >>> result["MedianElimination"].pulls.min(axis=0).tolist()
    [871, 2064, 2064]
    """

    eps: float = 0.1
    delta: float = 0.1
    sampling: str = "round-robin"

    def __post_init__(self) -> None:
        store(
            self, eps=open_probability("eps", self.eps), delta=open_probability("delta", self.delta)
        )
        _sampling(self.sampling)

    def start(self, run: Run) -> EqualRounds:
        counts = median_elimination_counts(run.arms, eps=self.eps, delta=self.delta)
        return EqualRounds(HalvingPlan(counts, self.sampling == "round-robin"), run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 1000 + 96 * arms

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Exploration, plus eps a pull, plus delta times the worst, for 1/2-sub-Gaussian noise.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
        declare : sequence of {"common_mean", "subgaussian"}
            Facts you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For laws that are not 1/2-sub-Gaussian, as rewards in [0, 1] are.
        """
        check(
            bandit,
            [common_mean(), subgaussian(0.5)],
            of="the bound of Median Elimination",
            declare=declare,
        )
        return median_elimination_regret(bandit.gaps, horizon, eps=self.eps, delta=self.delta)
