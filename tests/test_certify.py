"""The certifier: its counts against exact probabilities, its limits, and what it refuses.

Statistical tests have fixed seeds and a false-alarm probability of at most 1e-8 each.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import certify
from hbucb import estimators as est
from hbucb.assumptions import AssumptionError
from hbucb.certify.tapes import count
from hbucb.estimators.rows import estimate_rows, upper_rows
from hbucb.noise import Cauchy, Exponential, Gaussian, Mixture, ParetoHole, StudentT, TwoPoint
from hbucb.optimizers import Guarantee, MeanSGD, SubGaussianG, SubGaussianUniformG
from hbucb.statistics import clopper_pearson, failure_evalue, mean_evalue

ALARM = 1e-8


def agrees(certificate, probability):
    """Whether the count of the worst side is one that this probability gives."""
    low, high = clopper_pearson(certificate.failures, certificate.trials, 1 - ALARM)
    return low <= probability <= high


# ------------------------------------------------------------------ counts are right
def test_radius_of_the_mean_fails_as_often_as_the_normal_law_says():
    mean, n, delta = est.SampleMean(1.0), 5, 0.3
    radius = math.sqrt(2 * math.log(1 / delta) / n)
    one = stats.norm.sf(radius * math.sqrt(n))
    for sides, exact in (("above", one), ("below", one), ("both", 2 * one)):
        got = certify.radius(mean, Gaussian(), n=n, delta=delta, sides=sides)
        assert got.verdict == "certified" and agrees(got, exact)
    each = certify.radius(mean, Gaussian(), n=n, delta=delta)
    assert [side for side, _ in each.counts] == ["error above", "error below"]
    both = certify.radius(mean, Gaussian(), n=n, delta=delta, sides="both")
    assert sum(k for _, k in each.counts) == both.failures  # the same tapes
    half = certify.radius(mean, Gaussian(), n=n, delta=delta, factor=0.5, sides="above")
    assert agrees(half, stats.norm.sf(0.5 * radius * math.sqrt(n)))


def test_sides_are_told_apart_on_a_skew_law():
    # One exponential reward, radius r: above the mean 1 by r with probability exp(-1 - r).
    got = certify.radius(
        est.SampleMean(2.0),
        Exponential(),
        n=1,
        delta=0.5,
        claimed=lambda n, d: 0.5 + 0.0 * n,
        outside=True,
    )
    counts = dict(got.counts)
    assert got.side == "error below" and agrees(got, 1 - math.exp(-0.5))
    above = certify.Certificate("", None, 1, 0.5, (("a", counts["error above"]),), got.trials)
    assert agrees(above, math.exp(-1.5))


def test_uniform_failures_are_those_of_any_count():
    # Fair +-1 rewards and the radius 1/2: the mean of the first reward fails always, and from
    # n = 4 on never if |S_k| <= k/2 for all k; counted by brute force over all 2^6 paths.
    paths = np.array(np.meshgrid(*[[-1.0, 1.0]] * 6)).reshape(6, -1).T
    means = np.cumsum(paths, axis=1) / np.arange(1, 7)
    for r in (0.4, 0.7):
        table = np.where(np.arange(1, 7) >= 3, r, np.inf)
        exact = (np.abs(means) > table).any(axis=1).mean()
        got = certify.radius(
            MeanSGD(),
            TwoPoint(),
            n=6,
            delta=0.5,
            sides="both",
            uniform=True,
            claimed=lambda n, d, r=r: np.where(np.asarray(n) >= 3, r, np.inf),
        )
        assert agrees(got, exact)
        one = certify.radius(
            MeanSGD(),
            TwoPoint(),
            n=6,
            delta=0.5,
            sides="both",
            claimed=lambda n, d, r=r: r + 0.0 * np.asarray(n),
        )
        assert agrees(one, (np.abs(means[:, -1]) > r).mean())


def test_index_of_the_batch_policy_fails_as_often_as_the_normal_law_says():
    policy, delta = hb.UCB(sigma=1.0, delta=0.2), 0.2
    got = certify.index(policy, Gaussian(), n=7, loc=3.0)
    assert got.delta == delta and agrees(got, stats.norm.sf(math.sqrt(2 * math.log(5))))
    scaled = certify.index(policy, Gaussian(), n=7, factor=0.25)
    assert agrees(scaled, stats.norm.sf(0.25 * math.sqrt(2 * math.log(5))))
    # At some of two counts: a bivariate normal probability, by quadrature over the first.
    r = math.sqrt(2 * math.log(5))
    x = np.linspace(-r, 9.0, 40_001)
    both_fine = np.trapezoid(stats.norm.pdf(x) * stats.norm.sf(-r * math.sqrt(2) - x), x)
    assert agrees(certify.index(policy, Gaussian(), n=2, uniform=True), 1 - both_fine)


def test_index_of_a_radius_that_grows_with_t_is_that_of_the_next_choice():
    # After 3 pulls t = 3 and the radius .36 makes up for a mean of -1/3; that of t = 2 would not.
    policy = hb.UCB(sigma=0.3, kind="anytime")
    got = certify.index(policy, TwoPoint(), n=3, delta=1 / 9, horizon=50, outside=True)
    x = np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1).T
    uppers = [policy.index(row.tolist(), 3, 50) for row in x]
    assert np.mean([upper < 0 for upper in uppers]) == 1 / 8 and agrees(got, 1 / 8)
    with pytest.raises(ValueError, match="delta is needed"):
        certify.index(policy, TwoPoint(), n=3)


def test_exact_upper_limits():
    n, delta = 12, 0.1
    rank = int(est.upper_rank(n, delta))
    got = certify.index(est.OrderStatistic(), Cauchy(), n=n, delta=delta)
    assert got.verdict == "certified" and agrees(got, stats.binom.sf(rank - 1, n, 0.5))
    walsh = certify.index(est.HodgesLehmann(), Cauchy(), n=n, delta=delta)
    rank = est.hodges_lehmann.signed_rank_rank(n, delta)
    exact = (
        sum(  # all 2^12 sets of ranks
            sum(j + 1 for j in range(n) if bits >> j & 1) >= rank for bits in range(2**n)
        )
        / 2**n
    )
    assert walsh.verdict != "refuted" and agrees(walsh, exact)


def test_estimates_of_rows_are_those_of_the_estimators():
    delta = 0.2
    estimators = [
        est.SampleMean(),
        est.SampleMedian(),
        est.Catoni(2.0),
        est.TruncatedMean(0.5, 3.0),
        est.MedianOfMeans(0.5, 2.0),
        est.GeometricMedianOfMeans(2.0),
        est.TrimmedMean(1.0),
        est.SmoothedMedianOfMeans(2),
        est.PRobustMean(1.5, 1.0, 2.0),
        est.Huber(1.0),
        est.Huber(4.0),
        est.HodgesLehmann(),
    ]
    for law in (StudentT(2.5), TwoPoint(), ParetoHole(0.5)):
        for n in (80, 81):
            x = law.sample((20, n), seed=3)
            for estimator in estimators:
                want = [estimator.estimate(row, delta) for row in x]
                assert estimate_rows(estimator, x, delta) == pytest.approx(want, rel=1e-9, abs=1e-9)
            for estimator, upper in (
                (est.OrderStatistic(), "estimate"),
                (est.HodgesLehmann(), "upper"),
            ):
                want = [getattr(estimator, upper)(row, delta) for row in x]
                assert upper_rows(estimator, x, delta).tolist() == want
    short = np.zeros((3, 2))
    assert (upper_rows(est.OrderStatistic(), short, 0.01) == math.inf).all()
    assert (upper_rows(est.HodgesLehmann(), short, 0.01) == math.inf).all()
    infinite = np.array([[math.inf, 0.0, 2.0], [1.0, 2.0, 3.0]])
    assert estimate_rows(est.Huber(1.0), infinite, 0.1).tolist() == [2.0, 2.0] or (
        estimate_rows(est.Huber(1.0), infinite, 0.1).tolist()
        == [est.Huber(1.0).estimate(row, 0.1) for row in infinite]
    )
    with pytest.raises(ValueError, match="theta = 1"):
        estimate_rows(est.SmoothedMedianOfMeans(1, theta=1.0), np.zeros((2, 9)), 0.1)
    with pytest.raises(ValueError, match="no upper limit"):
        upper_rows(est.SampleMean(), short, 0.1)


# ------------------------------------------------------------------ reproducible
@pytest.mark.parametrize(
    "law", [Cauchy(), Mixture((Gaussian(), Cauchy(), TwoPoint()), (0.5, 0.3, 0.2))]
)
def test_counts_do_not_depend_on_the_chunk(law):
    median = est.SampleMedian(0.2, 1.0)
    same = [
        certify.radius(
            median,
            law,
            n=9,
            delta=0.2,
            trials=200,
            chunk=chunk,
            factor=0.3,
            outside=True,
            progress=False,
        ).counts
        for chunk in (1, 7, 100, None)
    ]
    assert same[0][0][1] > 10 and all(counts == same[0] for counts in same)
    policy = hb.RobustUCB(est.TruncatedMean(1.0, 1.0), delta=0.3)
    same = [
        certify.index(policy, Gaussian(), n=9, trials=200, chunk=chunk, factor=0.1).counts
        for chunk in (1, 7, 100, None)
    ]
    assert same[0][0][1] > 10 and all(counts == same[0] for counts in same)
    other = certify.radius(
        median, law, n=9, delta=0.2, trials=200, factor=0.3, outside=True, seed=1
    )
    assert (
        other.counts
        != certify.radius(median, law, n=9, delta=0.2, trials=200, factor=0.3, outside=True).counts
    )


def test_own_draws_of_an_optimizer_are_keyed_by_trial():
    from hbucb.optimizers import ClippedSGD, DecreasingSchedule

    noisy = ClippedSGD(DecreasingSchedule(0.5, 2.0), m=1, n=1, theta=3.0, p=0)
    wide = lambda n, d: 1.0 + 0.0 * np.asarray(n)  # noqa: E731
    counts = [
        certify.radius(noisy, Cauchy(), n=12, delta=0.5, trials=60, claimed=wide, chunk=c).counts
        for c in (1, 7, 60)
    ]
    assert counts[0] == counts[1] == counts[2] and 0 < counts[0][0][1] < 60


def test_default_chunks_bound_the_memory():
    rows = []

    def fails(x, first):
        rows.append(len(x))
        return {"failure": x[:, 0] > 0}

    count(fails, Gaussian(), 10_000, loc=0.0, trials=1000, seed=0)
    assert sum(rows) == 1000 and max(rows) * 10_000 * 64 <= 128 * 2**20


# ------------------------------------------------------------------ verdicts and evidence
def test_verdicts():
    def made(failures, trials, delta, sides=1):
        counts = tuple((f"s{i}", failures if i == 0 else 0) for i in range(sides))
        return certify.Certificate("claim", Gaussian(), 1, delta, counts, trials, 1e-6)

    assert made(0, 20_000, 0.05).verdict == "certified"
    assert made(1000, 20_000, 0.05).verdict == "open"
    assert made(1200, 20_000, 0.05).verdict == "refuted"
    assert {made(k, 100, 0.3).verdict for k in range(101)} <= set(certify.VERDICTS)
    assert made(3, 100, 0.3, sides=2).high > made(3, 100, 0.3).high  # the alarm is shared
    low, high = clopper_pearson(1200, 20_000, 1 - 1e-6)
    assert (made(1200, 20_000, 0.05).low, made(1200, 20_000, 0.05).high) == (low, high)
    text = str(made(1200, 20_000, 0.05))
    assert text.startswith("REFUTED: claim, n = 1, Gaussian(scale=1.0): s0 in 1200 of 20000")


def test_verdicts_are_wrong_no_more_often_than_stated():
    # Exactly, over all counts: P(not the true verdict) <= alarm, on both sides of the claim.
    trials, alarm = 300, 0.02
    k = np.arange(trials + 1)
    verdict = np.array(
        [certify.Certificate("", None, 1, 0.1, (("s", int(i)),), trials, alarm).verdict for i in k]
    )
    for p in (0.05, 0.0999, 0.1, 0.1001, 0.15):
        law = stats.binom.pmf(k, trials, p)
        wrong = law[verdict == ("refuted" if p <= 0.1 else "certified")].sum()
        assert wrong <= alarm / 2


def test_evalues_have_mean_at_most_one_and_grow_where_the_claim_is_false():
    k, trials, delta = np.arange(61), 60, 0.1
    evalues = np.array([failure_evalue(int(i), trials, delta) for i in k])
    for p, least, most in ((0.1, 1 - 1e-9, 1 + 1e-9), (0.05, 0.0, 1.0), (0.2, 1e3, math.inf)):
        mean = (stats.binom.pmf(k, trials, p) * evalues).sum()
        assert least <= mean <= most
    # By hand for one stake list: the average of products.
    from hbucb.statistics.betting import STAKES

    hand = np.mean((1 - STAKES + STAKES / 0.1) ** 3 * (1 - STAKES) ** 2)
    assert failure_evalue(3, 5, 0.1) == pytest.approx(hand, rel=1e-12)
    assert failure_evalue(5000, 5000, 0.01) == math.inf
    x = np.array([0.0, 2.0, 2.0, 1.0])
    hand = np.mean(np.prod(1 + STAKES[:, None] * (x / 2 / 0.25 - 1), axis=1))
    assert mean_evalue(x, 0.0, 2.0, null=0.5) == pytest.approx(hand, rel=1e-12)
    certificate = certify.Certificate("", None, 1, 0.1, (("a", 30), ("b", 3)), 60)
    assert certificate.evalue == pytest.approx((evalues[30] + evalues[3]) / 2)
    with pytest.raises(ValueError, match=r"delta = 1"):
        failure_evalue(1, 2, 1.0)
    with pytest.raises(ValueError, match="successes"):
        failure_evalue(3, 2, 0.5)
    with pytest.raises(ValueError, match="null"):
        mean_evalue(x, 0.0, 2.0, null=2.0)


# ------------------------------------------------------------------ what is estimated
def test_target_is_the_mean_or_the_location():
    skew = Exponential()  # mean 1, written about 0
    catoni = certify.radius(est.Catoni(1.0), skew, n=40, delta=0.05, loc=5.0)
    assert catoni.verdict == "certified"
    wrong = certify.radius(est.Catoni(1.0), skew, n=40, delta=0.05, loc=5.0, target=5.0)
    assert wrong.verdict == "refuted"
    huber = est.Huber(4.0, 0.7, 2.0)
    moved = certify.radius(huber, Cauchy(), n=60, delta=0.05, loc=-7.0, trials=3000)
    assert moved.verdict == "certified"
    # Outside its class Huber is judged at the location, which it misses.
    assert (
        certify.radius(huber, skew, n=400, delta=0.05, outside=True, trials=2000).verdict
        == "refuted"
    )
    policy = hb.UCB(sigma=1.0, delta=0.01)  # gaps of means: the index is about the mean
    rademacher = TwoPoint(0.0, 1.0, 0.5)
    assert certify.index(policy, rademacher, n=50).failures == 0
    assert certify.index(policy, rademacher, n=900, target=0.99, trials=2000).verdict == "refuted"


# ------------------------------------------------------------------ refusals
def test_a_law_outside_the_class_is_refused_unless_asked_for():
    huber, n = est.Huber(4.0, 0.7, 2.0), 60
    with pytest.raises(AssumptionError, match=r"symmetric.*outside=True"):
        certify.radius(huber, Exponential(), n=n, delta=0.05)
    with pytest.raises(AssumptionError, match=r"the upper limit of.*symmetric.*outside=True"):
        certify.index(est.HodgesLehmann(), Exponential(), n=n, delta=0.05)
    with pytest.raises(AssumptionError, match=r"bound of UCB.*outside=True"):
        certify.index(hb.UCB(1.0), Cauchy(), n=n)
    with pytest.raises(AssumptionError, match=r"not for BlockMedians.*outside=True"):
        certify.radius(
            est.MedianOfMeans().running(est.FixedLevel(0.05)),
            Gaussian(),
            n=n,
            delta=0.05,
            g=SubGaussianG(),
        )
    assert certify.index(hb.UCB(1.0), Cauchy(), n=n, outside=True).verdict == "refuted"


@dataclass(frozen=True)
class Negative(Guarantee):
    def __call__(self, k, delta):
        return -1.0 - 0.0 * np.asarray(k)

    def proved_for(self, optimizer, delta):
        return ""


def test_arguments_are_refused_by_name():
    mean, law = est.SampleMean(), Gaussian()
    good = {"n": 5, "delta": 0.1, "trials": 10}
    for change, words in (
        ({"n": 0}, "n = 0"),
        ({"delta": 1.0}, "delta must be a probability"),
        ({"trials": 0}, "trials = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"sides": "left"}, "sides = 'left'"),
        ({"factor": 0.0}, "factor must be"),
        ({"loc": math.inf}, "loc must be"),
        ({"alarm": 0.0}, "alarm must be"),
        ({"chunk": 0}, "chunk = 0"),
        ({"g": Negative()}, "at n = 5 must be a number >= 0"),
    ):
        with pytest.raises(ValueError, match=words):
            certify.radius(mean, law, **{**good, **change})
    with pytest.raises(ValueError, match="has no radius"):
        certify.radius(est.OrderStatistic(), law, **good)
    with pytest.raises(ValueError, match="infinite at n = 5: nothing is claimed"):
        certify.radius(est.MedianOfMeans(), law, **good)
    with pytest.raises(ValueError, match="horizon"):
        certify.index(hb.UCB(1.0), law, n=5, horizon=4)
    with pytest.raises(ValueError, match="need a batch policy"):
        certify.index(est.OrderStatistic(), law, n=5, delta=0.1, uniform=True)
    with pytest.raises(ValueError, match="no table of radii"):
        certify.index(hb.UCB(1.0, kind="anytime"), law, n=5, delta=0.1, factor=0.5)
    with pytest.raises(ValueError, match="its state has no indices"):
        certify.index(hb.ThompsonSampling(), law, n=5, delta=0.1, outside=True, trials=2)
    with pytest.raises(ValueError, match="fails gave float64"):
        certify.event(lambda x: x[:, 0], law, n=2, delta=0.1)
    with pytest.raises(ValueError, match="fails gave bool of shape"):
        certify.event(lambda x: x > 0, law, n=2, delta=0.1)
    bandit = hb.Bandit([0.0, 1.0], law)
    with pytest.raises(ValueError, match="one of them must be above 0"):
        certify.regret_bound(hb.UCB(), hb.Bandit([1.0, 1.0], law), 10)
    with pytest.raises(ValueError, match="claimed = -1"):
        certify.regret_bound(hb.UCB(), bandit, 10, claimed=-1.0)
    with pytest.raises(AssumptionError, match="UCB"):
        certify.regret_bound(hb.UCB(), hb.Bandit([0.0, 1.0], Cauchy()), 10)


# ------------------------------------------------------------------ guarantees and regret
def test_guarantees_of_the_mean():
    laws = (Gaussian(), TwoPoint(), hb.noise.Uniform(-1.5, 1.5))
    for law in laws:
        for g, sides in (
            (SubGaussianG(sides=1), "each"),
            (SubGaussianG(), "both"),
            (SubGaussianUniformG(), "both"),
        ):
            got = certify.radius(MeanSGD(), law, n=40, delta=0.05, g=g, sides=sides)
            assert got.verdict == "certified", str(got)
    # The radius of one count does not hold at all counts, the mixture's does.
    assert (
        certify.radius(
            MeanSGD(), Gaussian(), n=100, delta=0.05, g=SubGaussianG(sides=1), uniform=True
        ).verdict
        == "refuted"
    )
    order = hb.optimizers.Distance(SubGaussianG(sides=1))
    first = certify.radius(MeanSGD(), Gaussian(), n=9, delta=0.1, g=order)
    assert (
        first.counts
        == certify.radius(MeanSGD(), Gaussian(), n=9, delta=0.1, g=SubGaussianG(sides=1)).counts
    )


def test_regret_certificate():
    bandit = hb.Bandit([0.0, 1.0], Gaussian())
    got = certify.regret_bound(hb.UCB(), bandit, 500, trials=100, seed=3)
    plain = hb.simulate(bandit, hb.UCB(), horizon=500, trials=100, seed=3)["UCB"].regret[:, -1]
    assert got.mean == pytest.approx(plain.mean()) and got.low < got.mean < got.high
    assert got.bound == hb.UCB().regret_bound(bandit, 500) and got.trivial == 500.0
    assert got.verdict == "certified" and got.evalue < 1 and not got.vacuous
    assert str(got).startswith("CERTIFIED: E R_T of UCB(")
    false = certify.regret_bound(
        hb.UCB(), bandit, 500, trials=100, seed=3, claimed=plain.mean() / 3
    )
    assert false.verdict == "refuted" and false.evalue > 1e6
    empty = certify.regret_bound(hb.UCB(), bandit, 20, trials=20)
    assert empty.vacuous and empty.verdict == "certified" and "says nothing" in str(empty)
