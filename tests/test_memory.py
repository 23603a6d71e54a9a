"""What a policy says it needs is what it takes, so that chunks bound memory."""

import tracemalloc

import numpy as np
import pytest

import hbucb as hb
from hbucb.estimators import MedianOfMeans, TruncatedMean
from hbucb.jobs import MEMORY, trial_bytes
from tests import roster

CAUCHY = hb.Bandit(np.arange(10) / 10, hb.noise.Cauchy())
COINS = hb.BernoulliBandit(np.linspace(0.1, 0.9, 10))
POLICIES = {
    "UCB": hb.UCB(),
    "anytime": hb.UCB(kind="anytime"),
    "SGD": hb.ClippedSGDUCB(),
    "SMoM": hb.ClippedSGDUCB(m=1, n=2),
    "MoM": hb.RobustUCB(MedianOfMeans(), delta=0.5),
    "MoM, falling delta": hb.RobustUCB(MedianOfMeans(), power=2),
    "truncated": hb.RobustUCB(TruncatedMean()),
    "truncated, falling delta": hb.RobustUCB(TruncatedMean(), power=3),
    "authors": hb.RobustUCB(preset="authors"),
    "fair": hb.RobustUCB(preset="fair"),
    "Thompson": hb.ThompsonSampling(),
}


def _peak(policy, bandit, horizon, trials, coupling):
    """Bytes allocated at the worst moment of a run in one chunk, and what was announced."""
    hb.simulate(bandit, policy, 40, 2, seed=1)  # imports are not the run's memory
    tracemalloc.start()
    hb.simulate(bandit, policy, horizon, trials, seed=1, coupling=coupling, chunk=trials)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak, trials * trial_bytes(policy, bandit, horizon)


@pytest.mark.parametrize("coupling", ["time", "arm"])
@pytest.mark.parametrize("name", POLICIES)
def test_a_chunk_takes_no_more_memory_than_announced(name, coupling):
    bandit = COINS if name == "Thompson" else CAUCHY
    peak, announced = _peak(POLICIES[name], bandit, 2000, 40, coupling)
    # A few hundred kB do not depend on the number of trials.
    assert peak - 500_000 <= announced <= 8 * peak


@pytest.mark.parametrize("name", roster.policies())
def test_every_public_policy_takes_no_more_than_announced(name):
    policy = roster.policies()[name]
    bandit = roster.bandit_for(policy)
    # Past two blocks of noise the buffers do not grow; two policies look at all rewards
    # in every round, and are played shortly.
    few, many = (60, 240) if name in ("WilcoxonUCB", "HuberUCB") else (1100, 2300)
    early, told_early = _peak(policy, bandit, few, 60, "time")
    late, told_late = _peak(policy, bandit, many, 60, "time")
    # The tables of radii and ranks are made once a chunk, whatever the number of trials.
    assert late - 1_000_000 <= told_late <= 8 * late
    # What grows with the horizon is announced: histories, and not only the room for the rest.
    assert late - early <= told_late - told_early + 350_000


def test_chunks_keep_a_long_history_within_the_limit():
    policy = hb.RobustUCB(preset="fair")
    each = trial_bytes(policy, CAUCHY, 10**6)
    assert MEMORY // each < 30
    assert trial_bytes(hb.UCB(), CAUCHY, 10**6) == trial_bytes(hb.UCB(), CAUCHY, 10**4)
