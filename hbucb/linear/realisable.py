"""The rejected variant of (P_z): one budget for all contexts together, and what becomes of it.

A budget of z pulls in all lets an allocation ask for more pulls in a context than it has visits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.arguments import as_numbers
from hbucb.linear.budget import cheapest, explore
from hbucb.linear.cutting import measure, scaled
from hbucb.linear.problem import Problem, as_problem
from hbucb.noise.validate import positive
from hbucb.validate import whole_number


@dataclass(frozen=True)
class Pooled:
    """The solution of the variant with one budget.

    Attributes
    ----------
    value : float
        Its cost per ln T, reward units; inf where z rounds are too few.
    allocation : ndarray (X, A)
        Pulls per ln T, with sum z; nan where there is none.
    lower, upper : float
        The value lies between them; `upper` is the cost of `allocation`.
    """

    value: float
    allocation: np.ndarray
    lower: float
    upper: float


def pooled(bandit: Any, z: float, tol: float = 1e-6, rounds: int = 300) -> Pooled:
    """Solve the variant: min sum eta Delta with information 1 and sum over x and a of eta = z.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple (features, theta, sigma[, contexts])
        The law of the contexts plays no part: that is what is wrong with it.
    z : float
        Pulls per ln T.
    tol, rounds
        As in :func:`hbucb.linear.budget.solve`.

    Returns
    -------
    Pooled

    Raises
    ------
    AssumptionError, ValueError
        As :func:`hbucb.linear.budget.solve`.

    Notes
    -----
    Tirinzoni et al. 2020, Appendix C.2, programme (P~_z). It relaxes (P_z), so its value is at
    most u*(z).

    Examples
    --------
    >>> bandit = ([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0, [1.0])
    >>> round(pooled(bandit, 100.0).value, 3)
    4.384
    """
    problem, z, tol = as_problem(bandit), positive("z", z), positive("tol", tol)
    whole_number(rounds, "rounds", 1)
    own = scaled(problem)
    groups = np.ones((1, problem.gaps.size))
    shares, low, high = explore(own.problem, groups, np.ones(1), tol, rounds)
    scale = z / own.pulls
    if scale * high < 1:
        return Pooled(np.inf, np.full(problem.gaps.shape, np.nan), np.inf, np.inf)
    if scale * low < 1:
        raise ValueError(f"z = {z!r} is too close to the fewest pulls {own.pulls / low!r}")
    pulls, lower, _ = cheapest(own.problem, groups, np.array([scale]), scale * shares, tol, rounds)
    upper = own.value * float((own.problem.gaps.ravel() * pulls).sum())
    return Pooled(upper, own.pulls * pulls.reshape(problem.gaps.shape), own.value * lower, upper)


def realised(bandit: Any, allocation: Any, z: float) -> np.ndarray:
    """Expected pulls (X, A) of z rounds in which arms are drawn in proportion to an allocation.

    In a context in which the allocation asks for nothing, the optimal arm is played.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple (features, theta, sigma, contexts)
    allocation : array_like (X, A)
    z : float
        Rounds (per ln T).

    Raises
    ------
    ValueError
        An allocation of another shape or with a number that is not finite and >= 0.

    Notes
    -----
    Tirinzoni et al. 2020, Appendix C.2.

    Examples
    --------
    >>> bandit = ([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]], [1.0, 0.5], 1.0, [0.9, 0.1])
    >>> realised(bandit, [[20.0, 20.0], [60.0, 0.0]], 100.0).round(6).tolist()
    [[45.0, 45.0], [10.0, 0.0]]
    """
    problem = as_problem(bandit, needs_law=True)
    wanted = _allocation(problem, allocation)
    total = wanted.sum(axis=1, keepdims=True)
    share = np.where(total > 0, wanted / np.where(total > 0, total, 1.0), ~problem.suboptimal)
    return positive("z", z) * problem.law[:, None] * share


def judge(bandit: Any, allocation: Any) -> tuple[float, float]:
    """Cost (reward units) and least information (nats) of finite pulls (X, A).

    Pulls are enough, per ln T, if the information is at least 1.

    Examples
    --------
    >>> judge(([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0), [[16.0, 16.0]])
    (8.0, 1.0)
    """
    problem = as_problem(bandit)
    pulls = _allocation(problem, allocation)
    told = float(measure(problem, pulls.ravel())[0].min()) / (2 * problem.sigma**2)
    return float((pulls * problem.gaps).sum()), told


def _allocation(problem: Problem, allocation: Any) -> np.ndarray:
    allowed = f"pulls >= 0 of shape {problem.gaps.shape} are allowed"
    pulls = as_numbers("allocation", allocation, allowed)
    if pulls.shape != problem.gaps.shape or not (np.isfinite(pulls) & (pulls >= 0)).all():
        raise ValueError(f"allocation is {allocation!r}; {allowed}")
    return pulls
