"""Corrected bounds of Robust UCB against brute force, and the run that exceeds the printed one."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb import printed_bounds as pb
from hbucb import robust_bounds as rb
from hbucb import upper_bounds as ub
from hbucb.estimators import Catoni, MedianOfMeans, TruncatedMean
from hbucb.theory import pull_bound

CASES = {
    "truncated": (TruncatedMean(1.0, 0.7), rb.robust_ucb_truncated_regret),
    "truncated, low order": (TruncatedMean(0.6, 0.7), rb.robust_ucb_truncated_regret),
    "Catoni": (Catoni(2.5), rb.robust_ucb_catoni_regret),
    "median of means": (MedianOfMeans(1.0, 0.5), ub.robust_ucb_mom_regret),
}
ANYTIME = {
    "truncated": rb.robust_ucb_truncated_anytime_regret,
    "truncated, low order": rb.robust_ucb_truncated_anytime_regret,
    "Catoni": rb.robust_ucb_catoni_anytime_regret,
    "median of means": rb.robust_ucb_mom_anytime_regret,
}


def parameters(estimator):
    return {name: getattr(estimator, name) for name in estimator.__match_args__}


def first_count(estimator, delta, gap):
    """Brute force: the first count at which the interval is shorter than the gap."""
    n = np.arange(1, 2 * 10**5)
    return int(n[np.argmax(2 * estimator.radius(n, delta) < gap)])


@pytest.mark.parametrize("horizon", [2, 50, 3000])
@pytest.mark.parametrize("name", CASES)
def test_fixed_delta_is_the_pull_lemma_at_the_first_short_interval(name, horizon):
    estimator, function = CASES[name]
    gaps = [0.0, 1.5, 40.0]
    for delta in (None, 0.3):
        level = horizon**-2.0 if delta is None else delta
        by_hand = sum(
            gap * pull_bound(first_count(estimator, level, gap), horizon, level) for gap in gaps[1:]
        )
        assert function(gaps, horizon, **parameters(estimator), delta=delta) == pytest.approx(
            by_hand
        )


@pytest.mark.parametrize("name", CASES)
def test_falling_delta_is_its_pull_lemma(name):
    estimator, _ = CASES[name]
    for horizon in (2, 50, 3000):
        for power in (2.0, 2.5, 3.0):
            gaps = [0.0, 1.5, 40.0]
            level = max(horizon, 2) ** -power
            by_hand = 0.0
            for gap in gaps[1:]:
                n = first_count(estimator, level, gap)
                by_hand += gap * rb.anytime_pull_bound(n, horizon, power=power)
            got = ANYTIME[name](gaps, horizon, **parameters(estimator), power=power)
            assert got == pytest.approx(by_hand)


@pytest.mark.parametrize("power", [2.0, 2.2, 3.0, 4.0])
def test_the_falling_pull_bound_is_above_its_sum_and_close(power):
    for n in (1, 2, 7, 100):
        for horizon in (n, n + 1, n + 2, 3 * n + 4, 10**4):
            t = np.arange(n + 1, horizon, dtype=float)
            exact = n + 2 * ((t - n) * t**-power).sum()
            got = rb.anytime_pull_bound(n, horizon, power=power)
            peak = 2 * max(((t - n) * t**-power).max(initial=0.0), 0.0)
            assert exact <= got + 1e-12
            if horizon >= 2 * n + 2:
                assert got <= exact + 2.5 * peak + 2 * horizon ** (1 - power) + 1e-9
    assert rb.anytime_pull_bound(math.inf, 10) == math.inf
    assert rb.anytime_pull_bound([5, 20], 10, power=3)[1] == 20
    # What the text says of powers 2 and 3.
    assert rb.anytime_pull_bound(4, 10**9) <= 4 + 1 / 4 + 8 / (27 * 16)
    assert rb.anytime_pull_bound(1, 10**9) < 3


def test_strict_side_of_a_tie():
    # ln(1/delta) = 1: 64 (truncated, u = 1), 2 + 8 (Catoni, v = 1) make intervals equal to the gap.
    delta = math.exp(-1)
    assert rb.robust_ucb_truncated_regret([0.0, 1.0], 65, eps=1.0, u=1.0, delta=delta) == 65
    assert rb.robust_ucb_catoni_regret([0.0, 1.0], 11, v=1.0, delta=delta) == 11


def adversary(horizon, radius, power):
    """Pulls of arm 1 when its estimate is r too high always, and arm 0's too low: no failure."""
    count = [0, 0]
    for t in range(horizon):
        delta = max(t, 2) ** -power
        if 0 in count:
            arm = count.index(0)
        else:
            arm = int(-1 + 2 * radius(count[1], delta) >= 0)
        count[arm] += 1
    return count[1]


@pytest.mark.parametrize("name", CASES)
def test_a_worst_estimator_without_failures_stays_below_and_needs_the_factor(name):
    """Nearly all of the corrected count is used; the printed coefficient is far exceeded."""
    horizon = 4000
    small = {
        "truncated": TruncatedMean(1.0, 0.02),
        "truncated, low order": TruncatedMean(0.6, 0.01),
        "Catoni": Catoni(1.0),
        "median of means": MedianOfMeans(1.0, 0.02),
    }[name]

    def radius(n, delta):
        return float(small.radius(np.array([n]), delta)[0])

    used = adversary(horizon, radius, 2.0)
    bound = ANYTIME[name]([0.0, 1.0], horizon, **parameters(small), power=2.0)
    assert 0.9 * bound < used + 2 * math.log(horizon) and used <= bound
    if isinstance(small, TruncatedMean):
        printed = pb.robust_ucb_truncated_printed([0.0, 1.0], horizon, **parameters(small))
        factor = 2 ** ((1 + small.eps) / small.eps)
        assert used > 0.5 * factor * (printed - 5)


def literal_truncated(horizon):
    """Printed index (delta = t^-2, eps = u = 1) on arms that pay 0 and -1, always; pulls of -1.

    The j-th reward -1 counts if j >= ln(1/delta); rewards 0 count nothing either way.
    """
    best, bad = 1, 1
    for t in range(2, horizon):
        level = 2 * math.log(t)
        kept = max(bad - math.ceil(level) + 1, 0)
        if 4 * math.sqrt(level / best) >= 4 * math.sqrt(level / bad) - kept / bad:
            best += 1
        else:
            bad += 1
    return bad


def test_the_literal_play_is_that_of_the_package():
    bandit = hb.Bandit([0.0, -1.0], hb.noise.PointMass())
    policy = hb.RobustUCB(TruncatedMean(1.0, 1.0), power=2)
    for horizon in (100, 3000):
        out = hb.simulate(bandit, policy, horizon, 1, seed=0, order="given")["RobustUCB"]
        assert out.pulls[0, 1] == literal_truncated(horizon)


def test_the_printed_bound_is_exceeded_and_the_corrected_one_is_not():
    horizon = 10**6
    pulls = literal_truncated(horizon)
    printed = pb.robust_ucb_truncated_printed([0.0, 1.0], horizon, eps=1.0, u=1.0)
    assert printed == pytest.approx(32 * math.log(horizon) + 5)
    assert pulls == 476 and pulls > printed + 25
    corrected = rb.robust_ucb_truncated_anytime_regret([0.0, 1.0], horizon, eps=1.0, u=1.0, power=2)
    assert pulls < corrected
    generic = pb.robust_ucb_printed([0.0, 1.0], horizon, eps=1.0, v=16.0, c=1.0)
    assert generic == pytest.approx(printed)


def test_the_corrected_coefficients_of_the_literature():
    """128 u ln T / gap (truncated, eps = 1, fixed delta), 16 v ln T / gap (Catoni)."""
    horizon, log = 10**6, math.log(1e6)
    got = rb.robust_ucb_truncated_regret([0.0, 0.5], horizon, eps=1.0, u=2.0)
    assert got == pytest.approx(128 * 2 * log / 0.5, abs=1)
    catoni = rb.robust_ucb_catoni_regret([0.0, 0.5], horizon, v=2.0)
    assert catoni == pytest.approx(16 * 2 * log / 0.5 + 0.5 * 4 * log, abs=1)
    assert hb.bounds.catalogue("refuted")[-1].name == "robust_ucb_truncated_printed"


@pytest.mark.filterwarnings("error")
def test_beyond_the_range_of_floats_a_bound_is_inf():
    two = [0.0, 1.0]
    assert rb.robust_ucb_truncated_regret(two, 10, eps=1e-3, u=5.0) == math.inf
    assert rb.robust_ucb_truncated_anytime_regret(two, 10, eps=1e-3, u=5.0) == math.inf
    assert rb.robust_ucb_mom_anytime_regret(two, 10, eps=1e-3, v=5.0) == math.inf
    for gap in (1e-160, 1e-310):
        assert rb.robust_ucb_catoni_regret([0.0, gap], 10, v=1.0) == math.inf
        assert rb.robust_ucb_catoni_anytime_regret([0.0, gap], 10, v=1.0) == math.inf
        # One round: each bad arm is pulled at most once.
        assert rb.robust_ucb_catoni_regret([0.0, gap], 1, v=1.0) == gap
        assert rb.robust_ucb_truncated_regret([0.0, gap], 1, eps=1.0, u=1.0) == gap
    with pytest.raises(ValueError, match="horizon is 1e"):
        rb.robust_ucb_catoni_regret(two, 1e200, v=1.0)
    assert math.isfinite(rb.robust_ucb_catoni_anytime_regret(two, 1e100, v=1.0))
    assert pb.robust_ucb_printed(two, 10, eps=1e-3, v=5.0, c=1.0) == math.inf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rb.anytime_pull_bound(0, 10), "enough is 0"),
        (lambda: rb.anytime_pull_bound(1, 10, power=1.9), "power is 1.9"),
        (lambda: rb.robust_ucb_truncated_regret([0, 1], 10, eps=1.1, u=1.0), "eps is 1.1"),
        (lambda: rb.robust_ucb_truncated_regret([0, 1], 10, eps=1.0, u=0.0), "u is 0.0"),
        (lambda: rb.robust_ucb_catoni_regret([0, 1], 10, v=math.inf), "v is inf"),
        (lambda: rb.robust_ucb_catoni_regret([0, 1], 10, v=1.0, delta=0.0), "delta is 0.0"),
        (lambda: rb.robust_ucb_catoni_anytime_regret([0, 1], 10, v=1.0, power=1), "power is 1"),
        (lambda: rb.robust_ucb_mom_anytime_regret([0, 1], 0, eps=1.0, v=1.0), "horizon is 0"),
        (lambda: pb.robust_ucb_printed([0, 1], 10, eps=1.0, v=1.0, c=-1.0), "c is -1.0"),
        (lambda: pb.robust_ucb_truncated_printed([0, 1], 10, eps=1.0, u=-1.0), "u is -1.0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
