"""Divergences, against quadrature, numerical total variation and enumeration of histories."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

import hbucb as hb
from hbucb import divergences as dv


def kl_by_quadrature(law, shift, split, far=np.inf):
    """In x, on pieces; independent of the quantile substitution in the package."""

    def integrand(x):
        return law.pdf(x) * (law.logpdf(x) - law.logpdf(x - shift))

    edges = [-far, -split, 0.0, shift, split, far]
    return sum(quad(integrand, a, b, limit=400)[0] for a, b in itertools.pairwise(edges))


@pytest.mark.parametrize("shift", [0.05, 0.7, 3.0])
def test_closed_forms_equal_quadrature(shift):
    assert dv.kl_gauss(shift) == pytest.approx(
        kl_by_quadrature(stats.norm(), shift, 6, far=30), rel=1e-7
    )
    cauchy = kl_by_quadrature(stats.cauchy(scale=2.0), shift, 50)
    assert dv.kl_cauchy(shift, scale=2.0) == pytest.approx(cauchy, rel=1e-5, abs=1e-9)
    laplace = kl_by_quadrature(stats.laplace(scale=0.5), shift, 6, far=100)
    assert dv.kl_laplace(shift, scale=0.5) == pytest.approx(laplace, rel=1e-7)
    assert dv.kl_laplace(-shift) == dv.kl_laplace(shift)


@pytest.mark.parametrize("shift", [0.1, 1.0, -2.0])
def test_kl_location_by_quantiles(shift):
    assert dv.kl_location(hb.noise.Gaussian(), shift) == pytest.approx(shift**2 / 2, rel=1e-5)
    assert dv.kl_location(hb.noise.Cauchy(), shift) == pytest.approx(dv.kl_cauchy(shift), rel=1e-6)
    law = hb.noise.StudentT(3.0)
    own = kl_by_quadrature(stats.t(3.0), abs(shift), 40)
    assert dv.kl_location(law, shift) == pytest.approx(own, rel=1e-5)


def test_kl_location_of_bounded_laws_is_infinite():
    # Seen from the supports, before any logarithm of 0.
    with np.errstate(all="raise"):
        assert dv.kl_location(hb.noise.Uniform(), 0.1) == math.inf
        assert dv.kl_location(hb.noise.Uniform(), -0.1) == math.inf
    # A one-sided support: moved up it misses mass, moved down it covers everything.
    law = hb.noise.Frechet(1.25)
    assert dv.kl_location(law, 0.5) == math.inf
    assert math.isfinite(dv.kl_location(law, -0.5))
    # The mass left behind is exp(-1e5), 0 in floats.
    assert law.cdf(1e-4) == 0 and dv.kl_location(law, 1e-4) == math.inf


def test_bernoulli():
    assert dv.kl_bernoulli(0.3, 0.3) == 0
    assert dv.kl_bernoulli(0.0, 0.25) == pytest.approx(-math.log(0.75))
    assert dv.kl_bernoulli(0.5, 0.0) == math.inf
    p, q = 0.2, 0.6
    by_hand = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    assert dv.kl_bernoulli(p, q) == pytest.approx(by_hand)
    with pytest.raises(ValueError, match=r"p is 1\.2"):
        dv.kl_bernoulli(1.2, 0.5)


def test_bretagnolle_huber_on_random_laws_and_gaussians():
    np.testing.assert_allclose(dv.bretagnolle_huber([0.0, math.log(4)]), [0.5, 0.125])
    rng = np.random.default_rng(6)
    for _ in range(500):
        p, q = rng.dirichlet(np.full(6, 0.4), size=2)
        kl = float(np.sum(p * np.log(p / q)))
        overlap = float(np.minimum(p, q).sum())  # 1 - total variation = best sum of errors
        assert overlap >= dv.bretagnolle_huber(kl)
        assert overlap >= 1 - math.sqrt(1 - math.exp(-kl)) - 1e-12
    for shift in (0.01, 1.0, 4.0, 8.0):
        overlap = 2 * stats.norm.sf(shift / 2)
        assert overlap >= dv.bretagnolle_huber(dv.kl_gauss(shift))


def test_divergence_decomposition_by_enumeration():
    """All 2^6 histories of a deterministic policy on two coins, in two worlds."""
    worlds = ((0.5, 0.3), (0.5, 0.6))
    horizon = 6

    def policy(history):
        if len(history) < 2:
            return len(history)
        means = [np.mean([r for a, r in history if a == arm]) for arm in (0, 1)]
        return int(means[1] > means[0])

    law = [{}, {}]
    pulls = np.zeros(2)
    for rewards in itertools.product((0, 1), repeat=horizon):
        history, chance = [], [1.0, 1.0]
        for reward in rewards:
            arm = policy(history)
            for w, world in enumerate(worlds):
                chance[w] *= world[arm] if reward else 1 - world[arm]
            history.append((arm, reward))
        for w in (0, 1):
            law[w][tuple(history)] = law[w].get(tuple(history), 0.0) + chance[w]
        pulls += chance[0] * np.bincount([a for a, _ in history], minlength=2)
    whole = sum(p * math.log(p / law[1][h]) for h, p in law[0].items())
    arms = [dv.kl_bernoulli(a, b) for a, b in zip(*worlds, strict=True)]
    assert dv.divergence(pulls, arms) == pytest.approx(whole)
    assert pulls.sum() == pytest.approx(horizon)


def test_infinite_divergence_counts_only_where_the_arm_is_played():
    assert dv.divergence([100, 0], [0.0, math.inf]) == 0.0
    assert dv.divergence([99, 1], [0.0, math.inf]) == math.inf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dv.divergence([1, 2], [1]), "pulls has shape"),
        (lambda: dv.divergence([-1, 2], [0, 1]), "must be >= 0"),
        (lambda: dv.bretagnolle_huber(-1.0), "kl is -1.0"),
        (lambda: dv.bretagnolle_huber(math.nan), "kl is nan"),
        (lambda: dv.kl_location(hb.noise.Gaussian(), math.nan), "shift is nan"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
