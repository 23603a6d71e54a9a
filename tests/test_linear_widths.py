"""Widths of confidence ellipsoids: by hand, in the limit, and their miss rates by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from hbucb.linear import (
    LeastSquares,
    experimental_width,
    log_det_limit,
    log_log_width,
    self_normalised_width,
)


def test_by_hand():
    # (2 sqrt(2 log 100 + log 5) + sqrt(3) 0.5)^2
    expected = (2 * math.sqrt(2 * math.log(100) + math.log(5)) + math.sqrt(3) / 2) ** 2
    assert self_normalised_width(math.log(5), 0.01, 2.0, 3.0, 0.5) == pytest.approx(expected)
    assert log_det_limit(10, 3, 2.0, 0.5) == pytest.approx(3 * math.log(1 + 10 * 4 / (3 * 0.5)))
    n, lead = 1000, 2 * (1 + 1 / math.log(1000)) * math.log(50)
    expected = 4 * (lead + 1.5 * 7 * math.log(7 * math.log(n)))
    assert log_log_width(n, 0.02, 2.0, 7, kappa=1.5) == pytest.approx(expected)
    expected = 4 * (math.log(30) + 7 * math.log(math.log(n)))
    assert experimental_width(30, n, 2.0, 7) == pytest.approx(expected)
    assert experimental_width(0, n, 2.0, 7) == experimental_width(1, n, 2.0, 7)


def test_shapes_follow_the_argument():
    grown = np.arange(6.0).reshape(2, 3)
    assert self_normalised_width(grown, 0.1, 1.0, 1.0, 1.0).shape == (2, 3)
    assert log_det_limit([1, 5, 10], 4, 1.0, 1.0).shape == (3,)
    assert isinstance(log_log_width(100, 0.1, 1.0, 2, 1.0), float)
    assert experimental_width([1, 2], 100, 1.0, 2).shape == (2,)


def test_the_form_of_the_third_paper_tends_to_two_sigma_squared_log_n():
    n = np.array([1e3, 1e12, 1e48, 1e96])
    ratio = np.array([log_log_width(m, 1 / m, 1.5, 5, 1.0) for m in n]) / (2 * 1.5**2 * np.log(n))
    assert (np.diff(ratio) < 0).all() and 1 < ratio[-1] < 1.2
    # The width of the experiments has half of that limit.
    half = experimental_width(n, n, 1.5, 5) / (2 * 1.5**2 * np.log(n))
    assert abs(half[-1] - 0.5) < 0.1


def test_the_determinant_never_exceeds_its_limit():
    rng = np.random.default_rng(0)
    fit = LeastSquares(6, 4, 0.5)
    for t in range(1, 200):
        phi = rng.standard_normal((6, 4))
        phi *= rng.uniform(0, 2, (6, 1)) / np.linalg.norm(phi, axis=1, keepdims=True)
        fit.update(phi, np.zeros(6))
        assert (fit.log_det <= log_det_limit(t, 4, 2.0, 0.5)).all()
    # Reached with equality by features along the axes in turn.
    turn = LeastSquares(1, 4, 0.5)
    for t in range(40):
        turn.update(2.0 * np.eye(4)[[t % 4]], np.zeros(1))
    assert turn.log_det[0] == pytest.approx(log_det_limit(40, 4, 2.0, 0.5), rel=1e-12)


def _misses(width, runs, rounds, seed):
    """In how many runs the largest distance exceeds width(fit, t); arms chosen from the past."""
    rng = np.random.default_rng(seed)
    theta = np.array([0.6, -0.8])
    arms = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]])
    fit, missed = LeastSquares(runs, 2, 1.0), np.zeros(runs, bool)
    for t in range(rounds):
        played = (fit.estimate @ arms.T + 0.5 * np.sqrt(fit.norms(arms))).argmax(axis=1)
        fit.update(arms[played], arms[played] @ theta + rng.standard_normal(runs))
        error = fit.estimate - theta
        missed |= np.einsum("ti,tij,tj->t", error, fit.precision, error) > width(fit, t + 1)
    return int(missed.sum())


def test_the_self_normalised_width_misses_no_more_often_than_it_says():
    # At a true rate of delta, more than this many misses has probability <= 1e-6.
    delta, runs = 0.1, 2000
    most = int(stats.binom.isf(1e-6, runs, delta))
    width = lambda fit, t: self_normalised_width(fit.log_det, delta, 1.0, 1.0, 1.0)  # noqa: E731
    assert _misses(width, runs, 500, seed=1) <= most


def test_a_width_without_the_factor_two_misses_too_often():
    # Control: sigma^2 (log n + d log log n) is no 1 - 1/n region. The exact test rejects 1/n.
    runs, n = 4000, 500
    misses = _misses(lambda fit, t: experimental_width(n, n, 1.0, 2), runs, n, seed=2)
    assert stats.binom.sf(misses - 1, runs, 1 / n) < 1e-6


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: self_normalised_width(-1.0, 0.1, 1, 1, 1), "log_det"),
        (lambda: self_normalised_width(np.nan, 0.1, 1, 1, 1), "log_det"),
        (lambda: self_normalised_width(1.0, 1.0, 1, 1, 1), "delta"),
        (lambda: self_normalised_width(1.0, 0.1, 0, 1, 1), "sigma"),
        (lambda: self_normalised_width(1.0, 0.1, 1, 0, 1), "regulariser"),
        (lambda: self_normalised_width(1.0, 0.1, 1, 1, -1), "theta_bound"),
        (lambda: log_det_limit(0, 1, 1, 1), "horizon"),
        (lambda: log_det_limit(1, 0, 1, 1), "d = 0"),
        (lambda: log_det_limit(1, 1, 0, 1), "feature_bound"),
        (lambda: log_log_width(2, 0.1, 1, 1, 1), "at least 3"),
        (lambda: log_log_width(10, 0.1, 1, 1, 0), "kappa"),
        (lambda: experimental_width(1, 2, 1, 1), "at least 3"),
        (lambda: experimental_width(np.inf, 10, 1, 1), "count"),
        (lambda: experimental_width("x", 10, 1, 1), "count"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()
