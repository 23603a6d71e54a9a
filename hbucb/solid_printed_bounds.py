"""Regret of SOLID as printed, without constants: what the source leaves open is an argument.

The status of such a statement is "stated". Conventions as in :mod:`hbucb.solid_bounds`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_gap_rows, as_horizon, as_output, positive
from hbucb.assumptions import bound
from hbucb.linear import log_log_width
from hbucb.validate import nonnegative, whole_number

__all__ = ["ProblemParts", "solid_order", "solid_problem_parts", "solid_problem_regret"]


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
    source="Tirinzoni et al. 2020, Theorem 2",
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
    values, total = as_gap_rows(gaps), as_horizon(horizon)
    parts = solid_problem_parts(
        total, v_star=v_star, dim=dim, sigma=sigma, growth=growth, c_log=c_log, c_const=c_const,
        kappa=kappa,
    )  # fmt: skip
    with np.errstate(over="ignore"):
        whole = np.asarray(parts.leading) + parts.logarithmic + parts.constant
    return as_output(np.fmin(whole, values.max() * total))


@bound(
    algorithm="SOLID",
    source="Tirinzoni et al. 2020, Theorem 3",
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
    values, total = as_gap_rows(gaps), as_horizon(horizon)
    dim, contexts = whole_number(dim, "dim", 1), whole_number(contexts, "contexts", 1)
    c, log_power = nonnegative("c", c), nonnegative("log_power", log_power)
    order = (math.sqrt(dim) + contexts) * np.sqrt(dim * total)
    order += math.log(values.shape[-1]) * np.sqrt(total)
    with np.errstate(over="ignore"):
        hidden = c * np.log(np.maximum(total, math.e)) ** log_power * order
    return as_output(np.fmin(hidden, values.max() * total))
