"""Clipped SGD on f(x) = (x - mu)^2 / 2 with a smoothed median of means as gradient.

x_{k+1} = Proj(x_k - gamma_k clip(G_k, lam_k)) with G_k = x_k - SMoM(rewards of batch k).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hbucb.arguments import is_plain
from hbucb.by_count import by_count
from hbucb.noise import Gaussian, Noise
from hbucb.streams import Run
from hbucb.validate import finite, nonnegative, store, whole_number


class Schedule:
    """Steps gamma_k (a number) and clip levels lam_k (reward units), k = 0, 1, ..."""

    def at(self, k: np.ndarray) -> tuple[Any, Any]:
        """gamma and lam of the updates ``k`` (n,): (n,) each, or a number if it never changes."""
        raise NotImplementedError

    def tables(self, updates: int) -> tuple[np.ndarray, np.ndarray]:
        """gamma and lam of the first updates, both (updates,)."""
        gamma, lam = self.at(np.arange(updates))
        return np.zeros(updates) + gamma, np.zeros(updates) + lam


@dataclass(frozen=True)
class ConstantSchedule(Schedule):
    """The same step and clip level in all updates."""

    gamma: float
    lam: float

    def at(self, k: np.ndarray) -> tuple[Any, Any]:
        return self.gamma, self.lam


@dataclass(frozen=True)
class DecreasingSchedule(Schedule):
    """gamma_k = 1 / (kappa (k + shift)) and a constant clip level.

    kappa is the drift: inside the interval of interest the clipped gradient pushes back by at
    least kappa per unit of error. 1/kappa is the best constant of Theorem SA.

    Examples
    --------
    >>> gamma, lam = DecreasingSchedule(kappa=0.5, lam=2.0).tables(3)
    >>> gamma.tolist(), lam.tolist()
    ([2.0, 1.0, 0.6666666666666666], [2.0, 2.0, 2.0])
    """

    kappa: float
    lam: float
    shift: int = 1

    def at(self, k: np.ndarray) -> tuple[Any, Any]:
        return 1 / (self.kappa * (k + self.shift)), self.lam


@dataclass(frozen=True)
class TheorySchedule(Schedule):
    """Step and clip levels of Theorem 8 in Dorn et al. (arXiv 2402.07062), for ``updates`` updates.

    gamma = min(1 / (400 ln(4(K+1)/delta)), ln((K+1) rho^2) / (K+1)) with K = ``horizon`` updates,
    lam_k = exp(-gamma (1 + k/2)) rho / (120 gamma ln(4(K+1)/delta)).

    Parameters
    ----------
    horizon : int
        Number of updates that the step is tuned to.
    delta : float
        Failure probability.
    rho : float
        Bound on |x_0 - mu|, in reward units; (horizon + 1) rho^2 must be above 1.
    c_gamma, c_lambda : float
        The constants 400 and 120.
    """

    horizon: int
    delta: float
    rho: float
    c_gamma: float = 400.0
    c_lambda: float = 120.0

    @property
    def gamma(self) -> float:
        """The constant step."""
        level = math.log(4 * (self.horizon + 1) / self.delta)
        size = (self.horizon + 1) * self.rho**2
        if size <= 1:
            raise ValueError(
                f"rho = {self.rho!r} must satisfy (horizon + 1) rho^2 > 1, else the step of the "
                "theorem is not positive"
            )
        return min(1 / (self.c_gamma * level), math.log(size) / (self.horizon + 1))

    def at(self, k: np.ndarray) -> tuple[Any, Any]:
        level = math.log(4 * (self.horizon + 1) / self.delta)
        gamma = self.gamma
        lam = np.exp(-gamma * (1 + k / 2)) * self.rho
        return gamma, lam / (self.c_lambda * gamma * level)


def g_paper(
    k: int | np.ndarray, delta: float, *, horizon: int, rho: float, sigma: float = 1.0
) -> np.ndarray:
    """The g(k, delta) printed in Theorem 8 and Corollary 9 of Dorn et al. (arXiv 2402.07062).

    5400 sigma^2 ln(4(K+1)/delta) ln^2((K+1) rho^2) / (k+1), K = ``horizon``, in squared reward
    units. It is printed for all k <= K; it does not follow from the last-iterate theorem it rests
    on and is violated for k < K, so it is kept to show what the paper says, not as a guarantee.

    Examples
    --------
    >>> round(float(g_paper(1000, 0.01, horizon=1000, rho=1.0)))
    3322
    """
    level = math.log(4 * (horizon + 1) / delta) * math.log((horizon + 1) * rho**2) ** 2
    return 5400 * sigma**2 * level / (np.asarray(k, dtype=float) + 1)


def _median_of_rows(rows: np.ndarray) -> np.ndarray:
    """Median over axis 0; an even number of rows gives the mean of the middle two."""
    if len(rows) == 1:
        return rows[0]
    if len(rows) == 3:  # twice as fast as sorting, and exact: only comparisons
        low, high = np.minimum(rows[0], rows[1]), np.maximum(rows[0], rows[1])
        return np.maximum(low, np.minimum(high, rows[2]))
    ordered = np.sort(rows, axis=0)
    return (ordered[(len(rows) - 1) // 2] + ordered[len(rows) // 2]) / 2


@dataclass(frozen=True)
class ClippedSGD:
    """Clipped SGD with SMoM_{m,n} gradients: Definition 5 and equation (4) of Dorn et al.

    Parameters
    ----------
    schedule : Schedule
        Steps and clip levels.
    m, n : int
        2m + 1 means of n rewards each make a gradient; (0, 1) is plain SGD, (1, 1) a median of 3.
    theta : float
        Scale of the Gaussian smoothing, in reward units; 0 is exact for symmetric noise.
    p : int
        First pulls of each arm, whose median is x_0; 0 starts at ``x0``.
    x0 : float
        Start when p = 0, in reward units.
    radius : float
        The iterate is projected to within this distance of its start; inf is no projection.
    """

    schedule: Schedule
    m: int = 0
    n: int = 1
    theta: float = 0.0
    p: int = 3
    x0: float = 0.0
    radius: float = math.inf
    moving = False

    def __post_init__(self) -> None:
        for name, low in (("m", 0), ("n", 1), ("p", 0)):
            store(self, **{name: whole_number(getattr(self, name), name, low)})
        store(self, theta=nonnegative("theta", self.theta), x0=finite("x0", self.x0))
        if isinstance(self.schedule, type) or not hasattr(self.schedule, "at"):
            raise ValueError(f"schedule = {self.schedule!r} must be a schedule of steps and levels")
        if not (is_plain(self.radius) and self.radius > 0):
            raise ValueError(f"radius = {self.radius!r} must be positive")

    @property
    def batch(self) -> int:
        """Rewards that make one update."""
        return (2 * self.m + 1) * self.n

    @property
    def initial(self) -> int:
        """First pulls of each arm."""
        return self.p

    @property
    def own(self) -> tuple[Noise, int] | None:
        """The smoothing: 2m + 1 Gaussian draws of scale theta an update."""
        return (Gaussian(self.theta), 2 * self.m + 1) if self.theta else None

    def stream(self, run: Run) -> Iterates:
        return Iterates(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The iterate after all full batches of one arm's rewards, in reward units."""
        start = self.x0
        if self.p:
            first = sorted(rewards[: self.p])
            start = (first[(self.p - 1) // 2] + first[self.p // 2]) / 2
        x = start
        batches = (len(rewards) - self.p) // self.batch
        gammas, lams = (table.tolist() for table in self.schedule.tables(max(batches, 1)))
        for k in range(batches):
            begin = self.p + k * self.batch
            means = []
            for j in range(2 * self.m + 1):
                total = 0.0
                for reward in rewards[begin + j * self.n : begin + (j + 1) * self.n]:
                    total += reward
                smooth = own[k][j] if self.theta else 0.0
                means.append(total / self.n + smooth)
            gradient = x - sorted(means)[self.m]
            x -= gammas[k] * max(-lams[k], min(gradient, lams[k]))
            x = max(start - self.radius, min(x, start + self.radius))
        return x

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return (8 if math.isinf(self.radius) else 16) * arms + 8 * 512 * (2 * self.m + 1)


class Iterates:
    """Iterates of all trials and arms."""

    def __init__(self, optimizer: ClippedSGD, run: Run) -> None:
        self._opt = optimizer
        self._trials = run.trials
        self._x = np.full(run.trials * run.arms, float(optimizer.x0))
        self._start = None if math.isinf(optimizer.radius) else self._x.copy()
        self._first = run.arms if optimizer.p else 0
        # What never changes is kept as an array: a ufunc takes it faster than a Python number.
        gamma, lam = optimizer.schedule.at(np.zeros(1, np.int64))
        self._constant_gamma: Any = None if np.ndim(gamma) else np.full(run.trials, gamma)
        self._constant_lam: Any = None if np.ndim(lam) else np.full(run.trials, lam)
        self._minus_lam: Any = None if np.ndim(lam) else np.full(run.trials, -lam)
        self._gamma, self._lam = (
            by_count(partial(self._by_pulls, which), run.horizon) if np.ndim(value) else None
            for which, value in enumerate((gamma, lam))
        )
        self._smoothing = run.stream(*optimizer.own) if optimizer.own else None
        self._plain = optimizer.batch == 1 and self._smoothing is None

    def _by_pulls(self, which: int, n: np.ndarray) -> np.ndarray:
        """gamma (0) or lam (1): the policy counts pulls n, the schedule counts updates k."""
        k = np.maximum((n - self._opt.p) // self._opt.batch - 1, 0)
        return self._opt.schedule.at(k)[which]

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        if self._first:
            return self._begin(flat, reward)
        x = self._x[flat]
        step = x - (reward if self._plain else self._gradient_location(reward))
        lam = self._constant_lam if self._lam is None else self._lam[n]
        np.minimum(step, lam, out=step)
        np.maximum(step, self._minus_lam if self._lam is None else -lam, out=step)
        step *= self._constant_gamma if self._gamma is None else self._gamma[n]
        x -= step
        if self._start is not None:
            start = self._start[flat]
            np.minimum(x, start + self._opt.radius, out=x)
            np.maximum(x, start - self._opt.radius, out=x)
        self._x[flat] = x
        return x

    def _begin(self, flat: np.ndarray, reward: np.ndarray) -> np.ndarray:
        """Start one arm of each trial at the median of its first pulls."""
        self._first -= 1
        x = _median_of_rows(reward.reshape(-1, self._trials)).copy()
        self._x[flat] = x
        if self._start is not None:
            self._start[flat] = x
        return x

    def _gradient_location(self, reward: np.ndarray) -> np.ndarray:
        """SMoM of the batch, (trials,)."""
        opt = self._opt
        if opt.batch == 1:
            return reward + self._smoothing.next()[:, 0]  # type: ignore[union-attr]
        means = reward.reshape(2 * opt.m + 1, opt.n, self._trials)
        means = means.sum(axis=1) / opt.n if opt.n > 1 else means[:, 0]
        if self._smoothing is not None:
            means = means + self._smoothing.next().T
        return _median_of_rows(means)
