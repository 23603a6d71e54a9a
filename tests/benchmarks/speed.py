"""Cost of a step of each policy, as ratios measured in one run; nothing is asserted on a clock.

The unit is the time of drawing the noise alone: one call of
``Generator(SFC64).standard_cauchy((512, trials))``, repeated. Run it with

    python tests/benchmarks/speed.py [horizon] [repeats]
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np

import hbucb as hb
from hbucb.estimators import Catoni, MedianOfMeans, TruncatedMean
from hbucb.replay import second_cost

POLICIES = {
    "UCB": hb.UCB(sigma=1.0),
    "UCB anytime": hb.UCB(sigma=1.0, kind="anytime"),
    "SGD-UCB": hb.ClippedSGDUCB(rho=0.9, preset="theory", sigma=1e-3),
    "SGD-UCB authors": hb.ClippedSGDUCB(rho=0.9),
    "SGD-UCB-Median authors": hb.ClippedSGDUCB(m=1, rho=0.9),
    "SGD-UCB-SMoM authors": hb.ClippedSGDUCB(m=1, n=2, rho=0.9),
    "order statistic": hb.OrderStatisticUCB(),
    "order statistic fixed": hb.OrderStatisticUCB("fixed"),
    "order statistic anytime": hb.OrderStatisticUCB("anytime"),
    "Robust UCB": hb.RobustUCB(MedianOfMeans()),
    "Robust UCB falling delta": hb.RobustUCB(MedianOfMeans(), power=2),
    "Robust UCB truncated": hb.RobustUCB(TruncatedMean()),
    "  its falling delta": hb.RobustUCB(TruncatedMean(), power=2),
    "Robust UCB authors": hb.RobustUCB(preset="authors"),
    "Robust UCB fair": hb.RobustUCB(preset="fair"),
}

CATONI = {
    "Robust UCB Catoni": hb.RobustUCB(Catoni(3.0)),
    "  with falling delta": hb.RobustUCB(Catoni(3.0), power=2),
}


#: Contextual policies, on the toy and on 4 contexts x 32 arms with d = 8.
LINEAR = {
    "LinUCB": hb.LinUCB(sigma=0.5),
    "LinTS": hb.LinTS(sigma=0.5),
    "CRT": hb.CRT(),
    "SOLID": hb.SOLID(sigma=0.5),
}


def draw_alone(trials: int, horizon: int) -> float:
    """Seconds to draw horizon x trials Cauchy numbers in blocks of 512 steps."""
    rng = np.random.Generator(np.random.SFC64(1))
    start = time.process_time()
    for _ in range(-(-horizon // 512)):
        rng.standard_cauchy((512, trials))
    return (time.process_time() - start) * horizon / (-(-horizon // 512) * 512)


def play(policy: object, bandit: hb.Bandit, trials: int, horizon: int) -> float:
    """Seconds of one run, noise drawn inside."""
    start = time.process_time()
    hb.simulate(bandit, {"it": policy}, horizon, trials, seed=1, chunk=trials)  # type: ignore[dict-item]
    return time.process_time() - start


def table(horizon: int = 10_000, repeats: int = 3) -> list[tuple[str, int, int, float, float]]:
    """(policy, K, trials, ratio to drawing, microseconds a step and trial), best of ``repeats``."""
    rows = []
    for arms in (10, 100):
        bandit = hb.Bandit(np.arange(arms) / 10, hb.noise.Cauchy())
        for trials in (100, 1000):
            unit = min(draw_alone(trials, horizon) for _ in range(repeats))
            for name, policy in POLICIES.items():
                spent = min(play(policy, bandit, trials, horizon) for _ in range(repeats))
                rows.append((name, arms, trials, spent / unit, 1e6 * spent / trials / horizon))
    # Catoni's root looks at the whole history of the arm: two arms, few rounds, 100 trials.
    two, few = hb.Bandit([0.0, 1.0], hb.noise.StudentT(3.0)), max(horizon // 10, 1)
    unit = min(draw_alone(100, few) for _ in range(repeats))
    for name, policy in CATONI.items():
        spent = play(policy, two, 100, few)
        rows.append((name, 2, 100, spent / unit, 1e6 * spent / 100 / few))
    coins = hb.BernoulliBandit(np.linspace(0.1, 0.9, 10))
    short = max(horizon // 10, 1)
    unit = min(draw_alone(100, short) for _ in range(repeats))
    spent = play(hb.ThompsonSampling(), coins, 100, short)
    rows.append(("Thompson sampling", 10, 100, spent / unit, 1e6 * spent / 100 / short))
    return rows


def linear_table(horizon: int = 1000, repeats: int = 3) -> list[tuple[str, int, float, float]]:
    """(policy, K, ratio to LinUCB, microseconds a step and trial) at 100 trials."""
    rows = []
    for bandit in (hb.linear.toy(), hb.linear.random_problem(32, 1)):
        unit = 0.0
        for name, policy in LINEAR.items():
            spent = min(play(policy, bandit, 100, horizon) for _ in range(repeats))
            unit = unit or spent
            rows.append((name, bandit.arms, spent / unit, 1e6 * spent / 100 / horizon))
    return rows


def import_seconds() -> float:
    """Seconds that ``import hbucb`` takes beyond ``import numpy``, in a fresh interpreter."""
    code = (
        "import numpy, time; start = time.process_time(); import hbucb; "
        "print(time.process_time() - start)"
    )
    return min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
        for _ in range(3)
    )


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    print(f"import hbucb: {import_seconds():.3f} s beyond NumPy")
    print(f"{'policy':<24}{'K':>4}{'trials':>8}{'x drawing':>11}{'us/step':>9}")
    for name, arms, trials, ratio, cost in table(*arguments):
        print(f"{name:<24}{arms:>4}{trials:>8}{ratio:>11.1f}{cost:>9.3f}")
    for setting, ratios in second_cost.measure().items():
        print(f"{setting:<24}{'x UCB1':>11}")
        for name, ratio in ratios.items():
            print(f"{name:<24}{ratio:>11.1f}")
    print(f"{'linear':<24}{'K':>4}{'x LinUCB':>11}{'us/step':>9}")
    for name, arms, ratio, cost in linear_table():
        print(f"{name:<24}{arms:>4}{ratio:>11.1f}{cost:>9.3f}")
