"""Nearest alternatives in closed form and the programme (P), against brute force and theorems."""

import numpy as np
import pytest
from scipy.optimize import minimize

import hbucb as hb
from hbucb.assumptions import AssumptionError
from hbucb.linear import alternatives, programme
from hbucb.linear.problem import as_problem


def toy(xi=0.05):
    """Two contexts, three arms: the paper's example with a structure."""
    return np.array(
        [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1 - xi, 2 * xi, 0.0]],
            [[0.0, 0.6, 0.8], [0.0, 0.0, 1.0], [0.0, xi / 10, 1 - xi]],
        ]
    )


THETA = np.array([1.0, 0.0, 1.0])


def problem_of(seed, contexts=2, arms=4, d=3):
    """Random features on the sphere; |X|, |A| and d all differ by default."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(contexts, arms, d))
    features /= np.linalg.norm(features, axis=2, keepdims=True)
    theta = rng.normal(size=d)
    return features, theta / np.linalg.norm(theta)


def positive_definite(rng, shape, d):
    root = rng.normal(size=(*shape, d, d))
    return np.einsum("...de,...fe->...df", root, root) + 0.1 * np.eye(d)


# ---- the nearest alternative ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_no_alternative_is_nearer_and_the_nearest_is_on_the_boundary(seed):
    features, theta = problem_of(seed)
    rng = np.random.default_rng(100 + seed)
    matrix = positive_definite(rng, (), 3)
    near = alternatives.closest(theta, matrix, features, 0.7)
    others = near.model + rng.normal(size=(200_000, 3)) * rng.choice([0.01, 0.1, 1], (200_000, 1))
    best = (features @ theta).argmax(1)
    changed = (np.einsum("nd,xad->nxa", others, features).argmax(2) != best).any(1)
    moved = others[changed] - theta
    distance = np.einsum("nd,de,ne->n", moved, matrix, moved) / (2 * 0.7**2)
    assert changed.sum() > 10_000 and near.distance <= distance.min() < 1.05 * near.distance
    at = np.einsum("d,de,e", near.model - theta, matrix, near.model - theta) / (2 * 0.7**2)
    assert np.isclose(at, near.distance, rtol=1e-12)
    means = features[near.context] @ near.model
    assert np.isclose(means[near.arm], means[best[near.context]], atol=1e-12)
    assert near.arm != best[near.context]


def test_each_half_space_agrees_with_a_constrained_minimiser():
    features, theta = problem_of(3)
    matrix = positive_definite(np.random.default_rng(1), (), 3)
    squared, step = alternatives.half_spaces(theta, np.linalg.inv(matrix), features)
    best = (features @ theta).argmax(1)
    for x in range(2):
        for a in set(range(4)) - {int(best[x])}:
            delta = features[x, best[x]] - features[x, a]
            found = minimize(
                lambda u: (u - theta) @ matrix @ (u - theta),
                theta - delta,
                constraints={"type": "ineq", "fun": lambda u, delta=delta: -u @ delta},
                options={"ftol": 1e-14},
            )
            assert np.isclose(found.fun, squared[x, a], rtol=1e-6)
            assert np.allclose(found.x, theta - step[x, a], atol=1e-5)
        assert squared[x, best[x]] == np.inf


def test_derivative_in_the_allocation_is_the_divergence_at_the_nearest_model():
    features, theta = problem_of(0)
    eta = np.random.default_rng(5).uniform(0.5, 2, (2, 4))

    def at(allocation):
        matrix = alternatives.information_matrix(allocation, features)
        return alternatives.closest(theta, matrix, features, 0.5)

    here = at(eta)
    slope = alternatives.divergences(theta, here.model, features, 0.5)
    assert np.isclose((eta * slope).sum(), here.distance)  # homogeneous of degree one
    for x in range(2):
        for a in range(4):
            bump = np.zeros((2, 4))
            bump[x, a] = 1e-6
            numeric = (at(eta + bump).distance - at(eta - bump).distance) / 2e-6
            assert np.isclose(numeric, slope[x, a], rtol=1e-4, atol=1e-8)
    other = np.random.default_rng(6).uniform(0.0, 3, (2, 4))
    assert at((eta + other) / 2).distance >= (here.distance + at(other).distance) / 2


def test_batches_equal_their_rows_to_the_last_bit():
    features, _ = problem_of(1, contexts=3, arms=5, d=4)
    rng = np.random.default_rng(2)
    theta, matrix = rng.normal(size=(50, 4)), positive_definite(rng, (50,), 4)
    contexts = rng.integers(3, size=50)
    for where in (None, contexts):
        whole = alternatives.closest(theta, matrix, features, 1.0, where)
        for start in (0, 7, 49):
            part = slice(start, start + 7)
            cut = None if where is None else where[part]
            piece = alternatives.closest(theta[part], matrix[part], features, 1.0, cut)
            for got, wanted in zip(piece, whole, strict=True):
                assert got.tobytes() == wanted[part].tobytes()


def test_one_context_is_the_minimum_over_its_arms_only():
    features, theta = problem_of(7, contexts=3, arms=4, d=5)
    matrix = positive_definite(np.random.default_rng(3), (), 5)
    each = [alternatives.closest(theta, matrix, features, 1.0, x) for x in range(3)]
    whole = alternatives.closest(theta, matrix, features, 1.0)
    distances = [float(one.distance) for one in each]
    assert float(whole.distance) == min(distances)
    assert whole.context == int(np.argmin(distances))
    assert len(set(distances)) == 3
    for x, one in enumerate(each):
        alone = alternatives.closest(theta, matrix, features[[x]], 1.0)
        assert one.context == x and alone.distance == one.distance and alone.arm == one.arm


def test_arms_with_the_features_of_the_best_arm_are_no_alternatives():
    features = [[[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]
    near = alternatives.closest([1.0, 0.0], np.eye(2), features, 1.0)
    assert near.arm == 2 and np.isclose(near.distance, 0.25)
    alone = alternatives.closest([1.0, 0.0], np.eye(2), [[[1.0, 0.0]]], 1.0)
    assert alone.distance == np.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"theta": [1.0]}, "theta has shape"),
        ({"theta": 1.0}, "theta has shape"),
        ({"theta": [1.0, np.nan]}, "theta holds"),
        ({"information": [[1.0, 0.0], [0.0, 0.0]]}, "positive definite"),
        ({"information": np.eye(3)}, "information"),
        ({"features": [[1.0, 0.0]]}, "features"),
        ({"features": [[["a", 0.0]]]}, "features"),
        ({"sigma": 0.0}, "sigma"),
        ({"contexts": 1}, "0 to 0 are allowed"),
        ({"contexts": 0.0}, "integers"),
        ({"contexts": [0, 0]}, "integers of shape"),
    ],
)
def test_bad_input_is_named(change, message):
    good = {
        "theta": [1.0, 0.0],
        "information": np.eye(2),
        "features": [[[1.0, 0.0], [0.0, 1.0]]],
        "sigma": 1.0,
    }
    alternatives.closest(**good)
    with pytest.raises(ValueError, match=message):
        alternatives.closest(**(good | change))


# ---- the programme (P) ------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [0.5, 1.0])
@pytest.mark.parametrize("xi", [0.01, 0.05, 0.1, 0.2])
def test_toy_costs_ten_variances_all_on_one_pair(xi, sigma):
    solution = programme.solve((toy(xi), THETA, sigma), tol=1e-8)
    assert abs(solution.value - 10 * sigma**2) < 1e-6 and solution.gap < 1e-6
    wanted = np.array([[np.inf, 0, 0], [50 * sigma**2, np.inf, 0]])
    assert np.allclose(solution.allocation, wanted, atol=1e-5)


def hidden_part(features, theta):
    """Suboptimal pairs: gaps and the part of their features that no optimal arm shows."""
    means = features @ theta
    top = features[np.arange(len(features)), means.argmax(1)]
    keep = np.eye(len(theta)) - np.linalg.pinv(top) @ top
    rest = means < means.max(1, keepdims=True)
    return (means.max(1, keepdims=True) - means)[rest], features[rest] @ keep


@pytest.mark.parametrize("seed", range(6))
def test_one_hidden_direction_has_a_closed_form(seed):
    features, theta = problem_of(seed)  # two optimal arms in three dimensions
    gaps, hidden = hidden_part(features, theta)
    length = np.linalg.norm(hidden, axis=1)
    wanted = 2 * 0.3**2 * (length / gaps).max() ** 2 * (gaps / length**2).min()
    solution = programme.solve((features, theta, 0.3), tol=1e-8)
    assert np.isclose(solution.value, wanted, rtol=1e-7)


@pytest.mark.parametrize(("contexts", "arms", "d"), [(1, 7, 3), (2, 5, 6), (3, 8, 5)])
def test_equal_gaps_follow_kiefer_and_wolfowitz(contexts, arms, d):
    rng = np.random.default_rng(arms)
    features = rng.normal(size=(contexts, arms, d))
    features[..., 0] = 1 - 0.4 * (np.arange(arms) > 0)
    theta = np.eye(d)[0]
    solution = programme.solve((features, theta, 0.8), tol=1e-7)
    assert np.isclose(solution.value, 2 * 0.8**2 * (d - contexts) / 0.4, rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_a_grid_over_all_allocations_finds_nothing_cheaper(seed):
    features, theta = problem_of(seed, contexts=1, arms=4, d=3)
    solution = programme.solve((features, theta, 1.0))
    gaps, hidden = hidden_part(features, theta)
    frame = np.linalg.svd(hidden)[2][:2]
    psi = hidden @ frame.T
    one, two = np.meshgrid(np.linspace(0.002, 0.998, 300), np.linspace(0.002, 0.998, 300))
    share = np.stack([one, (1 - one) * two, (1 - one) * (1 - two)], -1).reshape(-1, 3)
    inverse = np.linalg.inv(np.einsum("np,pd,pe->nde", share / gaps, psi, psi))
    leverage = np.einsum("pd,nde,pe->np", psi, inverse, psi)
    cost = (2 * leverage / gaps**2).max(1)
    assert solution.lower <= cost.min() <= 1.01 * solution.value


def problems():
    for seed, shape in enumerate([(2, 4, 3), (1, 6, 4), (3, 5, 7), (4, 16, 8), (4, 32, 8)]):
        yield (*problem_of(seed + 20, *shape), 0.5)


@pytest.mark.parametrize("case", list(problems()), ids=lambda c: str(c[0].shape))
def test_both_ends_of_the_interval_can_be_checked_by_hand(case):
    features, theta, sigma = case
    solution = programme.solve(case)
    assert 0 <= solution.gap <= 1e-6 * solution.value
    # Upper end: with the optimal arms pulled very often the information is 1, at this cost.
    pulls = np.where(np.isinf(solution.allocation), 1e9, solution.allocation)
    matrix = alternatives.information_matrix(pulls, features)
    assert alternatives.closest(theta, matrix, features, sigma).distance > 1 - 1e-5
    problem = as_problem(case)
    finite = np.where(problem.suboptimal, solution.allocation, 0)
    assert np.isclose((finite * problem.gaps).sum(), solution.upper, rtol=1e-12)
    # Lower end: the models tie a suboptimal arm with the optimal one, whose value they keep, and
    # no pair tells more about all of them together than it costs.
    told = alternatives.divergences(theta, solution.models, features, sigma)
    paid = np.einsum("n,nxa->xa", solution.weights, told)
    assert (paid <= problem.gaps * (1 + 1e-9) + 1e-9).all()
    assert np.isclose(solution.weights.sum(), solution.lower)
    for model in solution.models:
        means = features @ model
        best = means[np.arange(len(means)), problem.best]
        assert np.allclose(best, problem.means.max(1), atol=1e-9)
        assert (means - best[:, None])[problem.suboptimal].max() > -1e-9


def counted(monkeypatch):
    """Linear programmes solved from here on."""
    solved, linear = [], programme.linear_programme
    monkeypatch.setattr(
        programme, "linear_programme", lambda *given: solved.append(1) or linear(*given)
    )
    return solved


@pytest.mark.parametrize("seed", range(6))
def test_a_near_solution_saves_programmes_and_leaves_the_value(seed, monkeypatch):
    features, theta = problem_of(seed, contexts=3, arms=5, d=4)
    near = programme.solve((features, theta, 0.5), tol=1e-3)
    moved = theta + 0.002 * np.random.default_rng(50 + seed).normal(size=4)
    solved = counted(monkeypatch)
    alone = programme.solve((features, moved, 0.5), tol=1e-3)
    first = len(solved)
    helped = programme.solve((features, moved, 0.5), tol=1e-3, near=near)
    assert len(solved) - first <= first / 2
    # Both intervals hold v*: an independent test of the lower end is that of the other's upper end.
    for one, other in ((alone, helped), (helped, alone)):
        assert one.gap <= 1e-3 * one.upper and one.lower <= other.upper * (1 + 1e-9)
    # Weights prove the lower end: no pair earns more than its gap.
    problem = as_problem((features, moved, 0.5))
    steps = np.einsum("nd,xad->nxa", helped.models - moved, features) ** 2 / (2 * 0.5**2)
    charged = np.einsum("n,nxa->xa", helped.weights, steps)
    assert (charged <= problem.gaps + 1e-9)[problem.suboptimal].all()
    assert np.isclose(helped.weights.sum(), helped.lower)
    # Each model has another best arm somewhere (or is on the boundary).
    best = np.einsum("xad,nd->nxa", features, helped.models)
    own = np.take_along_axis(best, problem.best[None, :, None].repeat(len(best), 0), axis=2)
    assert (best.max(axis=2) >= own[:, :, 0] - 1e-12).all()
    assert ((best >= own - 1e-9).sum(axis=2) > 1).any(axis=1).all()


def test_a_solution_with_other_best_arms_is_left_aside():
    features, theta = problem_of(3)
    near = programme.solve((features, -theta, 0.5), tol=1e-4)
    plain = programme.solve((features, theta, 0.5), tol=1e-4)
    helped = programme.solve((features, theta, 0.5), tol=1e-4, near=near)
    assert np.array_equal(plain.allocation, helped.allocation) and plain.gap == helped.gap
    with pytest.raises(ValueError, match=r"near = 3\.0 must be a Solution"):
        programme.solve((features, theta, 0.5), near=3.0)


def test_units_and_special_cases():
    features, theta = problem_of(4, contexts=3, arms=5, d=4)
    base = programme.solve((features, theta, 1.0)).value
    assert np.isclose(programme.solve((features, theta, 3.0)).value, 9 * base, rtol=3e-6)
    assert np.isclose(programme.solve((features, theta * 1e-3, 1.0)).value, 1e3 * base, rtol=3e-6)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(4, 4)))[0]
    turned = programme.solve((features @ turn.T, turn @ theta, 1.0)).value
    assert np.isclose(turned, base, rtol=3e-6)
    # The context law plays no part, so a context that never comes still counts.
    bandit = hb.LinearContextualBandit(features, theta, [0.5, 0.25, 0.25], hb.noise.Gaussian())
    assert np.isclose(programme.solve(bandit).value, base, rtol=3e-6)
    alone = programme.solve(([[[1.0, 0.0]], [[0.0, 1.0]]], [1.0, 2.0], 1.0))
    assert alone.value == alone.gap == 0 and np.isinf(alone.allocation).all()
    shown = programme.solve(([[[1.0, 0.0], [0.5, 0.0]], [[0.0, 1.0], [0.0, 0.5]]], [1.0, 1.0], 1.0))
    assert shown.value == 0 and shown.allocation.tolist() == [[np.inf, 0.0], [np.inf, 0.0]]


def test_few_rounds_still_give_a_true_interval():
    features, theta = problem_of(23, 4, 16, 8)
    exact = programme.solve((features, theta, 0.5))
    short = programme.solve((features, theta, 0.5), rounds=3)
    assert short.lower <= exact.upper and exact.lower <= short.upper
    assert short.gap > 10 * exact.gap


GOOD = ([[[1.0, 0.0], [0.0, 1.0]]], [1.0, 0.5], 1.0)


@pytest.mark.parametrize(
    ("bandit", "kind", "message"),
    [
        ((GOOD[0], [1.0, 1.0], 1.0), AssumptionError, "two optimal arms"),
        (([[[1.0, 0.0], [0.5, 0.0]]], [1.0, 0.5], 1.0), AssumptionError, "do not span"),
        ((GOOD[0], [1.0, 0.5, 1.0], 1.0), ValueError, "d = 2"),
        ((GOOD[0], [1.0, 0.5], -1.0), ValueError, "sigma"),
        ((GOOD[0], [1.0, np.inf], 1.0), ValueError, "theta"),
        (([[1.0, 0.0]], [1.0, 0.5], 1.0), ValueError, "features"),
        ((*GOOD, [0.5, 0.5]), ValueError, "contexts"),
        (GOOD[:2], ValueError, "bandit"),
        (hb.Bandit([0.0, 1.0], hb.noise.Gaussian()), ValueError, "bandit"),
        (
            hb.LinearContextualBandit(GOOD[0], GOOD[1], [1.0], hb.noise.Cauchy()),
            AssumptionError,
            "Gaussian",
        ),
    ],
)
def test_bad_problem_is_named(bandit, kind, message):
    with pytest.raises(kind, match=message):
        programme.solve(bandit)


@pytest.mark.parametrize(
    ("arguments", "message"), [({"tol": 0.0}, "tol"), ({"rounds": 0}, "rounds")]
)
def test_bad_tolerance_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        programme.solve(GOOD, **arguments)
