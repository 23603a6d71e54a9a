"""The programme (P_z): the lower bound when all pulls must fit into z rounds.

In z rounds context x comes z rho(x) times on average, so the pulls are eta = z rho omega with a
policy omega: probabilities over the arms in each context.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.linear.cutting import cuts_at, linear_programme, measure, scaled
from hbucb.linear.problem import Problem, as_problem
from hbucb.linear.programme import STEP
from hbucb.linear.programme import solve as solve_programme
from hbucb.noise.validate import positive
from hbucb.validate import whole_number

#: Share of the pure exploration in the interior end of a line search.
INSIDE = 0.1
#: Costs, in units of the problem, that one unit of an unknown stands for.
PAID, TINY = 10.0, 1e-300
#: Points of a grid of the line search, and how often it is refined.
GRID, PASSES = 32, 7


@dataclass(frozen=True)
class Exploration:
    """The policy that gathers information fastest, whatever it costs.

    Attributes
    ----------
    z : float
        z_lower, rounds: with this many rounds times ln T every alternative is excluded; with
        fewer no policy does it. An upper bound, met by `policy`.
    policy : ndarray (X, A)
    lower, upper : float
        z_lower lies between them; `upper` is `z`.
    """

    z: float
    policy: np.ndarray
    lower: float
    upper: float


@dataclass(frozen=True)
class BudgetSolution:
    """The solution of (P_z).

    Attributes
    ----------
    value : float
        u*(z), reward units; inf where z < z_lower.
    policy : ndarray (X, A)
        omega*; nan where there is none.
    lower, upper : float
        u*(z) lies between them; `upper` is the cost of `policy`.
    multiplier : float
        lambda*(z), reward units: the price of the information constraint. nan where there is none.
    """

    value: float
    policy: np.ndarray
    lower: float
    upper: float
    multiplier: float

    @property
    def gap(self) -> float:
        """``upper - lower``, reward units; nan without a solution."""
        return self.upper - self.lower if np.isfinite(self.upper) else np.nan


def z_lower(bandit: Any, tol: float = 1e-6, rounds: int = 200) -> Exploration:
    """The fewest rounds per ln T in which all alternatives can be excluded.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple (features, theta, sigma, contexts)
    tol : float
        Relative gap at which to stop.
    rounds : int
        Most linear programmes to solve.

    Returns
    -------
    Exploration
        1 / z_lower = max over policies of min over alternatives of E sum omega d.

    Raises
    ------
    AssumptionError, ValueError
        As :func:`hbucb.linear.programme.solve`; also a context that never comes.

    Notes
    -----
    Tirinzoni et al. 2020, Lemma 1. z_lower is the characteristic sample complexity of best-arm
    identification in all contexts (the text calls it the inverse of that).

    Examples
    --------
    Two known-variance arms told apart by equal shares: z = 8 sigma^2 / Delta^2.

    >>> found = z_lower(([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0, [1.0]))
    >>> round(found.z, 3), found.policy.round(3).tolist()
    (32.0, [[0.5, 0.5]])
    """
    problem, tol, rounds = _checked(bandit, tol, rounds)
    own = scaled(problem)
    shares, low, high = explore(own.problem, by_context(problem), problem.law, tol, rounds)
    policy = shares.reshape(problem.gaps.shape) / problem.law[:, None]
    return Exploration(own.pulls / low, policy, own.pulls / high, own.pulls / low)


def z_upper(bandit: Any, tol: float = 1e-6) -> float:
    """Rounds per ln T from which the solution of (P) fits: max over x of sum eta* / rho(x).

    Suboptimal arms only (Tirinzoni et al. 2020, Lemma 1). Where (P) has several solutions it is
    that of the one which :func:`hbucb.linear.programme.solve` returns.

    Examples
    --------
    >>> round(z_upper(([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0, [1.0])), 3)
    8.0
    """
    problem, tol, _ = _checked(bandit, tol, 1)
    allocation = solve_programme((problem.features, problem.theta, problem.sigma), tol).allocation
    wanted = np.where(problem.suboptimal, allocation, 0.0).sum(axis=1)
    return float((wanted / problem.law).max())


def solve(bandit: Any, z: float, tol: float = 1e-6, rounds: int = 300) -> BudgetSolution:
    """Solve (P_z): min of z E sum omega Delta over policies with information at least 1 / z.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple (features, theta, sigma, contexts)
    z : float
        Rounds per ln T.
    tol : float
        Relative gap at which to stop.
    rounds : int
        Most linear programmes to solve; look at `gap`, it says what was reached.

    Returns
    -------
    BudgetSolution

    Raises
    ------
    AssumptionError, ValueError
        As :func:`z_lower`; z not above 0, or so close to z_lower that `tol` cannot tell on which
        side it is.

    Notes
    -----
    Tirinzoni et al. 2020, programme (P_z). u* is convex and does not rise with z, it tends to
    v*, and lambda*(z) = u*(z) - z u*'(z), so lambda* >= u* >= v*.

    Examples
    --------
    >>> bandit = ([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0, [1.0])
    >>> for z in (40.0, 100.0, 1e4):
    ...     found = solve(bandit, z)
    ...     print(f"{found.value:.3f} {found.multiplier:.3f}")
    5.528 8.944
    4.384 4.851
    4.003 4.006
    >>> solve(bandit, 31.0).value
    inf
    """
    problem, tol, rounds = _checked(bandit, tol, rounds)
    z = positive("z", z)
    own = scaled(problem)
    groups = by_context(problem)
    shares, low, high = explore(own.problem, groups, problem.law, tol, rounds)
    scale = z / own.pulls
    none = np.full(problem.gaps.shape, np.nan)
    if scale * high < 1:
        return BudgetSolution(np.inf, none, np.inf, np.inf, np.nan)
    if scale * low < 1:
        raise ValueError(
            f"z = {z!r} is between {own.pulls / high!r} and {own.pulls / low!r}, where tol = "
            f"{tol!r} does not tell whether a solution exists; take another z or a smaller tol"
        )
    pulls, lower, price = cheapest(
        own.problem, groups, scale * problem.law, scale * shares, tol, rounds
    )
    upper = own.value * float((own.problem.gaps.ravel() * pulls).sum())
    policy = pulls.reshape(none.shape) / (scale * problem.law[:, None])
    return BudgetSolution(upper, policy, own.value * lower, upper, own.value * price)


def _checked(bandit: Any, tol: Any, rounds: Any) -> tuple[Problem, float, int]:
    problem = as_problem(bandit, needs_law=True)
    return problem, positive("tol", tol), whole_number(rounds, "rounds", 1)


def by_context(problem: Problem) -> np.ndarray:
    """Membership (X, X A) of the pairs in their contexts."""
    contexts, arms = problem.gaps.shape
    return np.kron(np.eye(contexts), np.ones(arms))


def explore(
    problem: Problem, groups: np.ndarray, totals: np.ndarray, tol: float, rounds: int
) -> tuple[np.ndarray, float, float]:
    """Pulls (X A,) with groups @ pulls = totals of most information; that and an upper bound.

    Pulls are spread evenly in each group at first. In the units of :class:`Scaled`.
    """
    pulls = np.einsum("g,gp->p", totals / groups.sum(axis=1), groups)
    best, low, high = pulls, 0.0, np.inf
    cuts, cost = np.empty((0, len(pulls))), np.append(np.zeros(len(pulls)), -1.0)
    equal = np.column_stack([groups, np.zeros(len(groups))])
    for _ in range(rounds):
        least, new = cuts_at(problem, pulls)
        if least > low:
            low, best = least, pulls
        cuts = np.vstack([cuts, new])
        rows = np.column_stack([cuts / low, -np.ones(len(cuts))])
        found, dual = linear_programme(cost, rows, np.zeros(len(rows)), equal, totals)
        told = np.einsum("n,np->p", dual / dual.sum(), cuts)
        high = min(high, float((totals * np.where(groups > 0, told, 0).max(axis=1)).sum()))
        if high - low <= tol * high:
            break
        pulls = STEP * found[:-1] + (1 - STEP) * best
    return best, low, high


def cheapest(
    problem: Problem,
    groups: np.ndarray,
    totals: np.ndarray,
    inside: np.ndarray,
    tol: float,
    rounds: int,
) -> tuple[np.ndarray, float, float]:
    """Cheapest pulls (X A,) with information 1 and groups @ pulls = totals, lower bound, price.

    `inside` is feasible. Cuts are made where the line from the inside to the relaxation's
    solution leaves the feasible set: there they touch it.
    """
    gaps = problem.gaps.ravel()
    best, upper, lower, price = inside, float((gaps * inside).sum()), -np.inf, 0.0
    cuts = cuts_at(problem, inside)[1]
    # HiGHS drops coefficients below 1e-9, so each unknown has its own unit: all pulls of a group,
    # or what can be paid for.
    whole = np.einsum("g,gp->p", totals, groups)
    unit, ones = (
        np.where(gaps > 0, np.minimum(whole, PAID / np.maximum(gaps, TINY)), whole),
        np.ones(len(totals)),
    )
    for _ in range(rounds):
        found, dual = linear_programme(
            gaps * unit, cuts * unit, np.ones(len(cuts)), groups * unit / totals[:, None], ones
        )
        found = found * unit
        left = gaps - np.einsum("n,np->p", dual, cuts)
        proved = float(dual.sum() + (totals * np.where(groups > 0, left, np.inf).min(axis=1)).sum())
        if proved > lower:
            lower, price = proved, float(dual.sum())
        start = INSIDE * inside + (1 - INSIDE) * best
        pulls = _last_feasible(problem, start, found)
        cost = float((gaps * pulls).sum())
        if cost < upper:
            upper, best = cost, pulls
        if upper - lower <= tol * upper:
            break
        middle = STEP * found + (1 - STEP) * best
        cuts = np.vstack([cuts, cuts_at(problem, pulls)[1], cuts_at(problem, middle)[1]])
    return best, lower, price


def _last_feasible(problem: Problem, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The last point with information >= 1 on the way from a feasible start to the end."""
    if measure(problem, end)[0].min() >= 1:
        return end
    low, high = 0.0, 1.0
    for _ in range(PASSES):
        share = (low + (high - low) * np.arange(GRID) / GRID)[:, None]
        enough = measure(problem, (1 - share) * start + share * end)[0].min(axis=1) >= 1
        last = GRID - 1 if enough.all() else max(int(enough.argmin()) - 1, 0)
        low, high = float(share[last, 0]), low + (high - low) * (last + 1) / GRID
    return (1 - low) * start + low * end
