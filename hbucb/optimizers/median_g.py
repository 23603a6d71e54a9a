"""The median of means as a zero-order method: its radius is its guarantee on the distance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.median_of_means import BlockMedians, FixedBlocks, MedianOfMeans
from hbucb.optimizers.guarantee import Guarantee
from hbucb.predicates import Predicate, central_moment, common_mean


@dataclass(frozen=True)
class MedianOfMeansG(Guarantee):
    """The radius of the median of means as g(k, delta) of order "zero", one-sided.

    A median minimises the sum of |x - y| over its points y, so the median of means is an exact
    minimiser of a zero-order problem. Its blocks depend on delta: the guarantee belongs to
    ``BlockMedians`` with ``FixedBlocks`` of the same delta.

    Parameters
    ----------
    estimator : MedianOfMeans
        With the moment order 1 + eps and the bound v.

    Examples
    --------
    >>> from hbucb.estimators import MedianOfMeans
    >>> MedianOfMeansG(MedianOfMeans(eps=1.0, v=1.0))([8, 400], 0.05).round(4)
    array([   inf, 1.2239])
    """

    estimator: MedianOfMeans = field(default_factory=MedianOfMeans)
    order = "zero"

    def __post_init__(self) -> None:
        if not isinstance(self.estimator, MedianOfMeans):
            raise ValueError(f"estimator = {self.estimator!r} must be a MedianOfMeans")

    def __call__(self, k: ArrayLike, delta: float) -> Any:
        return self.estimator.radius(np.asarray(k), delta)

    def needs(self) -> tuple[Predicate, ...]:
        return (common_mean(), central_moment(1 + self.estimator.eps, self.estimator.v))

    def proved_for(self, optimizer: Any, delta: float | None) -> str:
        if delta is not None and optimizer == BlockMedians(FixedBlocks(delta)):
            return ""
        return (
            f"it is proved for BlockMedians(FixedBlocks(delta)) at the policy's own delta = "
            f"{delta!r}, not for {optimizer!r}"
        )
