"""Is a law of the class for which a claim is made, and what is estimated on it?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from hbucb.assumptions import AssumptionError, check
from hbucb.bandits import Bandit
from hbucb.noise import Noise
from hbucb.predicates import Predicate

_MEANS = ("central_moment", "raw_moment", "subgaussian", "common_mean", "mean_is_loc")


def class_of(method: Any, g: Any = None) -> tuple[Predicate, ...]:
    """The assumptions of a guarantee, or of an estimator or the one that a policy is made of."""
    if g is not None:
        # A method on a given interval asks that it holds the location.
        return (*g.needs(), *getattr(method, "locations", tuple)())
    for owner in (method, getattr(method, "estimator", None)):
        if hasattr(owner, "assumptions"):
            needs = owner.assumptions  # type: ignore[union-attr]
            return tuple(needs() if callable(needs) else needs)
    return ()


def names_class(method: Any) -> bool:
    """Whether it says what it assumes; an empty list of assumptions says "any law"."""
    return any(
        hasattr(owner, "assumptions") for owner in (method, getattr(method, "estimator", None))
    )


def target_of(law: Noise, loc: float, needs: Sequence[Predicate]) -> float:
    """What is estimated: the mean if the class is one of moments, else the location."""
    moments = any(predicate.name in _MEANS for predicate in needs)
    return loc + law.mean if moments and math.isfinite(law.mean) else loc


def check_class(
    bandit: Bandit, needs: Sequence[Predicate], of: str, declare: Sequence[str]
) -> None:
    """AssumptionError unless the law is known to be of the class."""
    try:
        check(bandit, needs, of=of, declare=declare)
    except AssumptionError as error:
        raise AssumptionError(f"{error}; outside=True runs it as a negative control") from None
