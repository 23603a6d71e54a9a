"""Moments, means and variances against quadrature on the quantile scale of the scipy reference."""

import math

import numpy as np
import pytest
from test_noise_registry import LAWS, NAMES, Point

from hbucb.noise import Cauchy, Frechet, Gaussian, Laplace, StudentT, SymmetricLomax, gallery


def panels(breaks):
    """Gauss-Legendre nodes and weights, 20 a panel."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    breaks = np.unique(breaks)
    half, middle = np.diff(breaks) / 2, (breaks[1:] + breaks[:-1]) / 2
    return (middle[:, None] + half[:, None] * nodes).ravel(), np.outer(half, weights).ravel()


def expectation(reference, f, order, tail_index, about=0.0):
    """E f(xi), f vectorised, smooth off ``about`` and growing like |x|^order.

    By the density of the reference on the logarithmic scale s = log|x - about|, which flattens
    the kink at ``about`` and the tail; far out a power tail continues geometrically.
    """
    end = 600.0 / (1.0 + tail_index) if tail_index < math.inf else 30.0
    total = 0.0
    for weight, sign, frozen in reference:
        if isinstance(frozen, Point):
            total += weight * float(f(np.float64(sign * frozen.c)))
            continue
        if hasattr(frozen.dist, "pmf"):
            k = np.arange(200)
            total += weight * np.sum(f(sign * k) * frozen.pmf(k))
            continue
        loc = sign * frozen.kwds.get("loc", frozen.args[-2] if len(frozen.args) > 1 else 0.0)
        edges = [sign * e for e in (*frozen.support(), frozen.median()) if np.isfinite(e)]
        breaks = [math.log(abs(e - about)) for e in (loc, *edges) if abs(e - about) > 1e-12]
        breaks += [*np.arange(-60.0, -6.0, 1.0), *np.arange(-6.0, 9.0, 0.04)]
        s, w = panels([b for b in breaks if b <= 9.0] + list(np.linspace(9.0, end, 60)))
        for side in (-1.0, 1.0):
            x = about + side * np.exp(s)
            density = frozen.pdf(sign * x) * np.exp(s)
            values = np.zeros(s.size)
            values[density > 0] = f(x[density > 0]) * density[density > 0]
            total += weight * np.sum(w * values)
            if tail_index < math.inf:
                total += weight * values[-1] / (tail_index - order)
    return total


def orders(law):
    return (
        [0.5, 1.0, 2.0, 3.7]
        if law.tail_index == math.inf
        else [share * law.tail_index for share in (0.3, 0.5, 0.9)]
    )


@pytest.mark.parametrize("about", ["0", "centre", 0.7, -2.5, 40.0])
@pytest.mark.parametrize("name", NAMES)
def test_moments_against_quadrature(name, about):
    law, reference = LAWS[name]
    a = {"0": 0.0, "centre": law.centre}.get(about, about)
    for order in orders(law):

        def power(x, order=order):
            return np.abs(x - a) ** order

        expected = expectation(reference, power, order, law.tail_index, about=a)
        assert law.moment(order, about=a) == pytest.approx(expected, rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_mean_and_variance(name):
    law, reference = LAWS[name]
    if law.tail_index > 1:
        mean = expectation(reference, lambda x: x, 1.0, law.tail_index)
        assert law.mean == pytest.approx(mean, rel=1e-8, abs=1e-8)
        if law.tail_index > 2:
            square = expectation(reference, lambda x: (x - mean) ** 2, 2.0, law.tail_index)
            assert law.variance == pytest.approx(square, rel=1e-7, abs=1e-12)
        else:
            assert law.variance == math.inf
    else:
        expected = math.inf if law.support[0] > -math.inf else math.nan
        assert law.mean == pytest.approx(expected, nan_ok=True)
        assert math.isnan(law.variance)


@pytest.mark.parametrize("name", NAMES)
def test_moments_are_infinite_from_the_tail_index_on_and_finite_below(name):
    law, _ = LAWS[name]
    if law.tail_index < math.inf:
        for order in (law.tail_index, 1.01 * law.tail_index, 40.0):
            assert law.moment(order) == math.inf
            assert law.moment(order, about=1.0) == math.inf
        assert 0 < law.moment(0.999 * law.tail_index, about=2.0) < math.inf
    else:
        assert law.moment(12.0) < math.inf


@pytest.mark.parametrize("name", NAMES)
def test_tail_index_against_the_slope_of_the_tail(name):
    """log P(|xi| > r) falls by tail_index per unit of log r; at light tails ever faster."""
    law, reference = LAWS[name]

    def tail(r):
        upper = sum(w * (f.sf(r) if s > 0 else f.cdf(-r)) for w, s, f in reference)
        return upper + sum(w * (f.cdf(-r) if s > 0 else f.sf(r)) for w, s, f in reference)

    if law.tail_index < math.inf:
        slope = -math.log(tail(1e9) / tail(1e8)) / math.log(10)
        assert slope == pytest.approx(law.tail_index, rel=1e-3)
    else:
        r = max(abs(law.ppf(1e-15)), abs(law.ppf(1 - 1e-15)))
        assert tail(2 * r + 1) <= 1e-15 * 2.0**-12  # faster than order 12


@pytest.mark.parametrize("order", [0.2, 0.5, 0.9, 0.999])
def test_cauchy_moment_is_one_over_a_cosine(order):
    expected = 3.0**order / math.cos(math.pi * order / 2)
    assert Cauchy(3.0).moment(order) == pytest.approx(expected, rel=1e-10)
    assert StudentT(1.0, 3.0).moment(order) == pytest.approx(expected, rel=1e-10)


def test_moments_of_shifted_cauchy_in_closed_form():
    """E|xi - a|^p = (1 + a^2)^(p/2) cos(p arctan(a)) / cos(pi p / 2): harmonic extension."""
    for p in (0.1, 0.5, 0.95, 0.9999):
        for a in (1e-3, 1.0, 50.0, 1e6):
            expected = (
                (1 + a * a) ** (p / 2) * math.cos(p * math.atan(a)) / math.cos(math.pi * p / 2)
            )
            assert Cauchy().moment(p, about=a) == pytest.approx(expected, rel=1e-7)


def test_textbook_values():
    assert Gaussian(2.0).moment(6.0) == pytest.approx(15 * 64)
    assert Laplace(0.5).moment(3.0) == pytest.approx(6 / 8)
    assert StudentT(5.0).variance == pytest.approx(5 / 3)
    assert SymmetricLomax(3.0).variance == pytest.approx(2 / ((3 - 1) * (3 - 2)))
    assert Frechet(1.25).mean == pytest.approx(4.5908, abs=5e-5)
    assert Frechet(2.0).mean == pytest.approx(math.sqrt(math.pi))


def test_moments_scale_with_the_law():
    for factor in (1e-8, 1e8):
        for make in (Gaussian, Cauchy, Laplace, lambda s: StudentT(2.5, s)):
            scaled, law = make(factor), make(1.0)
            assert scaled.moment(0.7, about=factor) == pytest.approx(
                factor**0.7 * law.moment(0.7, about=1.0), rel=1e-8
            )


@pytest.mark.parametrize("order", [0.0, -1.0, math.nan, math.inf, "two", True])
def test_orders_that_are_refused(order):
    for law in gallery().values():
        with pytest.raises(ValueError, match="order must be a finite number > 0"):
            law.moment(order)


def test_points_that_are_refused():
    with pytest.raises(ValueError, match="about must be a finite number"):
        Gaussian().moment(1.0, about=math.nan)


def test_a_moment_beyond_the_range_of_floats_is_inf():
    assert Gaussian().moment(1000.0) == math.inf and np.isfinite(Gaussian().moment(100.0))
