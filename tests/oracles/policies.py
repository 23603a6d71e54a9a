"""Scalar twins of policies that are not indices, in plain Python from their definitions."""

import numpy as np


class ScalarThompson:
    """Thompson sampling with Beta(a, b) priors; draws all arms at once, as the batch does."""

    def __init__(self, arms, rng, a=1.0, b=1.0):
        self.rng = rng
        self.ones, self.zeros = [a] * arms, [b] * arms

    def select(self, t):
        drawn = [self.rng.beta(a, b) for a, b in zip(self.ones, self.zeros, strict=True)]
        return max(range(len(drawn)), key=drawn.__getitem__)

    def update(self, t, arm, reward):
        if reward == 1.0:
            self.ones[arm] += 1
        else:
            self.zeros[arm] += 1


class SlowClippedSGDUCB:
    """SGD-UCB-Median as the first paper's public code plays it, one trial, one pull at a time."""

    def __init__(self, arms, horizon, rng, clip, c=0.1):
        self.arms, self.c, self.clip, self.rng = arms, c, clip, rng
        self.gamma = 1 / np.log(4 * (horizon + 1) * horizon**2)
        self.queue = [arm for arm in range(arms) for _ in range(3)]
        self.batch, self.x, self.n = [], [None] * arms, [0] * arms
        self.t = 0

    def select(self, t):
        if not self.queue:
            bonus = [self.c * np.sqrt(np.log(self.t) / n) for n in self.n]
            best = int(np.argmax([x + b for x, b in zip(self.x, bonus, strict=True)]))
            self.queue = [best] * 3
        return self.queue[0]

    def update(self, t, arm, reward):
        self.queue.pop(0)
        self.t += 1
        self.batch.append(reward)
        if len(self.batch) < 3:
            return
        if self.x[arm] is None:
            self.x[arm] = float(np.median(self.batch))
        else:
            gradients = [self.x[arm] - r + 1e-3 * self.rng.standard_normal() for r in self.batch]
            gradient = float(np.median(gradients))
            if abs(gradient) > self.clip:
                gradient *= self.clip / abs(gradient)
            self.x[arm] -= self.gamma * gradient
        self.n[arm] += 3
        self.batch = []
