"""The variance of a gradient made of a median of means: a number, and the assumption on it."""

from __future__ import annotations

import itertools
import math
from typing import Any

from hbucb.estimators.smoothed_median import smom_has_variance
from hbucb.noise import as_noise
from hbucb.predicates import Predicate
from hbucb.validate import whole_number


def median_variance(law: Any, m: int) -> float:
    """Variance of the median of 2m + 1 draws of a symmetric law without atoms, by quadrature.

    inf where it is known to be infinite, nan where it is not known or hardly finite.

    Examples
    --------
    >>> from hbucb.noise import Cauchy
    >>> round(median_variance(Cauchy(), 2), 5)
    1.22125
    """
    from scipy.integrate import quad

    law, m = as_noise(law), whole_number(m, "m", 0)
    if not law.symmetric or law.has_atoms:
        return math.nan
    if smom_has_variance(law.tail_index, m) is False:
        return math.inf
    if m == 0:
        return float(law.variance)
    if not m + 1 - 2 / law.tail_index > 0.1:  # the integrand falls like e^(-0.1 y), or not at all
        return math.nan
    ways = math.factorial(2 * m + 1) / math.factorial(m) ** 2

    def integrand(y: float) -> float:  # over the rank e^-y, in logarithms: ppf^2 may overflow
        far, rank = abs(float(law.ppf(math.exp(-y)))), math.exp(-y)
        return math.exp(2 * math.log(far) + m * math.log1p(-rank) - (m + 1) * y) if far else 0.0

    # Piece by piece: for large m all of the mass is within 1/sqrt(m) of rank 1/2.
    edges = [math.log(2.0) + step / math.sqrt(m) for step in (0.0, 0.5, 2.0, 8.0, 32.0)]
    edges = [edge for edge in edges if edge < 300.0] + [300.0]
    parts = [quad(integrand, *ends, limit=500)[0] for ends in itertools.pairwise(edges)]
    return float(2 * ways * sum(parts))


def gradient_variance(m: int, n: int, bound: float) -> Predicate:
    """The variance of the median of 2m + 1 means of n rewards is at most `bound`, on every arm."""

    def test(bandit: Any, arm: int) -> tuple[bool | None, str]:
        law = bandit.laws[arm]
        value = law.variance / n if m == 0 else median_variance(law, m) if n == 1 else math.nan
        words = f"{law!r}: the variance of a gradient from {(2 * m + 1) * n} rewards"
        if math.isnan(value):
            return None, f"{words} is not known"
        return value <= bound * (1 + 1e-9), f"{words} is {value:.6g} > {bound:.6g}"

    return Predicate("gradient_variance", f"gradients of variance at most {bound:g}", test)
