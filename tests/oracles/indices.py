"""Index policies in plain Python, one trial at a time, written from their papers' formulas.

Every arm is played once, then the largest index; the first of equals wins. Nothing here uses the
package: Kullback-Leibler indices are found by bisection and posterior quantiles by SciPy.
"""

import math

from scipy import stats

LN = math.log


def mean(x):
    return math.fsum(x) / len(x)


def variance(x):
    """Divided by n; a correctly rounded sum, so that equal samples in another order tie."""
    m = mean(x)
    return math.fsum((value - m) ** 2 for value in x) / len(x)


def ucb1(x, t, K, T):
    return mean(x) + math.sqrt(2 * LN(t) / len(x))


def moss(x, t, K, T):
    return mean(x) + math.sqrt(max(0.0, LN(T / (K * len(x)))) / len(x))


def moss_anytime(x, t, K, T):
    return moss(x, t, K, t + 1)


def ocucb(x, t, K, T, alpha=2.1, psi=2.0):
    return mean(x) + math.sqrt(alpha / len(x) * LN(psi * T / (t + 1)))


def ocucb_n(x, t, K, T, eta=2.0, rho=1.0, counts=()):
    n = len(x)
    even = math.fsum(min(float(n), other**rho * n ** (1 - rho)) for other in counts)
    b = max(math.e, LN(t + 1), (t + 1) * LN(t + 1) / even)
    return mean(x) + math.sqrt(2 * eta * LN(b) / n)


def ucbv(x, t, K, T, zeta=1.2, c=1.0, b=1.0):
    level = zeta * LN(t + 1)
    return mean(x) + math.sqrt(2 * variance(x) * level / len(x)) + 3 * c * b * level / len(x)


def ucb_tuned(x, t, K, T):
    share = LN(t) / len(x)
    return mean(x) + math.sqrt(share * min(0.25, variance(x) + math.sqrt(2 * share)))


def entropy_like(u, v):
    """u ln(u / v) with 0 ln 0 = 0."""
    return u * LN(u / v) if u else 0.0


def kl_coin(p, q):
    if (q == 1 and p < 1) or (q == 0 and p > 0):
        return math.inf
    return entropy_like(p, q) + (entropy_like(1 - p, 1 - q) if p < 1 else 0.0)


def kl_poisson(p, q):
    return q - p + entropy_like(p, q) if q else 0.0


def kl_exponential(p, q):
    return p / q - 1 + LN(q / p)


def largest(kl, p, d, high):
    """Largest q in [p, high] with kl(p, q) <= d, by bisection to the last float."""
    low = p
    for _ in range(200):
        middle = (low + high) / 2
        if kl(p, middle) > d:
            high = middle
        else:
            low = middle
    return high


FAMILIES = {
    "bernoulli": (kl_coin, lambda p, d: 1.0),
    "gaussian": (lambda p, q: (p - q) ** 2 / 2, lambda p, d: p + 1 + 2 * d),
    "poisson": (kl_poisson, lambda p, d: p + 2 * d + 2 * math.sqrt(p * d)),
    "exponential": (kl_exponential, lambda p, d: p * math.exp(d + 2 * math.sqrt(d)) + 1e-300),
}


def klucb(x, t, K, T, family="bernoulli", c=0.0, plus=False):
    kl, high = FAMILIES[family]
    level = LN(t / len(x)) if plus else LN(t)
    if c:
        level = LN(max(t, 3)) + c * LN(LN(max(t, 3)))
    d = level / len(x)
    return largest(kl, mean(x), d, high(mean(x), d))


def klucb_anytime(x, t, K, T):
    d = LN(1 + (t + 1) * LN(t + 1) ** 2) / len(x)
    return largest(kl_coin, mean(x), d, 1.0)


def bayes_coin(x, t, K, T, c=0.0):
    tail = 1 / ((t + 1) * LN(T) ** c)
    return stats.beta.isf(tail, 1 + sum(x), 1 + len(x) - sum(x))


def bayes_normal(x, t, K, T):
    if len(x) == 1:
        return math.inf
    s = math.sqrt(math.fsum((value - mean(x)) ** 2 for value in x) / (len(x) - 1))
    return mean(x) + s / math.sqrt(len(x)) * stats.t.isf(1 / (t + 1), len(x) - 1)


class Oracle:
    """The policy of one of the formulas above, for hb.scalar; ``initial`` pulls an arm first."""

    def __init__(self, arms, horizon, rule, parameters=(), initial=1):
        self.initial = initial
        self.arms, self.horizon = arms, horizon
        self.rule, self.parameters = globals()[rule], dict(parameters)
        self.rewards = [[] for _ in range(arms)]

    def select(self, t):
        for arm, x in enumerate(self.rewards):
            if len(x) < self.initial:
                return arm
        if self.rule is ocucb_n:
            self.parameters["counts"] = [len(x) for x in self.rewards]
        index = [self.rule(x, t, self.arms, self.horizon, **self.parameters) for x in self.rewards]
        return max(range(self.arms), key=index.__getitem__)

    def update(self, t, arm, reward):
        self.rewards[arm].append(reward)


class EvidenceOracle:
    """DMED (a list of arms, remade when it is empty) and IMED (least index)."""

    def __init__(self, arms, rule, family="bernoulli"):
        self.arms, self.rule, self.kl = arms, rule, FAMILIES[family][0]
        self.rewards = [[] for _ in range(arms)]
        self.todo = list(range(arms))

    def select(self, t):
        if t < self.arms:
            return t
        means = [mean(x) for x in self.rewards]
        best = max(means)
        cost = [
            len(x) * self.kl(m, best) if m < best else 0.0
            for x, m in zip(self.rewards, means, strict=True)
        ]
        if self.rule == "IMED":
            index = [c + LN(len(x)) for c, x in zip(cost, self.rewards, strict=True)]
            return min(range(self.arms), key=index.__getitem__)
        if not self.todo:
            for arm, x in enumerate(self.rewards):
                level = LN(t / len(x)) if self.rule == "t/n" else LN(t)
                if cost[arm] < level or arm == means.index(best):
                    self.todo.append(arm)
        return self.todo[0]

    def update(self, t, arm, reward):
        self.rewards[arm].append(reward)
        if self.rule != "IMED":
            self.todo.remove(arm)


class ScalarGaussianThompson:
    """Thompson sampling with normal draws, all arms drawn at once."""

    def __init__(self, arms, rng, kind, sigma=1.0):
        self.arms, self.rng, self.kind, self.sigma = arms, rng, kind, sigma
        self.sums, self.counts = [0.0] * arms, [0] * arms

    def select(self, t):
        if self.kind != "shrunk" and t < self.arms:
            return t
        z = self.rng.standard_normal(self.arms)
        drawn = []
        for s, n, normal in zip(self.sums, self.counts, z, strict=True):
            if self.kind == "shrunk":
                drawn.append(s / (n + 1) + self.sigma / math.sqrt(n + 1) * normal)
            elif self.kind == "flat":
                drawn.append(s / n + self.sigma / math.sqrt(n) * normal)
            else:
                drawn.append(s / n + self.sigma / n * normal)
        return max(range(self.arms), key=drawn.__getitem__)

    def update(self, t, arm, reward):
        self.sums[arm] += reward
        self.counts[arm] += 1
