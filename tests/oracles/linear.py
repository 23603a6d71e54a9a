"""SOLID, OAM, OSSB and SPL for one trial, round by round: what the batches must play."""

import math

import numpy as np


class Plain:
    """History, estimates from scratch, and the test that the algorithms share."""

    def __init__(self, features, policy, horizon):
        self.phi, self.p = np.asarray(features), policy
        self.X, self.A, self.d = self.phi.shape
        self.loglog = self.d * math.log(math.log(horizon))
        self.history = []
        self.counts = np.zeros((self.X, self.A))

    def fit(self):
        V, U = self.p.regulariser * np.eye(self.d), np.zeros(self.d)
        for x, a, y in self.history:
            V += np.outer(self.phi[x, a], self.phi[x, a])
            U += self.phi[x, a] * y
        return V, np.linalg.solve(V, U)

    def mean(self, theta, x, a):
        return float(self.phi[x, a] @ theta)

    def best(self, theta, x):
        return max(range(self.A), key=lambda a: (self.mean(theta, x, a), -a))

    def closest(self, theta, V, contexts):
        """Least squared distance of a model with another best arm, and the model."""
        least, model = math.inf, theta
        for x in contexts:
            top = self.best(theta, x)
            for a in range(self.A):
                delta = self.phi[x, top] - self.phi[x, a]
                if not delta.any():
                    continue
                step = np.linalg.solve(V, delta)
                norm, gap = float(delta @ step), float(delta @ theta)
                if gap**2 / norm < least:
                    least, model = gap**2 / norm, theta - step * gap / norm
        return least, model

    def level(self, t):
        return self.p.threshold * max(math.log(max(t, 1)) + self.loglog, 0.0)

    def learn(self, x, a, y):
        self.history.append((x, a, y))
        self.counts[x, a] += 1


class PlainSOLID(Plain):
    def __init__(self, features, policy, horizon):
        super().__init__(features, policy, horizon)
        self.K = self.S = self.s = 0
        self.horizon = horizon
        self.reset()

    def width(self, V, log):
        p = self.p
        if p.width == "experiment":
            return p.sigma**2 * max(log + self.loglog, 0.0)
        log_det = math.log(np.linalg.det(V / p.regulariser))
        radius = p.sigma * math.sqrt(2 * math.log(self.horizon) + log_det)
        return (radius + math.sqrt(p.regulariser) * p.bound) ** 2

    def reset(self):
        self.omega = [[1 / self.A] * self.A for _ in range(self.X)]
        self.lam = self.p.lambda_start

    def select(self, t, x, u):
        V, theta = self.fit()
        contexts = [x] if self.p.test == "current" else range(self.X)
        beta = self.p.threshold * self.width(V, math.log(max(t, 1)))
        self.explores = self.closest(theta, V, contexts)[0] <= beta
        if not self.explores:
            return self.best(theta, x)
        total, arm = 0.0, 0
        for a in range(self.A):
            total += self.omega[x][a]
            if u <= total:
                arm = a
                break
        self.S, self.s = self.S + 1, self.s + 1
        self.move(V, theta, contexts, t)
        return arm

    def move(self, V, theta, contexts, t):
        p, sigma2 = self.p, self.p.sigma**2
        seen = [sum(1 for h in self.history if h[0] == x) for x in range(self.X)]
        rho = [n / len(self.history) if self.history else 1 / self.X for n in seen]
        root = math.sqrt(p.optimism * self.width(V, math.log(self.S)))
        information = 1e-8 * np.eye(self.d)
        for x in range(self.X):
            for a in range(self.A):
                f = self.phi[x, a]
                information += rho[x] * self.omega[x][a] * np.outer(f, f)
        model = self.closest(theta, information, contexts)[1]
        shift = theta - model
        if p.bound is not None and np.linalg.norm(shift) > 2 * p.bound:
            shift = shift * 2 * p.bound / np.linalg.norm(shift)
        z = p.z0 * math.e**self.K
        schedule = 1 / math.sqrt(z * math.exp(p.growth * self.K))
        step = schedule if p.policy_step == "schedule" else p.policy_step
        step_lam = schedule if p.multiplier_step == "schedule" else p.multiplier_step
        g, fresh = -1 / z, []
        for x in range(self.X):
            row = []
            for a in range(self.A):
                f = self.phi[x, a]
                b = root * math.sqrt(f @ np.linalg.solve(V, f))
                kl = float(f @ shift) ** 2 / (2 * sigma2) + p.kl_bonus * b
                g += rho[x] * self.omega[x][a] * kl
                q = float(f @ theta) + b + self.lam * kl
                row.append(q * rho[x] if p.scale_by_rho else q)
            top = max(row)
            row = [self.omega[x][a] * math.exp(step * (row[a] - top)) for a in range(self.A)]
            fresh.append([w / sum(row) for w in row])
        self.omega = fresh
        self.lam = min(max(self.lam - step_lam * g, 0.0), p.lambda_max)
        if self.s >= math.ceil(z * math.exp(p.growth * self.K)):
            self.K, self.s = self.K + 1, 0
            if p.reset:
                self.reset()


class PlainOAM(Plain):
    def __init__(self, features, policy, horizon, solve):
        super().__init__(features, policy, horizon)
        self.solve, self.s, self.due = solve, 0, 0
        self.eta = np.full((self.X, self.A), math.inf)

    def rank(self, pairs):
        return np.linalg.matrix_rank([self.phi[x, a] for x, a in pairs]) if pairs else 0

    def select(self, t, x, u):
        V, theta = self.fit()
        f = self.level(t)
        played = [(h[0], h[1]) for h in self.history]
        have = self.rank(played)
        new = [a for a in range(self.A) if self.rank([*played, (x, a)]) > have]
        if new:  # the one with the longest part outside the span
            span = np.array([self.phi[pair] for pair in played]).reshape(-1, self.d)

            def outside(a):
                q = np.linalg.qr(span.T)[0] if len(span) else np.zeros((self.d, 1))
                rest = self.phi[x, a] - q @ (q.T @ self.phi[x, a])
                return float(rest @ rest)

            self.kind = 0
            return max(new, key=outside)
        contexts = [x] if self.p.test == "current" else range(self.X)
        if self.closest(theta, V, contexts)[0] > self.p.sigma**2 * f:
            self.kind = 1
            return self.best(theta, x)
        arm, self.kind = self.explore(t, x, V, theta, f)
        return arm

    def explore(self, t, x, V, theta, f):
        self.s += 1
        if self.due <= t and (found := self.solve(theta)) is not None:
            self.eta, self.due = found, t + self.p.every
        gaps = [
            self.mean(theta, c, self.best(theta, c)) - self.mean(theta, c, a)
            for c in range(self.X) for a in range(self.A)
        ]  # fmt: skip
        cap = self.p.sigma**2 * f / min((g for g in gaps if g > 0), default=math.inf) ** 2
        target = [min(self.eta[x][a] * f / 2, cap) for a in range(self.A)]
        target[self.best(theta, x)] = cap
        N = self.counts[x]
        if all(N[a] >= target[a] for a in range(self.A)):

            def index(a):
                phi = self.phi[x, a]
                spread = math.sqrt(phi @ np.linalg.solve(V, phi))
                return float(phi @ theta) + self.p.sigma * math.sqrt(f) * spread

            return max(range(self.A), key=index), 2
        if min(N) <= self.p.epsilon * self.s:
            return int(np.argmin(N)), 3
        return min((N[a] / target[a], a) for a in range(self.A) if target[a] > 0)[1], 4


class PlainOSSB(Plain):
    def __init__(self, features, policy, horizon, solve):
        super().__init__(features, policy, horizon)
        self.solve, self.s, self.due, self.solved_for = solve, 0, 0, None

    def select(self, t, x, u):
        if t < self.A:
            return t
        _, theta = self.fit()
        best, N = self.best(theta, 0), self.counts[0]
        if self.due <= t or best != self.solved_for:
            found = self.solve(theta)
            if found is not None:
                self.c, self.due = found[0], t + self.p.every
        self.solved_for = best
        others = [a for a in range(self.A) if a != best]
        if all(N[a] >= self.c[a] * (1 + self.p.gamma) * math.log(t) for a in others):
            return best
        self.s += 1
        if min(N) <= self.p.epsilon * self.s:
            return int(np.argmin(N))
        return min((N[a] / self.c[a], a) for a in others if self.c[a] > 0)[1]


class PlainSPL(Plain):
    def __init__(self, features, policy, horizon):
        super().__init__(features, policy, horizon)
        self.gains = {a: [] for a in range(self.A)}
        self.owed = np.zeros(self.A)

    def weights(self, learner):
        """AdaHedge from the whole list of its gains."""
        G, D = [0.0] * self.A, 0.0
        for g in [*self.gains[learner], None]:
            top = max(G)
            if D > 0:
                rate = math.log(self.A) / D
                w = [math.exp(rate * (x - top)) for x in G]
            else:
                w = [1.0 if x == top else 0.0 for x in G]
            w = [x / sum(w) for x in w]
            if g is None:
                return w
            earned = sum(a * b for a, b in zip(w, g, strict=True))
            new = [a + b for a, b in zip(G, g, strict=True)]
            if D > 0:
                mixed = math.log(sum(a * math.exp(rate * b) for a, b in zip(w, g, strict=True)))
                D += max(mixed / rate - earned, 0.0)
            else:
                D += max(max(new) - top - earned, 0.0)
            G = new

    def select(self, t, x, u):
        if t < self.A:
            return t
        V, theta = self.fit()
        best, sigma2 = self.best(theta, 0), self.p.sigma**2
        if self.closest(theta, V, [0])[0] > sigma2 * self.level(t):
            return best
        means = [self.mean(theta, 0, a) for a in range(self.A)]
        gap = [max(means[best] - m, self.p.least_gap) for m in means]
        pulls = [w / g for w, g in zip(self.weights(best), gap, strict=True)]
        pulls = [p / sum(pulls) for p in pulls]
        information = 1e-8 * np.eye(self.d)
        for a in range(self.A):
            information += pulls[a] * np.outer(self.phi[0, a], self.phi[0, a])
        model = self.closest(theta, information, [0])[1]
        gain = []
        for a in range(self.A):
            width = self.p.optimism * self.p.sigma * math.sqrt(2 * math.log(t) / self.counts[0, a])
            away = abs(means[a] - self.mean(model, 0, a)) + width
            gain.append(away**2 / (2 * sigma2) / gap[a])
        self.gains[best].append(gain)
        self.owed += pulls
        return int(np.argmax(self.owed - self.counts[0]))
