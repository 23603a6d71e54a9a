"""Upper bounds and their radii, against brute force, exact probabilities and optimisation."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom

import hbucb as hb
from hbucb import upper_bounds as ub
from hbucb.theory import pull_bound


def first_count(radius, gap, limit=10**6):
    counts = np.arange(1, limit)
    return int(counts[np.argmax(2 * radius(counts) < gap)])


@pytest.mark.parametrize("horizon", [1, 2, 50, 1000, 10**5])
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_ucb_regret_is_the_pull_lemma_at_the_first_short_interval(horizon, sigma):
    gaps = [0.0, 0.7, 1.3]
    delta = horizon**-2.0
    by_hand = 0.0
    for gap in gaps[1:]:
        u = first_count(lambda k: ub.r_subgauss(k, delta, sigma=sigma), gap)
        by_hand += gap * (u + delta * max(horizon - u, 0) * (horizon - u + 1) / 2)
    assert ub.ucb_regret(gaps, horizon, sigma=sigma) == pytest.approx(by_hand)
    loose = sum(16 * sigma**2 * math.log(horizon) / gap + 2 * gap for gap in gaps[1:])
    assert by_hand <= loose + 1e-9


def test_ucb_regret_takes_the_strict_side_of_a_tie():
    # 8 ln(1/delta) = 8 exactly with delta = 1/e: the interval is as long as the gap at n = 8.
    assert ub.ucb_regret([0.0, 1.0], 9, delta=math.exp(-1)) == pytest.approx(9)


def test_anytime_regret_is_the_minimum_over_epsilon():
    for horizon in (10, 1000, 10**6):
        for gap, sigma in ((0.1, 1.0), (1.0, 0.3)):
            log_f = math.log(1 + horizon * math.log(horizon) ** 2)
            a = 2 * (log_f + math.sqrt(math.pi * log_f) + 1)

            def printed(eps, a=a, gap=gap, sigma=sigma):
                return gap * (1 + 5 * sigma**2 / eps**2 + a * sigma**2 / (gap - eps) ** 2)

            best = minimize_scalar(
                printed, bounds=(1e-6, gap - 1e-6), method="bounded", options={"xatol": 1e-10}
            )
            got = ub.ucb_anytime_regret([0.0, gap], horizon, sigma=sigma)
            assert got == pytest.approx(best.fun, rel=1e-6)


def test_series_constant_of_the_anytime_proof():
    """Sum of 1/f(t) is at most 5/2; the tail beyond N is at most 1/ln N."""
    t = np.arange(1, 10**6 + 1, dtype=float)
    head = (1 / (1 + t * np.log(t) ** 2)).sum()
    assert head < 2.5 < head + 1 / math.log(10**6) + 0.01
    assert head + 1 / math.log(10**6) <= 2.5


@pytest.mark.parametrize(("a", "gap"), [(3.0, 0.2), (20.0, 1.0), (9.0, 0.05)])
def test_sum_of_tails_of_the_anytime_proof(a, gap):
    s = np.arange(1, 10**6, dtype=float)
    excess = np.maximum(gap * np.sqrt(s) - np.sqrt(2 * a), 0)
    total = np.exp(-(excess**2) / 2).sum()
    claim = 2 / gap**2 * (a + math.sqrt(math.pi * a) + 1)
    assert total <= claim <= total + 1


def mom_failure(n, delta, radius, jump, share):
    """Exact P(median of means > mu + radius) for the centred two-point law of variance 1.

    X = jump with probability `share`, else -jump share / (1 - share); lower median side counted
    against us (at least half of the blocks above).
    """
    scale = math.sqrt(jump**2 * share / (1 - share))
    high, low = jump / scale, -jump * share / (1 - share) / scale
    blocks = int(min(8 * (0.125 - math.log(delta)), n / 2))
    size = n // blocks
    ones = np.arange(size + 1)
    above = (ones * high + (size - ones) * low) / size > radius
    p = binom.pmf(ones, size, share)[above].sum()
    return binom.sf(math.ceil(blocks / 2) - 1, blocks, p)


def test_median_of_means_radius_holds_from_its_range_on():
    for delta in (0.1, 1e-2, 1e-4):
        start = math.ceil(16 * (0.125 - math.log(delta)))
        for n in (start, start + 7, 3 * start, 20 * start):
            radius = ub.r_mom(n, delta)
            for share in (0.5, 0.1, 1e-2, 1e-3, 1e-4, 1e-5):
                assert mom_failure(n, delta, radius, 1.0, share) <= delta
        assert ub.r_mom(start - 1, delta) == math.inf


def test_printed_radius_is_false_for_few_rewards():
    """Two rewards, delta = 1e-4: the printed radius fails more than five times too often."""
    delta = 1e-4
    printed = math.sqrt(12 * 16 * (0.125 - math.log(delta)) / 2)
    share = 1 / (2 * printed + 0.1) ** 2
    assert mom_failure(2, delta, printed, 1.0, share) > 5 * delta
    assert ub.r_mom(2, delta) == math.inf


@pytest.mark.parametrize(("eps", "v"), [(1.0, 1.0), (0.5, 2.0), (0.9, 0.1)])
def test_robust_ucb_regret_is_the_pull_lemma(eps, v):
    gaps, horizon = [0.0, 3.0, 8.0], 2000
    delta = horizon**-2.0
    by_hand = 0.0
    for gap in gaps[1:]:
        u = first_count(lambda k: ub.r_mom(k, delta, eps=eps, v=v), gap, limit=10**6)
        by_hand += gap * pull_bound(u, horizon)
    got = ub.robust_ucb_mom_regret(gaps, horizon, eps=eps, v=v)
    assert got == pytest.approx(by_hand)
    # Beyond the range of floats the count is inf and not an error.
    assert ub.robust_ucb_mom_regret([0.0, 1.0], horizon, eps=1e-3, v=v) == math.inf
    # Where the range decides and not the radius, the count is the range.
    wide = ub.robust_ucb_mom_regret([0.0, 1e4], horizon, eps=eps, v=v, delta=0.01)
    assert wide == pytest.approx(
        1e4 * pull_bound(math.ceil(16 * (0.125 - math.log(0.01))), 2000, 0.01)
    )


def test_bounds_hold_on_simulated_ucb():
    """Own loop, 400 runs, Gaussian noise: mean regret below the bound, and not absurdly."""
    rng = np.random.default_rng(5)
    horizon, runs, gap = 400, 400, 1.0
    for kind in ("fixed", "anytime"):
        sums, counts = np.zeros((runs, 2)), np.zeros((runs, 2))
        for t in range(1, horizon + 1):
            if t <= 2:
                arm = np.full(runs, t - 1)
            else:
                log = 2 * math.log(horizon) if kind == "fixed" else math.log1p(t * math.log(t) ** 2)
                arm = (sums / counts + np.sqrt(2 * log / counts)).argmax(axis=1)
            rows = np.arange(runs)
            sums[rows, arm] += rng.standard_normal(runs) - gap * (arm == 1)
            counts[rows, arm] += 1
        regret = gap * counts[:, 1].mean()
        function = ub.ucb_regret if kind == "fixed" else ub.ucb_anytime_regret
        assert 5 < regret < function([0.0, gap], horizon)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ub.ucb_regret([0.0, 1.0], 10, sigma=0.0), "sigma is 0.0"),
        (lambda: ub.ucb_regret([0.0, 1.0], 10, delta=1.0), "delta is 1.0"),
        (lambda: ub.ucb_anytime_regret([0.0, 1.0], 0), "horizon is 0"),
        (lambda: ub.robust_ucb_mom_regret([0.0, 1.0], 10, eps=1.5, v=1.0), "eps is 1.5"),
        (lambda: ub.robust_ucb_mom_regret([0.0, 1.0], 10, eps=1.0, v=-1.0), "v is -1.0"),
        (lambda: ub.r_mom(10, 0.1, eps=0.0), "eps is 0.0"),
        (lambda: ub.r_mom(10, 2.0), "delta is 2.0"),
        (lambda: ub.r_subgauss(10, 0.0), "delta is 0.0"),
        (lambda: ub.r_subgauss(0, 0.1), "k is 0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.filterwarnings("error")
def test_beyond_the_range_of_floats_a_bound_is_inf():
    arms = hb.Bandit([0.0, 0.5, 1.0], hb.noise.Gaussian())
    for kind in ("fixed", "anytime"):
        with pytest.raises(ValueError, match="sigma is 1e"):
            hb.UCB(1e160, kind=kind).regret_bound(arms, 10)
    assert ub.robust_ucb_mom_regret([0.0, 1.0], 10, eps=1e-3, v=5) == math.inf
    assert ub.robust_ucb_mom_regret([0.0, 1e-310], 10, eps=1e-3, v=1e150) == math.inf
    for gap in (1e-160, 1e-200, 1e-310):
        assert ub.ucb_regret([0.0, gap], 10) == math.inf
        assert ub.robust_ucb_mom_regret([0.0, gap], 10, eps=1.0, v=1.0) == math.inf
        # One round: each bad arm is pulled at most once.
        assert ub.ucb_regret([0.0, gap], 1) == gap
    exact = 1e200 * (ub.ucb_anytime_regret([0.0, 1.0], 10) - 1.0)  # without the first pull
    assert ub.ucb_anytime_regret([0.0, 1e-200], 10) == pytest.approx(exact, rel=1e-12)
    for call in (
        lambda: ub.ucb_regret([0.0, 1.0], 1e200),
        lambda: ub.r_subgauss(1, 1e-300, sigma=1e308),
        lambda: ub.r_mom(1e3, 0.1, eps=0.1, v=1e308),
    ):
        with pytest.raises(ValueError, match="is 1e"):
            call()
    # A sigma and a gap that are both huge are those of another unit.
    assert ub.ucb_regret([0.0, 1e100], 10, sigma=1e100) == pytest.approx(
        1e100 * ub.ucb_regret([0.0, 1.0], 10)
    )
