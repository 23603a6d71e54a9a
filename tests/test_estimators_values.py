"""Estimators against hand computation, brute force, equivariance and infinite samples."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from hbucb import estimators as est
from hbucb.bandits import Bandit
from hbucb.estimators.hodges_lehmann import signed_rank_rank, walsh
from hbucb.noise import Cauchy, Exponential, Gaussian, PointMass, StudentT, SymmetricLomax, TwoPoint

INF, NAN = math.inf, math.nan


# ------------------------------------------------------------------ by hand
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


@pytest.mark.parametrize(
    ("x", "lam", "root"),
    [
        ([7.0], 1.0, 7.0),
        ([0.0, 1.0, 8.0], 1.0, 1.0),  # clip(1) + clip(0) + clip(-7) = 1 + 0 - 1
        ([0.0, 1.0, 8.0], 20.0, 3.0),  # nothing is clipped: the mean
        ([0.0, 10.0], 1.0, 5.0),  # roots 1..9
        ([0.0, 0.0, 0.0, 10.0], 3.0, 1.0),
        ([0.0, 3.0, INF, -INF], 2.0, 1.5),
        ([0.0, 1.0, INF], 2.0, 1.5),  # t + (t - 1) - 2 = 0
        ([0.0, INF, INF], 2.0, INF),
        ([-INF], 1.0, -INF),
        ([0.0, INF], 1.0, INF),  # all t >= 1
        ([1e300], 1.0, 1e300),  # lam is below the spacing of floats
        ([1e300, 1e300, 0.0], 1.0, 1e300),
        ([-1e300, -1e300, 0.0, -INF, INF], 1.0, -1e300),
        ([1e300, -1e300, 0.0], 1.0, 0.0),
    ],
)
def test_huber_by_hand(x, lam, root):
    assert est.Huber(lam=lam).estimate(x, 0.1) == root


def test_huber_roots_by_bisection():
    rng = np.random.default_rng(3)
    for n, lam in ((3, 0.1), (10, 1.0), (101, 0.5), (400, 3.0)):
        x = rng.standard_cauchy(n)
        got = est.Huber(lam=lam).estimate(x, 0.1)

        def total(theta, x=x, lam=lam):
            return math.fsum(np.clip(theta - x, -lam, lam))

        assert abs(total(got)) <= 1e-12 * n
        grid = np.linspace(x.min(), x.max(), 1001)
        signs = [total(theta) for theta in grid]
        roots = [theta for theta, value in zip(grid, signs, strict=True) if abs(value) < 1e-12]
        if roots:  # a flat piece: its middle
            assert min(roots) <= got <= max(roots)


def test_huber_drift_by_closed_form_and_simulation():
    # Cauchy, derivative at 0: P(|xi| < lam) = 2/pi atan(lam); symmetry: h(0) = 0.
    huber = est.Huber(lam=2.0)
    assert huber.drift(Cauchy(), 0.0) == pytest.approx(0, abs=1e-10)
    slope = (huber.drift(Cauchy(), 1e-4) - huber.drift(Cauchy(), -1e-4)) / 2e-4
    assert slope == pytest.approx(2 / math.pi * math.atan(2.0), rel=1e-6)
    draws = np.clip(0.7 - Cauchy().sample(400_000, seed=4), -2, 2)
    assert huber.drift(Cauchy(), 0.7) == pytest.approx(draws.mean(), abs=6 * draws.std() / 632)
    # The radius that knows the law solves h(r) = lam sqrt(2L/n) and is the smaller one.
    r = huber.radius_for(Cauchy(), 200, 0.05)
    assert huber.drift(Cauchy(), r) == pytest.approx(2 * math.sqrt(2 * math.log(20) / 200))
    assert r < est.Huber(lam=2.0, slope=0.5).radius(200, 0.05)
    assert huber.radius_for(Cauchy(), 5, 0.05) == INF
    # Two points at -1 and 1, lam = 2: h(r) = r up to 1, then (1 + r)/2 up to 3.
    points = [huber.drift(TwoPoint(), r) for r in (0.25, 1.0, 2.0, 3.0, 9.0)]
    assert points == pytest.approx([0.25, 1.0, 1.5, 2.0, 2.0])
    n = np.array([5, 6, 7, 8, 10, 30, 90, 1000])
    h = 2 * np.sqrt(2 * math.log(20) / n)
    exact = np.where(h <= 1, h, np.where(h <= 2, 2 * h - 1, INF))
    table = huber.radius_for(TwoPoint(), n, 0.05)
    assert (table >= exact * (1 - 1e-12)).all() and (table <= exact * 1.01).all()
    assert huber.radius_for(TwoPoint(), n[:1], 0.05).tolist() == [INF]
    # Heavy tails far out; and mass beyond the range of floats: h < .508 lam within it.
    far = huber.radius_for(StudentT(0.02), np.array([6, 7, 10, 1000]), 0.05)
    assert (np.diff(far) < 0).all() and far[0] > 1e40
    got = huber.radius_for(SymmetricLomax(0.001), np.array([22, 23, 25, 60, 600]), 0.05)
    share = np.sqrt(2 * math.log(20) / np.array([25, 60, 600]))
    assert (got[:2] == INF).all()
    more = np.log(got[2:]) + 1000 * np.log(1 - share)  # a point of the grid every e^1.1
    assert (more > -1e-3).all() and (more < 1.1).all()
    assert est.huber_level([0, 8], math.exp(-1)) == pytest.approx([INF, 0.5])
    assert [est.huber_pulls(h, 2.0, math.exp(-1)) for h in (2.0, 1.0, 0.9)] == [3, 9, 10]
    with pytest.raises(ValueError, match="drift = 3"):
        est.huber_pulls(3.0, 2.0, 0.1)
    with pytest.raises(ValueError, match="law = Exponential"):
        huber.radius_for(Exponential(), 200, 0.05)


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


def test_sample_median_and_its_streaming_form_agree():
    for x in ([3.0], [4.0, 1.0], [5.0, 1.0, 2.0], [1.0, INF, -INF, 2.0]):
        assert est.SampleMedian().estimate(x, 0.1) == np.median(x)
        assert est.MedianOfGroups(1).estimate(x) == np.median(x)
    assert math.isnan(est.SampleMedian().estimate([INF, -INF], 0.1))


def binomial_tail(n, m):
    return Fraction(sum(math.comb(n, k) for k in range(m, n + 1)), 2**n)


def test_upper_rank_by_exact_fractions():
    for delta in (0.49, 0.25, 0.1, 0.01, 1e-4, 1e-8):
        exact = Fraction(delta)
        ns = [*range(41), 100, 333]
        expected = [next(m for m in range(n + 2) if binomial_tail(n, m) <= exact) for n in ns]
        assert est.upper_rank(ns, delta).tolist() == expected
        # The same rank in the other words: P(Bin <= m - 1) >= 1 - delta.
        for n, m in zip(ns, expected, strict=True):
            assert 1 - binomial_tail(n, m) >= 1 - exact
    first = [int(np.argmax(est.upper_rank(range(60), d) <= range(60))) for d in (0.1, 1e-2, 1e-4)]
    assert first == [4, 7, 14]


def test_order_statistic_with_atoms_exactly():
    # P(X_(m) < mu) and P(X_(m) >= mu + x) over all 3^5 samples of a law on -1, 0, 2.
    weights = {-1.0: 0.3, 0.0: 0.3, 2.0: 0.4}
    below = above = 0.0
    for x in itertools.product(weights, repeat=5):
        p = math.prod(weights[value] for value in x)
        upper = est.OrderStatistic().estimate(x, 0.2)
        below += p * (upper < 0)
        above += p * (upper >= 2)
    assert below <= 0.2
    # m_5 = 4: the limit is >= 2 iff at most 3 of 5 are < 2 (strict), each with probability 0.6.
    tail = sum(math.comb(5, k) * 0.6**k * 0.4 ** (5 - k) for k in range(4))
    assert above == pytest.approx(tail)


def test_walsh_averages_by_brute_force():
    rng = np.random.default_rng(5)
    for x in (
        rng.standard_cauchy(30),
        rng.integers(-3, 4, 25).astype(float),
        np.array([1e300, -1e300, 0.0, 5e-324, -0.0, 1.5e308]),
        rng.standard_cauchy(450),  # counted, not listed
        rng.integers(-3, 4, 450).astype(float),
    ):
        pairs = sorted(x[i] / 2 + x[j] / 2 for i in range(x.size) for j in range(i, x.size))
        for rank in {1, 2, len(pairs) // 2, len(pairs) - 1, len(pairs)}:
            assert walsh(x, rank) == pairs[rank - 1]
        if x.size < 100 or x.size == 450:
            middle = pairs[(len(pairs) - 1) // 2] / 2 + pairs[len(pairs) // 2] / 2
            assert est.HodgesLehmann().estimate(x, 0.1) == middle


def test_signed_rank_law_by_all_sign_patterns():
    for n in (1, 4, 8):
        sums = [
            sum(r for r, s in enumerate(signs, 1) if s)
            for signs in itertools.product((0, 1), repeat=n)
        ]
        for delta in (0.4, 0.1, 0.01):
            tails = [sum(s >= c for s in sums) / 2**n for c in range(n * (n + 1) // 2 + 2)]
            expected = next(c for c, tail in enumerate(tails) if tail <= delta)
            assert signed_rank_rank(n, delta) == expected
    # Hoeffding beyond the table is never smaller than the exact rank would be.
    exact = signed_rank_rank(200, 0.01)
    hoeffding = 200 * 201 / 4 + math.sqrt(math.log(100) * 200 * 201 * 401 / 12)
    assert exact <= hoeffding <= 1.06 * exact
    assert signed_rank_rank(201, 0.01) > exact


def test_smoothed_median_facts():
    # Tail indices against quadrature facts: median of 3 Cauchy draws has a mean and no variance.
    assert est.smom_has_mean(1.0, 1) is True and est.smom_has_variance(1.0, 1) is None
    assert est.smom_has_mean(0.3, 2) is False and est.smom_has_mean(0.5, 1) is None
    assert est.smom_has_variance(0.5, 4) is True and est.smom_has_variance(0.5, 2) is False
    assert [round(est.cauchy_median_variance(m), 6) for m in (1, 2, 3)] == [INF, 1.221253, 0.612082]
    for m in (2, 3, 5):  # the bound holds on Cauchy with every order it may be told
        for alpha in (0.7, 0.8, 0.9):
            sigma = (1 / math.cos(math.pi * alpha / 2)) ** (1 / alpha)
            assert est.cauchy_median_variance(m) <= est.smom_variance_bound(alpha, sigma, m)
    assert est.smom_variance_bound(0.5, 1.0, m=3) == INF
    # alpha = 1, m = 3, n = 1, sigma = 2: a = 4, x0 = 2 * 35^(1/4), x0^2 a/(a-2) = 8 sqrt 35.
    assert est.smom_variance_bound(1.0, 2.0, m=3) == pytest.approx(8 * math.sqrt(35))
    # alpha = 1: means of n change nothing; alpha < 1: they harm; alpha = 2: they help.
    by_n = [
        est.smom_variance_bound(a, 1.0, 5, 4) / est.smom_variance_bound(a, 1.0, 5)
        for a in (0.5, 1.0, 2.0)
    ]
    assert by_n == pytest.approx([16.0, 1.0, 0.25])


def test_smoothed_median_by_hand():
    x = [0.0, 2.0, 3.0, 5.0, 10.0, 90.0, 777.0]  # block means 1, 4, 50
    assert est.SmoothedMedianOfMeans(m=1).estimate(x, 0.1) == 4.0
    smooth = est.SmoothedMedianOfMeans(m=1, theta=10.0)
    assert smooth.estimate(x, 0.1, normals=[1.0, -2.0, -4.5]) == 5.0  # 11, -16, 5
    with pytest.raises(ValueError, match="normals has 0"):
        smooth.estimate(x, 0.1)
    with pytest.raises(ValueError, match="theta"):
        smooth.running(est.FixedLevel(0.1))
    assert smooth.radius(30, 0.1) == INF


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


# ------------------------------------------------------------------ equivariance
SHIFTED = {
    "mean": (est.SampleMean(), lambda s: est.SampleMean(s)),
    "median of means": (
        est.MedianOfMeans(0.5, 1.3),
        lambda s: est.MedianOfMeans(0.5, 1.3 * s**1.5),
    ),
    "Catoni": (est.Catoni(1.3), lambda s: est.Catoni(1.3 * s**2)),
    "trimmed mean": (est.TrimmedMean(2.0), lambda s: est.TrimmedMean(2.0 * s)),
    "Huber": (est.Huber(1.3, 0.5), lambda s: est.Huber(1.3 * s, 0.5)),
    "sample median": (est.SampleMedian(0.3, 1.0), lambda s: est.SampleMedian(0.3 / s, 1.0 * s)),
    "smoothed": (
        est.SmoothedMedianOfMeans(2, 0.0, 0.8, 3.0),
        lambda s: est.SmoothedMedianOfMeans(2, 0.0, 0.8, 3.0 * s),
    ),
    "geometric": (
        est.GeometricMedianOfMeans(2.0),
        lambda s: est.GeometricMedianOfMeans(2.0 * s**2),
    ),
    "Hodges-Lehmann": (est.HodgesLehmann(), lambda s: est.HodgesLehmann()),
    "order statistic": (est.OrderStatistic(), lambda s: est.OrderStatistic()),
}
SCALED = SHIFTED | {
    "truncated": (est.TruncatedMean(0.5, 2.0), lambda s: est.TruncatedMean(0.5, 2.0 * s**1.5)),
    "p-robust": (est.PRobustMean(1.5, 1.0, 2.0), lambda s: est.PRobustMean(1.5, s, 2 * s**1.5)),
}


def value(estimator, x, delta=0.1):
    if isinstance(estimator, est.SampleMean):
        return estimator.estimate(x)
    return estimator.estimate(x, delta)


@pytest.mark.parametrize("kind", SCALED)
def test_scale_equivariance(kind):
    estimator, scaled = SCALED[kind]
    x = np.random.default_rng(7).standard_cauchy(203)
    for s in (0.5, 3.0):
        assert value(scaled(s), s * x) == pytest.approx(s * value(estimator, x), rel=1e-9)
        if kind != "order statistic":  # an upper limit
            assert value(scaled(s), -s * x) == pytest.approx(-s * value(estimator, x), rel=1e-9)
        if hasattr(estimator, "radius"):
            radii = estimator.radius([100, 1000], 0.1)
            assert scaled(s).radius([100, 1000], 0.1) == pytest.approx(s * radii)


@pytest.mark.parametrize("kind", SHIFTED)
def test_shift_equivariance(kind):
    estimator, _ = SHIFTED[kind]
    x = np.random.default_rng(8).standard_cauchy(203)
    for shift in (-7.0, 100.0):
        assert value(estimator, x + shift) == pytest.approx(value(estimator, x) + shift, rel=1e-9)


def test_raw_moment_estimators_are_not_shift_equivariant():
    x = np.random.default_rng(8).standard_cauchy(203)
    for kind in set(SCALED) - set(SHIFTED):
        estimator, _ = SCALED[kind]
        assert abs(value(estimator, x + 100) - value(estimator, x) - 100) > 1


# ------------------------------------------------------------------ infinities, nan, ranges
@pytest.mark.parametrize("kind", SCALED.keys() - {"mean"})
def test_a_nan_is_refused(kind):
    x = np.arange(203.0)
    x[5] = NAN
    with pytest.raises(ValueError, match="nan"):
        value(SCALED[kind][0], x)


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        # Finite as long as at most this share of 200 samples is +inf, as the docstrings have it.
        ("truncated", 1.0),
        ("sample median", 0.49),
        ("Huber", 0.49),
        ("Hodges-Lehmann", 0.28),
        ("order statistic", 0.45),
    ],
)
def test_breakdown_at_plus_infinity(kind, broken):
    x = np.random.default_rng(9).standard_normal(200)
    bad = round(200 * broken)
    x[:bad] = INF
    assert math.isfinite(value(SCALED[kind][0], x))
    if broken < 1:
        x[: bad + 14] = INF
        assert value(SCALED[kind][0], x) == INF


def test_blocks_and_halves_break_one_at_a_time():
    x = np.random.default_rng(10).standard_normal(200)
    trimmed, mom, smom = est.TrimmedMean(), est.MedianOfMeans(), est.SmoothedMedianOfMeans(2)
    k = trimmed.trimmed(0.1)
    x[0], x[1 : 2 * k - 1 : 2] = INF, INF  # k - 1 of the samples that fix the levels
    assert math.isfinite(trimmed.estimate(x, 0.1))
    x[[2 * k - 1, 0]] = INF
    assert trimmed.estimate(x, 0.1) == INF
    y = np.random.default_rng(10).standard_normal(200)
    blocks = mom.blocks(200, 0.1)  # 19 of 10 samples
    y[: 10 * (blocks // 2)] = INF
    assert math.isfinite(mom.estimate(y, 0.1))
    y[10 * (blocks // 2)] = INF
    assert mom.estimate(y, 0.1) == INF
    z = np.random.default_rng(10).standard_normal(200)
    z[[0, 41]] = INF, -INF
    assert math.isfinite(smom.estimate(z, 0.1))
    z[[2, 80]] = -INF, INF
    for estimator in (mom, smom, est.GeometricMedianOfMeans()):
        with pytest.raises(ValueError, match="both inf and -inf"):
            estimator.estimate(z, 0.1)


@pytest.mark.parametrize("kind", ["Catoni", "p-robust", "Hodges-Lehmann"])
def test_both_infinities_have_no_value(kind):
    with pytest.raises(ValueError, match="both inf and -inf"):
        value(SCALED[kind][0], [INF, 0.0, -INF])
    with pytest.raises(ValueError, match="half of each sign"):
        est.Huber().estimate([INF, -INF])
    if kind != "Hodges-Lehmann":
        assert value(SCALED[kind][0], [INF, 0.0]) == INF
        assert value(SCALED[kind][0], [0.0, -INF]) == -INF


def test_means_with_infinities():
    assert est.SampleMean().estimate([1.0, INF]) == INF
    assert math.isnan(est.SampleMean().estimate([INF, -INF]))
    with pytest.raises(ValueError, match="infinite entry"):
        est.GeometricMedianOfMeans().estimate(np.full((40, 2), INF), 0.1)


@pytest.mark.parametrize("kind", SCALED.keys() - {"mean"})
def test_shapes_and_levels_are_checked(kind):
    estimator = SCALED[kind][0]
    for bad in ([], np.zeros((3, 4, 2))):
        with pytest.raises(ValueError, match="x has shape"):
            value(estimator, bad)
    if hasattr(estimator, "radius"):
        for delta in (0.0, 1.0, NAN):
            with pytest.raises(ValueError, match="delta"):
                estimator.radius(100, delta)


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: est.TruncatedMean(0.0), "eps = 0.0"),
        (lambda: est.TruncatedMean(1.0, -1.0), "u = -1.0"),
        (lambda: est.Catoni(INF), "v = inf"),
        (lambda: est.TrimmedMean(0.0), "sigma = 0.0"),
        (lambda: est.Huber(-1.0), "lam = -1.0"),
        (lambda: est.Huber(1.0, 1.5), "slope = 1.5"),
        (lambda: est.Huber(1.0, 0.5, 1.0), "reach = 1.0"),
        (lambda: est.PRobustMean(1.0), "p = 1.0"),
        (lambda: est.PRobustMean(2.0, 0.0), "c = 0.0"),
        (lambda: est.SampleMedian(1.0, 0.6), "reach = 0.6"),
        (lambda: est.SmoothedMedianOfMeans(1.5), "m = 1.5"),
        (lambda: est.SmoothedMedianOfMeans(1, -1.0), "theta = -1.0"),
        (lambda: est.smom_variance_bound(2.5, 1.0, 1), "alpha = 2.5"),
        (lambda: est.smom_has_mean(0.0, 1), "tail_index = 0.0"),
        (lambda: est.GeometricMedianOfMeans(0.0), "trace = 0.0"),
        (lambda: est.SampleMean(0.0), "sigma = 0.0"),
    ],
)
def test_bad_parameters_are_named(make, names):
    with pytest.raises(ValueError, match=names):
        make()


# ------------------------------------------------------------------ the classes of laws
@pytest.mark.parametrize(
    ("estimator", "inside", "outside"),
    [
        (est.SampleMean(1.0), Gaussian(), StudentT(3.0)),
        (est.TruncatedMean(1.0, 3.0), StudentT(3.0), StudentT(2.0)),
        (est.MedianOfMeans(0.5, 10.0), StudentT(2.0), Cauchy()),
        (est.Catoni(3.0), StudentT(3.0), StudentT(2.0)),
        (est.TrimmedMean(math.sqrt(3.0)), StudentT(3.0), StudentT(2.9)),
        (est.Huber(4.0, 0.7, 2.0), Cauchy(), Exponential()),
        (est.Huber(4.0, 0.8, 1.0), Cauchy(0.9), Cauchy()),  # .814; .795 within 3, .844 within 4
        (est.PRobustMean(1.5, 1.0, 10.0), StudentT(2.0), Cauchy()),
        (est.SampleMedian(0.25, 1.0), Cauchy(), Exponential()),
        (est.SampleMedian(0.25, 1.0), Cauchy(0.9), Cauchy(1.1)),
        (est.OrderStatistic(), PointMass(0.0), TwoPoint(p=0.4)),
        (est.OrderStatistic(), TwoPoint(), TwoPoint(p=0.4)),
        (est.SmoothedMedianOfMeans(2, 0.0, 0.9, 8.0), Cauchy(), Cauchy(9.0)),
        (est.GeometricMedianOfMeans(1.0), Gaussian(), Gaussian(1.1)),
        (est.HodgesLehmann(), Cauchy(), Exponential()),
    ],
)
def test_assumptions_tell_the_class_of_laws(estimator, inside, outside):
    assert all(p.failure(Bandit([0.0], inside)) is None for p in estimator.assumptions())
    assert any(p.failure(Bandit([0.0], outside)) for p in estimator.assumptions())
