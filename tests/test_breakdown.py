"""Huge and infinite rewards reach every estimator that claims a breakdown point."""

import math
import re

import numpy as np
import pytest

import hbucb as hb
from hbucb import estimators
from hbucb.estimators import FixedLevel

N, DELTA = 199, 0.3

#: Estimator -> how many bad samples of N it claims to bear, all of one sign.
CLAIMS = {
    estimators.SampleMedian(): (N - 1) // 2,
    estimators.MedianOfMeans(): (estimators.MedianOfMeans().blocks(N, DELTA) - 1) // 2,
    estimators.GeometricMedianOfMeans(): 2,  # floor(3.5 ln(1/0.3)) + 1 = 5 blocks
    estimators.SmoothedMedianOfMeans(m=2): 2,
    estimators.TrimmedMean(): math.ceil(16 * math.log(4 / DELTA) / 3) - 1,
    estimators.HodgesLehmann(): 57,
    estimators.Huber(lam=1.0, slope=0.5): (N - 1) // 2,
    estimators.OrderStatistic(): N - int(estimators.upper_rank(N, DELTA)),
}
BAD = [1e300, -1e300, math.inf, -math.inf]


def samples(count, bad, seed):
    """N samples in [-0.2, 0.2] in a random order, ``count`` of them replaced."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-0.2, 0.2, N)
    x[rng.permutation(N)[:count]] = bad
    return x


def offline(estimator, x):
    try:
        return estimator.estimate(x, DELTA)
    except TypeError:
        return estimator.estimate(x)


def streamed(estimator, x):
    """The last estimate of the streaming form, or None where there is none."""
    if not hasattr(estimator, "running"):
        return None
    stream = estimator.running(FixedLevel(DELTA)).stream(hb.policies.Run(1, 1, N))
    flat = np.zeros(1, np.int64)
    for n, reward in enumerate(x, 1):
        value = stream.push(flat.copy(), np.array([n]), np.array([reward]))
    return float(value[0])


def test_the_list_holds_every_estimator_that_claims_it():
    claim = r"(is|be) finite (while|as long as|unless)|may be infinite"
    texts = {name: " ".join((getattr(estimators, name).__doc__ or "").split())
             for name in estimators.__all__}  # fmt: skip
    named = {name for name, text in texts.items() if re.search(claim, text)}
    assert named == {type(estimator).__name__ for estimator in CLAIMS}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("estimator", CLAIMS, ids=lambda e: type(e).__name__)
def test_as_many_bad_rewards_as_claimed_do_no_harm(estimator, bad):
    for seed in range(5):
        x = samples(CLAIMS[estimator], bad, seed)
        limit = 50.0 if isinstance(estimator, estimators.Huber) else 0.2
        value = offline(estimator, x)
        assert abs(value) <= limit, (seed, value)
        again = streamed(estimator, x)
        assert again is None or again == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("bad", [1e300, math.inf])
@pytest.mark.parametrize(
    "estimator",
    [estimators.SampleMedian(), estimators.Huber(lam=1.0, slope=0.5), estimators.OrderStatistic()],
    ids=lambda e: type(e).__name__,
)
def test_one_more_than_claimed_does_harm(estimator, bad):
    extra = 2 if not isinstance(estimator, estimators.OrderStatistic) else 1
    assert offline(estimator, samples(CLAIMS[estimator] + extra, bad, 1)) > 1e299


def test_policies_that_bear_infinite_rewards_play_on():
    wild = hb.Bandit([0.0, 1.0], hb.noise.SymmetricLomax(0.003))
    for policy in (
        hb.OrderStatisticUCB(),
        hb.SignSGDUCB(interval=(0.0, 1.0)),
        hb.ClipSGDUCB(hb.optimizers.MassWithin(2.0, 0.5), (0.0, 1.0)),
        hb.ASGNUCB(hb.optimizers.MassWithin(2.0, 0.5), (0.0, 1.0)),
    ):
        assert policy.accepts_infinite
        result = hb.simulate(wild, {"it": policy}, 500, 20, seed=1)
        assert np.isfinite(result["it"].regret).all() and (result["it"].pulls > 0).all()
    with pytest.raises(ValueError, match="inf in trial"):
        hb.simulate(wild, hb.UCB(), 500, 20, seed=1)
