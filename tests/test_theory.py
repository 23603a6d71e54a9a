"""Inverses and pull bounds, against brute force and against adversaries that attain them."""

import math

import numpy as np
import pytest

from hbucb import theory


def brute_inverse(values, x, strict=True):
    hits = [k for k, value in enumerate(values, 1) if (value < x if strict else value <= x)]
    return hits[0] if hits else math.inf


def test_g_inverse_equals_brute_force_on_random_sequences():
    rng = np.random.default_rng(1)
    for _ in range(200):
        values = np.round(np.sort(rng.exponential(size=60))[::-1], 1)  # many ties
        x = float(np.round(rng.exponential(), 1)) + 0.1
        for strict in (True, False):
            got = theory.g_inverse(lambda k, d, v=values: v[k - 1], x, 0.1, kmax=60, strict=strict)
            assert got == brute_inverse(values, x, strict)


def test_g_inverse_without_monotonicity():
    rng = np.random.default_rng(2)
    for _ in range(200):
        values = rng.exponential(size=80)
        x = float(rng.exponential()) + 0.02

        def g(k, delta, values=values):
            return values[k - 1]

        first = brute_inverse(values, x)
        assert theory.g_inverse(g, x, 0.1, kmax=80, monotone=False) == first
        quick = theory.g_inverse(g, x, 0.1, kmax=80)
        assert quick == math.inf or (quick >= first and values[int(quick) - 1] < x)


def test_g_inverse_ties_start_and_never():
    root = lambda k, delta: k**-0.5  # noqa: E731
    assert theory.g_inverse(root, 0.5, 0.1) == 5
    assert theory.g_inverse(root, 0.5, 0.1, strict=False) == 4
    assert theory.g_inverse(root, 0.5, 0.1, kmin=9) == 9
    assert theory.g_inverse(lambda k, d: 1.0, 0.5, 0.1) == math.inf
    assert theory.g_inverse(lambda k, d: max(k**-0.5, 0.5), 0.5, 0.1) == math.inf
    assert theory.g_inverse(root, 1e-7, 0.1) == 10**14 + 1


def play(horizon, index_best, index_bad):
    """Pulls of the bad arm; each arm once first, ties to the bad arm."""
    best, bad = 1, 1
    for _ in range(horizon - 2):
        if index_bad(bad) >= index_best(best):
            bad += 1
        else:
            best += 1
    return bad


@pytest.mark.parametrize("horizon", [20, 50, 200])
def test_pull_bound_is_nearly_attained(horizon):
    """An estimator with the guarantee, r = c/sqrt(k), real inverse 2.01, integer inverse 3.

    The best arm's estimate is r below its location except at one uniformly drawn count among
    1..T^2, where it is far below; averaging over that count is exact.
    """
    scale = math.sqrt(2.01) / 2
    r = lambda k: scale / math.sqrt(k)  # noqa: E731
    bad = lambda k: -1.0 + 2 * r(k)  # noqa: E731
    assert theory.g_inverse(lambda k, d: r(k), 0.5, 0.1) == 3
    runs = [
        play(horizon, lambda k, s=s: -math.inf if k == s else 0.0, bad) for s in range(1, horizon)
    ]
    never = play(horizon, lambda k: 0.0, bad)
    mean = (sum(runs) + (horizon**2 - horizon + 1) * never) / horizon**2
    by_hand = sum(horizon - 3 - s for s in range(1, horizon - 3)) / horizon**2
    assert mean == pytest.approx(3 + by_hand)
    bound = theory.pull_bound(3, horizon)
    assert mean <= bound <= mean + 1 / horizon
    # The printed real-valued form "2.01 + 1" is false for this estimator.
    assert mean > 3.01
    # Let the bad arm fail as well, at count 3 and ever after, with probability 1/T^2.
    both = (1 - horizon**-2.0) * mean + horizon**-2.0 * (horizon - 1)
    assert mean < both <= bound


def test_non_strict_inverse_is_false_with_ties():
    r = lambda k: k**-0.5  # noqa: E731
    pulls = play(1000, lambda k: 0.0, lambda k: -1.0 + 2 * r(k))
    assert pulls == 5
    loose = theory.g_inverse(lambda k, d: r(k), 0.5, 1e-6, strict=False)
    assert pulls > loose + 0.5 + 1 / 2000
    assert pulls <= theory.pull_bound(theory.g_inverse(lambda k, d: r(k), 0.5, 1e-6), 1000)
    flat = lambda k: max(k**-0.5, 0.5)  # noqa: E731
    assert play(1000, lambda k: 0.0, lambda k: -1.0 + 2 * flat(k)) == 999


def test_pull_bound_closed_forms_and_edges():
    for u, horizon in ((1, 10), (7, 30), (30, 30)):
        delta = 0.01
        explicit = u + sum(delta * (horizon - u - s) for s in range(1, horizon - u))
        explicit += delta * (horizon - u)
        assert theory.pull_bound(u, horizon, delta) == pytest.approx(explicit)
    assert theory.pull_bound(50, 20) == 50
    assert theory.pull_bound(math.inf, 20) == math.inf
    assert theory.pull_bound(1, 10**6) < 1.5
    got = theory.pull_bound([[1], [2]], [10, 20])
    assert got.shape == (2, 2) and got[1, 0] == theory.pull_bound(2, 10)
    assert theory.uniform_pull_bound(4, 50, 1 / 50) == pytest.approx(6)


def test_first_and_zero_order_are_one_theorem():
    r = lambda k, d: 3 * math.sqrt(math.log(2 / d) / k)  # noqa: E731
    gaps, horizons = [0.0, 0.3, 1.0, 0.0], np.array([1, 100, 10_000])
    zero = theory.zo_regret(gaps, horizons, g=r)
    first = theory.fo_regret(gaps, horizons, g=lambda k, d: r(k, d) ** 2 / 2)
    np.testing.assert_allclose(first, zero, rtol=1e-12)
    assert theory.zo_regret(gaps, 100, g=r) == zero[1]
    by_hand = 0.0
    for gap in (0.3, 1.0):
        u = next(k for k in range(1, 10**6) if r(k, 1e-4) < gap / 2)
        by_hand += gap * theory.pull_bound(u, 100)
    assert zero[1] == pytest.approx(by_hand)


def test_regret_from_pulls_ignores_best_arms():
    assert theory.regret_from_pulls([0.0, 1.0], [math.inf, 3.0]) == 3.0
    assert theory.regret_from_pulls([0.0], [5.0]) == 0.0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: theory.pull_bound(1, 0), "horizon is 0"),
        (lambda: theory.pull_bound(1, 2.5), "horizon is 2.5"),
        (lambda: theory.pull_bound(1, 10, 1.5), "delta is 1.5"),
        (lambda: theory.pull_bound(0, 10), "enough is 0"),
        (lambda: theory.pull_bound(math.nan, 10), "enough is nan"),
        (lambda: theory.uniform_pull_bound(-3, 10, 0.1), "enough is -3"),
        (lambda: theory.regret_from_pulls([0.1, 0.2], [1, 1]), "best arm"),
        (lambda: theory.regret_from_pulls([0.0, -1], [1, 1]), "finite and >= 0"),
        (lambda: theory.regret_from_pulls([0.0, math.nan], [1, 1]), "finite and >= 0"),
        (lambda: theory.regret_from_pulls([[0.0]], [1]), "shape"),
        (lambda: theory.regret_from_pulls([0.0, 1.0], [1, 1, 1]), "pulls has shape"),
        (lambda: theory.g_inverse(lambda k, d: 1 / k, 0.0, 0.1), "x is 0.0"),
        (lambda: theory.g_inverse(lambda k, d: 1 / k, 1.0, 0.1, kmin=0), "kmin is 0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        call()
