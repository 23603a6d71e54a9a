"""Example laws that the noise tests share, each with an independent description by scipy.stats.

A reference is a list of (weight, sign, frozen law): with that probability xi = sign * Y.
"""

import math
import pickle

import numpy as np
import pytest
from scipy import stats

import hbucb.noise
from hbucb.noise import (
    Cauchy,
    Contaminated,
    Exponential,
    Frechet,
    Gaussian,
    Laplace,
    LocationScale,
    Mixture,
    Noise,
    Pareto,
    ParetoHole,
    PointMass,
    Scipy,
    StudentT,
    SymmetricLomax,
    TwoPoint,
    Uniform,
    bimodal,
    cauchy_exponential,
    cauchy_pareto,
    gallery,
)


class Point:
    """The constant c, with the few methods of a frozen law that the tests call."""

    def __init__(self, c):
        self.c = c

    def cdf(self, x):
        return np.where(np.asarray(x) >= self.c, 1.0, 0.0)

    def sf(self, x):
        return 1.0 - self.cdf(x)

    def ppf(self, q):
        return np.full(np.shape(q), self.c)[()]

    isf = ppf


def one(frozen):
    return [(1.0, 1, frozen)]


def both(frozen):
    return [(0.5, 1, frozen), (0.5, -1, frozen)]


def mix(*parts):
    return [(w * v, sign, frozen) for w, reference in parts for v, sign, frozen in reference]


LAWS: dict[str, tuple[Noise, list]] = {
    "gaussian": (Gaussian(), one(stats.norm())),
    "gaussian 2.5": (Gaussian(2.5), one(stats.norm(scale=2.5))),
    "uniform": (Uniform(), one(stats.uniform(-1, 2))),
    "U01": (Uniform(0, 1), one(stats.uniform())),
    "uniform -3 1": (Uniform(-3, 1), one(stats.uniform(-3, 4))),
    "laplace": (Laplace(), one(stats.laplace())),
    "laplace .3": (Laplace(0.3), one(stats.laplace(scale=0.3))),
    "exponential": (Exponential(2.0), one(stats.expon(scale=2))),
    "t .7": (StudentT(0.7), one(stats.t(0.7))),
    "t 1.5": (StudentT(1.5, 2.0), one(stats.t(1.5, scale=2))),
    "t 3": (StudentT(3.0), one(stats.t(3))),
    "t 30": (StudentT(30.0, 0.5), one(stats.t(30, scale=0.5))),
    "cauchy": (Cauchy(), one(stats.cauchy())),
    "cauchy 3": (Cauchy(3.0), one(stats.cauchy(scale=3))),
    "frechet 1": (Frechet(1.0), one(stats.invweibull(1))),
    "frechet 1.25": (Frechet(1.25), one(stats.invweibull(1.25))),
    "frechet 3.5": (Frechet(3.5, 2.0), one(stats.invweibull(3.5, scale=2))),
    "lomax .5": (SymmetricLomax(0.5), both(stats.lomax(0.5))),
    "lomax 3": (SymmetricLomax(3.0, 2.0), both(stats.lomax(3, scale=2))),
    "pareto 3": (Pareto(3.0), one(stats.pareto(3))),
    "pareto 1": (Pareto(1.0, 0.5), one(stats.pareto(1, scale=0.5))),
    "hole .5": (ParetoHole(0.5), both(stats.pareto(0.5))),
    "hole 2.5": (ParetoHole(2.5, 3.0), both(stats.pareto(2.5, scale=3))),
    "fair": (TwoPoint(), both(Point(1.0))),
    "two points": (TwoPoint(-1, 4, 0.2), mix((0.8, one(Point(-1.0))), (0.2, one(Point(4.0))))),
    "bernoulli .9": (
        TwoPoint(-0.9, 1 - 0.9, 0.9),
        mix((1 - 0.9, one(Point(-0.9))), (0.9, one(Point(1 - 0.9)))),
    ),
    "never": (TwoPoint(0, 1, 0.0), one(Point(0.0))),
    "constant": (PointMass(-2.0), one(Point(-2.0))),
    "shifted t": (LocationScale(StudentT(2.2), 1.0, 2.0), one(stats.t(2.2, 1, 2))),
    "scaled exponential": (LocationScale(Exponential(), 0.0, 4.0), one(stats.expon(scale=4))),
    "bimodal": (
        bimodal(0.5),
        mix((0.5, one(stats.norm(-1, 0.5))), (0.5, one(stats.norm(1, 0.5)))),
    ),
    "cauchy exponential": (
        cauchy_exponential(),
        mix((0.7, one(stats.cauchy())), (0.3, one(stats.expon(-1)))),
    ),
    "cauchy pareto": (
        cauchy_pareto(),
        mix((0.7, one(stats.cauchy())), (0.3, one(stats.pareto(3, loc=-1.5)))),
    ),
    "three parts": (
        Mixture((SymmetricLomax(1.5), Uniform(0, 1), bimodal(0.1)), (0.5, 0.0, 0.5)),
        mix(
            (0.5, both(stats.lomax(1.5))),
            (0.25, one(stats.norm(-1, 0.1))),
            (0.25, one(stats.norm(1, 0.1))),
        ),
    ),
    "bounded mixture": (
        Mixture((Uniform(), Uniform(0, 4)), (0.5, 0.5)),
        mix((0.5, one(stats.uniform(-1, 2))), (0.5, one(stats.uniform(0, 4)))),
    ),
    "contaminated": (
        Contaminated(Gaussian(), 0.1, Cauchy(10.0)),
        mix((0.9, one(stats.norm())), (0.1, one(stats.cauchy(scale=10)))),
    ),
    "outliers": (
        Contaminated(Laplace(), 0.05, PointMass(20.0)),
        mix((0.95, one(stats.laplace())), (0.05, one(Point(20.0)))),
    ),
    "clean": (Contaminated(Cauchy(), 0.0, PointMass(20.0)), one(stats.cauchy())),
    "scipy t": (Scipy(stats.t(2.5, scale=2), symmetric=True), one(stats.t(2.5, scale=2))),
    "scipy gamma": (Scipy(stats.gamma(2.5)), one(stats.gamma(2.5))),
    "scipy poisson": (Scipy(stats.poisson(3.0)), one(stats.poisson(3.0))),
}
NAMES = list(LAWS)
CONTINUOUS = [name for name in NAMES if not LAWS[name][0].has_atoms]


def reference_cdf(reference, x, strict=False):
    """P(xi <= x), or P(xi < x) if strict."""
    total = 0.0
    for weight, sign, frozen in reference:
        if sign > 0:
            below = frozen.cdf(np.nextafter(x, -np.inf) if strict else x)
        else:
            below = frozen.sf(-x if strict else np.nextafter(-x, -np.inf))
        total = total + weight * below
    return total


def every_class():
    """All concrete laws of the package."""
    found, todo = set(), [Noise]
    while todo:
        for cls in todo.pop().__subclasses__():
            todo.append(cls)
            if cls.__module__.startswith("hbucb.") and hasattr(cls, "__dataclass_fields__"):
                found.add(cls)
    return found


def test_registry_and_gallery_cover_the_package():
    assert {type(law) for law, _ in LAWS.values()} == every_class()
    assert all(isinstance(law, Noise) for law in gallery().values())
    assert gallery() == gallery() and gallery() is not gallery()
    assert set(hbucb.noise.__all__) <= set(dir(hbucb.noise))


@pytest.mark.parametrize("law", [law for law, _ in LAWS.values()] + list(gallery().values()))
def test_a_law_survives_repr_pickle_and_hash(law):
    copies = [eval(repr(law), dict(vars(hbucb.noise))), pickle.loads(pickle.dumps(law))]
    law.sample(3, seed=0)  # whatever is cached by use must not change the identity of a law
    copies.append(pickle.loads(pickle.dumps(law)))
    for copy in copies:
        assert copy == law and hash(copy) == hash(law) and repr(copy) == repr(law)
        assert np.array_equal(copy.sample(20, seed=3), law.sample(20, seed=3))
    assert " at 0x" not in repr(law) and "np.float64" not in repr(law)


def test_numbers_are_stored_as_floats_so_that_equal_laws_have_one_repr():
    assert repr(Cauchy(1)) == repr(Cauchy(np.float64(1.0))) == "Cauchy(scale=1.0)"
    assert repr(Scipy(stats.t(3))) == repr(Scipy(stats.t(df=np.int64(3))))


def test_every_public_object_has_an_example():
    for name in hbucb.noise.__all__:
        assert ">>>" in getattr(hbucb.noise, name).__doc__, name


def test_infinite_declared_facts_have_a_repr_that_evaluates():
    law = Scipy(stats.norm(), tail_index=math.inf, subgaussian=math.inf)
    assert eval(repr(law), {"Scipy": Scipy}) == law
