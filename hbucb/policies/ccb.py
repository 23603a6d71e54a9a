"""CCB: UCB-Improved's rounds, but the arm with the largest index is pulled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hbucb.elimination_bounds import last_round
from hbucb.policies.base import Policy
from hbucb.policies.elimination import OptimisticPlan, OptimisticRounds
from hbucb.policies.ucb_improved import HalvedGaps
from hbucb.streams import Run


@dataclass(frozen=True)
class CCB(Policy):
    """Pull the largest mean + sqrt(ln(T 4^-m) sqrt(T) / (2 n_m n)), drop after every pull.

    n is the arm's number of pulls, n_m = ceil(2 ln(T 4^-m) 4^m) as in :class:`UCBImproved`. Arm i
    goes when mean_i + w < max_j mean_j - w with w = sqrt(ln(T 4^-m)/(2 n_m)). Round m ends n_m
    pulls a survivor after round m - 1 did; m stops at floor(log2(T/e)/2) + 1.

    Notes
    -----
    Reconstructed from a public script of the comparison in Mukherjee et al. (2018); no regret bound
    of this algorithm is known to us. Its interval of elimination is as wide for an arm with few
    pulls as for one with n_m, so it may drop the best arm early.

    References
    ----------
    Liu and Tsuruoka (2016).

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.2, 0.8])
    >>> result = hb.simulate(bandit, hb.CCB(), horizon=2000, trials=20, seed=1)
    >>> bool(result["CCB"].regret[:, -1].mean() < 100)
    True
    """

    def start(self, run: Run) -> OptimisticRounds:
        gaps = HalvedGaps.of(run.horizon, last_round(run.horizon) + 2)
        pull = gaps.log * math.sqrt(run.horizon) / (2 * gaps.counts)
        return OptimisticRounds(
            OptimisticPlan(gaps.counts, 0, np.asarray(pull), drop=gaps.radius), run
        )

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 1000 + 96 * arms
