"""The drift condition of score methods, u h(u) >= p u^2 for |u| <= D, and what implies it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hbucb.noise import Contaminated, Noise
from hbucb.optimizers.scores import Clip, OneBit, Score, Sign
from hbucb.predicates import Predicate
from hbucb.validate import finite, open_probability, positive, store

# Drifts come from quadrature: an equality must pass, a shortfall of one part in a million must not.
_SLACK = 1e-9


def closed_mass(law: Noise, radius: float) -> float:
    """P(|xi| <= radius)."""
    return float(law.mass(radius) + law.atom(radius) + law.atom(-radius))


@dataclass(frozen=True)
class DriftCondition:
    """C(lam, D, p): u h(u) >= p u^2 for all |u| <= D, where h is the drift of the score.

    In words: inside the interval, the average push back is at least p per unit of error.

    Parameters
    ----------
    score : Sign, Clip, TwoPoint or OneBit
    reach : float
        D: how far a guess may be from the location, reward units.
    slope : float
        p: one over reward units for a sign, a number for a clip. p D <= lam, as |psi| <= lam.

    Raises
    ------
    ValueError
        For a parameter out of its range, and where p D > lam.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> condition = DriftCondition(Sign(), reach=1.0, slope=0.5)
    >>> condition.tau, condition.least_slope(Cauchy())
    (2.0, 0.5)
    """

    score: Score
    reach: float
    slope: float

    def __post_init__(self) -> None:
        if not isinstance(self.score, Sign | Clip | OneBit):
            raise ValueError(f"score = {self.score!r} must be a Sign, Clip, TwoPoint or OneBit")
        store(self, reach=positive("reach", self.reach), slope=positive("slope", self.slope))
        if self.slope * self.reach > self.score.lam * (1 + _SLACK):
            raise ValueError(
                f"slope = {self.slope!r} times reach = {self.reach!r} must be at most the level "
                f"{self.score.lam!r} of the score: no drift is larger"
            )

    @property
    def tau(self) -> float:
        """lam / p, in reward units: plays the part of a standard deviation."""
        return self.score.lam / self.slope

    def least_slope(self, law: Noise) -> float | None:
        """A proved lower bound of h(u)/u on |u| <= D for that law, None if none is known here.

        Symmetric unimodal noise: h(D)/D, exact, since h is concave on u > 0. Other symmetric noise
        and a clip level above D: P(|xi| <= lam - D), a lower bound.
        """
        if not law.symmetric:
            return None
        if law.unimodal:
            return self.score.drift(law, self.reach) / self.reach
        if isinstance(self.score, Clip) and self.score.lam > self.reach:
            return closed_mass(law, self.score.lam - self.reach)
        return None

    def refuted_by(self, law: Noise) -> bool:
        """Whether the condition fails for that law at one of 40 points (never "it holds")."""
        grid = self.reach * np.linspace(0.05, 1.0, 20)
        return any(
            sign * self.score.drift(law, sign * u) < self.slope * u * (1 - 1e-6)
            for u in grid.tolist()
            for sign in (1, -1)
        )

    def holds(self) -> Predicate:
        """The condition as an assumption about the noise of every arm."""

        def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
            law = bandit.laws[arm]
            known = self.least_slope(law)
            words = f"the drift of {self.score!r} under {law!r} on |u| <= {self.reach:g}"
            if known is not None and known >= self.slope * (1 - _SLACK):
                return True, ""
            if self.refuted_by(law):
                return False, f"{words} is below {self.slope:g} |u|"
            return None, f"whether {words} is at least {self.slope:g} |u| is not known"

        return Predicate("drift", f"u h(u) >= {self.slope:g} u^2 for |u| <= {self.reach:g}", test)

    def private(self, budget: float) -> DriftCondition:
        """The condition of the sign sent as one bit with privacy budget eps: p times tanh(eps/2).

        Examples
        --------
        >>> condition = DriftCondition(Sign(), reach=1.0, slope=0.5).private(1.0)
        >>> round(condition.tau, 3)
        4.328
        """
        if not isinstance(self.score, Sign):
            raise ValueError(f"score = {self.score!r} must be a Sign to be sent as one bit")
        bit = OneBit(budget)
        return DriftCondition(bit, self.reach, self.slope * bit.factor)

    def contaminated(self, share: float) -> tuple[DriftCondition, float]:
        """The condition and the bias B when a share of the rewards is anything at all.

        With probability ``share``, independently of the past, a reward is replaced by a value that
        may depend on all that was seen before. Then sgn(u) h(u) >= p' (|u| - B) with
        p' = (1 - share) p and B = share lam / p'.

        Examples
        --------
        >>> condition, bias = DriftCondition(Sign(), reach=1.0, slope=0.5).contaminated(0.1)
        >>> condition.slope, round(bias, 4)
        (0.45, 0.2222)
        """
        share = open_probability("share", share)
        slope = (1 - share) * self.slope
        return replace(self, slope=slope), share * self.score.lam / slope

    def asymmetry_bias(self, law: Noise) -> float:
        """|h(0)| / p: the bias under noise that is not symmetric, where h has slope p or more.

        Examples
        --------
        >>> import math
        >>> from hbucb.noise import Exponential, LocationScale
        >>> law = LocationScale(Exponential(), loc=-math.log(2))
        >>> round(DriftCondition(Clip(2.0), reach=1.0, slope=0.5).asymmetry_bias(law), 3)
        0.478
        """
        return abs(self.score.drift(law, 0.0)) / self.slope

    def holds_beyond(self, bias: float) -> Predicate:
        """sgn(u) h(u) >= p (|u| - B) for B < |u| <= D, as an assumption about every arm's noise.

        Known to hold for ``Contaminated`` noise whose clean part has the drift p / (1 - share) and
        share lam <= p B, and where a clip level above D has P(|xi| <= lam - D) >= p and
        |h(0)| <= p B, symmetric or not.
        """

        def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
            law = bandit.laws[arm]
            if isinstance(law, Contaminated) and 0 < law.eps < 1:
                kept = self.slope / (1 - law.eps)
                clean = self.least_slope(law.law)
                within = law.eps * self.score.lam <= self.slope * bias * (1 + _SLACK)
                if within and clean is not None and clean >= kept * (1 - _SLACK):
                    return True, ""
            lam = self.score.lam
            if isinstance(self.score, Clip) and lam > self.reach:
                steep = closed_mass(law, lam - self.reach) >= self.slope * (1 - _SLACK)
                if steep and self.asymmetry_bias(law) <= bias * (1 + _SLACK) + 1e-10:
                    return True, ""
            words = f"whether the drift under {law!r} is at least {self.slope:g} (|u| - {bias:g})"
            return None, f"{words} is not known"

        finite("bias", bias)
        text = f"sgn(u) h(u) >= {self.slope:g} (|u| - {bias:g}) for |u| <= {self.reach:g}"
        return Predicate("drift_beyond", text, test)
