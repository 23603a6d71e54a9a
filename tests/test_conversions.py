"""Readings of pull bounds, against linear programming, brute force and hand-counted horizons."""

import math

import numpy as np
import pytest
from scipy.optimize import linprog

from hbucb import conversions
from hbucb.estimators import cauchy_median_variance
from hbucb.printed_bounds import thm10_instance, thm10_worst
from hbucb.upper_bounds import ucb_regret


def test_capped_regret_is_the_linear_programme():
    rng = np.random.default_rng(3)
    for _ in range(50):
        gaps = np.append(rng.uniform(0, 2, size=4), 0.0)
        pulls = rng.uniform(0, 60, size=5)
        pulls[4] = math.inf
        answer = linprog(-gaps, A_ub=np.ones((1, 5)), b_ub=[100], bounds=[(0, p) for p in pulls])
        assert conversions.capped_regret(gaps, pulls, 100) == pytest.approx(-answer.fun)
        # A share of the pulls is lost with nothing known but their number.
        lost = rng.uniform()
        answer = linprog(
            -gaps, A_ub=np.ones((1, 5)), b_ub=[100 * (1 - lost)], bounds=[(0, p) for p in pulls]
        )
        paid = conversions.capped_regret(gaps, pulls, 100, failure=lost)
        assert paid == pytest.approx(-answer.fun + 100 * lost * gaps.max())
        # Never more than charging the failure to every arm.
        assert paid <= conversions.capped_regret(gaps, pulls + 100 * lost, 100) + 1e-9
        assert paid <= conversions.capped_regret(gaps, pulls, 100, failure=(1 + lost) / 2) + 1e-9
    for bad in (-0.1, 1.1, math.nan, "1"):
        with pytest.raises(ValueError, match="failure is"):
            conversions.capped_regret([0.0, 1.0], [1.0, 1.0], 9, failure=bad)


@pytest.mark.parametrize("power", [1.0, 1.5, 2.0, 3.0])
def test_gap_free_is_the_worst_case_over_gaps(power):
    """Equal gaps that use up T exactly attain it; no random gaps exceed it."""
    a, horizon, arms = 7.0, 5000, 6
    worst = conversions.gap_free(a, power, np.zeros(arms), horizon)
    gap = (a * (arms - 1) / horizon) ** (1 / power)
    assert (arms - 1) * gap * a / gap**power == pytest.approx(worst)
    rng = np.random.default_rng(4)
    for _ in range(300):
        gaps = np.append(0.0, rng.exponential(size=arms - 1) * gap * rng.uniform(0.1, 3))
        with np.errstate(divide="ignore"):
            pulls = a / gaps**power
        assert conversions.capped_regret(gaps, pulls, horizon) <= worst * (1 + 1e-12)
    gaps = [0.0, 0.5]
    split = conversions.gap_free(a, 2, gaps, horizon, method="split", extra=1.0)
    jensen = conversions.gap_free(a, 2, gaps, horizon, extra=1.0)
    assert split - 0.5 == pytest.approx(2 * (jensen - 0.5))


def test_from_which_horizon_a_bound_says_something():
    assert conversions.vacuity_horizon(lambda t: ucb_regret([0.0, 1.0], t), 1.0) == 69
    instance = conversions.vacuity_horizon(lambda t: thm10_instance([0.0, 1.0], t), 1.0)
    worst = conversions.vacuity_horizon(lambda t: thm10_worst([0.0, 1.0], t), 1.0)
    assert f"{instance:.1e}" == "6.0e+09"
    assert f"{worst:.1e}" == "3.0e+10"
    assert thm10_instance([0.0, 1.0], instance) < instance
    assert thm10_instance([0.0, 1.0], instance - 1) >= instance - 1
    assert conversions.vacuity_horizon(lambda t: 2 * t, 1.0) == math.inf


@pytest.mark.parametrize(
    ("variance", "batch", "instance"),
    [
        (1.0, 1, "6.0e+09"),
        (cauchy_median_variance(2), 1, "7.6e+09"),
        (cauchy_median_variance(2), 5, "3.8e+10"),
        (cauchy_median_variance(3), 7, "2.4e+10"),
        (0.01, 1, "2.7e+07"),
    ],
)
def test_the_printed_bound_in_batches_says_something_from(variance, batch, instance):
    """Batches: batch * (bound for T / batch updates); the bound is solved by bisection here."""

    def claim(t):
        updates = np.maximum(np.floor(np.asarray(t) / batch), 1.0)
        return batch * np.asarray(thm10_instance([0.0, 1.0], updates, c=5400 * variance))

    found = conversions.vacuity_horizon(claim, 1.0)
    assert f"{found:.1e}" == instance
    log = math.log(4 * (found / batch) ** 3) * math.log((found / batch) ** 2) ** 2
    assert 8 * 5400 * variance * batch * log == pytest.approx(found, rel=1e-3)


def test_the_printed_worst_case_for_cauchy_says_something_from():
    c = 5400 * cauchy_median_variance(2)
    found = conversions.vacuity_horizon(lambda t: thm10_worst([0.0, 1.0], t, c=c), 1.0)
    assert f"{found:.1e}" == "3.7e+10"


def test_bad_input_is_named():
    for printed in (thm10_instance, thm10_worst):
        with pytest.raises(ValueError, match=r"rho is 0\.0"):
            printed([0.0, 1.0], 10, rho=0.0)
    with pytest.raises(ValueError, match=r"power is 0\.5"):
        conversions.gap_free(1.0, 0.5, [0.0], 10)
    with pytest.raises(ValueError, match="method is 'split'"):
        conversions.gap_free(1.0, 1.5, [0.0], 10, method="split")
    with pytest.raises(ValueError, match=r"a is -1\.0"):
        conversions.gap_free(-1.0, 2, [0.0], 10)
    for pulls in ([1.0], [1.0, -5.0], [1.0, math.nan]):
        with pytest.raises(ValueError, match="pulls is"):
            conversions.capped_regret([0.0, 1.0], pulls, 10)
