"""Cutting planes for concave information: what the programmes of this package share.

The information of an allocation is a minimum over alternative models of functions linear in the
allocation. Each alternative gives a cut that every feasible allocation satisfies, so a linear
programme over some cuts is a relaxation, and its dual weights prove a lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hbucb.linear.problem import Problem

#: The smallest tolerances that HiGHS accepts.
OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


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


def linear_programme(
    cost: np.ndarray, cuts: np.ndarray, level: np.ndarray, groups: np.ndarray, totals: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """min cost x over x >= 0 with cuts x >= level and groups x = totals; x and the cuts' duals."""
    from scipy.optimize import linprog

    equal = {"A_eq": groups, "b_eq": totals} if len(groups) else {}
    found = linprog(cost, A_ub=-cuts, b_ub=-level, method="highs", options=OPTIONS, **equal)
    if found.status != 0:
        raise RuntimeError(f"the linear programme was not solved: {found.message}")
    return found.x, np.maximum(-found.ineqlin.marginals, 0.0)
