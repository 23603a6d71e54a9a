"""The sample mean as gradient descent, with its guarantees for sub-Gaussian noise.

x_{k+1} = x_k - (x_k - X_k) / (k + 1): SGD on f(x) = (x - mu)^2 / 2 with step 1/(k+1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.estimators.mean import SampleMean
from hbucb.optimizers.guarantee import Guarantee
from hbucb.predicates import Predicate, common_mean, subgaussian
from hbucb.streams import Run
from hbucb.validate import positive, store


@dataclass(frozen=True)
class MeanSGD:
    """SGD on (x - mu)^2 / 2 with step 1/(k+1), k = 0, 1, ...: its iterate is the sample mean.

    The first step has length 1, so the start is forgotten. Up to rounding it equals
    :class:`hbucb.estimators.SampleMean`; rewards with atoms may break exact ties differently.

    Examples
    --------
    >>> MeanSGD().estimate([1.0, 2.0, 6.0])
    3.0
    """

    batch = 1
    initial = 0
    own = None
    moving = False

    def stream(self, run: Run) -> MeanIterates:
        return MeanIterates(run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The iterate after all rewards of one arm, in reward units."""
        if not len(rewards):
            raise ValueError("rewards is empty; at least one is needed")
        if not np.isfinite(rewards).all():
            raise ValueError("rewards must be finite: a mean has no breakdown point")
        x = 0.0
        for k, reward in enumerate(rewards):
            x -= (x - reward) / (k + 1)
        return x

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 8 * arms


class MeanIterates:
    """Iterates of all trials and arms."""

    def __init__(self, run: Run) -> None:
        self._x = np.zeros(run.trials * run.arms)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        x = self._x[flat]
        x -= (x - reward) / n
        self._x[flat] = x
        return x


def _log_inverse(delta: ArrayLike) -> np.ndarray:
    values = np.asarray(delta, dtype=float)
    if not ((values > 0).all() and (values <= 1).all()):
        raise ValueError(f"delta is {delta!r}; it must lie in (0, 1]")
    return np.abs(np.log(values))


def _counts(k: ArrayLike) -> np.ndarray:
    values = np.asarray(k, dtype=float)
    if not (values > 0).all():
        raise ValueError(f"k is {k!r}; updates above 0 are allowed")
    return values


@dataclass(frozen=True)
class _MeanG(Guarantee):
    sigma: float = 1.0

    def __post_init__(self) -> None:
        store(self, sigma=positive("sigma", self.sigma))

    def needs(self) -> tuple[Predicate, ...]:
        return (common_mean(), subgaussian(self.sigma))

    def proved_for(self, optimizer: Any, delta: float | None) -> str:
        if isinstance(optimizer, MeanSGD | SampleMean):
            return ""
        return f"it is proved for the sample mean, not for {optimizer!r}"


@dataclass(frozen=True)
class SubGaussianG(_MeanG):
    """g(k, delta) = sigma^2 ln(sides/delta) / k of the sample mean, for each k by itself.

    With ``sides=2`` P(e^2/2 > g) <= delta; with ``sides=1`` each of the two one-sided failures
    has probability at most delta, which is all that an index needs, and sqrt(2 g) is UCB's radius.

    Parameters
    ----------
    sigma : float
        Sub-Gaussian scale of the noise, reward units.
    sides : {1, 2}

    References
    ----------
    Chernoff's bound; proof in the book, chapter "Optimisation as estimation".

    Examples
    --------
    >>> SubGaussianG(sigma=2.0)([1, 4], 0.1).round(4)
    array([11.9829,  2.9957])
    """

    sides: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.sides, bool) or self.sides not in (1, 2):
            raise ValueError(f"sides = {self.sides!r} must be 1 or 2")
        store(self, sides=int(self.sides))

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        level = np.log(self.sides) + _log_inverse(delta)
        return self.sigma**2 * level / _counts(k)


@dataclass(frozen=True)
class SubGaussianUniformG(_MeanG):
    """A guarantee of the sample mean for *all* k at once (normal mixture).

    g(k, delta) = sigma^2 (k + rho) (ln(1 + k/rho) / 2 + ln(1/delta)) / k^2: with probability
    at least 1 - delta, (x_k - mu)^2 / 2 < g(k, delta) for every k >= 1.

    Parameters
    ----------
    sigma : float
        Sub-Gaussian scale of the noise, reward units.
    rho : float
        Number of updates that tunes it: its ratio to the guarantee at each k is smallest at
        k = y rho with y = ln(1 + y) + 2 ln(1/delta), 11.8 rho at delta = 0.01.

    References
    ----------
    Robbins (1970); proof in the book, chapter "Optimisation as estimation".

    Examples
    --------
    >>> SubGaussianUniformG()([10, 1000], 0.05).round(4)
    array([0.4614, 0.0065])
    """

    rho: float = 1.0
    kind = "uniform"

    def __post_init__(self) -> None:
        super().__post_init__()
        store(self, rho=positive("rho", self.rho))

    def __call__(self, k: ArrayLike, delta: ArrayLike) -> Any:
        count = _counts(k)
        level = np.log1p(count / self.rho) / 2 + _log_inverse(delta)
        return self.sigma**2 * (count + self.rho) * level / count**2
