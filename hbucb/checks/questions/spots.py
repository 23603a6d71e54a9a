"""One value of each exercise that asks for code, so that a page without a kernel can check it.

:func:`hbucb.check` tries a function itself (hbucb/checks/code.py); these are what a right function,
and known wrong ones, return at one spot, where all of them differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from hbucb.checks.questions.bounded import _failure
from hbucb.checks.questions.kinds import arms, integer, number, right, wrong
from hbucb.checks.sealing import Anchor

COMMIT = ((-4, -2, -8), (-12, 1, -8), (-1, -3, -9), (2, -10, -8))


@arms("ex-01-5-spot", "tries = 2, four arms and this table of rewards: the arms of 12 rounds?")
def commit() -> list[Anchor]:
    turns, sums = "01230123", [row[0] + row[1] for row in COMMIT]

    def then(arm: int) -> str:
        return turns + 4 * str(arm)

    best = sums.index(max(sums))
    greedy, counts, totals = turns, [2] * 4, list(sums)
    for _ in range(4):
        arm = max(range(4), key=lambda a: totals[a] / counts[a])
        greedy, totals[arm] = greedy + str(arm), totals[arm] + COMMIT[arm][2]
        counts[arm] += 1
    return [
        right(
            then(best), "The later rewards are bad, and it stays: that is what committing means."
        ),
        wrong(greedy, "it leaves the best arm again: the decision is made once and for ever."),
        wrong("00112233" + 4 * str(best), "the arms are tried in turn, not one after the other."),
        wrong(then(sums.index(min(sums))), "arm 1 has the worst average: min in the place of max?"),
        wrong(then(0), "all averages are below 0, and arm 0 won: does a maximum start at 0?"),
        wrong(then(3), "arm 3 has the best single reward; the average of both tries decides."),
        wrong(
            "".join(str(int(arm) + 1) for arm in then(best)),
            "right, but arms are counted from 0: give 0 for the first.",
        ),
    ]


HUBER = ([3.9, -1.3, 14.2, 2.7, 2.2, 0.4, 3.3], 0.9)


def _huber(x: np.ndarray, lam: float, halvings: int = 60) -> float:
    low, high = np.median(x) - lam, np.median(x) + lam
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle - x, -lam, lam).sum() < 0 else (low, middle)
    return float((low + high) / 2)


@number(
    "ex-03-5-spot",
    "Seven rewards and a level: Huber's estimate?",
    tolerance=1e-4,
    scale="linear",
)
def huber() -> list[Anchor]:
    x, lam = np.array(HUBER[0]), HUBER[1]
    return [
        right(_huber(x, lam), "Four rewards count by their side alone, three by their size."),
        wrong(float(np.median(x)), "this is the median, where the bisection starts."),
        wrong(float(x.mean()), "this is the average: nothing was clipped."),
        wrong(
            float(np.clip(x, -lam, lam).mean()),
            "the rewards were clipped; clip their differences from the estimate.",
        ),
        wrong(_huber(x, 2.0), "the level is an argument, and another was used."),
        wrong(_huber(x, lam, 10), "close, but ten halvings are too few for six digits."),
        wrong(float(x[0]), "this is the first reward."),
    ]


START = {"k": 8, "delta": 0.02, "sigma": 2.0, "c": 3.0}


@number("ex-05-3-spot", "The radius at k = {k}, delta = {delta}?", given=START, tolerance=0.002)
def start(k: int, delta: float, sigma: float, c: float) -> list[Anchor]:
    noise = sigma * math.sqrt(2 * k * math.log(2 / delta))
    looser = [
        right(bias + rest, "Proved, and a little longer than it need be: all is divided by k + 1.")
        for bias in (c / (k + 1), c / k)
        for rest in (noise / (k + 1), noise / math.sqrt(k * (k + 1)), noise / k)
    ]
    return [
        right((c + noise) / (k + 1), "The start counts like one reward of size c."),
        *looser[1:],
        wrong(noise / k, "this is the radius of the average: where does c enter?"),
        wrong(noise / (k + 1), "the start adds up to c/(k + 1): where does c enter?"),
        wrong(
            (c + sigma * math.sqrt(2 * k * math.log(1 / delta))) / (k + 1),
            "two sides may fail: ln(2/delta).",
        ),
        wrong(
            (c + noise / math.sqrt(2)) / (k + 1),
            "this looks like the root of g for the noise; it is the root of 2g.",
        ),
        wrong(c + noise / k, "the start is forgotten like 1/(k + 1): c is divided too."),
        wrong((c + noise / sigma) / (k + 1), "sigma is missing before the root."),
        wrong(c + noise, "all of it is divided by k + 1: more rewards make it shorter."),
    ]


WALK = {"k": 12, "delta": 0.02, "tau": 3.0}


@number("ex-09-5-spot", "The radius at k = {k}, delta = {delta}?", given=WALK, tolerance=0.002)
def walk(k: int, delta: float, tau: float) -> list[Anchor]:
    def radius(level: float, count: float = k) -> float:
        return tau * math.sqrt(2 * level / count)

    level = math.log(2 / delta)
    r = radius(level)
    return [
        right(r, "Put into the bound it gives delta back, and this no run can show so well."),
        wrong(radius(math.log(1 / delta)), "one side was counted, and two may fail: ln(2/delta)."),
        wrong(r / math.sqrt(2), "the root of g is not the radius: it is the root of 2g."),
        wrong(radius(math.log10(2 / delta)), "the logarithm is natural, not to base 10."),
        wrong(radius(math.log(4 / delta)), "ln(4/delta) counts more than two sides."),
        wrong(
            2 * tau * level / k, "a root is missing: the radius falls like 1 over the root of k."
        ),
        wrong(r / math.sqrt(tau), "tau stands before the root, not under it: units decide."),
        wrong(r / tau, "tau is missing: a radius has the unit of a reward."),
        wrong(radius(level, k - 1), "k - 1 stands in the place of k."),
        wrong(r * math.sqrt(2), "the 2 stands under the root, not before it."),
        wrong(radius(math.log(2 * k / delta)), "the guarantee is for one count: no k under ln."),
    ]


KL = {"mean": 1e-4, "n": 100_000, "level": 11.5}


def _divergence(p: float, q: float) -> float:
    return p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))


def _bracket(mean: float, budget: float, halvings: int) -> tuple[float, float]:
    low, high = mean, 1.0
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if _divergence(mean, middle) > budget else (middle, high)
    return low, high


@number("ex-15-5-spot", "The index at mean = {mean}, n = {n}?", given=KL, tolerance=2e-4)
def upper(mean: float, n: int, level: float) -> list[Anchor]:
    d = level / n
    ten = _bracket(mean, d, 10)
    return [
        right(
            _bracket(mean, d, 60)[1],
            "Ten ones among 100 000 rewards allow up to 34: near 0 the index needs many halvings.",
        ),
        wrong(sum(ten) / 2, "this is the middle of the bracket after ten halvings only."),
        wrong(ten[1], "this is the upper end after ten halvings: three times as long as need be."),
        wrong(_bracket(mean, d, 20)[0], "the lower end after twenty halvings: it is too low."),
        wrong(mean + math.sqrt(d / 2), "this is Hoeffding's radius; kl is much sharper here."),
        wrong(_bracket(mean, level, 60)[1], "where is n? It multiplies the divergence."),
        wrong(_bracket(mean, d / 2, 60)[1], "half of the level was used."),
    ]


ELIMINATION = {"horizon": 2000, "delta": 0.1}


def _pulls(
    drop: Callable[[float, float, int], bool], level: float, *, horizon: int, back: bool = False
) -> int:
    """How often arm 1 of three is pulled; `drop(gap, width, n)` says when an arm goes."""
    pays = (lambda n: 0.25, lambda n: 0.5, lambda n: 0.75 * (n < 400))
    sums, counts, alive = [0.0] * 3, [0] * 3, [0, 1, 2]
    for _ in range(horizon):
        arm = min(alive, key=lambda a: counts[a])
        sums[arm] += pays[arm](counts[arm])
        counts[arm] += 1
        n = counts[alive[0]]
        if all(counts[a] == n for a in alive):
            means = [sums[a] / counts[a] for a in range(3)] if min(counts) else sums
            width, asked = math.sqrt(level / (2 * n)), range(3) if back else alive
            best = max(means[a] for a in asked)
            alive = [a for a in asked if not drop(best - means[a], width, n)]
    return counts[1]


@integer("ex-16-5-spot", "T = {horizon}: how often is arm 1 pulled?", given=ELIMINATION)
def successive(horizon: int, delta: float) -> list[Anchor]:
    level = math.log(2 * 3 * horizon / delta)

    def two(gap: float, width: float, n: int) -> bool:
        return gap > 2 * width

    def pulls(level: float = level, drop: Callable[..., bool] = two, back: bool = False) -> int:
        return _pulls(drop, level, horizon=horizon, back=back)

    expected = pulls()
    return [
        right(expected, "A gap of 1/4 is seen after 32 ln(2KT/delta) pulls."),
        wrong(expected - 1, "at this count the two intervals still touch."),
        wrong(
            pulls(drop=lambda gap, width, n: gap > width),
            "the width counts on both sides: an arm goes if its upper end is below a lower end.",
        ),
        wrong(pulls(math.log(2 / delta)), "the union over arms and rounds is missing: 2KT/delta."),
        wrong(
            pulls(drop=lambda gap, width, n: gap > 4 * width),
            "arms stay four times too long: is the width doubled?",
        ),
        wrong(pulls(back=True), "it came back when arm 2 paid nothing: dropped is dropped."),
        wrong(
            pulls(drop=lambda gap, width, n: False),
            "a third of all rounds: nothing is dropped.",
        ),
        wrong(0, "arm 1 is never pulled: survivors are pulled in turn."),
    ]


FAILURE = {"K": 5, "T": 10**7}


@number("ex-18-5-spot", "q at K = {K}, T = {T}?", given=FAILURE, tolerance=0.001)
def failure(K: int, T: int) -> list[Anchor]:
    q = _failure(K, T)
    level = 2 * math.log(T / K) - (math.floor(0.5 * math.log2(T / math.e)) + 1) * math.log(2)
    return [
        right(q, "Ten million pulls, and one run in ten may still fail."),
        wrong(_failure(K, T, arms=1.0), "both sides of every interval can fail: 2K, not K."),
        wrong(
            _failure(K, T, rounds=0),
            "the last level is reached after one halving more than the last round counts.",
        ),
        wrong(_failure(K, T, half=False), "the exponent is half of the level over c."),
        wrong(1.0, "1 says nothing: at these numbers q is below 1."),
        wrong(
            2
            * K
            * math.floor(math.log(T) / math.log(1 + 2 / level))
            * math.exp(-level / (2 * (1 + 2 / level))),
            "one block is missing: the count is rounded down, plus 1.",
        ),
    ]
