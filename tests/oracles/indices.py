"""Index policies in plain Python, one trial at a time, written from their papers' formulas.

Every arm is played once, then the largest index; the first of equals wins. Nothing here uses the
package: Kullback-Leibler indices are found by bisection and posterior quantiles by SciPy.
"""

import math

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


class Oracle:
    """The policy of one of the formulas above, for hb.scalar."""

    def __init__(self, arms, horizon, rule, parameters=()):
        self.arms, self.horizon = arms, horizon
        self.rule, self.parameters = globals()[rule], dict(parameters)
        self.rewards = [[] for _ in range(arms)]

    def select(self, t):
        for arm, x in enumerate(self.rewards):
            if not x:
                return arm
        index = [self.rule(x, t, self.arms, self.horizon, **self.parameters) for x in self.rewards]
        return max(range(self.arms), key=index.__getitem__)

    def update(self, t, arm, reward):
        self.rewards[arm].append(reward)
