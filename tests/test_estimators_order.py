"""Sample median, order statistics, Hodges-Lehmann and the smoothed median against exact counts."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from hbucb import estimators as est
from hbucb.estimators.hodges_lehmann import signed_rank_rank, walsh

INF, NAN = math.inf, math.nan


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
