"""Chapters 15 to 18."""

from __future__ import annotations

import math

import numpy as np

from hbucb.checks.questions.kinds import formula, integer, number, right, wrong
from hbucb.checks.sealing import Anchor


def _kl(p: float, q: float) -> float:
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


@number(
    "ex-15-a",
    "No success in n = {n} pulls, t = {t}: the KL-UCB index?",
    given={"n": 100, "t": 1000},
    vary={"n": (20, 50, 200), "t": (500, 10_000)},
    tolerance=0.004,
)
def no_success(n: int, t: int) -> list[Anchor]:
    return [
        right(
            1 - t ** (-1 / n), "Without a success the interval shrinks like 1/n, not like its root."
        ),
        wrong(math.sqrt(2 * math.log(t) / n), "this is the index of UCB1."),
        wrong(
            math.sqrt(math.log(t) / (2 * n)),
            "this is Pinsker's inequality, too wide; solve -n ln(1 - q) = ln t.",
        ),
        wrong(t ** (-1 / n), "this is 1 - q; the index is q."),
    ]


@number(
    "ex-15-1",
    "Means {best} and {other}, T = {T}: the pulls that UCB1's theorem gives?",
    given={"best": 0.9, "other": 0.8, "T": 10_000},
    vary={"other": (0.85, 0.7, 0.75), "T": (1000, 100_000)},
    tolerance=0.001,
)
def ucb1_pulls(best: float, other: float, T: int) -> list[Anchor]:
    gap, log = best - other, math.log(T)
    return [
        right(
            8 * log / gap**2 + 1.5,
            "Far above the slope: most of it the level, the rest an inequality without a variance.",
        ),
        wrong(8 * log / gap, "this is a regret: for pulls the gap is squared."),
        wrong(2 * log / gap**2 + 1.5, "the radius must be below half of the gap: 8, not 2."),
        wrong(log / _kl(other, best), "this is the slope times ln T, what no player can beat."),
    ]


@number(
    "ex-15-1-slope",
    "Means {best} and {other}, T = {T}: the slope 1/kl times ln T?",
    given={"best": 0.9, "other": 0.8, "T": 10_000},
    vary={"other": (0.85, 0.7, 0.75), "T": (1000, 100_000)},
    tolerance=0.004,
)
def slope_pulls(best: float, other: float, T: int) -> list[Anchor]:
    log = math.log(T)
    return [
        right(log / _kl(other, best), "Of any consistent player's pulls, in the long run."),
        wrong(
            log / _kl(best, other),
            "the divergence is not symmetric: from the worse arm to the better one.",
        ),
        wrong(
            log / (2 * (best - other) ** 2),
            "this is Pinsker's inequality in place of the divergence.",
        ),
        wrong(math.log10(T) / _kl(other, best), "the logarithm is natural."),
    ]


def _falls(share: float, middle: float = 4.0) -> float:
    """P(index of MOSS ever below its mean by x), T x^2 / K = share; `middle` is kept or 0."""
    step = 0.002
    z = np.exp(np.arange(-40, 5, step))
    price = np.maximum(0, -np.log(2 * z))
    c2 = 8 * math.sqrt(2) / (1 + math.sqrt(2)) ** 2
    power = c2 * price + middle * np.sqrt(share * z * price) + 2 * share * z
    return float(np.exp(-power).sum() * step / math.log(2))


@number(
    "ex-15-7",
    "The bound at x = {u} sqrt(K/T), with the term 4 x sqrt(y l) kept?",
    given={"u": 2},
    vary={"u": (1.5, 2.5, 3)},
    tolerance=0.02,
)
def middle_term(u: float) -> list[Anchor]:
    share = u * u
    return [
        right(_falls(share), "What the radius and the depth do together, the lemma throws away."),
        wrong(1.41 * share**-1.94, "this is h of the lemma; integrate with the middle term."),
        wrong(_falls(share) * math.log(2), "the mean is over dy/(y ln 2): ln 2 is missing."),
        wrong(_falls(share, 2.0), "8 c0 c1 has the middle term twice: both mixed products count."),
    ]


@number(
    "ex-16-1",
    "T = {T}, {n} tosses each: the width r after the first round?",
    given={"T": 1000, "n": 14},
    vary={"T": (500, 5000, 20_000), "n": (14, 18, 20)},
    tolerance=0.004,
)
def first_width(T: int, n: int) -> list[Anchor]:
    return [
        right(
            math.sqrt(math.log(T) / (2 * n)),
            "Even one head in fourteen does not look bad enough yet.",
        ),
        wrong(
            math.sqrt(2 * math.log(T) / n),
            "this is the radius of UCB1; elimination has ln(T)/(2n).",
        ),
        wrong(math.sqrt(math.log(T) / n), "the 2 below the fraction line is missing."),
        wrong(math.log(T) / (2 * n), "this is the square of the width."),
    ]


@integer(
    "ex-16-2",
    "{arms} arms, x = delta = {x}: the pulls of the first round, of all arms together?",
    given={"arms": 100, "x": 0.1},
    vary={"arms": (50, 64, 200), "x": (0.05, 0.2)},
)
def median_first(arms: int, x: float) -> list[Anchor]:
    from hbucb.elimination_bounds import median_elimination_counts

    counts = [int(n) for n in median_elimination_counts(arms, eps=x, delta=x)]
    left, total = arms, 0
    for n in counts:
        total += left * n
        left = (left + 1) // 2
    return [
        right(
            arms * counts[0],
            "All rounds together need more than five times as many.",
        ),
        wrong(counts[0], "this is the count of one arm; all of them are pulled."),
        wrong(total, "this is the total of all rounds; the first one is asked for here."),
        wrong(
            arms // 2 * counts[0],
            "half of the arms go at the end of the round: all are still pulled in it.",
        ),
    ]


@number(
    "ex-17-1",
    "{K} arms, T = {T}: what Thompson's theorem says, per round?",
    given={"K": 10, "T": 100_000},
    vary={"K": (2, 5, 20), "T": (10_000, 10**6)},
    tolerance=0.004,
)
def thompson(K: int, T: int) -> list[Anchor]:
    total = 3 * K + 4 * math.sqrt(K * T * math.log(T))
    return [
        right(total / T, "Averaged over the prior: one bandit may be worse."),
        wrong(total, "this is the whole; divide it by T for a round."),
        wrong(
            4 * math.sqrt(K * math.log(T) / T) / 4, "the factor 4 in front of the root is missing."
        ),
        wrong((3 * K + 4 * math.sqrt(K * T)) / T, "the logarithm under the root is missing."),
    ]


@formula(
    "ex-17-5",
    "n t",
    chosen=[(1, 10), (9, 1000), (10, 1000), (50, 300), (3, 20), (100, 10_000)],
    ranges=[(1, 200, True), (50, 100_000, True)],
    remark="KL-UCB has the exponent -1/n: one more throw, as if the prior were one.",
    mistakes=[
        (
            lambda n, t: 1 - t ** (-1 / n),
            "this is KL-UCB's index; the uniform prior counts like one more throw.",
        ),
        (lambda n, t: t ** (-1 / (n + 1)), "this is 1 - q; the index is q."),
        (
            lambda n, t: 1 - t ** (-1 / (n + 2)),
            "Beta(1, n + 1) has the density (n + 1)(1 - q)^n: the exponent is -1/(n + 1).",
        ),
    ],
)
def zero_heads(n: float, t: float) -> float:
    return 1 - t ** (-1 / (n + 1))


@number(
    "ex-18-1",
    "K = {K}, T = {T}, rewards {rewards}: the radius in the first round?",
    given={"K": 2, "T": 1000, "rewards": (1, 0, 1, 1)},
    vary={"K": (4, 5), "T": (2000, 10_000), "rewards": ((1, 0, 0, 1, 1), (0, 0, 1), (1, 0, 0, 0))},
    tolerance=0.002,
)
def eucbv_radius(K: int, T: int, rewards: tuple[int, ...]) -> list[Anchor]:
    n = len(rewards)
    mean = sum(rewards) / n
    variance, ell = mean - mean**2, 2 * math.log(T / K)

    def radius(v: float, level: float) -> float:
        return math.sqrt((v + 2) * level / (8 * n))

    return [
        right(
            radius(variance, ell), "Longer than [0, 1] itself: after four rewards it says nothing."
        ),
        wrong(radius(variance * n / (n - 1), ell), "the variance divides by n, not by n - 1."),
        wrong(radius(variance, ell / 2), "the square inside the logarithm doubles it."),
        wrong(radius(variance, 2 * math.log(T)), "T is divided by K inside the logarithm."),
        wrong(radius(variance, ell) ** 2, "this is the square of the radius."),
    ]


@integer(
    "ex-18-2",
    "{K} arms, T = {T}: the pulls after which all rounds are over?",
    given={"K": 20, "T": 60_000},
    vary={"K": (10, 40), "T": (20_000, 100_000)},
)
def rounds_over(K: int, T: int) -> list[Anchor]:
    last = math.floor(0.5 * math.log2(T / math.e))
    counts = [
        math.ceil((2 * math.log(T / K) - 2 * m * math.log(2)) * 2**m / 2) for m in range(last + 2)
    ]
    return [
        right(K * sum(counts), "A little more than half of the run."),
        wrong(sum(counts), "this is the sum for one arm; the clock counts the pulls of all."),
        wrong(
            K * counts[-1],
            "this is the last round alone; the clock adds up all of them.",
        ),
        wrong(K * sum(counts[:-1]), "the last round is missing."),
    ]


def _failure(K: float, T: float, *, rounds: int = 1, arms: float = 2.0, half: bool = True) -> float:
    level = 2 * math.log(T / K) - (math.floor(0.5 * math.log2(T / math.e)) + rounds) * math.log(2)
    if level <= 0:
        return 1.0
    c = 1 + 2 / level
    blocks = math.floor(math.log(T) / math.log(c)) + 1
    return min(1.0, arms * K * blocks * math.exp(-level / ((2 if half else 1) * c)))


@formula(
    "ex-18-5",
    "K T",
    chosen=[(2, 10**6), (2, 10**7), (20, 10**9), (100, 10**11), (2, 1000), (5, 10**8)],
    ranges=[(2, 50, True), (1e8, 1e12, True)],
    remark="At the sizes of all four experiments of the paper it is capped at 1.",
    mistakes=[
        (
            lambda K, T: _failure(K, T, arms=1.0),
            "both sides of every interval can fail: 2K, not K.",
        ),
        (
            lambda K, T: _failure(K, T, rounds=0),
            "the last level is reached after one halving more than the last round counts.",
        ),
        (lambda K, T: _failure(K, T, half=False), "the exponent is half of the level over c."),
    ],
)
def eucbv_q(K: float, T: float) -> float:
    return _failure(K, T)
