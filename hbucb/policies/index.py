"""The one index policy of the framework: play the arm with the largest estimate + radius.

FO-UCB, ZO-UCB and Robust UCB are this policy with an estimator and a radius. The policy owns the
counts, the index matrix, the initial pulls and the batches; the estimator owns the estimates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hbucb.by_count import ByCount, by_count
from hbucb.noise import Noise
from hbucb.policies.base import Policy
from hbucb.streams import Run


class Radius(Protocol):
    """Half-width of an arm's interval after n of its pulls, when t pulls were made in all."""

    @property
    def fixed(self) -> bool:
        """Whether the radius does not depend on t."""

    def weight(self, n: Any) -> Any:
        """At counts ``n`` >= 1: the radius if ``fixed``, else its factor that depends on n.

        +inf means "no estimate yet", which no later count says again. Each count is treated by
        itself: its value may not depend on which others are asked for.
        """

    def level(self, t: int) -> float:
        """The factor of round t, so that radius(n, t) = level(t) * weight(n).

        A radius that does not factor has a method ``at(n, t)`` for arrays of counts instead.
        """


@dataclass(frozen=True)
class FixedRadius:
    """A radius given by a table over the count, of all counts up to the horizon.

    Where there is a formula, :class:`FormulaRadius` needs no memory that grows with the horizon.
    """

    table: np.ndarray = field(repr=False)
    fixed = True

    def weight(self, n: Any) -> Any:
        return self.table[n]

    def level(self, t: int) -> float:
        return 1.0


@dataclass(frozen=True)
class FormulaRadius:
    """A radius given by a function of arrays of counts n >= 1, of each count by itself.

    Examples
    --------
    >>> FormulaRadius(lambda n: 1 / np.sqrt(n)).weight(np.array([1, 4])).tolist()
    [1.0, 0.5]
    """

    of: Callable[[np.ndarray], np.ndarray]
    fixed = True

    def weight(self, n: Any) -> Any:
        return self.of(n)

    def level(self, t: int) -> float:
        return 1.0


@dataclass(frozen=True)
class NoRadius:
    """Nothing to add: the estimate is an upper end itself.

    Also the base of radii that do not factor, which are computed by ``at``.
    """

    fixed = True

    def weight(self, n: Any) -> Any:
        return np.zeros(np.shape(n))

    def level(self, t: int) -> float:
        return 1.0


@dataclass(frozen=True)
class RootRadius:
    """c * sqrt(log_level(t) / n) with log_level(t) = ln t, or ln(1 + t ln^2 t) when ``anytime``.

    ``anytime`` counts the round that is about to be played (t + 1), as its theorem does; the plain
    form takes the pulls made so far, as UCB1 does.
    """

    c: float
    anytime: bool = False
    fixed = False

    def weight(self, n: Any) -> Any:
        return self.c / np.sqrt(n)

    def level(self, t: int) -> float:
        if self.anytime:
            return math.sqrt(math.log(1 + (t + 1) * math.log(t + 1) ** 2))
        return math.sqrt(math.log(t)) if t else 0.0


class Estimates(Protocol):
    """Streaming estimates of all trials and arms; the optimizers export the same interface."""

    def push(self, flat: np.ndarray, n: np.ndarray, reward: np.ndarray) -> np.ndarray:
        """Estimate (trials,) of the arms ``flat`` after their n-th pulls, in a new array.

        ``reward`` is (trials,), or (batch, trials) in the order of time; it must not be changed.
        ``flat`` is overwritten at the next step.
        """


class Estimator(Protocol):
    """What the index policy asks of an estimator or optimizer."""

    @property
    def batch(self) -> int:
        """Rewards that make one update."""

    @property
    def initial(self) -> int:
        """First pulls of each arm, made before any choice; 0: an infinite index does it."""

    @property
    def own(self) -> tuple[Noise, int] | None:
        """Law and number of the draws of its own that each update uses, or None."""

    @property
    def moving(self) -> bool:
        """Whether a pull of one arm can change the estimates of the others (through t)."""

    def stream(self, run: Run) -> Estimates:
        """Streaming state for all trials and arms."""

    def estimate(
        self, rewards: Sequence[float], own: Sequence[Sequence[float]] = (), t: int = 0
    ) -> float:
        """The same estimate from one arm's full history after t pulls of all arms."""

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        """Memory of the streaming state, in bytes."""


@dataclass(frozen=True)
class Rule:
    """An estimator with its radius."""

    estimator: Estimator
    radius: Radius


class IndexPolicy(Policy):
    """Plays argmax of estimate + radius; ties go to the first slot."""

    def rule(self, horizon: int) -> Rule:
        """The estimator and the radius at this horizon."""
        raise NotImplementedError

    def start(self, run: Run) -> IndexState:
        return IndexState(self.rule(run.horizon), run)

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        estimator = self.rule(horizon).estimator
        own = 64 * arms + 16 * estimator.batch + 8 * estimator.initial
        return own + estimator.bytes_per_trial(arms, horizon)

    def index(
        self,
        rewards: Sequence[float],
        t: int,
        horizon: int,
        own: Sequence[Sequence[float]] = (),
    ) -> float:
        """The index of one arm in round t, from the definition.

        Parameters
        ----------
        rewards : sequence of float
            All rewards of the arm, oldest first.
        t : int
            Pulls made so far, of all arms together.
        horizon : int
            T, on which a fixed failure probability depends.
        own : sequence of sequences of float
            Draws of the estimator's own (its smoothing), one sequence an update.

        Returns
        -------
        float
            The upper end of the arm's interval, in reward units.
        """
        return index_of(self.rule(horizon), rewards, t, own)


def index_of(
    rule: Rule, rewards: Sequence[float], t: int, own: Sequence[Sequence[float]] = ()
) -> float:
    """Estimate + radius of one arm from its full history; see :meth:`IndexPolicy.index`."""
    batch, initial = rule.estimator.batch, rule.estimator.initial
    # An incomplete batch is not used.
    used = max(0, len(rewards) - initial) // batch * batch + min(len(rewards), initial)
    if used < max(initial, 1):
        return math.inf
    at = getattr(rule.radius, "at", None)
    if at is not None:
        radius = float(at(np.array([used]), t)[0])
    else:
        weight = float(rule.radius.weight(np.array([used]))[0])
        radius = rule.radius.level(t) * weight if weight < math.inf else math.inf
    if radius == math.inf:
        return math.inf
    return rule.estimator.estimate(rewards[:used], own, t) + radius


class IndexState:
    """State of an index policy: counts, estimates and the index of every trial and arm."""

    def __init__(self, rule: Rule, run: Run) -> None:
        estimator = rule.estimator
        self._trials, self._arms = run.trials, run.arms
        self._row = np.arange(run.trials) * run.arms
        self._flat = np.empty_like(self._row)
        self._count = np.zeros(run.trials * run.arms, np.int64)
        self._estimates = estimator.stream(run)
        # Estimators whose blocks depend on t change the estimates of arms that are not played.
        self._stale = getattr(self._estimates, "stale", None) if estimator.moving else None
        self._fixed = rule.radius.fixed
        self._weight = by_count(rule.radius.weight, run.horizon)
        # A weight of +inf says "no estimate yet": the index is then infinite at every level, 0 too.
        table = self._weight.table if isinstance(self._weight, ByCount) else self._weight
        self._gated = bool(np.isinf(table[1:]).any())
        self._level = rule.radius.level
        self._at = getattr(rule.radius, "at", None)
        self._initial, self._batch = estimator.initial, estimator.batch
        self._warm = self._initial * run.arms
        self._gathered = np.empty((max(self._initial, self._batch), run.trials))
        self._arm = np.zeros(run.trials, np.int64)
        # Upper ends of the intervals, or the estimates with their weights when t moves all radii.
        self._upper = np.full((run.trials, run.arms), np.inf)
        self._weights = np.zeros((run.trials, run.arms))
        self._flat_upper, self._flat_weights = self._upper.reshape(-1), self._weights.reshape(-1)
        self._index = self._upper if self._fixed else np.empty_like(self._upper)

    def select(self, t: int) -> np.ndarray:
        if t < self._warm:
            if t % self._initial == 0:
                self._arm = np.full(self._trials, t // self._initial)
            return self._arm
        if self._batch > 1 and (t - self._warm) % self._batch:
            return self._arm
        if self._at is not None:
            np.add(self._upper, self._at(self._count, t).reshape(self._upper.shape), self._index)
        elif not self._fixed:
            np.multiply(self._weights, self._level(t), out=self._index)
            self._index += self._upper
        self._arm = self._index.argmax(axis=1)
        return self._arm

    def indices(self) -> np.ndarray:
        """The indices (trials, arms) that the last choice compared; not to be written into."""
        return self._index

    def update(self, t: int, arm: np.ndarray, reward: np.ndarray) -> None:
        size = self._initial if t < self._warm else self._batch
        if size != 1:
            at = (t if t < self._warm else t - self._warm) % size
            self._gathered[at] = reward
            if at + 1 < size:
                return
            reward = self._gathered[:size]
        flat = np.add(self._row, arm, out=self._flat)
        n = self._count[flat]
        n += size
        self._count[flat] = n
        upper = self._estimates.push(flat, n, reward)
        weight = self._weight[n]
        if self._fixed:
            upper += weight
        if self._gated:
            not_yet = np.isinf(weight)
            upper[not_yet] = np.inf
            weight = np.where(not_yet, 0.0, weight)
        if not self._fixed:
            self._flat_weights[flat] = weight
        self._flat_upper[flat] = upper
        if self._stale is not None:
            self._refresh(self._stale())

    def _refresh(self, flat: np.ndarray) -> None:
        if flat.size:
            upper = self._estimates.values(flat)  # type: ignore[attr-defined]
            weight = self._weight[self._count[flat]]
            if self._fixed:
                upper += weight
            if self._gated:
                upper[np.isinf(weight)] = np.inf
            self._flat_upper[flat] = upper
