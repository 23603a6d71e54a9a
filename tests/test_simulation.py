"""simulate: the same trial in any chunk, company, buffer and executor; symmetries; bad input."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

import hbucb as hb
from hbucb import streams
from hbucb.estimators import MedianOfMeans
from hbucb.policies.base import Policy

CAUCHY = hb.Bandit(np.arange(5) / 5, hb.noise.Cauchy())
COINS = hb.BernoulliBandit([0.3, 0.5, 0.5, 0.7])
MIXED = hb.Bandit(
    [0.0, 0.2, 0.4, 0.4],
    [hb.noise.Cauchy(2.0), hb.noise.Gaussian(), hb.noise.Cauchy(0.5), hb.noise.cauchy_pareto()],
)
POLICIES = {
    "UCB": hb.UCB(sigma=0.5),
    "UCB log": hb.UCB(sigma=0.5, kind="log"),
    "SGD": hb.ClippedSGDUCB(rho=0.8),
    "SMoM": hb.ClippedSGDUCB(m=1, n=2, rho=0.8),
    "MoM": hb.RobustUCB(MedianOfMeans(), delta=0.5),
    "RUCB": hb.RobustUCB(preset="authors"),
    "fair": hb.RobustUCB(preset="fair"),
}
TS = {"TS": hb.ThompsonSampling(), "UCB": hb.UCB(sigma=0.5)}
#: Bandit, policies and coupling whose runs are compared bit for bit.
RUNS = {
    "Cauchy by time": (CAUCHY, POLICIES, "time"),
    "Cauchy by arm": (CAUCHY, POLICIES, "arm"),
    "coins by time": (COINS, POLICIES | TS, "time"),
    "coins by arm": (COINS, TS, "arm"),
    "mixed by time": (MIXED, POLICIES, "time"),
    "mixed by arm": (MIXED, POLICIES, "arm"),
}


def run(bandit, policies, coupling="time", horizon=700, trials=100, **options):
    return hb.simulate(
        bandit, policies, horizon, trials, seed=5, coupling=coupling, actions=True, **options
    )


def assert_same(one, two, trials=None):
    for name in one:
        for field in ("regret", "pulls", "actions"):
            a, b = getattr(one[name], field), getattr(two[name], field)
            assert np.array_equal(a[:trials], b[:trials]), (name, field)


@pytest.fixture(scope="module")
def whole():
    return {name: run(*spec[:3]) for name, spec in RUNS.items()}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_chunk_size_changes_nothing(whole, name, chunk):
    if chunk == 1:  # one trial at a time is slow: the first 12 of them
        assert_same(run(*RUNS[name], trials=12, chunk=1), whole[name], 12)
    else:
        assert_same(run(*RUNS[name], chunk=chunk), whole[name])


@pytest.mark.parametrize("name", RUNS)
def test_more_trials_keep_the_first_ones(whole, name):
    assert_same(whole[name], run(*RUNS[name], trials=130), 100)


@pytest.mark.parametrize("name", RUNS)
def test_company_and_names_change_nothing(whole, name):
    bandit, policies, coupling = RUNS[name]
    last = list(policies)[-1]
    alone = run(bandit, {"another name": policies[last]}, coupling)
    assert np.array_equal(alone["another name"].actions, whole[name][last].actions)


@pytest.mark.parametrize("name", RUNS)
def test_buffer_length_changes_nothing(whole, name, monkeypatch):
    monkeypatch.setattr(streams, "BLOCK", 64)
    assert_same(run(*RUNS[name], trials=20), whole[name], 20)


@pytest.mark.parametrize("workers", [1, 2])
def test_worker_processes_change_nothing(whole, workers):
    with ProcessPoolExecutor(workers) as pool:
        for name in ("Cauchy by arm", "coins by time"):
            assert_same(run(*RUNS[name], executor=pool, chunk=40), whole[name])


def test_coupling_by_arm_gives_every_policy_the_same_tapes(whole):
    # Two policies play in different patterns; the k-th reward of an arm must be the same.
    tapes: dict[int, list[dict[int, list[float]]]] = {}

    class Recorder:
        """Plays its arms in a fixed pattern and keeps what it sees."""

        def __init__(self, arms, step, rng):
            self.arms, self.step, self.seen = arms, step, {arm: [] for arm in range(arms)}
            tapes.setdefault(step, []).append(self.seen)

        def select(self, t):
            return (t // self.step) % self.arms

        def update(self, t, arm, reward):
            self.seen[arm].append(reward)

    hb.simulate(
        MIXED,
        {f"{s}": hb.scalar(Recorder, step=s) for s in (1, 3)},
        horizon=400,
        trials=2,
        seed=3,
        coupling="arm",
        order="given",
    )
    for one, two in zip(tapes[1], tapes[3], strict=True):
        for arm in range(4):
            n = min(len(one[arm]), len(two[arm]))
            assert n > 80
            assert one[arm][:n] == two[arm][:n]


def scaled(factor):
    laws = [hb.noise.Cauchy(factor), hb.noise.Gaussian(0.5 * factor), hb.noise.Cauchy(2 * factor)]
    return hb.Bandit(np.array([0.0, 0.3, 0.5]) * factor, laws), {
        "UCB": hb.UCB(sigma=0.5 * factor),
        "any": hb.UCB(sigma=0.5 * factor, kind="anytime"),
        "SGD": hb.ClippedSGDUCB(m=1, rho=factor, c=0.1 * factor, theta=0.0),
        "dec": hb.ClippedSGDUCB(preset="decreasing", c=factor, clip=2 * factor),
        "MoM": hb.RobustUCB(MedianOfMeans(eps=1.0, v=factor**2), delta=0.5),
        "fair": hb.RobustUCB(preset="fair", c=factor),
        "RUCB": hb.RobustUCB(MedianOfMeans(v=factor**2), preset="authors"),
    }


@pytest.mark.parametrize("coupling", ["time", "arm"])
def test_doubling_rewards_and_scales_keeps_every_action(coupling):
    # theta = 0 throughout: a policy's own draws are keyed by its parameters.
    one, two = (
        hb.simulate(*scaled(factor), 700, 40, seed=9, actions=True, coupling=coupling)
        for factor in (1.0, 2.0)
    )
    for name in one:
        assert np.array_equal(one[name].actions, two[name].actions), name
        assert np.array_equal(2 * one[name].regret, two[name].regret)


def _two_sample(a, b):
    """p-values of Kolmogorov-Smirnov tests on the regret and on one arm's pulls."""
    return (
        stats.ks_2samp(a[0], b[0], method="exact").pvalue,
        stats.ks_2samp(a[1], b[1], method="exact").pvalue,
    )


@pytest.mark.parametrize("name", ["UCB", "SGD", "MoM", "fair"])
def test_shift_and_relabelling_leave_the_law(name):
    # Two-sample tests at 600 runs each; false alarm 4 policies x 4 tests x 6e-8 < 1e-6.
    loc, policy = np.array([0.0, 0.25, 0.5, 0.5]), POLICIES[name]
    seen = []
    for seed, shift, permutation in (
        (1, 0.0, [0, 1, 2, 3]),
        (2, 8.0, [0, 1, 2, 3]),
        (3, 0.0, [3, 1, 0, 2]),
    ):
        bandit = hb.Bandit((loc + shift)[permutation], hb.noise.StudentT(2.0))
        result = hb.simulate(bandit, {"it": policy}, 400, 600, seed=seed)["it"]
        seen.append((result.regret[:, -1], result.pulls[:, permutation.index(1)]))
    for other in seen[1:]:
        assert min(_two_sample(seen[0], other)) > 6e-8


@pytest.mark.parametrize("arms", [1, 2, 100])
@pytest.mark.parametrize("trials", [1, 2, 100])
def test_sizes(arms, trials):
    bandit = hb.Bandit(np.linspace(0, 1, arms), hb.noise.Cauchy())
    coins = hb.BernoulliBandit(np.linspace(0.1, 0.9, arms))
    for which, policies in ((bandit, POLICIES), (coins, TS)):
        result = hb.simulate(which, policies, 150, trials, seed=1)
        for name in policies:
            part = result[name]
            assert part.pulls.shape == (trials, arms)
            assert (part.pulls.sum(axis=1) == 150).all()
            assert (np.diff(part.regret, axis=1) >= -1e-12).all()
            np.testing.assert_allclose(part.regret[:, -1], part.pulls @ which.gaps)
            if arms == 1:
                assert not part.regret.any()


def test_horizons_of_one_and_shorter_than_the_first_pulls():
    for horizon in (1, 2, 7):
        result = hb.simulate(CAUCHY, POLICIES, horizon, 3, seed=1)
        assert all((result[name].pulls.sum(axis=1) == horizon).all() for name in POLICIES)


def test_regret_at_rounds_is_the_sum_of_gaps():
    result = run(MIXED, POLICIES, rounds=[1, 2, 5, 511, 512, 513, 699])
    assert result.rounds.tolist() == [1, 2, 5, 511, 512, 513, 699, 700]
    for name in POLICIES:
        by_hand = MIXED.gaps[result[name].actions].cumsum(axis=1)[:, result.rounds - 1]
        np.testing.assert_allclose(result[name].regret, by_hand)


class PerContextMeans:
    """Greedy on the means of each (context, arm), after one pull of each."""

    def __init__(self, features):
        self.sums = np.zeros(features.shape[:2])
        self.counts = np.zeros(features.shape[:2])

    def select(self, t, context):
        unseen = np.flatnonzero(self.counts[context] == 0)
        if unseen.size:
            return int(unseen[0])
        return int((self.sums[context] / self.counts[context]).argmax())

    def update(self, t, context, arm, reward):
        self.sums[context, arm] += reward
        self.counts[context, arm] += 1


@dataclass(frozen=True)
class BatchPerContextMeans(Policy):
    """The same for all trials at once."""

    contextual = True

    def start(self, run):
        return BatchPerContextState(run)

    def bytes_per_trial(self, arms, horizon):
        return 1000 * arms


class BatchPerContextState:
    def __init__(self, run):
        contexts, arms, _ = run.features.shape
        self.sums = np.zeros((run.trials, contexts, arms))
        self.counts = np.zeros((run.trials, contexts, arms))
        self.trial = np.arange(run.trials)

    def select(self, t, context):
        counts = self.counts[self.trial, context]
        with np.errstate(invalid="ignore", divide="ignore"):
            means = self.sums[self.trial, context] / counts
        return np.where(counts == 0, np.inf, means).argmax(axis=1)

    def update(self, t, context, arm, reward):
        self.sums[self.trial, context, arm] += reward
        self.counts[self.trial, context, arm] += 1


def test_contextual_policies_and_bandits():
    features = np.random.default_rng(0).normal(size=(3, 4, 2))
    bandit = hb.LinearContextualBandit(
        features, [1.0, -0.5], [0.5, 0.2, 0.3], hb.noise.Gaussian(0.1)
    )
    policies = {
        "scalar": hb.scalar(PerContextMeans, contextual=True),
        "batch": BatchPerContextMeans(),
        "blind": hb.UCB(sigma=0.1),
    }
    result = hb.simulate(bandit, policies, 1500, 20, seed=4, actions=True)
    assert np.array_equal(result["scalar"].actions, result["batch"].actions)
    assert np.array_equal(result["scalar"].regret, result["batch"].regret)
    again = hb.simulate(bandit, policies, 1500, 20, seed=4, chunk=7)
    for name in policies:
        assert np.array_equal(result[name].regret, again[name].regret)
    # A policy that cannot see the context pays in every round where its arm is not the best one.
    assert result["blind"].regret[:, -1].min() > 3 * result["batch"].regret[:, -1].max()
    # The regret by hand, from actions and the contexts of the trials' own streams.
    uniform = hb.noise.Uniform(0.0, 1.0)
    keys = [(4, trial, streams.CONTEXT) for trial in range(20)]
    seen = np.searchsorted([0.5, 0.7], streams.Draws(uniform, keys).block(1500), side="right")
    by_hand = bandit.gaps[seen.T, result["batch"].actions].sum(axis=1)
    np.testing.assert_allclose(result["batch"].regret[:, -1], by_hand)
    assert np.bincount(seen.ravel(), minlength=3) / seen.size == pytest.approx(
        [0.5, 0.2, 0.3], abs=0.02
    )


GOOD = {"bandit": CAUCHY, "policies": hb.UCB(), "horizon": 10, "trials": 2, "seed": 1}


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"horizon": 0}, "horizon = 0"),
        ({"horizon": 10.0}, "horizon = 10.0"),
        ({"horizon": True}, "horizon = True"),
        ({"trials": 0}, "trials = 0"),
        ({"trials": -3}, "trials = -3"),
        ({"seed": -1}, "seed = -1"),
        ({"seed": None}, "seed = None"),
        ({"coupling": "both"}, "coupling = 'both'"),
        ({"order": "sorted"}, "order = 'sorted'"),
        ({"chunk": 0}, "chunk = 0"),
        ({"rounds": [3, 2]}, "rounds"),
        ({"rounds": [0, 2]}, "rounds"),
        ({"rounds": [1, 11]}, "rounds"),
        ({"rounds": [1.5]}, "rounds"),
        # Differences of unsigned numbers wrap around.
        ({"rounds": np.array([9, 2, 10], dtype=np.uint64)}, "rounds"),
        ({"rounds": np.array([9, 2, 10], dtype=np.uint8)}, "rounds"),
        ({"policies": [hb.UCB()]}, "a dict of names"),
        ({"policies": {"x": hb.UCB}}, r"call it: UCB\(\.\.\.\)"),
        ({"policies": {"": hb.UCB()}}, "non-empty"),
        ({"executor": 2}, "executor = 2"),
        ({"executor": ProcessPoolExecutor}, "executor = "),
        ({"actions": "no"}, "actions = 'no'"),
        ({"progress": 1}, "progress = 1"),
        ({"policies": {}}, "policies is empty"),
        ({"policies": {"x": 3}}, r"policies\['x'\] = 3"),
        ({"policies": {1: hb.UCB()}}, "name 1"),
        ({"policies": {"c": BatchPerContextMeans()}}, "contextual"),
        ({"bandit": [0.0, 1.0]}, "bandit"),
    ],
)
def test_bad_arguments_are_named(change, names):
    with pytest.raises(ValueError, match=names):
        hb.simulate(**(GOOD | change))


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: hb.Bandit([], hb.noise.Cauchy()), "loc has shape"),
        (lambda: hb.Bandit([0.0, np.nan], hb.noise.Cauchy()), "finite in every arm"),
        (lambda: hb.Bandit([0.0, np.inf], hb.noise.Cauchy()), "finite in every arm"),
        (lambda: hb.Bandit("ab", hb.noise.Cauchy()), "loc = 'ab'"),
        (lambda: hb.Bandit([[0.0, 1.0]], hb.noise.Cauchy()), "loc has shape"),
        (lambda: hb.Bandit(np.zeros(32_768), hb.noise.Cauchy()), "at most 32767"),
        (lambda: hb.Bandit([0.0, 1.0], [hb.noise.Cauchy()] * 3), "3 laws for 2 arms"),
        (lambda: hb.Bandit([0.0, 1.0], "Cauchy"), "Cauchy"),
        (lambda: hb.BernoulliBandit([0.5, 1.5]), "p = "),
        (lambda: hb.bandits.environment("Env4", hb.noise.Cauchy()), "Env4"),
        (
            lambda: hb.LinearContextualBandit([[[1.0]]], [1.0, 2.0], [1.0], hb.noise.Gaussian()),
            "theta",
        ),
        (lambda: hb.LinearContextualBandit([[[1.0]]], [1.0], [0.5], hb.noise.Gaussian()), "sum 1"),
        (lambda: hb.UCB(sigma=-1.0), "sigma must be .* -1.0"),
        (lambda: hb.UCB(kind="best"), "kind = 'best'"),
        (lambda: hb.UCB(delta=1.0), "delta must be .* 1.0"),
        (lambda: hb.UCB(kind="log", delta=0.1), "delta = 0.1"),
        (lambda: hb.ClippedSGDUCB(m=-1), "m = -1"),
        (lambda: hb.ClippedSGDUCB(n=0), "n = 0"),
        (lambda: hb.ClippedSGDUCB(rho=0.0), "rho must be .* 0.0"),
        (lambda: hb.ClippedSGDUCB(p=1.5), "p = 1.5"),
        (lambda: hb.ClippedSGDUCB(preset="mine"), "preset = 'mine'"),
        (lambda: hb.RobustUCB("median"), "estimator = 'median'"),
        (lambda: MedianOfMeans(eps=2.0), "eps must be .* 2.0"),
        (lambda: MedianOfMeans(v=0.0), "v must be .* 0.0"),
        (lambda: MedianOfMeans().radius(10, 0.0), "delta = 0.0"),
        (lambda: hb.Bandit([1e308, -1e308], hb.noise.Gaussian()), "range of floats"),
        (lambda: hb.UCB("log"), "sigma must be .* 'log'"),
        (lambda: hb.UCB(np.array([1.0, 2.0])), "sigma must be"),
        (lambda: hb.ClippedSGDUCB(m=True), "m = True"),
        (lambda: hb.ClippedSGDUCB(delta=0.1), "preset='theory' only"),
        (lambda: hb.RobustUCB(preset="fair", delta=0.1), "preset='theory' only"),
        (lambda: hb.RobustUCB(preset="fair", group=0), "group = 0"),
        (lambda: hb.scalar(lambda arms: None), "no name of its own"),
        (lambda: hb.scalar(PerContextMeans, features=3), "given to PerContextMeans by simulate"),
        (lambda: hb.ThompsonSampling(a=0.0), "a must be .* 0.0"),
        (lambda: hb.scalar(3), "factory = 3"),
        (lambda: hb.scalar(dict), "no method select"),
        (lambda: hb.scalar(PerContextMeans, level=3), "does not take level"),
    ],
)
def test_bad_parameters_are_named(make, names):
    with pytest.raises(ValueError, match=names):
        make()


def test_rewards_that_a_policy_cannot_bear():
    with pytest.raises(ValueError, match=r"reward = -?inf in trial \d+, round \d+: UCB"):
        hb.simulate(hb.Bandit([0.0, 1.0], hb.noise.SymmetricLomax(0.003)), hb.UCB(), 300, 3, seed=1)
    with pytest.raises(ValueError, match="Beta"):
        hb.simulate(CAUCHY, hb.ThompsonSampling(), 5, 2, seed=1)


def test_a_policy_whose_text_holds_an_address_is_refused():
    class Plain(Policy):
        pass

    with pytest.raises(ValueError, match="address"):
        hb.simulate(CAUCHY, Plain(), 5, 2, seed=1)


def test_a_selection_outside_the_arms_is_refused():
    class Bad:
        def select(self, t):
            return 5

        def update(self, t, arm, reward):
            pass

    with pytest.raises(ValueError, match=r"arm 5; it must be in 0\.\.4"):
        hb.simulate(CAUCHY, hb.scalar(Bad), 5, 2, seed=1)


def test_equal_policies_play_alike_whatever_kind_of_number_they_were_given():
    pairs = [
        (hb.ThompsonSampling(1, 1), hb.ThompsonSampling(np.float32(1.0), np.int64(1))),
        (hb.ClippedSGDUCB(np.int64(1), rho=np.float64(1.0)), hb.ClippedSGDUCB(1, rho=1)),
        (hb.RobustUCB(MedianOfMeans(1, 1)), hb.RobustUCB(MedianOfMeans(np.float64(1.0), 1.0))),
    ]
    for one, two in pairs:
        assert one == two
        assert streams.policy_stream(one) == streams.policy_stream(two)


def test_parameters_of_a_scalar_policy_are_not_shared_by_trials():
    class Sums:
        def __init__(self, arms, start):
            self.sums, self.arms = start, arms

        def select(self, t):
            return t if t < self.arms else int(np.argmax(self.sums))

        def update(self, t, arm, reward):
            self.sums[arm] += reward

    start = [0.0] * 5
    policy = hb.scalar(Sums, start=start)
    one, three = (
        hb.simulate(CAUCHY, policy, 30, 6, seed=1, chunk=c)["Sums"].regret for c in (1, 3)
    )
    assert np.array_equal(one, three)
    assert start == [0.0] * 5
    assert repr(policy) == "scalar(Sums, start=[0.0, 0.0, 0.0, 0.0, 0.0])"

    made = Sums(5, [0.0] * 5)

    def same(arms):
        return made

    with pytest.raises(ValueError, match="same object for two trials"):
        hb.simulate(CAUCHY, hb.scalar(same), 30, 6, seed=1)


def test_errors_of_a_scalar_policy_name_trial_and_round():
    class Fails:
        def select(self, t):
            return 0

        def update(self, t, arm, reward):
            if t == 4:
                raise KeyError("lost")

    with pytest.raises(KeyError, match="lost") as caught:
        hb.simulate(CAUCHY, hb.scalar(Fails), 30, 6, seed=1)
    assert caught.value.__notes__ == ["in Fails.update, trial 0, round 4"]

    class Wants:
        def __init__(self, n_arms):
            pass

        select = update = None

    Wants.select = Wants.update = lambda self, *seen: 0
    with pytest.raises(TypeError) as caught:
        hb.simulate(CAUCHY, hb.scalar(Wants), 30, 6, seed=1)
    assert "arms, horizon, rng, features" in caught.value.__notes__[0]


def test_a_bandit_does_not_change_and_its_copies_do_not_either():
    features = np.ones((2, 3, 2))
    for bandit in (
        CAUCHY,
        COINS,
        MIXED,
        hb.LinearContextualBandit(features, [1.0, 2.0], [0.5, 0.5], hb.noise.Gaussian()),
    ):
        for same in (bandit, copy.deepcopy(bandit), pickle.loads(pickle.dumps(bandit))):
            assert same == bandit
            with pytest.raises(ValueError, match="read-only"):
                same.loc[..., 0] = 5.0
            with pytest.raises(AttributeError, match="does not change"):
                same.loc = np.zeros(3)
            with pytest.raises(AttributeError, match="does not change"):
                same.noise = hb.noise.Gaussian()


def test_batch_policies_that_select_nonsense_are_told_so():
    class Nonsense(hb.policies.Policy):
        def __init__(self, arms):
            self.arms = arms

        def __repr__(self):
            return "Nonsense()"

        def start(self, run):
            return self

        def select(self, t):
            return self.arms

        def update(self, t, arm, reward):
            pass

    for arms in (np.array([9, 9]), np.array([0.5, 0.5]), [None, None], np.array([-1, 0])):
        with pytest.raises(ValueError, match="Nonsense"):
            hb.simulate(CAUCHY, Nonsense(arms), 10, 2, seed=1)


def test_explain_refuses_what_simulate_refuses():
    heavy = hb.Bandit([0.0, 1.0], hb.noise.SymmetricLomax(0.003))
    with pytest.raises(ValueError, match=r"reward = -?inf in trial 0"):
        hb.explain(hb.UCB(), heavy, 300, seed=1)
    with pytest.raises(ValueError, match="index policy"):
        hb.explain(hb.ThompsonSampling(), COINS)
    with pytest.raises(ValueError, match="bandit = None"):
        hb.explain(hb.UCB(), None)
    with pytest.raises(ValueError, match="rounds = 0"):
        hb.explain(hb.UCB(), CAUCHY, 0)
    with pytest.raises(ValueError, match="horizon = 5"):
        hb.explain(hb.UCB(), CAUCHY, 10, horizon=5)
