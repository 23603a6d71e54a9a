"""Pulls of a bad arm under FO-UCB and ZO-UCB, as proved and as printed, and in batches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_delta, as_gaps, as_horizon, as_output, positive
from hbucb.assumptions import bound
from hbucb.theory import BELOW, g_inverse, pull_bound, pulls_after

__all__ = ["batch_regret", "fo_pull_bound", "real_inverse", "zo_pull_bound"]

G = Callable[[Any, Any], Any]

FORMS = ("strict", "paper-body", "paper-appendix")


def real_inverse(g: G, x: float, delta: float) -> float:
    """The real k > 0 with g(k, delta) = x, for a g that is continuous and decreasing in real k.

    The printed theorems use this inverse; the proved ones use the strict integer
    :func:`hbucb.theory.g_inverse`.

    Parameters
    ----------
    g : callable
        ``g(k, delta)``, defined at real k.
    x : float
        Level, in the unit of `g`.
    delta : float

    Returns
    -------
    float
        ``math.inf`` if g is above `x` up to k = 1e15.

    Raises
    ------
    ValueError
        If `x` is not above 0.

    Examples
    --------
    >>> round(real_inverse(lambda k, delta: 2.01 / k, 1.0, 0.1), 6)
    2.01
    """
    positive("x", x)
    low, high = 0.0, 1.0
    while not float(g(high, delta)) <= x:
        low, high = high, 2 * high
        if high > 1e15:
            return math.inf
    while True:
        middle = (low + high) / 2
        if not low < middle < high or high - low <= 1e-15 * high:
            return high
        low, high = (low, middle) if float(g(middle, delta)) <= x else (middle, high)


def _pulls(g: G, x: float, horizon: int, form: str, delta: float | None) -> float:
    if form not in FORMS:
        raise ValueError(f"form is {form!r}; allowed: {', '.join(FORMS)}")
    total = float(as_horizon(horizon))
    if form == "strict":
        level = float(as_delta(delta, np.asarray(max(total, 2.0))))
        return float(pull_bound(g_inverse(g, BELOW * x, level), horizon, level))
    if delta is not None:
        raise ValueError(f"delta is {delta!r}; form={form!r} fixes its own")
    if form == "paper-body":
        return real_inverse(g, x, 1 / total**2) + 2
    return real_inverse(g, x, 1 / (total * (total + 1))) + 1


def fo_pull_bound(
    g: G, gap: float, horizon: int, *, form: str = "strict", delta: float | None = None
) -> float:
    """Bound on the expected pulls of an arm with this gap under FO-UCB.

    Parameters
    ----------
    g : callable
        First-order guarantee g(k, delta), squared reward units.
    gap : float
        Above 0, reward units.
    horizon : int
        T.
    form : {"strict", "paper-body", "paper-appendix"}
        "strict": the pull lemma at the first count with g < gap^2/8; proved. "paper-body": the
        real inverse at delta = 1/T^2, plus 2; true for g continuous and decreasing, since the
        integer inverse is at most 1 larger. "paper-appendix": the real inverse at
        1/(T(T+1)), plus 1; proved where the next whole number above that inverse is at most 1/2
        away, **false** in general.
    delta : float, optional
        For "strict" only; None means 1/T^2, and 1/4 at T = 1.

    Returns
    -------
    float
        Pulls.

    Raises
    ------
    ValueError
        For an unknown form, a `gap` that is not above 0, or a `delta` where the form fixes it.

    References
    ----------
    Dorn et al. (2024), Theorem 2 in section 2.3 and in appendix A.

    Examples
    --------
    >>> g = lambda k, delta: 2.01 / (8 * k)
    >>> [round(fo_pull_bound(g, 1.0, 200, form=form), 4)
    ...  for form in ("strict", "paper-body", "paper-appendix")]
    [3.4876, 4.01, 3.01]
    """
    positive("gap", gap)
    return _pulls(g, gap**2 / 8, horizon, form, delta)


def zo_pull_bound(
    g: G, gap: float, horizon: int, *, form: str = "strict", delta: float | None = None
) -> float:
    """Bound on the expected pulls of an arm with this gap under ZO-UCB.

    As :func:`fo_pull_bound`, with a guarantee on the distance and the level gap/2.

    Parameters
    ----------
    g : callable
        Zero-order guarantee g(k, delta), reward units.
    gap, horizon, form, delta
        As in :func:`fo_pull_bound`.

    Returns
    -------
    float
        Pulls.

    References
    ----------
    Dorn et al. (2024), Theorem 3 in section 2.4 and in appendix B.

    Examples
    --------
    >>> zo_pull_bound(lambda k, delta: k**-0.5, 1.0, 200, form="paper-appendix")
    5.0
    """
    positive("gap", gap)
    return _pulls(g, gap / 2, horizon, form, delta)


@bound(
    algorithm="FO-UCB and ZO-UCB in batches",
    source="Dorn et al. 2024, Remark 11, with exact counts",
    status="corrected",
    needs=("a method with a guarantee g after each update",),
    rate="batch * sum gap * g^{-1}(gap^2/8)",
)
def batch_regret(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    g: G,
    batch: int = 1,
    initial: int = 0,
    delta: ArrayLike | None = None,
    order: str = "first",
    kind: str = "fixed-k",
) -> Any:
    """Regret of an index that is updated every `batch` pulls, after `initial` pulls of each arm.

    With N = floor((T - initial K) / batch) updates: initial * sum of gaps + batch * sum of
    gap * (pull bound for N updates) + (pulls of the last, incomplete batch) * largest gap.
    If T is at most initial * K, the first term alone.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
    horizon : array_like of int
        T, in pulls.
    g : callable
        g(k, delta) after k updates.
    batch, initial : int
        Pulls of an update; first pulls of each arm.
    delta : array_like, optional
        Failure probability; None means 1/N^2 for "fixed-k" and 1/N for "uniform", with N = 2
        where there is one update.
    order : {"first", "zero"}
        Whether g bounds the half squared distance or the distance.
    kind : {"fixed-k", "uniform"}
        Whether g holds at each k or at all k at once.

    Returns
    -------
    float or ndarray
        Reward units.

    Raises
    ------
    ValueError
        For an unknown `order` or `kind`, or `batch` < 1 or `initial` < 0.

    Examples
    --------
    >>> import math
    >>> g = lambda k, delta: math.log(1 / delta) / k
    >>> round(batch_regret([0, 1.0], 100, g=g), 4)
    74.0351
    >>> round(batch_regret([0, 1.0], 308, g=g, batch=3, initial=3), 4)  # N = 100, 2 pulls left
    227.1053
    """
    if order not in ("first", "zero") or kind not in ("fixed-k", "uniform"):
        raise ValueError(
            f"order is {order!r}, kind is {kind!r}; 'first' or 'zero', 'fixed-k' or 'uniform'"
        )
    if batch < 1 or initial < 0 or batch % 1 or initial % 1:
        raise ValueError(f"batch is {batch!r}, initial is {initial!r}; integers >= 1 and >= 0")
    values, total = as_gaps(gaps), as_horizon(horizon)
    left = np.maximum(total - initial * values.size, 0.0)
    updates = np.floor(left / batch)
    most = np.maximum(updates, 1.0)
    # A guarantee is defined for delta < 1 only.
    if delta is None and kind == "uniform":
        levels = 1 / np.maximum(most, 2.0)
    else:
        levels = as_delta(delta, np.maximum(most, 2.0))
    rest = left - batch * updates
    bad = values[values > 0]
    result = initial * bad.sum() + rest * values.max()
    different, where = np.unique(bad, return_inverse=True)
    answer = np.empty(total.shape)
    for at in np.ndindex(total.shape):
        level, count = float(levels[at]), most[at]
        goals = BELOW * (different**2 / 8 if order == "first" else different / 2)
        enough = np.array([g_inverse(g, float(goal), level) for goal in goals])
        if kind == "uniform":
            pulls = enough + 2 * level * count
        else:
            pulls = pulls_after(enough, count, np.asarray(level))
        # No update is made before the first batch is complete.
        answer[at] = batch * (bad * pulls[where]).sum() if updates[at] else 0.0
    return as_output(result + answer)
