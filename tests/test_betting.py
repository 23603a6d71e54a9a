"""Limits of a bounded mean: exact enumeration, and the stuck-run model where the normal fails."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

from hbucb.statistics.betting import (
    STAKES,
    bounded_mean_interval,
    bounded_mean_pvalue,
    trials_to_decide_mean,
)


def wealth(y, m):
    """The definition, without logarithms."""
    return np.mean([np.prod([1 - c + c * v / m for v in y]) for c in STAKES])


def test_the_wealth_has_mean_one_under_the_true_mean():
    # All 81 outcomes of four draws from a three-point law: exact expectation, no sampling.
    values, probs = np.array([0.0, 0.2, 1.0]), np.array([0.5, 0.3, 0.2])
    m = float(values @ probs)
    total = sum(
        np.prod(probs[list(i)]) * wealth(values[list(i)], m)
        for i in itertools.product(range(3), repeat=4)
    )
    assert total == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("null", [0.05, 0.3, 0.6, 0.9])
def test_p_values_are_one_over_the_wealth(null):
    y = np.array([0.1, 0.7, 0.4, 0.9, 0.35])
    below, above = bounded_mean_pvalue(y, 0.0, 1.0, null)
    assert above == pytest.approx(min(1.0, 1 / wealth(y, null)), rel=1e-12)
    assert below == pytest.approx(min(1.0, 1 / wealth(1 - y, 1 - null)), rel=1e-12)


@pytest.mark.parametrize("p", [0.01, 0.1, 0.37, 0.5])
def test_exact_coverage_on_coins(p):
    # The wealth does not depend on order, so the coverage of n coins is a sum of n + 1 terms.
    n, level = 30, 0.9
    low_miss = high_miss = 0.0
    for k in range(n + 1):
        limits = bounded_mean_interval(np.r_[np.ones(k), np.zeros(n - k)], 1.0, level)
        low_miss += binom.pmf(k, n, p) * (limits.low > p)
        high_miss += binom.pmf(k, n, p) * (limits.high < p)
    assert low_miss <= 0.05 and high_miss <= 0.05


def stuck_model(rng, shape, share):
    """A share of runs is stuck, R_T/T uniform on (1, 5); the rest exponential with mean .03."""
    calm = rng.exponential(0.03, shape)
    return np.where(rng.random(shape) < share, rng.uniform(1, 5, shape), calm)


@pytest.mark.parametrize("share", [0.01, 0.03])
def test_limits_hold_when_stuck_runs_are_rare_and_the_normal_ones_do_not(share):
    repeats, n, level = 800, 120, 0.99
    x = stuck_model(np.random.default_rng(11), (repeats, n), share)
    truth = share * 3 + (1 - share) * 0.03
    upper = np.array([bounded_mean_interval(row, 9.0, level).high for row in x])
    lower = np.array([bounded_mean_interval(row, 9.0, level).low for row in x])
    # False alarm 1e-6 each: nominal failure .005 a side.
    limit = binom.isf(1e-6, repeats, 0.005)
    assert (upper < truth).sum() <= limit and (lower > truth).sum() <= limit
    # Control: the normal 99 % interval fails six times too often at the least.
    normal = x.mean(axis=1) + 2.5758 * x.std(axis=1, ddof=1) / math.sqrt(n)
    assert (normal < truth).sum() > limit


def test_the_known_failure_of_the_normal_interval_is_reproduced():
    x = stuck_model(np.random.default_rng(12), (4000, 120), 0.01)
    normal = x.mean(axis=1) + 2.5758 * x.std(axis=1, ddof=1) / math.sqrt(120)
    misses = int((normal < 0.0597).sum())
    assert binom.ppf(1e-6, 4000, 0.30) <= misses <= binom.isf(1e-6, 4000, 0.30)


def test_units_order_and_reflection():
    x = np.random.default_rng(3).beta(0.5, 3.0, 80)
    one = bounded_mean_interval(x, 1.0)
    assert bounded_mean_interval(x[::-1], 1.0).high == pytest.approx(one.high, abs=1e-9)
    scaled = bounded_mean_interval(18 * x - 9, 9.0, low=-9.0)
    assert scaled.low == pytest.approx(18 * one.low - 9, abs=1e-8)
    mirrored = bounded_mean_interval(1 - x, 1.0)
    assert mirrored.low == pytest.approx(1 - one.high, abs=1e-9)
    assert one.low < one.mean < one.high
    assert bounded_mean_interval(np.zeros(50), 1.0).low == 0.0
    assert bounded_mean_interval(np.ones(50), 1.0).high == 1.0
    assert bounded_mean_interval([0.5], 1.0).low < 0.01


def test_advice_on_trials_gives_the_power_it_says():
    rng = np.random.default_rng(5)
    sample = rng.choice([-0.3, 0.2], p=[0.55, 0.45], size=200)
    n = trials_to_decide_mean(sample, -1.0, 1.0, alpha=0.005)
    share = (sample < 0).mean()
    won = sum(
        bounded_mean_pvalue(rng.choice([-0.3, 0.2], p=[share, 1 - share], size=int(n)), -1, 1)[0]
        <= 0.005
        for _ in range(300)
    )
    # Advice asks for .9; the stake is the best single one, so it errs on the safe side.
    assert won >= binom.ppf(1e-6, 300, 0.9)
    assert trials_to_decide_mean([-0.5, 0.5], -1.0, 1.0, alpha=0.005) == math.inf


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: bounded_mean_interval([], 1.0), "x must"),
        (lambda: bounded_mean_interval([0.5, 1.2], 1.0), "1.2"),
        (lambda: bounded_mean_interval([0.5, math.nan], 1.0), "nan"),
        (lambda: bounded_mean_interval([0.5], 1.0, level=1.0), "level"),
        (lambda: bounded_mean_interval([0.5], math.inf), "low < high"),
        (lambda: bounded_mean_pvalue([0.5], 0.0, 1.0, null=1.0), "null"),
        (lambda: trials_to_decide_mean([0.5], 0.0, 1.0, alpha=0.0, null=0.2), "alpha"),
    ],
)
def test_bad_input_is_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()
