"""The regret bound of MOSS: each step of its proof against exact sums, quadrature, brute force."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, special, stats

import hbucb as hb
from hbucb.bounded_bounds import moss_regret
from hbucb.moss_bounds import moss_clear_pulls, moss_failure, moss_gap_free, moss_gap_regret

POWER = 8 * math.sqrt(2) / (1 + math.sqrt(2)) ** 2
FACTOR = special.gamma(POWER) / math.log(2)
#: (p, K, T) of coins and games; the depths below are in units of sqrt(K/T).
GAMES = [(0.5, 2, 1000), (0.5, 10, 2000), (0.3, 2, 400), (0.9, 5, 2000), (0.7, 20, 200)]
DEPTHS = (0.3, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0)


def radius(n, arms, horizon):
    """The radius of MOSS, written out."""
    return math.sqrt(max(0.0, math.log(horizon / (arms * n))) / n)


def crossing(p, heads, first, last):
    """P(some n in first..last has at most heads(n) heads), exactly, over all (n, heads)."""
    alive = np.zeros(last + 2)
    alive[0] = 1.0
    gone = 0.0
    for n in range(1, last + 1):
        alive[1:] = (1 - p) * alive[1:] + p * alive[:-1]
        alive[0] *= 1 - p
        bad = math.floor(heads(n) + 1e-9) + 1
        if n >= first and bad > 0:
            gone += float(alive[:bad].sum())
            alive[:bad] = 0.0
    return gone


@pytest.mark.parametrize(("p", "arms", "horizon"), GAMES)
def test_the_best_arm_fails_no_more_often_than_the_lemma_allows(p, arms, horizon):
    informative = 0
    for units in DEPTHS:
        depth = units * math.sqrt(arms / horizon)
        exact = crossing(p, lambda n, d=depth: n * (p - d - radius(n, arms, horizon)), 1, horizon)
        claim = moss_failure(depth, arms, horizon)
        assert exact <= claim
        informative += exact > 0 and claim < 1
        # A tenth of the claim would be too little, where failure is likely.
        assert units > 0.3 or (claim == 1 and exact > 0.1)
    assert informative >= 2


def test_the_exact_failure_of_two_throws_by_hand():
    # Fails at n = 1 with 0 heads, at n = 2 with at most 1 head: all but heads, heads.
    assert crossing(0.7, lambda n: n - 1, 1, 2) == pytest.approx(1 - 0.49)
    assert crossing(0.7, lambda n: n - 1, 2, 2) == pytest.approx(1 - 0.49)
    assert crossing(0.7, lambda n: 0, 1, 3) == pytest.approx(0.3)


@pytest.mark.parametrize("start", [3, 8.5, 20, 100])
@pytest.mark.parametrize("depth", [0.02, 0.1, 0.2])
@pytest.mark.parametrize("level", [0.0, 0.5, 2.0])
def test_one_block(start, depth, level):
    first, last = math.ceil(start), math.ceil(2 * start) - 1
    exact = crossing(0.5, lambda n: n * (0.5 - depth) - math.sqrt(n * level), first, last)
    assert exact <= math.exp(-POWER * level - 2 * start * depth**2)
    # The line of the proof: under the curve on the whole block, with this product.
    n = np.linspace(start, 2 * start, 1001)
    root = math.sqrt(2)
    at_zero = math.sqrt(start * level) * root / (1 + root) + start * depth / 2
    slope = math.sqrt(level / start) / (1 + root) + depth / 2
    assert (at_zero + slope * n <= n * depth + np.sqrt(n * level) + 1e-12).all()
    assert 8 * at_zero * slope >= POWER * level + 2 * start * depth**2 - 1e-12


def test_one_line_is_crossed_with_the_probability_of_ville():
    # Coins of one half in steps of +-1/2, an infinite walk: e^(8 a b) at the exact exponent.
    at_zero, slope = 2.0, 0.1
    exact = crossing(0.5, lambda n: n / 2 - at_zero - slope * n, 1, 4000)
    assert math.exp(-8 * at_zero * slope) / 3 < exact <= math.exp(-8 * at_zero * slope)


@pytest.mark.parametrize("scale", [1.0, 2.2, 30.0])
def test_blocks_with_averaged_ends(scale):
    """`scale` is T depth^2 / K; the starts y of blocks are in units of T / K."""

    def block(y):
        return (2 * y) ** POWER * math.exp(-2 * y * scale)

    offsets = (np.arange(1000) + 0.5) / 1000
    means = [sum(block(2.0 ** (j + q)) for j in range(-60, 12)) for q in offsets]
    integral = integrate.quad(lambda s: block(2.0**s), -60, 12, points=[0], limit=200)[0]
    closed = FACTOR * scale**-POWER
    assert np.mean(means) == pytest.approx(closed, rel=1e-9)
    assert integral == pytest.approx(closed, rel=1e-9)
    # Rounded upwards for the docstring, and never below the closed form.
    assert closed <= 1.41 * scale**-1.94 <= 1.01 * closed * scale**0.0012


def test_the_rounded_constants():
    assert POWER >= 1.94 and 1.41 >= FACTOR
    assert moss_failure([0.0, 1e-9], 3, 100).tolist() == [1.0, 1.0]
    share = np.geomspace(1, 1e8, 50)
    got = moss_failure(np.sqrt(share * 7 / 1000), 7, 1000)
    assert (got >= np.minimum(1, FACTOR * share**-POWER) * (1 - 1e-12)).all()


@pytest.mark.parametrize(("p", "arms", "horizon"), GAMES)
def test_counts_above_the_level_against_the_exact_sum(p, arms, horizon):
    for units in (0.5, *DEPTHS):
        depth = units * math.sqrt(arms / horizon)
        n = np.arange(1, 20 * horizon)
        radii = np.sqrt(np.maximum(0, np.log(horizon / (arms * n))) / n)
        need = np.ceil(n * (p + depth - radii) - 1e-9)
        exact = stats.binom.sf(need - 1, n, p).sum()
        bound = moss_clear_pulls(depth, arms, horizon)
        hoeffding = np.where(radii >= depth, 1.0, np.exp(-2 * n * (depth - radii) ** 2)).sum()
        assert exact <= hoeffding + 1e-9 <= bound + 1e-9
        assert bound <= 3 * hoeffding + 3 / depth


@pytest.mark.parametrize("level", [0.0, 0.3, 2.0, 9.0])
def test_the_integral_of_the_count(level):
    tail = integrate.quad(
        lambda n: math.exp(-2 * (math.sqrt(n) - math.sqrt(level)) ** 2),
        level,
        np.inf,
        epsabs=1e-12,
    )[0]
    # depth = 1: T / K = l e^l.
    closed = math.sqrt(math.pi * level / 2) + 0.5
    assert tail == pytest.approx(closed, rel=1e-8)
    horizon = 10**7
    depth = math.sqrt(max(level, 1e-12) * math.exp(level) / horizon)
    got = moss_clear_pulls(depth, 1, horizon) * depth**2
    assert got == pytest.approx(level + closed, rel=1e-5, abs=2e-6)


def by_hand(gaps, horizon, share, paid):
    """The theorem at one share and one threshold, term by term."""
    arms, distinct = len(gaps), sorted(set(gaps))
    value = horizon * paid
    for before, gap in itertools.pairwise(distinct):
        if gap > paid:
            ratio = arms / (horizon * (share * gap) ** 2)
            value += horizon * (gap - before) * min(1.0, 1.41 * ratio**1.94)
    for gap in gaps:
        if gap > paid:
            depth = (1 - share) * gap
            level = float(special.lambertw(horizon * depth**2 / arms).real)
            pulls = 1 + (level + math.sqrt(math.pi * level / 2) + 0.5) / depth**2
            value += gap * pulls
    return value


@pytest.mark.parametrize("horizon", [1, 50, 2000, 10**6, 10**9])
@pytest.mark.parametrize("gaps", [[0.0, 0.3], [0.0, 0.0, 0.05, 0.05, 0.2, 1.0], [0.1, 0.0, 0.004]])
def test_the_bound_is_the_least_over_shares_and_thresholds(gaps, horizon):
    shares = np.arange(1, 41) / 50
    brute = min(
        min(by_hand(gaps, horizon, share, paid) for share in shares for paid in set(gaps)),
        horizon * max(gaps),
    )
    got = moss_gap_regret(gaps, horizon)
    assert got == pytest.approx(brute, rel=1e-12)
    # A grid ten times finer gains less than 5 %.
    fine = min(
        by_hand(gaps, horizon, share, paid)
        for share in np.linspace(0.005, 0.95, 400)
        for paid in set(gaps)
    )
    assert got <= 1.05 * fine


def test_the_corollary_and_its_numbers():
    # Threshold 3 sqrt(K/T), share 2/5: what each part of the proof is allowed.
    failing = integrate.quad(lambda u: min(1.0, 1.41 * (0.4 * u) ** -3.88), 3, np.inf)[0]
    level = float(special.lambertw(0.36 * 9).real)
    counts = (level + math.sqrt(math.pi * level / 2) + 0.5) / (0.36 * 3)
    assert 3 + failing + counts < 6.42
    # The cost of an arm falls in its gap beyond the threshold.
    u = np.geomspace(3, 1e6, 2000)
    levels = special.lambertw(0.36 * u**2).real
    each = (levels + np.sqrt(math.pi * levels / 2) + 0.5) / (0.36 * u)
    assert (np.diff(each) < 0).all() and each[0] == pytest.approx(counts)


def test_below_every_gap_free_bound():
    rng = np.random.default_rng(3)
    for _ in range(300):
        arms, horizon = int(rng.integers(2, 60)), int(10 ** rng.uniform(0, 7))
        scale = 10 ** rng.uniform(-2, 1) * math.sqrt(arms / horizon)
        gaps = np.minimum(1.0, scale * rng.gamma(1.0, size=arms))
        gaps[0] = 0.0
        got = moss_gap_regret(gaps, horizon)
        assert got <= 6.42 * math.sqrt(arms * horizon) + gaps.sum() <= moss_gap_free(gaps, horizon)
        assert got <= moss_regret(gaps, horizon) and got <= horizon * gaps.max()


def test_its_slope_is_that_of_the_radius():
    # ln T sum 1/gap, twice what normal rewards of standard deviation 1/2 need at least.
    gaps, far = [0.0, 0.1, 0.2], [10**40, 10**80]
    low, high = moss_gap_regret(gaps, far)
    slope = (high - low) / (math.log(10) * 40)
    assert 15 < slope < 15 * 1.1
    assert moss_gap_regret([0.0, 0.0], [1, 5]).tolist() == [0.0, 0.0]


def test_the_second_papers_experiments():
    rows = {
        "E1": ([0.03] * 19 + [0.0], 60_000),
        "E2": ([0.02] * 66 + [0.08] * 33 + [0.0], 300_000),
        "E3": ([0.005] * 10 + [0.01] * 89 + [0.0], 400_000),
        "E4": ([0.01] * 99 + [0.0], 400_000),
    }
    for gaps, horizon in rows.values():
        assert moss_gap_regret(gaps, horizon) < 0.05 * moss_regret(gaps, horizon)
    gaps, horizon = rows["E2"]
    assert moss_gap_regret(gaps, horizon) == pytest.approx(12_443.2, abs=0.1)
    assert moss_gap_regret(gaps, 10 * horizon) < 0.5 * np.mean(gaps) * 10 * horizon


def test_policy_covers_bounded_and_sub_gaussian_rewards():
    coins = hb.BernoulliBandit([0.4, 0.6])
    value = hb.MOSS().regret_bound(coins, 20_000)
    assert value == pytest.approx(moss_gap_regret([0.2, 0.0], 20_000), rel=1e-12)
    normal = hb.Bandit([0.4, 0.6], hb.noise.Gaussian(0.5))
    assert hb.MOSS().regret_bound(normal, 20_000) == value
    with pytest.raises(hb.AssumptionError, match=r"0\.5-sub-Gaussian"):
        hb.MOSS().regret_bound(hb.Bandit([0.4, 0.6], hb.noise.Gaussian(0.51)), 1000)
    # A law on [0, 1] need not know that it is sub-Gaussian.
    from scipy.stats import beta

    law = hb.noise.Scipy(beta(2, 2, loc=-0.4, scale=0.8))
    assert law.subgaussian is None
    assert hb.MOSS().regret_bound(hb.Bandit([0.5, 0.6], law), 10**5) < 10**4
    outside = hb.Bandit([0.0, 0.1], law)
    with pytest.raises(hb.AssumptionError, match="is not known"):
        hb.MOSS().regret_bound(outside, 10**5)
    assert hb.MOSS().regret_bound(outside, 10**5, declare=["subgaussian"]) < 10**4
    assert hb.MOSS().regret_bound(coins, 10**5, declare=["subgaussian"]) < 10**4
    with pytest.raises(ValueError, match="declare"):
        hb.MOSS().regret_bound(coins, 10**5, declare="subgaussian")
    with pytest.raises(ValueError, match="bandit is"):
        hb.MOSS().regret_bound(0.5, 10**5)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: moss_failure(-0.1, 2, 100), "depth is -0.1"),
        (lambda: moss_failure(math.nan, 2, 100), "depth is nan"),
        (lambda: moss_failure(0.1, 0, 100), "arms = 0"),
        (lambda: moss_failure(0.1, 2, 0.5), "horizon is 0.5"),
        (lambda: moss_clear_pulls(0.0, 2, 100), r"depth is 0.0"),
        (lambda: moss_clear_pulls(0.1, 2.5, 100), r"arms = 2.5"),
        (lambda: moss_gap_regret([0.1], 100), "best arm's gap"),
        (lambda: moss_gap_free([0.0, -1.0], 100), "gaps is"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_far_ends_of_floats():
    assert moss_gap_regret([0.0, 1e300, 1e155], 10) == pytest.approx(1e300)
    assert moss_gap_regret([0.0, 1e-200], 10**100) == pytest.approx(1e-100)
    assert moss_failure([1e-300, 1e300, math.inf], 2, 10**100).tolist() == [1.0, 0.0, 0.0]
    assert moss_clear_pulls([1e-200, 1e300], 2, 10).tolist() == [math.inf, 0.0]
