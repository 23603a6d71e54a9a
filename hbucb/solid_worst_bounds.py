"""Regret of SOLID in the worst case, proved with all its constants.

Conventions as in :mod:`hbucb.solid_bounds`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gap_rows, as_horizon, as_output, positive
from hbucb.assumptions import AssumptionError, bound
from hbucb.linear import log_det_limit, self_normalised_width
from hbucb.validate import whole_number

__all__ = ["exploration_step", "solid_worst_case", "solid_worst_case_of"]


def _range(horizon: FloatArray, dim: int, **known: float) -> tuple[FloatArray, FloatArray]:
    """Range of the optimistic means, and the squared radius of the ellipsoid at T."""
    sigma, theta, phi, nu = (
        known[name] for name in ("sigma", "theta_bound", "feature_bound", "regulariser")
    )
    grown = log_det_limit(horizon, dim, phi, nu)
    width = np.empty(horizon.shape)
    with np.errstate(over="ignore"):
        for at in np.ndindex(horizon.shape):
            delta = 1 / max(float(horizon[at]), 2.0)
            width[at] = self_normalised_width(np.asarray(grown)[at], delta, sigma, nu, theta)
        return 2 * phi * theta + 2 * np.sqrt(width / nu) * phi, width


def exploration_step(
    horizon: ArrayLike,
    arms: int,
    *,
    dim: int,
    sigma: float,
    theta_bound: float,
    feature_bound: float = 1.0,
    regulariser: float = 1.0,
) -> Any:
    """The constant step that makes :func:`solid_worst_case` smallest, 1/reward.

    Examples
    --------
    >>> round(exploration_step(10_000, 3, dim=3, sigma=0.5, theta_bound=1.5), 5)
    0.00236
    """
    total = as_horizon(horizon)
    spread, _ = _range(
        total,
        whole_number(dim, "dim", 1),
        sigma=sigma,
        theta_bound=theta_bound,
        feature_bound=feature_bound,
        regulariser=regulariser,
    )
    arms = whole_number(arms, "arms", 1)
    return as_output(np.sqrt(8 * math.log(max(arms, 2)) / total) / spread)


@bound(
    algorithm="SOLID",
    source="proof in the book, after Tirinzoni et al. 2020, Theorem 3",
    status="proved",
    needs=(
        "sigma-sub-Gaussian noise",
        "|theta| <= B and |phi| <= L, nu >= L^2",
        "lambda_max = 0, self-normalised width, test in all contexts, constant step, no rho, "
        "no reset",
    ),
    rate="d ln T sqrt(T) + sqrt(d ln|A| T ln T)",
)
def solid_worst_case(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int = 2,
    sigma: float = 1.0,
    theta_bound: float = 1.0,
    feature_bound: float = 1.0,
    regulariser: float = 1.0,
    step: float | None = None,
) -> Any:
    """Regret of SOLID without the constraint, whatever the gaps and the law of the contexts.

    With w = (sigma sqrt(2 ln T + l) + sqrt(nu) B)^2, l = d ln(1 + T L^2 / (nu d)), and
    G = 2 L B + 2 L sqrt(w / nu):

        gap_max + ln|A| / alpha + alpha T G^2 / 8 + 2 sqrt(2 w l T),

    or gap_max T where that is less.

    Parameters
    ----------
    gaps : array_like, shape (..., arms)
        Reward units; only the largest gap and the number of arms count.
    horizon : array_like of int
        T; the step and the failure probability 1/T are fixed for it.
    dim : int
        d.
    sigma, theta_bound : float
        Reward units.
    feature_bound, regulariser : float
        L and nu >= L^2.
    step : float, optional
        alpha, the constant step of the policy; :func:`exploration_step` if not given.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        For nu below L^2, and for arguments out of range.

    Examples
    --------
    >>> round(solid_worst_case([0.0, 0.5], 10**6, dim=2, sigma=0.1, theta_bound=1.0))
    28345
    """
    values, total = as_gap_rows(gaps), as_horizon(horizon)
    dim, arms = whole_number(dim, "dim", 1), values.shape[-1]
    known = {
        "sigma": sigma,
        "theta_bound": theta_bound,
        "feature_bound": feature_bound,
        "regulariser": regulariser,
    }
    for name, value in known.items():
        positive(name, value)
    if regulariser < feature_bound**2:
        raise ValueError(
            f"regulariser is {regulariser!r}; at least feature_bound^2 = {feature_bound**2:g}"
        )
    spread, width = _range(total, dim, **known)
    grown = np.asarray(log_det_limit(total, dim, feature_bound, regulariser))
    if step is None:
        alpha = np.asarray(exploration_step(total, arms, dim=dim, **known))
    else:
        positive("step", step)
        alpha = np.full(total.shape, float(step))
    with np.errstate(all="ignore"):  # what overflows is above the largest possible loss
        learn = math.log(arms) / alpha + alpha * total * spread**2 / 8
        found = values.max() + learn + 2 * np.sqrt(2 * width * grown * total)
    return as_output(np.fmin(found, values.max() * total))


def solid_worst_case_of(policy: Any, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
    """:func:`solid_worst_case` for a policy and a bandit, if its assumptions hold for them."""
    title = "the worst-case theorem of SOLID"
    wanted = {
        "lambda_max": 0.0, "scale_by_rho": False, "reset": False, "test": "all",
        "width": "self-normalised",
    }  # fmt: skip
    wrong = [f"{k}={v!r}" for k, v in wanted.items() if getattr(policy, k) != v]
    if policy.threshold < 1 or policy.optimism != 1:
        wrong.append("threshold >= 1, optimism = 1")
    if isinstance(policy.policy_step, str):
        wrong.append("a number as policy_step")
    if wrong:
        raise AssumptionError(f"{title} needs {', '.join(wrong)}; policy = {policy!r}")
    if getattr(bandit, "features", None) is None:
        raise AssumptionError(f"{title} is about linear contextual bandits")
    if isinstance(declare, str) or set(declare) - {"subgaussian"}:
        raise ValueError(f"declare = {declare!r} may hold 'subgaussian' only")
    scale = bandit.noise.subgaussian
    known = "subgaussian" in declare if scale is None else scale <= policy.sigma
    if not known:
        raise AssumptionError(
            f"{title} needs {policy.sigma}-sub-Gaussian noise; the noise is {bandit.noise!r}"
        )
    length = float(np.sqrt((bandit.features**2).sum(axis=2).max()))
    theta = float(np.linalg.norm(bandit.theta))
    if theta > policy.bound or length**2 > policy.regulariser:
        raise AssumptionError(
            f"{title} needs |theta| = {theta:.6g} <= bound = {policy.bound!r} and regulariser = "
            f"{policy.regulariser!r} >= {length**2:.6g}, the largest squared length of a feature"
        )
    return solid_worst_case(
        bandit.gaps,
        horizon,
        dim=bandit.theta.size,
        sigma=policy.sigma,
        theta_bound=policy.bound,
        feature_bound=max(length, 1e-150),
        regulariser=policy.regulariser,
        step=policy.policy_step,
    )
