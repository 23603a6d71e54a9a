"""Lower bounds, against exactly solved games: no policy may beat them."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from hbucb import divergences as dv
from hbucb import lower_bounds as lb


def best_bayes_regret(gap, low, high, horizon):
    """Least average regret over two worlds, arm one the same in both, arm two a coin.

    Arm one tells nothing, so the state is (rounds left, pulls and successes of arm two).
    World 0: arm two is `gap` worse; world 1: `gap` better. Dynamic programming over all policies.
    """

    grid = np.arange(horizon + 1)
    pulls, wins = np.meshgrid(grid, grid, indexing="ij")
    log_odds = wins * math.log(high / low) + (pulls - wins) * math.log((1 - high) / (1 - low))
    wrong = 1 / (1 + np.exp(np.minimum(log_odds, 700)))  # posterior of world 0
    win = wrong * low + (1 - wrong) * high
    value = np.zeros((horizon + 2, horizon + 2))
    for _ in range(horizon):
        stay = value[:-1, :-1]
        first = gap * (1 - wrong) + stay
        second = gap * wrong + win * value[1:, 1:] + (1 - win) * value[1:, :-1]
        value[:-1, :-1] = np.minimum(first, second)
    return value[0, 0]


@pytest.mark.parametrize("eps", [1.0, 0.5, 0.1])
@pytest.mark.parametrize("horizon", [5, 40, 120])
def test_heavy_tail_lower_is_below_the_best_policy_of_its_own_game(eps, horizon):
    u, w = 2.0, eps / (1 + eps)
    p = 3 * w / (8 * horizon)  # K = 2
    h = (3 * p / u) ** (1 / (1 + eps))
    gap = p / h
    # The construction is in the class: raw moments of the three laws, largest equal to u.
    assert 3 * p * (1 / h) ** (1 + eps) == pytest.approx(u)
    assert 3 * p <= 0.5
    assert dv.kl_bernoulli(p, 3 * p) <= 8 * p / 3
    bound = lb.heavy_tail_lower([0.0, 0.0], horizon, eps=eps, u=u)
    assert bound <= best_bayes_regret(gap, p, 3 * p, horizon) * (1 + 1e-12)
    # The proof's last line, evaluated: (gap T / 4) exp(-w).
    assert bound == pytest.approx(gap * horizon / 4 * math.exp(-w))


def test_heavy_tail_constants():
    def constant(eps):
        return lb.heavy_tail_lower([0.0, 0.0], 10**6, eps=eps) / (10**6) ** (1 / (1 + eps))

    assert constant(1e-9) == pytest.approx(1 / 12, rel=1e-6)
    assert constant(1.0) == pytest.approx(math.exp(-0.5) / 16)
    orders = np.linspace(0.01, 1, 100)
    ours = np.array([constant(eps) for eps in orders])
    assert (np.diff(ours) < 0).all()
    # The version that asks "more than half of the pulls?" with exponent 1, as a check of record.
    share = orders / (1 + orders)
    simple = (9 / 8) ** share / (24 * math.e)
    assert (ours > 2.3 * simple).all()
    assert 1 / (24 * math.e) == pytest.approx(0.0153283, abs=5e-8)
    assert simple[-1] == pytest.approx(0.016258, abs=5e-7)
    # Order in K, T and u; silent below its own range.
    base = lb.heavy_tail_lower([0.0] * 5, 1000, eps=0.5)
    assert lb.heavy_tail_lower([0.0] * 33, 1000, eps=0.5) == pytest.approx(2 * base)
    assert lb.heavy_tail_lower([0.0] * 5, 8000, eps=0.5) == pytest.approx(4 * base)
    assert lb.heavy_tail_lower([0.0] * 5, 1000, eps=0.5, u=8.0) == pytest.approx(4 * base)
    assert lb.heavy_tail_lower([0.0] * 101, 50, eps=1.0) == 0.0
    assert lb.heavy_tail_lower([0.0], 50) == 0.0


@pytest.mark.parametrize("horizon", [1, 4, 100, 10_000])
def test_gaussian_bounds_are_below_explore_then_commit(horizon):
    """Average regret over the two worlds when arm two is tried n times, then judged: all n."""
    gap = math.sqrt(1 / (4 * horizon))
    n = np.arange(0, horizon + 1, max(1, horizon // 500))
    # Error of the likelihood-ratio test between N(0, 1) and N(2 gap, 1) after n rewards.
    error = np.where(n > 0, norm.sf(gap * np.sqrt(n)), 0.5)
    average = 0.5 * gap * n + gap * (horizon - n) * error
    two = lb.two_worlds_lower([0.0, gap], horizon, kl=dv.kl_gauss(2 * gap))
    minimax = lb.gaussian_minimax_lower([0.0, 0.0], horizon)
    assert two == pytest.approx(minimax)
    assert minimax <= average.min()
    assert minimax > average.min() / 4  # a bound within a factor four of a real policy


def test_gaussian_constant():
    assert math.exp(-0.5) / 8 > 2 / 27
    got = lb.gaussian_minimax_lower([0.0] * 5, [100, 400], sigma=3.0)
    np.testing.assert_allclose(got, 3 * math.exp(-0.5) / 8 * np.array([20.0, 40.0]))
    assert lb.gaussian_minimax_lower([0.0], 100) == 0.0
    # The step at which gap exp(-2 T gap^2 / (K-1)) is largest.
    x = np.linspace(0.01, 1, 10_000)
    assert x[np.argmax(x * np.exp(-2 * x**2))] == pytest.approx(0.5, abs=1e-3)


def test_lai_robbins_numbers():
    envs = (np.arange(10), np.arange(10) / 10, np.arange(100) / 50)
    got = [lb.lai_robbins_constant(gaps, dv.kl_cauchy) for gaps in envs]
    np.testing.assert_allclose(got, [26.004, 115.369, 1081.827], atol=6e-4)
    assert lb.lai_robbins([0.0, 2.0], 100, kl=dv.kl_gauss) == pytest.approx(math.log(100))
    assert lb.lai_robbins([0.0, 0.0], 100, kl=dv.kl_gauss) == 0.0
    assert lb.lai_robbins_constant([0.0, 1.0], lambda gap: math.inf) == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lb.two_worlds_lower([0.0, 1.0, 2.0], 10, kl=0.1), "gaps has 3 entries"),
        (lambda: lb.two_worlds_lower([0.0, 1.0], 10, kl=-0.1), "kl is -0.1"),
        (lambda: lb.gaussian_minimax_lower([0.0, 0.0], 10, sigma=-1), "sigma is -1"),
        (lambda: lb.heavy_tail_lower([0.0, 0.0], 10, eps=2.0), "eps is 2.0"),
        (lambda: lb.heavy_tail_lower([0.0, 0.0], 10, u=0.0), "u is 0.0"),
        (lambda: dv.kl_cauchy(1.0, scale=0.0), "scale is 0.0"),
        (lambda: lb.lai_robbins_constant([0.0, 1.0], lambda gap: 0.0), r"kl\(1.0\) is 0.0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
