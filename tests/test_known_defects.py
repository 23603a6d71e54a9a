"""Defects seen while reading public code of this field, one test each with the right value.

Each test is named after what the code did. Not here, because this package has no such part: first
pulls of HTINF and AdaptiveInf; a Robust UCB class without a body; a file that does not parse.
"""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

import hbucb as hb
from hbucb import plotting
from hbucb.assumptions import check
from hbucb.estimators import Catoni, MedianOfMeans, PRobustMean
from hbucb.predicates import symmetric
from hbucb.statistics import clopper_pearson
from tests import roster


def test_no_two_policies_are_one_under_two_names():
    """SMPyBandits' OCUCB played UCB1: it overrode one of two methods, the engine called the other.

    Each policy here plays another way than any other in at least one of ten trials, but for the
    two pairs whose documentation says that they are one.
    """
    seen = {}
    for name, policy in roster.policies().items():
        bandit = roster.bandit_for(policy)
        if bandit is not roster.COINS and bandit is not roster.CAUCHY:
            continue
        result = hb.simulate(bandit, {"it": policy}, 300, 10, seed=8, actions=True, order="given")
        key = (repr(bandit), result["it"].actions.tobytes())
        seen.setdefault(key, []).append(name)
    assert [names for names in seen.values() if len(names) > 1] == SAME


#: One framework with one optimizer (chapter 6); clipping by two function values (chapter 11).
SAME = [["FOUCB", "ZOUCB"], ["ClipSGDUCB", "TwoPointUCB"]]


def test_normal_rewards_are_not_clipped_and_sigma_is_a_standard_deviation():
    """SMPyBandits' Gaussian(0.05, 0.5): sample mean 0.22, sigma called a variance."""
    draws = 0.05 + hb.noise.Gaussian(0.5).sample(400_000, seed=3)
    assert draws.min() < -1.5 and draws.max() > 1.5
    assert abs(draws.mean() - 0.05) < 5 * 0.5 / math.sqrt(400_000)
    assert draws.std() == pytest.approx(0.5, rel=0.01)


def test_the_band_holds_every_trial():
    """SMPyBandits' band leaves out trial 0."""
    import matplotlib

    matplotlib.use("agg")
    result = hb.simulate(roster.CAUCHY, hb.UCB(), 60, 4, seed=2)
    result["UCB"].regret[0] += 1000.0
    axes = plotting.regret(result, band=(0.0, 1.0))
    assert axes.collections[0].get_paths()[0].vertices[:, 1].max() > 1000
    matplotlib.pyplot.close("all")


def test_the_influence_of_the_p_robust_mean_is_odd():
    """The first paper's code adds the logarithm for negative rewards: a function of |x|."""
    for p in (1.25, 1.5, 2.0):
        robust = PRobustMean(p, c=0.7)
        rewards = np.array([3.0, -1.0, 0.2, -8.0])
        assert robust.estimate(-rewards, 0.1) == -robust.estimate(rewards, 0.1)
        assert robust.estimate([-2.0], 0.1) < 0


def test_normal_noise_is_normal():
    """The first paper's code draws from [0, 1) where its text has N(0, 1)."""
    draws = hb.noise.Gaussian(1.0).sample(20_000, seed=4)
    assert stats.kstest(draws, "norm").pvalue > 1e-6
    assert stats.kstest(np.random.default_rng(4).random(20_000), "norm").pvalue < 1e-6
    plan = hb.experiment("F3a")
    assert plan.noise == hb.noise.Gaussian(1.0) and plan.reading == "text"
    assert hb.experiment("F3a-code").noise == hb.noise.Uniform(0.0, 1.0)


def test_the_pareto_part_of_the_mixture_has_a_tail_and_mean_zero():
    """The first paper's code draws from (-1, 0], mean -1/4; its density has no finite integral."""
    law = hb.noise.cauchy_pareto()
    total = quad(lambda x: float(law.pdf(x)), -0.5, np.inf)[0] + float(law.cdf(-0.5))
    assert total == pytest.approx(1, abs=1e-6)
    (weight, part) = min(law.parts, key=lambda pair: pair[0])
    assert weight == pytest.approx(0.3)
    assert part.support == (-0.5, math.inf) and float(part.mean) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["UCB", "UCB1", "KLUCB", "MOSS", "UCBV", "ClippedSGDUCB"])
def test_the_first_pulls_leave_no_arm_out(name):
    """HeavyInf's first K pulls repeat one arm and skip another."""
    policy = roster.policies()[name]
    bandit = roster.bandit_for(policy)
    first = 3 * bandit.arms if name == "ClippedSGDUCB" else bandit.arms
    result = hb.simulate(bandit, {"it": policy}, first, 50, seed=1)
    assert (result["it"].pulls == first // bandit.arms).all()


def test_a_second_run_knows_nothing_of_the_first():
    """ClassicUCB.reset keeps its means: nan for ever after one infinite reward."""
    policy = hb.UCB()
    one = hb.simulate(roster.CAUCHY, policy, 100, 5, seed=1)
    with pytest.raises(ValueError, match="UCB"):
        hb.simulate(hb.Bandit([0.0, 1.0], hb.noise.SymmetricLomax(0.003)), policy, 300, 3, seed=1)
    two = hb.simulate(roster.CAUCHY, policy, 100, 5, seed=1)
    assert np.array_equal(one["UCB"].regret, two["UCB"].regret)


def test_frechet_noise_says_where_its_centre_is_not():
    """Fréchet noise is not centred at its location: the law says so, and bounds refuse it."""
    law = hb.noise.Frechet(1.25)
    assert law.symmetric is False and float(law.ppf(0.5)) > 1.3
    assert law.mean == pytest.approx(math.gamma(1 - 1 / 1.25))
    with pytest.raises(hb.AssumptionError, match="symmetric"):
        check(hb.Bandit([0.0, 1.0], law), [symmetric()], of="a bound")


def test_the_practical_radius_is_not_called_a_guarantee():
    """The first paper's experiments use c sqrt(ln t / n), not the radius of its theorem."""
    assert hb.ClippedSGDUCB().index([1.0] * 3, 9, 100, [[0.0]] * 3) == pytest.approx(
        1.0 + 0.1 * math.sqrt(math.log(9) / 3)
    )
    with pytest.raises(hb.AssumptionError, match="no confidence radius"):
        hb.ClippedSGDUCB().regret_bound(roster.CAUCHY, 1000)


def test_the_variance_is_divided_by_the_pulls_of_the_arm():
    """rlberry's UCB-V divides Welford's step by t: 0.562 where the variance is 1.159."""
    from hbucb.estimators.variance import RunningVariances

    rng = np.random.default_rng(5)
    run = hb.policies.Run(1, 2, 200)
    moments, seen = RunningVariances(run), []
    for t in range(200):
        reward = rng.normal(0, 1, 1)
        arm = int(t % 5 == 0)
        _, _, variance = moments.push(np.array([arm]), reward)
        if arm:
            seen.append(float(reward[0]))
            assert float(variance[0]) == pytest.approx(np.var(seen), abs=1e-12)
    assert len(seen) == 40


def test_a_huge_bonus_makes_play_even():
    """river drops the bonus by the precedence of an operator: pulls 1, 1, 1998 at weight 1000."""
    result = hb.simulate(roster.CAUCHY, hb.UCB(sigma=1e9, kind="log"), 1998, 4, seed=1)
    assert np.abs(result["UCB"].pulls - 666).max() <= 1


def test_median_of_means_invents_no_rewards():
    """RUNE-MoM's ceiling leaves empty blocks that enter the median as 0."""
    estimator = MedianOfMeans()
    for delta in (1e-4, 0.2):
        for n in range(1, 600):
            assert estimator.estimate(np.full(n, 7.0), delta) == 7.0
    assert estimator.estimate([3.25], 1e-4) == 3.25


def test_two_sides_share_their_level():
    """catoni-confseq compares a number with a text, so the level is never halved."""
    low, high = (float(x) for x in clopper_pearson(7, 40, 0.95))
    assert stats.binom.sf(6, 40, low) == pytest.approx(0.025)
    assert stats.binom.cdf(7, 40, high) == pytest.approx(0.025)
    # Catoni's radius here is for one side; both together fail with at most twice delta.
    x = hb.noise.Gaussian().sample((4000, 60), seed=6)
    catoni, delta = Catoni(v=1.0), 0.05
    error = np.array([catoni.estimate(row, delta) for row in x])
    radius = float(catoni.radius(60, delta))
    for failed in ((error > radius).sum(), (error < -radius).sum()):
        assert clopper_pearson(int(failed), 4000, 1 - 2e-6)[0] <= delta


def test_draws_are_finite_or_refused():
    """SciPy's pareto(0.01) draws inf, 86 in 100 000."""
    law = hb.noise.as_noise(stats.pareto(0.01))
    draws = law.sample(100_000, seed=1)
    if np.isinf(draws).any():
        with pytest.raises(ValueError, match="inf"):
            hb.simulate(hb.Bandit([0.0, 1.0], law), hb.UCB(), 3000, 20, seed=1)
    assert np.isfinite(hb.noise.Cauchy().sample(10**6, seed=2)).all()
