"""Regret statements of SOLID: two that are proved, two that are printed without their constants.

Conventions as in :mod:`hbucb.theory`; ``gaps`` may have any shape, (contexts, arms) included. What
a source leaves open is an argument, and the status of such a statement is "stated".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_delta, as_gaps, as_horizon, as_output, positive
from hbucb.assumptions import AssumptionError, bound
from hbucb.linear import log_det_limit, log_log_width, self_normalised_width
from hbucb.validate import nonnegative, whole_number

__all__ = [
    "ProblemParts",
    "exploration_step",
    "sampling_deviation",
    "solid_exploitation_regret",
    "solid_order",
    "solid_problem_parts",
    "solid_problem_regret",
    "solid_worst_case",
]

_PAPER = "Tirinzoni et al. 2020"


def _gaps(gaps: ArrayLike) -> FloatArray:
    """Gaps (..., arms): each row as in :func:`hbucb.arguments.as_gaps`."""
    values = np.asarray(gaps)
    rows = values.reshape(-1, values.shape[-1]) if values.ndim > 1 else values[None]
    return np.array([as_gaps(row) for row in rows])


@bound(
    algorithm="SOLID",
    source=f"{_PAPER}, Appendix G.2; proof in the book",
    status="proved",
    needs=("the estimate is in the ellipsoid of the test with probability 1 - delta",),
    rate="gap_max delta T",
)
def solid_exploitation_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, delta: float | None = None
) -> Any:
    """Regret of the rounds in which the test lets SOLID exploit: delta T times the largest gap.

    Parameters
    ----------
    gaps : array_like, shape (..., arms)
        Reward units.
    horizon : array_like of int
        T.
    delta : float, optional
        Probability that theta* ever leaves {theta: |estimate - theta|_V^2 <= beta_t}; 1/T, the
        paper's choice, if not given.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> solid_exploitation_regret([[0.0, 0.5], [0.2, 0.0]], 1000)
    0.5
    """
    values, total = _gaps(gaps), as_horizon(horizon)
    fails = 1 / total if delta is None else as_delta(delta, total)
    return as_output(values.max() * fails * total)


def sampling_deviation(explored: ArrayLike, contexts: int, arms: int) -> Any:
    """sqrt(S/2 ln(S^2 |X| |A|)): how far a count may be from what the policies asked for.

    The expected number of explorations after which some pair is farther off is at most pi^2/3.

    Parameters
    ----------
    explored : array_like of int
        S >= 1.
    contexts, arms : int

    Returns
    -------
    float or ndarray
        Pulls.

    References
    ----------
    Tirinzoni, Pirotta, Restelli and Lazaric (2020), Lemma 4.

    Examples
    --------
    >>> round(sampling_deviation(100, contexts=2, arms=3), 1)
    23.5
    """
    s = as_horizon(explored)
    pairs = whole_number(contexts, "contexts", 1) * whole_number(arms, "arms", 1)
    return as_output(np.sqrt(s / 2 * np.log(s**2 * pairs)))


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
    values, total = _gaps(gaps), as_horizon(horizon)
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


class ProblemParts(NamedTuple):
    """The parts of Theorem 2, each a float or an array over the horizon, reward units."""

    leading: Any
    logarithmic: Any
    constant: float


def solid_problem_parts(
    horizon: ArrayLike,
    *,
    v_star: float,
    dim: int = 2,
    sigma: float = 1.0,
    growth: float = 2.0,
    c_log: float = 1.0,
    c_const: float = 0.0,
    kappa: float = 1.0,
) -> ProblemParts:
    """v* c_T / (2 sigma^2), C_log (ln T)^((r - 1/2)/r) and C_const of Theorem 2.

    c_T is :func:`hbucb.linear.log_log_width` at failure probability 1/T. The source prints none
    of kappa, C_log (which it says depends on v*, |X|, L, B, 1/sigma^2, sqrt(d), ln|A|, and on a
    further power of ln ln T) and C_const (on z_low and z_high / z_0): they are yours to choose,
    and no value of them is proved here.

    Parameters
    ----------
    horizon : array_like of int
        T >= 3.
    v_star : float
        Reward units, >= 0.
    dim : int
    sigma : float
        Reward units.
    growth : float
        r > 1/2.
    c_log, c_const : float
        Reward units, >= 0.
    kappa : float
        > 0.

    Examples
    --------
    >>> parts = solid_problem_parts(10**100, v_star=2.5, sigma=0.5)
    >>> round(parts.leading / math.log(10**100), 2)
    2.58
    """
    total = as_horizon(horizon)
    v_star, c_log = nonnegative("v_star", v_star), nonnegative("c_log", c_log)
    c_const = nonnegative("c_const", c_const)
    positive("growth", growth)
    positive("sigma", sigma)
    if growth <= 0.5:
        raise ValueError(f"growth = {growth!r} must be above 1/2")
    width = np.empty(total.shape)
    for at in np.ndindex(total.shape):
        n = max(float(total[at]), 3.0)
        width[at] = log_log_width(n, 1 / n, sigma, dim, kappa)
    with np.errstate(over="ignore"):
        rest = c_log * np.log(np.maximum(total, 3.0)) ** ((growth - 0.5) / growth)
        lead = v_star * (width / sigma**2 / 2)
    return ProblemParts(as_output(lead), as_output(rest), c_const)


@bound(
    algorithm="SOLID",
    source=f"{_PAPER}, Theorem 2",
    status="stated",
    needs=(
        "Gaussian noise, one best arm a context",
        "lambda_max >= 2 B L z_low",
        "constants c_log, c_const, kappa that the source does not print",
    ),
    rate="v* ln T + (ln T)^(3/4)",
)
def solid_problem_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    v_star: float = 1.0,
    dim: int = 2,
    sigma: float = 1.0,
    growth: float = 2.0,
    c_log: float = 1.0,
    c_const: float = 0.0,
    kappa: float = 1.0,
) -> Any:
    """Theorem 2, the sum of :func:`solid_problem_parts`, or gap_max T where that is less.

    Parameters
    ----------
    gaps : array_like, shape (..., arms)
        Reward units.
    horizon, v_star, dim, sigma, growth, c_log, c_const, kappa
        As in :func:`solid_problem_parts`.

    Returns
    -------
    float or ndarray
        Reward units; a bound only if the three constants are right.

    Examples
    --------
    >>> round(solid_problem_regret([0.0, 1.0], 10**6, v_star=2.5, dim=3, sigma=0.5), 1)
    58.2
    """
    values, total = _gaps(gaps), as_horizon(horizon)
    parts = solid_problem_parts(
        total, v_star=v_star, dim=dim, sigma=sigma, growth=growth, c_log=c_log, c_const=c_const,
        kappa=kappa,
    )  # fmt: skip
    with np.errstate(over="ignore"):
        whole = np.asarray(parts.leading) + parts.logarithmic + parts.constant
    return as_output(np.fmin(whole, values.max() * total))


@bound(
    algorithm="SOLID",
    source=f"{_PAPER}, Theorem 3",
    status="stated",
    needs=("p_k = e^{rk}, r >= 1", "a constant c and a power of ln T that the source hides"),
    rate="(sqrt(d) + |X|) sqrt(d T) + ln|A| sqrt(T)",
)
def solid_order(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    dim: int = 2,
    contexts: int = 1,
    c: float = 1.0,
    log_power: float = 0.0,
) -> Any:
    """Theorem 3: c (ln T)^log_power ((sqrt(d) + |X|) sqrt(d T) + ln|A| sqrt(T)).

    Parameters
    ----------
    gaps : array_like, shape (..., arms)
        Only the number of arms and the largest gap count; never above gap_max T.
    horizon : array_like of int
        T.
    dim, contexts : int
        d and |X|.
    c, log_power : float
        What the order hides.

    Returns
    -------
    float or ndarray
        Reward units, if c and log_power are right.

    Examples
    --------
    >>> round(solid_order([0.0, 1.0, 1.0], 10_000, dim=4, contexts=2))
    910
    """
    values, total = _gaps(gaps), as_horizon(horizon)
    dim, contexts = whole_number(dim, "dim", 1), whole_number(contexts, "contexts", 1)
    c, log_power = nonnegative("c", c), nonnegative("log_power", log_power)
    order = (math.sqrt(dim) + contexts) * np.sqrt(dim * total)
    order += math.log(values.shape[-1]) * np.sqrt(total)
    with np.errstate(over="ignore"):
        hidden = c * np.log(np.maximum(total, math.e)) ** log_power * order
    return as_output(np.fmin(hidden, values.max() * total))
