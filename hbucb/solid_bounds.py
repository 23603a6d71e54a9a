"""Regret statements of SOLID: what its two kinds of rounds cost, here; all of them, by name.

The worst case with all its constants stands in :mod:`hbucb.solid_worst_bounds`, the theorems that
are printed without theirs in :mod:`hbucb.solid_printed_bounds`. In all three ``gaps`` may have any
shape, (contexts, arms) included, and the other conventions are those of :mod:`hbucb.theory`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_delta, as_gap_rows, as_horizon, as_output
from hbucb.assumptions import bound
from hbucb.solid_printed_bounds import (
    ProblemParts,
    solid_order,
    solid_problem_parts,
    solid_problem_regret,
)
from hbucb.solid_worst_bounds import exploration_step, solid_worst_case
from hbucb.validate import whole_number

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


@bound(
    algorithm="SOLID",
    source="Tirinzoni et al. 2020, Appendix G.2; proof in the book",
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
    values, total = as_gap_rows(gaps), as_horizon(horizon)
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
