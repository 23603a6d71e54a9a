"""FO-UCB and ZO-UCB are the one index policy: action for action, and bound for bound."""

import math
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import hbucb as hb
from hbucb.estimators import MedianOfMeans
from hbucb.estimators.median_of_means import BlockMedians, FixedBlocks
from hbucb.optimizers import (
    ClippedSGD,
    Distance,
    Guarantee,
    MeanSGD,
    MedianOfMeansG,
    SubGaussianG,
    SubGaussianUniformG,
    TheorySchedule,
    g_paper,
)

GAUSS = hb.Bandit([0.0, 0.3, 0.5], hb.noise.Gaussian())


def actions(bandit, policy, horizon=800, trials=20, seed=4):
    return hb.simulate(bandit, {"it": policy}, horizon, trials, seed=seed, actions=True)[
        "it"
    ].actions


def test_mean_sgd_with_its_g_plays_ucb_action_for_action():
    first = actions(GAUSS, hb.FOUCB(MeanSGD(), SubGaussianG(sides=1)))
    zero = actions(GAUSS, hb.ZOUCB(MeanSGD(), Distance(SubGaussianG(sides=1))))
    assert np.array_equal(first, actions(GAUSS, hb.UCB(1.0)))
    assert np.array_equal(zero, first)
    assert not np.array_equal(first, actions(GAUSS, hb.FOUCB(MeanSGD(), SubGaussianG(sides=2))))


def test_robust_ucb_is_zo_ucb():
    delta = 0.2
    mom = MedianOfMeans(eps=1.0, v=1.0)
    policy = hb.ZOUCB(BlockMedians(FixedBlocks(delta)), MedianOfMeansG(mom), delta=delta)
    robust = hb.RobustUCB(mom, delta=delta)
    assert np.array_equal(actions(GAUSS, policy), actions(GAUSS, robust))
    assert policy.regret_bound(GAUSS, 800) == robust.regret_bound(GAUSS, 800)
    with pytest.raises(hb.AssumptionError, match="own delta"):
        hb.ZOUCB(BlockMedians(FixedBlocks(0.1)), MedianOfMeansG(mom)).regret_bound(GAUSS, 800)


@dataclass(frozen=True)
class Printed(Guarantee):
    """The printed g of clipped SGD."""

    horizon: int

    def __call__(self, k, delta):
        return g_paper(k, delta, horizon=self.horizon, rho=1.0)


@pytest.mark.parametrize(("m", "n"), [(0, 1), (1, 2)])
def test_clipped_sgd_ucb_of_the_theorem_is_fo_ucb(m, n):
    horizon, delta = 600, 0.01
    optimizer = ClippedSGD(TheorySchedule(horizon, delta, 1.0), m, n, p=0)
    policy = hb.FOUCB(optimizer, Printed(horizon), delta=delta)
    named = hb.ClippedSGDUCB(m=m, n=n, preset="theory", delta=delta)
    n = np.arange(1, horizon + 1)
    radius = policy.rule(horizon).radius.weight(n)
    want = named.rule(horizon).radius.weight(n)
    batch = optimizer.batch
    assert np.isinf(radius[n < batch]).all()
    # Before a batch is complete the named policy is not asked for an index.
    np.testing.assert_array_equal(radius[n >= batch], want[n >= batch])
    assert np.array_equal(actions(GAUSS, policy, horizon), actions(GAUSS, named, horizon))
    with pytest.raises(hb.AssumptionError, match="no proof"):
        policy.regret_bound(GAUSS, horizon)


def test_g_counts_updates_and_the_radius_counts_pulls():
    policy = hb.FOUCB(
        ClippedSGD(TheorySchedule(50, 0.01, 1.0), m=1, n=1, p=4), SubGaussianG(), delta=0.01
    )
    radius = policy.rule(50).radius.weight(np.arange(1, 51))
    g = SubGaussianG()
    assert np.isinf(radius[:6]).all()  # 4 first pulls and an incomplete batch of 3
    assert radius[6] == radius[8] == math.sqrt(2 * g(1, 0.01))
    assert radius[9] == math.sqrt(2 * g(2, 0.01))
    explained = hb.explain(policy, GAUSS, 40, seed=1)
    assert (
        explained.actions
        == hb.simulate(GAUSS, {"it": policy}, 40, 1, seed=1, actions=True)["it"].actions[0].tolist()
    )


def test_bounds_use_the_right_lemma_and_default_delta():
    T = 2000
    fixed = hb.FOUCB(MeanSGD(), SubGaussianG(sides=1))
    assert fixed.regret_bound(GAUSS, T) == hb.UCB(1.0).regret_bound(GAUSS, T)
    rising = fixed.regret_bound(GAUSS, [500, T])
    assert rising[1] == fixed.regret_bound(GAUSS, T) > rising[0]
    assert fixed.tuned(T).delta == 1 / T**2 and fixed.tuned(T).tuned(5).delta == 1 / T**2
    g = SubGaussianUniformG(rho=20.0)
    uniform = hb.FOUCB(MeanSGD(), g)
    assert uniform.tuned(T).delta == 1 / T
    by_hand = 0.0
    for gap in (0.5, 0.2):
        u = next(k for k in range(1, 10**6) if g(k, 1 / T) < gap**2 / 8)
        by_hand += gap * (u + 2)
    assert uniform.regret_bound(GAUSS, T) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    "policy", [hb.FOUCB(), hb.ZOUCB(), hb.FOUCB(MeanSGD(), SubGaussianUniformG(rho=20.0))]
)
def test_a_bound_is_kept_and_the_assumptions_are_checked(policy):
    bound = policy.regret_bound(GAUSS, 2000)
    regret = hb.simulate(GAUSS, {"it": policy}, 2000, 200, seed=6)["it"].regret[:, -1]
    # Regret lies in [0, 2000 max gap]: Hoeffding at 1e-6.
    assert regret.mean() <= bound + 2000 * GAUSS.max_gap * math.sqrt(math.log(1e6) / 400)
    for noise, why in ((hb.noise.Cauchy(), "finite mean"), (hb.noise.Gaussian(2.0), "variance")):
        with pytest.raises(hb.AssumptionError, match=why):
            policy.regret_bound(hb.Bandit([0.0, 1.0], noise), 100)
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert " at 0x" not in repr(policy)


def test_unknown_facts_can_be_declared():
    from scipy import stats

    bandit = hb.Bandit([0.0, 1.0], stats.norm())
    assert hb.FOUCB().regret_bound(bandit, 100, declare=["subgaussian"]) > 0
    with pytest.raises(hb.AssumptionError):
        hb.FOUCB().regret_bound(bandit, 100)


@dataclass
class Melting(Guarantee):
    def __call__(self, k, delta):
        return 1 / k


@dataclass(frozen=True)
class Baseless:
    kind = "fixed-k"
    order = "first"

    def __call__(self, k, delta):
        return 1 / k


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.FOUCB(MeanSGD(), Distance(SubGaussianG())), r"HalfSquare\(g\)"),
        (lambda: hb.ZOUCB(MeanSGD(), SubGaussianG()), r"Distance\(g\)"),
        (lambda: hb.FOUCB(MeanSGD(), lambda k, d: 1 / k), "frozen dataclass"),
        (lambda: hb.FOUCB(MeanSGD(), SubGaussianG), "frozen dataclass"),
        (lambda: hb.FOUCB(MeanSGD(), Melting()), "frozen dataclass"),
        (lambda: hb.FOUCB(MeanSGD(), Baseless()), "frozen dataclass"),
        (lambda: hb.FOUCB(3, SubGaussianG()), "optimizer = 3"),
        (lambda: hb.FOUCB(delta=1.5), "delta"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
