"""Self-localising score SGD: an interval that shrinks around the location by itself (ASGN).

State (I, x, S): S adds up information 1/tau^2, where tau belongs to the current length of I.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hbucb.estimators.ranks import uniform_rank
from hbucb.noise import Cauchy
from hbucb.optimizers.knowledge import Knowledge, KnownLaw
from hbucb.streams import Run
from hbucb.validate import finite, open_probability, positive, store, whole_number

#: Rewards of a warm-up, at most: its table of ranks is made once a run.
_MOST = 1_000_000


@dataclass(frozen=True)
class SelfLocalisingSGD:
    """Score SGD whose interval, slope and level follow from what it has seen.

    With tau = lam(D)/p(D) for the length D of the interval I:
    S' = S + 1/tau^2, x' = Proj_I(x - psi/(tau^2 p S')), and I' is the part of I within
    sqrt((S' + r) (2 ln(1/delta) + ln(1 + S'/r))) / S' of x'. With probability at least
    1 - delta - ``miss`` the location is in I at all times. The estimate is the upper end of I.

    Parameters
    ----------
    knowledge : Knowledge
        Slope and level for every D.
    interval : (float, float), optional
        The first I, known to hold the location.
    warm : int
        Without ``interval``: the first rewards of an arm, whose order statistics give the first I;
        until then the estimate is the smallest of their upper limits so far.
    delta : float
        Failure probability of the shrinking interval.
    miss : float
        Failure probability of the warm-up, both sides together.
    rho : float
        Updates that tune the width: r = rho / tau^2 at the first I.
    a : float
        Shape of the mixture behind the warm-up's ranks.

    Raises
    ------
    ValueError
        For parameters of the wrong kind or out of range, and a ``warm`` too small to give limits.

    References
    ----------
    Proof in the book, page "All bounds".

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> sgd = SelfLocalisingSGD(KnownLaw(Cauchy()), interval=(-1.0, 1.0))
    >>> round(sgd.estimate(Cauchy().sample(2000, seed=1).tolist()), 3)
    0.2
    """

    knowledge: Knowledge = field(default_factory=lambda: KnownLaw(Cauchy()))
    interval: tuple[float, float] | None = None
    warm: int = 128
    delta: float = 1e-4
    miss: float = 1e-4
    rho: float = 40.0
    a: float = 3.0
    batch = 1
    initial = 0
    own = None
    moving = False

    def __post_init__(self) -> None:
        if not isinstance(self.knowledge, Knowledge):
            raise ValueError(f"knowledge = {self.knowledge!r} must be a Knowledge of the noise")
        for name in ("delta", "miss"):
            store(self, **{name: open_probability(name, getattr(self, name))})
        store(self, rho=positive("rho", self.rho), a=positive("a", self.a))
        store(self, warm=whole_number(self.warm, "warm", 1))
        if self.warm > _MOST:
            raise ValueError(f"warm = {self.warm!r} must be at most {_MOST}")
        if self.interval is not None:
            pair = isinstance(self.interval, list | tuple) and len(self.interval) == 2
            ends = tuple(finite("interval", end) for end in self.interval) if pair else ()
            if not pair or not ends[0] < ends[1]:
                raise ValueError(f"interval = {self.interval!r} must be (low, high), low < high")
            store(self, interval=ends)
        elif int(self.ranks()[-1]) > self.warm:
            raise ValueError(
                f"warm = {self.warm!r} rewards give no limits with miss = {self.miss!r}: take more"
            )

    def ranks(self) -> np.ndarray:
        """(warm + 1,) rank of the upper limit by the number of rewards, above it where none."""
        return uniform_rank(np.arange(self.warm + 1), self.miss / 2, self.a)

    @property
    def first(self) -> int:
        """Rewards before the first update."""
        return 0 if self.interval else self.warm

    def width(self, total: Any, tuning: Any) -> Any:
        """Half-width of the interval that S = ``total`` allows, r = ``tuning``."""
        level = 2 * math.log(1 / self.delta) + np.log1p(total / tuning)
        return np.sqrt((total + tuning) * level) / total

    def information(self, reach: Any) -> Any:
        """1/tau^2 for an interval of length ``reach``."""
        return (self.knowledge.slope(reach) / self.knowledge.level(reach)) ** 2

    def advance(self, state: np.ndarray, reward: Any) -> np.ndarray:
        """One update of the rows (low, high, x, S, r) of ``state``, shape (5,) or (5, trials)."""
        low, high, x, total, tuning = state
        slope, level = self.knowledge.slope(high - low), self.knowledge.level(high - low)
        gain = (slope / level) ** 2
        total = total + gain
        away = x - reward
        psi = np.sign(away) if self.knowledge.sign else np.minimum(np.maximum(away, -level), level)
        x = np.minimum(np.maximum(x - psi * (gain / (slope * total)), low), high)
        half = self.width(total, tuning)
        low, high = np.maximum(low, x - half), np.minimum(high, x + half)
        return np.array([low, high, x, total, tuning])

    def begin(self, ordered: np.ndarray, high: Any) -> np.ndarray:
        """The state after the warm-up: ``ordered`` rewards (warm, ...), least upper limit so far.

        r is tuned to the distance of the two order statistics, which is at least the length of I.
        """
        rank = int(self.ranks()[-1])
        low, top = ordered[self.warm - rank], ordered[rank - 1]
        high = np.maximum(np.minimum(high, top), low)
        middle = ordered[self.warm // 2]
        x = np.minimum(np.maximum(middle, low), high)
        tuning = self.rho * self.information(top - low)
        return np.array([low, high, x, np.zeros_like(x), tuning])

    def given(self) -> np.ndarray:
        """The state at the start on a given interval."""
        low, high = self.interval  # type: ignore[misc]
        tuning = self.rho * float(self.information(high - low))
        return np.array([low, high, (low + high) / 2, 0.0, tuning])

    def stream(self, run: Run) -> SelfLocalisingState:
        return SelfLocalisingState(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The upper end of the interval after all rewards of one arm; inf before there is one."""
        high = math.inf
        if self.interval is None:
            ranks = self.ranks().tolist()
            for n in range(1, min(len(rewards), self.warm) + 1):
                if ranks[n] <= n:
                    high = min(high, sorted(rewards[:n])[ranks[n] - 1])
            if len(rewards) < self.warm:
                return high
            state = self.begin(np.sort(np.asarray(rewards[: self.warm], dtype=float)), high)
        else:
            state = self.given()
        for reward in rewards[self.first :]:
            state = self.advance(state, reward)
        return float(state[1])

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return 8 * arms * (5 + self.first) + 64 * self.first + 2048


class SelfLocalisingState:
    """Five numbers for every trial and arm, and the rewards of the warm-up in order."""

    def __init__(self, sgd: SelfLocalisingSGD, run: Run) -> None:
        self._sgd = sgd
        size = run.trials * run.arms
        if sgd.interval is None:
            self._state = np.zeros((5, size))
            self._state[1] = np.inf
            self._ordered = np.full((size, sgd.warm), np.inf)
            self._ranks = sgd.ranks()
        else:
            self._state = np.repeat(sgd.given()[:, None], size, axis=1)

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        first = self._sgd.first
        if first and (n <= first).any():
            young = n <= first
            self._warm_up(flat[young], n[young], reward[young])
            flat_old = flat[~young]
            if flat_old.size:
                self._state[:, flat_old] = self._sgd.advance(
                    self._state[:, flat_old], reward[~young]
                )
        else:
            self._state[:, flat] = self._sgd.advance(self._state[:, flat], reward)
        return self._state[1, flat]

    def _warm_up(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> None:
        rows = self._ordered[flat]
        rows[np.arange(flat.size), n - 1] = reward  # an entry that holds +inf still
        rows.sort(axis=1)
        self._ordered[flat] = rows
        rank = self._ranks[n]
        limit = np.where(rank <= n, rows[np.arange(flat.size), np.minimum(rank, n) - 1], np.inf)
        self._state[1, flat] = np.minimum(self._state[1, flat], limit)
        full = n == self._sgd.warm
        if full.any():
            done = flat[full]
            self._state[:, done] = self._sgd.begin(rows[full].T, self._state[1, done])
