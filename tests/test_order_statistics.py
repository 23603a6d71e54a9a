"""Order-statistic UCB: ranks, streaming, certificates, each against something independent.

Statistical tests have fixed seeds and a false-alarm probability of at most 1e-6.
"""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linprog

import hbucb as hb
from hbucb import order_bounds
from hbucb.conversions import capped_regret
from hbucb.estimators import falling_rank, uniform_rank, upper_rank
from hbucb.estimators.order_statistics import RunningOrderStatistic
from hbucb.estimators.rank_window import WINDOW
from hbucb.estimators.ranks import FallingRanks, FixedRanks, UniformRanks, log_wealth
from hbucb.noise import (
    Cauchy,
    Exponential,
    Gaussian,
    Laplace,
    LocationScale,
    ParetoHole,
    PointMass,
    SymmetricLomax,
    TwoPoint,
)
from hbucb.streams import Run

INF = math.inf


# Ranks


@cache
def wealth(s: int, n: int, a: int) -> Fraction:
    """M_n(s) by exact integration of the polynomial: an incomplete Beta integral is a coin tail."""
    total = 2 * a + n - 1
    heads = sum(math.comb(total, j) for j in range(a + s))  # Bin(total, 1/2) <= a + s - 1
    beta = Fraction(
        math.factorial(a + s - 1) * math.factorial(a + n - s - 1), math.factorial(total)
    )
    unit = Fraction(math.factorial(a - 1) ** 2, math.factorial(2 * a - 1))
    return 2 * 2**n * beta / unit * Fraction(heads, 2**total)


@pytest.mark.parametrize("a", [1, 3, 10])
def test_uniform_ranks_are_the_exact_ones(a):
    for delta in (Fraction(1, 20), Fraction(1, 10_000)):
        counts = [*range(1, 41), 77, 200, 401]
        got = uniform_rank(counts, float(delta), a)
        for n, rank in zip(counts, got.tolist(), strict=True):
            exact = next((s for s in range(n + 1) if wealth(s, n, a) * delta >= 1), n + 1)
            assert rank == exact, (n, rank, exact)
    assert uniform_rank(0, 0.05, a) == 1


@pytest.mark.parametrize("a", [1.0, 3.0, 2.5])
def test_wealth_is_a_martingale_of_the_fair_coin_and_increases_in_heads(a):
    for n in (0, 1, 7, 100, 5000):
        s = np.arange(n // 2, n + 1)
        now = log_wealth(s, n, a)
        after = np.logaddexp(log_wealth(s, n + 1, a), log_wealth(s + 1, n + 1, a)) - math.log(2)
        assert after == pytest.approx(now, abs=1e-9)
        assert (np.diff(now) > 0).all()
    assert log_wealth(0, 0, a) == pytest.approx(0.0, abs=1e-12)


def crossing(ranks: np.ndarray, p: float = 0.5) -> float:
    """P(the number of heads reaches the rank at some n), by dynamic programming over the tosses."""
    alive, crossed = np.zeros(ranks.size + 2), 0.0
    alive[0] = 1.0
    for rank in ranks:
        alive[1:] = p * alive[:-1] + (1 - p) * alive[1:]
        alive[0] *= 1 - p
        crossed += alive[rank:].sum()
        alive[rank:] = 0.0
    return crossed


@pytest.mark.parametrize(("a", "expected"), [(1.0, 0.0379), (3.0, 0.0393), (10.0, 0.0388)])
def test_probability_that_the_uniform_limit_ever_fails(a, expected):
    n = np.arange(1, 3001)
    assert crossing(uniform_rank(n, 0.05, a)) == pytest.approx(expected, abs=6e-5)
    assert crossing(uniform_rank(n, 0.05, a), p=0.45) < 0.01
    # Controls: ranks for one count each fail far more often, and so do uniform ones less 5.
    assert crossing(upper_rank(n, 0.05)) > 0.35
    assert crossing(uniform_rank(n, 0.05, a) - np.minimum(5, n // 20)) > 0.05


def test_first_count_with_a_finite_limit():
    n = np.arange(1, 60)
    for a, first in ((1.0, 17), (3.0, 21), (10.0, 29)):
        assert n[uniform_rank(n, 1e-4, a) <= n][0] == first
    for delta, first in ((0.1, 4), (0.01, 7), (1e-4, 14), (1e-8, 27)):
        assert n[upper_rank(n, delta) <= n][0] == first == math.ceil(-math.log2(delta))


def test_fixed_ranks_are_the_binomial_ones():
    for n in range(61):
        for delta in (0.3, 0.05, 1e-4):
            tail = [
                Fraction(sum(math.comb(n, j) for j in range(m, n + 1)), 2**n) for m in range(n + 2)
            ]
            assert upper_rank(n, delta) == next(m for m, x in enumerate(tail) if x <= delta)


def test_falling_rank_by_hand_and_its_failure_probability():
    # h(50) = 1 + 50 * 15.304 = 766.2, ln = 6.6415; n = 100: 50 + sqrt(332.07) = 68.2.
    assert falling_rank([100, 0], 50).tolist() == [69, 0]
    for t in (5, 50, 5000):
        n = np.arange(1, 2000)
        level = 1 / (1 + t * math.log(t) ** 2)
        assert (stats.binom.sf(falling_rank(n, t) - 1, n, 0.5) <= level).all()


@pytest.mark.parametrize("call", [lambda d: upper_rank(5, d), lambda d: uniform_rank(5, d)])
def test_levels_are_checked(call):
    for delta in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="delta"):
            call(delta)
    with pytest.raises(ValueError, match="a = 0"):
        uniform_rank(5, 0.1, a=0.0)


# Streaming

STREAMS = {
    "Cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "three values": lambda rng, shape: rng.integers(-1, 2, shape).astype(float),
    "infinite both ways": lambda rng, shape: np.where(
        rng.random(shape) < 0.5, rng.normal(size=shape), rng.choice([-INF, INF], shape)
    ),
    "drifting up": lambda rng, shape: np.arange(shape[0])[:, None] + rng.normal(size=shape),
    "drifting down": lambda rng, shape: -np.arange(shape[0])[:, None] + rng.normal(size=shape),
}


@pytest.mark.parametrize("ranks", [FixedRanks(1e-3), UniformRanks(0.01), FallingRanks()])
@pytest.mark.parametrize("name", STREAMS)
def test_streaming_equals_sorting_for_all_arms(name, ranks):
    horizon, trials, arms = 1600, 2, 3
    rng = np.random.default_rng(31)
    rewards = STREAMS[name](rng, (horizon, trials))
    slots = rng.choice(arms, p=[0.8, 0.17, 0.03], size=(horizon, trials))
    state = RunningOrderStatistic(ranks).stream(Run(trials, arms, horizon))
    rows = np.arange(trials)
    history = [[[] for _ in range(arms)] for _ in rows]
    current = np.full(trials * arms, np.nan)

    table = None if ranks.moving else ranks.at(np.arange(horizon + 1), 0)

    def expected(i, arm, t):
        mine = sorted(history[i][arm])
        rank = int(ranks.at(len(mine), t) if table is None else table[len(mine)])
        return mine[rank - 1] if rank <= len(mine) else INF

    for t in range(horizon):
        for i in rows:
            history[i][slots[t, i]].append(rewards[t, i])
        flat = rows * arms + slots[t]
        n = np.array([len(history[i][slots[t, i]]) for i in rows])
        current[flat] = state.push(flat, n, rewards[t])
        if ranks.moving:
            stale = state.stale()
            current[stale] = state.values(stale)
        if t < 3 * WINDOW or t % 17 == 0:
            for i in rows:
                for arm in range(arms):
                    if history[i][arm]:
                        assert current[i * arms + arm] == expected(i, arm, t + 1), (t, i, arm)
    assert max(len(h) for h in history[0]) > 15 * WINDOW  # windows were left and rebuilt


@pytest.mark.parametrize("kind", ["fixed", "time-uniform", "anytime"])
@pytest.mark.parametrize("coupling", ["time", "arm"])
def test_any_chunk_plays_alike(kind, coupling):
    bandit = hb.Bandit([0.0, 0.3, 0.5], Cauchy())
    runs = [
        hb.simulate(
            bandit,
            {"it": hb.OrderStatisticUCB(kind)},
            400,
            9,
            seed=3,
            actions=True,
            coupling=coupling,
            chunk=chunk,
        )["it"].actions
        for chunk in (1, 7, 100)
    ]
    assert np.array_equal(runs[0], runs[1]) and np.array_equal(runs[0], runs[2])


# Certificates


def slow_pulls(ranks, below):
    return stats.binom.cdf(ranks - 1, np.arange(1, len(ranks) + 1), below).sum()


def test_reach_sum_is_the_sum_of_binomial_probabilities():
    for below in (0.5, 0.6, 0.9, 1.0):
        ranks = uniform_rank(np.arange(1, 300), 1e-3)
        assert order_bounds.reach_sum(ranks, below) == pytest.approx(slow_pulls(ranks, below))


def test_certificates_from_their_definition():
    gap, total = 0.7, 500
    below = 0.5 + math.atan(gap) / math.pi
    n = np.arange(1, total)
    for function, ranks, first in (
        (
            order_bounds.order_statistic_fixed_regret,
            upper_rank(n, 1 / total**2),
            1 + total * (total - 1) / total**2,
        ),
        (order_bounds.order_statistic_uniform_regret, uniform_rank(n, 1 / total), 2.0),
    ):
        expected = gap * min(first + slow_pulls(ranks, below), total)
        assert function([0.0, gap], total, laws=Cauchy()) == pytest.approx(expected, rel=1e-9)
    closed = gap * (math.ceil(4 * math.log(total) / (below - 0.5) ** 2) + 1)
    assert order_bounds.order_statistic_closed_regret(
        [0.0, gap], 10_000, laws=Cauchy()
    ) == pytest.approx(gap * (math.ceil(4 * math.log(10_000) / (below - 0.5) ** 2) + 1))
    assert order_bounds.order_statistic_closed_regret([0.0, gap], 500, laws=Cauchy()) == min(
        closed, gap * total
    )
    # Anytime: no choice of x on a finer grid is much better, and the one taken is one of them.
    ranks = falling_rank(n, total)
    best = min(
        1
        + 1.25 / (math.atan(x) / math.pi) ** 2
        + slow_pulls(ranks, 0.5 + math.atan(gap - x) / math.pi)
        for x in gap * np.arange(1, 50) / 50
    )
    got = order_bounds.order_statistic_anytime_regret([0.0, gap], total, laws=Cauchy()) / gap
    assert best - 1e-6 <= got <= 1.1 * best or got == total


def test_location_may_lie_below_the_median_but_not_above():
    below, above = (LocationScale(Exponential(), -x) for x in (0.3, 1.0))  # median ln 2
    policy = hb.OrderStatisticUCB()
    assert policy.regret_bound(hb.Bandit([0.0, 2.0], below), 1000) < 100
    with pytest.raises(hb.AssumptionError, match="P\\(noise < 0\\) <= 1/2"):
        policy.regret_bound(hb.Bandit([0.0, 2.0], above), 1000)
    # The certified event: the limit of 40 rewards is below the location.
    rank = int(upper_rank(40, 0.01))
    fails = [stats.binom.sf(rank - 1, 40, float(law.cdf(0.0))) for law in (below, above)]
    assert fails[0] < 0.01 < fails[1]


# T = 10^4, ten arms, gaps i/10 and i: (time-uniform a = 3, fixed) and a = 1 for gaps i.
TABLE = {
    "Gaussian": (Gaussian(), 1076.5, 1524.7, 1017.5, 1306.9, 840.5),
    "Cauchy": (Cauchy(), 1780.6, 2223.0, 1302.1, 1802.6, 1169.1),
    "Lomax": (SymmetricLomax(0.5), 3180.8, 3985.5, 2817.0, 4202.1, 2765.0),
    "Laplace": (Laplace(), 889.7, 1281.5, 1044.9, 1355.8, 872.9),
}


@pytest.mark.parametrize("name", TABLE)
def test_certificates_at_ten_thousand_rounds(name):
    # The same numbers were computed with other code.
    law, small, small_fixed, large, large_fixed, large_one = TABLE[name]
    gaps = np.arange(10.0)
    uniform, fixed = hb.OrderStatisticUCB(), hb.OrderStatisticUCB("fixed")
    for scale, policy, expected in (
        (0.1, uniform, small),
        (0.1, fixed, small_fixed),
        (1.0, uniform, large),
        (1.0, fixed, large_fixed),
        (1.0, hb.OrderStatisticUCB(a=1.0), large_one),
    ):
        bandit = hb.Bandit(gaps * scale, law)
        n = np.arange(1, 10_000)
        table = policy.ranks(10_000).at(n, 0)
        failure = 1e-4 if policy.kind == "time-uniform" else 9999 * 1e-8
        pulls = [
            1 + np.where(table > n, 1.0, stats.binom.cdf(table - 1, n, law.cdf(gap))).sum()
            for gap in bandit.gaps[:-1]
        ]
        # The failures of the best arm charged to every bad arm, and paid once.
        each = capped_regret(bandit.gaps, np.array([*pulls, 0.0]) + 1e4 * failure, 10_000)
        assert each == pytest.approx(expected, abs=0.06)
        got = policy.regret_bound(bandit, 10_000)
        programme = linprog(
            -bandit.gaps,
            A_ub=np.ones((1, 10)),
            b_ub=[1e4 * (1 - failure)],
            bounds=[(0, p) for p in (*pulls, None)],
        )
        assert got == pytest.approx(1e4 * failure * bandit.max_gap - programme.fun, rel=1e-6)
        if sum(pulls) < 9000:  # no cap: 45 against 9 gaps
            assert each - got == pytest.approx(36 * scale * 1e4 * failure)
        assert got < each


@pytest.mark.parametrize(("scale", "target"), [(0.1, 1778), (1.0, 1266.5)])
def test_cauchy_regret_with_its_interval_is_below_the_certificate(scale, target):
    bandit = hb.Bandit(np.arange(10) * scale, Cauchy())
    bound = hb.OrderStatisticUCB().regret_bound(bandit, 10_000)
    assert bound <= target
    trials = 200
    regret = hb.simulate(bandit, {"it": hb.OrderStatisticUCB()}, 10_000, trials, seed=32)["it"]
    final = regret.regret[:, -1]
    assert final.mean() + 5 * final.std(ddof=1) / math.sqrt(trials) < bound


def test_atoms_need_strict_inequalities():
    # Arm 0 is +-1, arm 1 always 1: ties let arm 0 be played for ever, and the certificate says so.
    bandit = hb.Bandit([0.0, 1.0], [TwoPoint(), PointMass(0.0)])
    policy = hb.OrderStatisticUCB("fixed")
    bound = policy.regret_bound(bandit, 2000)
    assert bound == 2000.0
    run = hb.simulate(bandit, {"it": policy}, 2000, 3, seed=1, order="given", coupling="arm")
    assert (run["it"].regret[:, -1] > 1900).all()
    with_closed = 1 + math.ceil(4 * math.log(2000) / 0.5**2)
    assert with_closed < 1900  # what a non-strict inequality would promise
    # A gap above the atom is seen at once.
    seen = hb.Bandit([0.0, 1.5], [TwoPoint(), PointMass(0.0)])
    assert policy.regret_bound(seen, 2000) < 60


def test_the_certificate_is_empty_inside_the_hole_and_the_play_is_not():
    bandit = hb.Bandit([0.0, 0.9], ParetoHole(0.5))
    assert hb.OrderStatisticUCB().regret_bound(bandit, 3000) == pytest.approx(0.9 * 3000)
    run = hb.simulate(bandit, {"it": hb.OrderStatisticUCB()}, 3000, 20, seed=2)["it"]
    assert run.regret[:, -1].mean() < 0.9 * 1000  # both indices are shifted alike


def test_different_laws_and_several_best_arms():
    laws = [Cauchy(), Gaussian(), Cauchy(3.0)]
    got = order_bounds.order_statistic_uniform_regret([0.0, 1.0, 1.0], 800, laws=laws)
    one = order_bounds.order_statistic_uniform_regret([0.0, 1.0], 800, laws=Gaussian())
    two = order_bounds.order_statistic_uniform_regret([0.0, 1.0], 800, laws=Cauchy(3.0))
    # The best arm's failure, of probability 1/800, is paid once.
    assert got == pytest.approx(min(one + two - 800 / 800, 800.0))
    assert order_bounds.order_statistic_fixed_regret([0.0, 0.0], 50, laws=Cauchy()) == 0.0
    with pytest.raises(ValueError, match="laws has 2 entries"):
        order_bounds.order_statistic_fixed_regret([0.0, 1.0, 2.0], 50, laws=laws[:2])
    with pytest.raises(ValueError, match="best arm needs"):
        order_bounds.order_statistic_fixed_regret([0.0, 1.0], 50, laws=TwoPoint(p=0.4))


def test_infinite_rewards_are_played_and_nan_is_refused():
    class Rare(Cauchy):
        """Cauchy noise of which a tenth is +inf: still P(noise < 0) <= 1/2."""

        def fill(self, rngs, out):
            super().fill(rngs, out)
            out[out > 3.08] = INF

    bandit = hb.Bandit([0.0, 1.0], Rare())
    run = hb.simulate(bandit, {"it": hb.OrderStatisticUCB()}, 2000, 20, seed=4)["it"]
    assert run.regret[:, -1].mean() < hb.OrderStatisticUCB().regret_bound(
        hb.Bandit([0.0, 1.0], Cauchy()), 2000
    )
    with pytest.raises(ValueError, match="finite"):
        hb.simulate(bandit, {"it": hb.UCB()}, 2000, 2, seed=4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "uniform"}, "kind = 'uniform'"),
        ({"kind": "anytime", "delta": 0.1}, "delta = 0.1 is not used"),
        ({"delta": 1.0}, "delta"),
        ({"a": 0.0}, "a must"),
        ({"kind": "fixed", "a": 1.0}, "a = 1.0 is used by"),
    ],
)
def test_wrong_parameters_are_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        hb.OrderStatisticUCB(**arguments)
