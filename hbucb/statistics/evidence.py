"""E-values: evidence against a claim that may be looked at after every trial.

An e-value has mean at most 1 if the claim holds. The ones here are the wealth of a bettor against
the claim (:mod:`hbucb.statistics.betting`), a product over trials: by Ville's inequality a true
claim ever shows 1/a, at any of infinitely many looks, with probability at most a.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from hbucb.arguments import is_plain
from hbucb.statistics.betting import STAKES, _log_wealth, _unit
from hbucb.statistics.proportions import _counts

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def failure_evalue(failures: int, trials: int, delta: float) -> float:
    """Evidence against "each of the independent trials fails with probability at most delta".

    The mean over stakes c of (1 - c + c/delta)^failures (1 - c)^(trials - failures).

    Parameters
    ----------
    failures, trials : int
        0 <= failures <= trials, trials >= 1.
    delta : float
        The claimed probability, in (0, 1).

    Returns
    -------
    float
        Above 1 where the trials speak against the claim; inf beyond the range of floats.

    Raises
    ------
    ValueError
        For counts that are not whole numbers in range, or delta outside (0, 1).

    Examples
    --------
    >>> failure_evalue(20, 100, 0.05) > 1000
    True
    >>> failure_evalue(5, 100, 0.05) < 1
    True
    """
    if not (is_plain(delta) and 1e-300 <= delta < 1):
        raise ValueError(f"delta = {delta!r} must be a probability in (0, 1)")
    _counts(failures, trials)
    logs = failures * np.log1p(STAKES * (1 / delta - 1)) + (trials - failures) * np.log1p(-STAKES)
    top = float(logs.max())
    return _power(top + math.log(float(np.mean(np.exp(logs - top)))))


def mean_evalue(x: ArrayLike, low: float, high: float, null: float) -> float:
    """Evidence against "the mean of these numbers in [low, high] is at most null".

    Parameters
    ----------
    x : array_like, shape (trials,)
        Independent draws of one law.
    low, high : float
        The range that is known for certain.
    null : float
        The claimed mean, strictly inside the range.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `x` leaves the range or `null` is not inside it.

    Examples
    --------
    >>> mean_evalue([0.4, 0.6] * 50, 0.0, 1.0, null=0.25) > 1000
    True
    """
    if not low < null < high:
        raise ValueError(f"null must lie strictly between low={low} and high={high}, got {null}")
    return _power(_log_wealth(_unit(x, low, high), (null - low) / (high - low)))


def _power(log: float) -> float:
    return math.exp(log) if log < 709 else math.inf
