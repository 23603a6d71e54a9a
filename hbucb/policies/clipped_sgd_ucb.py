"""Clipped-SGD-UCB: SGD-UCB, SGD-UCB-Median and SGD-UCB-SMoM of Dorn et al. (2024)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.optimizers.clipped_sgd import (
    ClippedSGD,
    ConstantSchedule,
    DecreasingSchedule,
    TheorySchedule,
    g_paper,
)
from hbucb.policies.index import FormulaRadius, IndexPolicy, RootRadius, Rule
from hbucb.validate import nonnegative, open_probability, positive, store, whole_number

_WHY_NOT = {
    "authors": "a constant step does not converge, so c sqrt(ln t / n) is no confidence radius",
    "theory": "Theorem 10 of Dorn et al. is refuted for the step tuned to the horizon",
    "decreasing": "c sqrt(ln t / n) is a practical radius, not a proved one",
}


@dataclass(frozen=True)
class ClippedSGDUCB(IndexPolicy):
    """Play the largest clipped-SGD iterate + radius (Algorithm 1 of Dorn et al., corrected).

    (m, n) = (0, 1) is SGD-UCB, (1, 1) SGD-UCB-Median and (1, 2) SGD-UCB-SMoM: a chosen arm is
    pulled (2m + 1) n times and its iterate moves by one clipped step.

    Parameters
    ----------
    m, n : int
        2m + 1 means of n rewards make a gradient.
    preset : {"authors", "theory", "decreasing"}, or "text" for "theory"
        "authors": what the public code runs: step 1/ln(4(T+1)T^2), clip level ``rho``, index
        x + c sqrt(ln t / n), theta = 0.001.
        "theory", what the paper's text says: step, clip level and radius sqrt(2 g(k, delta)) of
        Theorem 8, with |x_0 - mu| <= ``rho`` and gradient variance sigma^2.
        "decreasing": step 1/(kappa (k + p)), clip level ``clip``, index x + c sqrt(ln t / n).
    rho : float
        "authors": the clip level, max |mu| in the paper's runs. "theory": bound on |x_0 - mu|.
    c : float
        Exploration constant, in reward units ("authors" and "decreasing").
    p : int, optional
        First pulls of each arm, whose median starts the iterate: 3, or 0 for "theory".
    sigma : float
        Standard deviation bound of a gradient ("theory").
    kappa, clip : float
        Drift and clip level ("decreasing"): kappa is near P(|noise| < clip).
    theta : float, optional
        Smoothing scale of the gradients: 0.001 for "authors", else 0.
    delta : float, optional
        Failure probability ("theory"): 1/(T(T+1)) if not given.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    References
    ----------
    Dorn, Katrutsa, Latypov and Pudovikov (arXiv 2402.07062), Algorithm 1 and section 3.

    Examples
    --------
    >>> from hbucb import ClippedSGDUCB
    >>> ClippedSGDUCB(m=1, n=2, rho=9.0).rule(horizon=10_000).estimator.batch
    6
    """

    m: int = 0
    n: int = 1
    preset: str = "authors"
    rho: float = 1.0
    c: float = 0.1
    p: int | None = None
    sigma: float = 1.0
    kappa: float = 0.7
    clip: float = 2.0
    theta: float | None = None
    delta: float | None = None

    def __post_init__(self) -> None:
        if self.preset == "text":  # one policy under both names
            store(self, preset="theory")
        if not isinstance(self.preset, str) or self.preset not in _WHY_NOT:
            raise ValueError(
                f"preset = {self.preset!r} must be 'authors', 'theory' (or 'text') or 'decreasing'"
            )
        for name in ("rho", "sigma", "kappa", "clip"):
            store(self, **{name: positive(name, getattr(self, name))})
        store(self, m=whole_number(self.m, "m", 0), n=whole_number(self.n, "n", 1))
        store(self, c=nonnegative("c", self.c))
        if self.p is not None:
            store(self, p=whole_number(self.p, "p", 0))
        if self.theta is not None:
            store(self, theta=nonnegative("theta", self.theta))
        if self.delta is not None:
            if self.preset != "theory":
                raise ValueError(f"delta = {self.delta!r} is used by preset='theory' only")
            store(self, delta=open_probability("delta", self.delta))

    def rule(self, horizon: int) -> Rule:
        p = (0 if self.preset == "theory" else 3) if self.p is None else self.p
        theta = (1e-3 if self.preset == "authors" else 0.0) if self.theta is None else self.theta
        if self.preset == "theory":
            return self._theory(horizon, p, theta)
        if self.preset == "authors":
            level = math.log(4 * (horizon + 1) * horizon**2)
            schedule: Any = ConstantSchedule(1 / level, self.rho)
        else:
            schedule = DecreasingSchedule(self.kappa, self.clip, shift=max(p, 1))
        return Rule(ClippedSGD(schedule, self.m, self.n, theta, p), RootRadius(self.c))

    def _theory(self, horizon: int, p: int, theta: float) -> Rule:
        delta = 1 / (horizon * (horizon + 1)) if self.delta is None else self.delta
        schedule = TheorySchedule(horizon, delta, self.rho)
        optimizer = ClippedSGD(schedule, self.m, self.n, theta, p)

        def radius(n: np.ndarray) -> np.ndarray:
            # The theorem counts updates k, the index policy counts pulls.
            k = np.maximum(n - p, 0) // optimizer.batch
            g = g_paper(k, delta, horizon=horizon, rho=self.rho, sigma=self.sigma)
            # Without an update there is no guarantee, unless the start is the median of p pulls.
            return np.where(n < p, np.inf, np.sqrt(2 * g))

        return Rule(optimizer, FormulaRadius(radius))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Raises AssumptionError in every preset, with the reason: no theorem covers them."""
        raise AssumptionError(
            f"ClippedSGDUCB(preset={self.preset!r}) has no regret bound: {_WHY_NOT[self.preset]}"
        )
