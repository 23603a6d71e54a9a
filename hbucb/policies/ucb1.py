"""UCB1: sample mean + sqrt(2 ln t / n), for rewards in [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hbucb.assumptions import check
from hbucb.bounded_bounds import ucb1_regret
from hbucb.estimators.mean import SampleMean
from hbucb.policies.index import IndexPolicy, RootRadius, Rule
from hbucb.predicates import bounded, common_mean


@dataclass(frozen=True)
class UCB1(IndexPolicy):
    """Play the largest mean + sqrt(2 ln t / n), t the pulls made so far; no parameters.

    It is ``UCB(sigma=1, kind="log")`` with the theorem of its paper: rewards in [0, 1] are
    1/2-sub-Gaussian, so the radius is twice as long as a failure probability of 1/t asks for.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002), Figure 1 and Theorem 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.1, 0.9])
    >>> result = hb.simulate(bandit, hb.UCB1(), horizon=1000, trials=20, seed=1)
    >>> regret = result["UCB1"].regret[:, -1].mean()
    >>> bool(regret < hb.UCB1().regret_bound(bandit, 1000))
    True
    """

    def rule(self, horizon: int) -> Rule:
        return Rule(SampleMean(), RootRadius(math.sqrt(2)))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Upper bound on the expected regret for rewards in [0, 1].

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
            For rewards that leave [0, 1].
        """
        needs = [common_mean(), bounded(0.0, 1.0)]
        check(bandit, needs, of="the bound of UCB1", declare=declare)
        return ucb1_regret(bandit.gaps, horizon)
