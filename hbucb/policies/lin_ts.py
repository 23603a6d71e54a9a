"""Linear Thompson sampling: play the best arm of a parameter drawn around the estimate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.noise import Gaussian, Noise
from hbucb.policies.linear_index import LinearIndexPolicy, LinearState, Seen
from hbucb.streams import BLOCK, Run
from hbucb.validate import nonnegative, open_probability, positive, store

SCALES = ("posterior", "agrawal-goyal", "radius")


@dataclass(frozen=True)
class LinTS(LinearIndexPolicy):
    """Draw theta ~ N(estimate, s^2 V^-1) every round and play its best arm.

    Parameters
    ----------
    sigma : float
        Standard deviation (sub-Gaussian scale) of the noise, reward units.
    scale : {"posterior", "agrawal-goyal", "radius"}
        "posterior": s = sigma, the posterior under the prior N(0, sigma^2 / nu I) and Gaussian
        noise. "agrawal-goyal": s = sigma sqrt(9 log(t / delta)) in round t = 1, 2, ..., which is
        Agrawal and Goyal's scale without its factor sqrt(d). "radius": s is the radius of LinUCB,
        which is Abeille and Lazaric's scale without its factor of order sqrt(d).
    theta_bound : float
        B, for "radius" only.
    regulariser : float
        nu > 0.
    delta : float, optional
        Not for "posterior"; 1 / T if not given.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    References
    ----------
    Agrawal and Goyal (2013), Thompson sampling for contextual bandits with linear payoffs;
    Abeille and Lazaric (2017).

    Examples
    --------
    >>> import hbucb as hb
    >>> result = hb.simulate(hb.linear.toy(), hb.LinTS(sigma=0.5), 500, 20, seed=1)
    >>> bool(result["LinTS"].regret[:, -1].mean() < 20)
    True
    """

    sigma: float = 1.0
    scale: str = "posterior"
    theta_bound: float = 1.0
    regulariser: float = 1.0
    delta: float | None = None

    def __post_init__(self) -> None:
        store(
            self,
            sigma=positive("sigma", self.sigma),
            theta_bound=nonnegative("theta_bound", self.theta_bound),
            regulariser=positive("regulariser", self.regulariser),
        )
        if self.scale not in SCALES:
            raise ValueError(f"scale = {self.scale!r} must be one of {', '.join(SCALES)}")
        if self.delta is not None:
            if self.scale == "posterior":
                raise ValueError(f"delta = {self.delta!r} is not used by scale='posterior'")
            store(self, delta=open_probability("delta", self.delta))

    def start(self, run: Run) -> Any:
        return LinTSState(self, run)

    def own(self, dim: int) -> tuple[Noise, int]:
        return Gaussian(1.0), dim

    def spread(self, t: int, log_det: Any, horizon: int) -> Any:
        """s in round t, counted from 0, reward units."""
        if self.scale == "posterior":
            return self.sigma
        level = math.log(horizon) if self.delta is None else -math.log(self.delta)
        if self.scale == "agrawal-goyal":
            return self.sigma * math.sqrt(9 * (math.log(t + 1) + level))
        return self.sigma * np.sqrt(2 * level + log_det) + math.sqrt(self.regulariser) * (
            self.theta_bound
        )

    def indices(self, seen: Seen) -> np.ndarray:
        nu = self.regulariser
        spread = self.spread(seen.t, seen.log_det(nu), seen.horizon)
        root = np.linalg.cholesky(seen.precision(nu))
        # (L^-T z) has the covariance (L L^T)^-1 = V^-1.
        drawn = seen.estimate(nu) + spread * np.linalg.solve(root.T, seen.own)
        return seen.features @ drawn

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        raise AssumptionError(
            "LinTS has no regret bound on a single bandit with these scales: frequentist proofs "
            "need the draws spread out by a factor of order sqrt(d) more; averaged over the prior "
            "of scale='posterior' see hb.bounds.lin_ts_bayes_regret"
        )

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        # Two copies of a block of draws, and a generator.
        draws = 16 * BLOCK * dim + 2000
        return super().contextual_bytes(contexts, arms, dim, horizon) + draws


class LinTSState(LinearState):
    """Least squares of all trials and the normal draws of their own streams."""

    def __init__(self, policy: LinTS, run: Run) -> None:
        super().__init__(run, policy.regulariser)
        self._policy, self._horizon = policy, run.horizon
        self._draws = run.stream(*policy.own(self.features.shape[2]))

    def index(self, t: int, rows: np.ndarray) -> np.ndarray:
        fit = self.fit
        root = np.linalg.cholesky(fit.precision).transpose(0, 2, 1)
        drawn = np.linalg.solve(root, self._draws.next()[:, :, None])[:, :, 0]
        drawn *= np.reshape(self._policy.spread(t, fit.log_det, self._horizon), (-1, 1))
        drawn += fit.estimate
        return np.einsum("tad,td->ta", rows, drawn)
