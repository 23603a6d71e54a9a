"""Table 1 of the second paper as functions, and the hardness of a bandit that it speaks of.

Orders are printed with constant one: they say how a bound grows, not how large it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from hbucb.arguments import FloatArray, as_gaps

__all__ = ["TABLE_1", "Order", "hardness", "hardness_of_arms"]


@dataclass(frozen=True)
class Order:
    """One row: what the paper prints for one algorithm.

    Attributes
    ----------
    algorithm : str
    gap_dependent, gap_free : str
        The formulas as printed.
    note : str
        Where another source has a different order.
    gap : callable
        ``gap(arms, horizon, gap, variance)``: the gap-dependent order with constant one, all gaps
        equal; logarithms of numbers below one are taken as 0.
    free : callable
        ``free(arms, horizon)``.
    """

    algorithm: str
    gap_dependent: str
    gap_free: str
    gap: Callable[[int, float, float, float], float]
    free: Callable[[int, float], float]
    note: str = ""


def _log(value: float) -> float:
    return math.log(max(value, 1.0))


def _root(arms: int, horizon: float) -> float:
    return math.sqrt(arms * horizon)


TABLE_1: Mapping[str, Order] = MappingProxyType(
    {
        row.algorithm: row
        for row in (
            Order(
                "EUCBV",
                "K sigma_max^2 ln(T gap^2/K) / gap",
                "sqrt(K T)",
                lambda k, t, d, v: k * v * _log(t * d * d / k) / d,
                _root,
                "not proved: the theorem behind it is refuted for small variances",
            ),
            Order(
                "UCB1",
                "K ln T / gap",
                "sqrt(K T ln T)",
                lambda k, t, d, v: k * _log(t) / d,
                lambda k, t: _root(k, t * _log(t)),
            ),
            Order(
                "UCB-V",
                "K sigma_max^2 ln T / gap",
                "sqrt(K T ln T)",
                lambda k, t, d, v: k * v * _log(t) / d,
                lambda k, t: _root(k, t * _log(t)),
                "its theorem has a second term, ln T an arm, that no variance shrinks",
            ),
            Order(
                "UCB-Improved",
                "K ln(T gap^2) / gap",
                "sqrt(K T ln K)",
                lambda k, t, d, v: k * _log(t * d * d) / d,
                lambda k, t: _root(k, t * _log(k)),
            ),
            Order(
                "MOSS",
                "K^2 ln(T gap^2/K) / gap",
                "sqrt(K T)",
                lambda k, t, d, v: k**2 * _log(t * d * d / k) / d,
                _root,
                "Audibert and Bubeck (2010) have K in place of K^2",
            ),
            Order(
                "OCUCB",
                "K ln(T/H_i) / gap",
                "sqrt(K T)",
                lambda k, t, d, v: k * _log(t * d * d / k) / d,
                _root,
            ),
        )
    }
)


def hardness(gaps: ArrayLike) -> float:
    """H_1, the sum of 1/gap^2 over bad arms.

    Examples
    --------
    >>> round(hardness([0.0, 0.5, 0.5]), 9)
    8.0
    """
    values = as_gaps(gaps)
    return float((1 / values[values > 0] ** 2).sum())


def hardness_of_arms(gaps: ArrayLike, *, include_best: bool = True) -> FloatArray:
    """H_i = sum_j min(1/gap_i^2, 1/gap_j^2) for each bad arm i, in the order of the arms.

    Parameters
    ----------
    gaps : array_like, shape (arms,)
        Reward units.
    include_best : bool
        Whether a best arm j counts, with 1/gap_j^2 = inf; the paper's example leaves it out.

    Returns
    -------
    ndarray
        One number a bad arm.

    Examples
    --------
    >>> hardness_of_arms([0.0, 0.5, 1.0]).tolist()
    [9.0, 3.0]
    >>> hardness_of_arms([0.0, 0.5, 1.0], include_best=False).tolist()
    [5.0, 2.0]
    """
    values = as_gaps(gaps)
    bad = values[values > 0]
    own = 1 / bad**2
    best = values.size - bad.size if include_best else 0
    return np.minimum(own[:, None], own[None, :]).sum(axis=1) + best * own
