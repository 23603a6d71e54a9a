"""Robust UCB of Bubeck, Cesa-Bianchi and Lugosi (2013): a robust mean + its radius."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from hbucb.assumptions import AssumptionError, check
from hbucb.estimators.catoni import Catoni
from hbucb.estimators.checks import FixedLevel, PowerLevel
from hbucb.estimators.median_of_means import MedianOfMeans
from hbucb.estimators.truncated_mean import TruncatedMean
from hbucb.policies.index import IndexPolicy, Rule
from hbucb.policies.robust_rules import RobustMean, authors_rule, fair_rule, robust_rule
from hbucb.predicates import common_mean
from hbucb.robust_bounds import (
    robust_ucb_catoni_anytime_regret,
    robust_ucb_catoni_regret,
    robust_ucb_mom_anytime_regret,
    robust_ucb_truncated_anytime_regret,
    robust_ucb_truncated_regret,
)
from hbucb.upper_bounds import robust_ucb_mom_regret
from hbucb.validate import finite, nonnegative, open_probability, store, whole_number

_WHY_NOT = {
    "authors": "with eps = 0 its bonus is the same for all arms, so it is greedy",
    "fair": "c sqrt(ln t / n) is a practical radius, not a proved one",
}
_BOUNDS: dict[type, tuple[Callable[..., Any], Callable[..., Any]]] = {
    MedianOfMeans: (robust_ucb_mom_regret, robust_ucb_mom_anytime_regret),
    TruncatedMean: (robust_ucb_truncated_regret, robust_ucb_truncated_anytime_regret),
    Catoni: (robust_ucb_catoni_regret, robust_ucb_catoni_anytime_regret),
}


@dataclass(frozen=True)
class RobustUCB(IndexPolicy):
    """Play the largest robust mean + radius.

    Parameters
    ----------
    estimator : MedianOfMeans, TruncatedMean or Catoni
        With the moment that it knows. The truncated mean asks for the moment of the *reward*, so
        its runs change if a constant is added to all rewards; the others' do not.
    preset : {"theory", "authors", "fair"}, or "text" for "theory"
        "theory": the estimator's own radius, +inf where it is not proved (median of means: fewer
        than 16 ln(e^(1/8)/delta) pulls; Catoni: 2 ln(1/delta) or fewer).
        The other two are for the median of means only.
        "authors": RUCB-Median as the public code of Dorn et al. runs it: two first pulls,
        min(1 + 16 ln(1 + t), n/2) blocks and the bonus of eps = 0, which is the same for all arms.
        "fair": median of the means of blocks of fixed length + c sqrt(ln t / n). The number of
        blocks grows with n, so the estimate settles, which it does not when their number is
        capped and the rewards have no mean.
    c : float
        Exploration constant of "fair", in reward units.
    group : int
        Rewards in a block of "fair": 1 is the sample median, 2 the median of the means of pairs.
    delta : float, optional
        Failure probability of one side ("theory"): 1/T^2 if not given.
    power : float, optional
        Failure probability t^-power after t pulls in all, in place of a fixed one: the horizon
        need not be known. 2 is the printed choice, 3 makes the additive term of the bound finite.
        At least 2.

    Raises
    ------
    ValueError
        For a parameter of the wrong kind or out of range, named with its value.

    Notes
    -----
    Catoni's root is exact to a few units in the last place only: where indices tie, as they may
    for rewards with atoms, rounding breaks the tie.

    References
    ----------
    Bubeck, Cesa-Bianchi and Lugosi (2013), section III with Lemmas 1 to 3.

    Examples
    --------
    >>> from hbucb import Bandit, RobustUCB
    >>> from hbucb.estimators import Catoni, MedianOfMeans
    >>> from hbucb.noise import StudentT
    >>> bandit = Bandit([0.0, 1.0], StudentT(3.0))
    >>> policy = RobustUCB(MedianOfMeans(eps=1.0, v=3.0))
    >>> 10_000 < policy.regret_bound(bandit, horizon=10**6) < 100_000
    True
    >>> RobustUCB(Catoni(v=3.0), power=3).regret_bound(bandit, horizon=10**6) < 1200
    True
    """

    estimator: RobustMean = field(default_factory=MedianOfMeans)
    preset: str = "theory"
    c: float = 1.0
    group: int = 2
    delta: float | None = None
    power: float | None = None

    def __post_init__(self) -> None:
        if type(self.estimator) not in _BOUNDS:
            raise ValueError(
                f"estimator = {self.estimator!r} must be a MedianOfMeans, TruncatedMean or Catoni"
            )
        if self.preset == "text":  # one policy under both names
            store(self, preset="theory")
        if self.preset not in ("theory", "authors", "fair"):
            raise ValueError(
                f"preset = {self.preset!r} must be 'theory' (or 'text'), 'authors' or 'fair'"
            )
        if self.preset != "theory" and not isinstance(self.estimator, MedianOfMeans):
            raise ValueError(f"preset = {self.preset!r} is for a MedianOfMeans only")
        store(self, c=nonnegative("c", self.c), group=whole_number(self.group, "group", 1))
        for name in ("delta", "power"):
            if getattr(self, name) is not None and self.preset != "theory":
                raise ValueError(
                    f"{name} = {getattr(self, name)!r} is used by preset='theory' only"
                )
        if self.delta is not None:
            store(self, delta=open_probability("delta", self.delta))
        if self.power is not None:
            store(self, power=finite("power", self.power))
            if self.power < 2:
                raise ValueError(f"power = {self.power!r} must be at least 2")
            if self.delta is not None:
                raise ValueError(f"delta = {self.delta!r} and power = {self.power!r}: give one")

    def rule(self, horizon: int) -> Rule:
        if self.preset == "fair":
            return fair_rule(self.group, self.c)
        if self.preset == "authors":
            return authors_rule(self.estimator.v)  # type: ignore[union-attr]
        if self.power is not None:
            return robust_rule(self.estimator, PowerLevel(self.power))
        # A horizon of 1 has one round and no failure to guard against.
        delta = 1 / max(horizon, 2) ** 2 if self.delta is None else self.delta
        return robust_rule(self.estimator, FixedLevel(delta))

    def tuned(self, horizon: int) -> RobustUCB:
        if self.preset != "theory" or self.delta is not None or self.power is not None:
            return self
        return replace(self, delta=1 / max(whole_number(horizon, "horizon", 1), 2) ** 2)

    def regret_bound(self, bandit: Any, horizon: Any, declare: Sequence[str] = ()) -> Any:
        """Corrected bound of Robust UCB where all arms have that moment and a common noise mean.

        Raises
        ------
        AssumptionError
            For laws without that moment, and for the presets that no theorem covers.
        """
        if self.preset != "theory":
            raise AssumptionError(
                f"RobustUCB(preset={self.preset!r}) has no regret bound: {_WHY_NOT[self.preset]}"
            )
        check(
            bandit,
            [common_mean(), *self.estimator.assumptions()],
            of=f"the bound of Robust UCB with {self.estimator!r}",
            declare=declare,
        )
        fixed, anytime = _BOUNDS[type(self.estimator)]
        known = asdict(self.estimator)
        if self.power is not None:
            return anytime(bandit.gaps, horizon, **known, power=self.power)
        return fixed(bandit.gaps, horizon, **known, delta=self.delta)
