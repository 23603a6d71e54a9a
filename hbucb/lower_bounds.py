"""What no policy can beat: lower bounds from pairs of worlds.

Conventions as in :mod:`hbucb.theory`. Proofs: the chapter "Bandits and regret".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_gaps, as_horizon, as_output, moment_order, positive
from hbucb.assumptions import bound

__all__ = [
    "gaussian_minimax_lower",
    "heavy_tail_lower",
    "lai_robbins",
    "lai_robbins_constant",
    "two_worlds_lower",
]

KL = Callable[[float], float]


@bound(
    algorithm="any policy",
    source="two-point method of Le Cam; proof in the book",
    status="proved",
    needs=("two arms", "divergence kl of one reward between the worlds"),
    rate="gap T exp(-kl T)",
)
def two_worlds_lower(gaps: ArrayLike, horizon: ArrayLike, *, kl: float) -> Any:
    """Lower bound on the worse of two regrets: (gap T / 4) exp(-kl T).

    World one has locations (gap, 0), world two (gap, 2 gap); `kl` is the divergence between one
    reward of arm two in the two worlds. Every policy has at least this regret in one of them.

    Parameters
    ----------
    gaps : array_like, shape (2,)
        (0, gap), reward units.
    horizon : array_like of int
        T.
    kl : float
        Nats.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> from hbucb.divergences import kl_gauss
    >>> round(two_worlds_lower([0.0, 0.1], 50, kl=kl_gauss(0.2)), 4)
    0.4598
    """
    values, total = as_gaps(gaps), as_horizon(horizon)
    if values.size != 2:
        raise ValueError(f"gaps has {values.size} entries; the two worlds have two arms")
    if not kl >= 0:
        raise ValueError(f"kl is {kl!r}; it must be >= 0")
    return as_output(values.max() * total / 4 * np.exp(-kl * total))


@bound(
    algorithm="any policy",
    source="Lattimore & Szepesvari 2020, Theorem 15.2, constant improved; proof in the book",
    status="proved",
    needs=("Gaussian noise", "at least two arms; the worst locations for the policy"),
    rate="sigma sqrt(K T)",
)
def gaussian_minimax_lower(gaps: ArrayLike, horizon: ArrayLike, *, sigma: float = 1.0) -> Any:
    """Regret of any policy at its worst locations: sigma e^{-1/2} sqrt((K-1) T) / 8.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Only their number K counts.
    horizon : array_like of int
        T.
    sigma : float
        Standard deviation of the noise, reward units.

    Returns
    -------
    float or ndarray
        Reward units.

    Notes
    -----
    The constant e^{-1/2}/8 = 0.0758 is about twice the textbook's 1/27, because the proof counts
    pulls instead of asking whether an arm got more than half of them.

    Examples
    --------
    >>> round(gaussian_minimax_lower([0.0] * 10, 10_000), 3)
    22.745
    """
    positive("sigma", sigma)
    values, total = as_gaps(gaps), as_horizon(horizon)
    return as_output(sigma * math.exp(-0.5) / 8 * np.sqrt((values.size - 1) * total))


@bound(
    algorithm="any policy",
    source="order: Bubeck, Cesa-Bianchi & Lugosi 2013, Theorem 1; constant proved in the book",
    status="proved",
    needs=("E|X|^{1+eps} <= u and no more (no symmetry)", "T >= 9 eps (K-1) / (4 (1+eps))"),
    rate="u^{1/(1+eps)} K^{eps/(1+eps)} T^{1/(1+eps)}",
)
def heavy_tail_lower(
    gaps: ArrayLike, horizon: ArrayLike, *, eps: float = 1.0, u: float = 1.0
) -> Any:
    """Regret of any policy on the class E|X|^{1+eps} <= u, at its worst bandit.

    (1/12) (9w/(8e))^w u^{1-w} (K-1)^w T^{1-w} with w = eps/(1+eps); 0 below
    T = (9w/4)(K-1), where the construction needs more pulls. Gaps are gaps of means.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Only their number K counts.
    horizon : array_like of int
        T.
    eps : float
        Moment order above one, in (0, 1].
    u : float
        Bound on the raw moment E|X|^{1+eps}.

    Returns
    -------
    float or ndarray
        Reward units.

    Notes
    -----
    The coefficient falls from 1/12 (eps to 0) to 0.0379 (eps = 1). The worst laws are two-point
    laws {0, x}: asymmetric, so there is no contradiction with sqrt(T) under symmetry.

    Examples
    --------
    >>> round(heavy_tail_lower([0.0] * 10, 10_000, eps=0.5), 2)
    41.57
    """
    moment_order(eps)
    positive("u", u)
    values, total = as_gaps(gaps), as_horizon(horizon)
    w, others = eps / (1 + eps), values.size - 1
    constant = (9 * w / (8 * math.e)) ** w / 12
    regret = constant * u ** (1 - w) * others**w * total ** (1 - w)
    return as_output(np.where(total >= 2.25 * w * others, regret, 0.0))


def lai_robbins_constant(gaps: ArrayLike, kl: KL) -> float:
    """The number sum_i gap_i / KL(gap_i) over bad arms, the least slope of regret against ln T.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    kl : callable
        Divergence (nats) of a reward law from the same law moved up by a gap. Where it is inf the
        arm adds 0: the theorem says nothing about it.

    Returns
    -------
    float
        Reward units.

    Raises
    ------
    ValueError
        If `kl` is not above 0 at a gap above 0 (two different laws have a divergence above 0).

    Examples
    --------
    >>> import numpy as np
    >>> from hbucb.divergences import kl_cauchy
    >>> round(lai_robbins_constant(np.arange(10), kl_cauchy), 3)
    26.004
    """
    values = as_gaps(gaps)
    total = 0.0
    for gap in values[values > 0].tolist():
        told = float(kl(gap))
        if not told > 0:
            raise ValueError(f"kl({gap!r}) is {told!r}; it must be above 0")
        total += gap / told
    return total


@bound(
    algorithm="any consistent policy",
    source="Lai & Robbins 1985, Theorem 1, for location families",
    status="proved",
    needs=("one known law moved by the location", "regret o(T^a) for every a > 0", "T to infinity"),
    rate="sum (gap / KL(gap)) ln T",
)
def lai_robbins(gaps: ArrayLike, horizon: ArrayLike, *, kl: KL) -> Any:
    """The asymptotic lower bound, ln T times :func:`lai_robbins_constant`.

    It is a statement about the limit of R_T / ln T: at a given T a good policy may be below.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    horizon : array_like of int
        T.
    kl : callable
        Divergence (nats) of a reward law from the same law moved up by a gap.

    Returns
    -------
    float or ndarray
        Reward units.

    Examples
    --------
    >>> import numpy as np
    >>> from hbucb.divergences import kl_cauchy
    >>> round(lai_robbins(np.arange(10) / 10, 10_000, kl=kl_cauchy), 1)
    1062.6
    """
    return as_output(lai_robbins_constant(gaps, kl) * np.log(as_horizon(horizon)))
