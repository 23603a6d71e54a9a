"""Bad input of every kind gives a documented result or a documented error; see tests/fuzz.py."""

import math
import warnings

import matplotlib
import pytest

import hbucb as hb
from tests import fuzz

matplotlib.use("agg")


def test_no_bad_input_has_an_undocumented_outcome():
    seen, examples = fuzz.play(4000, seed=20)
    assert not examples, "\n".join(f"{where} {what}" for where, what in examples.items())
    assert sum(seen.values()) > 2500
    # Distinct outcomes are counted: most calls are refused, some are good after all.
    assert seen["ValueError"] > 1500 and seen["result"] > 300


def test_the_pool_holds_what_users_call():
    names = {name for name, _, _ in fuzz.calls()}
    assert {
        "hbucb.simulate",
        "hbucb.UCB",
        "hbucb.UCB.regret_bound",
        "hbucb.Bandit",
        "hbucb.noise.Cauchy.cdf",
        "hbucb.estimators.MedianOfMeans.radius",
        "bounds.ucb_regret",
        "hbucb.load",
    } <= names
    assert len(names) > 250


def _warns():
    warnings.warn("x", RuntimeWarning, stacklevel=1)


def _hangs():
    while True:
        pass


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: 1 / 0, "RAISED ZeroDivisionError"),
        (lambda: math.sqrt(-1), "FOREIGN ValueError"),
        (lambda: [] + 1, "INNER TypeError"),
        (lambda: len(3), "INNER TypeError"),
        (_warns, "WARNING RuntimeWarning"),
        (_hangs, "HANG"),
        (lambda: hb.UCB(sigma=-1), "ValueError"),
        (lambda: 3, "result"),
    ],
)
def test_undocumented_outcomes_are_told_apart(call, kind, monkeypatch):
    monkeypatch.setattr(fuzz, "SECONDS", 1)
    found = fuzz.outcome(call, {})
    if kind == "INNER TypeError":  # raised in the call itself: one frame deeper than a refusal
        assert fuzz.outcome(lambda: call(), {}) == kind
    else:
        assert found == kind


def test_infinite_and_huge_rewards_reach_every_estimator_with_a_breakdown_point():
    good = [0.1, -0.2, 0.3, 0.0, 0.2, -0.1, 0.15, -0.05, 0.05] * 9
    for estimator in (
        hb.estimators.SampleMedian(),
        hb.estimators.MedianOfMeans(),
        hb.estimators.TrimmedMean(),
        hb.estimators.HodgesLehmann(),
        hb.estimators.Huber(lam=1.0, slope=0.5),
        hb.estimators.SmoothedMedianOfMeans(m=2),
    ):
        for bad in (1e300, -1e300, math.inf, -math.inf):
            try:
                estimate = estimator.estimate([*good, bad], 0.3)
            except TypeError:
                estimate = estimator.estimate([*good, bad])
            assert abs(estimate) < 1.0, (estimator, bad)
