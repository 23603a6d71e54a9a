"""Chapters 5 to 8."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import choice, formula, integer, number, right, wrong
from hbucb.checks.sealing import Anchor


@number(
    "ex-05-1",
    "sigma = {sigma}, delta = {delta}: the radius after {k} updates?",
    given={"sigma": 2.0, "delta": 0.01, "k": 400},
    vary={"sigma": (0.5, 3.0), "delta": (0.05, 0.001), "k": (100, 900)},
    tolerance=0.004,
)
def mean_radius(sigma: float, delta: float, k: int) -> list[Anchor]:
    g = sigma**2 * math.log(2 / delta) / k
    return [
        right(
            math.sqrt(2 * g),
            "Height and width: g has the unit of a square, the radius that of a reward.",
        ),
        wrong(g, "this is g, the height; the radius is the root of 2g."),
        wrong(
            math.sqrt(g),
            "the root of g is not the radius: f is half a square, so it is the root of 2g.",
        ),
        wrong(
            math.sqrt(2 * sigma**2 * math.log(1 / delta) / k), "two sides may fail: ln(2/delta)."
        ),
        wrong(math.sqrt(2 * g) / sigma, "sigma enters the radius once, and is missing."),
    ]


@integer(
    "ex-05-1-count",
    "sigma = {sigma}, delta = {delta}: the first k with a radius below {r}?",
    given={"sigma": 2.0, "delta": 0.01, "r": 0.1},
    vary={"sigma": (0.5, 1.0, 3.0), "delta": (0.05, 0.001), "r": (0.2, 0.05)},
)
def mean_count(sigma: float, delta: float, r: float) -> list[Anchor]:
    need = 2 * sigma**2 * math.log(2 / delta) / r**2
    return [
        right(math.floor(need) + 1, "Ten times the precision costs a hundred times the rewards."),
        wrong(math.floor(need), "at this k the radius is not yet below it: round up."),
        wrong(math.floor(need / 2) + 1, "the radius is the root of 2g, not of g."),
        wrong(
            math.floor(2 * sigma**2 * math.log(1 / delta) / r**2) + 1,
            "two sides may fail: ln(2/delta).",
        ),
    ]


@number(
    "ex-05-6",
    "delta = {delta}: the best k / rho?",
    given={"delta": 0.01},
    vary={"delta": (0.1, 0.001, 1e-4)},
    tolerance=0.01,
)
def mixture_ratio(delta: float) -> list[Anchor]:
    def root(c: float) -> float:
        y = c
        for _ in range(200):
            y = math.log1p(y) + c
        return y

    return [
        right(
            root(2 * math.log(1 / delta)),
            "The best rho is the count that matters divided by this number.",
        ),
        wrong(
            1 / root(2 * math.log(1 / delta)), "upside down: k / rho is asked for, this is rho / k."
        ),
        wrong(2 * math.log(1 / delta), "y = ln(1 + y) + 2 ln(1/delta): the first term is missing."),
        wrong(
            root(math.log(1 / delta)),
            "the logarithm of 1/delta counts twice: it stands beside one half of the other.",
        ),
    ]


@number(
    "ex-06-a",
    "Failures only at counts above {share} T: how many pulls are left?",
    given={"share": 0.5},
    vary={"share": (0.25, 0.6, 0.75)},
    tolerance=0.02,
)
def late_failures(share: float) -> list[Anchor]:
    return [
        right(
            (1 - share) ** 2 / 2,
            "A triangle of half the width and half the height: three quarters are gone.",
        ),
        wrong((1 - share) / 2, "the bars that remain are also shorter, not only fewer."),
        wrong(0.5, "this is the half pull of all failures, early and late."),
        wrong(
            (1 - (1 - share) ** 2) / 2,
            "this is what the early failures cost, those that are excluded.",
        ),
    ]


@integer(
    "ex-06-1",
    "g = {c} ln(2/delta)/k, gap {gap}, T = {T}, delta = 1/T^2: the count?",
    given={"c": 3.0, "gap": 0.4, "T": 10_000},
    vary={"c": (1.0, 2.0, 5.0), "gap": (0.2, 0.3, 0.5), "T": (1000, 100_000)},
)
def first_order_count(c: float, gap: float, T: int) -> list[Anchor]:
    level = math.log(2 * T**2)
    need = 8 * c * level / gap**2
    return [
        right(
            math.floor(need) + 1, "Add less than half a pull for failures, and multiply by the gap."
        ),
        wrong(math.floor(need), "at this count g is not yet below: the inequality is strict."),
        wrong(
            math.floor(need / 4) + 1,
            "the radius must be below half of the gap, not below the gap: g < gap^2 / 8.",
        ),
        wrong(math.floor(need / 2) + 1, "the radius is the root of 2g, so g < gap^2 / 8."),
        wrong(
            math.floor(8 * c * math.log(2 * T) / gap**2) + 1,
            "delta is 1/T^2: the logarithm is that of 2 T^2.",
        ),
    ]


@choice("ex-06-2", "Which of the four claims are true?")
def which_claims() -> list[Anchor]:
    return [
        right("cd", "Only r at one count and the failures at each count enter the proof."),
        wrong("bcd", "(b): where in the proof does g at other counts enter?"),
        wrong("acd", "(a): step (iv) adds probabilities; does that need independence?"),
        wrong("abcd", "(a): step (iv) adds probabilities. (b): where do other counts enter?"),
        wrong("c", "true, but one more is: which side of each interval is used?"),
        wrong("d", "true, but one more is: put delta = 1/T into the second term."),
    ]


@number(
    "ex-06-3",
    "sigma = {sigma}, gap {gap}: how many pulls are saved?",
    given={"sigma": 1.0, "gap": 0.2},
    vary={"sigma": (0.5, 2.0), "gap": (0.1, 0.25, 0.5)},
    tolerance=0.002,
)
def saved_pulls(sigma: float, gap: float) -> list[Anchor]:
    c = 8 * sigma**2 / gap**2
    return [
        right(
            c * (math.log(2 * c) - 1) + 0.5,
            "Whatever T is. But the best delta knows the gap, and a policy does not.",
        ),
        wrong(c * math.log(2 * c) + 0.5, "the best delta costs failures too: c pulls of them."),
        wrong(c, "this is what failures cost at the best delta, not what is saved."),
        wrong(
            c * (math.log(2 * c) + 1) + 0.5, "a sign: the c pulls of failures are spent, not saved."
        ),
    ]


@formula(
    "ex-06-5",
    "k delta",
    chosen=[(1, 0.3), (10, 0.1), (100, 0.01), (400, 1e-4), (25, 0.05), (7, 1e-6)],
    ranges=[(2, 1000, True), (1e-5, 0.5, False)],
    remark="Rewards in [0, 1] are sub-Gaussian with sigma = 1/2, and the two policies are one.",
    mistakes=[
        (
            lambda k, delta: math.sqrt(math.log(1 / delta) / (2 * k)),
            "this is the radius r; g = r^2 / 2 is asked for.",
        ),
        (lambda k, delta: math.log(1 / delta) / (2 * k), "this is r^2; g is half of it."),
        (
            lambda k, delta: math.log(2 / delta) / (4 * k),
            "the guarantee is for one given side: no 2 in the logarithm.",
        ),
    ],
)
def hoeffding_g(k: float, delta: float) -> float:
    return math.log(1 / delta) / (4 * k)


@number(
    "ex-07-2",
    "T = {T}: the updates after which half of the start is forgotten?",
    given={"T": 10**6},
    vary={"T": (10**3, 10**4, 10**5, 10**7)},
    tolerance=0.01,
)
def half_life(T: int) -> list[Anchor]:
    from hbucb.optimizers import TheorySchedule

    gamma = TheorySchedule(T, T**-2.0, 1.0).gamma
    return [
        right(
            math.log(2) / -math.log1p(-gamma), "Half a start is remembered after 5 % of the run."
        ),
        wrong(1 / gamma, "after 1/gamma updates a share 1/e is left; a half is left earlier."),
        wrong(gamma, "this is the step itself."),
        wrong(math.log(2) / gamma / math.log(10), "ln 2 was divided by ln 10: natural logarithms."),
        wrong(math.log(4) / gamma, "after this many updates a quarter is left, not half."),
    ]


@number(
    "ex-07-3",
    "A run of length {length}: the k at which k y_k^2 is largest?",
    given={"length": 10**6},
    vary={"length": (10**4, 10**5, 10**7)},
    tolerance=0.01,
)
def breaking_point(length: int) -> list[Anchor]:
    top = length / (2 * math.log(length))
    return [
        right(top, "The claimed g is a constant over k + 1, so the claim is worst here."),
        wrong(2 * top, "y_k is squared, so its exponent counts twice: 1/(2 gamma)."),
        wrong(length / 2, "where has the logarithm of the step gone? gamma = ln(length)/length."),
        wrong(top * math.log(10), "the logarithm is natural, not to base 10."),
    ]


@number("ex-07-4", "The radius with equal shares?", tolerance=0.004)
def equal_shares() -> list[Anchor]:
    from hbucb.optimizers import LastIterateSchedule

    delta, T, sharper = 1e-6, 10**6, (18.0, 6.0, 42.0)
    i = T.bit_length() - 2
    runs = 1 + int(math.log2(T))

    def radius(power: int, share: float) -> float:
        return math.sqrt(2 * LastIterateSchedule(2**power, share, 1.0, 1.0, *sharper).g)

    return [
        right(
            radius(i, delta / runs),
            "A few per cent better than the theorem's split, at the price of knowing T.",
        ),
        wrong(
            radius(i, delta / ((i + 1) * (i + 2))),
            "this is the split of the theorem; give each of the runs the same share.",
        ),
        wrong(radius(i, delta / T), "this gives each count its share; give each run one."),
        wrong(radius(i + 1, delta / runs), "run 19 has not ended after a million updates."),
        wrong(radius(i, delta / runs) ** 2 / 2, "this is g; the radius is the root of 2g."),
    ]


@integer(
    "ex-08-a",
    "T = {T}, pattern ({m}, {n}): how many updates?",
    given={"T": 10**6, "m": 2, "n": 1},
    vary={"T": (30_000, 210_000, 420_000), "m": (1, 3), "n": (1, 2)},
)
def updates(T: int, m: int, n: int) -> list[Anchor]:
    b = (2 * m + 1) * n
    return [
        right(T // b, "Each update costs a batch of pulls of one arm."),
        wrong(T // (2 * m), "a median of 2m + 1 rewards needs an odd number of them."),
        wrong(T, "an update uses a whole batch, not one pull."),
        wrong(T // (m + n), "m and n do not add up: the batch has (2m + 1) n pulls."),
    ]


@number(
    "ex-08-4",
    "The coverage of the stale iterate at the new count k = {k}?",
    given={"k": 3},
    vary={"k": (2, 4, 5)},
    tolerance=0.003,
    scale="linear",
)
def stale(k: int) -> list[Anchor]:
    from scipy.stats import norm

    z = float(norm.ppf(0.975))

    def covered(factor: float) -> float:
        return float(2 * norm.cdf(z * factor) - 1)

    return [
        right(covered(math.sqrt((k - 1) / k)), "For large k the slip does no harm."),
        wrong(
            0.95, "the iterate has one reward less than the radius believes; the coverage is lower."
        ),
        wrong(
            covered(math.sqrt(k / (k - 1))),
            "the wrong way round: the estimate is old, the radius new.",
        ),
        wrong(covered((k - 1) / k), "standard deviations fall with the root of the count."),
    ]


@integer(
    "ex-08-6",
    "K = {K}, T = {T}: the first odd p?",
    given={"K": 10, "T": 10**6},
    vary={"K": (5, 20), "T": (10**4, 10**5)},
)
def start_median(K: int, T: int) -> list[Anchor]:
    from scipy.stats import binom

    def first(level: float) -> int:
        p = 1
        while 2 * binom.cdf((p - 1) // 2, p, 0.75) > level:
            p += 2
        return p

    found = first(1 / (K * T))
    return [
        right(found, "A hundred pulls of each arm replace the knowledge of D."),
        wrong(first(1 / T), "every arm must start well: each may fail with 1/(K T)."),
        wrong(found - 2, "with these the probability is still too large."),
        wrong(first(2 / (K * T)), "the median can be too high or too low: two sides."),
    ]
