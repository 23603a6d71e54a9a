"""Two policies that a student wrote from chapter P1 alone, each for one trial and for all at once.

MidhingeUCB is an index policy, EpsMedian draws lots: their scalar and batch forms must play the
same arms, the first also as `explain` does, and the claims made about it must be certified, their
controls refuted.
"""

import math
import statistics
from bisect import insort
from dataclasses import dataclass

import numpy as np
import pytest

import hbucb as hb
from hbucb.policies import ArmIndexPolicy, Policy

BANDIT = hb.Bandit([0.0, 1.0, 2.0], hb.noise.Cauchy())


def grid(horizon):
    """Counts at which an arm's index is computed again."""
    counts = [1]
    while counts[-1] < horizon:
        counts.append(max(counts[-1] + 1, math.floor(counts[-1] * 1.2)))
    return np.array(counts)


def midhinge_radius(n, delta):
    """One-sided DKW at both quartiles of Cauchy noise, inf while it says nothing."""
    n = np.asarray(n, float)
    low, eps = np.floor(n / 4), np.sqrt(math.log(1 / delta) / (2 * n))
    first, third = (low + 1) / n + eps, (n - low) / n + eps
    sure = third < 1
    first, third = np.where(sure, first, 0.5), np.where(sure, third, 0.5)
    half = (np.tan(np.pi * (first - 0.5)) + np.tan(np.pi * (third - 0.5))) / 2
    return np.where(sure, half, np.inf)


def midhinge_bound(bandit, horizon):
    """sum_a gap (n_a + 2), n_a the first count of the grid from which on 2 r <= gap."""
    counts = grid(horizon)
    radius = midhinge_radius(counts, horizon**-2.0)
    worst = np.maximum.accumulate(radius[::-1])[::-1]
    total = 0.0
    for gap in bandit.gaps[bandit.gaps > 0]:
        short = counts[2 * worst <= gap]
        total += gap * (min(short[0] + 2, horizon) if short.size else horizon)
    return total


class MidhingeUCB:
    def __init__(self, arms, horizon):
        self.sorted = [[] for _ in range(arms)]
        self.index = [math.inf] * arms
        self.delta, self.grid = horizon**-2.0, set(grid(horizon).tolist())

    def select(self, t):
        return self.index.index(max(self.index))

    def update(self, t, arm, reward):
        x = self.sorted[arm]
        insort(x, reward)
        n = len(x)
        if n in self.grid:
            middle = (x[n // 4] + x[n - 1 - n // 4]) / 2
            self.index[arm] = middle + float(midhinge_radius(n, self.delta))


@dataclass(frozen=True)
class MidhingeBatch(ArmIndexPolicy):
    def index(self, rewards, t, horizon, counts):
        due = grid(horizon)[grid(horizon) <= len(rewards)]
        if not due.size:
            return math.inf
        n = int(due[-1])
        x = sorted(rewards[:n])
        middle = (x[n // 4] + x[n - 1 - n // 4]) / 2
        return middle + float(midhinge_radius(n, horizon**-2.0))

    def start(self, run):
        return MidhingeState(run)

    def bytes_per_trial(self, arms, horizon):
        return 8 * arms * (horizon + 4)

    def regret_bound(self, bandit, horizon, declare=()):
        return midhinge_bound(bandit, horizon)


class MidhingeState:
    def __init__(self, run):
        self.rewards = np.full((run.trials, run.arms, run.horizon), np.inf)
        self.count = np.zeros((run.trials, run.arms), int)
        self.value = np.full((run.trials, run.arms), np.inf)
        self.rows = np.arange(run.trials)
        counts = np.arange(run.horizon + 1)
        self.due = np.isin(counts, grid(run.horizon))
        self.radius = midhinge_radius(np.maximum(counts, 1), run.horizon**-2.0)

    def select(self, t):
        return self.value.argmax(axis=1)

    def update(self, t, arm, reward):
        n = self.count[self.rows, arm]
        self.rewards[self.rows, arm, n] = reward
        n = n + 1
        self.count[self.rows, arm] = n
        hit = np.flatnonzero(self.due[n])
        a, n = arm[hit], n[hit]
        x = np.sort(self.rewards[hit, a, : n.max(initial=1)], axis=1)
        pick = np.arange(hit.size)
        middle = (x[pick, n // 4] + x[pick, n - 1 - n // 4]) / 2
        self.value[hit, a] = middle + self.radius[n]


class EpsMedian:
    def __init__(self, arms, rng, c):
        self.arms, self.rng, self.c = arms, rng, c
        self.rewards = [[] for _ in range(arms)]
        self.median = [math.inf] * arms

    def select(self, t):
        u, eps = self.rng.random(), min(1.0, self.c * self.arms / (t + 1))
        self.explore = u < eps
        if self.explore:
            return int(u / eps * self.arms)
        return self.median.index(max(self.median))

    def update(self, t, arm, reward):
        if self.explore:
            self.rewards[arm].append(reward)
            self.median[arm] = statistics.median(self.rewards[arm])


@dataclass(frozen=True)
class EpsMedianBatch(Policy):
    c: float = 5.0

    def start(self, run):
        return EpsState(self.c, run)

    def bytes_per_trial(self, arms, horizon):
        return 8 * arms * (horizon + 4)


class EpsState:
    def __init__(self, c, run):
        self.c, self.arms, self.generators = c, run.arms, run.generators()
        self.rewards = np.full((run.trials, run.arms, run.horizon), np.nan)
        self.count = np.zeros((run.trials, run.arms), int)
        self.median = np.full((run.trials, run.arms), np.inf)

    def select(self, t):
        u = np.array([rng.random() for rng in self.generators])
        eps = min(1.0, self.c * self.arms / (t + 1))
        self.explore = u < eps
        lot = (u / eps * self.arms).astype(int)
        return np.where(self.explore, lot, self.median.argmax(axis=1))

    def update(self, t, arm, reward):
        rows = np.flatnonzero(self.explore)
        if rows.size:
            a = arm[rows]
            n = self.count[rows, a]
            self.rewards[rows, a, n] = reward[rows]
            self.count[rows, a] += 1
            self.median[rows, a] = np.nanmedian(self.rewards[rows, a, : n.max() + 1], axis=1)


@pytest.fixture(scope="module")
def played():
    eps = EpsMedianBatch(c=5.0)
    field = {
        "midhinge": hb.scalar(MidhingeUCB),
        "midhinge batch": MidhingeBatch(),
        "eps": hb.scalar(EpsMedian, c=5.0, draws_as=eps),
        "eps batch": eps,
        "eps alone": hb.scalar(EpsMedian, c=5.0),
        "UCB": hb.UCB(),
    }
    return hb.simulate(BANDIT, field, horizon=600, trials=30, seed=3, actions=True)


@pytest.mark.parametrize("name", ["midhinge", "eps"])
def test_scalar_and_batch_play_the_same_arms(played, name):
    assert (played[name].actions == played[f"{name} batch"].actions).all()
    assert 50 < np.median(played[name].regret[:, -1]) < 600  # neither lucky nor idle


def test_without_a_common_key_the_lots_differ(played):
    same = (played["eps alone"].actions == played["eps batch"].actions).all(axis=1)
    assert not same.any()


@pytest.mark.parametrize("chunk", [7, 30])
def test_chunks_change_nothing(played, chunk):
    field = {name: played.policies[name] for name in ("midhinge batch", "eps", "eps batch")}
    again = hb.simulate(BANDIT, field, 600, 30, seed=3, actions=True, chunk=chunk)
    for name in field:
        assert (again[name].actions == played[name].actions).all()


@pytest.mark.parametrize("trial", [0, 1, 29])
def test_explain_plays_the_index_from_its_definition(played, trial):
    expected = played["midhinge batch"].actions[trial].tolist()
    told = hb.explain(MidhingeBatch(), BANDIT, rounds=600, seed=3, trial=trial)
    assert told.actions == expected
    start = hb.explain(MidhingeBatch(), BANDIT, rounds=200, seed=3, trial=trial, horizon=600)
    assert start.actions == expected[:200]


def test_explain_of_the_first_rounds_needs_the_horizon(played):
    short = hb.explain(hb.UCB(), BANDIT, rounds=300, seed=3)
    long = hb.explain(hb.UCB(), BANDIT, rounds=300, seed=3, horizon=600)
    expected = played["UCB"].actions[0, :300].tolist()
    assert long.actions == expected != short.actions


def test_a_writing_policy_changes_no_rival(played):
    """Nobody else sees the arrays that a policy gets; it must not write into them all the same."""

    @dataclass(frozen=True)
    class Writes(Policy):
        def start(self, run):
            self_arm = np.zeros(run.trials, int)

            class State:
                def select(self, t):
                    return self_arm.copy()

                def update(self, t, arm, reward):
                    arm[:], reward[:] = 2, 99.0

            return State()

    for bandit in (BANDIT, hb.BernoulliBandit([0.5, 0.5, 0.6])):
        for coupling in ("time", "arm"):
            runs = [
                hb.simulate(bandit, field, 200, 4, seed=1, coupling=coupling, actions=True)
                for field in ({"UCB": hb.UCB()}, {"writes": Writes(), "UCB": hb.UCB()})
            ]
            assert (runs[0]["UCB"].actions == runs[1]["UCB"].actions).all()
            # what it wrote into the arms of round t is not what was counted
            assert (runs[1]["writes"].actions == runs[1]["writes"].actions[:, :1]).all()


class Midhinge:
    def estimate(self, x, delta):
        x = np.sort(x)
        return (x[len(x) // 4] + x[len(x) - 1 - len(x) // 4]) / 2


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "certified"), (0.3, "refuted")])
def test_the_radius_is_certified_and_a_third_of_it_refuted(factor, verdict):
    certificate = hb.certify.radius(
        Midhinge(),
        hb.noise.Cauchy(),
        n=101,
        delta=0.01,
        trials=4000,
        claimed=midhinge_radius,
        factor=factor,
    )
    assert certificate.verdict == verdict


def test_the_bound_is_certified_and_its_control_refuted():
    wide = hb.Bandit([0.0, 3.0, 6.0], hb.noise.Cauchy())
    good = hb.certify.regret_bound(MidhingeBatch(), wide, 3000, trials=500)
    assert good.verdict == "certified" and not good.vacuous
    wider = hb.Bandit(wide.loc, hb.noise.Cauchy(20.0))
    bad = hb.certify.regret_bound(MidhingeBatch(), wider, 3000, trials=500, claimed=good.bound)
    assert bad.verdict == "refuted"
    with pytest.raises(hb.AssumptionError, match="EpsMedianBatch has no regret bound"):
        EpsMedianBatch().regret_bound(wide, 1500)
