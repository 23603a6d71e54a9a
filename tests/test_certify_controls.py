"""Negative controls: false claims that the certifier must flag, and true ones that it must not.

All have fixed seeds; each verdict is wrong with probability at most 1e-8. The last iterate of sign
and clipped SGD is played by a plain recursion written here.
"""

import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import certify
from hbucb import estimators as est
from hbucb.noise import (
    Cauchy,
    Exponential,
    Gaussian,
    LocationScale,
    Mixture,
    ParetoHole,
    PointMass,
    TwoPoint,
    Uniform,
)
from hbucb.optimizers import MeanSGD, SubGaussianG

ALARM = 1e-8


def last_iterate(x, p, lam=None, start=1.0):
    """x_n of x_{k+1} = clip(x_k - score/(p (k+1)), -1, 1); the score is sign, or clip at lam."""
    at = np.full(len(x), start)
    for k, reward in enumerate(x.T):
        score = np.sign(at - reward) if lam is None else np.clip(at - reward, -lam, lam)
        at = np.clip(at - score / (p * (k + 1)), -1.0, 1.0)
    return at


def sgd(law, p, n, delta, *, lam=None, trials=20_000, factor=1.0):
    """Certificate of |x_n| <= (lam/p) sqrt(2 ln(2/delta)/n), both sides together."""
    radius = factor * (lam or 1.0) / p * math.sqrt(2 * math.log(2 / delta) / n)
    return certify.event(
        lambda x: np.abs(last_iterate(x, p, lam)) > radius,
        law,
        n=n,
        delta=delta,
        trials=trials,
        alarm=ALARM,
    )


# ------------------------------------------------------------------ the last iterate
def test_the_last_iterate_with_its_true_drift_is_certified():
    for law, p in ((Uniform(-1.0, 1.0), 1.0), (Cauchy(), 0.5), (Gaussian(), 0.6826)):
        assert sgd(law, p, 200, 0.1).verdict == "certified"
    assert sgd(ParetoHole(0.5), 0.55, 200, 0.1, lam=5.0).verdict == "certified"


def test_a_drift_claimed_too_large_is_flagged():
    for delta, share in ((0.1, 0.586), (0.01, 0.469), (0.001, 0.386)):
        got = sgd(Cauchy(), 1.6, 1000, delta, trials=5000)
        assert got.verdict == "refuted" and got.share == pytest.approx(share, abs=0.03)


def test_sign_on_a_law_with_a_hole_is_flagged():
    for delta, share in ((0.1, 0.855), (0.01, 0.810), (0.001, 0.771)):
        got = sgd(ParetoHole(0.5), 0.5, 1000, delta, trials=5000)
        assert got.verdict == "refuted" and got.share == pytest.approx(share, abs=0.03)


def test_clip_on_a_skew_law_is_flagged_by_many_rewards_only():
    # Exponential with median 0: the iterate converges, to another point than the median.
    skew = LocationScale(Exponential(), -math.log(2), 1.0)
    p = float(skew.mass(1.0))
    late = [sgd(skew, p, 1000, delta, lam=2.0, trials=5000) for delta in (0.1, 0.01)]
    early = [sgd(skew, p, 50, delta, lam=2.0, trials=5000) for delta in (0.1, 0.01)]
    assert [got.verdict for got in late] == ["refuted"] * 2
    assert late[0].share > 0.95 and [got.failures for got in early] == [0, 0]


def test_eight_tenths_of_the_last_iterates_radius_is_flagged_on_the_extremal_law():
    # Uniform noise: the drift is exactly linear. Chernoff's factor hides 0.8 until delta is small.
    claim = {"trials": 300_000, "n": 200, "delta": 1e-4}
    assert sgd(Uniform(-1.0, 1.0), 1.0, **claim).verdict == "certified"
    assert sgd(Uniform(-1.0, 1.0), 1.0, factor=0.8, **claim).verdict == "refuted"


# ------------------------------------------------------------------ radii
def test_median_of_means_radius_below_its_validity_is_flagged():
    delta = 1e-4
    printed = float(np.sqrt(12 * 16 * (1 / 8 - math.log(delta)) / 2))
    atom = 1 / (2 * printed) ** 2  # variance 1
    law = Mixture(
        (PointMass(-2 * printed), PointMass(0.0), PointMass(2 * printed)),
        (atom / 2, 1 - atom, atom / 2),
    )
    median = est.MedianOfMeans(eps=1.0, v=1.0)
    # One ulp less, as the mean of 0 and 2r is r exactly.
    got = certify.radius(
        median,
        law,
        n=2,
        delta=delta,
        trials=300_000,
        alarm=ALARM,
        claimed=lambda n, d: np.nextafter(np.sqrt(12 * 16 * (1 / 8 - math.log(d)) / n), 0.0),
    )
    assert got.verdict == "refuted"
    with pytest.raises(ValueError, match="infinite at n = 2"):
        certify.radius(median, law, n=2, delta=delta)
    assert certify.radius(median, law, n=150, delta=delta, alarm=ALARM).failures == 0


def test_root_of_g_in_place_of_two_g_is_flagged():
    # g bounds half the squared distance: the half-width sqrt(g) is too short by sqrt(2).
    g = SubGaussianG(sides=1)
    for delta, verdict in ((0.05, "certified"), (0.001, "refuted")):
        got = certify.radius(
            MeanSGD(),
            Gaussian(),
            n=4,
            delta=delta,
            g=g,
            factor=math.sqrt(0.5),
            trials=100_000,
            alarm=ALARM,
        )
        assert got.verdict == verdict  # a large delta does not see it
    got = certify.radius(MeanSGD(), Gaussian(), n=4, delta=0.001, g=g, trials=100_000, alarm=ALARM)
    assert got.verdict == "certified"


def catoni_sequence_fails(x, level):
    """Whether Catoni's confidence sequence with ln(1/level) a side ever misses the mean 0.

    |sum phi(lam X_i)| <= n lam^2 v/2 + ln(1/level), phi(y) = sign(y) ln(1 + |y| + y^2/2), v = 1;
    for a small constant lam Ville's inequality is nearly an equality.
    """
    lam = 0.1
    y = np.abs(lam * x)
    total = np.cumsum(np.copysign(np.log1p(y + y * y / 2), x), axis=1)
    edge = np.arange(1, x.shape[1] + 1) * lam**2 / 2 - math.log(level)
    return (np.abs(total) > edge).any(axis=1)


def test_a_catoni_level_that_is_not_halved_is_flagged():
    # Two sides at delta each are a claim of 2 delta. At one count Chernoff's slack would hide it.
    delta, claim = 0.05, {"n": 3000, "delta": 0.05, "trials": 6000, "alarm": ALARM}
    for law in (Gaussian(), TwoPoint()):
        halved = certify.event(lambda x: catoni_sequence_fails(x, delta / 2), law, **claim)
        assert halved.verdict != "refuted"
        printed = certify.event(lambda x: catoni_sequence_fails(x, delta), law, **claim)
        assert printed.verdict == "refuted", str(printed)


# ------------------------------------------------------------------ 0.8 radii, estimator and policy
def test_eight_tenths_of_the_mean_is_flagged_on_the_normal_law():
    claim = {"n": 4, "delta": 1e-3, "trials": 400_000, "alarm": ALARM}
    for factor, verdict in ((1.0, "certified"), (0.8, "refuted")):
        got = certify.radius(est.SampleMean(1.0), Gaussian(), factor=factor, **claim)
        assert got.verdict == verdict
        policy = hb.UCB(sigma=1.0, delta=1e-3)
        assert certify.index(policy, Gaussian(), factor=factor, **claim).verdict == verdict
        policy = hb.FOUCB(MeanSGD(), SubGaussianG(sides=1), delta=1e-3)
        assert certify.index(policy, Gaussian(), factor=factor, **claim).verdict == verdict


def test_eight_tenths_of_the_smoothed_median_is_flagged_on_its_worst_law():
    for m, alpha, delta in ((0, 0.5, 0.05), (1, 1.0, 0.01)):
        estimator = est.SmoothedMedianOfMeans(m, 0.0, alpha, 1.0)
        radius = float(estimator.radius(2 * m + 1, delta))
        edge = 0.81 * radius  # the moment is 1 exactly; the atoms lie inside the radius
        law = Mixture(
            (PointMass(-edge), PointMass(0.0), PointMass(edge)),
            (edge**-alpha / 2, 1 - edge**-alpha, edge**-alpha / 2),
        )
        claim = {"n": 2 * m + 1, "delta": delta, "alarm": ALARM, "trials": 100_000}
        assert certify.radius(estimator, law, **claim).failures == 0
        got = certify.radius(estimator, law, factor=0.8, **claim)
        exact = stats.binom.sf(m, 2 * m + 1, edge**-alpha / 2)
        assert got.verdict == "refuted" and got.low <= exact <= got.high
