"""Limits of a probability from counts: exact (Clopper and Pearson) and short (Wilson)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hbucb.arguments import as_numbers, is_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def _level(level: float) -> float:
    if not (is_number(level) and 0.0 < level < 1.0):
        raise ValueError(f"level must lie strictly between 0 and 1, got {level!r}")
    return level


def _counts(successes: ArrayLike, trials: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    allowed = "whole numbers are allowed"
    given = [np.asarray(successes), np.asarray(trials)]
    for name, value in zip(("successes", "trials"), given, strict=True):
        as_numbers(name, value, allowed)
        if not np.issubdtype(value.dtype, np.integer):
            raise ValueError(f"{name} must be integers, got {value.dtype}")
    shapes = [value.shape for value in given]
    try:
        # 64 bits: a narrow integer would wrap around in sums and products.
        k, n = np.broadcast_arrays(*(value.astype(np.int64) for value in given))
    except ValueError as error:
        raise ValueError(f"successes and trials have shapes {shapes}, which differ") from error
    if (n < 1).any() or (k < 0).any() or (k > n).any():
        raise ValueError(
            "need trials >= 1 and 0 <= successes <= trials, got "
            f"successes={successes!r}, trials={trials!r}"
        )
    return k, n


def clopper_pearson(
    successes: ArrayLike, trials: ArrayLike, level: float = 0.99
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Exact limits of a probability (Clopper and Pearson 1934), vectorised.

    Parameters
    ----------
    successes, trials : array_like of int
        Counts, broadcast against each other; 0 <= successes <= trials, trials >= 1.
    level : float
        Two-sided confidence; each limit fails with probability at most ``(1 - level) / 2``.

    Returns
    -------
    low, high : ndarray of float

    Raises
    ------
    ValueError
        For counts that are not whole numbers in range, or a level outside (0, 1).

    Examples
    --------
    >>> low, high = clopper_pearson(0, 120)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0000 0.0432
    """
    from scipy.special import betaincinv

    half = 0.5 * (1.0 - _level(level))
    k, n = _counts(successes, trials)
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, half), 0.0)
    inner = np.minimum(k, n - 1)
    high = np.where(k < n, betaincinv(inner + 1, n - inner, 1.0 - half), 1.0)
    return low, high


def wilson(
    successes: ArrayLike, trials: ArrayLike, level: float = 0.99
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Score limits of a probability (Wilson 1927), vectorised: close to exact, and short.

    Parameters
    ----------
    successes, trials : array_like of int
        As in `clopper_pearson`.
    level : float
        Nominal two-sided confidence.

    Returns
    -------
    low, high : ndarray of float

    Raises
    ------
    ValueError
        As in `clopper_pearson`.

    Examples
    --------
    >>> low, high = wilson(12, 120, level=0.95)
    >>> print(f"{low:.4f} {high:.4f}")
    0.0581 0.1667
    """
    from scipy.special import ndtri

    z = float(ndtri(1.0 - 0.5 * (1.0 - _level(level))))
    k, n = _counts(successes, trials)
    share = k / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the two ends one limit is the end itself, which rounding would miss.
    return np.where(k > 0, centre - half, 0.0), np.where(k < n, centre + half, 1.0)
