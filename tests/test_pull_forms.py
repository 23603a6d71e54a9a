"""Proved and printed pull bounds against adversaries; what the printed intervals cover."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import theory
from hbucb.optimizers import Guarantee, MedianOfMeansG, SubGaussianG
from hbucb.pull_forms import batch_regret, fo_pull_bound, real_inverse, zo_pull_bound


def root(k, delta):
    """Radius with the real inverse 2.01 and the integer inverse 3 at gap 1."""
    return math.sqrt(2.01) / 2 / math.sqrt(k)


@dataclass(frozen=True)
class Root(Guarantee):
    order = "zero"

    def __call__(self, k, delta):
        return math.sqrt(2.01) / 2 / np.sqrt(k)


@dataclass(frozen=True)
class Adversary:
    """Estimates off by the radius: the arm at -1 too high, the best too low, once far too low."""

    failing: int
    batch = 1
    initial = 0
    own = None
    moving = False

    def bytes_per_trial(self, arms, horizon):
        return 0

    def stream(self, run):
        return self

    def push(self, flat, n, reward):
        off = np.sqrt(2.01) / 2 / np.sqrt(n)
        best = np.where(n == self.failing, -1e9, reward - off)
        return np.where(reward < 0, reward + off, best)

    def estimate(self, rewards, own=(), t=0):
        n = np.array([len(rewards)])
        return float(self.push(n, n, np.array(rewards[-1:]))[0])


SURE = hb.Bandit([-1.0, 0.0], hb.noise.PointMass())


@pytest.mark.parametrize(
    ("horizon", "appendix", "body"),
    [(20, 3.3238, 3.34), (50, 3.4239, 3.4324), (200, 3.4802, 3.48265)],
)
def test_the_appendix_form_is_false_and_the_others_hold(horizon, appendix, body):
    """The failing count is uniform on 1..1/delta: each count fails with probability delta."""
    pulls = []
    for failing in range(1, horizon):
        policy = hb.ZOUCB(Adversary(failing), Root())
        out = hb.simulate(SURE, policy, horizon, 1, seed=0, order="given")
        pulls.append(out["ZOUCB"].pulls[0, 0])
    never = 3  # the same for all counts that are not reached
    excess = sum(p - never for p in pulls)
    for inverse_delta, printed in ((horizon * (horizon + 1), appendix), (horizon**2, body)):
        assert never + excess / inverse_delta == pytest.approx(printed, abs=5e-5)
    mean = never + excess / (horizon * (horizon + 1))
    assert mean > zo_pull_bound(root, 1.0, horizon, form="paper-appendix") == pytest.approx(3.01)
    mean = never + excess / horizon**2
    assert mean <= zo_pull_bound(root, 1.0, horizon) <= 3.5
    assert mean <= zo_pull_bound(root, 1.0, horizon, form="paper-body") == pytest.approx(4.01)


def test_forms_by_hand():
    g = SubGaussianG(sides=1)
    T, gap = 1000, 0.5
    real = 8 * 2 * math.log(T) / gap**2
    assert real_inverse(g, gap**2 / 8, T**-2.0) == pytest.approx(real, rel=1e-12)
    assert fo_pull_bound(g, gap, T, form="paper-body") == pytest.approx(real + 2)
    real = 8 * math.log(T * (T + 1)) / gap**2
    assert fo_pull_bound(g, gap, T, form="paper-appendix") == pytest.approx(real + 1)
    strict = fo_pull_bound(g, gap, T)
    assert strict == theory.pull_bound(math.floor(16 * math.log(T) / gap**2) + 1, T)
    assert strict <= fo_pull_bound(g, gap, T, form="paper-body")
    assert fo_pull_bound(g, gap, T, delta=0.01) == theory.pull_bound(
        math.floor(8 * math.log(100) / gap**2) + 1, T, 0.01
    )
    assert real_inverse(lambda k, d: 1.0, 0.5, 0.1) == math.inf
    assert real_inverse(lambda k, d: 0.01 / k, 0.5, 0.1) == pytest.approx(0.02)


def test_a_data_dependent_count_is_not_covered():
    """Stop at the first count whose interval fails: the exact 95 % interval fails far more."""
    rng = np.random.default_rng(5)
    k = np.arange(1, 101)
    sums = np.cumsum(rng.standard_normal((20_000, 100)), axis=1)
    low = sums / k < -stats.norm.ppf(0.975) / np.sqrt(k)
    ever, fixed = int(low.any(axis=1).sum()), int(low[:, 49].sum())
    assert stats.binomtest(fixed, 20_000, 0.025).pvalue > 1e-6
    assert stats.binom.sf(ever - 1, 20_000, 0.05) < 1e-6
    assert ever / 20_000 == pytest.approx(0.189, abs=0.015)
    # The union over counts of the tape is what the lemma uses, and it holds.
    assert ever / 20_000 <= 100 * 0.025


def test_the_printed_root_of_g_covers_83_percent():
    # The exact 95 % interval of a normal mean has g = r^2/2; sqrt(g) is r / sqrt(2).
    r = stats.norm.ppf(0.975)
    assert 2 * stats.norm.cdf(math.sqrt(r**2 / 2)) - 1 == pytest.approx(0.8342, abs=5e-5)
    assert 2 * stats.norm.cdf(math.sqrt(2 * r**2 / 2)) - 1 == pytest.approx(0.95)


def test_the_zero_order_oracle_is_not_unbiased():
    grid = np.linspace(-12, 12, 240_001)
    density = stats.norm.pdf(grid)

    def mean_distance(x):
        return np.trapezoid(abs(x - grid) * density, grid)

    for x, printed in ((0.1, 0.0040), (0.5, 0.0977), (1.0, 0.3687), (2.0, 1.2191)):
        got = mean_distance(x) - mean_distance(0.0)
        assert got == pytest.approx(printed, abs=5e-5)
        closed = 2 * stats.norm.pdf(x) + x * (2 * stats.norm.cdf(x) - 1) - 2 * stats.norm.pdf(0)
        assert got == pytest.approx(closed, abs=1e-6)
        assert got < x - 0.05


def test_batches_with_an_incomplete_last_one_count_every_pull():
    # Hand count: T = 308, K = 2, 3 first pulls each, batches of 3: N = 100, 2 pulls left.
    g = SubGaussianG(sides=1)
    whole = batch_regret([0.0, 1.0], 308, g=g, batch=3, initial=3)
    inner = theory.fo_regret([0.0, 1.0], 100, g=g)
    assert whole == pytest.approx(3 + 3 * inner + 2)
    assert batch_regret([0.0, 1.0], 6, g=g, batch=3, initial=3) == 3
    assert batch_regret([0.0, 1.0], 8, g=g, batch=3, initial=3) == 3 + 2
    assert batch_regret([0.0, 0.5, 0.5], 500, g=g) == pytest.approx(
        theory.fo_regret([0.0, 0.5, 0.5], 500, g=g)
    )
    uniform = batch_regret([0.0, 1.0], 308, g=g, batch=3, initial=3, kind="uniform")
    u = theory.g_inverse(g, 1 / 8, 0.01)
    assert uniform == pytest.approx(3 + 3 * (u + 2) + 2)


@pytest.mark.parametrize("horizon", [47, 48, 49, 50, 300])
def test_batch_accounting_equals_the_policy_that_plays_it(horizon):
    """An estimator without noise: pulls are initial + batch * updates, exactly."""

    @dataclass(frozen=True)
    class Blocks:
        batch: int = 3
        initial: int = 2
        own = None
        moving = False

        def bytes_per_trial(self, arms, horizon):
            return 0

        def stream(self, run):
            return self

        def push(self, flat, n, reward):
            return (reward if reward.ndim == 1 else reward[-1]).astype(float)

        def estimate(self, rewards, own=(), t=0):
            return float(rewards[-1])

    out = hb.simulate(SURE, hb.ZOUCB(Blocks(), Root()), horizon, 1, seed=0, order="given")
    updates = (horizon - 4) // 3
    best, bad = 0, 0
    for _ in range(updates):  # the same game in units of batches
        index_bad = math.inf if bad == 0 else -1 + root(bad, 0)
        index_best = math.inf if best == 0 else root(best, 0)
        if index_bad >= index_best:
            bad += 1
        else:
            best += 1
    rest = horizon - 4 - 3 * updates
    index_bad = -1 + root(bad, 0)
    pulls = 2 + 3 * bad + (rest if index_bad >= root(best, 0) else 0)
    assert out["ZOUCB"].pulls[0].tolist() == [pulls, horizon - pulls]
    bound = batch_regret([0.0, 1.0], horizon, g=root, batch=3, initial=2, order="zero")
    assert pulls <= bound
    assert out["ZOUCB"].regret[0, -1] == pulls


@pytest.mark.parametrize("gap", [0.1, 0.2, 0.3, 0.6, 0.7, 1.0, 1.1])
@pytest.mark.parametrize("count", [3, 7, 10, 100])
def test_an_interval_equal_to_the_gap_is_not_shorter_by_rounding(gap, count):
    square = gap * gap * count / 8  # 2 r(count) = gap, up to rounding

    def g(k, delta):
        return square / k

    def r(k, delta):
        return gap / 2 * math.sqrt(count / k)

    enough = count + 1
    expected = theory.pull_bound(enough, 500)
    assert fo_pull_bound(g, gap, 500) == zo_pull_bound(r, gap, 500) == expected
    assert theory.fo_regret([0.0, gap], 500, g=g) == pytest.approx(gap * expected, rel=1e-12)
    assert theory.zo_regret([0.0, gap], 500, g=r) == pytest.approx(gap * expected, rel=1e-12)
    assert batch_regret([0.0, gap], 500, g=g) == pytest.approx(gap * expected, rel=1e-12)


@pytest.mark.parametrize("updates", [1, 2])
def test_delta_is_below_one_for_one_update(updates):
    asked = []

    def g(k, delta):
        asked.append(delta)
        return MedianOfMeansG()(k, delta)  # refuses delta = 1

    quarter = theory.g_inverse(g, 0.5, 0.25)
    rest = theory.pull_bound(quarter, updates, 0.25)
    assert zo_pull_bound(g, 1.0, updates) == rest
    assert theory.zo_regret([0, 1.0], updates, g=g) == rest
    assert batch_regret([0, 1.0], updates, g=g, order="zero") == rest
    assert batch_regret([0, 1.0], updates, g=g, order="zero", kind="uniform") > 0
    assert max(asked) < 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fo_pull_bound(root, 0.0, 10), "gap is 0.0"),
        (lambda: fo_pull_bound(root, 1.0, 10, form="paper"), "form is 'paper'"),
        (lambda: zo_pull_bound(root, 1.0, 10, form="paper-body", delta=0.1), "fixes its own"),
        (lambda: real_inverse(root, -1.0, 0.1), "x is -1.0"),
        (lambda: batch_regret([0, 1.0], 10, g=root, order="second"), "order is 'second'"),
        (lambda: batch_regret([0, 1.0], 10, g=root, batch=0), "batch is 0"),
        (lambda: batch_regret([0, 1.0], 10, g=root, initial=-1), "initial is -1"),
        (lambda: batch_regret([0, 1.0], 10, g=root, delta=2.0), "delta is 2.0"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
