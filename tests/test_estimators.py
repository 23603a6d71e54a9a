"""Streaming estimates equal the definition on the full history, after every reward."""

import math
import statistics

import numpy as np
import pytest

from hbucb import streams
from hbucb.estimators import MedianOfGroups, MedianOfMeans, SampleMean
from hbucb.estimators.median_of_means import (
    BlockMedians,
    FixedBlocks,
    GrowingBlocks,
    block_median,
)
from hbucb.optimizers import ClippedSGD, ConstantSchedule, DecreasingSchedule, TheorySchedule

STREAMS = {
    "Cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "atoms": lambda rng, shape: rng.integers(-2, 3, shape).astype(float),
    "rising": lambda rng, shape: np.arange(shape[0] * shape[1], dtype=float).reshape(shape),
    "falling": lambda rng, shape: -np.arange(shape[0] * shape[1], dtype=float).reshape(shape),
    "drifting": lambda rng, shape: rng.standard_normal(shape).cumsum(axis=0),
    "huge": lambda rng, shape: rng.choice([-1e300, 0.0, 1e300], shape),
}


def stream_and_compare(estimator, rewards, slots, arms, offline):
    """Push a batch of pulls and compare each estimate with ``offline(one arm's history, t)``."""
    horizon, trials = rewards.shape
    state = estimator.stream(streams.Run(trials, arms, horizon))
    counts = np.zeros((trials, arms), np.int64)
    for t in range(horizon):
        counts[np.arange(trials), slots[t]] += 1
        n = counts[np.arange(trials), slots[t]]
        flat = np.arange(trials) * arms + slots[t]
        got = state.push(flat, n, rewards[t])
        if estimator.moving:  # a growing limit may change the played arm's blocks once more
            state.stale()
            got = state.values(flat)
        for i in range(trials):
            mine = rewards[: t + 1, i][slots[: t + 1, i] == slots[t, i]]
            expected = offline(mine, t + 1)
            assert expected is None or got[i] == expected, (t, i, got[i], expected)


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("group", [1, 2, 3])
def test_running_median_equals_sorting_the_history(name, group):
    rng = np.random.default_rng(3)
    rewards = STREAMS[name](rng, (400, 5))
    slots = rng.choice(3, p=[0.8, 0.15, 0.05], size=(400, 5))

    def offline(mine, t):
        groups = mine[: len(mine) // group * group].reshape(-1, group)
        if not len(groups):
            return mine.sum() / len(mine)
        means = groups[:, 0].copy()
        for column in range(1, group):
            means += groups[:, column]
        with np.errstate(over="ignore"):
            ordered = np.sort(means / group)
        return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2

    with np.errstate(over="ignore"):
        stream_and_compare(MedianOfGroups(group), rewards, slots, 3, offline)


def test_running_median_bears_infinite_rewards_below_its_breakdown_point():
    rng = np.random.default_rng(4)
    rewards = rng.standard_normal((300, 4))
    rewards[rng.random((300, 4)) < 0.2] = np.inf
    rewards[rng.random((300, 4)) < 0.2] = -np.inf
    slots = np.zeros((300, 4), np.int64)
    stream_and_compare(
        MedianOfGroups(1),
        rewards,
        slots,
        1,
        lambda mine, t: np.median(mine) if len(mine) > 60 else None,
    )


def test_running_median_at_ten_thousand_pulls():
    # Long enough for many windows; compared with sorting at random moments.
    rng = np.random.default_rng(5)
    rewards = rng.standard_cauchy((10_000, 3))
    state = MedianOfGroups(1).stream(streams.Run(3, 1, 10_000))
    checks = set(rng.integers(1, 10_000, 300).tolist())
    for t in range(10_000):
        got = state.push(np.arange(3), np.full(3, t + 1), rewards[t])
        if t in checks:
            assert np.array_equal(got, np.median(rewards[: t + 1], axis=0))


@pytest.mark.parametrize("name", STREAMS)
def test_block_medians_equal_naive_reestimates(name):
    rng = np.random.default_rng(6)
    rewards = STREAMS[name](rng, (400, 4))
    slots = rng.choice(3, p=[0.8, 0.15, 0.05], size=(400, 4))

    def naive(mine, limit, least):
        if len(mine) < least:
            return None
        k = max(1, min(limit, len(mine) // 2))
        return block_median(mine.tolist(), k)

    fixed = FixedBlocks(0.3)
    with np.errstate(over="ignore", invalid="ignore"):
        stream_and_compare(
            BlockMedians(fixed), rewards, slots, 3, lambda mine, t: naive(mine, 10, 22)
        )
        stream_and_compare(
            BlockMedians(GrowingBlocks()),
            rewards,
            slots,
            3,
            lambda mine, t: naive(mine, math.floor(1 + 16 * math.log(1 + t)), 2),
        )
    # k = floor(8 (1/8 - ln 0.3)) = floor(10.63), and 16 (1/8 - ln 0.3) = 21.26.
    assert (fixed.limit(5), fixed.least()) == (10, 22)


def test_block_median_is_the_median_of_block_means():
    rng = np.random.default_rng(11)
    for n in (1, 2, 7, 50, 333):
        for k in {1, 2, 5, n // 2, n} & set(range(1, n + 1)):
            x = rng.normal(size=n)
            size = n // k
            means = [math.fsum(x[j * size : (j + 1) * size]) / size for j in range(k)]
            assert block_median(x.tolist(), k) == pytest.approx(statistics.median(means), abs=1e-14)


def test_growing_blocks_refresh_the_arms_that_are_not_played():
    # One arm stops at 300 pulls; its estimate still follows the growing number of blocks.
    rng = np.random.default_rng(7)
    rewards = rng.standard_cauchy(3000)
    estimator = BlockMedians(GrowingBlocks())
    state = estimator.stream(streams.Run(1, 2, 3000))
    refreshed = 0
    for t in range(3000):
        slot = int(t >= 300)
        n = t + 1 - 300 * slot
        state.push(np.array([slot]), np.array([n]), rewards[t : t + 1])
        refreshed += int(0 in state.stale() and slot)
        expected = estimator.estimate(rewards[: min(t + 1, 300)], t=t + 1)
        if t > 0:
            assert state.values(np.array([0]))[0] == expected, t
    assert refreshed > 10


def test_sample_mean_is_a_running_sum():
    rewards = np.random.default_rng(8).standard_cauchy((50, 2))
    slots = np.zeros((50, 2), np.int64)
    stream_and_compare(
        SampleMean(), rewards, slots, 1, lambda mine, t: SampleMean().estimate(mine.tolist())
    )


def test_median_of_means_radius_covers_a_heavy_law():
    # Student t with 2.5 degrees: E|X|^1.5 known; exact binomial, false alarm 1e-6 a side.
    from scipy import stats

    from hbucb.noise import StudentT

    law, delta, n, runs = StudentT(2.5), 0.05, 60, 20_000
    mom = MedianOfMeans(eps=0.5, v=law.moment(1.5))
    x = law.sample((runs, n), seed=1)
    k = mom.blocks(n, delta)
    assert k == 24
    means = x[:, : k * (n // k)].reshape(runs, k, n // k).mean(axis=2)
    estimates = np.median(means, axis=1)
    radius = float(mom.radius(n, delta))
    assert math.isfinite(radius)
    for failures in ((estimates > radius).sum(), (estimates < -radius).sum()):
        assert stats.binomtest(int(failures), runs, delta, alternative="greater").pvalue > 1e-6
    # The control: a fortieth of the radius must be caught.
    failures = int((estimates > radius / 40).sum())
    assert stats.binomtest(failures, runs, delta, alternative="greater").pvalue < 1e-6


def test_median_of_means_radius_is_infinite_where_it_is_not_proved():
    mom = MedianOfMeans()
    edge = 16 * (1 / 8 + math.log(1e4))
    assert mom.radius(math.floor(edge), 1e-4) == math.inf
    assert mom.radius(math.ceil(edge), 1e-4) == pytest.approx(
        math.sqrt(12 * edge / math.ceil(edge))
    )


@pytest.mark.parametrize(
    "optimizer",
    [
        ClippedSGD(ConstantSchedule(0.1, 0.5)),
        ClippedSGD(ConstantSchedule(0.1, 0.5), p=0, x0=2.0),
        ClippedSGD(DecreasingSchedule(0.5, 1.0), m=1, radius=0.3),
        ClippedSGD(TheorySchedule(300, 0.1, 2.0), m=2, n=2, p=1),
    ],
)
def test_clipped_sgd_streams_what_it_defines(optimizer):
    rng = np.random.default_rng(9)
    p, b, updates, trials = optimizer.p, optimizer.batch, 20, 4
    rewards = rng.standard_cauchy((p + updates * b, trials))
    state = optimizer.stream(streams.Run(trials, 1, len(rewards)))
    flat = np.arange(trials)
    if p:
        got = state.push(flat, np.full(trials, p), rewards[:p] if p > 1 else rewards[0])
        assert got.tolist() == np.median(rewards[:p], axis=0).tolist()
    for k in range(updates):
        upto = p + (k + 1) * b
        batch = rewards[upto - b : upto]
        got = state.push(flat, np.full(trials, upto), batch if b > 1 else batch[0])
        for i in range(trials):
            assert got[i] == optimizer.estimate(rewards[:upto, i].tolist())


def test_clipped_sgd_converges_and_its_projection_holds():
    # Decreasing step on Cauchy: near the centre; a constant step keeps a floor.
    rng = np.random.default_rng(10)
    rewards = rng.standard_cauchy((20_000, 50)) + 7.0
    floor = {}
    for name, schedule in (
        ("decreasing", DecreasingSchedule(0.7, 2.0, shift=3)),
        ("constant", ConstantSchedule(1 / 29.0, 9.0)),
    ):
        state = ClippedSGD(schedule).stream(streams.Run(50, 1, 20_000))
        state.push(np.arange(50), np.full(50, 3), rewards[:3])
        for t in range(3, 20_000):
            x = state.push(np.arange(50), np.full(50, t + 1), rewards[t])
        floor[name] = float(np.abs(x - 7.0).mean())
    assert floor["decreasing"] < 0.02
    assert floor["constant"] > 0.2


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: MedianOfGroups(0), "group = 0"),
        (lambda: MedianOfGroups(1.5), "group = 1.5"),
        (lambda: MedianOfGroups(2).estimate([]), "rewards is empty"),
        (lambda: SampleMean().estimate([]), "rewards is empty"),
        (lambda: MedianOfMeans().estimate([], 0.5), "x has shape"),
        (lambda: ClippedSGD(ConstantSchedule(0.1, 1.0), theta=-1.0), "theta must be .* -1.0"),
        (lambda: ClippedSGD(ConstantSchedule(0.1, 1.0), x0=math.nan), "x0 must be .* nan"),
        (lambda: ClippedSGD(ConstantSchedule(0.1, 1.0), radius=0.0), "radius = 0.0"),
        (lambda: TheorySchedule(10, 0.1, 0.1).tables(3), "rho = 0.1"),
    ],
)
def test_bad_parameters_are_named(make, names):
    with pytest.raises(ValueError, match=names):
        make()
