"""Long horizons: counters beyond 2^31, log-spaced records, state that does not grow with T."""

import math
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import hbucb as hb
from hbucb import by_count
from hbucb.estimators import TruncatedMean
from hbucb.jobs import trial_bytes
from hbucb.streams import Run
from tests import roster

BANDIT = hb.Bandit([0.0, 0.5], hb.noise.Cauchy())
COINS = hb.BernoulliBandit([0.3, 0.6])


@pytest.mark.parametrize("policy", [hb.UCB(kind="log"), hb.ClippedSGDUCB()])
def test_counts_go_on_beyond_two_to_the_31(policy):
    state = policy.start(Run(trials=3, arms=2, horizon=2**34))
    for t in range(10):
        state.update(t, state.select(t), np.zeros(3))
    start = 2**31 - 2
    state._count[:] = start
    for t in range(4 * start, 4 * start + 6):
        state.update(t, np.array([0, 1, 0]), np.zeros(3))
    assert state._count.dtype == np.int64
    first, other = [start + 6, start], [start, start + 6]
    assert state._count.reshape(3, 2).tolist() == [first, other, first]
    c = math.sqrt(2) if isinstance(policy, hb.UCB) else policy.c
    assert state._weights[0, 0] == c / math.sqrt(start + 6)


def test_pulls_and_regret_of_long_runs_are_whole_numbers_of_gaps():
    result = hb.simulate(BANDIT, hb.ClippedSGDUCB(), 60_000, 4, seed=1, rounds=[10, 1000, 60_000])
    pulls = result["ClippedSGDUCB"].pulls
    assert pulls.dtype == np.int64 and (pulls.sum(axis=1) == 60_000).all()
    assert np.array_equal(result["ClippedSGDUCB"].regret[:, -1], 0.5 * pulls[:, 0])


def test_records_are_log_spaced_by_default():
    rounds = hb.simulate(BANDIT, hb.UCB(), 100_000, 1, seed=1).rounds
    assert len(rounds) <= 100 and rounds[0] == 1 and rounds[-1] == 100_000
    ratios = rounds[1:] / rounds[:-1]
    assert ratios[rounds[1:] > 200].max() < 1.14  # 10^(5/99) = 1.123


def _constant():
    """Every policy of the roster that says that its memory does not grow with the horizon."""
    found = dict(CONSTANT)
    for name, policy in roster.policies().items():
        bandit = roster.bandit_for(policy)
        more = trial_bytes(policy, bandit, 10**7) - trial_bytes(policy, bandit, 10**6)
        # First pulls that grow like ln T are no growth here: less than a byte in 1000 rounds.
        if more < 9000:
            found[name] = policy
    return found


G = hb.optimizers.RestartedG(sigma=0.01)
CONSTANT = {
    "theory": hb.ClippedSGDUCB(m=1, preset="theory"),
    "decreasing": hb.ClippedSGDUCB(preset="decreasing"),
    "restarted": hb.FOUCB(G.method(1e-4), G, delta=1e-4),
    "truncated": hb.RobustUCB(TruncatedMean(0.5, 1.0)),
    "anytime MOSS": hb.MOSS("anytime"),
}


def _peak(call):
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_what_a_policy_makes_at_the_start_does_not_grow_with_the_horizon():
    policies = _constant()
    assert {"UCB", "UCB1", "MOSS", "OCUCB", "FOUCB", "ClippedSGDUCB", "SignSGDUCB"} < set(policies)
    for name, policy in policies.items():
        bandit = (CONSTANT.get(name) and BANDIT) or roster.bandit_for(policy)
        features = getattr(bandit, "features", None)

        def start(horizon, policy=policy, bandit=bandit, features=features):
            policy.start(Run(2, bandit.arms, horizon, features=features))

        start(1000)
        short, long = (_peak(lambda T=T: start(T)) for T in (300_000, 3_000_000))
        assert long - short < 20_000, f"{name}: {long - short} bytes more"


@pytest.mark.parametrize("name", ["UCB", "SGD", *CONSTANT])
def test_memory_of_a_run_does_not_grow_with_the_horizon(name, monkeypatch):
    policy = {"UCB": hb.UCB(), "SGD": hb.ClippedSGDUCB(), **CONSTANT}[name]
    bandit = COINS if "MOSS" in name else BANDIT
    monkeypatch.setattr(by_count, "LIMIT", 500)

    def run(horizon):
        hb.simulate(bandit, policy, horizon, 10, seed=1, chunk=10)

    run(600)
    short, long = (_peak(lambda T=T: run(T)) for T in (2_000, 20_000))
    assert long - short <= 20_000  # a table of 18 000 numbers would take 144 000
    assert trial_bytes(policy, bandit, 10**7) == trial_bytes(policy, bandit, 10**5)


LONG = """
import resource, signal, sys
import numpy as np, hbucb as hb

def stop(*_):
    raise TimeoutError

policy = {"UCB": hb.UCB(), "SGD-UCB": hb.ClippedSGDUCB()}[sys.argv[1]]
signal.signal(signal.SIGVTALRM, stop)
signal.setitimer(signal.ITIMER_VIRTUAL, 2.0)  # seconds of CPU
try:
    hb.simulate(hb.Bandit([0.0, 0.5], hb.noise.Cauchy()), policy, int(sys.argv[2]), 2, seed=1)
except TimeoutError:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize("name", ["UCB", "SGD-UCB"])
def test_a_fresh_process_takes_no_more_for_ten_million_rounds(name):
    """Stopped after two seconds: what a horizon costs in memory is made at the start."""
    root = str(Path(hb.__file__).parents[1])
    short, long = (
        int(
            subprocess.run(
                [sys.executable, "-c", LONG, name, str(horizon)],
                capture_output=True,
                text=True,
                check=True,
                env={**os.environ, "PYTHONPATH": root},
            ).stdout
        )
        for horizon in (10**5, 10**7)
    )
    unit = 1 if sys.platform == "darwin" else 1024
    # One table of length T would take 80 MB.
    assert (long - short) * unit < 8_000_000


def test_policies_that_keep_the_history_say_how_much_they_need():
    fair = hb.RobustUCB(preset="fair")
    assert trial_bytes(fair, BANDIT, 10**7) > 10 * 10**7
    with pytest.raises(ValueError, match=r"horizon = 1000000000: .* GB for one trial"):
        hb.simulate(BANDIT, fair, 10**9, 1, seed=0)
