"""Every radius covers: failures against exact binomial limits, on three laws of its class.

Each comparison has a false-alarm probability of 1e-8, so that all of them together stay below
1e-6. Where the worst law of a class is known, 0.8 radii must fail on it; elsewhere a fraction of
the radius must be caught, so that the tests are known to see.
"""

import math

import numpy as np
import pytest
from scipy import stats

from hbucb import certify
from hbucb import estimators as est
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


def certified(method, law, factor=1.0, seed=0, **claim):
    """The certificate of a claim, at the false-alarm probability of this file."""
    return certify.radius(method, law, factor=factor, seed=seed, trials=RUNS, alarm=ALARM, **claim)


def variance_root(law):
    return math.sqrt(law.variance)


LIGHT = [Gaussian(), TwoPoint(), Uniform(-1.5, 1.5)]
SECOND = [StudentT(2.5), Pareto(2.2), Exponential()]
LOW = [StudentT(1.8), Pareto(1.7), Exponential()]
SUPER_HEAVY = [Cauchy(), StudentT(0.5), Laplace()]


def walsh_median(law):
    reach = float(law.ppf(0.95))
    return est.HodgesLehmann(0.45 / reach, reach)


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
    yield "Hodges-Lehmann", walsh_median, SUPER_HEAVY, 61, 0.1, 0.005
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
    assert certified(estimator, law, n=n, delta=delta, seed=31 + i).verdict == "certified"
    control = certified(estimator, law, factor=small, n=n, delta=delta, seed=31 + i)
    assert control.verdict == "refuted"


def test_every_radius_is_certified():
    with_radius = {name for name in est.__all__ if hasattr(getattr(est, name), "radius")}
    assert with_radius == {type(make(Uniform())).__name__ for _, make, *_ in cases()}


BIMODAL = TwoPoint()  # no mass near 0: the sample median has no radius there


@pytest.mark.parametrize("law", [*SUPER_HEAVY, BIMODAL], ids=str)
def test_huber_radius_of_a_known_law_covers(law):
    # From the table for many n, as an index takes it; n = 40 twice, once alone.
    delta, n = 0.1, 40
    huber = est.Huber(lam=2.0)
    table = huber.radius_for(law, np.arange(1, 400), delta)
    alone = huber.radius_for(law, n, delta)
    assert alone * (1 - 1e-12) <= table[n - 1] <= alone * (1 + 1e-2)
    for radius in (table[n - 1], alone):
        claim = {
            "n": n,
            "delta": delta,
            "seed": 41,
            "outside": True,
            "claimed": lambda n, d, r=radius: np.full(len(n), r),
        }
        assert certified(huber, law, **claim).verdict == "certified"
        assert certified(huber, law, factor=0.25, **claim).verdict == "refuted"


def _needed(n, delta):  # what the pair mean's mass beyond 1/2 must reach, by hand
    return (n + 1) / (n - 1) * math.sqrt(math.log(1 / delta) / (n - n % 2))


def test_hodges_lehmann_radius_of_a_known_law_by_closed_forms():
    walsh, delta = est.HodgesLehmann(), 0.05
    n = np.array([[7, 60, 401], [2, 1, 2000]])
    for law, inverse in (  # the pair mean is Cauchy again; normal of variance 1/2; triangular
        (Cauchy(), lambda q: math.tan(math.pi * q)),
        (Gaussian(), lambda q: stats.norm.ppf(0.5 + q, scale=math.sqrt(0.5))),
        (Uniform(-1.0, 1.0), lambda q: 1 - math.sqrt(1 - 2 * q)),
    ):
        got = walsh.radius_for(law, n, delta)
        assert got.shape == n.shape
        for count, radius in zip(n.ravel().tolist(), got.ravel().tolist(), strict=True):
            need = math.inf if count == 1 else _needed(count, delta)
            if need >= 0.5:
                assert radius == math.inf
            else:  # rounded up, by no more than the sum loses
                assert inverse(need) <= radius <= inverse(need + 1.5 / 16_384) * (1 + 2e-6)
    # Two points: the pair mean is 0 with probability 1/2, so a need up to 1/4 asks for nothing.
    assert walsh.radius_for(BIMODAL, 200, delta) < 1e-299
    assert walsh.radius_for(BIMODAL, 20, delta) == pytest.approx(1.0, abs=2e-6)


@pytest.mark.parametrize("law", [Cauchy(), StudentT(0.5), BIMODAL], ids=str)
def test_hodges_lehmann_radius_of_a_known_law_covers(law):
    walsh, delta, n = est.HodgesLehmann(), 0.1, 40
    radius = float(walsh.radius_for(law, n, delta))
    claim = {
        "n": n,
        "delta": delta,
        "seed": 43,
        "outside": True,
        "claimed": lambda n, d: np.full(len(n), radius),
    }
    assert certified(walsh, law, **claim).verdict == "certified"
    assert certified(walsh, law, factor=0.1, **claim).verdict == "refuted" or law is BIMODAL


def test_huber_pulls_leave_a_radius_strictly_below_half_the_gap():
    huber, delta, half = est.Huber(lam=2.0), 0.05, 0.6
    for seed, law in enumerate((Cauchy(), BIMODAL)):
        drift = huber.drift(law, half)
        u = est.huber_pulls(drift, 2.0, delta)
        assert math.exp(-u * drift**2 / 8) < delta <= math.exp(-(u - 1) * drift**2 / 8)
        assert huber.radius_for(law, u, delta) < half <= huber.radius_for(law, u - 1, delta)
        claim = {
            "n": u,
            "delta": delta,
            "seed": seed,
            "outside": True,
            "claimed": lambda n, d: np.full(len(n), half),
        }
        assert certified(huber, law, **claim).verdict == "certified"
        assert certified(huber, law, factor=0.25, **claim).verdict == "refuted"


# ------------------------------------------------------------------ the worst laws
def test_sample_median_is_exact_on_the_uniform_law():
    # Exact for odd n: both the radius and 0.8 of it, in simulation and by the beta law.
    law, delta, n = Uniform(-1.0, 1.0), 0.05, 41
    median = est.SampleMedian(0.5, 1.0)
    radius = float(median.radius(n, delta))
    tail = stats.binom.cdf(n // 2, n, 0.5 + radius / 2)
    assert tail == pytest.approx(delta, rel=1e-10)
    for side in ("above", "below"):
        # Open for ever: as many failures as claimed, no more and no fewer.
        claim = {"n": n, "delta": delta, "seed": 51, "sides": side}
        assert certified(median, law, **claim).verdict == "open"
        assert certified(median, law, factor=0.8, **claim).verdict == "refuted"
    even = float(median.radius(40, delta))
    assert stats.binom.cdf(20, 40, 0.5 + even / 2) == pytest.approx(delta, rel=1e-10)
    assert certified(median, law, n=40, delta=delta, seed=52).verdict == "certified"
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


def test_order_statistic_covers_and_two_ranks_less_does_not():
    delta, n = 0.05, 41
    rank = int(est.upper_rank(n, delta))
    assert stats.binom.sf(rank - 1, n, 0.5) <= delta < stats.binom.sf(rank - 2, n, 0.5)
    for i, law in enumerate((Cauchy(), TwoPoint(), Uniform(-1.0, 1.0))):
        claim = {"n": n, "trials": RUNS, "alarm": ALARM, "seed": 61 + i}
        got = certify.index(est.OrderStatistic(), law, delta=delta, **claim)
        assert got.verdict != "refuted"
        # Two ranks less are too few: all three laws have half of their mass below the median.
        got = certify.event(
            lambda x: np.partition(x, rank - 3, axis=1)[:, rank - 3] < 0, law, delta=delta, **claim
        )
        assert got.verdict == "refuted"


def test_signed_rank_limit_covers_and_a_smaller_rank_does_not():
    from hbucb.estimators.hodges_lehmann import signed_rank_rank

    delta, n = 0.1, 12
    i, j = np.triu_indices(n)
    rank = signed_rank_rank(n, delta)

    def below(x):  # six ranks less
        return np.sort((x[:, i] + x[:, j]) / 2, axis=1)[:, rank - 7] < 0

    for seed, law in enumerate((Cauchy(), Gaussian(), TwoPoint())):
        claim = {"n": n, "delta": delta, "trials": RUNS, "alarm": ALARM, "seed": 71 + seed}
        assert certify.index(est.HodgesLehmann(), law, **claim).verdict != "refuted"
        assert (certify.event(below, law, **claim).verdict == "refuted") != law.has_atoms


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
    far = np.array([np.linalg.norm(geometric.estimate(row, delta)) for row in x])
    for factor, verdict in ((1.0, "certified"), (0.05, "refuted")):
        failures = int((far > factor * geometric.radius(n, delta)).sum())
        got = certify.Certificate("norm", law, n, delta, (("far", failures),), runs, ALARM)
        assert got.verdict == verdict
