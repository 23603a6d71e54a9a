"""Density, CDF, quantiles and central mass against scipy.stats, quadrature and each other."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from test_noise_registry import CONTINUOUS, LAWS, NAMES, Point, reference_cdf

from hbucb.noise import Cauchy, Gaussian, Mixture, StudentT, SymmetricLomax, TwoPoint


def points(law):
    """Quantiles, points between them and outside the support, zero."""
    q = law.ppf(np.array([1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.52, 0.7, 0.9, 0.999, 1 - 1e-7]))
    return np.unique(np.concatenate([q, -q, q + 0.37, [0.0, 0.5, 1.0, 2.0]]))


@pytest.mark.parametrize("name", NAMES)
def test_cdf_against_scipy(name):
    law, reference = LAWS[name]
    x = points(law)
    np.testing.assert_allclose(law.cdf(x), reference_cdf(reference, x), rtol=1e-9, atol=1e-14)
    assert law.cdf(-np.inf) == 0 and abs(law.cdf(np.inf) - 1) < 1e-15
    low, high = law.support
    if low > -np.inf:
        assert law.cdf(low - 1e-6) == 0
    if high < np.inf:
        assert abs(law.cdf(high) - 1) < 1e-15 and law.cdf(high - 1e-6) < 1


@pytest.mark.parametrize("name", CONTINUOUS)
def test_pdf_against_scipy(name):
    law, reference = LAWS[name]
    x = points(law) + 1e-7  # off the jumps, where a density may be either value
    expected = sum(w * frozen.pdf(sign * x) for w, sign, frozen in reference)
    np.testing.assert_allclose(law.pdf(x), expected, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_pdf_integrates_to_the_cdf(name):
    law, _ = LAWS[name]
    x = np.unique(law.ppf(np.linspace(0.02, 0.98, 25)))
    ends = [e for part in law.__dict__.get("components", ()) for e in part.support]
    ends += [*law.support, -1.0, 1.0, 0.0]
    for a, b in pairwise(x):
        breaks = [e for e in ends if a < e < b]
        area = quad(law.pdf, a, b, points=breaks or None, epsabs=1e-12, limit=200)[0]
        assert abs(area - (law.cdf(b) - law.cdf(a))) < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_ppf_is_the_smallest_x_with_cdf_at_least_q(name):
    law, _ = LAWS[name]
    q = np.array([1e-12, 1e-6, 0.001, 0.1, 0.25, 0.49, 0.5, 0.51, 0.75, 0.9, 0.999, 1 - 1e-9])
    x = law.ppf(q)
    assert np.all(np.diff(x) >= 0)
    below = law.cdf(x) - law.atom(x)
    assert np.all(law.cdf(x) >= q * (1 - 1e-9) - 1e-15)
    assert np.all(below <= q * (1 + 1e-9) + 1e-15)
    assert (law.ppf(0.0), law.ppf(1.0)) == law.support
    assert np.ndim(law.ppf(0.3)) == 0 and law.ppf(np.full((2, 3), 0.4)).shape == (2, 3)


@pytest.mark.parametrize("name", NAMES)
def test_mass_is_that_of_the_open_interval(name):
    law, reference = LAWS[name]
    r = np.unique(np.abs(points(law)))
    expected = reference_cdf(reference, r, strict=True) - reference_cdf(reference, -r)
    np.testing.assert_allclose(law.mass(r), np.maximum(expected, 0), rtol=1e-8, atol=1e-13)
    assert law.mass(0.0) == 0 and law.mass(-1.0) == 0 and abs(law.mass(np.inf) - 1) < 1e-15


def test_mass_near_zero_has_full_relative_precision():
    """As r -> 0 the mass is 2 r pdf(0): a difference of two CDF values would have no digit."""
    for law in (Cauchy(2.0), Gaussian(0.5), StudentT(1.5), SymmetricLomax(0.5)):
        assert law.mass(1e-12) == pytest.approx(2e-12 * law.pdf(0.0), rel=1e-10, abs=0)
    assert Mixture((Cauchy(), Gaussian()), (0.5, 0.5)).mass(1e-13) > 0


def test_atoms():
    for name in NAMES:
        law, reference = LAWS[name]
        if any(isinstance(frozen, Point) for _, _, frozen in reference):
            assert law.has_atoms
            for x in (-2.0, -1.0, -0.9, 0.0, 1.0, 4.0, 20.0):
                p = sum(w for w, s, f in reference if isinstance(f, Point) and s * f.c == x)
                assert law.atom(x) == pytest.approx(p, abs=1e-15)
                assert law.pmf.get(x, 0.0) == pytest.approx(p, abs=1e-15)
        elif name != "scipy poisson":
            assert not law.has_atoms and law.pmf == {} and law.atom(0.0) == 0


@pytest.mark.parametrize("name", [n for n in NAMES if LAWS[n][0].has_atoms])
def test_a_law_with_atoms_has_no_density(name):
    with pytest.raises(ValueError, match="has atoms"):
        LAWS[name][0].pdf(0.0)


@pytest.mark.parametrize("q", [-0.1, 1.1, [0.5, 2.0], [np.nan, 2.0]])
def test_ppf_refuses_what_is_no_probability(q):
    with pytest.raises(ValueError, match=r"q must lie in \[0, 1\]"):
        Cauchy().ppf(q)


def test_quantiles_that_the_subject_quotes():
    assert TwoPoint().ppf([0.0, 0.5, 0.51]).tolist() == [-1.0, -1.0, 1.0]
    assert LAWS["frechet 1"][0].ppf(0.5) == pytest.approx(1.4427, abs=5e-5)
    assert LAWS["frechet 1.25"][0].ppf(0.5) == pytest.approx(1.3407, abs=5e-5)
