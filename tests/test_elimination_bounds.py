"""Bounds of UCB-Improved, Median Elimination and EUCBV, against hand and brute force."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb.elimination_bounds import (
    last_round,
    median_elimination_counts,
    median_elimination_regret,
    ucb_improved_regret,
)
from hbucb.eucbv_bounds import (
    eucbv_failure,
    eucbv_gap_bound,
    eucbv_gap_parts,
    eucbv_regret,
    eucbv_worst_bound,
)
from hbucb.orders import TABLE_1, hardness, hardness_of_arms

EXPERIMENT_1 = [0.03] * 19 + [0.0]
COINS = [0.07 * 0.93] * 19 + [0.09]


def test_last_round_is_the_last_with_a_logarithm_of_at_least_one():
    for horizon in (3, 10, 11, 43, 44, 60_000, 10**9):
        m = last_round(horizon)
        assert math.log(horizon / 4**m) >= 1 > math.log(horizon / 4 ** (m + 1))
    assert last_round(1) == last_round(2) == -1


def test_ucb_improved_at_a_threshold_by_hand():
    gaps, horizon = [0.0, 0.1, 0.2, 0.8], 10_000
    value = (0.8 + 32 * math.log(horizon * 0.64) / 0.8 + 96 / 0.8) + 2 * 64 / 0.4 + 0.2 * horizon
    assert ucb_improved_regret(gaps, horizon, threshold=0.4) == pytest.approx(value)
    with pytest.raises(ValueError, match=r"threshold is 0\.01"):
        ucb_improved_regret(gaps, horizon, threshold=0.01)
    with pytest.raises(ValueError, match="at most 1"):
        ucb_improved_regret([0.0, 1.5], horizon)


@pytest.mark.parametrize("horizon", [1, 30, 2000, 10**6, 10**9])
def test_ucb_improved_takes_the_best_threshold(horizon):
    gaps = [0.0, 0.05, 0.3, 0.3, 0.9]
    grid = np.geomspace(math.sqrt(math.e / horizon), 1e6, 4001)
    grid = np.concatenate([grid, [g - 1e-9 for g in gaps[1:]]])
    grid = grid[grid >= math.sqrt(math.e / horizon)]
    brute = min(ucb_improved_regret(gaps, horizon, threshold=float(x)) for x in grid)
    # The limit of large thresholds is reached to 1e-3 on the grid.
    assert brute == pytest.approx(ucb_improved_regret(gaps, horizon), abs=1e-3, rel=1e-6)


def test_median_elimination_by_hand():
    counts = median_elimination_counts(5, eps=0.4, delta=0.2)
    first = math.ceil(4 / 0.01 * math.log(30))
    second = math.ceil(4 / 0.075**2 * math.log(60))
    third = math.ceil(4 / 0.05625**2 * math.log(120))
    assert counts.tolist() == [first, second, third]
    pulls = 5 * first + 3 * second + 2 * third
    gaps = [0.0, 0.3, 0.5, 0.5, 0.6]
    value = first * 1.9 + 0.6 * (3 * second + 2 * third) + 0.3 + 0.2 * 0.6
    got = median_elimination_regret(gaps, pulls + 1, eps=0.4, delta=0.2)
    assert got == pytest.approx(value)
    assert median_elimination_regret(gaps, 10, eps=0.4, delta=0.2) == pytest.approx(6.0)
    assert median_elimination_regret([0.0], 10) == 0.0
    # Accuracies and failures add up to eps and delta.
    steps = np.arange(200)
    assert (0.1 * 0.75**steps).sum() == pytest.approx(0.4)
    assert (0.1 * 0.5**steps).sum() == pytest.approx(0.2)


def test_median_elimination_finds_a_near_best_arm_often_enough():
    """The guarantee by exact binomial test: 300 runs, false alarm below 1e-6."""
    from scipy.stats import binomtest

    bandit = hb.BernoulliBandit([0.5, 0.35, 0.35, 0.35])
    policy = hb.MedianElimination(eps=0.14, delta=0.4)
    horizon = int(median_elimination_counts(4, eps=0.14, delta=0.4) @ [4, 2]) + 1
    run = hb.policies.Run(300, 4, horizon, 1)
    state, rng = policy.start(run), np.random.default_rng(5)
    # A round is a binomial draw: pulling one by one would tell no more.
    for size, count in zip((4, 2), median_elimination_counts(4, eps=0.14, delta=0.4), strict=True):
        totals = rng.binomial(count, bandit.loc, (300, 4)).astype(float)
        state.total[:], state.count[:] = np.where(state.alive, totals, 0.0), count
        state._judge(np.arange(300))
        assert (state.alive.sum(axis=1) == size // 2).all()
    wrong = int((state.select(0) != 0).sum())
    assert binomtest(wrong, 300, 0.4, alternative="greater").pvalue > 1e-6


def test_theorem_1_at_experiment_1():
    parts = eucbv_gap_parts(EXPERIMENT_1, 60_000, variances=COINS)
    per_arm = 0.03 + 320 * 0.0651 * math.log(60_000 * 0.0009 / 20) / 0.03
    assert parts.leading == pytest.approx(19 * per_arm)
    assert parts.failure == pytest.approx(19 * 5888 * 20**4 / 60_000**0.25)
    assert parts.small_gap == 0
    total = eucbv_gap_bound(EXPERIMENT_1, 60_000, variances=COINS)
    assert total == pytest.approx(sum(parts)) and total > 1e5 * 0.03 * 60_000
    free = eucbv_gap_parts(EXPERIMENT_1, 60_000, leading="variance_free").leading
    assert free == pytest.approx(19 * (0.03 + 64 * math.log(2.7) / 0.03))
    # With b above the gap all of it is in the other parts.
    split = eucbv_gap_parts(EXPERIMENT_1, 60_000, b=0.03)
    assert split.leading == 0 and split.small_gap == pytest.approx(1800)
    assert split.failure == pytest.approx(parts.failure / 2)
    # A gap below sqrt(K/T) has a negative printed logarithm; the function takes 0.
    assert eucbv_gap_parts([0.0] + [0.01] * 19, 60_000).leading == pytest.approx(0.19)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"horizon": 1000}, "K\\^2.4"),
        ({"b": 1e-3}, "b is 0.001"),
        ({"variances": 0.3}, "variances"),
        ({"variances": [0.1, 0.1]}, "variances"),
        ({"leading": "other"}, "leading"),
    ],
)
def test_theorem_1_is_not_evaluated_outside_itself(change, words):
    arguments = {"horizon": 60_000} | change
    with pytest.raises(ValueError, match=words):
        eucbv_gap_bound(EXPERIMENT_1, **arguments)


def test_corollary_1_covers_its_leading_term_at_every_gap():
    arms, horizon = 20, 60_000
    at = eucbv_worst_bound([0.0] * arms, horizon, c3=1e-100)
    assert at == pytest.approx(80 * math.sqrt(arms * horizon))
    gap = np.geomspace(math.sqrt(arms / horizon) * 1.0001, 1, 20_001)
    leading = arms * 80 * np.log(horizon * gap**2 / arms) / gap
    assert leading.max() == pytest.approx(160 / math.e * math.sqrt(arms * horizon), rel=1e-6)
    assert leading.max() <= 58.9 * math.sqrt(arms * horizon) < at
    best = gap[leading.argmax()]
    assert best == pytest.approx(math.e * math.sqrt(arms / horizon), rel=1e-3)


def test_a_run_refutes_theorem_1():
    """Two arms of variance 0: the loss of the first 2000 pulls is above the sum for all of them."""
    horizon, loc = 10**20, np.array([0.0, 1.0])
    state = hb.EUCBV().start(hb.policies.Run(1, 2, horizon, 0))
    for t in range(2000):
        arm = state.select(t)
        state.update(t, arm, loc[arm])
    pulls = int(state.count[0, 0])
    printed = eucbv_gap_bound([1.0, 0.0], horizon, variances=0.0)
    assert pulls >= 18 > 9 * printed
    # By hand: the bad arm is played as long as its radius sqrt(L / (4 n)) is above 1 + the other's.
    log = 2 * math.log(horizon) - math.log(4)
    assert pulls < log / 4 + 1
    # At a horizon that can be played out the printed sum is far above: no contradiction there.
    assert eucbv_gap_bound([1.0, 0.0], 10**6, variances=0.0) > 1000
    # The corrected bound keeps its word.
    assert pulls <= 1 + 1.125 * log <= eucbv_regret([1.0, 0.0], horizon)


def test_failure_bound_against_an_exact_law():
    """P(some mean of n <= T coins is off by sqrt(x/(2n))), by dynamic programming."""
    horizon = 200
    x = math.log(horizon**2 / 2 ** (last_round(horizon) + 1))
    claim = eucbv_failure(1, horizon, rho=1.0)
    a = 1 + 1 / x
    peels = math.floor(math.log(horizon) / math.log(a)) + 1
    assert claim == pytest.approx(2 * peels * math.exp(-x / a)) and claim < 0.2
    for p in (0.5, 0.1):
        law, lost = {0: 1.0}, 0.0
        for n in range(1, horizon + 1):
            step = {}
            for s, mass in law.items():
                step[s] = step.get(s, 0.0) + mass * (1 - p)
                step[s + 1] = step.get(s + 1, 0.0) + mass * p
            far = [s for s in step if abs(s / n - p) > math.sqrt(x / (2 * n))]
            lost += sum(step.pop(s) for s in far)
            law = step
        assert 0 < lost <= claim
    assert eucbv_failure(20, 60_000) == 1.0
    assert eucbv_failure(20, 3, psi=1e-9) == 1.0


def test_corrected_bound_by_hand():
    value = sum(g + 1.125 * 2 * math.log(1e12 / 3) / g for g in (0.5, 0.25))
    value += 1e12 * 0.5 * eucbv_failure(3, 10**12)
    assert eucbv_regret([0.0, 0.5, 0.25], 10**12) == pytest.approx(value)
    other = (
        0.5
        + 2.25 * 2.0 * math.log(7.0 * 1e6) / 0.5
        + 5e5 * eucbv_failure(2, 10**6, rho=2.0, psi=7.0)
    )
    assert eucbv_regret([0.0, 0.5], 10**6, rho=2.0, psi=7.0) == pytest.approx(other)


def test_hardness_when_all_gaps_are_equal():
    gaps = [0.0] + [0.2] * 9
    assert hardness(gaps) == pytest.approx(9 / 0.04)
    assert hardness_of_arms(gaps, include_best=False) == pytest.approx([hardness(gaps)] * 9)
    assert hardness_of_arms(gaps) == pytest.approx([hardness(gaps) + 25] * 9)
    mixed = [0.1, 0.0, 0.4]
    assert hardness_of_arms(mixed) == pytest.approx([200 + 6.25, 6.25 * 3])


def test_table_1_has_its_rows_and_they_grow_as_printed():
    assert list(TABLE_1) == ["EUCBV", "UCB1", "UCB-V", "UCB-Improved", "MOSS", "OCUCB"]
    at = {name: row.gap(10, 1e6, 0.1, 0.25) for name, row in TABLE_1.items()}
    log = math.log
    assert at == pytest.approx(
        {
            "EUCBV": 25 * log(1e3),
            "UCB1": 100 * log(1e6),
            "UCB-V": 25 * log(1e6),
            "UCB-Improved": 100 * log(1e4),
            "MOSS": 1000 * log(1e3),
            "OCUCB": 100 * log(1e3),
        }
    )
    free = {name: row.free(10, 1e6) for name, row in TABLE_1.items()}
    root = math.sqrt(1e7)
    assert free["UCB1"] == free["UCB-V"] == pytest.approx(root * math.sqrt(log(1e6)))
    assert free["UCB-Improved"] == pytest.approx(root * math.sqrt(log(10)))
    assert free["EUCBV"] == free["MOSS"] == free["OCUCB"] == pytest.approx(root)
    assert "K in place of K^2" in TABLE_1["MOSS"].note
