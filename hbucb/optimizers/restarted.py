"""Clipped SGD that is restarted in runs of 1, 2, 4, 8, ... updates, and its guarantee for all k.

The last-iterate theorem speaks about the end of a run only; the estimate after k updates is the
end of the last complete run, which has more than (k + 1) / 4 updates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hbucb.by_count import by_count
from hbucb.optimizers.clipped_sgd import _median_of_rows
from hbucb.optimizers.gradient_variance import gradient_variance
from hbucb.optimizers.guarantee import Guarantee
from hbucb.optimizers.last_iterate import SHARPER, LastIterateSchedule
from hbucb.predicates import Predicate, locations_within, mean_is_loc, symmetric
from hbucb.streams import Run
from hbucb.validate import finite, open_probability, positive, store, whole_number

Constants = tuple[float, float, float]


@lru_cache(maxsize=4096)
def _run(
    j: int, delta: float, rho: float, sigma: float, constants: Constants
) -> LastIterateSchedule:
    """Run j = 0, 1, ... of 2^j updates at failure probability delta / ((j+1)(j+2))."""
    return LastIterateSchedule(2**j, delta / ((j + 1) * (j + 2)), rho, sigma, *constants)


@dataclass(frozen=True)
class RestartedG(Guarantee):
    """The guarantee of :class:`RestartedClippedSGD`, for all k at once.

    After k updates the last complete run j had 2^j > (k + 1) / 4 of them and
    g = min(rho^2 exp(-gamma 2^j), rho^2 / 2), gamma the step of that run at failure probability
    delta / ((j + 1)(j + 2)); these sum to delta. In the long run it is at most
    4 c_noise sigma^2 ln(4 k (j + 1)(j + 2) / delta) ln^2(k rho^2 / sigma^2) / (k + 1).

    Parameters
    ----------
    rho, sigma : float
        Bound on |x_0 - mu| and on the standard deviation of a gradient, reward units.
    m, n : int
        A gradient is made of a median of 2m + 1 means of n rewards.
    x0 : float
        The start of all runs, reward units.
    constants : tuple of three floats
        c_gamma, c_lambda, c_noise of :class:`LastIterateSchedule`.

    References
    ----------
    Book, chapter "Clipped SGD".

    Examples
    --------
    >>> g = RestartedG(rho=1.0, sigma=0.1)
    >>> g([1, 1000, 10**6], 0.01).round(4).tolist()
    [0.5, 0.4119, 0.0016]
    """

    rho: float = 1.0
    sigma: float = 1.0
    m: int = 0
    n: int = 1
    x0: float = 0.0
    constants: Constants = SHARPER
    kind = "uniform"

    def __post_init__(self) -> None:
        if not isinstance(self.constants, tuple) or len(self.constants) != 3:
            raise ValueError(f"constants = {self.constants!r} must be a tuple of three numbers")
        _check(self)

    def __call__(self, k: ArrayLike, delta: float) -> Any:
        count = np.asarray(k, dtype=float)
        if not (count >= 1).all():
            raise ValueError(f"k is {k!r}; updates >= 1 are allowed")
        open_probability("delta", delta)
        # k = 2^(j+1) - 1 completes run j; frexp is exact where a logarithm may round.
        run = np.frexp(count + 1)[1] - 2
        values = [self.of_run(j, delta) for j in range(int(run.max()) + 1)] if run.size else [0.0]
        return np.asarray(values)[run]

    def of_run(self, j: int, delta: float) -> float:
        """The guarantee after run j, squared reward units; rho^2 / 2, that of the start, at most.

        Never larger after a longer run, so that a later run is never worse than an earlier one.
        """
        end = _run(j, float(delta), self.rho, self.sigma, self.constants).g
        return min(end, self.rho**2 / 2)

    def needs(self) -> tuple[Predicate, ...]:
        near = locations_within(self.x0 - self.rho, self.x0 + self.rho)
        centred = symmetric() if self.m else mean_is_loc()
        return (near, centred, gradient_variance(self.m, self.n, self.sigma**2))

    def proved_for(self, optimizer: Any, delta: float | None) -> str:
        if delta is not None and optimizer == self.method(delta):
            return ""
        return (
            f"it is proved for g.method(delta) at the policy's own delta = {delta!r}, "
            f"not for {optimizer!r}"
        )

    def method(self, delta: float) -> RestartedClippedSGD:
        """The method that has this guarantee at `delta`."""
        return RestartedClippedSGD(
            self.rho, self.sigma, delta, self.m, self.n, self.x0, self.constants
        )


def _check(self: RestartedG | RestartedClippedSGD) -> None:
    for name in ("rho", "sigma"):
        store(self, **{name: positive(name, getattr(self, name))})
    store(self, m=whole_number(self.m, "m", 0), n=whole_number(self.n, "n", 1))
    store(self, x0=finite("x0", self.x0))
    try:
        c_gamma, c_lambda, c_noise = (float(c) for c in self.constants)
    except (TypeError, ValueError):
        raise ValueError(f"constants = {self.constants!r} must be three numbers") from None
    store(self, constants=(c_gamma, c_lambda, c_noise))
    _run(0, 0.5, self.rho, self.sigma, self.constants)  # refuses constants without a proof


@dataclass(frozen=True)
class RestartedClippedSGD:
    """Clipped SGD in runs of 1, 2, 4, ... updates, each from ``x0`` with a step for its length.

    The estimate is the end of the last complete run, and ``x0`` before the first run whose
    guarantee is better than |x_0 - mu| <= rho. :class:`RestartedG` is its guarantee.

    Parameters
    ----------
    rho, sigma, m, n, x0, constants
        As in :class:`RestartedG`.
    delta : float
        Failure probability of all estimates together; the steps depend on it.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    Examples
    --------
    >>> from hbucb import FOUCB, Bandit
    >>> from hbucb.noise import Gaussian
    >>> g = RestartedG(rho=1.0, sigma=0.01)
    >>> policy = FOUCB(g.method(1e-4), g, delta=1e-4)
    >>> round(policy.regret_bound(Bandit([0.0, 1.0], Gaussian(0.01)), 10_000))
    2049
    """

    rho: float
    sigma: float
    delta: float
    m: int = 0
    n: int = 1
    x0: float = 0.0
    constants: Constants = SHARPER
    initial = 0
    own = None
    moving = False

    def __post_init__(self) -> None:
        store(self, delta=open_probability("delta", self.delta))
        _check(self)

    @property
    def batch(self) -> int:
        """Rewards that make one update."""
        return (2 * self.m + 1) * self.n

    def _schedule(self, j: int) -> LastIterateSchedule:
        return _run(j, self.delta, self.rho, self.sigma, self.constants)

    def _useful(self, j: int) -> bool:
        """Whether the end of run j is known better than the start."""
        return self._schedule(j).g < self.rho**2 / 2

    def stream(self, run: Run) -> RestartedIterates:
        return RestartedIterates(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The end of the last complete run over all rewards of one arm, in reward units."""
        j = (len(rewards) // self.batch + 1).bit_length() - 2
        x = self.x0
        if j < 0 or not self._useful(j):
            return x
        gammas, lams = (table.tolist() for table in self._schedule(j).tables(2**j))
        for k in range(2**j):
            begin = (2**j - 1 + k) * self.batch
            means = []
            for i in range(2 * self.m + 1):
                total = 0.0
                for reward in rewards[begin + i * self.n : begin + (i + 1) * self.n]:
                    total += reward
                means.append(total / self.n)
            gradient = x - sorted(means)[self.m]
            x -= gammas[k] * max(-lams[k], min(gradient, lams[k]))
        return x

    def tables(self, updates: int) -> tuple[np.ndarray, np.ndarray]:
        """gamma and lam of the first updates, both (updates,)."""
        rows = self._steps(np.arange(updates))
        return rows[:, 0].copy(), rows[:, 1].copy()

    def _steps(self, k: np.ndarray) -> np.ndarray:
        """Rows (gamma, lam, first of its run?, last of a useful run?) of the updates ``k`` (n,)."""
        runs = np.frexp(k + 1.0)[1].astype(np.int64) - 1
        rows = np.empty((k.size, 4))
        rows[:, 2] = k + 1 == 2**runs
        rows[:, 3] = k + 2 == 2 ** (runs + 1)
        for j in np.unique(runs).tolist():
            own = np.flatnonzero(runs == j)
            rows[own, 0], rows[own, 1] = self._schedule(j).at(k[own] - (2**j - 1))
            rows[own, 3] *= self._useful(j)
        return rows

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 16 * arms


class RestartedIterates:
    """Iterates and estimates of all trials and arms: two numbers an arm."""

    def __init__(self, optimizer: RestartedClippedSGD, run: Run) -> None:
        self._opt = optimizer
        self._trials = run.trials
        self._x = np.full(run.trials * run.arms, optimizer.x0)
        self._estimate = self._x.copy()
        self._steps = by_count(
            lambda updates: optimizer._steps(updates - 1), run.horizon // optimizer.batch
        )

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        opt = self._opt
        if opt.batch > 1:
            means = reward.reshape(2 * opt.m + 1, opt.n, self._trials)
            reward = _median_of_rows(means.sum(axis=1) / opt.n if opt.n > 1 else means[:, 0])
        gamma, lam, first, last = self._steps[n // opt.batch].T
        x = np.where(first, opt.x0, self._x[flat])
        step = np.minimum(x - reward, lam)
        np.maximum(step, -lam, out=step)
        step *= gamma
        x -= step
        self._x[flat] = x
        estimate = np.where(last, x, self._estimate[flat])
        self._estimate[flat] = estimate
        return estimate
