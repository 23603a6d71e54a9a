"""The index of score SGD: interval, radius and bound, whatever the score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from hbucb.arguments import as_horizon, is_plain
from hbucb.assumptions import check
from hbucb.noise import Cauchy
from hbucb.optimizers import DriftCondition, LastIterateG, LastIterateUniformG, ScoreSGD
from hbucb.optimizers.guarantee import values_of
from hbucb.optimizers.knowledge import Knowledge, KnownLaw
from hbucb.optimizers.localisation import median_misses, median_pulls
from hbucb.policies.index import FormulaRadius, IndexPolicy, RootRadius, Rule
from hbucb.score_bounds import score_anytime_regret, score_regret, score_uniform_regret
from hbucb.validate import open_probability, positive, store, whole_number

_Self = TypeVar("_Self", bound="ScoreIndex")


@dataclass(frozen=True)
class ScoreIndex(IndexPolicy):
    """Base of SignSGDUCB, ClipSGDUCB and TwoPointUCB, which differ in the drift condition."""

    knowledge: Knowledge = field(default_factory=lambda: KnownLaw(Cauchy()))
    interval: tuple[float, float] | None = None
    half: float | None = None
    pulls: int | None = None
    kind: str = "fixed"
    delta: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.knowledge, Knowledge):
            raise ValueError(f"knowledge = {self.knowledge!r} must be a Knowledge of the noise")
        if self.kind not in ("fixed", "anytime", "uniform"):
            raise ValueError(f"kind = {self.kind!r} must be 'fixed', 'anytime' or 'uniform'")
        if self.delta is not None:
            if self.kind == "anytime":
                raise ValueError(f"delta = {self.delta!r} is not used by kind='anytime'")
            store(self, delta=open_probability("delta", self.delta))
        if self.interval is not None and not (self.half is None and self.pulls is None):
            raise ValueError(
                f"half = {self.half!r}, pulls = {self.pulls!r} are not used with an interval"
            )
        if self.interval is not None:
            pair = isinstance(self.interval, tuple) and len(self.interval) == 2
            if not (pair and all(map(is_plain, self.interval))) or not (
                self.interval[0] < self.interval[1]
            ):
                raise ValueError(f"interval = {self.interval!r} must be (low, high), low < high")
        if self.kind == "anytime" and self.interval is None:
            raise ValueError(
                "kind = 'anytime' needs an interval: one around first pulls is tied to a horizon"
            )
        if self.half is not None:
            store(self, half=positive("half", self.half))
        if self.pulls is not None:
            store(self, pulls=whole_number(self.pulls, "pulls", 1))
        self._sgd(100)  # refuses what cannot be run here, not at the start of a run

    def _condition(self, reach: float) -> DriftCondition:
        raise NotImplementedError

    @property
    def _half(self) -> float:
        return self.knowledge.scale if self.half is None else self.half

    @property
    def condition(self) -> DriftCondition:
        """The drift condition on the interval of each arm."""
        if self.interval is None:
            return self._condition(2 * self._half)
        return self._condition(float(self.interval[1]) - float(self.interval[0]))

    @property
    def accepts_infinite(self) -> bool:  # type: ignore[override]
        """Rewards of +-inf move the guess by a bounded step; only first pulls must be finite."""
        return self.interval is not None

    def _pulls(self, horizon: int) -> int:
        if self.interval is not None:
            return 0
        if self.pulls is not None:
            return self.pulls
        return median_pulls(self.knowledge.mass(self._half), 1 / max(horizon, 2))

    def _sgd(self, horizon: int) -> ScoreSGD:
        return ScoreSGD(self.condition, self.interval, self._pulls(horizon))

    def _default(self, horizon: Any) -> Any:
        total = np.maximum(as_horizon(horizon), 2.0)
        return 1 / total if self.kind == "uniform" else 1 / total**2

    def rule(self, horizon: int) -> Rule:
        sgd = self._sgd(horizon)
        if self.kind == "anytime":
            return Rule(sgd, RootRadius(math.sqrt(2) * sgd.condition.tau, anytime=True))
        g = (LastIterateUniformG if self.kind == "uniform" else LastIterateG)(sgd.condition)
        delta = float(self._default(horizon)) if self.delta is None else self.delta

        def radius(n: np.ndarray) -> np.ndarray:
            return np.sqrt(2 * values_of(g, np.maximum(n - sgd.pulls, 0), delta))

        return Rule(sgd, FormulaRadius(radius))

    def tuned(self: _Self, horizon: int) -> _Self:
        if self.kind == "anytime":
            return self
        horizon = whole_number(horizon, "horizon", 1)
        delta = float(self._default(horizon)) if self.delta is None else self.delta
        return replace(self, delta=delta, pulls=self._pulls(horizon) or None)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Upper bound on the expected regret where the knowledge of the noise is true.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
            T; what was not given is chosen for each T.
        declare : sequence of str
            Names of assumptions that you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units.

        Raises
        ------
        AssumptionError
            If the knowledge or the interval is wrong for the bandit.
        """
        sgd = self._sgd(100)
        needs = (*self.knowledge.needs(), *sgd.locations())
        check(bandit, needs, of=f"the bound of {type(self).__name__}", declare=declare)
        gaps, tau = bandit.gaps, sgd.condition.tau
        if self.kind == "anytime":
            return score_anytime_regret(gaps, horizon, tau=tau)
        total = as_horizon(horizon)
        bound = score_uniform_regret if self.kind == "uniform" else score_regret
        answer = np.empty(total.shape)
        for at in np.ndindex(total.shape):
            pulls = self._pulls(int(total[at]))
            miss = median_misses(self.knowledge.mass(self._half), pulls) if pulls else 0.0
            answer[at] = bound(gaps, total[at], tau=tau, delta=self.delta, pulls=pulls, miss=miss)
        return float(answer) if answer.ndim == 0 else answer
