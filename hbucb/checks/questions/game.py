"""Chapters 0 to 4."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hbucb.checks.questions.kinds import integer, number, right, wrong
from hbucb.checks.sealing import Anchor


@integer(
    "ex-0-1",
    "Cauchy readings: the smallest odd n with the median within 1, with probability {p}?",
    given={"p": 0.99},
    vary={"p": (0.9, 0.95, 0.98, 0.995, 0.998, 0.999, 0.9999)},
)
def readings(p: float) -> list[Anchor]:
    from scipy.stats import binom

    def first(level: float) -> int:
        return next(n for n in range(1, 999, 2) if binom.sf(n // 2, n, 0.25) <= level)

    hoeffding = math.ceil(8 * math.log(2 / (1 - p)))
    return [
        right(first((1 - p) / 2), "An exact count beats a simple inequality, and both are proofs."),
        wrong(
            hoeffding,
            "this is what Hoeffding's inequality asks for; the exact count needs fewer.",
        ),
        wrong(
            first(1 - p),
            "the median may be too high or too low: each side has half of the level.",
        ),
        wrong(first((1 - p) / 2) - 2, "two fewer are not quite enough."),
    ]


@number(
    "ex-01-1",
    "Gaps {gaps}; in 100 pulls the arms were played {pulls} times. What is R_T?",
    given={"gaps": (0.0, 0.2, 0.5), "pulls": (70, 20, 10)},
    vary={
        "gaps": ((0.0, 0.1, 0.7), (0.0, 0.3, 0.4), (0.0, 0.25, 0.6)),
        "pulls": ((60, 25, 15), (50, 40, 10), (80, 15, 5)),
    },
    tolerance=0.004,
)
def regret(gaps: Sequence[float], pulls: Sequence[int]) -> list[Anchor]:
    total = sum(gap * n for gap, n in zip(gaps, pulls, strict=True))
    return [
        right(total, "Regret counts pulls and gaps; the rewards that were paid do not enter."),
        wrong(total / sum(pulls), "this is the loss per pull; R_T adds it up over all pulls."),
        wrong(
            sum(gaps) * (sum(pulls) - pulls[0]),
            "every pull of a bad arm was charged with the sum of the gaps; charge each with the "
            "gap of the arm that was pulled.",
        ),
        wrong(
            max(gaps) * (sum(pulls) - pulls[0]),
            "every pull of a bad arm was charged with the largest gap; each arm has its own.",
        ),
    ]


@number(
    "ex-01-1-largest",
    "Gaps {gaps}: the largest regret in {T} pulls?",
    given={"gaps": (0.0, 0.2, 0.5), "T": 100},
    vary={"gaps": ((0.0, 0.1, 0.7), (0.0, 0.3, 0.4)), "T": (200, 500, 1000)},
    tolerance=0.004,
)
def largest(gaps: Sequence[float], T: int) -> list[Anchor]:
    return [
        right(
            T * max(gaps), "No player loses more, and the one who always plays the worst arm does."
        ),
        wrong(T * sum(gaps), "one arm is played in a round, so gaps do not add up."),
        wrong(T * sum(gaps) / len(gaps), "this is what playing all arms equally often loses."),
        wrong(T * sorted(gaps)[1], "this is the regret of always playing the second best arm."),
    ]


@integer(
    "ex-01-2",
    "Gap {gap}, normal noise of scale 1: the first T with bound below T times the gap?",
    given={"gap": 1.0},
    vary={"gap": (0.8, 0.6, 0.7, 0.9)},
)
def speaks(gap: float) -> list[Anchor]:
    from hbucb import conversions, upper_bounds

    def bound(T: int) -> float:
        return float(upper_bounds.ucb_regret([0.0, gap], T))

    first = int(conversions.vacuity_horizon(lambda T: upper_bounds.ucb_regret([0.0, gap], T), gap))
    half = next(T for T in range(2, 10**6) if bound(T) < gap * T / 2 and T > first)
    return [
        right(first, "Below it the theorem is true and says nothing."),
        wrong(first - 1, "there the bound is not yet below the trivial one; one pull more."),
        wrong(first + 1, "one pull earlier the bound is already below the trivial one."),
        wrong(
            half,
            "this is where the bound falls below half of the trivial one, what playing in "
            "turn loses. The question asks for the whole.",
        ),
    ]


@number(
    "ex-01-4",
    "Laplace noise of scale {scale}, gap {gap}: the Lai-Robbins slope?",
    given={"scale": 1.0, "gap": 1.0},
    vary={"scale": (0.5, 2.0, 3.0), "gap": (0.5, 1.5, 2.0)},
    tolerance=0.002,
)
def laplace_slope(scale: float, gap: float) -> list[Anchor]:
    y = gap / scale
    d = y + math.exp(-y) - 1
    return [
        right(gap / d, "Slope times ln T: what a consistent player pays for one such arm."),
        wrong(
            2 * scale**2 / gap,
            "this is the slope of normal noise, with d = gap^2 / 2; the "
            "Laplace law has its own divergence.",
        ),
        wrong(
            4 * scale**2 / gap,
            "this is normal noise with the variance of the Laplace law; it "
            "is the divergence that counts, not the variance.",
        ),
        wrong(d / gap, "upside down: the slope is the gap over the divergence."),
    ]


@integer(
    "ex-02-2",
    "Cauchy noise of scale {scale}, delta = {delta}: the first odd n of the closed form?",
    given={"scale": 1.0, "delta": 0.001},
    vary={"scale": (0.5, 2.0), "delta": (0.01, 0.002, 1e-4)},
)
def closed_form(scale: float, delta: float) -> list[Anchor]:
    q = math.atan(0.5 / scale) / math.pi

    def odd(x: float) -> int:
        n = math.ceil(x)
        return n + 1 - n % 2

    return [
        right(
            odd(math.log(2 / delta) / (2 * q**2)),
            "The exact count needs fewer: Hoeffding's exponent is nearly right, the factor in "
            "front is not.",
        ),
        wrong(odd(math.log(1 / delta) / (2 * q**2)), "two sides may fail: ln(2/delta)."),
        wrong(
            odd(math.log(2 / delta) / (2 * (2 * q) ** 2)),
            "q is the mass on one side of the centre; the mass on both sides was used.",
        ),
        wrong(odd(math.log(2 / delta) / q**2), "the 2 of the exponent 2 n q^2 is missing."),
    ]


@integer(
    "ex-02-2-exact",
    "Cauchy noise of scale 1, delta = {delta}: the first odd n of the exact count?",
    given={"delta": 0.001},
    vary={"delta": (0.01, 0.005, 0.002, 1e-4)},
)
def exact_count(delta: float) -> list[Anchor]:
    from scipy.stats import binom

    q = math.atan(0.5) / math.pi

    def first(level: float) -> int:
        n = 1
        while binom.cdf((n - 1) // 2, n, 0.5 + q) > level:
            n += 2
        return n

    return [
        right(
            first(delta / 2),
            "The closed form asks for half as many again: the price of a "
            "formula without binomial sums.",
        ),
        wrong(first(delta), "each side may fail with half of delta only."),
        wrong(first(delta / 2) - 2, "at this n the chance is still above delta."),
        wrong(first(delta / 2) + 2, "two rewards fewer are already enough."),
    ]


@number(
    "ex-03-1",
    "Variance {v}, n = {n}, delta = {delta} on each side: Catoni's radius?",
    given={"v": 1.0, "n": 100, "delta": 0.01},
    vary={"v": (2.0, 4.0, 9.0), "n": (50, 150, 200), "delta": (0.05, 0.001)},
    tolerance=0.004,
)
def catoni_radius(v: float, n: int, delta: float) -> list[Anchor]:
    level = math.log(1 / delta)
    return [
        right(
            math.sqrt(2 * v * level / (n - 2 * level)),
            "Five per cent above the average of normal rewards, for every law of this variance.",
        ),
        wrong(
            math.sqrt(2 * v * level / n),
            "this is the radius of the average of normal rewards; "
            "Catoni's has n - 2 ln(1/delta) below.",
        ),
        wrong(
            math.sqrt(2 * v * math.log(2 / delta) / (n - 2 * math.log(2 / delta))),
            "delta is given for each side, so there is no 2 in the logarithm.",
        ),
        wrong(math.sqrt(v * level / (n - 2 * level)), "the factor 2 under the root is missing."),
    ]


@number(
    "ex-03-1-blocks",
    "Variance {v}, n = {n}, delta = {delta} on each side: median of means?",
    given={"v": 1.0, "n": 100, "delta": 0.01},
    vary={"v": (2.0, 4.0, 9.0), "n": (150, 200, 400), "delta": (0.01, 0.001)},
    tolerance=0.004,
)
def blocks_radius(v: float, n: int, delta: float) -> list[Anchor]:
    from hbucb.estimators import MedianOfMeans

    level = math.log(1 / delta)
    return [
        right(
            float(MedianOfMeans(1.0, v).radius(n, delta)),
            "Ten times Catoni's: the radius is a promise for a whole class, not the error.",
        ),
        wrong(
            math.sqrt(12 * v * (0.125 + level) / n),
            "the 16 in front of the logarithm is missing.",
        ),
        wrong(math.sqrt(2 * v * level / n), "this is the radius of the average of normal rewards."),
        wrong(
            float(MedianOfMeans(1.0, v).radius(n, delta)) ** 2,
            "this is the square of the radius: take the root.",
        ),
    ]


@integer(
    "ex-03-2",
    "n = {n}, delta = {delta}: the rank of the reward that is the upper limit?",
    given={"n": 100, "delta": 0.01},
    vary={"n": (50, 80, 200), "delta": (0.05, 0.001, 1e-4)},
)
def limit_rank(n: int, delta: float) -> list[Anchor]:
    def rank(level: float) -> int:
        tail, below = 0, 2**n
        for j in range(n, -1, -1):
            tail += math.comb(n, j)
            if tail > level * below:
                return j + 1
        return 0

    right_rank = rank(delta)
    return [
        right(right_rank, "Counted from the smallest, and valid whatever the law, atoms or not."),
        wrong(right_rank - 1, "with this rank the tail is still above delta."),
        wrong(n + 1 - right_rank, "counted from the largest; count from the smallest reward."),
        wrong(rank(delta / 2), "only one side can fail here: all of delta is for it."),
    ]


@integer(
    "ex-04-1",
    "Variance {v}, gap {gap}, T = {T}, delta = 1/T^2: the count of Catoni?",
    given={"v": 2.0, "gap": 0.5, "T": 1000},
    vary={"v": (1.0, 3.0, 5.0), "gap": (0.25, 0.4, 1.0), "T": (2000, 10_000)},
)
def catoni_count(v: float, gap: float, T: int) -> list[Anchor]:
    c = 2 * math.log(T)
    return [
        right(
            math.floor((8 * v / gap**2 + 2) * c) + 1,
            "Less than T, but not by much: the bound just says something.",
        ),
        wrong(
            math.floor(8 * v / gap**2 * c) + 1,
            "the 2 ln(1/delta) below the fraction line of "
            "the radius was dropped: it adds 2c pulls.",
        ),
        wrong(
            math.floor((8 * v / gap**2 + 2) * c / 2) + 1,
            "delta is 1/T^2, so ln(1/delta) is 2 ln T.",
        ),
        wrong(
            math.floor((8 * v / gap**2 + 2) * c),
            "at this count the radius is still half of the gap or more: the inequality is strict.",
        ),
    ]


@integer(
    "ex-04-1-truncated",
    "u = {u}, gap {gap}, T = {T}, delta = 1/T^2: the count of the truncated mean?",
    given={"u": 2.0, "gap": 0.5, "T": 1000},
    vary={"u": (1.0, 3.0), "gap": (0.25, 0.4, 1.0), "T": (2000, 10_000)},
)
def truncated_count(u: float, gap: float, T: int) -> list[Anchor]:
    c = 2 * math.log(T)
    return [
        right(
            math.floor(c * u * (8 / gap) ** 2) + 1,
            "More than T at these numbers: the bound is true and empty.",
        ),
        wrong(
            math.floor(c * u * (4 / gap) ** 2) + 1,
            "the radius must be below half of the gap, which doubles the 4.",
        ),
        wrong(
            math.floor(c * u * (8 / gap) ** 2),
            "at this count the radius is not yet below half of the gap.",
        ),
        wrong(
            math.floor(c / 2 * u * (8 / gap) ** 2) + 1, "delta is 1/T^2, so ln(1/delta) is 2 ln T."
        ),
    ]


@number("ex-04-4", "The least factor of the radius over all y?", tolerance=0.002)
def best_threshold() -> list[Anchor]:
    best = math.sqrt(2) + 2 * math.sqrt(2 / 3)
    return [
        right(best, "All counts fall by the square of the ratio when 4 becomes this number."),
        wrong(math.sqrt(6), "this is the best y; the question asks for the factor there."),
        wrong(2 + math.sqrt(2) + 1 / 3, "this is the factor at y = 1, before the choice."),
        wrong(
            2 * math.sqrt(2 / 3),
            "the middle term, the root of 2, does not depend on y but belongs to the sum.",
        ),
    ]
