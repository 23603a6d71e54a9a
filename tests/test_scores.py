"""Scores, drift conditions and score SGD: formulas by brute force, theorems by exact limits."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

import hbucb as hb
from hbucb.estimators.block_medians import block_median_variance
from hbucb.near_optimality import median_ratio
from hbucb.noise import (
    Cauchy,
    Contaminated,
    Exponential,
    Gaussian,
    Laplace,
    LocationScale,
    ParetoHole,
    PointMass,
    SymmetricLomax,
    TwoPoint,
    Uniform,
)
from hbucb.optimizers import (
    BernsteinG,
    BiasedG,
    Clip,
    DensityFloor,
    DriftCondition,
    KnownLaw,
    LastIterateG,
    LastIterateUniformG,
    MassWithin,
    OneBit,
    ScoreSGD,
    Sign,
    UnimodalMoment,
    excess_loss,
    huber_point,
    median_misses,
    median_pulls,
    two_point,
    two_point_literal,
)
from hbucb.optimizers import TwoPoint as TwoPointScore

LAWS = [Uniform(), Gaussian(), Laplace(), Cauchy(), SymmetricLomax(0.5), ParetoHole(0.5)]
SKEWED = LocationScale(Exponential(), loc=-math.log(2))


def mean_of(function, law):
    """E function(xi) over 4000 equally likely quantiles, or over the atoms."""
    if law.has_atoms:
        return sum(weight * function(point) for point, weight in law.pmf.items())
    draws = law.ppf((np.arange(4000) + 0.5) / 4000)
    return float(np.mean([function(x) for x in draws.tolist()]))


@pytest.mark.parametrize("law", [*LAWS, SKEWED, TwoPoint()], ids=repr)
@pytest.mark.parametrize("u", [-1.3, -0.4, 0.0, 0.7, 1.0, 2.5])
def test_drifts_are_the_means_of_the_scores(law, u):
    for lam in (0.5, 3.0):
        score = Clip(lam)
        seen = mean_of(lambda x: max(-lam, min(lam, u - x)), law)  # noqa: B023
        assert score.drift(law, u) == pytest.approx(seen, abs=3e-3 * lam)
        square = mean_of(lambda x: max(-lam, min(lam, u - x)) ** 2, law)  # noqa: B023
        assert score.second_moment(law, u) == pytest.approx(square, abs=5e-3 * lam**2)
    sign = mean_of(lambda x: (u > x) - (u < x), law)
    assert Sign().drift(law, u) == pytest.approx(sign, abs=1e-3)
    assert OneBit(1.0).drift(law, u) == pytest.approx(math.tanh(0.5) * sign, abs=1e-3)


def test_drift_of_a_clip_in_closed_form():
    # Cauchy: the primitive of F is v F(v) - ln(1 + v^2) / (2 pi).
    def primitive(v):
        return v * stats.cauchy.cdf(v) - math.log1p(v * v) / (2 * math.pi)

    for lam, u in ((1.0, 2.0), (3.0, 0.5), (2.0, -1.5)):
        want = primitive(u + lam) - primitive(u - lam) - lam
        assert Clip(lam).drift(Cauchy(), u) == pytest.approx(want, abs=1e-10)
    assert Clip(2.0).drift(TwoPoint(), 0.5) == 0.5  # both points are within reach
    assert Clip(1.0).drift(TwoPoint(), 1.5) == pytest.approx((0.5 + 1) / 2)


def test_huber_point_is_the_root():
    for lam in (0.5, 2.0, 20.0):
        point = huber_point(SKEWED, lam)
        assert abs(Clip(lam).drift(SKEWED, point)) < 1e-9
        assert huber_point(Cauchy(), lam) == pytest.approx(0, abs=1e-11)
    assert huber_point(SKEWED, 30.0) == pytest.approx(1 - math.log(2), abs=1e-9)  # the mean
    assert huber_point(SKEWED, 2.0) == pytest.approx(0.254, abs=5e-4)


def test_two_values_are_a_clip_exactly():
    # Dyadic numbers: every operation below is exact in fractions.
    rng = np.random.default_rng(1)
    for _ in range(3000):
        x, reward = (Fraction(int(v), 64) for v in rng.integers(-(10**8), 10**8, 2))
        if rng.random() < 0.5:
            reward = x + Fraction(int(rng.integers(-300, 300)), 64)
        lam = Fraction(int(rng.integers(1, 200)), 64)
        want = (abs(x + lam - reward) - abs(x - lam - reward)) / 2
        assert want == max(-lam, min(lam, x - reward))
        assert float(two_point(float(x), float(reward), float(lam))) == float(want)
        assert float(TwoPointScore(float(lam))(float(x), float(reward))) == float(want)


def test_the_floating_point_trap():
    assert two_point_literal(0.0, 1e15, 1.7) == -1.75
    assert two_point_literal(0.0, 1e16, 1.7) == -2.0
    assert two_point_literal(0.0, 1e17, 1.7) == 0.0
    assert math.isnan(two_point_literal(0.0, math.inf, 1.7))
    far = np.array([1e15, 1e16, 1e17, 1e300, math.inf])
    assert two_point(0.0, far, 1.7).tolist() == [-1.7] * 5
    assert two_point(0.0, -far, 1.7).tolist() == [1.7] * 5
    assert np.isnan(two_point([math.inf, math.nan], [math.inf, 0.0], 1.0)).all()
    rng = np.random.default_rng(2)
    x, reward = rng.normal(size=10**5), rng.standard_cauchy(10**5) * 10
    tame = np.abs(reward) < 1e6
    error = two_point_literal(x, reward, 1.7) - two_point(x, reward, 1.7)
    assert np.abs(error[tame]).max() < 1e-9


def test_the_well_posed_zero_order_problem():
    assert excess_loss(Cauchy(), 1.0) == pytest.approx(0.5 - math.log(2) / math.pi)
    assert excess_loss(Uniform(), 0.5) == pytest.approx(0.125)  # u^2 / 2
    assert excess_loss(TwoPoint(), 0.5) == pytest.approx(0.0)  # flat between the two medians
    for law in (Gaussian(), SKEWED, Uniform(-1.0, 3.0)):
        for u in (-2.0, 0.3, 1.5):
            want = quad(
                lambda v: (abs(u - v) - abs(v)) * float(law.pdf(v)),  # noqa: B023
                -40,
                40,
                points=[0.0, u, -1.0, 3.0, -math.log(2)],
                limit=500,
            )[0]
            assert excess_loss(law, u) == pytest.approx(want, abs=1e-7)
            slope = (excess_loss(law, u + 1e-4) - excess_loss(law, u - 1e-4)) / 2e-4
            assert slope == pytest.approx(Sign().drift(law, u), abs=1e-5)
    with pytest.raises(ValueError, match="u must be a finite number, got inf"):
        excess_loss(Cauchy(), math.inf)


def least_ratio(score, law, reach):
    grid = np.linspace(0.01, 1, 25) * reach
    return min(sign * score.drift(law, sign * u) / u for u in grid.tolist() for sign in (1, -1))


def test_instances_of_the_drift_condition():
    for law in LAWS:
        for reach in (0.5, 1.0, 3.0):
            if law.unimodal:
                least = least_ratio(Sign(), law, reach)
                assert KnownLaw(law).at(reach).slope == pytest.approx(least)
            for s in (1.2,):
                mass = float(law.cdf(s) - law.cdf(-s))
                condition = MassWithin(s, mass).at(reach)
                assert least_ratio(condition.score, law, reach) >= condition.slope - 1e-9
    # Two points: everything within s = 1; the clip at 1 + D has drift exactly u.
    condition = MassWithin(1.0, 1.0).at(2.0)
    assert least_ratio(condition.score, TwoPoint(), 2.0) == pytest.approx(1.0)
    # A clip at s, not at s + D, has no such drift.
    assert least_ratio(Clip(1.0), TwoPoint(), 2.0) < 0.76
    floor = DensityFloor(kappa=float(stats.cauchy.pdf(0.5)), r=0.5)
    for reach in (0.2, 0.5, 2.0):
        assert least_ratio(Sign(), Cauchy(), reach) >= floor.at(reach).slope - 1e-12


def test_unimodal_moment_is_a_lower_bound_and_sharp():
    rng = np.random.default_rng(3)
    grid = np.geomspace(1e-3, 30, 200)
    for alpha in (0.3, 1.0, 2.0):
        know = UnimodalMoment(alpha, 1.0)
        slope = know.slope(grid)
        assert (np.diff(slope) <= 1e-15).all()
        for _ in range(200):
            # xi = +-U Y with Y discrete and E|xi|^alpha = E Y^alpha / (1 + alpha) = 1.
            y, weight = rng.pareto(0.5, 4) + 0.01, rng.dirichlet(np.ones(4))
            y *= ((1 + alpha) / (weight * y**alpha).sum()) ** (1 / alpha)
            inside = (weight * np.minimum(1, grid[:, None] / y)).sum(axis=1)
            assert (inside / grid >= slope * (1 - 1e-12)).all()
        m = (1 + alpha) ** (1 / alpha)  # uniform on (-m, m): equality up to r
        up_to = grid <= know.scale
        assert np.allclose(1 / m, slope[up_to]) and know.at(know.scale).tau <= math.e
        # Beyond r the worst law: an atom at 0 beside Y constant attains the tangent.
        reach = 3 * know.scale
        z = (reach * (1 + alpha) / alpha) ** alpha
        share = (1 + alpha) / z  # P(Y = z^(1/alpha)), the rest at 0
        attained = 1 - share + share * reach / z ** (1 / alpha)
        assert attained / reach == pytest.approx(float(know.slope(reach)))


def test_step_by_hand_and_the_batch():
    # p = 1, uniform noise: rewards 3, -40, 0.2, 1e6 from x0 = 0 on [-2, 2].
    sgd = ScoreSGD(DriftCondition(Sign(), 1.0, 1.0), interval=(-1.0, 1.0), x0=0.0)
    states = [sgd.estimate([3, -40, 0.2, 1e6][:k]) for k in range(5)]
    assert states == pytest.approx([0, 1, 0.5, 0.5 - 1 / 3, 0.5 - 1 / 3 + 0.25])
    run = hb.policies.Run(trials=3, arms=2, horizon=60, seed=1)
    rng = np.random.default_rng(0)
    for sgd in (
        ScoreSGD(DriftCondition(Clip(1.5), 1.0, 0.7), interval=(-0.5, 0.6), x0=0.6, shift=2),
        ScoreSGD(DriftCondition(Sign(), 1.0, 0.5), pulls=5),
    ):
        draws = rng.standard_cauchy((40, 3))
        state = sgd.stream(run)
        flat, first = np.array([0, 3, 4]), sgd.pulls
        if first:
            state.push(flat, np.full(3, first), draws[:first])
            state._first = 0
        for n in range(first, 40):
            got = state.push(flat, np.full(3, n + 1), draws[n])
        assert got.tolist() == [sgd.estimate(draws[:, i].tolist()) for i in range(3)]
        # A plain loop of its own.
        for i in range(3):
            if sgd.interval:
                x, (low, high) = 0.6, sgd.interval
            else:
                x = float(np.median(draws[:5, i]))
                low, high = x - 0.5, x + 0.5
            for k, reward in enumerate(draws[first:, i]):
                z = x - reward
                psi = (
                    math.copysign(1, z)
                    if isinstance(sgd.condition.score, Sign)
                    else (min(1.5, max(-1.5, z)))
                )
                x = min(high, max(low, x - psi / (sgd.condition.slope * (k + sgd.shift))))
            assert got[i] == pytest.approx(x, abs=1e-12)


def test_all_rewards_weigh_the_same():
    p = Fraction(3, 7)
    for k in (1, 2, 9, 40):
        for i in range(k):
            weight = 1 / (p * (i + 1))
            for j in range(i + 1, k):
                weight *= 1 - Fraction(1, j + 1)
            assert weight == 1 / (p * k)


def test_one_step_inequality_on_random_discrete_laws():
    # E cosh(s e') <= exp(s^2 g^2 lam^2 / 2) cosh(s (1 - g p) d), d = (|e| - B)+, for exact p and B.
    rng = np.random.default_rng(4)
    worst = -math.inf
    for _ in range(300):
        x = np.concatenate([rng.standard_cauchy(5), [0.0, 1e6, -1e6]])
        w = rng.dirichlet(np.full(8, 0.7))
        if rng.random() < 0.5:  # symmetric: B = 0
            x, w, bias = np.concatenate([x, -x]), np.concatenate([w, w]) / 2, 0.0
        else:
            bias = None
        u = np.linspace(-1, 1, 401)
        u = u[u != 0]
        for lam in (0.0, 1.5):
            psi = np.sign(u[:, None] - x) if not lam else np.clip(u[:, None] - x, -lam, lam)
            size = lam or 1.0
            h = psi @ w
            b = 0.3 if bias is None else bias
            far = np.abs(u) > b
            p = (np.sign(u[far]) * h[far] / (np.abs(u[far]) - b)).min()
            if p <= 0:
                continue
            for g in (0.1, 1.0, 2.0):
                for s in (0.1, 1.0, 4.0):
                    after = np.maximum(np.abs(u[:, None] - g / p * psi) - b, 0)
                    left = np.log(np.cosh(np.minimum(s * after, 300)) @ w)
                    right = (s * g / p * size) ** 2 / 2 + np.log(
                        np.cosh(s * (1 - g) * np.maximum(np.abs(u) - b, 0))
                    )
                    worst = max(worst, float((left - right).max()))
    assert -1e-3 < worst <= 1e-12


def runs(sgd, law, k, trials=20_000, seed=0, shift=0.0, each=None, corrupt=None):
    """Errors |x_k - mu| of independent runs, mu = shift; `each` is called after every update."""
    rng = np.random.default_rng(seed)
    low, high = sgd.interval
    x = np.full(trials, sgd.x0)
    for j in range(k):
        reward = shift + law.ppf(rng.random(trials))
        if corrupt is not None:
            reward = corrupt(rng, x - shift, reward)
        coin = rng.uniform(-1, 1, trials) if sgd.own else None
        x = sgd.step(x, reward, j, low, high, coin)
        if each is not None:
            each(j + 1, np.abs(x - shift))
    return np.abs(x - shift)


def flagged(failures, trials, delta):
    """Whether so many failures have probability below 1e-6 if the rate is delta."""
    return stats.binom.sf(failures - 1, trials, delta) < 1e-6


@pytest.mark.parametrize("delta", [0.1, 0.01])
@pytest.mark.parametrize(
    ("law", "score"),
    [
        (Uniform(), Sign()),
        (Gaussian(), Sign()),
        (Cauchy(), Sign()),
        (SymmetricLomax(0.5), Sign()),
        (ParetoHole(0.5), Clip(5.0)),
        (TwoPoint(), Clip(2.0)),
        (Cauchy(), Clip(2.0)),
    ],
    ids=str,
)
def test_last_iterate_guarantee(law, score, delta):
    condition = DriftCondition(score, 1.0, 0.5)
    slope = condition.least_slope(law)
    sgd = ScoreSGD(DriftCondition(score, 1.0, slope), interval=(-1.0, 1.0), x0=1.0)
    for k in (50, 200):
        errors = runs(sgd, law, k)
        assert not flagged((errors > sgd.radius(k, delta)).sum(), errors.size, delta)
    assert sgd.radius(k, delta) == pytest.approx(
        math.sqrt(2 * LastIterateG(sgd.condition)(k, delta))
    )


def test_the_constant_cannot_be_improved():
    # Uniform noise, sign: four fifths of the radius fail more often than delta.
    sgd = ScoreSGD(DriftCondition(Sign(), 1.0, 1.0), interval=(-1.0, 1.0), x0=1.0)
    errors = runs(sgd, Uniform(), 400, trials=120_000)
    radius = sgd.radius(400, 1e-3)
    assert not flagged((errors > radius).sum(), errors.size, 1e-3)
    assert flagged((errors > 0.8 * radius).sum(), errors.size, 1e-3)
    # And a slope claimed too large, a hole under the sign, an asymmetry: each is flagged.
    wrong = ScoreSGD(DriftCondition(Sign(), 0.6, 1.6), interval=(-0.6, 0.6), x0=0.6)
    errors = runs(wrong, Cauchy(), 1000, trials=4000)
    assert flagged((errors > wrong.radius(1000, 0.1)).sum(), 4000, 0.1)
    hole = ScoreSGD(DriftCondition(Sign(), 1.0, 0.5), interval=(-1.0, 1.0), x0=1.0)
    errors = runs(hole, ParetoHole(0.5), 1000, trials=4000)
    assert flagged((errors > hole.radius(1000, 0.1)).sum(), 4000, 0.1)
    skew = ScoreSGD(DriftCondition(Clip(2.0), 1.0, 0.8), interval=(-1.0, 1.0), x0=1.0)
    errors = runs(skew, SKEWED, 2000, trials=2000)
    assert flagged((errors > skew.radius(2000, 0.1)).sum(), 2000, 0.1)
    assert np.median(errors) == pytest.approx(huber_point(SKEWED, 2.0), abs=0.02)


@pytest.mark.parametrize(
    ("law", "score", "reach"),
    [(Uniform(), Sign(), 1.0), (Cauchy(), Sign(), 2.0), (ParetoHole(0.5), Clip(5.0), 1.0)],
)
def test_uniform_guarantee_holds_at_all_counts(law, score, reach):
    condition = DriftCondition(score, reach, 0.1)
    condition = replace(condition, slope=condition.least_slope(law))
    sgd = ScoreSGD(condition, interval=(0.0, reach), x0=reach)
    g, failed = LastIterateUniformG(condition), np.zeros(4000, bool)
    k = np.arange(1, 1501)
    radius = np.sqrt(2 * g(k, 0.3))
    # H_k by summing.
    assert radius == pytest.approx(
        condition.tau * np.sqrt((2 * math.log(1 / 0.3) + np.cumsum(1 / k)) / k)
    )
    runs(sgd, law, 1500, trials=4000, each=lambda j, e: failed.__ior__(e >= radius[j - 1]))
    assert not flagged(failed.sum(), 4000, 0.3)
    if isinstance(law, Uniform):  # the fixed-k radius is no uniform one
        seen = np.zeros(4000, bool)
        fixed = sgd.radius(k, 0.3)
        runs(sgd, law, 1500, trials=4000, each=lambda j, e: seen.__ior__(e > fixed[j - 1]))
        assert seen.mean() > 2 * failed.mean()


@pytest.mark.parametrize("adaptive", [False, True])
def test_contamination_costs_a_bias_and_no_more(adaptive):
    clean = DriftCondition(Sign(), 1.0, 0.5)
    condition, bias = clean.contaminated(0.1)
    assert bias == pytest.approx(0.1 / (0.9 * 0.5))
    sgd = ScoreSGD(condition, interval=(-1.0, 1.0), x0=1.0)

    def corrupt(rng, error, reward):
        bad = np.where(error > 0, math.inf, -math.inf) if adaptive else math.inf
        return np.where(rng.random(error.size) < 0.1, bad, reward)

    errors = runs(sgd, Cauchy(), 1000, trials=4000, corrupt=corrupt)
    g = BiasedG(condition, bias)
    assert g(1000, 0.01) == pytest.approx(bias + sgd.radius(1000, 0.01))
    assert not flagged((errors > g(1000, 0.01)).sum(), 4000, 0.01)
    if not adaptive:  # without the bias the radius fails, and the bias is nearly that large
        far = runs(sgd, Cauchy(), 4000, trials=1000, corrupt=corrupt)
        assert flagged((far > sgd.radius(4000, 0.01)).sum(), 1000, 0.01)
        assert np.median(far) == pytest.approx(math.tan(math.pi / 18), abs=0.01)
        assert np.median(far) < bias
    bandit = hb.Bandit([0.0, 0.5], Contaminated(Cauchy(), 0.1, PointMass(1e9)))
    assert condition.holds_beyond(bias).failure(bandit) is None
    assert "not known" in condition.holds_beyond(0.9 * bias).failure(bandit)


def test_asymmetry_bias_is_a_bias():
    lam, reach = 4.0, 1.0
    slope = float(SKEWED.cdf(lam - reach) - SKEWED.cdf(reach - lam))
    condition = DriftCondition(Clip(lam), reach, slope)
    bias = condition.asymmetry_bias(SKEWED)
    inside = quad(lambda x: min(lam, x) * math.exp(-x - math.log(2)), -math.log(2), lam)[0]
    beyond = lam * math.exp(-lam - math.log(2))
    assert bias == pytest.approx((inside + beyond) / slope, rel=1e-6)
    assert abs(huber_point(SKEWED, lam)) <= bias
    assert condition.holds_beyond(bias).failure(hb.Bandit([0.0], SKEWED)) is None
    sgd = ScoreSGD(condition, interval=(-1.0, 1.0), x0=-1.0)
    errors = runs(sgd, SKEWED, 500, trials=4000)
    g = BiasedG(condition, bias)
    assert not flagged((errors > g(500, 0.01)).sum(), 4000, 0.01)


def test_bernstein_form_uses_the_variance():
    condition = DriftCondition(Clip(2.0), 1.0, 0.917)
    g = BernsteinG(condition, variance=0.9206)
    assert (g.steps, g._shift) == (2, 2)
    sgd = ScoreSGD(condition, interval=(-1.0, 1.0), x0=1.0, shift=2)
    for k in (50, 400):
        level = math.log(2 / 0.01)
        want = (1.0 + (math.sqrt(2 * k * 0.9206 * level) + 4 * level / 3) / 0.917) / (k + 1)
        assert g(k, 0.01) == pytest.approx(want)
        errors = runs(sgd, Gaussian(), k)
        assert not flagged((errors > g(k, 0.01)).sum(), errors.size, 0.01)
        assert flagged((errors > 0.6 * g(k, 0.01)).sum(), errors.size, 0.01) == (k == 400)
    bandit = hb.Bandit([0.0], Gaussian())
    assert BernsteinG(condition, 0.97)._small_variance().examine(bandit)[0] is True
    assert g._small_variance().examine(bandit)[0] is None  # too close to tell
    assert BernsteinG(condition, 0.91)._small_variance().examine(bandit)[0] is False


def test_one_bit_is_private_and_keeps_the_guarantee():
    budget = 1.0
    score = OneBit(budget)
    coins = np.linspace(-1, 1, 200_001)[1:-1]
    chance = {z: float((score(z, 0.0, coins) == 1).mean()) for z in (-5.0, 0.0, 5.0)}
    assert chance[5.0] == pytest.approx(math.exp(budget) / (1 + math.exp(budget)), abs=1e-5)
    assert chance[0.0] == pytest.approx(0.5, abs=1e-5)
    for one in chance.values():
        for two in chance.values():
            assert one <= math.exp(budget) * two * (1 + 1e-4)
            assert 1 - one <= math.exp(budget) * (1 - two) * (1 + 1e-4)
    condition = DriftCondition(Sign(), 1.0, 0.5).private(budget)
    assert condition.tau == pytest.approx(2 / math.tanh(0.5))
    sgd = ScoreSGD(condition, interval=(-1.0, 1.0), x0=1.0)
    errors = runs(sgd, Cauchy(), 1000, trials=5000)
    assert not flagged((errors > sgd.radius(1000, 0.01)).sum(), 5000, 0.01)
    assert flagged((errors > math.tanh(0.5) * sgd.radius(1000, 0.1)).sum(), 5000, 0.1)
    # Forgetting the factor tanh(eps/2) in the slope is flagged.
    wrong = ScoreSGD(replace(condition, slope=2.0, reach=0.5), interval=(-0.5, 0.5), x0=0.5)
    errors = runs(wrong, Cauchy(), 1000, trials=5000)
    assert flagged((errors > wrong.radius(1000, 0.1)).sum(), 5000, 0.1)


def test_localisation_by_the_median():
    for mass in (0.3, 0.5, 0.9):
        for pulls in (1, 3, 7, 25):
            q = (1 - mass) / 2
            exact = 2 * sum(
                math.comb(pulls, j) * q**j * (1 - q) ** (pulls - j)
                for j in range((pulls + 1) // 2, pulls + 1)
            )
            assert median_misses(mass, pulls) == pytest.approx(exact)
        for miss in (0.1, 1e-4, 1e-8):
            p = median_pulls(mass, miss)
            assert p % 2 == 1 and median_misses(mass, p) <= miss
            assert p == 1 or median_misses(mass, p - 2) > miss
            assert median_misses(mass, p) <= 2 * (1 - mass**2) ** (p / 2)
    assert [median_pulls(float(Cauchy().mass(s)), 1e-4) for s in (1, 2, 3, 6)] == [53, 23, 15, 9]
    # Exact for the law with all the rest far out.
    rng = np.random.default_rng(5)
    far = np.median(np.sign(rng.uniform(-1, 1, (40_000, 7))) * (rng.random((40_000, 7)) > 0.5), 1)
    missed = int((np.abs(far) > 0.5).sum())
    assert stats.binomtest(missed, 40_000, median_misses(0.5, 7)).pvalue > 1e-6


def test_what_a_condition_knows_about_a_law():
    uniform = DriftCondition(Sign(), 1.0, 1.0)
    for law, verdict in ((Uniform(), True), (Cauchy(), False), (SKEWED, False)):
        assert uniform.holds().examine(hb.Bandit([0.0], law))[0] is verdict
    clip = DriftCondition(Clip(5.0), 1.0, 0.5)
    assert clip.holds().examine(hb.Bandit([0.0], ParetoHole(0.5)))[0] is True
    assert (
        DriftCondition(Clip(1.9), 1.0, 0.01).holds().examine(hb.Bandit([0.0], ParetoHole(0.5)))[0]
        is None
    )
    assert (
        DriftCondition(Sign(), 1.0, 0.5).holds().examine(hb.Bandit([0.0], ParetoHole(0.5)))[0]
        is False
    )
    g = LastIterateG(uniform)
    good = ScoreSGD(uniform, interval=(-1.0, 1.0))
    assert g.proved_for(good, None) == ""
    assert "shift" in g.proved_for(replace(good, shift=2), None)
    assert "may miss" in g.proved_for(ScoreSGD(uniform, pulls=3), None)
    assert "not for MeanSGD" in g.proved_for(hb.optimizers.MeanSGD(), None)
    # FO-UCB takes the pair: its bound is the pull lemma, and the drift is checked.
    policy = hb.FOUCB(good, g)
    assert policy.regret_bound(hb.Bandit([0.0, 0.5], Uniform()), 10_000) > 0
    with pytest.raises(hb.AssumptionError, match="below 1"):
        policy.regret_bound(hb.Bandit([0.0, 0.5], Gaussian()), 10_000)


def test_block_medians():
    for law, order, scale in ((Cauchy(), 1.0, 2 / math.pi), (SymmetricLomax(0.5), 0.5, 1.0)):
        for m in (3, 6, 8):
            bound = block_median_variance(order, scale, m)
            b = order * (m + 1)
            if b <= 2:
                assert bound == math.inf
                continue
            edge = math.sqrt(bound * (b - 2) / b)
            x = np.geomspace(1e-2, 1e4, 60)
            tail = 2 * stats.binom.sf(m, 2 * m + 1, 1 - law.cdf(x))
            assert (tail <= (edge / x) ** b * (1 + 1e-9)).all()
            variance = quad(
                lambda v: 4 * v * stats.binom.sf(m, 2 * m + 1, float(1 - law.cdf(v))),  # noqa: B023
                0,
                math.inf,
                limit=400,
            )[0]
            assert variance <= bound
            if m == 3 and order == 1.0:
                assert variance == pytest.approx(0.61208, abs=1e-4)
    # The weaker closed form b/(b-2) 4^(m/b) scale^2 is above it.
    assert block_median_variance(1.0, 1.0, 3) < 2 * 4 ** (3 / 4)


def test_near_optimality():
    for gap, want in ((0.05, 1.0338), (0.1, 1.0683), (0.2, 1.1401), (0.5, 1.3762)):
        told = gap + math.exp(-gap) - 1
        assert median_ratio(Laplace(), gap) == pytest.approx(want, abs=5e-5)
        assert median_ratio(Laplace(), gap, lambda g: told) == pytest.approx(  # noqa: B023
            2 * told / (1 - math.exp(-gap)) ** 2
        )
    assert median_ratio(Laplace(), 1e-3) < 1.0011
    assert median_ratio(Gaussian(), 0.1) == pytest.approx(1.5760, abs=5e-5)
    assert median_ratio(Cauchy(), 1e-3) == pytest.approx(math.pi**2 / 8, abs=1e-3)
    with pytest.raises(ValueError, match="no mass"):
        median_ratio(ParetoHole(0.5), 0.5)
    with pytest.raises(hb.AssumptionError, match="symmetric"):
        median_ratio(Exponential(), 0.5)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Clip(0.0), "lam"),
        (lambda: OneBit(-1.0), "budget"),
        (lambda: DriftCondition(3, 1.0, 1.0), "score = 3"),
        (lambda: DriftCondition(Sign(), 1.0, 1.5), "no drift is larger"),
        (lambda: DriftCondition(Clip(1.0), 1.0, 0.5).private(1.0), "must be a Sign"),
        (lambda: DriftCondition(Sign(), 1.0, 0.5).contaminated(1.0), "share"),
        (lambda: KnownLaw(ParetoHole(0.5)), "symmetric and unimodal"),
        (lambda: MassWithin(1.0, 1.2), "p = 1.2"),
        (lambda: DensityFloor(1.0, 1.0), "at most"),
        (lambda: ScoreSGD(DriftCondition(Sign(), 1.0, 0.5)), "one of the two"),
        (lambda: ScoreSGD(DriftCondition(Sign(), 1.0, 0.5), (0.0, 3.0)), "longer than"),
        (lambda: ScoreSGD(DriftCondition(Sign(), 1.0, 0.5), (0.0, 1.0), x0=2.0), "x0 = 2"),
        (lambda: ScoreSGD(DriftCondition(Sign(), 1.0, 0.5), pulls=4), "odd"),
        (lambda: ScoreSGD(DriftCondition(Sign(), 1.0, 0.5), pulls=3).estimate([1.0]), "needed"),
        (lambda: BernsteinG(DriftCondition(Sign(), 1.0, 0.5), 1.0), "must have a clip"),
        (lambda: LastIterateG(3), "condition = 3"),
        (lambda: BiasedG(DriftCondition(Sign(), 1.0, 0.5), -1.0), "bias"),
        (lambda: median_misses(0.5, 4), "odd"),
        (lambda: median_pulls(0.0, 0.1), "mass"),
        (lambda: block_median_variance(1.0, 1.0, -1), "m = -1"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
