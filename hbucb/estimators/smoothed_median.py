"""Smoothed median of means: the median of 2m + 1 block means, each with a little noise added."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import is_plain
from hbucb.estimators.checks import FloatArray, Level, as_counts, as_samples, log_inverse, positive
from hbucb.estimators.median_of_means import BlockMedians
from hbucb.predicates import Predicate, noise_moment, symmetric


def _whole(name: str, value: int, least: int) -> None:
    if not (is_plain(value) and value % 1 == 0 and least <= value <= 10**6):
        raise ValueError(f"{name} = {value!r} must be an integer >= {least} (to 10^6)")


def _order(alpha: float) -> None:
    if not (is_plain(alpha) and 0 < alpha <= 2):
        raise ValueError(f"alpha = {alpha!r} must be in (0, 2]")


def smom_has_mean(tail_index: float, m: int) -> bool | None:
    """Whether the median of 2m + 1 draws has a mean: (m + 1) tail_index > 1 yes, < 1 no.

    None if the two are equal: the index alone does not decide. The tail of the median is that of
    the draws to the power m + 1, and means of n draws keep the tail index.

    Examples
    --------
    >>> [smom_has_mean(1.0, 1), smom_has_mean(0.4, 1), smom_has_mean(1.0, 0)]
    [True, False, None]
    """
    return _moment_exists(tail_index, m, 1.0)


def smom_has_variance(tail_index: float, m: int) -> bool | None:
    """Whether the median of 2m + 1 draws has a variance: (m + 1) tail_index > 2 yes, < 2 no.

    None if the two are equal (infinite for Cauchy, m = 1; finite for a tail x^-1 (ln x)^-2).

    Examples
    --------
    >>> [smom_has_variance(1.0, 2), smom_has_variance(1.0, 0), smom_has_variance(1.0, 1)]
    [True, False, None]
    """
    return _moment_exists(tail_index, m, 2.0)


def _moment_exists(tail_index: float, m: int, order: float) -> bool | None:
    _whole("m", m, 0)
    if not (is_plain(tail_index) and tail_index > 0):
        raise ValueError(f"tail_index = {tail_index!r} must be above 0")
    index = (m + 1) * tail_index
    return None if index == order else index > order


def smom_variance_bound(alpha: float, sigma: float, m: int, n: int = 1) -> float:
    """Bound on the variance of the median of 2m + 1 means of n draws, symmetric noise, theta = 0.

    x0^2 a / (a - 2), a = alpha (m + 1) and
    x0 = (n^(1-alpha) sigma^alpha C(2m+1, m+1)^(1/(m+1)))^(1/alpha): P(|median| > x) <= (x0/x)^a.
    inf unless a > 2. The median is unbiased.

    Parameters
    ----------
    alpha, sigma : float
        E|xi|^alpha <= sigma^alpha, alpha in (0, 2]; sigma in reward units.
    m, n : int
        2m + 1 blocks of n draws.

    Returns
    -------
    float
        Squared reward units.

    Notes
    -----
    E|mean of n|^alpha <= n^(1-alpha) sigma^alpha: subadditivity for alpha <= 1, von Bahr and Esseen
    (1965) for symmetric laws above. |median| > x needs m + 1 of the 2m + 1 means beyond x.

    Examples
    --------
    >>> round(smom_variance_bound(2.0, 1.0, m=1), 6)  # x0^4 = 3
    3.464102
    >>> smom_variance_bound(1.0, 1.0, m=1)
    inf
    """
    _order(alpha)
    positive("sigma", sigma)
    _whole("m", m, 0)
    _whole("n", n, 1)
    a = alpha * (m + 1)
    if a <= 2:
        return math.inf
    return _edge(alpha, sigma, m, n, math.comb(2 * m + 1, m + 1)) ** 2 * a / (a - 2)


def _edge(alpha: float, sigma: float, m: int, n: float, ways: float) -> float:
    return float(sigma * (n ** (1 - alpha) * ways ** (1 / (m + 1))) ** (1 / alpha))


def cauchy_median_variance(m: int) -> float:
    """Variance of the median of 2m + 1 standard Cauchy draws, by quadrature; inf for m < 2.

    Examples
    --------
    >>> round(cauchy_median_variance(2), 5), round(cauchy_median_variance(3), 5)
    (1.22125, 0.61208)
    """
    from scipy.integrate import quad

    _whole("m", m, 0)
    if m < 2:
        return math.inf
    ways = math.factorial(2 * m + 1) / math.factorial(m) ** 2

    def integrand(u: float) -> float:  # tan^2(pi (u - 1/2)) over the density of the rank
        return (u * (1 - u)) ** m * (math.cos(math.pi * u) / math.sin(math.pi * u)) ** 2

    return float(2 * ways * quad(integrand, 0.0, 0.5, epsabs=0.0, epsrel=1e-12)[0])


@dataclass(frozen=True)
class _OddBlocks:
    """2m + 1 blocks at all times."""

    m: int
    moving = False

    def limit(self, t: int) -> int:
        return 2 * self.m + 1

    def least(self) -> int:
        return 2 * (2 * self.m + 1)


@dataclass(frozen=True)
class SmoothedMedianOfMeans:
    """Median of the means of 2m + 1 consecutive blocks of n // (2m + 1) samples + theta N(0, 1).

    For symmetric noise with E|xi|^alpha <= sigma^alpha and theta = 0, the estimate exceeds the
    location by :meth:`radius` with probability at most delta, and falls below it by as much with
    probability at most delta (one side each).

    m blocks may be infinite; a block that holds inf and -inf, and a nan, raise ValueError.

    Parameters
    ----------
    m : int
        2m + 1 blocks.
    theta : float
        Standard deviation of the smoothing, reward units; 0 for symmetric noise.
    alpha, sigma : float
        The moment; only the radius uses it. alpha in (0, 2].

    References
    ----------
    Puchkin, Gorbunov, Kutuzov and Gasnikov (2023) for the estimator; the radius is Markov's
    inequality for m + 1 blocks.

    Examples
    --------
    >>> smom = SmoothedMedianOfMeans(m=1, alpha=2.0, sigma=1.0)
    >>> smom.estimate([0.0, 2.0, 3.0, 5.0, 90.0, 10.0], delta=0.1)
    4.0
    >>> float(smom.radius(2, delta=0.05)), round(float(smom.radius(300, delta=0.05)), 4)
    (inf, 0.1968)
    """

    m: int = 2
    theta: float = 0.0
    alpha: float = 1.0
    sigma: float = 1.0

    def __post_init__(self) -> None:
        _whole("m", self.m, 0)
        if not (is_plain(self.theta) and 0 <= self.theta < math.inf):
            raise ValueError(f"theta = {self.theta!r} must be finite and >= 0")
        _order(self.alpha)
        positive("sigma", self.sigma)

    def estimate(
        self, x: ArrayLike, delta: float | None = None, normals: Sequence[float] = ()
    ) -> float:
        """The estimate from all samples ``x`` (n,), in reward units; delta is not used.

        ``normals`` are the 2m + 1 standard normal numbers of the smoothing (none if theta = 0).
        """
        blocks = 2 * self.m + 1
        values = as_samples(x, blocks)
        if len(normals) != (blocks if self.theta else 0):
            raise ValueError(
                f"normals has {len(normals)} entries; theta = {self.theta!r} needs "
                f"{blocks if self.theta else 0}"
            )
        size = values.size // blocks
        with np.errstate(invalid="ignore"):
            means = np.add.reduceat(values[: blocks * size], np.arange(blocks) * size) / size
        if np.isnan(means).any():
            raise ValueError("x holds both inf and -inf in one block, which has then no mean")
        if self.theta:
            means += self.theta * np.asarray(normals, dtype=float)
        return float(np.sort(means)[self.m])

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """sigma (C(2m+1, m+1) / (2^(m+1) delta))^(1/a) b^(1/alpha - 1), b = n // (2m + 1).

        a = alpha (m + 1); it grows with n if alpha < 1. inf for b = 0 and for theta > 0.
        """
        log_inverse(delta)
        m, a = self.m, self.alpha * (self.m + 1)
        size = as_counts(n) // (2 * m + 1)
        if self.theta:
            return np.full(size.shape, np.inf)
        ways = math.comb(2 * m + 1, m + 1) / 2 ** (m + 1)
        width = self.sigma * (ways / delta) ** (1 / a)
        return np.where(size > 0, width * np.maximum(size, 1.0) ** (1 / self.alpha - 1), np.inf)

    def assumptions(self) -> tuple[Predicate, ...]:
        """Symmetric noise with E|xi|^alpha <= sigma^alpha."""
        return (symmetric(), noise_moment(self.alpha, self.sigma**self.alpha))

    def running(self, level: Level) -> BlockMedians:
        """Streaming form from 2 (2m + 1) samples on; ValueError unless theta is 0."""
        if self.theta:
            raise ValueError(f"theta = {self.theta!r} must be 0; ClippedSGD smooths a stream")
        return BlockMedians(_OddBlocks(self.m))
