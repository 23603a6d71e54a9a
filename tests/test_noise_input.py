"""Every parameter of every law is checked: the error names it, its value and what is allowed."""

import math

import pytest

from hbucb.noise import (
    Cauchy,
    Contaminated,
    Exponential,
    Frechet,
    Gaussian,
    Laplace,
    LocationScale,
    Mixture,
    Pareto,
    ParetoHole,
    PointMass,
    StudentT,
    SymmetricLomax,
    TwoPoint,
    Uniform,
    bimodal,
)

POSITIVE = [
    (Gaussian, "scale", {}),
    (Laplace, "scale", {}),
    (Exponential, "scale", {}),
    (Cauchy, "scale", {}),
    (StudentT, "df", {}),
    (StudentT, "scale", {"df": 2.0}),
    (SymmetricLomax, "alpha", {}),
    (SymmetricLomax, "scale", {"alpha": 1.0}),
    (ParetoHole, "alpha", {}),
    (ParetoHole, "hole", {"alpha": 1.0}),
    (Frechet, "alpha", {}),
    (Frechet, "scale", {"alpha": 1.0}),
    (Pareto, "alpha", {}),
    (Pareto, "scale", {"alpha": 1.0}),
    (LocationScale, "scale", {"law": Cauchy()}),
    (bimodal, "scale", {}),
]


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, "1", None, True, 1j, [1.0]])
@pytest.mark.parametrize(("law", "name", "others"), POSITIVE)
def test_parameters_that_must_be_positive(law, name, others, value):
    with pytest.raises(ValueError) as error:
        law(**{name: value}, **others)
    assert str(error.value) == f"{name} must be a finite number > 0, got {value!r}"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "1", None, True])
@pytest.mark.parametrize(
    ("law", "name", "others"),
    [
        (Uniform, "low", {}),
        (Uniform, "high", {}),
        (TwoPoint, "low", {}),
        (TwoPoint, "high", {}),
        (PointMass, "value", {}),
        (LocationScale, "loc", {"law": Cauchy()}),
    ],
)
def test_parameters_that_must_be_finite(law, name, others, value):
    with pytest.raises(ValueError) as error:
        law(**{name: value}, **others)
    assert str(error.value) == f"{name} must be a finite number, got {value!r}"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Uniform(1.0, 1.0), r"high must be > low = 1\.0, got 1\.0"),
        (lambda: TwoPoint(2.0, 1.0), r"high must be > low = 2\.0, got 1\.0"),
        (lambda: TwoPoint(p=1.1), r"p must be a number in \[0, 1\], got 1\.1"),
        (lambda: TwoPoint(p=math.nan), r"p must be a number in \[0, 1\], got nan"),
        (lambda: LocationScale(3.0), r"law must be a Noise, got 3\.0"),
        (lambda: Mixture((), ()), "equal length >= 1, got 0 and 0"),
        (lambda: Mixture((Cauchy(),), (0.5, 0.5)), "equal length >= 1, got 1 and 2"),
        (lambda: Mixture((Cauchy(), 1.0), (0.5, 0.5)), r"components must be Noise laws, got 1\.0"),
        (lambda: Mixture((Cauchy(), Cauchy()), (0.5, 0.6)), r"sum to 1, got \(0\.5, 0\.6\)"),
        (lambda: Mixture((Cauchy(), Cauchy()), (-0.5, 1.5)), "weights must be >= 0 and sum to 1"),
        (lambda: Mixture((Cauchy(),), (math.nan,)), "weights must be a finite number, got nan"),
        (lambda: Contaminated(Cauchy(), 1.0), r"eps must lie in \[0, 1\), got 1\.0"),
        (lambda: Contaminated(Cauchy(), -0.1), r"eps must lie in \[0, 1\), got -0\.1"),
        (lambda: Contaminated(Cauchy(), math.nan), "eps must be a finite number, got nan"),
        (lambda: Contaminated(1.0, 0.1), r"law must be a Noise, got 1\.0"),
        (lambda: Contaminated(Cauchy(), 0.1, None), "contamination must be a Noise, got None"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_laws_are_frozen():
    with pytest.raises(AttributeError):
        Cauchy().scale = 2.0


def test_mixtures_take_any_sequence_and_store_tuples():
    law = Mixture([Cauchy(), Gaussian()], [0.1, 0.9])
    assert law == Mixture((Cauchy(), Gaussian()), (0.1, 0.9)) and hash(law)
    assert Mixture([Cauchy()] * 10, [0.1] * 10).tail_index == 1.0
