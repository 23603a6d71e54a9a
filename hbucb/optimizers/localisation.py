"""An interval around the median of the first pulls: how many pulls, how often it misses."""

from __future__ import annotations

import math

from hbucb.validate import finite, open_probability, whole_number


def _mass(mass: float) -> float:
    if not 0 < finite("mass", mass) <= 1:
        raise ValueError(f"mass = {mass!r} must lie in (0, 1]")
    return float(mass)


def median_misses(mass: float, pulls: int) -> float:
    """2 P(Bin(p, (1 - mass)/2) >= (p + 1)/2): the median of p pulls is farther off than s.

    At most that often, for symmetric noise with P(|xi| <= s) >= ``mass`` and an odd p.

    Examples
    --------
    >>> median_misses(0.5, 3), round(median_misses(0.5, 53), 7)
    (0.3125, 8.72e-05)
    """
    from scipy.special import betainc

    if whole_number(pulls, "pulls", 1) % 2 == 0:
        raise ValueError(f"pulls = {pulls!r} must be odd")
    least = (pulls + 1) // 2
    return min(1.0, 2 * float(betainc(least, pulls - least + 1, (1 - _mass(mass)) / 2)))


def median_pulls(mass: float, miss: float) -> int:
    """The least odd number of pulls with :func:`median_misses` <= ``miss``.

    Examples
    --------
    >>> median_pulls(0.5, 1e-4)
    53
    """
    open_probability("miss", miss)
    if _mass(mass) == 1:
        return 1
    if mass < 1e-6:
        raise ValueError(f"mass = {mass!r} must be at least 1e-6: no run has as many pulls")
    # P(Bin(p, q) >= p/2) <= (4 q (1 - q))^(p/2), and 4 q (1 - q) = 1 - mass^2.
    enough = 2 * math.log(2 / miss) / -math.log1p(-(mass**2))
    low, high = -1, math.ceil(enough / 2) + 1  # of 2 h + 1 pulls
    while high - low > 1:
        middle = (low + high) // 2
        if median_misses(mass, 2 * middle + 1) <= miss:
            high = middle
        else:
            low = middle
    return 2 * high + 1
