"""Widths of confidence ellipsoids: squared radii beta with |estimate - theta|^2_V <= beta.

All are in squared reward units. ``self_normalised_width`` is proved, ``log_log_width`` has the
third paper's form with a constant that the text does not give, ``experimental_width`` is what its
experiments use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_horizon, as_numbers, as_output
from hbucb.validate import nonnegative, open_probability, positive, whole_number


def self_normalised_width(
    log_det: ArrayLike, delta: float, sigma: float, regulariser: float, theta_bound: float
) -> np.ndarray | float:
    """(sigma sqrt(2 log(1 / delta) + log det(V / nu)) + sqrt(nu) B)^2, for all rounds at once.

    If the noise is sigma-sub-Gaussian given the past, features are chosen from the past, and
    |theta| <= B, then P(for some t: |estimate - theta|^2_V > width) <= delta.

    Parameters
    ----------
    log_det : array_like
        log det(V / nu) >= 0, for instance ``LeastSquares.log_det``; or its
        :func:`log_det_limit`.
    delta : float
        In (0, 1).
    sigma, theta_bound : float
        Of the noise, reward units; B >= 0.
    regulariser : float
        nu > 0.

    Returns
    -------
    ndarray or float
        Of the shape of ``log_det``.

    Raises
    ------
    ValueError
        For arguments out of range.

    References
    ----------
    Abbasi-Yadkori, Pal and Szepesvari (2011), Theorem 2.

    Examples
    --------
    >>> round(self_normalised_width(0.0, 0.01, 1.0, 1.0, 1.0), 3)
    16.28
    """
    grown = as_numbers("log_det", log_det, "it must be >= 0")
    if not (grown >= 0).all():
        raise ValueError(f"log_det = {log_det!r} must be >= 0")
    delta, sigma = open_probability("delta", delta), positive("sigma", sigma)
    lead = np.sqrt(positive("regulariser", regulariser)) * nonnegative("theta_bound", theta_bound)
    return as_output((sigma * np.sqrt(2 * np.log(1 / delta) + grown) + lead) ** 2)


def log_det_limit(
    rounds: ArrayLike, d: int, feature_bound: float, regulariser: float
) -> np.ndarray | float:
    """d log(1 + t L^2 / (nu d)), which log det(V / nu) never exceeds after t rounds.

    The determinant is the product of d eigenvalues whose sum is at most nu d + t L^2.

    Parameters
    ----------
    rounds : array_like of int
        t >= 1.
    d : int
    feature_bound : float
        L > 0, the largest length of a feature.
    regulariser : float
        nu > 0.

    Returns
    -------
    ndarray or float

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> round(log_det_limit(20_000, 3, 1.0, 1.0), 2)
    26.42
    """
    t, d = as_horizon(rounds), whole_number(d, "d", 1)
    share = positive("feature_bound", feature_bound) ** 2 / (positive("regulariser", regulariser))
    return as_output(d * np.log1p(t * share / d))


def log_log_width(
    horizon: ArrayLike, delta: float, sigma: float, d: int, kappa: float
) -> np.ndarray | float:
    """2 sigma^2 (1 + 1 / log n) log(1 / delta) + kappa sigma^2 d log(d log n).

    The form of c(n, delta) in the third paper's Theorem 1, modelled on Lattimore and Szepesvari
    (2017), Theorem 8. The universal constant ``kappa`` is not in the text; no value of it is
    proved here, so no bound of this package uses this width.

    Parameters
    ----------
    horizon : array_like of int
        n >= 3.
    delta : float
        In (0, 1).
    sigma : float
        Reward units.
    d : int
    kappa : float
        > 0.

    Returns
    -------
    ndarray or float

    Raises
    ------
    ValueError
        For arguments out of range.

    Examples
    --------
    >>> round(log_log_width(20_000, 1 / 20_000, 1.0, 3, kappa=1.0), 2)
    31.98
    """
    n = as_horizon(horizon)
    if not (n >= 3).all():
        raise ValueError(f"horizon = {horizon!r} must be at least 3, as log log n enters")
    delta, sigma = open_probability("delta", delta), positive("sigma", sigma)
    d, kappa = whole_number(d, "d", 1), positive("kappa", kappa)
    log_n = np.log(n)
    lead = 2 * (1 + 1 / log_n) * np.log(1 / delta)
    return as_output(sigma**2 * (lead + kappa * d * np.log(d * log_n)))


def experimental_width(
    count: ArrayLike, horizon: ArrayLike, sigma: float, d: int
) -> np.ndarray | float:
    """sigma^2 (log s + d log log n): without the factor 2 that any valid width needs.

    With s = t it is the threshold of the third paper's experiments, with s = S_t (the rounds of
    exploration so far) that of their bonus.

    Parameters
    ----------
    count : array_like
        s; values below 1 count as 1.
    horizon : array_like of int
        n >= 3.
    sigma : float
        Reward units.
    d : int

    Returns
    -------
    ndarray or float

    Raises
    ------
    ValueError
        For arguments out of range.

    References
    ----------
    Tirinzoni, Pirotta, Restelli and Lazaric (2020), section 6.

    Examples
    --------
    >>> round(experimental_width(20_000, 20_000, 1.0, 3), 2)
    16.78
    """
    s, n = as_numbers("count", count, "it must be numbers"), as_horizon(horizon)
    if not (n >= 3).all():
        raise ValueError(f"horizon = {horizon!r} must be at least 3, as log log n enters")
    if not np.isfinite(s).all():
        raise ValueError(f"count = {count!r} must be finite")
    sigma, d = positive("sigma", sigma), whole_number(d, "d", 1)
    return as_output(sigma**2 * (np.log(np.maximum(s, 1.0)) + d * np.log(np.log(n))))
