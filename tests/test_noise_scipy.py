"""Frozen scipy laws as noise: identity, declared facts, traps in scipy's moments."""

import math
import pickle
import warnings

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from hbucb.noise import Cauchy, Gaussian, Scipy, as_noise


def test_as_noise():
    law = Cauchy()
    assert as_noise(law) is law
    assert as_noise(stats.t(3.0)) == Scipy(stats.t(3.0))


@pytest.mark.parametrize(
    "bad", [Cauchy, stats.norm, "norm", 1.0, None, stats.norm().rvs, stats.multivariate_normal([0])]
)
def test_as_noise_refuses_what_is_no_law(bad):
    with pytest.raises(ValueError, match="frozen"):
        as_noise(bad)


def test_positional_and_named_parameters_make_one_law():
    a, b = Scipy(stats.t(2.5, 0.0, 3.0)), Scipy(stats.t(df=2.5, scale=3))
    assert a == b and repr(a) == repr(b) and hash(a) == hash(b)
    assert a != Scipy(stats.t(2.5))
    assert a == Scipy("t", (("df", 2.5), ("loc", 0.0), ("scale", 3.0)))
    assert a == Scipy("t", {"df": 2.5, "scale": 3.0}.items())


def test_laws_that_no_name_leads_back_to_are_refused():
    class Mine(stats.rv_continuous):
        def _pdf(self, x):
            return np.exp(-x)

    for law in (Mine(a=0.0, name="mine")(), Mine(a=0.0, name="norm")()):
        with pytest.raises(ValueError, match=r"named in scipy\.stats"):
            Scipy(law)
    with pytest.raises(ValueError, match="norm's loc must be a finite number"):
        Scipy(stats.norm(loc=[0.0, 1.0]))
    with pytest.raises(ValueError, match="norm's scale"):
        Scipy(stats.norm(scale=math.inf))
    with pytest.raises(ValueError, match="in its domain"):
        Scipy("t", (("df", -1.0),))
    with pytest.raises(ValueError, match="parameters of t must be"):
        Scipy("t", (("nu", 1.0),))
    with pytest.raises(ValueError, match="no_such_law"):
        Scipy("no_such_law")


@pytest.mark.parametrize(
    ("frozen", "mean", "tail"),
    [
        (stats.cauchy(), math.nan, 1.0),
        (stats.t(0.9), math.nan, 0.9),
        (stats.t(1.5, loc=2.0), 2.0, 1.5),
        (stats.pareto(1.0), math.inf, 1.0),
        (stats.pareto(0.5, loc=7.0), math.inf, 0.5),
        (stats.invweibull(1.25), math.gamma(0.2), 1.25),
        (stats.levy(), math.inf, 0.5),
        (stats.levy_l(), -math.inf, 0.5),
        (stats.lognorm(1.0), math.exp(0.5), math.inf),
        (stats.beta(2.0, 3.0), 0.4, math.inf),
        (stats.genpareto(-0.5), 1 / 1.5, math.inf),
        (stats.binom(10, 0.3), 3.0, math.inf),
    ],
    ids=lambda x: x.dist.name if hasattr(x, "dist") else "",
)
def test_means_and_tail_indices(frozen, mean, tail):
    law = Scipy(frozen)
    assert law.tail_index == tail
    assert law.mean == pytest.approx(mean, rel=1e-7, nan_ok=True)
    if tail < math.inf:
        assert law.moment(tail) == math.inf and law.moment(0.9 * tail) < math.inf
        assert law.subgaussian == math.inf
    else:
        assert law.subgaussian is None
        assert law.variance == pytest.approx(frozen.var(), rel=1e-7)


def test_moments_of_a_law_that_the_package_has_too():
    ours, theirs = Gaussian(2.0), Scipy(stats.norm(scale=2.0))
    for order, about in [(0.5, 0.0), (1.0, 3.0), (4.0, -1.0)]:
        assert theirs.moment(order, about) == pytest.approx(ours.moment(order, about), rel=1e-8)
    for order, about in [(0.5, 0.0), (0.5, 2.0), (0.95, 0.0)]:
        theirs = Scipy(stats.cauchy())
        assert theirs.moment(order, about) == pytest.approx(Cauchy().moment(order, about), rel=1e-7)


@pytest.mark.parametrize("b", [0.5, 1.0, 3.0])
def test_moments_close_to_the_tail_index_are_not_cut_short(b):
    law = Scipy(stats.pareto(b))
    for share in (0.5, 0.99, 0.999):
        assert law.moment(share * b) == pytest.approx(1 / (1 - share), rel=1e-7)


def test_a_pickle_holds_the_name_and_parameters_only():
    law = Scipy(stats.t(3.0))
    law.cdf(0.0)
    assert set(vars(pickle.loads(pickle.dumps(law)))) == {"name", "parameters", "declared"}


def test_unknown_tails_give_nan_until_they_are_declared():
    law = Scipy(stats.alpha(2.0))
    assert all(math.isnan(v) for v in (law.tail_index, law.mean, law.variance, law.moment(0.5)))
    assert law.subgaussian is None and law.symmetric is None and law.unimodal is None
    law = Scipy(stats.alpha(2.0), tail_index=1.0, unimodal=True)
    assert law.mean == math.inf and law.moment(1.0) == math.inf and law.unimodal is True
    assert 0 < law.moment(0.5) < math.inf and law.subgaussian == math.inf


def test_declared_facts_are_part_of_the_law():
    law = Scipy(stats.norm(1.0), centre=1.0, subgaussian=1.0, unimodal=True, mean=1.0)
    assert (law.centre, law.subgaussian, law.unimodal, law.mean) == (1.0, 1.0, True, 1.0)
    assert law != Scipy(stats.norm(1.0))
    assert eval(repr(law), {"Scipy": Scipy}) == law == pickle.loads(pickle.dumps(law))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"symmetric": 1}, "symmetric must be True, False or None, got 1"),
        ({"unimodal": "yes"}, "unimodal must be True, False or None"),
        ({"centre": math.nan}, "centre must be a finite number"),
        ({"mean": math.nan}, "mean must be a number, not nan"),
        ({"tail_index": 0.0}, "tail_index must be > 0"),
        ({"subgaussian": -1.0}, "subgaussian must be >= 0"),
    ],
)
def test_impossible_facts(facts, message):
    with pytest.raises(ValueError, match=message):
        Scipy(stats.norm(), **facts)


def test_a_symmetry_that_the_law_contradicts_is_refused():
    for frozen in (stats.norm(1.0), stats.gamma(2.0), stats.poisson(1.0)):
        with pytest.raises(ValueError, match="is not symmetric"):
            Scipy(frozen, symmetric=True)
    assert Scipy(stats.skellam(2.0, 2.0), symmetric=True).symmetric is True


def test_draws_are_finite_even_where_a_uniform_variable_is_zero():
    class Zeros:
        def random(self, out):
            out[:] = 0.0

    out = np.empty(3)
    Scipy(stats.norm()).fill([Zeros()], out)
    assert np.all(np.isfinite(out)) and np.all(out < -8)


def test_discrete_laws():
    law = Scipy(stats.randint(-1, 2))
    assert law.pmf == pytest.approx({-1.0: 1 / 3, 0.0: 1 / 3, 1.0: 1 / 3})
    assert law.mass(1.0) == pytest.approx(1 / 3) and law.ppf(0.0) == -1
    with pytest.raises(ValueError, match="too many atoms"):
        _ = Scipy(stats.poisson(1.0)).pmf


@pytest.mark.parametrize(
    "frozen",
    [
        stats.uniform(),
        stats.arcsine(),
        stats.rdist(1.6),
        stats.beta(2.3, 0.6),
        stats.gumbel_r(),
        stats.gumbel_l(),
        stats.hypsecant(),
        stats.loggamma(0.41),
        stats.weibull_max(2.9),
        stats.levy_stable(1.7, 0.5, 3.0, 2.0),
        stats.norm(3.0, 1e-6),
    ],
    ids=lambda x: x.dist.name,
)
def test_moments_come_without_warnings(frozen):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        law = Scipy(frozen)
        assert law.mean == pytest.approx(float(frozen.mean()), rel=1e-8, abs=1e-12)
        if law.tail_index > 2:
            assert law.variance == pytest.approx(float(frozen.var()), rel=1e-7)
        else:
            assert law.variance == math.inf


def stable_by_characteristic_function(alpha, beta, scale, p):
    """E|X|^p is the integral of (1 - Re phi(t)) t^(-p-1), divided by that of 1 - cos t."""
    skew = beta * math.tan(math.pi * alpha / 2) if beta else 0.0

    def integrand(s):
        u = (scale * math.exp(s)) ** alpha
        near = -math.expm1(-u) * math.cos(skew * u) + 2 * math.sin(skew * u / 2) ** 2
        return near * math.exp(-p * s)

    total = sum(quad(integrand, s, s + 0.5, epsabs=1e-14)[0] for s in np.arange(-60, 6, 0.5))
    return (
        (total + math.exp(-6 * p) / p) * 2 * math.gamma(1 + p) * math.sin(math.pi * p / 2) / math.pi
    )


@pytest.mark.parametrize(
    ("alpha", "beta", "scale", "p"),
    [(1.5, 0, 1, 1.0), (1.5, 0.5, 2, 1.0), (1.8, -1, 1, 0.7), (0.8, 0.3, 1, 0.3), (1.9, 1, 3, 0.1)],
)
def test_stable_moments_are_closed_forms(alpha, beta, scale, p):
    law = Scipy(stats.levy_stable(alpha, beta, 5.0, scale))
    expected = stable_by_characteristic_function(alpha, beta, scale, p)
    assert law.moment(p, about=5.0) == pytest.approx(expected, rel=1e-6)
    assert math.isnan(law.moment(p, about=4.0)) and law.moment(alpha) == math.inf
    assert math.isnan(Scipy(stats.levy_stable(1.0, 0.5)).moment(0.5))


def test_the_normal_stable_law_and_the_other_form_of_the_location():
    law = Scipy(stats.levy_stable(2.0, 0.0, 1.0, 3.0))
    assert law.mean == 1.0 and law.variance == pytest.approx(18.0)
    assert law.moment(1.0) == pytest.approx(Gaussian(math.sqrt(18)).moment(1.0, about=-1.0))
    before = stats.levy_stable.parameterization
    try:
        stats.levy_stable.parameterization = "S0"
        mean = Scipy(stats.levy_stable(1.5, 0.5, 0.0, 2.0)).mean
    finally:
        stats.levy_stable.parameterization = before
    assert mean == pytest.approx(1.0)  # -beta scale tan(3 pi / 4)


def test_a_sum_that_does_not_converge_is_unknown():
    assert math.isnan(Scipy(stats.poisson(3.0)).moment(600.0))
