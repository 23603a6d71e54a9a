"""Every radius covers: failures against exact binomial limits, on three laws of its class.

Each comparison has a false-alarm probability of 1e-8, so that all of them together stay below
1e-6. Where the worst law of a class is known, 0.8 radii must fail on it; elsewhere a fraction of
the radius must be caught, so that the tests are known to see.
"""

import math

import numpy as np
import pytest
from scipy import stats

from hbucb import estimators as est
from hbucb.bandits import Bandit
from hbucb.estimators.recomputed import each_row
from hbucb.estimators.running_catoni import roots
from hbucb.noise import (
    Cauchy,
    Exponential,
    Gaussian,
    Laplace,
    Pareto,
    StudentT,
    TwoPoint,
    Uniform,
)

ALARM = 1e-8
RUNS = 20_000


def exceeds(failures, delta, runs=RUNS):
    """Whether so many failures refute P(failure) <= delta (Clopper-Pearson, one-sided)."""
    return stats.binom.sf(int(failures) - 1, runs, delta) < ALARM


def estimates(estimator, x, delta):
    """Offline estimates of the rows of x."""
    rows, n = x.shape
    if isinstance(estimator, est.SampleMean):
        return x.mean(axis=1)
    if isinstance(estimator, est.SampleMedian):
        return np.median(x, axis=1)
    if isinstance(estimator, est.Catoni):
        scale = np.full(rows, estimator.scale(n, delta))
        return roots(x.ravel(), np.full(rows, n), scale, np.median(x, axis=1))[0]
    if isinstance(estimator, est.TruncatedMean):
        kept = estimator.keys(x, np.arange(1.0, n + 1)) >= math.log(1 / delta)
        got = np.where(kept, x, 0.0).mean(axis=1)
        assert got[0] == pytest.approx(estimator.estimate(x[0], delta))
        return got
    if isinstance(estimator, est.TrimmedMean):
        k, half = estimator.trimmed(delta), n // 2
        y = np.sort(x[:, 1 : 2 * half : 2], axis=1)
        got = np.clip(x[:, 0 : 2 * half : 2], y[:, [k - 1]], y[:, [-k]]).mean(axis=1)
        assert got[0] == pytest.approx(estimator.estimate(x[0], delta))
        return got
    if isinstance(estimator, (est.MedianOfMeans, est.GeometricMedianOfMeans)):
        k = (
            estimator.blocks(n, delta)
            if isinstance(estimator, est.MedianOfMeans)
            else (estimator.blocks(delta))
        )
        size = n // k
        got = np.median(x[:, : k * size].reshape(rows, k, size).mean(axis=2), axis=1)
        assert got[0] == pytest.approx(estimator.estimate(x[0], delta))
        return got
    if isinstance(estimator, est.SmoothedMedianOfMeans):
        k = 2 * estimator.m + 1
        got = np.median(x[:, : n // k * k].reshape(rows, k, n // k).mean(axis=2), axis=1)
        assert got[0] == pytest.approx(estimator.estimate(x[0], delta))
        return got
    return each_row(estimator, x.ravel(), np.full(rows, n), delta)


def variance_root(law):
    return math.sqrt(law.variance)


LIGHT = [Gaussian(), TwoPoint(), Uniform(-1.5, 1.5)]
SECOND = [StudentT(2.5), Pareto(2.2), Exponential()]
LOW = [StudentT(1.8), Pareto(1.7), Exponential()]
SUPER_HEAVY = [Cauchy(), StudentT(0.5), Laplace()]


def cases():
    """(name, estimator for the law, laws, samples, delta, fraction of the radius that fails)."""
    yield "mean", lambda law: est.SampleMean(1.0), LIGHT, 40, 0.02, 0.5
    yield (
        "truncated mean",
        lambda law: est.TruncatedMean(0.5, law.moment(1.5)),
        LOW,
        100,
        0.05,
        0.02,
    )
    yield (
        "median of means",
        lambda law: est.MedianOfMeans(0.5, law.moment(1.5, about=law.mean)),
        LOW,
        100,
        0.05,
        0.02,
    )
    yield "Catoni", lambda law: est.Catoni(law.variance), SECOND, 60, 0.05, 0.25
    yield "trimmed mean", lambda law: est.TrimmedMean(variance_root(law)), SECOND, 130, 0.05, 0.02
    yield (
        "geometric",
        lambda law: est.GeometricMedianOfMeans(law.variance),
        SECOND,
        60,
        0.05,
        0.02,
    )
    yield (
        "p-robust mean",
        lambda law: est.PRobustMean(1.5, 1.0, law.moment(1.5)),
        LOW,
        100,
        0.05,
        0.05,
    )
    yield (
        "Huber",
        lambda law: est.Huber(4.0, float(law.mass(2.0)), 2.0),
        SUPER_HEAVY,
        61,
        0.1,
        0.1,
    )
    yield (
        "sample median",
        lambda law: est.SampleMedian(float(law.mass(1.0)) / 2, 1.0),
        SUPER_HEAVY,
        61,
        0.02,
        0.3,
    )
    yield (
        "smoothed median of means",
        lambda law: est.SmoothedMedianOfMeans(2, 0.0, 0.45, law.moment(0.45) ** (1 / 0.45)),
        SUPER_HEAVY,
        20,
        0.05,
        0.001,
    )


CASES = [(name, *rest, i) for name, *rest in cases() for i in range(3)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[-1]}")
def test_radius_covers(case):
    _, make, laws, n, delta, small, i = case
    law = laws[i]
    estimator = make(law)
    for predicate in estimator.assumptions():
        assert predicate.failure(Bandit([0.0], law)) is None
    x = law.sample((RUNS, n), seed=31 + i)
    target = law.centre if law.symmetric else law.mean
    error = estimates(estimator, x, delta) - target
    radius = float(estimator.radius(n, delta))
    assert radius < math.inf
    assert not exceeds((error > radius).sum(), delta)
    assert not exceeds((error < -radius).sum(), delta)
    # The control, on the side that fails more.
    worse = max((error > small * radius).sum(), (error < -small * radius).sum())
    assert exceeds(worse, delta)


BIMODAL = TwoPoint()  # no mass near 0: the sample median has no radius there


@pytest.mark.parametrize("law", [*SUPER_HEAVY, BIMODAL], ids=str)
def test_huber_radius_of_a_known_law_covers(law):
    # From the table for many n, as an index takes it; n = 40 twice, once alone.
    delta, n = 0.1, 40
    huber = est.Huber(lam=2.0)
    table = huber.radius_for(law, np.arange(1, 400), delta)
    alone = huber.radius_for(law, n, delta)
    assert alone * (1 - 1e-12) <= table[n - 1] <= alone * (1 + 1e-2)
    error = estimates(huber, law.sample((RUNS, n), seed=41), delta)
    for radius in (table[n - 1], alone):
        assert not exceeds((error > radius).sum(), delta)
        assert not exceeds((error < -radius).sum(), delta)
        assert exceeds((error > radius / 4).sum(), delta)


def test_huber_pulls_leave_a_radius_strictly_below_half_the_gap():
    huber, delta, half = est.Huber(lam=2.0), 0.05, 0.6
    for seed, law in enumerate((Cauchy(), BIMODAL)):
        drift = huber.drift(law, half)
        u = est.huber_pulls(drift, 2.0, delta)
        assert math.exp(-u * drift**2 / 8) < delta <= math.exp(-(u - 1) * drift**2 / 8)
        assert huber.radius_for(law, u, delta) < half <= huber.radius_for(law, u - 1, delta)
        error = estimates(huber, law.sample((RUNS // 4, u), seed=seed), delta)
        assert not exceeds((error > half).sum(), delta, RUNS // 4)
        assert exceeds((error > half / 4).sum(), delta, RUNS // 4)


# ------------------------------------------------------------------ the worst laws
def test_sample_median_is_exact_on_the_uniform_law():
    # Exact for odd n: both the radius and 0.8 of it, in simulation and by the beta law.
    law, delta, n = Uniform(-1.0, 1.0), 0.05, 41
    median = est.SampleMedian(0.5, 1.0)
    for predicate in median.assumptions():
        assert predicate.failure(Bandit([0.0], law)) is None
    radius = float(median.radius(n, delta))
    tail = stats.binom.cdf(n // 2, n, 0.5 + radius / 2)
    assert tail == pytest.approx(delta, rel=1e-10)
    error = np.median(law.sample((RUNS, n), seed=51), axis=1)
    for side in (error, -error):
        assert not exceeds((side > radius).sum(), delta)
        assert not exceeds(RUNS - (side > radius).sum(), 1 - delta)  # nor fewer failures
        assert exceeds((side > 0.8 * radius).sum(), delta)
    even = float(median.radius(40, delta))
    assert stats.binom.cdf(20, 40, 0.5 + even / 2) == pytest.approx(delta, rel=1e-10)
    assert not exceeds((np.median(law.sample((RUNS, 40), seed=52), axis=1) > even).sum(), delta)
    # Hoeffding's form is the larger one for odd n.
    for count in (11, 101, 1001):
        ratio = median.radius(count, 1e-2) / est.sample_median.hoeffding_median_radius(
            count, 1e-2, 0.5
        )
        assert ratio < 1


def test_sub_gaussian_radius_is_sharp_on_the_gaussian_law():
    # Exact: the mean of n is N(0, 1/n). For small delta 0.8 of the radius is not enough.
    radius = float(est.SampleMean(1.0).radius(25, 1e-6))
    assert stats.norm.sf(radius * 5) <= 1e-6
    assert stats.norm.sf(0.8 * radius * 5) > 1e-6


def test_smoothed_median_radius_fails_below_its_worst_law():
    # 0 with two atoms just inside the radius: m + 1 of 2m + 1 draws decide, exactly.
    for m, alpha, delta in ((0, 0.5, 0.05), (1, 1.0, 0.01), (2, 2.0, 1e-3)):
        radius = float(est.SmoothedMedianOfMeans(m, 0.0, alpha, 1.0).radius(2 * m + 1, delta))

        def failure(x, m=m, alpha=alpha):  # P(median >= x), each atom of mass x^-alpha / 2
            return stats.binom.sf(m, 2 * m + 1, min(x**-alpha / 2, 0.5))

        assert failure(radius) <= delta * (1 + 1e-12)
        assert failure(0.8 * radius) > delta


def test_printed_median_of_means_radius_is_false_for_few_samples():
    # Three points, n = 2, one block: one sample at 2r carries the mean beyond r.
    for delta, failure in ((1e-4, 2.8e-4), (1e-8, 1.4e-4)):
        level = 16 * (1 / 8 + math.log(1 / delta))
        printed = math.sqrt(12 * level / 2)
        atom = 1 / (2 * printed) ** 2  # mass of the two outer points together: variance 1
        exact = 2 * (atom / 2) * (1 - atom) + (atom / 2) ** 2
        assert exact == pytest.approx(failure, rel=0.02) and exact > delta
        mom = est.MedianOfMeans()
        assert mom.estimate([2 * printed, 0.0], delta) >= printed
        assert mom.radius(2, delta) == math.inf


def test_order_statistic_covers_and_one_rank_less_does_not():
    delta, n = 0.05, 41
    rank = int(est.upper_rank(n, delta))
    assert stats.binom.sf(rank - 1, n, 0.5) <= delta < stats.binom.sf(rank - 2, n, 0.5)
    for i, law in enumerate((Cauchy(), TwoPoint(), Uniform(-1.0, 1.0))):
        x = np.sort(law.sample((RUNS, n), seed=61 + i), axis=1)
        assert x[0, rank - 1] == est.OrderStatistic().estimate(x[0], delta)
        assert not exceeds((x[:, rank - 1] < 0).sum(), delta)
        assert exceeds((x[:, rank - 3] < 0).sum(), delta) or law.has_atoms


def test_signed_rank_limit_covers_and_a_smaller_rank_does_not():
    from hbucb.estimators.hodges_lehmann import signed_rank_rank

    delta, n = 0.1, 12
    i, j = np.triu_indices(n)
    rank = signed_rank_rank(n, delta)
    for seed, law in enumerate((Cauchy(), Gaussian(), TwoPoint())):
        x = law.sample((RUNS, n), seed=71 + seed)
        pairs = np.sort((x[:, i] + x[:, j]) / 2, axis=1)
        assert pairs[0, rank - 1] == est.HodgesLehmann().upper(x[0], delta)
        assert not exceeds((pairs[:, rank - 1] < 0).sum(), delta)
        assert exceeds((pairs[:, rank - 6] < 0).sum(), delta) or law.has_atoms


def test_radii_are_infinite_outside_their_range():
    delta = 0.05
    for estimator, first in (
        (est.Catoni(1.0), 2 * math.log(20)),
        (est.MedianOfMeans(), 16 * (1 / 8 + math.log(20))),
        (est.GeometricMedianOfMeans(), 22 - 1e-9),
        (est.Huber(4.0, 0.7, 2.0), 2 * math.log(20) * (4 / 0.7 / 2) ** 2),
        (est.SmoothedMedianOfMeans(2), 4),
        (est.TruncatedMean(), 0),
        (est.PRobustMean(), 0),
    ):
        n = np.arange(400)
        radius = estimator.radius(n, delta)
        assert np.isfinite(radius[n > first]).all() and (radius[n <= first] == math.inf).all()


def test_geometric_median_covers_in_three_dimensions():
    # Independent coordinates, trace 3 * 5: far fewer runs, as each takes an iteration.
    law, runs, n, delta = StudentT(2.5), 400, 60, 0.1
    geometric = est.GeometricMedianOfMeans(3 * law.variance)
    x = law.sample((runs, n, 3), seed=81)
    far = [np.linalg.norm(geometric.estimate(row, delta)) for row in x]
    assert not exceeds((far > geometric.radius(n, delta)).sum(), delta, runs)
    assert exceeds((far > 0.05 * geometric.radius(n, delta)).sum(), delta, runs)
