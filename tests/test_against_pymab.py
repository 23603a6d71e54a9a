"""Regret of four policies against a public library's: two-sample tests at 1000 runs each.

PyMAB (MIT licence) is no dependency: ``pip install hbucb[compare]`` has it, and without it these
tests are skipped. Its engine, its streams and its tie-breaking are its own.
"""

import numpy as np
import pytest
from scipy import stats

import hbucb as hb

pymab = pytest.importorskip("pymab")

MEANS, T, RUNS = [0.2, 0.35, 0.3, 0.5], 400, 1000

#: Ours, theirs. Their ``c`` multiplies sqrt(ln t / n) in UCB and ln ln t in KL-UCB,
#: where it must be above 0; 3 is its default, with the index found to 1e-6. From round 3 on, and so
#: after the first pull of each of four arms, its level is ours.
PAIRS = {
    "UCB1": (hb.UCB1(), lambda p: p.UCBPolicy(n_arms=4, c=2.0)),
    "KL-UCB": (hb.KLUCB(), lambda p: p.KLUCBPolicy(n_arms=4, c=1e-12, tolerance=1e-9)),
    "KL-UCB, c = 3": (hb.KLUCB(c=3.0), lambda p: p.KLUCBPolicy(n_arms=4)),
    "MOSS": (hb.MOSS(), lambda p: p.MOSSPolicy(n_arms=4, horizon=T)),
    "Thompson": (hb.ThompsonSampling(), lambda p: p.BernoulliThompsonSamplingPolicy(n_arms=4)),
}


def theirs(policy, seed):
    result = pymab.Experiment(
        environment=pymab.BanditEnvironment(
            means=np.array(MEANS), reward_model=pymab.BernoulliReward()
        ),
        policies={"it": policy},
        config=pymab.ExperimentConfig(
            horizon=T, n_replicates=RUNS, seed=seed, reward_coupling="independent"
        ),
    ).run()
    return np.asarray(result.cumulative_regret_by_replicate).reshape(RUNS, T)[:, -1]


@pytest.mark.parametrize("name", PAIRS)
def test_regret_has_the_same_law(name):
    ours, make = PAIRS[name]
    mine = hb.simulate(hb.BernoulliBandit(MEANS), {"it": ours}, T, RUNS, seed=31)["it"]
    other = theirs(make(pymab.policies), seed=17)
    # Exact two-sample test, false alarm 1e-6.
    assert stats.ks_2samp(mine.regret[:, -1], other, method="exact").pvalue > 1e-6
    # The test sees a difference: a policy with a shorter radius is told apart.
    wrong = hb.simulate(hb.BernoulliBandit(MEANS), {"it": hb.UCB(0.2, kind="log")}, T, RUNS, seed=5)
    if name != "Thompson":
        pvalue = stats.ks_2samp(wrong["it"].regret[:, -1], other, method="exact").pvalue
        assert pvalue < 1e-6
