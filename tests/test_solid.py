"""SOLID against its plain form, its bounds on the multiplier and on sampling, its input."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb import streams
from hbucb.policies import nearest_model as nearest_module
from hbucb.solid_bounds import sampling_deviation
from tests.oracles.linear import PlainSOLID

SEED = 5


def small():
    """Contexts 2, arms 4, d = 3: all different."""
    rng = np.random.default_rng(3)
    features = rng.standard_normal((2, 4, 3))
    features /= np.linalg.norm(features, axis=2, keepdims=True)
    return hb.LinearContextualBandit(features, [0.8, -0.4, 0.3], [0.7, 0.3], hb.noise.Gaussian(0.3))


def world(bandit, trials, horizon, seed=SEED):
    """Contexts and noise (horizon, trials)."""
    rng = np.random.default_rng(seed)
    context = rng.choice(bandit.contexts, (horizon, trials), p=bandit.context_law)
    return context, bandit.noise.scale * rng.standard_normal((horizon, trials))


def drive(policy, bandit, context, noise, first=0, each=lambda t, state, arm: None, key=None):
    """Play the batch state of some trials in a given world; the arms (horizon, trials)."""
    horizon, trials = context.shape
    key = streams.policy_stream(policy) if key is None else key
    run = streams.Run(trials, bandit.arms, horizon, SEED, first, key, bandit.features)
    state, arms = policy.start(run), np.empty((horizon, trials), int)
    for t in range(horizon):
        arm = state.select(t, context[t])
        each(t, state, arm)
        state.update(t, context[t], arm, bandit.loc[context[t], arm] + noise[t])
        arms[t] = arm
    return state, arms


def uniforms(policy, bandit, trials, horizon):
    """The draws that the batch state makes."""
    key = streams.policy_stream(policy)
    run = streams.Run(trials, bandit.arms, horizon, SEED, 0, key, bandit.features)
    draws = run.stream(hb.noise.Uniform(0.0, 1.0))
    return np.array([draws.next().copy() for _ in range(horizon)])


SETTINGS = {
    "theory": {},
    "theory, all contexts": {"test": "all"},
    "practical": {"preset": "practical"},
    "no factor rho, no bonus": {"scale_by_rho": False, "kl_bonus": 0.0, "threshold": 2.0},
    "no reset": {"reset": False, "growth": 1.0, "optimism": 0.5},
    "proved width": {"width": "self-normalised", "bound": 1.0, "threshold": 0.05, "test": "all"},
    "bounded, a first multiplier": {"bound": 0.05, "lambda_start": 1.5, "kl_bonus": 0.0},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_batch_plays_what_the_plain_form_plays(setting):
    bandit, trials, horizon = small(), 3, 150
    policy = hb.SOLID(sigma=0.3, **SETTINGS[setting])
    context, noise = world(bandit, trials, horizon)
    draws = uniforms(policy, bandit, trials, horizon)
    plain = [PlainSOLID(bandit.features, policy, horizon) for _ in range(trials)]
    explored = []

    def compare(t, state, arm):
        for i, one in enumerate(plain):
            x = int(context[t, i])
            expected = one.select(t, x, draws[t, i])
            assert expected == arm[i], (t, i)
            assert one.explores == (i in state.exploring)
            assert (one.K, one.S, one.s) == (
                state.phase[i], state.explored[i], state.in_phase[i],
            )  # fmt: skip
            np.testing.assert_allclose(state.omega[i], np.ravel(one.omega), rtol=1e-6, atol=1e-12)
            np.testing.assert_allclose(state.multiplier[i], one.lam, rtol=1e-7, atol=1e-9)
            one.learn(x, expected, bandit.loc[x, expected] + noise[t, i])
            explored.append(one.explores)

    drive(policy, bandit, context, noise, each=compare)
    assert 0.05 < np.mean(explored)
    # Phases end on the way, and with them the policy starts anew (but for "no reset").
    assert max(one.K for one in plain) >= 1


def test_nearest_model_is_the_closed_form_of_the_linear_package():
    rng = np.random.default_rng(8)
    trials, contexts, arms, d = 6, 3, 5, 4
    features = rng.standard_normal((contexts, arms, d))
    theta = rng.standard_normal((trials, d))
    root = rng.standard_normal((trials, d, d))
    V = root @ root.transpose(0, 2, 1) + np.eye(d)
    near = nearest_module.nearest_model(features, theta, np.linalg.inv(V))
    other = hb.linear.alternatives.closest(theta, V, features, sigma=0.7)
    np.testing.assert_allclose(near.distance, other.distance * 2 * 0.7**2)
    np.testing.assert_allclose(theta - near.shift, other.model, atol=1e-12)
    own = np.array([0, 2, 1, 1, 0, 2])
    near = nearest_module.nearest_model(features[own][:, None], theta, np.linalg.inv(V))
    other = hb.linear.alternatives.closest(theta, V, features, sigma=0.7, contexts=own)
    np.testing.assert_allclose(near.distance, other.distance * 2 * 0.7**2)
    np.testing.assert_allclose(theta - near.shift, other.model, atol=1e-12)


def test_arms_alike_are_no_alternatives():
    same = np.array([[[1.0, 0.0], [1.0, 0.0]]])
    near = nearest_module.nearest_model(same, np.array([[1.0, 2.0]]), np.eye(2)[None])
    assert near.distance[0] == math.inf and not near.shift.any()


def test_state_is_the_same_in_chunks_of_1_7_and_50():
    """Theory set without bonus in the constraint: lambda > 0 in most rounds."""
    bandit, trials, horizon = small(), 50, 150
    policy = hb.SOLID(sigma=0.3, kl_bonus=0.0)
    context, noise = world(bandit, trials, horizon)
    positive = []
    whole, arms = drive(
        policy, bandit, context, noise,
        each=lambda t, state, arm: positive.append(state.multiplier > 0),
    )  # fmt: skip
    assert np.mean(positive) > 0.5
    for size in (1, 7):
        for first in range(0, trials, size):
            part = slice(first, first + size)
            state, same = drive(policy, bandit, context[:, part], noise[:, part], first)
            np.testing.assert_array_equal(same, arms[:, part])
            for name in ("omega", "multiplier", "phase", "explored", "in_phase"):
                mine, theirs = getattr(state, name), getattr(whole, name)[part]
                assert mine.tobytes() == np.ascontiguousarray(theirs).tobytes(), (size, name)
            for name in ("estimate", "inverse", "moment", "log_det"):
                mine, theirs = getattr(state._least, name), getattr(whole._least, name)[part]
                assert mine.tobytes() == np.ascontiguousarray(theirs).tobytes(), (size, name)


@pytest.mark.parametrize("policy", [
    hb.SOLID(sigma=0.3, kl_bonus=0.0), hb.SOLID(sigma=0.3, kl_bonus=0.0, z0=3.0, growth=1.0),
])  # fmt: skip
def test_the_multiplier_has_a_ceiling_in_each_phase(policy):
    """g >= -1/z_k, so lambda <= lambda_1 + p_k alpha_k / z_k, about e^(k/2) / sqrt(z_0) for r = 2;
    without the bonus the first phase of weak information comes near it."""
    bandit = hb.linear.toy(xi=0.05, sigma=0.5)
    context, noise = world(bandit, 20, 1500)
    top = {}

    def watch(t, state, arm):
        for k in np.unique(state.phase):
            top[k] = max(top.get(k, 0.0), state.multiplier[state.phase == k].max())

    drive(policy, bandit, context, noise, each=watch)
    assert len(top) >= 3
    for k, most in top.items():
        cap = policy.multiplier_cap(int(k))
        assert most <= cap * (1 + 1e-12)
        if policy.growth == 2.0:  # the rounding up of p_k is worth at most 1 / (p_k ...) more
            exact = math.exp(k / 2) / math.sqrt(policy.z0)
            assert exact <= cap <= exact * (1 + math.exp(-3 * k) / policy.z0)
    assert max(most / policy.multiplier_cap(int(k)) for k, most in top.items()) > 0.3


@pytest.mark.parametrize("test", ["all", "current"])
def test_lemma_4_sampling_keeps_up_with_the_policy(test):
    """E sum over explorations of 1{some count is off by more than sqrt(S/2 ln(S^2 X A))} <= pi^2/3
    if the test looks at all contexts: whether to explore is then decided before X_t is seen. It is
    false for the test in the current context, which explores more often where doubt is left."""
    bandit = small()
    policy = hb.SOLID(sigma=0.3, threshold=8.0, test=test)
    horizon, trials = 400 if test == "all" else 600, 200
    context, noise = world(bandit, trials, horizon)
    law = bandit.context_law[None, :, None]
    wanted = np.zeros((trials, 2, 4))
    seen, late, narrow = np.zeros_like(wanted), np.zeros(trials), np.zeros(trials)
    before = {"omega": np.full((trials, 8), 0.25)}

    def watch(t, state, arm):
        who = state.exploring
        if who.size:
            wanted[who] += law * before["omega"][who].reshape(-1, 2, 4)
            seen[who, context[t, who], arm[who]] += 1
            off = np.abs(seen - wanted)[who].max(axis=(1, 2))
            width = sampling_deviation(state.explored[who].astype(int), 2, 4)
            late[who] += off > width
            narrow[who] += off > width / 3
        before["omega"] = state.omega.copy()

    state, _ = drive(policy, bandit, context, noise, each=watch)
    assert state.explored.mean() > 100
    error = late.std(ddof=1) / math.sqrt(trials)
    if test == "all":
        assert late.mean() + 5 * error <= math.pi**2 / 3
        assert narrow.mean() > math.pi**2 / 3  # a third of the width is not enough
    else:
        assert late.mean() - 5 * error > math.pi**2 / 3


def test_without_a_multiplier_the_policy_climbs_the_optimistic_means_alone():
    bandit = small()
    context, noise = world(bandit, 5, 200)
    free = hb.SOLID(sigma=0.3, lambda_max=0.0)
    state, _ = drive(free, bandit, context, noise)
    assert not state.multiplier.any()
    ascent = state.omega.reshape(5, 2, 4)
    np.testing.assert_allclose(ascent.sum(axis=2), 1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sigma": 0.0}, "sigma"),
        ({"preset": "best"}, "preset"),
        ({"z0": 0.5}, "z0"),
        ({"growth": -1.0}, "growth"),
        ({"lambda_max": -1.0}, "lambda_max"),
        ({"lambda_start": 60.0}, "lambda_start"),
        ({"policy_step": "fast"}, "policy_step"),
        ({"multiplier_step": 0.0}, "multiplier_step"),
        ({"kl_bonus": math.nan}, "kl_bonus"),
        ({"scale_by_rho": 1}, "scale_by_rho"),
        ({"reset": None}, "reset"),
        ({"test": "first"}, "test"),
        ({"bound": -1.0}, "bound"),
        ({"width": "wide"}, "width"),
        ({"width": "self-normalised"}, "bound"),
    ],
)
def test_bad_parameters_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        hb.SOLID(**change)


def test_bandits_without_contexts_are_refused():
    with pytest.raises(ValueError, match="contextual"):
        hb.simulate(hb.Bandit([0.0, 1.0], hb.noise.Gaussian()), hb.SOLID(), 10, 1, seed=1)
    with pytest.raises(hb.AssumptionError):
        hb.SOLID().regret_bound(small(), 100)
