"""Chapters 20, 23 and 24."""

from __future__ import annotations

import math

from scipy.stats import binom, norm

from hbucb.checks.questions.kinds import integer, number, right, wrong
from hbucb.checks.sealing import Anchor


@number(
    "ex-20-1",
    "Features (1, 0), (1, 1), (0, 1) gave 2, 3 and {y}: the second weight of the estimate?",
    given={"y": 1.0},
    vary={"y": (2.0, 4.0, 5.0)},
    tolerance=0.004,
)
def third_reward(y: float) -> list[Anchor]:
    first, second = (3 * 5 - (3 + y)) / 8, (3 * (3 + y) - 5) / 8
    return [
        right(
            second, "More than the 0.8 expected: the second weight rises, the first falls a little."
        ),
        wrong(first, "this is the first weight."),
        wrong(0.8, "this is the estimate before the third reward."),
        wrong(8 * second, "the determinant of V is missing; the inverse divides by it."),
        wrong((2 * (3 + y) - 5) / 3, "V starts with the identity: the weight 1 is missing."),
    ]


@number(
    "ex-20-2",
    "sigma = {sigma}, delta = {delta}, V as in the text: the half-width of the second weight?",
    given={"sigma": 0.5, "delta": 0.01},
    vary={"sigma": (0.25, 1.0, 2.0), "delta": (0.1, 0.001)},
    tolerance=0.004,
)
def half_width(sigma: float, delta: float) -> list[Anchor]:
    noise = sigma * math.sqrt(2 * math.log(1 / delta) + math.log(5))
    return [
        right(
            (noise + 1) * math.sqrt(0.6),
            "Most of it is the price of all directions and all rounds.",
        ),
        wrong(noise + 1, "this is r; it is multiplied by the length of (0, 1) in V inverse."),
        wrong(
            (noise + 1) / math.sqrt(2),
            "this is 1 / V_22: the first weight is unknown too, take the entry of the inverse.",
        ),
        wrong(noise * math.sqrt(0.6), "the part of the parameter's own length is missing."),
        wrong(
            (sigma * math.sqrt(2 * math.log(1 / delta)) + 1) * math.sqrt(0.6),
            "the determinant is missing under the root.",
        ),
    ]


@integer(
    "ex-23-a",
    "T = {horizon}, gap {gap}, sigma = {sigma}: pulls of each arm?",
    given={"horizon": 50_000, "gap": 0.5, "sigma": 0.5},
    vary={"horizon": (1000, 200_000), "gap": (0.3, 0.4), "sigma": (0.4, 0.6)},
)
def threshold_in_pulls(horizon: int, gap: float, sigma: float) -> list[Anchor]:
    def pulls(beta: float) -> int:
        return math.floor(2 * beta / gap**2) + 1

    beta = 2 * sigma**2 * math.log(horizon)
    return [
        right(pulls(beta), "Twice as many as if one of the means were known."),
        wrong(pulls(beta) - 1, "the squared distance is not yet above the threshold."),
        wrong(
            math.floor(beta / gap**2) + 1,
            "a factor 2 is missing: in the threshold, or as both means move (the hint).",
        ),
        wrong(2 * pulls(beta), "these are the pulls of both arms together."),
        wrong(pulls(beta / sigma), "sigma stands in the threshold squared."),
        wrong(pulls(beta / math.log(10)), "the logarithm is the natural one."),
    ]


@number(
    "ex-23-4",
    "S = {size} fair coins on -b and b: how likely is a sum beyond the printed width?",
    given={"size": 50},
    vary={"size": (30, 40, 80)},
)
def beyond_the_width(size: int) -> list[Anchor]:
    def outside(width: float) -> float:
        return float(2 * binom.sf(math.floor((size + width) / 2), size, 0.5))

    width = math.sqrt(size / 2 * math.log(size**2))
    return [
        right(outside(width), "Many times the 2 / S^2 of the lemma."),
        wrong(outside(width) / 2, "the sum may leave the width on either side."),
        wrong(2 / size**2, "this is what the lemma claims."),
        wrong(outside(2 * width), "this is for the width that is right."),
        wrong(2 * norm.sf(width / math.sqrt(size)), "this is the normal curve; count the heads."),
    ]


@number(
    "ex-23-5",
    "A step {factor} times too long: the factor of the learning term?",
    given={"factor": 10.0},
    vary={"factor": (4.0, 5.0, 20.0)},
)
def step_off(factor: float) -> list[Anchor]:
    return [
        right((factor + 1 / factor) / 2, "The same for a step that is too short by this factor."),
        wrong(factor, "at the best step each of the two terms is half of the whole."),
        wrong(1.0, "the product of the two terms stays, their sum does not."),
        wrong(1 / factor, "this is the term that shrinks."),
    ]


@number(
    "ex-24-2",
    "sigma = {sigma}, threshold doubled, xi near 0: pulls of e2 over ln T?",
    given={"sigma": 0.5},
    vary={"sigma": (0.3, 0.8, 2.0)},
)
def pulls_of_the_test(sigma: float) -> list[Anchor]:
    return [
        right(8 * sigma**2, "The allocation of the lower bound, and it comes from the test alone."),
        wrong(4 * sigma**2, "this is for the threshold that is not doubled."),
        wrong(2 * sigma**2, "the nearest rival is arm 3, at half of the way only."),
        wrong(8 * sigma, "sigma stands in the threshold squared."),
        wrong(sigma**2 / 2, "the 4 is on the wrong side of the fraction line."),
    ]


@number(
    "ex-24-4",
    "rho(x1) = {rho}, xi = 0.05, T = {horizon}: the regret of even play?",
    given={"rho": 0.9, "horizon": 50_000},
    vary={"rho": (0.7, 0.8, 0.99), "horizon": (10_000, 20_000)},
)
def even_play(rho: float, horizon: int) -> list[Anchor]:
    first, second = 1.05 / 3, 0.25 / 3
    true = horizon * (rho * first + (1 - rho) * second)
    return [
        right(true, "The scale on which every regret on the toy is to be read."),
        wrong(horizon * (first + second) / 2, "this is for contexts of equal probability."),
        wrong(horizon * (rho * second + (1 - rho) * first), "the contexts are swapped."),
        wrong(true * 1.5, "the best arm is drawn too, a third of the time, and costs nothing."),
        wrong(true * 3, "a round plays one arm: the mean of the gaps, not their sum."),
        wrong(true / horizon, "this is the loss of one round."),
    ]


@integer(
    "ex-24-5",
    "Adjusted for {tests} tests at 1 %: from how many pairs on can it decide?",
    given={"tests": 50},
    vary={"tests": (10, 20, 200)},
)
def pairs_needed(tests: int) -> list[Anchor]:
    def least(tests: int, level: float, sides: int) -> int:
        return next(n for n in range(1, 99) if tests * sides * 2.0**-n < level)

    return [
        right(least(tests, 0.01, 2), "Five or ten runs of OAM decide nothing in such company."),
        wrong(least(tests, 0.01, 1), "one pair fewer: the test has two sides."),
        wrong(least(1, 0.01, 2), "this is the test alone, not adjusted."),
        wrong(least(1, 0.01, 1), "this is a test alone, with one side."),
        wrong(least(tests, 0.05, 2), "the level is 1 %, not 5 %."),
    ]
