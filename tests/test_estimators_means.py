"""Truncated, trimmed and p-robust means, Catoni, the geometric median: by hand, by brute force."""

import math

import numpy as np
import pytest

from hbucb import estimators as est

INF, NAN = math.inf, math.nan


def test_truncated_mean_by_hand():
    # ln(1/delta) = 1, u = 4, eps = 1: thresholds 2, sqrt 8, sqrt 12, 4; equality is kept.
    x = [2.0, 2.9, -3.4, 4.0]
    assert est.TruncatedMean(1.0, 4.0).estimate(x, math.exp(-1)) == (2 - 3.4 + 4) / 4
    # eps = 1/2, u = 1: thresholds j^(2/3) = 1, 1.587, 2.08.
    assert est.TruncatedMean(0.5, 1.0).estimate([1.1, 1.5, 2.0], math.exp(-1)) == 3.5 / 3


def test_catoni_by_hand():
    # Two samples +-1 around 5 by symmetry; one sample is its own root.
    assert est.Catoni(1.0).estimate([4.0, 6.0], 0.1) == pytest.approx(5.0, abs=1e-15)
    assert est.Catoni(1.0).estimate([3.25], 0.1) == 3.25
    # Three samples 0, 0, x with a theta = y: 2 psi(y) = psi(a x - y). For y = 1, psi = ln 2.5,
    # 1 + z + z^2/2 = 6.25 has z = sqrt(11.5) - 1, so x = sqrt(11.5) / a has the root 1/a.
    a = float(est.Catoni(1.0).scale(3, 0.5))
    assert est.Catoni(1.0).estimate([0, 0, math.sqrt(11.5) / a], 0.5) == pytest.approx(1 / a)


def test_catoni_scale_makes_the_radius_the_root_of_its_quadratic():
    for n, delta, v in ((10, 0.1, 1.0), (400, 1e-3, 2.5), (50, 1e-8, 0.3)):
        level, catoni = math.log(1 / delta), est.Catoni(v)
        a, z = float(catoni.scale(n, delta)), float(catoni.radius(n, delta))
        assert a * z**2 / 2 - z + a * v / 2 + level / (n * a) == pytest.approx(0, abs=1e-13)
        printed = math.sqrt(2 * level / (n * (v + 2 * v * level / (n - 2 * level))))
        assert a == pytest.approx(printed)
        if n >= 4 * level:
            assert z <= 2 * math.sqrt(v * level / n)
        # No other scale has a smaller root.
        for other in (0.9 * a, 1.1 * a):
            inner = 1 - other**2 * v - 2 * level / n
            assert inner < 0 or (1 - math.sqrt(inner)) / other > z
    assert est.Catoni(1.0).radius([0, 1, 4, 5], math.exp(-2)).tolist()[:3] == [INF, INF, INF]


def test_trimmed_mean_by_definition():
    rng = np.random.default_rng(1)
    x, delta = rng.standard_cauchy(301), 0.1
    k = 20  # 16 ln 40 / 3 = 19.67
    y = sorted(x[1:300:2])
    low, high = y[k - 1], y[-k]
    expected = math.fsum(min(max(value, low), high) for value in x[0:300:2]) / 150
    trimmed = est.TrimmedMean()
    assert trimmed.trimmed(delta) == k
    assert trimmed.estimate(x, delta) == pytest.approx(expected, abs=1e-15)
    with pytest.raises(ValueError, match=r"n >= 80"):
        trimmed.estimate(x[:79], delta)


def test_trimmed_mean_constants():
    # Each term of the proof: exponents of Bernstein's inequality, then the sum against 9.
    for delta in (0.3, 1e-3, 1e-12):
        level = math.log(4 / delta)
        for e in (0.01, 0.1, 0.25, 0.375):
            half = 16 * level / (3 * e)
            upper = (e * half) ** 2 / (2 * (2 * e * half + e * half / 3))
            lower = (e * half / 2) ** 2 / (2 * (e * half / 2 + e * half / 6))
            assert min(upper, lower) >= level * (1 - 1e-12)
            bias, last = math.sqrt(2 * e / (1 - 2 * e)), math.log(2 / delta)
            total = bias + math.sqrt(2 * last / half)
            total += (math.sqrt(2 / e) + math.sqrt(e / (2 - e))) * last / (3 * half)
            assert total <= 8.2 * math.sqrt(level / half)
    edge = 16 * math.log(4 / 0.05) / 0.375 / 3
    radii = est.TrimmedMean().radius([2 * math.floor(edge), 2 * math.ceil(edge)], 0.05)
    assert radii[0] == INF and radii[1] < INF


def test_bias_of_clipping_at_a_quantile():
    # E(Q - X)^+ <= sigma sqrt(p / (1-p)), Q the p-quantile: exact on random discrete laws.
    rng = np.random.default_rng(2)
    for _ in range(300):
        x, w = np.sort(rng.standard_cauchy(6)), rng.dirichlet(np.full(6, 0.5))
        mean = w @ x
        sigma = math.sqrt(w @ (x - mean) ** 2)
        for p in (0.01, 0.1, 0.5, 0.75):
            q = x[min(np.searchsorted(np.cumsum(w), p), 5)]
            assert w @ np.maximum(q - x, 0) <= sigma * math.sqrt(p / (1 - p)) * (1 + 1e-9)


def test_p_robust_coefficient_is_the_smallest_valid_one():
    x = np.exp(np.linspace(-25, 25, 400_001))
    for p in (1.02, 1.2, 1.5, 1.9, 2.0):
        b = est.PRobustMean(p).b

        def slack(b, p=p):  # ln(1+x+bx^p) >= -ln(1-x+bx^p), written without logarithms
            return (2 * b * x ** (p - 2) + b**2 * x ** (2 * p - 2)).min()

        assert slack(b) >= 1 - 1e-9
        assert slack(b * 0.999) < 1
    assert est.PRobustMean(2.0).b == 0.5


def test_p_robust_mean_by_hand():
    # p = 2, n = 4, c = 1: X/2, psi(1/2) = ln(1.625), psi(-1) = -ln 2.5, psi(0) = 0.
    got = est.PRobustMean(2.0, 1.0).estimate([1.0, -2.0, 0.0, 0.0], 0.1)
    assert got == pytest.approx((math.log(1.625) - math.log(2.5)) / 2, abs=1e-16)
    # Beyond the range of floats: ln(b x^p) = p ln x + ln b.
    far = est.PRobustMean(2.0, 1.0).estimate([1e200], 0.1)
    assert far == pytest.approx(400 * math.log(10) - math.log(2))


def test_geometric_median_by_geometry():
    # Fermat point of an equilateral triangle; an obtuse corner above 120 degrees is its own.
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(0.75)]])
    assert est.geometric_median(corners) == pytest.approx([0.5, math.sqrt(1 / 12)], abs=1e-8)
    flat = np.array([[0.0, 0.0], [10.0, 1.0], [-10.0, 1.0]])
    assert est.geometric_median(flat) == pytest.approx([0.0, 0.0], abs=1e-7)
    rng = np.random.default_rng(6)
    points = rng.standard_cauchy((15, 3))

    def cost(z):
        return np.sqrt(((points - z) ** 2).sum(axis=1)).sum()

    best = est.geometric_median(points)
    for _ in range(200):
        assert cost(best) <= cost(best + 1e-3 * rng.standard_normal(3))


def test_geometric_median_where_an_iteration_of_weiszfeld_creeps():
    # On lattices the median is often one of the points or close to one; on a line it is not one
    # point only. No point of a ball around the answer may do better.
    rng = np.random.default_rng(11)
    for case in range(400):
        points = rng.integers(-2, 3, (int(rng.integers(1, 12)), int(rng.integers(1, 5)))) * 1.0
        if case % 2:
            points[:, 1:] = points[:, :1] * (1 + 1e-7 * rng.standard_normal(points[:, 1:].shape))

        def cost(z, points=points):
            return np.sqrt(((points - z) ** 2).sum(axis=1)).sum()

        best = est.geometric_median(points)
        others = [*points, *(best + 10.0 ** -rng.integers(1, 6, (40, 1)) * rng.standard_normal(
            (40, best.size)))]  # fmt: skip
        assert cost(best) <= min(map(cost, others)) + 1e-12


@pytest.mark.parametrize("scale", [1e300, 1e160, 1e-200, 1e-310])
def test_geometric_median_of_points_whose_squares_no_float_holds(scale):
    points = np.random.default_rng(5).normal(size=(9, 3))
    got = est.geometric_median(scale * points) / scale
    assert got == pytest.approx(est.geometric_median(points), rel=1e-8)


def test_geometric_constants():
    a, p = 7 / 18, 0.1
    psi = (1 - a) * math.log((1 - a) / (1 - p)) + a * math.log(a / p)
    assert 1 / psi <= 3.5
    for delta in (0.5, 0.05, 1e-6, 1e-30):
        k = math.floor(3.5 * math.log(1 / delta)) + 1
        assert math.exp(-k * psi) <= delta
        factor = (1 - a) / math.sqrt(1 - 2 * a) * math.sqrt(2 * k / p)
        assert factor <= 10.9 * math.sqrt(math.log(1.4 / delta))


def test_radii_by_hand():
    e = math.exp(-1)  # ln(1/delta) = 1
    assert est.SampleMean(3.0).radius(2, e) == pytest.approx(3.0)
    assert est.TruncatedMean(1.0, 4.0).radius(16, e) == pytest.approx(4 * 2 / 4)
    assert est.TruncatedMean(0.5, 8.0).radius(27, e) == pytest.approx(4 * 4 / 3)
    assert est.MedianOfMeans(1.0, 3.0).radius(50, e) == pytest.approx(6 * math.sqrt(18 / 50))
    assert est.Catoni(4.5).radius(11, e) == pytest.approx(1.0)
    assert est.TrimmedMean(2.0).radius(200, 4 * e**4) == pytest.approx(18 * 0.2)
    assert est.Huber(2.0, 0.5, 1.0).radius(32, e) == pytest.approx(1.0)
    assert est.PRobustMean(2.0, 2.0, 8.0).radius(16, e) == pytest.approx(2 / 4 * (1 + 1))
    assert est.GeometricMedianOfMeans(4.0).radius(100, 1.4 * e**4) == pytest.approx(22 * 0.2)
    # m = 1, alpha = 1: (3/4 / delta)^(1/2), whatever the block size.
    smom = est.SmoothedMedianOfMeans(1, 0.0, 1.0, 1.0)
    assert smom.radius([3, 30], 0.03) == pytest.approx([5, 5])
    # One sample, uniform noise: the radius leaves delta above it, 1/2 - delta of the width.
    assert est.SampleMedian(1.0, 0.5).radius(1, 0.1) == pytest.approx(0.4)
    assert est.SampleMedian(1.0, 0.3).radius(1, 0.1) == INF  # beyond the reach
    # Never negative: a law that is narrower than the worst one has no room below its centre.
    assert est.SampleMedian(1.0, 0.5).radius([1, 2, 41], 0.9).tolist() == [0, 0, 0]
