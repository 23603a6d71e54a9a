"""Laws at the ends of the range of floats, and at nan: no error, no warning, the right limit."""

import math
import warnings

import numpy as np
import pytest
from scipy import stats
from test_noise_registry import LAWS, NAMES

from hbucb.noise import (
    Cauchy,
    Contaminated,
    Exponential,
    Frechet,
    Gaussian,
    Laplace,
    LocationScale,
    Mixture,
    Pareto,
    ParetoHole,
    PointMass,
    Scipy,
    StudentT,
    SymmetricLomax,
    TwoPoint,
    Uniform,
)
from hbucb.noise.floats import power_or_inf, sum_or_inf, weighted_power


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


HUGE = [
    Gaussian(1e155),
    Laplace(1e155),
    Exponential(1e155),
    Uniform(-1e155, 1e155),
    Uniform(1e200, 2e200),
    TwoPoint(-1e155, 1e155),
    StudentT(3.0, 1e155),
    Frechet(3.0, 1e155),
    Pareto(3.0, 1e155),
    SymmetricLomax(3.0, 1e155),
    ParetoHole(3.0, 1e155),
    LocationScale(Gaussian(), 0.0, 1e155),
    LocationScale(Gaussian(1e155)),
    Contaminated(Gaussian(), 0.1, PointMass(1e155)),
    Mixture((Gaussian(1e154), Gaussian(1e154), Gaussian(1e154)), (0.3, 0.3, 0.4)),
    Scipy(stats.norm(scale=1e155)),
]


@pytest.mark.parametrize("law", HUGE, ids=repr)
def test_moments_beyond_the_range_are_inf(law):
    if not isinstance(law, Mixture):
        assert law.variance == math.inf and law.moment(2.0) == math.inf
    assert law.moment(2.5) == math.inf and law.moment(2.0, about=1e160) == math.inf
    assert 0 < law.moment(0.5) < math.inf
    assert np.all(np.isfinite(law.sample(100, seed=1)))


def test_a_sum_beyond_the_range_is_inf():
    assert sum_or_inf([1e308, 1e308, 1.0]) == math.inf
    law = Mixture((PointMass(-1e154), PointMass(1e154)), (0.5, 0.5))
    assert law.variance == pytest.approx(1e308) and law.moment(2.0) == pytest.approx(1e308)


def test_what_is_in_range_stays_so_though_a_step_is_not():
    assert Uniform(1e160, 2e160).moment(1.0) == pytest.approx(1.5e160)
    assert Pareto(1e300).variance == 0.0 and Pareto(3.0, 1e150).variance == pytest.approx(0.75e300)
    assert Laplace(1e153).moment(2.0, about=1e152) == pytest.approx(2.01e306)
    assert Gaussian().moment(2.0, about=1e200) == math.inf
    assert LocationScale(Gaussian(), 0.0, 1e-200).moment(2.0, about=1e150) == pytest.approx(1e300)
    assert LocationScale(PointMass(1.0), 0.0, 1e200).variance == 0.0
    assert LocationScale(Gaussian(1e155), 0.0, 1e-150).variance == pytest.approx(math.inf)
    assert Contaminated(Gaussian(), 1e-10, PointMass(1e155)).variance == pytest.approx(1e300)
    assert TwoPoint(-1e200, 1e200, 0.0).variance == 0.0
    assert Scipy(stats.norm(scale=1e-150)).variance == pytest.approx(1e-300)
    assert Scipy(stats.cauchy(scale=1e200)).moment(0.5) == pytest.approx(math.sqrt(2) * 1e100)
    assert power_or_inf(0.0, 2.0) == 0.0 and weighted_power(1e-300, 1e160, 2.0) > 1e19


def test_many_degrees_of_freedom_lose_no_digit():
    """Variance df / (df - 2), and 2 / ((a - 1)(a - 2)) of the Lomax law."""
    assert StudentT(1e10).variance - 1 == pytest.approx(2e-10, rel=1e-5)
    assert StudentT(1e20).variance == pytest.approx(1.0) and StudentT(1e300).moment(
        2.0
    ) == pytest.approx(1.0)
    assert SymmetricLomax(1e8).variance == pytest.approx(2e-16, rel=1e-7)


@pytest.mark.parametrize("about", [1e4, -1e4, 1e10, 1e150])
def test_a_moment_about_a_far_point_sees_all_the_mass(about):
    assert Scipy(stats.norm()).moment(2.0, about) == pytest.approx(about**2 + 1, rel=1e-9)
    assert Scipy(stats.t(3.0)).moment(1.0, about) == pytest.approx(abs(about), rel=1e-7)


@pytest.mark.parametrize("law", [Gaussian(0.05), Laplace(0.02), StudentT(3.0, 0.1)])
def test_the_mass_of_a_law_far_on_the_left_is_that_of_its_mirror_image(law):
    """Both values of the CDF round to 1 there: the difference lost all digits (bimodal law)."""
    left, right = LocationScale(law, -1.0), LocationScale(law, 1.0)
    r = np.array([0.0, 0.3, 0.5, 0.9, 1.0, 2.0])
    assert np.allclose(left.mass(r), right.mass(r), rtol=1e-9, atol=0)
    two = Mixture((left, right), (0.5, 0.5))
    assert np.allclose(two.mass(r), right.mass(r), rtol=1e-9, atol=0)


def test_the_bimodal_law_has_the_mass_of_a_normal_tail_at_its_centre():
    two = Mixture(tuple(LocationScale(Gaussian(0.05), x) for x in (-1.0, 1.0)), (0.5, 0.5))
    assert np.isclose(two.mass(0.5), stats.norm.sf(10), rtol=1e-6, atol=0)


def test_far_points_and_narrow_laws_raise_no_warning():
    for law in (Gaussian(), Laplace(), Cauchy(), StudentT(2.0), Frechet(1.0), Exponential()):
        assert law.pdf(1e200) < 1e-300 and law.pdf(-1e308) < 1e-300
        assert law.cdf(1e308) == 1.0 and law.mass(1e308) == 1.0
    assert Gaussian(1e-310).pdf(1.0) == 0.0 and Gaussian(1e-310).cdf(1.0) == 1.0


def test_draws_beyond_the_range_are_inf():
    for law in (Frechet(0.001), Pareto(0.001), SymmetricLomax(0.001), Cauchy(1e308)):
        draws = law.sample(2000, seed=1)
        assert np.isinf(draws).any() and not np.isnan(draws).any()
        share = 1.0 - law.mass(np.finfo(float).max)
        low, high = stats.binom.ppf([1e-7, 1 - 1e-7], 2000, share)
        assert low <= np.isinf(draws).sum() <= high
    assert not np.isnan(StudentT(2.3e-308).sample(2000, seed=1)).any()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: StudentT(5e-324), r"df must be >= 2\.2250738585072014e-308, got 5e-324"),
        (lambda: Uniform(-1e308, 1e308), "high - low must be in the range of floats"),
        (lambda: TwoPoint(-1e308, 1e308), "high - low must be in the range of floats"),
        (lambda: LocationScale(Gaussian(), 1.0, 1e-320), "loc / scale must be in the range"),
        (lambda: Scipy(stats.norm(0, 0)), "parameters of norm must be in its domain"),
    ],
)
def test_parameters_that_no_draw_survives_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize("name", NAMES)
def test_nan_in_nan_out(name):
    law, _ = LAWS[name]
    functions = [law.cdf, law.ppf, law.mass, law.atom] + [law.pdf] * (not law.has_atoms)
    for function in functions:
        assert np.isnan(function(np.nan)) and np.ndim(function(np.nan)) == 0
        some, known = function([0.25, np.nan, 0.75]), function([0.25, 0.75])
        assert np.isnan(some[1]) and np.array_equal(some[[0, 2]], known)
