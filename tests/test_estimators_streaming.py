"""Streaming forms equal the offline estimators after every reward, on easy and nasty streams."""

import math

import numpy as np
import pytest

from hbucb import estimators as est
from hbucb.estimators import FixedLevel, PowerLevel
from hbucb.estimators.catoni_roots import psi, roots
from hbucb.streams import Run
from tests.test_estimators import STREAMS, stream_and_compare

EXACT = {
    "truncated mean": est.TruncatedMean(1.0, 2.0),
    "truncated mean, low order": est.TruncatedMean(0.3, 0.7),
    "trimmed mean": est.TrimmedMean(),
    "Huber": est.Huber(lam=1.0),
    "p-robust mean": est.PRobustMean(1.5, 0.8),
    "Hodges-Lehmann": est.HodgesLehmann(),
    "order statistic": est.OrderStatistic(),
    "sample median": est.SampleMedian(),
    "smoothed median": est.SmoothedMedianOfMeans(m=2),
    "geometric median": est.GeometricMedianOfMeans(),
    "median of means": est.MedianOfMeans(),
}
FIXED_ONLY = ("order statistic", "median of means")


def play(name, seed, horizon=120, trials=4):
    rng = np.random.default_rng(seed)
    rewards = STREAMS[name](rng, (horizon, trials))
    return rewards, rng.choice(3, p=[0.8, 0.15, 0.05], size=(horizon, trials))


def offline_at(estimator, level):
    """The definition, where the streaming form promises a value."""
    blocks = {est.SmoothedMedianOfMeans: 10, est.MedianOfMeans: None}.get(type(estimator), 1)

    def least(t):
        delta = level.delta(t)
        if isinstance(estimator, est.MedianOfMeans):
            return math.ceil(16 * (0.125 - math.log(delta)))
        if isinstance(estimator, est.GeometricMedianOfMeans):
            return 2 * estimator.blocks(delta)
        return estimator.least(delta) if hasattr(estimator, "least") else blocks

    def value(mine, t):
        return estimator.estimate(mine, level.delta(t)) if len(mine) >= least(t) else None

    return value


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("level", [FixedLevel(0.3), PowerLevel(0.3), PowerLevel()])
def test_streaming_is_bit_for_bit_the_definition(kind, name, level):
    estimator = EXACT[kind]
    if level.moving and kind in FIXED_ONLY:
        with pytest.raises(ValueError, match="level"):
            estimator.running(level)
        return
    rewards, slots = play(name, seed=21)
    with np.errstate(over="ignore", invalid="ignore"):
        running = estimator.running(level)
        stream_and_compare(running, rewards, slots, 3, offline_at(estimator, level))


@pytest.mark.parametrize("pieces", [1, 1 << 20])
@pytest.mark.parametrize("name", STREAMS)
def test_truncated_samples_leave_as_the_level_falls_for_long_streams(name, pieces, monkeypatch):
    monkeypatch.setattr(est.recomputed, "_SAMPLES", pieces)
    # Arms that are not played change as well: all arms are compared after every step.
    horizon, trials, arms = 1500, 3, 3
    rng = np.random.default_rng(22)
    rewards = STREAMS[name](rng, (horizon, trials))
    slots = rng.choice(arms, p=[0.9, 0.08, 0.02], size=(horizon, trials))
    estimator, level = est.TruncatedMean(1.0, 3.0), PowerLevel()
    state = estimator.running(level).stream(Run(trials, arms, horizon))
    assert estimator.running(level).moving
    rows = np.arange(trials)
    history = [[[] for _ in range(arms)] for _ in rows]
    left = 0
    for t in range(horizon):
        for i in rows:
            history[i][slots[t, i]].append(rewards[t, i])
        n = np.array([len(history[i][slots[t, i]]) for i in rows])
        got = state.push(rows * arms + slots[t], n, rewards[t])
        if t % 7 == 0:  # the played arm's samples have left before the push returns
            mine = [history[i][slots[t, i]] for i in rows]
            assert got.tolist() == [estimator.estimate(x, level.delta(t + 1)) for x in mine]
        left += state.stale().size
        if t % 7 == 0 or t > horizon - 20:
            for i in rows:
                for arm in range(arms):
                    if history[i][arm]:
                        got = state.values(np.array([i * arms + arm]))[0]
                        expected = estimator.estimate(history[i][arm], level.delta(t + 1))
                        assert got == expected, (t, i, arm)
    if name in ("Cauchy", "atoms", "drifting"):
        assert left > 0  # the case is met


@pytest.mark.parametrize("level", [FixedLevel(0.05), PowerLevel()])
@pytest.mark.parametrize("name", STREAMS)
def test_catoni_streams_the_root(name, level):
    rewards, slots = play(name, seed=23)
    catoni = est.Catoni(2.0)
    state = catoni.running(level).stream(Run(4, 3, len(rewards)))
    rows = np.arange(4)
    for t in range(len(rewards)):
        for_arm = [rewards[: t + 1, i][slots[: t + 1, i] == slots[t, i]] for i in rows]
        n = np.array([len(mine) for mine in for_arm])
        got = state.push(rows * 3 + slots[t], n, rewards[t])
        if level.moving:
            assert set((rows * 3 + slots[t]).tolist()) <= set(state.stale().tolist())
        for i in rows:
            expected = catoni.estimate(for_arm[i], level.delta(t + 1))
            a = catoni.scale(n[i], level.delta(t + 1))
            influence, slope = psi(a * (for_arm[i] - expected))
            unit = abs(expected) + (1 + np.abs(influence).sum() / slope.sum()) / a
            assert abs(got[i] - expected) <= 1e-14 * unit, (t, i, got[i], expected)


def test_catoni_roots_are_roots():
    # psi by its definition in ordinary arithmetic, the root by plain bisection.
    rng = np.random.default_rng(24)
    for n, a in ((1, 0.5), (7, 2.0), (50, 0.3), (400, 0.1)):
        x = rng.standard_cauchy(n)

        def total(theta, x=x, a=a):
            y = a * (x - theta)
            return math.fsum(np.sign(y) * np.log1p(np.abs(y) + y**2 / 2))

        low, high = x.min(), x.max()
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if total(middle) > 0 else (low, middle)
        for start in (x.min(), x.max(), np.median(x)):
            got = roots(x, np.array([n]), np.array([a]), np.array([start]))[0][0]
            assert got == pytest.approx(low, abs=1e-12 * (abs(low) + 1 / a))


def test_catoni_influence_at_the_ends_of_the_floats():
    value, slope = psi(np.array([1e-300, -1e-9, 1e16, 1e18, -1e200, 1.7e308]))
    logs = 2 * np.log([1e16, 1e18, 1e200, 1.7e308]) - math.log(2)
    expected = [1e-300, -1e-9, *(logs * [1, 1, -1, 1])]  # psi(y) = y - y^3/6... near 0
    assert value == pytest.approx(expected, rel=1e-15)
    assert slope[:2] == pytest.approx([1, 1])
    assert slope[2:] * [1e16, 1e18, 1e200, 1.7e308] == pytest.approx([2, 2, 2, 2])


def test_order_statistic_at_ten_thousand_pulls():
    # Long enough for many windows; compared with sorting at random moments.
    rng = np.random.default_rng(26)
    rewards = rng.standard_cauchy((10_000, 3))
    state = est.OrderStatistic().running(FixedLevel(1e-6)).stream(Run(3, 1, 10_000))
    ranks = est.upper_rank(np.arange(10_001), 1e-6)
    checks = {*range(30), *rng.integers(1, 10_000, 200).tolist()}
    for t in range(10_000):
        got = state.push(np.arange(3), np.full(3, t + 1), rewards[t])
        if t in checks:
            ordered = np.sort(rewards[: t + 1], axis=0)
            rank = ranks[t + 1]
            assert np.array_equal(got, ordered[rank - 1] if rank <= t + 1 else np.full(3, np.inf))


def test_streams_with_infinite_rewards():
    rng = np.random.default_rng(25)
    rewards = rng.standard_normal((120, 3))
    rewards[rng.random((120, 3)) < 0.1] = np.inf
    slots = np.zeros((120, 3), np.int64)
    level = FixedLevel(0.3)
    for kind in (
        "truncated mean",
        "trimmed mean",
        "Huber",
        "Hodges-Lehmann",
        "order statistic",
        "sample median",
        "p-robust mean",
        "geometric median",
        "smoothed median",
    ):
        estimator = EXACT[kind]
        with np.errstate(invalid="ignore"):
            running = estimator.running(level)
            stream_and_compare(running, rewards, slots, 1, offline_at(estimator, level))
    state = est.Catoni().running(level).stream(Run(1, 1, 4))
    got = [
        state.push(np.array([0]), np.array([k + 1]), np.array([reward]))[0]
        for k, reward in enumerate([1.0, math.inf, 2.0, -math.inf])
    ]
    assert got[:3] == [1.0, math.inf, math.inf]
    assert math.isnan(got[3])


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, math.nan])
def test_levels_are_probabilities(level):
    with pytest.raises(ValueError, match="delta"):
        FixedLevel(level)


def test_power_level_by_hand():
    assert [PowerLevel().delta(t) for t in (0, 1, 2, 10)] == [0.25, 0.25, 0.25, 0.01]
    with pytest.raises(ValueError, match="power = 0"):
        PowerLevel(0)


@pytest.mark.parametrize("level", [FixedLevel(1e-3), PowerLevel()])
@pytest.mark.parametrize("name", ["t", "far apart"])
@pytest.mark.parametrize(
    "estimator",
    [
        est.Catoni(3.0),
        est.Huber(1.0),
        est.TrimmedMean(),
        est.HodgesLehmann(),
        est.TruncatedMean(0.5, 3.0),
    ],
    ids=lambda each: type(each).__name__,
)
def test_bits_do_not_depend_on_company(estimator, name, level):
    # Four trials together and each alone: one row takes shorter ways through the same sums.
    horizon, trials, arms = 60, 4, 3
    rng = np.random.default_rng(25)
    rewards = (
        rng.standard_t(2.5, (horizon, trials))
        if name == "t"
        else rng.choice([0.0, 1.0, 3.0, 1e15, -1e18], (horizon, trials))
    )
    slots = rng.choice(arms, p=[0.8, 0.15, 0.05], size=(horizon, trials))

    def play(columns):
        state = estimator.running(level).stream(Run(len(columns), arms, horizon))
        row, count = np.arange(len(columns)) * arms, np.zeros(len(columns) * arms, np.int64)
        out = []
        for t in range(horizon):
            flat = row + slots[t][columns]
            count[flat] += 1
            out.append(state.push(flat, count[flat], rewards[t][columns]).copy())
            if level.moving:
                state.stale()
        return np.array(out)

    alone = np.hstack([play([i]) for i in range(trials)])
    assert np.array_equal(play(list(range(trials))), alone)
