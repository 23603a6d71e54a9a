"""MedianUCB, HuberUCB and Wilcoxon-UCB: indices, streaming, bounds.

Statistical tests have fixed seeds and a false-alarm probability of at most 1e-6.
"""

import math

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb.estimators import HodgesLehmann, Huber, SampleMedian
from hbucb.estimators.hodges_lehmann import signed_rank_rank
from hbucb.estimators.signed_rank_limit import RunningSignedRankLimit
from hbucb.estimators.walsh_search import window_near
from hbucb.noise import Cauchy, Gaussian, Laplace, ParetoHole, TwoPoint, Uniform
from hbucb.pair_bounds import pair_mass, wilcoxon_regret
from hbucb.streams import Run

INF = math.inf
POLICIES = {
    "median, law": hb.MedianUCB(law=Cauchy(), delta=0.1),
    "median, class": hb.MedianUCB(SampleMedian(0.25, 1.0), delta=0.1),
    "Huber, law": hb.HuberUCB(Huber(2.0), law=Cauchy(), delta=0.1),
    "Huber, class": hb.HuberUCB(Huber(4.0, 0.7, 2.0), delta=0.3),
    "Wilcoxon": hb.WilcoxonUCB(delta=0.05),
}
BANDITS = {
    "Cauchy": hb.Bandit([0.0, 0.5, 1.0], Cauchy()),
    "coins": hb.BernoulliBandit([0.3, 0.5, 0.7]),
}


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("name", POLICIES)
def test_batch_plays_what_explain_plays_in_any_chunk(name, bandit):
    policy, bandit = POLICIES[name], BANDITS[bandit]
    runs = [
        hb.simulate(bandit, {"it": policy}, 100, 3, seed=3, actions=True, chunk=chunk)["it"].actions
        for chunk in (1, 3, 100)
    ]
    assert np.array_equal(runs[0], runs[1]) and np.array_equal(runs[0], runs[2])
    for trial in range(3):
        steps = hb.explain(policy, bandit, 100, seed=3, trial=trial)
        assert steps.actions == runs[0][trial].tolist()


def test_indices_by_hand():
    # P(median of 3 uniforms <= q) = 3 q^2 - 2 q^3 = 0.9 at q = 0.80420; the law's quantile there.
    q = 0.8042
    median = hb.MedianUCB(law=Uniform(-1.0, 1.0), delta=0.1)
    assert median.index([5.0, 1.0, 2.0], 9, 10) == pytest.approx(2 + 2 * q - 1, abs=1e-4)
    assert median.index([], 9, 10) == INF
    # Averages 0, 1, 2 of the rewards 0 and 2: the third smallest.
    wilcoxon = hb.WilcoxonUCB(delta=0.25)  # P(Y >= 3) = 1/4 for n = 2
    assert wilcoxon.index([2.0, 0.0], 9, 10) == 2.0
    assert wilcoxon.index([2.0], 9, 10) == INF
    # h(r) of Cauchy noise: lam sqrt(2 ln 10 / 40) = h(r) at the radius.
    huber = hb.HuberUCB(Huber(2.0), law=Cauchy(), delta=0.1)
    x = [1.0] * 40
    radius = huber.index(x, 50, 60) - 1
    u = np.linspace(-2, 2, 400_001)
    drift = np.trapezoid(Cauchy().cdf(radius + u), u) - 2
    assert drift == pytest.approx(2 * math.sqrt(2 * math.log(10) / 40), rel=1e-3)


def test_median_radius_of_a_law_is_exact_for_odd_counts():
    for law in (Cauchy(2.0), Gaussian(), Laplace()):
        for n, delta in ((1, 0.2), (21, 0.01), (401, 1e-6)):
            r = float(SampleMedian().radius_for(law, n, delta))
            tail = stats.binom.cdf(n // 2, n, float(law.cdf(r)))
            assert tail == pytest.approx(delta, rel=1e-6)
    assert SampleMedian().radius_for(Cauchy(), [0, 4, 5], 0.7).tolist()[::2] == [INF, 0.0]
    with pytest.raises(ValueError, match="not known to be symmetric"):
        SampleMedian().radius_for(hb.noise.Frechet(1.0), 5, 0.1)


def test_smallest_horizon_at_which_the_median_bound_speaks():
    # Two arms, gap 1, Cauchy: exact one-sided radius below 1/2 from 347 odd, 351 all counts, 1e-8.
    n = np.arange(1, 600)
    below = SampleMedian().radius_for(Cauchy(), n, 1e-8) < 0.5
    assert n[below][0] == 347 and below[350:].all() and not below[349]


STREAMS = {
    "Cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "few values": lambda rng, shape: rng.integers(-2, 3, shape).astype(float),
    "tenths": lambda rng, shape: np.round(rng.normal(size=shape), 1),
    "far away": lambda rng, shape: 1e8 + rng.normal(size=shape),
    "equal": lambda rng, shape: np.full(shape, 0.1),
    "drifting": lambda rng, shape: np.arange(shape[0])[:, None] + rng.normal(size=shape),
}


@pytest.mark.parametrize("name", STREAMS)
def test_signed_rank_limit_streams_the_listed_averages(name):
    horizon, rng = 160, np.random.default_rng(41)
    rewards = STREAMS[name](rng, (horizon, 2))
    state = RunningSignedRankLimit(0.01).stream(Run(2, 1, horizon))
    for t in range(horizon):
        got = state.push(np.arange(2), np.full(2, t + 1), rewards[t])
        i, j = np.triu_indices(t + 1)
        rank = signed_rank_rank(t + 1, 0.01)
        for trial in range(2):
            x = rewards[: t + 1, trial] / 2
            sums = np.sort(x[i] + x[j])
            assert got[trial] == (sums[rank - 1] if rank <= sums.size else INF), t


@pytest.mark.parametrize("name", STREAMS)
def test_window_of_averages_from_any_guess(name):
    x = np.sort(STREAMS[name](np.random.default_rng(42), (90, 1))[:, 0]) / 2
    i, j = np.triu_indices(90)
    sums = np.sort(x[i] + x[j])
    for rank in (1, 2, 700, 2000, 4094, 4095):
        for guess in (math.nan, 0.0, -1e9, 1e12, float(sums[rank - 1])):
            for width in (90, 300, 5000):
                low, high, below, size, values = window_near(x, rank, guess, width)
                assert below == (sums <= low).sum() and below < rank <= below + size
                inside = sums[(sums > low) & (sums <= high)]
                assert inside.size == size and values.size <= width
                if size == values.size:
                    assert np.array_equal(values, inside)
                else:
                    assert (inside == values[0]).all()


def test_signed_rank_limits_of_arms_of_unlike_ages():
    """Arms chosen at random, windows that grow and are made again; against the full history."""
    trials, arms, horizon = 3, 2, 900
    rng = np.random.default_rng(43)
    state = RunningSignedRankLimit(1e-4).stream(Run(trials, arms, horizon))
    rewards = np.round(rng.standard_cauchy((horizon, trials)), 3)
    arm = rng.integers(0, arms, (horizon, trials))
    arm[:, 0] = 0
    for t in range(horizon):
        n = (arm[: t + 1] == arm[t]).sum(axis=0)
        got = state.push(np.arange(trials) * arms + arm[t], n, rewards[t])
        if t % 37 == 0:
            for i in range(trials):
                mine = rewards[: t + 1, i][arm[: t + 1, i] == arm[t, i]]
                assert got[i] == HodgesLehmann().upper(mine, 1e-4)


def test_pair_mass_is_a_lower_bound_and_close():
    for law, exact in (
        (Cauchy(2.0), lambda x: stats.cauchy.cdf(x, scale=2)),
        (Gaussian(), lambda x: stats.norm.cdf(x * math.sqrt(2))),
        (Uniform(-1.0, 1.0), lambda x: 1 - (1 - x) ** 2 / 2),
    ):
        for x in (0.1, 0.5, 0.9):
            assert 0 <= exact(x) - pair_mass(law, x) <= 2e-5
    # Averages of +-1 are -1, 0, 1 with 1/4, 1/2, 1/4; the atom at 0 itself is not below 0.
    assert pair_mass(TwoPoint(), 0.0) == pytest.approx(0.25, abs=1e-4)
    assert pair_mass(TwoPoint(), 0.5) == pytest.approx(0.75, abs=1e-4)


def test_wilcoxon_certificate_from_its_definition():
    gap, total, delta = 1.0, 60, 1 / 3600
    q = stats.norm.cdf(gap * math.sqrt(2))
    pulls = 1 + total * (total - 1) * delta
    for n in range(1, total):
        flips = np.zeros(n * (n + 1) // 2 + 1)
        flips[0] = 1
        for size in range(1, n + 1):
            moved = np.concatenate([np.zeros(size), flips[:-size]])
            flips = (flips + moved) / 2
        tail = np.append(np.cumsum(flips[::-1])[::-1], 0.0)
        rank = int(np.argmax(tail <= delta))
        share = (rank - 1) / (n * (n - 1) / 2) if n > 1 else INF
        pulls += math.exp(-2 * (n // 2) * max(q - share, 0.0) ** 2)
    got = wilcoxon_regret([0.0, gap], total, laws=Gaussian())
    assert got == pytest.approx(min(pulls, total) * gap, rel=1e-4)


@pytest.mark.parametrize("delta", [0.5, 0.9])
def test_wilcoxon_certificate_where_one_reward_is_a_limit(delta):
    # The one average is the limit at n = 1: its term is 1. T = 2: 1 + 2 delta + 1, capped at T.
    assert wilcoxon_regret([0.0, 3.0], 2, laws=Gaussian(), delta=delta) == 6.0
    assert wilcoxon_regret([0.0, 3.0], 1, laws=Gaussian(), delta=delta) == 3.0


@pytest.mark.parametrize(
    ("policy", "bandit"),
    [
        (hb.MedianUCB(law=Cauchy()), hb.Bandit([0.0, 2.0], Cauchy())),
        (hb.MedianUCB(SampleMedian(0.25, 1.0)), hb.Bandit([0.0, 2.0], Cauchy())),
        (hb.HuberUCB(Huber(3.0), law=Laplace()), hb.Bandit([0.0, 2.0], Laplace())),
        (hb.HuberUCB(Huber(6.0, 0.5, 2.0)), hb.Bandit([0.0, 3.0], ParetoHole(0.5))),
        (hb.WilcoxonUCB(), hb.Bandit([0.0, 1.0], Gaussian())),
        (hb.WilcoxonUCB(), hb.Bandit([0.0, 3.0], TwoPoint())),
    ],
)
def test_measured_regret_is_below_the_bound(policy, bandit):
    horizon, trials = 300, 5
    bound = policy.regret_bound(bandit, horizon)
    regret = hb.simulate(bandit, {"it": policy}, horizon, trials, seed=6)["it"].regret[:, -1]
    assert policy.tuned(horizon).regret_bound(bandit, horizon) == bound
    # Regret is almost the same in all runs: five standard errors and the bound's slack.
    assert regret.mean() + 5 * regret.std(ddof=1) / math.sqrt(trials) < bound


def test_laws_outside_the_class_are_named():
    for policy, bandit, words in (
        (hb.MedianUCB(law=Cauchy()), hb.Bandit([0.0, 1.0], Gaussian()), "another law"),
        (hb.MedianUCB(), hb.Bandit([0.0, 1.0], ParetoHole(0.5)), "unimodal"),
        (hb.HuberUCB(), hb.Bandit([0.0, 1.0], Cauchy(9.0)), "noise"),
        (hb.WilcoxonUCB(), hb.Bandit([0.0, 1.0], hb.noise.Frechet(2.0)), "symmetric"),
    ):
        with pytest.raises(hb.AssumptionError, match=words):
            policy.regret_bound(bandit, 100)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: hb.MedianUCB(Huber()), "must be a SampleMedian"),
        (lambda: hb.HuberUCB(law=hb.noise.Frechet(1.0)), "not known to be symmetric"),
        (lambda: hb.HuberUCB(law=stats.norm()), "must be a law of hbucb.noise"),
        (lambda: hb.WilcoxonUCB(delta=2.0), "delta"),
    ],
)
def test_wrong_parameters_are_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_signed_rank_limit_is_the_offline_one():
    x = np.random.default_rng(43).standard_cauchy(300)
    state = RunningSignedRankLimit(0.05).stream(Run(1, 1, 300))
    got = [state.push(np.array([0]), np.array([k + 1]), x[k : k + 1])[0] for k in range(300)]
    for n in (50, 150, 300):
        assert got[n - 1] == HodgesLehmann().upper(x[:n], 0.05)
