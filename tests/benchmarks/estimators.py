"""Cost of a step of the streaming estimators; nothing is asserted on a clock.

First the price of a failure probability that falls with t: a step of an index policy (choice,
counts, estimate, index; the rewards are drawn before) at delta_t = t^-2 over one at a fixed delta,
and the same for the estimator alone. Then one Catoni estimate at n = 10 000. Run it with

    python tests/benchmarks/estimators.py [horizon]
"""

from __future__ import annotations

import sys
import time

import numpy as np

from hbucb import estimators as est
from hbucb.policies.index import FixedRadius, IndexState, RootRadius, Rule
from hbucb.streams import Run

LAWS = {
    "t(2.5)": lambda rng, shape: rng.standard_t(2.5, shape),
    "Cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "Pareto(1.6)": lambda rng, shape: rng.pareto(1.6, shape) + 1,
}


def seconds(estimator: object, rewards: np.ndarray, slots: np.ndarray, arms: int) -> float:
    """Processor time of a run of pushes, with the refresh of stale arms as a policy does it."""
    horizon, trials = rewards.shape
    state = estimator.stream(Run(trials, arms, horizon))  # type: ignore[attr-defined]
    row, count = np.arange(trials) * arms, np.zeros(trials * arms, np.int64)
    stale = state.stale if estimator.moving else None  # type: ignore[attr-defined]
    start = time.process_time()
    for t in range(horizon):
        flat = row + slots[t]
        count[flat] += 1
        state.push(flat, count[flat], rewards[t])
        if stale is not None:
            changed = stale()
            if changed.size:
                state.values(changed)
    return time.process_time() - start


def policy_seconds(estimator: object, rewards: np.ndarray, arms: int) -> float:
    """Processor time of the index policy that plays estimate + radius."""
    horizon, trials = rewards.shape
    if estimator.moving:  # type: ignore[attr-defined]
        radius: object = RootRadius(2.0)
    else:
        n = np.arange(horizon + 1)
        radius = FixedRadius(estimator.offline.radius(n, 1e-6))  # type: ignore[attr-defined]
    state = IndexState(Rule(estimator, radius), Run(trials, arms, horizon))  # type: ignore[arg-type]
    start = time.process_time()
    for t in range(horizon):
        state.update(t, state.select(t), rewards[t])
    return time.process_time() - start


def moving_cost(horizon: int, arms: int = 10) -> None:
    """Print microseconds a step and trial at a fixed and at a falling delta, and their ratio."""
    print(f"{'truncated mean':<16}{'law':<13}{'trials':>7}", end="")
    print(f"{'fixed us':>10}{'t^-2 us':>9}{'ratio':>7}")
    rng = np.random.default_rng(1)
    for trials in (100, 1000):
        slots = rng.integers(0, arms, (horizon, trials))
        for name, draw in LAWS.items():
            rewards = draw(rng, (horizon, trials))
            both = [
                est.TruncatedMean(0.5, 5.0).running(level)
                for level in (est.FixedLevel(1e-6), est.PowerLevel())
            ]
            for what, spent in (
                ("policy step", [policy_seconds(each, rewards, arms) for each in both]),
                ("estimator alone", [seconds(each, rewards, slots, arms) for each in both]),
            ):
                fixed, moving = (value / horizon / trials * 1e6 for value in spent)
                print(
                    f"{what:<16}{name:<13}{trials:>7}{fixed:>10.3f}{moving:>9.3f}"
                    f"{moving / fixed:>7.1f}"
                )


def catoni_cost(n: int = 10_000, steps: int = 200, repeats: int = 5) -> None:
    """Print microseconds an estimate at n samples of one arm, the median over the last steps.

    The least of some repeats: other work on the machine only ever adds to it.
    """
    print(f"{'Catoni, n = ' + str(n):<22}{'trials':>7}{'us an estimate':>16}")
    rng = np.random.default_rng(2)
    for trials in (1, 4, 16):
        rows, medians = np.arange(trials), []
        for _ in range(repeats):
            rewards = rng.standard_t(2.5, (n, trials))
            state = est.Catoni(5.0).running(est.FixedLevel(1e-8)).stream(Run(trials, 1, n))
            times = []
            for t in range(n):
                start = time.process_time()
                state.push(rows.copy(), np.full(trials, t + 1), rewards[t])
                times.append(time.process_time() - start)
            medians.append(np.median(times[-steps:]))
        print(f"{'':<22}{trials:>7}{min(medians) / trials * 1e6:>16.0f}")


def others(n: int = 2000, steps: int = 50) -> None:
    """Print microseconds an estimate of the estimators that compute again, at n samples."""
    print(f"{'computed again, n = ' + str(n):<28}{'us an estimate':>16}")
    rewards = np.random.default_rng(3).standard_t(2.5, n)
    for estimator in (est.TrimmedMean(), est.Huber(), est.PRobustMean(), est.HodgesLehmann()):
        start = time.process_time()
        for _ in range(steps):
            estimator.estimate(rewards, 1e-6)  # type: ignore[attr-defined]
        spent = (time.process_time() - start) / steps * 1e6
        print(f"{type(estimator).__name__:<28}{spent:>16.0f}")


if __name__ == "__main__":
    moving_cost(*(int(argument) for argument in sys.argv[1:2] or ["10000"]))
    catoni_cost()
    others()
