"""(P_z), its rejected variant, the offline saddle point: closed forms, SLSQP, steps by hand."""

import numpy as np
import pytest
from scipy.optimize import minimize

from hbucb.assumptions import AssumptionError
from hbucb.linear import alternatives, budget, programme, realisable, saddle
from tests.test_linear_programme import THETA, problem_of, toy


def toy_bandit(rho=0.5, sigma=1.0):
    return toy(), THETA, sigma, [rho, 1 - rho]


TWO = ([[[1.0, 0.0], [0.0, 1.0]]], [0.5, 0.0], 1.0, [1.0])


def random_bandit(seed):
    """Three contexts, five arms, four dimensions, an uneven law."""
    features, theta = problem_of(seed, contexts=3, arms=5, d=4)
    return features, theta, 0.5, [0.2, 0.7, 0.1]


def information_of(bandit, policy, z):
    features, theta, sigma, law = bandit
    pulls = z * np.array(law)[:, None] * policy
    matrix = alternatives.information_matrix(pulls, np.array(features))
    return float(alternatives.closest(theta, matrix, features, sigma).distance)


def cost_of(bandit, policy, z):
    means = np.array(bandit[0]) @ np.array(bandit[1])
    gaps = means.max(1, keepdims=True) - means
    return float((z * np.array(bandit[3])[:, None] * policy * gaps).sum())


# ---- (P_z) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("z", [33.0, 40.0, 100.0, 1e4])
def test_two_arms_have_a_closed_form(z):
    c = 0.5**2 / 2  # information = c eta_1 eta_2 / (eta_1 + eta_2)
    pulls = (z - np.sqrt(z**2 - 4 * z / c)) / 2
    slope = (1 - (z - 2 / c) / np.sqrt(z**2 - 4 * z / c)) / 2
    found = budget.solve(TWO, z)
    assert np.isclose(found.value, 0.5 * pulls, rtol=2e-6)
    assert np.isclose(found.multiplier, 0.5 * (pulls - z * slope), rtol=1e-3)
    assert np.isclose(budget.z_lower(TWO).z, 4 / c, rtol=2e-6)
    assert np.isclose(budget.z_upper(TWO), 1 / c, rtol=2e-6)


def test_toy_has_the_figures_known_from_another_solver():
    even = toy_bandit()
    found = budget.z_lower(even)
    assert round(found.z, 2) == 45.92 and found.lower <= found.z <= found.lower * (1 + 2e-6)
    known = {91.8: 18.80, 229.6: 17.09, 918.5: 11.42, 1e4: 10.102, 1e5: 10.010}
    for z, value in known.items():
        assert abs(budget.solve(even, z).value - value) < 0.006
    for rho, z in ((0.5, 100), (0.9, 500), (0.99, 5000)):
        assert np.isclose(budget.z_upper(toy_bandit(rho)), z, rtol=1e-5)
    for multiple, price in ((2, 19.9), (10, 19.9), (100, 10.5)):
        assert abs(budget.solve(even, multiple * found.z).multiplier - price) < 0.06
    bias = [
        z * (budget.solve(toy_bandit(r), z, tol=1e-9).value - 10)
        for r, z in ((0.5, 1e5), (0.9, 1e6))
    ]
    assert np.allclose(bias, [1000, 5000], rtol=0.02)
    small, large = (budget.solve(even, z).policy for z in (91.8, 1e4))
    assert small[0, 1] > 0.3 and large[0, 1] < 1e-3 and large[1, 0] > 0.009


@pytest.mark.parametrize("bandit", [toy_bandit(), toy_bandit(0.9, 0.5), random_bandit(1)])
def test_value_falls_is_convex_and_its_slope_gives_the_multiplier(bandit):
    low, least = budget.z_lower(bandit).z, programme.solve(bandit).lower
    z = low * np.geomspace(1.3, 300, 7)
    found = [budget.solve(bandit, one, tol=1e-7) for one in z]
    value = np.array([one.value for one in found])
    price = np.array([one.multiplier for one in found])
    assert (np.diff(value) <= 1e-6).all() and (value >= least * (1 - 1e-6)).all()
    assert (np.diff(np.diff(value) / np.diff(z)) >= -1e-6).all()
    assert (price >= value * (1 - 1e-4)).all()
    means = np.array(bandit[0]) @ np.array(bandit[1])
    largest = (means.max(1, keepdims=True) - means).max()
    assert (price <= largest * z * low / (z - low) * (1 + 1e-6)).all()
    for one, at in list(zip(found, z, strict=True))[1::3]:
        near = [budget.solve(bandit, at * (1 + h), tol=1e-8).value for h in (-1e-3, 1e-3)]
        slope = (near[1] - near[0]) / 2e-3  # z u'(z)
        assert np.isclose(one.multiplier, one.value - slope, rtol=0.01)
    assert np.isclose(budget.solve(bandit, 1e4 * low).value, least, rtol=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_a_general_solver_finds_the_same(seed):
    bandit = random_bandit(seed)
    features, theta, sigma, law = bandit
    law = np.array(law)
    first = budget.z_lower(bandit)
    z = 3 * first.z
    found = budget.solve(bandit, z)
    assert found.gap <= 1e-6 * found.value

    def enough(x):
        matrix = alternatives.information_matrix(z * law[:, None] * x.reshape(3, 5), features)
        squared, _ = alternatives.half_spaces(
            theta, np.linalg.inv(matrix + 1e-9 * np.eye(4)), features
        )
        told = squared / (2 * sigma**2)
        return told[np.isfinite(told)] - 1

    best = minimize(
        lambda x: cost_of(bandit, x.reshape(3, 5), z) / found.value,
        first.policy.ravel(),
        bounds=[(0, 1)] * 15,
        constraints=[
            {"type": "ineq", "fun": enough},
            {"type": "eq", "fun": lambda x: x.reshape(3, 5).sum(1) - 1},
        ],
        options={"maxiter": 500, "ftol": 1e-10},
    )
    assert enough(best.x).min() > -1e-6  # its own status may complain about the line search
    assert 1 - 2e-6 <= best.fun < 1.001


@pytest.mark.parametrize("bandit", [toy_bandit(0.9), random_bandit(5)])
def test_policies_are_feasible_and_no_random_policy_is_better(bandit):
    first = budget.z_lower(bandit)
    assert np.allclose(first.policy.sum(1), 1)
    assert np.isclose(information_of(bandit, first.policy, first.z), 1, rtol=1e-9)
    z = 2 * first.z
    found = budget.solve(bandit, z)
    assert np.allclose(found.policy.sum(1), 1) and (found.policy >= 0).all()
    assert information_of(bandit, found.policy, z) > 1 - 1e-6
    assert np.isclose(cost_of(bandit, found.policy, z), found.value, rtol=1e-6)
    rng = np.random.default_rng(0)
    for _ in range(500):
        other = rng.dirichlet(np.full(found.policy.shape[1], 0.5), len(found.policy))
        other = (other + found.policy * rng.integers(0, 20)) / (1 + rng.integers(0, 20))
        other /= other.sum(1, keepdims=True)
        assert information_of(bandit, other, first.lower) <= 1
        if information_of(bandit, other, z) >= 1:
            assert cost_of(bandit, other, z) >= found.lower


def test_too_few_rounds_have_no_solution():
    found = budget.solve(toy_bandit(), 45.0)
    assert found.value == found.upper == np.inf
    assert np.isnan([found.gap, found.multiplier]).all() and np.isnan(found.policy).all()
    with pytest.raises(ValueError, match=r"z = 45.92"):
        budget.solve(toy_bandit(), budget.z_lower(toy_bandit()).z * (1 - 1e-5), tol=1e-2, rounds=1)


def test_units():
    base = budget.solve(toy_bandit(), 200.0)
    louder = budget.solve(toy_bandit(sigma=3.0), 1800.0)
    assert np.isclose(louder.value, 9 * base.value, rtol=3e-6)
    assert np.isclose(louder.multiplier, 9 * base.multiplier, rtol=1e-4)
    taller = budget.solve((toy(), 2 * THETA, 2.0, [0.5, 0.5]), 200.0)
    assert np.isclose(taller.value, 2 * base.value, rtol=3e-6)


@pytest.mark.parametrize(
    ("bandit", "z", "kind", "message"),
    [
        (TWO, 0.0, ValueError, "z must be"),
        (TWO, "a", ValueError, "z must be"),
        (TWO[:3], 50.0, ValueError, "no law"),
        ((*toy_bandit()[:3], [1.0, 0.0]), 50.0, AssumptionError, "each context must come"),
    ],
)
def test_bad_input_is_named(bandit, z, kind, message):
    with pytest.raises(kind, match=message):
        budget.solve(bandit, z)


# ---- the rejected variant ---------------------------------------------------------------------


def test_one_budget_for_all_promises_more_than_it_keeps():
    bandit = toy_bandit(0.99)
    z = 300.0
    variant = realisable.pooled(bandit, z)
    kept = budget.solve(bandit, z)
    assert variant.value < 0.8 * kept.value
    assert np.isclose(variant.allocation.sum(), z)
    promised = realisable.judge(bandit, variant.allocation)
    assert np.isclose(promised[0], variant.value) and promised[1] > 1 - 1e-6
    # The second context comes 3 times in 300 rounds and is asked for far more.
    assert variant.allocation[1].sum() > 10 * 0.01 * z
    pulls = realisable.realised(bandit, variant.allocation, z)
    assert np.allclose(pulls.sum(1), [297.0, 3.0])
    assert realisable.judge(bandit, pulls)[1] < 0.5
    allowed = z * np.array([[0.99], [0.01]]) * kept.policy
    assert np.allclose(realisable.realised(bandit, allowed, z), allowed)
    assert np.isclose(realisable.judge(bandit, allowed)[1], 1, rtol=1e-5)


def test_variant_relaxes_the_programme_and_ignores_the_law():
    for seed in range(3):
        bandit = random_bandit(seed)
        z = 2 * budget.z_lower(bandit).z
        variant = realisable.pooled(bandit, z)
        assert variant.lower <= budget.solve(bandit, z).value
        other = realisable.pooled((*bandit[:3], [0.6, 0.1, 0.3]), z)
        assert np.isclose(other.value, variant.value, rtol=2e-6)
        # Any law's programme is inside the variant's: the best law attains it.
        share = variant.allocation.sum(1) / z
        inside = budget.solve((*bandit[:3], share), z * (1 + 1e-5))
        assert np.isclose(inside.value, variant.value, rtol=1e-3)
    assert np.isclose(realisable.pooled(TWO, 100.0).value, budget.solve(TWO, 100.0).value)
    assert realisable.pooled(TWO, 31.0).value == np.inf


def test_contexts_without_wishes_play_their_best_arm():
    pulls = realisable.realised(toy_bandit(0.9), [[0, 0, 0], [3, 0, 1]], 100.0)
    assert np.allclose(pulls, [[90, 0, 0], [7.5, 0, 2.5]])
    for wrong in ([[1.0, 1.0]], np.full((2, 3), -1.0), np.full((2, 3), np.inf)):
        with pytest.raises(ValueError, match="allocation is"):
            realisable.realised(toy_bandit(), wrong, 100.0)


# ---- the saddle point -------------------------------------------------------------------------


@pytest.mark.parametrize("scale_by_rho", [True, False])
def test_two_steps_by_hand(scale_by_rho):
    features, theta, sigma, law = random_bandit(0)
    law, z, step = np.array(law), 40.0, 0.3
    path = saddle.descend(
        random_bandit(0),
        z,
        steps=3,
        step=step,
        start=2.0,
        record=[1, 2, 3],
        scale_by_rho=scale_by_rho,
    )
    policy, price, seen, prices = np.full((3, 5), 0.2), 2.0, [], []
    for _ in range(3):
        seen.append(policy)
        prices.append(price)
        matrix = alternatives.information_matrix(law[:, None] * policy, features)
        near = alternatives.closest(theta, matrix, features, sigma)
        told = alternatives.divergences(theta, near.model, features, sigma)
        factor = law[:, None] if scale_by_rho else 1.0
        policy = policy * np.exp(step * factor * (features @ theta + price * told))
        policy = policy / policy.sum(1, keepdims=True)
        price = price - step * (float(near.distance) - 1 / z)
    assert np.allclose(path.policy[0, -1], np.mean(seen, axis=0), atol=1e-6)
    assert np.allclose(path.multiplier[0], prices, atol=1e-6)
    assert np.allclose(path.average[0], np.cumsum(prices) / [1, 2, 3], atol=1e-6)
    mean = np.mean(seen, axis=0)
    assert np.isclose(path.value[0, -1], cost_of(random_bandit(0), mean, z), rtol=1e-6)
    assert np.isclose(path.information[0, -1], information_of(random_bandit(0), mean, z), 1e-5)


def test_runs_side_by_side_are_the_runs_alone():
    bandit, z, step = random_bandit(2), [20.0, 50.0], [0.1, 0.4]
    both = saddle.descend(bandit, z, steps=500, step=step, record=[100, 500])
    for row in range(2):
        alone = saddle.descend(bandit, z[row], steps=500, step=step[row], record=[100, 500])
        assert np.allclose(alone.policy[0], both.policy[row], atol=1e-9)
        assert np.allclose(alone.average[0], both.average[row], atol=1e-9)
    assert both.rounds.tolist() == [100, 500]


def test_offline_runs_reach_the_exact_solution():
    bandit = toy_bandit(sigma=0.5)
    z = 2 * budget.z_lower(bandit).z
    exact = budget.solve(bandit, z)
    assert round(z, 2) == 22.96 and abs(exact.value - 4.700) < 5e-4
    assert abs(exact.multiplier - 4.985) < 5e-3
    slow = 1 / np.sqrt(1e5)
    path = saddle.descend(bandit, [z] * 3, steps=100_000, step=[slow, 0.01, 0.1])
    value, told, price = path.value[:, -1], path.information[:, -1], path.average[:, -1]
    # Figures of an independent program: .51 after 1e5 steps of 1/sqrt(1e5); the two others after
    # 1e6 steps of 1e-3 and of 0.01, which are as long a way.
    assert abs(told[0] - 0.51) < 0.005
    assert abs(value[1] - 4.217) < 0.002 and abs(value[2] - 4.652) < 0.002
    assert abs(told[1] - 0.897) < 0.001 and abs(told[2] - 0.990) < 0.001
    assert abs(price[1] - 5.18) < 0.01 and abs(price[2] - 5.00) < 0.01
    off = [abs(value - exact.value), abs(1 - told), abs(price - exact.multiplier)]
    assert all((np.diff(one)[1] < 0).all() for one in off)


def test_multiplier_never_exceeds_what_its_steps_allow():
    bandit = random_bandit(3)
    z = np.array([5.0, 50.0])  # the first is not feasible: the multiplier rises for ever
    assert z[0] < budget.z_lower(bandit).lower
    path = saddle.descend(bandit, z, steps=4000, step=0.2, start=1.0, record=range(1, 4001))
    cap = 1.0 + 0.2 * np.arange(4000) / z[:, None]
    assert (path.multiplier <= cap + 1e-9).all()
    assert path.multiplier[0, -1] > 0.2 * cap[0, -1]
    held = saddle.descend(bandit, z, steps=4000, step=0.2, start=1.0, largest=1.5, record=[4000])
    assert held.multiplier.max() <= 1.5 and held.multiplier[0, 0] == 1.5


def test_weighted_entropy_differs_from_the_plain_one_only_with_several_contexts():
    one = saddle.descend(TWO, 60.0, steps=200, step=0.3, scale_by_rho=True)
    two = saddle.descend(TWO, 60.0, steps=200, step=0.3, scale_by_rho=False)
    assert np.allclose(one.policy, two.policy, rtol=1e-12)
    uneven = [
        saddle.descend(random_bandit(0), 60.0, steps=200, step=0.3, scale_by_rho=flag).policy
        for flag in (True, False)
    ]
    assert abs(uneven[0] - uneven[1]).max() > 0.01


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps"),
        ({"step": 0.0}, "step is"),
        ({"z": [1.0, -1.0]}, "z is"),
        ({"z": [50.0, 60.0], "step": [0.1, 0.2, 0.3]}, "one each"),
        ({"start": -1.0}, "start is"),
        ({"start": 2.0, "largest": 1.0}, "start is"),
        ({"record": [0]}, "record is"),
        ({"record": [11]}, "record is"),
        ({"record": 1.5}, "record is"),
    ],
)
def test_bad_descent_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        saddle.descend(**({"bandit": TWO, "z": 50.0, "steps": 10} | change))


def test_pulls_that_leave_a_direction_unseen_tell_nothing():
    bandit = random_bandit(0)
    rng = np.random.default_rng(0)
    for _ in range(50):
        pulls = np.zeros(15)
        pulls[rng.choice(15, 3, replace=False)] = rng.uniform(1, 100, 3)
        assert realisable.judge(bandit, pulls.reshape(3, 5))[1] == 0
        pulls = pulls + 1e-3
        assert realisable.judge(bandit, pulls.reshape(3, 5))[1] > 0
