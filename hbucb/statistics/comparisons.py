"""Two policies on common noise: the mean, the stuck runs and the pairs, each with its test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hbucb.arguments import as_numbers, is_number
from hbucb.statistics.betting import (
    MeanInterval,
    bounded_mean_interval,
    bounded_mean_pvalue,
    trials_to_decide_mean,
)
from hbucb.statistics.paired import CoinTest, discordant_stuck, paired_wins, trials_to_decide

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

READINGS = ("mean", "stuck", "pair")


@dataclass(frozen=True)
class Comparison:
    """Two policies on common noise, asked in three readings; `a` is the one claimed better.

    Attributes
    ----------
    trials : int
    a, b : MeanInterval
        Mean regret per pull of each, in reward units.
    difference : MeanInterval
        Mean of ``a - b`` (negative speaks for the claim).
    stuck, pair : CoinTest
        Trials that speak for `a`, for `b`, for neither.
    pvalues : dict of str to (float, float)
        Reading -> one-sided p-values (for the claim, against it).
    values : ndarray, shape (trials,)
        The differences ``a - b``.
    largest_gap : float
        They lie in [-largest_gap, largest_gap].
    """

    trials: int
    a: MeanInterval
    b: MeanInterval
    difference: MeanInterval
    stuck: CoinTest
    pair: CoinTest
    pvalues: dict[str, tuple[float, float]]
    values: NDArray[np.float64] = field(repr=False)
    largest_gap: float

    def settle(self, reading: str, alpha: float = 0.005) -> float:
        """Trials that would decide a reading at one-sided level `alpha` with chance 0.9.

        Advice for OPEN verdicts, under the assumption that further trials look like these.
        """
        if reading not in READINGS:
            raise ValueError(f"reading must be one of {READINGS}, got {reading!r}")
        if reading == "mean":
            gap = self.largest_gap
            return trials_to_decide_mean(self.values, -gap, gap, alpha=alpha)
        coins = self.stuck if reading == "stuck" else self.pair
        return trials_to_decide(coins.first / self.trials, coins.second / self.trials, alpha)


def paired_pvalues(
    a: ArrayLike, b: ArrayLike, largest_gap: float, *, stuck: float = 0.1
) -> dict[str, tuple[float, float]]:
    """Reading -> one-sided p-values (for "a is better", against it); as in `compare`.

    Examples
    --------
    >>> paired_pvalues([0.1, 0.1], [0.2, 0.2], largest_gap=0.9)["pair"]
    (0.25, 1.0)
    """
    return _asked(a, b, largest_gap, stuck)[2]


def _asked(
    a: ArrayLike, b: ArrayLike, largest_gap: float, stuck: float
) -> tuple[CoinTest, CoinTest, dict[str, tuple[float, float]]]:
    allowed = "real numbers are allowed"
    first, second = as_numbers("a", a, allowed), as_numbers("b", b, allowed)
    pair = paired_wins(first, second)
    if not (is_number(stuck) and is_number(largest_gap) and 0.0 < stuck < largest_gap):
        raise ValueError(f"stuck must lie between 0 and largest_gap={largest_gap}, got {stuck}")
    discordant = discordant_stuck(first > stuck, second > stuck)
    pvalues = {
        "mean": bounded_mean_pvalue(first - second, -largest_gap, largest_gap),
        "stuck": (discordant.p_first, discordant.p_second),
        "pair": (pair.p_first, pair.p_second),
    }
    return discordant, pair, pvalues


def compare(
    a: ArrayLike, b: ArrayLike, largest_gap: float, *, stuck: float = 0.1, level: float = 0.99
) -> Comparison:
    """Ask the three questions about two policies that met the same noise.

    Parameters
    ----------
    a, b : array_like, shape (trials,)
        R_T / T of the two policies in reward units, entry i from the same noise.
    largest_gap : float
        The range of R_T / T is [0, largest_gap], whatever the noise does.
    stuck : float
        A trial is stuck if R_T / T is above this (reward units).
    level : float
        Confidence of the intervals reported (before any adjustment).

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        For shapes that differ, values outside [0, largest_gap], or `stuck` outside it.

    Examples
    --------
    >>> import numpy as np
    >>> good, bad = np.full(60, 0.1), np.full(60, 0.5)
    >>> asked = compare(good, bad, largest_gap=0.9, stuck=0.2)
    >>> asked.stuck.first, asked.pair.first, asked.difference.high < 0
    (60, 60, True)
    """
    discordant, pair, pvalues = _asked(a, b, largest_gap, stuck)
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    difference = first - second
    return Comparison(
        trials=first.size,
        a=bounded_mean_interval(first, largest_gap, level),
        b=bounded_mean_interval(second, largest_gap, level),
        difference=bounded_mean_interval(difference, largest_gap, level, low=-largest_gap),
        stuck=discordant,
        pair=pair,
        pvalues=pvalues,
        values=difference,
        largest_gap=largest_gap,
    )
