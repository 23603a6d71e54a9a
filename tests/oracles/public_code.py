"""Clipped-SGD-UCB as the first paper's public code plays it: one trial, pull by pull.

Written from the definitions, without a line of the package. A trial is: every arm is pulled p
times and its iterate starts at the median of these rewards; then the arm with the largest
x + c sqrt(ln t / n) is pulled (2m + 1) n times, a gradient x - X is taken of every reward, the
smoothed median of the means of n gradients is clipped at R, and the iterate moves by 1/A times it,
A = ln(4 (T + 1) T^2). t counts all pulls so far, n all pulls of the arm.
"""

import math
import random


def cauchy(rng):
    return math.tan(math.pi * (rng.random() - 0.5))


def smoothed_median_of_means(values, m, n, theta, rng):
    means = sorted(
        sum(values[j * n : (j + 1) * n]) / n + theta * rng.gauss(0.0, 1.0) for j in range(2 * m + 1)
    )
    return means[m]


def final_regret(locations, horizon, m, n, c, level, rng, *, noise=cauchy, p=3, theta=1e-3):
    """Pseudo-regret of one trial."""
    arms = len(locations)
    best = max(locations)
    step = 1.0 / math.log(4 * (horizon + 1) * horizon**2)
    x, pulls, t, regret = [0.0] * arms, [0] * arms, 0, 0.0

    def pull(arm, times):
        nonlocal t, regret
        times = min(times, horizon - t)
        t += times
        pulls[arm] += times
        regret += times * (best - locations[arm])
        return [locations[arm] + noise(rng) for _ in range(times)]

    for arm in range(arms):
        x[arm] = sorted(pull(arm, p))[p // 2]
    size = (2 * m + 1) * n
    while t < horizon:
        log = math.log(t)
        index = [a + c * math.sqrt(log / k) for a, k in zip(x, pulls, strict=True)]
        arm = index.index(max(index))
        rewards = pull(arm, size)
        if len(rewards) < size:
            break
        gradient = smoothed_median_of_means([x[arm] - r for r in rewards], m, n, theta, rng)
        x[arm] -= step * max(-level, min(level, gradient))
    return regret


def trials(count, seed, *arguments, **options):
    """Final regret of independent trials."""
    return [final_regret(*arguments, random.Random(f"{seed}/{i}"), **options) for i in range(count)]
