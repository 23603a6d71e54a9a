"""Regret statements of SOLID: by hand, against runs, and what they refuse."""

import math

import numpy as np
import pytest

import hbucb as hb
from hbucb.solid_bounds import (
    exploration_step,
    sampling_deviation,
    solid_exploitation_regret,
    solid_order,
    solid_problem_parts,
    solid_problem_regret,
    solid_worst_case,
)

KNOWN = {"dim": 3, "sigma": 0.5, "theta_bound": 1.5}


def test_worst_case_by_hand():
    T, arms, d = 20_000, 4, 3
    log_det = d * math.log(1 + T / d)
    width = (0.5 * math.sqrt(2 * math.log(T) + log_det) + 1.5) ** 2
    spread = 2 * 1.5 + 2 * math.sqrt(width)
    step = math.sqrt(8 * math.log(arms) / T) / spread
    assert exploration_step(T, arms, **KNOWN) == pytest.approx(step)
    gaps = [0.0, 0.5, 5.0, 5.0]
    for alpha in (step, 2 * step):
        expected = 5.0 + math.log(arms) / alpha + alpha * T * spread**2 / 8
        expected += 2 * math.sqrt(2 * width * log_det * T)
        assert solid_worst_case(gaps, T, step=alpha, **KNOWN) == pytest.approx(expected)
    # The default step is the best one, up to the logarithm at few arms.
    best = solid_worst_case(gaps, T, **KNOWN)
    assert best < solid_worst_case(gaps, T, step=1.1 * step, **KNOWN)
    assert best < solid_worst_case(gaps, T, step=step / 1.1, **KNOWN)
    assert solid_worst_case([[0.0, 1e-3]], T, **KNOWN) == pytest.approx(1e-3 * T)


def test_worst_case_holds_in_runs_and_for_the_policy_only_where_it_is_proved():
    bandit, T = hb.linear.toy(rho=0.9), 4000
    step = exploration_step(T, 3, **KNOWN)
    policy = hb.SOLID(
        sigma=0.5, lambda_max=0.0, policy_step=step, scale_by_rho=False, reset=False,
        test="all", width="self-normalised", bound=1.5, regulariser=1.25,
    )  # fmt: skip
    length = float(np.sqrt((bandit.features**2).sum(axis=2).max()))
    claim = policy.regret_bound(bandit, T)
    assert claim == pytest.approx(
        solid_worst_case(bandit.gaps, T, **KNOWN, feature_bound=length, regulariser=1.25, step=step)
    )
    run = hb.simulate(bandit, policy, T, 20, seed=3, rounds=[T])["SOLID"].regret
    assert 0 < run.max() < claim
    for change in (
        {"lambda_max": 1.0}, {"scale_by_rho": True}, {"reset": True}, {"test": "current"},
        {"width": "experiment"}, {"policy_step": "schedule"}, {"optimism": 0.5},
        {"threshold": 0.5}, {"sigma": 0.4}, {"bound": 1.0}, {"regulariser": 0.5},
    ):  # fmt: skip
        given = {name: getattr(policy, name) for name in policy.__dataclass_fields__} | change
        with pytest.raises(hb.AssumptionError):
            hb.SOLID(**given).regret_bound(bandit, T)
    heavy = hb.linear.toy(noise=hb.noise.Cauchy())
    with pytest.raises(hb.AssumptionError, match="Cauchy"):
        policy.regret_bound(heavy, T)
    with pytest.raises(hb.AssumptionError, match="contextual"):
        policy.regret_bound(hb.Bandit([0.0, 1.0], hb.noise.Gaussian(0.1)), T)


def test_theorem_2_has_the_lower_bound_as_its_limit():
    v_star, horizons = 2.5, np.array([10.0**k for k in (2, 4, 8, 16, 50, 100)])
    parts = solid_problem_parts(horizons, v_star=v_star, dim=3, sigma=0.5, c_log=7.0, c_const=9.0)
    ratio = parts.leading / np.log(horizons)
    assert (np.diff(ratio) < 0).all() and v_star < ratio[-1] < 1.06 * v_star
    n = 10**4
    log = math.log(n)
    width = 2 * 0.25 * (1 + 1 / log) * log + 0.25 * 3 * math.log(3 * log)
    whole = v_star * width / (2 * 0.25) + 7.0 * log**0.75 + 9.0
    given = {"v_star": v_star, "dim": 3, "sigma": 0.5, "c_log": 7.0, "c_const": 9.0}
    assert solid_problem_regret([0.0, 1.0], n, **given) == pytest.approx(whole)
    assert solid_problem_regret([0.0, 1e-3], n, **given) == pytest.approx(1e-3 * n)
    steeper = solid_problem_parts(n, growth=1.0, c_log=7.0, v_star=0.0)
    assert steeper.logarithmic == pytest.approx(7.0 * log**0.5)


def test_orders_and_deviations_by_hand():
    assert solid_exploitation_regret([[0.0, 0.5], [0.2, 0.0]], 100, delta=0.1) == 5.0
    value = solid_order([0.0, 9.0, 9.0], 10_000, dim=4, contexts=2, c=0.5, log_power=1.0)
    assert value == pytest.approx(0.5 * math.log(10_000) * ((2 + 2) * 200 + math.log(3) * 100))
    assert sampling_deviation(50, 2, 3) == pytest.approx(math.sqrt(25 * math.log(2500 * 6)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: solid_worst_case([0.0, 1.0], 10, regulariser=0.5), "regulariser"),
        (lambda: solid_worst_case([0.0, 1.0], 10, dim=0), "dim"),
        (lambda: solid_worst_case([0.0, 1.0], 10, step=0.0), "step"),
        (lambda: solid_worst_case([[0.0, 1.0], [1.0, 1.0]], 10), "gaps"),
        (lambda: solid_problem_regret([0.0, 1.0], 10, growth=0.5), "growth"),
        (lambda: solid_problem_regret([0.0, 1.0], 10, kappa=0.0), "kappa"),
        (lambda: solid_problem_regret([0.0, 1.0], 10, v_star=-1.0), "v_star"),
        (lambda: solid_order([0.0, 1.0], 10, contexts=0), "contexts"),
        (lambda: solid_order([0.0, 1.0], 10, c=-1.0), "c must"),
        (lambda: solid_exploitation_regret([0.0, 1.0], 10, delta=2.0), "delta"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
