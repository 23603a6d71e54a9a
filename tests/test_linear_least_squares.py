"""Regularised least squares by rank-one updates, against solves from the whole history."""

import numpy as np
import pytest

from hbucb.linear import LeastSquares
from hbucb.linear.least_squares import REFRESH


def _history(trials, rounds, d, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    return scale * rng.standard_normal((rounds, trials, d)), rng.standard_normal((rounds, trials))


def _fit(phi, reward, regulariser):
    fit = LeastSquares(phi.shape[1], phi.shape[2], regulariser)
    for row, y in zip(phi, reward, strict=True):
        fit.update(row, y)
    return fit


@pytest.mark.parametrize("rounds", [1, 2, 7, REFRESH - 1, REFRESH, REFRESH + 1, 3 * REFRESH + 5])
@pytest.mark.parametrize(("trials", "d"), [(1, 1), (5, 3), (2, 8)])
def test_all_attributes_are_those_of_a_solve(rounds, trials, d):
    phi, reward = _history(trials, rounds, d, seed=rounds)
    fit = _fit(phi, reward, 0.7)
    for i in range(trials):
        x, y = phi[:, i], reward[:, i]
        v = 0.7 * np.eye(d) + x.T @ x
        np.testing.assert_allclose(fit.precision[i], v, rtol=1e-10)
        np.testing.assert_allclose(fit.inverse[i], np.linalg.inv(v), rtol=1e-7, atol=1e-12)
        np.testing.assert_allclose(fit.moment[i], x.T @ y, rtol=1e-9, atol=1e-9)
        # The same as ordinary least squares with sqrt(nu) e_i as d more rows.
        rows = np.vstack([x, np.sqrt(0.7) * np.eye(d)])
        ridge = np.linalg.lstsq(rows, np.append(y, np.zeros(d)), rcond=None)[0]
        np.testing.assert_allclose(fit.estimate[i], ridge, rtol=1e-7, atol=1e-9)
        assert fit.log_det[i] == pytest.approx(np.linalg.slogdet(v / 0.7)[1], abs=1e-8)


def test_by_hand():
    fit = _fit(np.array([[[1.0, 0.0]], [[1.0, 1.0]]]), np.array([[2.0], [3.0]]), 1.0)
    # V = [[3, 1], [1, 2]], U = (5, 3), V^-1 = [[2, -1], [-1, 3]] / 5.
    assert np.allclose(fit.inverse[0], [[0.4, -0.2], [-0.2, 0.6]], rtol=0, atol=1e-15)
    assert np.allclose(fit.estimate[0], [1.4, 0.8], rtol=0, atol=1e-15)
    assert fit.log_det[0] == pytest.approx(np.log(5), abs=1e-15)


def test_norms_of_shared_and_of_own_features():
    phi, reward = _history(4, 50, 3)
    fit = _fit(phi, reward, 2.0)
    rng = np.random.default_rng(1)
    shared, own = rng.standard_normal((2, 5, 3)), rng.standard_normal((4, 6, 3))
    norms, own_norms, values = fit.norms(shared), fit.own_norms(own), fit.own_values(own)
    assert norms.shape == (4, 2, 5) and own_norms.shape == values.shape == (4, 6)
    assert fit.norms(shared[0, 0]).shape == (4,)
    for i in range(4):
        inverse = np.linalg.inv(2.0 * np.eye(3) + phi[:, i].T @ phi[:, i])
        for x in range(2):
            for a in range(5):
                row = shared[x, a]
                assert norms[i, x, a] == pytest.approx(row @ inverse @ row, rel=1e-10)
        for a in range(6):
            assert own_norms[i, a] == pytest.approx(own[i, a] @ inverse @ own[i, a], rel=1e-10)
            assert values[i, a] == pytest.approx(own[i, a] @ fit.estimate[i], rel=1e-12)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_a_trial_does_not_depend_on_its_company(d):
    phi, reward = _history(50, REFRESH + 40, d)
    features = np.random.default_rng(2).standard_normal((50, 7, d))
    whole = _fit(phi, reward, 1.0)
    for size in (1, 7):
        for first in range(0, 50, size):
            part = slice(first, first + size)
            fit = _fit(phi[:, part], reward[:, part], 1.0)
            for name in ("precision", "inverse", "moment", "estimate", "log_det"):
                assert getattr(fit, name).tobytes() == getattr(whole, name)[part].tobytes(), name
            assert fit.own_norms(features[part]).tobytes() == (
                whole.own_norms(features)[part].tobytes()
            )
            assert fit.norms(features[0]).tobytes() == whole.norms(features[0])[part].tobytes()


def test_the_error_stays_bounded_where_the_precision_spans_many_scales():
    # One direction is seen 1e6 times more strongly: rank-one updates alone lose digits here.
    rng = np.random.default_rng(3)
    phi = rng.standard_normal((20_000, 2, 2)) * [1e3, 1e-2]
    fit = _fit(phi, rng.standard_normal((20_000, 2)), 1e-3)
    for i in range(2):
        exact = np.linalg.inv(1e-3 * np.eye(2) + phi[:, i].T @ phi[:, i])
        np.testing.assert_allclose(fit.inverse[i], exact, rtol=1e-8)
        assert (fit.inverse[i] == fit.inverse[i].T).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"trials": 0}, "trials = 0"),
        ({"d": 0}, "d = 0"),
        ({"d": 2.0}, "d = 2.0"),
        ({"regulariser": 0.0}, "regulariser"),
        ({"regulariser": np.nan}, "regulariser"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(ValueError, match=words):
        LeastSquares(**({"trials": 2, "d": 3, "regulariser": 1.0} | arguments))
