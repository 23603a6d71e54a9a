"""What every policy is: a frozen dataclass of parameters that starts a state.

A state plays all trials of a chunk at once with two verbs, ``select(t)`` and
``update(t, arm, reward)``; contextual policies get the context (trials,) as second argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from hbucb.assumptions import AssumptionError
from hbucb.streams import Run


class State(Protocol):
    """The state of one policy in all trials of a chunk."""

    def select(self, t: int) -> np.ndarray:
        """The slot (trials,) that each trial plays in round t, counted from 0."""

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        """Learn the rewards (trials,) of the slots played in round t; must not write into them."""


class Policy:
    """Base of the policies: names what they need and what they can promise."""

    #: Whether select and update get the context.
    contextual = False
    #: Whether rewards of +-inf are accepted; only where the index stays right under them.
    accepts_infinite = False

    def start(self, run: Run) -> State:
        """A fresh state for ``run.trials`` trials."""
        raise NotImplementedError(
            f"{type(self).__name__} has no method start(run), which makes a state with select(t) "
            "and update(t, arm, reward) for all trials"
        )

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        """Memory of the state for one trial, in bytes, buffers included.

        The default is meant for a state of a few numbers an arm; override it where the state
        keeps more, or chunks may take too much memory.
        """
        return 4096 + 128 * arms

    def contextual_bytes(self, contexts: int, arms: int, dim: int, horizon: int) -> int:
        """As ``bytes_per_trial``, on a bandit with features (contexts, arms, dim)."""
        return self.bytes_per_trial(arms, horizon)

    def tuned(self, horizon: int) -> Policy:
        """The same policy with the parameters that it takes from the horizon made explicit.

        Its regret bound at t <= ``horizon`` is that of a run which was tuned to ``horizon``.
        """
        return self

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """A proved upper bound on the expected pseudo-regret, in reward units.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
        declare : sequence of str
            Assumptions you vouch for whose truth the bandit's laws do not know.

        Raises
        ------
        AssumptionError
            If no proved bound covers this policy on this bandit.
        """
        raise AssumptionError(
            f"{type(self).__name__} has no regret bound here: no theorem with explicit constants "
            "covers this policy"
        )
