"""Exponential families: divergences against SciPy's densities, upper inverses against bisection."""

import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import families, kl_bounds
from hbucb.divergences import kl_bernoulli
from hbucb.families import Bernoulli, Exponential, Gaussian, Poisson, family_of

LEVELS = np.geomspace(1e-7, 60, 40)
COINS = np.concatenate([np.geomspace(1e-6, 0.5, 15), 1 - np.geomspace(1e-6, 0.4, 15)])
MEANS = np.geomspace(1e-4, 100, 25)


def coin(p, q):
    return -p * math.log1p((q - p) / p) - (1 - p) * math.log1p(-(q - p) / (1 - p))


def poisson(p, q):
    return (q - p) - p * math.log1p((q - p) / p)


def exponential(p, q):
    return math.log(q / p) + math.expm1(-math.log(q / p))


def bracket(kl, p, d, high):
    low = p
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return low, high
        low, high = (low, middle) if kl(p, middle) > d else (middle, high)


@pytest.mark.parametrize(
    ("family", "kl", "means", "high"),
    [
        (Bernoulli(), coin, COINS, lambda p, d: math.nextafter(1.0, 0.0)),
        (Poisson(), poisson, MEANS, lambda p, d: p + 2 * d + 3 * math.sqrt(p * d)),
        (Exponential(), exponential, MEANS, lambda p, d: p * math.exp(d + 2 * math.sqrt(d))),
    ],
    ids=["bernoulli", "poisson", "exponential"],
)
def test_upper_is_the_root_and_never_visibly_below_it(family, kl, means, high):
    p, d = np.meshgrid(means, LEVELS)
    got = family.upper(p, d)
    for mean, level, value in zip(p.ravel(), d.ravel(), got.ravel(), strict=True):
        low, up = bracket(kl, mean, level, high(mean, level))
        # Newton comes from above: below the root by rounding only.
        assert low - 4e-15 * max(1.0, low) <= value <= up + 4e-15 * max(1.0, up)
    # One step fewer still is an upper bound, but visibly above the root for some coins.
    slope, _ = family.slope(p, got)
    step = 1e-4 * d
    numeric = (family.upper(p, d + step) - family.upper(p, d - step)) / (2 * step)
    inside = got < 1 - 1e-6 if isinstance(family, Bernoulli) else np.full(got.shape, True)
    assert np.allclose(slope[inside], numeric[inside], rtol=1e-3)


def test_stopping_early_stays_above(monkeypatch):
    p, d = np.meshgrid(COINS, LEVELS)
    exact = Bernoulli().upper(p, d)
    monkeypatch.setattr(families, "STEPS", 2)
    early = Bernoulli().upper(p, d)
    assert (early >= exact - 1e-15).all() and (early - exact).max() > 1e-5


def test_ends_are_exact():
    d = np.array([0.0, 0.1, 1.0, 50.0])
    assert Bernoulli().upper(np.zeros(4), d).tolist() == (-np.expm1(-d)).tolist()
    assert (Bernoulli().upper(np.ones(4), d) == 1).all()
    assert Bernoulli().upper(np.array([0.3]), np.array([0.0])).tolist() == [0.3]
    assert Bernoulli().upper(np.array([0.3]), np.array([1e4])).tolist() == [1.0]
    assert np.allclose(Poisson().upper(np.zeros(4), d), d)
    assert (Exponential().upper(np.zeros(4), d) == 0).all()
    assert Gaussian(2.0).upper(np.array([1.0]), np.array([0.5])).tolist() == [3.0]


def test_divergences_are_those_of_the_laws():
    ks = np.arange(400)
    p, q = 3.0, 5.5
    one, two = stats.poisson.logpmf(ks, p), stats.poisson.logpmf(ks, q)
    sums = float((np.exp(one) * (one - two)).sum())
    x = (np.arange(400_000) + 0.5) / 400_000
    points = stats.expon.ppf(x, scale=p)
    ratio = stats.expon.logpdf(points, scale=p) - stats.expon.logpdf(points, scale=q)
    for family, told in (
        (Poisson(), sums),
        (Exponential(), float(ratio.mean())),
        (Gaussian(2.0), (p - q) ** 2 / 8),
    ):
        term = family.self_term(np.array([p]))
        assert family.kl_from(term, np.array([p]), np.array([q]))[0] == pytest.approx(
            told, rel=1e-5
        )
    a, b = np.array([0.0, 0.2, 1.0, 0.2]), np.array([0.4, 0.7, 0.4, 0.2])
    got = Bernoulli().kl_from(Bernoulli().self_term(a), a, b)
    assert np.allclose(got, kl_bernoulli(a, b), atol=1e-15) and got[3] == 0
    huge = Bernoulli().kl_from(Bernoulli().self_term(a), a, np.ones(4))
    assert huge[2] == 0 and (huge[[0, 1, 3]] > 1e280).all()


def test_rewards_outside_the_support_are_refused():
    normal = hb.Bandit([0.0, 1.0], hb.noise.Gaussian())
    for policy, words in (
        (hb.KLUCB(), r"KLUCB is for rewards in \[0, 1\]"),
        (hb.KLUCBPlus("poisson"), r"KLUCBPlus is for rewards in \[0, inf\]"),
        (hb.DMED(family="exponential"), r"DMED is for rewards in \[0, inf\]"),
        (hb.IMED(), "IMED is for rewards in"),
        (hb.BayesUCB(), "BayesUCB has a Beta posterior, which needs rewards 0 and 1"),
    ):
        with pytest.raises(ValueError, match=words):
            hb.simulate(normal, policy, 50, 3, seed=1)
    with pytest.raises(ValueError, match="family = 'cauchy' must be one of"):
        family_of("cauchy", 1.0)


def test_kl_ucb_regret_is_the_least_on_a_finer_search():
    from scipy.optimize import minimize

    for gap, best, horizon in ((0.5, 0.9, 10**6), (0.03, 0.1, 60_000), (0.9, 1.0, 1000)):
        level = math.log(1 + horizon * math.log(horizon) ** 2)

        def bound(e, gap=gap, best=best, level=level):
            if min(e) <= 0 or sum(e) >= gap:
                return math.inf
            kl = kl_bernoulli(best - gap + e[0], best - e[1])
            return gap * (1 + level / kl + 1 / (2 * e[0] ** 2) + 5 / (4 * e[1] ** 2))

        told = kl_bounds.kl_ucb_regret([0.0, gap], horizon, best=best)
        least = min(
            minimize(bound, [u * gap, v * gap], method="Nelder-Mead").fun
            for u in (0.1, 0.3)
            for v in (0.2, 0.5)
        )
        assert least <= told * (1 + 1e-9) and told <= least * 1.01
    for call, words in (
        (lambda: kl_bounds.kl_ucb_regret([0.0, 0.5], 9, best=0.4), "none may exceed"),
        (lambda: kl_bounds.kl_ucb_regret([0.0, 0.5], 9, best=1.4), "best is 1.4"),
        (lambda: kl_bounds.lai_robbins_gaussian([0.0, 0.5], 9, sigma=[1.0]), "sigma has shape"),
        (lambda: kl_bounds.lai_robbins_gaussian([0.0, 0.5], 9, sigma=-1.0), "sigma is -1.0"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_lai_robbins_by_hand():
    kl = 0.07 * math.log(0.07 / 0.1) + 0.93 * math.log(0.93 / 0.9)
    told = kl_bounds.lai_robbins_bernoulli([0.03] * 19 + [0.0], 60_000, best=0.1)
    assert told == pytest.approx(19 * 0.03 / kl * math.log(60_000))
    assert told == pytest.approx(1134.6, abs=0.05)
    assert kl_bounds.lai_robbins_bernoulli([0.0, 0.5], 100, best=1.0) == 0
    told = kl_bounds.lai_robbins_gaussian([0.0, 0.5, 1.0], 100, sigma=[1.0, 2.0, 3.0])
    assert told == pytest.approx((2 * 4 / 0.5 + 2 * 9 / 1.0) * math.log(100))
