"""UCB-Improved: equal pulls in rounds, the worse arms are dropped, the assumed gap is halved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.assumptions import check
from hbucb.elimination_bounds import last_round, ucb_improved_regret
from hbucb.policies.base import Policy
from hbucb.policies.elimination import EqualRounds
from hbucb.predicates import bounded, common_mean, locations_within
from hbucb.streams import Run


@dataclass(frozen=True)
class HalvedGaps:
    """Rounds m = 0..M at the assumed gap 2^-m: what UCB-Improved and CCB share.

    Attributes
    ----------
    log : ndarray (rounds,)
        ln(T 4^-m), at least 0.
    counts : ndarray of int (rounds,)
        n_m = ceil(2 ln(T 4^-m) 4^m).
    """

    log: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, horizon: int, rounds: int) -> HalvedGaps:
        """The first ``rounds`` rounds."""
        log = [max(math.log(horizon) - m * math.log(4), 0.0) for m in range(rounds)]
        counts = [max(1, math.ceil(2 * value * 4**m)) for m, value in enumerate(log)]
        return cls(np.array(log), np.array(counts, np.int64))

    @property
    def radius(self) -> np.ndarray:
        """w_m = sqrt(ln(T 4^-m) / (2 n_m)), half the width of an interval, in reward units."""
        return np.sqrt(self.log / (2 * self.counts))


@dataclass(frozen=True)
class ImprovedPlan:
    """Drop an arm whose interval ends below the best one's start."""

    gaps: HalvedGaps
    in_turn: bool
    fresh = False

    @property
    def counts(self) -> np.ndarray:
        return self.gaps.counts

    def keep(self, mean: np.ndarray, alive: np.ndarray, m: np.ndarray) -> np.ndarray:
        w = self.gaps.radius[m]
        return mean + w >= mean.max(axis=1, keepdims=True) - w


@dataclass(frozen=True)
class UCBImproved(Policy):
    """Bring all survivors to n_m pulls, drop the worse ones, halve the assumed gap.

    In round m = 0, 1, ..., floor(log2(T/e)/2) every survivor is brought to
    n_m = ceil(2 ln(T 4^-m) 4^m) pulls. Then arm i goes if mean_i + w < max_j mean_j - w with
    w = sqrt(ln(T 4^-m)/(2 n_m)). A single survivor is played to the end; after the last round the
    survivor with the largest mean.

    Parameters
    ----------
    sampling : {"round-robin", "arm-by-arm"}
        The order within a round, which the paper leaves open: survivors in turn, or each to its
        count before the next. Only where the horizon cuts a round does the regret differ.

    Raises
    ------
    ValueError
        For another sampling.

    References
    ----------
    Auer and Ortner (2010), Figure 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.2, 0.8])
    >>> result = hb.simulate(bandit, hb.UCBImproved(), horizon=2000, trials=20, seed=1)
    >>> int(result["UCBImproved"].pulls[:, 0].max())
    155
    """

    sampling: str = "round-robin"

    def __post_init__(self) -> None:
        _sampling(self.sampling)

    def start(self, run: Run) -> EqualRounds:
        gaps = HalvedGaps.of(run.horizon, last_round(run.horizon) + 1)
        return EqualRounds(ImprovedPlan(gaps, self.sampling == "round-robin"), run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 1000 + 64 * arms

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Theorem 3.1 of Auer and Ortner (2010), for rewards in [0, 1].

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
        declare : sequence of {"bounded", "common_mean", "locations_within"}
            Facts you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            For rewards that are not known to lie in [0, 1].
        """
        check(
            bandit,
            [common_mean(), locations_within(0, 1), bounded(0, 1)],
            of="the bound of UCB-Improved",
            declare=declare,
        )
        return ucb_improved_regret(bandit.gaps, horizon)


def _sampling(value: object) -> None:
    if value not in ("round-robin", "arm-by-arm"):
        raise ValueError(f"sampling = {value!r} must be 'round-robin' or 'arm-by-arm'")
