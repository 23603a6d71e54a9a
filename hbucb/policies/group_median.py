"""Median of the means of small groups + c sqrt(ln t / n): the fair form of a robust baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hbucb.assumptions import AssumptionError
from hbucb.estimators.running_median import MedianOfGroups
from hbucb.policies.index import IndexPolicy, RootRadius, Rule


@dataclass(frozen=True)
class GroupMedianUCB(IndexPolicy):
    """Play the largest median of group means + c sqrt(ln t / n).

    The groups are fixed blocks of ``group`` consecutive rewards of an arm, so their number grows
    with n and the estimate settles, which it does not when the number of blocks is capped. A
    group of one is the sample median, a group of two is what ``RobustUCB(preset="fair")`` plays.

    Parameters
    ----------
    group : int
        Rewards in a block, at least 1.
    c : float
        Exploration constant, in reward units, at least 0.

    Raises
    ------
    ValueError
        If `group` or `c` is out of range.

    References
    ----------
    Bubeck, Cesa-Bianchi and Lugosi (2013) for the median of means; the radius is the practical
    one that Dorn et al. (2024) give to their own algorithms.

    Examples
    --------
    >>> GroupMedianUCB(group=1, c=1.0).rule(100).estimator.estimate([5.0, 1.0, 9.0])
    5.0
    """

    group: int = 1
    c: float = 1.0

    def __post_init__(self) -> None:
        MedianOfGroups(self.group)  # checks it
        if not 0 <= self.c < math.inf:
            raise ValueError(f"c = {self.c!r} must be finite and >= 0")

    def rule(self, horizon: int) -> Rule:
        return Rule(MedianOfGroups(self.group), RootRadius(self.c))

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Raises AssumptionError: the radius is a practical one."""
        raise AssumptionError(
            "GroupMedianUCB has no regret bound: c sqrt(ln t / n) is a practical radius, "
            "not a proved one"
        )
