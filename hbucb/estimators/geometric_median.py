"""Geometric median of means: a point with the least sum of distances to the block means."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import as_numbers
from hbucb.estimators.checks import FloatArray, Level, as_counts, log_inverse, positive
from hbucb.estimators.median_of_means import BlockMedians, block_median
from hbucb.predicates import Predicate, central_moment

_STEPS = 200
#: A pull of unit vectors this little above the number of points that hold it is a rounding.
_ROUNDING = 1e-12


def geometric_median(points: FloatArray, tolerance: float = 1e-9) -> FloatArray:
    """A minimiser (d,) of the sum of distances to the points (k, d).

    One of the points, if the unit vectors to the others are too few to pull it away (Vardi and
    Zhang, 2000); else the sum is smooth where it is below its value at each of them, and damped
    Newton steps go down until one is below ``tolerance`` times the mean distance.

    Examples
    --------
    >>> geometric_median(np.array([[0.0, 1.0], [10.0, 2.0], [-10.0, 2.0]])).tolist()
    [0.0, 1.0]
    """
    points = as_numbers("points", points, "real numbers (k, d) are allowed")
    if points.ndim != 2 or not points.size or not np.isfinite(points).all():
        raise ValueError(f"points has shape {points.shape}; finite numbers (k, d) are allowed")
    positive("tolerance", tolerance)
    scale = float(np.abs(points).max())  # squares of distances must not overflow or vanish
    if scale == 0:
        return points[0].copy()
    # In two steps: the inverse of a subnormal number is infinite.
    points = np.ldexp(points, -math.frexp(scale)[1])
    return np.ldexp(_least_sum(points, tolerance), math.frexp(scale)[1])


def _least_sum(points: FloatArray, tolerance: float) -> FloatArray:
    costs = np.array([_distances(points, point).sum() for point in points])
    centre = points[costs.argmin()]
    distance = _distances(points, centre)
    weight = np.divide(1.0, distance, out=np.zeros_like(distance), where=distance > 0)
    pull = weight @ (points - centre)
    strength, here = float(np.linalg.norm(pull)), np.count_nonzero(distance == 0)
    if strength <= here + _ROUNDING * len(points):
        return centre
    step = pull / weight.sum() * (1 - here / strength)  # goes down from there
    for _ in range(_STEPS):
        cost, mean = distance.sum(), distance.mean()
        # What goes down by less is the rounding of the sum.
        while (distance := _distances(points, centre + step)).sum() > cost * (1 - 1e-15):
            step = step / 2
            if float(np.linalg.norm(step)) <= tolerance * mean:
                return centre
        centre = centre + step
        if float(np.linalg.norm(step)) <= tolerance * mean:
            return centre
        unit = (points - centre) / distance[:, None]
        curvature = (1 / distance).sum() * np.eye(centre.size) - (unit / distance[:, None]).T @ unit
        step = np.linalg.lstsq(curvature, unit.sum(axis=0))[0]
    raise ArithmeticError(f"no geometric median after {_STEPS} steps")


def _distances(points: FloatArray, centre: FloatArray) -> FloatArray:
    return np.sqrt(((points - centre) ** 2).sum(axis=1))


@dataclass(frozen=True)
class GeometricMedianOfMeans:
    """Geometric median of k = floor(3.5 ln(1/delta)) + 1 means of n // k consecutive samples.

    If the covariance has trace at most ``trace``, the estimate is farther than :meth:`radius` from
    the mean with probability at most delta: the *two-sided* level, that of the norm. For d = 1 it
    is the median of the block means, and each side fails with probability at most delta as well.

    Fewer than 2k samples: ValueError. Infinite samples: ValueError for d > 1 (distances are
    undefined); for d = 1 the estimate is finite while fewer than k/2 blocks are infinite. A nan,
    and for d = 1 both infinities in one block, raise ValueError.

    Parameters
    ----------
    trace : float
        Bound on the trace of the covariance (the variance for d = 1), squared reward units.

    Notes
    -----
    If more than (1-a) k of the block means lie within r of mu, their geometric median lies within
    (1-a) r / sqrt(1-2a) (the derivative towards mu would be negative farther out). With a = 7/18
    and r^2 = trace / (0.1 (n // k)) a block is bad with probability at most 0.1 (Chebyshev), and
    a k of them with probability at most exp(-.2916 k) <= delta. As n // k >= n/(2k) and
    k <= 3.5 ln(1.34/delta), the distance is at most 10.9 sqrt(trace ln(1.4/delta) / n); the rest
    up to 11 covers the iteration's tolerance.

    References
    ----------
    Minsker (2015), Corollary 4.1; its range k <= n/2.

    Examples
    --------
    >>> geometric = GeometricMedianOfMeans(trace=2.0)
    >>> x = np.array([[0.0, 1.0], [2.0, 1.0]] * 12)
    >>> geometric.estimate(x, delta=0.05).tolist()
    [1.0, 1.0]
    >>> float(geometric.radius(21, delta=0.05)), round(float(geometric.radius(400, delta=0.05)), 4)
    (inf, 1.4199)
    """

    trace: float = 1.0

    def __post_init__(self) -> None:
        positive("trace", self.trace)

    def blocks(self, delta: float) -> int:
        """k."""
        return math.floor(3.5 * log_inverse(delta)) + 1

    def estimate(self, x: ArrayLike, delta: float) -> float | FloatArray:
        """The estimate from samples (n, d): (d,); from samples (n,): a float. Reward units."""
        values = as_numbers("x", x, "samples must be real numbers")
        k = self.blocks(delta)
        if values.ndim not in (1, 2) or values.shape[0] < 2 * k or values.size == 0:
            raise ValueError(
                f"x has shape {values.shape}; it must be (n,) or (n, d) with n >= 2k = {2 * k}"
            )
        if np.isnan(values).any():
            raise ValueError("x holds a nan; rewards must be numbers")
        size = values.shape[0] // k
        if values.ndim == 1:
            with np.errstate(invalid="ignore"):
                median = block_median(values, k)  # type: ignore[arg-type]
                broken = np.isnan(values[: k * size].reshape(k, size).sum(axis=1)).any()
            if broken:
                raise ValueError("x holds both inf and -inf in one block, which has then no mean")
            return float(median)
        if not np.isfinite(values).all():
            raise ValueError("x holds an infinite entry; distances in d > 1 need finite rewards")
        means = values[: k * size].reshape(k, size, -1).mean(axis=1)
        return geometric_median(means)

    def radius(self, n: ArrayLike, delta: float) -> FloatArray:
        """11 sqrt(trace ln(1.4/delta) / n) for n >= 2k, inf for fewer samples."""
        n = as_counts(n)
        level = log_inverse(delta) + math.log(1.4)
        with np.errstate(divide="ignore"):
            width = 11 * np.sqrt(self.trace * level / n)
        return np.where(n >= 2 * self.blocks(delta), width, np.inf)

    def assumptions(self) -> tuple[Predicate, ...]:
        """Var X <= trace, for d = 1."""
        return (central_moment(2.0, self.trace),)

    def running(self, level: Level) -> BlockMedians:
        """Streaming form for d = 1, from 2k samples on."""
        return BlockMedians(_MinskerBlocks(self, level))


@dataclass(frozen=True)
class _MinskerBlocks:
    """k blocks at the level of round t."""

    offline: GeometricMedianOfMeans
    level: Level

    @property
    def moving(self) -> bool:
        return self.level.moving

    def limit(self, t: int) -> int:
        return self.offline.blocks(self.level.delta(t))

    def least(self) -> int:
        return 2 * self.limit(0)
