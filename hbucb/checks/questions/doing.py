"""Chapter P1."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import integer, right, wrong
from hbucb.checks.sealing import Anchor


@integer(
    "ex-p1-1",
    "Env2, Cauchy noise, {T} pulls: the odd b with the least bound?",
    given={"T": 10_000},
    vary={"T": (5000, 20_000)},
)
def best_commit(T: int) -> list[Anchor]:
    from scipy.stats import binom

    def best(step: float) -> int:
        gaps = [step * a for a in range(1, 10)]

        def bound(b: int) -> float:
            later = T - 10 * b
            return sum(
                gap * (b + 2 * later * binom.sf(b // 2, b, 0.5 - math.atan(gap / 2) / math.pi))
                for gap in gaps
            )

        return min(range(1, T // 10, 2), key=bound)

    b = best(0.1)
    return [
        right(b, "A third of the run goes into exploring, and the smallest gap is given up."),
        wrong(best(1.0), "that is the best b of Env1; the gaps of Env2 are ten times smaller."),
        wrong(T // 10 - 1, "that explores to the end; the bound has a minimum inside."),
        wrong(b + 1, "b must be odd, so that the median is one of the rewards."),
    ]
