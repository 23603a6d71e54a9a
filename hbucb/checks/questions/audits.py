"""Chapters R0 to R3 and 19."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import integer, number, right, wrong
from hbucb.checks.sealing import Anchor


@integer(
    "ex-r0-2",
    "Stuck in {percent} % of the runs: trials to see one with probability {p}?",
    given={"percent": 1, "p": 0.99},
    vary={"percent": (2, 3, 5), "p": (0.9, 0.95)},
)
def see_one(percent: float, p: float) -> list[Anchor]:
    q = percent / 100
    n = math.ceil(math.log(1 - p) / math.log1p(-q))
    return [
        right(n, "Nearly four times 120: a mean over 120 trials may well miss them all."),
        wrong(n - 1, "with these the probability is still a little too small: round up."),
        wrong(math.ceil(1 / q), "after this many trials one is seen with probability 0.63 only."),
        wrong(
            math.ceil(math.log(p) / math.log1p(-q)), "the probability to see none must be 1 - p."
        ),
    ]


@number(
    "ex-r0-2-limit",
    "None in {n} trials: the upper limit of the share at {level} %, two-sided?",
    given={"n": 120, "level": 99},
    vary={"n": (60, 200, 600), "level": (95, 99)},
    tolerance=0.01,
)
def none_seen(n: int, level: float) -> list[Anchor]:
    alpha = 1 - level / 100

    def limit(a: float) -> float:
        return 1 - a ** (1 / n)

    return [
        right(limit(alpha / 2), "Not seen is not absent."),
        wrong(limit(alpha), "two-sided: half of the level for the upper end."),
        wrong(1 / n, "one in n is what was not seen; how large may the share be all the same?"),
        wrong(limit(1 - alpha / 2), "this is the share at which seeing none is nearly certain."),
    ]


@number(
    "ex-r1-5",
    "None of {n} stuck, largest gap {gap}, the others below {rest}: the limit of the mean?",
    given={"n": 120, "gap": 9.0, "rest": 0.1},
    vary={"n": (60, 200, 600), "gap": (4.0, 5.0), "rest": (0.05, 0.2)},
    tolerance=0.01,
)
def mean_limit(n: int, gap: float, rest: float) -> list[Anchor]:
    share = 1 - 0.005 ** (1 / n)
    return [
        right(gap * share + rest, "Most of it are stuck trials that nobody has seen."),
        wrong(share, "this is the limit of the share; a stuck trial loses up to the largest gap."),
        wrong(gap * share, "the trials that are not stuck lose something too."),
        wrong(gap * (1 - 0.01 ** (1 / n)) + rest, "two-sided at 99 %: 0.005 for the upper end."),
    ]


@number(
    "ex-r1-1",
    "{ahead} ahead, {behind} behind: the two-sided p-value?",
    given={"ahead": 17, "behind": 43},
    vary={"ahead": (15, 16, 18, 19), "behind": (40, 42, 45)},
    tolerance=0.02,
)
def sign_test(ahead: int, behind: int) -> list[Anchor]:
    n, low = ahead + behind, min(ahead, behind)
    tail = sum(math.comb(n, j) for j in range(low + 1)) / 2**n
    below = sum(math.comb(n, j) for j in range(low)) / 2**n
    z = (n / 2 - low) / math.sqrt(n / 4)
    return [
        right(2 * tail, "Enough alone, and not among 75 tests."),
        wrong(tail, "this is one-sided; either policy might have been ahead."),
        wrong(2 * below, "the number seen belongs to the tail: this many or fewer."),
        wrong(
            math.erfc(z / math.sqrt(2)),
            "this is the normal approximation; the exact test counts coins.",
        ),
    ]


@number(
    "ex-r2-1",
    "{f} of 100 trials fail, the others take {time} pulls of {budget}: pulls per success?",
    given={"f": 12, "time": 500, "budget": 10_000},
    vary={"f": (5, 8, 20), "time": (300, 800), "budget": (5000, 20_000)},
    tolerance=0.003,
)
def per_success(f: int, time: float, budget: float) -> list[Anchor]:
    spent = (100 - f) * time + f * budget
    return [
        right(spent / (100 - f), "It grows with every failure, and does not jump at the eleventh."),
        wrong(spent / 100, "this is per trial; divide by the successes."),
        wrong(time, "the pulls of the failures have been spent as well."),
        wrong(budget, "this is what the rule of the printed table gives."),
    ]


@integer(
    "ex-r2-1-from",
    "From how many failures on is it above {factor} times {time}?",
    given={"factor": 2, "time": 500, "budget": 10_000},
    vary={"factor": (3, 4), "time": (300, 800), "budget": (5000, 20_000)},
)
def failures_from(factor: float, time: float, budget: float) -> list[Anchor]:
    f = next(f for f in range(100) if (100 - f) * time + f * budget > factor * time * (100 - f))
    return [
        right(f, "At that point the printed rule still says that nothing has happened."),
        wrong(f - 1, "with this many it is still below."),
        wrong(11, "this is where the printed rule jumps."),
        wrong(f + 1, "one failure fewer is already enough."),
    ]


@integer(
    "ex-r3-1",
    "T = {T}: the updates in one direction that cross the gap of 0.1?",
    given={"T": 10**6},
    vary={"T": (10**3, 10**4, 10**5)},
)
def crossing(T: int) -> list[Anchor]:
    level = math.log(4 * (T + 1) * T**2)
    return [
        right(math.ceil(level), "Clip level and gap cancel: it is the step alone that counts."),
        wrong(math.floor(level), "after these the gap is not quite crossed: round up."),
        wrong(
            math.ceil(10 * level),
            "one update moves by step times clip level, and the clip level is 0.1 as well.",
        ),
        wrong(math.ceil(math.log10(4 * (T + 1) * T**2)), "the logarithm is natural."),
    ]


@number(
    "ex-r3-1-move",
    "T = {T}, clip level {clip}: the largest move of one update?",
    given={"T": 10**6, "clip": 0.1},
    vary={"T": (10**3, 10**4, 10**5), "clip": (0.2, 0.5)},
    tolerance=0.02,
)
def largest_move(T: int, clip: float) -> list[Anchor]:
    level = math.log(4 * (T + 1) * T**2)
    return [
        right(clip / level, "It does not shrink with the number of pulls: that is the floor."),
        wrong(1 / level, "this is the step; the clipped gradient is at most the clip level."),
        wrong(clip, "this is the largest gradient; it is multiplied by the step."),
        wrong(clip / math.log10(4 * (T + 1) * T**2), "the logarithm is natural."),
    ]


@number(
    "ex-19-1", "Arm after arm, the best arm first: the regret in Experiment 1?", tolerance=0.0005
)
def arm_by_arm() -> list[Anchor]:
    return [
        right(
            0.03 * 19 * 2794,
            "All 4120 pulls that are left go to the first arm, which costs nothing.",
        ),
        wrong(
            0.03 * (19 * 2794 + 4120),
            "the pulls that are left go to the first arm, and that one is now the best.",
        ),
        wrong(0.03 * 20 * 2794, "the best arm costs nothing: nineteen arms are bad."),
        wrong(0.03 * 57_000, "this is equal play of all arms over the whole run."),
        wrong(19 * 2794, "these are pulls; each loses 0.03."),
    ]


@number("ex-19-2", "Equal pulls in Experiment 2: the regret?", tolerance=0.001)
def equal_two() -> list[Anchor]:
    each = 3000
    total = each * (66 * 0.02 + 33 * 0.08)
    return [
        right(total, "Any policy above it has learned less than nothing."),
        wrong(total / each, "this is one round over all arms; each arm has 3000 pulls."),
        wrong(each * (33 * 0.02 + 66 * 0.08), "the two groups of arms are exchanged."),
        wrong(each * 99 * 0.08, "66 of the arms have the smaller gap."),
    ]


@integer(
    "ex-19-4",
    "All of {n} paired trials ahead, {percent} %: how many tests may be on the page?",
    given={"n": 20, "percent": 1},
    vary={"n": (16, 18, 24), "percent": (5, 1)},
)
def holm_tests(n: int, percent: float) -> list[Anchor]:
    level = percent / 100
    return [
        right(
            math.floor(level * 2.0 ** (n - 1)),
            "Holm multiplies the smallest p-value by the number of tests.",
        ),
        wrong(math.floor(level * 2.0**n), "two-sided: either might have been ahead in all."),
        wrong(
            math.ceil(level * 2.0 ** (n - 1)),
            "one test fewer: the product must not be above the level.",
        ),
        wrong(
            math.floor(2.0 ** (n - 1)), "the level is missing: the product must be at most that."
        ),
    ]
