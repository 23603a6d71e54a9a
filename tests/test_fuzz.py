"""Bad input of every kind gives a documented result or a documented error; see tests/fuzz.py."""

import math
import warnings

import matplotlib
import numpy as np
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


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: hb.ASGNUCB(interval=1j), "interval = 1j must be"),
        (lambda: hb.statistics.coin_test(1e300, math.inf), "first must be a whole number"),
        (lambda: hb.statistics.coin_test(1, 0.5), "second must be a whole number"),
        (lambda: hb.statistics.wilson(np.arange(6), np.arange(1, 3)), "shapes .* differ"),
        (lambda: hb.ASGNUCB(warm=2**31), "warm = 2147483648 must be at most"),
        (lambda: hb.ASGNUCB().sgd(0), "horizon = 0"),
        (lambda: hb.MENU().batch(-math.inf), "horizon = -inf"),
        (lambda: hb.bounds.thm10_worst([0.0, 1.0], 9, constant=1j), "constant is 1j"),
        (lambda: hb.SignSGDUCB(half=5e-324), "mass = 0.0|mass = .* at least 1e-6"),
        (lambda: hb.noise.Mixture(np.array(0.5), [1.0]), "components must be a sequence"),
        (lambda: hb.noise.LocationScale(hb.noise.TwoPoint(), 1.0).atom([1j]), "real numbers"),
        (lambda: hb.optimizers.ClippedSGD(0.5), "schedule = 0.5"),
        (lambda: hb.plotting.multiples({0: "a"}), "titles is"),
        (lambda: hb.plotting.multiples(["a"], size=[math.inf]), "size is"),
        (lambda: hb.estimators.sample_variance([math.inf, 1.0]), "rewards must be finite"),
    ],
)
def test_what_was_found_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_what_was_found_has_a_value():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hb.bounds.ucb_improved_regret([5e-324, 0.0], 50) == 50 * 5e-324
        assert hb.bounds.thm10_instance([5e-324, 0.0], 50) == math.inf
        assert hb.bounds.eucbv_regret([5e-324, 0.0], 50) == math.inf
        assert hb.bounds.ucb_improved_regret([0.5, 0.0], []).shape == (0,)
        assert hb.estimators.Catoni(v=4.0).scale(0, 0.1) == 0.25
        narrow = hb.statistics.wilson(np.uint8(12), np.uint8(200))
        assert np.allclose(narrow, hb.statistics.wilson(12, 200), rtol=1e-15)
        assert hb.ASGNUCB().sgd(np.uint8(200)) == hb.ASGNUCB().sgd(200)
