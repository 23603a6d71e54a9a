"""MedianUCB and HuberUCB: a robust centre of the arm's rewards + its radius."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from hbucb.assumptions import Predicate, check
from hbucb.estimators.checks import FixedLevel
from hbucb.estimators.huber import Huber
from hbucb.estimators.sample_median import SampleMedian
from hbucb.noise import Noise
from hbucb.policies.fixed_level import FixedLevelPolicy
from hbucb.policies.index import FixedRadius, Rule
from hbucb.theory import zo_regret
from hbucb.validate import open_probability, store


def law_is(law: Noise) -> Predicate:
    """The noise of every arm has this law."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        return bool(bandit.laws[arm] == law), f"{bandit.laws[arm]!r} is another law"

    return Predicate("law_is", f"noise of the law {law!r}", test)


@dataclass(frozen=True)
class _CentreUCB(FixedLevelPolicy):
    """Estimate + radius(n, delta); the estimator knows its class by numbers, or one law."""

    estimator: Any = None
    law: Noise | None = None
    delta: float | None = None
    _kind: ClassVar[type] = object

    def __post_init__(self) -> None:
        if type(self.estimator) is not self._kind:
            raise ValueError(f"estimator = {self.estimator!r} must be a {self._kind.__name__}")
        if self.law is not None and not isinstance(self.law, Noise):
            raise ValueError(f"law = {self.law!r} must be a law of hbucb.noise, or None")
        if self.law is not None and self.law.symmetric is not True:
            raise ValueError(f"law = {self.law!r} is not known to be symmetric")
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))

    def radius(self, n: Any, delta: float) -> Any:
        """Half-width of the interval after n pulls, reward units, inf where none is proved."""
        if self.law is None:
            return self.estimator.radius(n, delta)
        return self.estimator.radius_for(self.law, n, delta)

    def rule(self, horizon: int) -> Rule:
        delta = self.level(horizon)
        table = _table(self, horizon, delta)
        return Rule(self.estimator.running(FixedLevel(delta)), FixedRadius(table))

    def bytes_per_trial(self, arms: int, horizon: int) -> int:
        # Without the rule, whose table of radii costs time.
        running = self.estimator.running(FixedLevel(0.5))
        return 64 * arms + 16 + running.bytes_per_trial(arms, horizon)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """The pull lemma for this radius, where the laws of the arms are the ones it knows.

        Raises
        ------
        AssumptionError
            For arms outside the class: another law than ``law``, or outside the estimator's class.
        """
        needs = self.estimator.assumptions() if self.law is None else (law_is(self.law),)
        check(bandit, needs, of=f"the bound of {type(self).__name__}", declare=declare)

        def g(n: int, delta: float) -> float:
            return float(self.radius(n, delta))

        return zo_regret(bandit.gaps, horizon, g=g, delta=self.delta)


@lru_cache(maxsize=16)
def _table(policy: _CentreUCB, horizon: int, delta: float) -> np.ndarray:
    """Radii by the count; for a known law they take a quadrature, so they are kept."""
    table = np.full(horizon + 1, np.inf)
    table[1:] = policy.radius(np.arange(1, horizon + 1), delta)
    table.setflags(write=False)
    return table


@dataclass(frozen=True)
class MedianUCB(_CentreUCB):
    """Play the largest sample median + radius, exact for the law or the class that it knows.

    Parameters
    ----------
    estimator : SampleMedian
        With ``kappa`` and ``reach``, which say how fast the distribution function leaves 1/2;
        used for the radius unless ``law`` is given.
    law : Noise, optional
        Law of the noise of every arm, symmetric about 0.
    delta : float, optional
        Failure probability of one side: 1/T^2 if not given.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    Examples
    --------
    >>> from hbucb import Bandit, MedianUCB
    >>> from hbucb.noise import Cauchy
    >>> bandit = Bandit(range(10), Cauchy())
    >>> round(MedianUCB(law=Cauchy()).regret_bound(bandit, horizon=10_000))
    1945
    """

    estimator: SampleMedian = field(default_factory=SampleMedian)
    _kind: ClassVar[type] = SampleMedian


@dataclass(frozen=True)
class HuberUCB(_CentreUCB):
    """Play the largest Huber location + radius, for symmetric noise without moments.

    Parameters
    ----------
    estimator : Huber
        With ``lam``, ``slope`` and ``reach``: the noise is within lam - reach of 0 with
        probability at least slope. Used for the radius unless ``law`` is given.
    law : Noise, optional
        Law of the noise of every arm, symmetric about 0; only ``lam`` matters then.
    delta : float, optional
        Failure probability of one side: 1/T^2 if not given.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    Notes
    -----
    Each step solves for the roots of the played arms' whole histories, those of all trials
    together: about 30 microseconds a step and trial for 1000 rounds of 100 trials.

    Examples
    --------
    >>> from hbucb import Bandit, HuberUCB
    >>> from hbucb.estimators import Huber
    >>> from hbucb.noise import ParetoHole
    >>> bandit = Bandit([0.0, 4.0], ParetoHole(0.5))
    >>> HuberUCB(Huber(lam=8.0), law=ParetoHole(0.5)).regret_bound(bandit, 10_000) < 6000
    True
    """

    estimator: Huber = field(default_factory=Huber)
    _kind: ClassVar[type] = Huber
