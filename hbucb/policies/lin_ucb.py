"""LinUCB (OFUL): optimism over a confidence ellipsoid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.linear_bounds import check_linear, lin_ucb_regret
from hbucb.policies.linear_index import LinearIndexPolicy, LinearState, Seen
from hbucb.predicates import mean_is_loc, subgaussian
from hbucb.streams import Run
from hbucb.validate import nonnegative, open_probability, positive, store, whole_number

WIDTHS = ("self-normalised", "experimental")


@dataclass(frozen=True)
class LinUCB(LinearIndexPolicy):
    """Play the largest value that a parameter of the confidence ellipsoid gives an arm.

    The index is phi^T estimate + r |phi|_{V^-1}, with V = nu I + sum phi phi^T.

    Parameters
    ----------
    sigma : float
        Sub-Gaussian scale of the noise, reward units.
    theta_bound : float
        B, a bound on the length of theta.
    regulariser : float
        nu > 0.
    width : {"self-normalised", "experimental"}
        "self-normalised": r = sigma sqrt(2 log(1 / delta) + log det(V / nu)) + sqrt(nu) B, the
        radius of a proved confidence ellipsoid. "experimental": r^2 = sigma^2 (log t + d log log T)
        after t rounds, the third paper's threshold, which is no confidence region (log t counts
        from t = 1, log log T as 0 below T = 3); B and delta then play no part.
    delta : float, optional
        Failure probability of the ellipsoids of all rounds together; 1 / T if not given.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    References
    ----------
    Abbasi-Yadkori, Pal and Szepesvari (2011), OFUL; Li, Chu, Langford and Schapire (2010).

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.linear.toy(sigma=0.5)
    >>> policy = hb.LinUCB(sigma=0.5, theta_bound=2.0)
    >>> result = hb.simulate(bandit, policy, horizon=500, trials=10, seed=1)
    >>> bool(result["LinUCB"].regret[:, -1].mean() < 60 < 500 * bandit.gaps.mean())
    True
    """

    sigma: float = 1.0
    theta_bound: float = 1.0
    regulariser: float = 1.0
    width: str = "self-normalised"
    delta: float | None = None

    def __post_init__(self) -> None:
        store(
            self,
            sigma=positive("sigma", self.sigma),
            theta_bound=nonnegative("theta_bound", self.theta_bound),
            regulariser=positive("regulariser", self.regulariser),
        )
        if self.width not in WIDTHS:
            raise ValueError(f"width = {self.width!r} must be one of {', '.join(WIDTHS)}")
        if self.delta is not None:
            if self.width != "self-normalised":
                raise ValueError(f"delta = {self.delta!r} is used by width='self-normalised' only")
            store(self, delta=open_probability("delta", self.delta))

    def start(self, run: Run) -> Any:
        return LinUCBState(self, run)

    def radius(self, t: int, log_det: Any, horizon: int, dim: int) -> Any:
        """r after t rounds, reward units, for one or many values of log det(V / nu)."""
        if self.width == "experimental":
            loglog = math.log(math.log(horizon)) if horizon >= 3 else 0.0
            return self.sigma * math.sqrt(math.log(max(t, 1)) + dim * max(loglog, 0.0))
        level = 2 * (math.log(horizon) if self.delta is None else -math.log(self.delta))
        return self.sigma * np.sqrt(level + log_det) + math.sqrt(self.regulariser) * (
            self.theta_bound
        )

    def indices(self, seen: Seen) -> np.ndarray:
        nu = self.regulariser
        radius = self.radius(seen.t, seen.log_det(nu), seen.horizon, seen.features.shape[1])
        return seen.features @ seen.estimate(nu) + radius * seen.norms(nu)

    def tuned(self, horizon: int) -> LinUCB:
        if self.width != "self-normalised" or self.delta is not None:
            return self
        return replace(self, delta=1 / max(whole_number(horizon, "horizon", 1), 2))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Upper bound on the expected regret for sub-Gaussian noise and |theta| <= B.

        Parameters
        ----------
        bandit : LinearContextualBandit
        horizon : int or array_like of int
            T; a delta that was not given is 1 / T.
        declare : sequence of {"mean_is_loc", "subgaussian"}
            Facts you vouch for where the noise does not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For a bandit without features, theta longer than B, noise that is not sub-Gaussian
            with this sigma, and the experimental width.
        """
        if self.width != "self-normalised":
            raise AssumptionError(
                "LinUCB(width='experimental') has no regret bound: its ellipsoids lack a factor 2 "
                "and miss theta too often; use width='self-normalised'"
            )
        needs = [mean_is_loc(), subgaussian(self.sigma)]
        longest = check_linear(bandit, needs, "the bound of LinUCB", declare, self.theta_bound)
        return lin_ucb_regret(
            bandit.gaps.ravel(),
            horizon,
            dim=bandit.theta.size,
            sigma=self.sigma,
            feature_bound=longest,
            theta_bound=self.theta_bound,
            regulariser=self.regulariser,
            delta=self.delta,
        )


class LinUCBState(LinearState):
    """Least squares of all trials."""

    def __init__(self, policy: LinUCB, run: Run) -> None:
        super().__init__(run, policy.regulariser)
        self._policy, self._horizon = policy, run.horizon

    def index(self, t: int, rows: np.ndarray) -> np.ndarray:
        fit = self.fit
        radius = self._policy.radius(t, fit.log_det, self._horizon, rows.shape[2])
        bonus = np.sqrt(fit.own_norms(rows))
        bonus *= np.reshape(radius, (-1, 1))
        bonus += fit.own_values(rows)
        return bonus
