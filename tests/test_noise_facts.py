"""Facts of the laws: symmetry, unimodality and sub-Gaussian constants, each seen in numbers."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from test_noise_moments import expectation
from test_noise_registry import CONTINUOUS, LAWS, NAMES, reference_cdf

from hbucb.noise import (
    Cauchy,
    Contaminated,
    Exponential,
    Frechet,
    Gaussian,
    LocationScale,
    Mixture,
    Noise,
    PointMass,
    TwoPoint,
    Uniform,
    bimodal,
    cauchy_exponential,
    cauchy_pareto,
    kearns_saul,
)
from hbucb.noise.shape import refutes_symmetry, refutes_unimodality


@pytest.mark.parametrize("name", NAMES)
def test_symmetric_if_and_only_if_the_cdf_is(name):
    law, reference = LAWS[name]
    x = np.concatenate([np.geomspace(1e-3, 1e3, 200), [1.0, 2.0, 20.0]])
    lower = reference_cdf(reference, -x)
    upper = 1 - reference_cdf(reference, x, strict=True)
    looks = bool(np.allclose(lower, upper, rtol=0, atol=1e-12))
    assert law.symmetric in ((looks, None) if name.startswith("scipy") else (looks,))
    assert refutes_symmetry(law) == (not looks)
    if law.symmetric:
        assert law.centre == 0.0


@pytest.mark.parametrize("name", CONTINUOUS)
def test_unimodal_if_and_only_if_the_density_has_no_dip(name):
    law, reference = LAWS[name]
    q = np.linspace(0.001, 0.999, 4001)
    x = np.unique(np.concatenate([law.ppf(q), np.linspace(law.ppf(0.01), law.ppf(0.99), 4001)]))
    density = sum(w * f.pdf(s * (x + 1e-9)) for w, s, f in reference)
    peak = int(np.argmax(density))
    slack = 1e-9 * density.max()
    rising = np.all(np.diff(density[: peak + 1]) >= -slack)
    falling = np.all(np.diff(density[peak:]) <= slack)
    looks = bool(rising and falling)
    if law.unimodal is not None:
        assert law.unimodal == looks
    assert not (refutes_unimodality(law) and looks)


def test_which_facts_are_unknown():
    """Scipy laws of which nothing was declared, and mixtures whose shape no rule settles."""
    mixtures = {"cauchy exponential", "cauchy pareto", "bounded mixture"}
    scipys = {"scipy gamma", "scipy poisson"}
    unknown = {n for n in NAMES if LAWS[n][0].unimodal is None}
    assert unknown == mixtures | scipys | {"scipy t"}
    assert {n for n in NAMES if LAWS[n][0].symmetric is None} == scipys
    assert {n for n in NAMES if LAWS[n][0].subgaussian is None} == scipys


def test_shape_of_mixtures():
    assert bimodal(0.3).unimodal is False and bimodal(0.3).symmetric is True
    assert Mixture((TwoPoint(),), (1.0,)).unimodal is False
    assert Mixture((PointMass(-1.0), PointMass(1.0)), (0.5, 0.5)).symmetric is True
    assert Mixture((PointMass(-1.0), PointMass(1.0)), (0.4, 0.6)).symmetric is False
    assert Mixture((Uniform(0, 1), Uniform(-1, 0)), (0.5, 0.5)).symmetric is True
    assert Contaminated(Gaussian(), 0.1, Cauchy()).unimodal is True
    assert Contaminated(Gaussian(), 0.1, PointMass(9.0)).symmetric is False
    assert Contaminated(Gaussian(), 1e-5, PointMass(9.0)).symmetric is False
    assert LocationScale(Exponential(), -1.0).symmetric is False
    assert LocationScale(Uniform(0, 1), -0.5).symmetric is True
    # Symmetric all the same, though no rule shows it: unknown, and never a false "no".
    both = Mixture((Exponential(), LocationScale(Uniform(0, 1), -1.0)), (1e-12, 1 - 1e-12))
    assert both.symmetric is not True
    assert cauchy_exponential().symmetric is False and cauchy_pareto().symmetric is False


def log_mgf(reference, s):
    """log E exp(s (xi - E xi)) of a light-tailed reference."""
    mean = expectation(reference, lambda x: x, 1.0, math.inf)
    return math.log(expectation(reference, lambda x: np.exp(s * (x - mean)), 1.0, math.inf))


@pytest.mark.parametrize("name", [n for n in NAMES if LAWS[n][0].subgaussian not in (None, np.inf)])
def test_subgaussian_constants_hold(name):
    law, reference = LAWS[name]
    sigma = law.subgaussian
    for z in (-8.0, -3.0, -1.0, -0.2, -0.01, 0.01, 0.3, 1.0, 2.0, 5.0, 10.0):
        s = z / (sigma or 1.0)
        assert log_mgf(reference, s) <= 0.5 * (s * sigma) ** 2 + 1e-9
    assert sigma**2 >= law.variance * (1 - 1e-12)


SMALLEST = ["gaussian", "gaussian 2.5", "uniform", "U01", "uniform -3 1", "fair", "two points",
            "bernoulli .9", "constant", "bimodal"]  # fmt: skip


@pytest.mark.parametrize("name", SMALLEST)
def test_subgaussian_constants_are_the_smallest(name):
    """Some s needs the whole constant: the ratio 2 log E exp(s(xi - E xi)) / s^2 attains it."""
    law, reference = LAWS[name]
    sigma = law.subgaussian
    if sigma == 0:
        return
    grid = [s / sigma for s in (-4, -3, -2.5, -2, -1.5, -1, -0.05, 0.05, 1, 1.5, 2, 2.5, 3, 4)]
    best = max(grid, key=lambda s: 2 * log_mgf(reference, s) / s**2)
    found = minimize_scalar(
        lambda s: -2 * log_mgf(reference, s) / s**2,
        bounds=sorted((0.5 * best, 2 * best)),
        method="bounded",
    )
    assert max(-found.fun, 2 * log_mgf(reference, best) / best**2) >= sigma**2 * (1 - 1e-3)


@pytest.mark.parametrize("name", [n for n in NAMES if LAWS[n][0].subgaussian == np.inf])
def test_laws_that_are_not_subgaussian(name):
    """For every sigma the tail ends up above exp(-r^2 / (2 sigma^2)), which bounds a sigma's."""
    _, reference = LAWS[name]
    for sigma in (1.0, 2.0, 3.0):
        r = 10 * sigma**2
        with np.errstate(divide="ignore"):
            tails = [
                f.logsf(r) + math.log(w) for w, s, f in reference if s > 0 and hasattr(f, "logsf")
            ]
        assert max(tails) > -0.5 * (r / sigma) ** 2 + 5


@pytest.mark.parametrize("p", [1e-9, 0.01, 0.24, 0.26, 0.4, 0.4999999, 0.5, 0.7, 0.99])
def test_kearns_saul_is_the_supremum_over_s(p):
    """Brute force: sup over s of 2 log(E exp(s (B - p))) / s^2 on a fine grid."""
    s = np.concatenate([np.linspace(-60, 60, 240_001)])
    s = s[np.abs(s) > 0.05]
    value = 2 * (np.logaddexp(np.log1p(-p), np.log(p) + s) - p * s) / s**2
    assert np.max(value) <= kearns_saul(p) ** 2 * (1 + 1e-10)
    # Around 1/2 the supremum sits at s near 0, where the quotient has fewer digits.
    rel = 1e-3 if abs(p - 0.5) < 0.01 else 1e-6
    assert np.max(value) == pytest.approx(kearns_saul(p) ** 2, rel=rel)
    assert kearns_saul(p) == pytest.approx(kearns_saul(1 - p), rel=1e-7)


def test_kearns_saul_ends():
    assert kearns_saul(0.0) == kearns_saul(1.0) == 0.0
    assert kearns_saul(0.75) == pytest.approx(kearns_saul(0.75 + 1e-9), rel=1e-8)
    with pytest.raises(ValueError, match=r"p must be a number in \[0, 1\]"):
        kearns_saul(1.5)


def test_subgaussian_of_mixtures():
    assert bimodal(0.5).subgaussian == pytest.approx(math.hypot(0.5, 1.0))
    assert Contaminated(Gaussian(), 0.1, Cauchy()).subgaussian == math.inf
    assert Contaminated(Gaussian(), 0.0, Cauchy()).subgaussian == 1.0
    assert Mixture((Gaussian(1.0), Gaussian(3.0)), (0.9, 0.1)).subgaussian == 3.0


def test_centres():
    assert {n for n in NAMES if LAWS[n][0].centre != 0.0} == {
        "U01", "uniform -3 1", "constant", "shifted t",
    }  # fmt: skip
    assert LocationScale(Frechet(1.0), 2.0, 3.0).centre == 2.0
    assert TwoPoint(0.0, 1.0).centre == 0.5 and TwoPoint(0.0, 1.0, 0.3).centre == 0.0
    # The clean law's centre stays the point of reference under contamination.
    assert Contaminated(LocationScale(Gaussian(), 1.0), 0.1, PointMass(50.0)).centre == 1.0


def test_the_facts_of_a_law_can_be_read_off_for_every_example():
    for law, _ in LAWS.values():
        assert isinstance(law, Noise)
        assert law.symmetric in (True, False, None) and law.unimodal in (True, False, None)
        low, high = law.support
        assert low <= law.ppf(0.5) <= high
        assert isinstance(law.mean, float) and isinstance(law.variance, float)
        assert law.tail_index > 0
