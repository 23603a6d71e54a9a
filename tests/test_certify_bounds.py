"""Every regret bound of the catalogue as an inequality: measured regret, with its limits, below it.

A bound that is added to the catalogue must be given a policy and a bandit here, or a reason why it
cannot have one. Limits hold for every law of the regret; a verdict is wrong with probability at
most 1e-8.
"""

from dataclasses import replace

import numpy as np
import pytest

import hbucb as hb
from hbucb import bounds, certify
from hbucb.estimators import Catoni, MedianOfMeans, PRobustMean, TruncatedMean
from hbucb.noise import Cauchy, Gaussian, StudentT, TwoPoint, Uniform
from hbucb.optimizers import Distance, KnownLaw, MeanSGD, RestartedG, SubGaussianG

SHORT = hb.Bandit([0.0, 0.5, 1.0], Gaussian())
#: A gap at which the median of means needs about twice the pulls that make its radius finite.
FAR = hb.Bandit([0.0, 22.0], StudentT(1.8))
BERNOULLI = hb.BernoulliBandit([0.05, 0.95])
CAUCHY = hb.Bandit([0.0, 1.0], Cauchy())
NEAR = hb.Bandit([0.0, 0.5], Cauchy())
COIN = hb.Bandit([0.0, 1.0], TwoPoint())
UNIT = hb.Bandit([-0.5, 0.5], Uniform(-0.5, 0.5))
#: One context, two orthogonal arms.
AXES = hb.LinearContextualBandit([[[1.0, 0.0], [0.0, 1.0]]], [0.0, 1.0], [1.0], Gaussian(0.01))
_V = StudentT(1.8).moment(1.5)
_RAW = max(StudentT(1.8).moment(1.5, about=-loc) for loc in (0.0, 22.0))
_EDGES = (-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 3.0)
_LAW = KnownLaw(Cauchy())
_ASGN = hb.ASGNUCB(_LAW, warm=48)
_G = SubGaussianG(sides=1)
QUIET = hb.Bandit([0.0, 1.0], Gaussian(1e-3))
_RESTARTED_G = RestartedG(rho=1.0, sigma=1e-3)
SIX, THIRTY = (
    hb.FOUCB(_RESTARTED_G.method(1 / t), _RESTARTED_G, delta=1 / t) for t in (6000, 30_000)
)

#: name of a bound: (policy, bandit, horizon, trials, parameters); the function with these
#: parameters is the policy's bound.
CASES = {
    "ucb_regret": (hb.UCB(sigma=1.0), SHORT, 2000, 200, {"sigma": 1.0}),
    "ucb_anytime_regret": (hb.UCB(sigma=1.0, kind="anytime"), SHORT, 2000, 200, {"sigma": 1.0}),
    "ucb1_regret": (hb.UCB1(), BERNOULLI, 500, 1000, {}),
    "ucb1_gap_free": (hb.UCB1(), BERNOULLI, 2000, 400, {}),
    "kl_ucb_regret": (hb.KLUCB(kind="anytime"), BERNOULLI, 500, 400, {"best": 0.95}),
    "ucbv_regret": (hb.UCBV(), BERNOULLI, 500, 400, {"variances": 0.95 * 0.05}),
    "moss_regret": (hb.MOSS(), BERNOULLI, 20_000, 100, {}),
    "moss_gap_regret": (hb.MOSS(), BERNOULLI, 500, 1000, {}),
    "moss_gap_free": (hb.MOSS(), BERNOULLI, 2000, 400, {}),
    "ucb_improved_regret": (hb.UCBImproved(), BERNOULLI, 2000, 400, {}),
    "median_elimination_regret": (
        hb.MedianElimination(eps=0.5, delta=0.3),
        BERNOULLI,
        5000,
        200,
        {"eps": 0.5, "delta": 0.3},
    ),
    "eucbv_regret": (hb.EUCBV(), BERNOULLI, 20_000, 60, {}),
    "eucbv_worst_bound": (hb.EUCBV(), BERNOULLI, 2000, 100, {}),
    "order_statistic_uniform_regret": (
        hb.OrderStatisticUCB(),
        NEAR,
        1000,
        400,
        {"laws": Cauchy()},
    ),
    "order_statistic_binned_regret": (
        hb.OrderStatisticUCB(edges=_EDGES),
        CAUCHY,
        1000,
        800,
        {"laws": Cauchy(), "edges": _EDGES, "best": 1.0},
    ),
    "order_statistic_fixed_regret": (
        hb.OrderStatisticUCB("fixed"),
        NEAR,
        1000,
        400,
        {"laws": Cauchy()},
    ),
    "order_statistic_closed_regret": (
        hb.OrderStatisticUCB("fixed"),
        CAUCHY,
        2500,
        400,
        {"laws": Cauchy()},
    ),
    "order_statistic_anytime_regret": (
        hb.OrderStatisticUCB("anytime"),
        NEAR,
        1000,
        400,
        {"laws": Cauchy()},
    ),
    "wilcoxon_regret": (
        hb.WilcoxonUCB(),
        hb.Bandit([0.0, 0.8], Gaussian()),
        200,
        120,
        {"laws": Gaussian()},
    ),
    "asgn_regret": (_ASGN, CAUCHY, 1000, 400, {"laws": Cauchy(), "sgd": _ASGN.sgd(1000)}),
    "score_regret": (hb.SignSGDUCB(_LAW, (0.0, 1.0)), CAUCHY, 2500, 400, {"tau": 2.0}),
    "score_uniform_regret": (
        hb.SignSGDUCB(_LAW, (0.0, 1.0), kind="uniform"),
        CAUCHY,
        2500,
        400,
        {"tau": 2.0},
    ),
    "score_anytime_regret": (
        hb.SignSGDUCB(_LAW, (0.0, 1.0), kind="anytime"),
        CAUCHY,
        2500,
        400,
        {"tau": 2.0},
    ),
    "fo_regret": (hb.FOUCB(MeanSGD(), _G), SHORT, 2000, 200, {"g": _G}),
    "zo_regret": (hb.ZOUCB(MeanSGD(), Distance(_G)), SHORT, 2000, 200, {"g": Distance(_G)}),
    "batch_regret": (
        hb.FOUCB(MeanSGD(), _G, delta=1e-4),
        SHORT,
        2000,
        200,
        {"g": _G, "delta": 1e-4},
    ),
    "robust_ucb_mom_regret": (
        hb.RobustUCB(MedianOfMeans(0.5, _V)),
        FAR,
        2000,
        400,
        {"eps": 0.5, "v": _V},
    ),
    "robust_ucb_mom_anytime_regret": (
        hb.RobustUCB(MedianOfMeans(1.0, 1.0), power=3.0),
        hb.Bandit([0.0, 5.0], TwoPoint()),
        1500,
        400,
        {"eps": 1.0, "v": 1.0, "power": 3.0},
    ),
    "robust_ucb_truncated_regret": (
        hb.RobustUCB(TruncatedMean(0.5, _RAW)),
        FAR,
        2000,
        200,
        {"eps": 0.5, "u": _RAW},
    ),
    "robust_ucb_truncated_anytime_regret": (
        hb.RobustUCB(TruncatedMean(1.0, 1.0), power=3.0),
        UNIT,
        2000,
        200,
        {"eps": 1.0, "u": 1.0, "power": 3.0},
    ),
    "robust_ucb_catoni_regret": (hb.RobustUCB(Catoni(1.0)), COIN, 400, 200, {"v": 1.0}),
    "robust_ucb_catoni_anytime_regret": (
        hb.RobustUCB(Catoni(1.0), power=3.0),
        COIN,
        400,
        200,
        {"v": 1.0, "power": 3.0},
    ),
    "lin_ucb_regret": (hb.LinUCB(sigma=0.01), AXES, 2000, 1000, {"dim": 2, "sigma": 0.01}),
    "crt_regret": (hb.CRT(v=1.001), AXES, 500, 60, {"dim": 2, "v": 1.001}),
    "ape_regret": (
        hb.APE(PRobustMean(2.0, 0.5, 1.25), growth=1.1),
        hb.Bandit([0.0, 1.0], TwoPoint(-0.5, 0.5)),
        2000,
        200,
        {"p": 2.0, "c": 0.5, "nu": 1.25, "growth": 1.1},
    ),
    "thm10_corrected_instance": (SIX, QUIET, 6000, 400, {"rho": 1.0, "sigma": 1e-3}),
    "thm10_corrected_worst": (THIRTY, QUIET, 30_000, 50, {"rho": 1.0, "sigma": 1e-3}),
}
#: Bounds that say nothing at this horizon: true, and checked, but no test of anything.
VACUOUS = {"eucbv_worst_bound", "robust_ucb_truncated_regret", "crt_regret"}
#: Bounds of a policy that its ``regret_bound`` does not return: another one is smaller or proved.
SECOND = {
    "order_statistic_closed_regret",
    "eucbv_worst_bound",
    "ucb1_gap_free",
    "moss_regret",
    "moss_gap_free",
    "thm10_corrected_instance",
    "thm10_corrected_worst",
}
#: Why no run of one policy is below or above it.
UNCHECKED = {
    "two_worlds_lower": "a lower bound on the worse of two worlds",
    "gaussian_minimax_lower": "a lower bound at locations that depend on the policy",
    "heavy_tail_lower": "a lower bound at a bandit that depends on the policy",
    "thompson_bayes_regret": "an average over bandits drawn from a prior",
    "lin_ts_bayes_regret": "an average over bandits drawn from a prior",
    "tofu_regret": "proved where features are fixed in advance only; the policy does not return it",
    "menu_regret": "proved where features are fixed in advance only; the policy does not return it",
    "lai_robbins": "a lower bound in the limit; policies may be below it at any horizon",
    "ocucb_regret": "known up to a constant that is not stated",
    "solid_order": "known up to a constant that is not stated",
    "solid_problem_regret": "known up to constants that are not stated",
    "solid_worst_case": "needs the gaps by context; measured in test_solid_bounds.py",
    "solid_exploitation_regret": "of the rounds that exploit; a run does not tell them apart",
    "lai_robbins_bernoulli": "a lower bound in the limit; policies may be below it at any horizon",
    "lai_robbins_gaussian": "a lower bound in the limit; policies may be below it at any horizon",
    "thm10_instance": "printed and refuted",
    "eucbv_gap_bound": "printed and refuted",
    "thm10_worst": "printed and refuted",
    "robust_ucb_printed": "printed and refuted",
    "robust_ucb_truncated_printed": "printed and refuted",
}


def test_every_bound_is_checked_or_has_a_reason():
    names = {info.name for info in bounds.catalogue()}
    assert names == CASES.keys() | UNCHECKED.keys() and not CASES.keys() & UNCHECKED.keys()
    assert VACUOUS | SECOND <= CASES.keys()
    refuted = {info.name for info in bounds.catalogue("refuted")}
    assert refuted == {name for name, why in UNCHECKED.items() if why == "printed and refuted"}


@pytest.mark.parametrize("name", CASES)
def test_measured_regret_is_below_the_bound(name):
    policy, bandit, horizon, trials, parameters = CASES[name]
    function = next(f for f in bounds.BOUNDS if f.__name__ == name)
    value = function(np.ravel(bandit.gaps), horizon, **parameters)
    claimed = value if name in SECOND else None
    got = certify.regret_bound(policy, bandit, horizon, trials=trials, alarm=1e-8, claimed=claimed)
    assert got.bound == pytest.approx(value, rel=1e-9)
    assert got.verdict == "certified" and got.mean < got.bound, str(got)
    assert got.vacuous == (name in VACUOUS)
    assert replace(got, bound=0.99 * got.low).verdict == "refuted"
