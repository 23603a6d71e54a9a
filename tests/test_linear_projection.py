"""Projection on a ball in the norm of V, against its optimality conditions and brute force."""

import numpy as np
import pytest

from hbucb.linear import project


def _cases(n, d, seed):
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((n, d, d)) * np.exp(rng.uniform(-4, 4, (n, 1, d)))
    v = root @ root.transpose(0, 2, 1) + 1e-3 * np.eye(d)
    return 5 * rng.standard_normal((n, d)), v


@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_it_meets_the_optimality_conditions(d):
    estimate, v = _cases(200, d, seed=d)
    theta = project(estimate, v, 2.0)
    inside = np.linalg.norm(estimate, axis=1) <= 2.0
    assert (theta[inside] == estimate[inside]).all()
    assert 0 < inside.sum() < 200 or d > 2
    # On the sphere, and the gradient V (theta - estimate) points straight inwards: it is
    # -k theta with k >= 0. For a convex problem that is enough.
    outside = ~inside
    assert np.allclose(np.linalg.norm(theta[outside], axis=1), 2.0, rtol=1e-14)
    pull = np.einsum("nij,nj->ni", v, theta - estimate)[outside]
    k = -np.einsum("ni,ni->n", pull, theta[outside]) / 4.0
    assert (k > 0).all()
    size = np.einsum("nij,nj->ni", np.abs(v), np.abs(theta) + np.abs(estimate))[outside].max(1)
    assert (np.abs(pull + k[:, None] * theta[outside]).max(1) <= 1e-12 * size).all()


def test_no_point_of_a_fine_grid_is_closer():
    estimate, v = _cases(20, 2, seed=5)
    theta = project(estimate, v, 1.0)
    angle = np.linspace(0, 2 * np.pi, 20_001)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for e, w, best in zip(estimate, v, theta, strict=True):
        if np.linalg.norm(e) <= 1:
            continue
        distance = np.einsum("ni,ij,nj->n", circle - e, w, circle - e)
        mine = (best - e) @ w @ (best - e)
        assert mine <= distance.min() * (1 + 1e-12)


def test_it_never_moves_away_from_a_point_of_the_ball():
    # What Corollary 1 of the third paper needs.
    rng = np.random.default_rng(6)
    estimate, v = _cases(500, 4, seed=6)
    inside = rng.standard_normal((500, 4))
    inside *= rng.uniform(0, 1.5, (500, 1)) / np.linalg.norm(inside, axis=1, keepdims=True)
    before = np.einsum("ni,nij,nj->n", estimate - inside, v, estimate - inside)
    theta = project(estimate, v, 1.5)
    after = np.einsum("ni,nij,nj->n", theta - inside, v, theta - inside)
    assert (after <= before * (1 + 1e-12)).all()
    # Scaling the estimate to the sphere, the projection in the usual norm, does move away.
    short = estimate * np.minimum(1, 1.5 / np.linalg.norm(estimate, axis=1, keepdims=True))
    wrong = np.einsum("ni,nij,nj->n", short - inside, v, short - inside)
    assert (wrong > before * 1.01).any()


def test_rows_do_not_depend_on_their_company():
    estimate, v = _cases(40, 3, seed=7)
    whole = project(estimate, v, 1.0)
    for i in range(40):
        assert project(estimate[i], v[i], 1.0).tobytes() == whole[i].tobytes()
    assert project(estimate.reshape(5, 8, 3), v.reshape(5, 8, 3, 3), 1.0).shape == (5, 8, 3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1.0, 2.0], np.eye(3), 1.0), "precision has shape"),
        ((1.0, 1.0, 1.0), "precision has shape"),
        (([1.0], [[1.0]], 0.0), "radius"),
        (([1.0], [[1.0]], np.inf), "radius"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(ValueError, match=words):
        project(*arguments)
