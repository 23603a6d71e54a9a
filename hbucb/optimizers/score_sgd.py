"""Score SGD: projected SGD with a clipped or sign gradient and step 1/(p (k + 1)).

x_{k+1} = Proj_I(x_k - psi(x_k, X_k) / (p (k + 1))). Its last iterate is as good as an average: the
step needs neither delta nor the horizon, and the start is forgotten after the first update.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hbucb.noise import Noise, Uniform
from hbucb.optimizers.drift import DriftCondition
from hbucb.predicates import Predicate
from hbucb.streams import Run
from hbucb.validate import finite, store, whole_number


@dataclass(frozen=True)
class ScoreSGD:
    """Score SGD on a given interval, or on one around the median of the first pulls.

    Parameters
    ----------
    condition : DriftCondition
        Score, reach D and slope p. The location is within D of every point of the interval.
    interval : (float, float), optional
        I, known to hold the location, reward units.
    pulls : int
        Without ``interval``: the odd number of first pulls whose median is the middle of I, at
        most D/2 = ``condition.reach`` / 2 away from its ends.
    x0 : float, optional
        Start in ``interval``; its middle if not given.
    shift : int
        The step is 1/(p (k + shift)): 1 forgets the start; ceil(1/p) is that of
        :class:`BernsteinG`.

    Raises
    ------
    ValueError
        For parameters of the wrong kind or out of range, named with their value.

    Examples
    --------
    >>> from hbucb.optimizers import DriftCondition, Sign
    >>> sgd = ScoreSGD(DriftCondition(Sign(), reach=2.0, slope=0.5), interval=(-1.0, 1.0), x0=1.0)
    >>> sgd.estimate([-40.0]), sgd.estimate([-40.0, 0.2]), sgd.estimate([-40.0, 0.2, 1e6])
    (-1.0, 0.0, 0.6666666666666666)
    >>> round(float(sgd.radius(1000, 0.01)), 3)
    0.206
    """

    condition: DriftCondition
    interval: tuple[float, float] | None = None
    pulls: int = 0
    x0: float | None = None
    shift: int = 1
    batch = 1
    moving = False

    def __post_init__(self) -> None:
        if not isinstance(self.condition, DriftCondition):
            raise ValueError(f"condition = {self.condition!r} must be a DriftCondition")
        store(self, pulls=whole_number(self.pulls, "pulls", 0))
        store(self, shift=whole_number(self.shift, "shift", 1))
        if (self.interval is None) == (self.pulls == 0):
            raise ValueError(
                f"interval = {self.interval!r}, pulls = {self.pulls!r}: give one of the two"
            )
        if self.pulls:
            if self.pulls % 2 == 0:
                raise ValueError(f"pulls = {self.pulls!r} must be odd: their median is one of them")
            if self.x0 is not None:
                raise ValueError(f"x0 = {self.x0!r} is for a given interval only")
        if self.interval is not None:
            ends = tuple(finite("interval", end) for end in self.interval)
            if len(ends) != 2 or not ends[0] < ends[1]:
                raise ValueError(f"interval = {self.interval!r} must be (low, high), low < high")
            low, high = ends
            if high - low > 2 * self.condition.reach * (1 + 1e-12):
                raise ValueError(
                    f"interval = {self.interval!r} is longer than 2 reach = "
                    f"{2 * self.condition.reach!r}: no location is within reach of all its points"
                )
            start = (low + high) / 2 if self.x0 is None else finite("x0", self.x0)
            if not low <= start <= high:
                raise ValueError(f"x0 = {self.x0!r} must lie in interval = {self.interval!r}")
            store(self, interval=ends, x0=start)

    @property
    def initial(self) -> int:
        """First pulls of each arm."""
        return self.pulls

    @property
    def own(self) -> tuple[Noise, int] | None:
        """The coin of a randomised score: a uniform draw from (-1, 1) an update."""
        return (Uniform(), 1) if self.condition.score.coins else None

    def step(self, x: Any, reward: Any, k: Any, low: Any, high: Any, coin: Any = None) -> Any:
        """x_{k+1} from x_k, element by element."""
        move = self.condition.score(x, reward, coin)
        step = 1 / (self.condition.slope * (k + self.shift))
        return np.minimum(np.maximum(x - step * move, low), high)

    def g(self, k: Any, delta: Any) -> Any:
        """tau^2 ln(2/delta) / k: P((x_k - mu)^2 / 2 > g(k, delta)) <= delta at each k >= 1."""
        return self.condition.tau**2 * np.log(2 / np.asarray(delta)) / np.asarray(k)

    def radius(self, k: Any, delta: Any) -> Any:
        """sqrt(2 g(k, delta)), reward units."""
        return np.sqrt(2 * self.g(k, delta))

    def locations(self) -> tuple[Predicate, ...]:
        """What the given interval asks of the locations; nothing without one."""
        if self.interval is None:
            return ()
        low, high = self.interval
        reach = self.condition.reach

        def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
            loc = float(bandit.loc[arm])
            inside = low <= loc <= high and max(loc - low, high - loc) <= reach * (1 + 1e-12)
            return inside, f"arm {arm} has location {loc:g}"

        text = f"locations in [{low:g}, {high:g}], within {reach:g} of both ends"
        return (Predicate("location_in_interval", text, test),)

    def stream(self, run: Run) -> ScoreIterates:
        return ScoreIterates(self, run)

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The iterate after all rewards of one arm, in reward units."""
        if len(rewards) < max(self.pulls, 0 if self.interval else 1):
            raise ValueError(f"rewards has {len(rewards)} entries; {self.pulls} are needed")
        if self.interval is not None and self.x0 is not None:
            (low, high), x = self.interval, self.x0
        else:
            x = sorted(rewards[: self.pulls])[self.pulls // 2]
            low, high = x - self.condition.reach / 2, x + self.condition.reach / 2
        for k, reward in enumerate(rewards[self.pulls :]):
            coin = own[k][0] if self.own else None
            x = float(self.step(x, reward, k, low, high, coin))
        return x

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        return (24 if self.pulls else 8) * arms + 8 * 512


class ScoreIterates:
    """Iterates of all trials and arms: one number each, three with an interval of their own."""

    def __init__(self, sgd: ScoreSGD, run: Run) -> None:
        self._sgd, self._trials = sgd, run.trials
        size = run.trials * run.arms
        self._first = run.arms if sgd.pulls else 0
        self._x = np.full(size, 0.0 if sgd.x0 is None else sgd.x0)
        self._ends = None if sgd.interval else (np.empty(size), np.empty(size))
        self._coins = run.stream(*sgd.own) if sgd.own else None

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        if self._first:
            return self._begin(flat, reward)
        if self._ends is None:
            low, high = self._sgd.interval  # type: ignore[misc]
        else:
            low, high = self._ends[0][flat], self._ends[1][flat]  # type: ignore[assignment]
        coin = None if self._coins is None else self._coins.next()[:, 0]
        k = n - (self._sgd.pulls + 1)
        x = self._sgd.step(self._x[flat], reward, k, low, high, coin)
        self._x[flat] = x
        return x

    def _begin(self, flat: np.ndarray, reward: np.ndarray) -> np.ndarray:
        """One arm of each trial: the median of its first pulls is the middle of its interval."""
        self._first -= 1
        rows = np.sort(reward.reshape(-1, self._trials), axis=0)
        x = rows[self._sgd.pulls // 2].copy()
        half = self._sgd.condition.reach / 2
        self._x[flat] = x
        self._ends[0][flat], self._ends[1][flat] = x - half, x + half  # type: ignore[index]
        return x
