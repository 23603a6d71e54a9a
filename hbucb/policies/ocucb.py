"""OCUCB: a radius that shrinks as the end of the game comes near."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from hbucb.estimators.mean import SampleMean
from hbucb.policies.index import IndexPolicy, RootRadius, Rule
from hbucb.validate import finite, store, whole_number


@dataclass(frozen=True)
class RemainingRadius:
    """sqrt(alpha ln(psi T / t) / n) in round t = 1, 2, ...; 0 where the logarithm is negative."""

    alpha: float
    psi: float
    total: int
    fixed = False

    def weight(self, n: Any) -> Any:
        return RootRadius(math.sqrt(self.alpha)).weight(n)

    def level(self, t: int) -> float:
        return math.sqrt(max(0.0, math.log(self.psi * self.total / (t + 1))))


@dataclass(frozen=True)
class OCUCB(IndexPolicy):
    """Play the largest mean + sqrt(alpha ln(psi T / t) / n) in round t = 1, 2, ..., T.

    Parameters
    ----------
    alpha : float
        At least 1; the theorem needs alpha > 2 (for 1-sub-Gaussian rewards). The second paper
        runs 2.1.
    psi : float
        At least 1; the theorem needs psi >= 2.
    horizon : int, optional
        T in the formula; that of the run if not given.

    Raises
    ------
    ValueError
        For a parameter out of range, named with its value.

    Notes
    -----
    Its theorem bounds the regret by C sum [gap + ln(T/H)/gap], where the paper names no number for
    C = C(alpha): so there is no :meth:`regret_bound`, and :func:`hbucb.bounded_bounds.ocucb_regret`
    asks for C.

    References
    ----------
    Lattimore (2015), Algorithm 1 and Theorem 1.

    Examples
    --------
    >>> from hbucb import OCUCB
    >>> index = OCUCB(alpha=2.0).index([0.0, 1.0], t=99, horizon=400)
    >>> round(index, 6) == round(0.5 + (2 * 2.0794415 / 2) ** 0.5, 6)
    True
    """

    alpha: float = 2.1
    psi: float = 2.0
    horizon: int | None = None

    def __post_init__(self) -> None:
        for name in ("alpha", "psi"):
            value = finite(name, getattr(self, name))
            if value < 1:
                raise ValueError(f"{name} = {value!r} must be at least 1")
            store(self, **{name: value})
        if self.horizon is not None:
            store(self, horizon=whole_number(self.horizon, "horizon", 1))

    def rule(self, horizon: int) -> Rule:
        total = horizon if self.horizon is None else self.horizon
        return Rule(SampleMean(), RemainingRadius(self.alpha, self.psi, total))

    def tuned(self, horizon: int) -> OCUCB:
        return (
            self
            if self.horizon is not None
            else replace(self, horizon=whole_number(horizon, "horizon", 1))
        )
