"""Thompson sampling for Bernoulli rewards with a Beta prior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hbucb.policies.base import Policy
from hbucb.streams import Run
from hbucb.validate import positive, store


@dataclass(frozen=True)
class ThompsonSampling(Policy):
    """Draw a success probability for each arm from its Beta posterior and play the largest.

    Parameters
    ----------
    a, b : float
        Prior Beta(a, b), the same for all arms; (1, 1) is uniform.

    Raises
    ------
    ValueError
        For a prior that is not positive and finite; in a run, for a reward that is not 0 or 1.

    Notes
    -----
    The draw depends on the state, so each trial draws from its own generator.

    References
    ----------
    Thompson (1933); Agrawal and Goyal (2012), Algorithm 1.

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.BernoulliBandit([0.1, 0.9])
    >>> result = hb.simulate(bandit, hb.ThompsonSampling(), horizon=200, trials=20, seed=1)
    >>> bool(result["ThompsonSampling"].regret[:, -1].mean() < 20)
    True
    """

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        store(self, a=positive("a", self.a), b=positive("b", self.b))

    def start(self, run: Run) -> ThompsonState:
        return ThompsonState(self.a, self.b, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 24 * arms + 1000


class ThompsonState:
    """Beta posteriors of all trials and arms."""

    def __init__(self, a: float, b: float, run: Run) -> None:
        self._a = np.full((run.trials, run.arms), float(a))
        self._b = np.full((run.trials, run.arms), float(b))
        self._drawn = np.empty((run.trials, run.arms))
        self._rngs = run.generators()
        self._trial = np.arange(run.trials)

    def select(self, t: int) -> np.ndarray:
        for i, rng in enumerate(self._rngs):
            self._drawn[i] = rng.beta(self._a[i], self._b[i])
        return self._drawn.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        refuse_not_binary("ThompsonSampling", reward, t)
        self._a[self._trial, arm] += reward
        self._b[self._trial, arm] += 1 - reward


def refuse_not_binary(name: str, reward: np.ndarray, t: int) -> None:
    """ValueError for the first reward that is not 0 or 1."""
    binary = (reward == 0) | (reward == 1)
    if not binary.all():
        trial = int(np.flatnonzero(~binary)[0])
        raise ValueError(
            f"reward = {float(reward[trial])!r} in round {t}: {name} has a Beta "
            "posterior, which needs rewards 0 and 1"
        )
