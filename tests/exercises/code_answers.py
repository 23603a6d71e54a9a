"""Answers to the exercises that ask for code: right in two styles, and wrong in many ways.

RIGHT maps an id to submissions that pass, WRONG to (submission, words of the message) pairs. Some
submissions misbehave on purpose: they print, change their arguments, raise or never end.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import kl_div

RIGHT, WRONG = {}, {}

# ---- ex-09-5: radius(k, delta, tau) -------------------------------------------------------------


def walk(k, delta, tau):
    return tau * math.sqrt(2 * math.log(2 / delta) / k)


def walk_by_g(k, delta, tau):
    print("g =", np.square(tau) * np.log(2 / delta) / k)
    return np.sqrt(2 * np.square(tau) * np.log(2 / delta) / k)


def never_ends(k, delta, tau):
    r = 1.0
    while r > 0:
        try:
            r += 1
        except BaseException:
            pass
    return r


RIGHT["ex-09-5"] = [walk, walk_by_g]
WRONG["ex-09-5"] = [
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log(1 / delta) / k), "two sides were counted"),
    (lambda k, delta, tau: tau * math.sqrt(math.log(2 / delta) / k), "exponent is 0.5 times"),
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log10(2 / delta) / k), "exponent is 0.434"),
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log(4 / delta) / k), "more than two sides"),
    (lambda k, delta, tau: tau * math.sqrt(2 * abs(math.log(2 * delta)) / k), "too short"),
    (lambda k, delta, tau: tau * 2 * math.log(2 / delta) / k, "divide your radius by 4"),
    (lambda k, delta, tau: math.sqrt(2 * tau * math.log(2 / delta) / k), "Units decide"),
    (lambda k, delta, tau: math.sqrt(2 * math.log(2 / delta) / k), "Units decide"),
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log(2 / delta) / (k - 1)), "it should be 2"),
    (lambda k, delta, tau: tau * 2 * math.sqrt(math.log(2 / delta) / k), "longer than it needs"),
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log(2 * k / delta) / k), "it should be 2"),
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log(2 + delta) / k), "sign of the logarithm"),
    (lambda k, delta, tau: tau * math.sqrt(2 * math.log(2 / delta) * k), "where does k stand"),
    (lambda k, delta, tau: -walk(k, delta, tau), "a radius is above 0"),
    (lambda k, delta, tau: print(walk(k, delta, tau)), "is there a return"),
    (lambda k, delta, tau: 1 / (k - 200), "raises ZeroDivisionError"),
    (lambda k, delta, tau: str(walk(k, delta, tau)), "is text"),
    (lambda k, delta, tau: [walk(k, delta, tau)], "list or array with one entry"),
    (lambda k, delta: walk(k, delta, 1.0), "must take (k, delta, tau)"),
    (walk(200, 0.1, 1.0), "do not call it"),
    (never_ends, "does not come to an end"),
]

# ---- ex-05-3: radius(k, delta, sigma, c) --------------------------------------------------------


def start(k, delta, sigma, c):
    return (c + sigma * math.sqrt(2 * k * math.log(2 / delta))) / (k + 1)


def start_looser(k, delta, sigma, c):
    return c / (k + 1) + sigma * np.sqrt(2 * np.log(2 / delta) / k)


RIGHT["ex-05-3"] = [start, start_looser]
WRONG["ex-05-3"] = [
    (lambda k, delta, sigma, c: sigma * math.sqrt(2 * math.log(2 / delta) / k), "c enter"),
    (
        lambda k, delta, sigma, c: sigma * math.sqrt(2 * k * math.log(2 / delta)) / (k + 1),
        "where does c enter",
    ),
    (
        lambda k, delta, sigma, c: (c + sigma * math.sqrt(2 * k * math.log(1 / delta))) / (k + 1),
        "two sides were counted",
    ),
    (
        lambda k, delta, sigma, c: (c + sigma * math.sqrt(k * math.log(2 / delta))) / (k + 1),
        "exponent is 0.5 times",
    ),
    (
        lambda k, delta, sigma, c: c + sigma * math.sqrt(2 * math.log(2 / delta) / k),
        "times as long as the proof needs",
    ),
    (
        lambda k, delta, sigma, c: (c + math.sqrt(2 * k * math.log(2 / delta))) / (k + 1),
        "ten times as large",
    ),
    (
        lambda k, delta, sigma, c: c + sigma * math.sqrt(2 * k * math.log(2 / delta)),
        "More rewards must make it shorter",
    ),
]

# ---- ex-03-5: huber(x, lam) ---------------------------------------------------------------------


def huber(x, lam):
    x = np.asarray(x, dtype=float)
    low, high = np.median(x) - lam, np.median(x) + lam
    for _ in range(60):
        middle = (low + high) / 2
        if np.clip(middle - x, -lam, lam).sum() < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def huber_by_brent(x, lam):
    x = np.sort(x)
    middle = x[(len(x) - 1) // 2 : len(x) // 2 + 1].mean()
    return brentq(
        lambda at: sum(max(-lam, min(lam, at - one)) for one in x),
        middle - lam,
        middle + lam,
        xtol=1e-12,
    )


def sorts_in_place(x, lam):
    if isinstance(x, np.ndarray):
        x.sort()
    return huber(x, lam)


def one_sided_clip(x, lam):
    x = np.asarray(x, dtype=float)
    at = float(np.median(x))
    for _ in range(20_000):
        at -= np.minimum(at - x, lam).sum() / len(x) / 2
    return at


def ten_halvings(x, lam):
    x = np.asarray(x, dtype=float)
    low, high = np.median(x) - lam, np.median(x) + lam
    for _ in range(10):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle - x, -lam, lam).sum() < 0 else (low, middle)
    return (low + high) / 2


RIGHT["ex-03-5"] = [huber, huber_by_brent]
WRONG["ex-03-5"] = [
    (lambda x, lam: np.median(x), "the sum of the clipped differences"),
    (lambda x, lam: np.mean(x), "one reward of 1e9"),
    (lambda x, lam: np.clip(x, -lam, lam).mean(), "5 added to every reward"),
    (lambda x, lam: huber(x, 2.0), "which constant has none"),
    (sorts_in_place, "changes the rewards"),
    (one_sided_clip, "opposite"),
    (ten_halvings, "the sum of the clipped differences"),
    (lambda x, lam: x[0], "another order"),
]

# ---- ex-15-5: upper(mean, n, level) -------------------------------------------------------------


def kl(p, q):
    return float(kl_div(p, q) + kl_div(1 - p, 1 - q))


def upper(mean, n, level):
    low, high = mean, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if n * kl(mean, middle) > level else (middle, high)
    return high


def upper_by_brent(mean, n, level):
    if mean == 1:
        return 1.0
    root = brentq(lambda q: n * kl(mean, q) - level, mean, 1 - 1e-16, xtol=1e-15)
    while n * kl(mean, root) < level:
        root = np.nextafter(root, 1.0)
    return root


def halved(times, end):
    def short(mean, n, level):
        low, high = mean, 1.0
        for _ in range(times):
            middle = (low + high) / 2
            low, high = (low, middle) if n * kl(mean, middle) > level else (middle, high)
        return {"low": low, "middle": (low + high) / 2, "high": high}[end]

    return short


RIGHT["ex-15-5"] = [upper, upper_by_brent]
WRONG["ex-15-5"] = [
    (halved(10, "middle"), "too low"),
    (halved(20, "low"), "too low"),
    (halved(10, "high"), "a thousandth too long"),
    (lambda mean, n, level: min(1.0, mean + math.sqrt(level / (2 * n))), "a thousandth too long"),
    (lambda mean, n, level: mean + math.sqrt(level / (2 * n)), "between mean and 1"),
    (lambda mean, n, level: upper(mean, 1, level), "more pulls must bring"),
    (lambda mean, n, level: upper(mean, n, level / 2), "too low"),
    (lambda mean, n, level: upper(mean, n, math.log(2)), "higher level"),
]

# ---- ex-01-5: explore, then commit --------------------------------------------------------------


class Commit:
    def __init__(self, arms, horizon, tries):
        self.arms, self.tries = arms, tries
        self.sums = [0.0] * arms
        self.favourite = None

    def select(self, t):
        if t < self.arms * self.tries:
            return t % self.arms
        if self.favourite is None:
            self.favourite = self.sums.index(max(self.sums))
        return self.favourite

    def update(self, t, arm, reward):
        self.sums[arm] += reward


class CommitWithArrays:
    def __init__(self, arms, horizon, tries):
        self.seen = np.full((tries, arms), np.nan)

    def select(self, t):
        if t < self.seen.size:
            return t % self.seen.shape[1]
        return np.argmax(self.seen.mean(axis=0))

    def update(self, t, arm, reward):
        if t < self.seen.size:
            self.seen[t // self.seen.shape[1], arm] = reward


class Greedy(Commit):
    """Goes on learning, and changes its mind."""

    def __init__(self, arms, horizon, tries):
        super().__init__(arms, horizon, tries)
        self.counts = [0] * arms

    def select(self, t):
        if t < self.arms * self.tries:
            return t % self.arms
        means = [s / n for s, n in zip(self.sums, self.counts, strict=True)]
        return means.index(max(means))

    def update(self, t, arm, reward):
        self.sums[arm] += reward
        self.counts[arm] += 1


class InBlocks(Commit):
    def select(self, t):
        return t // self.tries if t < self.arms * self.tries else super().select(t)


class Worst(Commit):
    def select(self, t):
        if t < self.arms * self.tries:
            return t % self.arms
        return self.sums.index(min(self.sums))


class StartsAtZero(Commit):
    """Remembers the best sum so far, from 0 on: lost when all rewards are negative."""

    def select(self, t):
        if t < self.arms * self.tries:
            return t % self.arms
        if self.favourite is None:
            self.favourite, best = 0, 0.0
            for arm, total in enumerate(self.sums):
                if total > best:
                    self.favourite, best = arm, total
        return self.favourite


class CountsFromOne(Commit):
    def select(self, t):
        return t % self.arms + 1 if t < self.arms * self.tries else super().select(t)


class NoReturn(Commit):
    def select(self, t):
        super().select(t)


class NoUpdate:
    def __init__(self, arms, horizon, tries):
        pass

    def select(self, t):
        return 0


class NoTries:
    def __init__(self, arms, horizon):
        pass

    def select(self, t):
        return 0

    def update(self, t, arm, reward):
        pass


class Raises(Commit):
    def update(self, t, arm, reward):
        self.sum[arm] += reward


RIGHT["ex-01-5"] = [Commit, CommitWithArrays]
WRONG["ex-01-5"] = [
    (Greedy, "once and for ever"),
    (InBlocks, "in turn"),
    (Worst, "which is the best"),
    (StartsAtZero, "does something start at 0"),
    (CountsFromOne, "it must be 0 to 2"),
    (NoReturn, "is there a return"),
    (NoUpdate, "no method update"),
    (NoTries, "__init__ must take tries"),
    (Raises, "raises AttributeError"),
    (Commit(2, 10, 1), "not an object made from it"),
]

# ---- ex-16-5: successive elimination ------------------------------------------------------------


class Successive:
    def __init__(self, arms, horizon, delta=0.01):
        self.left, self.turn = list(range(arms)), 0
        self.s = [0.0] * arms
        self.level = math.log(2 * arms * horizon / delta) / 2
        self.n = 0

    def width(self):
        return math.sqrt(self.level / self.n)

    def select(self, t):
        return self.left[self.turn]

    def update(self, t, arm, reward):
        self.s[arm] += reward
        self.turn += 1
        if self.turn < len(self.left):
            return
        self.turn, self.n = 0, self.n + 1
        best = max(self.s[i] for i in self.left) / self.n - self.width()
        self.left = [i for i in self.left if self.s[i] / self.n + self.width() >= best]


class SuccessiveWithArrays:
    def __init__(self, arms, horizon, delta=0.01):
        self.alive, self.sums = np.ones(arms, bool), np.zeros(arms)
        self.counts = np.zeros(arms, int)
        self.two_widths = math.sqrt(2 * math.log(2 * arms * horizon / delta))

    def select(self, t):
        return int(np.argmin(np.where(self.alive, self.counts, np.inf)))

    def update(self, t, arm, reward):
        self.sums[arm] += reward
        self.counts[arm] += 1
        n = self.counts[self.alive]
        if n.min() == n.max():
            means = self.sums / np.maximum(self.counts, 1)
            self.alive &= means >= means[self.alive].max() - self.two_widths / math.sqrt(n[0])


class OneWidth(Successive):
    """Compares the upper end with the best mean itself."""

    def update(self, t, arm, reward):
        self.s[arm] += reward
        self.turn += 1
        if self.turn < len(self.left):
            return
        self.turn, self.n = 0, self.n + 1
        best = max(self.s[i] for i in self.left) / self.n
        self.left = [i for i in self.left if self.s[i] / self.n + self.width() >= best]


class NoUnion(Successive):
    def __init__(self, arms, horizon, delta=0.01):
        super().__init__(arms, horizon, delta)
        self.level = math.log(2 / delta) / 2


class TooWide(Successive):
    def width(self):
        return 2 * super().width()


class NeverDrops(Successive):
    def update(self, t, arm, reward):
        self.turn = (self.turn + 1) % len(self.left)


class OneArm(Successive):
    def select(self, t):
        return 0


class ComesBack(SuccessiveWithArrays):
    """Decides anew over all arms each time."""

    def update(self, t, arm, reward):
        self.sums[arm] += reward
        self.counts[arm] += 1
        n = self.counts[self.alive]
        if n.min() == n.max():
            means = self.sums / np.maximum(self.counts, 1)
            self.alive = means >= means.max() - self.two_widths / math.sqrt(n[0])


RIGHT["ex-16-5"] = [Successive, SuccessiveWithArrays]
WRONG["ex-16-5"] = [
    (OneWidth, "still overlap"),
    (NoUnion, "still overlap"),
    (TooWide, "already below"),
    (NeverDrops, "already below"),
    (OneArm, "pulled in turn"),
    (ComesBack, "dropped is dropped"),
]
