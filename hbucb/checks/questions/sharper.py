"""Chapters 9 to 14."""

from __future__ import annotations

import math

from hbucb.checks.questions.kinds import formula, integer, number, right, wrong
from hbucb.checks.sealing import Anchor


@number(
    "ex-09-1",
    "Cauchy noise of scale {scale}, the sign, D = {D}: the radius at k = {k}, delta = {delta}?",
    given={"scale": 2.0, "D": 2.0, "k": 1000, "delta": 0.01},
    vary={"scale": (1.0, 3.0, 4.0), "D": (1.0, 3.0), "k": (200, 500, 4000), "delta": (0.05, 0.001)},
    tolerance=0.004,
)
def walk_radius(scale: float, D: float, k: int, delta: float) -> list[Anchor]:
    tau = D / (2 / math.pi * math.atan(D / scale))
    r = tau * math.sqrt(2 * math.log(2 / delta) / k)
    return [
        right(r, "The start appears nowhere: a start at the far end costs one step."),
        wrong(
            tau * math.sqrt(2 * math.log(1 / delta) / k),
            "did you use ln(1/delta)? Two sides may fail, and the 2 stands inside the logarithm.",
        ),
        wrong(r**2, "this is 2g, the square of the radius; take the root."),
        wrong(r / math.sqrt(2), "this is the root of g; the radius is the root of 2g."),
        wrong(
            tau * math.sqrt(2 * math.log10(2 / delta) / k),
            "logarithms are natural, not to base 10.",
        ),
        wrong(
            r / scale, "this is the radius for noise of scale 1: everything scales with the noise."
        ),
    ]


@integer(
    "ex-09-2",
    "Uniform noise, delta = {delta}: the first k with a radius of at most {r}?",
    given={"delta": 0.001, "r": 0.1},
    vary={"delta": (0.01, 0.05, 1e-4), "r": (0.05, 0.2)},
)
def walk_count(delta: float, r: float) -> list[Anchor]:
    def first(x: float) -> int:
        return math.ceil(2 * math.log(x) / r**2)

    return [
        right(
            first(2 / delta), "No D, no start, no moment: the count depends on tau and delta only."
        ),
        wrong(first(2 / delta) - 1, "there the radius is still a little too long: round up."),
        wrong(first(1 / delta), "two sides may fail: ln(2/delta)."),
        wrong(math.ceil(math.log(2 / delta) / r**2), "the radius is the root of 2g, not of g."),
    ]


@integer(
    "ex-09-2-all",
    "Uniform noise, delta = {delta}: the first k with a radius for all counts of at most {r}?",
    given={"delta": 0.001, "r": 0.1},
    vary={"delta": (0.01, 0.05, 1e-4), "r": (0.05, 0.2)},
)
def walk_count_all(delta: float, r: float) -> list[Anchor]:
    def first(head: float, factor: float = 1.0) -> int:
        harmonic, k = 0.0, 0
        while True:
            k += 1
            harmonic += 1 / k
            if (head + factor * harmonic) / k <= r**2:
                return k

    found = first(2 * math.log(1 / delta))
    return [
        right(found, "H_k instead of a union over the counts: less than half as many again."),
        wrong(
            first(2 * math.log(2 / delta)),
            "in this theorem both sides enter through cosh together: ln(1/delta).",
        ),
        wrong(found - 1, "there the radius is still a little too long."),
        wrong(first(math.log(1 / delta)), "the logarithm of 1/delta counts twice under the root."),
    ]


@number(
    "ex-09-4",
    "Cauchy noise, D = {D}, c = {c}: tau?",
    given={"D": 1.0, "c": 1.0},
    vary={"D": (0.5, 2.0), "c": (0.5, 2.0, 3.0)},
    tolerance=0.004,
)
def private_tau(D: float, c: float) -> list[Anchor]:
    omega = 2 / math.pi * math.atan(D) / D
    return [
        right(
            1 / (omega * math.tanh(c / 2)),
            "The rewards needed grow with its square: privacy costs a factor of 4.7 here.",
        ),
        wrong(1 / omega, "this is tau without privacy: the flips weaken the drift."),
        wrong(omega * math.tanh(c / 2), "this is the slope; tau is the level over the slope."),
        wrong(1 / (omega * math.tanh(c)), "tanh of c/2, not of c: 1 - 2/(1 + e^c)."),
        wrong(
            1 / (omega * (1 - 1 / (1 + math.exp(c)))),
            "a flip does not only lose a sign, it sends the opposite one: 1 - 2/(1 + e^c).",
        ),
    ]


@integer(
    "ex-10-a",
    "n = {n}, delta = {delta}: the fixed rank?",
    given={"n": 10, "delta": 0.05},
    vary={"n": (8, 12, 14, 20), "delta": (0.01, 0.02, 0.1)},
)
def rank_by_hand(n: int, delta: float) -> list[Anchor]:
    def rank(level: float) -> int:
        tail = 0
        for j in range(n, -1, -1):
            tail += math.comb(n, j)
            if tail > level * 2**n:
                return j + 1
        return 0

    found = rank(delta)
    return [
        right(found, "All larger rewards could be infinite: the index does not look at them."),
        wrong(found - 1, "with this many heads or more the probability is above delta."),
        wrong(found + 1, "this is safe, but one rank less is as well."),
        wrong(n + 1 - found, "counted from the largest reward; count from the smallest."),
    ]


@integer(
    "ex-10-1",
    "delta = 1/T^2, T = {T}: pulls before the index is finite?",
    given={"T": 10**4},
    vary={"T": (500, 2000, 10**5, 10**6)},
)
def finite_from(T: int) -> list[Anchor]:
    n = math.ceil(2 * math.log2(T))
    return [
        right(n, "No limit that is valid for every continuous law can be finite earlier."),
        wrong(math.ceil(math.log2(T)), "delta is 1/T^2, not 1/T."),
        wrong(math.ceil(2 * math.log(T)), "a fair coin: the logarithm has base 2."),
        wrong(n - 1, "2 to this power is still below 1/delta."),
    ]


@number(
    "ex-10-5",
    "Cauchy noise of scale {scale}, gap {gap}: up to which w is the certificate not empty?",
    given={"scale": 1.0, "gap": 4.0},
    vary={"scale": (0.5, 2.0), "gap": (1.0, 2.0, 3.0)},
    tolerance=0.004,
)
def contamination(scale: float, gap: float) -> list[Anchor]:
    q = math.atan(gap / scale) / math.pi
    return [
        right(
            1 - 0.5 / (0.5 + q), "Nearly half of the rewards may be infinite, if the gap is wide."
        ),
        wrong(q, "this is q; solve (1 - w)(1/2 + q) = 1/2 for w."),
        wrong(0.5 / (0.5 + q), "this is the share that may stay, 1 - w."),
        wrong(1 - 0.5 / (2 * q), "P(X < best centre) on the bad arm is 1/2 + q, not 2q."),
    ]


@integer(
    "ex-11-2",
    "x = 0, lambda = {lam}: from which power of two on is the difference always 0?",
    given={"lam": 1.7},
    vary={"lam": (0.3, 0.7, 3.3, 6.1, 13.0)},
)
def digits_end(lam: float) -> list[Anchor]:
    m = next(m for m in range(40, 80) if 2.0 ** (m - 54) > lam)
    return [
        right(m, "The clip would still be right there; only the way it is computed fails."),
        wrong(
            m - 1,
            "just below this power floats are closer: one of the sums is another float.",
        ),
        wrong(
            m - 2,
            "the spacing at 2^m is 2^(m-52), and lambda must be below half of the spacing below.",
        ),
        wrong(m + 1, "one power less is enough, where the spacing below is still twice lambda."),
    ]


@number(
    "ex-11-4",
    "Cauchy noise, centre {mu}, lambda = {lam}: where do the iterates go?",
    given={"mu": 0.0, "lam": 1.0},
    vary={"mu": (0.5, -0.3, 0.2), "lam": (0.4, 0.8, 1.2)},
    tolerance=0.004,
    scale="linear",
)
def one_sided(mu: float, lam: float) -> list[Anchor]:
    return [
        right(
            mu - lam / 2,
            "Add lambda/2 to the result, and the one-sided difference is as good as the other.",
        ),
        wrong(mu, "the two points are x and x + lambda: their middle goes to the centre, not x."),
        wrong(mu - lam, "the middle of x and x + lambda goes to the centre."),
        wrong(mu + lam / 2, "a sign: x + lambda/2 goes to the centre, so x stays below it."),
    ]


@number(
    "ex-11-5",
    "lambda = {lam}, c = {c}, slope {omega}, k = {k}, delta = {delta}: the radius?",
    given={"lam": 2.0, "c": 1.0, "omega": 0.5, "k": 400, "delta": 0.1},
    vary={"lam": (1.0, 3.0), "c": (0.5, 2.0), "omega": (0.25, 0.8), "k": (100, 2500)},
    tolerance=0.004,
)
def noisy_values(lam: float, c: float, omega: float, k: int, delta: float) -> list[Anchor]:
    root = math.sqrt(2 * math.log(2 / delta) / k)
    return [
        right(
            (lam + c) / omega * root,
            "Only the bound on the score has changed; its mean is the same drift.",
        ),
        wrong(
            lam / omega * root, "the score is no longer bounded by lambda: what do the errors add?"
        ),
        wrong(
            (lam + 2 * c) / omega * root,
            "half of the difference of two errors is at most c, not 2c.",
        ),
        wrong((lam + c) * root, "level over slope: the slope is missing."),
        wrong(
            (lam + c) / omega * math.sqrt(2 * math.log(1 / delta) / k),
            "two sides may fail: ln(2/delta).",
        ),
    ]


@integer(
    "ex-12-a",
    "The smallest N, at b = {b}, y = {y}, delta = {delta}, for a last term below {goal}?",
    given={"b": 9000, "y": 3000, "delta": 0.05, "goal": 100},
    vary={"b": (5000, 12_000, 20_000), "y": (1000, 2000), "goal": (50, 150, 200)},
)
def enough_runs(b: float, y: float, delta: float, goal: float) -> list[Anchor]:
    def first(level: float, width: float) -> int:
        return math.floor(math.log(1 / level) / -math.log1p(-goal / width)) + 1

    return [
        right(
            first(delta / 2, b - y),
            "About ln(2/delta) (b - y) / goal: rare disasters need many runs.",
        ),
        wrong(first(delta, b - y), "the limit of the share has only delta/2 to spend."),
        wrong(first(delta / 2, b), "a run above y loses at most b, of which y is already counted."),
        wrong(first(delta / 2, b - y) - 1, "at this N the last term is still above."),
    ]


@number(
    "ex-12-2",
    "Gap {gap}, T = {T}: the closed form in pulls?",
    given={"gap": 0.5, "T": 1000},
    vary={"gap": (0.25, 0.4, 1.0), "T": (500, 10_000)},
    tolerance=0.003,
)
def ladder(gap: float, T: int) -> list[Anchor]:
    ell = 2 * math.log(T)
    pulls = 1 + (T - 1) / T + 2 / gap**2 * (ell + math.sqrt(math.pi * ell) + 1)
    return [
        right(pulls, "Between what any player must pay and the simple template, as it should be."),
        wrong(gap * pulls, "this is regret; the question asks for pulls."),
        wrong(
            math.floor(8 * ell / gap**2) + 1,
            "this is the template; the closed form is the finer count.",
        ),
        wrong(ell * gap**-2, "this is the lower bound."),
    ]


@number(
    "ex-12-4",
    "Bounds 400, 300, 200 at gaps 3, 2, 1 and T = {T}: the largest regret?",
    given={"T": 500},
    vary={"T": (450, 600, 650, 750)},
    tolerance=0.001,
)
def capped(T: int) -> list[Anchor]:
    def fill(order: list[tuple[int, int]]) -> float:
        left, total = T, 0
        for gap, most in order:
            n = min(left, most)
            left, total = left - n, total + n * gap
        return total

    up = [(3, 400), (2, 300), (1, 200)]
    return [
        right(fill(up), "Largest gaps first; whatever is left goes to the next."),
        wrong(3 * 400 + 2 * 300 + 200, "these are more pulls than there are rounds."),
        wrong(3 * T, "the arm with gap 3 can be pulled 400 times at most."),
        wrong(
            fill(up[::-1]),
            "the smallest gaps were filled first; that is the least, not the largest.",
        ),
    ]


@number(
    "ex-13-1",
    "Exponential noise minus its median, lambda = {lam}: the mean of the clipped noise?",
    given={"lam": 2.0},
    vary={"lam": (0.8, 1.0, 3.0)},
    tolerance=0.004,
    scale="linear",
)
def clipped_mean(lam: float) -> list[Anchor]:
    m = math.log(2)
    found = 1 - math.exp(-lam - m) - m
    return [
        right(
            found, "Twice this number is the bias line; the clip point itself is a little nearer."
        ),
        wrong(2 * found, "this is the bias line, with slope 1/2; first the mean itself."),
        wrong(1 - m, "this is the mean without a clip; large rewards are cut at lambda."),
        wrong(
            1 - math.exp(-lam) - m,
            "the noise is the exponential minus ln 2, so the cut lies at lambda + ln 2.",
        ),
    ]


@formula(
    "ex-13-3",
    "w alpha",
    chosen=[(0.1, 0.5), (0.25, 1.0), (0.4, 3.0), (0.01, 2.0), (0.3, 0.7), (0.2, 1.5)],
    ranges=[(0.02, 0.45, False), (0.3, 5.0, False)],
    remark="It grows without limit as w approaches one half, the sooner the heavier the tail.",
    mistakes=[
        (
            lambda w, alpha: (2 - 1 / (1 - w)) ** (-1 / alpha),
            "the Lomax law starts at 0: its quantile has a 1 subtracted.",
        ),
        (
            lambda w, alpha: (1 - 1 / (2 * (1 - w))) ** (-1 / alpha) - 1,
            "half of the law lies above 0: the tail there is half of (1 + x)^-alpha.",
        ),
        (
            lambda w, alpha: (1 - 2 * w) ** (-1 / alpha) - 1,
            "the symmetric part keeps the share 1 - w: divide one half by it.",
        ),
    ],
)
def median_move(w: float, alpha: float) -> float:
    return (2 - 1 / (1 - w)) ** (-1 / alpha) - 1


@integer(
    "ex-14-1",
    "One reward in {m} is huge: from which n on is none seen with probability below {p}?",
    given={"m": 1000, "p": 0.05},
    vary={"m": (200, 500, 5000), "p": (0.01, 0.1)},
)
def hidden(m: int, p: float) -> list[Anchor]:
    n = math.floor(math.log(p) / math.log1p(-1 / m)) + 1
    return [
        right(
            n,
            "About ln(1/p) times m: three thousand rewards to see what happens once in a thousand.",
        ),
        wrong(n - 1, "at this number the probability is still above."),
        wrong(
            math.floor(math.log(1 - p) / math.log1p(-1 / m)) + 1,
            "this is where it is hidden with probability 1 - p.",
        ),
        wrong(m, "after m rewards it is still hidden with probability 1/e."),
    ]


@number(
    "ex-14-3",
    "v = {v}, n = {n}, delta = {delta}: the least limit on n zeros?",
    given={"v": 1.0, "n": 200, "delta": 0.01},
    vary={"v": (2.0, 4.0), "n": (50, 100, 500), "delta": (0.05, 0.001)},
    tolerance=0.004,
)
def moment_cost(v: float, n: int, delta: float) -> list[Anchor]:
    w, level = 1 - delta ** (1 / n), math.log(1 / delta)
    return [
        right(math.sqrt(v * w), "Catoni's radius is longer by the root of 2 only."),
        wrong(w * v, "this is v times w; the limit is the root of it."),
        wrong(
            math.sqrt(2 * v * level / (n - 2 * level)),
            "this is Catoni's radius, with which it is to be compared.",
        ),
        wrong(math.sqrt(2 * v * level / n), "this is the radius of the average of normal rewards."),
    ]


@integer(
    "ex-14-4",
    "From which power of two on does a sum swallow a reward of {x}?",
    given={"x": 3},
    vary={"x": (1, 5, 9, 17)},
)
def swallowed(x: int) -> list[Anchor]:
    p = next(p for p in range(90) if 2.0**p + x == 2.0**p)
    return [
        right(
            p,
            "Long before, every reward is rounded to a multiple of the spacing.",
        ),
        wrong(p - 1, "here the sum is rounded, up to a neighbour: not swallowed."),
        wrong(p + 1, "one power less is enough: below half of the spacing it is rounded away."),
        wrong(52, "52 is the number of stored binary digits; the reward has a size of its own."),
    ]
