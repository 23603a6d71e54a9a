"""SignSGDUCB, ClipSGDUCB, TwoPointUCB: batch against definition, bounds against brute force."""

import math
import pickle

import numpy as np
import pytest

import hbucb as hb
from hbucb.noise import Cauchy, Gaussian, ParetoHole, SymmetricLomax, Uniform
from hbucb.noise import TwoPoint as TwoPoints
from hbucb.optimizers import DensityFloor, KnownLaw, MassWithin, UnimodalMoment
from hbucb.score_bounds import score_anytime_regret, score_regret, score_uniform_regret

CAUCHY = hb.Bandit([0.0, 0.5, 1.0], Cauchy())
HOLE = hb.Bandit([0.0, 2.0], ParetoHole(0.5))
RANGE = (0.0, 1.0)
KNOWN = KnownLaw(Cauchy())

POLICIES = [
    (hb.SignSGDUCB(KNOWN, RANGE), CAUCHY),
    (hb.SignSGDUCB(KNOWN, RANGE, kind="anytime"), CAUCHY),
    (hb.SignSGDUCB(KNOWN, RANGE, kind="uniform"), CAUCHY),
    (hb.SignSGDUCB(KNOWN, RANGE, privacy=2.0), CAUCHY),
    (hb.SignSGDUCB(KNOWN, half=1.0, pulls=5), CAUCHY),
    (hb.ClipSGDUCB(MassWithin(1.1, 0.2), pulls=3), HOLE),
    (hb.ClipSGDUCB(KNOWN, RANGE, lam=2.0), CAUCHY),
    (hb.TwoPointUCB(MassWithin(1.0, 0.5), RANGE), CAUCHY),
]


def play(bandit, policy, horizon=400, trials=9, seed=3, **options):
    result = hb.simulate(
        bandit, {"it": policy}, horizon, trials, seed=seed, actions=True, **options
    )
    return result["it"].actions


@pytest.mark.parametrize(("policy", "bandit"), POLICIES, ids=lambda x: str(x)[:60])
def test_the_batch_plays_the_definition(policy, bandit):
    for coupling in ("time", "arm"):
        batch = play(bandit, policy, 90, 2, coupling=coupling)
        for trial in (0, 1):
            steps = hb.explain(policy, bandit, 90, seed=3, trial=trial, coupling=coupling)
            assert steps.actions == batch[trial].tolist()


def test_bits_do_not_depend_on_the_chunk():
    for policy, bandit in POLICIES:
        whole = play(bandit, policy, 200, chunk=100)
        for size in (1, 7):
            assert np.array_equal(play(bandit, policy, 200, chunk=size), whole)


def test_index_by_hand():
    tau = math.pi / 4 / math.atan(1) * 2  # p = (2/pi) atan(1) = 1/2
    policy = hb.SignSGDUCB(KNOWN, RANGE)
    assert policy.condition.tau == pytest.approx(tau) == pytest.approx(2.0)
    # x0 = 0.5, step 2/(k+1): 0.5 + 2 -> 1, then 1 - 1 = 0, then 0 + 2/3.
    level = math.log(2 * 50**2)
    index = policy.index([9.0, -3.0, 0.5], t=7, horizon=50)
    assert index == pytest.approx(2 / 3 + 2 * math.sqrt(2 * level / 3))
    anytime = hb.SignSGDUCB(KNOWN, RANGE, kind="anytime").index([9.0, -3.0, 0.5], 7, 50)
    assert anytime == pytest.approx(
        2 / 3 + 2 * math.sqrt(2 * math.log(1 + 8 * math.log(8) ** 2) / 3)
    )
    uniform = hb.SignSGDUCB(KNOWN, RANGE, kind="uniform").index([9.0, -3.0, 0.5], 7, 50)
    assert uniform == pytest.approx(
        2 / 3 + 2 * math.sqrt((2 * math.log(50) + 1 + 1 / 2 + 1 / 3) / 3)
    )
    # Three first pulls: no index from them alone.
    local = hb.SignSGDUCB(KNOWN, half=0.5, pulls=3)
    assert local.index([9.0, -3.0, 0.5], 7, 50) == math.inf
    assert local.index([9.0, -3.0, 0.5, 7.0], 7, 50) == pytest.approx(
        1.0 + local.condition.tau * math.sqrt(2 * level)
    )
    clip = hb.ClipSGDUCB(MassWithin(1.0, 0.5), RANGE)
    assert (clip.condition.score.lam, clip.condition.slope, clip.condition.tau) == (2.0, 0.5, 4.0)


def test_two_values_play_as_the_clip():
    for kind in ("fixed", "uniform"):
        know = MassWithin(1.0, 0.5)
        one = play(CAUCHY, hb.ClipSGDUCB(know, kind=kind, pulls=3))
        assert np.array_equal(one, play(CAUCHY, hb.TwoPointUCB(know, kind=kind, pulls=3)))


def test_infinite_rewards_are_borne_with_an_interval():
    sgd = hb.SignSGDUCB(KNOWN, RANGE)
    assert sgd.accepts_infinite and not hb.SignSGDUCB(KNOWN).accepts_infinite
    assert math.isfinite(sgd.index([math.inf, -math.inf, 0.0], 5, 100))
    clip = hb.ClipSGDUCB(MassWithin(1.0, 0.5), RANGE)
    assert clip.index([math.inf, -1e300], 5, 100) == clip.index([1e9, -1e9], 5, 100)


def test_bounds_of_the_fixed_and_the_anytime_index_are_above_the_sums_they_stand_for():
    for tau, gap, horizon in ((1.0, 0.3, 5000), (2.5, 1.0, 10**5), (0.2, 2.0, 100)):
        for a in (1, 2):
            level = math.log(a * horizon**2)
            n = np.arange(1, 4 * 10**5, dtype=float)
            z = np.maximum(gap * np.sqrt(n) / tau - math.sqrt(2 * level), 0)
            brute = 2 + np.where(z > 0, np.minimum(1, a * np.exp(-(z**2) / 2)), 1).sum()
            bound = score_regret([0, gap], horizon, tau=tau, sides=a) / gap
            assert brute <= bound <= 1.4 * brute + 3
            assert score_regret([0, gap], horizon, tau=tau, sides=a, pulls=7, miss=0.1) == (
                pytest.approx(gap * (bound + 7 + 0.2 * horizon))
            )
            rare = score_regret([0, gap], horizon, tau=tau, sides=a, delta=1 / horizon**2)
            assert rare == pytest.approx(gap * bound)
            c = math.log(1 + horizon * math.log(horizon) ** 2)
            x = np.linspace(0, gap, 20_001)[1:-1]
            least = (
                1
                + 5 * a * tau**2 / x**2
                + 2 * tau**2 / (gap - x) ** 2 * (c + a * math.sqrt(math.pi * c) + a)
            ).min()
            got = score_anytime_regret([0, gap], horizon, tau=tau, sides=a) / gap
            assert got == pytest.approx(least, rel=1e-5)
    # The printed numbers: 73.2 tau^2/gap^2 beside 8 ln(2 T^2) = 152.9 of the pull lemma.
    assert score_regret([0, 1.0], 10_000) - 2 == pytest.approx(73.22, abs=0.01)


def test_bound_of_the_uniform_index_by_a_loop():
    for tau, gap, horizon in ((1.0, 0.3, 9000), (2.0, 1.0, 500), (2.0, 0.1, 100)):
        total, k = 0.0, 0
        while True:
            k += 1
            total += 1 / k
            if 2 * tau * math.sqrt((2 * math.log(horizon) + total) / k) < gap or k > horizon:
                break
        want = gap * (k + 2) if k <= horizon else gap * horizon
        assert score_uniform_regret([0, gap], horizon, tau=tau) == pytest.approx(want)
        more = score_uniform_regret([0, gap], horizon, tau=tau, pulls=3, miss=1 / horizon)
        assert more == pytest.approx(want + 5 * gap if k <= horizon else want)
    many = score_uniform_regret([0, 0.5], [[100, 10**4]], tau=1.0)
    assert many.shape == (1, 2) and many[0, 1] == score_uniform_regret([0, 0.5], 10**4, tau=1.0)


NEAR = hb.Bandit([0.0, 1.0], Cauchy())
COVERED = [
    (hb.SignSGDUCB(KNOWN, (0.0, 1.0)), NEAR),
    (hb.SignSGDUCB(KNOWN), NEAR),
    (hb.SignSGDUCB(KNOWN, (0.0, 1.0), kind="anytime"), NEAR),
    (hb.SignSGDUCB(KNOWN, kind="uniform"), NEAR),
    (hb.SignSGDUCB(KNOWN, (0.0, 1.0), privacy=3.0), NEAR),
    (hb.SignSGDUCB(UnimodalMoment(0.5, 2.0)), NEAR),
    (hb.SignSGDUCB(DensityFloor(0.15, 1.0)), NEAR),
    (hb.SignSGDUCB(KnownLaw(Uniform()), half=0.5), hb.Bandit([0.0, 1.0], Uniform())),
    (hb.ClipSGDUCB(MassWithin(1.1, 0.5)), NEAR),
    (hb.ClipSGDUCB(MassWithin(4.1, 0.5)), hb.Bandit([0.0, 30.0], ParetoHole(0.5))),
    (hb.ClipSGDUCB(MassWithin(1.1, 0.9)), hb.Bandit([0.0, 2.0], TwoPoints())),
    (hb.TwoPointUCB(MassWithin(1.1, 0.5), (0.0, 1.0)), NEAR),
    (hb.ClipSGDUCB(KNOWN, (0.0, 1.0), lam=2.0), NEAR),
    (hb.SignSGDUCB(KNOWN, pulls=9, delta=1e-9), NEAR),
]


@pytest.mark.parametrize(("policy", "bandit"), COVERED, ids=lambda x: str(x)[:70])
def test_a_covered_case_has_a_bound_and_keeps_it(policy, bandit):
    bound = policy.regret_bound(bandit, 3000)
    several = policy.regret_bound(bandit, [1000, 3000])
    assert math.isfinite(bound) and several[1] == bound
    assert several[0] <= several[1]
    regret = hb.simulate(bandit, {"it": policy}, 3000, 100, seed=6)["it"].regret[:, -1]
    # Regret lies in [0, 3000 max gap]: Hoeffding at 1e-6.
    assert regret.mean() <= bound + 3000 * bandit.max_gap * math.sqrt(math.log(1e6) / 200)
    assert pickle.loads(pickle.dumps(policy)) == policy and " at 0x" not in repr(policy)
    tuned = policy.tuned(3000)
    assert tuned.regret_bound(bandit, 3000) == pytest.approx(bound)
    assert np.array_equal(play(bandit, tuned, 300), play(bandit, policy.tuned(3000), 300))


@pytest.mark.parametrize(
    ("policy", "bandit", "why"),
    [
        (hb.SignSGDUCB(KNOWN), hb.Bandit([0.0, 1.0], Gaussian()), "another law"),
        (hb.SignSGDUCB(KNOWN, (0.0, 0.8)), NEAR, "location 1"),
        (hb.ClipSGDUCB(MassWithin(1.1, 0.6)), NEAR, "mass|noise"),
        (
            hb.ClipSGDUCB(MassWithin(1.1, 0.3)),
            hb.Bandit([0.0, 1.0], hb.noise.Frechet(1.0)),
            "not symmetric",
        ),
        (
            hb.SignSGDUCB(UnimodalMoment(0.5, 1.0)),
            hb.Bandit([0.0, 1.0], SymmetricLomax(0.5)),
            "inf",
        ),
        (hb.SignSGDUCB(DensityFloor(0.2, 1.0)), NEAR, "density"),
        (hb.SignSGDUCB(DensityFloor(0.1, 1.0)), hb.Bandit([0.0, 1.0], ParetoHole(0.5)), "density"),
    ],
)
def test_an_uncovered_case_raises_and_says_why(policy, bandit, why):
    with pytest.raises(hb.AssumptionError, match=why):
        policy.regret_bound(bandit, 100)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.SignSGDUCB(3), "knowledge = 3"),
        (lambda: hb.SignSGDUCB(KNOWN, kind="all"), "kind = 'all'"),
        (lambda: hb.SignSGDUCB(KNOWN, kind="anytime"), "needs an interval"),
        (lambda: hb.SignSGDUCB(KNOWN, RANGE, kind="anytime", delta=0.1), "delta"),
        (lambda: hb.SignSGDUCB(KNOWN, RANGE, half=1.0), "half"),
        (lambda: hb.SignSGDUCB(KNOWN, pulls=4), "odd"),
        (lambda: hb.SignSGDUCB(KNOWN, privacy=1.0), "not private"),
        (lambda: hb.SignSGDUCB(MassWithin(1.0, 0.5)), "use ClipSGDUCB"),
        (lambda: hb.ClipSGDUCB(KNOWN), "give a MassWithin"),
        (lambda: hb.ClipSGDUCB(MassWithin(1.0, 0.5), lam=2.0), "give a MassWithin"),
        (lambda: hb.ClipSGDUCB(MassWithin(2.0, 0.5), half=1.0), "mass"),
        (lambda: hb.TwoPointUCB(MassWithin(1.0, 0.5), (1.0, 0.0)), "interval"),
        (lambda: score_regret([0, 1.0], 10, tau=0.0), "tau"),
        (lambda: score_regret([0, 1.0], 10, sides=3), "sides"),
        (lambda: score_regret([0, 1.0], 10, pulls=-1), "pulls"),
        (lambda: score_regret([0, 1.0], 10, miss=2.0), "miss"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
