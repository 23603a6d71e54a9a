"""LinUCB and LinTS: by definition, by hand, in chunks, and below their bounds."""

import math
import tracemalloc

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import linear, linear_bounds
from hbucb.jobs import trial_bytes
from hbucb.policies import linear_index

#: Contexts, arms and d all differ.
WIDE = linear.random_problem(5, 1, contexts=2, dim=3, sigma=0.4)
TALL = linear.random_problem(3, 2, contexts=4, dim=6, sigma=0.4)
BANDITS = {"toy": linear.toy(), "2 x 5, d = 3": WIDE, "4 x 3, d = 6": TALL}

POLICIES = {
    "LinUCB": hb.LinUCB(sigma=0.5, theta_bound=1.5),
    "LinUCB, another delta and nu": hb.LinUCB(sigma=0.3, regulariser=2.5, delta=0.2),
    "LinUCB experimental": hb.LinUCB(sigma=0.5, width="experimental"),
    "LinTS": hb.LinTS(sigma=0.5),
    "LinTS, another nu": hb.LinTS(sigma=0.2, regulariser=0.3),
    "LinTS agrawal-goyal": hb.LinTS(sigma=0.5, scale="agrawal-goyal", delta=0.1),
    "LinTS radius": hb.LinTS(sigma=0.5, scale="radius", theta_bound=2.0),
}
T, TRIALS = 700, 12  # beyond one refresh of the inverse


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("name", POLICIES)
def test_batch_plays_what_explain_plays(name, bandit):
    policy, played = POLICIES[name], BANDITS[bandit]
    result = hb.simulate(played, policy, T, TRIALS, seed=3, actions=True)[type(policy).__name__]
    for trial in range(0, TRIALS, 4):
        steps = hb.explain(policy, played, T, seed=3, trial=trial)
        assert steps.actions == result.actions[trial].tolist(), trial
        gaps = [played.gaps[step.context, step.arm] for step in steps]
        assert sum(gaps) == pytest.approx(result.regret[trial, -1])
    assert len({tuple(row) for row in result.actions.tolist()}) > TRIALS // 2


@pytest.mark.parametrize("name", POLICIES)
def test_chunks_of_1_7_and_50_give_the_same_bytes(name):
    runs = [
        hb.simulate(TALL, POLICIES[name], 530, 50, seed=5, actions=True, chunk=size)
        for size in (1, 7, 50)
    ]
    (key,) = runs[0]
    for run in runs[1:]:
        assert run[key].actions.tobytes() == runs[0][key].actions.tobytes()
        assert run[key].regret.tobytes() == runs[0][key].regret.tobytes()


def test_the_state_inside_is_equal_in_any_company():
    """Estimates and widths too, not actions alone."""
    for policy in POLICIES.values():
        rng = np.random.default_rng(0)
        contexts = rng.integers(4, size=(560, 50))
        rewards = rng.standard_normal((560, 50))

        def final(first, size, policy=policy, contexts=contexts, rewards=rewards):
            run = hb.policies.Run(size, TALL.arms, 560, 7, first, 9, TALL.features)
            state = policy.start(run)
            part = slice(first, first + size)
            for t in range(560):
                arm = state.select(t, contexts[t, part])
                state.update(t, contexts[t, part], arm, rewards[t, part])
            return state.fit

        whole = final(0, 50)
        for size in (1, 7):
            for first in range(0, 50 - size + 1, size):
                fit = final(first, size)
                for name in ("estimate", "inverse", "precision", "log_det"):
                    mine = getattr(whole, name)[first : first + size]
                    assert getattr(fit, name).tobytes() == mine.tobytes(), (policy, name)
                if size == 1 and first >= 3:
                    break


class PlainLinUCB:
    """LinUCB for one trial in lists and loops, d = 2, the inverse by Cramer's rule."""

    def __init__(self, features, horizon, sigma=0.5, bound=1.0):
        self.features, self.horizon = features.tolist(), horizon
        self.sigma, self.bound = sigma, bound
        self.v, self.u = [[1.0, 0.0], [0.0, 1.0]], [0.0, 0.0]

    def select(self, t, context):
        (a, b), (_, c) = self.v
        det = a * c - b * b
        radius = self.sigma * math.sqrt(2 * math.log(self.horizon) + math.log(det)) + self.bound
        best, value = 0, -math.inf
        for arm, (x, y) in enumerate(self.features[context]):
            mean = (x * (c * self.u[0] - b * self.u[1]) + y * (a * self.u[1] - b * self.u[0])) / det
            width = math.sqrt((c * x * x - 2 * b * x * y + a * y * y) / det)
            if mean + radius * width > value:
                best, value = arm, mean + radius * width
        return best

    def update(self, t, context, arm, reward):
        x, y = self.features[context][arm]
        (a, b), (_, c) = self.v
        self.v = [[a + x * x, b + x * y], [b + x * y, c + y * y]]
        self.u = [self.u[0] + x * reward, self.u[1] + y * reward]


def test_it_plays_like_a_plain_program():
    bandit = linear.random_problem(4, 6, contexts=3, dim=2, sigma=0.5)
    twin = hb.scalar(PlainLinUCB, contextual=True)
    policies = {"batch": hb.LinUCB(sigma=0.5), "plain": twin}
    result = hb.simulate(bandit, policies, 400, 5, seed=8, actions=True)
    assert np.array_equal(result["batch"].actions, result["plain"].actions)


def test_indices_by_hand():
    # V = diag(1 + 4, 1), U = (2 * 3, 0): estimate (1.2, 0), log det = log 5.
    features = np.array([[1.0, 0.0], [0.0, 2.0]])
    seen = linear_index.Seen(
        features, features[None], np.array([[2.0, 0.0]]), np.array([3.0]), 100, np.empty(0)
    )
    r = 0.5 * math.sqrt(2 * math.log(100) + math.log(5)) + 0.7
    policy = hb.LinUCB(sigma=0.5, theta_bound=0.7)
    assert policy.indices(seen) == pytest.approx([1.2 + r / math.sqrt(5), 2 * r])
    # The experimental width after one round: sigma^2 (log 1 + 2 log log 100).
    r = 0.5 * math.sqrt(2 * math.log(math.log(100)))
    policy = hb.LinUCB(sigma=0.5, width="experimental")
    assert policy.indices(seen) == pytest.approx([1.2 + r / math.sqrt(5), 2 * r])
    # A draw of z = (1, -1) moves the parameter by s (1 / sqrt(5), -1).
    own = linear_index.Seen(
        features, features[None], seen.past, seen.rewards, 100, np.array([1.0, -1.0])
    )
    for scale, s in (
        ("posterior", 0.5),
        ("agrawal-goyal", 0.5 * math.sqrt(9 * math.log(2 * 100))),
        ("radius", 0.5 * math.sqrt(2 * math.log(100) + math.log(5)) + 0.7),
    ):
        policy = hb.LinTS(sigma=0.5, scale=scale, theta_bound=0.7)
        assert policy.indices(own) == pytest.approx([1.2 + s / math.sqrt(5), -2 * s])


def test_the_draws_of_thompson_sampling_have_the_covariance_of_the_posterior():
    rng = np.random.default_rng(1)
    past, rewards, eye = rng.standard_normal((9, 3)), rng.standard_normal(9), np.eye(3)
    policy = hb.LinTS(sigma=0.7, regulariser=2.0)
    centre = policy.indices(linear_index.Seen(eye, eye[None], past, rewards, 10, np.zeros(3)))
    moved = [
        policy.indices(linear_index.Seen(eye, eye[None], past, rewards, 10, z)) - centre
        for z in np.eye(3)
    ]
    covariance = np.array(moved).T @ np.array(moved)
    v = 2.0 * eye + past.T @ past
    np.testing.assert_allclose(covariance, 0.49 * np.linalg.inv(v), rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(centre, np.linalg.solve(v, past.T @ rewards), rtol=1e-10)


def test_sampled_play_follows_the_posterior():
    # One context, before any reward: theta ~ N(0, I), so each of two orthogonal arms has 1/2.
    bandit = hb.LinearContextualBandit([[[1.0, 0.0], [0.0, 1.0]]], [0.0, 0.0], [1.0], _GAUSS)
    first = hb.simulate(bandit, hb.LinTS(), 1, 4000, seed=2, actions=True)["LinTS"].actions
    ones = int(first.sum())
    # Two-sided exact test at 1e-6.
    assert stats.binomtest(ones, 4000, 0.5).pvalue > 1e-6


_GAUSS = hb.noise.Gaussian()


@pytest.mark.parametrize("bandit", [linear.toy(), WIDE, TALL, linear.end_of_optimism()])
def test_regret_stays_below_its_bound(bandit):
    policy = hb.LinUCB(sigma=0.5, theta_bound=1.5)
    result = hb.simulate(bandit, policy, 2000, 30, seed=4)["LinUCB"]
    assert result.regret[:, -1].mean() < policy.regret_bound(bandit, 2000)


def test_the_bound_is_the_formula():
    gaps, n = [0.0, 0.3, 0.05], 10**7
    grown = 4 * math.log(1 + n * 4 / (0.5 * 4))
    w = 8 / math.log(9) * grown
    r = 0.2 * math.sqrt(2 * math.log(n) + grown) + math.sqrt(0.5) * 1.5
    kw = {"dim": 4, "sigma": 0.2, "feature_bound": 2.0, "theta_bound": 1.5, "regulariser": 0.5}
    worst, gap = 2 * r * math.sqrt(n * w) + 0.3, 4 * r * r * w / 0.05 + 0.3
    assert linear_bounds.lin_ucb_regret(gaps, n, **kw) == pytest.approx(min(worst, gap))
    assert worst > gap
    few = linear_bounds.lin_ucb_regret(gaps, [1, 10], **kw)
    assert few.tolist() == pytest.approx([0.3, 3.0])  # the trivial bound, at first
    assert linear_bounds.lin_ucb_regret([0.0, 0.0], 10, dim=2) == 0.0
    with_delta = linear_bounds.lin_ucb_regret([0.0, 1.0], 10**9, dim=2, delta=0.01)
    assert with_delta > 0.01 * 10**9
    grown = 2 * math.log(1 + 1000 / 2)
    w = grown / math.log(2)
    expected = 0.3 * math.sqrt(2 * math.log(5000) * 1000 * w) + 0.3 / math.sqrt(2 * math.pi)
    got = linear_bounds.lin_ts_bayes_regret([0.0] * 5, 1000, dim=2, sigma=0.3)
    assert got == pytest.approx(expected)


def test_the_elliptic_sum_holds_for_any_features():
    rng = np.random.default_rng(5)
    for nu in (0.1, 1.0, 5.0):
        fit, total = linear.LeastSquares(40, 3, nu), np.zeros(40)
        for t in range(1, 300):
            phi = rng.standard_normal((40, 3)) * rng.integers(0, 2, (40, 3))
            phi *= 2.0 / np.maximum(np.linalg.norm(phi, axis=1, keepdims=True), 1e-9)
            total += np.einsum("ti,tij,tj->t", phi, fit.inverse, phi)
            fit.update(phi, np.zeros(40))
            assert (total <= linear_bounds.elliptic_sum(t, 3, 2.0, nu)).all()
    # One feature of full length, d = 1: nearly reached in the first round.
    assert linear_bounds.elliptic_sum(1, 1, 2.0, 0.5) == pytest.approx(8.0)


def test_mean_regret_over_the_prior_stays_below_the_bayesian_bound():
    rng = np.random.default_rng(6)
    features = WIDE.features
    policy, total = hb.LinTS(sigma=0.4, regulariser=2.0), []
    for k in range(60):
        theta = rng.standard_normal(3) * 0.4 / math.sqrt(2.0)
        bandit = hb.LinearContextualBandit(features, theta, [0.5, 0.5], hb.noise.Gaussian(0.4))
        total.append(hb.simulate(bandit, policy, 500, 5, seed=k)["LinTS"].regret[:, -1].mean())
    bound = linear_bounds.lin_ts_bayes_regret(
        [0.0] * 5, 500, dim=3, sigma=0.4, feature_bound=1.0, regulariser=2.0
    )
    assert 0.5 < np.mean(total) < bound


def test_bounds_refuse_what_their_theorems_do_not_cover():
    toy = linear.toy(sigma=0.5)
    heavy = linear.toy(noise=hb.noise.StudentT(2.5))
    for policy, bandit, words in [
        (hb.LinUCB(sigma=0.5), toy, r"theta_bound = 1; it is 1\.41421"),
        (hb.LinUCB(sigma=0.4, theta_bound=2.0), toy, "variance 0.25 > 0.16"),
        (hb.LinUCB(sigma=5.0, theta_bound=2.0), heavy, "not sub-Gaussian"),
        (hb.LinUCB(width="experimental"), toy, "lack a factor 2"),
        (hb.LinUCB(), hb.Bandit([0.0, 1.0], _GAUSS), "is about linear bandits"),
        (hb.LinTS(), toy, "LinTS has no regret bound on a single bandit"),
    ]:
        with pytest.raises(hb.AssumptionError, match=words):
            policy.regret_bound(bandit, 100)
    with pytest.raises(ValueError, match="declare holds symmetric"):
        hb.LinUCB(sigma=0.5, theta_bound=2.0).regret_bound(toy, 100, declare=["symmetric"])


def test_a_bound_on_the_curve_of_one_run_uses_its_own_delta():
    policy = hb.LinUCB(sigma=0.5, theta_bound=1.5)
    tuned = policy.tuned(1000)
    assert tuned.delta == 1e-3 and tuned.tuned(5) == tuned
    toy = linear.toy()
    one, same = (p.regret_bound(toy, 1000) for p in (policy, tuned))
    assert one == pytest.approx(same)
    axes = hb.simulate(toy, policy, 200, 3, seed=1).plot(bounds=True)
    assert axes.lines


def test_explanations_of_contextual_bandits_show_the_context():
    steps = hb.explain(hb.LinUCB(sigma=0.5), linear.toy(), 6, seed=1)
    assert "context" in str(steps).splitlines()[0]
    assert {step.context for step in steps} <= {0, 1} and len(str(steps).splitlines()) == 7
    assert "context" not in str(hb.explain(hb.UCB(), hb.Bandit([0.0, 1.0], _GAUSS), 3))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.LinUCB(sigma=0.0), "sigma"),
        (lambda: hb.LinUCB(theta_bound=-1.0), "theta_bound"),
        (lambda: hb.LinUCB(regulariser=0.0), "regulariser"),
        (lambda: hb.LinUCB(width="wide"), "width = 'wide'"),
        (lambda: hb.LinUCB(delta=1.0), "delta"),
        (lambda: hb.LinUCB(width="experimental", delta=0.1), "delta = 0.1"),
        (lambda: hb.LinTS(sigma=-1.0), "sigma"),
        (lambda: hb.LinTS(scale="big"), "scale = 'big'"),
        (lambda: hb.LinTS(delta=0.1), "delta = 0.1"),
        (lambda: hb.simulate(hb.Bandit([0.0], _GAUSS), hb.LinUCB(), 5, 2, seed=0), "no contexts"),
        (lambda: hb.explain(hb.LinUCB(), hb.Bandit([0.0], _GAUSS)), "linear index policies"),
        (lambda: hb.explain(hb.UCB(), linear.toy()), "linear index policies"),
        (lambda: hb.explain(hb.LinUCB(), linear.toy(), order="random"), "order='given'"),
        (lambda: hb.explain(hb.LinUCB(), linear.toy(), coupling="arm"), "coupling='time'"),
        (lambda: linear_bounds.lin_ucb_regret([0.0, 1.0], 10, dim=0), "dim = 0"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("dim", [2, 20])
@pytest.mark.parametrize(
    "policy", [hb.LinUCB(), hb.LinTS(), hb.CRT(), hb.TOFU(), hb.MENU(groups=30)]
)
def test_memory_is_announced_for_any_dimension(policy, dim):
    bandit = linear.random_problem(22, 1, contexts=1, dim=dim)
    hb.simulate(bandit, policy, 40, 2, seed=1)  # imports are not the run's memory
    tracemalloc.start()
    hb.simulate(bandit, policy, 600, 100, seed=1, chunk=100)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    announced = 100 * trial_bytes(policy, bandit, 600)
    assert peak - 500_000 <= announced <= 8 * peak, (peak, announced)
