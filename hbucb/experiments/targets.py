"""Pulls until the mean regret reaches a target, as the first paper's Table 1 asks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def hitting_times(result: Any, name: str, target: float, *, after: int = 0) -> np.ndarray:
    """First recorded round t > `after` with R_t / t < `target`, in each trial.

    Parameters
    ----------
    result : Result
        Recorded in every round that may count.
    name : str
        A policy of the result.
    target : float
        In reward units per pull, > 0.
    after : int
        Rounds up to this one do not count (the public code skips the first T/50).

    Returns
    -------
    ndarray of float, shape (trials,)
        Pulls; inf where the target was not reached (a "fail").

    Raises
    ------
    ValueError
        If `target` is not positive, or no round after `after` was recorded.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.PointMass(0.0))
    >>> run = hb.simulate(bandit, hb.UCB(sigma=0.0), 20, 2, seed=1, rounds=range(1, 21))
    >>> hitting_times(run, "UCB", 0.25, after=2).tolist()   # one pull lost: 1/t < 1/4 at t = 5
    [5.0, 5.0]
    """
    if not target > 0:
        raise ValueError(f"target must be positive, got {target}")
    rounds = np.asarray(result.rounds)
    late = rounds > after
    if not late.any():
        raise ValueError(f"after = {after} leaves no recorded round")
    reached = np.asarray(result[name].regret)[:, late] < target * rounds[late]
    times = rounds[late][reached.argmax(axis=1)].astype(float)
    times[~reached.any(axis=1)] = np.inf
    return times


def time_per_success(times: Any, budget: int) -> float:
    """Pulls spent in all trials for each trial that reached the target: it does not saturate.

    A trial that fails costs the whole budget. If a failed run is started afresh, this estimates the
    expected number of pulls until a first success; it grows without limit as failures grow, while
    a quantile of the times stops at the budget.

    Parameters
    ----------
    times : array_like, shape (trials,)
        Pulls to the target, inf for a failed trial.
    budget : int
        Pulls after which a trial was given up.

    Returns
    -------
    float
        In pulls; inf without a success.

    Raises
    ------
    ValueError
        Without trials, or for times above the budget.

    Examples
    --------
    >>> import math
    >>> time_per_success([100, 300, math.inf], budget=1000)
    700.0
    """
    values = np.asarray(times, dtype=float)
    if values.ndim != 1 or not values.size or not values.min() > 0:
        raise ValueError(f"times must be positive and one-dimensional, got shape {values.shape}")
    done = np.isfinite(values)
    if (values[done] > budget).any():
        raise ValueError(f"budget = {budget} is below a time that was reached")
    if not done.any():
        return math.inf
    return float((values[done].sum() + budget * (~done).sum()) / done.sum())
