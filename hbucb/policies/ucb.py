"""UCB for sub-Gaussian rewards: sample mean + sigma sqrt(2 L / n)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError, check
from hbucb.estimators.mean import SampleMean
from hbucb.policies.index import FormulaRadius, IndexPolicy, RootRadius, Rule
from hbucb.predicates import common_mean, subgaussian
from hbucb.upper_bounds import ucb_anytime_regret, ucb_regret
from hbucb.validate import nonnegative, open_probability, store, whole_number


@dataclass(frozen=True)
class UCB(IndexPolicy):
    """Play the largest mean + sigma sqrt(2 L / n).

    Parameters
    ----------
    sigma : float
        Sub-Gaussian scale of the noise, in reward units. 0 is the greedy policy.
    kind : {"fixed", "anytime", "log"}
        "fixed": L = ln(1/delta). "anytime": L = ln(1 + t ln^2 t) in round t = 1, 2, ...
        "log": L = ln(t), t the pulls made so far, as in UCB1.
    delta : float, optional
        Failure probability of one interval, for "fixed" only; 1/T^2 if not given.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    Auer, Cesa-Bianchi and Fischer (2002); Lattimore and Szepesvari (2020), chapters 7 and 8.

    Examples
    --------
    >>> from hbucb import Bandit, UCB
    >>> from hbucb.noise import Gaussian
    >>> bound = UCB(sigma=1.0).regret_bound(Bandit([0.0, 1.0], Gaussian()), horizon=10_000)
    >>> 100 < bound < 200
    True
    """

    sigma: float = 1.0
    kind: str = "fixed"
    delta: float | None = None

    def __post_init__(self) -> None:
        store(self, sigma=nonnegative("sigma", self.sigma))
        if self.kind not in ("fixed", "anytime", "log"):
            raise ValueError(f"kind = {self.kind!r} must be 'fixed', 'anytime' or 'log'")
        if self.delta is not None and self.kind != "fixed":
            raise ValueError(f"delta = {self.delta!r} is used by kind='fixed' only")
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    def rule(self, horizon: int) -> Rule:
        if self.kind != "fixed":
            return Rule(
                SampleMean(), RootRadius(math.sqrt(2) * self.sigma, anytime=self.kind == "anytime")
            )
        level = 2 * math.log(horizon) if self.delta is None else -math.log(self.delta)
        return Rule(SampleMean(), FormulaRadius(lambda n: self.sigma * np.sqrt(2 * level / n)))

    def tuned(self, horizon: int) -> UCB:
        if self.kind != "fixed" or self.delta is not None:
            return self
        return replace(self, delta=1 / max(whole_number(horizon, "horizon", 1), 2) ** 2)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Upper bound on the expected regret where all arms are sigma-sub-Gaussian.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
            T; a fixed failure probability that was not given is that of each T.
        declare : sequence of {"common_mean", "subgaussian"}
            Facts you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For laws that are not sub-Gaussian with this sigma, and for kind="log".
        """
        if not self.sigma:
            raise AssumptionError("UCB(sigma=0) has no regret bound: it is greedy")
        if self.kind == "log":
            raise AssumptionError(
                "UCB(kind='log') has no regret bound here: its theorem (UCB1) is about rewards "
                "in [0, 1] with sigma = 2; use kind='fixed' or 'anytime'"
            )
        check(
            bandit, [common_mean(), subgaussian(self.sigma)], of="the bound of UCB", declare=declare
        )
        if self.kind == "anytime":
            return ucb_anytime_regret(bandit.gaps, horizon, sigma=self.sigma)
        return ucb_regret(bandit.gaps, horizon, sigma=self.sigma, delta=self.delta)
