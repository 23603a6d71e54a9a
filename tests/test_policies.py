"""Each policy against hand computation, a scalar twin, or a slow implementation of its own."""

import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb.estimators import Catoni, MedianOfMeans, TruncatedMean
from tests.oracles.policies import ScalarThompson, SlowClippedSGDUCB

INF = math.inf


def test_ucb_index_by_hand():
    rewards = [1.0, 3.0, -1.0, 5.0]
    # Mean 2, n = 4; ln(1/delta) = 2 ln 100 for T = 100.
    fixed = hb.UCB(sigma=0.5).index(rewards, t=40, horizon=100)
    assert fixed == pytest.approx(2 + 0.5 * math.sqrt(2 * 2 * math.log(100) / 4))
    assert hb.UCB(sigma=0.5, delta=0.1).index(rewards, 40, 100) == pytest.approx(
        2 + 0.5 * math.sqrt(2 * math.log(10) / 4)
    )
    assert hb.UCB(sigma=0.5, kind="log").index(rewards, 40, 100) == pytest.approx(
        2 + 0.5 * math.sqrt(2 * math.log(40) / 4)
    )
    # Round 41 is about to be played.
    level = math.log(1 + 41 * math.log(41) ** 2)
    assert hb.UCB(sigma=0.5, kind="anytime").index(rewards, 40, 100) == pytest.approx(
        2 + 0.5 * math.sqrt(2 * level / 4)
    )
    assert hb.UCB().index([], 3, 100) == INF


def test_clipped_sgd_by_hand():
    # p = 3: x0 = median(0, 9, 2) = 2; A = ln(4 * 11 * 100) = 8.3894; clip level 1.5.
    step = 1 / math.log(4 * 11 * 100)
    policy = hb.ClippedSGDUCB(rho=1.5, c=0.2, theta=0.0)
    x1 = 2 + step * 1.5  # gradient 2 - 7 = -5, clipped to -1.5
    x2 = x1 - step * (x1 - 1.0)  # gradient x1 - 1 is within the clip level
    assert policy.index([0, 9, 2, 7, 1], t=9, horizon=10) == pytest.approx(
        x2 + 0.2 * math.sqrt(math.log(9) / 5)
    )
    # Median of 3: the incomplete second batch (100, 100) is not used, n counts 6 pulls.
    median = hb.ClippedSGDUCB(m=1, rho=1.5, c=0.2, theta=0.0)
    assert median.index([0, 9, 2, 2.5, -80, 3, 100, 100], 20, 10) == pytest.approx(
        2 + step * 0.5 + 0.2 * math.sqrt(math.log(20) / 6)
    )
    # SMoM(1, 2): means 1, 50, 2.25 of pairs; smoothing 0.5, 0, 0 moves the first to 1.5.
    smooth = hb.ClippedSGDUCB(m=1, n=2, rho=1.5, c=0.0, theta=0.1)
    rewards = [0, 9, 2, 0, 2, 0, 100, 2, 2.5]
    assert smooth.index(rewards, 20, 10, own=[[0.5, 0.0, 0.0]]) == pytest.approx(2 + step * 0.25)
    assert smooth.index(rewards, 20, 10, own=[[1.5, 0.0, 0.0]]) == pytest.approx(2 + step * 0.5)
    # Decreasing step 1 / (0.5 (k + 3)), clip level 2.
    decreasing = hb.ClippedSGDUCB(preset="decreasing", kappa=0.5, clip=2.0, c=1.0)
    assert decreasing.index([0, 9, 2, 7, 3], 9, 10) == pytest.approx(
        (2 + 2 / 1.5) - (2 + 2 / 1.5 - 3) / 2 + math.sqrt(math.log(9) / 5)
    )


def test_text_is_another_name_of_theory():
    for kind in (hb.ClippedSGDUCB, hb.RobustUCB):
        assert kind(preset="text") == kind(preset="theory")
        assert repr(kind(preset="text")) == repr(kind(preset="theory"))  # and so the same streams
    plan = hb.experiment("F1a")
    assert plan.policies("text") == plan.policies("theory") != plan.policies("authors")


def test_theory_preset_is_the_printed_theorem():
    horizon, delta = 1000, 0.01
    policy = hb.ClippedSGDUCB(preset="theory", rho=1.0, sigma=1.0, delta=delta)
    rule = policy.rule(horizon)
    level = math.log(4 * 1001 / delta)
    gamma = min(1 / (400 * level), math.log(1001) / 1001)
    steps, clips = rule.estimator.schedule.tables(3)
    assert steps == pytest.approx([gamma] * 3)
    assert clips == pytest.approx(
        [math.exp(-gamma * (1 + k / 2)) / (120 * gamma * level) for k in range(3)]
    )
    # g = 3322 at k = 1000, so the radius is 81.5 on an interval of half-width 1.
    assert rule.radius.weight(np.array([1000]))[0] == pytest.approx(81.5, abs=0.05)


def test_robust_ucb_index_by_hand():
    # delta = e^-3: k = floor(8 * 3.125) = 25 blocks, valid from n = 16 * 3.125 = 50 pulls on.
    delta = math.exp(-3)
    policy = hb.RobustUCB(MedianOfMeans(eps=0.5, v=2.0), delta=delta)
    rewards = list(np.random.default_rng(0).normal(size=59))
    assert policy.index(rewards[:49], 80, 100) == INF
    means = sorted((rewards[2 * j] + rewards[2 * j + 1]) / 2 for j in range(25))
    radius = 24 ** (1 / 1.5) * (50 / 59) ** (1 / 3)
    assert policy.index(rewards, 80, 100) == pytest.approx(means[12] + radius)
    # The authors' bonus does not depend on the count: greedy after two pulls.
    greedy = hb.RobustUCB(preset="authors")
    assert greedy.index([1.0], 10, 100) == INF
    assert greedy.index([1.0, 3.0], 10, 100) - greedy.index([0.0, 0.0], 10, 100) == 2.0
    fair = hb.RobustUCB(preset="fair", c=2.0)
    assert fair.index([1, 3, 5, 5, 0, 1, 99], 10, 100) == pytest.approx(
        2 + 2 * math.sqrt(math.log(10) / 7)
    )


@pytest.mark.parametrize("coupling", ["time", "arm"])
@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.5, 2.0)])
def test_thompson_equals_its_scalar_twin(coupling, prior):
    bandit = hb.BernoulliBandit([0.3, 0.5, 0.5, 0.7])
    batch = hb.ThompsonSampling(*prior)
    twin = hb.scalar(ScalarThompson, a=prior[0], b=prior[1])

    class Twin(type(twin)):  # the same random stream needs the same text
        def __repr__(self):
            return repr(batch)

    twin = Twin(twin.factory, twin.name, twin.parameters)
    result = hb.simulate(
        bandit, {"batch": batch, "twin": twin}, 600, 30, seed=3, actions=True, coupling=coupling
    )
    assert np.array_equal(result["batch"].actions, result["twin"].actions)


def test_thompson_draws_follow_the_beta_posterior():
    # After fixed rewards the choice of arm 0 has probability P(Beta(4, 2) > Beta(2, 3)).
    run = hb.policies.Run(trials=20_000, arms=2, horizon=10, seed=8)
    state = hb.ThompsonSampling().start(run)
    arm = np.zeros(20_000, np.int64)
    for reward in (1.0, 1.0, 1.0, 0.0):
        state.update(0, arm, np.full(20_000, reward))
    for reward in (1.0, 0.0, 0.0):
        state.update(0, arm + 1, np.full(20_000, reward))
    wins = int((state.select(7) == 0).sum())
    grid = np.linspace(0, 1, 200_001)
    density = stats.beta.pdf(grid, 4, 2) * stats.beta.cdf(grid, 2, 3)
    probability = float(np.trapezoid(density, grid))
    assert stats.binomtest(wins, 20_000, probability).pvalue > 1e-6


def test_authors_preset_agrees_with_a_slow_implementation():
    # Two independent samples of 600 and 150 runs; exact two-sample test, false alarm 1e-6.
    bandit = hb.bandits.environment("Env2", hb.noise.Cauchy())
    fast = hb.simulate(bandit, hb.ClippedSGDUCB(m=1, rho=0.9), 1500, 600, seed=1)
    slow = hb.simulate(
        bandit, hb.scalar(SlowClippedSGDUCB, clip=0.9), 1500, 150, seed=2, order="given"
    )
    one = fast["ClippedSGDUCB"].regret[:, -1]
    two = slow["SlowClippedSGDUCB"].regret[:, -1]
    assert stats.ks_2samp(one, two, method="exact").pvalue > 1e-6


GAUSS = hb.Bandit([0.0, 0.5], hb.noise.Gaussian())
CAUCHY = hb.Bandit([0.0, 0.5], hb.noise.Cauchy())
COINS = hb.BernoulliBandit([0.2, 0.7])
T3 = hb.Bandit([0.0, 0.5], hb.noise.StudentT(3.0))
MOM = MedianOfMeans(eps=1.0, v=3.1)

COVERED = [
    (hb.UCB(1.0), GAUSS),
    (hb.UCB(1.0, kind="anytime"), GAUSS),
    (hb.UCB(0.5), COINS),
    (hb.UCB(1.0), hb.Bandit([0.0, 1.0, 1.0], [hb.noise.Uniform(-1, 1)] * 3)),
    (hb.UCB(1.0), hb.Bandit([0.0, 0.5], hb.noise.Uniform(0, 1))),  # a common mean is enough
    (hb.RobustUCB(MOM), T3),
    (hb.RobustUCB(MOM), GAUSS),
    (hb.RobustUCB(MedianOfMeans(eps=0.5, v=16.0)), hb.Bandit([0.0, 1.0], hb.noise.StudentT(1.6))),
    (hb.RobustUCB(MOM, power=2), T3),
    (hb.RobustUCB(TruncatedMean(eps=1.0, u=3.3)), T3),
    (hb.RobustUCB(TruncatedMean(eps=1.0, u=3.3), power=3), T3),
    (hb.RobustUCB(TruncatedMean(eps=1.0, u=0.7), delta=0.01), COINS),
    (
        hb.RobustUCB(TruncatedMean(eps=0.5, u=16.0)),
        hb.Bandit([0.0, 1.0], hb.noise.StudentT(1.6)),
    ),
    (hb.RobustUCB(Catoni(v=3.0)), hb.Bandit([0.0, 9.0], hb.noise.StudentT(3.0))),
    (hb.RobustUCB(Catoni(v=0.3), power=2), COINS),
    (hb.OrderStatisticUCB(), CAUCHY),
    (hb.OrderStatisticUCB("fixed"), hb.Bandit([0.0, 1.0], hb.noise.ParetoHole(0.5))),
    (hb.OrderStatisticUCB("anytime"), GAUSS),
    (hb.OrderStatisticUCB(a=1.0), hb.Bandit([0.0, 1.0, 2.0], hb.noise.TwoPoint())),
]
NOT_COVERED = [
    (hb.OrderStatisticUCB("anytime"), hb.Bandit([0.0, 1.0], stats.expon(-1)), "P.noise < 0"),
    (hb.UCB(1.0), CAUCHY, "Cauchy"),
    (hb.UCB(1.0), T3, "StudentT"),
    (hb.UCB(0.5), GAUSS, "Gaussian"),
    (hb.UCB(0.0), GAUSS, "greedy"),
    (hb.UCB(1.0), hb.Bandit([0.0, 0.5], [hb.noise.Uniform(0, 1), hb.noise.Gaussian()]), "mean"),
    (hb.UCB(1.0, kind="log"), GAUSS, "log"),
    (hb.UCB(1.0), hb.Bandit([0.0, 0.5], [hb.noise.Gaussian(), hb.noise.Cauchy()]), "Cauchy"),
    (hb.UCB(1.0), hb.Bandit([0.0, 1.0], stats.norm()), "norm"),
    (hb.RobustUCB(MOM), CAUCHY, "Cauchy"),
    (hb.RobustUCB(MedianOfMeans(eps=1.0, v=2.9)), T3, "StudentT"),
    (
        hb.RobustUCB(MedianOfMeans(eps=0.5)),
        hb.Bandit([0.0, 0.5], hb.noise.Frechet(1.25)),
        "Frechet",
    ),
    # The raw moment of the arm at 0.5 is 3.25; a shift by 10 is covered by no u near it.
    (hb.RobustUCB(TruncatedMean(eps=1.0, u=3.2)), T3, "location 0.5"),
    (
        hb.RobustUCB(TruncatedMean(eps=1.0, u=3.3)),
        hb.Bandit([10.0, 10.5], hb.noise.StudentT(3.0)),
        "location 10",
    ),
    (hb.RobustUCB(TruncatedMean(eps=0.5, u=9.0)), CAUCHY, "Cauchy"),
    (
        hb.RobustUCB(TruncatedMean(eps=1.0, u=9.0), power=3),
        hb.Bandit([0.0, 0.5], [hb.noise.Uniform(0, 1), hb.noise.Gaussian()]),
        "mean",
    ),
    (hb.RobustUCB(Catoni(v=2.9)), T3, "StudentT"),
    (hb.RobustUCB(Catoni(v=50.0), power=2), hb.Bandit([0.0, 1.0], hb.noise.StudentT(1.6)), "inf"),
    (hb.RobustUCB(MOM, preset="authors"), GAUSS, "greedy"),
    (hb.RobustUCB(MOM, preset="fair"), GAUSS, "practical"),
    (hb.ClippedSGDUCB(), GAUSS, "constant step"),
    (hb.ClippedSGDUCB(preset="theory"), GAUSS, "refuted"),
    (hb.ClippedSGDUCB(preset="decreasing"), GAUSS, "practical"),
    (hb.ThompsonSampling(), COINS, "no theorem"),
]


def test_robust_ucb_refuses_what_it_cannot_play():
    for arguments, words in (
        ({"estimator": hb.estimators.SampleMean()}, "estimator = SampleMean"),
        ({"estimator": Catoni(), "preset": "fair"}, "for a MedianOfMeans only"),
        ({"preset": "authors", "power": 2}, "used by preset='theory' only"),
        ({"power": 1.5}, "power = 1.5 must be at least 2"),
        ({"power": math.nan}, "power"),
        ({"power": 2, "delta": 0.1}, "give one"),
    ):
        with pytest.raises(ValueError, match=words):
            hb.RobustUCB(**arguments)


def test_truncated_and_catoni_index_by_hand():
    # L = 2 ln 10 = 4.605: thresholds sqrt(2 j / L) = 0.66, 0.93, 1.14, 1.32.
    rewards = [0.7, 0.9, -1.1, 5.0]
    level = 2 * math.log(10)
    truncated = hb.RobustUCB(TruncatedMean(eps=1.0, u=2.0))
    index = (0.9 - 1.1) / 4 + 4 * math.sqrt(2 * level / 4)
    assert truncated.index(rewards, 7, 10) == pytest.approx(index)
    # After 4 pulls in all ln(1/delta) = 3 ln 4: the first threshold is 0.69, and 0.7 is out; after
    # one pull the level is that of two, 3 ln 2, the first threshold 0.98, and 0.7 counts.
    falling = hb.RobustUCB(TruncatedMean(eps=1.0, u=2.0), power=3)
    radius = 4 * math.sqrt(2 * 3 * math.log(4) / 4)
    assert falling.index(rewards, 4, 10) == pytest.approx(-0.2 / 4 + radius)
    radius = 4 * math.sqrt(2 * 3 * math.log(2) / 4)
    assert falling.index(rewards, 1, 10) == pytest.approx(0.5 / 4 + radius)
    # Catoni: symmetric rewards have the root 3; n = 12 > 2L = 9.21.
    catoni = hb.RobustUCB(Catoni(v=4.0), delta=0.01)
    symmetric = [2.0, 4.0] * 5 + [3.0, 3.0]
    assert catoni.index(symmetric, 50, 60) == pytest.approx(
        3 + math.sqrt(8 * level / (12 - 2 * level))
    )
    assert catoni.index(symmetric[:9], 50, 60) == INF


@pytest.mark.parametrize(("policy", "bandit"), COVERED)
def test_a_covered_case_has_a_bound_and_keeps_it(policy, bandit):
    bound = policy.regret_bound(bandit, 2000)
    assert math.isfinite(bound)
    rising = policy.regret_bound(bandit, [1000, 2000])
    assert rising[1] == bound
    assert rising[0] <= rising[1]
    # Catoni's root costs a look at the history: fewer trials, and larger gaps, below.
    trials = 20 if "Catoni" in repr(policy) else 200
    result = hb.simulate(bandit, {"it": policy}, 2000, trials, seed=6)["it"].regret[:, -1]
    # Regret lies in [0, 2000 max gap]: Hoeffding at 1e-6 one-sided is far below the bound's slack.
    slack = 2000 * bandit.max_gap * math.sqrt(math.log(1e6) / (2 * trials))
    assert result.mean() <= bound + slack


@pytest.mark.parametrize(("policy", "bandit", "why"), NOT_COVERED)
def test_an_uncovered_case_raises_and_says_why(policy, bandit, why):
    with pytest.raises(hb.AssumptionError, match=why):
        policy.regret_bound(bandit, 2000)


def test_unknown_facts_can_be_declared():
    bandit = hb.Bandit([0.0, 1.0], stats.norm())
    with pytest.raises(hb.AssumptionError):
        hb.UCB(1.0).regret_bound(bandit, 2000)
    declared = hb.UCB(1.0).regret_bound(bandit, 2000, declare=["subgaussian"])
    assert declared == hb.UCB(1.0).regret_bound(hb.Bandit([0.0, 1.0], hb.noise.Gaussian()), 2000)


def test_a_tuned_policy_plays_alike_and_bounds_the_run_that_was_tuned_to_the_horizon():
    for policy in (
        hb.UCB(1.0),
        hb.UCB(1.0, kind="anytime"),
        hb.RobustUCB(MOM),
        hb.RobustUCB(TruncatedMean(1.0, 1.25), power=2),
        hb.RobustUCB(Catoni(1.0)),
        hb.OrderStatisticUCB(),
        hb.OrderStatisticUCB("fixed"),
        hb.OrderStatisticUCB("anytime"),
    ):
        tuned = policy.tuned(2000)
        assert tuned.regret_bound(GAUSS, 2000) == policy.regret_bound(GAUSS, 2000)
        runs = [
            hb.simulate(GAUSS, {"it": p}, 2000, 5, seed=1, actions=True)["it"].actions
            for p in (policy, tuned)
        ]
        assert np.array_equal(*runs)
    # A run tuned to 2000 explores more in its first 100 rounds than one tuned to 100.
    assert hb.UCB(1.0).tuned(2000).regret_bound(GAUSS, 100) > hb.UCB(1.0).regret_bound(GAUSS, 100)


class Late(hb.policies.RootRadius):
    """No estimate of an arm before its fifth pull."""

    def weight(self, n):
        return np.where(n < 5, np.inf, super().weight(n))


class LateUCB(hb.UCB):
    """UCB(kind="log") whose intervals begin at five pulls."""

    def rule(self, horizon):
        return hb.policies.Rule(hb.estimators.SampleMean(), Late(math.sqrt(2) * self.sigma))


def test_an_infinite_weight_means_no_estimate_yet_at_every_level():
    bandit = hb.Bandit([0.0, 0.5], hb.noise.Gaussian())
    policy = LateUCB(sigma=0.3, kind="log")
    actions = hb.simulate(bandit, {"it": policy}, 60, 20, seed=2, actions=True)["it"].actions
    assert (np.sort(actions[:, :10], axis=1) == [0] * 5 + [1] * 5).all()
    for trial in range(20):
        steps = hb.explain(policy, bandit, 60, seed=2, trial=trial)
        assert steps.actions == actions[trial].tolist()
