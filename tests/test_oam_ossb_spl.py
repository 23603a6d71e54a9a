"""OAM, OSSB and SPL against their plain forms; their special rounds; their input."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb.linear import programme
from hbucb.policies.ada_hedge import AdaHedge
from hbucb.policies.spanning import Spanning
from tests.oracles.linear import PlainOAM, PlainOSSB, PlainSPL
from tests.test_solid import drive, small, world


def single(scale=0.3):
    """One context, 5 arms, d = 3."""
    rng = np.random.default_rng(12)
    features = rng.standard_normal((1, 5, 3))
    features /= np.linalg.norm(features, axis=2, keepdims=True)
    return hb.LinearContextualBandit(features, [0.9, -0.3, 0.2], [1.0], hb.noise.Gaussian(scale))


def solver(bandit, policy):
    """(P) at one estimate after the other, solved as tightly as the policy does."""
    last = None

    def solve(theta):
        nonlocal last
        problem = (bandit.features, theta, policy.sigma)
        try:
            last = programme.solve(problem, tol=policy.tol, near=last)
        except hb.AssumptionError:
            return None
        return last.allocation

    return solve


OAMS = {
    "paper": hb.OAM(sigma=0.3),
    "every third round": hb.OAM(sigma=0.3, every=3, epsilon=0.2),
    "all contexts, no forcing": hb.OAM(sigma=0.3, epsilon=0.0, every=20, test="all"),
    "wide": hb.OAM(sigma=0.1, epsilon=0.1, every=20, threshold=3.0),
}


@pytest.mark.parametrize("name", OAMS)
def test_oam_plays_what_the_plain_form_plays(name):
    policy, bandit, trials, horizon = OAMS[name], small(), 3, 120
    context, noise = world(bandit, trials, horizon)
    plain = [
        PlainOAM(bandit.features, policy, horizon, solver(bandit, policy)) for _ in range(trials)
    ]
    kinds = set()

    def compare(t, state, arm):
        for i, one in enumerate(plain):
            x = int(context[t, i])
            expected = one.select(t, x, 0.5)
            assert expected == arm[i] and one.kind == state.kind[i], (t, i, one.kind, state.kind[i])
            kinds.add(one.kind)
            one.learn(x, expected, bandit.loc[x, expected] + noise[t, i])

    drive(policy, bandit, context, noise, each=compare)
    assert {0, 4} <= kinds and (policy.epsilon == 0.0 or 3 in kinds)


def test_oam_kinds_are_all_seen():
    bandit = small()
    context, noise = world(bandit, 10, 600)
    seen = set()
    drive(
        hb.OAM(sigma=0.3, every=50), bandit, context, noise,
        each=lambda t, state, arm: seen.update(state.kind.tolist()),
    )  # fmt: skip
    assert seen == {0, 1, 2, 3, 4}


@pytest.mark.parametrize("policy", [
    hb.OSSB(sigma=0.5), hb.OSSB(sigma=0.5, epsilon=0.1, gamma=0.5, every=7),
])  # fmt: skip
def test_ossb_plays_what_the_plain_form_plays(policy):
    bandit, trials, horizon = single(0.5), 3, 200
    context, noise = world(bandit, trials, horizon)
    plain = [
        PlainOSSB(bandit.features, policy, horizon, solver(bandit, policy)) for _ in range(trials)
    ]

    def compare(t, state, arm):
        for i, one in enumerate(plain):
            expected = one.select(t, 0, 0.5)
            assert expected == arm[i] and one.s == state.explored[i], (t, i)
            one.learn(0, expected, bandit.loc[0, expected] + noise[t, i])

    state, _ = drive(policy, bandit, context, noise, each=compare)
    assert (state.explored > 0).all() and (state.explored < horizon - 10).all()


@pytest.mark.parametrize("policy", [
    hb.SPL(sigma=0.5), hb.SPL(sigma=0.5, threshold=3.0, optimism=0.2, least_gap=0.2),
])  # fmt: skip
def test_spl_plays_what_the_plain_form_plays(policy):
    bandit, trials, horizon = single(0.5), 3, 200
    context, noise = world(bandit, trials, horizon)
    plain = [PlainSPL(bandit.features, policy, horizon) for _ in range(trials)]

    def compare(t, state, arm):
        for i, one in enumerate(plain):
            expected = one.select(t, 0, 0.5)
            assert expected == arm[i], (t, i)
            np.testing.assert_allclose(state.owed[i], one.owed, rtol=1e-6, atol=1e-9)
            one.learn(0, expected, bandit.loc[0, expected] + noise[t, i])

    state, _ = drive(policy, bandit, context, noise, each=compare)
    assert (state.explored > 5).all()


@pytest.mark.parametrize("policy", [hb.OAM(sigma=0.3), hb.OSSB(sigma=0.3), hb.SPL(sigma=0.3)])
def test_state_is_the_same_in_chunks_of_1_7_and_50(policy):
    bandit, trials, horizon = single(), 50, 60
    context, noise = world(bandit, trials, horizon)
    whole, arms = drive(policy, bandit, context, noise)
    for size in (1, 7):
        for first in range(0, trials, size):
            part = slice(first, first + size)
            state, same = drive(policy, bandit, context[:, part], noise[:, part], first)
            np.testing.assert_array_equal(same, arms[:, part])
            for name in ("counts", "explored", "owed"):
                if hasattr(state, name):
                    mine, theirs = getattr(state, name), getattr(whole, name)[part]
                    assert mine.tobytes() == theirs.tobytes(), (size, name)


def test_first_pulls_span_even_when_one_context_cannot():
    features = np.zeros((2, 3, 4))
    features[0, :, :2] = [[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]  # a plane
    features[1, :, 1:] = [[0.0, 1.0, 0.0], [0.0, 0.0, 3.0], [0.0, 1.0, 1.0]]
    first = Spanning(features, trials=1)
    picks = []
    for x in (0, 0, 0, 1, 0, 1, 1):
        arm, waiting = first.choose(np.array([x]), np.array([0]))
        first.played(np.array([x]), arm)
        picks.append((x, int(arm[0]), bool(waiting[0])))
    assert picks == [
        (0, 1, True), (0, 2, True), (0, 0, False), (1, 1, True), (0, 0, False), (1, 0, True),
        (1, 0, False),
    ]  # fmt: skip
    assert first.done


def test_ada_hedge_regret_bound():
    """Regret at most 2 sqrt(V ln K) + range (4/3 ln K + 2) (De Rooij et al. 2014, Theorem 8) with
    V the sum of variances of the gains under the weights; and far more for a lazy learner."""
    rng = np.random.default_rng(1)
    actions, rounds = 5, 2000
    learner, who = AdaHedge(1, actions), np.array([0])
    total, earned, variance, lazy = np.zeros(actions), 0.0, 0.0, 0.0
    for t in range(rounds):
        gain = rng.random(actions) * 3 + (np.arange(actions) == t // 1500) * 1.0
        w = learner.weights(who)[0]
        earned += float(w @ gain)
        lazy += gain.mean()
        variance += float(w @ gain**2 - (w @ gain) ** 2)
        total += gain
        learner.learn(who, gain[None])
    limit = 2 * math.sqrt(variance * math.log(actions)) + 4 * (4 / 3 * math.log(actions) + 2)
    assert total.max() - earned <= limit < total.max() - lazy


@pytest.mark.parametrize("kind", [hb.OSSB, hb.SPL])
def test_more_than_one_context_is_refused(kind):
    with pytest.raises(ValueError, match="2 contexts"):
        hb.simulate(small(), kind(), 10, 1, seed=1)


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (hb.OAM, {"epsilon": -0.1}, "epsilon"),
        (hb.OAM, {"every": 0}, "every"),
        (hb.OAM, {"test": "some"}, "test"),
        (hb.OAM, {"tol": 0.0}, "tol"),
        (hb.OSSB, {"gamma": -1.0}, "gamma"),
        (hb.OSSB, {"sigma": 0.0}, "sigma"),
        (hb.OSSB, {"every": 1.5}, "every"),
        (hb.SPL, {"least_gap": 0.0}, "least_gap"),
        (hb.SPL, {"optimism": -1.0}, "optimism"),
    ],
)
def test_bad_parameters_are_named(kind, change, message):
    with pytest.raises(ValueError, match=message):
        kind(**change)
