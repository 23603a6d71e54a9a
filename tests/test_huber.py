"""Huber's roots by hand and by bisection; the drift and the radius of a known law."""

import math

import numpy as np
import pytest

from hbucb import estimators as est
from hbucb.noise import Cauchy, Exponential, StudentT, SymmetricLomax, TwoPoint

INF, NAN = math.inf, math.nan


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
