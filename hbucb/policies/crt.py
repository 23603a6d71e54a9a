"""CRT: optimism over an ellipsoid fitted to truncated rewards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.arguments import moment_order
from hbucb.heavy_linear_bounds import crt_level, crt_regret
from hbucb.linear_bounds import check_linear
from hbucb.policies.linear_index import LinearIndexPolicy, LinearState, Seen
from hbucb.predicates import mean_is_loc, raw_moment
from hbucb.streams import Run
from hbucb.validate import nonnegative, open_probability, positive, store, whole_number


@dataclass(frozen=True)
class CRT(LinearIndexPolicy):
    """LinUCB on rewards that count as 0 where |y| > b: confidence region with truncation.

    The index is phi^T estimate + r |phi|_{V^-1}, with the estimate from truncated rewards and
    r = b sqrt(2 log(1 / delta) + log det(V / nu)) + sqrt(t) v / b^eps + sqrt(nu) B.

    Parameters
    ----------
    eps : float
        In (0, 1]: rewards have moments of order 1 + eps.
    v : float
        Bound on E|y|^(1 + eps) of every reward (not of the noise), reward units^(1 + eps).
    theta_bound, regulariser : float
        B and nu, as in :class:`LinUCB`.
    level : float, optional
        b, reward units; if not given, the one with which both parts of r are alike at the horizon,
        b^(1 + eps) = v sqrt(T / (2 log(1 / delta) + d log(1 + T L^2 / (nu d)))).
    delta : float, optional
        Failure probability of the ellipsoids of all rounds together; 1 / T if not given.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    References
    ----------
    Medina and Yang (2016); the radius here is proved in the book.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.linear.toy(noise=hb.noise.StudentT(2.2))
    >>> result = hb.simulate(bandit, hb.CRT(eps=1.0, v=15.0, theta_bound=1.5), 500, 5, seed=1)
    >>> result["CRT"].pulls.sum(axis=1).tolist()
    [500, 500, 500, 500, 500]
    """

    eps: float = 1.0
    v: float = 1.0
    theta_bound: float = 1.0
    regulariser: float = 1.0
    level: float | None = None
    delta: float | None = None

    # A reward of +-inf is truncated like any other large one.
    accepts_infinite = True

    def __post_init__(self) -> None:
        moment_order(self.eps)
        store(
            self,
            eps=float(self.eps),
            v=positive("v", self.v),
            theta_bound=nonnegative("theta_bound", self.theta_bound),
            regulariser=positive("regulariser", self.regulariser),
        )
        if self.level is not None:
            store(self, level=positive("level", self.level))
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    def start(self, run: Run) -> Any:
        return CRTState(self, run)

    def cut(self, horizon: int, features: np.ndarray) -> float:
        """b, reward units."""
        if self.level is not None:
            return self.level
        longest = float(np.sqrt((features**2).sum(axis=-1).max()))
        return float(
            crt_level(
                horizon,
                dim=features.shape[-1],
                eps=self.eps,
                v=self.v,
                feature_bound=longest,
                regulariser=self.regulariser,
                delta=self.delta,
            )
        )

    def radius(self, t: int, log_det: Any, horizon: int, level: float) -> Any:
        """r after t rounds, reward units."""
        log = math.log(horizon) if self.delta is None else -math.log(self.delta)
        lead = math.sqrt(t) * self.v / level**self.eps
        lead += math.sqrt(self.regulariser) * self.theta_bound
        return level * np.sqrt(2 * log + log_det) + lead

    def indices(self, seen: Seen) -> np.ndarray:
        nu = self.regulariser
        level = self.cut(seen.horizon, seen.all_features)
        kept = replace(seen, rewards=np.where(np.abs(seen.rewards) <= level, seen.rewards, 0.0))
        radius = self.radius(seen.t, seen.log_det(nu), seen.horizon, level)
        return seen.features @ kept.estimate(nu) + radius * seen.norms(nu)

    def tuned(self, horizon: int) -> CRT:
        if self.delta is not None:
            return self
        return replace(self, delta=1 / max(whole_number(horizon, "horizon", 1), 2))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Upper bound on the expected regret where E|y|^(1 + eps) <= v and |theta| <= B.

        Parameters
        ----------
        bandit : LinearContextualBandit
        horizon : int or array_like of int
            T; a level or delta that was not given is that of each T.
        declare : sequence of {"mean_is_loc", "raw_moment"}
            Facts you vouch for where the noise does not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For a bandit without features, theta longer than B, noise with another mean than 0, and
            rewards with a larger moment.
        """
        needs = [mean_is_loc(), raw_moment(1 + self.eps, self.v)]
        longest = check_linear(bandit, needs, "the bound of CRT", declare, self.theta_bound)
        return crt_regret(
            bandit.gaps.ravel(),
            horizon,
            dim=bandit.theta.size,
            eps=self.eps,
            v=self.v,
            feature_bound=longest,
            theta_bound=self.theta_bound,
            regulariser=self.regulariser,
            level=self.level,
            delta=self.delta,
        )


class CRTState(LinearState):
    """Least squares of the truncated rewards of all trials."""

    def __init__(self, policy: CRT, run: Run) -> None:
        super().__init__(run, policy.regulariser)
        self._policy, self._horizon = policy, run.horizon
        self._level = policy.cut(run.horizon, self.features)

    def index(self, t: int, rows: np.ndarray) -> np.ndarray:
        fit = self.fit
        bonus = np.sqrt(fit.own_norms(rows))
        bonus *= self._policy.radius(t, fit.log_det, self._horizon, self._level)[:, None]
        bonus += fit.own_values(rows)
        return bonus

    def update(self, t: int, context: np.ndarray, arm: np.ndarray, reward: np.ndarray) -> None:
        kept = np.where(np.abs(reward) <= self._level, reward, 0.0)
        self.fit.update(self.played(context, arm), kept)
