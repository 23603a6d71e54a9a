"""Offline estimates of many samples at once: one row, one sample of n rewards.

For each row the same number as the estimator's own ``estimate`` (up to the order of sums), by array
operations over all rows where the estimator allows it, by a loop where it does not.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from hbucb.estimators.catoni import Catoni
from hbucb.estimators.catoni_roots import roots
from hbucb.estimators.checks import FloatArray, log_inverse
from hbucb.estimators.geometric_median import GeometricMedianOfMeans
from hbucb.estimators.hodges_lehmann import HodgesLehmann, signed_rank_rank
from hbucb.estimators.mean import SampleMean
from hbucb.estimators.median_of_means import MedianOfMeans
from hbucb.estimators.order_statistics import OrderStatistic, upper_rank
from hbucb.estimators.recomputed import each_row
from hbucb.estimators.sample_median import SampleMedian
from hbucb.estimators.smoothed_median import SmoothedMedianOfMeans
from hbucb.estimators.truncated_mean import TruncatedMean


@singledispatch
def estimate_rows(estimator: Any, x: FloatArray, delta: float) -> FloatArray:
    """Estimates (rows,) of the samples x (rows, n), in reward units.

    Examples
    --------
    >>> estimate_rows(SampleMedian(), np.array([[3.0, 1.0, 2.0], [5.0, 5.0, 0.0]]), 0.1).tolist()
    [2.0, 5.0]
    """
    return each_row(estimator, x.ravel(), np.full(len(x), x.shape[1]), delta)


@estimate_rows.register
def _(estimator: SampleMean, x: FloatArray, delta: float) -> FloatArray:
    return x.mean(axis=1)


@estimate_rows.register
def _(estimator: SampleMedian, x: FloatArray, delta: float) -> FloatArray:
    n = x.shape[1]
    ends = np.partition(x, [(n - 1) // 2, n // 2], axis=1)
    return (ends[:, (n - 1) // 2] + ends[:, n // 2]) / 2


@estimate_rows.register
def _(estimator: Catoni, x: FloatArray, delta: float) -> FloatArray:
    rows, n = x.shape
    scale = np.full(rows, float(estimator.scale(n, delta)))
    return roots(x.ravel(), np.full(rows, n), scale, np.median(x, axis=1))[0]


@estimate_rows.register
def _(estimator: TruncatedMean, x: FloatArray, delta: float) -> FloatArray:
    kept = estimator.keys(x, np.arange(1.0, x.shape[1] + 1)) >= log_inverse(delta)
    return np.where(kept, x, 0.0).mean(axis=1)


def _median_of_blocks(x: FloatArray, k: int) -> FloatArray:
    rows, size = len(x), x.shape[1] // k
    return np.median(x[:, : k * size].reshape(rows, k, size).mean(axis=2), axis=1)


@estimate_rows.register
def _(estimator: MedianOfMeans, x: FloatArray, delta: float) -> FloatArray:
    return _median_of_blocks(x, estimator.blocks(x.shape[1], delta))


@estimate_rows.register
def _(estimator: GeometricMedianOfMeans, x: FloatArray, delta: float) -> FloatArray:
    return _median_of_blocks(x, estimator.blocks(delta))


@estimate_rows.register
def _(estimator: SmoothedMedianOfMeans, x: FloatArray, delta: float) -> FloatArray:
    if estimator.theta:
        raise ValueError(f"theta = {estimator.theta!r} must be 0: rows hold no normal numbers")
    return _median_of_blocks(x, 2 * estimator.m + 1)


@singledispatch
def upper_rows(estimator: Any, x: FloatArray, delta: float) -> FloatArray:
    """Upper limits (rows,) from the samples x (rows, n), in reward units.

    Examples
    --------
    >>> upper_rows(OrderStatistic(), np.array([[5.0, 1.0, 2.0, 9.0, 3.0]]), 0.2).tolist()
    [5.0]
    """
    raise ValueError(f"estimator = {estimator!r} has no upper limit")


@upper_rows.register
def _(estimator: OrderStatistic, x: FloatArray, delta: float) -> FloatArray:
    rank, n = int(upper_rank(x.shape[1], delta)), x.shape[1]
    if rank > n:
        return np.full(len(x), np.inf)
    return np.partition(x, rank - 1, axis=1)[:, rank - 1]


@upper_rows.register
def _(estimator: HodgesLehmann, x: FloatArray, delta: float) -> FloatArray:
    n = x.shape[1]
    rank = signed_rank_rank(n, delta)
    if rank > n * (n + 1) // 2:
        return np.full(len(x), np.inf)
    i, j = np.triu_indices(n)
    return np.partition(x[:, i] / 2 + x[:, j] / 2, rank - 1, axis=1)[:, rank - 1]
