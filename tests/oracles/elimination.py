"""Scalar twins of the round-elimination policies, in plain Python from their definitions."""

import math


class SlowElimination:
    """What all of them share: rewards of each arm and the set of survivors."""

    def __init__(self, arms, horizon):
        self.arms, self.horizon = arms, horizon
        self.n, self.s, self.q = [0] * arms, [0.0] * arms, [0.0] * arms
        self.alive = list(range(arms))

    def mean(self, i):
        return self.s[i] / self.n[i]

    def learn(self, arm, reward):
        self.n[arm] += 1
        self.s[arm] += reward
        self.q[arm] += reward * reward


class SlowUCBImproved(SlowElimination):
    """Auer and Ortner (2010), one pull at a time from a queue of the pulls that a round wants."""

    def __init__(self, arms, horizon, sampling="round-robin"):
        super().__init__(arms, horizon)
        self.sampling, self.m, self.queue = sampling, 0, []
        self.last = math.floor(0.5 * math.log2(horizon / math.e))
        self.fill()

    def wanted(self):
        return math.ceil(2 * math.log(self.horizon * 4.0**-self.m) * 4**self.m)

    def fill(self):
        missing = {i: self.wanted() - self.n[i] for i in self.alive}
        if self.sampling == "arm-by-arm":
            self.queue = [i for i in self.alive for _ in range(missing[i])]
        else:
            most = max(missing.values())
            self.queue = [
                i for left in range(most, 0, -1) for i in self.alive if missing[i] >= left
            ]

    def select(self, t):
        return self.queue[0] if self.queue else self.alive[0]

    def update(self, t, arm, reward):
        self.learn(arm, reward)
        if not self.queue:
            return
        self.queue.pop(0)
        if self.queue:
            return
        w = math.sqrt(math.log(self.horizon * 4.0**-self.m) / (2 * self.wanted()))
        best = max(self.mean(i) - w for i in self.alive)
        self.alive = [i for i in self.alive if self.mean(i) + w >= best]
        self.m += 1
        if self.m > self.last:
            self.alive = [max(self.alive, key=self.mean)]
        if len(self.alive) > 1:
            self.fill()


class SlowMedianElimination(SlowElimination):
    """Even-Dar et al. (2006), with the median taken as the middle of the survivors' order."""

    def __init__(self, arms, eps, delta, sampling="round-robin"):
        super().__init__(arms, 0)
        self.sampling = sampling
        self.eps, self.delta = eps / 4, delta / 2
        self.queue = []
        self.fill()

    def fill(self):
        n = math.ceil(4 / self.eps**2 * math.log(3 / self.delta))
        if self.sampling == "arm-by-arm":
            self.queue = [i for i in self.alive for _ in range(n)]
        else:
            self.queue = self.alive * n
        self.queue.reverse()

    def select(self, t):
        return self.queue[-1] if len(self.alive) > 1 else self.alive[0]

    def update(self, t, arm, reward):
        if len(self.alive) == 1:
            return
        self.learn(arm, reward)
        self.queue.pop()
        if self.queue:
            return
        keep = (len(self.alive) + 1) // 2
        self.alive = sorted(sorted(self.alive, key=lambda i: -self.mean(i))[:keep])
        self.n, self.s = [0] * self.arms, [0.0] * self.arms
        self.eps, self.delta = self.eps * 3 / 4, self.delta / 2
        if len(self.alive) > 1:
            self.fill()


class SlowCCB(SlowElimination):
    """UCB-Improved's rounds with an index for the pulls."""

    def __init__(self, arms, horizon):
        super().__init__(arms, horizon)
        self.m, self.last = 0, math.floor(0.5 * math.log2(horizon / math.e))
        self.end = arms * self.granted()

    def log(self):
        return math.log(self.horizon) - self.m * math.log(4)

    def granted(self):
        return math.ceil(2 * self.log() * 4**self.m)

    def index(self, i):
        factor = self.log() * math.sqrt(self.horizon) / (2 * self.granted())
        return self.mean(i) + math.sqrt(factor / self.n[i])

    def ends(self, i):
        w = math.sqrt(self.log() / (2 * self.granted()))
        return self.mean(i) - w, self.mean(i) + w

    def reference(self):
        return max(self.ends(i)[0] for i in self.alive)

    def select(self, t):
        return t if t < self.arms else max(self.alive, key=self.index)

    def update(self, t, arm, reward):
        self.learn(arm, reward)
        if t < self.arms:
            return
        low = self.reference()
        self.alive = [i for i in self.alive if self.ends(i)[1] >= low]
        if t + 1 >= self.end and self.m <= self.last:
            self.m += 1
            self.end = t + 1 + len(self.alive) * self.granted()


class SlowEUCBV(SlowCCB):
    """Mukherjee et al. (2018), Algorithm 1; each argument as the text or the scripts have it."""

    def __init__(self, arms, horizon, radius, elimination, start_up, rho=0.5, psi=None):
        self.forms, self.rho = (radius, elimination), rho
        self.psi = horizon / arms**2 if psi is None else psi
        super().__init__(arms, horizon)
        if start_up == "released":
            self.end += arms

    def granted(self):
        eps = 0.5**self.m
        return max(1, math.ceil(math.log(self.psi * self.horizon * eps * eps) / (2 * eps)))

    def c(self, i):
        size = self.horizon if self.forms[0] == "printed" else self.last
        log = max(0.0, math.log(self.psi) + math.log(size) - self.m * math.log(2))
        v = max(0.0, self.q[i] / self.n[i] - self.mean(i) * self.mean(i))
        return math.sqrt(self.rho * log / 4 * (v + 2) / self.n[i])

    def index(self, i):
        return self.mean(i) + self.c(i)

    def ends(self, i):
        return self.mean(i) - self.c(i), self.mean(i) + self.c(i)

    def reference(self):
        if self.forms[1] == "printed":
            return super().reference()
        held = -9999999
        for i in self.alive:
            if held < self.mean(i):
                held = chosen = i
        return self.ends(chosen)[0]
