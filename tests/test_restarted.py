"""The last-iterate theorem of clipped SGD and its restarted form, against their proofs and runs."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

import hbucb as hb
from hbucb import streams
from hbucb.estimators import cauchy_median_variance
from hbucb.optimizers import (
    LastIterateSchedule,
    MeanSGD,
    RestartedClippedSGD,
    RestartedG,
    constants_hold,
    median_variance,
)
from hbucb.optimizers.last_iterate import PRINTED, SHARPER
from hbucb.pull_forms import batch_regret

FALSE_ALARM = 1e-6


def test_factor_solves_its_equation_and_step_is_the_smaller_one():
    for updates, rho, sigma in ((10**6, 1.0, 0.01), (10**4, 3.0, 1e-3), (4000, 1.0, 6e-3)):
        run = LastIterateSchedule(updates, 0.01, rho, sigma)
        level = math.log(4 * updates / 0.01)
        size = updates * rho**2 / (5400 * sigma**2 * level)
        z = brentq(lambda b, m=size: b * math.log(b) ** 2 - m, 1.0001, 1e12, xtol=1e-12)
        assert run.applies == (z >= 2)
        assert run.factor == pytest.approx(max(z, 2.0), rel=1e-10)
        assert run.gamma == min(1 / (400 * level), math.log(run.factor) / updates)
    # On either side of z = 2 the theorem begins to speak.
    edge = 5400 * math.log(4 * 1000 / 0.1) * 2 * math.log(2) ** 2 / 1000
    assert LastIterateSchedule(1000, 0.1, 1.0001 * math.sqrt(edge), 1.0).applies
    short = LastIterateSchedule(1000, 0.1, 0.9999 * math.sqrt(edge), 1.0)
    assert not short.applies and short.g == math.inf and np.isinf(short.path([0, 5])).all()
    assert short.factor == 2.0


def proof_numbers(run):
    """Steps of the proof summed term by term: clip margin and total failure probability."""
    n, rho, sigma = run.updates, run.rho, run.sigma
    gamma, lam = (table for table in run.tables(n))
    gamma = gamma[0]
    t = np.arange(n)
    path = math.sqrt(2) * rho * np.exp(-gamma * t / 2)
    margin = (path / (lam / 2)).max()
    failure = 0.0
    for k in range(1, n + 1):
        weight = gamma * (1 - gamma) ** (k - 1 - t[:k])
        bias = (weight * sigma**2 / (2 * lam[:k])).sum()
        variance = (weight**2).sum() * sigma**2
        largest = (weight * 2 * lam[:k]).max()
        left = math.sqrt(2) * rho * math.exp(-gamma * k / 2) - rho * (1 - gamma) ** k - bias
        if left <= 0:
            return margin, 1.0
        failure += 2 * math.exp(-(left**2) / (2 * (variance + largest * left / 3)))
    return margin, failure


@pytest.mark.parametrize("constants", [PRINTED, SHARPER])
@pytest.mark.parametrize("updates", [1, 30, 1500])
@pytest.mark.parametrize("size", [1.001, 3.0, 1e5])
def test_the_proof_term_by_term(constants, updates, size):
    delta = 0.3
    level = math.log(4 * updates / delta)
    sigma = math.sqrt(updates / (constants[2] * level * 2 * math.log(2) ** 2 * size))
    run = LastIterateSchedule(updates, delta, 1.0, sigma, *constants)
    assert run.applies
    margin, failure = proof_numbers(run)
    assert margin <= 1 and failure <= delta


@pytest.mark.parametrize(
    ("constants", "name", "factor", "size"),
    [
        (PRINTED, "c_lambda", 4.0, 1e5),
        (SHARPER, "c_lambda", 4.0, 1e5),
        (SHARPER, "c_noise", 1 / 40, 1.001),
    ],
)
def test_the_proof_fails_with_wrong_constants(constants, name, factor, size):
    sigma = math.sqrt(1500 / (constants[2] * math.log(20_000) * 2 * math.log(2) ** 2 * size))
    run = LastIterateSchedule(1500, 0.3, 1.0, sigma, *constants)
    assert run.applies and proof_numbers(run)[1] <= 0.3
    object.__setattr__(run, name, getattr(run, name) * factor)
    margin, failure = proof_numbers(run)
    assert margin > 1 or failure > 0.3


def test_constants():
    assert constants_hold(*PRINTED) and constants_hold(*SHARPER)
    assert not constants_hold(17, 6, 42) and not constants_hold(18, 6, 30)
    assert not constants_hold(18, 2, 42) and not constants_hold(400, 120, 20)


def descend(run, noise, start):
    """Errors e_0, ..., e_N of clipped SGD around 0, rows are trials."""
    gamma, lam = run.tables(run.updates)
    x = np.full(len(noise), float(start))
    path = [x]
    for k in range(run.updates):
        x = x - gamma[k] * np.clip(x - noise[:, k], -lam[k], lam[k])
        path.append(x)
    return np.array(path).T


@pytest.mark.parametrize("law", ["normal", "coin", "rare"])
def test_the_path_stays_in_its_funnel(law):
    delta, updates = 0.2, 2000
    run = LastIterateSchedule(updates, delta, 1.0, 0.4, *SHARPER)
    assert run.applies
    rng = np.random.default_rng(1)
    noise = rng.standard_normal((400, updates))
    if law == "coin":
        noise = np.sign(noise)
    elif law == "rare":
        noise = np.where(np.abs(noise) > stats.norm.isf(1e-4 / 2), 100.0, 0.0) * np.sign(noise)
    path = descend(run, run.sigma * noise, 1.0)
    outside = int((np.abs(path) > run.path(np.arange(updates + 1))).any(axis=1).sum())
    assert stats.binom.sf(outside - 1, 400, delta) > FALSE_ALARM
    assert outside == 0  # the proof is generous
    # Without noise nothing is clipped: the error falls by 1 - gamma each update.
    quiet = descend(run, np.zeros((1, updates)), 1.0)[0]
    np.testing.assert_allclose(quiet, (1 - run.gamma) ** np.arange(updates + 1), rtol=1e-9)


def test_where_the_maximum_is_two_the_printed_theorem_fails_every_other_run():
    """Noise beyond every clip level makes the run a coin walk: half of all runs end above rho."""
    updates, delta = 5000, 0.01
    run = LastIterateSchedule(updates, delta, 1.0, 1e6)
    assert not run.applies and run.factor == 2.0
    _, lam = run.tables(updates)
    assert lam[0] + 1 + updates * run.gamma * lam[0] < 1e6
    coins = np.random.default_rng(2).choice([-1e6, 1e6], size=(400, updates))
    end = descend(run, coins, 1.0)[:, -1]
    claimed = math.sqrt(2 * math.exp(-run.gamma * updates))
    failed = int((np.abs(end) > claimed).sum())
    assert stats.binom.sf(failed - 1, 400, delta) < FALSE_ALARM
    assert 0.38 < failed / 400 < 0.62


def test_g_follows_the_runs():
    g = RestartedG(rho=2.0, sigma=0.3)
    delta = 0.02
    k = np.arange(1, 5000)
    table = g(k, delta)
    best = [
        min(2.0, LastIterateSchedule(2**j, delta / ((j + 1) * (j + 2)), 2.0, 0.3, *SHARPER).g)
        for j in range(12)
    ]
    for count in (1, 2, 3, 6, 7, 8, 1022, 1023, 2046, 2047, 4094, 4095):
        j = next(j for j in range(12) if 2 ** (j + 2) - 1 > count)
        assert table[count - 1] == g(count, delta) == best[j]
        assert 2**j > (count + 1) / 4
    assert (np.diff(table) <= 0).all() and table[0] == 2.0 and table[-1] < 0.3
    assert sum(1 / ((j + 1) * (j + 2)) for j in range(10**5)) < 1
    # The closed form for long runs, z >= e and the noise term active.
    for count in (10**6, 10**9, 10**12):
        runs = math.log2(count) + 2
        log = math.log(4 * count * runs**2 / delta)
        closed = 4 * 42 * 0.09 * log * math.log(count * 4 / 0.09) ** 2 / (count + 1)
        assert g(count, delta) <= closed
    assert g(np.array([], dtype=int), 0.1).shape == (0,)


@pytest.mark.parametrize(("m", "n"), [(0, 1), (2, 1), (1, 2)])
def test_streams_what_it_defines(m, n):
    """Against the whole history with restarts, in plain Python; bits of batch and offline agree."""
    delta = 0.1
    optimizer = RestartedClippedSGD(1.0, 0.02, delta, m, n, x0=0.5)
    b, updates, trials = optimizer.batch, 1100, 3
    rewards = np.random.default_rng(9).standard_normal((updates * b, trials)) * 0.02
    state = optimizer.stream(streams.Run(trials, 2, updates * b + b - 1))
    flat = np.array([0, 3, 4])
    moved = 0
    for k in range(1, updates + 1):
        batch = rewards[(k - 1) * b : k * b]
        got = state.push(flat, np.full(trials, k * b), batch if b > 1 else batch[0])
        if k + 1 & k + 2 == 0 or k % 97 == 0 or k == updates:  # also just before a run ends
            for i in range(trials):
                assert got[i] == optimizer.estimate(rewards[: k * b, i].tolist())
    x, estimate, length, done = 0.5, 0.5, 1, 0
    for k in range(updates):
        run = LastIterateSchedule(
            length, delta / (length.bit_length() * (length.bit_length() + 1)), 1.0, 0.02, *SHARPER
        )
        gamma, lam = run.gamma, run.tables(length)[1][done]
        piece = rewards[k * b : (k + 1) * b, 1].reshape(2 * m + 1, n).mean(axis=1)
        x -= gamma * float(np.clip(x - np.median(piece), -lam, lam))
        done += 1
        if done == length:
            if run.g < 0.5:
                estimate, moved = x, moved + 1
            x, length, done = 0.5, 2 * length, 0
    assert moved >= 1 and abs(estimate) < 0.45
    assert got[1] == pytest.approx(estimate, rel=1e-9)
    assert optimizer.estimate([]) == 0.5


def test_guarantee_holds_for_all_k_at_once_and_a_shorter_radius_does_not():
    delta, trials, updates = 0.2, 300, 2047
    g = RestartedG(rho=1.0, sigma=0.1)
    rng = np.random.default_rng(4)
    state = g.method(delta).stream(streams.Run(trials, 1, updates))
    flat = np.arange(trials)
    k = np.arange(1, updates + 1)
    radius = np.sqrt(2 * g(k, delta))
    path = np.empty((updates, trials))
    for at in range(updates):
        draw = 1.0 + 0.1 * rng.standard_normal(trials)
        path[at] = state.push(flat, np.full(trials, at + 1), draw)
    outside = int((np.abs(path - 1.0) > radius[:, None]).any(axis=0).sum())
    assert stats.binom.sf(outside - 1, trials, delta) > FALSE_ALARM
    assert radius[-1] < 0.5 and radius[0] == 1.0
    # Negative control: the radius of an average at the same count is too short for it.
    short = 0.1 * np.sqrt(2 * math.log(2 / delta) / updates)
    outside = int((np.abs(path[-1] - 1.0) > short).sum())
    assert stats.binom.sf(outside - 1, trials, delta) < FALSE_ALARM


def test_policy_with_its_bound():
    T = 5000
    g = RestartedG(rho=1.0, sigma=0.02)
    policy = hb.FOUCB(g.method(1 / T), g, delta=1 / T)
    bandit = hb.Bandit([0.0, 1.0, 0.8], hb.noise.Gaussian(0.02))
    out = hb.simulate(bandit, policy, T, 5, seed=3, rounds=[T])["FOUCB"]
    bound = policy.regret_bound(bandit, T)
    by_hand = 0.0
    for gap in (1.0, 0.2):
        by_hand += gap * (np.argmax(g(np.arange(1, 10**5), 1 / T) < gap**2 / 8) + 1 + 2)
    assert bound == pytest.approx(by_hand) and out.regret.max() <= bound < T
    with pytest.raises(hb.AssumptionError, match="policy's own delta"):
        hb.FOUCB(g.method(1 / T), g).regret_bound(bandit, T)
    with pytest.raises(hb.AssumptionError, match="policy's own delta"):
        hb.FOUCB(MeanSGD(), g, delta=0.1).regret_bound(bandit, T)
    with pytest.raises(hb.AssumptionError, match=r"locations in \[-1, 1\]"):
        policy.regret_bound(hb.Bandit([0.0, 1.1], hb.noise.Gaussian(0.02)), T)
    with pytest.raises(hb.AssumptionError, match="variance of a gradient"):
        policy.regret_bound(hb.Bandit([0.0, 1.0], hb.noise.Gaussian(0.03)), T)


def test_the_restarted_bound_says_something_from():
    """Gap 1, start within 1: one run of 2^16 updates is needed at sigma = 1, one of 2^10 at 0.1."""
    for sigma, first in ((1.0, 131_074), (0.1, 2050)):
        g = RestartedG(1.0, sigma)
        bound, before = (
            batch_regret([0.0, 1.0], t, g=g, kind="uniform") for t in (first, first - 1)
        )
        assert bound < first and before >= first - 1
        u = (first - 2) // 2 + 1
        last, other = g(np.array([2 * u - 3, 2 * u - 4]), 1 / first)
        assert last < 1 / 8 <= other


def test_cauchy_needs_a_median_of_five():
    def bound(m, sigma, n=1, law=None):
        g = RestartedG(rho=1.0, sigma=sigma, m=m, n=n)
        policy = hb.FOUCB(g.method(0.01), g, delta=0.01)
        return policy.regret_bound(hb.Bandit([0.0, 1.0], law or hb.noise.Cauchy()), 100)

    assert bound(2, math.sqrt(1.2213)) > 0
    for m, sigma, words in (
        (0, 9.0, "mean"),
        (1, 9.0, "not known"),
        (2, 1.1, "1.22125 > 1.21"),
    ):
        with pytest.raises(hb.AssumptionError, match=words):
            bound(m, sigma)
    with pytest.raises(hb.AssumptionError, match="not known"):
        bound(1, 9.0, n=2)
    with pytest.raises(hb.AssumptionError, match="not symmetric"):
        bound(2, 9.0, law=hb.noise.Exponential())
    assert bound(0, 0.5, n=4, law=hb.noise.Gaussian()) > 0


def test_median_variance():
    for m in (2, 3, 5, 10, 40):
        assert median_variance(hb.noise.Cauchy(), m) == pytest.approx(cauchy_median_variance(m))
        # By the midpoint rule over the middle order statistic's beta law of the rank.
        rank = (np.arange(400_000) + 0.5) / 400_000
        weight = stats.beta.pdf(rank, m + 1, m + 1)
        normal = (stats.norm.ppf(rank) ** 2 * weight).mean()
        assert median_variance(hb.noise.Gaussian(), m) == pytest.approx(normal, rel=1e-7)
    # m = 0 is the law's own variance; the median of three normals has 1 - sqrt(3)/pi.
    assert median_variance(hb.noise.StudentT(3.0), 0) == pytest.approx(3.0, rel=1e-6)
    three = 1 - math.sqrt(3) / math.pi
    assert median_variance(hb.noise.Gaussian(2.0), 1) == pytest.approx(4 * three, rel=1e-8)
    assert median_variance(hb.noise.StudentT(2.5), 0) == pytest.approx(5.0)
    assert median_variance(hb.noise.Cauchy(), 0) == math.inf
    assert math.isnan(median_variance(hb.noise.Cauchy(), 1))
    assert math.isnan(median_variance(hb.noise.TwoPoint(), 1))
    assert math.isnan(median_variance(hb.noise.Exponential(), 1))


def test_chunks_and_explain():
    g = RestartedG(rho=1.0, sigma=0.02, m=1)
    bandit = hb.Bandit([0.0, 0.9], hb.noise.Gaussian(0.02))
    policy = hb.FOUCB(g.method(0.01), g, delta=0.01)
    T = 4000
    one = hb.simulate(bandit, {"it": policy}, T, 3, seed=1, actions=True)["it"].actions
    assert 0 < (one == 1).mean() < 1
    explained = hb.explain(policy, bandit, 700, seed=1)
    batch = hb.simulate(bandit, {"it": policy}, 700, 1, seed=1, actions=True)["it"].actions[0]
    assert explained.actions == batch.tolist()
    again = hb.simulate(bandit, {"it": policy}, T, 2, seed=1, actions=True)["it"].actions
    assert np.array_equal(one[:2], again)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: LastIterateSchedule(0, 0.1, 1.0, 1.0), "updates = 0"),
        (lambda: LastIterateSchedule(9, 1.0, 1.0, 1.0), "delta"),
        (lambda: LastIterateSchedule(9, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0), "c_gamma = 1.0"),
        (lambda: LastIterateSchedule(9, 0.1, 1.0, 1.0).path(10), "k is 10"),
        (lambda: RestartedG(rho=-1.0), "rho"),
        (lambda: RestartedG(m=0.5), "m = 0.5"),
        (lambda: RestartedG(constants=(1.0, 2.0)), "must be a tuple of three numbers"),
        (lambda: RestartedG(constants=(1.0, 2.0, 3.0)), "the proof does not hold"),
        (lambda: RestartedG()(0, 0.1), "k is 0"),
        (lambda: RestartedG()(1, 1.5), "delta"),
        (lambda: RestartedClippedSGD(1.0, 1.0, 2.0), "delta"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
