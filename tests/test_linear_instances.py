"""Instances: the toy's vectors and gaps, the generator's promises, tables of ratings."""

import numpy as np
import pytest

from hbucb import linear
from hbucb.noise import Gaussian, StudentT


@pytest.mark.parametrize("xi", [0.01, 0.05, 0.2])
def test_the_toy(xi):
    bandit = linear.toy(xi, 0.9, 1.5)
    assert (bandit.contexts, bandit.arms, bandit.theta.size) == (2, 3, 3)
    assert bandit.context_law.tolist() == pytest.approx([0.9, 0.1])
    assert bandit.noise == Gaussian(1.5)
    # The vectors that the text names.
    assert bandit.features[0, 2].tolist() == [1 - xi, 2 * xi, 0]
    assert bandit.features[1, 0].tolist() == [0, 0.6, 0.8]
    assert bandit.features[1, 2].tolist() == [0, xi / 10, 1 - xi]
    np.testing.assert_allclose(bandit.gaps, [[0, 1, xi], [0.2, 0, xi]], atol=1e-15)


def test_end_of_optimism():
    bandit = linear.end_of_optimism(0.1, noise=StudentT(3.0))
    np.testing.assert_allclose(bandit.gaps, [[0, 1, 0.1]], atol=1e-15)
    assert bandit.noise == StudentT(3.0) and bandit.features.shape == (1, 3, 2)


@pytest.mark.parametrize(("arms", "contexts", "dim"), [(4, 4, 8), (5, 3, 2), (16, 4, 8), (2, 1, 2)])
def test_random_problems_keep_their_promises(arms, contexts, dim):
    made = [linear.random_problem(arms, s, contexts=contexts, dim=dim) for s in range(20)]
    for bandit in made:
        assert bandit.features.shape == (contexts, arms, dim)
        assert np.allclose(np.linalg.norm(bandit.features, axis=2), 1)
        assert np.linalg.norm(bandit.theta) == pytest.approx(1)
        gaps = np.sort(bandit.gaps, axis=1)
        assert (gaps[:, 0] == 0).all() and (gaps[:, 1] >= 0.05).all()
        assert np.linalg.matrix_rank(bandit.features.reshape(-1, dim)) == dim
        assert np.allclose(bandit.context_law, 1 / contexts)
    assert made[3] == linear.random_problem(arms, 3, contexts=contexts, dim=dim)
    assert made[3] != made[4]


def test_a_gap_that_no_problem_has_is_refused():
    with pytest.raises(ValueError, match="min_gap = 5"):
        linear.random_problem(3, 0, min_gap=5.0)


def test_features_from_ratings_fit_a_table_that_has_their_form():
    # A table that is linear in its own factors up to a constant: the fit must explain it well.
    rng = np.random.default_rng(0)
    table = 8 * np.tanh(rng.standard_normal((300, 1)) * rng.standard_normal(15) / 2)
    bandit = linear.ratings_bandit(table, 4, contexts=300, dim=60)
    residual = bandit.loc - table / 10
    assert residual.std() < 0.2 * (table / 10).std()
    # Negative control: a table of pure noise cannot be explained.
    noise = rng.uniform(-8, 8, (300, 15))
    residual = linear.ratings_bandit(noise, 4, contexts=300, dim=60).loc - noise / 10
    assert residual.std() > 0.6 * (noise / 10).std()


def test_the_stand_in_and_the_file(tmp_path):
    bandit = linear.synthetic_jester(1, contexts=25)
    assert bandit.features.shape == (25, 40, 33) and bandit == linear.synthetic_jester(
        1, contexts=25
    )
    assert (bandit.features[:, :, -1] == 1).all() and (bandit.features >= 0).all()
    assert (np.sort(bandit.gaps, axis=1)[:, 1] > 0).all()
    assert np.abs(bandit.loc).max() < 1.5
    # Users differ in what they like best.
    assert len(set(bandit.loc.argmax(axis=1).tolist())) > 3
    table = np.random.default_rng(1).uniform(-10, 10, (700, 9)).astype(np.float32)
    np.save(tmp_path / "t.npy", table)
    read = linear.load_jester(tmp_path / "t.npy", 5, contexts=4, dim=6)
    assert read == linear.ratings_bandit(table, 5, contexts=4, dim=6)
    (tmp_path / "bad.npy").write_text("no array")
    with pytest.raises(ValueError, match=r"bad\.npy is no \.npy file"):
        linear.load_jester(tmp_path / "bad.npy")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        linear.load_jester(tmp_path / "none.npy")


_TABLE = np.random.default_rng(2).uniform(-10, 10, (30, 6))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: linear.toy(0.0), "xi"),
        (lambda: linear.toy(0.6), "xi = 0.6"),
        (lambda: linear.toy(rho=1.0), "rho"),
        (lambda: linear.toy(sigma=-1.0), "sigma"),
        (lambda: linear.end_of_optimism(0.5), "xi = 0.5"),
        (lambda: linear.random_problem(1, 0), "arms = 1"),
        (lambda: linear.random_problem(4, -1), "seed = -1"),
        (lambda: linear.random_problem(2, 0, contexts=1, dim=3), "cannot span"),
        (lambda: linear.random_problem(3, 0, min_gap=0.0), "min_gap"),
        (lambda: linear.ratings_bandit(_TABLE[0], 0), "shape"),
        (lambda: linear.ratings_bandit(_TABLE + 99, 0), "outside"),
        (lambda: linear.ratings_bandit([["a"]], 0), "numbers"),
        (lambda: linear.ratings_bandit(0 * _TABLE, 0), "zero everywhere"),
        (lambda: linear.ratings_bandit(_TABLE, 0, contexts=31), "contexts = 31"),
        (lambda: linear.ratings_bandit(_TABLE, 0, dim=1), "dim = 1"),
        (lambda: linear.synthetic_jester(0, users=1), "users = 1"),
        (lambda: linear.load_jester(3), "path = 3"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()
