"""Bounds of EUCBV: Theorem 1 of its paper with its parts, Corollary 1, and a corrected theorem.

Conventions as in :mod:`hbucb.theory`. The chapter on EUCBV proves the corrected one, and shows the
run that refutes the printed one.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps, as_horizon, as_numbers, as_output, positive
from hbucb.assumptions import bound
from hbucb.elimination_bounds import last_round, unit_gaps

__all__ = [
    "GapParts",
    "eucbv_failure",
    "eucbv_gap_bound",
    "eucbv_gap_parts",
    "eucbv_regret",
    "eucbv_worst_bound",
]

_PAPER = "Mukherjee et al. 2018"


class GapParts(NamedTuple):
    """The three parts of Theorem 1, each a float or an array over the horizon, reward units."""

    leading: Any
    failure: Any
    small_gap: Any


def _variances(variances: ArrayLike, arms: int) -> FloatArray:
    allowed = "variances of rewards in [0, 1] lie in [0, 1/4]"
    values = as_numbers("variances", variances, allowed)
    if values.shape not in ((), (arms,)) or not ((values >= 0) & (values <= 0.25)).all():
        raise ValueError(f"variances is {variances!r}; {allowed}, one or one an arm")
    return np.broadcast_to(values, (arms,))


def _long_enough(horizon: FloatArray, arms: int) -> None:
    if horizon.size and horizon.min() < arms**2.4:
        raise ValueError(f"horizon is {horizon.min():g}; at least K^2.4 = {arms**2.4:.6g}")


def eucbv_gap_parts(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    variances: ArrayLike = 0.25,
    b: float | None = None,
    c0: float = 5888.0,
    c2: float = 2944.0,
    leading: str = "printed",
) -> GapParts:
    """The parts of Theorem 1: what it promises, the price of failures, and arms of gap <= b.

    leading: sum over gap > b of gap + 320 sigma_i^2 ln(T gap^2/K)/gap; failure: c0 K^4/T^{1/4} for
    each of these arms and c2 K^4/T^{1/4} for each arm with 0 < gap <= b; small_gap: T times the
    largest gap <= b.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        At most 1, reward units.
    horizon : array_like of int
        T, at least K^2.4.
    variances : float or array_like, shape (arms,)
        sigma_i^2, in [0, 1/4].
    b : float, optional
        At least sqrt(e/T), which it is if not given.
    c0, c2 : float
        The paper calls them integer constants; the defaults are what its proof gives.
    leading : {"printed", "variance_free"}
        "variance_free": 64 in place of 320 sigma_i^2, the last line before the false Lemma 6.

    Returns
    -------
    GapParts

    Raises
    ------
    ValueError
        Besides the usual: below K^2.4, for b below sqrt(e/T), for variances out of range.

    Examples
    --------
    >>> parts = eucbv_gap_parts([0.03] * 19 + [0.0], 60_000, variances=[0.0651] * 19 + [0.09])
    >>> f"{parts.leading:.4g} {parts.failure:.4g} {parts.small_gap:g}"
    '1.311e+04 1.144e+09 0'
    """
    values, total = unit_gaps(gaps), as_horizon(horizon)
    _long_enough(total, values.size)
    if leading not in ("printed", "variance_free"):
        raise ValueError(f"leading is {leading!r}; allowed: 'printed', 'variance_free'")
    sigma2 = _variances(variances, values.size)
    positive("c0", c0)
    positive("c2", c2)
    least = np.sqrt(math.e / total)
    if b is not None:
        positive("b", b)
        if b < least.max():
            raise ValueError(f"b is {b!r}; at least sqrt(e/T) = {least.max():.6g}")
    split = (least if b is None else np.full(total.shape, b))[..., None]
    large = values > split
    small = (values > 0) & ~large
    factor = 320 * sigma2 if leading == "printed" else np.full(values.size, 64.0)
    gap = np.where(values > 0, values, 1.0)
    # Below gap^2 T = K the printed logarithm is negative; it is taken as 0.
    log = np.log(np.maximum(total[..., None] * gap**2 / values.size, 1.0))
    main = np.where(large, gap + factor * log / gap, 0.0).sum(axis=-1)
    price = values.size**4 / total**0.25
    failure = (c0 * large.sum(axis=-1) + c2 * small.sum(axis=-1)) * price
    rest = np.where(small, values, 0.0).max(axis=-1) * total
    return GapParts(as_output(main), as_output(failure), as_output(rest))


@bound(
    algorithm="EUCBV",
    source=f"{_PAPER}, Theorem 1",
    status="refuted",
    needs=("rewards in [0, 1]", "T >= K^2.4", "rho = 1/2, psi = T/K^2"),
    rate="K^5 / T^{1/4} + sum sigma_i^2 ln(T gap^2/K) / gap",
)
def eucbv_gap_bound(
    gaps: ArrayLike,
    horizon: ArrayLike,
    *,
    variances: ArrayLike = 0.25,
    b: float | None = None,
    c0: float = 5888.0,
    c2: float = 2944.0,
    leading: str = "printed",
) -> Any:
    """Theorem 1 as printed: the sum of :func:`eucbv_gap_parts`.

    False for small variances: with two arms of variance 0 at 0 and 1, whatever c0 is, the regret
    grows with ln T and the printed sum does not.

    Parameters
    ----------
    gaps, horizon, variances, b, c0, c2, leading
        As in :func:`eucbv_gap_parts`.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(eucbv_gap_bound([0.0, 1.0], 10**20, variances=0.0), 3)
    1.942
    """
    parts = eucbv_gap_parts(gaps, horizon, variances=variances, b=b, c0=c0, c2=c2, leading=leading)
    return as_output(np.asarray(parts.leading) + parts.failure + parts.small_gap)


@bound(
    algorithm="EUCBV",
    source=f"{_PAPER}, Corollary 1",
    status="stated",
    needs=("rewards in [0, 1]", "T >= K^2.4", "rho = 1/2, psi = T/K^2", "all gaps equal"),
    rate="K^5 / T^{1/4} + sqrt(K T)",
)
def eucbv_worst_bound(
    gaps: ArrayLike, horizon: ArrayLike, *, variance: float = 0.25, c3: float = 8832.0
) -> Any:
    """Corollary 1: c3 K^5/T^{1/4} + 320 sigma_max^2 sqrt(K T), which is at most 80 sqrt(K T) more.

    It is stated for all gaps equal to sqrt(K ln K / T), where for variance 1/4 and ln K <= 6400 it
    holds for any policy, as the loss T gap is smaller.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Only their number K counts.
    horizon : array_like of int
        T, at least K^2.4.
    variance : float
        Largest variance, in [0, 1/4].
    c3 : float
        The paper calls it an integer constant; the default is what its proof gives.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(eucbv_worst_bound([0.0] * 20, 60_000), -6)
    1806000000.0
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    _long_enough(total, values.size)
    largest = float(_variances(variance, values.size).max())
    positive("c3", c3)
    main = 320 * largest * np.sqrt(values.size * total)
    return as_output(c3 * values.size**5 / total**0.25 + main)


def eucbv_failure(
    arms: int, horizon: ArrayLike, *, rho: float = 0.5, psi: float | None = None
) -> Any:
    """Bound on the probability that some interval of EUCBV ever misses its mean, at most 1.

    2 K (floor(ln T / ln a) + 1) e^{-x/a} with x = rho ln(psi T eps_{M+1}) and a = 1 + 1/x; 1 where
    x <= 0.

    Parameters
    ----------
    arms : int
        K.
    horizon : array_like of int
        T.
    rho, psi : float
        As in :class:`hbucb.EUCBV`.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> eucbv_failure(20, 60_000), round(eucbv_failure(2, 10**20), 13)
    (1.0, 3.11e-11)
    """
    total = as_horizon(horizon)
    positive("rho", rho)
    if psi is not None:
        positive("psi", psi)
    rounds = np.reshape([last_round(t) for t in total.ravel()], total.shape)
    log_psi = np.log(total / arms**2) if psi is None else math.log(psi)
    x = rho * (log_psi + np.log(total) - (rounds + 1) * math.log(2))
    safe = np.where(x > 0, x, 1.0)
    a = 1 + 1 / safe
    peels = np.floor(np.log(total) / np.log(a)) + 1
    claim = 2 * arms * peels * np.exp(-safe / a)
    return as_output(np.where(x > 0, np.minimum(claim, 1.0), 1.0))


@bound(
    algorithm="EUCBV",
    source=f"{_PAPER}, Theorem 1, replaced; proof in the book",
    status="corrected",
    needs=("rewards in [0, 1]",),
    rate="sum ln(T/K) / gap + K^2 T^{1/4} ln^2 T",
)
def eucbv_regret(
    gaps: ArrayLike, horizon: ArrayLike, *, rho: float = 0.5, psi: float | None = None
) -> Any:
    """Regret of EUCBV with the printed radius.

    sum over gap > 0 of (gap + (9/4) rho ln(psi T)/gap) + T Delta_max times
    :func:`eucbv_failure`.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        At most 1, reward units.
    horizon : array_like of int
        T.
    rho, psi : float
        As in :class:`hbucb.EUCBV`; psi = T/K^2 if not given.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> round(eucbv_regret([0.0, 1.0], 10**20), 1)
    3106321002.6
    """
    values, total = unit_gaps(gaps), as_horizon(horizon)
    failure = np.asarray(eucbv_failure(values.size, total, rho=rho, psi=psi))
    log_psi = np.log(total / values.size**2) if psi is None else math.log(psi)
    top = np.maximum(log_psi + np.log(total), 0.0)
    bad = values[values > 0]
    with np.errstate(over="ignore"):
        main = (bad + 2.25 * rho * top[..., None] / bad).sum(axis=-1)
    return as_output(main + total * values.max() * failure)
