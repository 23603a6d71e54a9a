"""Theorem 10 corrected: the closed forms against the exact inverse, the worst gaps and a run."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb.clipped_sgd_bounds import thm10_corrected_instance, thm10_corrected_worst
from hbucb.conversions import capped_regret, vacuity_horizon
from hbucb.optimizers import RestartedG
from hbucb.printed_bounds import thm10_instance, thm10_worst
from hbucb.pull_forms import batch_regret


def by_hand(gaps, horizon, rho, sigma, batch):
    """The display of the theorem with whole numbers for its constants."""
    k = max(2, horizon // batch)
    runs = math.log(k) / math.log(2)
    log = math.log(4 * k * k * (1 + runs) * (2 + runs))
    h = max(1.0, math.log(k * rho * rho / (42 * sigma * sigma * math.log(4 * k))))
    total = 0.0
    for gap in gaps:
        if gap > 0:
            total += 2 * gap + 1344 * sigma**2 * log * h**2 / gap
            total += 72 * log * gap * math.log(8 * rho**2 / gap**2)
    return batch * total + (batch - 1) * max(gaps)


@pytest.mark.parametrize("batch", [1, 5])
@pytest.mark.parametrize("sigma", [0.01, 0.3, 2.0])
def test_instance_is_the_display_and_covers_the_exact_inverse(sigma, batch):
    gaps = [0.0, 1.0, 0.3, 0.05, 2.0]
    for horizon in (1, 4, 7, 100, 10_000, 10**6, 10**9, 10**12):
        closed = thm10_corrected_instance(gaps, horizon, rho=1.0, sigma=sigma, batch=batch)
        assert closed == pytest.approx(by_hand(gaps, horizon, 1.0, sigma, batch), rel=1e-12)
        g = RestartedG(1.0, sigma)
        exact = batch_regret(gaps, horizon, g=g, batch=batch, kind="uniform")
        trivial = horizon * max(gaps)
        assert closed >= min(exact, trivial)
        assert closed >= exact or closed >= trivial
    many = thm10_corrected_instance(gaps, [100, 10**6], rho=1.0, sigma=sigma, batch=batch)
    assert many[1] == pytest.approx(by_hand(gaps, 10**6, 1.0, sigma, batch))


def test_units():
    """Rewards in cents: every bound is a hundred times as large."""
    gaps = np.array([0.0, 0.4, 1.0])
    for bound in (thm10_corrected_instance, thm10_corrected_worst):
        one = bound(gaps, 10**7, rho=1.0, sigma=0.5)
        assert bound(100 * gaps, 10**7, rho=100.0, sigma=50.0) == pytest.approx(100 * one)


def test_worst_covers_all_gaps():
    rng = np.random.default_rng(5)
    for _ in range(200):
        arms, horizon = int(rng.integers(2, 8)), int(10 ** rng.uniform(1, 12))
        sigma, batch = float(10 ** rng.uniform(-3, 1)), int(rng.integers(1, 6))
        gaps = np.append(0.0, 2 * 10 ** rng.uniform(-6, 0, size=arms - 1))
        one = [
            thm10_corrected_instance([0.0, gap], horizon, rho=1.0, sigma=sigma, batch=batch)
            - (batch - 1) * gap
            for gap in gaps[1:]
        ]
        pulls = np.append(np.inf, np.array(one) / gaps[1:])
        updates = max(2, horizon // batch)
        most = capped_regret(gaps, pulls, batch * updates) + (batch - 1) * gaps.max()
        worst = thm10_corrected_worst(gaps, horizon, rho=1.0, sigma=sigma, batch=batch)
        assert most <= worst * (1 + 1e-12)


def test_a_policy_stays_below_and_the_printed_policy_does_not():
    T, sigma = 100_000, 1e-5
    bandit = hb.Bandit([1.0, 0.0], hb.noise.Gaussian(sigma))
    g = RestartedG(1.0, sigma)
    policies = {
        "restarted": hb.FOUCB(g.method(1 / T), g, delta=1 / T),
        "printed": hb.ClippedSGDUCB(preset="theory", sigma=sigma, rho=1.0),
    }
    out = hb.simulate(bandit, policies, T, 2, seed=1, rounds=[T])
    bound = thm10_corrected_instance([0.0, 1.0], T, rho=1.0, sigma=sigma)
    exact = policies["restarted"].regret_bound(bandit, T)
    assert out["restarted"].regret.max() <= exact <= bound < T
    printed = [f([0.0, 1.0], T, c=5400 * sigma**2) for f in (thm10_instance, thm10_worst)]
    assert out["printed"].regret.min() > min(printed)


def test_from_which_horizon_they_say_something():
    def first(bound, sigma):
        return vacuity_horizon(lambda t: bound([0.0, 1.0], t, rho=1.0, sigma=sigma), 1.0)

    assert f"{first(thm10_corrected_instance, 1.0):.1e}" == "3.8e+06"
    assert f"{first(thm10_corrected_worst, 1.0):.1e}" == "3.9e+06"
    assert f"{first(thm10_corrected_instance, 0.1):.1e}" == "3.3e+04"


@pytest.mark.parametrize("bound", [thm10_corrected_instance, thm10_corrected_worst])
def test_bad_input_is_named(bound):
    for change, words in (
        ({"rho": 0.0}, "rho is 0"),
        ({"sigma": -1.0}, "sigma is -1"),
        ({"batch": 0}, "batch is 0"),
        ({"batch": True}, "batch is True"),
        ({"rho": 0.4}, "none can exceed 2 rho = 0.8"),
    ):
        with pytest.raises(ValueError, match=words):
            bound([0.0, 1.0], 100, **({"rho": 1.0, "sigma": 1.0} | change))
