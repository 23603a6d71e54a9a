"""Reported faults of public bandit libraries, one test each with the right value.

Each test is named after what went wrong and says where it was reported. Faults of a kind that this
package has no part for are not here: overflowing exponential weights (jubatus_core 181, keras-rl
25; there are no exponential weights).
"""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import plotting, streams
from hbucb.divergences import kl_bernoulli
from hbucb.families import family_of
from hbucb.policies.index import IndexPolicy
from tests import roster

PACKAGE = Path(hb.__file__).parent
POLICIES = roster.policies()


@pytest.fixture(scope="module")
def played():
    """Every public policy on a bandit that it accepts, 300 rounds of 8 trials, all recorded."""
    rounds = np.arange(1, 301)
    return {
        name: hb.simulate(
            roster.bandit_for(policy), {"it": policy}, 300, 8, seed=6, rounds=rounds, actions=True
        )
        for name, policy in POLICIES.items()
    }


def test_ties_do_not_go_to_the_first_arm():
    """mabwiser 96, BanditsBook 18: six equal choices, six times arm 0."""
    equal = hb.Bandit([0.0] * 4, hb.noise.PointMass())
    trials = 4000
    first = hb.simulate(equal, hb.UCB(), 1, trials, seed=1, actions=True)["UCB"].actions[:, 0]
    counts = np.bincount(first, minlength=4)
    # Each arm in 1000 trials on average; false alarm 1e-6 in all.
    low, high = stats.binom.ppf([1.25e-7, 1 - 1.25e-7], trials, 0.25)
    assert ((counts >= low) & (counts <= high)).all()


@pytest.mark.parametrize("name", [n for n, p in POLICIES.items() if isinstance(p, IndexPolicy)])
def test_an_arm_that_was_never_played_has_an_infinite_index(name):
    """mabwiser 10: the index of an arm without pulls was 0, and it was never tried."""
    assert POLICIES[name].index([], 50, 100) == math.inf


def test_indices_of_arms_not_just_played_move_with_t():
    """mabwiser 10: they stayed as they were. Here all are compared with the definition."""
    rng = np.random.default_rng(4)
    rewards = [list(rng.random(2)), list(rng.random(30)), list(rng.random(9))]
    policy = hb.UCB1()
    state = policy.start(hb.policies.Run(1, 3, 400))
    for arm, seen in enumerate(rewards):
        for reward in seen:
            state.update(0, np.array([arm]), np.array([reward]))
    for t in (41, 200, 399):
        by_hand = [np.mean(r) + math.sqrt(2 * math.log(t) / len(r)) for r in rewards]
        assert [policy.index(r, t, 400) for r in rewards] == pytest.approx(by_hand)
        assert state.select(t).tolist() == [int(np.argmax(by_hand))]
    fresh = policy.start(hb.policies.Run(1, 2, 400))
    for arm, reward in ((0, 0.5), (1, 0.0), (0, 0.5), (0, 0.5)):
        fresh.update(0, np.array([arm]), np.array([reward]))
    # The arm that is not pulled comes back as ln t grows.
    assert fresh.select(4).tolist() == [1] and fresh.select(2).tolist() == [0]


@pytest.mark.parametrize("name", POLICIES)
def test_every_pull_is_counted_once(name, played):
    """jubatus_core 159: the first choice was not counted, so it was made for ever."""
    result = played[name]
    actions, pulls = result["it"].actions, result["it"].pulls
    assert (pulls.sum(axis=1) == 300).all()
    if pulls.shape[1] == result.bandit.arms and np.ndim(result.bandit.gaps) == 1:
        arms = result.bandit.arms
        assert np.array_equal(pulls, [np.bincount(row, minlength=arms) for row in actions])


def test_the_index_of_ucb1_is_not_upside_down():
    """MOE 432: sqrt(2 n / ln t), right in the docstring and wrong in the code."""
    index = hb.UCB1().index([0.0, 1.0, 1.0, 0.0], 100, 1000)
    assert index == pytest.approx(0.5 + math.sqrt(2 * math.log(100) / 4))
    assert index > hb.UCB1().index([0.0, 1.0] * 4, 100, 1000)


@pytest.mark.parametrize("name", roster.classes())
def test_every_policy_names_the_source_of_its_formula(name):
    """SMPyBandits 225: the mixing rate was another paper's. Here a reader can look it up."""
    kind = roster.classes()[name]
    cited = re.search(r"\(\d{4}\)|arXiv", kind.__doc__ or "")
    assert cited or name in OF_THE_BOOK, f"{name} names no source"
    assert name not in OF_THE_BOOK or OF_THE_BOOK[name].regret_bound(*CASE) > 0


#: Policies whose rule and theorem are proved in the book; each bounds this case.
CASE = (hb.Bandit([0.0, 1.0], hb.noise.Cauchy()), 1000)
OF_THE_BOOK = {
    "ASGNUCB": hb.ASGNUCB(),
    "ClipSGDUCB": hb.ClipSGDUCB(),
    "HuberUCB": hb.HuberUCB(law=hb.noise.Cauchy()),
    "MedianUCB": hb.MedianUCB(law=hb.noise.Cauchy()),
    "SignSGDUCB": hb.SignSGDUCB(),
    "TwoPointUCB": hb.TwoPointUCB(),
}


@pytest.mark.parametrize("policy", [hb.ThompsonSampling(), hb.BayesUCB()], ids=repr)
@pytest.mark.parametrize("law", [hb.noise.Cauchy(), hb.noise.Uniform(0.2, 0.4)], ids=repr)
def test_beta_posteriors_refuse_rewards_that_are_not_coins(policy, law):
    """SMPyBandits 12, contextualbandits 69 and 7: wrong posterior, or a crash inside."""
    with pytest.raises(ValueError, match="reward"):
        hb.simulate(hb.Bandit([0.0, 0.1], law), policy, 30, 4, seed=1)


def test_the_beta_posterior_counts_a_success_once():
    """retail-demo-store 643: Beta(successes + 1, pulls + 1) takes every pull for a failure."""
    state = hb.ThompsonSampling().start(hb.policies.Run(20_000, 1, 20, seed=3))
    trials, zero = 20_000, np.zeros(20_000, np.int64)
    for reward in (1.0, 1.0, 1.0, 0.0):
        state.update(0, zero, np.full(trials, reward))
    state.select(4)
    index = hb.BayesUCB().index([1.0, 1.0, 1.0, 0.0], 9, 100, [4, 6])
    right, wrong = stats.beta(4, 2), stats.beta(4, 5)
    assert index == pytest.approx(right.ppf(1 - 1 / 10), abs=1e-6)
    assert abs(index - wrong.ppf(1 - 1 / 10)) > 0.1


@pytest.mark.parametrize("name", POLICIES)
def test_regret_is_never_negative_and_never_falls(name, played):
    """SMPyBandits 163 and 153: a final regret of -1400."""
    regret = played[name]["it"].regret
    assert (regret[:, 0] >= 0).all() and (np.diff(regret, axis=1) >= 0).all()


def test_realised_rewards_never_enter_the_regret():
    """Practical_RL 515: best mean minus reward; under Cauchy noise it explodes."""
    wild = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Cauchy(1e12))
    result = hb.simulate(wild, hb.UCB(), 200, 20, seed=2, actions=True, rounds=np.arange(1, 201))
    expected = np.cumsum(wild.gaps[result["UCB"].actions], axis=1)
    assert np.allclose(result["UCB"].regret, expected, rtol=0, atol=1e-9)
    assert result["UCB"].regret.max() <= 200


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_bad_reward_is_refused_with_its_place(bad, monkeypatch):
    """gigaevo-core 2, kumulant 84: after one nan the first arm, or the last, wins for ever."""
    real = hb.noise.Gaussian.fill

    def fill(self, rngs, out):
        real(self, rngs, out)
        out[17] = bad

    monkeypatch.setattr(hb.noise.Gaussian, "fill", fill)
    with pytest.raises(ValueError, match=r"in trial 0, round 17: UCB"):
        hb.simulate(hb.Bandit([0.0, 1.0], hb.noise.Gaussian()), hb.UCB(), 60, 3, seed=1)


def test_the_kl_index_meets_its_equation():
    """anchor 81: without bisection it met neither bound. Ours is at the upper end of its root."""
    family = family_of("bernoulli", 1.0)
    p = np.linspace(0, 1, 41)
    for d in (1e-12, 1e-3, 0.3, 5.0):
        upper = family.upper(p, np.full(p.size, d))
        assert (upper >= p).all() and (upper <= 1).all()
        inside = upper < 1
        # Near 1 the floats are too far apart to come closer than this.
        coarse = 4 * np.finfo(float).eps / (1 - upper[inside])
        assert (np.abs(kl_bernoulli(p[inside], upper[inside]) - d) <= 1e-6 * d + coarse).all()
    assert family.upper(np.array([1.0]), np.array([0.3]))[0] == 1.0
    at_zero = family.upper(np.array([0.0]), np.array([0.3]))[0]
    assert at_zero == pytest.approx(1 - math.exp(-0.3), rel=1e-12)


@pytest.mark.parametrize("level", [0.0, 0.3, 1.0])
def test_a_variance_is_never_negative(level):
    """ta-lib 202, scikit-learn 19766: E[x^2] - E[x]^2 below 0, and its root is nan."""
    from hbucb.estimators.variance import RunningVariances

    run = hb.policies.Run(3, 2, 500)
    moments = RunningVariances(run)
    for n in range(1, 500):
        value = level if n % 2 else level + 2e-8
        _, mean, variance = moments.push(np.array([0, 2, 4]), np.full(3, value))
        assert (variance >= 0).all() and np.isfinite(mean).all()
    constant = hb.Bandit([level, level / 2], hb.noise.PointMass())
    for policy in (hb.UCBV(), hb.UCBTuned(), hb.EUCBV()):
        result = hb.simulate(constant, {"it": policy}, 400, 5, seed=1)
        assert np.isfinite(result["it"].regret).all()


def test_the_global_generator_is_neither_read_nor_moved():
    """joblib 498, Surprise 212, optuna 4412, rlberry 42: the seed of a process is not the run's."""
    bandit, policy = roster.COINS, hb.ThompsonSampling()
    regrets = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002
        before = np.random.get_state()[1].copy()  # noqa: NPY002
        regrets.append(hb.simulate(bandit, policy, 200, 4, seed=9)["ThompsonSampling"].regret)
        assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002
    assert np.array_equal(*regrets)
    sources = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert not re.search(r"np\.random\.(seed|rand|normal|choice|RandomState)\b|import random\b",
                         sources.replace("import random\nimport sys", ""))  # fmt: skip


def test_streams_are_made_by_key_not_by_the_stateful_spawn():
    """numpy 27882 and 22119: a second call of spawn gives other children."""
    one = streams.generator(3, 5, 7).random(4)
    streams.generator(3, 6, 7)
    assert np.array_equal(one, streams.generator(3, 5, 7).random(4))
    key = np.random.SeedSequence(3, spawn_key=(5, 7))
    assert np.array_equal(one, np.random.Generator(np.random.SFC64(key)).random(4))
    for path in PACKAGE.rglob("*.py"):
        assert ".spawn(" not in path.read_text(encoding="utf-8"), path


def test_a_frozen_stable_law_draws_from_itself():
    """scipy 20821 and 17194: rvs forgot the parametrisation; the tail fell to 0."""
    from scipy.stats import levy_stable

    law = hb.noise.as_noise(levy_stable(1.5, 0.0, loc=2.0, scale=3.0))
    draws = law.sample(4000, seed=5)
    for q in (0.1, 0.5, 0.9):
        share = int((draws <= float(levy_stable(1.5, 0.0, loc=2.0, scale=3.0).ppf(q))).sum())
        low, high = stats.binom.ppf([1e-7, 1 - 1e-7], 4000, q)
        assert low <= share <= high
    assert (draws > 100).any()


def test_contexts_and_dimensions_are_not_mixed_up():
    """Multi-armed-Bandits 2: a loop over d where K was meant, hidden by K = d in every test."""
    bandit = roster.LINEAR
    contexts, arms, dimension = bandit.features.shape
    assert len({contexts, arms, dimension}) == 2 and arms != dimension
    assert np.allclose(bandit.features @ bandit.theta, bandit.loc.reshape(contexts, arms))


def test_normal_vectors_are_drawn_by_a_triangular_factor():
    """numpy 22919: multivariate_normal differs between architectures (a singular value sign)."""
    for path in PACKAGE.rglob("*.py"):
        assert "multivariate_normal" not in path.read_text(encoding="utf-8"), path
    features = np.array([[[1.0, 2.0, 0.2], [0.2, 2.0, -1.0]]])  # one context, K = 2, d = 3
    run = hb.policies.Run(20_000, 2, 10, seed=5, features=features)
    state = hb.LinTS(sigma=0.7).start(run)
    for arm, reward in ((0, 1.0), (1, -1.0), (0, 0.5)):
        phi = np.broadcast_to(features[0, arm], (20_000, 3))
        state.fit.update(phi, np.full(20_000, reward))
    drawn = state.index(3, np.broadcast_to(np.eye(3), (20_000, 3, 3)))
    exact = 0.49 * np.linalg.inv(state.fit.precision[0])
    # Entries of a sample covariance of 20 000: standard deviation at most 0.01 of the diagonal.
    assert np.allclose(np.cov(drawn.T), exact, atol=0.06 * exact.max())


def test_a_badly_conditioned_design_loses_no_digits():
    """ReAgent 706: the inverse of an ill-conditioned design matrix."""
    from hbucb.linear.least_squares import LeastSquares

    rng = np.random.default_rng(7)
    fit, phi = LeastSquares(1, 3, 1e-3), rng.standard_normal((3000, 3)) * [1e3, 1.0, 1e-2]
    y = phi @ [0.001, 0.5, 3.0] + 0.1 * rng.standard_normal(3000)
    for row, value in zip(phi, y, strict=True):
        fit.update(row[None], np.array([value]))
    solved = np.linalg.solve(1e-3 * np.eye(3) + phi.T @ phi, phi.T @ y)
    assert np.allclose(fit.estimate[0], solved, rtol=1e-8)


def test_the_band_is_over_trials_and_the_legend_says_so():
    """evidential-be 119, fuzzbench 716: an interval over posterior draws; which one is shown?"""
    import matplotlib

    matplotlib.use("agg")
    result = hb.simulate(roster.CAUCHY, hb.UCB(), 50, 30, seed=1)
    axes = plotting.regret(result)
    title = axes.get_legend().get_title().get_text()
    assert "30 trials" in title and "10 to 90 % of trials" in title
    lines = axes.collections[0].get_paths()[0].vertices[:, 1]
    low, high = np.quantile(result["UCB"].regret[:, -1], [0.1, 0.9])
    assert np.isclose(lines, low).any() and np.isclose(lines, high).any()
    alone = hb.simulate(roster.CAUCHY, hb.UCB(), 50, 1, seed=1)
    assert math.isnan(alone.summary()[0].standard_error)
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("arms", [1, 2, 100])
@pytest.mark.parametrize("trials", [1, 2, 100])
def test_sizes_that_were_refused(arms, trials):
    """contextual 16, contextualbandits 4: more than two runs fail; two arms are refused."""
    bandit = hb.Bandit(np.arange(arms) / arms, hb.noise.Cauchy())
    result = hb.simulate(bandit, {"UCB": hb.UCB(), "SGD": hb.ClippedSGDUCB()}, 320, trials, seed=1)
    for name in result:
        assert result[name].regret.shape[0] == trials and result[name].pulls.shape[1] == arms
        assert arms > 1 or (result[name].regret == 0).all()


@pytest.mark.parametrize("loc", [[2.0, 0.0, 1.0], [0.0, 2.0, 2.0], [1.0, 1.0, 1.0]])
def test_the_best_arm_may_stand_anywhere_and_be_several(loc):
    """BanditsBook 5: the best arm was taken to be the last one after a shuffle."""
    bandit = hb.Bandit(loc, hb.noise.Gaussian(0.1))
    assert bandit.gaps.tolist() == [max(loc) - x for x in loc]
    result = hb.simulate(bandit, hb.UCB(0.1), 300, 10, seed=1)
    best = np.flatnonzero(bandit.gaps == 0)
    assert (np.isin(result["UCB"].pulls.argmax(axis=1), best)).all()


def test_long_runs_keep_a_hundred_numbers():
    """BanditLib 5, SMPyBandits 37: out of memory by curves that nobody looks at."""
    result = hb.simulate(hb.Bandit([0.0], hb.noise.Cauchy()), hb.UCB(), 10**5, 1, seed=1)
    assert result["UCB"].regret.shape[1] <= 100 and result["UCB"].actions is None
