"""Medians of blocks of odd length: a finite variance made out of tails of any order."""

from __future__ import annotations

import math

from hbucb.estimators.checks import positive


def block_median_variance(order: float, scale: float, m: int) -> float:
    """Bound on the variance of the median of 2m + 1 rewards, for symmetric noise.

    Let P(|xi| > x) <= (scale/x)^order for all x > 0, and b = order (m + 1). Then
    P(|median| > x) <= (x0/x)^b with x0 = scale (C(2m+1, m+1) / 2^m)^(1/b), and the variance is at
    most x0^2 b / (b - 2) if b > 2, inf otherwise. The median is unbiased, by symmetry.

    Parameters
    ----------
    order, scale : float
        Of the tail condition; scale in reward units. E|xi|^order <= scale^order implies it.
    m : int
        Blocks of 2m + 1 rewards.

    Returns
    -------
    float
        Squared reward units.

    Notes
    -----
    |median| > x needs m + 1 of 2m + 1 rewards on one side beyond x, each with probability at most
    (scale/x)^order / 2: twice C(2m+1, m+1) of them. The bound is correct and wasteful; a condition
    on a quantile (``MassWithin``) gives far better intervals.

    Examples
    --------
    >>> import math
    >>> round(block_median_variance(1.0, 2 / math.pi, m=3), 3)  # Cauchy; the variance is 0.612
    1.695
    """
    positive("order", order)
    positive("scale", scale)
    if isinstance(m, bool) or not isinstance(m, int) or m < 0:
        raise ValueError(f"m = {m!r} must be an integer >= 0")
    b = order * (m + 1)
    if b <= 2:
        return math.inf
    ways = math.log(math.comb(2 * m + 1, m + 1)) - m * math.log(2)
    return scale**2 * math.exp(2 * ways / b) * b / (b - 2)
