"""MOSS: no bonus for an arm that has had its share T/K of the pulls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.assumptions import AssumptionError, check
from hbucb.estimators.mean import SampleMean
from hbucb.moss_bounds import moss_gap_regret
from hbucb.policies.arm_index import ArmIndexPolicy
from hbucb.policies.index import FormulaRadius, IndexState, NoRadius, Rule
from hbucb.predicates import Predicate, bounded, common_mean, subgaussian
from hbucb.streams import Run
from hbucb.validate import store, whole_number


def _half_sub_gaussian() -> Predicate:
    """The noise is 1/2-sub-Gaussian: known of its law, or as all rewards lie in [0, 1]."""
    unit, half = bounded(0.0, 1.0), subgaussian(0.5)

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        return (True, "") if unit.test(bandit, arm)[0] else half.test(bandit, arm)

    return Predicate(half.name, half.text, test)


@dataclass(frozen=True)
class ShareRadius(NoRadius):
    """sqrt(max(0, ln(t / (K n))) / n) in round t = 1, 2, ...; computed anew in each round."""

    arms: int
    fixed = False

    def at(self, n: np.ndarray, t: int) -> np.ndarray:
        """Radius of arms with counts ``n``, in reward units."""
        # No pull: any number does, as the index is infinite already.
        pulls = np.maximum(n, 1.0)
        # A share used up exactly must give ln 1 = 0: whole numbers first, then one division.
        share = pulls * self.arms
        np.divide(t + 1, share, out=share)
        np.log(share, out=share)
        np.maximum(share, 0.0, out=share)
        share /= pulls
        return np.sqrt(share, out=share)


@dataclass(frozen=True)
class MOSS(ArmIndexPolicy):
    """Play the largest mean + sqrt(max(0, ln(T / (K n))) / n), for rewards in [0, 1].

    Parameters
    ----------
    kind : {"horizon", "anytime"}
        "anytime" has the round t = 1, 2, ... about to be played in place of T.
    horizon : int, optional
        T in the formula, for "horizon" only; that of the run if not given.

    Raises
    ------
    ValueError
        For another kind, or a horizon that is not a whole number >= 1 or is not used.

    References
    ----------
    Audibert and Bubeck (2009), section 2.2 and Theorem 5; the second paper's public code runs
    "anytime". The regret bound is the book's own.

    Examples
    --------
    >>> import hbucb as hb
    >>> round(hb.MOSS().regret_bound(hb.BernoulliBandit([0.4, 0.6]), horizon=20_000), 1)
    73.6
    """

    kind: str = "horizon"
    horizon: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("horizon", "anytime"):
            raise ValueError(f"kind = {self.kind!r} must be 'horizon' or 'anytime'")
        if self.horizon is not None and self.kind == "anytime":
            raise ValueError(f"horizon = {self.horizon!r} is used by kind='horizon' only")
        if self.horizon is not None:
            store(self, horizon=whole_number(self.horizon, "horizon", 1))

    def tuned(self, horizon: int) -> MOSS:
        if self.kind == "anytime" or self.horizon is not None:
            return self
        return replace(self, horizon=whole_number(horizon, "horizon", 1))

    def start(self, run: Run) -> IndexState:
        if self.kind == "anytime":
            return IndexState(Rule(SampleMean(), ShareRadius(run.arms)), run)
        total = run.horizon if self.horizon is None else self.horizon

        def radius(n: np.ndarray) -> np.ndarray:
            return np.sqrt(np.maximum(0.0, np.log(total / (run.arms * n))) / n)

        return IndexState(Rule(SampleMean(), FormulaRadius(radius)), run)

    def index(self, rewards: Sequence[float], t: int, horizon: int, counts: Sequence[int]) -> float:
        if not rewards:
            return math.inf
        n = len(rewards)
        total = t + 1 if self.kind == "anytime" else self.horizon or horizon
        share = math.log(total / (len(counts) * n))
        return SampleMean().estimate(rewards) + math.sqrt(max(0.0, share) / n)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """:func:`hbucb.moss_bounds.moss_gap_regret`, where T is the horizon in the index.

        Parameters
        ----------
        bandit : Bandit
        horizon : int or array_like of int
            T; up to the horizon of the index, if one was given.
        declare : sequence of {"common_mean", "subgaussian"}
            Facts you vouch for where the laws do not know them.

        Returns
        -------
        float, or ndarray for several horizons
            In reward units; below 49 sqrt(K T), and T times the largest gap where it says nothing.

        Raises
        ------
        AssumptionError
            For rewards neither in [0, 1] nor known to be 1/2-sub-Gaussian, for kind="anytime", and
            beyond the index's horizon.
        """
        if self.kind == "anytime":
            raise AssumptionError(
                "MOSS(kind='anytime') has no regret bound here: the theorem is about the index "
                "that knows T; the proved anytime form has a longer radius (Degenne and Perchet)"
            )
        needs = [common_mean(), _half_sub_gaussian()]
        check(bandit, needs, of="the bound of MOSS", declare=declare)
        if self.horizon is None:
            return moss_gap_regret(bandit.gaps, horizon)
        if np.max(horizon) > self.horizon:
            raise AssumptionError(
                f"MOSS(horizon={self.horizon}) has no regret bound beyond round {self.horizon}"
            )
        # Regret does not decrease, so that of the whole game bounds that of its beginning.
        return moss_gap_regret(bandit.gaps, np.full(np.shape(horizon), self.horizon))
