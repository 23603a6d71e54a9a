"""Long horizons: counters beyond 2^31, log-spaced records, state that does not grow with T."""

import tracemalloc

import numpy as np
import pytest

import hbucb as hb
from hbucb.jobs import trial_bytes
from hbucb.streams import Run

BANDIT = hb.Bandit([0.0, 0.5], hb.noise.Cauchy())


@pytest.mark.parametrize("policy", [hb.UCB(kind="log"), hb.ClippedSGDUCB()])
def test_counts_go_on_beyond_two_to_the_31(policy):
    state = policy.start(Run(trials=3, arms=2, horizon=20))
    for t in range(10):
        state.update(t, state.select(t), np.zeros(3))
    start = 2**31 - 2
    # The table of radii is read at the count; a long one is not needed to see the counter.
    state._weight = _Constant(0.5)
    state._not_yet = _Constant(False)
    state._count[:] = start
    for t in range(4 * start, 4 * start + 6):
        state.update(t, np.array([0, 1, 0]), np.zeros(3))
    assert state._count.dtype == np.int64
    first, other = [start + 6, start], [start, start + 6]
    assert state._count.reshape(3, 2).tolist() == [first, other, first]


class _Constant:
    """A table with the same entry at every count."""

    def __init__(self, value):
        self.value = value

    def __getitem__(self, n):
        return np.full(np.shape(n), self.value)


def test_pulls_and_regret_of_long_runs_are_whole_numbers_of_gaps():
    result = hb.simulate(BANDIT, hb.ClippedSGDUCB(), 60_000, 4, seed=1, rounds=[10, 1000, 60_000])
    pulls = result["ClippedSGDUCB"].pulls
    assert pulls.dtype == np.int64 and (pulls.sum(axis=1) == 60_000).all()
    assert np.array_equal(result["ClippedSGDUCB"].regret[:, -1], 0.5 * pulls[:, 0])


def test_records_are_log_spaced_by_default():
    rounds = hb.simulate(BANDIT, hb.UCB(), 100_000, 1, seed=1).rounds
    assert len(rounds) <= 100 and rounds[0] == 1 and rounds[-1] == 100_000
    ratios = rounds[1:] / rounds[:-1]
    assert ratios[rounds[1:] > 200].max() < 1.14  # 10^(5/99) = 1.123


@pytest.mark.parametrize("policy", [hb.UCB(), hb.ClippedSGDUCB()])
def test_memory_grows_with_the_horizon_by_its_tables_alone(policy):
    def peak(horizon):
        tracemalloc.start()
        hb.simulate(BANDIT, policy, horizon, 10, seed=1, chunk=10)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    peak(1000)
    short, long = peak(2_000), peak(40_000)
    # Tables of the radius by the count: at most five columns of 8 bytes while they are made.
    assert long - short <= 40 * 38_000
    assert trial_bytes(policy, BANDIT, 10**7) == trial_bytes(policy, BANDIT, 10**5)


def test_policies_that_keep_the_history_say_how_much_they_need():
    fair = hb.RobustUCB(preset="fair")
    assert trial_bytes(fair, BANDIT, 10**7) > 10 * 10**7
    with pytest.raises(ValueError, match=r"horizon = 1000000000: .* GB for one trial"):
        hb.simulate(BANDIT, fair, 10**9, 1, seed=0)
