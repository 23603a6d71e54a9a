"""APE: the definition pull by pull, the bound's own sums, what it refuses."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

import hbucb as hb
from hbucb.ape_bounds import ape_regret
from hbucb.estimators import PRobustMean
from hbucb.policies import Run
from hbucb.policies.ape import renewals


@pytest.mark.parametrize("growth", [1.0, 1.3])
@pytest.mark.parametrize("p", [1.25, 2.0])
def test_batch_plays_what_the_definition_says(p, growth):
    law = hb.noise.Exponential(1.7)
    policy = hb.APE(PRobustMean(p, c=0.6), law, growth)
    trials, arms, rounds = 6, 3, 250
    state = policy.start(Run(trials, arms, rounds, seed=4, key=9))
    draws = Run(trials, arms, rounds, seed=4, key=9).stream(law, width=arms)
    seen = [[[] for _ in range(arms)] for _ in range(trials)]
    rng = np.random.default_rng(2)
    due = {math.ceil(growth**j) for j in range(200)} if growth > 1 else set(range(rounds + 1))
    played = set()
    for t in range(rounds):
        arm = state.select(t)
        bonus = draws.next() if t >= arms else None
        for i in range(trials):
            if bonus is None:
                expected = t
            else:
                index = []
                for a in range(arms):
                    m = max(k for k in due if k <= len(seen[i][a]))
                    mean = PRobustMean(p, c=0.6).estimate(seen[i][a][:m])
                    index.append(mean + 0.6 / m ** (1 - 1 / p) * bonus[i, a])
                expected = int(np.argmax(index))
            assert arm[i] == expected, (t, i)
            played.add((i, expected))
        reward = arm * 0.5 + rng.standard_t(2.5, trials)
        for i in range(trials):
            seen[i][arm[i]].append(reward[i])
        state.update(t, arm, reward)
    assert len(played) == trials * arms


def test_index_by_hand():
    # Two rewards 1 and -3, p = 2, c = 1: psi at 1/sqrt 2 and -3/sqrt 2.
    state = hb.APE().start(Run(1, 1, 10))
    for t, reward in enumerate((1.0, -3.0)):
        state.update(t, np.array([0]), np.array([reward]))
    by_hand = (math.log(1 + 0.5**0.5 + 0.25) - math.log(1 + 3 * 0.5**0.5 + 9 / 4)) / math.sqrt(2)
    assert state._mean[0, 0] == pytest.approx(by_hand)
    assert state._factor[0, 0] == pytest.approx(1 / math.sqrt(2))


@pytest.mark.parametrize("growth", [1.05, 1.5, 2.0])
def test_an_estimate_is_never_older_than_the_factor(growth):
    due = np.flatnonzero(renewals(growth, 5000))
    n = np.arange(1, 5001)
    m = due[np.searchsorted(due, n, side="right") - 1]
    assert (m <= n).all() and (m > n / growth - 1e-9).all() and len(due) < 200
    assert renewals(1.0, 7).tolist() == [False] + [True] * 7


@pytest.mark.parametrize("p", [1.3, 2.0])
@pytest.mark.parametrize("gap", [0.3, 1.0])
def test_the_bound_is_above_the_sums_of_its_proof_and_near(p, gap):
    c, nu, scale, horizon = 0.7, 1.5, 1.8, 10**12
    b, q = PRobustMean(p, c, nu).b, 1 - 1 / p
    n = np.arange(1.0, 400_000.0)
    deviations = math.exp(b * nu / c**p) * np.exp(-(n**q) * gap / (3 * c)).sum()
    hidden = quad(lambda s: math.exp(s / scale - s) / scale, 0, np.inf)[0]
    log = scale * math.log(horizon)
    rounds = math.floor((3 * c * log / gap) ** (p / (p - 1)))
    pulls = 2 + rounds + deviations * (1 + hidden)
    got = ape_regret([0.0, gap], horizon, p=p, c=c, nu=nu, scale=scale)
    assert gap * pulls <= got <= 1.05 * gap * pulls + 2
    assert ape_regret([0.0, gap], 10, p=p, c=c, nu=nu, scale=scale) == pytest.approx(10 * gap)


def test_the_influence_has_the_property_that_the_proof_uses():
    x = np.concatenate([-np.geomspace(1e-6, 1e6, 4001), np.geomspace(1e-6, 1e6, 4001)])
    for p in (1.1, 1.5, 2.0):
        b = PRobustMean(p).b
        power = b * np.abs(x) ** p
        inside = 1 + x + power  # positive, as its logarithm is above psi's
        assert (inside > 0).all()
        psi = np.sign(x) * np.log1p(np.abs(x) + power)
        assert (psi <= np.log(inside) + 1e-9).all()


def test_what_the_theorem_does_not_cover():
    bandit = hb.Bandit([0.0, 1.0], hb.noise.Gaussian(0.5))
    good = hb.APE(PRobustMean(2.0, 0.5, 1.25))
    assert good.regret_bound(bandit, 2000) == ape_regret([1.0, 0.0], 2000, c=0.5, nu=1.25)
    with pytest.raises(hb.AssumptionError, match="scale > 1"):
        hb.APE(perturbation=hb.noise.Exponential(1.0)).regret_bound(bandit, 100)
    with pytest.raises(hb.AssumptionError, match=r"E\|X\|\^2"):
        hb.APE(PRobustMean(2.0, 0.5, 1.2)).regret_bound(bandit, 100)
    with pytest.raises(hb.AssumptionError, match="mean"):
        hb.APE().regret_bound(hb.Bandit([0.0, 1.0], hb.noise.Cauchy()), 100)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.APE(estimator=3), "estimator = 3"),
        (lambda: hb.APE(perturbation=hb.noise.Cauchy()), "perturbation = Cauchy"),
        (lambda: hb.APE(perturbation=hb.noise.PointMass()), "perturbation = PointMass"),
        (lambda: hb.APE(growth=0.9), "growth = 0.9"),
        (lambda: ape_regret([0.0, 1.0], 10, scale=1.0), "scale = 1.0"),
        (lambda: ape_regret([0.0, 1.0], 10, growth=3), "growth = 3"),
        (lambda: ape_regret([0.0, 1.0], 10, p=1.0), "p = 1.0"),
    ],
)
def test_bad_parameters_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
