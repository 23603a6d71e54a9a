"""How far apart two reward laws are, in nats, and what that means for telling worlds apart."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_output, positive

__all__ = [
    "bretagnolle_huber",
    "divergence",
    "kl_bernoulli",
    "kl_cauchy",
    "kl_gauss",
    "kl_laplace",
    "kl_location",
]


def kl_gauss(shift: ArrayLike, *, sigma: float = 1.0) -> Any:
    """KL divergence between N(0, sigma^2) and N(shift, sigma^2): shift^2 / (2 sigma^2) (nats).

    Examples
    --------
    >>> kl_gauss(0.5)
    0.125
    """
    positive("sigma", sigma)
    return as_output((np.asarray(shift, dtype=float) / sigma) ** 2 / 2)


def kl_cauchy(shift: ArrayLike, *, scale: float = 1.0) -> Any:
    """KL divergence between two Cauchy laws `shift` apart: ln(1 + shift^2 / (4 scale^2)) (nats).

    References
    ----------
    Chyzak and Nielsen (2019).

    Examples
    --------
    >>> round(kl_cauchy(2.0), 6)
    0.693147
    """
    positive("scale", scale)
    return as_output(np.log1p((np.asarray(shift, dtype=float) / scale) ** 2 / 4))


def kl_laplace(shift: ArrayLike, *, scale: float = 1.0) -> Any:
    """KL divergence between two Laplace laws `shift` apart: d + e^{-d} - 1, d = |shift| / scale.

    Examples
    --------
    >>> round(kl_laplace(1.0), 6)
    0.367879
    """
    positive("scale", scale)
    distance = np.abs(np.asarray(shift, dtype=float)) / scale
    return as_output(distance + np.expm1(-distance))


def kl_bernoulli(p: ArrayLike, q: ArrayLike) -> Any:
    """KL divergence between coins p and q: p ln(p/q) + (1-p) ln((1-p)/(1-q)) (nats).

    Raises
    ------
    ValueError
        If a probability is outside [0, 1].

    Examples
    --------
    >>> round(kl_bernoulli(0.5, 0.25), 6)
    0.143841
    """
    from scipy.special import rel_entr

    first, second = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    for name, value in (("p", first), ("q", second)):
        if not ((value >= 0) & (value <= 1)).all():
            raise ValueError(f"{name} is {value.tolist()}; probabilities in [0, 1] are allowed")
    return as_output(rel_entr(first, second) + rel_entr(1 - first, 1 - second))


def kl_location(noise: Any, shift: float) -> float:
    """KL divergence between a noise law and the same law moved by `shift`, by quadrature (nats).

    Parameters
    ----------
    noise : Noise
        Any law with ``pdf`` and ``ppf``.
    shift : float
        Reward units.

    Returns
    -------
    float
        inf if the moved law misses part of the first one's support, also if it does so in floating
        point only: for a normal law the quadrature ends at about 30 standard deviations.

    Raises
    ------
    ValueError
        If `shift` is not finite.

    Examples
    --------
    >>> import hbucb as hb
    >>> round(kl_location(hb.noise.Cauchy(), 2.0), 6)
    0.693147
    """
    from scipy.integrate import quad

    if not math.isfinite(shift):
        raise ValueError(f"shift is {shift!r}; it must be a finite number")
    # The support is the smallest interval that carries the law: moved away from a finite end, it
    # leaves some mass behind, however small. A one-sided support moved outward covers all.
    low, high = noise.support
    if (shift > 0 and math.isfinite(low)) or (shift < 0 and math.isfinite(high)):
        return math.inf

    def log_ratio(u: float) -> float:
        x = noise.ppf(u)
        with np.errstate(divide="ignore", over="ignore"):
            return float(np.log(noise.pdf(x) / noise.pdf(x - shift)))

    # In quantile space a heavy tail is a bounded integrand on [0, 1].
    parts = [0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0]
    pieces = (quad(log_ratio, a, b, limit=200)[0] for a, b in itertools.pairwise(parts))
    return float(sum(pieces))


def divergence(pulls: ArrayLike, kl: ArrayLike) -> float:
    """Divergence between the histories of two bandits under one policy: sum_i E[n_i] KL_i.

    Parameters
    ----------
    pulls : array_like, shape (arms,)
        Expected pulls in the first bandit.
    kl : array_like, shape (arms,)
        Divergence of the first bandit's arm from the second's (nats); may be inf.

    Returns
    -------
    float
        Nats. An arm that is never pulled adds 0, also where its `kl` is inf.

    Raises
    ------
    ValueError
        If the shapes differ or an entry is not >= 0.

    Examples
    --------
    >>> divergence([90, 10], [0.0, 0.02])
    0.2
    """
    counts, each = np.asarray(pulls, dtype=float), np.asarray(kl, dtype=float)
    if counts.ndim != 1 or counts.shape != each.shape:
        raise ValueError(f"pulls has shape {counts.shape}, kl {each.shape}; one each an arm")
    if not ((counts >= 0).all() and (each >= 0).all()):
        raise ValueError(f"pulls is {counts.tolist()}, kl {each.tolist()}; each must be >= 0")
    played = counts > 0
    return float(counts[played] @ each[played])


def bretagnolle_huber(kl: ArrayLike) -> Any:
    """Least sum of the two error probabilities of any test: exp(-KL) / 2.

    P(A) + Q(not A) >= exp(-KL(P, Q)) / 2 for every event A, and with any [0, 1]-valued statistic
    in place of A.

    Raises
    ------
    ValueError
        If `kl` is not >= 0.

    References
    ----------
    Bretagnolle and Huber (1979).

    Examples
    --------
    >>> bretagnolle_huber(0.0)
    0.5
    """
    values = np.asarray(kl, dtype=float)
    if not (values >= 0).all():
        raise ValueError(f"kl is {kl!r}; it must be >= 0")
    return as_output(np.exp(-values) / 2)
