"""Guarantees g(k, delta): coverage against exact laws, the two units, what is refused."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb.estimators import MedianOfMeans, SampleMean
from hbucb.optimizers import (
    ClippedSGD,
    ConstantSchedule,
    Distance,
    Guarantee,
    HalfSquare,
    MeanSGD,
    MedianOfMeansG,
    SubGaussianG,
    SubGaussianUniformG,
)
from hbucb.optimizers.guarantee import values_of


def test_mean_sgd_is_the_sample_mean_and_forgets_its_start():
    rng = np.random.default_rng(0)
    for n in (1, 2, 7, 300):
        rewards = rng.standard_normal(n).tolist()
        assert MeanSGD().estimate(rewards) == pytest.approx(math.fsum(rewards) / n, abs=1e-14)
    run = hb.policies.Run(trials=3, arms=2, horizon=50, seed=1)
    state = MeanSGD().stream(run)
    draws = rng.standard_normal((50, 3))
    for n, reward in enumerate(draws, 1):
        got = state.push(np.array([1, 3, 4]), np.full(3, n), reward)
    assert got.tolist() == [MeanSGD().estimate(draws[:, i].tolist()) for i in range(3)]


@pytest.mark.parametrize("delta", [0.1, 0.01])
@pytest.mark.parametrize("sigma", [1.0, 3.0])
def test_sub_gaussian_g_covers_normal_and_coin_means_exactly(delta, sigma):
    for k in (1, 10, 400):
        r = math.sqrt(2 * SubGaussianG(sigma)(k, delta))
        assert 2 * stats.norm.sf(r * math.sqrt(k) / sigma) <= delta
        one = math.sqrt(2 * SubGaussianG(sigma, sides=1)(k, delta))
        assert stats.norm.sf(one * math.sqrt(k) / sigma) <= delta
        # A fair coin +-sigma: P(|mean| > r) by exact counting of heads.
        heads = np.arange(k + 1)
        far = abs(2 * heads - k) * sigma / k > r
        assert stats.binom.pmf(heads[far], k, 0.5).sum() <= delta
    # The round trip: Chernoff's tail at the radius is delta again, both sides together.
    r = Distance(SubGaussianG(sigma))(np.array([5, 50]), delta)
    np.testing.assert_allclose(2 * np.exp(-np.array([5, 50]) * r**2 / (2 * sigma**2)), delta)


def test_uniform_g_is_the_mixture_and_covers_all_counts_at_once():
    # By quadrature: the mixture of exp(s S - s^2 sigma^2 k/2) over s ~ N(0, 1/(rho sigma^2)) is
    # 1/delta where |S| / k is the radius.
    sigma, rho, delta = 1.5, 4.0, 0.05
    g = SubGaussianUniformG(sigma, rho)
    s = np.linspace(-12, 12, 400_001) / sigma
    for k in (1, 30, 1000):
        total = k * math.sqrt(2 * g(k, delta))
        weight = stats.norm.pdf(s, scale=1 / (sigma * math.sqrt(rho)))
        mixture = np.trapezoid(weight * np.exp(s * total - s**2 * sigma**2 * k / 2), s)
        assert mixture == pytest.approx(1 / delta, rel=1e-6)
    # 4000 runs to k = 2000: more than delta failures with probability <= 1e-6 under the claim.
    rng = np.random.default_rng(3)
    k = np.arange(1, 2001)
    sums = np.cumsum(rng.standard_normal((4000, 2000)) * sigma, axis=1)
    failed = int((np.abs(sums / k) > np.sqrt(2 * g(k, delta))).any(axis=1).sum())
    assert stats.binom.sf(failed - 1, 4000, delta) > 1e-6
    # The fixed-k radius fails far more often somewhere: it is no uniform guarantee.
    narrow = np.sqrt(2 * SubGaussianG(sigma)(k, delta))
    often = int((np.abs(sums / k) > narrow).any(axis=1).sum())
    assert stats.binom.sf(often - 1, 4000, delta) < 1e-6


def test_two_units_of_one_guarantee():
    k = np.array([1, 5, 60])
    for g in (SubGaussianG(2.0), SubGaussianUniformG()):
        distance = Distance(g)
        np.testing.assert_allclose(distance(k, 0.1) ** 2 / 2, g(k, 0.1))
        np.testing.assert_allclose(HalfSquare(distance)(k, 0.1), g(k, 0.1))
        assert (distance.order, HalfSquare(distance).order) == ("zero", "first")
        assert distance.kind == HalfSquare(distance).kind == g.kind
        assert [p.name for p in distance.needs()] == ["common_mean", "subgaussian"]
    assert HalfSquare(MedianOfMeansG())(4, 0.05) == math.inf


def test_a_guarantee_is_about_one_method():
    g = SubGaussianG()
    assert g.proved_for(MeanSGD(), None) == g.proved_for(SampleMean(), 0.1) == ""
    assert "sample mean" in g.proved_for(ClippedSGD(ConstantSchedule(0.1, 1.0)), None)
    assert "at the policy's own delta" in MedianOfMeansG().proved_for(MeanSGD(), 0.1)


@dataclass(frozen=True)
class Bad(Guarantee):
    value: float = -1.0

    def __call__(self, k, delta):
        return self.value + 0 * np.asarray(k, dtype=float)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SubGaussianG(0.0), "sigma"),
        (lambda: SubGaussianG(1.0, sides=3), "sides = 3"),
        (lambda: SubGaussianUniformG(1.0, rho=-1), "rho"),
        (lambda: SubGaussianG()(0, 0.1), "k is 0"),
        (lambda: SubGaussianG()(1, 1.5), "delta is 1.5"),
        (lambda: Distance(Distance(SubGaussianG())), "order = 'zero'"),
        (lambda: HalfSquare(SubGaussianG()), "order = 'first'"),
        (lambda: MedianOfMeansG(MeanSGD()), "must be a MedianOfMeans"),
        (lambda: values_of(Bad(), np.arange(5), 0.1), "must be >= 0"),
        (lambda: values_of(Bad(math.nan), np.arange(5), 0.1), "must be >= 0"),
        (lambda: values_of(SubGaussianG(), np.arange(5), 0.0), "delta"),
        (lambda: MedianOfMeansG(MedianOfMeans())(1, 2.0), "delta"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
