"""Policies for bounded rewards: by hand, against plain-Python twins, against explain, in chunks."""

import math

import numpy as np
import pytest
from scipy import special, stats

import hbucb as hb
from hbucb.families import Bernoulli
from hbucb.policies import Policy
from hbucb.policies.chord import band
from tests.oracles.indices import EvidenceOracle, Oracle, ScalarGaussianThompson

COINS = hb.BernoulliBandit([0.3, 0.5, 0.5, 0.7])
RARE = hb.BernoulliBandit([0.02, 0.05, 0.0, 0.03, 1.0, 0.02])
NORMAL = hb.Bandit([0.1, 0.5, 0.4], hb.noise.Gaussian(0.5))
LEVEL = hb.BernoulliBandit([0.07] * 19 + [0.1])
WAIT = hb.Bandit([0.0, 0.5, 0.4], hb.noise.Exponential(1.0))
MIXED = hb.Bandit(
    [0.1, 0.3, 0.4],
    [hb.noise.Uniform(-0.1, 0.1), hb.noise.TwoPoint(-0.3, 0.3), hb.noise.Gaussian(0.3)],
)

#: Policy, its twin's rule and parameters, and the bandits where both are played.
TWINS = {
    "UCB1": (hb.UCB1(), {"rule": "ucb1"}, (COINS, RARE, NORMAL)),
    "MOSS": (hb.MOSS(), {"rule": "moss"}, (COINS, RARE, NORMAL)),
    "MOSS anytime": (hb.MOSS("anytime"), {"rule": "moss_anytime"}, (COINS, RARE, NORMAL)),
    "OCUCB": (hb.OCUCB(), {"rule": "ocucb"}, (COINS, RARE, NORMAL)),
    "OCUCB 3": (
        hb.OCUCB(3.0, 4.0),
        {"rule": "ocucb", "parameters": {"alpha": 3.0, "psi": 4.0}},
        (COINS,),
    ),
    "OCUCB-n": (hb.OCUCBn(), {"rule": "ocucb_n"}, (COINS, LEVEL)),
    # Sums by differences: continuous rewards, as no tie may hang on the last bit.
    "OCUCB-n 3/4": (
        hb.OCUCBn(1.5, 0.75),
        {"rule": "ocucb_n", "parameters": {"eta": 1.5, "rho": 0.75}},
        (NORMAL, WAIT),
    ),
    "UCB-V": (hb.UCBV(), {"rule": "ucbv"}, (COINS, LEVEL, MIXED)),
    "UCB-V 1/3": (
        hb.UCBV(1.0, 1 / 3),
        {"rule": "ucbv", "parameters": {"zeta": 1.0, "c": 1 / 3}},
        (COINS, NORMAL),
    ),
    "UCB-tuned": (hb.UCBTuned(), {"rule": "ucb_tuned"}, (COINS, LEVEL, NORMAL)),
    "KL-UCB": (hb.KLUCB(), {"rule": "klucb"}, (COINS, RARE, LEVEL)),
    "KL-UCB c=3": (hb.KLUCB(c=3.0), {"rule": "klucb", "parameters": {"c": 3.0}}, (COINS,)),
    "KL-UCB anytime": (hb.KLUCB(kind="anytime"), {"rule": "klucb_anytime"}, (COINS, RARE)),
    "KL-UCB+": (hb.KLUCBPlus(), {"rule": "klucb", "parameters": {"plus": True}}, (COINS, RARE)),
    "KL-UCB normal": (
        hb.KLUCB("gaussian"),
        {"rule": "klucb", "parameters": {"family": "gaussian"}},
        (NORMAL,),
    ),
    "KL-UCB Poisson": (
        hb.KLUCB("poisson"),
        {"rule": "klucb", "parameters": {"family": "poisson"}},
        (WAIT,),
    ),
    "KL-UCB exponential": (
        hb.KLUCB("exponential"),
        {"rule": "klucb", "parameters": {"family": "exponential"}},
        (WAIT,),
    ),
    "Bayes-UCB": (hb.BayesUCB(), {"rule": "bayes_coin"}, (COINS, RARE)),
    "Bayes-UCB c=5": (
        hb.BayesUCB(c=5.0),
        {"rule": "bayes_coin", "parameters": {"c": 5.0}},
        (COINS,),
    ),
    "Bayes-UCB normal": (
        hb.BayesUCB("gaussian"),
        {"rule": "bayes_normal", "initial": 2},
        (NORMAL, WAIT),
    ),
    "Bayes-UCB released": (hb.BayesUCB("gaussian released"), None, (NORMAL,)),
    "DMED": (hb.DMED(), {"rule": "t/n"}, (COINS, RARE, LEVEL)),
    "DMED t": (hb.DMED("t"), {"rule": "t"}, (COINS, LEVEL)),
    "DMED normal": (hb.DMED(family="gaussian"), {"rule": "t/n", "family": "gaussian"}, (NORMAL,)),
    "IMED": (hb.IMED(), {"rule": "IMED"}, (COINS, RARE, LEVEL)),
    "IMED Poisson": (hb.IMED("poisson"), {"rule": "IMED", "family": "poisson"}, (WAIT,)),
    "IMED exp": (hb.IMED("exponential"), {"rule": "IMED", "family": "exponential"}, (WAIT,)),
}
CASES = [(name, place) for name, (_, _, where) in TWINS.items() for place in range(len(where))]


@pytest.mark.parametrize(("name", "place"), CASES)
def test_batch_plays_what_the_twin_plays(name, place):
    policy, parameters, where = TWINS[name]
    if parameters is None:
        pytest.skip("explain is its only twin")
    listed = isinstance(policy, hb.DMED | hb.IMED)
    twin = hb.scalar(EvidenceOracle if listed else Oracle, **parameters)
    policies = {"batch": policy, "twin": twin}
    result = hb.simulate(where[place], policies, 200, 4, seed=4, actions=True)
    assert np.array_equal(result["batch"].actions, result["twin"].actions)


@pytest.mark.parametrize(("name", "place"), CASES)
def test_batch_plays_what_explain_plays(name, place):
    policy, _, where = TWINS[name]
    if isinstance(policy, hb.DMED | hb.IMED):
        pytest.skip("not an index of one arm")
    result = hb.simulate(where[place], {"it": policy}, 150, 3, seed=9, actions=True)["it"]
    for trial in range(3):
        steps = hb.explain(policy, where[place], 150, seed=9, trial=trial)
        assert steps.actions == result.actions[trial].tolist()


@pytest.mark.parametrize("name", TWINS)
def test_chunks_couplings_and_one_arm(name):
    policy, _, where = TWINS[name]
    for coupling in ("time", "arm"):
        runs = [
            hb.simulate(
                where[0], {"it": policy}, 120, 8, seed=2, actions=True, chunk=c, coupling=coupling
            )["it"].actions
            for c in (1, 3, 8)
        ]
        assert np.array_equal(runs[0], runs[1]) and np.array_equal(runs[0], runs[2])
    one = hb.simulate(hb.BernoulliBandit([0.5]), {"it": policy}, 20, 2, seed=1)["it"]
    assert (one.regret == 0).all()
    # The game may end before every arm was played once.
    short = hb.simulate(where[0], {"it": policy}, 2, 3, seed=1)["it"]
    first = 2 if name == "Bayes-UCB normal" else 1
    assert (short.pulls.sum(axis=1) == 2).all() and short.pulls.max() == first


@pytest.mark.filterwarnings("error")
def test_infinite_slopes_at_both_ends_of_a_block():
    """Only monotony is left, without a warning: the band is from the first value to the last."""

    def steep(flat, x):
        return np.where(flat == 0, x, 2 * x), np.where(flat == 0, np.inf, 2.0), False

    lines = band(steep, np.array([0, 1]), 1.0, 1.5)
    assert lines.slope.tolist() == [0.0, 2.0]
    assert lines.high == pytest.approx([1.5, 0.0], abs=1e-9)
    assert lines.width == pytest.approx([0.5, 0.0], abs=1e-9)


def test_moss_and_ocucb_by_hand():
    # n = 4, mean 1/2, K = 5: MOSS has ln(400 / 20) and, in round 101, ln(101 / 20).
    rewards, counts = [1.0, 0.0, 1.0, 0.0], [4, 20, 20, 30, 26]
    assert hb.MOSS().index(rewards, 100, 400, counts) == pytest.approx(
        0.5 + math.sqrt(math.log(20) / 4)
    )
    assert hb.MOSS(horizon=40).index(rewards, 100, 400, counts) == pytest.approx(
        0.5 + math.sqrt(math.log(2) / 4)
    )
    assert hb.MOSS(horizon=19).index(rewards, 100, 400, counts) == 0.5
    anytime = hb.MOSS("anytime")
    assert anytime.index(rewards, 100, 400, counts) == pytest.approx(
        0.5 + math.sqrt(math.log(5.05) / 4)
    )
    assert anytime.index(rewards, 18, 400, counts) == 0.5
    # OCUCB in round 100 of 400: ln(2 * 400 / 100) = ln 8; none left after round psi T.
    assert hb.OCUCB(3.0).index(rewards, 99, 400) == pytest.approx(
        0.5 + math.sqrt(3 * math.log(8) / 4)
    )
    assert hb.OCUCB(3.0, horizon=10).index(rewards, 99, 400) == 0.5
    assert hb.UCB1().index(rewards, 100, 400) == pytest.approx(
        0.5 + math.sqrt(2 * math.log(100) / 4)
    )


def test_ocucb_is_not_ucb1():
    result = hb.simulate(
        COINS,
        {"a": hb.OCUCB(), "b": hb.UCB1(), "c": hb.UCB(kind="log")},
        500,
        20,
        seed=1,
        actions=True,
    )
    different = (result["a"].actions != result["b"].actions).any(axis=1)
    assert different.all()
    assert np.array_equal(result["b"].actions, result["c"].actions)


class Direct(Policy):
    """Every index of every arm in every round, from counts, means and sums of squares."""

    def __init__(self, formula):
        self.formula = formula

    def __repr__(self):
        return f"Direct({self.formula.__name__})"

    def start(self, run):
        return DirectState(self.formula, run)


class DirectState:
    def __init__(self, formula, run):
        self.formula, self.run = formula, run
        self.row = np.arange(run.trials)
        shape = (run.trials, run.arms)
        self.n, self.s, self.q = np.zeros(shape), np.zeros(shape), np.zeros(shape)

    def select(self, t):
        with np.errstate(all="ignore"):
            index = self.formula(self.n, self.s, self.q, t)
        return np.where(self.n == 0, np.inf, index).argmax(axis=1)

    def update(self, t, arm, reward):
        self.n[self.row, arm] += 1
        self.s[self.row, arm] += reward
        self.q[self.row, arm] += reward**2


def beta(n, s, q, t):
    return special.betainccinv(s + 1, n - s + 1, 1 / (t + 1))


def student(n, s, q, t):
    width = np.sqrt((q - s * s / n) / (n - 1) / n)
    return s / n - width * special.stdtrit(n - 1, 1 / (t + 1))


def released(n, s, q, t):
    return s / n - np.sqrt((q / n - (s / n) ** 2) / n) * special.stdtrit(n, 1 / (t + 1))


def kl(n, s, q, t):
    return Bernoulli().upper(s / n, np.log(max(t, 1)) / n)


def kl_plus(n, s, q, t):
    return Bernoulli().upper(s / n, np.maximum(np.log(max(t, 1) / n), 0) / n)


@pytest.mark.parametrize(
    ("policy", "formula", "bandit"),
    [
        (hb.BayesUCB(), beta, LEVEL),
        (hb.BayesUCB("gaussian"), student, NORMAL),
        (hb.BayesUCB("gaussian"), student, WAIT),
        (hb.BayesUCB("gaussian released"), released, NORMAL),
        (hb.KLUCB(), kl, LEVEL),
        (hb.KLUCBPlus(), kl_plus, COINS),
    ],
    ids=["beta", "student", "student 2", "released", "kl", "kl+"],
)
def test_chords_play_the_exact_indices(policy, formula, bandit):
    """20 trials of 1500 rounds; the first pulls of "gaussian" come in another order."""
    both: dict = {"chord": policy, "direct": Direct(formula)}
    result = hb.simulate(bandit, both, 1500, 20, seed=13, actions=True, coupling="arm")
    first = 2 * bandit.arms if formula is student else 0
    one, two = (result[name].actions for name in both)
    if first:
        assert np.array_equal(np.sort(one[:, :first]), np.sort(two[:, :first]))
    assert np.array_equal(one[:, first:], two[:, first:])


@pytest.mark.parametrize("kind", ["flat", "shrunk", "released"])
def test_normal_thompson_agrees_with_its_scalar_twin(kind):
    """The twin's draws are its own: an exact two-sample test, false alarm 1e-6."""
    batch = hb.GaussianThompsonSampling(0.5, kind)
    twin = hb.scalar(ScalarGaussianThompson, kind=kind, sigma=0.5)
    one = hb.simulate(NORMAL, {"it": batch}, 200, 1000, seed=3)["it"].regret[:, -1]
    two = hb.simulate(NORMAL, {"it": twin}, 200, 200, seed=4)["it"].regret[:, -1]
    assert stats.ks_2samp(one, two, method="exact").pvalue > 1e-6


def test_normal_thompson_draws_follow_the_posterior():
    """After rewards 2, 1 and -1 against 0.5: P(N(2/3, 1/3) > N(1/2, 1)), exact binomial test."""
    state = hb.GaussianThompsonSampling().start(hb.policies.Run(20_000, 2, 50, seed=8))
    arm = np.zeros(20_000, np.int64)
    for t, reward in enumerate((2.0, 1.0, -1.0)):
        state.update(t, arm, np.full(20_000, reward))
    state.update(3, arm + 1, np.full(20_000, 0.5))
    wins = int((state.select(4) == 0).sum())
    probability = stats.norm.cdf((2 / 3 - 1 / 2) / math.sqrt(1 / 3 + 1))
    assert stats.binomtest(wins, 20_000, probability).pvalue > 1e-6


def test_variance_is_exact_where_it_must_be():
    values = [3.25, -1.5, 2.0, 7.0]
    told = hb.estimators.sample_variance(values)
    assert told == pytest.approx(np.var(values), rel=1e-15)
    assert hb.estimators.sample_variance([0.1] * 7) == 0.0
    shifted = hb.estimators.sample_variance([v + 2**40 for v in values])
    assert shifted == told
    # As many ones, another order: the same bits.
    assert len({hb.estimators.sample_variance(x) for x in ([1, 0, 0], [0, 1, 0], [0, 0, 1])}) == 1


COVERED = [
    (hb.UCBV(), COINS),
    (hb.UCBV(), hb.Bandit([0.5, 0.6], hb.noise.Uniform(-0.4, 0.4))),
    (hb.KLUCB(kind="anytime"), COINS),
    (hb.KLUCB(kind="anytime"), hb.Bandit([0.5, 0.6], hb.noise.Uniform(-0.4, 0.4))),
    (hb.UCB1(), COINS),
    (hb.UCB1(), hb.Bandit([0.5, 0.6], hb.noise.Uniform(-0.4, 0.4))),
    (hb.MOSS(), COINS),
    (hb.MOSS(horizon=3000), COINS),
    (hb.MOSS(), hb.Bandit([0.0, 0.1], hb.noise.Gaussian(0.5))),
]
NOT_COVERED = [
    (hb.UCBV(1.0, 1 / 3), COINS, "zeta = 1.2 and c = 1"),
    (hb.UCBV(), NORMAL, "Gaussian"),
    (hb.KLUCB(), COINS, "kind='anytime'"),
    (hb.KLUCB("poisson", "anytime"), COINS, "kind='anytime'"),
    (hb.KLUCB(kind="anytime"), NORMAL, "Gaussian"),
    (hb.DMED(), COINS, "no theorem with explicit constants"),
    (hb.BayesUCB(), COINS, "no theorem with explicit constants"),
    (hb.GaussianThompsonSampling(), NORMAL, "no theorem with explicit constants"),
    (hb.UCB1(), NORMAL, "Gaussian"),
    (hb.UCB1(), hb.Bandit([0.5, 0.7], hb.noise.Uniform(-0.4, 0.4)), "rewards in"),
    (hb.MOSS(), hb.Bandit([0.0, 0.1], hb.noise.Gaussian(0.6)), "variance 0.36 > 0.25"),
    (hb.MOSS("anytime"), COINS, "anytime"),
    (hb.MOSS(horizon=1000), COINS, "beyond round 1000"),
    (hb.OCUCB(), COINS, "no theorem with explicit constants"),
]


@pytest.mark.parametrize(("policy", "bandit"), COVERED)
def test_a_covered_case_keeps_its_bound(policy, bandit):
    bound = policy.regret_bound(bandit, 2000)
    both = policy.regret_bound(bandit, [1000, 2000])
    # MOSS with another T is another player: its bound may fall in T.
    assert both[1] == bound and (both[0] <= both[1] or policy == hb.MOSS())
    regret = hb.simulate(bandit, {"it": policy}, 2000, 100, seed=6)["it"].regret[:, -1]
    # Hoeffding on [0, 2000 max gap], false alarm 1e-6.
    slack = 2000 * bandit.max_gap * math.sqrt(math.log(1e6) / 200)
    assert regret.mean() <= bound + slack
    tuned = policy.tuned(2000)
    assert tuned.regret_bound(bandit, 2000) == bound
    same = hb.simulate(bandit, {"it": tuned}, 2000, 5, seed=6)["it"].pulls
    assert np.array_equal(same, hb.simulate(bandit, {"it": policy}, 2000, 5, seed=6)["it"].pulls)


@pytest.mark.parametrize(("policy", "bandit", "why"), NOT_COVERED)
def test_an_uncovered_case_raises_and_says_why(policy, bandit, why):
    with pytest.raises(hb.AssumptionError, match=why):
        policy.regret_bound(bandit, 2000)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.MOSS("both"), "kind = 'both'"),
        (lambda: hb.MOSS("anytime", horizon=9), "horizon = 9 is used by"),
        (lambda: hb.MOSS(horizon=0), "horizon = 0"),
        (lambda: hb.OCUCB(alpha=0.5), "alpha = 0.5 must be at least 1"),
        (lambda: hb.OCUCB(psi=math.nan), "psi"),
        (lambda: hb.OCUCB(horizon=2.5), "horizon = 2.5"),
        (lambda: hb.OCUCBn(eta=1.0), "eta = 1.0 must be above 1"),
        (lambda: hb.OCUCBn(rho=0.5), r"rho = 0.5 must be in \(1/2, 1\]"),
        (lambda: hb.UCBV(zeta=0.0), "zeta"),
        (lambda: hb.UCBV(c=-1.0), "c must be"),
        (lambda: hb.KLUCB("beta"), "family = 'beta' must be one of"),
        (lambda: hb.KLUCB(kind="fixed"), "kind = 'fixed'"),
        (lambda: hb.KLUCB(kind="anytime", c=3.0), "c = 3.0 is used by"),
        (lambda: hb.KLUCBPlus(sigma=0.0), "sigma"),
        (lambda: hb.DMED("n"), "level = 'n'"),
        (lambda: hb.IMED(sigma=math.inf), "sigma"),
        (lambda: hb.BayesUCB("poisson"), "family = 'poisson'"),
        (lambda: hb.BayesUCB(c=-1.0), "c must be"),
        (lambda: hb.GaussianThompsonSampling(kind="beta"), "kind = 'beta'"),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()
