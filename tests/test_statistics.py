"""Exact limits and paired tests against brute force."""

import itertools
import math
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from hbucb.statistics import (
    clopper_pearson,
    coin_test,
    discordant_stuck,
    holm,
    paired_wins,
    trials_to_decide,
    wilson,
)


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


@pytest.mark.parametrize("k, n", [(0, 5), (1, 7), (3, 10), (10, 10), (17, 40)])
def test_clopper_pearson_solves_its_two_equations(k, n):
    low, high = clopper_pearson(k, n, level=0.95)
    if k:
        assert tail(k, n, float(low)) == pytest.approx(0.025, abs=1e-9)
    else:
        assert low == 0
    if k < n:
        assert 1 - tail(k + 1, n, float(high)) == pytest.approx(0.025, abs=1e-9)
    else:
        assert high == 1


def test_clopper_pearson_covers_exactly():
    n, level = 25, 0.9
    low, high = clopper_pearson(np.arange(n + 1), n, level)
    for p in np.linspace(0.01, 0.99, 37):
        pmf = binom.pmf(np.arange(n + 1), n, p)
        assert pmf[low > p].sum() <= 0.05 + 1e-12 and pmf[high < p].sum() <= 0.05 + 1e-12


@pytest.mark.parametrize("k, n", [(0, 9), (4, 9), (9, 9), (31, 600)])
def test_wilson_limits_are_where_the_score_test_turns(k, n):
    from scipy.stats import norm

    z = norm.isf(0.005)
    for limit in wilson(k, n, level=0.99):
        p = float(limit)
        if 0 < p < 1:
            assert abs(k / n - p) == pytest.approx(z * math.sqrt(p * (1 - p) / n), rel=1e-9)
    low, high = wilson(np.array([1, 2]), np.array([10, 20]))
    assert low.shape == high.shape == (2,)


def test_paired_wins_against_all_sign_patterns():
    # Under the null each non-tied trial is a fair coin: enumerate all 2^9 outcomes.
    a = np.array([1.0, 2.0, 5.0, 1.0, 0.0, 3.0, 7.0, 2.0, 2.0, 4.0])
    b = np.array([2.0, 3.0, 4.0, 2.0, 1.0, 4.0, 9.0, 3.0, 2.0, 5.0])
    test = paired_wins(a, b)
    assert (test.first, test.second, test.neither) == (8, 1, 1)
    heads = [sum(pattern) for pattern in itertools.product((0, 1), repeat=9)]
    assert test.p_first == pytest.approx(np.mean([h >= 8 for h in heads]), abs=1e-14)
    assert test.p_second == pytest.approx(np.mean([h >= 1 for h in heads]), abs=1e-14)
    share, low, high = test.share(0.95)
    assert share == 0.8 and low < 0.8 < high and test.trials == 10


def test_discordant_stuck_counts_the_trials_that_differ():
    a = np.array([True] * 3 + [False] * 17)
    b = np.array([True] * 1 + [False] * 2 + [True] * 9 + [False] * 8)
    test = discordant_stuck(a, b)
    assert (test.first, test.second, test.neither) == (9, 2, 9)
    assert test.p_first == pytest.approx(sum(comb(11, j) for j in range(9, 12)) / 2**11, rel=1e-12)


def test_level_of_the_coin_test_is_exact():
    for n in (1, 5, 6, 30):
        p = np.array([coin_test(k, n - k).p_first for k in range(n + 1)])
        for alpha in (0.005, 0.05, 0.2):
            assert binom.pmf(np.arange(n + 1), n, 0.5)[p <= alpha].sum() <= alpha + 1e-12


def test_holm_against_its_definition():
    rng = np.random.default_rng(4)
    for _ in range(20):
        p = rng.random(7) ** 3
        adjusted = holm(p)
        order = np.argsort(p)
        for rank, i in enumerate(order):
            steps = [min(1.0, (7 - r) * p[order[r]]) for r in range(rank + 1)]
            assert adjusted[i] == pytest.approx(max(steps))
    # Step-down rejections at .05 are the entries whose adjusted p-value is at most .05.
    p = np.array([0.004, 0.011, 0.02, 0.6])
    assert (holm(p) <= 0.05).tolist() == [True, True, True, False]


def brute_power(n, first, second, alpha):
    total = 0.0
    for k in range(n + 1):
        for j in range(n + 1 - k):
            weight = comb(n, k) * comb(n - k, j) * first**k * second**j
            if coin_test(k, j, n - k - j).p_first <= alpha:
                total += weight * (1 - first - second) ** (n - k - j)
    return total


def test_trials_to_decide_against_a_double_sum():
    from hbucb.statistics.paired import _coin_power

    for n in (9, 20, 33):
        assert _coin_power(n, 0.5, 0.2, 0.05) == pytest.approx(brute_power(n, 0.5, 0.2, 0.05))
    n = int(trials_to_decide(0.5, 0.1, alpha=0.05, power=0.9))
    assert brute_power(n, 0.5, 0.1, 0.05) >= 0.9 > brute_power(n - 1, 0.5, 0.1, 0.05)
    assert trials_to_decide(0.2, 0.2, alpha=0.01) == math.inf
    assert trials_to_decide(0.1, 0.03, 0.005) == trials_to_decide(0.03, 0.1, 0.005)


@pytest.mark.parametrize(
    "call, word",
    [
        (lambda: clopper_pearson(3, 2), "successes"),
        (lambda: clopper_pearson(0.5, 2), "integers"),
        (lambda: wilson(1, 2, level=1.5), "level"),
        (lambda: coin_test(-1, 2), "first"),
        (lambda: coin_test(0, 0), "at least 1"),
        (lambda: paired_wins([1.0], [1.0, 2.0]), "shapes"),
        (lambda: paired_wins([math.nan], [1.0]), "finite"),
        (lambda: discordant_stuck([1, 0], [0, 1]), "boolean"),
        (lambda: holm([0.1, 1.2]), "pvalues"),
        (lambda: trials_to_decide(0.8, 0.5, 0.01), "sum"),
        (lambda: trials_to_decide(0.2, 0.1, 0.0), "alpha"),
    ],
)
def test_bad_input_is_named(call, word):
    with pytest.raises(ValueError, match=word):
        call()
