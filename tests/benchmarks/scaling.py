"""How long runs take: by trials, arms, policies, workers, checkpoints, horizon; other libraries.

    python tests/benchmarks/scaling.py [SECTION ...]

runs the sections named (all by default; about 15 minutes on two idle cores) and writes what it
measured into book/_static/scaling.json, which chapter P2 shows. Nothing is asserted on a clock.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
import hbucb as hb  # noqa: E402
from tests import roster  # noqa: E402
from tests.benchmarks.speed import draw_alone  # noqa: E402

FILE = ROOT / "book" / "_static" / "scaling.json"
CAUCHY = hb.noise.Cauchy()


def bandit(arms: int) -> hb.Bandit:
    return hb.Bandit(np.arange(arms) / arms, CAUCHY)


def seconds(policy: Any, on: hb.Bandit, horizon: int, trials: int, repeats: int = 3) -> float:
    """CPU seconds of one run, all trials in one chunk; best of ``repeats``."""
    spent = []
    for _ in range(repeats):
        start = time.process_time()
        hb.simulate(on, {"it": policy}, horizon, trials, seed=1, chunk=trials)
        spent.append(time.process_time() - start)
    return min(spent)


def batch() -> list[dict[str, Any]]:
    """Microseconds of CPU a (trial, step) against trials and K."""
    rows = []
    for name, policy in (("UCB", hb.UCB()), ("SGD-UCB", hb.ClippedSGDUCB())):
        for arms in (10, 100):
            for trials in (1, 10, 100, 1000):
                horizon = 2000 if trials == 1000 else 5000
                cost = seconds(policy, bandit(arms), horizon, trials) / trials / horizon
                rows.append({"policy": name, "K": arms, "trials": trials, "us": 1e6 * cost})
    return rows


def policies() -> list[dict[str, Any]]:
    """Each public policy's cost a step, as a ratio to drawing Cauchy noise; K = 3."""
    rows = []
    for name, policy in roster.policies().items():
        on = roster.bandit_for(policy)
        row: dict[str, Any] = {"policy": name}
        for trials, horizon in ((100, 1000), (1000, 500)):
            unit = min(draw_alone(trials, horizon) for _ in range(5))
            row[str(trials)] = seconds(policy, on, horizon, trials) / unit
        rows.append(row)
    return rows


def _job(executor: Any = None, checkpoint: str | None = None) -> hb.Result:
    pair = {"UCB": hb.UCB(), "SGD-UCB": hb.ClippedSGDUCB()}
    return hb.simulate(
        bandit(10), pair, 25_000, 8000, seed=1, chunk=1000, executor=executor, checkpoint=checkpoint
    )


def workers() -> dict[str, float]:
    """One job on one process and on two: wall seconds, and CPU seconds of the workers."""
    start = time.perf_counter()
    one = _job()
    serial = time.perf_counter() - start
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        two = _job(pool)
        wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    same = all(one[name].regret.tobytes() == two[name].regret.tobytes() for name in one)
    if not same:
        raise SystemExit("two workers gave other numbers than one")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"serial": serial, "two": wall, "speed_up": serial / wall, "cpu_per_worker": cpu / 2}


def checkpoints() -> dict[str, float]:
    """What keeping finished chunks costs: CPU seconds without and with, best of 3, in turns."""
    plain, kept = [], []
    for _ in range(3):
        start = time.process_time()
        _job()
        plain.append(time.process_time() - start)
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            _job(checkpoint=os.path.join(folder, "c"))
            kept.append(time.process_time() - start)
    return {"plain": min(plain), "kept": min(kept), "overhead": min(kept) / min(plain) - 1}


def recording() -> dict[str, float]:
    """CPU seconds of UCB, 400 trials of 2000 rounds, by the number of rounds recorded."""
    found = {}
    for count in (1, 100, 2000):
        rounds = np.linspace(2000 / count, 2000, count).astype(int)
        spent = []
        for _ in range(5):
            start = time.process_time()
            hb.simulate(bandit(2), hb.UCB(), 2000, 400, seed=1, rounds=rounds)
            spent.append(time.process_time() - start)
        found[str(count)] = min(spent)
    return found


def _child(code: str) -> dict[str, float]:
    """Wall and CPU seconds and peak memory in MB of a fresh process."""
    start = time.perf_counter()
    tail = (
        "\nimport resource\nused = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    run = subprocess.run(
        [sys.executable, "-c", "import numpy as np, hbucb as hb\n" + code + tail],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    cpu, most = (float(word) for word in run.stdout.split()[-2:])
    return {"seconds": time.perf_counter() - start, "cpu": cpu, "MB": most}


def wide() -> dict[str, float]:
    """100 000 trials, K = 100, T = 10 000."""
    return _child(
        "bandit = hb.Bandit(np.arange(100) / 100, hb.noise.Cauchy())\n"
        "hb.simulate(bandit, hb.UCB(), 10_000, 100_000, seed=1)"
    )


def long() -> dict[str, dict[str, float]]:
    """T = 10^7, 10 trials, two policies whose state does not grow; shorter runs beside it."""
    return {
        str(horizon): _child(
            "bandit = hb.Bandit(np.arange(10) / 10, hb.noise.Cauchy())\n"
            "pair = {'UCB': hb.UCB(), 'SGD-UCB': hb.ClippedSGDUCB()}\n"
            f"hb.simulate(bandit, pair, {horizon}, 10, seed=1)"
        )
        for horizon in (10**5, 10**6, 10**7)
    }


def _river(coins: hb.Bandit) -> float:
    from river import bandit as river

    rng = np.random.default_rng(1)
    start = time.process_time()
    policy = river.UCB(delta=1.0, seed=1)
    for _ in range(1000):
        arm = policy.pull(range(10))
        policy.update(arm, float(rng.random() < coins.loc[arm]))
    return 1e6 * (time.process_time() - start) / 1000


def _pymab(coins: hb.Bandit) -> float:
    import pymab

    environment = pymab.BanditEnvironment(means=coins.loc, reward_model=pymab.BernoulliReward())
    config = pymab.ExperimentConfig(
        horizon=1000, n_replicates=100, seed=1, reward_coupling="independent"
    )
    plan = pymab.Experiment(
        environment=environment,
        policies={"it": pymab.policies.UCBPolicy(n_arms=10, c=2.0)},
        config=config,
    )
    start = time.process_time()
    plan.run()
    return 1e6 * (time.process_time() - start) / 1e5


def others() -> dict[str, Any]:
    """UCB1 on ten Bernoulli arms, 1000 rounds: microseconds a (trial, step), libraries if here."""
    coins = hb.BernoulliBandit(np.linspace(0.1, 0.9, 10))
    made: dict[str, Any] = {
        "hbucb, 1 trial": 1e6 * seconds(hb.UCB1(), coins, 1000, 1) / 1e3,
        "hbucb, 100 trials": 1e6 * seconds(hb.UCB1(), coins, 1000, 100) / 1e5,
        "hbucb, 1000 trials": 1e6 * seconds(hb.UCB1(), coins, 1000, 1000) / 1e6,
    }
    for name, call in (("river, 1 trial", _river), ("PyMAB, 100 trials", _pymab)):
        try:
            made[name] = min(call(coins) for _ in range(3))
        except ImportError:
            print(f"{name}: skipped, not installed")
            made[name] = None
    return made


SECTIONS = {
    "batch": batch,
    "policies": policies,
    "workers": workers,
    "checkpoints": checkpoints,
    "recording": recording,
    "wide": wide,
    "long": long,
    "others": others,
}


def main(names: list[str]) -> None:
    unknown = set(names) - set(SECTIONS)
    if unknown:
        raise SystemExit(f"no section {sorted(unknown)}; there are {', '.join(SECTIONS)}")
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    found["machine"] = {
        "cores": os.cpu_count(),
        "system": platform.system(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    for name in names or SECTIONS:
        start = time.perf_counter()
        found[name] = SECTIONS[name]()
        print(f"{name}: {time.perf_counter() - start:.0f} s", json.dumps(found[name])[:300])
        FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
