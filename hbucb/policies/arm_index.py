"""Index policies whose index is a formula in an arm's rewards, the counts of all arms, t and T.

:class:`~hbucb.policies.index.IndexPolicy` is for estimate + radius; here are the others: the
radius depends on the rewards, or the index is the solution of an equation or a quantile.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from hbucb.policies.base import Policy


class ArmIndexPolicy(Policy):
    """Plays the arm with the largest index; every arm once first, ties to the first slot."""

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        """The index of one arm in round t, from the definition.

        Parameters
        ----------
        rewards : sequence of float
            All rewards of the arm, oldest first.
        t : int
            Pulls made so far, of all arms together.
        horizon : int
            T, for policies that use it.
        counts : sequence of int, length K
            Pulls of every arm so far.

        Returns
        -------
        float
            +inf for an arm without pulls.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no method index(rewards, t, horizon, counts)"
        )


def log_round(t: float) -> float:
    """ln t, and 0 before the first pull."""
    return math.log(t) if t > 1 else 0.0
