"""Self-localising SGD and ASGNUCB: a scalar twin, the time-uniform event, the certificate."""

import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb.asgn_bounds import _edges, _first_lengths, asgn_regret, longest_interval
from hbucb.estimators.ranks import uniform_rank
from hbucb.noise import Cauchy, Gaussian, Laplace, ParetoHole, SymmetricLomax, TwoPoint, Uniform
from hbucb.optimizers import (
    DensityFloor,
    KnownLaw,
    MassWithin,
    SelfLocalisingSGD,
    UnimodalMoment,
)


def twin(rewards, p, lam, sign, sgd):
    """The recursion in plain Python, from its definition; p and lam are functions of D."""
    if sgd.interval is None:
        n, high = sgd.warm, math.inf
        for j in range(1, n + 1):
            m = int(uniform_rank(j, sgd.miss / 2, sgd.a))
            if m <= j:
                high = min(high, sorted(rewards[:j])[m - 1])
        order = sorted(rewards[:n])
        m = int(uniform_rank(n, sgd.miss / 2, sgd.a))
        low, first = order[n - m], order[m - 1] - order[n - m]
        high, x = max(high, low), order[n // 2]
        x = min(max(x, low), high)
        rewards = rewards[n:]
    else:
        low, high = sgd.interval
        x, first = (low + high) / 2, high - low
    r = sgd.rho * (p(first) / lam(first)) ** 2
    total = 0.0
    for reward in rewards:
        reach = high - low
        tau = lam(reach) / p(reach)
        total += tau**-2
        psi = max(-lam(reach), min(lam(reach), x - reward))
        if sign:
            psi = (x > reward) - (x < reward)
        x = min(max(x - psi / (tau**2 * p(reach) * total), low), high)
        half = (
            math.sqrt((total + r) * (2 * math.log(1 / sgd.delta) + math.log(1 + total / r))) / total
        )
        low, high = max(low, x - half), min(high, x + half)
    return high


CASES = [
    (KnownLaw(Cauchy()), lambda d: 2 / math.pi * math.atan(d) / d, lambda d: 1.0, True, Cauchy()),
    (MassWithin(1.1, 0.5), lambda d: 0.5, lambda d: 1.1 + d, False, ParetoHole(0.5)),
    (DensityFloor(0.1, 1.0), lambda d: 0.2 * min(1, 1 / d), lambda d: 1.0, True, Cauchy()),
]


@pytest.mark.parametrize(("knowledge", "p", "lam", "sign", "law"), CASES, ids=lambda x: str(x)[:20])
@pytest.mark.parametrize("interval", [None, (-2.0, 2.5)])
def test_the_recursion_is_its_definition(knowledge, p, lam, sign, law, interval):
    sgd = SelfLocalisingSGD(knowledge, interval, warm=40, delta=0.02, miss=0.02, rho=10.0)
    draws = law.sample((150, 4), seed=3)
    run = hb.policies.Run(trials=4, arms=2, horizon=150, seed=1)
    state, flat = sgd.stream(run), np.array([0, 3, 4, 7])
    for n in range(150):
        got = state.push(flat, np.full(4, n + 1), draws[n])
        if n in (5, 30, 39, 40, 149):
            each = [sgd.estimate(draws[: n + 1, i].tolist()) for i in range(4)]
            assert got.tolist() == each
    want = [twin(draws[:, i].tolist(), p, lam, sign, sgd) for i in range(4)]
    assert got == pytest.approx(want, abs=1e-9)
    # Arms of different age in one step.
    mixed = sgd.stream(run)
    for n in range(60):
        mixed.push(flat[:2], np.full(2, n + 1), draws[n, :2])
    for n in range(20):
        last = mixed.push(flat, np.array([61 + n] * 2 + [1 + n] * 2), draws[n])
    assert last[2:].tolist() == [sgd.estimate(draws[:20, i].tolist()) for i in (2, 3)]


@pytest.mark.parametrize(
    ("law", "knowledge"),
    [
        (Uniform(), KnownLaw(Uniform())),
        (Gaussian(), KnownLaw(Gaussian())),
        (Cauchy(), KnownLaw(Cauchy())),
        (SymmetricLomax(0.5), UnimodalMoment(0.25, 250.0)),
        (ParetoHole(0.5), MassWithin(4.0, 0.5)),
        (TwoPoint(), MassWithin(1.0, 1.0)),
        (Laplace(), DensityFloor(0.25, math.log(2))),
    ],
    ids=lambda x: str(x)[:20],
)
@pytest.mark.parametrize("interval", [None, (0.0, 1.0)])
def test_the_location_stays_inside_at_all_times(law, knowledge, interval):
    # One failure probability for all counts; the location is at an end of the given interval.
    trials, delta = 2000, 0.1
    sgd = SelfLocalisingSGD(knowledge, interval, warm=40, delta=delta, miss=delta, rho=20.0)
    rng = np.random.default_rng(7)
    if interval is None:
        draws = law.ppf(rng.random((sgd.warm, trials)))
        high = np.full(trials, np.inf)
        for n, m in enumerate(sgd.ranks().tolist()):
            if 0 < n and m <= n:
                high = np.minimum(high, np.sort(draws[:n], axis=0)[m - 1])
        state = sgd.begin(np.sort(draws, axis=0), high)
        claim = 2 * delta
    else:
        state, claim = np.repeat(sgd.given()[:, None], trials, axis=1), delta
    lost = (state[0] > 0) | (state[1] < 0)
    for _ in range(600):
        state = sgd.advance(state, law.ppf(rng.random(trials)))
        lost |= (state[0] > 0) | (state[1] < 0)
    assert (state[0] <= state[2]).all() and (state[2] <= state[1]).all()
    assert stats.binom.sf(lost.sum() - 1, trials, claim) > 1e-6


def test_a_false_slope_is_flagged():
    class Boast(KnownLaw):
        def slope(self, reach):
            return 4 * super().slope(reach)

    sgd = SelfLocalisingSGD(Boast(Cauchy()), (0.0, 1.0), delta=0.1)
    rng, lost = np.random.default_rng(8), np.zeros(1000, bool)
    state = np.repeat(sgd.given()[:, None], 1000, axis=1)
    for _ in range(600):
        state = sgd.advance(state, Cauchy().ppf(rng.random(1000)))
        lost |= (state[0] > 0) | (state[1] < 0)
    assert stats.binom.sf(lost.sum() - 1, 1000, 0.1) < 1e-6


def test_no_run_is_longer_than_the_longest_interval():
    sgd = SelfLocalisingSGD(KnownLaw(Cauchy()), warm=40, delta=0.01, miss=0.01, rho=20.0)
    rng = np.random.default_rng(9)
    draws = np.sort(rng.standard_cauchy((40, 300)), axis=0)
    state = sgd.begin(draws, np.inf)
    first = state[1] - state[0]
    wide = longest_interval(sgd, 0.9 * first, 1.1 * first, 400)
    exact = longest_interval(sgd, first, first, 400)
    assert (exact <= wide + 1e-12).all() and (np.diff(wide, axis=1) <= 0).all()
    for k in range(400):
        state = sgd.advance(state, rng.standard_cauchy(300))
        assert (state[1] - state[0] <= exact[:, k] + 1e-12).all()


BANDIT = hb.Bandit([0.0, 0.5, 1.0], Cauchy())


@pytest.mark.parametrize(
    "policy",
    [
        hb.ASGNUCB(KnownLaw(Cauchy()), warm=40),
        hb.ASGNUCB(KnownLaw(Cauchy()), (0.0, 1.0)),
        hb.ASGNUCB(MassWithin(1.1, 0.5), warm=48),
    ],
    ids=lambda p: str(p)[:60],
)
def test_the_batch_plays_the_definition_in_any_chunk(policy):
    def play(trials, **more):
        return hb.simulate(BANDIT, {"it": policy}, 170, trials, seed=3, actions=True, **more)[
            "it"
        ].actions

    whole = play(9)
    for trial in (1,):
        steps = hb.explain(policy, BANDIT, 170, seed=3, trial=trial)
        assert steps.actions == whole[trial].tolist()
    for size in (1, 7):
        assert np.array_equal(play(9, chunk=size), whole)


def test_certificate_by_simulation_of_its_parts_and_against_the_run():
    law, T, gap = Cauchy(), 3000, 1.0
    bandit = hb.Bandit([0.0, gap], law)
    policy = hb.ASGNUCB(KnownLaw(law), warm=64)
    bound = policy.regret_bound(bandit, T)
    sgd = policy.sgd(T)
    assert (sgd.delta, sgd.miss, sgd.rho) == (1 / (4 * T), 1 / (4 * T), T / 240)
    # Warm-up by exact binomials, the rest by drawing first intervals.
    ranks = sgd.ranks()
    warm = sum(
        stats.binom.cdf(ranks[n] - 1, n, law.cdf(gap)) if ranks[n] <= n else 1.0
        for n in range(1, 65)
    )
    order = np.sort(np.random.default_rng(1).standard_cauchy((64, 20_000)), axis=0)
    m = ranks[-1]
    width = (order[m - 1] - order[64 - m])[order[m - 1] >= gap]
    lengths = longest_interval(sgd, width[:2000], width[:2000], 800)
    updates = (lengths >= gap).sum(axis=1)
    assert lengths[:, -1].max() < gap
    expected = updates.mean() * width.size / 20_000
    spread = updates.std() / math.sqrt(2000) * width.size / 20_000
    assert 0 <= bound - gap * (2 + warm + expected) + 6 * spread < 6 + 12 * spread
    regret = hb.simulate(bandit, {"it": policy}, T, 60, seed=5)["it"].regret[:, -1]
    assert regret.mean() <= bound + T * gap * math.sqrt(math.log(1e6) / 120)
    both = policy.regret_bound(bandit, [1000, T])
    assert both[1] == bound and both[0] < bound
    # On a given interval: count the deterministic recursion.
    given = hb.ASGNUCB(KnownLaw(law), (0.0, 1.0))
    own = given.sgd(T)
    reach, total, k = 1.0, 0.0, 0
    r = own.rho * (2 / math.pi * math.atan(1.0)) ** 2
    while reach >= 0.6:
        total += (2 / math.pi * math.atan(reach) / reach) ** 2
        half = math.sqrt((total + r) * (2 * math.log(4 * T) + math.log(1 + total / r))) / total
        reach, k = min(reach, 2 * half), k + 1
    near = hb.Bandit([0.0, 0.6], law)
    assert given.regret_bound(near, T) == pytest.approx(0.6 * (1 + 0.5 + k - 1))


@pytest.mark.parametrize("gap", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("law", [Gaussian(), Cauchy(), SymmetricLomax(0.5), Uniform(-1.0, 1.0)])
def test_the_law_of_the_first_length_is_rounded_up_and_little(law, gap):
    # P(W > edge, upper limit >= gap) by the midpoint rule on a fine grid of the upper one's level.
    sgd = SelfLocalisingSGD(KnownLaw(law), warm=64, delta=1e-3, miss=1e-3)
    n, m = 64, int(sgd.ranks()[-1])
    edges = _edges(law, sgd)
    got = np.cumsum(_first_lengths(law, sgd, gap, edges)[::-1])[::-1]
    start = stats.beta.cdf(float(law.cdf(gap)), m, n - m + 1)
    level = stats.beta.ppf(start + (1 - start) * (np.arange(20_000) + 0.5) / 20_000, m, n - m + 1)
    upper = law.ppf(level)
    for j in (1, 5, 20, 60, 78):
        lower = law.cdf(upper - edges[j]) / level
        beyond = (1 - start) * stats.beta.cdf(lower, n + 1 - m, 2 * m - n - 1).mean()
        assert beyond - 1e-7 <= got[j] <= beyond + 1e-3
    assert got[0] == pytest.approx(1 - start)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.ASGNUCB(3), "knowledge = 3"),
        (lambda: hb.ASGNUCB(warm=5), "take more"),
        (lambda: hb.ASGNUCB(interval=(1.0, 0.0)), "interval"),
        (lambda: hb.ASGNUCB(delta=2.0), "delta"),
        (lambda: hb.ASGNUCB(rho=0.0), "rho"),
        (lambda: hb.ASGNUCB().regret_bound(hb.Bandit([0.0, 1.0], Gaussian()), 10), "another law"),
        (
            lambda: hb.ASGNUCB(interval=(0.0, 1.0)).regret_bound(
                hb.Bandit([0.0, 2.0], Cauchy()), 9
            ),
            "location 2",
        ),
        (
            lambda: hb.ASGNUCB(MassWithin(1.5, 0.5)).regret_bound(
                hb.Bandit([0.0, 1.0], TwoPoint()), 10
            ),
            "atoms",
        ),
        (lambda: asgn_regret([0, 1.0], 10, laws=TwoPoint(), sgd=SelfLocalisingSGD()), "atoms"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
