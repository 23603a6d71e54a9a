"""Limits for the mean of bounded numbers that hold however rare the large ones are.

A normal interval of mean regret is wrong when a few runs get stuck: with 1 % of stuck runs and 120
trials, three experiments in ten contain no stuck run at all and every sample looks tame. What is
known for certain is that R_T / T lies between 0 and the largest gap, and that is enough.

The construction is a bet, and its proof is two lines. For y in [0, 1] with E y <= m and a stake
c in [0, 1], the factor ``1 - c + c * y / m`` is non-negative and has mean at most 1. So has the
product over independent trials, and so has the average of such products over a fixed list of
stakes; by Markov's inequality this average, the *wealth*, exceeds 1/alpha with probability at most
alpha. The wealth falls when m grows, so the means that it does not refute form an interval. The
average does not depend on the order of the trials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hbucb.arguments import as_numbers, is_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Stakes from 0.0025 to 0.9975, even on the logit scale: one within a factor 1.7 of the best stake
# is in the list, and the price of the average is at most log(13) = 2.6 in the log wealth.
STAKES: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.linspace(-6.0, 6.0, 13)))


@dataclass(frozen=True)
class MeanInterval:
    """An estimate of a mean with limits that hold at the stated level for every law in the range.

    Attributes
    ----------
    mean, low, high : float
        Sample mean and limits, in the unit of the data.
    level : float
        Probability with which the limits hold together the mean, at least.
    trials : int
        Sample size.
    """

    mean: float
    low: float
    high: float
    level: float
    trials: int


def _unit(x: ArrayLike, low: float, high: float) -> NDArray[np.float64]:
    values = as_numbers("x", x, "real numbers are allowed")
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"x must be a non-empty one-dimensional array, got shape {values.shape}")
    if not (
        is_number(low)
        and is_number(high)
        and math.isfinite(low)
        and math.isfinite(high)
        and low < high
    ):
        raise ValueError(f"low < high must both be finite, got low={low}, high={high}")
    # A sum of 10^4 rounded gaps may pass the range by a few units of the last place.
    slack = 1e-9 * (high - low)
    bad = ~((values >= low - slack) & (values <= high + slack))
    if bad.any():
        raise ValueError(f"x must lie in [{low}, {high}], got {values[bad][0]}")
    return np.minimum(np.maximum((values - low) / (high - low), 0.0), 1.0)


def _log_wealth(y: NDArray[np.float64], m: float) -> float:
    """Log of the wealth against "E y <= m" for y in [0, 1], m in (0, 1]."""
    with np.errstate(divide="ignore", over="ignore"):
        log_products = np.log1p(STAKES[:, None] * (y[None, :] / m - 1.0)).sum(axis=1)
    top = float(log_products.max())
    if math.isinf(top):
        return top
    return top + math.log(float(np.mean(np.exp(log_products - top))))


def _lower(y: NDArray[np.float64], alpha: float) -> float:
    """Largest mean refuted from below at level alpha (0 when none is)."""
    if not y.any():
        return 0.0
    target = math.log(1.0 / alpha)
    lo, hi = 1e-12, float(y.mean())  # at m >= the sample mean every product is at most 1
    if _log_wealth(y, lo) < target:
        return 0.0
    for _ in range(100):
        mid = math.sqrt(lo * hi) if hi < 0.5 else 0.5 * (lo + hi)
        if _log_wealth(y, mid) >= target:
            lo = mid
        else:
            hi = mid
        if hi - lo <= 1e-12 * hi:
            break
    return lo


def bounded_mean_interval(
    x: ArrayLike, bound: float, level: float = 0.99, *, low: float = 0.0
) -> MeanInterval:
    """Limits for the mean of independent numbers in [low, bound], valid at every sample size.

    Parameters
    ----------
    x : array_like, shape (trials,)
        Independent draws of one law, in any unit.
    bound, low : float
        The range that is known for certain, in the unit of `x`. For R_T / T it is [0, largest gap].
    level : float
        Confidence of the two limits together; each side spends half of ``1 - level``.

    Returns
    -------
    MeanInterval

    Raises
    ------
    ValueError
        If `x` is empty or leaves the range, or `level` is outside (0, 1).

    Notes
    -----
    Source: betting for a bounded mean, Waudby-Smith and Ramdas, JRSS B 86 (2024), 1-27; here with
    an average over constant stakes, so that the proof is Markov's inequality (module docstring).

    Examples
    --------
    No run of 120 got stuck; the largest gap is 9, so nothing better than 0.5 is proved:

    >>> import numpy as np
    >>> limits = bounded_mean_interval(np.full(120, 0.03), bound=9.0)
    >>> print(f"{limits.low:.3f} {limits.mean:.3f} {limits.high:.3f}")
    0.028 0.030 0.496
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie strictly between 0 and 1, got {level}")
    y = _unit(x, low, bound)
    alpha = 0.5 * (1.0 - level)
    span = bound - low
    return MeanInterval(
        mean=float(np.mean(np.asarray(x, dtype=float))),
        low=low + span * _lower(y, alpha),
        high=bound - span * _lower(1.0 - y, alpha),
        level=level,
        trials=int(y.size),
    )


def bounded_mean_pvalue(
    x: ArrayLike, low: float, high: float, null: float = 0.0
) -> tuple[float, float]:
    """Two p-values for the mean of numbers in [low, high]: (is below `null`, is above `null`).

    The first is small when the mean is proved to be below `null`; under "E x >= null" it is at most
    alpha with probability at most alpha, at every sample size (one over the wealth, Markov).

    Parameters
    ----------
    x : array_like, shape (trials,)
        Independent draws of one law.
    low, high : float
        The range that is known for certain, in the unit of `x`.
    null : float
        The mean in question, strictly inside the range.

    Returns
    -------
    below, above : float

    Raises
    ------
    ValueError
        If `x` leaves the range or `null` is not inside it.

    Examples
    --------
    >>> import numpy as np
    >>> below, above = bounded_mean_pvalue(np.tile([-0.5, -0.1], 40), -1.0, 1.0)
    >>> below < 1e-4, above
    (True, 1.0)
    """
    if not low < null < high:
        raise ValueError(f"null must lie strictly between low={low} and high={high}, got {null}")
    y = _unit(x, low, high)
    m = (null - low) / (high - low)
    above = math.exp(-max(_log_wealth(y, m), 0.0))
    below = math.exp(-max(_log_wealth(1.0 - y, 1.0 - m), 0.0))
    return min(below, 1.0), min(above, 1.0)


def trials_to_decide_mean(
    x: ArrayLike, low: float, high: float, alpha: float, null: float = 0.0, power: float = 0.9
) -> float:
    """Trials at which the mean would be told from `null`, if further trials look like these.

    For the best single stake the log wealth is a sum of independent terms; the number returned is
    the first n at which that sum passes ``log(1/alpha)`` plus the price of the average with
    probability `power` (normal approximation of the sum; this is advice, not a verdict).

    Parameters
    ----------
    x : array_like, shape (trials,)
        The trials so far.
    low, high : float
        Range known for certain.
    alpha : float
        Level of the one-sided test.
    null, power : float
        The mean in question, and the chance of success asked for.

    Returns
    -------
    float
        A whole number of trials, or inf when no number decides (sample mean equal to `null`).

    Raises
    ------
    ValueError
        As in `bounded_mean_pvalue`, or `alpha` or `power` outside (0, 1).

    Examples
    --------
    >>> import numpy as np
    >>> trials_to_decide_mean(np.tile([-0.5, 0.4], 20), -1.0, 1.0, alpha=0.005) > 40
    True
    """
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"{name} must lie strictly between 0 and 1, got {value}")
    if not low < null < high:
        raise ValueError(f"null must lie strictly between low={low} and high={high}, got {null}")
    from scipy.special import ndtri

    y = _unit(x, low, high)
    m = (null - low) / (high - low)
    if y.mean() < m:
        y, m = 1.0 - y, 1.0 - m
    terms = np.log1p(STAKES[:, None] * (y[None, :] / m - 1.0))
    drift, spread = terms.mean(axis=1), terms.std(axis=1)
    usable = drift > 0
    if not usable.any():
        return math.inf
    need = math.log(STAKES.size / alpha)
    z = float(ndtri(power)) * spread[usable]
    root = (z + np.sqrt(z * z + 4.0 * drift[usable] * need)) / (2.0 * drift[usable])
    return float(math.ceil(float(np.min(root)) ** 2))
