"""CRT, TOFU and MENU: by definition, by hand, in chunks; their radii at fixed features."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import linear
from hbucb.heavy_linear_bounds import crt_level, crt_regret, menu_regret, tofu_regret
from hbucb.linear_bounds import elliptic_sum
from hbucb.policies.linear_index import Seen

HEAVY = hb.noise.StudentT(2.5, scale=0.3)
WIDE = linear.random_problem(5, 1, contexts=2, dim=3, noise=HEAVY)
ONE = linear.random_problem(5, 2, contexts=1, dim=3, noise=HEAVY)

POLICIES = {
    "CRT": (hb.CRT(eps=1.0, v=2.0), WIDE),
    "CRT, low order, own level": (hb.CRT(eps=0.3, v=0.2, level=0.5, regulariser=2.0), WIDE),
    "TOFU": (hb.TOFU(eps=1.0, v=0.01), WIDE),
    "TOFU, low order": (hb.TOFU(eps=0.4, v=0.01, delta=0.1, regulariser=0.5), WIDE),
    "MENU": (hb.MENU(eps=0.5, v=0.01, groups=4), ONE),
    "MENU, one group": (hb.MENU(eps=1.0, v=0.001, groups=1), ONE),
    "MENU, nine": (hb.MENU(eps=1.0, v=0.001, groups=9, theta_bound=0.1), ONE),
}


@pytest.mark.parametrize("name", POLICIES)
def test_batch_plays_what_explain_plays(name):
    policy, bandit = POLICIES[name]
    result = hb.simulate(bandit, policy, 300, 8, seed=3, actions=True)[type(policy).__name__]
    for trial in range(0, 8, 3):
        steps = hb.explain(policy, bandit, 300, seed=3, trial=trial)
        assert steps.actions == result.actions[trial].tolist(), trial
    assert len({tuple(row) for row in result.actions.tolist()}) > 4


@pytest.mark.parametrize("name", POLICIES)
def test_chunks_of_1_7_and_50_give_the_same_bytes(name):
    policy, bandit = POLICIES[name]
    runs = [
        hb.simulate(bandit, policy, 120, 50, seed=5, actions=True, chunk=size)
        for size in (1, 7, 50)
    ]
    (key,) = runs[0]
    for run in runs[1:]:
        assert run[key].actions.tobytes() == runs[0][key].actions.tobytes()


def _seen(past, rewards, horizon, dim=1):
    arms = np.eye(dim)
    return Seen(arms, arms[None], np.array(past), np.array(rewards), horizon, np.empty(0))


def test_truncated_estimates_by_hand():
    # d = 1, features 1, V = 1 + 3: rewards of more than b count as 0.
    rewards, ones = [1.0, -50.0, 2.0], [[1.0]] * 3
    crt = hb.CRT(eps=0.5, v=2.0, level=10.0, delta=0.1, theta_bound=0.7)
    r = 10 * math.sqrt(2 * math.log(10) + math.log(4)) + math.sqrt(3) * 2 / math.sqrt(10) + 0.7
    assert crt.indices(_seen(ones, rewards, 100)) == pytest.approx([3 / 4 + r / 2])
    # TOFU cuts y / 2 at b; here 25 > b > 1.
    tofu = hb.TOFU(eps=0.5, v=40.0, delta=0.1, theta_bound=0.7)
    log = math.log(2 * 100 / 0.1)
    b = (40 / log) ** (2 / 3) * 3 ** (1 / 6)
    assert 1 < b < 25
    expected = 3 / 4 + (4 * log * b + 0.7) / 2
    assert tofu.indices(_seen(ones, rewards, 100)) == pytest.approx([expected])
    uncut = replace(tofu, v=1e4)
    gone = uncut.indices(_seen(ones, rewards, 100)) - uncut.levels(3, 100, 1)[1] / 2
    assert gone == pytest.approx([-47 / 4])


def test_infinite_rewards_count_as_truncated():
    past, rewards = [[1.0, 0.0], [0.0, 1.0]], [math.inf, 1.0]
    for policy in (hb.CRT(v=9.0, level=3.0), hb.TOFU(v=90.0)):
        finite = policy.indices(_seen(past, [1e9, 1.0], 100, dim=2))
        assert policy.indices(_seen(past, rewards, 100, dim=2)) == pytest.approx(finite)
    assert hb.CRT.accepts_infinite and hb.TOFU.accepts_infinite and not hb.MENU.accepts_infinite


def test_median_of_estimates_by_hand():
    # k = 3, two epochs: V = 3, group sums 2 + 1, 90 + 3, 4 + 2: estimates 1, 31, 2.
    rewards = [2.0, 90.0, 4.0, 1.0, 3.0, 2.0]
    menu = hb.MENU(eps=0.5, v=0.1, groups=3, theta_bound=0.7)
    # Second smallest distances: 1 at the first, 29 at the second, 1 at the third; the first wins.
    r = 3 * ((9 * 0.1) ** (2 / 3) * 2 ** (1 / 6) + 0.7)
    expected = 1 + r / math.sqrt(3)
    assert menu.indices(_seen([[1.0]] * 6, rewards, 50)) == pytest.approx([expected])
    # An unfinished epoch is not used.
    assert menu.indices(_seen([[1.0]] * 8, [*rewards, 9.0, 9.0], 50)) == pytest.approx([expected])
    assert hb.MENU().batch(1000) == math.ceil(24 * math.log(math.e * 1000 * 1000))
    with pytest.raises(ValueError, match="one context; this one has 2"):
        hb.simulate(WIDE, hb.MENU(groups=3), 10, 2, seed=0)


def _fixed(runs, rounds, law, seed):
    """Features (rounds, 3) fixed in advance, theta, rewards (runs, rounds)."""
    rng = np.random.default_rng(seed)
    past = rng.standard_normal((rounds, 3))
    past /= np.linalg.norm(past, axis=1, keepdims=True)
    theta = np.array([0.6, -0.4, 0.5])
    return past, theta, past @ theta + law.sample(runs * rounds, seed=seed).reshape(runs, rounds)


def _distance(policy, past, theta, rewards, horizon):
    """|estimate - theta|_V, the estimate read off the indices of the unit vectors."""
    seen = Seen(np.eye(3), np.eye(3)[None], past, rewards, horizon, np.empty(0))
    v = seen.precision(1.0)
    if isinstance(policy, hb.MENU):
        k = policy.batch(horizon)
        v = np.eye(3) + past[::k].T @ past[::k]
        radius = policy.radius(len(past) // k, 3)
    else:
        radius = policy.levels(len(past), horizon, 3)[1]
    estimate = policy.indices(seen) - radius * np.sqrt(np.diag(np.linalg.inv(v)))
    error = estimate - theta
    return math.sqrt(error @ v @ error), radius


def test_radii_hold_for_features_fixed_in_advance():
    # TOFU at delta = .1 (of all rounds; one is looked at), t-noise without a variance.
    law = hb.noise.StudentT(1.8, scale=0.3)
    raw = law.moment(1.5, about=0.88) + 1e-9  # |phi^T theta| <= .878, and the moment is convex
    past, theta, rewards = _fixed(300, 200, law, seed=1)
    policy = hb.TOFU(eps=0.5, v=raw, delta=0.1, theta_bound=1.0)
    far = [_distance(policy, past, theta, row, 200) for row in rewards]
    misses = sum(d > r for d, r in far)
    assert misses <= stats.binom.isf(1e-6, 300, 0.1)
    # Control: a radius 60 times smaller misses far more often than .1.
    assert sum(d > r / 60 for d, r in far) > 100
    # MENU: with k = 24 log(1 / delta) groups an epoch's failure probability is delta.
    k = math.ceil(24 * math.log(1 / 0.1))
    past, theta, _ = _fixed(1, 4 * k, law, seed=2)
    past = np.repeat(past[::k], k, axis=0)
    rewards = past @ theta + law.sample(200 * 4 * k, seed=2).reshape(200, 4 * k)
    policy = hb.MENU(eps=0.5, v=law.moment(1.5), groups=k, theta_bound=1.0)
    far = [_distance(policy, past, theta, row, 4 * k) for row in rewards]
    assert sum(d > r for d, r in far) <= stats.binom.isf(1e-6, 200, 0.1)


@pytest.mark.parametrize("nu", [2.2, 4.0])
def test_regret_of_crt_stays_below_its_bound(nu):
    noise = hb.noise.StudentT(nu, scale=0.3)
    bandit = linear.random_problem(5, 1, contexts=2, dim=3, noise=noise)
    largest = max(noise.moment(2.0, about=-m) for m in bandit.loc.ravel())
    policy = hb.CRT(eps=1.0, v=largest, theta_bound=1.0)
    result = hb.simulate(bandit, policy, 1000, 20, seed=4)["CRT"]
    assert result.regret[:, -1].mean() < policy.regret_bound(bandit, 1000)
    with pytest.raises(hb.AssumptionError, match=r"E\|X\|\^2"):
        replace(policy, v=0.9 * largest).regret_bound(bandit, 1000)
    with pytest.raises(hb.AssumptionError, match="theta_bound"):
        replace(policy, theta_bound=0.9).regret_bound(bandit, 1000)
    tuned = policy.tuned(1000)
    assert tuned.regret_bound(bandit, 1000) == pytest.approx(policy.regret_bound(bandit, 1000))
    for other in (hb.TOFU(v=largest), hb.MENU(v=1.0)):
        with pytest.raises(hb.AssumptionError, match="has no regret bound here"):
            other.regret_bound(bandit, 1000)


def test_bounds_are_their_formulas():
    n, gaps, d, eps, v = 10**9, [0.0, 0.9], 4, 0.5, 0.02
    kw = {"dim": d, "eps": eps, "v": v, "theta_bound": 1.2, "regulariser": 2.0, "delta": 1e-4}
    log, grown = math.log(1e4), d * math.log(1 + n / (2 * d))
    w = elliptic_sum(n, d, 1.0, 2.0)

    def both(radius, rounds, w):
        return min(2 * radius * math.sqrt(rounds * w), 4 * radius**2 * w / 0.9)

    lead = math.sqrt(2) * 1.2
    b = (v * math.sqrt(n / (2 * log + grown))) ** (1 / 1.5)
    size = {k: kw[k] for k in ("dim", "eps", "v", "regulariser", "delta")}
    assert crt_level(n, **size) == pytest.approx(b)
    r = b * math.sqrt(2 * log + grown) + math.sqrt(n) * v / math.sqrt(b) + lead
    assert crt_regret(gaps, n, **kw) == pytest.approx(both(r, n, w) + 1e-4 * n * 0.9)
    # Both parts of the radius are alike at the level chosen, and other levels are no better.
    assert b * math.sqrt(2 * log + grown) == pytest.approx(math.sqrt(n) * v / math.sqrt(b))
    assert crt_regret(gaps, n, level=b / 3, **kw) > crt_regret(gaps, n, **kw)
    many = math.log(2 * d * n / 1e-4)
    r = 4 * math.sqrt(d) * v ** (1 / 1.5) * many ** (1 / 3) * n ** (0.5 / 3) + lead
    assert tofu_regret(gaps, n, **kw) == pytest.approx(both(r, n, w) + 1e-4 * n * 0.9)
    k = math.ceil(24 * math.log(math.e * n / 1e-4))
    epochs = n // k
    r = 3 * ((9 * d * v) ** (1 / 1.5) * epochs ** (0.5 / 3) + lead)
    expected = k * both(r, epochs, elliptic_sum(epochs, d, 1.0, 2.0))
    expected += k * 1e-4 * epochs * 0.9 + k * 0.9
    assert menu_regret(gaps, n, **kw) == pytest.approx(min(expected, 0.9 * n))
    # The exponents: CRT d T^((2+eps)/(2+2eps)), TOFU and MENU d T^(1/(1+eps)); gap out of reach.
    far = np.array([1e30, 1e33])
    tiny = [0.0, 1e-300, 1.0]
    for f, power in ((crt_regret, 2.5 / 3), (tofu_regret, 2 / 3), (menu_regret, 2 / 3)):
        few = {**kw, "delta": 1e-60}
        slope = np.diff(np.log(f(tiny, far, **few)))[0] / math.log(1e3)
        assert slope == pytest.approx(power, abs=0.02), f


@pytest.mark.parametrize("kind", [hb.CRT, hb.TOFU, hb.MENU])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"eps": 0.0}, "eps is 0"),
        ({"eps": 1.5}, "eps is 1.5"),
        ({"v": 0.0}, "v must be"),
        ({"theta_bound": -1.0}, "theta_bound"),
        ({"regulariser": 0.0}, "regulariser"),
        ({"delta": 0.0}, "delta"),
    ],
)
def test_bad_input(kind, arguments, words):
    with pytest.raises(ValueError, match=words):
        kind(**arguments)


def test_more_bad_input():
    with pytest.raises(ValueError, match="level"):
        hb.CRT(level=-1.0)
    with pytest.raises(ValueError, match="groups = 0"):
        hb.MENU(groups=0)
