"""The list of cases in which a theorem may speak, and in which it must not."""

import math
from dataclasses import dataclass

import pytest
from scipy import stats

import hbucb as hb
from hbucb import assumptions as a


@dataclass(frozen=True)
class Law:
    """Facts given by hand."""

    symmetric: bool | None = None
    unimodal: bool | None = None
    subgaussian: float | None = None
    mean: float = 0.0
    variance: float = 1.0
    support: tuple[float, float] = (-math.inf, math.inf)

    def moment(self, order, about=0.0):
        return math.nan

    def mass(self, r):
        return 0.5


@dataclass(frozen=True)
class Arms:
    laws: tuple
    loc: tuple = (0.0, 1.0)


def bandit(*laws, loc=None):
    return hb.Bandit(loc or [float(i) for i in range(len(laws))], list(laws))


cauchy, gauss, student = hb.noise.Cauchy(), hb.noise.Gaussian(), hb.noise.StudentT(2.5)
frechet, uniform, laplace = hb.noise.Frechet(1.25), hb.noise.Uniform(), hb.noise.Laplace()

HOLDS = [
    (a.symmetric(), bandit(cauchy, gauss)),
    (a.symmetric(), bandit(uniform, uniform)),
    (a.unimodal(), bandit(cauchy, gauss)),
    (a.subgaussian(1.0), bandit(gauss, gauss)),
    (a.subgaussian(2.0), bandit(gauss, gauss)),
    (a.subgaussian(0.5), hb.BernoulliBandit([0.2, 0.5])),
    (a.mean_is_loc(), bandit(gauss, student)),
    (a.mean_is_loc(), hb.BernoulliBandit([0.3, 0.7])),
    (a.common_mean(), bandit(frechet, frechet)),
    (a.central_moment(2.0, 1.0), bandit(gauss, gauss)),
    (a.central_moment(2.0, 5.0), bandit(student, student)),
    (a.raw_moment(2.0, 2.0), bandit(gauss, gauss, loc=[0.0, 1.0])),
    (a.noise_moment(0.5, math.sqrt(2)), bandit(cauchy, cauchy)),
    (a.mass_within(1.0, 0.5), bandit(cauchy, cauchy)),
    (a.bounded(0.0, 1.0), hb.BernoulliBandit([0.2, 0.5])),
    (a.bernoulli(), hb.BernoulliBandit([0.2, 0.5])),
    (a.locations_within(0.0, 1.0), bandit(cauchy, cauchy)),
]

FAILS = [
    (a.symmetric(), bandit(frechet, frechet), "Frechet"),
    (a.symmetric(), bandit(cauchy, frechet), "arm 1: Frechet"),
    (a.subgaussian(1.0), bandit(cauchy, cauchy), "not sub-Gaussian"),
    (a.subgaussian(1.0), bandit(laplace, laplace), "not sub-Gaussian"),
    (a.subgaussian(0.9), bandit(gauss, gauss), "variance 1 > 0.81"),
    (a.mean_is_loc(), bandit(cauchy, cauchy), "no finite mean"),
    (a.mean_is_loc(), bandit(frechet, frechet), "has mean 4.59"),
    (a.common_mean(), bandit(gauss, frechet), "arm 1: Frechet"),
    (a.common_mean(), bandit(cauchy, cauchy), "no finite mean"),
    (a.central_moment(2.0, 0.99), bandit(gauss, gauss), "is 1 > 0.99"),
    (a.central_moment(1.5, 1.0), bandit(cauchy, cauchy), "no finite mean"),
    (a.central_moment(3.0, 1e9), bandit(student, student), "inf"),
    (a.raw_moment(2.0, 1.5), bandit(gauss, gauss, loc=[0.0, 1.0]), "location 1"),
    (a.noise_moment(1.0, 100.0), bandit(cauchy, cauchy), "inf"),
    (a.mass_within(0.9, 0.5), bandit(cauchy, cauchy), "P("),
    (a.bounded(0.0, 1.0), bandit(gauss, gauss), "inf"),
    (a.bounded(0.0, 0.9), hb.BernoulliBandit([0.2, 0.5]), "rewards in"),
    (a.bernoulli(), bandit(gauss, gauss), "comes from a Bandit"),
    (a.locations_within(0.0, 0.5), bandit(cauchy, cauchy), "arm 1"),
]


@pytest.mark.parametrize(("predicate", "arms"), HOLDS, ids=lambda x: getattr(x, "name", ""))
def test_cases_that_hold(predicate, arms):
    assert predicate.failure(arms) is None
    a.check(arms, [predicate], of="Theorem 1")


@pytest.mark.parametrize(
    ("predicate", "arms", "words"), FAILS, ids=lambda x: getattr(x, "name", "")
)
def test_cases_that_fail(predicate, arms, words):
    sentence = predicate.failure(arms)
    assert sentence is not None and words in sentence
    with pytest.raises(a.AssumptionError) as error:
        a.check(arms, [predicate], of="Theorem 1", declare=[predicate.name])
    assert str(error.value).startswith(f"Theorem 1 needs {predicate.text}; ")
    assert "cannot be declared" in str(error.value)


UNKNOWN = [
    a.symmetric(),
    a.unimodal(),
    a.subgaussian(1.0),
    a.central_moment(1.5, 1.0),
    a.raw_moment(1.5, 1.0),
    a.noise_moment(0.5, 1.0),
]


@pytest.mark.parametrize("predicate", UNKNOWN, ids=lambda x: x.name)
def test_unknown_fails_unless_declared(predicate):
    arms = Arms((Law(), Law()))
    with pytest.raises(a.AssumptionError, match="not known"):
        a.check(arms, [predicate], of="Theorem 1")
    a.check(arms, [predicate], of="Theorem 1", declare=[predicate.name])


def test_a_false_fact_outweighs_an_unknown_one():
    arms = Arms((Law(symmetric=None), Law(symmetric=False)))
    assert a.symmetric().examine(arms)[0] is False
    loose = Arms((Law(subgaussian=2.0, variance=0.5),) * 2)
    assert a.subgaussian(1.0).examine(loose)[0] is None
    assert a.subgaussian(1.0).examine(Arms((Law(subgaussian=2.0, variance=1.5),) * 2))[0] is False


def test_message_is_the_designed_one():
    arms = bandit(frechet, frechet)
    with pytest.raises(a.AssumptionError) as error:
        a.check(arms, [a.symmetric()], of="Theorem 10")
    assert str(error.value) == f"Theorem 10 needs symmetric noise; {frechet!r} is not symmetric"
    with pytest.raises(a.AssumptionError, match="it also needs noise of mean 0"):
        a.check(arms, [a.symmetric(), a.mean_is_loc()], of="Theorem 10")
    assert issubclass(a.AssumptionError, ValueError)


def test_bound_records_and_leaves_the_function_alone():
    @a.bound(source="S", status="stated", needs=["x"], rate="T", algorithm="A")
    def example(gaps, horizon):
        return horizon

    assert example([0.0], 3) == 3
    assert example.bound == a.BoundInfo("example", "A", "S", "stated", ("x",), "T")
    with pytest.raises(ValueError, match="status is 'true'"):
        a.bound(source="S", status="true", needs=[], rate="T", algorithm="A")
    with pytest.raises(ValueError, match="needs is the string"):
        a.bound(source="S", status="proved", needs="x", rate="T", algorithm="A")


def test_bad_input_is_named():
    arms = bandit(gauss, gauss)
    with pytest.raises(ValueError, match="declare holds moon"):
        a.check(arms, [a.symmetric()], of="Theorem 1", declare=["moon"])
    with pytest.raises(ValueError, match="declare is the string"):
        a.check(arms, [a.symmetric()], of="Theorem 1", declare="symmetric")
    with pytest.raises(ValueError, match=r"sigma is 0\.0"):
        a.subgaussian(0.0)
    with pytest.raises(ValueError, match="order is -1"):
        a.central_moment(-1, 1.0)
    with pytest.raises(ValueError, match=r"probability is 1\.5"):
        a.mass_within(1.0, 1.5)
    for interval in (a.bounded, a.locations_within):
        with pytest.raises(ValueError, match="lo <= hi"):
            interval(1, 0)


@pytest.mark.parametrize("bad", [None, 5, [5], "symmetric"])
def test_declare_must_be_a_sequence_of_names(bad):
    with pytest.raises(ValueError, match="declare is"):
        a.check(bandit(gauss), [a.symmetric()], of="Theorem 1", declare=bad)


def test_what_is_no_bandit_and_what_has_contexts():
    with pytest.raises(ValueError, match="bandit is 5"):
        a.check(5, [a.symmetric()], of="Theorem 1")
    contextual = hb.LinearContextualBandit([[[1.0], [2.0]]], [1.0], [1.0], gauss)
    with pytest.raises(a.AssumptionError, match="Theorem 1 is about bandits without contexts"):
        a.check(contextual, [a.symmetric()], of="Theorem 1")
    with pytest.raises(a.AssumptionError, match="without contexts"):
        hb.UCB(1.0).regret_bound(contextual, 10)


def test_a_wrapped_law_tells_how_to_state_what_is_not_known():
    arms = bandit(stats.norm())
    with pytest.raises(
        a.AssumptionError, match=r"law of hb\.noise.*Scipy\(law, subgaussian=\.\.\.\)"
    ):
        a.check(arms, [a.subgaussian(1.0)], of="Theorem 1")
    a.check(
        bandit(hb.noise.Scipy(stats.norm(), subgaussian=1.0)), [a.subgaussian(1.0)], of="Theorem 1"
    )


@pytest.mark.parametrize("predicate", [a.mean_is_loc(), a.common_mean(), a.central_moment(2, 1)])
def test_a_mean_that_nobody_knows_is_unknown_and_not_false(predicate):
    arms = bandit(stats.alpha(2.0))
    assert predicate.examine(arms)[0] is None
    with pytest.raises(a.AssumptionError, match=r"Scipy\(law, mean=\.\.\.\) \(declare="):
        a.check(arms, [predicate], of="Theorem 1")
    assert predicate.examine(bandit(stats.cauchy()))[0] is False


def test_a_square_beyond_the_range_of_floats():
    with pytest.raises(ValueError, match="sigma is 1e"):
        a.subgaussian(1e160)
    assert a.subgaussian(1e150).failure(bandit(gauss)) is None
    assert a.subgaussian(1.0).examine(bandit(hb.noise.Gaussian(1e160)))[0] is False
    assert a.subgaussian(1e150).examine(bandit(stats.norm()))[0] is None
