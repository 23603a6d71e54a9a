"""Thompson sampling with normal draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hbucb.estimators.mean import RunningSums
from hbucb.noise import Gaussian
from hbucb.policies.base import Policy
from hbucb.streams import BLOCK, LEAST, Run
from hbucb.validate import positive, store


@dataclass(frozen=True)
class GaussianThompsonSampling(Policy):
    """Draw a value for each arm from a normal law about its mean and play the largest.

    Parameters
    ----------
    sigma : float
        Standard deviation of the rewards, reward units.
    kind : {"flat", "shrunk", "released"}
        "flat": N(S/n, sigma^2/n), the posterior under a flat prior; every arm is played once first.
        "shrunk": N(S/(n+1), sigma^2/(n+1)), the posterior under the prior N(0, sigma^2), which is
        what has the regret theorems. "released": N(S/n, (sigma/n)^2), as the second paper's public
        code draws; every arm once first. S is the sum of the n rewards.

    Raises
    ------
    ValueError
        For a sigma that is not positive and finite, or another kind.

    References
    ----------
    Agrawal and Goyal (2013), Algorithm 2, for "shrunk".

    Examples
    --------
    >>> import hbucb as hb
    >>> bandit = hb.Bandit([0.0, 1.0], hb.noise.Gaussian(0.5))
    >>> policy = hb.GaussianThompsonSampling(sigma=0.5)
    >>> result = hb.simulate(bandit, {"TS": policy}, horizon=200, trials=20, seed=1)
    >>> bool(result["TS"].regret[:, -1].mean() < 20)
    True
    """

    sigma: float = 1.0
    kind: str = "flat"

    def __post_init__(self) -> None:
        store(self, sigma=positive("sigma", self.sigma))
        if self.kind not in ("flat", "shrunk", "released"):
            raise ValueError(f"kind = {self.kind!r} must be 'flat', 'shrunk' or 'released'")

    def start(self, run: Run) -> GaussianThompsonState:
        return GaussianThompsonState(self, run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 4096 + 64 * arms + 16 * max(BLOCK, LEAST * arms)


class GaussianThompsonState:
    """Means and standard deviations of the draws of all trials and arms."""

    def __init__(self, policy: GaussianThompsonSampling, run: Run) -> None:
        self._sigma, self._kind = policy.sigma, policy.kind
        self._trials, self._arms = run.trials, run.arms
        self._row = np.arange(run.trials) * run.arms
        self._draws = run.stream(Gaussian(1.0), width=run.arms)
        self._sums = RunningSums(run)
        shape = (run.trials, run.arms)
        self._count = np.zeros(run.trials * run.arms)
        self._mean, self._scale = np.zeros(shape), np.full(shape, policy.sigma)
        self._drawn = np.empty(shape)

    def select(self, t: int) -> np.ndarray:
        if t < self._arms and self._kind != "shrunk":
            return np.full(self._trials, t)
        drawn = np.multiply(self._draws.next(), self._scale, out=self._drawn)
        drawn += self._mean
        return drawn.argmax(axis=1)

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        flat = self._row + arm
        n = self._count[flat] + 1
        self._count[flat] = n
        # The prior of "shrunk" is worth one more reward of 0.
        size = n + 1 if self._kind == "shrunk" else n
        self._mean.reshape(-1)[flat] = self._sums.push(flat, size, reward)
        spread = n if self._kind == "released" else np.sqrt(size)
        self._scale.reshape(-1)[flat] = self._sigma / spread
