"""Regret averaged over a prior. Conventions as in :mod:`hbucb.theory`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_gaps, as_horizon, as_output
from hbucb.assumptions import bound

__all__ = ["thompson_bayes_regret"]


@bound(
    algorithm="Thompson sampling (average over its prior)",
    source="after Russo & Van Roy 2014, with constants; proof in the book",
    status="proved",
    needs=("rewards in [0, 1]", "bandits drawn from the prior that the policy has"),
    rate="sqrt(K T ln T)",
)
def thompson_bayes_regret(gaps: ArrayLike, horizon: ArrayLike) -> Any:
    """Mean regret of Thompson sampling over bandits drawn from its prior: 3 K + 4 sqrt(K T ln T).

    It is no bound for a single bandit, so no policy's ``regret_bound`` returns it.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Only their number K counts.
    horizon : array_like of int
        T.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(thompson_bayes_regret([0.0] * 5, 10_000), 1)
    2729.5
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    return as_output(3 * values.size + 4 * np.sqrt(values.size * total * np.log(total)))
