"""Regret of MOSS with proved constants, as pure functions (the policy imports and checks them).

Conventions as in :mod:`hbucb.theory`: upper bounds on the expected pseudo-regret, inf beyond the
range of floats. The proofs are in the book's chapter "One index, many radii".
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_numbers, as_output
from hbucb.assumptions import bound
from hbucb.validate import whole_number

__all__ = ["moss_clear_pulls", "moss_failure", "moss_gap_free", "moss_gap_regret"]

#: Shares of an arm's gap that are tried as the depth at which the best arm fails it.
_SHARES = np.linspace(0.02, 0.8, 40)
_NEEDS = ("1/2-sub-Gaussian rewards, as all in [0, 1]", "T known to the index")


def _share(depth: FloatArray, arms: int, horizon: ArrayLike) -> FloatArray:
    """T depth^2 / K, the scale on which MOSS tells a gap from none."""
    pulls = as_horizon(horizon) / whole_number(arms, "arms", 1)
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(pulls * depth**2)


def moss_failure(depth: ArrayLike, arms: int, horizon: ArrayLike) -> Any:
    """Probability that the index of an arm is ever as low as its mean minus `depth`, at most.

    min(1, 1.41 (K / (T depth^2))^1.94), for rewards that are 1/2-sub-Gaussian.

    Parameters
    ----------
    depth : array_like
        How far below the mean, in reward units, >= 0.
    arms : int
        K of the index.
    horizon : array_like of int
        T of the index.

    Returns
    -------
    float or ndarray
        Probability, broadcast over `depth` and `horizon`.

    Raises
    ------
    ValueError
        If `depth` is negative, or `arms` or `horizon` no whole number >= 1.

    Examples
    --------
    >>> round(moss_failure(0.1, arms=10, horizon=10_000), 4)
    0.0162
    """
    below = as_numbers("depth", depth, "numbers >= 0 are allowed")
    if not (below >= 0).all():
        raise ValueError(f"depth is {depth!r}; numbers >= 0 are allowed")
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        chance = 1.41 * _share(below, arms, horizon) ** -1.94
    return as_output(np.minimum(chance, 1.0))


def moss_clear_pulls(depth: ArrayLike, arms: int, horizon: ArrayLike) -> Any:
    """Expected number of counts n >= 1 at which an index is above its arm's mean by `depth`.

    At most (l + sqrt(pi l / 2) + 1/2) / depth^2, where l e^l = T depth^2 / K: Lambert's function.

    Parameters
    ----------
    depth : array_like
        How far above the mean, in reward units, > 0.
    arms : int
        K of the index.
    horizon : array_like of int
        T of the index.

    Returns
    -------
    float or ndarray
        Pulls, broadcast over `depth` and `horizon`.

    Raises
    ------
    ValueError
        If `depth` is not above 0, or `arms` or `horizon` no whole number >= 1.

    Examples
    --------
    >>> round(moss_clear_pulls(0.2, arms=2, horizon=20_000), 1)
    191.1
    """
    # Imported here: scipy.special takes longer to import than the rest of the package.
    from scipy.special import lambertw

    above = as_numbers("depth", depth, "numbers > 0 are allowed")
    if not (above > 0).all():
        raise ValueError(f"depth is {depth!r}; numbers > 0 are allowed")
    # Beyond the range of floats the pulls are below 1e-100, whatever the level.
    level = lambertw(np.minimum(_share(above, arms, horizon), 1e300)).real
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        return as_output((level + np.sqrt(math.pi / 2 * level) + 0.5) / above**2)


@bound(
    algorithm="MOSS",
    source="proved in the book: Ville's inequality on blocks with averaged ends",
    status="proved",
    needs=_NEEDS,
    rate="sum ln(T gap^2/K) / gap + K / least gap",
)
def moss_gap_regret(gaps: ArrayLike, horizon: ArrayLike) -> Any:
    """Regret of MOSS from its gaps, the least value over a share c and a threshold.

    Arms with a gap above the threshold cost gap + gap N((1-c) gap) each, where N is
    :func:`moss_clear_pulls`; a best arm that fails them costs T times the mean of the largest gap
    it fails, by :func:`moss_failure` at depth c gap; the other arms cost T times the threshold.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.

    Returns
    -------
    float or ndarray
        Reward units; never above T times the largest gap, the value with no arm above the
        threshold: where it equals that, the theorem says nothing. It may fall in T: an index
        with another T is another player.

    Examples
    --------
    >>> round(moss_gap_regret([0.0, 0.2], 20_000), 1)
    73.6
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    arms = values.size
    levels, many = np.unique(values, return_counts=True)
    steps = np.diff(levels)
    levels, many = levels[1:], many[1:]
    if not levels.size:
        return as_output(np.zeros(total.shape))
    least = total * levels[-1]
    each = total[..., None]
    for share in _SHARES:
        fail = each * steps * moss_failure(share * levels, arms, each)
        with np.errstate(over="ignore"):
            pulls = 1 + moss_clear_pulls((1 - share) * levels, arms, each)
            cost = fail + many * levels * pulls
        # Threshold below level i: levels i, i+1, ... are clear, T times level i-1 for the rest.
        clear = np.cumsum(cost[..., ::-1], axis=-1)[..., ::-1]
        paid = each * np.concatenate([[0.0], levels[:-1]])
        least = np.minimum(least, (clear + paid).min(axis=-1))
    return as_output(least)


@bound(
    algorithm="MOSS",
    source="from moss_gap_regret at c = 2/5 and the threshold 3 sqrt(K/T)",
    status="proved",
    needs=_NEEDS,
    rate="sqrt(K T)",
)
def moss_gap_free(gaps: ArrayLike, horizon: ArrayLike) -> Any:
    """Regret of MOSS at its worst gaps: 6.5 sqrt(K T) + the sum of the gaps.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Their number K, and their sum in the second term.
    horizon : array_like of int
        T.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> moss_gap_free([0.0, 0.5], 20_000)
    1300.5
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    with np.errstate(over="ignore"):
        return as_output(6.5 * np.sqrt(values.size * total) + values.sum())
