"""The batch engine plays, action for action, what the definitions say."""

import numpy as np
import pytest

import hbucb as hb
from hbucb.estimators import Catoni, MedianOfMeans, TruncatedMean

T, TRIALS = 600, 30

INDEX_POLICIES = {
    "UCB fixed": hb.UCB(sigma=0.5),
    "UCB fixed delta": hb.UCB(sigma=0.5, delta=0.01),
    "UCB anytime": hb.UCB(sigma=0.5, kind="anytime"),
    "UCB log": hb.UCB(sigma=0.3, kind="log"),
    "greedy": hb.UCB(sigma=0.0),
    "SGD-UCB": hb.ClippedSGDUCB(rho=0.9),
    "SGD-UCB-Median": hb.ClippedSGDUCB(m=1, rho=0.9),
    "SGD-UCB-SMoM": hb.ClippedSGDUCB(m=1, n=2, rho=0.9),
    "SGD-UCB median of 5": hb.ClippedSGDUCB(m=2, rho=0.9, theta=0.0),
    "SGD-UCB p=1": hb.ClippedSGDUCB(rho=0.9, p=1),
    "SGD-UCB theory": hb.ClippedSGDUCB(preset="theory", sigma=1e-3),
    "SGD-UCB theory SMoM": hb.ClippedSGDUCB(1, 2, preset="theory", sigma=1e-4, p=3),
    "SGD-UCB decreasing": hb.ClippedSGDUCB(preset="decreasing", c=1.0),
    "order statistic fixed": hb.OrderStatisticUCB("fixed"),
    "order statistic at all counts": hb.OrderStatisticUCB(delta=0.1, a=1.0),
    "order statistic anytime": hb.OrderStatisticUCB("anytime"),
    "Robust UCB": hb.RobustUCB(MedianOfMeans(eps=0.5, v=0.2), delta=0.2),
    "Robust UCB many estimates": hb.RobustUCB(MedianOfMeans(), delta=0.9),
    "RUCB authors": hb.RobustUCB(preset="authors"),
    "RUCB fair": hb.RobustUCB(preset="fair"),
}

# The definition of these looks at whole histories: fewer rounds and trials.
ROBUST = {
    "truncated": hb.RobustUCB(TruncatedMean(1.0, 0.2), delta=0.2),
    "truncated, low order": hb.RobustUCB(TruncatedMean(0.5, 0.02), delta=0.5),
    "truncated, falling delta": hb.RobustUCB(TruncatedMean(1.0, 0.3), power=2),
    "median of means, falling delta": hb.RobustUCB(MedianOfMeans(1.0, 0.01), power=2),
    "Catoni": hb.RobustUCB(Catoni(0.05), delta=0.1),
    "Catoni, falling delta": hb.RobustUCB(Catoni(0.02), power=2),
}

BANDITS = {
    "Cauchy": hb.Bandit(np.arange(5) / 5, hb.noise.Cauchy()),
    "Bernoulli": hb.BernoulliBandit([0.3, 0.5, 0.5, 0.7]),
    "two-point, equal arms": hb.Bandit([0.25, 0.25, 0.25, 0.0], hb.noise.TwoPoint()),
    "different laws": hb.Bandit(
        [0.0, 0.2, 0.4], [hb.noise.Cauchy(2.0), hb.noise.Gaussian(), hb.noise.Cauchy(0.5)]
    ),
}


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("name", INDEX_POLICIES)
def test_batch_plays_what_explain_plays(name: str, bandit: str) -> None:
    policy = INDEX_POLICIES[name]
    coupling = "arm" if bandit == "different laws" else "time"
    result = hb.simulate(
        BANDITS[bandit], policy, T, TRIALS, seed=11, actions=True, coupling=coupling
    )
    actions = result[type(policy).__name__].actions
    for trial in range(TRIALS):
        steps = hb.explain(policy, BANDITS[bandit], T, seed=11, trial=trial, coupling=coupling)
        assert steps.actions == actions[trial].tolist(), trial


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("name", ROBUST)
def test_robust_batch_plays_what_explain_plays(name: str, bandit: str) -> None:
    policy = ROBUST[name]
    if "Catoni" in name and bandit in ("Bernoulli", "two-point, equal arms"):
        pytest.skip("equal histories in another order: the last bit of a root breaks the tie")
    coupling = "arm" if bandit == "different laws" else "time"
    rounds, trials = (150, 3) if "Catoni" in name else (300, 5)
    result = hb.simulate(
        BANDITS[bandit], policy, rounds, trials, seed=12, actions=True, coupling=coupling
    )
    actions = result["RobustUCB"].actions
    for trial in range(trials):
        steps = hb.explain(policy, BANDITS[bandit], rounds, seed=12, trial=trial, coupling=coupling)
        assert steps.actions == actions[trial].tolist(), trial
    # The indices decided: play is not in turn.
    assert bandit != "Cauchy" or np.ptp(result["RobustUCB"].pulls) > 3
