"""Cutting planes for concave information: what the programmes of this package share.

The information of an allocation is a minimum over alternative models of functions linear in the
allocation. Each alternative gives a cut that every feasible allocation satisfies, so a linear
programme over some cuts is a relaxation, and its dual weights prove a lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hbucb.linear.alternatives import half_spaces, information_matrix
from hbucb.linear.problem import Problem

#: The smallest tolerances that HiGHS accepts.
OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
#: Cuts whose information is beyond this multiple of the least are left out of a round.
NEAR = 2.0
#: Ratio of the ends of the spectrum below which pulls count as not spanning R^d.
SINGULAR = 1e-12


@dataclass(frozen=True)
class Scaled:
    """A problem in units in which 2 sigma^2 = 1 and the largest gap is 1.

    Pulls in the original problem are `pulls` times those here, costs and multipliers `value` times.
    """

    problem: Problem
    pulls: float
    value: float


def scaled(problem: Problem) -> Scaled:
    """The problem in its own units, so that tolerances mean the same for every problem."""
    largest = float(problem.gaps.max())
    if largest == 0:  # one arm: nothing to learn
        return Scaled(problem, 1.0, 1.0)
    own = Problem(problem.features, problem.theta / largest, 0.5**0.5, problem.law)
    noise = 2 * problem.sigma**2
    return Scaled(own, noise / largest**2, noise / largest)


def measure(problem: Problem, pulls: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Information of pulls (..., X A) against each pair (..., X A), and the steps (..., X A, d).

    In the units of :class:`Scaled`. Pulls that do not span R^d count as without information.
    """
    features = problem.features
    contexts, arms, d = features.shape
    matrix = information_matrix(pulls.reshape(*pulls.shape[:-1], contexts, arms), features)
    spectrum = np.linalg.eigvalsh(matrix)
    spans = spectrum[..., 0] > SINGULAR * spectrum[..., -1]
    inverse = np.linalg.inv(np.where(spans[..., None, None], matrix, np.eye(d)))
    squared, step = half_spaces(problem.theta, inverse, features)
    squared = np.where(spans[..., None, None], squared, 0.0)
    return squared.reshape(pulls.shape), step.reshape(*pulls.shape, d)


def cuts_at(problem: Problem, pulls: np.ndarray) -> tuple[float, np.ndarray]:
    """Least information of pulls (X A,) and the cuts (n, X A) of the nearby alternatives."""
    squared, step = measure(problem, pulls)
    least = float(squared.min())
    seen = problem.features.reshape(len(pulls), -1)
    return least, np.einsum("nd,pd->np", step[squared <= NEAR * least], seen) ** 2


def linear_programme(
    cost: np.ndarray,
    cuts: np.ndarray,
    level: np.ndarray,
    groups: np.ndarray | None = None,
    totals: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """min cost x over x >= 0 with cuts x >= level and groups x = totals; x and the cuts' duals."""
    from scipy.optimize import linprog

    found = linprog(cost, -cuts, -level, A_eq=groups, b_eq=totals, method="highs", options=OPTIONS)
    if found.status != 0:
        raise RuntimeError(f"the linear programme was not solved: {found.message}")
    return found.x, np.maximum(-found.ineqlin.marginals, 0.0)
