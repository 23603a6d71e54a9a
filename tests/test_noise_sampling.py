"""Samplers: the right law, the same numbers whatever the block lengths, shared standard draws.

Statistical tests have a false-alarm probability of 1e-6 each: exact Kolmogorov-Smirnov quantiles
(conservative where a law has atoms) and exact binomial intervals; seeds are fixed.
"""

import numpy as np
import pytest
from numpy.random import SFC64, Generator, SeedSequence
from scipy import stats
from test_noise_registry import CONTINUOUS, LAWS, NAMES

from hbucb.noise import (
    Cauchy,
    Gaussian,
    Laplace,
    LocationScale,
    Mixture,
    TwoPoint,
    cauchy_pareto,
    gallery,
)

N = 100_000
ALARM = 1e-6


def generators(law, seed):
    return [Generator(SFC64(SeedSequence(seed, spawn_key=(i,)))) for i in range(law.generators)]


def draws(law, n, seed=0):
    out = np.full(n, np.nan)
    law.fill(generators(law, seed), out)
    return out


def ks_distance(law, x):
    points, counts = np.unique(x, return_counts=True)
    above = np.cumsum(counts) / x.size
    cdf = law.cdf(points)
    before = above - counts / x.size
    return max(np.max(np.abs(above - cdf)), np.max(np.abs(before - cdf + law.atom(points))))


@pytest.mark.parametrize("name", NAMES)
def test_sampler_against_cdf(name):
    law, _ = LAWS[name]
    assert ks_distance(law, draws(law, N, seed=1)) < stats.kstwo.isf(ALARM, N)


def test_the_distance_sees_a_wrong_law():
    assert ks_distance(Cauchy(1.05), draws(Cauchy(), N)) > stats.kstwo.isf(ALARM, N)
    assert ks_distance(TwoPoint(p=0.52), draws(TwoPoint(), N)) > stats.kstwo.isf(ALARM, N)


@pytest.mark.parametrize("name", [n for n in NAMES if LAWS[n][0].has_atoms])
def test_frequencies_of_atoms(name):
    law, _ = LAWS[name]
    x = draws(law, N, seed=2)
    if name == "scipy poisson":  # infinitely many atoms: those with most of the mass
        atoms = {float(k): float(law.atom(k)) for k in range(12)}
    else:
        atoms = law.pmf
    alarm = ALARM / len(atoms)
    for point, p in atoms.items():
        low, high = stats.binom.ppf([alarm / 2, 1 - alarm / 2], N, p)
        assert low <= np.sum(x == point) <= high
    if abs(sum(atoms.values()) - 1) < 1e-12:
        assert set(np.unique(x)) <= set(atoms)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_draws_are_independent_of_the_ones_before(name):
    """Whether a draw and the next fall on the same side of the median is a fair coin."""
    law, _ = LAWS[name]
    x = draws(law, N, seed=3)
    side = x > law.ppf(0.5)
    same = np.sum(side[1:] == side[:-1])
    low, high = stats.binom.ppf([ALARM / 2, 1 - ALARM / 2], N - 1, 0.5)
    assert low <= same <= high
    # Sign and size are independent in a symmetric law.
    if law.symmetric:
        large = np.abs(x) > law.ppf(0.75) if law.unimodal else np.abs(x) > np.median(np.abs(x))
        positive = np.sum(x[large] > 0)
        low, high = stats.binom.ppf([ALARM / 2, 1 - ALARM / 2], large.sum(), 0.5)
        assert low <= positive <= high
    assert np.unique(x).size == N


def block_lengths():
    n = 1300
    return [[0, n], [1, n - 1], [n - 1, 1], [n, 0], [512, 512, 276], [64] * 20 + [20], [1] * n]


@pytest.mark.parametrize("blocks", block_lengths(), ids=lambda b: f"{b[0]}+{len(b)} blocks")
@pytest.mark.parametrize("name", NAMES)
def test_m_then_n_draws_are_m_plus_n(name, blocks):
    law, _ = LAWS[name]
    if name.startswith("scipy") and len(blocks) > 100:
        blocks = [*blocks[:100], len(blocks) - 100]  # scipy is slow on single values
    whole = draws(law, sum(blocks), seed=4)
    rngs = generators(law, 4)
    parts = [np.full(n, np.nan) for n in blocks]
    for part in parts:
        law.fill(rngs, part)
    assert np.array_equal(np.concatenate(parts), whole)
    assert np.all(np.isfinite(whole))


@pytest.mark.parametrize("law", [law for law, _ in LAWS.values()] + list(gallery().values()))
def test_standard_law_times_scale(law):
    standard, scale = law.standard()
    assert scale > 0 and standard.standard() == (standard, 1.0)
    assert standard.generators == law.generators
    rescaled = scale * draws(standard, 500)
    np.testing.assert_allclose(rescaled, draws(law, 500), rtol=1e-14, atol=1e-15)
    q = np.linspace(0.01, 0.99, 33)
    np.testing.assert_allclose(scale * standard.ppf(q), law.ppf(q), rtol=1e-12, atol=1e-15)


def test_laws_of_one_family_share_a_standard_law():
    assert Gaussian(3.0).standard() == (Gaussian(1.0), 3.0)
    assert Laplace(0.1).standard()[0] == Laplace(7.0).standard()[0]
    assert LocationScale(Gaussian(), 1.0, 2.0).standard() == (LocationScale(Gaussian(), 0.5), 2.0)


@pytest.mark.parametrize("wrap", [lambda law: law, LocationScale, lambda x: LocationScale(x, 0.1)])
def test_atoms_do_not_move_when_laws_share_draws(wrap):
    for law in (TwoPoint(-0.06, 0.94, 0.06), TwoPoint(-0.3, 0.7, 0.3)):
        shared, scale = wrap(law).standard()
        assert set(scale * draws(shared, 500)) == set(wrap(law).pmf)


def test_a_scale_that_no_float_holds_is_not_factored_out():
    for law in (
        LocationScale(Gaussian(1e200), 0.0, 1e200),
        LocationScale(Gaussian(1e-200), 0.0, 1e-200),
        LocationScale(Gaussian(1e-200), 1.0, 1e-200),
    ):
        assert law.standard() == (law, 1.0)


def test_doubling_the_scale_doubles_the_draws_exactly():
    for a, b in [(Cauchy(0.3), Cauchy(0.6)), (Gaussian(0.7), Gaussian(1.4))]:
        assert np.array_equal(2 * draws(a, 1000), draws(b, 1000))


def test_cauchy_is_one_call_of_the_generator():
    rng = generators(Cauchy(), 0)[0]
    assert np.array_equal(draws(Cauchy(), 777), rng.standard_cauchy(777))


def test_a_part_of_a_mixture_is_drawn_only_where_it_is_needed():
    law = Mixture((Gaussian(), Laplace()), (0.25, 0.75))
    x = draws(law, 1000, seed=5)
    choice, normal, laplace = generators(law, 5)
    first = choice.random(1000) < 0.25
    assert np.array_equal(x[first], normal.standard_normal(first.sum()))
    assert np.array_equal(x[~first], laplace.laplace(size=(~first).sum()))


def test_sample_gives_each_part_of_a_draw_its_own_stream():
    """Short samples of many seeds: equal streams run apart after some ninety draws."""
    law = LAWS["lomax .5"][0]
    x = np.concatenate([law.sample(10, seed=seed) for seed in range(2000)])
    large = np.abs(x) > np.median(np.abs(x))
    low, high = stats.binom.ppf([ALARM / 2, 1 - ALARM / 2], large.sum(), 0.5)
    assert low <= np.sum(x[large] > 0) <= high
    x = np.concatenate([cauchy_pareto().sample(10, seed=seed) for seed in range(2000)])
    assert ks_distance(cauchy_pareto(), x) < stats.kstwo.isf(ALARM, x.size)


def test_sample_shape_and_seed():
    for law in gallery().values():
        x = law.sample((3, 4), seed=9)
        assert x.shape == (3, 4) and np.array_equal(x, law.sample((3, 4), seed=9))
        assert np.array_equal(x.ravel(), law.sample(12, seed=9))
        assert law.sample(0).shape == (0,)
    assert Cauchy().sample(2)[0] != Cauchy().sample(2)[0]
