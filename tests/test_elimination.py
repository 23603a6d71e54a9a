"""Round elimination: scalar twins, rules by hand, deterministic replays, refusals."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb.elimination_bounds import median_elimination_counts
from hbucb.noise import Cauchy, Gaussian, PointMass
from hbucb.policies.eucbv import EUCBV
from tests.oracles.elimination import (
    SlowCCB,
    SlowEUCBV,
    SlowMedianElimination,
    SlowUCBImproved,
)

COINS = hb.BernoulliBandit([0.3, 0.5, 0.5, 0.7])
# Means far above one, so that the released reference wanders.
WIDE = hb.Bandit([2.0, 0.3, 1.0, 0.1, 2.5], Gaussian(0.3))
FORMS = [
    {"radius": radius, "elimination": elimination, "start_up": start_up}
    for radius, elimination, start_up in (
        ("printed", "printed", "printed"),
        ("released", "released", "released"),
        ("released", "printed", "printed"),
        ("printed", "released", "released"),
    )
]
PAIRS = [
    (hb.UCBImproved(), hb.scalar(SlowUCBImproved)),
    (hb.UCBImproved("arm-by-arm"), hb.scalar(SlowUCBImproved, sampling="arm-by-arm")),
    (hb.MedianElimination(0.9, 0.9), hb.scalar(SlowMedianElimination, eps=0.9, delta=0.9)),
    (
        hb.MedianElimination(0.8, 0.3, "arm-by-arm"),
        hb.scalar(SlowMedianElimination, eps=0.8, delta=0.3, sampling="arm-by-arm"),
    ),
    (hb.CCB(), hb.scalar(SlowCCB)),
    *((hb.EUCBV(**forms), hb.scalar(SlowEUCBV, **forms)) for forms in FORMS),
    (
        hb.EUCBV(rho=0.05, psi=3.0),
        hb.scalar(SlowEUCBV, **FORMS[0], rho=0.05, psi=3.0),
    ),
]


@pytest.mark.parametrize("bandit", [COINS, WIDE], ids=["coins", "wide"])
@pytest.mark.parametrize(("policy", "twin"), PAIRS)
def test_the_batch_plays_like_its_scalar_twin(policy, twin, bandit):
    result = hb.simulate(bandit, {"batch": policy, "twin": twin}, 1800, 6, seed=3, actions=True)
    assert np.array_equal(result["batch"].actions, result["twin"].actions)
    # Something was decided: otherwise the agreement would say little.
    assert (result["batch"].pulls.min(axis=1) < 600).any()


def test_every_form_of_eucbv_plays_differently():
    policies = {str(i): hb.EUCBV(**forms) for i, forms in enumerate(FORMS)}
    result = hb.simulate(WIDE, policies, 2500, 12, seed=3, actions=True)
    for i in range(len(FORMS)):
        for j in range(i):
            assert not np.array_equal(result[str(i)].actions, result[str(j)].actions)
    # The released radius is the short one: its player explores less.
    lost = [result[str(i)].regret[:, -1].mean() for i in range(len(FORMS))]
    assert max(lost[1], lost[2]) < min(lost[0], lost[3])


@pytest.mark.parametrize("policy", [pair[0] for pair in PAIRS])
def test_chunks_do_not_change_a_bit(policy):
    runs = [
        hb.simulate(COINS, {"it": policy}, 800, 15, seed=4, actions=True, chunk=chunk)["it"]
        for chunk in (1, 7, 100)
    ]
    assert all(np.array_equal(run.actions, runs[0].actions) for run in runs)
    assert all(np.array_equal(run.regret, runs[0].regret) for run in runs)


def test_eucbv_worked_values():
    """Rounds and logarithms of the paper's three sizes, computed by hand."""
    for arms, horizon, last, counts, logs in (
        (20, 60_000, 7, [9, 15, 27, 48, 84, 146, 247, 404, 631], (16.01, 10.47)),
        (100, 300_000, 8, {9: 906}, (16.01, 9.77)),
        (100, 400_000, 8, {9: 1053}, (16.59, 10.35)),
    ):
        state = EUCBV().start(hb.policies.Run(1, arms, horizon, 0))
        plan = state._plan
        assert plan.counts.size == last + 2
        for m, count in enumerate(counts) if isinstance(counts, list) else counts.items():
            assert plan.counts[m] == count
        # pull = rho L / 4 with rho = 1/2.
        assert (plan.pull[[0, -1]] * 8).round(2).tolist() == list(logs)
    # Nothing dropped (equal rewards): the rounds of the first size end after 32 220 pulls.
    state = EUCBV().start(hb.policies.Run(1, 20, 60_000, 0))
    ends = []
    for t in range(1500):
        arm = state.select(t)
        before = state.m[0]
        state.update(t, arm, np.zeros(1))
        ends += [t + 1] if state.m[0] > before else []
    assert ends == [180, 480, 1020] and 20 * (9 + 15 + 27) == 1020
    assert 20 * sum([9, 15, 27, 48, 84, 146, 247, 404, 631]) == 32_220


def test_ucb_improved_on_experiment_1_by_hand():
    """No arm can go before round 5, which the horizon cuts."""
    counts = [math.ceil(2 * math.log(60_000 / 4**m) * 4**m) for m in range(6)]
    assert counts[4] == 2794 and 20 * counts[4] < 60_000 < 20 * counts[5]
    # In turn every arm has 3000 pulls at the end; one after the other arm 0 has what is left.
    assert 0.03 * (60_000 - 60_000 / 20) == pytest.approx(1710.0)
    assert 0.03 * (60_000 - 2794) == pytest.approx(1716.18)
    bandit = hb.BernoulliBandit([0.07] * 18 + [0.1, 0.07])
    for sampling, regret in (("round-robin", 1710.0), ("arm-by-arm", 1716.18)):
        result = hb.simulate(
            bandit,
            {"it": hb.UCBImproved(sampling)},
            60_000,
            4,
            seed=2,
            order="given",
            rounds=60_000,
        )
        assert result["it"].regret[:, -1] == pytest.approx(regret)


def test_median_elimination_cannot_leave_its_first_round_in_experiment_2():
    counts = median_elimination_counts(100, eps=0.1, delta=0.1)
    assert counts[0] == 26_204 and 100 * counts[0] > 300_000
    assert counts.size == 7  # 100, 50, 25, 13, 7, 4, 2, 1
    loc = np.repeat([0.07, 0.01, 0.09], [66, 33, 1])
    bandit = hb.Bandit(loc, PointMass(0.0))
    for sampling, touched in (("round-robin", 100), ("arm-by-arm", 12)):
        state = hb.MedianElimination(sampling=sampling).start(hb.policies.Run(1, 100, 300_000, 0))
        # One arm after the other: 11 arms are done after 288 244 pulls, the twelfth is at work.
        pulls = np.zeros(100)
        if sampling == "round-robin":
            for t in range(300):
                arm = state.select(t)
                pulls[arm] += 1
                state.update(t, arm, bandit.loc[arm])
            assert (pulls == 3).all()
            assert bandit.gaps.sum() * 3000 == pytest.approx(11_880)
        else:
            assert math.ceil(300_000 / 26_204) == touched


def replay(loc, horizon, tenths):
    """Regret of the released variant without noise at the first tenths of the horizon."""
    bandit = hb.Bandit(loc, PointMass(0.0))
    state = EUCBV(variant="released").start(hb.policies.Run(1, loc.size, horizon, 0))
    total, seen = 0.0, []
    for t in range(tenths * horizon // 10):
        arm = state.select(t)
        state.update(t, arm, loc[arm])
        total += float(bandit.gaps[arm[0]])
        if (t + 1) % (horizon // 10) == 0:
            seen.append(round(total, 6))
    return seen


@pytest.mark.parametrize(
    ("groups", "best", "horizon", "recorded"),
    [
        ([(0.01, 33), (0.07, 67)], 0.09, 300_000, [668.32, 894.96]),
        ([(0.045, 10), (0.04, 90)], 0.05, 400_000, [365.53, 696.67, 894.61]),
    ],
)
def test_released_eucbv_without_noise_gives_the_recorded_curves(groups, best, horizon, recorded):
    loc = np.concatenate([np.full(size, value) for value, size in groups])
    loc[98] = best
    assert replay(loc, horizon, len(recorded)) == recorded


def test_arms_with_equal_means_tie_to_the_first():
    bandit = hb.Bandit([0.0, 0.0], PointMass(0.0))
    policies = {"elimination": hb.UCBImproved(), "median": hb.MedianElimination(0.9, 0.9)}
    result = hb.simulate(bandit, policies, 2713, 1, seed=0, order="given", actions=True)
    # The last round of UCB-Improved ends after 2 * 1209 pulls, the only one of the other after 300.
    for name, end in (("elimination", 2418), ("median", 2 * 150)):
        assert (result[name].actions[0, end:] == 0).all()
        assert result[name].pulls[0].tolist() == [2713 - end // 2, end // 2]


@pytest.mark.parametrize("horizon", [1, 2, 3, 5, 40])
@pytest.mark.parametrize("policy", [pair[0] for pair in PAIRS])
def test_small_games(policy, horizon):
    for loc in ([0.5], [0.2, 0.8, 0.5]):
        result = hb.simulate(hb.BernoulliBandit(loc), {"it": policy}, horizon, 3, seed=1)["it"]
        assert (result.pulls.sum(axis=1) == horizon).all()
        if len(loc) == 1:
            assert (result.regret == 0).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: hb.UCBImproved("random"), "sampling = 'random'"),
        (lambda: hb.MedianElimination(eps=0.0), "eps must be a probability"),
        (lambda: hb.MedianElimination(delta=1.0), "delta must be a probability"),
        (lambda: hb.MedianElimination(sampling=1), "sampling = 1"),
        (lambda: hb.EUCBV(rho=0.0), "rho"),
        (lambda: hb.EUCBV(psi=-1.0), "psi"),
        (lambda: hb.EUCBV(variant="other"), "variant = 'other'"),
        (lambda: hb.EUCBV(elimination="lcb"), "elimination = 'lcb'"),
    ],
)
def test_bad_parameters_are_named(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    "policy",
    [hb.UCBImproved(), hb.MedianElimination(), hb.EUCBV(), hb.EUCBV(elimination="released")],
)
def test_a_covered_case_has_a_bound_and_keeps_it(policy):
    bandit = hb.BernoulliBandit([0.1, 0.9])
    limit = policy.regret_bound(bandit, 2000)
    assert math.isfinite(limit) and policy.regret_bound(bandit, [1000, 2000])[1] == limit
    lost = hb.simulate(bandit, {"it": policy}, 2000, 200, seed=6)["it"].regret[:, -1].mean()
    assert lost <= limit
    with pytest.raises(hb.AssumptionError, match="Cauchy"):
        policy.regret_bound(hb.Bandit([0.0, 0.5], Cauchy()), 2000)


def test_what_no_theorem_covers_raises():
    for policy, words in (
        (hb.EUCBV(variant="released"), "released radius"),
        (hb.CCB(), "no theorem"),
        (hb.EUCBV(), "Gaussian"),
    ):
        with pytest.raises(hb.AssumptionError, match=words):
            policy.regret_bound(hb.Bandit([0.0, 0.5], Gaussian(0.5)), 2000)
