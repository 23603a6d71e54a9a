"""A function of counts: the table and what lies beyond agree bit for bit, alone or in company."""

import numpy as np
import pytest

import hbucb as hb
from hbucb import by_count
from hbucb.estimators import Catoni, MedianOfMeans, TruncatedMean
from hbucb.optimizers import Distance, RestartedG, SubGaussianG, SubGaussianUniformG
from hbucb.optimizers.clipped_sgd import DecreasingSchedule, TheorySchedule
from hbucb.policies.moss import MOSS
from hbucb.streams import Run

BANDIT = hb.Bandit([0.0, 0.5], hb.noise.StudentT(2.5))
COINS = hb.BernoulliBandit([0.3, 0.6])
INTERVAL = (-0.5, 0.75)
RESTARTED = RestartedG(sigma=0.01)
POLICIES = {
    "UCB": hb.UCB(0.7),
    "anytime": hb.UCB(kind="anytime"),
    "MOSS": MOSS(),
    "OCUCB": hb.OCUCB(),
    "FO": hb.FOUCB(g=SubGaussianUniformG()),
    "ZO": hb.ZOUCB(g=Distance(SubGaussianG())),
    "restarted": hb.FOUCB(RESTARTED.method(1e-4), RESTARTED, delta=1e-4),
    "sign": hb.SignSGDUCB(interval=INTERVAL),
    "sign, first pulls": hb.SignSGDUCB(pulls=9),
    "sign, uniform": hb.SignSGDUCB(interval=INTERVAL, kind="uniform"),
    "sign, anytime": hb.SignSGDUCB(interval=INTERVAL, kind="anytime"),
    "clip": hb.ClipSGDUCB(interval=INTERVAL),
    "SGD": hb.ClippedSGDUCB(),
    "SMoM": hb.ClippedSGDUCB(m=1, n=2),
    "theory": hb.ClippedSGDUCB(m=1, preset="theory", p=2),
    "decreasing": hb.ClippedSGDUCB(preset="decreasing"),
    "truncated": hb.RobustUCB(TruncatedMean(0.5, 1.0)),
    "median of means": hb.RobustUCB(MedianOfMeans(0.3, 1.0), delta=0.2),
    "falling level": hb.RobustUCB(TruncatedMean(0.5, 1.0), power=2),
    "authors": hb.RobustUCB(preset="authors"),
    "fair": hb.RobustUCB(preset="fair"),
    "Catoni": hb.RobustUCB(Catoni(1.0), delta=0.2),
    "order statistic": hb.OrderStatisticUCB(),
    "self-localising": hb.ASGNUCB(),
    "median": hb.MedianUCB(law=hb.noise.StudentT(2.5)),
}


def _functions():
    """The functions of counts that policies look up."""
    found = {
        "schedule": lambda n: TheorySchedule(10**6, 1e-9, 1.0).at(n)[1],
        "decreasing": lambda n: DecreasingSchedule(0.7, 2.0).at(n)[0],
        "restarted": lambda n: RESTARTED.method(1e-4)._steps(n - 1),
        "MOSS": _looked_up(MOSS(), "_weight"),
    }
    for name, policy in POLICIES.items():
        if hasattr(policy, "rule") and name != "median":  # which keeps a table of a quadrature
            found[name + ", radius"] = policy.rule(10**6).radius.weight
    return found


def _looked_up(policy, name):
    return getattr(policy.start(Run(1, 3, 10**6)), name)._of


@pytest.mark.parametrize("name", _functions())
def test_a_value_does_not_depend_on_the_other_counts(name):
    of = _functions()[name]
    rng = np.random.default_rng(3)
    top = 2 * by_count.LIMIT
    table = by_count._table(of, top)
    # Lengths around the widths of vector instructions, whose remainders take other code.
    for length in (*range(1, 40), 63, 64, 65, 1000):
        n = rng.integers(1, top + 1, length)
        assert of(n).tobytes() == table[n].tobytes()
    counts = np.arange(1, top + 1)
    for start in (1, 2, 3, 5, 8):
        assert of(counts[start:]).tobytes() == table[start + 1 :].tobytes()


@pytest.mark.parametrize("name", POLICIES)
def test_a_run_is_the_same_wherever_the_table_ends(name, monkeypatch):
    policy = POLICIES[name]
    bandit = COINS if name in ("MOSS", "OCUCB") else BANDIT

    def run():
        result = hb.simulate(bandit, {"it": policy}, 400, 13, seed=5, chunk=13, actions=True)
        return result["it"].actions.tobytes()

    whole = run()
    for limit in (1, 2, 3, 17, 399):
        monkeypatch.setattr(by_count, "LIMIT", limit)
        assert run() == whole


def test_the_table_ends_where_it_says():
    calls = []

    def of(n):
        calls.append(n.copy())
        return n * 2.0

    made = by_count.by_count(of, by_count.LIMIT)
    assert isinstance(made, np.ndarray) and made.shape == (by_count.LIMIT + 1,)
    made = by_count.by_count(of, by_count.LIMIT + 1)
    assert len(calls) == 2 and calls[1].max() == by_count.LIMIT
    low = np.array([1, by_count.LIMIT])
    assert made[low].tolist() == [2.0, 2.0 * by_count.LIMIT] and len(calls) == 2
    high = np.array([by_count.LIMIT + 1, 5])
    assert made[high].tolist() == [2.0 * by_count.LIMIT + 2, 10.0]
    assert calls[2].tolist() == high.tolist()
