"""Chapter P1."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import integer, number, right, wrong
from hbucb.checks.sealing import Anchor


def _bound(T: int, b: int, step: float, sides: int = 2) -> float:
    """Of committing after b pulls, ten arms a step apart, Cauchy noise."""
    from scipy.stats import binom

    gaps = [step * a for a in range(1, 10)]
    later = T - 10 * b
    return sum(
        gap * (b + sides * later * binom.sf(b // 2, b, 0.5 - math.atan(gap / 2) / math.pi))
        for gap in gaps
    )


def _best(T: int, step: float) -> int:
    return min(range(1, T // 10, 2), key=lambda b: _bound(T, b, step))


@integer(
    "ex-p1-1",
    "Env2, Cauchy noise, {T} pulls: the odd b with the least bound?",
    given={"T": 10_000},
    vary={"T": (5000, 20_000)},
)
def best_commit(T: int) -> list[Anchor]:
    b = _best(T, 0.1)
    return [
        right(b, "A third of the run goes into exploring, and the smallest gap is given up."),
        wrong(_best(T, 1.0), "that is the best b of Env1; the gaps of Env2 are ten times smaller."),
        wrong(T // 10 - 1, "that explores to the end; the bound has a minimum inside."),
        wrong(b + 1, "b must be odd, so that the median is one of the rewards."),
    ]


@number(
    "ex-p1-1-bound",
    "Env2, Cauchy noise, {T} pulls: the bound at the best odd b?",
    given={"T": 10_000},
    vary={"T": (5000, 20_000)},
    tolerance=0.002,
)
def best_bound(T: int) -> list[Anchor]:
    b = _best(T, 0.1)
    return [
        right(_bound(T, b, 0.1), "Far below the trivial 0.9 T, and the run has yet to be played."),
        wrong(
            _bound(T, _best(T, 1.0), 0.1),
            "this is the bound at the best b of Env1; look for the b of Env2.",
        ),
        wrong(
            _bound(T, b, 0.1, sides=1),
            "two medians may be off, that of the bad arm and that of the best one: two tails.",
        ),
        wrong(b * 4.5, "this is what exploring costs; committing to a wrong arm costs too."),
    ]


@number(
    "ex-p1-4",
    "Cauchy noise of scale 1: the radius of the median at n = {n}, delta = {delta}?",
    given={"n": 101, "delta": 0.01},
    vary={"n": (151, 201, 401), "delta": (0.001, 0.02, 0.05)},
    tolerance=0.004,
)
def tangent(n: int, delta: float) -> list[Anchor]:
    root = math.sqrt(math.log(1 / delta) / (2 * n))
    return [
        right(
            math.tan(math.pi * root), "Each side fails with probability at most delta, no moment."
        ),
        wrong(
            math.pi * root,
            "this is the angle; the radius is its tangent.",
        ),
        wrong(
            math.tan(math.pi * math.sqrt(math.log(2 / delta) / (2 * n))),
            "the claim is about one side: ln(1/delta), not ln(2/delta).",
        ),
        wrong(
            math.tan(math.pi * math.sqrt(math.log(1 / delta) / n)),
            "the 2 of Hoeffding's exponent 2 n x^2 is missing.",
        ),
    ]


@integer(
    "ex-p1-5",
    "T = {T}, delta = 1/T^2: from how many pulls on is the radius finite?",
    given={"T": 10_000},
    vary={"T": (1000, 5000, 20_000, 100_000)},
)
def finite_from(T: int) -> list[Anchor]:
    def first(level: float) -> int:
        return math.floor(2 * level) + 1  # sqrt(level / (2 n)) < 1/2

    return [
        right(
            first(2 * math.log(T)), "Until then every arm is played: it is exploring in disguise."
        ),
        wrong(first(math.log(T)), "with delta = 1/T^2 the logarithm is 2 ln T."),
        wrong(
            first(2 * math.log(T)) - 1,
            "there the root is still not below one half; one pull more.",
        ),
        wrong(
            first(4 * math.log(T)),
            "the 2 under the root is missing: ln(1/delta) is divided by 2 n.",
        ),
    ]
