"""The lower-bound programme (P): the least regret per ln T that tells a model from all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.linear.cutting import linear_programme, scaled
from hbucb.linear.problem import Problem, as_problem
from hbucb.noise.validate import positive
from hbucb.validate import whole_number

#: Share of the relaxation's solution in the next point at which cuts are made.
STEP = 0.7
#: Directions shorter than this share of the longest count as seen by the optimal arms.
SEEN = 1e-9


@dataclass(frozen=True)
class Solution:
    """The solution of (P) with what proves it.

    Attributes
    ----------
    value : float
        v*, reward units: the cost of `allocation`. Regret grows at least like v* ln T.
    allocation : ndarray (X, A)
        eta*, pulls per ln T; inf at the optimal arms, which cost nothing.
    lower, upper : float
        v* lies between them: `upper` is the cost of a feasible allocation, `lower` is
        ``weights.sum()``.
    models : ndarray (n, d)
        Alternatives that together need this much.
    weights : ndarray (n,)
        Reward units, with sum over i of weights_i d(x, a; models_i) <= Delta(x, a) for every
        pair; such weights prove v* >= their sum.
    """

    value: float
    allocation: np.ndarray
    lower: float
    upper: float
    models: np.ndarray
    weights: np.ndarray

    @property
    def gap(self) -> float:
        """``upper - lower``, reward units."""
        return self.upper - self.lower


def solve(
    bandit: Any, tol: float = 1e-6, rounds: int = 200, near: Solution | None = None
) -> Solution:
    """Solve (P): min of sum eta Delta over eta >= 0 with information at least 1.

    Parameters
    ----------
    bandit : LinearContextualBandit or tuple (features, theta, sigma)
        Features (X, A, d), parameter (d,), scale of the Gaussian noise.
    tol : float
        Stop when the gap is at most `tol` times the upper bound.
    rounds : int
        Stop after so many linear programmes; look at `gap`, it says what was reached.
    near : Solution, optional
        Of a similar problem with these features: its pulls and models are what the search begins
        with, which saves half of the linear programmes. With other optimal arms it is left aside.

    Returns
    -------
    Solution

    Raises
    ------
    AssumptionError
        A context with two optimal arms, features that do not span R^d, noise not Gaussian.
    ValueError
        Bad shapes or numbers.

    Notes
    -----
    Tirinzoni et al. 2020, programme (P) and Proposition 1. Optimal arms may be pulled without
    end, so only the part psi of a feature outside their span counts: eta must make
    psi^T V^{-1} psi <= Delta^2 / (2 sigma^2) for every suboptimal pair, V = sum eta psi psi^T.
    That is a G-optimal design with costs; with all gaps equal v* = 2 sigma^2 rank / Delta by the
    theorem of Kiefer and Wolfowitz. Solved by cutting planes: each model is a linear cut.

    Examples
    --------
    >>> features = [[[1.0, 0.0], [0.0, 1.0], [0.95, 0.1]]]
    >>> solution = solve((features, [1.0, 0.0], 1.0))
    >>> round(solution.value, 4), solution.allocation.round(1).tolist()
    (8.0, [[inf, 8.0, 0.0]])
    >>> solution.gap < 1e-5
    True
    """
    problem = as_problem(bandit)
    positive("tol", tol)
    whole_number(rounds, "rounds", 1)
    if not isinstance(near, Solution | None):
        raise ValueError(f"near = {near!r} must be a Solution that solve returned, or None")
    own = scaled(problem)
    frame, pairs = unseen(own.problem)
    allocation = np.where(problem.suboptimal, 0.0, np.inf)
    if not len(pairs):
        return Solution(0.0, allocation, 0.0, 0.0, np.empty((0, problem.theta.size)), np.empty(0))
    flat = problem.features.reshape(-1, problem.theta.size)[pairs]
    gaps = own.problem.gaps.ravel()[pairs]
    psi = np.einsum("pd,de->pe", flat, frame)
    pulls, steps = np.ones(len(psi)), np.empty((0, psi.shape[1]))
    if near is not None and np.array_equal(np.isinf(near.allocation), np.isinf(allocation)):
        pulls = near.allocation.ravel()[pairs] / own.pulls
        steps = _as_far(psi, gaps, np.einsum("nd,de->ne", near.models - problem.theta, frame))
    pulls, steps, weights = _design(psi, gaps, tol, rounds, pulls, steps)
    allocation.ravel()[pairs] = own.pulls * pulls
    largest = problem.gaps.max()
    models = problem.theta + largest * np.einsum("ne,de->nd", steps, frame)
    upper = own.value * float((gaps * pulls).sum())
    weights = own.value * weights
    return Solution(upper, allocation, float(weights.sum()), upper, models, weights)


def unseen(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Basis (d, e) of what no optimal arm shows, and the flat pairs with a part in it."""
    top = problem.features[np.arange(len(problem.features)), problem.best]
    _, lengths, right = np.linalg.svd(top)
    rank = int((lengths > SEEN * lengths.max()).sum()) if lengths.max() > 0 else 0
    frame = right[rank:].T
    flat = problem.features.reshape(-1, problem.theta.size)
    part = np.sqrt((np.einsum("pd,de->pe", flat, frame) ** 2).sum(axis=1))
    shown = part > SEEN * np.sqrt((flat**2).sum(axis=1)).max()
    return frame, np.flatnonzero(shown & problem.suboptimal.ravel())


def _as_far(psi: np.ndarray, gaps: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Steps along ``directions`` (n, e) to the first model with another best arm, if there is one.

    Each is a cut, of whatever problem the directions are.
    """
    reach = np.einsum("nd,pd->np", directions, psi)
    length = np.divide(gaps, reach, out=np.full(reach.shape, np.inf), where=reach > 0).min(axis=1)
    ends = np.isfinite(length)
    return directions[ends] * length[ends, None]


def _design(
    psi: np.ndarray,
    gaps: np.ndarray,
    tol: float,
    rounds: int,
    pulls: np.ndarray,
    steps: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cheapest pulls (n,) with psi^T V^{-1} psi <= gaps^2; steps and weights that prove it.

    Costs w = gaps * pulls are the unknowns, so that the dual's right-hand side is one. The first
    cuts are those of ``steps`` and those made at ``pulls``.
    """
    upper, lower = np.inf, 0.0
    best, proof = pulls, (np.empty((0, psi.shape[1])), np.empty(0))
    cuts = np.einsum("md,pd->mp", steps, psi) ** 2 / gaps
    for _ in range(rounds):
        least, new, fresh = _cuts(psi, gaps, pulls)
        cost = float((gaps * pulls).sum()) / least
        if cost < upper:
            upper, best = cost, pulls / least
        cuts, steps = np.vstack([cuts, new / gaps]), np.vstack([steps, fresh])
        costs, dual = linear_programme(np.ones(len(psi)), cuts, np.ones(len(cuts)))
        # Dividing by the largest column makes the weights feasible whatever HiGHS tolerates.
        dual = dual / max(1.0, float(np.einsum("n,np->p", dual, cuts).max()))
        used = dual > 0
        if dual.sum() > lower:
            lower, proof = float(dual.sum()), (steps[used], dual[used])
        if upper - lower <= tol * upper:
            break
        pulls = STEP * costs / gaps + (1 - STEP) * best
    return best, *proof


def _cuts(
    psi: np.ndarray, gaps: np.ndarray, pulls: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Least information, the cuts near it (m, n) and the steps (m, e) to their models."""
    inverse = np.linalg.inv(np.einsum("pd,pe->de", pulls[:, None] * psi, psi))
    moved = np.einsum("pd,de->pe", psi, inverse)
    leverage = np.einsum("pd,pd->p", moved, psi)
    information = gaps**2 / leverage
    near = information <= 2 * information.min()
    steps = (moved * (gaps / leverage)[:, None])[near]
    return float(information.min()), np.einsum("md,pd->mp", steps, psi) ** 2, steps
