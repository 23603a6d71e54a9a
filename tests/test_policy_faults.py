"""Errors in a policy's own code: the message names the policy, the method and the round."""

from dataclasses import dataclass

import numpy as np
import pytest

import hbucb as hb
from hbucb.policies import ArmIndexPolicy, Policy

BANDIT = hb.Bandit([0.0, 1.0, 2.0], hb.noise.Cauchy())


def plays(select=None, update=None):
    """A batch policy made of two functions of (t) and (t, arm, reward); arm 0 by default."""

    class State:
        def __init__(self, trials):
            self.trials = trials

        def select(self, t):
            return np.zeros(self.trials, int) if select is None else select(t)

        def update(self, t, arm, reward):
            if update is not None:
                update(t, arm, reward)

    class Mine(Policy):
        def __repr__(self):
            return "Mine()"

        def start(self, run):
            return State(run.trials)

    return Mine()


def run(policy, horizon=30, **options):
    return hb.simulate(BANDIT, policy, horizon, 4, seed=1, **options)


def late(good, bad, t=10):
    return lambda now: bad if now == t else good


GOOD = np.zeros(4, int)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (np.zeros((4, 1), int), r"an array \(4, 1\) of int64"),
        (np.zeros(3, int), r"an array \(3,\) of int64"),
        (np.full(4, 0.5), r"an array \(4,\) of float64"),
        (np.full(4, True), r"an array \(4,\) of bool"),
        ([0, 0, 0, 0], r"\[0, 0, 0, 0\]"),
        (0, "0"),
        (None, "None"),
    ],
)
def test_what_is_no_array_of_arms_is_named_with_its_round(bad, said):
    message = (
        rf"Mine\(\)\.select\(10\) gave {said}; it must be an array \(4,\) of integers in 0\.\.2"
    )
    with pytest.raises(ValueError, match=message):
        run(plays(late(GOOD, bad)))


@pytest.mark.parametrize("arm", [-1, 3, 99])
@pytest.mark.parametrize("trial", [0, 2, 3])
def test_arms_out_of_range_are_named_with_round_and_trial(arm, trial):
    bad = GOOD.copy()
    bad[trial] = arm
    message = rf"Mine\(\)\.select\(10\) gave arm {arm} in trial {trial}; it must be in 0\.\.2"
    with pytest.raises(ValueError, match=message):
        run(plays(late(GOOD, bad)))


def test_an_arm_out_of_range_is_named_before_the_error_it_leads_to():
    counts = np.zeros((4, 3))

    def update(t, arm, reward):
        counts[np.arange(4), arm] += 1

    with pytest.raises(ValueError, match=r"select\(10\) gave arm 3 in trial 3"):
        run(plays(late(GOOD, np.array([0, 0, 0, 3])), update))


def test_trials_of_a_later_chunk_keep_their_numbers():
    calls = []

    def select(t):
        calls.append(t)
        return np.array([0, 5 if len(calls) > 30 + 3 else 0])

    with pytest.raises(ValueError, match=r"select\(3\) gave arm 5 in trial 3;"):
        run(plays(select), chunk=2)


def test_contextual_policies_are_told_too():
    features = np.eye(3)[None].repeat(2, axis=0)
    bandit = hb.LinearContextualBandit(features, [1.0, 2.0, 3.0], [0.5, 0.5], hb.noise.Gaussian())
    with pytest.raises(ValueError, match=r"select\(7\) gave arm 3 in trial 2"):
        hb.simulate(bandit, plays(late(GOOD, np.array([0, 0, 3, 0]), 7)), 20, 4, seed=1)


@pytest.mark.parametrize("verb", ["select", "update"])
def test_errors_of_batch_code_carry_method_and_round(verb):
    def bad(t, *seen):
        if t == 12:
            raise KeyError("boo")
        return GOOD

    with pytest.raises(KeyError, match="boo") as caught:
        run(plays(bad) if verb == "select" else plays(None, bad))
    assert caught.value.__notes__ == [f"in Mine().{verb}, round 12"]


def test_errors_of_scalar_code_are_told_once():
    class Typo:
        def select(self, t):
            return self.rounds

        def update(self, t, arm, reward):
            pass

    with pytest.raises(AttributeError) as caught:
        run(hb.scalar(Typo))
    assert caught.value.__notes__ == ["in Typo.select, trial 0, round 0"]


def test_start_and_what_it_makes():
    @dataclass(frozen=True)
    class NoStart(Policy):
        pass

    @dataclass(frozen=True)
    class HalfAState(Policy):
        def start(self, run):
            return "state"

    @dataclass(frozen=True)
    class BadStart(Policy):
        def start(self, run):
            return run.rounds

    with pytest.raises(NotImplementedError, match=r"NoStart has no method start\(run\)"):
        run(NoStart())
    with pytest.raises(
        ValueError, match=r"HalfAState\(\)\.start made 'state', which has no method"
    ):
        run(HalfAState())
    with pytest.raises(AttributeError) as caught:
        run(BadStart())
    assert caught.value.__notes__[0].endswith("BadStart().start")


def test_a_class_with_start_is_sent_to_the_base_class():
    @dataclass(frozen=True)
    class Plain:
        def start(self, run):
            return None

    for given in (Plain(), {"mine": Plain()}):
        with pytest.raises(ValueError, match=r"inherit from hbucb\.policies\.Policy"):
            run(given)
    with pytest.raises(ValueError, match=r"wrap a class with select and update by hb\.scalar"):
        run({"mine": object})


@dataclass(frozen=True)
class Index(ArmIndexPolicy):
    value: object

    def index(self, rewards, t, horizon, counts):
        return self.value if t == 3 else 0.0


@pytest.mark.parametrize("value", [float("nan"), np.nan, None, "1", np.zeros(2), 1j])
def test_an_index_must_be_a_number(value):
    with pytest.raises(ValueError, match=r"index gave .* in round 3; it must be a number"):
        hb.explain(Index(value), BANDIT, 5, seed=1)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 2, np.float32(2.0), np.int64(2)])
def test_any_real_number_is_an_index(value):
    assert len(hb.explain(Index(value), BANDIT, 5, seed=1)) == 5


def test_errors_in_index_name_arm_and_round():
    @dataclass(frozen=True)
    class TooFew(ArmIndexPolicy):
        def index(self, rewards):
            return 0.0

    with pytest.raises(TypeError) as caught:
        hb.explain(TooFew(), BANDIT, 5, order="given")
    assert caught.value.__notes__[0].endswith("TooFew().index, arm 0, round 0")
    with pytest.raises(NotImplementedError, match="Empty has no method index"):
        hb.explain(type("Empty", (ArmIndexPolicy,), {})(), BANDIT, 5)


@pytest.mark.parametrize("bound", [float("nan"), -1.0, "x", None])
def test_a_policy_whose_bound_is_no_bound_is_named(bound):
    @dataclass(frozen=True)
    class Mine(Policy):
        def regret_bound(self, bandit, horizon, declare=()):
            return bound

    with pytest.raises(
        ValueError, match=r"Mine\(\)\.regret_bound\(bandit, 50\) = .* must be a num"
    ):
        hb.certify.regret_bound(Mine(), BANDIT, 50, trials=10)
    if bound is not None:
        with pytest.raises(ValueError, match=rf"^claimed = '?{bound}'? must be a number >= 0"):
            hb.certify.regret_bound(hb.UCB(), BANDIT, 50, trials=10, claimed=bound)


class Median:
    def estimate(self, x, delta):
        return np.median(x)


class MedianRadius(Median):
    def radius(self, n, delta):
        return 0.5 + 0.0 * n


class AnyLaw(MedianRadius):
    def assumptions(self):
        return ()


def certify(method, **options):
    law = hb.noise.Cauchy()
    return hb.certify.radius(method, law, n=31, delta=0.1, trials=300, **options)


def test_an_estimator_of_ones_own_needs_estimate_alone():
    known = hb.estimators.SampleMedian(kappa=0.25, reach=1.0)
    table = {"claimed": lambda n, delta: 0.5 + 0.0 * n}
    assert certify(Median(), **table).counts == certify(known, **table).counts
    assert certify(Median(), **table).counts == certify(AnyLaw()).counts
    assert certify(MedianRadius(), outside=True).counts == certify(AnyLaw()).counts


def test_a_radius_without_a_class_says_what_is_missing():
    with pytest.raises(ValueError, match=r"give it a method assumptions\(\).*outside=True"):
        certify(MedianRadius())
    with pytest.raises(ValueError, match=r"has no method estimate\(x, delta\)"):
        certify(object(), claimed=lambda n, delta: 1.0)
    with pytest.raises(ValueError, match=r"read at one count; uniform = True needs a streaming"):
        certify(Median(), claimed=lambda n, delta: 1.0 + 0 * n, uniform=True)


def test_a_radius_is_asked_only_where_it_is_used():
    seen = []

    def claimed(n, delta):
        seen.append(np.asarray(n).tolist())
        return np.where(np.asarray(n) < 31, -1.0, 0.5)

    assert certify(Median(), claimed=claimed).trials == 300
    assert seen == [[31]]
    median = hb.estimators.SampleMedian(kappa=0.25, reach=1.0)
    with pytest.raises(ValueError, match="claimed: -1 at n = 1 must be a number >= 0, or inf"):
        certify(median, claimed=claimed, uniform=True)
    with pytest.raises(ValueError, match="claimed: nan at n = 31"):
        certify(median, claimed=lambda n, delta: np.nan)


def test_scalar_draws_as_another_policy():
    class Lots:
        def __init__(self, arms, rng):
            self.arms, self.rng = arms, rng

        def select(self, t):
            return int(self.rng.random() * self.arms)

        def update(self, t, arm, reward):
            pass

    @dataclass(frozen=True)
    class LotsBatch(Policy):
        def start(self, run):
            rngs = run.generators()
            return plays(lambda t: np.array([int(rng.random() * run.arms) for rng in rngs])).start(
                run
            )

        def __repr__(self):
            return "LotsBatch()"

    twin = hb.scalar(Lots, draws_as=LotsBatch())
    assert repr(twin) == "scalar(Lots, draws_as=LotsBatch())"
    assert repr(hb.scalar(Lots)) == "scalar(Lots)"  # streams of stored runs are keyed by it
    field = {"one": twin, "all": LotsBatch(), "alone": hb.scalar(Lots)}
    out = run(field, 60, actions=True)
    assert (out["one"].actions == out["all"].actions).all()
    assert not (out["one"].actions == out["alone"].actions).all(axis=1).any()
    with pytest.raises(ValueError, match="draws_as = 'LotsBatch' must be a policy object"):
        hb.scalar(Lots, draws_as="LotsBatch")
